/** Pins and bans (engine.md §8) that an answer does not respect, in words: asked of the answer alone. */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { PlanRestriction, Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { asCandidate } from "./by-hand.ts";
import { restrictionText } from "./conflicts.ts";

export function brokenRestrictions(
  { steps, plans }: Pick<Recommendation, "steps" | "plans">,
  problem: Problem,
): string[] {
  const { restrictions = [], entityGraph, options } = problem;
  if (restrictions.length === 0) return [];
  const keyOf = (family: ColumnFamily): ColumnFamilyKey =>
    asCandidate(entityGraph, family, options.sizeFactor).key;
  const tables = new Map(plans.map(({ key, columnFamilies }) => [key, new Set(columnFamilies)]));
  return restrictions.flatMap((restriction) =>
    steps.flatMap(({ step, schema, plans: chosen }) => {
      if (restriction.steps && !restriction.steps.includes(step)) return [];
      const isKept =
        restriction.kind === "family"
          ? schema.includes(keyOf(restriction.columnFamily)) === (restriction.demand === "pin")
          : respectsPlan(
              restriction.demand,
              new Set(restriction.columnFamilies.map(keyOf)),
              tables.get(
                chosen.find((each) => each.statement === restriction.statement)?.plan ?? "",
              ),
            );
      return isKept
        ? []
        : [`The answer breaks ${restrictionText(problem, restriction)} during step ${step + 1}.`];
    }),
  );
}

/** A pinned plan reads just the named tables; a banned one must not read all of them. */
export function respectsPlan(
  demand: PlanRestriction["demand"],
  named: ReadonlySet<ColumnFamilyKey>,
  used: ReadonlySet<ColumnFamilyKey> = new Set(),
): boolean {
  const readsAll = [...named].every((key) => used.has(key));
  return demand === "pin" ? readsAll && used.size === named.size : !readsAll;
}
