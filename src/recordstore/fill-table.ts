/**
 * What a column family means: its rows are the join rows of its graph over the records, each under a
 * key of its own. The truth that plans, updates and migrations are held against.
 */
import { type ColumnFamily, type ColumnFamilyKey, columnsOf } from "#model/column-family.ts";
import { columnText, type QueryGraph } from "#model/query-graph.ts";
import { constantValue, joinRows, type Records, type Value } from "./records.ts";
import { createTable, loadRows, type Table } from "./table.ts";

/** The key of a column family does not tell its rows apart, so it cannot hold them all. */
export class KeyFault extends Error {}

/** The tables of some column families over the same records. */
export function fillTables(
  records: Records,
  columnFamilies: Iterable<ColumnFamily>,
): Map<ColumnFamilyKey, Table> {
  const joins = new Map<string, number[][]>();
  const tables = new Map<ColumnFamilyKey, Table>();
  for (const columnFamily of columnFamilies) {
    const graphText = JSON.stringify(columnFamily.graph);
    const rows = joins.get(graphText) ?? joinRows(records, columnFamily.graph);
    joins.set(graphText, rows);
    tables.set(columnFamily.key, tableOf(records, columnFamily, rows));
  }
  return tables;
}

export function fillTable(records: Records, columnFamily: ColumnFamily): Table {
  return tableOf(records, columnFamily, joinRows(records, columnFamily.graph));
}

function tableOf(
  records: Records,
  columnFamily: ColumnFamily,
  rows: readonly (readonly number[])[],
): Table {
  const table = createTable(columnFamily);
  const columns = columnsOf(columnFamily).map((column) => readerOf(records, columnFamily, column));
  const overwritten = loadRows(
    table,
    rows.map((row) => columns.map((read) => read(row))),
  );
  if (overwritten > 0) throw new KeyFault(`rows have the same key in ${columnFamily.key}`);
  return table;
}

function readerOf(
  records: Records,
  { graph }: { graph: QueryGraph },
  column: { node: number; attribute: string },
): (row: readonly number[]) => Value {
  if (column.node < 0) return () => constantValue;
  const list = records.entities.get(graph.nodes[column.node]?.entity ?? "") ?? [];
  return (row) => {
    const value = list[row[column.node] as number]?.[column.attribute];
    if (value === undefined) throw new Error(`no value for ${columnText(graph, column)}`);
    return value;
  };
}
