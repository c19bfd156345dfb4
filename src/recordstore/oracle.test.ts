/**
 * Every enumerated plan returns what the statement means (engine.md §4, §10): random models, data
 * and statements, each plan's answer held against a relational engine's.
 *
 * FUZZ_RUNS=50000 runs that many triples of model, data and statement; PROPERTY_SEED repeats a run.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import { checkAgainstOracle, noCounts, usualEffort } from "./testing/against-oracle.ts";
import { oddProblem } from "./testing/odd-problem.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";

/** Triples of model, data and statement. */
const triplesWanted = Number(process.env["FUZZ_RUNS"] ?? 2000);
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const chunk = 20;
/** Ends the search for a smaller counterexample, in milliseconds. */
const mostShrinking = 120_000;

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

/** Where problems come from, and the share of all triples that each gives. */
const sources = [
  { name: "plain problems", problems: randomProblem({ ...richBounds, steps: 1 }), share: 0.7 },
  {
    name: "odd problems",
    problems: oddProblem({ nodes: 3, queries: 2, predicates: 3 }),
    share: 0.3,
  },
];

describe("random models, data and statements", () => {
  test.each(sources)(
    "every enumerated plan returns what the statement means: $name",
    { timeout: triplesWanted * 500 },
    ({ name, problems, share }) => {
      const counts = noCounts();
      const started = performance.now();
      for (let round = 0; counts.triples < share * triplesWanted; round += 1)
        fc.assert(
          fc.property(problems, (random) =>
            checkAgainstOracle(engine, random, usualEffort, counts),
          ),
          { numRuns: chunk, seed: seed + round, interruptAfterTimeLimit: mostShrinking },
        );
      report(name, { ...counts, seconds: Math.round((performance.now() - started) / 1000) });
      expect(counts.refusals).toBe(0);
      expect(counts.empty).toBeLessThan(counts.executions / 2);
    },
  );
});

function report(name: string, counts: Readonly<Record<string, number>>): void {
  const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`oracle, ${name}: ${text.join(", ")}\n`);
}
