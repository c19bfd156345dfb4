/**
 * A query graph compiled for reasoning about columns.
 *
 * The joins of a graph make columns equal (an item's foreign key and its user's identifier); columns
 * that every join row holds equal form one **class**, and all later stages speak of classes only.
 * Sets of classes are bigints, sets of nodes are 32-bit masks. Class 0 is the constant column.
 */
import { attributeOf, type EntityGraph, type Relationship } from "#model/entity-graph.ts";
import {
  type ColumnReference,
  canonicalGraph,
  type GraphEdge,
  type QueryGraph,
} from "#model/query-graph.ts";

export type ColumnSet = bigint;
export type NodeSet = number;

/** An edge with what enumeration asks of it. */
export interface CompiledEdge extends GraphEdge {
  readonly multiplicity: Relationship["multiplicity"];
  /** Every child has its parent, so joining the parent neither drops nor adds rows. */
  readonly mandatory: boolean;
  /** Every parent has a child, so joining children drops no parent (but may repeat it). */
  readonly atLeastOne: boolean;
}

export interface CompiledGraph {
  readonly entityGraph: EntityGraph;
  readonly graph: QueryGraph;
  readonly edges: readonly CompiledEdge[];
  /** All columns of a class; a class's columns are in node order. */
  readonly members: readonly (readonly ColumnReference[])[];
  /** Classes that identify each node. */
  readonly identifiers: readonly ColumnSet[];
  readonly allNodes: NodeSet;
  /** Nodes that hold a column of the class. */
  readonly nodesOfClass: readonly NodeSet[];
  readonly bytesOfClass: readonly number[];
  readonly distinctOfClass: readonly number[];
  classOf(column: ColumnReference): number;
}

/** Compiles a graph; at most 31 nodes. */
export function compileGraph(entityGraph: EntityGraph, graph: QueryGraph): CompiledGraph {
  if (graph.nodes.length > 31) throw new Error("a query graph has at most 31 entities");
  const edges = compiledEdges(entityGraph, graph);
  const columns: ColumnReference[] = [{ node: -1, attribute: "*" }];
  const indexOf = new Map<string, number>([[columnKey(-1, "*"), 0]]);
  graph.nodes.forEach(({ entity }, node) => {
    for (const { name } of entityGraph.entities[entity]?.attributes ?? []) {
      indexOf.set(columnKey(node, name), columns.length);
      columns.push({ node, attribute: name });
    }
  });

  const representative = columns.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (representative[at] !== at) at = representative[at] as number;
    return at;
  };
  for (const edge of edges) {
    for (const { child, parent } of relationshipOf(entityGraph, edge).foreignKey) {
      const a = find(indexOf.get(columnKey(edge.child, child)) as number);
      const b = find(indexOf.get(columnKey(edge.parent, parent)) as number);
      representative[Math.max(a, b)] = Math.min(a, b);
    }
  }

  const classOfColumn = new Map<string, number>();
  const members: ColumnReference[][] = [];
  const classOfRoot = new Map<number, number>();
  columns.forEach((column, index) => {
    const root = find(index);
    const known = classOfRoot.get(root);
    const id = known ?? members.length;
    if (known === undefined) {
      classOfRoot.set(root, id);
      members.push([]);
    }
    members[id]?.push(column);
    classOfColumn.set(columnKey(column.node, column.attribute), id);
  });

  const classOf = ({ node, attribute }: ColumnReference): number =>
    classOfColumn.get(columnKey(node, attribute)) ?? -1;
  const identifiers = graph.nodes.map(({ entity }, node) =>
    setOf(
      (entityGraph.entities[entity]?.identifier ?? []).map((name) =>
        classOf({ node, attribute: name }),
      ),
    ),
  );
  const figures = members.map((columnsOfClass) => classFigures(entityGraph, graph, columnsOfClass));
  return {
    entityGraph,
    graph,
    edges,
    members,
    identifiers,
    allNodes: 2 ** graph.nodes.length - 1,
    nodesOfClass: members.map((all) =>
      all.reduce((mask, { node }) => (node < 0 ? mask : mask | (1 << node)), 0),
    ),
    bytesOfClass: figures.map(({ bytes }) => bytes),
    distinctOfClass: figures.map(({ distinct }) => distinct),
    classOf,
  };
}

function compiledEdges(entityGraph: EntityGraph, graph: QueryGraph): CompiledEdge[] {
  return graph.edges.map((edge) => {
    const { multiplicity, optional, atLeastOne } = relationshipOf(entityGraph, edge);
    return {
      ...edge,
      multiplicity,
      mandatory: multiplicity !== "manyToMany" && !optional,
      atLeastOne: multiplicity !== "manyToMany" && atLeastOne,
    };
  });
}

function relationshipOf(entityGraph: EntityGraph, edge: GraphEdge): Relationship {
  const found = entityGraph.relationships.find(({ id }) => id === edge.relationship);
  if (!found) throw new Error(`no relationship ${edge.relationship}`);
  return found;
}

/** Bytes of the first column; distinct values of the most selective one. */
function classFigures(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  columns: readonly ColumnReference[],
): { bytes: number; distinct: number } {
  let bytes = 1;
  let distinct = Number.POSITIVE_INFINITY;
  for (const { node, attribute } of columns) {
    const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
    const found = entity && attributeOf(entity, attribute);
    if (!found) continue;
    bytes = found.bytes;
    distinct = Math.min(distinct, found.distinct);
  }
  return { bytes, distinct: Number.isFinite(distinct) ? distinct : 1 };
}

function columnKey(node: number, attribute: string): string {
  return `${node}/${attribute}`;
}

/** The set of some classes; −1 (no class) is left out. */
export function setOf(classes: Iterable<number>): ColumnSet {
  let set = 0n;
  for (const id of classes) if (id >= 0) set |= 1n << BigInt(id);
  return set;
}

