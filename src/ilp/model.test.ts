import { describe, expect, test } from "vitest";
import {
  addConstraint,
  addCost,
  addVariable,
  costTerms,
  costTermValue,
  createIlpModel,
  evaluateObjective,
  type IlpModel,
  objectiveCoefficients,
  setBounds,
  setConstraintBounds,
  sparseProgram,
  type VariableIndex,
} from "./model.ts";

function binary(model: IlpModel, name: string): VariableIndex {
  return addVariable(model, { name, lower: 0, upper: 1, integral: true });
}

describe("a model under construction", () => {
  test("holds its rows in the order and form in which they were written", () => {
    const model = createIlpModel("rows");
    const x = binary(model, "x");
    const y = addVariable(model, { name: "y", lower: -1, upper: Infinity, integral: false });
    addConstraint(model, "both", 1, Infinity, [y, x], [2, 3]);
    addConstraint(model, "empty", 0, 0, [x], [0]);
    addConstraint(model, "second", -Infinity, 5, [x], [-1]);
    const program = sparseProgram(model);
    expect(program).toMatchObject({ columnCount: 2, rowCount: 3 });
    expect([...program.rowStarts]).toEqual([0, 2, 2, 3]);
    expect([...program.columns]).toEqual([1, 0, 0]);
    expect([...program.coefficients]).toEqual([2, 3, -1]);
    expect([...program.integral]).toEqual([1, 0]);
    expect([...program.columnLower]).toEqual([0, -1]);
    expect([...program.rowUpper]).toEqual([Infinity, 0, 5]);
    expect(Object.isFrozen(program)).toBe(true);
  });

  test("puts the entries of a late variable into the rows it names", () => {
    const model = createIlpModel("late");
    const x = binary(model, "x");
    const first = addConstraint(model, "first", 1, 1, [x], [1]);
    const second = addConstraint(model, "second", 1, 1, [], []);
    addVariable(
      model,
      { name: "y", lower: 0, upper: 1, integral: false },
      { constraints: [second, first], coefficients: [7, 5] },
    );
    const z = binary(model, "z");
    addConstraint(model, "third", 0, 1, [z, x], [9, 8]);
    const program = sparseProgram(model);
    expect([...program.rowStarts]).toEqual([0, 2, 3, 5]);
    expect([...program.columns]).toEqual([0, 1, 1, 2, 0]);
    expect([...program.coefficients]).toEqual([1, 5, 7, 9, 8]);
  });

  test("sums its objective from named cost terms", () => {
    const model = createIlpModel("costs");
    const x = binary(model, "x");
    const y = binary(model, "y");
    addCost(model, "queryCost", x, 2);
    addCost(model, "updateCost", x, 3);
    addCost(model, "queryCost", y, 5);
    addCost(model, "queryCost", x, 1);
    const point = Float64Array.of(1, 0.5);
    expect(costTerms(model)).toEqual(["queryCost", "updateCost"]);
    expect([...objectiveCoefficients(model)]).toEqual([6, 5]);
    expect(costTermValue(model, "queryCost", point)).toBe(5.5);
    expect(costTermValue(model, "updateCost", point)).toBe(3);
    expect(evaluateObjective(model, point)).toBe(8.5);
    expect(() => costTermValue(model, "loadCost", point)).toThrow("no cost term loadCost");
  });

  test("changes bounds afterwards", () => {
    const model = createIlpModel("bounds");
    const x = binary(model, "x");
    const row = addConstraint(model, "row", 0, 1, [x], [1]);
    setBounds(model, x, 1, 1);
    setConstraintBounds(model, row, -Infinity, Infinity);
    const program = sparseProgram(model);
    expect([program.columnLower[0], program.columnUpper[0]]).toEqual([1, 1]);
    expect([program.rowLower[0], program.rowUpper[0]]).toEqual([-Infinity, Infinity]);
  });

  test("refuses malformed rows, and stays as it was", () => {
    const model = createIlpModel("refusals");
    const x = binary(model, "x");
    const y = binary(model, "y");
    const before = sparseProgram(model);
    const unknown = 7 as VariableIndex;
    expect(() => addConstraint(model, "twice", 0, 1, [x, y, x], [1, 1, 1])).toThrow(
      "Constraint twice contains variable x twice",
    );
    expect(() => addConstraint(model, "unknown", 0, 1, [unknown], [1])).toThrow("variable 7");
    expect(() => addConstraint(model, "uneven", 0, 1, [x, y], [1])).toThrow("2 indices but 1");
    expect(() => addConstraint(model, "nan", 0, 1, [x], [Number.NaN])).toThrow("not finite");
    expect(() => addConstraint(model, "bounds", Number.NaN, 1, [x], [1])).toThrow("bounds NaN");
    expect(() => addCost(model, "cost", x, Infinity)).toThrow("not finite");
    expect(sparseProgram(model)).toEqual(before);
    // The refused row must not make its variables look repeated in the next.
    addConstraint(model, "fine", 0, 1, [x, y], [1, 1]);
  });

  test("grows to a million entries", () => {
    const model = createIlpModel("large");
    const variables = Array.from({ length: 100_000 }, (_, index) => binary(model, `x${index}`));
    for (let row = 0; row < 100_000; row += 1) {
      const members = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(
        (step) => variables[(row + 997 * step) % variables.length] as VariableIndex,
      );
      addConstraint(model, `row${row}`, 1, Infinity, members, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    }
    const program = sparseProgram(model);
    expect(program.columns).toHaveLength(1_000_000);
    expect(program.rowStarts.at(-1)).toBe(1_000_000);
  });
});
