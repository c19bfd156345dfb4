/** Tables of one entity written by hand, for tests of the rules. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { ColumnFamily } from "#model/column-family.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import { createTable, putRow, type Restriction, type Row, type Table } from "../table.ts";

export const column = (attribute: string): ColumnReference => ({ node: 0, attribute });

/** A column family of one entity; a clustering column may be written `name desc`. */
export function aFamily(
  partition: readonly string[],
  clustering: readonly string[],
  values: readonly string[] = [],
): ColumnFamily {
  return {
    key: `[${partition}] [${clustering}] → ${values}`,
    graph: { nodes: [{ entity: "T", label: "T" }], edges: [] },
    partitionKey: partition.map(column),
    clusteringKey: clustering.map((text) => {
      const [name, direction] = text.split(" ");
      return { ...column(name ?? ""), direction: direction === "desc" ? "desc" : "asc" };
    }),
    values: values.map(column),
    size: { rows: 0, partitions: 0, rowsPerPartition: 0, bytesPerPartition: 0, bytes: 0 },
  };
}

export function aTable(columnFamily: ColumnFamily, rows: readonly Row[]): Table {
  const table = createTable(columnFamily);
  for (const row of rows) putRow(table, row);
  return table;
}

export const equal = (name: string, value: string | number): Restriction => ({
  kind: "equal",
  column: column(name),
  value,
});

export const among = (name: string, values: readonly (string | number)[]): Restriction => ({
  kind: "in",
  column: column(name),
  values,
});

/** `("c1, c2", [1, 2], [2, 1])`: both ends included; undefined leaves an end open. */
export const between = (
  names: string,
  from: readonly (string | number)[] | undefined,
  to: readonly (string | number)[] | undefined,
): Restriction => ({
  kind: "slice",
  columns: names.split(", ").map(column),
  ...(from && { lower: { values: from, inclusive: true } }),
  ...(to && { upper: { values: to, inclusive: true } }),
});
