/**
 * A profile: how long operations took on a real cluster, one execution per row (engine.md §6).
 *
 *     operation,n,w,s,size,milliseconds
 *     get,1,20,64,,0.94
 *     put,,3,,,0.81
 *     load,,,,2e9,101210
 *
 * Columns may stand in any order, those that no row needs may be left out; `delete` is measured like
 * `put`. Every malformed row is told with its line and what to write instead.
 */
import { costFormulas, type MeasuredFeature, type ProfileSample } from "#model/cost-model-fit.ts";
import { anError, aWarning, type Issue, type Result } from "#model/issue.ts";
import { nearest, suggestion } from "#model/name-matching.ts";
import { type CsvRow, readCsv } from "./csv.ts";

/** More rows than this only make the file of the model larger, not the fit better. */
export const mostSamples = 20_000;
/** Mistakes of rows that are told one by one. */
const mostTold = 30;

const exampleHead = "operation,n,w,s,size,milliseconds";
const operations = ["get", "put", "delete", "extract", "load"] as const;
const columns = ["operation", "n", "w", "s", "size", "milliseconds"] as const;
type ColumnName = (typeof columns)[number];

const meanings: Readonly<Record<MeasuredFeature, string>> = {
  n: "the number of Gets",
  w: "the number of rows",
  s: "the bytes per row",
  size: "the bytes of the whole table",
};

/** The measurements of a profile, or every mistake in it. */
export function readProfile(text: string): Result<readonly ProfileSample[]> {
  const read = readCsv(text);
  if (!read.ok) return read;
  const [head, ...rows] = read.value;
  if (!head) return refused([anError("", "The profile is empty.", `Begin with ${exampleHead}.`)]);
  const { positions, issues, warnings } = readHead(head);
  if (issues.length > 0) return refused(issues);
  if (rows.length > mostSamples)
    return refused([
      anError(
        "",
        `The profile has ${rows.length} rows; at most ${mostSamples} are taken.`,
        "Keep fewer repetitions of each measurement.",
      ),
    ]);
  const samples: ProfileSample[] = [];
  const mistakes: Issue[] = [];
  for (const row of rows) {
    const sample = readRow(row, positions, head.cells.length);
    if (!("line" in sample)) mistakes.push(...sample);
    else samples.push(sample);
  }
  return mistakes.length > 0
    ? refused(shortened(mistakes))
    : { ok: true, value: samples, warnings };
}

function refused(issues: readonly Issue[]): Result<never> {
  return { ok: false, issues };
}

function shortened(mistakes: readonly Issue[]): readonly Issue[] {
  const rest = mistakes.length - mostTold;
  if (rest <= 0) return mistakes;
  const more = anError("", `There are ${rest} more mistakes.`, "Mend these first.");
  return [...mistakes.slice(0, mostTold), more];
}

type Positions = ReadonlyMap<ColumnName, number>;

function readHead({ line, cells }: CsvRow): {
  readonly positions: Positions;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
} {
  const place = `line ${line}`;
  const positions = new Map<ColumnName, number>();
  const issues: Issue[] = [];
  const unknown: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = columns.find((each) => each === cell.toLowerCase());
    if (name === undefined) unknown.push(cell);
    else if (positions.has(name))
      issues.push(anError(place, `The column ${name} is there twice.`, "Keep one."));
    else positions.set(name, index);
  }
  if (positions.size === 0)
    issues.push(
      anError(place, "The first row does not name the columns.", `Begin with ${exampleHead}.`),
    );
  else
    for (const name of ["operation", "milliseconds"] as const)
      if (!positions.has(name)) issues.push(missingColumn(place, name, unknown));
  const warnings = unknown
    .filter((cell) => cell !== "")
    .map((cell) =>
      aWarning(
        place,
        `The column ${cell} is not read.`,
        `Columns that are: ${columns.join(", ")}.`,
      ),
    );
  return { positions, issues, warnings };
}

function missingColumn(place: string, name: ColumnName, unknown: readonly string[]): Issue {
  const near = unknown.find(
    (cell) =>
      nearest(cell, [name]) === name ||
      (name === "milliseconds" && /^(?:ms|latency|time)$/i.test(cell)),
  );
  const hint = near === undefined ? `Begin with ${exampleHead}.` : `Rename the column ${near}.`;
  return anError(place, `There is no column ${name}.`, hint);
}

function readRow(
  { line, cells }: CsvRow,
  positions: Positions,
  width: number,
): ProfileSample | readonly Issue[] {
  const place = `line ${line}`;
  const cell = (name: ColumnName): string => cells[positions.get(name) ?? -1] ?? "";
  if (cells.length > width)
    return [
      anError(
        place,
        `The row has ${cells.length} cells for ${width} columns.`,
        "Write one cell per column, numbers with a decimal point and without separators: 1234.5.",
      ),
    ];
  const wanted = cell("operation").toLowerCase();
  const operation = operations.find((each) => each === wanted);
  const formula = costFormulas.find(
    (each) => each.operation === (operation === "delete" ? "put" : operation),
  );
  if (!formula) {
    const all = `The operations are ${operations.join(", ")}.`;
    return [
      anError(
        place,
        `“${cell("operation")}” is no operation.`,
        suggestion(wanted, operations, all),
      ),
    ];
  }
  const issues: Issue[] = [];
  const number = (name: ColumnName): number => {
    const issue = numberIssue(place, wanted, name, cell(name), positions.has(name));
    if (issue) issues.push(issue);
    return Number(cell(name));
  };
  const at = formula.features.map(number);
  const milliseconds = number("milliseconds");
  return issues.length > 0 ? issues : { line, operation: formula.operation, at, milliseconds };
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberIssue(
  place: string,
  operation: string,
  name: ColumnName,
  text: string,
  columnIsThere: boolean,
): Issue | undefined {
  const meaning = name in meanings ? meanings[name as MeasuredFeature] : "how long it took";
  if (text === "")
    return anError(
      place,
      `The ${operation} has no ${name}.`,
      columnIsThere
        ? `Write ${meaning} into the column ${name}.`
        : `Add a column ${name} with ${meaning}.`,
    );
  if (
    /^[+-]?(?:nan|inf(?:inity)?|∞)$/i.test(text) ||
    (plainNumber.test(text) && !Number.isFinite(Number(text)))
  )
    return anError(
      place,
      `The ${name} of the ${operation} is ${text}, which is not finite.`,
      "Leave out the row: a measurement without an end cannot be fitted.",
    );
  if (!plainNumber.test(text))
    return anError(
      place,
      `The ${name} of the ${operation} is “${text}”, which is no number.`,
      /^\d+,\d+$/.test(text)
        ? `Write a decimal point: ${text.replace(",", ".")}.`
        : `Write ${meaning} as a number, such as 12.5 or 2e9.`,
    );
  return Number(text) < 0
    ? anError(
        place,
        `The ${name} of the ${operation} is ${text}, below 0.`,
        `Write ${meaning}, at least 0.`,
      )
    : undefined;
}
