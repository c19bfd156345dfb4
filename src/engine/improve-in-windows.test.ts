/** An answer improved a few steps at a time against every sequence of schemas, and what can help to fill a family. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { Workload } from "#model/workload.ts";
import { improveInWindows, runsOf } from "./improve-in-windows.ts";
import { storageCover } from "./read-solution.ts";
import { type SchemasInput, workable } from "./solve-schemas.ts";
import { bestSequence, smallestSchema } from "./testing/exhaustive-search.ts";
import {
  contestedProblem,
  randomProblem,
  smallBounds,
  withOptions,
} from "./testing/random-problem.ts";
import { type TinyProblem, tinyProblem } from "./testing/tiny-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

const problems = fc.oneof(
  contestedProblem({ ...smallBounds, predicates: 1, steps: 4 }),
  contestedProblem({ ...smallBounds, predicates: 1, changes: 1 }),
  randomProblem({ ...smallBounds, predicates: 1, steps: 4 }),
);

/** The steps of a workload, each so many times and all over again. */
function stretched({ timeline, curves }: Workload, times: number, rounds: number): Workload {
  const stretch = (curve: readonly number[]): number[] => {
    const once = curve.flatMap((frequency) => Array.from({ length: times }, () => frequency));
    return Array.from({ length: rounds }, () => once).flat();
  };
  return {
    timeline: { ...timeline, steps: timeline.steps * times * rounds },
    curves: Object.fromEntries(Object.entries(curves).map(([id, curve]) => [id, stretch(curve)])),
  };
}

function inputOf({ space }: TinyProblem, problem: Problem): SchemasInput {
  const { workload, costModel, options, storage } = problem;
  const storageBytes = storage.kind === "bytes" ? storage.bytes : undefined;
  return { space, workload, costModel, options, storageBytes };
}

test("is workable, no worse than what it began with and, where one window holds all, the best", async () => {
  const seen = { improved: 0, best: 0, several: 0 };
  await fc.assert(
    fc.asyncProperty(
      problems,
      fc.boolean(),
      fc.constantFrom([1, 1], [2, 1], [1, 2], [2, 2]),
      async (random, cyclic, [each = 1, rounds = 1]) => {
        const tiny = tinyProblem(random);
        const problem = withOptions(
          { ...tiny.problem, workload: stretched(tiny.problem.workload, each, rounds) },
          { initialLoad: false, cyclic },
        );
        const input = inputOf(tiny, problem);
        const smallest = smallestSchema(tiny.space);
        const { steps } = problem.workload.timeline;
        const start =
          smallest &&
          workable(
            input,
            Array.from({ length: steps }, () => smallest),
          );
        if (!start) return;
        const families = new Set(tiny.space.families.keys());
        const pool = { families, fillers: new Set<number>() };
        const runs = runsOf(input);
        const limits = { gap: 0, secondsLeft: () => undefined };
        const outcome = await improveInWindows(solver, input, pool, runs, start, limits);
        if (outcome.status !== "improved") throw new Error(outcome.message);
        const { choice } = outcome;
        const optimum = bestSequence(problem, tiny.space, input.storageBytes)?.cost ?? Number.NaN;
        expect(storageCover(input, choice.schemas)).toBeUndefined();
        expect(choice.cost).toBeGreaterThanOrEqual(optimum * (1 - 1e-9));
        expect(choice.cost).toBeLessThanOrEqual(start.cost * (1 + 1e-9));
        if (runs.length === steps && steps <= 4)
          expect(choice.cost).toBeLessThanOrEqual(optimum * (1 + 1.1e-3));
        seen.improved += choice.cost < start.cost * (1 - 1e-6) ? 1 : 0;
        seen.best += choice.cost <= optimum * (1 + 1.1e-3) ? 1 : 0;
        seen.several += runs.length > 4 ? 1 : 0;
      },
    ),
    { numRuns: 60 * times },
  );
  expect(seen.improved).toBeGreaterThan(4 * times);
  expect(seen.several).toBeGreaterThan(3 * times);
  // Not promised, but what the search is for.
  expect(seen.best).toBeGreaterThan(40 * times);
});

test("what helps to fill a family does, the smallest first, and where anything helps it is told", () => {
  let helped = 0;
  fc.assert(
    fc.property(problems, fc.nat(127), (random, some) => {
      const { space } = tinyProblem(random);
      const positions = [...space.families.keys()];
      const there = new Set(positions.filter((at) => (some >> at) & 1));
      const fills = (family: number, sources: ReadonlySet<number>): boolean =>
        space.migrations.patternsFrom(family, sources).length > 0;
      for (const family of positions) {
        if (there.has(family) || fills(family, there)) continue;
        const told = space.migrations.fillersOf(family, there);
        const bytes = (at: number): number => space.families[at]?.columnFamily.size.bytes ?? 0;
        const all = positions.filter(
          (at) => at !== family && !there.has(at) && fills(family, new Set([...there, at])),
        );
        expect(all).toEqual(expect.arrayContaining([...told]));
        const sizes = told.map(bytes);
        expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
        if (all.length > 0) expect(sizes[0]).toBe(Math.min(...all.map(bytes)));
        helped += all.length > 0 ? 1 : 0;
      }
    }),
    { numRuns: 100 * times },
  );
  expect(helped).toBeGreaterThan(20 * times);
});
