/**
 * Pins and bans (engine.md §8) as the program sees them: per step the families that have to exist or
 * must not, and the plans that a query may have, by position.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { PlanRestriction, Problem, Restriction } from "#model/problem.ts";
import { asCandidate } from "./by-hand.ts";
import type { QueryPlanSpace } from "./enumerate-query-plans.ts";
import { familiesBeyondRules } from "./partition-rules.ts";
import type { PlanPath } from "./plan-graph.ts";
import type { PlanSpace } from "./plan-space.ts";

/** What one step's schema and plans have to respect. */
export interface StepRules {
  readonly pinned: ReadonlySet<number>;
  readonly banned: ReadonlySet<number>;
  /** What the plans of a flow (position) have to respect; absent for nothing. */
  readonly plans: ReadonlyMap<number, readonly PlanRule[]>;
}

/** A plan has to read just these families (positions), or must not read all of them. */
export interface PlanRule {
  readonly demand: PlanRestriction["demand"];
  readonly families: readonly number[];
}

/** The rules of every step; undefined where there are none at all. */
export function rulesOf(problem: Problem, space: PlanSpace): readonly StepRules[] | undefined {
  const { entityGraph, options, workload, restrictions = [] } = problem;
  const oversized = familiesBeyondRules(problem, space.families);
  if (restrictions.length === 0 && oversized.length === 0) return undefined;
  const position = new Map(space.families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  const at = (family: ColumnFamily): number =>
    position.get(asCandidate(entityGraph, family, options.sizeFactor).key) ?? missing;
  const placed = restrictions.map((each) => ({
    restriction: each,
    families: (each.kind === "family" ? [each.columnFamily] : each.columnFamilies).map(at),
  }));
  return Array.from({ length: workload.timeline.steps }, (_, t) => {
    const now = placed.filter(({ restriction }) => holdsAt(restriction, t));
    const demanded = (demand: Restriction["demand"]): Set<number> =>
      new Set(
        now
          .filter(
            ({ restriction }) => restriction.kind === "family" && restriction.demand === demand,
          )
          .flatMap(({ families }) => families)
          // A ban of what is no candidate changes nothing; a pin of it cannot be met and stays.
          .filter((family) => demand === "pin" || family !== missing),
      );
    const plans = new Map<number, readonly PlanRule[]>();
    for (const { restriction, families } of now) {
      if (restriction.kind !== "plan") continue;
      const flow = space.queries.findIndex(({ query }) => query.query.id === restriction.statement);
      if (flow < 0) continue;
      const rule = { demand: restriction.demand, families: [...new Set(families)] };
      plans.set(flow, [...(plans.get(flow) ?? []), rule]);
    }
    const pinned = demanded("pin");
    // Tables named for other reasons (a start schema, a schema by hand) are candidates, and no more than that.
    const inPinnedPlans = [...plans.values()].flatMap((each) =>
      each.flatMap(({ demand, families }) => (demand === "pin" ? families : [])),
    );
    const kept = new Set([...pinned, ...inPinnedPlans]);
    const beyond = oversized.filter((family) => !kept.has(family));
    return { pinned, banned: new Set([...demanded("ban"), ...beyond]), plans };
  });
}

/** Position of a family that is no candidate: no schema holds it. */
const missing = -1;

export function holdsAt({ steps }: Restriction, t: number): boolean {
  return steps === undefined || steps.includes(t);
}

/** What a schema that is kept for all steps has to respect: every pin and ban of any step. */
export function rulesOfAllSteps(rules: readonly StepRules[] | undefined): StepRules | undefined {
  if (!rules) return undefined;
  const plans = new Map<number, readonly PlanRule[]>();
  for (const step of rules)
    for (const [flow, some] of step.plans) plans.set(flow, [...(plans.get(flow) ?? []), ...some]);
  return {
    pinned: new Set(rules.flatMap(({ pinned }) => [...pinned])),
    banned: new Set(rules.flatMap(({ banned }) => [...banned])),
    plans,
  };
}

/** True when a schema holds what is pinned and nothing that is banned. */
export function respects(schema: ReadonlySet<number>, rules: StepRules | undefined): boolean {
  if (!rules) return true;
  return (
    [...rules.pinned].every((family) => schema.has(family)) &&
    ![...rules.banned].some((family) => schema.has(family))
  );
}

/**
 * True when a flow may have a plan. The families of its rules stand in classes of their own
 * (`PlanLimits.apart`), so that a path reads one of them or does not, whatever is chosen.
 */
export function isAllowed(
  rules: StepRules | undefined,
  flow: number,
  space: QueryPlanSpace,
  path: PlanPath,
): boolean {
  const own = rules?.plans.get(flow);
  if (!own) return true;
  const slots = space.slotsOf(path);
  const reads = new Set(slots.flatMap((slot) => (slot.length === 1 ? slot : [])));
  return own.every(({ demand, families }) => {
    const readsAll = families.every((family) => reads.has(family));
    if (demand === "ban") return !readsAll;
    return (
      readsAll && slots.every((slot) => slot.length === 1 && families.includes(slot[0] as number))
    );
  });
}

/** Bans of families that are no candidates, and so change nothing. */
export function idleBans(
  { entityGraph, options, restrictions = [] }: Problem,
  space: PlanSpace,
): ColumnFamilyKey[] {
  const known = new Set(space.families.map(({ columnFamily }) => columnFamily.key));
  return restrictions
    .filter(({ demand }) => demand === "ban")
    .flatMap((each) => (each.kind === "family" ? [each.columnFamily] : each.columnFamilies))
    .map((family) => asCandidate(entityGraph, family, options.sizeFactor).key)
    .filter((key) => !known.has(key));
}
