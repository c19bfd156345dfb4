/**
 * Laying a column family on a query's graph: which of the query's records and columns its rows hold.
 *
 * A column family may know more than the query asks for: mandatory parents outside the query's graph
 * change no rows, so it serves all the same (engine.md §7: "at most mandatory N:1 parents"). For
 * migrations, children under `atLeastOne` are allowed too, their repetitions being overwritten by
 * the same key.
 */
import type { ColumnFamily } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import {
  type ColumnSet,
  type CompiledEdge,
  type CompiledGraph,
  compileGraph,
  type NodeSet,
  setOf,
} from "./column-classes.ts";

/** One way in which a column family lies on a graph; classes are those of the graph, −1 for none. */
export interface Laid {
  readonly columnFamily: ColumnFamily;
  /** Node of the column family → node of the graph, −1 outside. */
  readonly embedding: readonly number[];
  readonly nodes: NodeSet;
  readonly partition: readonly number[];
  readonly clustering: readonly { readonly class: number; readonly direction: "asc" | "desc" }[];
  readonly columns: ColumnSet;
  /** Bytes of a whole row, keys included. */
  readonly rowBytes: number;
}

/** Column families compiled once, to be laid on many graphs. */
export interface CompiledFamily {
  readonly columnFamily: ColumnFamily;
  readonly compiled: CompiledGraph;
  readonly graphText: string;
}

export function compileFamilies(
  entityGraph: EntityGraph,
  columnFamilies: readonly ColumnFamily[],
): CompiledFamily[] {
  const graphs = new Map<string, CompiledGraph>();
  return columnFamilies.map((columnFamily) => {
    const graphText = JSON.stringify(columnFamily.graph);
    const compiled = graphs.get(graphText) ?? compileGraph(entityGraph, columnFamily.graph);
    graphs.set(graphText, compiled);
    return { columnFamily, compiled, graphText };
  });
}

/** Every way in which each family lies on the target graph, in the order of the families. */
export function layAll(
  families: readonly CompiledFamily[],
  target: CompiledGraph,
  options: { readonly repeatedChildren: boolean } = { repeatedChildren: false },
): Laid[] {
  const embeddings = new Map<string, number[][]>();
  return families.flatMap((family) => {
    let found = embeddings.get(family.graphText);
    if (!found) {
      found = embeddingsOf(family.compiled, target, options.repeatedChildren);
      embeddings.set(family.graphText, found);
    }
    return found.map((embedding) => lay(family, target, embedding));
  });
}

function lay(
  { columnFamily, compiled }: CompiledFamily,
  target: CompiledGraph,
  embedding: number[],
): Laid {
  const classOf = (column: ColumnReference): number => {
    if (column.node < 0) return 0;
    for (const { node, attribute } of compiled.members[compiled.classOf(column)] ?? []) {
      const to = embedding[node] ?? -1;
      const id = to < 0 ? -1 : target.classOf({ node: to, attribute });
      if (id >= 0) return id;
    }
    return -1;
  };
  const partition = columnFamily.partitionKey.map(classOf);
  const clustering = columnFamily.clusteringKey.map((column) => ({
    class: classOf(column),
    direction: column.direction,
  }));
  const all = [...columnFamily.partitionKey, ...columnFamily.clusteringKey, ...columnFamily.values];
  const rowBytes = all.reduce(
    (sum, column) =>
      sum + (column.node < 0 ? 1 : (compiled.bytesOfClass[compiled.classOf(column)] as number)),
    0,
  );
  return {
    columnFamily,
    embedding,
    nodes: embedding.reduce((mask, node) => (node < 0 ? mask : mask | (1 << node)), 0),
    partition,
    clustering,
    columns: setOf([
      ...partition,
      ...clustering.map((each) => each.class),
      ...columnFamily.values.map(classOf),
    ]),
    rowBytes,
  };
}

/** All ways to lay one graph on another; an edge-labelled tree lies in one way per pair of anchors at most. */
function embeddingsOf(
  from: CompiledGraph,
  target: CompiledGraph,
  repeatedChildren: boolean,
): number[][] {
  const found = new Map<string, number[]>();
  from.graph.nodes.forEach(({ entity }, anchor) => {
    target.graph.nodes.forEach((node, at) => {
      if (node.entity !== entity) return;
      const embedding = propagate(from, target, anchor, at, repeatedChildren);
      if (embedding) found.set(embedding.join(), embedding);
    });
  });
  return [...found.values()];
}

function propagate(
  from: CompiledGraph,
  target: CompiledGraph,
  anchor: number,
  at: number,
  repeatedChildren: boolean,
): number[] | undefined {
  const embedding = from.graph.nodes.map(() => -2);
  embedding[anchor] = at;
  const open = [anchor];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const edge of from.edges) {
      const next = other(edge, node);
      if (next < 0 || embedding[next] !== -2) continue;
      const to = follow(edge, edge.parent === node, embedding[node] as number, target);
      if (to < 0 && !mayLieOutside(edge, edge.child === node, repeatedChildren)) return undefined;
      embedding[next] = to;
      open.push(next);
    }
  }
  return embedding;
}

function other(edge: CompiledEdge, node: number): number {
  if (edge.parent === node) return edge.child;
  return edge.child === node ? edge.parent : -1;
}

/** The target's node across the same relationship in the same direction, −1 where there is none. */
function follow(
  edge: CompiledEdge,
  towardsChild: boolean,
  at: number,
  target: CompiledGraph,
): number {
  if (at < 0) return -1;
  for (const candidate of target.edges) {
    if (candidate.relationship !== edge.relationship) continue;
    if (towardsChild && candidate.parent === at) return candidate.child;
    if (!towardsChild && candidate.child === at) return candidate.parent;
  }
  return -1;
}

function mayLieOutside(
  edge: CompiledEdge,
  towardsParent: boolean,
  repeatedChildren: boolean,
): boolean {
  return towardsParent ? edge.mandatory : repeatedChildren && edge.atLeastOne;
}
