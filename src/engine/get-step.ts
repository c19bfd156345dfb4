/**
 * One Get: whether Cassandra runs it without ALLOW FILTERING, and what is known after it (engine.md §4).
 *
 * A Get is legal when every partition column is bound by `=` or IN, from the statement's parameters
 * or from rows fetched before. Clustering columns are then bound from left to right, and the column
 * after the bound ones may be restricted by a range.
 *
 * A later Get is *right* when the rows so far and its rows agree on the identity of every record
 * that both cover: both are sets of join rows over connected parts of one tree, so equal identity on
 * the overlap makes each pair a join row over the union, and every join row over the union is such a
 * pair. `legalGet` refuses a Get whose common columns do not determine the overlap.
 */
import {
  type ColumnSet,
  contains,
  determinedNodes,
  has,
  type NodeSet,
  nodesOf,
  withKnownParents,
  withMandatoryParents,
} from "./column-classes.ts";
import type { CompiledPredicate, CompiledQuery } from "./compile-query.ts";
import type { Laid } from "./lay-column-family.ts";

/** What is known after some Gets and the application's filters. */
export interface Reached {
  /** Records covered: the rows so far are the join rows over these, restricted by `applied`. */
  readonly nodes: NodeSet;
  /** Classes whose value is known in every row. */
  readonly known: ColumnSet;
  /** Predicates (bits) that hold in every row. */
  readonly applied: number;
}

export const nothing: Reached = { nodes: 0, known: 0n, applied: 0 };

export interface KeyBinding {
  /** Position in partition key (0 …) followed by clustering key. */
  readonly position: number;
  readonly class: number;
  /** Undefined when the value comes from rows fetched before. */
  readonly predicate: CompiledPredicate | undefined;
}

/** How far the key is bound. A Get may have several, since binding a fetched value is optional in the clustering key. */
export interface BoundKey {
  readonly bindings: readonly KeyBinding[];
  readonly range: CompiledPredicate | undefined;
  /** Classes bound to fetched values. */
  readonly fetched: ColumnSet;
  /** Predicates (bits) that the server applies. */
  readonly server: number;
}

export interface LegalGet {
  readonly laid: Laid;
  readonly bound: readonly BoundKey[];
  /** Columns that must agree with the rows so far; they identify the overlap. */
  readonly joinOn: ColumnSet;
  readonly after: Reached;
}

/** The Get on a laid column family after what is reached; undefined when illegal, wrong or useless. */
export function legalGet(query: CompiledQuery, reached: Reached, laid: Laid): LegalGet | undefined {
  const get = rightGet(query, reached, laid);
  return get && (reached.nodes === 0 || gains(query, reached, get.after)) ? get : undefined;
}

/** The same, useful or not; of the family's columns only those that identify, bind or filter matter. */
export function rightGet(query: CompiledQuery, reached: Reached, laid: Laid): LegalGet | undefined {
  const partition = bindPartition(query, reached, laid);
  if (!partition) return undefined;
  const { compiled } = query;
  const columns = laid.columns;
  const nodes = withKnownParents(compiled, laid.nodes, columns);
  let joinOn = 0n;
  if (reached.nodes !== 0) {
    const join = identifyOverlap(query, reached, nodes, columns);
    if (join === undefined) return undefined;
    joinOn = join;
  }
  const known = reached.known | columns;
  const applied = query.predicates.reduce(
    (all, { class: id, bit }) => (has(known, id) ? all | bit : all),
    reached.applied,
  );
  const after: Reached = {
    nodes: withKnownParents(compiled, reached.nodes | nodes, known),
    known,
    applied,
  };
  return { laid, bound: bindClustering(query, reached, laid, partition), joinOn, after };
}

/** True when the rows reached are the answer's rows and hold all its columns. */
export function isComplete(query: CompiledQuery, { nodes, known, applied }: Reached): boolean {
  return (
    applied === query.allPredicates &&
    contains(known, query.output) &&
    withMandatoryParents(query.compiled, nodes) === query.compiled.allNodes
  );
}

