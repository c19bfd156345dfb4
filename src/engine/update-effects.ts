/**
 * What an update does to a column family (engine.md §2, §5, §6): how many rows it puts and deletes
 * there, and which reads (**support queries**) find the keys and values that the statement itself
 * does not give.
 *
 *  - INSERT puts the join rows of the new record. It has no children yet, so only families count in
 *    which the statement connects it to every neighbour of the record.
 *  - UPDATE touches a family that holds a changed attribute; where that stands in the key, rows are
 *    deleted and put anew, for which all their columns are read.
 *  - DELETE deletes the rows of the record. A record with mandatory children cannot go before they
 *    do, so families that join such children have no row left to delete.
 *  - CONNECT and DISCONNECT put or delete the rows that the link joins; a child that gets another
 *    mandatory parent moves its rows.
 *
 * A support query knows the identifier of one record; where the statement has another condition, a
 * first one finds the identifiers, and the second runs once for each.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import { type EntityGraph, walkRole } from "#model/entity-graph.ts";
import { type ColumnReference, columnText } from "#model/query-graph.ts";
import type {
  Connect,
  Delete,
  Insert,
  Predicate,
  Query,
  Statement,
  Update,
} from "#model/statement.ts";
import { expectedDistinct, rowsOfNodes } from "./cardinality.ts";
import {
  type ColumnSet,
  type CompiledEdge,
  type CompiledGraph,
  classesOf,
  compileGraph,
  has,
  type NodeSet,
  setOf,
  sideOf,
  subgraph,
} from "./column-classes.ts";
import { putCost } from "./cost-model.ts";

/** A statement that changes records. */
export type Change = Exclude<Statement, Query>;

/** One execution's work on a column family. */
export interface UpdateEffect {
  /** Expected rows put, and deleted. */
  readonly puts: number;
  readonly deletes: number;
  readonly support: readonly SupportRead[];
}

/** A read that an update needs, so many times per execution. */
export interface SupportRead {
  readonly query: Query;
  readonly times: number;
}

/** C′: milliseconds per execution for the rows themselves; support queries come on top. */
export function effectCost(model: CostModel, { puts, deletes }: UpdateEffect): number {
  return (puts > 0 ? putCost(model, puts) : 0) + (deletes > 0 ? putCost(model, deletes) : 0);
}

/** The effect of one execution on a column family; undefined when it touches none of its rows. */
export function effectOf(
  entityGraph: EntityGraph,
  statement: Change,
  columnFamily: ColumnFamily,
): UpdateEffect | undefined {
  const target = targetOf(entityGraph, columnFamily);
  const effects = effectsOn(target, statement).filter(({ puts, deletes }) => puts + deletes > 0);
  if (effects.length === 0) return undefined;
  return {
    puts: effects.reduce((sum, { puts }) => sum + puts, 0),
    deletes: effects.reduce((sum, { deletes }) => sum + deletes, 0),
    support: effects.flatMap(({ support }) => support),
  };
}

interface Target {
  readonly entityGraph: EntityGraph;
  readonly compiled: CompiledGraph;
  /** Classes of all columns, and of the key. */
  readonly columns: ColumnSet;
  readonly key: ColumnSet;
}

function targetOf(entityGraph: EntityGraph, columnFamily: ColumnFamily): Target {
  const compiled = compileGraph(entityGraph, columnFamily.graph);
  const classes = (columns: readonly ColumnReference[]): ColumnSet =>
    setOf(columns.map((column) => compiled.classOf(column))) & ~1n;
  return {
    entityGraph,
    compiled,
    columns: classes(columnsOf(columnFamily)),
    key: classes([...columnFamily.partitionKey, ...columnFamily.clusteringKey]),
  };
}

function effectsOn(target: Target, statement: Change): UpdateEffect[] {
  switch (statement.kind) {
    case "insert":
      return nodesWith(target, statement.entity).map((node) => insertAt(target, statement, node));
    case "update":
      return nodesWith(target, targetEntity(statement)).map((node) =>
        updateAt(target, statement, node),
      );
    case "delete":
      return nodesWith(target, targetEntity(statement)).map((node) =>
        deleteAt(target, statement, node),
      );
    case "connect":
    case "disconnect":
      return connectEffects(target, statement);
  }
}

function targetEntity({ graph, target }: Update | Delete): string {
  return graph.nodes[target]?.entity ?? "";
}

function nodesWith({ compiled }: Target, entity: string): number[] {
  return [...compiled.graph.nodes.entries()].flatMap(([node, each]) =>
    each.entity === entity ? [node] : [],
  );
}

const noEffect: UpdateEffect = { puts: 0, deletes: 0, support: [] };

