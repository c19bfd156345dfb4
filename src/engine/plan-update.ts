/**
 * How an update keeps a column family true (engine.md §2, §5, §6): which rows it puts, deletes or
 * changes, and which reads (**support queries**) find the keys and values that the statement itself
 * does not give.
 *
 *  - INSERT puts the join rows of the new record: what hangs on each neighbour that the statement
 *    connects it to. A family that joins a neighbour it is not connected to gets no row.
 *  - UPDATE changes the rows that hold a changed attribute; where that stands in the key, they are
 *    deleted and put anew, for which all their columns are read.
 *  - DELETE deletes the rows of the record. A record with mandatory children cannot go before they
 *    do, so families that join such children have no row left to delete.
 *  - CONNECT and DISCONNECT put or delete the rows that the link joins; a child that gets another
 *    mandatory parent changes its rows, or takes them to where the new parent's rows are.
 *
 * A family's graph may hold the changed entity or relationship at several **places**, so that a row
 * holds the record or link more than once. Old rows are found for each place by itself; rows that are
 * new are the join rows in which the record or link stands at exactly some places, for each set of
 * places: the graph without it there falls into pieces, and each piece is read as it was before.
 *
 * Support queries know identifiers; where the statement has another condition, `find` gets the
 * identifiers first, and the reads run once for each. An update is expected to keep to what the
 * conceptual model says: a record named by its identifier exists, an inserted one does not, a link to
 * be broken is there, and a record gets no second parent.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import { type EntityGraph, type Relationship, walkRole } from "#model/entity-graph.ts";
import type { GivenColumn, RowChange, SupportRead, UpdatePlan, UpdateValue } from "#model/plan.ts";
import {
  type ColumnReference,
  columnText,
  compareText,
  type QueryGraph,
} from "#model/query-graph.ts";
import type {
  Connect,
  Delete,
  Insert,
  Predicate,
  Query,
  Statement,
  Update,
} from "#model/statement.ts";
import { rowsOfNodes } from "./cardinality.ts";
import {
  type ColumnSet,
  type CompiledEdge,
  type CompiledGraph,
  classesOf,
  compileGraph,
  has,
  type NodeSet,
  nodesOf,
  setOf,
  sideOf,
  subgraph,
  withMandatoryParents,
} from "./column-classes.ts";

/** A statement that changes records. */
export type Change = Exclude<Statement, Query>;

