import { expect, test } from "vitest";
import {
  addConstraint,
  addCost,
  addVariable,
  createIlpModel,
  setBounds,
  setConstraintBounds,
  sparseProgram,
} from "./model.ts";
import { carriedOver, changesSince, heldProgram } from "./program-changes.ts";

test("tells new columns, new rows and changed numbers apart", () => {
  const model = createIlpModel("growing");
  const x = addVariable(model, { name: "x", lower: 0, upper: 1, integral: false });
  const y = addVariable(model, { name: "y", lower: 0, upper: 1, integral: false });
  const row = addConstraint(model, "row", 0, 1, [x, y], [1, 2]);
  const other = addConstraint(model, "other", 0, 1, [y], [3]);
  const held = heldProgram(sparseProgram(model));
  expect(changesSince(held, sparseProgram(model))).toMatchObject({
    newColumns: undefined,
    newRows: undefined,
    costs: new Int32Array(0),
  });

  addCost(model, "cost", y, 4);
  setBounds(model, x, 0, 0.5);
  setBounds(model, y, 0.25, 1);
  setConstraintBounds(model, other, 0, 2);
  const late = { constraints: [other, row], coefficients: [6, 5] };
  const z = addVariable(model, { name: "z", lower: 0, upper: 9, integral: true }, late);
  addCost(model, "cost", z, 8);
  addConstraint(model, "new", 1, 1, [x, z], [7, -7]);
  const changes = changesSince(held, sparseProgram(model));
  expect(changes).toEqual({
    newColumns: {
      cost: Float64Array.of(8),
      lower: Float64Array.of(0),
      upper: Float64Array.of(9),
      integral: Uint8Array.of(1),
      matrix: {
        format: "csc",
        numRows: 2,
        numCols: 1,
        starts: Int32Array.of(0, 2),
        indices: Int32Array.of(0, 1),
        values: Float64Array.of(5, 6),
      },
    },
    newRows: {
      lower: Float64Array.of(1),
      upper: Float64Array.of(1),
      matrix: {
        format: "csr",
        numRows: 1,
        numCols: 3,
        starts: Int32Array.of(0, 2),
        indices: Int32Array.of(0, 2),
        values: Float64Array.of(7, -7),
      },
    },
    costs: Int32Array.of(1),
    columnBounds: Int32Array.of(0, 1),
    rowBounds: Int32Array.of(1),
  });
});

test("carries a point over, new columns as near to 0 as their bounds allow", () => {
  const model = createIlpModel("growing");
  for (const [lower, upper] of [
    [0, 1],
    [-1, 5],
    [2, 3],
    [-3, -2],
    [-Infinity, Infinity],
  ] as const) {
    addVariable(model, { name: `${lower}`, lower, upper, integral: false });
  }
  const point = carriedOver(Float64Array.of(0.5), sparseProgram(model));
  expect([...point]).toEqual([0.5, 0, 2, -2, 0]);
});
