/**
 * A result under another cost model: the same schemas, plans and migrations, with what they cost then
 * (engine.md §6). Nothing is chosen again, so this is what a design costs whose model was wrong.
 *
 * Plans are enumerated again over their own tables and described by the estimator, so that n, w and s
 * are those of the new model too (`getsPer`, `bytesOf`). Numbers of executions and of rows written
 * are the result's own. Promises that the recosted answer passes `checkRecommendation` under the new
 * model wherever the given one belongs to the problem; its bound is 0, since no proof carries over.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type {
  ChosenUpdate,
  CostBreakdown,
  HandMadeAnswer,
  Migration,
  Recommendation,
  StepAnswer,
} from "#model/recommendation.ts";
import { isQuery, type Query, type StatementId } from "#model/statement.ts";
import { executions } from "#model/workload.ts";
import { compileQuery } from "./compile-query.ts";
import { extractCost, loadCost } from "./cost-model.ts";
import { enumerateQueryPlans, fullPlan } from "./enumerate-query-plans.ts";
import { compileFamilies } from "./lay-column-family.ts";
import type { Change } from "./plan-update.ts";
import { stepOfMigration, totalCost } from "./read-solution.ts";
import { effectCost, effectOf } from "./update-effects.ts";

/**
 * The answer as it costs under `costModel`; undefined where a plan is none of the problem's, because
 * the answer belongs to another problem. Costs are milliseconds.
 */
export function recost(
  answer: Recommendation,
  problem: Problem,
  costModel: CostModel,
): Recommendation | undefined {
  const under: Problem = { ...problem, costModel };
  const plans = recostedPlans(answer, under);
  if (!plans) return undefined;
  const families = new Map(answer.columnFamilies.map((family) => [family.key, family]));
  const bytesOf = (key: ColumnFamilyKey): number => families.get(key)?.size.bytes ?? 0;
  const migrationPlans = answer.migrationPlans.map((plan) => ({
    ...plan,
    extractionCost: sum(plan.sources.map((source) => extractCost(costModel, bytesOf(source)))),
    loadCost: loadCost(costModel, bytesOf(plan.builds)),
  }));
  const extraction = new Map(migrationPlans.map((plan) => [plan.key, plan.extractionCost]));
  const priced = (course: Course): Course => {
    const migrations = course.migrations.map(
      (migration): Migration => ({
        ...migration,
        builds: migration.builds.map((build) => {
          const load = loadCost(costModel, bytesOf(build.columnFamily));
          const { from } = migration;
          return {
            ...build,
            extract: extraction.get(build.plan ?? "") ?? 0,
            load,
            maintenance:
              from < 0 ? 0 : maintenanceOf(families.get(build.columnFamily), under, from, load),
          };
        }),
      }),
    );
    const steps = course.steps.map((step) => recostedStep(step, costModel, plans, migrations));
    return { steps, migrations };
  };
  const { steps, migrations } = priced(answer);
  const totals = totalsOf(steps);
  const handMade = answer.handMade && recostedByHand(answer.handMade, priced);
  return {
    ...answer,
    status: "feasible",
    objective: totalCost(totals),
    bound: 0,
    gap: totalCost(totals) > 0 ? 1 : 0,
    steps,
    migrations,
    totals,
    baselines: [],
    ...(handMade && { handMade }),
    plans: [...plans.values()],
    migrationPlans,
    notes: [
      ...answer.notes,
      `Costs are those of the cost model ${costModel.name}; the answer was found under another, and nothing is proven of it under this one.`,
    ],
  };
}

/** What exists and what happens, step by step. */
type Course = Pick<Recommendation, "steps" | "migrations">;

/** The schema by hand names plans of the same lists, so it is priced like the answer. */
function recostedByHand(
  written: HandMadeAnswer,
  priced: (course: Course) => Course,
): HandMadeAnswer {
  const { steps, migrations } = written;
  if (!steps || !migrations) return written;
  const course = priced({ steps, migrations });
  return { ...written, ...course, cost: totalCost(totalsOf(course.steps)) };
}

