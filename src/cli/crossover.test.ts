/**
 * The paper's running example through the command line: two queries, storage for one wide table only,
 * frequencies that cross over between step 3 and step 4 (Wakuta et al., section 2). The expectations
 * follow from the objective: workload plus migrations, the first schema free.
 */
import { describe, expect, test } from "vitest";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import { planKind } from "#model/plan.ts";
import { defaultOptions } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { crossover, temporaryFolder } from "./captured-run.ts";
import type { Listing } from "./listing.ts";

const folder = temporaryFolder();
const design = folder.write("crossover.json", crossover);

const texts = {
  CF1: "[item.name] [item.id↑, user.id↑] → user.email, user.name",
  CF2: "[item.name] [item.id↑] → item.user.id",
  CF3: "[user.id] [] → user.email, user.name",
  CF4: "[item.quantity] [item.id↑, user.id↑] → user.email, user.name",
  CF5: "[item.quantity] [item.id↑]",
  CF6: "[item.id] [user.id↑] → user.email, user.name",
  CF7: "[item.id] [] → item.user.id",
} as const;

let listed: Promise<Listing> | undefined;

function listing(): Promise<Listing> {
  listed ??= folder.run("enumerate", design, "--json").then(({ code, out }) => {
    expect(code).toBe(0);
    return JSON.parse(out);
  });
  return listed;
}

async function keyOf(name: keyof typeof texts): Promise<ColumnFamilyKey> {
  const { candidates } = await listing();
  return candidates.find(({ text }) => text === texts[name])?.key ?? `no ${name}`;
}

async function bytesOf(key: ColumnFamilyKey): Promise<number> {
  const { candidates } = await listing();
  return candidates.find((each) => each.key === key)?.size.bytes ?? Number.NaN;
}

/** One byte less than the smallest tables that answer q1 and q2 with one lookup each. */
async function limit(): Promise<number> {
  const { queries } = await listing();
  let sum = 0;
  for (const { plans } of queries) {
    const wide = plans.filter(({ kind }) => kind === "materialised view");
    const sizes = await Promise.all(wide.map((plan) => bytesOf(plan.columnFamilies[0] ?? "")));
    sum += Math.min(...sizes);
  }
  return sum - 1;
}

interface Change {
  readonly stepSeconds?: number;
  readonly frequencyFactor?: number;
  readonly costModel?: CostModel;
  readonly options?: Partial<typeof defaultOptions>;
}

let files = 0;

/** The design with other figures, as a file. */
function changed({ stepSeconds, frequencyFactor = 1, costModel, options }: Change): string {
  files += 1;
  const scaled = (curve: number[]): number[] => curve.map((value) => value * frequencyFactor);
  return folder.write(`changed-${files}.json`, {
    ...crossover,
    timeline: { ...crossover.timeline, ...(stepSeconds !== undefined && { stepSeconds }) },
    frequencies: {
      q1: scaled(crossover.frequencies.q1),
      q2: scaled(crossover.frequencies.q2),
    },
    settings: {
      ...(costModel && { costModel }),
      ...(options && { options: { ...defaultOptions, ...options } }),
    },
  });
}

const answers = new Map<string, Promise<Recommendation>>();

/** Runs once, expects an answer that `check` accepts, and returns it. */
function answer(file: string, ...options: string[]): Promise<Recommendation> {
  const command = [file, ...options].join(" ");
  const known = answers.get(command) ?? run(file, options);
  answers.set(command, known);
  return known;
}

async function run(file: string, options: readonly string[]): Promise<Recommendation> {
  const { code, out } = await folder.run(
    "optimise",
    file,
    ...options,
    "--json",
    "--out",
    "result.json",
  );
  expect(code).toBe(0);
  expect(out).toBe(folder.read("result.json"));
  const checked = await folder.run("check", file, "result.json");
  expect(checked.out).toContain("The answer is what it says it is");
  expect(checked.code).toBe(0);
  const result = JSON.parse(out);
  expectCostOrder(result);
  return result;
}

