import fc from "fast-check";
import loadHighs, { type Highs } from "highs";
import { beforeAll, describe, expect, test } from "vitest";
import { boundViolations, constraintViolations, isFeasible } from "./check.ts";
import { openHighs } from "./highs.ts";
import { lpText } from "./lp-text.ts";
import {
  addConstraint,
  addCost,
  addVariable,
  createIlpModel,
  evaluateObjective,
  type IlpModel,
  objectiveCoefficients,
  setBounds,
  setConstraintBounds,
  sparseProgram,
  type VariableIndex,
} from "./model.ts";
import type { BoundProgress, IlpSolution, IlpSolver, Incumbent } from "./solve.ts";

let solver: IlpSolver;
let oneShot: Highs;
beforeAll(async () => {
  solver = await openHighs();
  oneShot = await loadHighs();
});

interface RandomProgram {
  readonly costs: readonly number[];
  readonly rows: readonly {
    readonly coefficients: readonly number[];
    readonly lower: number;
    readonly upper: number;
  }[];
}

/** Up to six 0/1 variables and five rows of small whole numbers; many are infeasible. */
const randomProgram: fc.Arbitrary<RandomProgram> = fc
  .integer({ min: 1, max: 6 })
  .chain((columns) => {
    const numbers = fc.array(fc.integer({ min: -5, max: 5 }), {
      minLength: columns,
      maxLength: columns,
    });
    const row = fc.record({
      coefficients: numbers,
      lower: fc.constantFrom(-Infinity, -2, 0, 1, 2),
      upper: fc.constantFrom(2, 3, 5, Infinity),
    });
    return fc.record({ costs: numbers, rows: fc.array(row, { maxLength: 5 }) });
  });

function modelOf({ costs, rows }: RandomProgram, integral: (column: number) => boolean): IlpModel {
  const model = createIlpModel("random");
  const variables = costs.map((cost, column) => {
    const name = `x[${column}]`;
    const variable = addVariable(model, { name, lower: 0, upper: 1, integral: integral(column) });
    addCost(model, column % 2 === 0 ? "even" : "odd", variable, cost);
    if (column % 3 === 0) addCost(model, "third", variable, 0.5);
    return variable;
  });
  rows.forEach(({ coefficients, lower, upper }, row) => {
    addConstraint(model, `row[${row}]`, lower, upper, variables, coefficients);
  });
  return model;
}

/** The least objective over all 0/1 points, or undefined if none is feasible. */
function bruteForce(model: IlpModel): number | undefined {
  const { columnCount } = sparseProgram(model);
  const objectives = Array.from({ length: 2 ** columnCount }, (_, bits) =>
    Float64Array.from({ length: columnCount }, (_, column) => (bits >> column) & 1),
  )
    .filter((point) => isFeasible(model, point, 1e-9))
    .map((point) => evaluateObjective(model, point));
  return objectives.length === 0 ? undefined : Math.min(...objectives);
}

function objectiveOf(solution: IlpSolution): number | undefined {
  if (solution.status === "infeasible") return undefined;
  expect(solution.status).toBe("optimal");
  return solution.status === "optimal" ? solution.objective : Number.NaN;
}

function expectSame(actual: number | undefined, expected: number | undefined): void {
  if (expected === undefined) expect(actual).toBeUndefined();
  // Both may use a solver's tolerance of 1e-6 in several rows, with coefficients up to 5.
  else expect(actual).toBeCloseTo(expected, 4);
}

/** A set cover that takes HiGHS far longer than any test may last. */
function hardModel(size = 150): IlpModel {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const model = createIlpModel("set cover");
  const variables = Array.from({ length: size }, (_, column) => {
    const name = `set[${column}]`;
    const variable = addVariable(model, { name, lower: 0, upper: 1, integral: true });
    addCost(model, "sets", variable, 1);
    return variable;
  });
  for (let row = 0; row < size; row += 1) {
    const members = variables.filter((_, column) => column === row || random() < 0.06);
    addConstraint(
      model,
      `covered[${row}]`,
      1,
      Infinity,
      members,
      members.map(() => 1),
    );
  }
  return model;
}

/** Four things of which the best that weigh at most 10 are worth 90. */
function knapsack(): { model: IlpModel; variables: VariableIndex[] } {
  const model = createIlpModel("knapsack");
  const variables = [10, 40, 30, 50].map((value, index) => {
    const name = `take[${index}]`;
    const variable = addVariable(model, { name, lower: 0, upper: 1, integral: true });
    addCost(model, "value", variable, -value);
    return variable;
  });
  addConstraint(model, "weight", -Infinity, 10, variables, [5, 4, 6, 3]);
  return { model, variables };
}

