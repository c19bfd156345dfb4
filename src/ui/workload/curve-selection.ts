/** What is chosen of the curves: statements that are changed together, and a range of their steps. */
import type { CurveSelection } from "#document/curve-commands.ts";
import { type StepRange, wholeRange } from "#model/frequency-curve.ts";
import type { StatementId } from "#model/statement.ts";
import { plural } from "../design/format.ts";
import type { StatementRow } from "./curve-rows.ts";
import type { CellPlace } from "./grid-window.ts";

export interface Chosen {
  /** Statements marked beside the selected one; none: the selected one alone. */
  readonly marked: ReadonlySet<StatementId>;
  /** Undefined for all steps. */
  readonly range: StepRange | undefined;
}

export const nothingChosen: Chosen = { marked: new Set(), range: undefined };

/** What a change is made to: the marked statements or the selected one, in the order they are displayed. */
export function selectionOf(
  { marked, range }: Chosen,
  rows: readonly StatementRow[],
  selected: StatementId | undefined,
  steps: number,
): CurveSelection {
  const own = rows.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  const statements = own.length > 0 || selected === undefined ? own : [selected];
  const last = Math.min(range?.last ?? steps - 1, steps - 1);
  return {
    statements,
    range: range ? { first: Math.min(range.first, last), last } : wholeRange(steps),
  };
}

/** The statements and steps of a block of the grid between two of its corners. */
export function blockBetween(
  rows: readonly StatementRow[],
  corner: CellPlace,
  opposite: CellPlace,
): Chosen {
  const [top, bottom] = [corner.row, opposite.row].sort((a, b) => a - b) as [number, number];
  const [first, last] = [corner.step, opposite.step].sort((a, b) => a - b) as [number, number];
  const marked = new Set(rows.slice(top, bottom + 1).map(({ id }) => id));
  return { marked, range: { first, last } };
}

/** Marks or unmarks statements. */
export function withMarks(
  marked: ReadonlySet<StatementId>,
  ids: readonly StatementId[],
  isMarked: boolean,
): ReadonlySet<StatementId> {
  const next = new Set(marked);
  for (const id of ids) {
    if (isMarked) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** `Q1 at all 8 steps`, `3 statements at steps 2 to 5`. */
export function selectionWords(
  { statements, range }: CurveSelection,
  rows: readonly StatementRow[],
  steps: number,
): string {
  const [only] = statements;
  const who =
    statements.length === 1
      ? (rows.find(({ id }) => id === only)?.label ?? only ?? "")
      : plural(statements.length, "statement");
  return `${who} at ${rangeWords(range, steps)}`;
}

function rangeWords({ first, last }: StepRange, steps: number): string {
  if (first === 0 && last === steps - 1)
    return steps === 1 ? "the only step" : `all ${steps} steps`;
  return first === last ? `step ${first + 1}` : `steps ${first + 1} to ${last + 1}`;
}

/** A block of curves as a spreadsheet takes it: rows of numbers with tabs between them. */
export function blockText(
  { statements, range }: CurveSelection,
  frequencies: Readonly<Record<StatementId, readonly number[]>>,
): string {
  return statements
    .map((id) => (frequencies[id] ?? []).slice(range.first, range.last + 1).join("\t"))
    .join("\n");
}
