/**
 * The oracle sees what it is there to see: plans with one thing wrong give wrong answers, are refused
 * or miss a value. Not every change shows on every data, so shares of the changed plans are asked for.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { GetStep, PlanStep } from "#model/plan.ts";
import type { Query } from "#model/statement.ts";
import { forEachTrial, runPlan, type Trial, usualEffort } from "./testing/against-oracle.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

type Change = (steps: readonly PlanStep[], query: Query) => PlanStep[][];

const without =
  (kind: PlanStep["kind"]): Change =>
  (steps) =>
    steps.some((step) => step.kind === kind) ? [steps.filter((step) => step.kind !== kind)] : [];

/** One changed plan for each Get that the change applies to. */
const changedGet =
  (change: (get: GetStep, index: number, all: readonly PlanStep[]) => GetStep[]): Change =>
  (steps) =>
    steps.flatMap((step, index) =>
      step.kind === "get"
        ? change(step, index, steps).map((changed) =>
            steps.map((each, at) => (at === index ? changed : each)),
          )
        : [],
    );

/** What is changed, and the least share of changed plans that have to be seen. */
const changes: Readonly<Record<string, { change: Change; least: number }>> = {
  "a filter forgotten": { change: without("filter"), least: 0.2 },
  "a sort forgotten": { change: without("sort"), least: 0.08 },
  "a grouping forgotten": { change: without("group"), least: 0.5 },
  "a limit forgotten": { change: without("limit"), least: 0.15 },
  "a column not asked for": {
    change: changedGet((get) =>
      get.aggregated || get.grouped
        ? []
        : get.selects.map((_, out) => ({
            ...get,
            selects: get.selects.filter((__, at) => at !== out),
          })),
    ),
    least: 0.9,
  },
  "a join column forgotten": {
    change: changedGet((get, index) =>
      index === 0
        ? []
        : get.joinOn.map((_, out) => ({
            ...get,
            joinOn: get.joinOn.filter((__, at) => at !== out),
          })),
    ),
    least: 0.15,
  },
  "a range forgotten": {
    change: changedGet(({ range, ...get }) => (range === undefined ? [] : [get])),
    least: 0.15,
  },
  "a key column unbound": {
    change: changedGet((get) =>
      get.bindings.flatMap(({ key }, out) =>
        key === "partition"
          ? [{ ...get, bindings: get.bindings.filter((_, at) => at !== out) }]
          : [],
      ),
    ),
    least: 0.95,
  },
  "the order turned round": {
    change: changedGet((get) =>
      get.order ? [{ ...get, order: get.order === "forward" ? "reverse" : "forward" }] : [],
    ),
    least: 0.95,
  },
  "a limit before later steps": {
    change: (steps, { limit }) => {
      const first = steps[0];
      if (limit === undefined || first?.kind !== "get" || first.limit !== undefined) return [];
      return [[{ ...first, limit: 1 }, ...steps.slice(1)]];
    },
    least: 0.2,
  },
};

/** Changed plans of one problem, and those that some data has given away. */
interface Tally {
  readonly tried: Set<string>;
  readonly seen: Set<string>;
}

/** Tries every change of every plan of a trial. */
function tryChanges(trial: Trial, tallies: ReadonlyMap<string, Tally>, problem: number): void {
  // Where nothing is to be found, nothing can be wrong with it.
  if (trial.expected.rows.length === 0) return;
  for (const [name, { change }] of Object.entries(changes)) {
    const { tried, seen } = tallies.get(name) as Tally;
    for (const plan of trial.plans)
      change(plan.steps, trial.query).forEach((steps, index) => {
        const id = `${problem} ${plan.key} ${index}`;
        tried.add(id);
        if (!seen.has(id) && runPlan(trial, { ...plan, steps }).difference !== undefined)
          seen.add(id);
      });
  }
}

test("plans with one thing wrong are seen", { timeout: 120_000 }, () => {
  const tallies = new Map<string, Tally>(
    Object.keys(changes).map((name) => [name, { tried: new Set(), seen: new Set() }]),
  );
  const effort = { ...usualEffort, shortPlans: 20, longPlans: 10 };
  const problems = randomProblem({ ...richBounds, steps: 1 });
  let count = 0;
  fc.assert(
    fc.property(problems, (random) => {
      count += 1;
      forEachTrial(engine, random, effort, (trial) => tryChanges(trial, tallies, count));
    }),
    { numRuns: 40 },
  );
  const lines = [...tallies].map(([name, { seen, tried }]) => `${name} ${seen.size}/${tried.size}`);
  process.stdout.write(`wrong plans seen: ${lines.join(", ")}\n`);
  const tooFew = Object.entries(changes).filter(([name, { least }]) => {
    const { seen, tried } = tallies.get(name) as Tally;
    return tried.size === 0 || seen.size < least * tried.size;
  });
  expect(tooFew.map(([name]) => name)).toEqual([]);
});
