/**
 * Candidates: the column families that could help to answer the workload (engine.md §5).
 *
 * For each query and each of its **parts** (the whole query; both sides of a split at every edge;
 * the key lookups that complete an index; every single entity) all layouts of the key are proposed:
 *  - every equality attribute stands in the partition key, leads the clustering key, or is relaxed
 *    into the values; at least one stands in the partition key;
 *  - after them a range attribute, the order or the group attributes, or none of these (relaxed);
 *  - then the identifiers that make a row unique, and those the part must hand on;
 *  - values stay (materialised) or are left to a lookup (index).
 * Families of different queries that agree in their keys are also offered merged.
 * Counters stand apart: Cassandra allows no other value beside them in a table, so that a layout with
 * both gives two families with one key, which a plan reads one after the other.
 *
 * Promises: each candidate says which statement and rule proposed it; for every query its
 * materialised view is present (in two tables where it shows counters beside other values); the order
 * is canonical.
 */

import {
  type ClusteringColumn,
  type ColumnFamily,
  type ColumnFamilyKey,
  columnFamilySize,
  columnFamilyText,
  isCounterAt,
} from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { CandidateRule, Proposal } from "#model/plan.ts";
import {
  type ColumnReference,
  canonicalGraph,
  columnText,
  compareText,
} from "#model/query-graph.ts";
import {
  type ColumnSet,
  type CompiledEdge,
  type CompiledGraph,
  classesOf,
  compileGraph,
  determinedNodes,
  has,
  type NodeSet,
  nodesOf,
  sideOf,
  subgraph,
  withoutNamedParents,
} from "./column-classes.ts";
import type { CompiledOrdering, CompiledQuery } from "./compile-query.ts";

export interface Candidate {
  readonly columnFamily: ColumnFamily;
  readonly proposals: readonly Proposal[];
}

/** All candidates by key, in canonical order. */
export type CandidatePool = ReadonlyMap<ColumnFamilyKey, Candidate>;

/** Part of a query that one column family may hold. */
interface Part {
  readonly rule: CandidateRule;
  readonly nodes: NodeSet;
  /** Identifier that an earlier Get hands in; 0 for a part that is read first. */
  readonly keyedBy: ColumnSet;
  /** Classes held in any case: what the part hands on to later Gets. */
  readonly handsOn: ColumnSet;
  /** Classes held when values stay with the part. */
  readonly needed: ColumnSet;
}

export function enumerateColumnFamilies(
  entityGraph: EntityGraph,
  queries: readonly CompiledQuery[],
  sizeFactor: number,
  support: readonly CompiledQuery[] = [],
): CandidatePool {
  const pool = new Map<ColumnFamilyKey, { columnFamily: ColumnFamily; proposals: Proposal[] }>();
  const propose = (columnFamily: ColumnFamily, proposal: Proposal): void => {
    const known = pool.get(columnFamily.key);
    if (!known) pool.set(columnFamily.key, { columnFamily, proposals: [proposal] });
    else if (
      !known.proposals.some(
        (each) => each.statement === proposal.statement && each.rule === proposal.rule,
      )
    )
      known.proposals.push(proposal);
  };
  for (const query of queries) {
    for (const layout of partsOf(query).flatMap((part) => layoutsOf(query, part))) {
      for (const columnFamily of familiesOf(entityGraph, query.compiled, layout, sizeFactor))
        propose(columnFamily, { statement: query.query.id, rule: layout.rule });
    }
  }
  for (const query of support) {
    for (const layout of supportLayouts(query)) {
      for (const columnFamily of familiesOf(entityGraph, query.compiled, layout, sizeFactor))
        propose(columnFamily, { statement: query.query.id, rule: "support query" });
    }
  }
  for (const { columnFamily, statement } of mergedFamilies(entityGraph, pool, sizeFactor))
    propose(columnFamily, { statement, rule: "merged" });
  return new Map([...pool].sort(([a], [b]) => compareText(a, b)));
}

/** A column family that would be proposed, known by a text instead of being built. */
export interface BriefFamily {
  /** Entities that it holds, sorted; a repeated one is told as often. */
  readonly entities: readonly string[];
  readonly text: string;
}

