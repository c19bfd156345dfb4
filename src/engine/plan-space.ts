/**
 * Everything a program can choose from: candidates, the plans of every query, the ways to fill every
 * family. Independent of frequencies, limits and time; a what-if on curves or storage reuses it.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { Proposal } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { compareText } from "#model/query-graph.ts";
import { isQuery, type StatementId } from "#model/statement.ts";
import { asCandidate, type NamedFamilies, namedFamilies } from "./by-hand.ts";
import { type CompiledQuery, compileQuery } from "./compile-query.ts";
import { type CandidatePool, enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { MigrationSpace } from "./enumerate-migration-plans.ts";
import { enumerateQueryPlans, type QueryPlanSpace } from "./enumerate-query-plans.ts";
import { type CompiledFamily, compileFamilies } from "./lay-column-family.ts";
import { withinPartitionRules } from "./partition-rules.ts";
import type { Change } from "./plan-update.ts";
import { pruneReplaced, pruneSources } from "./prune-candidates.ts";
import { effectCost, effectOf } from "./update-effects.ts";

/**
 * A read that the program has to serve: a query, always; or a support query, as long as the family
 * that it keeps true exists.
 */
export interface Flow {
  readonly space: QueryPlanSpace;
  /** The update and the family (position) that a support query serves; undefined for a query. */
  readonly serves: { readonly statement: StatementId; readonly family: number } | undefined;
  /** Reads per execution of its statement. */
  readonly times: number;
}

/** What one execution of an update does to a family, beside its support queries. */
export interface Maintenance {
  readonly statement: StatementId;
  readonly family: number;
  readonly puts: number;
  readonly deletes: number;
  /** C′: milliseconds per execution. */
  readonly cost: number;
}

export interface PlanSpace {
  /** Families in canonical order; plans and patterns refer to them by position. */
  readonly families: readonly CompiledFamily[];
  readonly proposals: readonly (readonly Proposal[])[];
  /** One per query, in the order of the statements' ids. */
  readonly queries: readonly QueryPlanSpace[];
  /** All reads: the queries in their order, then support queries. */
  readonly flows: readonly Flow[];
  readonly maintenance: readonly Maintenance[];
  readonly migrations: MigrationSpace;
  /** Families that the limits on partitions exclude, by key, with the reason; a pin brings one back. */
  readonly excluded: ReadonlyMap<ColumnFamilyKey, string>;
  readonly counts: {
    readonly proposed: number;
    readonly pruned: Readonly<Record<string, number>>;
    readonly plansFound: number;
  };
}

/** Bytes of a family by its position; 0 where there is none. */
export function bytesOf({ families }: Pick<PlanSpace, "families">, family: number): number {
  return families[family]?.columnFamily.size.bytes ?? 0;
}

/** Bytes of a schema's families together. */
export function bytesOfAll(space: Pick<PlanSpace, "families">, schema: Iterable<number>): number {
  let bytes = 0;
  for (const family of schema) bytes += bytesOf(space, family);
  return bytes;
}

/** Switches for tests of safe pruning, and a pool given by hand. */
export interface SpaceOptions {
  readonly dominance: boolean;
  /** Families to choose from instead of the enumerated ones (tests, hand-made schemas). */
  readonly only?: ReadonlySet<ColumnFamilyKey>;
}

/** All of a problem that its plan space depends on: equal for problems that have equal spaces. */
export function spaceKey(problem: Problem): string {
  const { entityGraph, statements, costModel, options, startSchema, handMade, partitionRules } =
    problem;
  const { maxGets, sizeFactor } = options;
  // A family that a person names stays a candidate, whenever and for whatever it is named.
  const named = (problem.restrictions ?? []).map(({ steps: _, ...restriction }) => restriction);
  return JSON.stringify([
    entityGraph,
    statements,
    costModel,
    [maxGets, sizeFactor],
    [named, startSchema, handMade?.schemas],
    partitionRules,
  ]);
}