/** The plan of an update for a column family; undefined when it touches none of its rows. */
export function planUpdate(
  entityGraph: EntityGraph,
  statement: Change,
  columnFamily: ColumnFamily,
): UpdatePlan | undefined {
  const target = targetOf(entityGraph, columnFamily);
  const { find, changes } = changesOf(target, statement);
  const some = changes.filter(({ puts, deletes }) => puts + deletes > 0);
  if (some.length === 0) return undefined;
  return {
    statement: statement.id,
    columnFamily: columnFamily.key,
    ...(find && { find }),
    changes: some,
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

function changesOf(
  target: Target,
  statement: Change,
): { readonly find?: UpdatePlan["find"]; readonly changes: readonly RowChange[] } {
  switch (statement.kind) {
    case "insert":
      return { changes: insertedRows(target, statement) };
    case "update":
    case "delete": {
      const records = findRecords(target.entityGraph, statement);
      const nodes = nodesWith(target, statement.graph.nodes[statement.target]?.entity ?? "");
      const changes = nodes.flatMap((node) =>
        statement.kind === "update"
          ? updatedRows(target, statement, node, records)
          : deletedRows(target, node, records),
      );
      return { ...(records.find && { find: records.find }), changes };
    }
    case "connect":
    case "disconnect":
      return { changes: linkedRows(target, statement) };
  }
}

function nodesWith({ compiled }: Target, entity: string): number[] {
  return [...compiled.graph.nodes.entries()].flatMap(([node, each]) =>
    each.entity === entity ? [node] : [],
  );
}

/** A record that the statement names, standing at a node of the family's graph. */
interface Anchor {
  readonly node: number;
  /** One value per identifier attribute. */
  readonly identifier: readonly UpdateValue[];
}

function givenBy({ entityGraph, compiled }: Target, anchors: readonly Anchor[]): GivenColumn[] {
  return anchors.flatMap(({ node, identifier }) => {
    const entity = entityGraph.entities[compiled.graph.nodes[node]?.entity ?? ""];
    return (entity?.identifier ?? []).map((attribute, index) => ({
      column: { node, attribute },
      value: identifier[index] as UpdateValue,
    }));
  });
}

const noRows: Omit<RowChange, "kind"> = {
  given: [],
  reads: [],
  except: [],
  sets: [],
  renews: [],
  puts: 0,
  deletes: 0,
};

// --- INSERT -----------------------------------------------------------------------------------------

/** The new record's join rows: the product of what hangs on each neighbour it is connected to. */
function insertedRows(target: Target, statement: Insert): RowChange[] {
  const { compiled } = target;
  return subsetsOf(nodesWith(target, statement.entity)).flatMap((places) => {
    const edges = places.flatMap((node) => edgesAt(compiled, node).map((edge) => ({ node, edge })));
    // A new record is not connected to itself.
    if (edges.some(({ node, edge }) => places.includes(otherEnd(edge, node)))) return [];
    const own = places.flatMap((node) => valuesOfNew(target, statement, node));
    const choices = edges.map(({ node, edge }) => neighboursOf(target, statement, node, edge));
    const rest = compiled.allNodes & ~maskOf(places);
    return combinationsOf(choices).map((anchors) =>
      putRows(target, own, anchors, piecesOf(compiled, rest, compiled.edges)),
    );
  });
}

/** The values of all attributes of the new record. */
function valuesOfNew({ entityGraph }: Target, statement: Insert, node: number): GivenColumn[] {
  const { entity: name, assignments, connections } = statement;
  const held = new Map<string, UpdateValue>();
  connections.forEach(({ role }, connection) => {
    const walk = walkRole(entityGraph, name, role);
    if (walk?.toEnd !== 0) return;
    const parent = entityGraph.entities[walk.relationship.ends[0].entity];
    for (const key of walk.relationship.foreignKey) {
      const index = parent?.identifier.indexOf(key.parent) ?? -1;
      held.set(key.child, { kind: "connection", connection, index });
    }
  });
  return (entityGraph.entities[name]?.attributes ?? []).map(({ name: attribute }) => {
    const index = assignments.findIndex((each) => each.attribute === attribute);
    const value: UpdateValue =
      index >= 0
        ? { kind: "assignment", index }
        : (held.get(attribute) ?? { kind: "default", attribute });
    return { column: { node, attribute }, value };
  });
}

/** The records that the new one may be linked to across an edge, one way each; none where it is not connected. */
function neighboursOf(
  target: Target,
  statement: Insert,
  node: number,
  edge: CompiledEdge,
): Anchor[] {
  const { entityGraph } = target;
  const relationship = relationshipOf(entityGraph, edge.relationship);
  const neighbour = otherEnd(edge, node);
  if (edge.child === node && relationship.foreignKey.length > 0) {
    const values = valuesOfNew(target, statement, node);
    const parent = entityGraph.entities[relationship.ends[0].entity];
    const identifier = (parent?.identifier ?? []).map((attribute) => {
      const held = relationship.foreignKey.find((key) => key.parent === attribute)?.child;
      return values.find(({ column }) => column.attribute === held)?.value as UpdateValue;
    });
    return [{ node: neighbour, identifier }];
  }
  const role = relationship.ends[edge.parent === node ? 1 : 0].role;
  return statement.connections.flatMap((connection, index) =>
    connection.role === role
      ? [{ node: neighbour, identifier: connectionValues(connection.operands.length, index) }]
      : [],
  );
}

function connectionValues(count: number, connection: number): UpdateValue[] {
  return Array.from({ length: count }, (_, index) => ({ kind: "connection", connection, index }));
}

/** Rows put together from pieces of the family's graph, each found by the records that stand in it. */
function putRows(
  target: Target,
  own: readonly GivenColumn[],
  anchors: readonly Anchor[],
  pieces: readonly NodeSet[],
  except: readonly (readonly GivenColumn[])[] = [],
): RowChange {
  const { compiled, columns } = target;
  const given = [...own, ...givenBy(target, anchors)];
  // Where a node has two names, the rows are there only if both name the same record.
  const chance = anchors.reduce(
    (share, { node }, index) =>
      anchors.findIndex((each) => each.node === node) < index
        ? share / rowsOfNodes(compiled, 1 << node)
        : share,
    1,
  );
  const excluded = setOf(
    except.flatMap((record) => record.map(({ column }) => compiled.classOf(column))),
  );
  let puts = chance;
  const reads = pieces.flatMap((piece) => {
    const inside = distinctNodes(anchors).filter((node) => (piece >> node) & 1);
    puts *= rowsOfNodes(compiled, piece);
    for (const node of inside) puts /= rowsOfNodes(compiled, 1 << node);
    return readPiece(target, piece, inside, given, columns | excluded, {
      exists: true,
      times: chance,
    });
  });
  return { ...noRows, kind: "put", given, reads, except, puts };
}

// --- UPDATE and DELETE ------------------------------------------------------------------------------

/** The records that a condition means. */
interface Records {
  /** Expected number. */
  readonly matched: number;
  /** Where each one's identifier comes from. */
  readonly identifier: readonly UpdateValue[];
  /** The read that finds the identifiers, where the condition does not name one record. */
  readonly find: UpdatePlan["find"] | undefined;
}

function updatedRows(
  target: Target,
  { assignments }: Update,
  node: number,
  { matched, identifier }: Records,
): RowChange[] {
  const { compiled, columns, key } = target;
  const sets = assignments.flatMap(({ attribute }, index): GivenColumn[] => {
    const column = { node, attribute };
    return has(columns, compiled.classOf(column))
      ? [{ column, value: { kind: "assignment", index } }]
      : [];
  });
  if (sets.length === 0) return [];
  const moves = sets.some(({ column }) => has(key, compiled.classOf(column)));
  const given = givenBy(target, [{ node, identifier }]);
  const rows =
    (matched * rowsOfNodes(compiled, compiled.allNodes)) / rowsOfNodes(compiled, 1 << node);
  const reads = readPiece(target, compiled.allNodes, [node], given, moves ? columns : key, {
    exists: true,
    times: matched,
  });
  return [{ ...noRows, kind: "change", given, reads, sets, puts: rows, deletes: moves ? rows : 0 }];
}

function deletedRows(target: Target, node: number, { matched, identifier }: Records): RowChange[] {
  const hasChildren = edgesAt(target.compiled, node).some(
    ({ parent, mandatory }) => parent === node && mandatory,
  );
  return hasChildren ? [] : [oldRows(target, { node, identifier }, matched)];
}

/** The rows in which a record stands at a node are deleted. */
function oldRows(target: Target, anchor: Anchor, times: number): RowChange {
  const { compiled, key } = target;
  const given = givenBy(target, [anchor]);
  // Deleting a row that is not there does no harm, so it need not be known to be there.
  const reads = readPiece(target, compiled.allNodes, [anchor.node], given, key, {
    exists: false,
    times,
  });
  const rows = rowsOfNodes(compiled, compiled.allNodes) / rowsOfNodes(compiled, 1 << anchor.node);
  // Without a read the one row that there may be is deleted unseen.
  return {
    ...noRows,
    kind: "delete",
    given,
    reads,
    deletes: times * (reads.length > 0 ? rows : 1),
  };
}

/** How many records a condition means, and the read that finds their identifiers where it does not name one. */
function findRecords(entityGraph: EntityGraph, statement: Update | Delete): Records {
  const { graph, target, predicates } = statement;
  const compiled = compileGraph(entityGraph, graph);
  const entity = entityGraph.entities[graph.nodes[target]?.entity ?? ""];
  const classes = (entity?.identifier ?? []).map((attribute) =>
    compiled.classOf({ node: target, attribute }),
  );
  const identifier = compiled.identifiers[target] as ColumnSet;
  const byClass = predicates.map(({ column }) => compiled.classOf(column));
  // Beside the identifier there must be nothing that could be untrue, such as a parent that may be missing.
  const named =
    predicates.every(
      ({ kind }, index) => kind === "equal" && has(identifier, byClass[index] as number),
    ) &&
    new Set(byClass).size === byClass.length &&
    setOf(byClass) === identifier &&
    withMandatoryParents(compiled, 1 << target) === compiled.allNodes;
  if (named)
    return {
      matched: 1,
      identifier: classes.map((id) => ({ kind: "predicate", index: byClass.indexOf(id) })),
      find: undefined,
    };
  const share = (own: boolean): number =>
    predicates
      .filter(({ column }) => (column.node === target) === own)
      .reduce((product, predicate) => product * selectivity(compiled, predicate), 1);
  const records = rowsOfNodes(compiled, 1 << target);
  const rowsPerRecord = rowsOfNodes(compiled, compiled.allNodes) / records;
  const { query, columns, order } = lookup(
    compiled,
    compiled.allNodes,
    classesOf(identifier),
    predicates,
  );
  const selected = columns.map((column) => compiled.classOf(column));
  return {
    matched: records * share(true) * atLeastOneOf(rowsPerRecord, share(false)),
    identifier: classes.map((id) => ({ kind: "found", index: selected.indexOf(id) })),
    find: { query, predicates: order },
  };
}

/** The chance that one of `count` rows at least passes a condition that a `share` of all rows passes; a record has one row at most where `count` ≤ 1. */
function atLeastOneOf(count: number, share: number): number {
  return count <= 1 ? count * share : 1 - (1 - share) ** count;
}

function selectivity(compiled: CompiledGraph, predicate: Predicate): number {
  if (predicate.kind === "range") return predicate.selectivity;
  const distinct = compiled.distinctOfClass[compiled.classOf(predicate.column)] ?? 1;
  return predicate.kind === "in" ? Math.min(1, predicate.listLength / distinct) : 1 / distinct;
}

// --- CONNECT and DISCONNECT -------------------------------------------------------------------------

function linkedRows(target: Target, statement: Connect): RowChange[] {
  const { entityGraph, compiled } = target;
  const { entity, operands, connection, kind } = statement;
  const walk = walkRole(entityGraph, entity, connection.role);
  if (!walk) return [];
  const { relationship, toEnd } = walk;
  const record = operands.map((_, index): UpdateValue => ({ kind: "record", index }));
  const other = connectionValues(connection.operands.length, 0);
  const [parent, child] = toEnd === 1 ? [record, other] : [other, record];
  if (relationship.foreignKey.length > 0)
    return reparentedRows(target, relationship, parent, child);
  const places = compiled.edges.filter((edge) => edge.relationship === relationship.id);
  const anchorsAt = (edge: CompiledEdge): Anchor[] => [
    { node: edge.parent, identifier: parent },
    { node: edge.child, identifier: child },
  ];
  if (kind === "disconnect")
    return places.map((edge) => unlinkedRows(target, edge, anchorsAt(edge)));
  return subsetsOf(places).map((edges) =>
    putRows(
      target,
      [],
      edges.flatMap(anchorsAt),
      piecesOf(
        compiled,
        compiled.allNodes,
        compiled.edges.filter((edge) => !edges.includes(edge)),
      ),
    ),
  );
}

/** The rows that a link joins at one place are deleted. */
function unlinkedRows(target: Target, edge: CompiledEdge, anchors: readonly Anchor[]): RowChange {
  const { compiled, key } = target;
  const given = givenBy(target, anchors);
  let deletes = 1;
  const reads = anchors.flatMap(({ node }) => {
    const side = sideOf(compiled, node, otherEnd(edge, node));
    const read = readPiece(target, side, [node], given, key, { exists: false, times: 1 });
    if (read.length > 0) deletes *= rowsOfNodes(compiled, side) / rowsOfNodes(compiled, 1 << node);
    return read;
  });
  return { ...noRows, kind: "delete", given, reads, deletes };
}

/** A place of a child that gets another mandatory parent. */
interface ChildPlace {
  readonly node: number;
  /** Towards the parent, where the family joins it. */
  readonly edge: CompiledEdge | undefined;
  /** The foreign key, with the values of the new parent. */
  readonly held: readonly GivenColumn[];
}

/** A child gets another mandatory parent: the rows that hold or join its key change. */
function reparentedRows(
  target: Target,
  relationship: Relationship,
  parent: readonly UpdateValue[],
  child: readonly UpdateValue[],
): RowChange[] {
  const { entityGraph, compiled, columns } = target;
  const names = entityGraph.entities[relationship.ends[0].entity]?.identifier ?? [];
  const places = nodesWith(target, relationship.ends[1].entity).flatMap((node): ChildPlace[] => {
    const edge = compiled.edges.find(
      (each) => each.relationship === relationship.id && each.child === node,
    );
    const held = relationship.foreignKey.map(
      (key): GivenColumn => ({
        column: { node, attribute: key.child },
        value: parent[names.indexOf(key.parent)] as UpdateValue,
      }),
    );
    const holds = held.some(({ column }) => has(columns, compiled.classOf(column)));
    return edge || holds ? [{ node, edge, held }] : [];
  });
  const alone = places.length === 1;
  if (
    places.every(
      ({ edge, node }) => !edge || (alone && isSure(target, parentSide(target, edge), node)),
    )
  )
    return places.map((place) => changedParent(target, place, parent, child));
  return [
    ...places.map(({ node }) => oldRows(target, { node, identifier: child }, 1)),
    ...subsetsOf(places).map((some) => movedRows(target, places, some, parent, child)),
  ];
}

function parentSide({ compiled }: Target, { parent, child }: CompiledEdge): NodeSet {
  return sideOf(compiled, parent, child);
}

/** Every row of the child stays one row: what it holds of the parent and beyond is replaced. */
function changedParent(
  target: Target,
  { node, edge, held }: ChildPlace,
  parent: readonly UpdateValue[],
  child: readonly UpdateValue[],
): RowChange {
  const { compiled, columns, key } = target;
  const given = givenBy(target, [{ node, identifier: child }]);
  const far = edge ? parentSide(target, edge) : 0;
  const changed =
    setOf(held.map(({ column }) => compiled.classOf(column))) |
    (classesWithin(compiled, far) & ~classesWithin(compiled, compiled.allNodes & ~far));
  const moves = (changed & key) !== 0n;
  const anchors = edge ? [{ node: edge.parent, identifier: parent }] : [];
  const sets = [...held, ...givenBy(target, anchors)];
  const rows = rowsOfNodes(compiled, compiled.allNodes) / rowsOfNodes(compiled, 1 << node);
  return {
    ...noRows,
    kind: "change",
    given,
    reads: readPiece(
      target,
      compiled.allNodes,
      [node],
      given,
      moves ? key | (columns & ~changed) : key,
      { exists: true, times: 1 },
    ),
    sets,
    renews: edge
      ? readPiece(target, far, [edge.parent], sets, columns, { exists: true, times: 1 })
      : [],
    puts: rows,
    deletes: moves ? rows : 0,
  };
}

/** The rows in which the child stands at exactly some places, each with its new parent. */
function movedRows(
  target: Target,
  places: readonly ChildPlace[],
  some: readonly ChildPlace[],
  parent: readonly UpdateValue[],
  child: readonly UpdateValue[],
): RowChange {
  const { compiled } = target;
  const cut = some.flatMap(({ edge }) => edge ?? []);
  const anchors = [
    ...some.map(({ node }): Anchor => ({ node, identifier: child })),
    ...cut.map((edge): Anchor => ({ node: edge.parent, identifier: parent })),
  ];
  const others = places.filter((place) => !some.includes(place));
  return putRows(
    target,
    some.flatMap(({ held }) => held),
    anchors,
    piecesOf(
      compiled,
      compiled.allNodes,
      compiled.edges.filter((edge) => !cut.includes(edge)),
    ),
    others.map(({ node }) => givenBy(target, [{ node, identifier: child }])),
  );
}

// --- support queries --------------------------------------------------------------------------------

/**
 * Reads what `wanted` asks of a connected piece of the family's graph beyond what is given; the
 * records at `anchors` are known. Reads nothing where nothing is left to ask, unless the piece's rows
 * have to be known to exist and may not (`exists`).
 */
function readPiece(
  target: Target,
  piece: NodeSet,
  anchors: readonly number[],
  given: readonly GivenColumn[],
  wanted: ColumnSet,
  { exists, times }: { readonly exists: boolean; readonly times: number },
): SupportRead[] {
  const { compiled } = target;
  const known = new Map<number, UpdateValue>();
  for (const { column, value } of given) {
    const id = compiled.classOf(column);
    if (!known.has(id)) known.set(id, value);
  }
  const asked = classesOf(wanted & classesWithin(compiled, piece) & ~setOf(known.keys()));
  const identifiers = anchors.reduce(
    (all, node) => all | (compiled.identifiers[node] as ColumnSet),
    0n,
  );
  const first = anchors[0];
  const sure = anchors.length === 1 && first !== undefined && isSure(target, piece, first);
  if (asked.length === 0 && (sure || !exists)) return [];
  const keys = classesOf(identifiers);
  const predicates = keys.map((id): Predicate => {
    const column = compiled.members[id]?.find(({ node }) => anchors.includes(node));
    return {
      kind: "equal",
      column: column as ColumnReference,
      operand: { kind: "parameter" },
    };
  });
  const { query, columns, order } = lookup(
    compiled,
    piece,
    asked.length > 0 ? asked : keys,
    predicates,
  );
  const parameters = order.map((index) => known.get(keys[index] as number) as UpdateValue);
  return [{ query, parameters, columns, times }];
}

/** Every record at the node has exactly one row over the nodes. */
function isSure({ compiled }: Target, nodes: NodeSet, at: number): boolean {
  const within = nodes | (1 << at);
  return (withMandatoryParents(compiled, 1 << at) & within) === within;
}

interface Lookup {
  readonly query: Query;
  /** For each selected column the column of the whole graph that it is. */
  readonly columns: readonly ColumnReference[];
  /** For each predicate of the query its position among those given. */
  readonly order: readonly number[];
}

/**
 * The query for some classes over some nodes. Equal questions are equal queries with equal ids,
 * whatever asks them, since they share their plans: columns and predicates stand in the order of their
 * names, and all that a plan or its cost depends on stands in the id.
 */
function lookup(
  compiled: CompiledGraph,
  nodes: NodeSet,
  classes: readonly number[],
  predicates: readonly Predicate[],
): Lookup {
  const { graph, renumbering } = subgraph(compiled, nodes);
  const moved = (column: ColumnReference): ColumnReference => ({
    node: renumbering[column.node] as number,
    attribute: column.attribute,
  });
  const selected = classes
    .map((id) => {
      const inside = compiled.members[id]?.filter(({ node }) => (renumbering[node] ?? -1) >= 0);
      // The first in the smaller graph's own order, whatever the larger one's.
      const columns = inside?.map((column) => ({ column, name: columnText(graph, moved(column)) }));
      return columns?.sort((a, b) => compareText(a.name, b.name))[0];
    })
    .flatMap((each) => each ?? [])
    .sort((a, b) => compareText(a.name, b.name));
  const conditions = predicates
    .map((predicate, index) => {
      const condition = { ...predicate, column: moved(predicate.column) };
      return { condition, index, text: conditionText(graph, condition) };
    })
    .sort((a, b) => compareText(a.text.full, b.text.full));
  const names = selected.map(({ name }) => name).join(", ");
  const roles = graph.edges.map(({ relationship }) => relationship).join();
  const text = `${names} by ${conditions.map((each) => each.text.short).join(", ")}`;
  const by = conditions.map((each) => each.text.full).join(", ");
  const query: Query = {
    kind: "query",
    id: `support: ${names} by ${by}${roles ? ` over ${roles}` : ""}`,
    label: text,
    group: "support queries",
    text,
    graph,
    select: selected.map(({ column }) => ({ kind: "column", column: moved(column) })),
    predicates: conditions.map(({ condition }) => condition),
    groupBy: [],
    orderBy: [],
  };
  return {
    query,
    columns: selected.map(({ column }) => column),
    order: conditions.map(({ index }) => index),
  };
}

/** A condition in short, and with all that a plan depends on. */
function conditionText(
  graph: QueryGraph,
  predicate: Predicate,
): { readonly short: string; readonly full: string } {
  const short = `${columnText(graph, predicate.column)} ${predicate.kind}`;
  switch (predicate.kind) {
    case "equal":
      return { short, full: short };
    case "in":
      return { short, full: `${short} ${predicate.listLength}` };
    case "range": {
      const operators = predicate.bounds.map(({ operator }) => operator).join(" ");
      return { short, full: `${short} ${operators} ${predicate.selectivity}` };
    }
  }
}

// --- graphs -----------------------------------------------------------------------------------------

/** Classes that hold a column of one of the nodes. */
function classesWithin({ nodesOfClass }: CompiledGraph, nodes: NodeSet): ColumnSet {
  return setOf(nodesOfClass.flatMap((each, id) => ((each & nodes) !== 0 ? [id] : [])));
}

/** The connected pieces of some nodes under some edges, in the order of their first nodes. */
function piecesOf(
  { graph }: CompiledGraph,
  nodes: NodeSet,
  edges: readonly CompiledEdge[],
): NodeSet[] {
  const inside = edges.filter(({ parent, child }) => (nodes >> parent) & (nodes >> child) & 1);
  const pieces: NodeSet[] = [];
  for (const node of graph.nodes.keys()) {
    if (!((nodes >> node) & 1) || pieces.some((piece) => (piece >> node) & 1)) continue;
    const piece = new Set([node]);
    // A set visits what is added to it while it is walked.
    for (const at of piece)
      for (const edge of inside)
        if (edge.parent === at || edge.child === at) piece.add(otherEnd(edge, at));
    pieces.push(maskOf([...piece]));
  }
  return pieces;
}

function maskOf(nodes: readonly number[]): NodeSet {
  return nodes.reduce((mask, node) => mask | (1 << node), 0);
}

function distinctNodes(anchors: readonly Anchor[]): number[] {
  return nodesOf(maskOf(anchors.map(({ node }) => node)));
}

/** All subsets but the empty one, smallest members first. */
function subsetsOf<T>(items: readonly T[]): T[][] {
  let subsets: T[][] = [[]];
  for (const item of items) subsets = [...subsets, ...subsets.map((some) => [...some, item])];
  return subsets.slice(1);
}

/** One of each list, in every combination. */
function combinationsOf<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (all, list) => all.flatMap((chosen) => list.map((item) => [...chosen, item])),
    [[]],
  );
}

function edgesAt(compiled: CompiledGraph, node: number): CompiledEdge[] {
  return compiled.edges.filter(({ parent, child }) => parent === node || child === node);
}

function otherEnd({ parent, child }: CompiledEdge, node: number): number {
  return parent === node ? child : parent;
}

function relationshipOf(entityGraph: EntityGraph, id: string): Relationship {
  const found = entityGraph.relationships.find((each) => each.id === id);
  if (!found) throw new Error(`no relationship ${id}`);
  return found;
}