/** What the steps come to together. */
export function totalsOf(steps: readonly StepAnswer[]): CostBreakdown {
  return steps.reduce((total, { cost }) => added(total, cost), nothing);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const nothing: CostBreakdown = {
  query: 0,
  update: 0,
  support: 0,
  extract: 0,
  load: 0,
  maintenance: 0,
};

function added(a: CostBreakdown, b: CostBreakdown): CostBreakdown {
  return {
    query: a.query + b.query,
    update: a.update + b.update,
    support: a.support + b.support,
    extract: a.extract + b.extract,
    load: a.load + b.load,
    maintenance: a.maintenance + b.maintenance,
  };
}

/** Every plan of the answer described again, by key. */
function recostedPlans(
  answer: Recommendation,
  problem: Problem,
): ReadonlyMap<string, QueryPlan> | undefined {
  const queries = queriesOf(answer, problem);
  const described = answer.plans.map((plan) => {
    const query = queries.get(plan.statement);
    return query && describedAgain(answer, problem, plan, query);
  });
  return described.every((plan) => plan !== undefined)
    ? new Map(described.map((plan) => [plan.key, plan]))
    : undefined;
}

/** The same Gets, found among all plans over the plan's own tables. */
function describedAgain(
  { columnFamilies }: Recommendation,
  { entityGraph, costModel, options }: Problem,
  plan: QueryPlan,
  query: Query,
): QueryPlan | undefined {
  const own = columnFamilies.filter(({ key }) => plan.columnFamilies.includes(key));
  const space = enumerateQueryPlans(
    compileQuery(entityGraph, query),
    compileFamilies(entityGraph, own),
    costModel,
    // Without dominance: the chosen plan is looked for, not the best one.
    { maxGets: Math.max(options.maxGets, plan.columnFamilies.length), dominance: false },
  );
  for (const brief of space.plans) {
    const full = fullPlan(space, brief, costModel);
    if (full.key === plan.key) return full;
  }
  return undefined;
}

/** The problem's queries, and the support queries of its updates on the answer's tables. */
function queriesOf(
  { columnFamilies }: Recommendation,
  { entityGraph, statements }: Problem,
): ReadonlyMap<StatementId, Query> {
  const support = statements
    .filter((each): each is Change => !isQuery(each))
    .flatMap((change) =>
      columnFamilies.flatMap((family) => effectOf(entityGraph, change, family)?.support ?? []),
    );
  return new Map(
    [...statements.filter(isQuery), ...support.map(({ query }) => query)].map((query) => [
      query.id,
      query,
    ]),
  );
}

function recostedStep(
  step: StepAnswer,
  costModel: CostModel,
  plans: ReadonlyMap<string, QueryPlan>,
  migrations: readonly Migration[],
): StepAnswer {
  const priced = <Chosen extends { readonly plan: string; readonly executions: number }>(
    chosen: Chosen,
  ): Chosen & { readonly cost: number } => ({
    ...chosen,
    cost: chosen.executions * (plans.get(chosen.plan)?.cost ?? 0),
  });
  const queries = step.plans.map(priced);
  const updates = step.updates.map(
    (update): ChosenUpdate => ({
      ...update,
      cost: update.executions * effectCost(costModel, { ...update, support: [] }),
      support: update.support.map(priced),
    }),
  );
  const again = { ...step, plans: queries, updates };
  return { ...again, cost: costOfCourse(again, migrations) };
}

/** What a step costs, by kind, from what its parts are said to cost. */
export function costOfCourse(
  { step, plans, updates }: Pick<StepAnswer, "step" | "plans" | "updates">,
  migrations: readonly Migration[],
): CostBreakdown {
  const builds = migrations
    .filter((migration) => stepOfMigration(migration) === step)
    .flatMap((migration) => migration.builds);
  return {
    query: sum(plans.map(({ cost }) => cost)),
    update: sum(updates.map(({ cost }) => cost)),
    support: sum(updates.flatMap(({ support }) => support.map(({ cost }) => cost))),
    extract: sum(builds.map(({ extract }) => extract)),
    load: sum(builds.map(({ load }) => load)),
    maintenance: sum(builds.map(({ maintenance }) => maintenance)),
  };
}

/** (16): milliseconds of updates that come during step `from` while a table is loaded. */
export function maintenanceOf(
  family: ColumnFamily | undefined,
  { entityGraph, statements, workload, costModel }: Problem,
  from: number,
  load: number,
): number {
  if (!family) return 0;
  const changes = statements.filter((each): each is Change => !isQuery(each));
  return sum(
    changes.map((change) => {
      const effect = effectOf(entityGraph, change, family);
      const perSecond = executions(workload, change.id, from) / workload.timeline.stepSeconds;
      return effect ? (perSecond * effectCost(costModel, effect) * load) / 1000 : 0;
    }),
  );
}
