/** The optimum against exhaustive search, on random tiny problems (engine.md §10). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import { optimalGap, optimise } from "./optimise.ts";
import { bestSequence, smallestByTrial } from "./testing/exhaustive-search.ts";
import { randomProblem, smallBounds } from "./testing/random-problem.ts";
import { type TinyProblem, tinyProblem } from "./testing/tiny-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

const now = (): number => performance.now() / 1000;

function run({ problem, spaceOptions }: TinyProblem, gap = 0): Promise<RunOutcome> {
  return optimise(problem, { gap }, { solver, now }, spaceOptions);
}

function limitOf({ problem }: TinyProblem): number | undefined {
  return problem.storage.kind === "bytes" ? problem.storage.bytes : undefined;
}

function answerOf(outcome: RunOutcome): Recommendation {
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}

/** Agreement up to rounding. */
function expectSame(actual: number, expected: number, relative = 1e-6): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(
    relative * Math.max(1e-9, Math.abs(expected)),
  );
}

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

describe("on random tiny problems", () => {
  test(
    "the optimum is that of an exhaustive search over all sequences of schemas, and ties go to the fewest, then smallest tables",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomProblem(smallBounds), async (random) => {
          const tiny = tinyProblem(random);
          const best = bestSequence(tiny.problem, tiny.space, limitOf(tiny));
          const outcome = await run(tiny);
          if (!best) {
            expect(outcome).toMatchObject({
              status: "infeasible",
              smallestStorage: Math.ceil(smallestByTrial(tiny.space)),
            });
            return;
          }
          const answer = answerOf(outcome);
          expect(answer.status).toBe("optimal");
          expectSame(answer.objective, best.cost);
          expect(answer.bound).toBeLessThanOrEqual(best.cost * (1 + 1e-6));
          const families = answer.steps.reduce((sum, { schema }) => sum + schema.length, 0);
          const bytes = answer.steps.reduce((sum, { storageBytes }) => sum + storageBytes, 0);
          expect(families).toBeLessThanOrEqual(best.families);
          if (families === best.families)
            expect(bytes).toBeLessThanOrEqual(best.bytes * (1 + 1e-9));
        }),
        { numRuns: 160 * times },
      );
    },
    2 * minutes,
  );

  test(
    "an answer within a gap has the optimum between its bound and itself",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomProblem(smallBounds),
          fc.constantFrom(0.01, 0.05, 0.2, 0.5),
          async (random, gap) => {
            const tiny = tinyProblem(random);
            const best = bestSequence(tiny.problem, tiny.space, limitOf(tiny));
            const outcome = await run(tiny, gap);
            if (!best) {
              expect(outcome.status).toBe("infeasible");
              return;
            }
            const answer = answerOf(outcome);
            expect(answer.bound).toBeLessThanOrEqual(best.cost * (1 + 1e-6));
            expect(answer.objective).toBeGreaterThanOrEqual(best.cost * (1 - 1e-6));
            expect(answer.gap).toBeLessThanOrEqual(gap + 1e-9);
            expect(answer.status).toBe(answer.gap <= optimalGap ? "optimal" : "feasible");
          },
        ),
        { numRuns: 50 * times },
      );
    },
    2 * minutes,
  );
});