/**
 * What would be proposed for a query alone, in brief: nothing is laid out, so that the size of a problem
 * can be told in milliseconds. Equal texts stand for equal families also across queries, but for names
 * that a foreign key makes equal; merged families are left out.
 */
export function briefFamilies(query: CompiledQuery): BriefFamily[] {
  const { compiled } = query;
  const name = (id: number): string => (id === 0 ? "*" : nameOf(compiled, id));
  const found = new Map<string, BriefFamily>();
  for (const layout of partsOf(query).flatMap((part) => layoutsOf(query, part))) {
    const entities = nodesOf(layout.nodes)
      .map((node) => compiled.graph.nodes[node]?.entity ?? "")
      .sort();
    const partition = layout.partition.map(name).sort();
    const leading = layout.leading.map((column) => `${name(column.class)} ${column.direction}`);
    const held = classesOf(layout.held).map(name).sort();
    const text = [entities, partition, leading, held].map((part) => part.join()).join("|");
    if (!found.has(text)) found.set(text, { entities, text });
  }
  return [...found.values()];
}

/** The parts of a query, largest first; the same part may come from several rules. */
function partsOf(query: CompiledQuery): Part[] {
  const { compiled, core } = query;
  const parts: Part[] = [
    {
      rule: "whole query",
      nodes: core,
      keyedBy: 0n,
      handsOn: 0n,
      needed: neededOf(query, core),
    },
  ];
  for (const { parent, child } of edgesWithin(query)) {
    for (const [near, far] of [
      [parent, child],
      [child, parent],
    ] as const) {
      const side = sideOf(compiled, near, far) & core;
      const rest = core & ~side;
      const identity = (node: number): ColumnSet => compiled.identifiers[node] as ColumnSet;
      const first = { rule: "split", keyedBy: 0n, needed: neededOf(query, side) } as const;
      parts.push(
        { ...first, nodes: side, handsOn: identity(near) },
        { ...first, nodes: side | (1 << far), handsOn: identity(far) },
      );
      const second = { rule: "split", handsOn: 0n, needed: neededOf(query, rest) } as const;
      parts.push(
        { ...second, nodes: rest, keyedBy: identity(far) },
        { ...second, nodes: rest | (1 << near), keyedBy: identity(near) },
      );
    }
  }
  return [...parts, ...parts.flatMap((part) => keyLookups(query, part)), ...entityLookups(query)];
}

/** Edges between two records that the query is about. */
function edgesWithin({ compiled, core }: CompiledQuery): readonly CompiledEdge[] {
  return compiled.edges.filter(
    ({ parent, child }) => ((core >> parent) & (core >> child) & 1) === 1,
  );
}

/** What an index on the part leaves out, looked up by the one record that identifies the part's rows. */
function keyLookups(query: CompiledQuery, part: Part): Part[] {
  const { compiled } = query;
  const root = nodesOf(part.nodes).find(
    (node) =>
      (determinedNodes(compiled, compiled.identifiers[node] as ColumnSet) & part.nodes) ===
      part.nodes,
  );
  if (root === undefined) return [];
  const filtered = query.predicates.reduce((set, { class: id }) => set | (1n << BigInt(id)), 0n);
  const lookup = {
    rule: "key lookup",
    nodes: part.nodes,
    keyedBy: compiled.identifiers[root] as ColumnSet,
    handsOn: part.handsOn,
  } as const;
  return [
    { ...lookup, needed: part.needed },
    { ...lookup, needed: part.needed & ~(filtered & ~query.output) },
  ];
}

function entityLookups(query: CompiledQuery): Part[] {
  const { compiled, core } = query;
  return nodesOf(core).flatMap((node): Part[] => {
    const nodes = 1 << node;
    const lookup = {
      rule: "entity lookup",
      nodes,
      keyedBy: compiled.identifiers[node] as ColumnSet,
      needed: neededOf(query, nodes),
    } as const;
    const parents = edgesWithin(query).reduce(
      (set, edge) =>
        edge.child === node && edge.mandatory
          ? set | (compiled.identifiers[edge.parent] as ColumnSet)
          : set,
      0n,
    );
    return parents === 0n
      ? [{ ...lookup, handsOn: 0n }]
      : [
          { ...lookup, handsOn: 0n },
          { ...lookup, handsOn: parents },
        ];
  });
}

