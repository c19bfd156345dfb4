/**
 * The answer of a run: which column families exist at every step, how every query is answered, how
 * data migrates, what it costs and how good the answer is proven to be (engine.md §9).
 */
import type { ColumnFamily, ColumnFamilyKey } from "./column-family.ts";
import type { PartitionFigures } from "./partition-figures.ts";
import type { MigrationPlan, QueryPlan } from "./plan.ts";
import type { Cluster } from "./sharding-setup.ts";
import type { StatementId } from "./statement.ts";
import type { TimeStep } from "./workload.ts";

export type RunStatus = "optimal" | "feasible" | "infeasible" | "timedOut";

/** How a run searches: with a bound over all candidates, or among the tables that the paper's summary tree leaves. */
export type RunMode = "certified" | "summary-tree";

/** Milliseconds over the whole step (or run), by kind; the objective is their sum. */
export interface CostBreakdown {
  readonly query: number;
  readonly update: number;
  readonly support: number;
  readonly extract: number;
  readonly load: number;
  readonly maintenance: number;
}

/** How one query is answered during one step. */
export interface ChosenPlan {
  readonly statement: StatementId;
  /** Key into `Recommendation.plans`. */
  readonly plan: string;
  /** Executions during the step. */
  readonly executions: number;
  /** Milliseconds during the step: plan cost × executions. */
  readonly cost: number;
}

/** What one update does to one column family during one step. */
export interface ChosenUpdate {
  readonly statement: StatementId;
  readonly columnFamily: ColumnFamilyKey;
  /** Executions during the step. */
  readonly executions: number;
  /** Rows put and deleted per execution. */
  readonly puts: number;
  readonly deletes: number;
  /** Milliseconds of puts and deletes during the step. */
  readonly cost: number;
  /** Reads that find keys and values: plan (key into `Recommendation.plans`), executions and milliseconds during the step. */
  readonly support: readonly {
    readonly plan: string;
    readonly executions: number;
    readonly cost: number;
  }[];
}

export interface StepAnswer {
  readonly step: TimeStep;
  readonly schema: readonly ColumnFamilyKey[];
  readonly storageBytes: number;
  readonly plans: readonly ChosenPlan[];
  readonly updates: readonly ChosenUpdate[];
  /** Execution, and the migrations that run during the step: what they build exists from the next one on. */
  readonly cost: CostBreakdown;
}

export interface Build {
  readonly columnFamily: ColumnFamilyKey;
  /** Key into `Recommendation.migrationPlans`; absent when the first schema is loaded from outside. */
  readonly plan?: string;
  readonly extract: number;
  readonly load: number;
  readonly maintenance: number;
}

/** What happens between two steps; `from` is −1 for the initial load. */
export interface Migration {
  readonly from: TimeStep;
  readonly to: TimeStep;
  readonly builds: readonly Build[];
  readonly drops: readonly ColumnFamilyKey[];
}

/** One fixed schema for all steps, or the unreachable ideal, costed on the same candidates. */
export interface Baseline {
  readonly kind: "static average" | "static first step" | "static last step" | "ideal";
  /** Milliseconds over the run. */
  readonly cost: number;
  /** Milliseconds per step. */
  readonly perStep: readonly number[];
  /** For the static ones. */
  readonly schema?: readonly ColumnFamilyKey[];
  readonly storageBytes?: number;
  /** False when a limit stopped the computation; then `cost` is the best found (ideal: still a lower bound). */
  readonly exact: boolean;
}

/**
 * A schema that a person wrote, costed under the same model and with the same plans as the answer, but
 * without regard to the storage limit, pins and bans.
 */
export interface HandMadeAnswer {
  readonly name: string;
  /** One per step. */
  readonly schemas: readonly (readonly ColumnFamilyKey[])[];
  /** The most bytes at any step. */
  readonly storageBytes: number;
  /** Milliseconds over the run; absent where something below stands in the way. */
  readonly cost?: number;
  /** Its steps and migrations like those of the answer, plans being found in the same lists; absent with `cost`. */
  readonly steps?: readonly StepAnswer[];
  readonly migrations?: readonly Migration[];
  /** Statements that the schema cannot serve (a query without a plan, an update without a support query's), and when. */
  readonly unanswered: readonly {
    readonly statement: StatementId;
    readonly steps: readonly TimeStep[];
  }[];
  /** Column families that appear at a step with nothing in the schema before to fill them from. */
  readonly unfilled: readonly { readonly columnFamily: ColumnFamilyKey; readonly step: TimeStep }[];
}

/**
 * A node of the paper's workload summary tree: an interval of steps, summarised by its first, middle and
 * last one, and what the program of these alone chose. Its seconds stand in `Recommendation.seconds`.
 */
export interface SummaryNode {
  /** Position of the parent in the list of nodes; absent for the root. */
  readonly parent?: number;
  readonly first: TimeStep;
  readonly last: TimeStep;
  /** The steps whose frequencies the node's program has: first, middle, last, ascending; fewer of a horizon of one or two. */
  readonly steps: readonly TimeStep[];
  /** Seconds that each of them stands for: an equal share of the interval. */
  readonly stepSeconds: number;
  /** Those of `steps` whose schemas were taken over from the parent. */
  readonly inherited: readonly TimeStep[];
  /** One per step of `steps`; empty where the program of these steps has no answer. */
  readonly schemas: readonly (readonly ColumnFamilyKey[])[];
  /** Milliseconds: what the node's program comes to; absent without an answer. */
  readonly objective?: number;
  /** Whether its answer is proven to be within the run's gap of the node's best. */
  readonly proven: boolean;
}

