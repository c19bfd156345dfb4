/** Filling a family from a given schema (engine.md §7): which sources cost least to read. */
import type { CostModel } from "#model/cost-model.ts";
import { extractCost } from "./cost-model.ts";
import { bytesOf, type PlanSpace } from "./plan-space.ts";

/** The sources in the schema before that cost least; the first pattern wins a tie. Undefined where nothing can fill the family. */
export function cheapestSources(
  space: PlanSpace,
  costModel: CostModel,
  family: number,
  before: ReadonlySet<number>,
): number[] | undefined {
  let best: number[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { slots } of space.migrations.patternsFrom(family, before)) {
    const sources = slots.flatMap((slot) => smallestPresent(space, slot, before) ?? []);
    if (sources.length < slots.length) continue;
    const cost = sources.reduce((sum, source) => sum + extractOf(space, costModel, source), 0);
    if (cost >= least) continue;
    least = cost;
    best = sources;
  }
  return best;
}

function extractOf(space: PlanSpace, costModel: CostModel, family: number): number {
  return extractCost(costModel, bytesOf(space, family));
}

function smallestPresent(
  space: PlanSpace,
  slot: readonly number[],
  before: ReadonlySet<number>,
): number | undefined {
  let best: number | undefined;
  for (const family of slot) {
    if (!before.has(family)) continue;
    if (best === undefined || bytesOf(space, family) < bytesOf(space, best)) best = family;
  }
  return best;
}
