/**
 * Dropping candidates by rules that are provably safe (engine.md §5): the optimum stays the same.
 *
 * **Replacement.** c gives way to c′ when both have the same graph and columns, c′ is not larger, and
 * every Get on c is a Get on c′ that binds, filters, orders and groups at least as much. Same rows
 * and columns make c′ as good a migration source and as dear to keep up to date; the last condition
 * makes each of its Gets no dearer, so c′ can stand in for c in every solution. With updates in the
 * workload c′ may also have no key column that c holds as a value.
 *
 * For a given query the second condition is checked on all situations that matter: with nothing
 * fetched, and with just the values fetched that bind the first j columns of c's key. What a key
 * binds depends only on these situations, since binding proceeds from left to right.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { compareText } from "#model/query-graph.ts";
import { type ColumnSet, contains } from "./column-classes.ts";
import type { CompiledQuery } from "./compile-query.ts";
import type { CandidatePool } from "./enumerate-column-families.ts";
import { groupsOnServer, servedOrder } from "./estimate-costs.ts";
import { type BoundKey, bindClustering, bindPartition, nothing, type Reached } from "./get-step.ts";
import { type CompiledFamily, compileFamilies, type Laid, layAll } from "./lay-column-family.ts";

/** The pool without replaced candidates; order kept. `updated`: the workload changes records. */
export function pruneReplaced(
  pool: CandidatePool,
  queries: readonly CompiledQuery[],
  updated = false,
): CandidatePool {
  const families = [...pool.values()].map(({ columnFamily }) => columnFamily);
  const entityGraph = queries[0]?.compiled.entityGraph;
  if (!entityGraph) return pool;
  const compiled = compileFamilies(entityGraph, families);
  const uses = usesByFamily(compiled, queries);
  const dropped = new Set<ColumnFamilyKey>();
  for (const bucket of buckets(compiled)) {
    // Smaller first, so that a replacement is never itself replaced by what it replaced.
    const sorted = [...bucket].sort(
      (a, b) =>
        a.columnFamily.size.bytes - b.columnFamily.size.bytes ||
        compareText(a.columnFamily.key, b.columnFamily.key),
    );
    const kept: CompiledFamily[] = [];
    for (const family of sorted) {
      const replaceable = kept.some(
        (other) =>
          (!updated || hasNoMoreKeys(other.columnFamily, family.columnFamily)) &&
          replaces(other, family, uses),
      );
      if (replaceable) dropped.add(family.columnFamily.key);
      else kept.push(family);
    }
  }
  return new Map([...pool].filter(([key]) => !dropped.has(key)));
}

/**
 * Drops families in no query plan for which a family with the same graph and columns stays that is
 * not larger: as sources of a migration the two are the same. Queries are not affected.
 */
export function pruneSources(
  pool: CandidatePool,
  inPlans: ReadonlySet<ColumnFamilyKey>,
  updated = false,
): CandidatePool {
  const dropped = new Set<ColumnFamilyKey>();
  const families = [...pool.values()].map(({ columnFamily }) => columnFamily);
  for (const bucket of groupBy(
    families,
    (family) => `${JSON.stringify(family.graph)} ${columnText(family)}`,
  )) {
    const replaces = (other: ColumnFamily, family: ColumnFamily): boolean =>
      compareSize(other, family) < 0 && (!updated || hasNoMoreKeys(other, family));
    // By an order without circles, so that a replacement is never itself replaced by what it replaced.
    for (const family of bucket)
      if (!inPlans.has(family.key) && bucket.some((other) => replaces(other, family)))
        dropped.add(family.key);
  }
  return new Map([...pool].filter(([key]) => !dropped.has(key)));
}

