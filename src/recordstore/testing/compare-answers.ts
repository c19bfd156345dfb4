/**
 * Whether a plan's answer is what the statement means, given the relational engine's answer without
 * LIMIT: equal as multisets; under ORDER BY the keys come in the same sequence (rows with equal keys
 * may stand in any order); under LIMIT as many rows as there may be, all from the answer, and under
 * ORDER BY those with the first keys.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { Query } from "#model/statement.ts";
import { valuesText } from "../records.ts";
import type { QueryRun } from "../run-query-plan.ts";
import type { Cell } from "../table.ts";
import type { RelationalAnswer } from "./relational-oracle.ts";

/** The right answer, made ready to be compared with many. */
export class AnswerCheck {
  private readonly query: Query;
  private readonly expected: RelationalAnswer;
  private readonly lines: ReadonlyMap<string, number>;
  private readonly keys: readonly string[];

  constructor(query: Query, expected: RelationalAnswer) {
    this.query = query;
    this.expected = expected;
    const lines = new Map<string, number>();
    for (const text of linesOf(expected)) lines.set(text, (lines.get(text) ?? 0) + 1);
    this.lines = lines;
    this.keys = expected.orderKeys.map(lineOf);
  }

  /** What differs, in words; undefined when the answer is right. */
  difference(found: Pick<QueryRun, "rows" | "orderKeys">): string | undefined {
    const size = Math.min(this.query.limit ?? Number.POSITIVE_INFINITY, this.expected.rows.length);
    if (found.rows.length !== size) return `${found.rows.length} rows instead of ${size}`;
    const open = new Map(this.lines);
    for (const text of linesOf(found)) {
      const left = open.get(text) ?? 0;
      if (left === 0) return `a row too many: ${text}`;
      open.set(text, left - 1);
    }
    if (this.query.orderBy.length === 0) return undefined;
    const misplaced = found.orderKeys.findIndex((key, index) => lineOf(key) !== this.keys[index]);
    return misplaced < 0 ? undefined : `row ${misplaced} is not in its place`;
  }
}

function linesOf({ rows, orderKeys }: Pick<QueryRun, "rows" | "orderKeys">): string[] {
  return rows.map((row, index) => lineOf([...row, ...(orderKeys[index] ?? [])]));
}

/** Booleans are numbers in the relational engine; sums and averages agree to 10 digits. */
function lineOf(cells: readonly Cell[]): string {
  return valuesText(
    cells.map((cell) => {
      if (typeof cell === "string" || cell === null) return cell;
      return Number(Number(cell).toPrecision(10));
    }),
  );
}
