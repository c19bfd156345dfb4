/**
 * Query graphs: trees of entity occurrences joined by relationships. A statement has one, and so has
 * every column family; the same record type serves both, so that "a part of the query's graph" is a
 * value and can be compared.
 *
 * A node is one occurrence of an entity (a message's sender and its recipient are two nodes). From
 * one node the same relationship is walked at most once in the same direction, therefore a walk of
 * role names from any node names a node, and two graphs can be laid on each other in one way only.
 */
import type { Entity, EntityGraph, Relationship } from "./entity-graph.ts";

export interface GraphNode {
  readonly entity: string;
  /** The entity's name, or a walk of roles where the entity stands in the graph more than once. */
  readonly label: string;
}

/** An edge; `parent` and `child` are node indices in the roles of `ends[0]` and `ends[1]`. */
export interface GraphEdge {
  readonly relationship: string;
  readonly parent: number;
  readonly child: number;
}

/** A tree: `edges.length === nodes.length - 1`. In canonical form node 0 is the root and edges run in preorder. */
export interface QueryGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** An attribute of one node. Node −1 with attribute `*` is the constant column of a query without equality. */
export interface ColumnReference {
  readonly node: number;
  readonly attribute: string;
}

/** The one constant partition column of column families that answer queries without any equality (§2). */
export const constantColumn: ColumnReference = { node: -1, attribute: "*" };

export function isConstant(column: ColumnReference): boolean {
  return column.node < 0;
}

/** `label.attribute`, as shown everywhere; the constant column is `*`. */
export function columnText(graph: QueryGraph, column: ColumnReference): string {
  return isConstant(column) ? "*" : `${graph.nodes[column.node]?.label}.${column.attribute}`;
}

/** A graph in canonical form, its text, and where each old node went (old index → new index). */
export interface CanonicalGraph {
  readonly graph: QueryGraph;
  /** The same for two graphs exactly when they are the same tree of roles. */
  readonly text: string;
  readonly renumbering: readonly number[];
}

/**
 * Canonical form of a tree given by entities and edges: of all rooted readings the one with the
 * smallest text, children sorted by the role that leads to them.
 */
export function canonicalGraph(
  entityGraph: EntityGraph,
  entities: readonly string[],
  edges: readonly GraphEdge[],
): CanonicalGraph {
  const relationships = new Map(entityGraph.relationships.map((each) => [each.id, each]));
  const neighbours = entities.map((_, node) =>
    edges
      .filter((edge) => edge.parent === node || edge.child === node)
      .map((edge) => {
        const towardsChild = edge.parent === node;
        const ends = (relationships.get(edge.relationship) as Relationship).ends;
        return {
          edge,
          role: ends[towardsChild ? 1 : 0].role,
          to: towardsChild ? edge.child : edge.parent,
        };
      })
      .sort((a, b) => compareText(a.role, b.role)),
  );
  const textFrom = (node: number, from: number): string => {
    const children = (neighbours[node] ?? [])
      .filter(({ to }) => to !== from)
      .map(({ role, to }) => `${role}:${textFrom(to, node)}`);
    return `${entities[node]}${children.length > 0 ? `(${children.join(",")})` : ""}`;
  };
  let root = 0;
  let text = textFrom(0, -1);
  for (let node = 1; node < entities.length; node += 1) {
    const candidate = textFrom(node, -1);
    if (compareText(candidate, text) < 0) {
      root = node;
      text = candidate;
    }
  }

  const order: number[] = [];
  const renumbering: number[] = entities.map(() => -1);
  const walkTo: string[] = [];
  const newEdges: GraphEdge[] = [];
  const visit = (node: number, from: number, walk: string): void => {
    renumbering[node] = order.length;
    order.push(node);
    walkTo.push(walk);
    for (const { edge, role, to } of neighbours[node] ?? []) {
      if (to === from) continue;
      const at = newEdges.length;
      newEdges.push(edge);
      visit(to, node, `${walk}.${role}`);
      newEdges[at] = {
        relationship: edge.relationship,
        parent: renumbering[edge.parent] as number,
        child: renumbering[edge.child] as number,
      };
    }
  };
  visit(root, -1, entities[root] as string);
  const occurrences = new Map<string, number>();
  for (const entity of entities) occurrences.set(entity, (occurrences.get(entity) ?? 0) + 1);
  const nodes = order.map((node, index) => {
    const entity = entities[node] as string;
    return { entity, label: occurrences.get(entity) === 1 ? entity : (walkTo[index] as string) };
  });
  return { graph: { nodes, edges: newEdges }, text, renumbering };
}

/**
 * Expected number of rows of the natural join over a whole graph: the product of the entities'
 * counts times, per edge, links / (|parent| · |child|). Independent of the root (§3: root count ×
 * fan-outs).
 */
export function joinRows(entityGraph: EntityGraph, graph: QueryGraph): number {
  const relationships = new Map(entityGraph.relationships.map((each) => [each.id, each]));
  const count = (node: number): number =>
    (entityGraph.entities[graph.nodes[node]?.entity ?? ""] as Entity).count;
  let rows = 1;
  graph.nodes.forEach((_, node) => {
    rows *= count(node);
  });
  for (const edge of graph.edges) {
    const links = (relationships.get(edge.relationship) as Relationship).links;
    rows *= links / count(edge.parent) / count(edge.child);
  }
  return rows;
}

/** Order of texts by code unit: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
