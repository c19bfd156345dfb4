/** Pins, bans and start schemas against exhaustive search, and what is said when they conflict (engine.md §8). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import {
  contestedProblem,
  randomProblem,
  smallBounds,
  withOptions,
} from "./testing/random-problem.ts";
import { restrictedProblem, tinyProblem } from "./testing/tiny-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;
const now = (): number => performance.now() / 1000;

const tinyProblems = fc.oneof(
  { weight: 2, arbitrary: randomProblem({ ...smallBounds, predicates: 1 }) },
  { weight: 3, arbitrary: contestedProblem({ ...smallBounds, predicates: 1, steps: 4 }) },
  { weight: 2, arbitrary: contestedProblem({ ...smallBounds, predicates: 1, changes: 1 }) },
);

describe("on random tiny problems under pins, bans and a start schema", () => {
  test(
    "the optimum is that of an exhaustive search, with every option, and the recount accepts it",
    async () => {
      const met = { answers: 0, conflicts: 0, started: 0 };
      await fc.assert(
        fc.asyncProperty(tinyProblems, fc.nat({ max: 15 }), async (random, flags) => {
          const { problem, space, spaceOptions } = restrictedProblem(
            tinyProblem(random),
            random.dice,
          );
          const options = {
            cyclic: flags % 4 === 3,
            initialLoad: (flags & 4) > 0,
            buildingCountsAsStorage: (flags & 8) > 0,
          };
          const whole = withOptions(problem, options);
          const limit = whole.storage.kind === "bytes" ? whole.storage.bytes : undefined;
          const best = bestSequence(whole, space, limit);
          const outcome = await optimise(whole, { gap: 0 }, { solver, now }, spaceOptions);
          if (!best) {
            met.conflicts += 1;
            expect(outcome.status, JSON.stringify(outcome).slice(0, 500)).toBe("infeasible");
            if ("reasons" in outcome) expect(outcome.reasons.length).toBeGreaterThan(0);
            return;
          }
          met.answers += 1;
          if (whole.startSchema && !whole.options.cyclic) met.started += 1;
          const answer = answerOf(outcome);
          expect(answer.status).toBe("optimal");
          expect(Math.abs(answer.objective - best.cost)).toBeLessThanOrEqual(
            1e-6 * Math.max(1e-9, best.cost),
          );
          expect(checkRecommendation(answer, whole)).toEqual([]);
        }),
        { numRuns: 30 * times },
      );
      expect(met.answers).toBeGreaterThanOrEqual(10 * times);
      expect(met.conflicts).toBeGreaterThanOrEqual(2 * times);
      expect(met.started).toBeGreaterThanOrEqual(3 * times);
    },
    2 * minutes,
  );
});

function answerOf(outcome: RunOutcome): Recommendation {
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}