export function enumeratePlanSpace(
  problem: Problem,
  onStage: (stage: "enumerate" | "plan", counts: Readonly<Record<string, number>>) => void,
  options: SpaceOptions = { dominance: true },
): PlanSpace {
  const { entityGraph, costModel } = problem;
  // By id, so that the program and its answer do not depend on the order in which statements were entered.
  const statements = [...problem.statements].sort((a, b) => compareText(a.id, b.id));
  const queries = statements.filter(isQuery).map((query) => compileQuery(entityGraph, query));
  const changes = statements.filter((each): each is Change => !isQuery(each));
  const named = namedFamilies(problem);
  const excluded = new Map<ColumnFamilyKey, string>();
  const proposed = candidatesFor(problem, queries, changes, named, options.only, excluded);
  const support = supportQueries(entityGraph, changes, proposed);
  const reads = [...queries, ...support.values()];
  onStage("enumerate", { proposed: proposed.size });
  const replaced = options.dominance
    ? pruned(proposed, named, (pool) => pruneReplaced(pool, reads, changes.length > 0))
    : proposed;
  onStage("enumerate", { proposed: proposed.size, candidates: replaced.size });

  const all = compileFamilies(entityGraph, familiesOf(replaced));
  const limits = {
    maxGets: problem.options.maxGets,
    dominance: options.dominance,
    apart: familiesInPlanRestrictions(problem, all),
  };
  let plansFound = 0;
  const found = reads.map((query) => {
    const space = enumerateQueryPlans(query, all, costModel, limits);
    plansFound += space.found;
    onStage("plan", { candidates: replaced.size, plans: plansFound });
    return space;
  });

  const used = new Set(found.flatMap((space) => space.usedFamilies().map((at) => keyAt(all, at))));
  const pool = options.dominance
    ? pruned(replaced, named, (rest) => pruneSources(rest, used, changes.length > 0))
    : replaced;
  const families = all.filter(({ columnFamily }) => pool.has(columnFamily.key));
  const spaces = renumbered(found, all, families);
  const { flows, maintenance } = updateWork(
    problem,
    changes,
    families,
    spaces.slice(queries.length),
  );
  const querySpaces = spaces.slice(0, queries.length);
  return {
    families,
    proposals: [...pool.values()].map(({ proposals }) => proposals),
    queries: querySpaces,
    flows: [...querySpaces.map((space) => ({ space, serves: undefined, times: 1 })), ...flows],
    maintenance,
    migrations: new MigrationSpace(families),
    excluded,
    counts: {
      proposed: proposed.size,
      pruned: {
        "same columns, at least as useful, not larger": proposed.size - replaced.size,
        "in no plan, same columns as another source": replaced.size - pool.size,
      },
      plansFound,
    },
  };
}

/** Rounds of support queries for families of support queries; each asks for less than the one before. */
const mostRounds = 8;

/**
 * The candidates of the queries, and those that the updates' support queries need, for which support
 * queries may be needed in their turn.
 */
function candidatesFor(
  problem: Problem,
  queries: readonly CompiledQuery[],
  changes: readonly Change[],
  { added }: NamedFamilies,
  only: ReadonlySet<ColumnFamilyKey> | undefined,
  /** Takes the families that the limits on partitions exclude, with the reason. */
  excluded: Map<ColumnFamilyKey, string>,
): CandidatePool {
  const { entityGraph, options } = problem;
  let support: ReadonlyMap<string, CompiledQuery> = new Map();
  for (let round = 0; ; round += 1) {
    const pool = withAdded(
      withinPartitionRules(
        problem,
        restricted(
          enumerateColumnFamilies(entityGraph, queries, options.sizeFactor, [...support.values()]),
          only,
        ),
        excluded,
      ),
      added,
    );
    const next = supportQueries(entityGraph, changes, pool);
    if (next.size === support.size) return pool;
    if (round === mostRounds)
      return new Map(
        [...pool].filter(([, { columnFamily }]) =>
          isSupported(entityGraph, changes, columnFamily, support),
        ),
      );
    support = next;
  }
}

