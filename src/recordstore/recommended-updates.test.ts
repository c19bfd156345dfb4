/**
 * An answer is enough to keep its tables true: the families of a recommended schema and the plans of
 * support queries that it names are all that updates are carried out with.
 */
import { beforeAll, expect, test } from "vitest";
import { compileFamilies } from "#engine/lay-column-family.ts";
import { optimise } from "#engine/optimise.ts";
import { type Change, planUpdate } from "#engine/plan-update.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { compareText } from "#model/query-graph.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { isQuery } from "#model/statement.ts";
import {
  checkMaintained,
  noUpdateCounts,
  type UpdateCounts,
  usualUpdateEffort,
} from "./testing/against-updates.ts";
import type { Maintained } from "./testing/maintained-families.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";
import { updateCases } from "./testing/update-cases.ts";

let solver: IlpSolver;
let engine: RelationalEngine;
beforeAll(async () => {
  solver = await openHighs();
  engine = await RelationalEngine.start();
});

const quick = updateCases.filter((each) => each.quick);

test.each(quick)("$name", { timeout: 60_000 }, async ({ problem }) => {
  const outcome = await optimise(problem, { gap: 1e-4 }, { solver, now: () => 0 });
  expect(outcome.status).toBe("optimal");
  if (outcome.status !== "optimal") return;
  const changes = problem.statements.filter((each): each is Change => !isQuery(each));
  const maintained = maintainedBy(problem, outcome, changes);
  const counts = noUpdateCounts();
  const effort = { ...usualUpdateEffort, updates: 30, migrations: 0, queryPlans: 5 };
  for (const roll of [1, 2, 3])
    checkMaintained(
      engine,
      { problem, dice: [roll, roll, 7 * roll, 3, roll, roll, 11 * roll] },
      maintained,
      changes,
      effort,
      counts,
    );
  expect(executed(counts)).toBeGreaterThan(40);
  expect(counts.touched).toBeGreaterThan(20);
});

/** The schema of the only step, with the plans that the answer names for each table and update. */
function maintainedBy(
  { entityGraph }: Problem,
  { steps, columnFamilies, plans }: Recommendation,
  changes: readonly Change[],
): Maintained {
  const [step] = steps;
  const families = columnFamilies.filter(({ key }) => step?.schema.includes(key));
  const chosen = new Set(step?.updates.flatMap(({ support }) => support.map(({ plan }) => plan)));
  const supportPlans = new Map<string, QueryPlan[]>();
  for (const plan of plans) if (chosen.has(plan.key)) supportPlans.set(plan.statement, [plan]);
  return {
    families: new Map(families.map((family) => [family.key, family])),
    compiled: compileFamilies(
      entityGraph,
      families.toSorted((a, b) => compareText(a.key, b.key)),
    ),
    updatePlans: new Map(
      changes.map((change) => [
        change.id,
        families.flatMap((family) => planUpdate(entityGraph, change, family) ?? []),
      ]),
    ),
    supportPlans,
  };
}

function executed({ insert, update, delete: deleted, connect, disconnect }: UpdateCounts): number {
  return insert + update + deleted + connect + disconnect;
}
