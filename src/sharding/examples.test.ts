/** The lab's two examples: the bank's log as the pattern tells it, and the pattern's table of keys. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { toProblem } from "#document/to-problem.ts";
import type { ShardingSetup } from "#model/sharding-setup.ts";
import { balanceOf } from "./balance.ts";
import { clusteringFor } from "./clustering-order.ts";
import { entityTable } from "./entity-table.ts";
import { adviseKeys, candidateKeys, type DrawnRecords, type KeyAdvice } from "./key-adviser.ts";
import { type LabTable, sampleOf } from "./lab-table.ts";
import { generateRecords } from "./records.ts";
import {
  type ExperimentOutcome,
  nodeNames,
  runExperiment,
  type StrategyOutcome,
} from "./run-experiment.ts";
import { objections } from "./when-not-to-shard.ts";

const rows = 40_000;

interface Opened {
  readonly setup: ShardingSetup;
  readonly table: (entity: string) => DrawnRecords & { readonly table: LabTable };
}

function opened(example: string): Opened {
  const file = new URL(`../examples/${example}/document.json`, import.meta.url);
  const document = value<StudioDocument>(readDocument(readFileSync(file, "utf8")));
  const problem = value(toProblem(document));
  const { sharding } = document;
  if (!sharding) throw new Error(`${example} sets up no lab`);
  return {
    setup: sharding,
    table: (entity) => {
      const table = entityTable(problem, entity, entity, sharding);
      const { plan, rowsEach } = sampleOf(table, rows, 1);
      return { table, records: generateRecords(plan), rowsEach };
    },
  };
}

function value<T>(result: { ok: true; value: T } | { ok: false; issues: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

function sum(steps: readonly Float64Array[]): Float64Array {
  return (steps[0] ?? new Float64Array()).map((_, node) =>
    steps.reduce((all, step) => all + (step[node] as number), 0),
  );
}

describe("the bank's log", () => {
  const { setup, table: open } = opened("bank-log");
  const { table, ...drawn } = open("transactions");
  const { records } = drawn;
  const story = setup.story ?? [];
  const run = (step: number): StrategyOutcome[] => {
    const { outcomes }: ExperimentOutcome = runExperiment(
      {
        nodes: nodeNames(setup.cluster.nodes),
        replicas: setup.cluster.replicas,
        strategies: story[step]?.strategies ?? [],
        plans: table.requests,
        requests: 100_000,
        seed: 1,
      },
      records,
    );
    return outcomes.flatMap((each) => ("stored" in each ? [each] : []));
  };

  test("tells its story in four steps", () => {
    expect(story.map(({ title }) => title)).toEqual([
      "Range by date",
      "The last server is hot",
      "Hash by customer",
      "Date as clustering key",
    ]);
  });

  test("under range by date all new rows go to the last server, and customers are read everywhere", () => {
    const [range] = run(0) as [StrategyOutcome];
    // Even at first …
    const before = records.initial / 3;
    for (const stored of range.stored[0] as Float64Array)
      expect(Math.abs(stored - before) / before).toBeLessThan(0.35);
    // … but all that is new is on server 3, at every step.
    for (const step of range.arrived) {
      expect(step[2]).toBeGreaterThan(0);
      expect(balanceOf(step, 1.5).busiestShare).toBe(1);
    }
    expect(balanceOf(sum(range.writes), 1.5)).toMatchObject({
      busiest: 2,
      busiestShare: 1,
      hotSpots: [2],
    });
    expect(
      range.routes[table.requests.findIndex(({ statement }) => statement === "latest")],
    ).toEqual({
      carriesKey: false,
      nodes: 3,
      multiShard: 1,
    });
  });

  test("under hash by customer the busiest server has at most 40 % of writes and reads", () => {
    const [ring, range] = run(2) as [StrategyOutcome, StrategyOutcome];
    for (const step of [...ring.writes, ...ring.reads, sum(ring.reads), sum(ring.writes)])
      expect(balanceOf(step, 1.5).busiestShare).toBeLessThanOrEqual(0.4);
    expect(ring.multiShard.reads).toBeLessThan(0.001);
    expect(range.multiShard.reads).toBeGreaterThan(0.99);
    expect(ring.multiShard.writes).toBe(0);
  });

  test("latest transactions of a customer are on one server, and sorted by the clustering key", () => {
    const [ring] = run(3) as [StrategyOutcome];
    const latest = table.requests.findIndex(({ statement }) => statement === "latest");
    expect(ring.routes[latest]).toEqual({ carriesKey: true, nodes: 1, multiShard: 0 });
    expect(clusteringFor(table, ["customer.id"])).toEqual({
      columns: [{ name: "at", direction: "desc" }],
      profit: ["Latest transactions of a customer", "A customer’s transactions since a time"],
      sorted: [],
    });
    expect(clusteringFor(table, ["day"]).profit).toEqual([]);
  });

  test("the adviser prefers the customer to the day", () => {
    const advice = adviseKeys(table, drawn, candidateKeys(table), setup.cluster, 1);
    const of = (key: string): KeyAdvice | undefined =>
      advice.find((each) => each.key.join() === key);
    expect(of("customer.id")).toMatchObject({ verdict: "good" });
    expect(of("day")?.verdict).toBe("bad");
    expect([of("day")?.reason, ...(of("day")?.also ?? [])].join()).toContain(
      "At any moment all new records go to one key",
    );
    expect(of("kind")).toMatchObject({
      verdict: "bad",
      reason: expect.stringContaining("Only 6 different values for 3 nodes"),
    });
    // Spread evenly, but no read knows it.
    expect(of("id")).toMatchObject({
      verdict: "bad",
      reason: expect.stringContaining("they do not name this key"),
    });
    expect(objections(table, ["at"], setup.cluster).map(({ kind }) => kind)).toEqual([
      "range scans",
    ]);
    expect(objections(table, ["customer.id"], setup.cluster)).toEqual([]);
  });
});

describe("the pattern's table of keys", () => {
  const { setup, table: open } = opened("which-key");
  const advise = (
    entity: string,
    key: readonly string[],
    nodes = setup.cluster.nodes,
  ): KeyAdvice => {
    const { table, ...drawn } = open(entity);
    return adviseKeys(table, drawn, [key], { ...setup.cluster, nodes }, 1)[0] as KeyAdvice;
  };

  test("says good, bad, good, bad, with reasons", () => {
    const keys = setup.keys ?? [];
    expect(keys.map(({ verdict }) => verdict)).toEqual(["good", "bad", "good", "bad"]);
    const found = keys.map(({ table, key }) => advise(table, key));
    expect(found.map(({ verdict }) => verdict)).toEqual(["good", "bad", "good", "bad"]);
    expect(found.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /^300 k values, none with more than .*every read finds all its records/,
      ),
      expect.stringMatching(/^Only 5 different values for 4 nodes/),
      expect.stringMatching(/^5,000 values/),
      expect.stringMatching(
        /^One key, \d+, gets (?:59|6[01])(?:\.\d)? % of all requests: its node carries 2\.\d+ times/,
      ),
    ]);
  });

  test("proposes buckets with their figures and their price", () => {
    const uneven = advise("unevenReadings", ["device"]);
    expect(uneven.bucket).toMatchObject({ kind: "hash", partitions: 64, latest: 64 });
    expect(uneven.bucket?.hottestShare).toBeCloseTo(uneven.figures.hottestShare / 64, 9);
    expect(uneven.bucket?.price).toContain("visits 64 partitions");
    expect(uneven.bucket?.largestRows).toBeCloseTo(uneven.figures.largestRows / 64, 6);
    expect(advise("readings", ["device"]).bucket).toBeUndefined();
  });
});
