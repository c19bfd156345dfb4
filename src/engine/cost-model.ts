/** The cost formulas of engine.md §6; milliseconds throughout. */
import type { CostModel } from "#model/cost-model.ts";

/** T(n, w, s): `gets` Gets that together return `rows` rows of `bytesPerRow` selected bytes. */
export function getCost(model: CostModel, gets: number, rows: number, bytesPerRow: number): number {
  const { fixed, perGet, perRow, perByte, perFurtherPartition = 0 } = model.get;
  const further = perFurtherPartition * Math.max(0, gets - 1);
  return fixed + perGet * gets + perRow * rows + perByte * rows * bytesPerRow + further;
}

/** Sorting in the application: per row · log₂ rows. */
export function sortCost(model: CostModel, rows: number): number {
  return rows > 1 ? model.sort.perRowLog * rows * Math.log2(rows) : 0;
}

/** Grouping or aggregating in the application. */
export function groupCost(model: CostModel, rows: number): number {
  return model.group.perRow * rows;
}

/** T″: reading a whole column family for a migration. */
export function extractCost(model: CostModel, bytes: number): number {
  return model.extract.fixed + model.extract.perByte * bytes;
}

/** T‴: writing a whole new column family. */
export function loadCost(model: CostModel, bytes: number): number {
  return model.load.fixed + model.load.perByte * bytes;
}

/** T′: putting or deleting `rows` rows of one column family. */
export function putCost(model: CostModel, rows: number): number {
  return model.put.fixed + model.put.perRow * rows;
}
