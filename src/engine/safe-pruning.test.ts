/** Dropping dominated candidates and plans leaves the optimum as it is (engine.md §5, §10). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Problem } from "#model/problem.ts";
import type { RunOutcome } from "#model/recommendation.ts";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { optimise } from "./optimise.ts";
import { enumeratePlanSpace, type PlanSpace } from "./plan-space.ts";
import { smallestStorage } from "./smallest-storage.ts";
import {
  contestedProblem,
  type RandomProblem,
  randomProblem,
  smallBounds,
} from "./testing/random-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

/** Without dominance every sequence of Gets is a plan, so that a pool of more families takes minutes. */
const mostFamilies = 24;
/** Few enough for hundreds of runs. */
const fewFamilies = 8;

/** All that the queries propose, whether or not it is pruned, and what support queries need. */
function everyKey(problem: Problem, families: PlanSpace["families"]): ColumnFamilyKey[] {
  const queries = problem.statements
    .filter(isQuery)
    .map((query) => compileQuery(problem.entityGraph, query));
  const proposed = enumerateColumnFamilies(
    problem.entityGraph,
    queries,
    problem.options.sizeFactor,
  );
  return [
    ...new Set([...proposed.keys(), ...families.map(({ columnFamily }) => columnFamily.key)]),
  ];
}

/** As many families of the pool as can be afforded, by chance; a materialised view of each query among them. */
function poolOf({ problem, dice }: RandomProblem, most: number): Set<ColumnFamilyKey> {
  const { families, queries } = enumeratePlanSpace(problem, () => {});
  const keys = everyKey(problem, families);
  if (keys.length <= most) return new Set(keys);
  const views = queries.flatMap(
    ({ plans }) => plans.find((plan) => plan.families.length === 1)?.families ?? [],
  );
  const kept = new Set(views.map((family) => families[family]?.columnFamily.key ?? ""));
  const stride = 1 + ((dice[0] as number) % 7);
  for (let at = dice[1] as number; kept.size < most; at += stride) {
    const position = at % keys.length;
    const next = [...keys.slice(position), ...keys.slice(0, position)].find(
      (key) => !kept.has(key),
    );
    kept.add(next as ColumnFamilyKey);
  }
  return kept;
}

/** The same pool with dominance rules on and off. */
async function bothWays(
  random: RandomProblem,
  most = mostFamilies,
): Promise<{ on: RunOutcome; off: RunOutcome }> {
  const only = poolOf(random, most);
  const whole = enumeratePlanSpace(random.problem, () => {}, { dominance: false, only });
  // Undefined where the pool leaves a query without a plan: then both ways have to say so.
  const smallest = await smallestStorage(solver, whole, random.problem);
  const room = [0, 0.9, 1, 1.2, 1.5, 2, 3][(random.dice[2] as number) % 7] as number;
  const storage =
    room === 0 || smallest === undefined
      ? ({ kind: "none" } as const)
      : ({ kind: "bytes", bytes: smallest * room } as const);
  const run = (dominance: boolean): Promise<RunOutcome> =>
    optimise(
      { ...random.problem, storage },
      { gap: 0 },
      { solver, now: () => performance.now() / 1000 },
      { dominance, only },
    );
  return { on: await run(true), off: await run(false) };
}

function expectSameOptimum({ on, off }: { on: RunOutcome; off: RunOutcome }): void {
  expect(on.status).toBe(off.status);
  expect(["optimal", "infeasible"]).toContain(on.status);
  if ("objective" in on && "objective" in off) {
    expect(Math.abs(on.objective - off.objective)).toBeLessThanOrEqual(
      1e-6 * Math.max(1e-9, off.objective),
    );
    expect(on.counts.candidates).toBeLessThanOrEqual(off.counts.candidates);
    expect(on.counts.queryPlans).toBeLessThanOrEqual(off.counts.queryPlans);
  } else expect(smallestOf(on)).toBe(smallestOf(off));
}

function smallestOf(outcome: RunOutcome): number | undefined {
  return outcome.status === "infeasible" ? outcome.smallestStorage : undefined;
}

describe("with dominance rules on and off the optimum is the same", () => {
  test(
    "at a single step",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomProblem({ ...smallBounds, steps: 1 }), async (random) =>
          expectSameOptimum(await bothWays(random)),
        ),
        { numRuns: 3 * times },
      );
    },
    2 * minutes,
  );

  test(
    "over several steps",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomProblem(smallBounds), async (random) =>
          expectSameOptimum(await bothWays(random)),
        ),
        { numRuns: 3 * times },
      );
    },
    2 * minutes,
  );

  test(
    "with updates",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomProblem({ ...smallBounds, predicates: 1, changes: 2 }),
          async (random) => expectSameOptimum(await bothWays(random)),
        ),
        { numRuns: 2 * times },
      );
    },
    2 * minutes,
  );

  const tiny = { ...smallBounds, entities: 2, predicates: 1, steps: 2 };
  test(
    "on hundreds of problems with small pools",
    async () => {
      let answers = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            { weight: 3, arbitrary: randomProblem({ ...tiny, queries: 1, predicates: 2 }) },
            { weight: 1, arbitrary: randomProblem({ ...tiny, changes: 1 }) },
            { weight: 2, arbitrary: contestedProblem(tiny) },
          ),
          async (random) => {
            const outcomes = await bothWays(random, fewFamilies);
            expectSameOptimum(outcomes);
            if ("objective" in outcomes.on) answers += 1;
          },
        ),
        { numRuns: 492 * times },
      );
      expect(answers).toBeGreaterThanOrEqual(300 * times);
    },
    6 * minutes,
  );
});
