/**
 * Every migration plan fills its new column family with exactly what the definition says (engine.md
 * §7, §10), on random models and data.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileQuery } from "#engine/compile-query.ts";
import { enumerateColumnFamilies } from "#engine/enumerate-column-families.ts";
import {
  enumerateMigrationPlans,
  type MigrationPattern,
  plansOfPattern,
} from "#engine/enumerate-migration-plans.ts";
import { type CompiledFamily, compileFamilies } from "#engine/lay-column-family.ts";
import { type RandomProblem, randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { MigrationPlan } from "#model/plan.ts";
import { compareText } from "#model/query-graph.ts";
import { isQuery } from "#model/statement.ts";
import { fillTables } from "./fill-table.ts";
import { readingsOf, runMigrationPlan, tableDifference } from "./run-migration-plan.ts";
import type { Table } from "./table.ts";
import { sample } from "./testing/every-plan.ts";
import { oddProblem } from "./testing/odd-problem.ts";
import { randomData } from "./testing/random-data.ts";
import { randomFamilies } from "./testing/random-families.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 2000) / 20;

interface MigrationCounts {
  problems: number;
  families: number;
  unfillable: number;
  plans: number;
  joins: number;
  readings: number;
}

const sources = [
  { name: "plain problems", problems: randomProblem({ ...richBounds, steps: 1 }), share: 0.7 },
  {
    name: "odd problems",
    problems: oddProblem({ nodes: 3, queries: 2, predicates: 3 }),
    share: 0.3,
  },
];

describe("on random models and data", () => {
  test.each(sources)(
    "every migration plan fills what the definition says: $name",
    { timeout: runs * 3000 },
    ({ name, problems, share }) => {
      const counts = { problems: 0, families: 0, unfillable: 0, plans: 0, joins: 0, readings: 0 };
      fc.assert(
        fc.property(problems, (random) => checkMigrations(random, counts)),
        { numRuns: Math.round(runs * share), interruptAfterTimeLimit: runs * 2000 },
      );
      const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      process.stdout.write(`migrations, ${name}: ${text.join(", ")}\n`);
      expect(counts.joins).toBeGreaterThan(0);
    },
  );
});

/** Larger pools are cut to an even sample, of which every family is filled from the others. */
const mostFamilies = 50;
/** Families as a person could draw them, beside the proposed ones. */
const drawnFamilies = 20;
const plansPerFamily = 8;

function checkMigrations({ problem, dice }: RandomProblem, counts: MigrationCounts): void {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const { graph, records } = randomData(problem.entityGraph, roll(1), roll(2));
  const families = familiesOf(problem, roll(4));
  const migrations = enumerateMigrationPlans(families);
  const tables = fillTables(
    records,
    families.map(({ columnFamily }) => columnFamily),
  );
  counts.problems += 1;
  families.forEach(({ columnFamily }, position) => {
    const plans = plansFor(families, migrations[position] ?? [], position, problem.costModel);
    counts.families += 1;
    if (plans.length === 0) counts.unfillable += 1;
    for (const plan of sample(plans, plansPerFamily, roll(5))) {
      counts.plans += 1;
      if (plan.rule === "join") counts.joins += 1;
      counts.readings += checkPlan(graph, columnFamily, plan, tables);
    }
  });
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

function familiesOf(
  { entityGraph, statements, options }: RandomProblem["problem"],
  offset: number,
): CompiledFamily[] {
  const queries = statements.filter(isQuery);
  const compiled = queries.map((query) => compileQuery(entityGraph, query));
  const pool = [...enumerateColumnFamilies(entityGraph, compiled, options.sizeFactor).values()];
  const kept = sample(pool, mostFamilies, offset).map(({ columnFamily }) => columnFamily);
  const drawn = randomFamilies(entityGraph, queries, drawnFamilies, offset);
  const byKey = new Map([...kept, ...drawn].map((family) => [family.key, family]));
  return compileFamilies(
    entityGraph,
    [...byKey.values()].sort((a, b) => compareText(a.key, b.key)),
  );
}

function plansFor(
  families: readonly CompiledFamily[],
  patterns: readonly MigrationPattern[],
  position: number,
  costModel: CostModel,
): MigrationPlan[] {
  return patterns.flatMap(({ slots }) =>
    // A pattern of three slots with many members each stands for too many plans to list.
    plansOfPattern(
      families,
      position,
      { slots: slots.map((slot) => sample(slot, 6, position)) },
      costModel,
    ),
  );
}
