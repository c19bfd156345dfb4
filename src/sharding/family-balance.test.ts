/** Formulas of balance beside what the lab counts on the same tables. */
import { expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { idsByName } from "#document/schema.ts";
import { toProblem } from "#document/to-problem.ts";
import { optimise } from "#engine/optimise.ts";
import { examples } from "#examples/examples.ts";
import { openHighs } from "#ilp/highs.ts";
import { defaultCluster, type ShardingSetup } from "#model/sharding-setup.ts";
import { balanceOf } from "./balance.ts";
import { answerBalance } from "./family-balance.ts";
import { sampleOf } from "./lab-table.ts";
import { labTable } from "./lab-tables.ts";
import { generateRecords } from "./records.ts";
import { nodeNames, runExperiment } from "./run-experiment.ts";

async function answered(id: string, sharding: ShardingSetup) {
  const document = documentFrom(await examples.find((each) => each.id === id)?.load());
  if (!document.ok) throw new Error(JSON.stringify(document.issues));
  const problem = toProblem(document.value);
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  const outcome = await optimise(
    problem.value,
    { gap: 1e-4 },
    { solver: await openHighs(), now: () => 0 },
  );
  if (!("steps" in outcome)) throw new Error(outcome.status);
  return {
    problem: problem.value,
    setup: sharding,
    ids: idsByName(document.value),
    answer: outcome,
  };
}

const cluster = { ...defaultCluster, nodes: 5, virtualNodes: 256 };

test("the hottest partition's share and node are what the lab counts", async () => {
  const setup: ShardingSetup = {
    cluster,
    columns: {
      unevenReadings: { device: { kind: "hot", share: 0.6 } },
      visits: { user: { kind: "zipf", exponent: 1 } },
    },
    picks: { unevenOfDevice: { kind: "records" }, visitsOfUser: { kind: "zipf", exponent: 1 } },
  };
  const design = await answered("which-key", setup);
  const { families } = answerBalance(design, cluster);
  expect(Object.keys(families)).toHaveLength(3);
  for (const [key, balance] of Object.entries(families)) {
    const table = labTable(design, key);
    const { plan, rowsEach } = sampleOf(table, 30_000, 1);
    const { outcomes } = runExperiment(
      {
        nodes: nodeNames(cluster.nodes),
        replicas: 1,
        strategies: [
          { kind: "ring", key: table.key, hash: "murmur3", tokens: "random", virtualNodes: 256 },
        ],
        plans: table.requests,
        requests: 30_000,
        seed: 1,
        rowsEach,
      },
      generateRecords(plan),
    );
    const [ring] = outcomes;
    if (!ring || !("stored" in ring)) throw new Error("no ring");
    const at = balance.steps[1];
    const load = (ring.reads[1] ?? new Float64Array()).map(
      (each, node) => each + (ring.writes[1]?.[node] ?? 0),
    );
    const counted = balanceOf(load, 1.5);
    expect(at?.requestsPerSecond, key).toBeCloseTo(counted.total, 0);
    const isUneven = key.includes("unevenReadings");
    if (!isUneven && !key.includes("visits")) continue;
    // The hottest key's node, and what else is on it: random tokens differ by some per cent.
    expect(Math.abs((at?.hottestNode ?? 0) - counted.mostToMean), key).toBeLessThan(0.25);
    expect(
      balance.cautions.some((each) => each.includes("hottest")),
      key,
    ).toBe(isUneven);
    if (isUneven) expect(at?.hottestNode).toBeGreaterThan(3);
  }
});