describe("solving once", () => {
  test("finds the best knapsack", async () => {
    const { model } = knapsack();
    const solution = await solver.solve(model, {});
    expect(solution).toMatchObject({ status: "optimal", objective: -90, bound: -90, gap: 0 });
    if (solution.status === "optimal") expect([...solution.values]).toEqual([0, 1, 0, 1]);
  });

  test("equals brute force on random 0/1 programs", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (program) => {
        const model = modelOf(program, () => true);
        const solution = await solver.solve(model, {});
        expectSame(objectiveOf(solution), bruteForce(model));
        if (solution.status !== "optimal") return;
        expect(isFeasible(model, solution.values, 1e-6)).toBe(true);
        expect(evaluateObjective(model, solution.values)).toBeCloseTo(solution.objective, 6);
      }),
      { numRuns: 150 },
    );
  });

  test("equals solving the LP text on random mixed programs", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (program) => {
        const model = modelOf(program, (column) => column % 2 === 0);
        const expected = oneShot.solve(lpText(model), { output_flag: false, mip_rel_gap: 0 });
        expect(["Optimal", "Infeasible"]).toContain(expected.Status);
        const objective = expected.Status === "Optimal" ? expected.ObjectiveValue : undefined;
        expectSame(objectiveOf(await solver.solve(model, {})), objective);
      }),
      { numRuns: 100 },
    );
  });

  test("tells infeasible from unbounded, with and without integral variables", async () => {
    for (const integral of [true, false]) {
      const model = createIlpModel("unbounded");
      const x = addVariable(model, { name: "x", lower: 0, upper: Infinity, integral });
      const y = addVariable(model, { name: "y", lower: 0, upper: Infinity, integral });
      addCost(model, "cost", x, -1);
      addConstraint(model, "apart", -Infinity, 4, [x, y], [1, -1]);
      expect(await solver.solve(model, {})).toEqual({ status: "unbounded" });
      addConstraint(model, "contradiction", 5, 3, [x, y], [1, -1]);
      expect(await solver.solve(model, {})).toEqual({ status: "infeasible" });
    }
  });

  test("finds an unbounded direction useless where no integral point exists", async () => {
    const model = createIlpModel("half");
    const x = addVariable(model, { name: "x", lower: -Infinity, upper: Infinity, integral: true });
    const y = addVariable(model, { name: "y", lower: -Infinity, upper: Infinity, integral: true });
    addCost(model, "cost", x, -1);
    addConstraint(model, "odd", 1, 1, [x, y], [2, 2]);
    expect(await solver.solve(model, {})).toEqual({ status: "infeasible" });
  });

  test("solves a program without variables, or without constraints", async () => {
    const model = createIlpModel("empty");
    expect(await solver.solve(model, {})).toMatchObject({ status: "optimal", objective: 0 });
    const row = addConstraint(model, "impossible", 1, 2, [], []);
    expect(await solver.solve(model, {})).toEqual({ status: "infeasible" });
    const program = solver.load(model);
    expect(await program.solveRelaxation()).toEqual({ status: "infeasible" });
    setConstraintBounds(model, row, 0, 2);
    const x = addVariable(model, { name: "x", lower: -1, upper: 1, integral: true });
    addCost(model, "cost", x, 1);
    expect(await program.solve({})).toMatchObject({ status: "optimal", objective: -1 });
    program.dispose();
  });
});