/** The Get adds records, conditions or columns of the answer. */
export function gains(query: CompiledQuery, before: Reached, after: Reached): boolean {
  return (
    after.nodes !== before.nodes ||
    after.applied !== before.applied ||
    (query.output & after.known & ~before.known) !== 0n
  );
}

/** Binds the whole partition key, or undefined where a column has no value. */
export function bindPartition(
  query: CompiledQuery,
  reached: Reached,
  laid: Laid,
): KeyBinding[] | undefined {
  const bindings: KeyBinding[] = [];
  for (const [position, id] of laid.partition.entries()) {
    const binding = bindColumn(query, reached, id, position);
    if (!binding) return undefined;
    bindings.push(binding);
  }
  return bindings;
}

/** `=` binds from the parameter; a list only while it has not been applied; else a fetched value. */
function bindColumn(
  query: CompiledQuery,
  reached: Reached,
  id: number,
  position: number,
): KeyBinding | undefined {
  if (id < 0) return undefined;
  const predicate = query.equalOn.get(id);
  if (predicate && (predicate.kind === "equal" || (reached.applied & predicate.bit) === 0))
    return { position, class: id, predicate };
  // The constant column is no value that a Get could fetch.
  if (id === 0 || !has(reached.known, id)) return undefined;
  return { position, class: id, predicate: undefined };
}

/** The ways to bind the clustering key from left to right, fewest columns first. */
export function bindClustering(
  query: CompiledQuery,
  reached: Reached,
  laid: Laid,
  partition: readonly KeyBinding[],
): BoundKey[] {
  const alternatives: BoundKey[] = [];
  const bindings = [...partition];
  let range: CompiledPredicate | undefined;
  for (const [index, { class: id }] of laid.clustering.entries()) {
    const binding = bindColumn(query, reached, id, laid.partition.length + index);
    if (!binding) {
      const candidate = query.rangeOn.get(id);
      if (candidate && (reached.applied & candidate.bit) === 0) range = candidate;
      break;
    }
    // A fetched value or a list may be left to the application, at the price of more rows and fewer Gets.
    if (binding.predicate?.kind !== "equal") alternatives.push(boundKey([...bindings], undefined));
    bindings.push(binding);
  }
  alternatives.push(boundKey(bindings, range));
  return alternatives;
}

function boundKey(bindings: readonly KeyBinding[], range: CompiledPredicate | undefined): BoundKey {
  return {
    bindings,
    range,
    fetched: bindings.reduce(
      (set, each) => (each.predicate ? set : set | (1n << BigInt(each.class))),
      0n,
    ),
    server: bindings.reduce((bits, each) => bits | (each.predicate?.bit ?? 0), range?.bit ?? 0),
  };
}

/** The fewest common columns that identify every record covered by both sides; undefined when they do not. */
export function identifyOverlap(
  query: CompiledQuery,
  reached: Reached,
  nodes: NodeSet,
  columns: ColumnSet,
): ColumnSet | undefined {
  const { compiled } = query;
  const overlap = reached.nodes & nodes;
  if (overlap === 0) return undefined;
  const common = reached.known & columns;
  const identified = nodesOf(overlap).filter((node) =>
    contains(common, compiled.identifiers[node] as ColumnSet),
  );
  const union = (kept: readonly number[]): ColumnSet =>
    kept.reduce((set, node) => set | (compiled.identifiers[node] as ColumnSet), 0n);
  const enough = (kept: readonly number[]): boolean =>
    (determinedNodes(compiled, union(kept)) & overlap) === overlap;
  if (!enough(identified)) return undefined;
  let kept = identified;
  for (const node of identified) {
    const fewer = kept.filter((each) => each !== node);
    if (fewer.length > 0 && enough(fewer)) kept = fewer;
  }
  return union(kept);
}
