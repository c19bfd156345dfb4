import loadHighs, { type Highs } from "highs";
import { beforeAll, describe, expect, test } from "vitest";
import { lpText } from "./lp-text.ts";
import {
  addConstraint,
  addCost,
  addVariable,
  createIlpModel,
  type IlpModel,
  setBounds,
  type VariableIndex,
} from "./model.ts";

let highs: Highs;
beforeAll(async () => {
  highs = await loadHighs();
});

function binary(model: IlpModel, name: string): VariableIndex {
  return addVariable(model, { name, lower: 0, upper: 1, integral: true });
}

/** Two column families over two time steps, with every kind of row and bound the format knows. */
function aFormulation(): IlpModel {
  const model = createIlpModel("two column families, two steps");
  const present = ["a", "b"].map((family) =>
    [1, 2].map((t) => binary(model, `present[${family}, ${t}]`)),
  );
  const used = ["a", "b"].map((family) =>
    addVariable(model, { name: `used[${family}]`, lower: 0, upper: 1, integral: false }),
  );
  const copies = addVariable(model, { name: "copies", lower: 1, upper: 5, integral: true });
  const slack = addVariable(model, {
    name: "slack",
    lower: -Infinity,
    upper: Infinity,
    integral: false,
  });
  const variables = { a1: present[0]?.[0], b1: present[1]?.[0], a2: present[0]?.[1] };
  const { a1, b1, a2 } = variables as Record<string, VariableIndex>;
  const [usedA, usedB] = used as [VariableIndex, VariableIndex];
  addCost(model, "queryCost", usedA, 2.5);
  addCost(model, "queryCost", usedB, 1);
  addCost(model, "initialLoadCost", a1 as VariableIndex, 3);
  addCost(model, "updateCost", a1 as VariableIndex, 0.25);
  addCost(model, "updateCost", a2 as VariableIndex, 0.5);
  addCost(model, "creditForCopies", copies, -1);
  addConstraint(model, "planIsComplete", 1, 1, [usedA, usedB], [1, 1]);
  addConstraint(model, "onlyIfPresent[a]", -Infinity, 0, [usedA, a1 as VariableIndex], [1, -1]);
  addConstraint(model, "onlyIfPresent(a)", 0, Infinity, [b1 as VariableIndex, usedB], [1, -1]);
  addConstraint(model, "storage", 10, 1e6, [copies, slack], [1000.5, 1]);
  addConstraint(model, "switchedOff", -Infinity, Infinity, [slack], [1]);
  addConstraint(model, "nothing", 0, 4, [], []);
  setBounds(model, a2 as VariableIndex, 1, 1);
  return model;
}

describe("LP text", () => {
  test("reads like the formulation", () => {
    expect(lpText(aFormulation())).toMatchInlineSnapshot(`
      "\\ two column families, two steps
      \\ 8 variables, 6 constraints
      Minimize
       cost:
      \\ queryCost
         + 2.5 used(a) + used(b)
      \\ updateCost
         + 0.5 present(a,2)
      \\ creditForCopies
         - copies
      \\ initialLoadCost + updateCost
      \\   present(a,1) = 3 initialLoadCost + 0.25 updateCost
         + 3.25 present(a,1)
      Subject To
       planIsComplete: used(a) + used(b) = 1
       onlyIfPresent(a): used(a) - present(a,1) <= 0
       onlyIfPresent(a)~2: present(b,1) - used(b) >= 0
       storage: 1000.5 copies + slack >= 10
       storage~upper: 1000.5 copies + slack <= 1000000
       switchedOff: slack >= -infinity
       nothing: 0 present(a,1) >= 0
       nothing~upper: 0 present(a,1) <= 4
      Bounds
       present(a,2) = 1
       0 <= used(a) <= 1
       0 <= used(b) <= 1
       1 <= copies <= 5
       slack free
      Generals
       present(a,2) copies
      Binaries
       present(a,1) present(b,1) present(b,2)
      End
      "
    `);
  });

  test("is the same for the same model", () => {
    expect(lpText(aFormulation())).toBe(lpText(aFormulation()));
  });

  test("is understood by a solver", () => {
    const solution = highs.solve(lpText(aFormulation()), { output_flag: false });
    expect(solution.Status).toBe("Optimal");
    expect(solution.ObjectiveValue).toBeCloseTo(-3.5, 9);
  });

  test("can be given other costs", () => {
    const costs = new Float64Array(8).fill(1);
    const text = lpText(aFormulation(), { costs });
    expect(text).toContain("\\ costs given by the caller");
    expect(text).not.toContain("queryCost");
    expect(() => lpText(aFormulation(), { costs: new Float64Array(2) })).toThrow("8 variables");
  });

  test("breaks long lines", () => {
    const model = createIlpModel("wide");
    const variables = Array.from({ length: 200 }, (_, index) =>
      binary(model, `present[cf${index}]`),
    );
    addConstraint(
      model,
      "sum",
      1,
      Infinity,
      variables,
      variables.map(() => 1),
    );
    const longest = Math.max(
      ...lpText(model)
        .split("\n")
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(100);
  });

  test("keeps names that clash apart and readable ones as they are", () => {
    const model = createIlpModel("clashes");
    const names = ["a b", "a_b", "a/b", "a_b~2", "free", "_free", "Bounds", "inf", "1x", "e9", ""];
    const variables = names.map((name) => binary(model, name));
    addConstraint(
      model,
      "all",
      0,
      1,
      variables,
      variables.map(() => 1),
    );
    const text = lpText(model);
    const used = text
      .slice(text.indexOf("Binaries") + 8, text.indexOf("End"))
      .trim()
      .split(/\s+/);
    expect(used).toEqual([
      ...["a_b", "a_b~2", "a_b~3", "a_b~2~2", "_free", "_free~2"],
      ...["_Bounds", "_inf", "_1x", "_e9", "_"],
    ]);
    const solution = highs.solve(text, { output_flag: false });
    expect(Object.keys(solution.Columns).sort()).toEqual([...used].sort());
  });

  test("holds any name a formulation may think of", () => {
    const words =
      "st s.t. free Inf infinity nan min max minimise maximum end bin gen int integers semi sos1 to subject such";
    const odd = [
      "naïve",
      "a->b",
      "x:y=z",
      "[t]",
      "line\nbreak",
      "x".repeat(400),
      "2e5",
      ".5",
      "-x",
    ];
    const model = createIlpModel("odd\nname");
    for (const name of [...words.split(" "), ...odd]) {
      const variable = binary(model, name);
      addCost(model, "cost\nin two lines", variable, 1);
      addConstraint(model, name, 1, 1, [variable], [1]);
    }
    const solution = highs.solve(lpText(model), { output_flag: false });
    expect(solution).toMatchObject({
      Status: "Optimal",
      ObjectiveValue: words.split(" ").length + 9,
    });
  });

  test("refuses two variables or two constraints of one name", () => {
    const model = createIlpModel("doubles");
    const x = binary(model, "x");
    addConstraint(model, "x", 0, 1, [x], [1]);
    expect(lpText(model)).toContain(" x: x >= 0");
    addConstraint(model, "x", 0, 1, [x], [1]);
    expect(() => lpText(model)).toThrow("Two constraints are called x");
    binary(model, "x");
    expect(() => lpText(model)).toThrow("Two variables are called x");
  });
});
