/**
 * The words that page and worker exchange; types only. Everything is plain data and survives
 * structured clone. Nothing is thrown across the boundary: a failure is a `RunOutcome`.
 */

import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type {
  FamilyExplanation,
  PlanExplanation,
  StatementExplanation,
} from "#model/explanation.ts";
import type { Result } from "#model/issue.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Progress, Recommendation, RunMode, RunOutcome } from "#model/recommendation.ts";
import type { RunSize } from "#model/run-size.ts";
import type { Query, StatementId } from "#model/statement.ts";
import type { Recosted } from "#model/what-if.ts";
import type { TimeStep } from "#model/workload.ts";

export interface RunRequest {
  readonly problem: Problem;
  /** Relative gap (0 … 1) at which the search may stop; 1e-4 means proven optimal. */
  readonly gap: number;
  /** Seconds after which the best answer so far is returned; absent for no limit. */
  readonly timeLimitSeconds?: number;
  /** `certified` where absent. */
  readonly mode?: RunMode;
  /** The tables of an earlier answer, step by step: the first answer, and the last one unless a better one is found. */
  readonly start?: readonly (readonly ColumnFamilyKey[])[];
  /** Most bytes that the run may be expected to take; it does not begin where the estimate says more. */
  readonly mostBytes?: number;
}

/** A run that did not begin: by the estimate it would not fit into the memory it may have. */
export interface TooLarge {
  readonly status: "tooLarge";
  readonly size: RunSize;
}

/** How a run ends, or why it did not begin. */
export type RunEnd = RunOutcome | TooLarge;

/** The plan group of a query or support query, as far as it was asked for. */
export interface PlanGroup {
  readonly statement: StatementId;
  /** The query itself: a support query stands in no workload. Absent where there is none of that name. */
  readonly query?: Query;
  /** Number of plans that survived pruning. */
  readonly total: number;
  /** The cheapest of them, cheapest first. */
  readonly plans: readonly QueryPlan[];
  /** The families that these plans use. */
  readonly columnFamilies: readonly ColumnFamily[];
}

/** Measurements to be made into a cost model. */
export interface FitRequest {
  /** The text of a profile: CSV, or cells pasted from a spreadsheet. */
  readonly profile: string;
  readonly name: string;
  /** Gives what no profile measures. */
  readonly base: CostModel;
}

/** What is asked about an answer. */
export interface ExplainRequest {
  readonly problem: Problem;
  readonly answer: Recommendation;
  /** Seconds for each of the searches that an explanation takes; absent: all figures are exact. */
  readonly timeLimitSeconds?: number;
}

/** What arrives while a run is going on; `best` is a full answer that a stopped run can keep. */
export interface RunUpdate {
  readonly progress: Progress;
  readonly best?: Recommendation;
}

export interface EngineApi {
  optimise(request: RunRequest, onUpdate: (update: RunUpdate) => void): Promise<RunEnd>;
  /** Ends the run that is going on at its next search, so that what it has found out is there for the next run. */
  stop(): Promise<void>;
  /** What an earlier answer's tables cost under the problem as it is now: milliseconds of work. */
  recost(answer: Recommendation, problem: Problem): Promise<Recosted>;
  /** Enumerates the plans of a problem, so that they are there when they are asked for. */
  prepare(problem: Problem): Promise<void>;
  /**
   * The `most` cheapest plans of a query or support query (a group may hold thousands, and all of them
   * are copied to the page). Enumerates again where the worker does not remember the problem;
   * deterministic either way.
   */
  planGroup(problem: Problem, statement: StatementId, most: number): Promise<PlanGroup>;
  fitCostModel(request: FitRequest): Promise<Result<CostModel>>;
  /** Why a column family is in the answer: one search. */
  explainFamily(
    request: ExplainRequest,
    columnFamily: ColumnFamilyKey,
    onSearch: (done: number) => void,
  ): Promise<FamilyExplanation>;
  /** Why a query is answered as it is at a step: some ten searches. */
  explainStatement(
    request: ExplainRequest,
    statement: StatementId,
    step: TimeStep,
    onSearch: (done: number) => void,
  ): Promise<StatementExplanation>;
  /** Why a plan of a query's group is not chosen at a step: one search. */
  explainPlan(
    request: ExplainRequest,
    step: TimeStep,
    plan: QueryPlan,
    onSearch: (done: number) => void,
  ): Promise<PlanExplanation>;
}
