/**
 * Column families stay true under updates (engine.md §6, §10): random models, data and sequences of
 * updates, carried out by the engine's update plans on column families and as SQL on a relational
 * engine; after each update every family equals its definition. Also while a migration plan fills a
 * new one.
 *
 * FUZZ_RUNS=50000 runs that many updates; PROPERTY_SEED repeats a run.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import {
  checkUpdates,
  noUpdateCounts,
  type UpdateCounts,
  usualUpdateEffort,
} from "./testing/against-updates.ts";
import { oddProblem } from "./testing/odd-problem.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";
import { updateCases } from "./testing/update-cases.ts";

const updatesWanted = Number(process.env["FUZZ_RUNS"] ?? 1000);
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const chunk = 10;
/** Ends the search for a smaller counterexample, in milliseconds. */
const mostShrinking = 120_000;

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

const sources = [
  {
    name: "plain problems",
    problems: randomProblem({ ...richBounds, queries: 2, steps: 1, changes: 3 }),
    share: 0.6,
  },
  {
    name: "odd problems",
    problems: oddProblem({ nodes: 3, queries: 2, predicates: 3 }),
    share: 0.4,
  },
];

describe("random models, data and updates", () => {
  test.each(sources)(
    "every family equals its definition after every update: $name",
    { timeout: 60_000 + updatesWanted * 500 },
    ({ name, problems, share }) => {
      const counts = noUpdateCounts();
      const started = performance.now();
      for (let round = 0; executed(counts) < share * updatesWanted; round += 1)
        fc.assert(
          fc.property(problems, (random) =>
            checkUpdates(engine, random, usualUpdateEffort, counts),
          ),
          { numRuns: chunk, seed: seed + round, interruptAfterTimeLimit: mostShrinking },
        );
      report(name, { ...counts, seconds: Math.round((performance.now() - started) / 1000) });
      expect(counts.refused).toBeLessThan(2 * executed(counts));
      expect(counts.puts).toBeGreaterThan(executed(counts));
      expect(counts.deletes).toBeGreaterThan(executed(counts) / 4);
      expect(counts.whileLoading).toBeGreaterThan(0);
    },
  );
});

describe("cases in which something is easily forgotten", () => {
  test.each(updateCases)("$name", { timeout: 60_000 }, ({ problem }) => {
    const counts = noUpdateCounts();
    const effort = { ...usualUpdateEffort, families: 12, drawn: 6, statements: 3, updates: 30 };
    // Different families, data and values; the fifth number says whether parents must have children.
    for (const roll of [1, 2, 3, 4]) {
      const dice = [roll, roll - 1, 7 * roll, 3, roll, roll, 11 * roll];
      checkUpdates(engine, { problem, dice }, effort, counts);
    }
    expect(executed(counts)).toBeGreaterThan(60);
    expect(counts.unmaintained).toBeLessThan(counts.families / 4);
  });
});

function executed({ insert, update, delete: deleted, connect, disconnect }: UpdateCounts): number {
  return insert + update + deleted + connect + disconnect;
}

function report(name: string, counts: Readonly<Record<string, number>>): void {
  const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`updates, ${name}: ${text.join(", ")}\n`);
}
