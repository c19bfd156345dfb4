/**
 * How many rows: expected cardinalities under uniform, independent values (engine.md §3, §6).
 * Fractional results are meant: they are expectations.
 */
import {
  type ColumnSet,
  type CompiledGraph,
  classesOf,
  determinedNodes,
  type NodeSet,
} from "./column-classes.ts";

/**
 * Rows of the natural join over some nodes of a graph: product of counts times, per edge inside,
 * links / (|parent| · |child|). Nodes without a connecting edge multiply.
 */
export function rowsOfNodes(compiled: CompiledGraph, nodes: NodeSet): number {
  const { entityGraph, graph } = compiled;
  const count = (node: number): number =>
    entityGraph.entities[graph.nodes[node]?.entity ?? ""]?.count ?? 0;
  let rows = 1;
  for (let node = 0; node < graph.nodes.length; node += 1)
    if ((nodes >> node) & 1) rows *= count(node);
  for (const { relationship, parent, child } of compiled.edges) {
    if (!((nodes >> parent) & 1) || !((nodes >> child) & 1)) continue;
    const links = entityGraph.relationships.find(({ id }) => id === relationship)?.links ?? 0;
    rows *= links / count(parent) / count(child);
  }
  return rows;
}

/**
 * Number of distinct combinations that some columns can take within the join over `within`: the
 * records they determine, times the distinct values of the columns that belong to none of these.
 */
export function combinations(compiled: CompiledGraph, columns: ColumnSet, within: NodeSet): number {
  const determined = determinedNodes(compiled, columns) & within;
  let result = rowsOfNodes(compiled, determined);
  for (const id of classesOf(columns)) {
    if (((compiled.nodesOfClass[id] as NodeSet) & determined) === 0)
      result *= compiled.distinctOfClass[id] as number;
  }
  return result;
}

/**
 * Expected number of distinct values among `rows` draws from `values` equally likely ones
 * (Cardenas 1975, "Analysis and performance of inverted data base structures"):
 * v · (1 − (1 − 1/v)^rows); with at most one value, every row has it.
 */
export function expectedDistinct(values: number, rows: number): number {
  if (values <= 1) return Math.min(values, rows);
  // expm1/log1p keep the result exact where 1/v is far below the rows' count.
  return Math.min(rows, -values * Math.expm1(rows * Math.log1p(-1 / values)));
}
