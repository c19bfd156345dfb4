/**
 * The records of an entity as a table of the lab, with the design's statements as its requests.
 *
 * Decides what a statement binds: columns of the entity that it compares for equality, and key columns held
 * for a parent whose identifier it compares (transactions of the customer :c bind the transaction's customer).
 */

import { cellOverheadBytes } from "#model/column-family.ts";
import type { AttributeType, Entity, EntityGraph, GraphAttribute } from "#model/entity-graph.ts";
import type { Problem } from "#model/problem.ts";
import type { ColumnReference, QueryGraph } from "#model/query-graph.ts";
import type { Distribution, KeyPick, ShardingSetup } from "#model/sharding-setup.ts";
import type { Connect, Ordering, Predicate, Statement } from "#model/statement.ts";
import type { NativeType } from "./cql-type.ts";
import { type LabColumn, type LabRequest, type LabTable, withPopulations } from "./lab-table.ts";

/** The type in CQL that a type of the model is; a counter counts as the number that it holds. */
export function nativeTypeOf(type: AttributeType): NativeType {
  return type === "counter" ? "bigint" : type;
}

/** `setup` speaks of the entity as `id`. */
export function entityTable(
  problem: Problem,
  name: string,
  id: string,
  setup: ShardingSetup | undefined,
): LabTable {
  const { entityGraph, workload, statements } = problem;
  const entity = entityGraph.entities[name] as Entity;
  const chosen = setup?.columns?.[id] ?? {};
  const columns = entity.attributes.map(
    (attribute): LabColumn => ({
      name: attribute.name,
      type: nativeTypeOf(attribute.type),
      distinct: attribute.distinct,
      bytes: attribute.bytes,
      distribution: chosen[attribute.name] ?? usualDistribution(entity, attribute),
    }),
  );
  const requests = statements.flatMap((statement) =>
    requestsOf(entityGraph, name, statement).map(
      (request): LabRequest => ({
        ...request,
        statement: statement.id,
        name: statement.label,
        pick: setup?.picks?.[statement.id] ?? usualPick(request),
        perSecond: workload.curves[statement.id] ?? [],
      }),
    ),
  );
  const arriving = workload.curves;
  const { steps, stepSeconds } = workload.timeline;
  const inserts = statements.filter((each) => each.kind === "insert" && each.entity === name);
  const values = columns.length - entity.identifier.length;
  return withPopulations({
    id: name,
    kind: "entity",
    columns,
    key: entity.identifier,
    clustering: [],
    initial: entity.count,
    arriving: Array.from({ length: steps }, (_, step) =>
      inserts.reduce(
        (sum, { id: insert }) => sum + (arriving[insert]?.[step] ?? 0) * stepSeconds,
        0,
      ),
    ),
    stepSeconds,
    bytesPerRow:
      columns.reduce((sum, { bytes }) => sum + bytes, 0) + cellOverheadBytes * Math.max(0, values),
    cellsPerRow: Math.max(1, values),
    requests,
  });
}

/** How values are spread where a person says nothing: identifiers are unique, times rise. */
export function usualDistribution(entity: Entity, attribute: GraphAttribute): Distribution {
  if (entity.identifier.length === 1 && entity.identifier[0] === attribute.name)
    return { kind: "unique" };
  return attribute.type === "timestamp" || attribute.type === "date"
    ? { kind: "arrival" }
    : { kind: "uniform" };
}

function usualPick({ kind, binds }: Pick<LabRequest, "kind" | "binds">): KeyPick {
  return kind === "insert" || binds.length === 0 ? { kind: "records" } : { kind: "uniform" };
}

type Shape = Pick<
  LabRequest,
  "kind" | "binds" | "range" | "order" | "keys" | "joins" | "changesMany"
>;

/** What a statement asks of an entity's records; nothing where it does not touch them. */
function requestsOf(graph: EntityGraph, name: string, statement: Statement): Shape[] {
  const entity = graph.entities[name] as Entity;
  switch (statement.kind) {
    case "insert": {
      if (statement.entity !== name) return [];
      const binds = entity.attributes.map((attribute) => attribute.name);
      return [{ kind: "insert", binds, order: [], keys: 1, joins: false, changesMany: false }];
    }
    case "connect":
    case "disconnect":
      return connectionOf(graph, entity, name, statement);
    case "query":
      return statement.graph.nodes.flatMap((node, index) =>
        node.entity === name
          ? [readOf(graph, statement.graph, index, statement.predicates, "read", statement.orderBy)]
          : [],
      );
    default: {
      if (statement.graph.nodes[statement.target]?.entity !== name) return [];
      const shape = readOf(graph, statement.graph, statement.target, statement.predicates, "write");
      const namesOne = entity.identifier.every((attribute) => shape.binds.includes(attribute));
      return [{ ...shape, changesMany: !namesOne || shape.keys > 1 }];
    }
  }
}

function connectionOf(
  graph: EntityGraph,
  entity: Entity,
  name: string,
  { entity: from, connection }: Connect,
): Shape[] {
  const relationship = graph.relationships.find(({ ends: [parent, child] }) =>
    parent.entity === from ? child.role === connection.role : parent.role === connection.role,
  );
  // The link is kept in the child's record.
  const isChild = relationship?.ends[1].entity === name;
  const isTouched = isChild || (from === name && relationship?.multiplicity === "manyToMany");
  return isTouched
    ? [
        {
          kind: "write",
          binds: entity.identifier,
          order: [],
          keys: 1,
          joins: false,
          changesMany: false,
        },
      ]
    : [];
}

function readOf(
  graph: EntityGraph,
  queryGraph: QueryGraph,
  node: number,
  predicates: readonly Predicate[],
  kind: "read" | "write",
  orderBy: readonly Ordering[] = [],
): Shape {
  const own = (column: ColumnReference): string | undefined =>
    column.node === node ? column.attribute : heldColumn(graph, queryGraph, node, column);
  const binds = new Set<string>();
  let keys = 1;
  for (const predicate of predicates) {
    const column = predicate.kind === "range" ? undefined : own(predicate.column);
    if (column === undefined) continue;
    binds.add(column);
    if (predicate.kind === "in") keys *= predicate.listLength;
  }
  const range = predicates.find((each) => each.kind === "range" && own(each.column) !== undefined);
  return {
    kind,
    binds: [...binds],
    order: orderBy.flatMap(({ by, direction }) => {
      const name = by.kind === "column" ? own(by.column) : undefined;
      return name === undefined ? [] : [{ name, direction }];
    }),
    keys,
    joins: queryGraph.nodes.length > 1,
    changesMany: false,
    ...(range?.kind === "range" && {
      range: { column: own(range.column) as string, share: range.selectivity },
    }),
  };
}

/** The key column of a node's record that holds this column of its parent, if any. */
function heldColumn(
  graph: EntityGraph,
  { edges }: QueryGraph,
  node: number,
  { node: at, attribute }: ColumnReference,
): string | undefined {
  const edge = edges.find(({ parent, child }) => parent === at && child === node);
  const relationship = graph.relationships.find(({ id }) => id === edge?.relationship);
  return relationship?.foreignKey.find(({ parent }) => parent === attribute)?.child;
}
