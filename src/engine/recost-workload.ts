/**
 * An answer under other frequencies (engine.md §6): the same tables, plans and migrations, with what they cost
 * when statements run as often as they do now. The first word of a what-if, before anything is chosen again.
 *
 * Which plan of a schema is the cheapest does not depend on how often it runs, so the plans stay the best ones
 * over the old tables. Works from the answer alone, without the plan space: it is there in milliseconds, while
 * a run occupies whoever holds the space. Promises that the recosted answer passes `checkRecommendation` for
 * the problem wherever the given one did for its own and nothing is broken.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { compareText } from "#model/query-graph.ts";
import type {
  ChosenUpdate,
  HandMadeAnswer,
  Migration,
  Recommendation,
  StepAnswer,
} from "#model/recommendation.ts";
import { isQuery, type Query } from "#model/statement.ts";
import type { Recosted } from "#model/what-if.ts";
import { executions } from "#model/workload.ts";
import { brokenRestrictions } from "./broken-restrictions.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateQueryPlans } from "./enumerate-query-plans.ts";
import { compileFamilies } from "./lay-column-family.ts";
import type { Change } from "./plan-update.ts";
import { totalCost } from "./read-solution.ts";
import { costOfCourse, maintenanceOf, totalsOf } from "./recost.ts";
import { effectCost, effectOf, type UpdateEffect } from "./update-effects.ts";

/** `problem` has the entities, statements, cost model and number of steps that the answer was found for. */
export function recostWorkload(answer: Recommendation, problem: Problem): Recosted {
  if (answer.steps.length !== problem.workload.timeline.steps)
    return {
      status: "impossible",
      reasons: [
        `The answer is for ${answer.steps.length} steps, the workload has ${problem.workload.timeline.steps}.`,
      ],
    };
  const course = new Course(answer, problem);
  const { steps, migrations } = course.recosted(answer);
  const handMade = answer.handMade && byHand(course, answer.handMade);
  if (course.unserved.size > 0)
    return {
      status: "impossible",
      reasons: [...course.unserved].map(
        (label) => `The tables have no plan for what ${label} has to look up.`,
      ),
    };
  const totals = totalsOf(steps);
  const objective = totalCost(totals);
  const { storageLimit: _limit, handMade: _handMade, summaryTree: _tree, ...rest } = answer;
  const limit = limitNow(answer, problem);
  const recosted: Recommendation = {
    ...rest,
    ...(limit !== undefined && { storageLimit: limit }),
    status: "feasible",
    objective,
    bound: 0,
    gap: objective > 0 ? 1 : 0,
    steps,
    migrations,
    totals,
    baselines: [],
    ...(handMade && { handMade }),
    plans: course.plansNow(),
    notes: [
      ...answer.notes,
      "The tables were found for other frequencies or limits; costs are those of the workload as it is now.",
    ],
  };
  return {
    status: "recosted",
    answer: recosted,
    breaks: [...overLimit(recosted), ...brokenRestrictions(recosted, problem)],
  };
}

/** A limit in per cent goes by a schema that has to be looked for; until then the limit is the old one. */
function limitNow({ storageLimit }: Recommendation, { storage }: Problem): number | undefined {
  if (storage.kind === "none") return undefined;
  return storage.kind === "bytes" ? storage.bytes : storageLimit;
}

function overLimit({ storageLimit, steps }: Recommendation): string[] {
  if (storageLimit === undefined) return [];
  const over = steps.filter(({ storageBytes }) => storageBytes > storageLimit * (1 + 1e-12));
  if (over.length === 0) return [];
  const when = over.map(({ step }) => step + 1).join(", ");
  return [
    `The tables take more than the storage limit at ${over.length === 1 ? "step" : "steps"} ${when}.`,
  ];
}

function byHand(course: Course, written: HandMadeAnswer): HandMadeAnswer {
  const { steps, migrations } = written;
  if (!steps || !migrations) return written;
  const again = course.recosted({ steps, migrations });
  return { ...written, ...again, cost: totalCost(totalsOf(again.steps)) };
}

/** What exists and happens, step by step, under the workload as it is now. */
class Course {
  /** Labels of updates that run now and did not, and that the tables cannot serve. */
  readonly unserved = new Set<string>();
  private readonly problem: Problem;
  private readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  private readonly plans: Map<string, QueryPlan>;
  private readonly changes: readonly Change[];
  private readonly effects = new Map<string, UpdateEffect | undefined>();
  private readonly found = new Map<string, QueryPlan | undefined>();

