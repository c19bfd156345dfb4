/**
 * The validated input of a run: every reference resolves, counts are positive, each curve has one
 * value per time step. `document/to-problem.ts` makes it from what a person drew.
 */
import type { ColumnFamily } from "./column-family.ts";
import type { CostModel } from "./cost-model.ts";
import type { EntityGraph } from "./entity-graph.ts";
import type { Spreads } from "./partition-figures.ts";
import type { PartitionLimits } from "./sharding-setup.ts";
import type { Statement, StatementId } from "./statement.ts";
import type { TimeStep, Workload } from "./workload.ts";

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

/** A column family that has to exist, or must not, during some steps (all where `steps` is absent). */
export interface FamilyRestriction {
  readonly kind: "family";
  readonly demand: "pin" | "ban";
  readonly columnFamily: ColumnFamily;
  readonly steps?: readonly TimeStep[];
}

/**
 * How a query has to be answered, or must not be, during some steps (all where `steps` is absent). A
 * plan is named by the set of tables that it reads. A pinned one reads just these; a ban also strikes
 * plans that read all of these and more, since they do what was forbidden and something on top.
 */
export interface PlanRestriction {
  readonly kind: "plan";
  readonly demand: "pin" | "ban";
  readonly statement: StatementId;
  readonly columnFamilies: readonly ColumnFamily[];
  readonly steps?: readonly TimeStep[];
}

/** A pin or a ban (engine.md §8). */
export type Restriction = FamilyRestriction | PlanRestriction;

/** Column families that a person wrote, to be compared with the optimum. */
export interface HandMadeSchema {
  readonly name: string;
  /** One schema for all steps, or one for each. */
  readonly schemas: readonly (readonly ColumnFamily[])[];
}

/** Limits on partitions, with what is known of how values are spread. */
export interface PartitionRules extends Omit<PartitionLimits, "perFurtherPartition"> {
  readonly spreads: Spreads;
}

export interface Problem {
  readonly name: string;
  readonly entityGraph: EntityGraph;
  readonly statements: readonly Statement[];
  readonly workload: Workload;
  readonly storage: StorageLimit;
  readonly costModel: CostModel;
  readonly options: ProblemOptions;
  readonly restrictions?: readonly Restriction[];
  /** Tables with larger or hotter partitions are no candidates, unless they are pinned. */
  readonly partitionRules?: PartitionRules;
  /**
   * Tables that exist before step 1: what else step 1 needs is built from these. A horizon that repeats
   * begins with its own last schema instead.
   */
  readonly startSchema?: readonly ColumnFamily[];
  readonly handMade?: HandMadeSchema;
}
