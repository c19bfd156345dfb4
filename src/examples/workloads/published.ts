/** Published figures that our own are put beside: of the paper's experiments, and of a prototype. */
import figures from "./published.json" with { type: "json" };

export interface PublishedRun {
  /** The workload of ours that is comparable input. */
  readonly workload: string;
  readonly what: string;
  readonly seconds: number;
  /** Where the figure is of some stages only. */
  readonly stages?: readonly string[];
}

export interface PublishedPattern {
  readonly workload: string;
  readonly pattern: string;
  /** Measured latency below that of the three static schemas, and above that of the ideal. */
  readonly belowStatics: string;
  readonly aboveIdeal: string;
  /** Steps counted from 0, as in the paper. */
  readonly planChangesAt?: string;
  readonly queries?: string;
}

export interface PublishedFigures {
  readonly prototype: { readonly source: string; readonly runs: readonly PublishedRun[] };
  readonly paper: {
    readonly source: string;
    readonly patterns: readonly PublishedPattern[];
    readonly optimisationTime: string;
  };
}

export const published: PublishedFigures = figures;
