/**
 * Every migration plan fills its new column family with exactly what the definition says (engine.md
 * §7, §10), on random models and data.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plansOfPattern } from "#engine/enumerate-migration-plans.ts";
import { enumeratePlanSpace, type PlanSpace } from "#engine/plan-space.ts";
import { type RandomProblem, randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { MigrationPlan } from "#model/plan.ts";
import { fillTables } from "./fill-table.ts";
import { generateRecords } from "./generate-records.ts";
import { readingsOf, runMigrationPlan, tableDifference } from "./run-migration-plan.ts";
import { sampleGraph } from "./sample-graph.ts";
import type { Table } from "./table.ts";
import { sample } from "./testing/every-plan.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 2000) / 20;

interface MigrationCounts {
  problems: number;
  families: number;
  unfillable: number;
  plans: number;
  joins: number;
  readings: number;
}

describe("on random models and data", () => {
  test(
    "every migration plan fills what the definition says",
    () => {
      const counts = { problems: 0, families: 0, unfillable: 0, plans: 0, joins: 0, readings: 0 };
      const problems = randomProblem({ ...richBounds, steps: 1 });
      fc.assert(
        fc.property(problems, (random) => checkMigrations(random, counts)),
        { numRuns: runs },
      );
      const text = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      process.stdout.write(`migrations: ${text.join(", ")}\n`);
      expect(counts.joins).toBeGreaterThan(0);
    },
    runs * 3000,
  );
});

const mostFamilies = 60;
const plansPerFamily = 12;

function checkMigrations({ problem, dice }: RandomProblem, counts: MigrationCounts): void {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const graph = sampleGraph(problem.entityGraph, [30, 12, 60, 5][roll(1) % 4] as number);
  const records = generateRecords(graph, { seed: roll(2), skew: (roll(3) % 3) * 0.7 });
  const space = spaceOf(problem);
  const families = space.families.map(({ columnFamily }) => columnFamily);
  const tables = fillTables(records, families);
  counts.problems += 1;
  for (const position of sample([...families.keys()], mostFamilies, roll(4))) {
    const plans = plansFor(space, position, problem.costModel);
    counts.families += 1;
    if (plans.length === 0) counts.unfillable += 1;
    for (const plan of sample(plans, plansPerFamily, roll(5))) {
      counts.plans += 1;
      if (plan.rule === "join") counts.joins += 1;
      counts.readings += checkPlan(graph, families[position] as ColumnFamily, plan, tables);
    }
  }
}

function checkPlan(
  graph: RandomProblem["problem"]["entityGraph"],
  target: ColumnFamily,
  plan: MigrationPlan,
  tables: ReadonlyMap<string, Table>,
): number {
  const sources = plan.sources.map((key) => tables.get(key) as Table);
  const readings = readingsOf(
    graph,
    target,
    sources.map(({ columnFamily }) => columnFamily),
  );
  if (readings.length === 0) throw new Error(`there is no sound way to read ${plan.key}`);
  for (const reading of readings) {
    const filled = runMigrationPlan(graph, target, sources, reading);
    const difference = tableDifference(filled, tables.get(target.key) as Table);
    if (difference !== undefined)
      throw new Error(`${difference}\n${plan.key}\n${JSON.stringify(reading)}`);
  }
  return readings.length;
}

function spaceOf(problem: RandomProblem["problem"]): PlanSpace {
  return enumeratePlanSpace({ ...problem, options: { ...problem.options, maxGets: 1 } }, () => {}, {
    dominance: false,
  });
}

function plansFor(
  { families, migrations }: PlanSpace,
  position: number,
  costModel: RandomProblem["problem"]["costModel"],
): MigrationPlan[] {
  return (migrations[position] ?? []).flatMap((pattern) =>
    // A pattern of three slots with many members each stands for too many plans to list.
    plansOfPattern(
      families,
      position,
      { slots: pattern.slots.map((slot) => sample(slot, 6, position)) },
      costModel,
    ),
  );
}
