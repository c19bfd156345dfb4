/** An old answer under other frequencies: every figure is true, whatever was dragged (engine.md §6, §9). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { enumeratePlanSpace } from "./plan-space.ts";
import { chooseFor, readAnswer } from "./read-solution.ts";
import { recostWorkload } from "./recost-workload.ts";
import { startPositions } from "./start-schema.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { randomProblem, smallBounds } from "./testing/random-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

async function answerTo(problem: Problem): Promise<Recommendation> {
  const tools = { solver, now: () => performance.now() / 1000 };
  const outcome = await optimise(problem, { gap: 0 }, tools);
  if (!("steps" in outcome)) throw new Error(`no answer: ${outcome.status}`);
  return outcome;
}

function recosted(answer: Recommendation, problem: Problem): Recommendation {
  const outcome = recostWorkload(answer, problem);
  if (outcome.status !== "recosted") throw new Error(outcome.reasons.join(" "));
  return outcome.answer;
}

function withCurve(problem: Problem, id: string, curve: FrequencyCurve): Problem {
  const { workload } = problem;
  return { ...problem, workload: { ...workload, curves: { ...workload.curves, [id]: curve } } };
}

const crossover = aProblem({
  graph: usersAndItems,
  queries: {
    q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
    q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
    u1: "UPDATE user SET email = ? WHERE user.id = ?",
  },
  curves: { q1: [9, 9, 0.01], q2: [0.01, 0.01, 9], u1: [0.01, 0, 0] },
  stepSeconds: 3600,
  storage: { kind: "bytes", bytes: 3_200_000 },
});

describe("an answer under other frequencies", () => {
  test("costs the same under the same", async () => {
    const answer = await answerTo(crossover);
    const again = recosted(answer, crossover);
    const { steps, migrations, totals, objective } = answer;
    expect(again).toMatchObject({ steps, migrations, totals, objective, bound: 0, gap: 1 });
  });

  test("costs more by just what the dragged query costs there", async () => {
    const answer = await answerTo(crossover);
    const again = recosted(answer, withCurve(crossover, "q1", [9, 10, 0.01]));
    const plan = answer.steps[1]?.plans.find(({ statement }) => statement === "q1")?.plan;
    const cost = answer.plans.find(({ key }) => key === plan)?.cost ?? Number.NaN;
    expect(again.objective - answer.objective).toBeCloseTo(3600 * cost, 3);
    expect(again.steps[0]).toEqual(answer.steps[0]);
  });

  test("cannot serve an update that did not run, where its tables do not say what it has to know", async () => {
    const without = withCurve(crossover, "u1", [0, 0, 0]);
    const answer = await answerTo(without);
    expect(recostWorkload(answer, crossover)).toEqual({
      status: "impossible",
      reasons: ["The tables have no plan for what u1 has to look up."],
    });
  });

  test("tells which limits of now its tables do not keep", async () => {
    const answer = await answerTo(crossover);
    const most = Math.max(...answer.steps.map(({ storageBytes }) => storageBytes));
    const columnFamily = answer.columnFamilies.find(
      ({ key }) => answer.steps[0]?.schema.includes(key) === true,
    );
    if (!columnFamily) throw new Error("the first schema is not empty");
    const ban: Restriction = { kind: "family", demand: "ban", columnFamily, steps: [0] };
    const tighter: Problem = {
      ...crossover,
      storage: { kind: "bytes", bytes: most - 1 },
      restrictions: [ban],
    };
    const outcome = recostWorkload(answer, tighter);
    expect(outcome.status === "recosted" && outcome.breaks).toEqual([
      expect.stringMatching(/^The tables take more than the storage limit at step/),
      `The answer breaks the ban of ${columnFamily.key} at step 1 during step 1.`,
    ]);
    expect(recostWorkload(answer, crossover)).toMatchObject({ breaks: [] });
  });

  test("is not to be had for another number of steps", async () => {
    const answer = await answerTo(crossover);
    const { workload } = crossover;
    const longer = { ...workload, timeline: { ...workload.timeline, steps: 4 } };
    expect(recostWorkload(answer, { ...crossover, workload: longer })).toEqual({
      status: "impossible",
      reasons: ["The answer is for 3 steps, the workload has 4."],
    });
  });

  test(
    "at random, has the plans and costs that a choice over the same schemas has",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomProblem({ ...smallBounds, changes: 2 }),
          fc.array(fc.constantFrom(0, 0.2, 1, 3, 40), { minLength: 12, maxLength: 12 }),
          async ({ problem }, factors) => {
            const tools = { solver, now: () => 0 };
            const answer = await optimise(problem, { gap: 0 }, tools);
            if (!("steps" in answer)) return;
            const curves = Object.fromEntries(
              Object.entries(problem.workload.curves).map(([id, curve], at) => [
                id,
                curve.map((each, t) => (each + 0.1) * (factors[(at * 3 + t) % 12] as number)),
              ]),
            );
            const edited = { ...problem, workload: { ...problem.workload, curves } };
            compare(answer, edited);
          },
        ),
        { numRuns: 20 * times },
      );
    },
    2 * minutes,
  );
});

/** What the engine chooses over the answer's schemas, against what recosting the answer says. */
function compare(answer: Recommendation, problem: Problem): void {
  const space = enumeratePlanSpace(problem, () => undefined);
  const positions = new Map(space.families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  const { workload, costModel, options } = problem;
  const input = {
    space,
    workload,
    costModel,
    options,
    rules: undefined,
    startSchema: startPositions(problem, space),
    storageBytes: undefined,
  };
  const schemas = answer.steps.map(({ schema }) =>
    schema.map((key) => positions.get(key) as number),
  );
  const chosen = chooseFor(input, schemas);
  const outcome = recostWorkload(answer, problem);
  expect(outcome.status).toBe(chosen ? "recosted" : "impossible");
  if (!chosen || outcome.status !== "recosted") return;
  const { steps, migrations } = readAnswer(input, chosen);
  expect(rounded(outcome.answer.steps)).toEqual(rounded(steps));
  expect(rounded(outcome.answer.migrations)).toEqual(rounded(migrations));
  expect(checkRecommendation(outcome.answer, problem)).toEqual([]);
}

/** Sums are taken in another order here and there. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part) =>
      typeof part === "number" ? Number(part.toPrecision(9)) : part,
    ),
  );
}