/** Every support query that some update asks for some candidate, by id. */
function supportQueries(
  entityGraph: Problem["entityGraph"],
  changes: readonly Change[],
  pool: CandidatePool,
): Map<string, CompiledQuery> {
  const found = new Map<string, CompiledQuery>();
  for (const { columnFamily } of pool.values()) {
    for (const change of changes) {
      for (const { query } of effectOf(entityGraph, change, columnFamily)?.support ?? []) {
        if (!found.has(query.id)) found.set(query.id, compileQuery(entityGraph, query));
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => compareText(a, b)));
}

function isSupported(
  entityGraph: Problem["entityGraph"],
  changes: readonly Change[],
  columnFamily: ColumnFamily,
  support: ReadonlyMap<string, CompiledQuery>,
): boolean {
  return changes.every((change) =>
    (effectOf(entityGraph, change, columnFamily)?.support ?? []).every(({ query }) =>
      support.has(query.id),
    ),
  );
}

/** What the updates have to do for each family: rows to write, and support queries with their plans. */
function updateWork(
  { entityGraph, costModel }: Problem,
  changes: readonly Change[],
  families: readonly CompiledFamily[],
  support: readonly QueryPlanSpace[],
): { flows: Flow[]; maintenance: Maintenance[] } {
  const spaces = new Map(support.map((space) => [space.query.query.id, space]));
  const flows: Flow[] = [];
  const maintenance: Maintenance[] = [];
  families.forEach(({ columnFamily }, family) => {
    for (const change of changes) {
      const effect = effectOf(entityGraph, change, columnFamily);
      if (!effect) continue;
      const { puts, deletes } = effect;
      maintenance.push({
        statement: change.id,
        family,
        puts,
        deletes,
        cost: effectCost(costModel, effect),
      });
      for (const { query, times } of effect.support) {
        const space = spaces.get(query.id);
        if (!space) throw new Error(`support query ${query.id} was not planned`);
        flows.push({ space, serves: { statement: change.id, family }, times });
      }
    }
  });
  return { flows, maintenance };
}

function keyAt(families: readonly CompiledFamily[], position: number): ColumnFamilyKey {
  return (families[position] as CompiledFamily).columnFamily.key;
}

/** The same plans with families counted in the shorter list. */
function renumbered(
  spaces: readonly QueryPlanSpace[],
  from: readonly CompiledFamily[],
  to: readonly CompiledFamily[],
): QueryPlanSpace[] {
  const position = new Map(to.map(({ columnFamily }, index) => [columnFamily.key, index]));
  return spaces.map((space) =>
    space.renumbered((family) => position.get(keyAt(from, family)) ?? -1),
  );
}

function restricted(
  pool: CandidatePool,
  only: ReadonlySet<ColumnFamilyKey> | undefined,
): CandidatePool {
  return only ? new Map([...pool].filter(([key]) => only.has(key))) : pool;
}

/** The pool with the families that a person named, in canonical order. */
function withAdded(
  pool: CandidatePool,
  added: ReadonlyMap<ColumnFamilyKey, ColumnFamily>,
): CandidatePool {
  if (added.size === 0) return pool;
  const all = new Map(pool);
  for (const [key, columnFamily] of added) {
    const proposals = [
      ...(pool.get(key)?.proposals ?? []),
      { statement: "", rule: "by hand" } as const,
    ];
    all.set(key, { columnFamily, proposals });
  }
  return new Map([...all].sort(([a], [b]) => compareText(a, b)));
}

/**
 * What a dominance rule leaves of a pool when the families that a person named take no part: a ban may
 * take away what would replace another, and what is pinned has to stay.
 */
function pruned(
  pool: CandidatePool,
  { special }: NamedFamilies,
  rule: (pool: CandidatePool) => CandidatePool,
): CandidatePool {
  if (special.size === 0) return rule(pool);
  const kept = rule(new Map([...pool].filter(([key]) => !special.has(key))));
  return new Map([...pool].filter(([key]) => special.has(key) || kept.has(key)));
}

/** Positions of families by which a pin or ban tells plans apart. */
function familiesInPlanRestrictions(
  { restrictions = [], entityGraph, options }: Problem,
  families: readonly CompiledFamily[],
): ReadonlySet<number> {
  const keys = new Set(
    restrictions.flatMap((each) =>
      each.kind === "plan"
        ? each.columnFamilies.map(
            (family) => asCandidate(entityGraph, family, options.sizeFactor).key,
          )
        : [],
    ),
  );
  return new Set([...families.keys()].filter((at) => keys.has(keyAt(families, at))));
}

function familiesOf(pool: CandidatePool): ColumnFamily[] {
  return [...pool.values()].map(({ columnFamily }) => columnFamily);
}