describe("stopping, watching and beginning", () => {
  test("keeps the incumbent and states a gap when time runs out", async () => {
    const model = hardModel();
    const solution = await solver.solve(model, { timeLimitSeconds: 0.5 });
    expect(solution).toMatchObject({ status: "feasible", stoppedBy: "timeLimit" });
    if (solution.status !== "feasible") return;
    expect(isFeasible(model, solution.values, 1e-6)).toBe(true);
    expect(solution.bound).toBeLessThan(solution.objective);
    expect(solution.gap).toBeGreaterThan(0);
    expect(solution.gap).toBeLessThanOrEqual(1);
  });

  test("does not believe an objective without a point", async () => {
    expect(await solver.solve(hardModel(), { timeLimitSeconds: 0 })).toMatchObject({
      status: "timedOut",
      stoppedBy: "timeLimit",
      bound: -Infinity,
    });
  });

  test("reports its progress and obeys an interrupt", async () => {
    const model = hardModel();
    const incumbents: Incumbent[] = [];
    const bounds: BoundProgress[] = [];
    const solution = await solver.solve(
      model,
      {},
      {
        onIncumbent: (incumbent) => incumbents.push(incumbent),
        onBound: (progress) => bounds.push(progress),
        shouldStop: () => incumbents.some(({ bound }) => bound > 0),
      },
    );
    expect(solution).toMatchObject({ status: "feasible", stoppedBy: "interrupt" });
    if (solution.status !== "feasible") return;
    const last = incumbents.at(-1);
    expect(last?.objective).toBeCloseTo(solution.objective, 6);
    expect(last?.values).toHaveLength(150);
    for (const { values, objective, bound, gap } of incumbents) {
      expect(isFeasible(model, values, 1e-6)).toBe(true);
      expect(evaluateObjective(model, values)).toBeCloseTo(objective, 6);
      expect(bound).toBeLessThanOrEqual(objective);
      expect(gap).toBeGreaterThan(0);
    }
    expect(bounds.length).toBeGreaterThan(0);
    expect(bounds.every(({ gap, nodes }) => gap >= 0 && gap <= 1 && nodes >= 0)).toBe(true);
  });

  test("stops at the gap asked for", async () => {
    const solution = await solver.solve(hardModel(), { relativeGap: 0.8 });
    expect(solution.status).toBe("optimal");
    if (solution.status === "optimal") expect(solution.gap).toBeLessThanOrEqual(0.8);
  });

  test("begins from a feasible start and ignores an infeasible one", async () => {
    const model = hardModel();
    const good = await solver.solve(model, { timeLimitSeconds: 1 });
    if (good.status !== "feasible") throw new Error(good.status);
    const begun = await solver.solve(model, { timeLimitSeconds: 0, start: good.values });
    expect(begun).toMatchObject({ status: "feasible" });
    if (begun.status === "feasible") expect(begun.objective).toBeCloseTo(good.objective, 6);
    const infeasible = new Float64Array(150);
    expect(await solver.solve(model, { timeLimitSeconds: 0, start: infeasible })).toMatchObject({
      status: "timedOut",
    });
    await expect(solver.solve(model, { start: new Float64Array(3) })).rejects.toThrow("has 3");
  });

  test("gives the same answer to the same question", async () => {
    const answers = await Promise.all(
      [1, 2].map(() => solver.solve(hardModel(40), { relativeGap: 0 })),
    );
    expect(answers[0]).toMatchObject({ status: "optimal" });
    expect(answers[0]).toEqual(answers[1]);
    expect(await (await openHighs()).solve(hardModel(40), {})).toEqual(answers[0]);
  });
});

describe("faults", () => {
  test("throws on what a hook throws, and goes on working", async () => {
    const hooks = {
      onIncumbent: () => {
        throw new Error("the hook's own fault");
      },
    };
    await expect(solver.solve(hardModel(), {}, hooks)).rejects.toThrow("the hook's own fault");
    expect(await solver.solve(knapsack().model, {})).toMatchObject({ objective: -90 });
  });

  test("reports a refused program as failed, in words, and goes on working", async () => {
    const { model, variables } = knapsack();
    addConstraint(model, "absurd", 0, 1, variables.slice(0, 1), [1e16]);
    const solution = await solver.solve(model, {});
    expect(solution).toMatchObject({ status: "failed", reason: "solverError" });
    if (solution.status === "failed") expect(solution.message).toContain("greater than 1e+15");
    expect(await solver.solve(knapsack().model, {})).toMatchObject({ objective: -90 });
  });

  test("rejects when its WASM file cannot be found", async () => {
    await expect(openHighs({ locateFile: () => "/nowhere/highs.wasm" })).rejects.toThrow("nowhere");
  });
});

