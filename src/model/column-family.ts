/**
 * Column families: `[partition key] [clustering key] → values` over a query graph (engine.md §3),
 * with the arithmetic of their rows, partitions and bytes.
 */
import { attributeOf, type EntityGraph } from "./entity-graph.ts";
import { countPartitions } from "./partition-count.ts";
import {
  type ColumnReference,
  columnText,
  isConstant,
  joinRows,
  type QueryGraph,
} from "./query-graph.ts";

/** Full canonical text of a column family; equal exactly when two column families are the same. */
export type ColumnFamilyKey = string;

export interface ClusteringColumn extends ColumnReference {
  readonly direction: "asc" | "desc";
}

export interface ColumnFamily {
  readonly key: ColumnFamilyKey;
  /** The canonical graph whose join rows are this column family's rows. */
  readonly graph: QueryGraph;
  readonly partitionKey: readonly ColumnReference[];
  readonly clusteringKey: readonly ClusteringColumn[];
  readonly values: readonly ColumnReference[];
  readonly size: ColumnFamilySize;
}

/** Expected figures. `bytes` = partitions · partition-key bytes + rows · (clustering + values + 8 per value cell), times the size factor. */
export interface ColumnFamilySize {
  readonly rows: number;
  readonly partitions: number;
  readonly rowsPerPartition: number;
  readonly bytesPerPartition: number;
  readonly bytes: number;
}

/** Bytes of metadata that Cassandra's documentation counts for each non-key cell (Data Modeling, "Calculating Size on Disk"). */
export const cellOverheadBytes = 8;

/** `[item.name] [item.id↑] → user.id`, as written everywhere (look.md). */
export function columnFamilyText(
  columnFamily: Pick<ColumnFamily, "graph" | "partitionKey" | "clusteringKey" | "values">,
): string {
  const { graph, partitionKey, clusteringKey, values } = columnFamily;
  const partition = partitionKey.map((column) => columnText(graph, column)).join(", ");
  const clustering = clusteringKey
    .map((column) => `${columnText(graph, column)}${column.direction === "asc" ? "↑" : "↓"}`)
    .join(", ");
  const rest = values.map((column) => columnText(graph, column)).join(", ");
  return `[${partition}] [${clustering}]${rest ? ` → ${rest}` : ""}`;
}

/** Bytes of one value of a column; the constant column takes one byte. */
export function columnBytes(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  column: ColumnReference,
): number {
  if (isConstant(column)) return 1;
  const entity = entityGraph.entities[graph.nodes[column.node]?.entity ?? ""];
  const attribute = entity && attributeOf(entity, column.attribute);
  if (!attribute) throw new Error(`no attribute ${columnText(graph, column)}`);
  return attribute.bytes;
}

/** A column of type counter. */
export function isCounterAt(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  { node, attribute }: ColumnReference,
): boolean {
  const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
  return entity !== undefined && attributeOf(entity, attribute)?.type === "counter";
}

/**
 * Cassandra's rules for counters: none in a key, and in a table with counters no other value. Says
 * which rule the family breaks; undefined for a right one.
 */
export function brokenCounterRule(
  entityGraph: EntityGraph,
  {
    graph,
    partitionKey,
    clusteringKey,
    values,
  }: Pick<ColumnFamily, "graph" | "partitionKey" | "clusteringKey" | "values">,
): string | undefined {
  const isCounter = (column: ColumnReference): boolean => isCounterAt(entityGraph, graph, column);
  if ([...partitionKey, ...clusteringKey].some(isCounter)) return "has a counter in its key";
  return values.some(isCounter) && !values.every(isCounter)
    ? "holds counters beside other values"
    : undefined;
}

/**
 * Rows, partitions and bytes (Cassandra documentation, Data Modeling, "Calculating Partition Size"
 * and "Calculating Size on Disk", summed over partitions).
 */
export function columnFamilySize(
  entityGraph: EntityGraph,
  columnFamily: Pick<ColumnFamily, "graph" | "partitionKey" | "clusteringKey" | "values">,
  sizeFactor: number,
): ColumnFamilySize {
  const { graph, partitionKey, clusteringKey, values } = columnFamily;
  const bytesOf = (columns: readonly ColumnReference[]): number =>
    columns.reduce((sum, column) => sum + columnBytes(entityGraph, graph, column), 0);
  const rows = joinRows(entityGraph, graph);
  const partitions = Math.max(1, Math.min(rows, countPartitions(entityGraph, graph, partitionKey)));
  const perRow = bytesOf(clusteringKey) + bytesOf(values) + cellOverheadBytes * values.length;
  const bytes = (partitions * bytesOf(partitionKey) + rows * perRow) * sizeFactor;
  return {
    rows,
    partitions,
    rowsPerPartition: rows / partitions,
    bytesPerPartition: bytes / partitions,
    bytes,
  };
}

/** All columns, keys first. */
export function columnsOf(columnFamily: ColumnFamily): readonly ColumnReference[] {
  return [...columnFamily.partitionKey, ...columnFamily.clusteringKey, ...columnFamily.values];
}
