/**
 * What the joins of a query graph say about its columns: which are equal in every row (a foreign key
 * and the identifier it holds), and which records some known columns determine. Worked out from the
 * graph alone, so that executing a plan shares no reasoning with enumerating it.
 */
import type { ColumnFamily } from "#model/column-family.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { ColumnReference, GraphEdge, QueryGraph } from "#model/query-graph.ts";

/** A set of columns that every row holds equal; 0 is the constant column alone. */
export type ColumnClass = number;

export interface GraphColumns {
  readonly graph: QueryGraph;
  /** Classes by column; undefined for what is no column of the graph. */
  readonly classOf: (column: ColumnReference) => ColumnClass | undefined;
  readonly members: readonly (readonly ColumnReference[])[];
  /** The nodes whose record the classes determine. */
  readonly determinedNodes: (known: Iterable<ColumnClass>) => ReadonlySet<number>;
  /** The identifier of every node. */
  readonly identifiers: readonly (readonly ColumnClass[])[];
}

const known = new WeakMap<QueryGraph, { entityGraph: EntityGraph; columns: GraphColumns }>();

/** Remembered per graph, since thousands of plans share one. */
export function graphColumns(entityGraph: EntityGraph, graph: QueryGraph): GraphColumns {
  const before = known.get(graph);
  if (before?.entityGraph === entityGraph) return before.columns;
  const columns = columnsOfGraph(entityGraph, graph);
  known.set(graph, { entityGraph, columns });
  return columns;
}

function columnsOfGraph(entityGraph: EntityGraph, graph: QueryGraph): GraphColumns {
  const relationships = new Map(entityGraph.relationships.map((each) => [each.id, each]));
  const attributes = graph.nodes.map(
    ({ entity }) => entityGraph.entities[entity]?.attributes.map(({ name }) => name) ?? [],
  );
  const classes = new Map<string, ColumnClass>([[columnName(-1, "*"), 0]]);
  const members: ColumnReference[][] = [[{ node: -1, attribute: "*" }]];
  const equal = equalColumns(relationships, graph);
  attributes.forEach((names, node) => {
    for (const attribute of names) {
      if (classes.has(columnName(node, attribute))) continue;
      const group = equal(columnName(node, attribute));
      const members_ = attributes.flatMap((all, at) =>
        all
          .filter((name) => group.has(columnName(at, name)))
          .map((name) => ({ node: at, attribute: name })),
      );
      for (const each of members_)
        classes.set(columnName(each.node, each.attribute), members.length);
      members.push(members_);
    }
  });
  const identifiers = graph.nodes.map(({ entity }, node) =>
    (entityGraph.entities[entity]?.identifier ?? []).map(
      (attribute) => classes.get(columnName(node, attribute)) as ColumnClass,
    ),
  );
  const crossings = graph.edges.flatMap((edge) =>
    crossingsOf(edge, relationships.get(edge.relationship) as Relationship),
  );
  // By node and then attribute: asked millions of times, so no text is put together for it.
  const byNode = [["*"], ...attributes].map(
    (names, at) =>
      new Map(names.map((name) => [name, classes.get(columnName(at - 1, name)) as ColumnClass])),
  );
  return {
    graph,
    members,
    identifiers,
    classOf: ({ node, attribute }) => byNode[node + 1]?.get(attribute),
    determinedNodes: (given) => {
      const values = new Set(given);
      const nodes = new Set(
        graph.nodes.flatMap((_, node) =>
          (identifiers[node] ?? []).every((id) => values.has(id)) ? [node] : [],
        ),
      );
      // A set visits what is added to it while it is walked.
      for (const node of nodes)
        for (const { from, to } of crossings) if (from === node) nodes.add(to);
      return nodes;
    },
  };
}

/** Directions in which one record leads to at most one other. */
function crossingsOf(
  { parent, child }: GraphEdge,
  { multiplicity }: Relationship,
): { from: number; to: number }[] {
  if (multiplicity === "manyToMany") return [];
  const up = { from: child, to: parent };
  return multiplicity === "oneToOne" ? [up, { from: parent, to: child }] : [up];
}

/** All columns that a chain of foreign keys makes equal to a given one, itself included. */
function equalColumns(
  relationships: ReadonlyMap<string, Relationship>,
  graph: QueryGraph,
): (column: string) => ReadonlySet<string> {
  const neighbours = new Map<string, string[]>();
  const connect = (a: string, b: string): void => {
    neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
  };
  for (const { relationship, parent, child } of graph.edges) {
    for (const key of relationships.get(relationship)?.foreignKey ?? []) {
      const held = columnName(child, key.child);
      const identifier = columnName(parent, key.parent);
      connect(held, identifier);
      connect(identifier, held);
    }
  }
  return (column) => {
    const group = new Set([column]);
    for (const each of group) for (const next of neighbours.get(each) ?? []) group.add(next);
    return group;
  };
}

function columnName(node: number, attribute: string): string {
  return `${node}/${attribute}`;
}

/**
 * The classes, in the target graph, of a column family's columns (keys first) when its graph lies on
 * the target by the given embedding (node → node, −1 outside); undefined for columns outside.
 */
export function layColumns(
  entityGraph: EntityGraph,
  target: GraphColumns,
  { graph, partitionKey, clusteringKey, values }: ColumnFamily,
  embedding: readonly number[],
): (ColumnClass | undefined)[] {
  const own = graphColumns(entityGraph, graph);
  return [...partitionKey, ...clusteringKey, ...values].map((column) => {
    if (column.node < 0) return 0;
    for (const { node, attribute } of own.members[own.classOf(column) ?? -1] ?? []) {
      const to = embedding[node] ?? -1;
      const found = to < 0 ? undefined : target.classOf({ node: to, attribute });
      if (found !== undefined) return found;
    }
    return undefined;
  });
}
