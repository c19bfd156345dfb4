/**
 * The workload summary tree (the paper's §4.3.1 and the recursion of its Algorithm 1): which steps each
 * node looks at, and who is whose parent. What a node does with them is `optimise-by-summary-tree.ts`.
 *
 * A node covers the steps from its first to its last and looks at three: the first, the middle and the
 * last. Its children cover the two halves and share the middle step. Halves of two neighbouring steps
 * hold nothing that their parent does not look at, and are no nodes. So every step but the first and the
 * last of all is the middle of exactly one node, whatever the number of steps is; the paper counts steps
 * in powers of two and leaves open how others are rounded: the middle is rounded down.
 */
import type { TimeStep } from "#model/workload.ts";

/** A node before it is solved. */
export interface SummaryInterval {
  /** Position of the parent in the list; undefined for the root. */
  readonly parent: number | undefined;
  readonly first: TimeStep;
  readonly last: TimeStep;
  /** First, middle and last, ascending; fewer where the whole horizon has fewer than three steps. */
  readonly steps: readonly TimeStep[];
}

/** The nodes of a horizon of `steps` ≥ 1 steps, parents before children, left before right. */
export function summaryTree(steps: number): readonly SummaryInterval[] {
  const nodes: SummaryInterval[] = [];
  const grow = (first: TimeStep, last: TimeStep, parent: number | undefined): void => {
    if (last - first < 2) return;
    const middle = Math.floor((first + last) / 2);
    const own = nodes.length;
    nodes.push({ parent, first, last, steps: [first, middle, last] });
    grow(first, middle, own);
    grow(middle, last, own);
  };
  grow(0, steps - 1, undefined);
  if (nodes.length > 0) return nodes;
  // Of one or two steps the paper's recursion returns at once, with nothing chosen: here the root takes them as they are.
  const all = Array.from({ length: steps }, (_, t) => t);
  return [{ parent: undefined, first: 0, last: steps - 1, steps: all }];
}