describe("a loaded program", () => {
  test("follows random changes of its model as if solved afresh", async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, randomProgram, async (before, after) => {
        const model = modelOf(before, () => true);
        const program = solver.load(model);
        try {
          expectSame(objectiveOf(await program.solve({})), bruteForce(model));
          extend(model, after);
          expectSame(objectiveOf(await program.solve({})), bruteForce(model));
          const relaxed = await program.solveRelaxation();
          const fresh = solver.load(model);
          const expected = await fresh.solveRelaxation();
          fresh.dispose();
          expect(relaxed.status).toBe(expected.status);
          if (relaxed.status !== "optimal" || expected.status !== "optimal") return;
          expect(relaxed.objective).toBeCloseTo(expected.objective, 4);
        } finally {
          program.dispose();
        }
      }),
      { numRuns: 60 },
    );
  });

  test("minimises changed costs like a fresh program, and returns to its own", async () => {
    const model = hardModel(40);
    const program = solver.load(model);
    const first = await program.solve({});
    const costs = objectiveCoefficients(model).map((cost, column) => cost + (column % 5));
    program.changeCosts(costs);
    const changed = await program.solve({});
    const fresh = solver.load(model);
    fresh.changeCosts(costs);
    const expected = await fresh.solve({});
    expectSame(objectiveOf(changed), objectiveOf(expected));
    program.changeCosts(undefined);
    expectSame(objectiveOf(await program.solve({})), objectiveOf(first));
    program.changeCosts(new Float64Array(3));
    await expect(program.solve({})).rejects.toThrow("has 3");
    program.dispose();
    fresh.dispose();
  });

  test("breaks ties by a second objective from where the first left off", async () => {
    // Cost 2 is reached by x alone or by y and z together; the second objective counts variables.
    const model = createIlpModel("ties");
    const variables = [2, 1, 1].map((cost, index) => {
      const name = `v[${index}]`;
      const variable = addVariable(model, { name, lower: 0, upper: 1, integral: true });
      addCost(model, "cost", variable, cost);
      return variable;
    });
    addConstraint(model, "enough", 2, Infinity, variables, [2, 1, 1]);
    const program = solver.load(model);
    const first = await program.solve({});
    expect(first).toMatchObject({ status: "optimal", objective: 2 });
    addConstraint(model, "costIsKept", -Infinity, 2 + 1e-9, variables, [2, 1, 1]);
    program.changeCosts(Float64Array.of(1, 1, 1));
    const begun = await program.solve({ timeLimitSeconds: 0 });
    expect(begun.status).not.toBe("timedOut");
    expect(await program.solve({})).toMatchObject({ status: "optimal", objective: 1 });
    program.dispose();
  });

  test("prices new columns by the duals of its relaxation", async () => {
    // Cutting stock: width 10 into 3 x 4, 5 x 3, 4 x 2; a column is a pattern of pieces.
    const model = createIlpModel("cutting stock");
    const demands = [3, 5, 4];
    const widths = [4, 3, 2];
    const rows = demands.map((demand, piece) =>
      addConstraint(model, `demand[${piece}]`, demand, Infinity, [], []),
    );
    const addPattern = (pattern: readonly number[]) => {
      const name = `pattern[${pattern.join(", ")}]`;
      const definition = { name, lower: 0, upper: Infinity, integral: true };
      const variable = addVariable(model, definition, { constraints: rows, coefficients: pattern });
      addCost(model, "rolls", variable, 1);
    };
    demands.forEach((_, piece) => {
      addPattern(demands.map((_, other) => (other === piece ? 1 : 0)));
    });
    const program = solver.load(model);
    const objectives: number[] = [];
    for (;;) {
      const relaxed = await program.solveRelaxation();
      if (relaxed.status !== "optimal") throw new Error(relaxed.status);
      objectives.push(relaxed.objective);
      const pattern = bestPattern(widths, relaxed.duals);
      const value = pattern.reduce(
        (sum, count, piece) => sum + count * (relaxed.duals[piece] ?? 0),
        0,
      );
      if (value <= 1 + 1e-9) break;
      addPattern(pattern);
    }
    expect(objectives[0]).toBeCloseTo(12, 9);
    // 35 of width must come out of rolls of 10, and patterns without waste exist.
    expect(objectives.at(-1)).toBeCloseTo(3.5, 9);
    expect(await program.solve({})).toMatchObject({ status: "optimal", objective: 4 });
    const again = await program.solveRelaxation();
    expect(again).toMatchObject({ status: "optimal" });
    if (again.status === "optimal") expect(again.objective).toBeCloseTo(3.5, 9);
    program.dispose();
  });
});

