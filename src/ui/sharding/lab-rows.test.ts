import { describe, expect, it } from "vitest";
import { defaultCluster } from "#model/sharding-setup.ts";
import { generateRecords } from "#sharding/records.ts";
import { ringOf } from "#sharding/ring.ts";
import { nodeNames, runExperiment, type StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { figuresCsv, heatRows, hotReason, moveRows, strategyCard } from "./lab-rows.ts";
import { ringArcs, sectorPath } from "./ring-rows.ts";

const records = generateRecords({
  columns: [
    { name: "customer", type: "int", distinct: 500, distribution: { kind: "hot", share: 0.7 } },
    { name: "day", type: "date", distinct: 60, distribution: { kind: "arrival" } },
  ],
  initial: 3000,
  arriving: [500, 500],
  stepSeconds: 3600,
  seed: 1,
});
const cluster = { ...defaultCluster, nodes: 3 };
const { outcomes } = runExperiment(
  {
    nodes: nodeNames(3),
    replicas: 1,
    strategies: [
      { kind: "range", key: ["day"], cut: { kind: "equal count" } },
      { kind: "ring", key: ["customer"], hash: "murmur3", tokens: "random", virtualNodes: 64 },
    ],
    plans: [
      {
        name: "new",
        kind: "insert",
        binds: [],
        pick: { kind: "records" },
        keys: 1,
        perSecond: [4, 8],
      },
      {
        name: "of",
        kind: "read",
        binds: ["customer"],
        pick: { kind: "records" },
        keys: 1,
        perSecond: [9, 9],
      },
    ],
    requests: 5000,
    seed: 1,
  },
  records,
);
const answer = { rowsEach: 10, cluster, outcomes } as unknown as LabAnswer;
const [range, ring] = outcomes as unknown as [StrategyOutcome, StrategyOutcome];

describe("a strategy's card", () => {
  it("shows bars over the mean, and marks hot spots with the reason", () => {
    const { metrics, hot } = strategyCard(range, answer, 1);
    expect(metrics.map(({ metric }) => metric)).toEqual(["rows", "reads", "writes"]);
    const [rows, reads, writes] = metrics;
    expect(rows?.bars.reduce((sum, { amount }) => sum + amount, 0)).toBe(40_000);
    expect(reads?.bars.map(({ ratio }) => ratio)).toEqual([1, 1, 1]);
    expect(writes?.bars.map(({ isHot }) => isHot)).toEqual([false, false, true]);
    expect(hot).toEqual([
      { node: "node 3", metric: "writes", ratio: 3, reason: "100 % of the new rows arrive here" },
    ]);
  });

  it("names a hot key as the reason", () => {
    const { hot } = strategyCard(ring, answer, 0);
    expect(hot[0]?.reason).toMatch(/^one key, \d+, gets (?:69|70|71)(?:\.\d)? % of all requests$/);
    const node = ring.layout.nodes.indexOf(hot[0]?.node ?? "");
    expect(hotReason(ring, (node + 1) % 3, "reads", 0)).not.toContain("one key");
  });
});

it("a heat map has a cell for each node and step", () => {
  const rows = heatRows(range, "new rows", answer);
  expect(rows.map(({ cells }) => cells.map(({ amount }) => amount))).toEqual([
    [0, 0],
    [0, 0],
    [5000, 5000],
  ]);
  expect(rows[2]?.cells[0]).toMatchObject({ ratio: 3, isHot: true });
});

it("moves stand beside theory", () => {
  expect(moveRows([ring])[0]).toMatchObject({
    name: "ring by customer",
    joins: { expected: 0.25 },
  });
});

it("figures go out as CSV", () => {
  const lines = figuresCsv(answer).trim().split("\n");
  expect(lines[0]).toBe("strategy,node,step,rows,new_rows,reads_per_second,writes_per_second");
  expect(lines).toHaveLength(1 + 2 * 3 * 2);
  expect(lines[3]).toMatch(/^range by day,node 3,1,\d+,5000,9,4$/);
});

it("arcs of a ring go once around", () => {
  const arcs = ringArcs(ringOf("murmur3", nodeNames(4), { kind: "even" }));
  expect(arcs.map(({ node, from, to }) => [node, from, to])).toEqual([
    [0, -0.25, 0],
    [1, 0, 0.25],
    [2, 0.25, 0.5],
    [3, 0.5, 0.75],
  ]);
  expect(sectorPath({ from: 0, to: 0.25 }, 80, 100)).toBe(
    "M0.00 -100.00A100 100 0 0 1 100.00 0.00L80.00 0.00A80 80 0 0 0 0.00 -80.00Z",
  );
  const many = ringArcs(
    ringOf("random", nodeNames(3), { kind: "random", virtualNodes: 50, seed: 1 }),
  );
  expect(many.reduce((sum, { from, to }) => sum + to - from, 0)).toBeCloseTo(1, 9);
});