export function has(set: ColumnSet, id: number): boolean {
  return ((set >> BigInt(id)) & 1n) === 1n;
}

const wordBits = 32n;

/** Classes of a set, ascending. */
export function classesOf(set: ColumnSet): number[] {
  const classes: number[] = [];
  let offset = 0;
  for (let rest = set; rest > 0n; rest >>= wordBits, offset += 32) {
    // A word at a time: arithmetic on bigints is dear.
    let word = Number(BigInt.asUintN(32, rest));
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word);
      classes.push(offset + bit);
      word &= word - 1;
    }
  }
  return classes;
}

/** Nodes of a set, ascending. */
export function nodesOf(set: NodeSet): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < 31; node += 1) if ((set >> node) & 1) nodes.push(node);
  return nodes;
}

export function contains(set: ColumnSet, part: ColumnSet): boolean {
  return (set & part) === part;
}

/**
 * Nodes whose record is determined by the values of some columns: those whose identifier is among
 * them, and then along functional dependencies (a child determines its parent; one-to-one both ways).
 */
export function determinedNodes(compiled: CompiledGraph, known: ColumnSet): NodeSet {
  let nodes = 0;
  compiled.identifiers.forEach((identifier, node) => {
    if (contains(known, identifier)) nodes |= 1 << node;
  });
  for (let changed = true; changed; ) {
    changed = false;
    for (const edge of compiled.edges) {
      const gained = determinedAcross(edge, nodes);
      if (gained === undefined) continue;
      nodes |= 1 << gained;
      changed = true;
    }
  }
  return nodes;
}

/** The node at the other end of the edge that a determined one determines in its turn. */
function determinedAcross(
  { child, parent, multiplicity }: CompiledEdge,
  nodes: NodeSet,
): number | undefined {
  if (multiplicity === "manyToMany") return undefined;
  const hasChild = ((nodes >> child) & 1) === 1;
  const hasParent = ((nodes >> parent) & 1) === 1;
  if (hasChild && !hasParent) return parent;
  return multiplicity === "oneToOne" && hasParent && !hasChild ? child : undefined;
}

/** Adds the mandatory parents of some nodes: the join rows are the same ones (engine.md §1, participation). */
export function withMandatoryParents(compiled: CompiledGraph, nodes: NodeSet): NodeSet {
  let all = nodes;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { child, parent, mandatory } of compiled.edges) {
      if (!mandatory || !((all >> child) & 1) || (all >> parent) & 1) continue;
      all |= 1 << parent;
      changed = true;
    }
  }
  return all;
}

/** Adds only those mandatory parents whose whole identifier is known: they count as covered. */
export function withKnownParents(
  compiled: CompiledGraph,
  nodes: NodeSet,
  known: ColumnSet,
): NodeSet {
  let all = nodes;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { child, parent, mandatory } of compiled.edges) {
      if (!mandatory || !((all >> child) & 1) || (all >> parent) & 1) continue;
      if (!contains(known, compiled.identifiers[parent] as ColumnSet)) continue;
      all |= 1 << parent;
      changed = true;
    }
  }
  return all;
}

/** Leaves out mandatory parents at the rim that are present only through their identifier, or not at all (§3). */
export function withoutNamedParents(
  compiled: CompiledGraph,
  nodes: NodeSet,
  used: ColumnSet,
): NodeSet {
  let kept = nodes;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { parent, child, mandatory } of compiled.edges) {
      if (!mandatory || !((kept >> parent) & 1) || !((kept >> child) & 1)) continue;
      const neighbours = compiled.edges.filter(
        (edge) =>
          (edge.parent === parent && (kept >> edge.child) & 1) ||
          (edge.child === parent && (kept >> edge.parent) & 1),
      );
      const without = kept & ~(1 << parent);
      const expressible = classesOf(used).every((id) => {
        const at = compiled.nodesOfClass[id] as NodeSet;
        return id === 0 || ((at >> parent) & 1) === 0 || (at & without) !== 0;
      });
      if (neighbours.length !== 1 || !expressible) continue;
      kept = without;
      changed = true;
    }
  }
  return kept;
}

/** Nodes on the near side of the edge near–far. */
export function sideOf(compiled: CompiledGraph, near: number, far: number): NodeSet {
  const neighbours = (node: number): number[] =>
    compiled.edges.flatMap(({ parent, child }) =>
      parent === node ? [child] : child === node ? [parent] : [],
    );
  const side = new Set([near]);
  // A set visits what is added to it while it is walked.
  for (const node of side)
    for (const next of neighbours(node)) if (next !== far || node !== near) side.add(next);
  return [...side].reduce((mask, node) => mask | (1 << node), 0);
}

/** The part of a graph that some nodes span, in canonical form, and where each old node went (−1: left out). */
export function subgraph(
  from: CompiledGraph,
  nodes: NodeSet,
): { graph: QueryGraph; renumbering: number[] } {
  const kept = nodesOf(nodes);
  const position = new Map(kept.map((node, index) => [node, index]));
  const edges = from.graph.edges
    .filter(({ parent, child }) => position.has(parent) && position.has(child))
    .map((edge) => ({
      relationship: edge.relationship,
      parent: position.get(edge.parent) as number,
      child: position.get(edge.child) as number,
    }));
  const entities = kept.map((node) => from.graph.nodes[node]?.entity ?? "");
  const canonical = canonicalGraph(from.entityGraph, entities, edges);
  const renumbering = from.graph.nodes.map((_, node) => {
    const index = position.get(node);
    return index === undefined ? -1 : (canonical.renumbering[index] as number);
  });
  return { graph: canonical.graph, renumbering };
}
