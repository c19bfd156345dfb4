/**
 * The oracle of updates sees what it is there to see: update plans and writes with one thing wrong
 * leave a column family that differs from its definition, or are refused. Not every fault shows on
 * every data (a forgotten read may have had nothing to say), so shares are asked for.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { RowChange, SupportRead, UpdatePlan } from "#model/plan.ts";
import type { TableWrites } from "./run-update-plan.ts";
import { checkUpdates, noUpdateCounts, usualUpdateEffort } from "./testing/against-updates.ts";
import { oddProblem } from "./testing/odd-problem.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";
import { missingParents } from "./testing/update-cases.ts";

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

/** One wrong plan for each change of rows that the fault applies to. */
const changed =
  (fault: (change: RowChange) => RowChange[]) =>
  (plan: UpdatePlan): UpdatePlan[] =>
    plan.changes.flatMap((change, at) =>
      fault(change).map((wrong) => ({
        ...plan,
        changes: plan.changes.map((each, index) => (index === at ? wrong : each)),
      })),
    );

/** The list without one of its items, for each that may go. */
function lessOne<T>(items: readonly T[], mayGo: (item: T) => boolean = () => true): T[][] {
  return items.flatMap((item, out) =>
    mayGo(item) ? [items.filter((_, index) => index !== out)] : [],
  );
}

/** Asks for nothing but what it is asked by: whether the rows are there. */
function asksForExistence({ query }: SupportRead): boolean {
  const known = query.predicates.map(({ column }) => JSON.stringify(column));
  return query.select.every(({ column }) => known.includes(JSON.stringify(column)));
}

/** What is wrong, and the least share of such plans that have to be seen. */
const wrongPlans: Readonly<
  Record<string, { fault: (plan: UpdatePlan) => UpdatePlan[]; least: number }>
> = {
  "a read forgotten": {
    fault: changed((change) => lessOne(change.reads).map((reads) => ({ ...change, reads }))),
    least: 0.7,
  },
  "existence not asked for": {
    fault: changed((change) =>
      change.kind === "delete"
        ? []
        : lessOne(change.reads, asksForExistence).map((reads) => ({ ...change, reads })),
    ),
    least: 0.05,
  },
  "a new value not set": {
    fault: changed((change) => lessOne(change.sets).map((sets) => ({ ...change, sets }))),
    least: 0.2,
  },
  "the new parent not read": {
    fault: changed((change) => (change.renews.length > 0 ? [{ ...change, renews: [] }] : [])),
    least: 0.3,
  },
  "rows of one kind left as they are": {
    fault: (plan) => lessOne(plan.changes).map((changes) => ({ ...plan, changes })),
    least: 0.3,
  },
  "a found record forgotten": {
    fault: ({ find, ...plan }) => (find ? [plan] : []),
    least: 0.4,
  },
};

const wrongWrites: Readonly<
  Record<string, { fault: (writes: TableWrites) => TableWrites[]; least: number }>
> = {
  "an old row not deleted": {
    fault: (writes) => lessOne(writes.deletes).map((deletes) => ({ ...writes, deletes })),
    least: 0.9,
  },
  "a row not put": {
    fault: (writes) => lessOne(writes.puts).map((puts) => ({ ...writes, puts })),
    least: 0.5,
  },
  "a key without its last column": {
    fault: (writes) =>
      writes.deletes.slice(0, 1).map((key) => ({ ...writes, deletes: [key.slice(0, -1)] })),
    least: 1,
  },
  "a row put under a null": {
    fault: (writes) =>
      writes.puts
        .slice(0, 1)
        .map((cells) => ({ ...writes, puts: [[undefined, ...cells.slice(1)]] })),
    least: 1,
  },
};

test("updates with one thing wrong are seen", { timeout: 120_000 }, () => {
  const tallies = new Map(
    [...Object.keys(wrongPlans), ...Object.keys(wrongWrites)].map((name) => [
      name,
      { tried: 0, seen: 0 },
    ]),
  );
  const wrong = {
    plans: (plan: UpdatePlan) =>
      Object.entries(wrongPlans).flatMap(([name, { fault }]) =>
        fault(plan).map((each) => ({ name, plan: each })),
      ),
    writes: (writes: TableWrites) =>
      Object.entries(wrongWrites).flatMap(([name, { fault }]) =>
        fault(writes).map((each) => ({ name, writes: each })),
      ),
    verdict: (name: string, seen: boolean) => {
      const tally = tallies.get(name);
      if (!tally) return;
      tally.tried += 1;
      if (seen) tally.seen += 1;
    },
  };
  const effort = {
    ...usualUpdateEffort,
    updates: 6,
    supportPlans: 1,
    migrations: 0,
    queryPlans: 0,
  };
  const sources = [
    randomProblem({ ...richBounds, queries: 2, steps: 1, changes: 3 }),
    oddProblem({ nodes: 3, queries: 2, predicates: 3 }),
  ];
  for (const problems of sources)
    fc.assert(
      fc.property(problems, (random) =>
        checkUpdates(engine, random, effort, noUpdateCounts(), wrong),
      ),
      { numRuns: 6 },
    );
  // Random models seldom have parents that may be missing and tables that hold nothing of them.
  for (const roll of [1, 2, 3, 4])
    checkUpdates(
      engine,
      { problem: missingParents, dice: [roll, roll, 7 * roll, 3, roll, 1, 11 * roll] },
      { ...effort, families: 16, statements: 0 },
      noUpdateCounts(),
      wrong,
    );
  const lines = [...tallies].map(([name, { seen, tried }]) => `${name} ${seen}/${tried}`);
  process.stdout.write(`wrong updates seen: ${lines.join(", ")}\n`);
  const tooFew = Object.entries({ ...wrongPlans, ...wrongWrites }).filter(([name, { least }]) => {
    const { seen, tried } = tallies.get(name) as { seen: number; tried: number };
    return tried === 0 || seen < least * tried;
  });
  expect(tooFew.map(([name]) => name)).toEqual([]);
});