/** Classes of the answer and of the predicates that the nodes hold. */
function neededOf(query: CompiledQuery, nodes: NodeSet): ColumnSet {
  const wanted = query.predicates.reduce(
    (set, { class: id }) => set | (1n << BigInt(id)),
    query.output,
  );
  return classesOf(wanted).reduce(
    (set, id) =>
      ((query.compiled.nodesOfClass[id] as NodeSet) & nodes) !== 0 ? set | (1n << BigInt(id)) : set,
    0n,
  );
}

/** A column family in terms of a query's classes. */
interface Layout {
  readonly rule: CandidateRule;
  readonly nodes: NodeSet;
  readonly partition: readonly number[];
  readonly leading: readonly CompiledOrdering[];
  /** Held after the leading columns: identifiers in the clustering key, the rest as values. */
  readonly held: ColumnSet;
}

function layoutsOf(query: CompiledQuery, part: Part): Layout[] {
  const isLookup = part.rule === "entity lookup" || part.rule === "key lookup";
  const inside = (id: number): boolean =>
    id === 0 ? !isLookup : ((query.compiled.nodesOfClass[id] as NodeSet) & part.nodes) !== 0;
  const { nodes } = part;
  const materialised = part.needed | part.handsOn;
  if (isLookup)
    return [
      {
        rule: part.rule,
        nodes,
        partition: classesOf(part.keyedBy),
        leading: [],
        held: materialised,
      },
    ];

  // By name, so that the order in which conditions are written does not tell tables apart.
  const equalities = [...query.equalOn.keys()]
    .filter((id) => inside(id) && !has(part.keyedBy, id))
    .sort((a, b) => compareText(nameOf(query.compiled, a), nameOf(query.compiled, b)));
  const tails = tailsOf(query, part, inside);
  return keyRoles(part.keyedBy, equalities).flatMap(({ partition, clustering, relaxed }) =>
    tails.flatMap((tail): Layout[] => {
      const bound = clustering.map((id) => ({ class: id, direction: "asc" }) as const);
      const taken = new Set([...partition, ...clustering]);
      const leading = [...bound, ...tail.columns.filter((column) => !taken.has(column.class))];
      const rule = relaxed || tail.relaxed ? "relaxed" : part.rule;
      return [
        { rule, nodes, partition, leading, held: materialised },
        { rule: "index", nodes, partition, leading, held: part.handsOn },
      ];
    }),
  );
}

/**
 * Support queries come by the hundred and know a whole identifier: keyed by it, and nothing relaxed.
 * The one that finds the records of a condition may have a range, which then leads the clustering key.
 */
function supportLayouts(query: CompiledQuery): Layout[] {
  return partsOf(query)
    .flatMap((part) => layoutsOf(query, part))
    .filter(
      ({ rule, leading }) =>
        rule !== "relaxed" &&
        rule !== "index" &&
        leading.every((column) => query.rangeOn.has(column.class)),
    );
}

function nameOf({ graph, members }: CompiledGraph, id: number): string {
  return columnText(graph, members[id]?.[0] as ColumnReference);
}

/** Where the columns bound by `=`, IN or an earlier Get stand. */
interface KeyRoles {
  readonly partition: readonly number[];
  readonly clustering: readonly number[];
  /** Some equality is left to the values. */
  readonly relaxed: boolean;
}

/** All ways to give each equality a place, at least one in the partition key; the handed-in identifier is never relaxed. */
function keyRoles(keyedBy: ColumnSet, equalities: readonly number[]): KeyRoles[] {
  const joins = classesOf(keyedBy);
  let all: KeyRoles[] = [{ partition: joins, clustering: [], relaxed: false }];
  if (joins.length > 0) all.push({ partition: [], clustering: joins, relaxed: false });
  for (const id of equalities)
    all = all.flatMap((roles) => [
      { ...roles, partition: [...roles.partition, id] },
      // The constant column tells no rows of a partition apart.
      ...(id === 0 ? [] : [{ ...roles, clustering: [...roles.clustering, id] }]),
      { ...roles, relaxed: true },
    ]);
  return all.filter(({ partition }) => partition.length > 0);
}

