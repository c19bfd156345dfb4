/** What a given sequence of schemas costs, worked out by hand, and when it is too large (engine.md §6–§8). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFeasible } from "#ilp/check.ts";
import type { CostBreakdown } from "#model/recommendation.ts";
import { formulate } from "./formulate.ts";
import { enumeratePlanSpace, type PlanSpace } from "./plan-space.ts";
import { type Choice, chooseFor, pointOf, readAnswer, storageCover } from "./read-solution.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import {
  contestedProblem,
  randomProblem,
  smallBounds,
  withOptions,
} from "./testing/random-problem.ts";
import { tinyProblem } from "./testing/tiny-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

const names = "[item.id] [] → item.name of item";
const quantities = "[item.id] [] → item.quantity of item";
const both = "[item.id] [] → item.name, item.quantity of item";
const byName = "[item.name] [item.id↑] → item.quantity of item";
const problem = aProblem({
  graph: usersAndItems,
  queries: {
    name: "SELECT item.name FROM item WHERE item.id = ?",
    quantity: "SELECT item.quantity FROM item WHERE item.id = ?",
    both: "SELECT item.name, item.quantity FROM item WHERE item.id = ?",
    byName: "SELECT item.id, item.quantity FROM item WHERE item.name = ?",
    change: "UPDATE item SET quantity = ? WHERE item.id = ?",
  },
  curves: { name: [1, 1], quantity: [1, 1], both: [1, 9], byName: [1, 1], change: [2, 3] },
  stepSeconds: 3600,
});
const space = enumeratePlanSpace(problem, () => {}, {
  dominance: false,
  only: new Set([names, quantities, both, byName]),
});
const { workload, costModel, options } = problem;
const input = { space, workload, costModel, options, storageBytes: undefined };
const at = (key: string): number => {
  const position = space.families.findIndex(({ columnFamily }) => columnFamily.key === key);
  if (position < 0) throw new Error(`no family ${key}`);
  return position;
};

const bytesOf = ({ families }: PlanSpace, schema: readonly number[]): number =>
  schema.reduce((sum, each) => sum + (families[each]?.columnFamily.size.bytes ?? 0), 0);

describe("what a sequence of schemas costs", () => {
  const costOf = (
    ...schemas: readonly (readonly string[])[]
  ): { choice: Choice; totals: CostBreakdown } => {
    const positions = schemas.map((schema) => schema.map(at).sort((a, b) => a - b));
    const choice = chooseFor(input, positions);
    if (!choice) throw new Error("the schemas do not work");
    return { choice, totals: readAnswer(input, choice).totals };
  };

  test("updates, sources, loading, and the updates that come while a table is loaded", () => {
    const { choice, totals } = costOf([names, quantities, byName], [both, byName]);
    // 20,000 items: 16 bytes of id, 20 of name, 4 of quantity, 8 per cell; 2,000 names. T = 1000 + 5e-5 · bytes.
    const load = 1000 + 5e-5 * 20_000 * (16 + 20 + 4 + 16);
    expect(totals.load).toBeCloseTo(load, 9);
    // The one table that holds everything is cheaper to read than the two that do together.
    const bytes = 2000 * 20 + 20_000 * (16 + 4 + 8);
    expect(totals.extract).toBeCloseTo(1000 + 2e-5 * bytes, 9);
    // One row put in two tables: by name and by id.
    const put = 0.5 + 0.1;
    expect(totals.update).toBeCloseTo(2 * (2 + 3) * 3600 * put, 6);
    expect(totals.maintenance).toBeCloseTo((2 * put * load) / 1000, 9);
    const sum = Object.values(totals).reduce((all, cost) => all + cost, 0);
    expect(choice.cost / sum).toBeCloseTo(1, 12);
  });

  test("of two ways to fill a table the cheaper one is taken", () => {
    const { choice } = costOf([names, quantities, byName], [both, byName]);
    expect(choice.builds[1]).toEqual([{ family: at(both), sources: [at(byName)] }]);
    const { choice: other } = costOf([names, byName], [both, byName]);
    expect(other.builds[1]).toEqual([{ family: at(both), sources: [at(byName)] }]);
  });
});

describe("a table under construction", () => {
  // Both steps hold less than the limit, the change between them more.
  const schemas = [
    [at(names), at(quantities), at(byName)],
    [at(both), at(byName)],
  ].map((schema) => schema.sort((a, b) => a - b));
  const sizes = schemas.map((schema) => bytesOf(space, schema));
  const storageBytes = Math.max(...sizes) + 1;
  test.each([
    { counts: true, fits: false },
    { counts: false, fits: true },
  ])("takes storage where the option says so: $counts", ({ counts, fits }) => {
    const limited = {
      ...input,
      storageBytes,
      options: { ...input.options, buildingCountsAsStorage: counts },
    };
    expect(storageCover(limited, schemas) === undefined).toBe(fits);
    const choice = chooseFor(limited, schemas);
    if (!choice) throw new Error("the schemas do not work");
    const explicit = new Set(space.families.keys());
    const formulation = formulate({ ...limited, explicit, tooLarge: [] });
    expect(isFeasible(formulation.model, pointOf(formulation, choice), 1e-9)).toBe(fits);
  });
});

const problems = fc.oneof(
  randomProblem(smallBounds),
  contestedProblem({ ...smallBounds, predicates: 1 }),
);

test("a schema fits where its bytes, tables under construction included if they count, are within the limit", () => {
  let met = 0;
  fc.assert(
    fc.property(
      problems,
      fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
      fc.record({ buildingCountsAsStorage: fc.boolean(), cyclic: fc.boolean() }),
      fc.constantFrom(1.001, 0.999, 0.7),
      (random, dice, changed, share) => {
        const tiny = tinyProblem(random);
        const { space } = tiny;
        const { workload, costModel, options } = withOptions(tiny.problem, changed);
        const { steps } = workload.timeline;
        // Often everything, so that most sequences work.
        const schemas = Array.from({ length: steps }, (_, t) => {
          const [some, many] = [dice[t % 9] as number, dice[(t + 4) % 9] as number];
          return [...space.families.keys()].filter((each) => many % 3 === 0 || (some >> each) & 1);
        });
        const there = schemas.map((schema, t) => {
          const next = options.cyclic && steps > 1 ? schemas[(t + 1) % steps] : schemas[t + 1];
          const building = options.buildingCountsAsStorage ? (next ?? []) : [];
          return bytesOf(space, [...new Set([...schema, ...building])]);
        });
        const most = Math.max(...there);
        const storageBytes = most * share;
        const input = { space, workload, costModel, options, storageBytes };
        const fits = most <= storageBytes;
        expect(storageCover(input, schemas) === undefined).toBe(fits);
        const choice = chooseFor(input, schemas);
        if (!choice) return;
        met += 1;
        const explicit = new Set(space.families.keys());
        const formulation = formulate({ ...input, explicit, tooLarge: [] });
        expect(isFeasible(formulation.model, pointOf(formulation, choice), 1e-9)).toBe(fits);
      },
    ),
    { numRuns: 40 * times },
  );
  expect(met).toBeGreaterThan(5 * times);
});
