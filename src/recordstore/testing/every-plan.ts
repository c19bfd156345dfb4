/**
 * The plans of a problem's queries as enumeration finds them, none left out by dominance. Where there
 * are too many to run, an even sample: of the candidates, of plans with one or two Gets, of longer ones.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { compileQuery } from "#engine/compile-query.ts";
import { enumerateColumnFamilies } from "#engine/enumerate-column-families.ts";
import { enumerateQueryPlans, fullPlan } from "#engine/enumerate-query-plans.ts";
import { compileFamilies } from "#engine/lay-column-family.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { compareText } from "#model/query-graph.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { randomFamilies } from "./random-families.ts";

export interface PlanLimits {
  /** Proposed families that may be used. */
  readonly families: number;
  /** Families as a person could draw them, beside the proposed ones. */
  readonly drawn: number;
  /** Plans of one or two Gets, per query. */
  readonly shortPlans: number;
  readonly longPlans: number;
  readonly maxGets: number;
}

export interface PlansOfProblem {
  readonly families: ReadonlyMap<string, ColumnFamily>;
  readonly queries: readonly { readonly query: Query; readonly plans: readonly QueryPlan[] }[];
  /** Whether something was left out. */
  readonly sampled: boolean;
}

export function plansOfProblem(
  { entityGraph, statements, costModel, options }: Problem,
  limits: PlanLimits,
  offset: number,
): PlansOfProblem {
  const queries = statements.filter(isQuery).map((query) => compileQuery(entityGraph, query));
  const pool = [...enumerateColumnFamilies(entityGraph, queries, options.sizeFactor).values()];
  const kept = sample(pool, limits.families, offset).map(({ columnFamily }) => columnFamily);
  const drawn = randomFamilies(
    entityGraph,
    queries.map(({ query }) => query),
    limits.drawn,
    offset,
  );
  const byKey = new Map([...kept, ...drawn].map((family) => [family.key, family]));
  const families = compileFamilies(
    entityGraph,
    [...byKey.values()].sort((a, b) => compareText(a.key, b.key)),
  );
  let sampled = kept.length < pool.length;
  const found = queries.map((query) => {
    const space = enumerateQueryPlans(query, families, costModel, {
      maxGets: limits.maxGets,
      dominance: false,
    });
    const short = space.plans.filter(({ gets }) => gets.length <= 2);
    const long = space.plans.filter(({ gets }) => gets.length > 2);
    const run = [
      ...sample(short, limits.shortPlans, offset),
      ...sample(long, limits.longPlans, offset),
    ];
    sampled ||= run.length < space.plans.length;
    return { query: query.query, plans: run.map((plan) => fullPlan(space, plan, costModel)) };
  });
  return {
    families: byKey,
    queries: found,
    sampled,
  };
}

/** At most about `most` of a list, spread over all of it. */
export function sample<T>(list: readonly T[], most: number, offset: number): T[] {
  if (list.length <= most) return [...list];
  const stride = Math.ceil(list.length / most);
  return list.filter((_, index) => (index + offset) % stride === 0);
}
