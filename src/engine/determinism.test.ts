/** Same input, same output: no clock, no chance, no order of entering the statements (engine.md §9). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { RunOutcome } from "#model/recommendation.ts";
import { optimise } from "./optimise.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { randomProblem, smallBounds } from "./testing/random-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

function run(problem: Problem, by: IlpSolver = solver): Promise<RunOutcome> {
  return optimise(problem, { gap: 0 }, { solver: by, now: () => performance.now() / 1000 });
}

/** The outcome as text, without the seconds it took. */
function bytes(outcome: RunOutcome): string {
  return JSON.stringify({ ...outcome, seconds: undefined });
}

function objective(outcome: RunOutcome): number {
  return "objective" in outcome ? outcome.objective : Number.NaN;
}

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

describe("the same problem", () => {
  test("twice gives byte-equal answers, also from a fresh solver", async () => {
    const first = await run(crossover);
    expect(first.status).toBe("optimal");
    expect(bytes(await run(crossover))).toBe(bytes(first));
    expect(bytes(await run(crossover, await openHighs()))).toBe(bytes(first));
  });

  test(
    "at random, twice, gives byte-equal outcomes",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomProblem(smallBounds), async ({ problem }) => {
          expect(bytes(await run(structuredClone(problem)))).toBe(bytes(await run(problem)));
        }),
        { numRuns: 25 * times },
      );
    },
    2 * minutes,
  );

  test(
    "with its statements entered in another order costs the same and has the same tables",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomProblem({ ...smallBounds, queries: 3, changes: 1 }).filter(
            ({ problem }) => problem.statements.length > 1,
          ),
          async ({ problem }) => {
            const there = await run(problem);
            const back = await run({ ...problem, statements: problem.statements.toReversed() });
            expect(back.status).toBe(there.status);
            if (!("steps" in there) || !("steps" in back)) return;
            expect(Math.abs(objective(back) - objective(there))).toBeLessThanOrEqual(
              1e-6 * Math.max(1e-9, objective(there)),
            );
            expect(back.steps.map(({ schema }) => schema)).toEqual(
              there.steps.map(({ schema }) => schema),
            );
          },
        ),
        { numRuns: 25 * times },
      );
    },
    2 * minutes,
  );
});