/** The tree of a run of the mode `summary-tree`. */
export interface SummaryTree {
  /** The root first, every parent before its children, left before right. */
  readonly nodes: readonly SummaryNode[];
  /** Column families chosen at any node: the only ones that the answer was allowed (15). */
  readonly candidates: readonly ColumnFamilyKey[];
}

/** How evenly a column family spreads over a cluster, by formula: its partitions, and the requests of each step. */
export interface FamilyBalance extends PartitionFigures {
  /** Standard deviation of the rows per node over their mean. */
  readonly rowVariation: number;
  readonly steps: readonly StepBalance[];
  /** What is hot or oversized, in sentences. */
  readonly cautions: readonly string[];
}

export interface StepBalance {
  /** Gets, puts and deletes per second. */
  readonly requestsPerSecond: number;
  /** Share of them on the partition that gets most, 0 … 1. */
  readonly hottestShare: number;
  /** Load of that partition's node over the mean of all nodes. */
  readonly hottestNode: number;
  /** Partitions that a read asks one by one, on average. */
  readonly partitionsPerRead: number;
}

/** The balance of every column family of an answer on a cluster of this size. */
export interface AnswerBalance {
  readonly cluster: Cluster;
  readonly families: Readonly<Record<ColumnFamilyKey, FamilyBalance>>;
}

/** What limits on partitions took away, and what that cost. */
export interface PartitionExclusions {
  /** Candidates that were excluded, by key; of very many the first. */
  readonly excluded: readonly { readonly columnFamily: ColumnFamilyKey; readonly reason: string }[];
  readonly count: number;
  /** The answer without the limits: milliseconds, and a cost below which none can lie. Absent where time was up. */
  readonly without?: { readonly objective: number; readonly bound: number };
}

export interface RunCounts {
  readonly statements: number;
  readonly steps: number;
  readonly proposed: number;
  readonly candidates: number;
  /** Candidates dropped, by the rule that dropped them. */
  readonly pruned: Readonly<Record<string, number>>;
  readonly queryPlans: number;
  /** Query plans dropped, by the rule that dropped them. */
  readonly prunedPlans: Readonly<Record<string, number>>;
  readonly migrationPlans?: number;
  /** Column families for which no migration plan is known: they can only exist from the first step on. */
  readonly unfillable?: number;
  readonly columns: number;
  readonly rows: number;
  readonly nonZeros: number;
  readonly nodes: number;
}

export interface Recommendation {
  readonly status: "optimal" | "feasible";
  /** Milliseconds: Σ workload + Σ migration. */
  readonly objective: number;
  /** Milliseconds: no answer over the same candidates and plans costs less. */
  readonly bound: number;
  /** (objective − bound) / objective, 0 … 1. */
  readonly gap: number;
  /** Seconds per stage, and `total`. Never part of a comparison of results. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly counts: RunCounts;
  /** Bytes that may exist at one step; absent without a limit. */
  readonly storageLimit?: number;
  readonly steps: readonly StepAnswer[];
  readonly migrations: readonly Migration[];
  readonly totals: CostBreakdown;
  readonly baselines: readonly Baseline[];
  /** The schema that the problem's person wrote, where there is one. */
  readonly handMade?: HandMadeAnswer;
  /** How the answer was found, where that was the summary tree. The bound does not come from it. */
  readonly summaryTree?: SummaryTree;
  /** Column families of any step, baseline or node of the summary tree, and of the start schema. */
  readonly columnFamilies: readonly ColumnFamily[];
  /** Every plan named above. */
  readonly plans: readonly QueryPlan[];
  readonly migrationPlans: readonly MigrationPlan[];
  /** What a reader must know: limits of the enumeration, time limits hit, warnings. */
  readonly notes: readonly string[];
  /** Candidates that the limits on partitions excluded. */
  readonly exclusions?: PartitionExclusions;
  /** How evenly the tables spread over the cluster that the design names. */
  readonly balance?: AnswerBalance;
}

/** No answer: why, in words, and the way out. */
export interface Infeasible {
  readonly status: "infeasible";
  readonly reasons: readonly string[];
  /** The smallest storage in bytes under which every query can be answered. */
  readonly smallestStorage?: number;
  readonly seconds: Readonly<Record<string, number>>;
}

export interface TimedOut {
  readonly status: "timedOut";
  readonly reasons: readonly string[];
  readonly bound?: number;
  readonly seconds: Readonly<Record<string, number>>;
}

export interface Failed {
  readonly status: "failed";
  /** The stage that failed, and what happened, in words. */
  readonly stage: string;
  readonly reasons: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
}

export type RunOutcome = Recommendation | Infeasible | TimedOut | Failed;

/** How far a run is. */
export interface Progress {
  readonly stage:
    | "enumerate"
    | "plan"
    | "cost"
    | "baselines"
    | "tree"
    | "formulate"
    | "solve"
    | "settle ties"
    | "check";
  readonly message: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly incumbent?: number;
  readonly bound?: number;
  readonly gap?: number;
}

/** An engine fault found by the recount: never a person's mistake. */
export interface Violation {
  readonly kind:
    | "cost"
    | "schema"
    | "plan"
    | "storage"
    | "migration"
    | "restriction"
    | "bound"
    | "form";
  readonly message: string;
}
