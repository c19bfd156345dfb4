/**
 * Problems so small that every sequence of schemas can be tried: a random problem whose pool is cut
 * to at most seven families under which every query still has a plan, with a storage limit that is
 * none, one between the smallest workable and everything, or a little too small.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Problem } from "#model/problem.ts";
import { enumeratePlanSpace, type PlanSpace, type SpaceOptions } from "../plan-space.ts";
import { smallestByTrial } from "./exhaustive-search.ts";
import type { RandomProblem } from "./random-problem.ts";

export interface TinyProblem {
  readonly problem: Problem;
  readonly spaceOptions: SpaceOptions;
  /** What `optimise` enumerates for itself under these options. */
  readonly space: PlanSpace;
}

const mostFamilies = 7;

/** The random problem with its pool cut; what is cut, and the limit, go by the problem's dice. */
export function tinyProblem({ problem, dice }: RandomProblem): TinyProblem {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const whole = enumeratePlanSpace(problem, () => {});
  const spaceOptions = { dominance: roll(0) % 4 !== 3, only: keysToKeep(whole, roll) };
  const space = enumeratePlanSpace(problem, () => {}, spaceOptions);
  return {
    problem: { ...problem, storage: storageFor(space, roll(10), roll(11)) },
    spaceOptions,
    space,
  };
}

function keysToKeep(
  { families, queries }: PlanSpace,
  roll: (index: number) => number,
): Set<ColumnFamilyKey> {
  const kept = new Set<number>();
  const keepPlan = (q: number, room: number, by: number): void => {
    const fitting = (queries[q]?.plans ?? []).filter(
      (plan) => plan.families.filter((each) => !kept.has(each)).length <= room,
    );
    for (const family of fitting[by % fitting.length]?.families ?? []) kept.add(family);
  };
  queries.forEach((_, q) => {
    keepPlan(q, mostFamilies - kept.size - (queries.length - 1 - q), roll(1 + q));
  });
  // A second plan for each query, so that there is something to choose; then whatever is left.
  queries.forEach((_, q) => {
    keepPlan(q, mostFamilies - kept.size, roll(4 + q));
  });
  const size = Math.min(families.length, kept.size + (roll(7) % 4), mostFamilies);
  const others = families.map((_, position) => position).filter((position) => !kept.has(position));
  for (let index = 8; kept.size < size; index += 1)
    kept.add(others.splice(roll(index) % others.length, 1)[0] as number);
  return new Set([...kept].map((position) => families[position]?.columnFamily.key ?? ""));
}

function storageFor(space: PlanSpace, kind: number, share: number): Problem["storage"] {
  if (kind % 3 === 0) return { kind: "none" };
  const smallest = smallestByTrial(space);
  const everything = space.families.reduce(
    (sum, { columnFamily }) => sum + columnFamily.size.bytes,
    0,
  );
  const shares = [0, 0.1, 0.25, 0.5, 0.8];
  const bytes =
    kind % 13 === 1
      ? smallest * 0.97
      : smallest + (everything - smallest) * (shares[share % shares.length] as number);
  return { kind: "bytes", bytes };
}
