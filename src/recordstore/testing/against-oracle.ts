/**
 * Runs every plan of a random problem's queries over generated data and holds each answer against
 * the relational engine's. Throws with what a person needs to see the fault; counts what was run.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { RandomProblem } from "#engine/testing/random-problem.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { randomFrom } from "#model/random.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { fillTables } from "../fill-table.ts";
import { PlanFault, type PredicateValues, runQueryPlan } from "../run-query-plan.ts";
import { Refusal, type Table } from "../table.ts";
import { ValueChooser } from "./choose-values.ts";
import { AnswerCheck } from "./compare-answers.ts";
import { type PlanLimits, plansOfProblem } from "./every-plan.ts";
import { randomData } from "./random-data.ts";
import type { RelationalAnswer, RelationalEngine } from "./relational-oracle.ts";

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
  families: 50,
  drawn: 20,
  shortPlans: 150,
  longPlans: 60,
  maxGets: 3,
  data: 3,
  values: 2,
};

/** Throws on the first wrong answer. */
export function checkAgainstOracle(
  engine: RelationalEngine,
  random: RandomProblem,
  effort: OracleEffort,
  counts: OracleCounts,
): void {
  counts.problems += 1;
  forEachTrial(engine, random, effort, (trial, sampled, index) => {
    if (index === 0) {
      counts.triples += 1;
      counts.plans += trial.plans.length;
      if (sampled) counts.sampled += 1;
    }
    for (const plan of trial.plans) checkPlan(trial, plan, counts);
  });
}

function checkPlan(trial: Trial, plan: QueryPlan, counts: OracleCounts): void {
  const outcome = runPlan(trial, plan);
  if (outcome.refused) counts.refusals += 1;
  if (outcome.difference !== undefined) throw complaint(trial, plan, outcome.difference);
  counts.executions += 1;
  counts.gets += outcome.gets;
  if (trial.expected.rows.length === 0) counts.empty += 1;
}

/** One query over some data with some values, and what its answer is. */
export interface Trial {
  readonly graph: EntityGraph;
  readonly query: Query;
  readonly plans: readonly QueryPlan[];
  readonly tables: ReadonlyMap<string, Table>;
  readonly values: PredicateValues;
  readonly expected: RelationalAnswer;
  readonly check: AnswerCheck;
}

/** Goes through all trials of a problem; `index` counts the sets of values of one query over one set of data. */
export function forEachTrial(
  engine: RelationalEngine,
  { problem, dice }: RandomProblem,
  effort: OracleEffort,
  visit: (trial: Trial, sampled: boolean, index: number) => void,
): void {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const { families, queries, sampled } = plansOfProblem(
    withShortLimits(problem, roll(4)),
    effort,
    roll(0),
  );
  const used = new Set(
    queries.flatMap(({ plans }) => plans.flatMap((plan) => plan.columnFamilies)),
  );
  const needed = [...families.values()].filter(({ key }) => used.has(key));
  for (let data = 0; data < effort.data; data += 1) {
    const { graph, records } = randomData(
      problem.entityGraph,
      roll(1) + data,
      roll(2) + 10_000 * data,
    );
    const tables = fillTables(records, needed);
    const database = engine.load(graph, records);
    for (const { query, plans } of queries) {
      const chooser = new ValueChooser(records, query, randomFrom(roll(3) + data));
      for (let index = 0; index < effort.values; index += 1) {
        const values = chooser.choose();
        const expected = database.answer(query, values);
        const check = new AnswerCheck(query, expected);
        visit({ graph, query, plans, tables, values, expected, check }, sampled, index);
      }
    }
    database.close();
  }
}

/** Small data has few rows, so most limits have to be shorter than the written ones to cut anything. */
function withShortLimits(problem: Problem, roll: number): Problem {
  return {
    ...problem,
    statements: problem.statements.map((statement) =>
      isQuery(statement) && statement.limit !== undefined && roll % 4 !== 3
        ? { ...statement, limit: 1 + (statement.limit % 5) }
        : statement,
    ),
  };
}

export interface PlanOutcome {
  /** What is wrong with the answer; undefined when nothing is. */
  readonly difference: string | undefined;
  readonly refused: boolean;
  readonly gets: number;
}

export function runPlan(
  { graph, query, tables, values, check }: Omit<Trial, "plans">,
  plan: QueryPlan,
): PlanOutcome {
  try {
    const run = runQueryPlan({ entityGraph: graph, query, plan, tables, values });
    return {
      difference: check.difference(run),
      refused: false,
      gets: run.measures.reduce((sum, { gets }) => sum + gets, 0),
    };
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof PlanFault)) throw error;
    return { difference: error.message, refused: error instanceof Refusal, gets: 0 };
  }
}

function complaint({ query, values, expected }: Trial, plan: QueryPlan, difference: string): Error {
  return new Error(
    [
      difference,
      `query:  ${query.text}${query.limit === undefined ? "" : ` (here LIMIT ${query.limit})`}`,
      `values: ${JSON.stringify(values)}`,
      `plan:   ${plan.key}`,
      ...plan.steps.map((step) => `        ${JSON.stringify(step)}`),
      `sql:    ${expected.sql}`,
    ].join("\n"),
  );
}