/** Per-step ideal ≤ optimised with migrations ≤ the best fixed schema. */
function expectCostOrder({ objective, baselines, bound, status }: Recommendation): void {
  const ideal = baselines.find(({ kind }) => kind === "ideal")?.cost ?? Number.NaN;
  const fixed = baselines.filter(({ kind }) => kind !== "ideal").map(({ cost }) => cost);
  expect(fixed).toHaveLength(3);
  expect(ideal).toBeLessThanOrEqual(objective * (1 + 1e-9));
  expect(objective).toBeLessThanOrEqual(Math.min(...fixed) * (1 + 1e-9));
  expect(bound).toBeLessThanOrEqual(objective);
  expect(status).toBe("optimal");
}

function schemas({ steps }: Recommendation): readonly (readonly ColumnFamilyKey[])[] {
  return steps.map(({ schema }) => schema);
}

function costs({ steps }: Recommendation): number[] {
  return steps.map(({ cost }) => Object.values(cost).reduce((sum, part) => sum + part, 0));
}

/** How a query is answered during each step. */
function kindsOf({ steps, plans }: Recommendation, statement: string): string[] {
  return steps.map((step) => {
    const key = step.plans.find((chosen) => chosen.statement === statement)?.plan;
    const plan = plans.find((each) => each.key === key);
    return plan ? planKind(plan) : "none";
  });
}

const mv = "materialised view";

describe("enumerate", () => {
  test.each(Object.entries(texts))("has %s among the candidates: %s", async (_, text) => {
    const { candidates } = await listing();
    const found = candidates.find((each) => each.text === text);
    expect(found?.proposals.length).toBeGreaterThan(0);
    expect(found?.size.bytes).toBeGreaterThan(0);
  });

  test("has both the wide and the narrow plan for each query", async () => {
    const { queries } = await listing();
    const families = queries.map(({ plans }) => plans.map((plan) => plan.columnFamilies));
    const [CF1, CF2, CF3, CF4, CF5, CF6] = await Promise.all(
      (["CF1", "CF2", "CF3", "CF4", "CF5", "CF6"] as const).map(keyOf),
    );
    expect(families[0]).toContainEqual([CF1]);
    expect(families[0]).toContainEqual([CF2, CF3]);
    expect(families[1]).toContainEqual([CF4]);
    expect(families[1]).toContainEqual([CF5, CF6]);
  });

  test("fills CF6 from CF4 alone, and from CF7 joined with CF3", async () => {
    const { migrationPlans } = await listing();
    const [CF3, CF4, CF6, CF7] = await Promise.all(
      (["CF3", "CF4", "CF6", "CF7"] as const).map(keyOf),
    );
    const ways = migrationPlans.find(({ builds }) => builds === CF6)?.plans ?? [];
    const sources = ways.map((plan) => [...plan.sources].sort());
    expect(sources).toContainEqual([CF4]);
    expect(sources).toContainEqual([CF3, CF7].sort());
  });

  test("counts what it lists, and lists each way once", async () => {
    const { counts, candidates, queries, migrationPlans } = await listing();
    const plans = migrationPlans.flatMap((each) => each.plans);
    expect(counts.leftOut).toBe(0);
    expect(candidates).toHaveLength(counts.candidates);
    expect(queries.flatMap((each) => each.plans)).toHaveLength(counts.queryPlans);
    expect(plans).toHaveLength(counts.migrationPlans);
    expect(new Set(plans.map(({ key }) => key)).size).toBe(plans.length);
  });
});

describe("without a storage limit", () => {
  test("both wide tables exist in every step and nothing migrates", async () => {
    const result = await answer(design);
    const wide = [await keyOf("CF1"), await keyOf("CF4")].sort();
    for (const schema of schemas(result)) expect([...schema].sort()).toEqual(wide);
    expect(result.migrations).toEqual([]);
    expect(result.storageLimit).toBeUndefined();
  });

  test("steps of the same frequencies cost the same", async () => {
    const [a, b, c, d, e, f] = costs(await answer(design));
    expect([b, c]).toEqual([a, a]);
    expect([e, f]).toEqual([d, d]);
  });

  test("every step costs the same where all Gets do", async () => {
    // q2 returns ten times as many rows as q1; without that difference only the total frequency counts.
    const get = { ...defaultCostModel.get, perRow: 0, perByte: 0 };
    const result = await answer(changed({ costModel: { ...defaultCostModel, get } }));
    for (const cost of costs(result)) expect(cost).toBeCloseTo(costs(result)[0] ?? Number.NaN, 6);
  });
});

