import { describe, expect, it } from "vitest";
import { cellAfterKey, windowOf } from "./grid-window.ts";

const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false });

describe("the grid's window", () => {
  it("holds what is in view and a little more, however large the sheet", () => {
    const box = { width: 800, height: 300, left: 1000, top: 3000 };
    const cell = { rowHeight: 30, cellWidth: 50, headWidth: 200 };
    expect(windowOf(box, cell, 300, 96)).toEqual({
      firstRow: 97,
      lastRow: 113,
      firstStep: 17,
      lastStep: 35,
    });
    expect(windowOf({ ...box, left: 0, top: 0 }, cell, 2, 3)).toEqual({
      firstRow: 0,
      lastRow: 1,
      firstStep: 0,
      lastStep: 2,
    });
  });
});

describe("keys in the grid", () => {
  const at = { row: 5, step: 2 };

  it("moves by one, to the ends and by pages", () => {
    expect(cellAfterKey(key("ArrowRight"), at, 10, 24, 4)).toEqual({ row: 5, step: 3 });
    expect(cellAfterKey(key("End"), at, 10, 24, 4)).toEqual({ row: 5, step: 23 });
    expect(cellAfterKey(key("Home", true), at, 10, 24, 4)).toEqual({ row: 0, step: 0 });
    expect(cellAfterKey(key("PageDown"), at, 10, 24, 4)).toEqual({ row: 9, step: 2 });
  });

  it("stays inside the sheet and leaves other keys alone", () => {
    expect(cellAfterKey(key("ArrowUp"), { row: 0, step: 0 }, 10, 24, 4)).toEqual({
      row: 0,
      step: 0,
    });
    expect(cellAfterKey(key("x"), at, 10, 24, 4)).toBeUndefined();
    expect(cellAfterKey(key("constructor"), at, 10, 24, 4)).toBeUndefined();
  });
});
