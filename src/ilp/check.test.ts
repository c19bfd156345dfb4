import { describe, expect, test } from "vitest";
import {
  boundViolations,
  constraintViolations,
  integralityViolations,
  isFeasible,
} from "./check.ts";
import { addConstraint, addVariable, createIlpModel, type IlpModel } from "./model.ts";

/** x, y in {0, 1} and z in [0, 10] with x + y = 1 and 2 ≤ 4x + z ≤ 9. */
function aModel(): IlpModel {
  const model = createIlpModel("checked");
  const x = addVariable(model, { name: "x", lower: 0, upper: 1, integral: true });
  const y = addVariable(model, { name: "y", lower: 0, upper: 1, integral: true });
  const z = addVariable(model, { name: "z", lower: 0, upper: 10, integral: false });
  addConstraint(model, "one", 1, 1, [x, y], [1, 1]);
  addConstraint(model, "range", 2, 9, [x, z], [4, 1]);
  return model;
}

describe("checking a point", () => {
  test("accepts a feasible one, within the tolerance", () => {
    expect(isFeasible(aModel(), Float64Array.of(1, 0, 5), 0)).toBe(true);
    expect(isFeasible(aModel(), Float64Array.of(1 + 1e-7, 0, 5), 1e-6)).toBe(true);
    expect(isFeasible(aModel(), Float64Array.of(1 + 1e-7, 0, 5), 1e-8)).toBe(false);
  });

  test("names every planted violation with its value", () => {
    const model = aModel();
    const point = Float64Array.of(0.5, 1, 12);
    expect(constraintViolations(model, point, 1e-6)).toEqual([
      { constraint: 0, name: "one", lower: 1, upper: 1, value: 1.5 },
      { constraint: 1, name: "range", lower: 2, upper: 9, value: 14 },
    ]);
    expect(boundViolations(model, point, 1e-6)).toEqual([
      { variable: 2, name: "z", lower: 0, upper: 10, value: 12 },
    ]);
    expect(integralityViolations(model, point, 1e-6)).toEqual([
      { variable: 0, name: "x", value: 0.5 },
    ]);
    expect(isFeasible(model, point, 1e-6)).toBe(false);
  });

  test("takes the tolerance relative to large bounds", () => {
    const model = createIlpModel("large");
    const x = addVariable(model, { name: "x", lower: 0, upper: Infinity, integral: false });
    addConstraint(model, "large", 1e9, Infinity, [x], [1]);
    expect(constraintViolations(model, Float64Array.of(1e9 - 10), 1e-6)).toEqual([]);
    expect(constraintViolations(model, Float64Array.of(1e9 - 1e4), 1e-6)).toHaveLength(1);
  });

  test("lets a value that is not a number break whatever it touches", () => {
    const model = aModel();
    const point = Float64Array.of(Number.NaN, 0, 5);
    expect(constraintViolations(model, point, 1).map(({ name }) => name)).toEqual(["one", "range"]);
    expect(boundViolations(model, point, 1)).toHaveLength(1);
    expect(integralityViolations(model, point, 0.5)).toHaveLength(1);
  });

  test("refuses a point of the wrong length", () => {
    expect(() => constraintViolations(aModel(), new Float64Array(2), 0)).toThrow("has 3 values");
  });
});
