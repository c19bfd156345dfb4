/**
 * The optimum by trying everything, written from the definitions of engine.md §6–§8 and from nothing
 * of `formulate.ts` or `solve-schemas.ts`: every subset of the families is a schema, every sequence of
 * schemas an answer. Only the plans, the patterns of sources and the sizes are taken from the space.
 *
 * Sequences are tried step by step (the best way to each schema at each step), and once for each first
 * schema where the horizon repeats. Ties: of the cheapest sequences the one with the fewest families
 * over all steps, then the least size.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import type { Problem } from "#model/problem.ts";
import type { PlanSpace } from "../plan-space.ts";

export interface BestSequence {
  /** Milliseconds. */
  readonly cost: number;
  /** Families of all steps together, and their bytes, in the best of the cheapest sequences. */
  readonly families: number;
  readonly bytes: number;
}

/** A schema as bits, one per family. */
type Schema = number;

/** What there is to choose from, with costs of single moves. */
interface Game {
  readonly schemas: readonly Schema[];
  readonly steps: number;
  /** Milliseconds of all statements at one step; by step, then position of the schema. */
  readonly work: readonly (readonly number[])[];
  /**
   * Milliseconds to get from one schema to another, by the step that is entered; Infinity where it
   * cannot be done.
   */
  readonly move: readonly (readonly (readonly number[])[])[];
  /** Milliseconds before the first step. */
  readonly begin: readonly number[];
  readonly cyclic: boolean;
  readonly families: readonly number[];
  readonly bytes: readonly number[];
}

/** Sums of the same sizes in another order differ by less. */
const rounding = 1e-10;