describe("a relaxation", () => {
  test("gives duals and reduced costs that prove its relaxation", async () => {
    const model = hardModel(60);
    const program = solver.load(model);
    const relaxed = await program.solveRelaxation();
    program.dispose();
    if (relaxed.status !== "optimal") throw new Error(relaxed.status);
    const { rowStarts, columns, coefficients, costs, rowCount, rowLower } = sparseProgram(model);
    const expected = costs.slice();
    let dualObjective = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const dual = relaxed.duals[row] ?? 0;
      dualObjective += dual * (rowLower[row] ?? 0);
      for (let entry = rowStarts[row] ?? 0; entry < (rowStarts[row + 1] ?? 0); entry += 1) {
        const column = columns[entry] ?? 0;
        expected[column] = (expected[column] ?? 0) - dual * (coefficients[entry] ?? 0);
      }
    }
    relaxed.reducedCosts.forEach((cost, column) => {
      expect(cost).toBeCloseTo(expected[column] ?? Number.NaN, 7);
      // A variable at its upper bound 1 adds its (negative) reduced cost to the dual objective.
      dualObjective += Math.min(cost, 0);
    });
    expect(dualObjective).toBeCloseTo(relaxed.objective, 6);
    expect(constraintViolations(model, relaxed.values, 1e-6)).toEqual([]);
    expect(boundViolations(model, relaxed.values, 1e-6)).toEqual([]);
  });

  test("begins from the basis the last one left, also across an integral solve", async () => {
    const model = hardModel();
    const program = solver.load(model);
    const first = await program.solveRelaxation();
    await program.solve({ timeLimitSeconds: 0.2 });
    setBounds(model, 3 as VariableIndex, 1, 1);
    const second = await program.solveRelaxation();
    program.dispose();
    if (first.status !== "optimal" || second.status !== "optimal") throw new Error("not solved");
    expect(second.objective).toBeGreaterThanOrEqual(first.objective - 1e-9);
    expect(second.simplexIterations).toBeLessThan(first.simplexIterations / 2);
  });

  test("can be interrupted and solved again", async () => {
    const program = solver.load(hardModel());
    const relaxed = await program.solveRelaxation({}, { shouldStop: () => true });
    expect(relaxed).toMatchObject({ status: "timedOut", stoppedBy: "interrupt" });
    expect(await program.solveRelaxation()).toMatchObject({ status: "optimal" });
    program.dispose();
    program.dispose();
    await expect(program.solve({})).rejects.toThrow("disposed");
  });
});

/** Adds the rows and variables of a second random program, tied to the first, and moves some bounds. */
function extend(model: IlpModel, { costs, rows }: RandomProgram): void {
  const { rowCount, columnCount } = sparseProgram(model);
  const old = Array.from({ length: columnCount }, (_, column) => column as VariableIndex);
  const oldRows = Array.from({ length: rowCount }, (_, row) => row as never);
  const added = costs
    .slice(0, 3)
    .map((_, column) =>
      addVariable(
        model,
        { name: `y[${column}]`, lower: 0, upper: 1, integral: true },
        { constraints: oldRows, coefficients: oldRows.map((_, row) => costs[row] ?? column) },
      ),
    );
  added.forEach((variable, column) => {
    addCost(model, "added", variable, costs[column] ?? 1);
  });
  const all = [...old, ...added];
  rows.slice(0, 2).forEach(({ coefficients, lower, upper }, row) => {
    const entries = all.map((_, column) => coefficients[column % coefficients.length] ?? 1);
    addConstraint(model, `added[${row}]`, lower, upper, all, entries);
  });
  addCost(model, "even", old[0] as VariableIndex, 2);
  setBounds(model, old[0] as VariableIndex, 0, costs[0] === 0 ? 0 : 1);
  if (rowCount > 0) setConstraintBounds(model, oldRows[0] as never, -3, 4);
}

/** The pattern of pieces within a width of 10 whose duals sum highest, by trying all. */
function bestPattern(widths: readonly number[], duals: Float64Array): number[] {
  let best: number[] = [];
  let bestValue = Number.NEGATIVE_INFINITY;
  const [first = 1, second = 1, third = 1] = widths;
  for (let a = 0; a * first <= 10; a += 1) {
    for (let b = 0; a * first + b * second <= 10; b += 1) {
      const c = Math.floor((10 - a * first - b * second) / third);
      const value = a * (duals[0] ?? 0) + b * (duals[1] ?? 0) + c * (duals[2] ?? 0);
      if (value > bestValue) {
        best = [a, b, c];
        bestValue = value;
      }
    }
  }
  return best;
}
