/** Statements and their frequency curves as the Workload room lists, draws and edits them. */
import type { StatementRecord, StudioDocument } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve, TimeStep } from "#model/workload.ts";
import { plural, readNumber } from "../design/format.ts";

export interface StatementRow {
  readonly id: StatementId;
  readonly label: string;
  readonly group: string;
  readonly kind: "query" | "update";
  readonly errors: number;
  readonly warnings: number;
}

export interface StatementGroup {
  readonly name: string;
  readonly rows: readonly StatementRow[];
}

/** Rows by group; groups and rows in the order of the document, statements without a group last. */
export function statementGroups(
  statements: StudioDocument["statements"],
  issues: readonly Issue[],
): readonly StatementGroup[] {
  const groups = new Map<string, StatementRow[]>();
  for (const [id, statement] of Object.entries(statements)) {
    const row = rowOf(id, statement, issues);
    groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  }
  return [...groups]
    .map(([name, rows]) => ({ name, rows }))
    .sort((a, b) => Number(a.name === "") - Number(b.name === ""));
}

/**
 * The new groups with every row and group of the old ones that says the same, so that typing in one
 * statement draws one row again and not three hundred.
 */
export function keepUnchanged(
  before: readonly StatementGroup[],
  after: readonly StatementGroup[],
): readonly StatementGroup[] {
  const rows = new Map(before.flatMap((group) => group.rows.map((row) => [row.id, row])));
  const groups = new Map(before.map((group) => [group.name, group]));
  const next = after.map((group) => {
    const kept = group.rows.map((row) => {
      const old = rows.get(row.id);
      return old && sameRow(old, row) ? old : row;
    });
    const old = groups.get(group.name);
    return old && sameList(old.rows, kept) ? old : { name: group.name, rows: kept };
  });
  return sameList(before, next) ? before : next;
}

function sameRow(a: StatementRow, b: StatementRow): boolean {
  return (
    a.label === b.label &&
    a.group === b.group &&
    a.kind === b.kind &&
    a.errors === b.errors &&
    a.warnings === b.warnings
  );
}

function sameList<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function rowOf(
  id: StatementId,
  statement: StatementRecord,
  issues: readonly Issue[],
): StatementRow {
  const own = issuesOf(id, issues);
  return {
    id,
    label: statement.label ?? id,
    group: statement.group ?? "",
    kind: isQueryText(statement.text) ? "query" : "update",
    errors: own.filter((issue) => issue.severity === "error").length,
    warnings: own.filter((issue) => issue.severity === "warning").length,
  };
}

/** By its first word, so that a statement that does not parse keeps its colour. */
export function isQueryText(text: string): boolean {
  return !/^\s*(insert|update|delete|connect|disconnect)\b/i.test(text);
}

/** Issues of a statement's record; those of its curve stand with the curve. */
export function issuesOf(id: StatementId, issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(
    ({ place }) => place === `statements/${id}` || place.startsWith(`statements/${id}/`),
  );
}

/** The largest frequency of any statement, at least a little above 0. */
export function highestFrequency(curves: readonly FrequencyCurve[]): number {
  let highest = 0;
  for (const curve of curves) for (const value of curve) highest = Math.max(highest, value);
  return highest > 0 ? highest : 1;
}

export interface Reading {
  readonly id: StatementId;
  readonly label: string;
  readonly kind: "query" | "update";
  readonly value: number;
}

/** What the chart's tip lists: the selected statement, then the most frequent ones. */
export function readingsAt(
  rows: readonly StatementRow[],
  frequencies: StudioDocument["frequencies"],
  step: TimeStep,
  selected: StatementId | undefined,
  most: number,
): { readonly shown: readonly Reading[]; readonly others: number; readonly total: number } {
  const readings = rows.map(({ id, label, kind }) => ({
    id,
    label,
    kind,
    value: frequencies[id]?.[step] ?? 0,
  }));
  const first = readings.filter((reading) => reading.id === selected);
  const rest = readings
    .filter((reading) => reading.id !== selected && reading.value > 0)
    .sort((a, b) => b.value - a.value);
  const shown = [...first, ...rest].slice(0, most);
  return {
    shown,
    others: first.length + rest.length - shown.length,
    total: readings.reduce((sum, reading) => sum + reading.value, 0),
  };
}

/** A block pasted from a sheet: rows of numbers, or the first cell that is none. */
export function readBlock(
  text: string,
): { readonly rows: readonly (readonly number[])[] } | { readonly wrong: string } {
  const lines = text.replaceAll("\r", "").replace(/\n+$/, "").split("\n");
  const rows: number[][] = [];
  for (const line of lines) {
    const row: number[] = [];
    for (const cell of line.split("\t")) {
      const number = readNumber(cell);
      if (number === undefined || number < 0) return { wrong: cell.trim() };
      row.push(number);
    }
    rows.push(row);
  }
  return { rows };
}

/** The curves after a block was laid on them from a cell on; what lies beyond the edges is left out. */
export function pasted(
  ids: readonly StatementId[],
  frequencies: StudioDocument["frequencies"],
  at: { readonly row: number; readonly step: TimeStep },
  block: readonly (readonly number[])[],
): Readonly<Record<StatementId, FrequencyCurve>> {
  return Object.fromEntries(
    block.flatMap((values, offset) => {
      const id = ids[at.row + offset];
      const curve = id === undefined ? undefined : frequencies[id];
      if (id === undefined || !curve) return [];
      const next = curve.map((value, step) => values[step - at.step] ?? value);
      return [[id, next] as const];
    }),
  );
}

/** What of a pasted block lies beyond the edges, in words; undefined where all of it has its place. */
export function leftOutWords(
  block: readonly (readonly number[])[],
  at: { readonly row: number; readonly step: TimeStep },
  rows: number,
  steps: number,
): string | undefined {
  const lines = Math.max(0, at.row + block.length - rows);
  const widest = Math.max(0, ...block.map((values) => values.length));
  const columns = Math.max(0, at.step + widest - steps);
  if (lines === 0 && columns === 0) return undefined;
  const parts = [
    ...(lines > 0 ? [plural(lines, "row")] : []),
    ...(columns > 0 ? [plural(columns, "column")] : []),
  ];
  return `Pasted, but ${parts.join(" and ")} beyond the last statement or step ${lines + columns === 1 ? "was" : "were"} left out.`;
}
