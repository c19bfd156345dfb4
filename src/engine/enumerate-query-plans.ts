/**
 * All query plans over the candidates (engine.md §4, §5): sequences of legal Gets whose rows are the
 * answer's rows, found by depth-first search, then reduced by **plan dominance**: a plan gives way to
 * one that costs no more and uses a subset of its column families. That is safe for the optimum,
 * since wherever the dominated plan can run, the dominating one can.
 *
 * A plan has at most `maxGets` Gets; the third must be a key lookup of one entity (§5).
 */
import type { CostModel } from "#model/cost-model.ts";
import type { QueryPlan } from "#model/plan.ts";
import { compareText } from "#model/query-graph.ts";
import { classesOf, has } from "./column-classes.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { describePlan, planCost } from "./estimate-costs.ts";
import { isComplete, type LegalGet, legalGet, nothing, type Reached } from "./get-step.ts";
import { type CompiledFamily, type Laid, layAll } from "./lay-column-family.ts";

/** A plan in brief; `gets` index into the space's `laid`. */
export interface BriefPlan {
  readonly gets: readonly number[];
  /** Distinct indices of column families in the candidate list, ascending. */
  readonly families: readonly number[];
  /** Milliseconds per execution. */
  readonly cost: number;
}

/** Plans of one query. */
export interface QueryPlanSpace {
  readonly query: CompiledQuery;
  readonly laid: readonly Laid[];
  /** Survivors, cheapest first, ties by canonical text. */
  readonly plans: readonly BriefPlan[];
  /** Legal plans found, before dominance. */
  readonly found: number;
}

export interface PlanLimits {
  readonly maxGets: number;
  /** Off only to test that dominance is safe. */
  readonly dominance: boolean;
}

/** Families must be in canonical order; their positions are the plans' `families`. */
export function enumerateQueryPlans(
  query: CompiledQuery,
  families: readonly CompiledFamily[],
  model: CostModel,
  limits: PlanLimits,
): QueryPlanSpace {
  const position = new Map(families.map(({ columnFamily }, index) => [columnFamily.key, index]));
  const laid = layAll(families, query.compiled);
  const familyOf = laid.map(({ columnFamily }) => position.get(columnFamily.key) as number);
  const lookups = laid.flatMap((each, index) => (isEntityLookup(query, each) ? [index] : []));
  const everything = laid.map((_, index) => index);
  let found = 0;
  const best = new Map<string, BriefPlan>();

  const extend = (
    reached: Reached,
    gets: readonly number[],
    sequence: readonly LegalGet[],
  ): void => {
    const from = gets.length >= 2 ? lookups : everything;
    for (const index of from) {
      const get = legalGet(query, reached, laid[index] as Laid);
      if (!get) continue;
      const nextGets = [...gets, index];
      const nextSequence = [...sequence, get];
      if (isComplete(query, get.after)) record(nextGets, nextSequence);
      else if (nextGets.length < limits.maxGets) extend(get.after, nextGets, nextSequence);
    }
  };
  const record = (gets: readonly number[], sequence: readonly LegalGet[]): void => {
    found += 1;
    const used = [...new Set(gets.map((index) => familyOf[index] as number))].sort((a, b) => a - b);
    const plan: BriefPlan = { gets, families: used, cost: planCost(query, model, sequence) };
    const key = limits.dominance ? used.join() : gets.join();
    const known = best.get(key);
    if (!known || plan.cost < known.cost) best.set(key, plan);
  };
  extend(nothing, [], []);

  const plans = [...best.values()].filter((plan) => !limits.dominance || !isDominated(plan, best));
  plans.sort(
    (a, b) => a.cost - b.cost || a.gets.length - b.gets.length || compareGets(a.gets, b.gets),
  );
  return { query, laid, plans, found };
}

/** The Gets of a brief plan, checked again. */
export function sequenceOf(space: QueryPlanSpace, plan: BriefPlan): LegalGet[] {
  let reached = nothing;
  return plan.gets.map((index) => {
    const get = legalGet(space.query, reached, space.laid[index] as Laid);
    if (!get) throw new Error("an enumerated plan is legal");
    reached = get.after;
    return get;
  });
}

/** A brief plan in full. */
export function fullPlan(space: QueryPlanSpace, plan: BriefPlan, model: CostModel): QueryPlan {
  return describePlan(space.query, model, sequenceOf(space, plan));
}

/** Some proper subset of the plan's families answers at no higher cost. */
function isDominated(plan: BriefPlan, best: ReadonlyMap<string, BriefPlan>): boolean {
  const { families, cost } = plan;
  for (let subset = 1; subset < 2 ** families.length - 1; subset += 1) {
    const key = families.filter((_, index) => (subset >> index) & 1).join();
    const smaller = best.get(key);
    if (smaller && smaller.cost <= cost) return true;
  }
  return false;
}

/** The partition key is the identifier of the one entity that the family is about. */
function isEntityLookup(query: CompiledQuery, { columnFamily, nodes, partition }: Laid): boolean {
  if (columnFamily.graph.nodes.length !== 1 || nodes === 0) return false;
  const identifier = query.compiled.identifiers[Math.log2(nodes)] ?? 0n;
  return (
    partition.length === classesOf(identifier).length &&
    partition.every((id) => id > 0 && has(identifier, id))
  );
}

function compareGets(a: readonly number[], b: readonly number[]): number {
  return compareText(
    a.map((each) => String(each).padStart(8, "0")).join(),
    b.map((each) => String(each).padStart(8, "0")).join(),
  );
}
