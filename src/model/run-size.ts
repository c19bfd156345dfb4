/** How large a run will be, told before it begins. */

export interface RunSize {
  /** Column families to choose from, about. */
  readonly families: number;
  /** Ways to make a Get in some plan, about. */
  readonly gets: number;
  /** Steps that differ in their frequencies from every step before. */
  readonly distinctSteps: number;
  /** Bytes that the run takes at its peak, the page's and the solver's own included, about. */
  readonly bytes: number;
  /** The same for the pruned search (`prunedSearch`). */
  readonly prunedBytes: number;
}

/** What a page can count on: a browser gives a tab some 4 GB, of which half may be taken by what was there before. */
export const pageBytes = 2e9;

/**
 * The search for what would not fit otherwise: by the summary tree, and plans of at most two Gets. It looks at
 * less than the certified search, so its answer may cost more, and the bound is that of what it looks at.
 */
export const prunedSearch = { mode: "summary-tree", maxGets: 2 } as const;
