/**
 * Records and requests that a person brings: rows of text with named columns.
 *
 * Decides each column's type from its values, the narrowest that all of them have. Requests are rows as well:
 * what an empty cell leaves out, the request does not name; a column `request` says read or write.
 */
import { anError, aWarning, type Issue, type Result } from "#model/issue.ts";
import { type NativeType, nativeTypes } from "./cql-type.ts";
import type { LabColumn, LabRequest, LabTable } from "./lab-table.ts";
import type { RecordColumn, RecordTable } from "./records.ts";
import { serialiseNative } from "./serialise-native.ts";
import { valuesOf } from "./value-table.ts";

/** Rows of cells as a CSV reader gives them, the head row first. */
export type TextRows = readonly (readonly string[])[];

/** More records than this are not taken in. */
export const mostOwnRecords = 1_000_000;

export interface OwnRecords {
  readonly table: LabTable;
  readonly records: RecordTable;
}

/** Types that a column may turn out to have, the narrowest first. */
const guesses: readonly NativeType[] = [
  "int",
  "bigint",
  "uuid",
  "date",
  "timestamp",
  "double",
  "boolean",
  "inet",
];

/** The column of a requests file that says what a request does. */
const requestColumn = "request";

/**
 * The table and its records. Without requests, every record is read once by the key and written once.
 * `types` may fix the type of some columns, `key` names the partition key (absent: the first column).
 */
export function ownRecords(
  rows: TextRows,
  requests: TextRows | undefined,
  key: readonly string[] | undefined,
  types: Readonly<Record<string, string>> = {},
): Result<OwnRecords> {
  const [head, ...cells] = rows;
  const [requestHead, ...requestCells] = requests ?? [];
  const issues = [
    ...headIssues(head, cells.length),
    ...(requestHead ? requestHeadIssues(requestHead, head ?? []) : []),
    ...keyIssues(key, head ?? []),
    ...typeIssues(types, head ?? []),
  ];
  if (!head || issues.length > 0) return { ok: false, issues };
  const names = requestHead?.filter((name) => name !== requestColumn) ?? [];
  const columns: RecordColumn[] = [];
  const lab: LabColumn[] = [];
  for (const [index, name] of head.entries()) {
    const at = requestHead?.indexOf(name) ?? -1;
    const stored = cells.map((row) => row[index] ?? "");
    const asked = requestCells.map((row) => (at < 0 ? "" : (row[at] ?? "")));
    const column = columnOf(name, stored, asked, types[name]);
    if (!column.ok) return column;
    columns.push(column.value.column);
    lab.push(column.value.lab);
  }
  const own = key ?? [head[0] as string];
  const count = cells.length;
  const plans = requestHead
    ? givenRequests(requestHead, names, requestCells, count)
    : usualRequests(own, head);
  const table: LabTable = {
    id: "own records",
    kind: "own records",
    columns: lab,
    key: own,
    clustering: [],
    initial: count,
    arriving: [0],
    stepSeconds: 1,
    bytesPerRow: lab.reduce((sum, { bytes }) => sum + bytes, 0),
    cellsPerRow: Math.max(1, lab.length - own.length),
    requests: plans,
  };
  const records = { columns, count, ends: [count], initial: count };
  return { ok: true, value: { table, records }, warnings: warningsOf(requestHead, head) };
}

function headIssues(head: readonly string[] | undefined, count: number): Issue[] {
  if (!head || count === 0)
    return [
      anError(
        "line 1",
        "There are no records.",
        "Write a row of column names, then one row per record.",
      ),
    ];
  if (count > mostOwnRecords)
    return [
      anError(
        "",
        `There are ${count} records; at most ${mostOwnRecords} are taken.`,
        "Take a part of them.",
      ),
    ];
  const twice = head.find((name, index) => name === "" || head.indexOf(name) !== index);
  return twice === undefined
    ? []
    : [
        anError(
          "line 1",
          twice === "" ? "A column has no name." : `The column ${twice} is there twice.`,
          "Give each column a name of its own.",
        ),
      ];
}

function requestHeadIssues(requestHead: readonly string[], head: readonly string[]): Issue[] {
  return requestHead.some((name) => head.includes(name))
    ? []
    : [
        anError(
          "requests, line 1",
          "No column of the requests is one of the records’.",
          `Name columns of the records (${head.join(", ")}), and ${requestColumn} for read or write.`,
        ),
      ];
}

