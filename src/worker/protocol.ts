/**
 * The words that page and worker exchange; types only. Everything is plain data and survives
 * structured clone. Nothing is thrown across the boundary: a failure is a `RunOutcome`.
 */

import type { ColumnFamily } from "#model/column-family.ts";
import type { PlanTree, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Progress, Recommendation, RunOutcome } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";

export interface RunRequest {
  readonly problem: Problem;
  /** Relative gap (0 … 1) at which the search may stop; 1e-4 means proven optimal. */
  readonly gap: number;
  /** Seconds after which the best answer so far is returned; absent for no limit. */
  readonly timeLimitSeconds?: number;
}

/** All plans of one query that survived pruning, cheapest first, with the families they use. */
export interface PlanGroup {
  readonly statement: StatementId;
  readonly tree: PlanTree;
  readonly plans: readonly QueryPlan[];
  readonly columnFamilies: readonly ColumnFamily[];
}

/** What arrives while a run is going on; `best` is a full answer that a stopped run can keep. */
export interface RunUpdate {
  readonly progress: Progress;
  readonly best?: Recommendation;
}

export interface EngineApi {
  optimise(request: RunRequest, onUpdate: (update: RunUpdate) => void): Promise<RunOutcome>;
  /** Enumerates again where the worker does not remember the problem; deterministic either way. */
  planGroup(problem: Problem, statement: StatementId): Promise<PlanGroup>;
}
