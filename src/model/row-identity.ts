/**
 * Which records a key tells apart (engine.md §3): those whose identifier it holds, and along functional
 * dependencies their parents; columns that a join makes equal stand for each other.
 */
import type { EntityGraph, Relationship } from "./entity-graph.ts";
import type { ColumnReference, QueryGraph } from "./query-graph.ts";

/** Nodes whose record is not determined by the values of some columns. */
export function undeterminedNodes(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  key: readonly ColumnReference[],
): number[] {
  const relationships = new Map(entityGraph.relationships.map((each) => [each.id, each]));
  const edges = graph.edges.map((edge) => ({
    ...edge,
    relationship: relationships.get(edge.relationship) as Relationship,
  }));
  const state: State = {
    known: new Set(key.map(({ node, attribute }) => `${node}/${attribute}`)),
    determined: new Set(),
  };
  for (let before = -1; before < state.known.size + state.determined.size; ) {
    before = state.known.size + state.determined.size;
    for (const edge of edges) followEdge(state, edge);
    graph.nodes.forEach(({ entity }, node) => {
      const identifier = entityGraph.entities[entity]?.identifier ?? [];
      const isHeld = identifier.every((attribute) => state.known.has(`${node}/${attribute}`));
      if (isHeld) state.determined.add(node);
    });
  }
  return [...graph.nodes.keys()].filter((node) => !state.determined.has(node));
}

interface State {
  /** `node/attribute` of columns whose value is known. */
  readonly known: Set<string>;
  readonly determined: Set<number>;
}

/** What is known at one end of a join is known at the other. */
function followEdge(
  { known, determined }: State,
  {
    relationship,
    parent,
    child,
  }: { readonly relationship: Relationship; readonly parent: number; readonly child: number },
): void {
  for (const pair of relationship.foreignKey) {
    const [held, own] = [`${child}/${pair.child}`, `${parent}/${pair.parent}`];
    if (known.has(held) || known.has(own)) known.add(held).add(own);
  }
  if (relationship.multiplicity === "manyToMany") return;
  if (determined.has(child)) determined.add(parent);
  if (relationship.multiplicity === "oneToOne" && determined.has(parent)) determined.add(child);
}
