/** Every plan in full, for tests that look at plans one by one. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import type { ColumnFamily } from "#model/column-family.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Query } from "#model/statement.ts";
import { fullPlan } from "../enumerate-query-plans.ts";
import { enumeratePlanSpace } from "../plan-space.ts";

export interface QueryWithPlans {
  readonly query: Query;
  readonly plans: readonly QueryPlan[];
}

export interface EveryPlan {
  readonly families: ReadonlyMap<string, ColumnFamily>;
  readonly queries: readonly QueryWithPlans[];
}

/** All plans that enumeration finds, or those that dominance leaves; at most `most` per query, spread over all. */
export function everyPlan(
  problem: Problem,
  dominance: boolean,
  most: number = Number.POSITIVE_INFINITY,
): EveryPlan {
  const space = enumeratePlanSpace(problem, () => {}, { dominance });
  return {
    families: new Map(space.families.map(({ columnFamily }) => [columnFamily.key, columnFamily])),
    queries: space.queries.map((each) => {
      const stride = Math.max(1, Math.ceil(each.plans.length / most));
      const brief = each.plans.filter((_, index) => index % stride === 0);
      return {
        query: each.query.query,
        plans: brief.map((plan) => fullPlan(each, plan, problem.costModel)),
      };
    }),
  };
}

/** The plan of a query whose Gets read just these column families, in this order. */
export function planOver(
  problem: Problem,
  statement: string,
  families: readonly string[],
): QueryPlan {
  const plans =
    everyPlan(problem, false).queries.find(({ query }) => query.id === statement)?.plans ?? [];
  const found = plans.find(({ columnFamilies }) => columnFamilies.join("|") === families.join("|"));
  if (!found) {
    const known = plans.map(({ columnFamilies }) => columnFamilies.join("  ⋈  ")).sort();
    throw new Error(`no plan over ${families.join("  ⋈  ")}, but over\n${known.join("\n")}`);
  }
  return found;
}

export function getsOf(plan: QueryPlan): GetStep[] {
  return plan.steps.flatMap((step) => (step.kind === "get" ? [step] : []));
}