/** The cheapest sequence of schemas; undefined where there is none. */
export function bestSequence(
  problem: Problem,
  space: PlanSpace,
  storageBytes: number | undefined,
): BestSequence | undefined {
  const { workload, costModel, options } = problem;
  const { steps, stepSeconds } = workload.timeline;
  const sizes = space.families.map(({ columnFamily }) => columnFamily.size.bytes);
  const fits = (bytes: number): boolean =>
    storageBytes === undefined || bytes <= storageBytes * (1 + rounding);
  const never = (): boolean => false;
  const schemas = subsets(sizes.length).filter(
    (schema) => fits(sum(members(schema), sizes)) && answersAll(space, schema, never),
  );
  const perSecond = (statement: string, t: number): number => workload.curves[statement]?.[t] ?? 0;
  const times = Array.from({ length: steps }, (_, t) => t);
  const workAt = (schema: Schema, t: number): number => {
    if (!familiesAllowed(problem, space, schema, t)) return Number.POSITIVE_INFINITY;
    const runs = (statement: string): boolean => perSecond(statement, t) > 0;
    const reads = readsUnder(space, schema, runs, (statement, keys) =>
      planAllowed(problem, statement, keys, t),
    );
    if (reads.some(({ cost }) => cost === Number.POSITIVE_INFINITY))
      return Number.POSITIVE_INFINITY;
    const writes = space.maintenance.filter(({ family }) => (schema >> family) & 1);
    return [...reads, ...writes].reduce(
      (total, { statement, cost }) => total + perSecond(statement, t) * stepSeconds * cost,
      0,
    );
  };
  const work = times.map((t) => schemas.map((schema) => workAt(schema, t)));
  const load = (family: number): number =>
    costModel.load.fixed + costModel.load.perByte * (sizes[family] as number);
  const extract = (family: number): number =>
    costModel.extract.fixed + costModel.extract.perByte * (sizes[family] as number);
  // (16): what the updates of the step before put into the table during the seconds that its loading takes.
  const meanwhile = (family: number, before: number): number =>
    space.maintenance
      .filter((each) => each.family === family)
      .reduce(
        (total, { statement, cost }) =>
          total + perSecond(statement, before) * cost * (load(family) / 1000),
        0,
      );
  const cyclic = options.cyclic && steps > 1;
  const fills = schemas.map((from) =>
    sizes.map((_, family) => cheapestFill(space, family, from, extract)),
  );
  const moveInto = (t: number): number[][] => {
    const before = t > 0 ? t - 1 : steps - 1;
    const build = sizes.map((_, family) => load(family) + meanwhile(family, before));
    return schemas.map((from, position) =>
      schemas.map((to) => {
        if (options.buildingCountsAsStorage && !fits(sum(members(from | to), sizes)))
          return Number.POSITIVE_INFINITY;
        return members(to & ~from).reduce(
          (total, family) =>
            total + (build[family] as number) + (fills[position]?.[family] as number),
          0,
        );
      }),
    );
  };
  const positions = new Map(space.families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  const start = cyclic
    ? undefined
    : problem.startSchema?.reduce(
        (bits, { key }) => bits | (1 << (positions.get(key) as number)),
        0,
      );
  const loadsFirst = options.initialLoad && !cyclic && start === undefined;
  const buildFirst = (schema: Schema, from: Schema): number =>
    members(schema & ~from).reduce(
      (total, family) => total + load(family) + cheapestFill(space, family, from, extract),
      0,
    );
  return solve({
    schemas,
    steps,
    work,
    move: times.map((t) => (t > 0 || cyclic ? moveInto(t) : [])),
    begin: schemas.map((schema) => {
      if (start !== undefined) return buildFirst(schema, start);
      return loadsFirst ? members(schema).reduce((total, family) => total + load(family), 0) : 0;
    }),
    cyclic,
    families: schemas.map((schema) => members(schema).length),
    bytes: schemas.map((schema) => sum(members(schema), sizes)),
  });
}

/** The smallest schema under which every read has a plan, if all updates run; undefined where there is none. */
export function smallestSchema(space: PlanSpace): readonly number[] | undefined {
  const sizes = space.families.map(({ columnFamily }) => columnFamily.size.bytes);
  const bytes = (schema: Schema): number => sum(members(schema), sizes);
  const [first, ...others] = subsets(sizes.length).filter((schema) =>
    answersAll(space, schema, () => true),
  );
  if (first === undefined) return undefined;
  return members(others.reduce((a, b) => (bytes(b) < bytes(a) ? b : a), first));
}

function subsets(families: number): Schema[] {
  return Array.from({ length: 2 ** families }, (_, schema) => schema);
}

function members(schema: Schema): number[] {
  const found: number[] = [];
  for (let family = 0; 2 ** family <= schema; family += 1)
    if ((schema >> family) & 1) found.push(family);
  return found;
}

function sum(families: readonly number[], sizes: readonly number[]): number {
  return families.reduce((total, family) => total + (sizes[family] as number), 0);
}

/** Every query has a plan, and so has every support query of a table that exists, should its update run. */
function answersAll(
  space: PlanSpace,
  schema: Schema,
  runs: (statement: string) => boolean,
): boolean {
  return readsUnder(space, schema, runs).every(({ cost }) => cost !== Number.POSITIVE_INFINITY);
}

/** Pinned tables exist at the step, banned ones do not. */
function familiesAllowed(
  { restrictions = [] }: Problem,
  space: PlanSpace,
  schema: Schema,
  t: number,
): boolean {
  const keys = members(schema).map((at) => space.families[at]?.columnFamily.key);
  return restrictions.every((each) => {
    if (each.kind !== "family" || (each.steps && !each.steps.includes(t))) return true;
    return keys.includes(each.columnFamily.key) === (each.demand === "pin");
  });
}

/** A pinned plan reads just the tables named, a banned one not all of them. */
function planAllowed(
  { restrictions = [] }: Problem,
  statement: string,
  keys: readonly string[],
  t: number,
): boolean {
  return restrictions.every((each) => {
    if (each.kind !== "plan" || each.statement !== statement) return true;
    if (each.steps && !each.steps.includes(t)) return true;
    const named = new Set(each.columnFamilies.map(({ key }) => key));
    const readsAll = [...named].every((key) => keys.includes(key));
    return each.demand === "pin" ? readsAll && keys.length === named.size : !readsAll;
  });
}

/** Milliseconds of one execution of a statement. */
interface Work {
  readonly statement: string;
  readonly cost: number;
}

/**
 * Queries, and support queries of the tables that exist and of the updates that run, by their cheapest
 * plans; Infinity without one.
 */
function readsUnder(
  space: PlanSpace,
  schema: Schema,
  runs: (statement: string) => boolean,
  allowed: (statement: string, keys: readonly string[]) => boolean = () => true,
): Work[] {
  const keysOf = (families: readonly number[]): string[] =>
    families.map((family) => space.families[family]?.columnFamily.key ?? "");
  return space.flows.flatMap(({ space: { query, plans }, serves, times }) => {
    if (serves && !((schema >> serves.family) & 1 && runs(serves.statement))) return [];
    const possible = plans.filter(
      ({ families }) =>
        families.every((family) => (schema >> family) & 1) &&
        (serves !== undefined || allowed(query.query.id, keysOf(families))),
    );
    const cheapest = Math.min(...possible.map(({ cost }) => cost));
    return [{ statement: serves?.statement ?? query.query.id, cost: times * cheapest }];
  });
}

/** Milliseconds to read the cheapest sources that are there. */
function cheapestFill(
  space: PlanSpace,
  family: number,
  from: Schema,
  extract: (family: number) => number,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { slots } of space.migrations.patternsOf(family)) {
    const cost = slots.reduce((total, slot) => {
      const there = slot.filter((source) => (from >> source) & 1).map(extract);
      return total + Math.min(...there);
    }, 0);
    least = Math.min(least, cost);
  }
  return least;
}

