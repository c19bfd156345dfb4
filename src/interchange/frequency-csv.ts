/**
 * Frequencies as a table of text, one row per statement:
 *
 *     statement,label,1 (night),2 (day)
 *     q1,Hotels near a point of interest,10,8
 *
 * Writes what it reads: out and in again the numbers are the same. In reading, the columns `label` and
 * `group` are for people, a statement may be called by its label, a head row may be missing, and a row
 * that cannot be used is skipped and told with its line; nothing is guessed.
 */
import { anError, type Result } from "#model/issue.ts";
import { matchName, suggestion } from "#model/name-matching.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { type CsvRow, readCsv } from "./csv.ts";

export interface NamedStatement {
  readonly id: StatementId;
  readonly label: string;
}

/** A row that was not taken, by its line in the file, and why. */
export interface SkippedLine {
  readonly line: number;
  readonly why: string;
}

export interface FrequencyFile {
  /** Numbers in every row. */
  readonly steps: number;
  readonly curves: Readonly<Record<StatementId, FrequencyCurve>>;
  readonly skipped: readonly SkippedLine[];
}

/** The text of a file: `heads` are the names of the steps. */
export function writeFrequencies(
  statements: readonly NamedStatement[],
  curves: Readonly<Record<StatementId, FrequencyCurve>>,
  heads: readonly string[],
): string {
  const rows = statements.map(({ id, label }) => [
    id,
    // A spreadsheet would compute what begins like a formula; the label is not read back.
    /^[=+\-@\t]/.test(label) ? `'${label}` : label,
    ...(curves[id] ?? []).map(String),
  ]);
  const table = [["statement", "label", ...heads], ...rows];
  return `${table.map((cells) => cells.map(quotedCell).join(",")).join("\n")}\n`;
}

function quotedCell(cell: string): string {
  return /[",;\t\n\r#]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The curves of a text; refused where not one row can be used. */
export function readFrequencies(
  text: string,
  statements: readonly NamedStatement[],
): Result<FrequencyFile> {
  // Behind the first head stands what parts the cells; labels may hold other signs as often.
  const read = readCsv(text, /^\W*statement([,;\t])/i.exec(text)?.[1]);
  if (!read.ok) return read;
  const { width, columns, rows } = layoutOf(read.value);
  const find = statementFinder(statements);
  const curves = new Map<StatementId, FrequencyCurve>();
  const skipped: SkippedLine[] = [];
  for (const row of rows) {
    const taken = readRow(row, columns, width, find);
    if ("why" in taken) skipped.push({ line: row.line, why: taken.why });
    else if (curves.has(taken.id))
      skipped.push({ line: row.line, why: `${taken.id} is there already.` });
    else curves.set(taken.id, taken.curve);
  }
  if (curves.size === 0) return refusal(skipped);
  const file = { steps: columns.length, curves: Object.fromEntries(curves), skipped };
  return { ok: true, value: file, warnings: [] };
}

/** What to say where nothing could be read. */
export function refusal(skipped: readonly SkippedLine[]): Result<never> {
  const [first] = skipped;
  const message = first
    ? `No row can be used. Line ${first.line}: ${first.why}`
    : "There is no row of numbers in it.";
  const hint = "Write a statement's id or label, then one number per step: q1,10,8,30.";
  return { ok: false, issues: [anError("", message, hint)] };
}

interface Layout {
  /** Cells of the head or, without one, of the first row. */
  readonly width: number;
  /** Positions of the numbers. */
  readonly columns: readonly number[];
  readonly rows: readonly CsvRow[];
}

function layoutOf(rows: readonly CsvRow[]): Layout {
  const [first, ...others] = rows;
  if (!first) return { width: 0, columns: [], rows };
  const positions = first.cells.map((_, at) => at).slice(1);
  const isHead = /^(?:statement|id|name)$/i.test(first.cells[0] ?? "");
  if (!isHead) {
    // A label may stand beside the name, also without a head that says so.
    const begin = readCell(first.cells[1] ?? "") === undefined ? 2 : 1;
    return {
      width: first.cells.length,
      columns: positions.filter((at) => at >= begin),
      rows,
    };
  }
  const forPeople = (at: number): boolean => /^(?:label|group)$/i.test(first.cells[at] ?? "");
  return {
    width: first.cells.length,
    columns: positions.filter((at) => !forPeople(at)),
    rows: others,
  };
}

function readRow(
  { cells }: CsvRow,
  columns: readonly number[],
  width: number,
  find: (name: string) => StatementId | { readonly why: string },
): { readonly id: StatementId; readonly curve: FrequencyCurve } | { readonly why: string } {
  const id = find(cells[0] ?? "");
  if (typeof id !== "string") return id;
  if (cells.length !== width)
    return { why: `It has ${cells.length} cells where the first row has ${width}.` };
  const curve: number[] = [];
  for (const at of columns) {
    const value = readCell(cells[at] ?? "");
    if (value === undefined) return { why: `“${cells[at] ?? ""}” is no frequency.` };
    curve.push(value);
  }
  return { id, curve };
}

/** A number of at least 0; a comma before the decimals is understood where it does not part cells. */
function readCell(text: string): number | undefined {
  if (!/^\+?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value : undefined;
}

/** Finds statements by id, else by label, where only one is called so. */
export function statementFinder(
  statements: readonly NamedStatement[],
): (name: string) => StatementId | { readonly why: string } {
  const ids = statements.map(({ id }) => id);
  const found = new Map<string, StatementId | { readonly why: string }>();
  const find = (name: string): StatementId | { readonly why: string } => {
    if (name === "") return { why: "It names no statement." };
    const id = matchName(name, ids);
    if (id !== undefined) return id;
    const called = statements.filter(({ label }) => label.trim() === name);
    const [only] = called;
    if (only && called.length === 1) return only.id;
    if (only) return { why: `${called.length} statements are called “${name}”; write the id.` };
    const hint = suggestion(name, ids, "");
    return { why: `There is no statement “${name}”.${hint ? ` ${hint}` : ""}` };
  };
  return (name) => {
    const known = found.get(name) ?? find(name);
    found.set(name, known);
    return known;
  };
}
