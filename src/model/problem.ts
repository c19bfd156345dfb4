/**
 * The validated input of a run: every reference resolves, counts are positive, each curve has one
 * value per time step. `document/to-problem.ts` makes it from what a person drew.
 */
import type { CostModel } from "./cost-model.ts";
import type { EntityGraph } from "./entity-graph.ts";
import type { Statement } from "./statement.ts";
import type { Workload } from "./workload.ts";

/** Upper limit on the total size of the column families that exist at one step. */
export type StorageLimit =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: number }
  /** Per cent of the size of the schema that static optimisation under average frequencies picks without a limit. */
  | { readonly kind: "percentOfStaticAverage"; readonly percent: number };

export interface ProblemOptions {
  /** Most Gets in a query plan; the third is a key lookup of one entity (§5). */
  readonly maxGets: number;
  /** Count the cost of loading the first schema. */
  readonly initialLoad: boolean;
  /** The horizon repeats: the last schema migrates to the first. */
  readonly cyclic: boolean;
  /** A column family under construction counts in the storage of the step that builds it. */
  readonly buildingCountsAsStorage: boolean;
  /** Multiplies every column family's size (compression below 1, overhead above). */
  readonly sizeFactor: number;
}

export const defaultOptions: ProblemOptions = {
  maxGets: 3,
  initialLoad: false,
  cyclic: false,
  buildingCountsAsStorage: false,
  sizeFactor: 1,
};

export interface Problem {
  readonly name: string;
  readonly entityGraph: EntityGraph;
  readonly statements: readonly Statement[];
  readonly workload: Workload;
  readonly storage: StorageLimit;
  readonly costModel: CostModel;
  readonly options: ProblemOptions;
}
