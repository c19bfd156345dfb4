/** Branch and bound over the relaxation of a step against every schema, one by one (engine.md §8). */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import { branchStep } from "./branch-step.ts";
import { everythingOf, type FormulationInput } from "./formulate.ts";
import { bytesOfAll } from "./plan-space.ts";
import { relaxStep } from "./relax-step.ts";
import { cheapestBySize } from "./testing/cheapest-by-size.ts";
import {
  contestedProblem,
  type RandomProblem,
  randomProblem,
  smallBounds,
} from "./testing/random-problem.ts";
import { tinyProblem } from "./testing/tiny-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

const bounds = { ...smallBounds, steps: 1 };
const problems = fc.oneof(
  randomProblem(bounds),
  contestedProblem({ ...bounds, changes: 1 }),
  randomProblem({ ...bounds, predicates: 1, changes: 2 }),
);

test("ends at the best schema under any storage limit, with a bound between relaxation and optimum", async () => {
  let branched = 0;
  await fc.assert(
    fc.asyncProperty(problems, async (random) => {
      branched += await compare(random);
    }),
    { numRuns: 60 * times },
  );
  // The relaxation alone proves many; the others are what is tested here.
  expect(branched).toBeGreaterThan(5 * times);
});

/** Under how many storage limits the relaxation alone was no proof. */
async function compare(random: RandomProblem): Promise<number> {
  const { problem, space } = tinyProblem(random);
  const { workload, costModel } = problem;
  const options = { initialLoad: false, cyclic: false, buildingCountsAsStorage: false };
  const none = { explicit: new Set<number>(), tooLarge: [] };
  const free = { space, workload, costModel, options, storageBytes: undefined, ...none };
  const bySize = [...cheapestBySize(free, everythingOf(free))].sort(([a], [b]) => a - b);
  let branched = 0;
  // Limits that some schema just keeps.
  for (const share of [0, 0.1, 0.25, 0.5]) {
    const [storageBytes] = bySize[Math.floor(share * bySize.length)] ?? [];
    if (storageBytes === undefined) continue;
    const within = bySize.filter(([bytes]) => bytes <= storageBytes);
    const optimum = Math.min(...within.map(([, cost]) => cost));
    branched += (await isBranched({ ...free, storageBytes }, optimum)) ? 1 : 0;
  }
  return branched;
}

async function isBranched(input: FormulationInput, optimum: number): Promise<boolean> {
  const relaxed = await relaxStep(solver, input, () => undefined);
  if (relaxed.status !== "priced") throw new Error(`the relaxation is ${relaxed.status}`);
  const { prices } = relaxed;
  if (prices.cost >= optimum * (1 - 1e-6)) return false;
  for (const gap of [0, 0.05]) {
    const limits = { gap, secondsLeft: () => undefined };
    const ended = await branchStep(solver, input, prices, undefined, limits);
    if (ended.status !== "searched" || !ended.best) throw new Error(`no answer at gap ${gap}`);
    const { best, bound } = ended;
    const { storageBytes = Number.NaN } = input;
    expect(ended.finished).toBe(true);
    expect(bytesOfAll(input.space, best.schemas[0] ?? [])).toBeLessThanOrEqual(storageBytes);
    expect(bound).toBeGreaterThanOrEqual(prices.cost * (1 - 1e-9));
    expect(bound).toBeLessThanOrEqual(optimum * (1 + 1e-7));
    expect(best.cost).toBeGreaterThanOrEqual(optimum * (1 - 1e-9));
    expect(best.cost - bound).toBeLessThanOrEqual((gap + 1e-5) * best.cost);
  }
  return true;
}
