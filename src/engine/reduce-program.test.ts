/** What is left out of the program of one step is missed by no best answer, whatever the storage (engine.md §8). */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Problem } from "#model/problem.ts";
import { everythingOf, type KeptStep } from "./formulate.ts";
import { withoutStandIns } from "./reduce-program.ts";
import { cheapestBySize } from "./testing/cheapest-by-size.ts";
import { aProblem, employeesAndEvents, usersAndItems } from "./testing/examples.ts";
import {
  contestedProblem,
  type RandomProblem,
  randomProblem,
  smallBounds,
} from "./testing/random-problem.ts";
import { tinyProblem } from "./testing/tiny-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

const bounds = { ...smallBounds, steps: 1 };
const problems = fc.oneof(
  randomProblem(bounds),
  contestedProblem({ ...bounds, changes: 1 }),
  randomProblem({ ...bounds, predicates: 1, changes: 2 }),
);

test("a step alone is as cheap without what has a stand-in, whatever the storage", () => {
  let less = 0;
  fc.assert(
    fc.property(problems, (random) => {
      less += compare(random);
    }),
    { numRuns: 25 * times },
  );
  expect(less).toBeGreaterThan(5 * times);
});

test.each([
  {
    what: "two conditions, each of which may come first",
    graph: usersAndItems,
    queries: {
      q: "SELECT user.id FROM user.items WHERE items.name = ? AND user.name = ?",
      r: "SELECT user.email FROM user.items WHERE items.quantity = ? AND user.name = ?",
    },
  },
  {
    what: "copies that change",
    graph: employeesAndEvents,
    queries: {
      q: "SELECT Event.note FROM Event WHERE Event.emp.emp_id = ? AND Event.level = ?",
      r: "SELECT Event.level FROM Event WHERE Event.event_id = ?",
      u: "UPDATE Event SET level = ? WHERE Event.event_id = ?",
    },
  },
])("on examples: $what", ({ graph, queries }) => {
  const problem: Problem = aProblem({ graph, queries });
  for (let dice = 0; dice < 12; dice += 1)
    compare({ problem, dice: Array.from({ length: 12 }, (_, at) => (dice + 1) * (at + 3)) });
});

/** How many plans and families were left out. */
function compare(random: RandomProblem): number {
  const { problem, space } = tinyProblem(random);
  const { workload, costModel } = problem;
  const options = { initialLoad: false, cyclic: false, buildingCountsAsStorage: false };
  const storageBytes = undefined;
  const none = { explicit: new Set<number>(), tooLarge: [] };
  const input = { space, workload, costModel, options, storageBytes, ...none };
  const whole = everythingOf(input);
  const kept = withoutStandIns(input, whole);
  const [best, found] = [cheapestBySize(input, whole), cheapestBySize(input, kept)];
  for (const [bytes, cost] of best) {
    const within = [...found].filter(([each]) => each <= bytes * (1 + 1e-9));
    const least = Math.min(...within.map(([, each]) => each));
    expect(least).toBeLessThanOrEqual(cost * (1 + 1e-9));
  }
  const size = ({ plans, families }: KeptStep): number => plans.flat().length + families.length;
  return size(whole) - size(kept);
}