/** Families with the same graph and the same columns. */
function buckets(families: readonly CompiledFamily[]): CompiledFamily[][] {
  return groupBy(
    families,
    ({ graphText, columnFamily }) => `${graphText} ${columnText(columnFamily)}`,
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** The set of columns as text, whatever their places. */
function columnText({ partitionKey, clusteringKey, values }: ColumnFamily): string {
  return [...partitionKey, ...clusteringKey, ...values]
    .map(({ node, attribute }) => `${node}/${attribute}`)
    .sort(compareText)
    .join();
}

/** Smaller first, ties by key. */
function compareSize(a: ColumnFamily, b: ColumnFamily): number {
  return a.size.bytes - b.size.bytes || compareText(a.key, b.key);
}

/** Every key column of `a` is one of `b`: an update then needs to know no more, and moves no more rows. */
function hasNoMoreKeys(a: ColumnFamily, b: ColumnFamily): boolean {
  const keys = ({ partitionKey, clusteringKey }: ColumnFamily): string[] =>
    [...partitionKey, ...clusteringKey].map(({ node, attribute }) => `${node}/${attribute}`);
  const others = new Set(keys(b));
  return keys(a).every((key) => others.has(key));
}

interface Use {
  readonly query: CompiledQuery;
  readonly laid: Laid;
}

function usesByFamily(
  families: readonly CompiledFamily[],
  queries: readonly CompiledQuery[],
): ReadonlyMap<ColumnFamilyKey, readonly Use[]> {
  const uses = new Map<ColumnFamilyKey, Use[]>(
    families.map(({ columnFamily }) => [columnFamily.key, []]),
  );
  for (const query of queries)
    for (const laid of layAll(families, query.compiled))
      uses.get(laid.columnFamily.key)?.push({ query, laid });
  return uses;
}

/** Both lie on the same queries in the same ways, because their graphs are the same. */
function replaces(
  better: CompiledFamily,
  worse: CompiledFamily,
  uses: ReadonlyMap<ColumnFamilyKey, readonly Use[]>,
): boolean {
  if (better.columnFamily.size.bytes > worse.columnFamily.size.bytes) return false;
  const betterUses = uses.get(better.columnFamily.key) ?? [];
  return (uses.get(worse.columnFamily.key) ?? []).every((use, index) =>
    servesAtLeast(use.query, (betterUses[index] as Use).laid, use.laid),
  );
}

function servesAtLeast(query: CompiledQuery, better: Laid, worse: Laid): boolean {
  if (worse.partition.some((id) => id < 0)) return true;
  const keyClasses = [...worse.partition, ...worse.clustering.map((each) => each.class)];
  const fromPartition = worse.partition.length;
  for (let length = fromPartition; length <= keyClasses.length; length += 1) {
    let fetched: ColumnSet = 0n;
    for (const id of keyClasses.slice(0, length)) {
      if (id < 0) return true;
      if (query.equalOn.get(id)?.kind !== "equal") fetched |= 1n << BigInt(id);
    }
    // A list may already have been applied, its column then being fetched, or not.
    for (const reached of situations(query, fetched)) {
      if (!coversSituation(query, reached, better, worse)) return false;
    }
  }
  return true;
}

function situations(query: CompiledQuery, fetched: ColumnSet): Reached[] {
  let listed: ColumnSet = 0n;
  let bits = 0;
  for (const { class: id, kind, bit } of query.predicates) {
    if (kind !== "in") continue;
    listed |= 1n << BigInt(id);
    bits |= bit;
  }
  return [
    { ...nothing, known: fetched & ~listed },
    { ...nothing, known: fetched, applied: bits },
  ];
}

function coversSituation(
  query: CompiledQuery,
  reached: Reached,
  better: Laid,
  worse: Laid,
): boolean {
  const worsePartition = bindPartition(query, reached, worse);
  if (!worsePartition) return true;
  const betterPartition = bindPartition(query, reached, better);
  if (!betterPartition) return false;
  const alternatives = bindClustering(query, reached, better, betterPartition);
  return bindClustering(query, reached, worse, worsePartition).every((key) =>
    alternatives.some((other) => atLeast(query, better, other, worse, key)),
  );
}

/** The other key binds the same fetched values and filters, orders and groups at least as much. */
function atLeast(
  query: CompiledQuery,
  better: Laid,
  other: BoundKey,
  worse: Laid,
  key: BoundKey,
): boolean {
  if (other.fetched !== key.fetched || (other.server & key.server) !== key.server) return false;
  if ((other.server & ~key.server & listBits(query)) !== 0) return false;
  if (!contains(better.columns, worse.columns)) return false;
  if (key.fetched !== 0n) return true;
  if (servedOrder(query, worse, key) && !servedOrder(query, better, other)) return false;
  return !groupsOnServer(query, worse, key) || groupsOnServer(query, better, other);
}

/** Binding one list more multiplies the Gets, so it is not "at least as much". */
function listBits(query: CompiledQuery): number {
  return query.predicates.reduce((bits, { kind, bit }) => (kind === "in" ? bits | bit : bits), 0);
}