// --- sequences ----------------------------------------------------------------------------------

function solve(game: Game): BestSequence | undefined {
  const all = game.schemas.map((_, position) => position);
  // Where the horizon repeats, the end has to know the beginning.
  const rounds = (game.cyclic ? all.map((first) => [first]) : [all]).map((firsts) => {
    const forward = forwards(game, firsts);
    const end = all.map((last) =>
      game.cyclic ? (game.move[0]?.[last]?.[firsts[0] as number] as number) : 0,
    );
    return {
      forward,
      end,
      cost: least(
        (game.steps > 0 ? forward[game.steps - 1] : [])?.map(
          (cost, s) => cost + (end[s] as number),
        ) ?? [],
      ),
    };
  });
  const cost = least(rounds.map((round) => round.cost));
  if (cost === Number.POSITIVE_INFINITY) return undefined;
  const limit = cost * (1 + 1e-9) + 1e-12;
  const settled = rounds
    .filter((round) => round.cost <= limit)
    .map(({ forward, end }) => fewest(game, forward, end, limit))
    .reduce((a, b) => (before(b, a) ? b : a));
  return { cost, ...settled };
}

function least(costs: readonly number[]): number {
  return costs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** Least cost up to and including each step, by the schema of that step. */
function forwards(
  { schemas, steps, work, move, begin }: Game,
  firsts: readonly number[],
): number[][] {
  const costs: number[][] = [
    schemas.map((_, s) =>
      firsts.includes(s)
        ? (begin[s] as number) + (work[0]?.[s] as number)
        : Number.POSITIVE_INFINITY,
    ),
  ];
  for (let t = 1; t < steps; t += 1) {
    const last = costs[t - 1] as number[];
    costs.push(
      schemas.map(
        (_, s) =>
          least(last.map((cost, from) => cost + (move[t]?.[from]?.[s] as number))) +
          (work[t]?.[s] as number),
      ),
    );
  }
  return costs;
}

interface Tie {
  readonly families: number;
  readonly bytes: number;
}

function before(a: Tie, b: Tie): boolean {
  return a.families < b.families || (a.families === b.families && a.bytes < b.bytes);
}

const none: Tie = { families: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Fewest families, then least bytes, over all sequences that stay within the limit. */
function fewest(
  { schemas, steps, work, move, families, bytes }: Game,
  forward: readonly (readonly number[])[],
  end: readonly number[],
  limit: number,
): Tie {
  // Backwards: the least cost still to come, and the best tie of the rest, per schema.
  let toCome: readonly number[] = end;
  let rest: readonly Tie[] = end.map((cost) =>
    cost === Number.POSITIVE_INFINITY ? none : { families: 0, bytes: 0 },
  );
  for (let t = steps - 1; t > 0; t -= 1) {
    const [after, tail] = [toCome, rest];
    const here = (s: number): number => (work[t]?.[s] as number) + (after[s] as number);
    toCome = schemas.map((_, from) =>
      least(schemas.map((_, s) => (move[t]?.[from]?.[s] as number) + here(s))),
    );
    rest = schemas.map((_, from) => {
      const reached = forward[t - 1]?.[from] as number;
      return schemas.reduce<Tie>((best, _, s) => {
        if (reached + (move[t]?.[from]?.[s] as number) + here(s) > limit) return best;
        const next = tail[s] as Tie;
        const tie = {
          families: next.families + (families[s] as number),
          bytes: next.bytes + (bytes[s] as number),
        };
        return before(tie, best) ? tie : best;
      }, none);
    });
  }
  return schemas.reduce<Tie>((best, _, s) => {
    if ((forward[0]?.[s] as number) + (toCome[s] as number) > limit) return best;
    const next = rest[s] as Tie;
    const tie = {
      families: next.families + (families[s] as number),
      bytes: next.bytes + (bytes[s] as number),
    };
    return before(tie, best) ? tie : best;
  }, none);
}
