/**
 * Why an answer is as it is (engine.md §9): who uses a column family and what would come in its place,
 * what the plans that were not chosen would cost, and at which frequency a plan would switch.
 *
 * Every cost is found by solving again under one more condition, everything else equal. Where such a
 * run was stopped before its proof, the figure is an estimate and stands between two bounds.
 */
import type { ColumnFamily, ColumnFamilyKey } from "./column-family.ts";
import type { QueryPlan } from "./plan.ts";
import type { CostBreakdown } from "./recommendation.ts";
import type { StatementId } from "./statement.ts";
import type { TimeStep } from "./workload.ts";

/** Proven within the relative gap of 1e-4, or the best found within the time. */
export type Certainty = "exact" | "estimate";

/** Steps during which a column family serves one purpose, and the milliseconds spent on it then. */
export interface FamilyUse {
  /** A query reads it; an update reads it to keep `builds` true; `builds` is filled from it. */
  readonly kind: "query" | "support query" | "migration source";
  /** The query or update; absent for a migration source. */
  readonly statement?: StatementId;
  /** The column family that is kept true or filled; absent for a query. */
  readonly builds?: ColumnFamilyKey;
  /** A migration source is read during the step before the new column family exists. */
  readonly steps: readonly TimeStep[];
  /** Milliseconds of the plans (a join plan counts whole), or of reading it as a source. */
  readonly cost: number;
  /** `cost` as a share (0 … 1) of the whole answer's cost. */
  readonly share: number;
}

/** What the answer would be under one more condition. Costs are milliseconds over the run. */
export type Alternative =
  | {
      readonly status: "found";
      readonly certainty: Certainty;
      /** The cost under the condition; of an estimate, the best found. */
      readonly cost: number;
      /** No answer under the condition costs less. */
      readonly bound: number;
      /** `cost` less the answer's. */
      readonly extra: number;
      /** By kind, under the condition less the answer's; their sum is `extra`. */
      readonly difference: CostBreakdown;
      /** Column families that exist at steps at which the answer does without them. */
      readonly added: readonly FamilyPresence[];
      /** Column families that the answer has at steps at which this does without them. */
      readonly removed: readonly FamilyPresence[];
      /** Queries that are answered otherwise, with their plans (keys into the explanation's `plans`). */
      readonly plans: readonly {
        readonly statement: StatementId;
        readonly plan: string;
        readonly steps: readonly TimeStep[];
      }[];
    }
  /** No answer meets the condition: why, in words. */
  | { readonly status: "impossible"; readonly reasons: readonly string[] }
  /** The time was up before an answer was found. */
  | { readonly status: "unknown"; readonly reasons: readonly string[] };

export interface FamilyPresence {
  readonly columnFamily: ColumnFamilyKey;
  readonly steps: readonly TimeStep[];
}

/** Why a column family is in the answer. */
export interface FamilyExplanation {
  readonly columnFamily: ColumnFamilyKey;
  /** Steps during which it exists. */
  readonly steps: readonly TimeStep[];
  readonly uses: readonly FamilyUse[];
  /** Milliseconds that having it costs: puts and deletes, support queries, and what it takes to build it. */
  readonly upkeep: {
    readonly update: number;
    readonly support: number;
    readonly build: number;
  };
  /** The answer if it were forbidden at all steps. */
  readonly without: Alternative;
  /** Every column family and plan named above. */
  readonly columnFamilies: readonly ColumnFamily[];
  readonly plans: readonly QueryPlan[];
}

/** What speaks against a plan that was not chosen, the weightiest first. */
export type Reason =
  /** Beside the tables that the answer has, the plan's tables exceed the limit by so many bytes. */
  | { readonly kind: "storage"; readonly bytesOver: number }
  /** Each execution takes so many milliseconds more than the chosen plan's; `milliseconds` over the step. */
  | { readonly kind: "execution"; readonly milliseconds: number }
  /** Keeping its tables up to date: puts, deletes and support queries. */
  | { readonly kind: "updates"; readonly milliseconds: number }
  /** Building its tables, or others that it makes necessary. */
  | { readonly kind: "migration"; readonly milliseconds: number }
  /** Other reads (queries at any step) that become dearer. */
  | { readonly kind: "other queries"; readonly milliseconds: number };

/** A plan that the query could have had. */
export interface RejectedPlan {
  /** Key into the explanation's `plans`. */
  readonly plan: string;
  /** Why it is shown; `asked` where a person picked it. */
  readonly interest: "best materialised view" | "best join" | "next" | "asked";
  /** Milliseconds per execution, less those of the chosen plan. */
  readonly perExecution: number;
  /** The answer if the query had to be answered so during the step. */
  readonly instead: Alternative;
  readonly reasons: readonly Reason[];
}

/** A frequency at which another plan answers the query during the step, everything else equal. */
export interface FrequencySwitch {
  /** Executions per second. */
  readonly frequency: number;
  /** The plan beyond it (key into the explanation's `plans`). */
  readonly plan: string;
  readonly certainty: Certainty;
}

/** Why a query is answered as it is during one step. */
export interface StatementExplanation {
  readonly statement: StatementId;
  readonly step: TimeStep;
  /** Executions per second. */
  readonly frequency: number;
  /** The chosen plan (key into `plans`). */
  readonly plan: string;
  readonly rejected: readonly RejectedPlan[];
  /** Absent where the plan stays however seldom the query is asked. */
  readonly switchesBelow?: FrequencySwitch;
  /** Absent where the plan stays however often the query is asked. */
  readonly switchesAbove?: FrequencySwitch;
  /** True when the search for switches was stopped by the time limit: an absent one may exist. */
  readonly switchesUnfinished: boolean;
  readonly columnFamilies: readonly ColumnFamily[];
  readonly plans: readonly QueryPlan[];
}

/** Why one plan does not answer its query during one step. */
export interface PlanExplanation {
  readonly statement: StatementId;
  readonly step: TimeStep;
  /** The chosen plan (key into `plans`). */
  readonly plan: string;
  readonly rejected: RejectedPlan;
  readonly columnFamilies: readonly ColumnFamily[];
  readonly plans: readonly QueryPlan[];
}

/** What one question gets: an explanation, or in words why there is none. */
export type Explained<T> = T | { readonly reason: string };
