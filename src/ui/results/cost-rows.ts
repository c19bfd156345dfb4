/**
 * Cost and storage over time, as plain rows for charts and tables. Promises that the kinds of a row
 * add up to its total, and the rows to the run's total.
 */
import type { CostBreakdown, Recommendation } from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import { type BaselineLook, baselineLooks, costKinds, costTotal } from "../design/cost-kinds.ts";
import { stepLabel } from "../design/steps.ts";

export interface CostRow extends CostBreakdown {
  readonly step: TimeStep;
  readonly label: string;
  readonly total: number;
  readonly storageBytes: number;
}

/**
 * One row per step. Migration costs stand at the step during which the new tables are built, the one
 * before they appear; an initial load stands at the first step.
 */
export function costRows(
  recommendation: Recommendation,
  labels: readonly string[] | undefined,
): readonly CostRow[] {
  const rows = recommendation.steps.map((answer) => ({
    step: answer.step,
    label: stepLabel(answer.step, labels),
    storageBytes: answer.storageBytes,
    ...answer.cost,
    extract: 0,
    load: 0,
    maintenance: 0,
    total: 0,
  }));
  for (const migration of recommendation.migrations) {
    const row = rows[Math.max(0, migration.from)];
    if (!row) continue;
    for (const build of migration.builds) {
      row.extract += build.extract;
      row.load += build.load;
      row.maintenance += build.maintenance;
    }
  }
  for (const row of rows) row.total = costTotal(row);
  return rows;
}

export interface CostShare {
  readonly kind: keyof CostBreakdown;
  readonly word: string;
  readonly cost: number;
  /** Share of the total, 0 … 1. */
  readonly share: number;
}

/** The total by kind, in stacking order. */
export function costShares(recommendation: Recommendation): readonly CostShare[] {
  const total = costTotal(recommendation.totals);
  return costKinds.map(({ kind, word }) => ({
    kind,
    word,
    cost: recommendation.totals[kind],
    share: total === 0 ? 0 : recommendation.totals[kind] / total,
  }));
}

export interface BaselineRow {
  readonly look: BaselineLook;
  readonly cost: number;
  readonly perStep: readonly number[];
  readonly exact: boolean;
  readonly storageBytes?: number;
}

/** The baselines that the run computed, in their fixed order. */
export function baselineRows(recommendation: Recommendation): readonly BaselineRow[] {
  return baselineLooks.flatMap((look) =>
    recommendation.baselines
      .filter((baseline) => baseline.kind === look.kind)
      .map(({ cost, perStep, exact, storageBytes }) => ({
        look,
        cost,
        perStep,
        exact,
        ...(storageBytes !== undefined && { storageBytes }),
      })),
  );
}

/** The largest value the cost axis has to hold. */
export function highestCost(rows: readonly CostRow[], baselines: readonly BaselineRow[]): number {
  return Math.max(
    0,
    ...rows.map((row) => row.total),
    ...baselines.flatMap((baseline) => baseline.perStep),
  );
}

export interface Headline {
  readonly objective: number;
  readonly staticAverage?: { readonly cost: number; readonly exact: boolean };
  readonly peakStorage: number;
  readonly storageLimit?: number;
  readonly families: number;
  readonly builds: number;
  readonly migrations: number;
}

/** What a person wants to know first. */
export function headline(recommendation: Recommendation): Headline {
  const average = recommendation.baselines.find((each) => each.kind === "static average");
  const changes = recommendation.migrations.filter(
    (each) => each.from >= 0 && each.builds.length + each.drops.length > 0,
  );
  return {
    objective: recommendation.objective,
    ...(average && { staticAverage: { cost: average.cost, exact: average.exact } }),
    peakStorage: Math.max(0, ...recommendation.steps.map((step) => step.storageBytes)),
    ...(recommendation.storageLimit !== undefined && {
      storageLimit: recommendation.storageLimit,
    }),
    families: new Set(recommendation.steps.flatMap((step) => step.schema)).size,
    builds: changes.reduce((sum, each) => sum + each.builds.length, 0),
    migrations: changes.length,
  };
}