/** What may follow the bound columns: nothing, one range, the order, the groups, or the groups in an order that serves both. */
function tailsOf(
  query: CompiledQuery,
  part: Part,
  inside: (id: number) => boolean,
): { columns: readonly CompiledOrdering[]; relaxed: boolean }[] {
  const ascending = (id: number): CompiledOrdering => ({ class: id, direction: "asc" });
  const ranges = [...query.rangeOn.keys()].filter(inside);
  const order =
    query.order && query.order.length > 0 && query.order.every((each) => inside(each.class))
      ? normalised(query.order)
      : [];
  const groups = classesOf(query.grouping).filter((id) => query.equalOn.get(id)?.kind !== "equal");
  const grouping = part.rule === "whole query" ? groups : [];
  const rest = (used: readonly CompiledOrdering[]): CompiledOrdering[] =>
    grouping.filter((id) => !used.some((each) => each.class === id)).map(ascending);
  const full = [
    ...ranges.map((id) => [ascending(id)]),
    ...(order.length > 0 ? [order] : []),
    ...(grouping.length > 0 ? [rest([])] : []),
    ...(grouping.length > 0 && order.length > 0 ? [[...order, ...rest(order)]] : []),
    ...ranges
      .filter((id) => grouping.includes(id))
      .map((id) => [ascending(id), ...rest([ascending(id)])]),
  ].map((columns) => ({ columns, relaxed: false }));
  return [...full, { columns: [], relaxed: full.length > 0 }];
}

/** Exact reverses share one table: the first column of an order is stored ascending. */
function normalised(order: readonly CompiledOrdering[]): CompiledOrdering[] {
  const flip = order[0]?.direction === "desc";
  return order.map(({ class: id, direction }) => ({
    class: id,
    direction: (direction === "desc") === flip ? "asc" : "desc",
  }));
}

/** The family of a layout; two where it holds counters beside other values. */
function familiesOf(
  entityGraph: EntityGraph,
  from: CompiledGraph,
  layout: Layout,
  sizeFactor: number,
): ColumnFamily[] {
  const used = layout.leading.reduce(
    (set, { class: id }) => set | (1n << BigInt(id)),
    layout.partition.reduce((set, id) => set | (1n << BigInt(id)), layout.held),
  );
  const nodes = withoutNamedParents(from, layout.nodes, used);
  const { graph, renumbering } = subgraph(from, nodes);
  const compiled = compileGraph(entityGraph, graph);
  const column = (id: number): ColumnReference => {
    if (id === 0) return { node: -1, attribute: "*" };
    const member = from.members[id]?.find(({ node }) => (renumbering[node] ?? -1) >= 0);
    if (!member) throw new Error("a layout uses a column that its nodes do not hold");
    return representative(
      compiled,
      compiled.classOf({ node: renumbering[member.node] as number, attribute: member.attribute }),
    );
  };
  const byText = (a: ColumnReference, b: ColumnReference): number =>
    compareText(columnText(graph, a), columnText(graph, b));

  const partitionKey = layout.partition.map(column).sort(byText);
  const boundCount = layout.leading.length;
  const leading: ClusteringColumn[] = layout.leading.map(({ class: id, direction }) => ({
    ...column(id),
    direction,
  }));
  const keys = new Set([...partitionKey, ...leading].map((each) => columnText(graph, each)));
  const held = classesOf(layout.held)
    .filter((id) => id !== 0)
    .map(column)
    .filter((each) => !keys.has(columnText(graph, each)));
  const identifying = identifyingColumns(compiled, [...partitionKey, ...leading], held);
  const tail = identifying.sort(byText).map((each) => ({ ...each, direction: "asc" }) as const);
  const inKey = new Set([...keys, ...tail.map((each) => columnText(graph, each))]);
  const shape = {
    graph,
    partitionKey,
    clusteringKey: [...leading.slice(0, boundCount), ...tail],
    values: held.filter((each) => !inKey.has(columnText(graph, each))).sort(byText),
  };
  const isCounter = (each: ColumnReference): boolean => isCounterAt(entityGraph, graph, each);
  const counters = shape.values.filter(isCounter);
  const others = shape.values.filter((each) => !isCounter(each));
  const parts = counters.length > 0 && others.length > 0 ? [others, counters] : [shape.values];
  return parts.map((values) => finish(entityGraph, { ...shape, values }, sizeFactor));
}

