/** How even some amounts are: the figures that the lab shows for rows, reads and writes per node. */

export interface Balance {
  readonly total: number;
  readonly mean: number;
  readonly most: number;
  /** Position of the largest amount. */
  readonly busiest: number;
  /** Its share of the total, 0 … 1. */
  readonly busiestShare: number;
  /** max/mean; 1 is even. */
  readonly mostToMean: number;
  /** Standard deviation over mean. */
  readonly variation: number;
  /** Positions whose amount is above `threshold` · mean. */
  readonly hotSpots: readonly number[];
}

/** A node is a hot spot from this multiple of the mean on, unless a person says otherwise. */
export const defaultThreshold = 1.5;

/** The figures of amounts ≥ 0, one per node. */
export function balanceOf(amounts: ArrayLike<number>, threshold: number): Balance {
  const all = Array.from(amounts);
  const total = all.reduce((sum, each) => sum + each, 0);
  const mean = total / Math.max(1, all.length);
  const most = Math.max(0, ...all);
  const squares = all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, all.length);
  const isSome = total > 0;
  return {
    total,
    mean,
    most,
    busiest: Math.max(0, all.indexOf(most)),
    busiestShare: isSome ? most / total : 0,
    mostToMean: isSome ? most / mean : 1,
    variation: isSome ? Math.sqrt(squares) / mean : 0,
    hotSpots: isSome ? all.flatMap((each, node) => (each > threshold * mean ? [node] : [])) : [],
  };
}
