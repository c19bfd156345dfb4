/**
 * Runs every plan of a random problem's queries over generated data and holds each answer against
 * the relational engine's. Throws with what a person needs to see the fault; counts what was run.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { RandomProblem } from "#engine/testing/random-problem.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Query } from "#model/statement.ts";
import { fillTables } from "../fill-table.ts";
import { generateRecords } from "../generate-records.ts";
import { randomFrom } from "../random.ts";
import { type PredicateValues, runQueryPlan } from "../run-query-plan.ts";
import { sampleGraph } from "../sample-graph.ts";
import { Refusal, type Table } from "../table.ts";
import { ValueChooser } from "./choose-values.ts";
import { answerDifference } from "./compare-answers.ts";
import { type PlanLimits, plansOfProblem } from "./every-plan.ts";
import type { RelationalDatabase, RelationalEngine } from "./relational-oracle.ts";

export interface OracleCounts {
  problems: number;
  /** Model, data and statement. */
  triples: number;
  /** Triples of a problem some of whose candidates or plans were left out. */
  sampled: number;
  plans: number;
  /** Times a plan was executed: with several values each. */
  executions: number;
  gets: number;
  /** Executions whose right answer has no row. */
  empty: number;
  refusals: number;
}

export const noCounts = (): OracleCounts => ({
  problems: 0,
  triples: 0,
  sampled: 0,
  plans: 0,
  executions: 0,
  gets: 0,
  empty: 0,
  refusals: 0,
});

/** How many sets of data, and how many sets of values each. */
export interface OracleEffort extends PlanLimits {
  readonly data: number;
  readonly values: number;
}

export const usualEffort: OracleEffort = {
  families: 60,
  shortPlans: 150,
  longPlans: 60,
  maxGets: 3,
  data: 3,
  values: 2,
};

const skews = [0, 0.7, 1.5];
const sizes = [30, 12, 60, 5];

/** Throws on the first wrong answer. */
export function checkAgainstOracle(
  engine: RelationalEngine,
  { problem, dice }: RandomProblem,
  effort: OracleEffort,
  counts: OracleCounts,
): void {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const { families, queries, sampled } = plansOfProblem(problem, effort, roll(0));
  const used = new Set(
    queries.flatMap(({ plans }) => plans.flatMap((plan) => plan.columnFamilies)),
  );
  const needed = [...families.values()].filter(({ key }) => used.has(key));
  counts.problems += 1;
  for (let data = 0; data < effort.data; data += 1) {
    const most = sizes[(roll(1) + data) % sizes.length] as number;
    const graph = sampleGraph(problem.entityGraph, most);
    const seed = roll(2) + 10_000 * data;
    const records = generateRecords(graph, { seed, skew: skews[data % skews.length] as number });
    const tables = fillTables(records, needed);
    const database = engine.load(graph, records);
    for (const { query, plans } of queries) {
      const chooser = new ValueChooser(records, query, randomFrom(roll(3) + data));
      counts.triples += 1;
      counts.plans += plans.length;
      if (sampled) counts.sampled += 1;
      for (let index = 0; index < effort.values; index += 1)
        checkPlans({ graph, query, plans, tables, database, values: chooser.choose() }, counts);
    }
    database.close();
  }
}

interface Trial {
  readonly graph: EntityGraph;
  readonly query: Query;
  readonly plans: readonly QueryPlan[];
  readonly tables: ReadonlyMap<string, Table>;
  readonly database: RelationalDatabase;
  readonly values: PredicateValues;
}

function checkPlans(
  { graph, query, plans, tables, database, values }: Trial,
  counts: OracleCounts,
): void {
  const expected = database.answer(query, values);
  for (const plan of plans) {
    const complain = (what: string): Error =>
      new Error(
        [
          what,
          `query:  ${query.text}`,
          `values: ${JSON.stringify(values)}`,
          `plan:   ${plan.key}`,
          ...plan.steps.map((step) => `        ${JSON.stringify(step)}`),
          `sql:    ${expected.sql}`,
        ].join("\n"),
      );
    try {
      const run = runQueryPlan({ entityGraph: graph, query, plan, tables, values });
      counts.executions += 1;
      counts.gets += run.measures.reduce((sum, { gets }) => sum + gets, 0);
      if (expected.rows.length === 0) counts.empty += 1;
      const difference = answerDifference(query, run, expected);
      if (difference !== undefined) throw complain(difference);
    } catch (error) {
      if (error instanceof Refusal) counts.refusals += 1;
      if (error instanceof Error && error.message.includes("\nplan: ")) throw error;
      throw complain(String(error));
    }
  }
}
