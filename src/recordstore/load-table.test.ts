/** What updates write to a table that is being loaded wins over what the load brings. */
import { expect, test } from "vitest";
import { beginLoad, endLoad, loadRow } from "./load-table.ts";
import { deleteRow, GhostRow, putCells, Refusal, scanTable } from "./table.ts";
import { aFamily } from "./testing/hand-made.ts";

const family = aFamily(["p"], ["c"], ["v", "w"]);

test("a row that an update has put is not brought back to what it was", () => {
  const table = beginLoad(family);
  putCells(table, [1, 1, "new", "new"]);
  loadRow(table, [1, 1, "old", "old"]);
  expect(scanTable(endLoad(table))).toEqual([[1, 1, "new", "new"]]);
});

test("a row that an update has deleted does not come back, whether it had come or not", () => {
  const table = beginLoad(family);
  loadRow(table, [1, 1, "old", "old"]);
  deleteRow(table, [1, 1]);
  deleteRow(table, [1, 2]);
  loadRow(table, [1, 1, "old", "old"]);
  loadRow(table, [1, 2, "old", "old"]);
  expect(scanTable(endLoad(table))).toEqual([]);
});

test("cells put before or after their row has come stay, beside what it brings", () => {
  const table = beginLoad(family);
  putCells(table, [1, 1, undefined, "new"]);
  loadRow(table, [1, 1, "old", "old"]);
  loadRow(table, [1, 2, "old", "old"]);
  putCells(table, [1, 2, "new", undefined]);
  // A source may be read twice.
  loadRow(table, [1, 2, "old", "old"]);
  expect(scanTable(endLoad(table))).toEqual([
    [1, 1, "old", "new"],
    [1, 2, "new", "old"],
  ]);
});

test("cells of a row that never comes are a fault", () => {
  const table = beginLoad(family);
  putCells(table, [1, 1, undefined, "new"]);
  expect(() => endLoad(table)).toThrow(GhostRow);
});

test("once loaded, cells need a row, and every write its whole key", () => {
  const table = endLoad(beginLoad(family));
  expect(() => putCells(table, [1, 1, undefined, "new"])).toThrow(GhostRow);
  expect(() => putCells(table, [1, undefined, "new", "new"])).toThrow(Refusal);
  expect(() => deleteRow(table, [1])).toThrow(Refusal);
  putCells(table, [1, 1, "a", "b"]);
  putCells(table, [1, 1, undefined, "c"]);
  expect(scanTable(table)).toEqual([[1, 1, "a", "c"]]);
});