describe("with storage for one wide table less a byte", () => {
  test("the wide table belongs to the frequent query, with one change from step 3 to step 4", async () => {
    const bytes = await limit();
    const result = await answer(design, "--storage", String(bytes));
    const [CF1, CF4] = [await keyOf("CF1"), await keyOf("CF4")];
    expect(bytes).toBe((await bytesOf(CF1)) + (await bytesOf(CF4)) - 1);
    expect(result.storageLimit).toBe(bytes);
    expect(schemas(result).map((schema) => schema.includes(CF1))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(schemas(result).map((schema) => schema.includes(CF4))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(kindsOf(result, "q1")).toEqual([mv, mv, mv, "join", "join", "join"]);
    expect(kindsOf(result, "q2")).toEqual(["join", "join", "join", mv, mv, mv]);
    expect(result.migrations.map(({ from, to }) => [from, to])).toEqual([[2, 3]]);
    const [{ builds, drops } = { builds: [], drops: [] }] = result.migrations;
    expect(builds.map(({ columnFamily }) => columnFamily)).toEqual([CF4]);
    expect(drops).toContain(CF1);
  });

  test("storage holds at every step", async () => {
    const bytes = await limit();
    const result = await answer(design, "--storage", String(bytes));
    for (const { storageBytes, schema } of result.steps) {
      const sizes = await Promise.all(schema.map(bytesOf));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(storageBytes, 3);
      expect(storageBytes).toBeLessThanOrEqual(bytes);
    }
  });

  test.each([
    { title: "the same limit", more: 0 },
    { title: "room for the old and the new", more: 1_500_000 },
  ])(
    "storage holds while both old and new exist, when building counts: $title",
    async ({ more }) => {
      const bytes = (await limit()) + more;
      const file = changed({ options: { buildingCountsAsStorage: true } });
      const result = await answer(file, "--storage", String(bytes));
      for (const [t, schema] of schemas(result).entries()) {
        const both = new Set([...schema, ...(schemas(result)[t + 1] ?? [])]);
        const sizes = await Promise.all([...both].map(bytesOf));
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytes * (1 + 1e-9));
      }
    },
  );

  test("nothing changes when migrations are dear enough", async () => {
    const dear = ({ fixed, perByte }: CostModel["load"]) => ({
      fixed: fixed * 1000,
      perByte: perByte * 1000,
    });
    const { extract, load } = defaultCostModel;
    const costModel = { ...defaultCostModel, extract: dear(extract), load: dear(load) };
    const result = await answer(changed({ costModel }), "--storage", String(await limit()));
    expect(result.migrations).toEqual([]);
    expect(new Set(schemas(result).map((schema) => schema.join())).size).toBe(1);
  });

  test("ten times the frequencies never make fewer migrations", async () => {
    const bytes = String(await limit());
    const counts: [number, number][] = [];
    for (const stepSeconds of [60, 3600, 14_400]) {
      const once = await answer(changed({ stepSeconds }), "--storage", bytes);
      const tenfold = await answer(
        changed({ stepSeconds, frequencyFactor: 10 }),
        "--storage",
        bytes,
      );
      counts.push([once.migrations.length, tenfold.migrations.length]);
    }
    for (const [once, tenfold] of counts) expect(tenfold).toBeGreaterThanOrEqual(once);
    // A minute per step repays no migration, four hours do: the comparison is not empty.
    expect(counts[0]?.[0]).toBe(0);
    expect(counts[2]?.[0]).toBe(1);
  });
});
