/** Look-up tables over a recommendation, and the short tags under which its tables are shown. */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { MigrationPlan, QueryPlan } from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import type { Statement, StatementId } from "#model/statement.ts";

export interface AnswerIndex {
  readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  readonly plans: ReadonlyMap<string, QueryPlan>;
  readonly migrationPlans: ReadonlyMap<string, MigrationPlan>;
  readonly statements: ReadonlyMap<StatementId, Statement>;
  /** Labels; with the group where two statements share one. */
  readonly names: ReadonlyMap<StatementId, string>;
  /** `CF 1`, `CF 2` …, in order of first appearance; families of baselines alone follow. */
  readonly tags: ReadonlyMap<ColumnFamilyKey, string>;
}

export function answerIndex(
  recommendation: Recommendation,
  statements: readonly Statement[],
): AnswerIndex {
  const families = new Map(recommendation.columnFamilies.map((family) => [family.key, family]));
  return {
    families,
    plans: new Map(recommendation.plans.map((plan) => [plan.key, plan])),
    migrationPlans: new Map(recommendation.migrationPlans.map((plan) => [plan.key, plan])),
    statements: new Map(statements.map((statement) => [statement.id, statement])),
    names: statementNames(statements),
    tags: new Map(
      [...new Set([...familiesInOrder(recommendation), ...families.keys()])].map((key, index) => [
        key,
        `CF\u00a0${index + 1}`,
      ]),
    ),
  };
}

function statementNames(statements: readonly Statement[]): ReadonlyMap<StatementId, string> {
  const uses = new Map<string, number>();
  for (const { label } of statements) uses.set(label, (uses.get(label) ?? 0) + 1);
  return new Map(
    statements.map(({ id, label, group }) => [
      id,
      (uses.get(label) ?? 0) > 1 && group !== "" ? `${label} (${group})` : label,
    ]),
  );
}

/** Families that exist at some step, in order of first appearance. */
export function familiesInOrder(recommendation: Recommendation): readonly ColumnFamilyKey[] {
  return [...new Set(recommendation.steps.flatMap((step) => step.schema))];
}
