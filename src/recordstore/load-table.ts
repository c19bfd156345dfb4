/**
 * Loading a new table while updates go on (engine.md §6, eq. 16). The updates are written to it from
 * the moment the load begins; the load writes with the time at which it began, so that whatever an
 * update has put or deleted since then wins over what the load brings, whichever comes first.
 */
import type { ColumnFamily } from "#model/column-family.ts";
import {
  createTable,
  GhostRow,
  type LoadingWrites,
  overlaid,
  putRow,
  type Row,
  rowAt,
  rowKey,
  type Table,
} from "./table.ts";

/** A table whose load has begun. */
export interface LoadingTable extends Table {
  readonly loading: LoadingWrites;
}

export function beginLoad(columnFamily: ColumnFamily): LoadingTable {
  return { ...createTable(columnFamily), loading: new Map() };
}

/** A row that the load brings: cells that updates have written meanwhile are newer. */
export function loadRow(table: LoadingTable, row: Row): void {
  const written = table.loading.get(rowKey(table, row));
  if (written === "row") return;
  putRow(table, (written ? overlaid(row, written) : row) as Row);
}

/** The loaded table; throws a `GhostRow` where cells were written to a row that never came. */
export function endLoad({ columnFamily, partitions, loading }: LoadingTable): Table {
  const table: Table = { columnFamily, partitions };
  for (const [key, written] of loading)
    if (written !== "row" && !rowAt(table, written))
      throw new GhostRow(`${columnFamily.key} never got a row ${key}`);
  return table;
}