function warningsOf(requestHead: readonly string[] | undefined, head: readonly string[]): Issue[] {
  const unknown = (requestHead ?? []).filter(
    (name) => name !== requestColumn && !head.includes(name),
  );
  return unknown.map((name) =>
    aWarning(
      "requests, line 1",
      `The column ${name} is not read.`,
      `The records have ${head.join(", ")}.`,
    ),
  );
}

function keyIssues(key: readonly string[] | undefined, head: readonly string[]): Issue[] {
  return (key ?? [])
    .filter((name) => !head.includes(name))
    .map((name) =>
      anError("key", `There is no column ${name}.`, `The columns are ${head.join(", ")}.`),
    );
}

function typeIssues(types: Readonly<Record<string, string>>, head: readonly string[]): Issue[] {
  return Object.entries(types).flatMap(([name, type]) => {
    if (!head.includes(name)) return keyIssues([name], head);
    return nativeTypes.some((each) => each === type)
      ? []
      : [anError("types", `There is no type ${type}.`, `The types are ${nativeTypes.join(", ")}.`)];
  });
}

function columnOf(
  name: string,
  stored: readonly string[],
  asked: readonly string[],
  type: string | undefined,
): Result<{ readonly column: RecordColumn; readonly lab: LabColumn }> {
  const numbers = new Map<string, number>();
  const ids = new Uint32Array(stored.length + asked.length);
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  for (const [row, text] of stored.entries()) ids[row] = numberOf(text);
  const distinct = numbers.size;
  // What a request does not name is never looked at; it stands for the first record's value.
  for (const [row, text] of asked.entries())
    ids[stored.length + row] = text === "" ? (ids[0] as number) : numberOf(text);
  const texts = [...numbers.keys()];
  const native = nativeTypes.find((each) => each === type) ?? guessed(texts);
  const values = valuesOf({ kind: "native", name: native }, texts, `column ${name}`);
  if (!values.ok) return values;
  const lab: LabColumn = {
    name,
    type: native,
    distinct,
    bytes: values.value.bytes.length / Math.max(1, texts.length),
    distribution: isRising(ids, stored.length, native) ? { kind: "arrival" } : { kind: "uniform" },
  };
  const column = { name, values: values.value, ids };
  return { ok: true, value: { column, lab }, warnings: [] };
}

/** A time column that stands in the order of its file: each new value follows the one before. */
function isRising(ids: Uint32Array, count: number, type: NativeType): boolean {
  if (type !== "date" && type !== "timestamp") return false;
  for (let row = 1; row < count; row += 1)
    if ((ids[row] as number) < (ids[row - 1] as number)) return false;
  return true;
}

function guessed(texts: readonly string[]): NativeType {
  const isOf = (type: NativeType): boolean =>
    texts.every((text) => text !== "" && typeof serialiseNative(type, text) !== "string") &&
    // A bare number is a day or a time only by accident.
    ((type !== "date" && type !== "timestamp") || texts.some((text) => text.includes("-")));
  return guesses.find(isOf) ?? "text";
}

/** One plan for each set of columns that requests name, and for reads and writes. */
function givenRequests(
  head: readonly string[],
  names: readonly string[],
  cells: TextRows,
  stored: number,
): LabRequest[] {
  const kindAt = head.indexOf(requestColumn);
  const groups = new Map<string, { kind: "read" | "write"; binds: string[]; rows: number[] }>();
  for (const [index, row] of cells.entries()) {
    const kind = /^(?:w|insert|update|put|delete)/i.test(row[kindAt] ?? "") ? "write" : "read";
    const binds = names.filter((name) => (row[head.indexOf(name)] ?? "") !== "");
    const text = [kind, ...binds].join("\0");
    const group = groups.get(text) ?? { kind, binds, rows: [] };
    group.rows.push(stored + index);
    groups.set(text, group);
  }
  return [...groups.values()].map(({ kind, binds, rows }) => ({
    name: `${kind === "read" ? "reads" : "writes"} by ${binds.join(" and ") || "no column"}`,
    kind,
    binds,
    pick: { kind: "records" },
    keys: 1,
    perSecond: [rows.length],
    rows: Uint32Array.from(rows),
    order: [],
    joins: false,
    changesMany: false,
  }));
}

function usualRequests(key: readonly string[], head: readonly string[]): LabRequest[] {
  const base = { keys: 1, perSecond: [1], order: [], joins: false, changesMany: false };
  return [
    {
      ...base,
      name: `reads by ${key.join(" and ")}`,
      kind: "read",
      binds: key,
      pick: { kind: "records" },
    },
    {
      ...base,
      name: "writes of whole records",
      kind: "write",
      binds: head,
      pick: { kind: "records" },
    },
  ];
}
