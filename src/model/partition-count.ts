/**
 * How many partitions a partition key makes (engine.md §3): the combinations of values that its
 * columns take.
 *
 * That is the product of the columns' distinct values, unless the key holds the identifier of a
 * record: then the record determines its other attributes, and its parents, whose columns multiply
 * nothing. Such a key makes as many partitions as there are join rows over the determined records.
 */
import { attributeOf, type EntityGraph, type Relationship } from "./entity-graph.ts";
import {
  type ColumnReference,
  type GraphEdge,
  isConstant,
  type QueryGraph,
} from "./query-graph.ts";

/** Expected number of combinations, ≥ 0; not yet limited by the number of rows. */
export function countPartitions(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  partitionKey: readonly ColumnReference[],
): number {
  const edges = graph.edges.map((edge) => ({
    ...edge,
    relationship: entityGraph.relationships.find(({ id }) => id === edge.relationship),
  }));
  const classes = partitionKey
    .filter((column) => !isConstant(column))
    .map((column) => equalColumns(edges, column));
  const known = new Set(classes.flatMap((members) => members.map(columnName)));
  const determined = determinedNodes(entityGraph, graph, edges, known);
  let combinations = determinedRows(entityGraph, graph, edges, determined);
  const counted = new Set<string>();
  for (const members of classes) {
    const name = members.map(columnName).sort()[0] as string;
    if (counted.has(name) || members.some(({ node }) => determined.has(node))) continue;
    counted.add(name);
    combinations *= Math.min(...members.map((each) => distinctValues(entityGraph, graph, each)));
  }
  return combinations;
}

interface Edge extends Omit<GraphEdge, "relationship"> {
  readonly relationship: Relationship | undefined;
}

function columnName({ node, attribute }: ColumnReference): string {
  return `${node}.${attribute}`;
}

function distinctValues(
  { entities }: EntityGraph,
  graph: QueryGraph,
  { node, attribute }: ColumnReference,
): number {
  const entity = entities[graph.nodes[node]?.entity ?? ""];
  return (entity && attributeOf(entity, attribute)?.distinct) ?? 1;
}

/** The column, and those that the joins of the graph make equal to it. */
function equalColumns(edges: readonly Edge[], column: ColumnReference): ColumnReference[] {
  const members = new Map([[columnName(column), column]]);
  // A map visits what is added to it while it is walked.
  for (const member of members.values())
    for (const edge of edges)
      for (const other of acrossEdge(edge, member)) members.set(columnName(other), other);
  return [...members.values()];
}

/** The columns at the other end of an edge that equal this one. */
function acrossEdge(
  { parent, child, relationship }: Edge,
  { node, attribute }: ColumnReference,
): ColumnReference[] {
  const pairs = relationship?.foreignKey ?? [];
  if (node === child)
    return pairs
      .filter((pair) => pair.child === attribute)
      .map((pair) => ({ node: parent, attribute: pair.parent }));
  if (node !== parent) return [];
  return pairs
    .filter((pair) => pair.parent === attribute)
    .map((pair) => ({ node: child, attribute: pair.child }));
}

/** Nodes whose whole identifier is known, and the parents of such: a child determines its parent, one-to-one both ways. */
function determinedNodes(
  { entities }: EntityGraph,
  graph: QueryGraph,
  edges: readonly Edge[],
  known: ReadonlySet<string>,
): Set<number> {
  const nodes = new Set(
    graph.nodes.flatMap(({ entity }, node) =>
      entities[entity]?.identifier.every((attribute) => known.has(columnName({ node, attribute })))
        ? [node]
        : [],
    ),
  );
  for (const node of nodes) {
    for (const { parent, child, relationship } of edges) {
      const multiplicity = relationship?.multiplicity;
      if (multiplicity === undefined || multiplicity === "manyToMany") continue;
      if (child === node) nodes.add(parent);
      if (parent === node && multiplicity === "oneToOne") nodes.add(child);
    }
  }
  return nodes;
}

/** Expected join rows over the determined records; parts that no determined edge connects multiply. */
function determinedRows(
  { entities }: EntityGraph,
  graph: QueryGraph,
  edges: readonly Edge[],
  nodes: ReadonlySet<number>,
): number {
  const count = (node: number): number => entities[graph.nodes[node]?.entity ?? ""]?.count ?? 1;
  let rows = [...nodes].reduce((product, node) => product * count(node), 1);
  for (const { parent, child, relationship } of edges)
    if (nodes.has(parent) && nodes.has(child))
      rows *= (relationship?.links ?? 0) / count(parent) / count(child);
  return rows;
}
