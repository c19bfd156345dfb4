/**
 * Problems so small that every sequence of schemas can be tried: a random problem whose pool is cut
 * to at most seven families under which every query still has a plan, with a storage limit that is
 * none, one between the smallest workable and everything, or a little too small.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import { enumeratePlanSpace, type PlanSpace, type SpaceOptions } from "../plan-space.ts";
import { smallestSchema } from "./exhaustive-search.ts";
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

/**
 * For every query a plan, one of other shape, and the tables that could fill what these read; then
 * whatever is left. So there is something to choose, and a way from one choice to the other.
 */
function keysToKeep(
  { families, queries, flows, migrations }: PlanSpace,
  roll: (index: number) => number,
): Set<ColumnFamilyKey> {
  const kept = new Set<number>();
  const keepOneOf = (sets: readonly (readonly number[])[], room: number, by: number): void => {
    const fitting = sets.filter((set) => set.filter((each) => !kept.has(each)).length <= room);
    for (const family of fitting[by % fitting.length] ?? []) kept.add(family);
  };
  queries.forEach(({ plans }, q) => {
    const room = mostFamilies - kept.size - (queries.length - 1 - q);
    keepOneOf(
      plans.slice(0, 1 + (roll(0) % 4)).map((plan) => plan.families),
      room,
      roll(1 + q),
    );
    // The first ones may be too large together; a materialised view always fits.
    keepOneOf(answers(plans, kept) ? [] : plans.map((plan) => plan.families), room, roll(1 + q));
  });
  queries.forEach(({ plans }, q) => {
    const others = plans
      .map((plan) => plan.families)
      .filter((used) => used.some((each) => !kept.has(each)));
    const bySize = others.toSorted((a, b) => bytesOf(families, a) - bytesOf(families, b));
    const small = roll(9 + q) % 4 < 3 ? bySize.slice(0, 1) : others;
    keepOneOf(small, mostFamilies - kept.size, roll(4 + q));
  });
  for (const { space, serves } of flows)
    if (serves && kept.has(serves.family) && !answers(space.plans, kept))
      keepOneOf(
        space.plans.map((plan) => plan.families),
        mostFamilies - kept.size,
        0,
      );
  for (const family of [...kept]) {
    const sources = migrations
      .patternsOf(family)
      .map(({ slots }) => slots.map((slot) => slot[roll(family) % slot.length] as number));
    keepOneOf(sources, Math.min(2, mostFamilies - kept.size), roll(7));
  }
  const size = Math.min(families.length, kept.size + (roll(8) % 3), mostFamilies);
  const rest = families.map((_, position) => position).filter((position) => !kept.has(position));
  for (let index = 9; kept.size < size; index += 1)
    kept.add(rest.splice(roll(index) % rest.length, 1)[0] as number);
  return new Set([...kept].map((position) => families[position]?.columnFamily.key ?? ""));
}

function bytesOf(families: PlanSpace["families"], used: readonly number[]): number {
  return used.reduce((sum, each) => sum + (families[each]?.columnFamily.size.bytes ?? 0), 0);
}

function answers(
  plans: readonly { readonly families: readonly number[] }[],
  kept: ReadonlySet<number>,
): boolean {
  return plans.some(({ families }) => families.every((family) => kept.has(family)));
}

/**
 * None; or the smallest schema and room for what one query would like best; or a share of what lies
 * between the smallest and what all would like; or a little too small.
 */
function storageFor(space: PlanSpace, kind: number, share: number): Problem["storage"] {
  if (kind % 6 === 5) return { kind: "none" };
  const { families, queries } = space;
  const smallest = smallestSchema(space);
  if (!smallest) return { kind: "none" };
  const least = bytesOf(families, smallest);
  const wished = queries.map(({ plans }) => plans[0]?.families ?? []);
  if (kind % 17 === 16) return { kind: "bytes", bytes: least * 0.97 };
  if (kind % 6 < 3) {
    const one = wished[share % wished.length] ?? [];
    return { kind: "bytes", bytes: bytesOf(families, [...new Set([...smallest, ...one])]) };
  }
  const most = Math.max(least, bytesOf(families, [...new Set(wished.flat())]));
  const shares = [0.99, 0, 0.1, 0.3, 0.5, 0.7, 1.5];
  const bytes = least + (most - least) * (shares[share % shares.length] as number);
  return { kind: "bytes", bytes };
}

/** The tiny problem under pins, bans and a start schema, by its dice; some have no answer. */
export function restrictedProblem(tiny: TinyProblem, dice: readonly number[]): TinyProblem {
  const { problem, space, spaceOptions } = tiny;
  const roll = (index: number): number => dice[index % dice.length] as number;
  const families = space.families.map(({ columnFamily }) => columnFamily);
  const restrictions = Array.from({ length: roll(3) % 4 }, (_, index) =>
    restriction(tiny, (more) => roll(5 * index + more)),
  );
  const first = answersOf(space, roll(2));
  const start = roll(4) % 3 === 0 ? undefined : families.filter((_, at) => first.has(at));
  const restricted = {
    ...problem,
    restrictions,
    ...(start && { startSchema: start }),
  };
  return {
    ...tiny,
    problem: restricted,
    space: enumeratePlanSpace(restricted, () => {}, spaceOptions),
  };
}

/** Tables with which one plan of each query can run, so that most others can be filled from them, and a few more. */
function answersOf({ queries, families }: PlanSpace, by: number): Set<number> {
  const kept = new Set(queries.flatMap(({ plans }) => plans[by % plans.length]?.families ?? []));
  families.forEach((_, at) => {
    if ((by >> at) & 1) kept.add(at);
  });
  return kept;
}

function restriction(
  { problem, space }: TinyProblem,
  roll: (index: number) => number,
): Restriction {
  const { steps } = problem.workload.timeline;
  const at = Array.from({ length: steps }, (_, t) => t).filter((t) => (roll(1) >> t) & 1);
  const when = at.length > 0 ? { steps: at } : {};
  const demand = roll(2) % 3 === 0 ? "pin" : "ban";
  const family = (position: number) =>
    (space.families[position] as PlanSpace["families"][number]).columnFamily;
  if (roll(3) % 2 === 0)
    return {
      kind: "family",
      demand,
      columnFamily: family(roll(4) % space.families.length),
      ...when,
    };
  const { query, plans } = space.queries[
    roll(4) % space.queries.length
  ] as PlanSpace["queries"][number];
  const plan = plans[roll(5) % Math.min(plans.length, 3)];
  return {
    kind: "plan",
    demand,
    statement: query.query.id,
    columnFamilies: (plan?.families ?? []).map(family),
    ...when,
  };
}
