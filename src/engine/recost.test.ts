/** A result under another cost model: every figure is true there, and it never beats the optimum (engine.md §6, §10). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { recost } from "./recost.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { contestedProblem, randomProblem, smallBounds } from "./testing/random-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

async function answerTo(problem: Problem): Promise<Recommendation | undefined> {
  const outcome = await optimise(
    problem,
    { gap: 0 },
    { solver, now: () => performance.now() / 1000 },
  );
  return "steps" in outcome ? outcome : undefined;
}

function recosted(answer: Recommendation, problem: Problem, model: CostModel): Recommendation {
  const result = recost(answer, problem, model);
  if (!result) throw new Error("a plan was not found again");
  return result;
}

const slowDisks: CostModel = {
  name: "slow disks",
  get: { fixed: 2, perGet: 3, perRow: 0.01, perByte: 4e-4 },
  put: { fixed: 0.1, perRow: 0.7 },
  extract: { fixed: 10, perByte: 9e-4 },
  load: { fixed: 20, perByte: 7e-4 },
  sort: { perRowLog: 0.01 },
  group: { perRow: 0.02 },
  getsPer: "distinctKey",
  bytesOf: "selectedColumns",
};
const models = [slowDisks, { ...slowDisks, getsPer: "row" as const }, paperCostModel];

const crossover = aProblem({
  graph: usersAndItems,
  queries: {
    q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
    q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
  },
  curves: { q1: [9, 9, 0.01], q2: [0.01, 0.01, 9] },
  stepSeconds: 3600,
  storage: { kind: "bytes", bytes: 3_200_000 },
});

describe("a result under another cost model", () => {
  test("doubles with every coefficient, migrations included", async () => {
    const answer = await answerTo(crossover);
    if (!answer) throw new Error("no answer");
    expect(answer.totals.load).toBeGreaterThan(0);
    const twice = <Part extends object>(part: Part): Part =>
      Object.fromEntries(Object.entries(part).map(([name, value]) => [name, 2 * value])) as Part;
    const { get, put, extract, load, sort, group } = defaultCostModel;
    const double: CostModel = {
      ...defaultCostModel,
      get: twice(get),
      put: twice(put),
      extract: twice(extract),
      load: twice(load),
      sort: twice(sort),
      group: twice(group),
    };
    const { objective, totals, steps } = recosted(answer, crossover, double);
    expect(objective).toBeCloseTo(2 * answer.objective, 3);
    expect(totals.extract).toBeCloseTo(2 * answer.totals.extract, 6);
    expect(steps.map(({ schema }) => schema)).toEqual(answer.steps.map(({ schema }) => schema));
  });

  test("prices a schema by hand and what is built from a start schema alike", async () => {
    const answer = await answerTo(crossover);
    if (!answer) throw new Error("no answer");
    const familiesAt = (step: number): readonly ColumnFamily[] =>
      answer.columnFamilies.filter(({ key }) => answer.steps[step]?.schema.includes(key));
    const problem: Problem = {
      ...crossover,
      startSchema: familiesAt(2),
      handMade: { name: "by hand", schemas: [familiesAt(0)] },
    };
    const given = await answerTo(problem);
    if (!given?.handMade?.cost) throw new Error("the schema by hand is not costed");
    expect(given.migrations[0]?.from).toBe(-1);
    for (const model of models) {
      const there = recosted(given, problem, model);
      expect(checkRecommendation(there, { ...problem, costModel: model })).toEqual([]);
      expect(there.handMade?.cost).not.toBeCloseTo(given.handMade.cost, 3);
    }
  });

  test("is none where the plans belong to another problem", async () => {
    const answer = await answerTo(crossover);
    const other = { ...crossover, statements: crossover.statements.slice(1) };
    expect(answer && recost(answer, other, slowDisks)).toBeUndefined();
  });

  test(
    "passes the recount under that model, costs the same under its own, and never less than the optimum",
    async () => {
      let recounted = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(randomProblem(smallBounds), contestedProblem(smallBounds)),
          fc.constantFrom(...models),
          async ({ problem: random }, model) => {
            const problem: Problem = { ...random, storage: { kind: "none" } };
            const answer = await answerTo(problem);
            if (!answer) return;
            recounted += 1;
            const under = { ...problem, costModel: model };
            const there = recosted(answer, problem, model);
            expect(checkRecommendation(there, under)).toEqual([]);
            const back = recosted(there, under, problem.costModel);
            expect(Math.abs(back.objective - answer.objective)).toBeLessThanOrEqual(
              1e-6 * Math.max(1e-9, answer.objective),
            );
            const best = await answerTo(under);
            expect(there.objective).toBeGreaterThanOrEqual((best?.bound ?? 0) * (1 - 1e-6));
          },
        ),
        { numRuns: 12 * times },
      );
      expect(recounted).toBeGreaterThan(0);
    },
    minutes,
  );
});
