/**
 * The scope of a statement: the nodes it has named so far, joined by relationships, and the names that
 * lead to them. In the end it becomes the statement's graph.
 */
import {
  attributeOf,
  type EntityGraph,
  type GraphAttribute,
  type Relationship,
  type RelationshipEnd,
} from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import {
  type CanonicalGraph,
  type ColumnReference,
  canonicalGraph,
  type GraphEdge,
} from "./query-graph.ts";

/** What a person says about a statement beside its text. */
export interface StatementHead {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly text: string;
}

export interface ScopeNode {
  readonly entity: string;
  readonly alias?: string;
  /** A path of FROM begins here. */
  readonly head: boolean;
  readonly span: Span;
}

export interface ScopeEdge extends GraphEdge {
  /** The node from which FROM walked this edge; absent for joins by key columns. */
  readonly walkedFrom?: number;
}

/** The nodes and edges a statement has named so far. */
export interface Scope {
  readonly graph: EntityGraph;
  readonly nodes: ScopeNode[];
  readonly edges: ScopeEdge[];
  /** The first nodes, those of FROM: only they are known by a name of their own. */
  named: number;
}

export function emptyScope(graph: EntityGraph): Scope {
  return { graph, nodes: [], edges: [], named: 0 };
}

/** The end of an edge's relationship at which a node stands. */
export function endOf(scope: Scope, edge: GraphEdge, node: number): RelationshipEnd {
  return relationshipOf(scope, edge).ends[edge.parent === node ? 0 : 1];
}

export function relationshipOf(scope: Scope, edge: GraphEdge): Relationship {
  const found = scope.graph.relationships.find(({ id }) => id === edge.relationship);
  if (!found) throw new Error(`relationship ${edge.relationship} is not in the graph`);
  return found;
}

/** The attribute a resolved column stands for. */
export function columnAttribute(
  scope: Scope,
  { node, attribute }: ColumnReference,
): GraphAttribute {
  const entity = scope.graph.entities[scope.nodes[node]?.entity ?? ""];
  const found = entity && attributeOf(entity, attribute);
  if (!found) throw new Error(`column ${node}.${attribute} was not resolved`);
  return found;
}

/** Tells columns apart. */
export const columnKey = ({ node, attribute }: ColumnReference): string => `${node}.${attribute}`;

/** The scope's graph in canonical form. */
export function canonicalScope(scope: Scope): CanonicalGraph {
  const edges = scope.edges.map(({ relationship, parent, child }) => ({
    relationship,
    parent,
    child,
  }));
  return canonicalGraph(
    scope.graph,
    scope.nodes.map(({ entity }) => entity),
    edges,
  );
}

/** Where columns of the scope went in the canonical graph. */
export function renumbering(
  canonical: CanonicalGraph,
): (column: ColumnReference) => ColumnReference {
  return ({ node, attribute }) => ({ node: canonical.renumbering[node] as number, attribute });
}

type Head =
  | { readonly kind: "node"; readonly node: number }
  | { readonly kind: "ambiguous"; readonly nodes: readonly number[] }
  | { readonly kind: "none" };

/** The node of FROM that a name addresses. */
export function findHead(scope: Scope, name: string): Head {
  const exact = findHeadBy(scope, (each) => each === name);
  return exact.kind === "none"
    ? findHeadBy(scope, (each) => each.toLowerCase() === name.toLowerCase())
    : exact;
}

function findHeadBy(scope: Scope, called: (name: string) => boolean): Head {
  const nodes = scope.nodes.slice(0, scope.named);
  const tiers = [
    ({ alias }: ScopeNode) => alias !== undefined && called(alias),
    ({ head, entity }: ScopeNode) => head && called(entity),
    ({ entity }: ScopeNode, index: number) =>
      called(entity) || rolesTo(scope, index, true).some(called),
    (_: ScopeNode, index: number) => rolesTo(scope, index, false).some(called),
  ];
  for (const answers of tiers) {
    const [first, ...others] = nodes.flatMap((node, index) =>
      answers(node, index) ? [index] : [],
    );
    if (first === undefined) continue;
    return others.length === 0
      ? { kind: "node", node: first }
      : { kind: "ambiguous", nodes: [first, ...others] };
  }
  return { kind: "none" };
}

/** Roles that lead to a node over the edges there are, in the direction of FROM or against it. */
function rolesTo(scope: Scope, node: number, forward: boolean): string[] {
  return scope.edges
    .filter(({ parent, child, walkedFrom }) => {
      const touches = parent === node || child === node;
      const walkedHere = walkedFrom !== undefined && walkedFrom !== node;
      return touches && Math.max(parent, child) < scope.named && walkedHere === forward;
    })
    .map((edge) => endOf(scope, edge, node).role);
}

/** How a node can be addressed, for messages. */
export function nodeText(scope: Scope, node: number): string {
  const { alias, entity, head } = scope.nodes[node] as ScopeNode;
  if (alias !== undefined || head) return alias ?? entity;
  const edge = scope.edges.find(
    (each) => (each.parent === node || each.child === node) && each.walkedFrom !== node,
  );
  if (edge?.walkedFrom === undefined) return entity;
  return `${nodeText(scope, edge.walkedFrom)}.${endOf(scope, edge, node).role}`;
}
