/** The tables that exist before the first step (engine.md §2), by position. */
import type { Problem } from "#model/problem.ts";
import { asCandidate } from "./by-hand.ts";
import type { PlanSpace } from "./plan-space.ts";

/** Ascending; undefined where the problem tells of none. */
export function startPositions(
  { startSchema, entityGraph, options }: Problem,
  space: PlanSpace,
): readonly number[] | undefined {
  if (!startSchema) return undefined;
  const keys = new Set(
    startSchema.map((family) => asCandidate(entityGraph, family, options.sizeFactor).key),
  );
  return [...space.families.keys()].filter((at) =>
    keys.has(space.families[at]?.columnFamily.key ?? ""),
  );
}