/** The new record's join rows: the product of what hangs on each neighbour it is connected to. */
function insertAt(target: Target, statement: Insert, node: number): UpdateEffect {
  const { compiled, entityGraph, columns, key } = target;
  const entity = entityGraph.entities[statement.entity];
  const given = new Set([...statement.assignments.map(({ attribute }) => attribute)]);
  const connected = new Set(statement.connections.map(({ role }) => role));
  const unset = (entity?.attributes ?? []).filter(
    ({ name, foreignKeyOf }) =>
      foreignKeyOf === undefined && !given.has(name) && !heldForParent(target, statement, name),
  );
  // A row whose key would hold a null does not exist.
  if (unset.some(({ name }) => has(key, compiled.classOf({ node, attribute: name }))))
    return noEffect;
  let puts = 1;
  const support: SupportRead[] = [];
  for (const edge of edgesAt(compiled, node)) {
    const neighbour = otherEnd(edge, node);
    if (!connected.has(roleAcross(entityGraph, edge, node))) return noEffect;
    const side = sideOf(compiled, neighbour, node);
    puts *= rowsOfNodes(compiled, side) / rowsOfNodes(compiled, 1 << neighbour);
    support.push(...readSide(target, side, neighbour, columns));
  }
  return { puts, deletes: 0, support };
}

/** An own attribute that a connection sets, because the relationship is bound to it. */
function heldForParent(
  { entityGraph }: Target,
  { entity, connections }: Insert,
  attribute: string,
): boolean {
  return connections.some(({ role }) => {
    const walk = walkRole(entityGraph, entity, role);
    return (
      walk?.toEnd === 0 && walk.relationship.foreignKey.some(({ child }) => child === attribute)
    );
  });
}

function updateAt(target: Target, statement: Update, node: number): UpdateEffect {
  const { compiled, columns, key } = target;
  const changed = setOf(
    statement.assignments.map(({ attribute }) => compiled.classOf({ node, attribute })),
  );
  if ((changed & columns) === 0n) return noEffect;
  const moves = (changed & key) !== 0n;
  const { matched, support } = findRecords(target, statement);
  const rows =
    (matched * rowsOfNodes(compiled, compiled.allNodes)) / rowsOfNodes(compiled, 1 << node);
  const reads = readSide(target, compiled.allNodes, node, moves ? columns : key);
  return {
    puts: rows,
    deletes: moves ? rows : 0,
    support: [...support, ...reads.map((read) => ({ ...read, times: read.times * matched }))],
  };
}

function deleteAt(target: Target, statement: Delete, node: number): UpdateEffect {
  const { compiled, key } = target;
  const hasChildren = edgesAt(compiled, node).some(
    ({ parent, mandatory }) => parent === node && mandatory,
  );
  if (hasChildren) return noEffect;
  const { matched, support } = findRecords(target, statement);
  const rows =
    (matched * rowsOfNodes(compiled, compiled.allNodes)) / rowsOfNodes(compiled, 1 << node);
  const reads = readSide(target, compiled.allNodes, node, key);
  return {
    puts: 0,
    deletes: rows,
    support: [...support, ...reads.map((read) => ({ ...read, times: read.times * matched }))],
  };
}

/** How many records a condition finds, and the read that finds their identifiers where it does not name one. */
function findRecords(
  { entityGraph }: Target,
  statement: Update | Delete,
): { readonly matched: number; readonly support: readonly SupportRead[] } {
  const { graph, target, predicates } = statement;
  const compiled = compileGraph(entityGraph, graph);
  const identifier = compiled.identifiers[target] as ColumnSet;
  const named = predicates.every(
    ({ kind, column }) => kind === "equal" && has(identifier, compiled.classOf(column)),
  );
  const all = setOf(predicates.map(({ column }) => compiled.classOf(column)));
  if (named && (all & identifier) === identifier) return { matched: 1, support: [] };
  const share = (chosen: readonly Predicate[]): number =>
    chosen.reduce((product, predicate) => product * selectivity(compiled, predicate), 1);
  const own = predicates.filter(({ column }) => column.node === target);
  const records = rowsOfNodes(compiled, 1 << target) * share(own);
  const rows = rowsOfNodes(compiled, compiled.allNodes) * share(predicates);
  const query = lookup(compiled, compiled.allNodes, classesOf(identifier), predicates);
  return { matched: expectedDistinct(records, rows), support: query ? [{ query, times: 1 }] : [] };
}

function selectivity(compiled: CompiledGraph, predicate: Predicate): number {
  if (predicate.kind === "range") return predicate.selectivity;
  const distinct = compiled.distinctOfClass[compiled.classOf(predicate.column)] ?? 1;
  return predicate.kind === "in" ? Math.min(1, predicate.listLength / distinct) : 1 / distinct;
}