function finish(
  entityGraph: EntityGraph,
  shape: Pick<ColumnFamily, "graph" | "partitionKey" | "clusteringKey" | "values">,
  sizeFactor: number,
): ColumnFamily {
  const entities = shape.graph.nodes.map(({ entity }) => entity);
  const { text } = canonicalGraph(entityGraph, entities, shape.graph.edges);
  return {
    key: `${columnFamilyText(shape)} of ${text}`,
    ...shape,
    size: columnFamilySize(entityGraph, shape, sizeFactor),
  };
}

/** The column of a class to name it by: an entity's own attribute rather than a foreign key for it. */
export function representative(compiled: CompiledGraph, id: number): ColumnReference {
  const members = compiled.members[id] ?? [];
  const own = members.find(({ node, attribute }) => {
    const entity = compiled.entityGraph.entities[compiled.graph.nodes[node]?.entity ?? ""];
    return entity?.attributes.some(
      (each) => each.name === attribute && each.foreignKeyOf === undefined,
    );
  });
  return (own ?? members[0]) as ColumnReference;
}

/**
 * Columns to add to the key: identifiers among the held columns, and as many more as make the key
 * determine every record of the graph (identifiers implied by others are left out, §3).
 */
function identifyingColumns(
  compiled: CompiledGraph,
  key: readonly ColumnReference[],
  held: readonly ColumnReference[],
): ColumnReference[] {
  const identifiers = compiled.identifiers.reduce((all, each) => all | each, 0n);
  const added = held.filter((column) => has(identifiers, compiled.classOf(column)));
  let known = [...key, ...added].reduce(
    (set, column) => (column.node < 0 ? set : set | (1n << BigInt(compiled.classOf(column)))),
    0n,
  );
  const reach = (node: number): number =>
    nodesOf(determinedNodes(compiled, compiled.identifiers[node] as ColumnSet)).length;
  const order = compiled.graph.nodes
    .map((_, node) => node)
    .sort((a, b) => reach(b) - reach(a) || a - b);
  for (const node of order) {
    if ((determinedNodes(compiled, known) >> node) & 1) continue;
    for (const id of classesOf((compiled.identifiers[node] as ColumnSet) & ~known)) {
      added.push(representative(compiled, id));
      known |= 1n << BigInt(id);
    }
  }
  return added;
}

/** Unions of the values of families of different statements that agree in graph and keys: all together, and pair by pair. */
function* mergedFamilies(
  entityGraph: EntityGraph,
  pool: ReadonlyMap<ColumnFamilyKey, Candidate>,
  sizeFactor: number,
): Generator<{ columnFamily: ColumnFamily; statement: string }> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of pool.values()) {
    const { graph, partitionKey, clusteringKey, values } = candidate.columnFamily;
    const counters = values.some((each) => isCounterAt(entityGraph, graph, each));
    const key = JSON.stringify([graph, partitionKey, clusteringKey, counters]);
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  for (const group of groups.values()) {
    const wanted = valuesPerStatement(group);
    const statements = [...wanted.keys()].sort(compareText);
    if (statements.length < 2) continue;
    const { graph, partitionKey, clusteringKey } = (group[0] as Candidate).columnFamily;
    const pairs = statements.flatMap((a, index) => statements.slice(index + 1).map((b) => [a, b]));
    for (const members of [statements, ...pairs]) {
      const union = new Map(members.flatMap((statement) => [...(wanted.get(statement) ?? [])]));
      const values = [...union].sort(([a], [b]) => compareText(a, b)).map(([, column]) => column);
      yield {
        columnFamily: finish(
          entityGraph,
          { graph, partitionKey, clusteringKey, values },
          sizeFactor,
        ),
        statement: members[0] as string,
      };
    }
  }
}

/** All values that any of a statement's families in the group holds, by text. */
function valuesPerStatement(
  group: readonly Candidate[],
): Map<string, Map<string, ColumnReference>> {
  const wanted = new Map<string, Map<string, ColumnReference>>();
  for (const { columnFamily, proposals } of group) {
    for (const { statement } of proposals) {
      const values = wanted.get(statement) ?? new Map<string, ColumnReference>();
      wanted.set(statement, values);
      for (const column of columnFamily.values)
        values.set(columnText(columnFamily.graph, column), column);
    }
  }
  return wanted;
}