  constructor(answer: Recommendation, problem: Problem) {
    this.problem = problem;
    this.families = new Map(answer.columnFamilies.map((family) => [family.key, family]));
    this.plans = new Map(answer.plans.map((plan) => [plan.key, plan]));
    this.changes = problem.statements
      .filter((each): each is Change => !isQuery(each))
      .sort((a, b) => compareText(a.id, b.id));
  }

  plansNow(): readonly QueryPlan[] {
    return [...this.plans.values()];
  }

  recosted({ steps, migrations }: Pick<Recommendation, "steps" | "migrations">): {
    readonly steps: readonly StepAnswer[];
    readonly migrations: readonly Migration[];
  } {
    const moved = migrations.map(
      (migration): Migration => ({
        ...migration,
        builds: migration.builds.map((build) => ({
          ...build,
          maintenance: this.whileLoading(build.columnFamily, migration.from, build.load),
        })),
      }),
    );
    return { steps: steps.map((step) => this.step(step, moved)), migrations: moved };
  }

  private step(step: StepAnswer, migrations: readonly Migration[]): StepAnswer {
    const { workload } = this.problem;
    const plans = step.plans.map((chosen) => {
      const times = executions(workload, chosen.statement, step.step);
      const perExecution = this.plans.get(chosen.plan)?.cost ?? 0;
      return { ...chosen, executions: times, cost: times * perExecution };
    });
    const again = { ...step, plans, updates: this.updates(step) };
    return { ...again, cost: costOfCourse(again, migrations) };
  }

  /** In the order of the tables and then of the statements, as an answer has them. */
  private updates({ step, schema, updates }: StepAnswer): ChosenUpdate[] {
    const { workload, costModel } = this.problem;
    return schema.flatMap((key) =>
      this.changes.flatMap((change): ChosenUpdate[] => {
        const times = executions(workload, change.id, step);
        const effect = times > 0 ? this.effect(change, key) : undefined;
        if (!effect) return [];
        const before = updates.find(
          ({ statement, columnFamily }) => statement === change.id && columnFamily === key,
        );
        const support = effect.support.flatMap(({ query, times: reads }, at) => {
          const plan = this.plans.get(before?.support[at]?.plan ?? "") ?? this.look(query, schema);
          if (!plan) {
            this.unserved.add(change.label);
            return [];
          }
          this.plans.set(plan.key, plan);
          return [{ plan: plan.key, executions: times * reads, cost: times * reads * plan.cost }];
        });
        const { puts, deletes } = effect;
        return [
          {
            statement: change.id,
            columnFamily: key,
            executions: times,
            puts,
            deletes,
            cost: times * effectCost(costModel, effect),
            support,
          },
        ];
      }),
    );
  }

  private effect(change: Change, key: ColumnFamilyKey): UpdateEffect | undefined {
    const name = `${change.id} ${key}`;
    if (!this.effects.has(name)) {
      const family = this.families.get(key);
      const effect = family && effectOf(this.problem.entityGraph, change, family);
      this.effects.set(name, effect);
    }
    return this.effects.get(name);
  }

  /** The cheapest plan over a schema of a read that no answer has needed yet: its update did not run. */
  private look(query: Query, schema: readonly ColumnFamilyKey[]): QueryPlan | undefined {
    const name = `${query.id} ${schema.join(", ")}`;
    if (!this.found.has(name)) {
      const { entityGraph, costModel, options } = this.problem;
      const own = schema.flatMap((key) => this.families.get(key) ?? []);
      const space = enumerateQueryPlans(
        compileQuery(entityGraph, query),
        compileFamilies(entityGraph, own),
        costModel,
        { maxGets: options.maxGets, dominance: true },
      );
      const path = space.cheapestOver(new Set(own.keys()));
      const plan = path && space.planOn(path, () => true, costModel);
      this.found.set(name, plan);
    }
    return this.found.get(name);
  }

  /** Milliseconds of updates that come while a table is loaded; nothing runs before the first step. */
  private whileLoading(key: ColumnFamilyKey, from: number, load: number): number {
    return from < 0 ? 0 : maintenanceOf(this.families.get(key), this.problem, from, load);
  }
}