function connectEffects(target: Target, statement: Connect): UpdateEffect[] {
  const { entityGraph, compiled } = target;
  const { entity, connection, kind } = statement;
  const walk = walkRole(entityGraph, entity, connection.role);
  if (!walk) return [];
  const { relationship, toEnd } = walk;
  if (relationship.multiplicity !== "manyToMany" && !relationship.optional)
    return nodesWith(target, relationship.ends[1].entity).map((node) =>
      reparentAt(target, relationship.id, node),
    );
  return compiled.edges
    .filter((edge) => edge.relationship === relationship.id)
    .map((edge): UpdateEffect => {
      const from = toEnd === 1 ? edge.parent : edge.child;
      const to = otherEnd(edge, from);
      const wanted = kind === "connect" ? target.columns : target.key;
      const sides = [
        { side: sideOf(compiled, from, to), at: from },
        { side: sideOf(compiled, to, from), at: to },
      ];
      const rows = sides.reduce(
        (product, { side, at }) =>
          (product * rowsOfNodes(compiled, side)) / rowsOfNodes(compiled, 1 << at),
        1,
      );
      const support = sides.flatMap(({ side, at }) => readSide(target, side, at, wanted));
      return kind === "connect"
        ? { puts: rows, deletes: 0, support }
        : { puts: 0, deletes: rows, support };
    });
}

/** A child gets another mandatory parent: the rows that hold or join its key move. */
function reparentAt(target: Target, relationship: string, child: number): UpdateEffect {
  const { entityGraph, compiled, columns, key } = target;
  const held = entityGraph.relationships.find(({ id }) => id === relationship)?.foreignKey ?? [];
  const classes = setOf(
    held.map((pair) => compiled.classOf({ node: child, attribute: pair.child })),
  );
  const edge = compiled.edges.find(
    (each) => each.relationship === relationship && each.child === child,
  );
  if (!edge && (classes & columns) === 0n) return noEffect;
  const rows = rowsOfNodes(compiled, compiled.allNodes) / rowsOfNodes(compiled, 1 << child);
  // Where the parent is not joined and its key is a mere value, the row stays and is overwritten.
  const moves = edge !== undefined || (classes & key) !== 0n;
  const old = readSide(target, compiled.allNodes, child, moves ? columns : key);
  const fresh = edge
    ? readSide(target, sideOf(compiled, edge.parent, child), edge.parent, columns)
    : [];
  return { puts: rows, deletes: moves ? rows : 0, support: [...old, ...fresh] };
}

/** Reads what `wanted` asks of the side beyond what the identifier of the record at hand tells. */
function readSide(target: Target, side: NodeSet, at: number, wanted: ColumnSet): SupportRead[] {
  const { compiled } = target;
  const known = compiled.identifiers[at] as ColumnSet;
  const classes = classesOf(wanted & ~known).filter(
    (id) => ((compiled.nodesOfClass[id] as NodeSet) & side) !== 0,
  );
  const predicates = classesOf(known).map((id): Predicate => {
    const column = compiled.members[id]?.find(({ node }) => node === at) as ColumnReference;
    return { kind: "equal", column, operand: { kind: "parameter" } };
  });
  const query = lookup(compiled, side, classes, predicates);
  return query ? [{ query, times: 1 }] : [];
}

/** The query for some classes over some nodes; undefined when it asks for nothing. Equal questions get equal ids. */
function lookup(
  compiled: CompiledGraph,
  nodes: NodeSet,
  classes: readonly number[],
  predicates: readonly Predicate[],
): Query | undefined {
  if (classes.length === 0) return undefined;
  const { graph, renumbering } = subgraph(compiled, nodes);
  const moved = (column: ColumnReference): ColumnReference => ({
    node: renumbering[column.node] as number,
    attribute: column.attribute,
  });
  const columns = classes.map((id) => {
    const inside = compiled.members[id]?.find(({ node }) => (renumbering[node] ?? -1) >= 0);
    return moved(inside as ColumnReference);
  });
  const conditions = predicates.map((predicate) => ({
    ...predicate,
    column: moved(predicate.column),
  }));
  const names = columns.map((column) => columnText(graph, column)).sort();
  const by = conditions.map(({ column, kind }) => `${columnText(graph, column)} ${kind}`).sort();
  const roles = graph.edges.map(({ relationship }) => relationship).join();
  const text = `${names.join(", ")} by ${by.join(", ")}`;
  return {
    kind: "query",
    id: `support: ${text}${roles ? ` over ${roles}` : ""}`,
    label: text,
    group: "support queries",
    text,
    graph,
    select: columns.map((column) => ({ kind: "column", column })),
    predicates: conditions,
    groupBy: [],
    orderBy: [],
  };
}

function edgesAt(compiled: CompiledGraph, node: number): CompiledEdge[] {
  return compiled.edges.filter(({ parent, child }) => parent === node || child === node);
}

function otherEnd({ parent, child }: CompiledEdge, node: number): number {
  return parent === node ? child : parent;
}

/** The role by which the edge is walked from a node. */
function roleAcross(entityGraph: EntityGraph, edge: CompiledEdge, node: number): string {
  const relationship = entityGraph.relationships.find(({ id }) => id === edge.relationship);
  return relationship?.ends[edge.parent === node ? 1 : 0].role ?? "";
}
