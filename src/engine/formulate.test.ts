/** The program as a reviewer reads it, and that it is always written the same way (engine.md §8). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFeasible } from "#ilp/check.ts";
import { lpText } from "#ilp/lp-text.ts";
import { evaluateObjective } from "#ilp/model.ts";
import { defaultCostModel } from "#model/cost-model.ts";
import type { Problem } from "#model/problem.ts";
import { type Formulation, formulate } from "./formulate.ts";
import { enumeratePlanSpace, type PlanSpace } from "./plan-space.ts";
import { chooseFor, pointOf } from "./read-solution.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import { randomProblem, smallBounds } from "./testing/random-problem.ts";
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
      ...space.queries.flatMap(({ plans }) =>
        plans.map(
          ({ families: used, cost }, p) =>
            `\\ plan ${p} of query 0  families ${used.join(" + ")}  (${cost.toFixed(4)} ms)`,
        ),
      ),
      ...space.migrations.map(
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

describe("a formulation", () => {
  test("is the same text every time", () => {
    fc.assert(
      fc.property(randomProblem(smallBounds), (random) => {
        const { problem, space } = tinyProblem(random);
        const text = lpText(formulationOf(problem, space, 1e6).model);
        const again = tinyProblem(random);
        expect(lpText(formulationOf(again.problem, again.space, 1e6).model)).toBe(text);
      }),
      { numRuns: 25 * times },
    );
  });

  test("is met by every sequence of schemas that works, at its cost", () => {
    fc.assert(
      fc.property(randomProblem(smallBounds), (random) => {
        const { problem, space } = tinyProblem(random);
        const formulation = formulationOf(problem, space, undefined);
        const everything = [...space.families.keys()];
        const { steps } = problem.workload.timeline;
        const choice = chooseFor(
          {
            space,
            workload: problem.workload,
            costModel: problem.costModel,
            options: problem.options,
          },
          Array.from({ length: steps }, () => everything),
        );
        if (!choice) throw new Error("everything, always, is workable");
        const point = pointOf(formulation, choice);
        expect(isFeasible(formulation.model, point, 1e-9)).toBe(true);
        const cost = evaluateObjective(formulation.model, point) * formulation.scale;
        expect(Math.abs(cost - choice.cost)).toBeLessThanOrEqual(
          1e-9 * Math.max(1e-6, choice.cost),
        );
        const best = bestSequence(problem, space, undefined);
        expect(best?.cost).toBeLessThanOrEqual(choice.cost * (1 + 1e-9));
      }),
      { numRuns: 40 * times },
    );
  });
});
