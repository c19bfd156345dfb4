/** What the page and the sharding lab's worker say to each other. Types only. */
import type { Issue } from "#model/issue.ts";
import type { Cluster, Strategy } from "#model/sharding-setup.ts";
import type { ClusteringAdvice } from "#sharding/clustering-order.ts";
import type { KeyAdvice } from "#sharding/key-adviser.ts";
import type { LabTable } from "#sharding/lab-table.ts";
import type { LabDesign } from "#sharding/lab-tables.ts";
import type { RoutingTable } from "#sharding/router.ts";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { Objection } from "#sharding/when-not-to-shard.ts";

/** Where the records come from. */
export type LabSource =
  /** A table of the design: an entity by its name, or a column family of the answer by its key. */
  | { readonly kind: "design"; readonly design: LabDesign; readonly table: string }
  /** Texts of CSV files. */
  | {
      readonly kind: "own records";
      readonly records: string;
      readonly requests?: string;
      readonly key?: readonly string[];
    };

export interface LabWork {
  readonly source: LabSource;
  readonly cluster: Cluster;
  /** Absent: the five to begin with. */
  readonly strategies?: readonly Strategy[];
  /** Records and requests to draw, at most and about. */
  readonly records: number;
  readonly requests: number;
  readonly seed: number;
}

export interface LabAnswer {
  readonly table: LabTable;
  /** Records of the table that each one drawn stands for. */
  readonly rowsEach: number;
  readonly records: number;
  readonly requests: number;
  readonly cluster: Cluster;
  readonly strategies: readonly Strategy[];
  readonly outcomes: readonly (
    | StrategyOutcome
    | { readonly name: string; readonly issues: readonly Issue[] }
  )[];
  /** For each outcome what a router would read; undefined where there is none. */
  readonly routing: readonly (RoutingTable | undefined)[];
  /** Some keys that exist, to probe with: for each column a few values. */
  readonly samples: readonly Readonly<Record<string, string>>[];
  readonly clustering: ClusteringAdvice;
  readonly objections: readonly Objection[];
  readonly warnings: readonly Issue[];
  readonly seconds: number;
}

export type LabResult =
  | { readonly ok: true; readonly value: LabAnswer }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export type AdviceResult =
  | { readonly ok: true; readonly value: readonly KeyAdvice[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export interface LabApi {
  /** `onProgress` hears the share that is done, 0 … 1. */
  run(work: LabWork, onProgress: (done: number) => void): Promise<LabResult>;
  advise(work: LabWork, onProgress: (done: number) => void): Promise<AdviceResult>;
}
