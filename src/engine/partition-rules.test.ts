/** Limits on partitions and the price of further ones, as the optimiser obeys them. */
import { beforeAll, describe, expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import { examples } from "#examples/examples.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { GetStep } from "#model/plan.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import type { ShardingSetup } from "#model/sharding-setup.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { optimiseWithinRules } from "./optimise-within-rules.ts";
import { brokenPartitionRule } from "./partition-rules.ts";
import { enumeratePlanSpace } from "./plan-space.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** Two queries that could share a table by kind; where that is too large a partition, each needs its own. */
const stock = {
  format: "tidetable",
  version: 1,
  name: "Stock",
  entities: {
    item: {
      count: 40,
      attributes: [
        { name: "id", type: "int" },
        { name: "kind", type: "text", distinct: 4 },
        { name: "shop", type: "text", distinct: 10 },
        { name: "colour", type: "text", distinct: 10 },
      ],
      identifier: ["id"],
    },
  },
  statements: {
    byShop: { text: "SELECT item.id FROM item WHERE item.kind = ? AND item.shop = ?" },
    byColour: { text: "SELECT item.id FROM item WHERE item.kind = ? AND item.colour = ?" },
    add: { text: "INSERT INTO item SET id = ?, kind = ?, shop = ?, colour = ?" },
  },
  timeline: { steps: 2, stepSeconds: 60 },
  frequencies: { byShop: [5, 6], byColour: [6, 5], add: 30 },
};

function problemOf(file: object, sharding: Partial<ShardingSetup>): Problem {
  const document = documentFrom({ ...file, sharding });
  const problem = document.ok ? toProblem(document.value) : document;
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

function schemaOf({ steps }: Recommendation): readonly string[] {
  return [...new Set(steps.flatMap(({ schema }) => schema))];
}

function run(problem: Problem): Promise<RunOutcome> {
  return optimiseWithinRules(problem, { gap: 1e-4 }, { solver, now: () => 0 });
}

function answered(outcome: RunOutcome): Recommendation {
  if (!("steps" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome;
}

const ofKind = /^\[item\.kind\] /;

describe("limits on partitions", () => {
  test("exclude candidates with the reason, and say what that costs", async () => {
    const free = answered(await run(problemOf(stock, {})));
    expect(schemaOf(free)).toEqual([expect.stringMatching(ofKind)]);
    const answer = answered(await run(problemOf(stock, { limits: { largestShare: 0.2 } })));
    expect(schemaOf(answer).filter((key) => ofKind.test(key))).toEqual([]);
    const { excluded = [], count = 0, without } = answer.exclusions ?? {};
    expect(excluded).toContainEqual({
      columnFamily: expect.stringMatching(ofKind),
      reason: "Its largest partition has 25 % of all rows, above 20 %.",
    });
    expect(excluded).toHaveLength(count);
    expect(without).toEqual({ objective: free.objective, bound: free.bound });
    expect(answer.objective).toBeGreaterThan(free.objective * 1.05);
    expect(answer.notes.join()).toMatch(
      /exclude \d+ candidate tables; without them the answer would cost [\d.]+ % less/,
    );
  });

  test("go by how a person says that values are spread", async () => {
    const hot = { item: { kind: { kind: "hot", share: 0.9 } } } as const;
    const limits = { largestRows: 12 };
    const even = answered(await run(problemOf(stock, { limits })));
    expect(schemaOf(even)).toEqual([expect.stringMatching(ofKind)]);
    const uneven = answered(await run(problemOf(stock, { limits, columns: hot })));
    expect(schemaOf(uneven).filter((key) => ofKind.test(key))).toEqual([]);
    expect(uneven.exclusions?.excluded.map(({ reason }) => reason)).toContain(
      "Its largest partition has 37 rows, above 12.",
    );
  });

  test("are as good as a ban of every candidate that breaks them", async () => {
    for (const limits of [{ largestShare: 0.2 }, { largestBytes: 200 }, { largestRows: 0.5 }]) {
      const ruled = problemOf(stock, { limits });
      const { partitionRules: _, ...plain } = ruled;
      const { families } = enumeratePlanSpace(plain, () => undefined, { dominance: false });
      const restrictions = families
        .filter(({ columnFamily }) => brokenPartitionRule(ruled, columnFamily) !== undefined)
        .map(({ columnFamily }): Restriction => ({ kind: "family", demand: "ban", columnFamily }));
      expect(restrictions.length).toBeGreaterThan(0);
      const tools = { solver, now: () => 0 };
      const banned = await optimise({ ...plain, restrictions }, { gap: 1e-4 }, tools);
      const own = await run(ruled);
      expect(own.status).toBe(banned.status);
      if ("steps" in own && "steps" in banned)
        expect(own.objective).toBeCloseTo(banned.objective, 6);
    }
  });

  test("a pin stands above them, a schema by hand does not", async () => {
    const limits = { largestShare: 0.2 };
    const family = "[item.kind] [item.shop, item.colour, item.id] of item";
    const restrictions = { wanted: { kind: "family", demand: "pin", family } };
    const pinned = answered(await run(problemOf({ ...stock, restrictions }, { limits })));
    expect(schemaOf(pinned)).toContainEqual(expect.stringMatching(ofKind));
    const handMade = { name: "mine", schemas: [[family]] };
    const byHand = answered(await run(problemOf({ ...stock, handMade }, { limits })));
    expect(schemaOf(byHand).filter((key) => ofKind.test(key))).toEqual([]);
    expect(byHand.handMade?.cost).toBeGreaterThan(0);
  });

  test("that leave nothing are told as the reason", async () => {
    const outcome = await run(problemOf(stock, { limits: { largestBytes: 1 } }));
    if (outcome.status !== "infeasible") throw new Error(outcome.status);
    expect(outcome.reasons.join()).toMatch(
      /at most 1 bytes\) exclude \d+ candidate tables: loosen them/,
    );
  });

  test("are recounted", async () => {
    const free = answered(await run(problemOf(stock, {})));
    const ruled = problemOf(stock, { limits: { largestShare: 0.2 } });
    const found = checkRecommendation(free, ruled).filter(({ kind }) => kind === "restriction");
    expect(found).toHaveLength(2);
    expect(found[0]?.message).toContain("25 % of all rows, above 20 %");
  });
});

test("a price for further partitions is part of the cost, and of the recount", async () => {
  const file = await examples.find(({ id }) => id === "user-item")?.load();
  const unpriced = problemOf(file as object, {});
  const free = answered(await run(unpriced));
  const problem = problemOf(file as object, { limits: { perFurtherPartition: 5 } });
  const priced = answered(await run(problem));
  expect(checkRecommendation(priced, problem)).toEqual([]);
  expect(priced.objective).toBeGreaterThan(free.objective);
  expect(checkRecommendation(priced, unpriced).map(({ kind }) => kind)).toContain("plan");
  const further = (answer: Recommendation): GetStep[] => {
    const plans = new Map(answer.plans.map((plan) => [plan.key, plan]));
    return answer.steps.flatMap(({ plans: chosen }) =>
      chosen.flatMap(({ plan }) =>
        (plans.get(plan)?.steps ?? []).flatMap((each) =>
          each.kind === "get" && each.gets > 1.01 ? [each] : [],
        ),
      ),
    );
  };
  expect(further(priced).length).toBeGreaterThan(0);
  for (const { gets, rows, bytesPerRow, cost } of further(priced)) {
    const { fixed, perGet, perRow, perByte } = problem.costModel.get;
    const plain = fixed + perGet * gets + perRow * rows + perByte * rows * bytesPerRow;
    expect(cost).toBeCloseTo(plain + 5 * (gets - 1), 9);
  }
});
