/** The program as a reviewer reads it, and that it is always written the same way (engine.md §8). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFeasible } from "#ilp/check.ts";
import { lpText } from "#ilp/lp-text.ts";
import { evaluateObjective } from "#ilp/model.ts";
import { defaultCostModel } from "#model/cost-model.ts";
import type { Problem } from "#model/problem.ts";
import { enumerateMigrationPlans } from "./enumerate-migration-plans.ts";
import { everythingOf, type Formulation, formulate } from "./formulate.ts";
import { enumeratePlanSpace, type PlanSpace } from "./plan-space.ts";
import { type Choice, chooseFor, pointOf } from "./read-solution.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import { contestedProblem, randomProblem, smallBounds } from "./testing/random-problem.ts";
import { tinyProblem } from "./testing/tiny-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

/** Three families of the paper's example: items by name with their users, the same without, and the users. */
const families = [
  "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)",
  "[item.name] [item.user.id↑, item.id↑] of item",
  "[user.id] [] → user.email, user.name of user",
];

const smallest: Problem = aProblem({
  graph: usersAndItems,
  queries: { q: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?" },
  curves: { q: [0.1, 9] },
  stepSeconds: 3600,
  costModel: defaultCostModel,
  options: { maxGets: 2 },
});

function spaceOf(problem: Problem, only: readonly string[]): PlanSpace {
  return enumeratePlanSpace(problem, () => {}, { dominance: true, only: new Set(only) });
}

function formulationOf(
  problem: Problem,
  space: PlanSpace,
  storageBytes: number | undefined,
): Formulation {
  return formulate({
    space,
    workload: problem.workload,
    costModel: problem.costModel,
    options: problem.options,
    storageBytes,
    explicit: new Set(space.families.keys()),
    tooLarge: [],
  });
}

describe("the program of the smallest example", () => {
  test("is the reviewed one", async () => {
    const space = spaceOf(smallest, families);
    const formulation = formulationOf(smallest, space, 2_600_000);
    const legend = [
      "\\ The paper's users and items: who has an item of this name? Two steps, rarely at first, often later.",
      `\\ At most 2,600,000 bytes per step; one unit of cost is ${formulation.scale} ms.`,
      "\\",
      ...space.families.map(
        ({ columnFamily: { key, size } }, c) => `\\ family ${c}  ${key}  (${size.bytes} bytes)`,
      ),
      ...space.queries.flatMap((each) =>
        (everythingOf({ space }).plans[0] ?? []).map(
          (path) =>
            `\\ plan ${path.arcs.join("_")} of query 0  families ${each.slotsOf(path).join(" + ")}  (${path.cost.toFixed(4)} ms)`,
        ),
      ),
      ...enumerateMigrationPlans(space.families).map(
        (patterns, g) =>
          `\\ fills of family ${g}  ${patterns.map(({ slots }) => slots.map((slot) => `{${slot.join(", ")}}`).join(" with ")).join("; ") || "none"}`,
      ),
      "\\",
    ];
    await expect(`${legend.join("\n")}\n${lpText(formulation.model)}`).toMatchFileSnapshot(
      "testing/smallest-program.lp",
    );
  });
});

const problems = fc.oneof(
  randomProblem(smallBounds),
  randomProblem({ ...smallBounds, predicates: 1, changes: 2 }),
  contestedProblem({ ...smallBounds, predicates: 1 }),
);

describe("a formulation", () => {
  test("is the same text every time", () => {
    fc.assert(
      fc.property(problems, (random) => {
        const { problem, space } = tinyProblem(random);
        const text = lpText(formulationOf(problem, space, 1e6).model);
        const again = tinyProblem(random);
        expect(lpText(formulationOf(again.problem, again.space, 1e6).model)).toBe(text);
      }),
      { numRuns: 25 * times },
    );
  });

  test("is met by every sequence of schemas that works, at its cost", () => {
    let met = 0;
    fc.assert(
      fc.property(problems, fc.infiniteStream(fc.nat()), (random, bits) => {
        const { problem, space } = tinyProblem(random);
        const formulation = formulationOf(problem, space, undefined);
        const { workload, costModel, options } = problem;
        const input = { space, workload, costModel, options };
        const best = bestSequence(problem, space, undefined);
        for (let attempt = 0; attempt < 12; attempt += 1) {
          // Often everything, so that most sequences work.
          const schemas = Array.from({ length: workload.timeline.steps }, () => {
            const [{ value: some }, { value: many }] = [bits.next(), bits.next()];
            return [...space.families.keys()].filter(
              (each) => many % 3 === 0 || (some >> each) & 1,
            );
          });
          const choice = chooseFor(input, schemas);
          if (!choice) continue;
          met += 1;
          expectPoint(formulation, choice);
          expect(best?.cost).toBeLessThanOrEqual(choice.cost * (1 + 1e-9));
        }
      }),
      { numRuns: 60 * times },
    );
    expect(met).toBeGreaterThan(60 * times);
  });
});

/** The choice's point breaks no constraint and costs what the choice says. */
function expectPoint({ model, scale, ...rest }: Formulation, choice: Choice): void {
  const point = pointOf({ model, scale, ...rest }, choice);
  expect(isFeasible(model, point, 1e-9)).toBe(true);
  const cost = evaluateObjective(model, point) * scale;
  expect(Math.abs(cost - choice.cost)).toBeLessThanOrEqual(1e-9 * Math.max(1e-6, choice.cost));
}
