/**
 * From a point of the program to an answer, and back.
 *
 * Once the schemas of all steps are fixed, the rest falls apart: every query takes its cheapest plan
 * over the schema, every new family its cheapest sources from the schema before. So the schemas are
 * read from the point and the rest is chosen again, ties by canonical order: a fractional split
 * between equally dear plans, or a plan that the solver left a little dearer than needed, never
 * reaches the answer.
 */
import { type VariableIndex, variableCount } from "#ilp/model.ts";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { MigrationPlan, QueryPlan } from "#model/plan.ts";
import type {
  Build,
  ChosenUpdate,
  CostBreakdown,
  Migration,
  StepAnswer,
} from "#model/recommendation.ts";
import { executions } from "#model/workload.ts";
import { cheapestSources } from "./cheapest-sources.ts";
import { extractCost, loadCost } from "./cost-model.ts";
import { migrationPlan } from "./enumerate-migration-plans.ts";
import {
  type Formulation,
  type FormulationInput,
  maintenanceWhileLoading,
  readsOf,
  schemaBeforeFirst,
  stepAfter,
  stepBefore,
} from "./formulate.ts";
import type { PlanPath } from "./plan-graph.ts";
import { bytesOf, bytesOfAll, type Flow, type Maintenance, type PlanSpace } from "./plan-space.ts";
import { isAllowed, respects } from "./restrictions.ts";

/** Positions of the families of one step, ascending. */
export type Schema = readonly number[];

/** Everything that follows from the schemas of all steps. */
export interface Choice {
  readonly schemas: readonly Schema[];
  /** plans[t][flow]: the cheapest plan, of a support query only where it is read. */
  readonly plans: readonly (readonly (PlanPath | undefined)[])[];
  /** builds[t]: families that appear at t, each with its sources (none: loaded from outside). */
  readonly builds: readonly (readonly {
    readonly family: number;
    readonly sources: readonly number[];
  }[])[];
  /** Milliseconds over the run: what the program minimises. */
  readonly cost: number;
}

/** The schemas at a point of the program. */
export function schemasAt({ present }: Formulation, values: Float64Array): Schema[] {
  return present.map((variables) =>
    [...variables].flatMap(([c, variable]) => ((values[variable] as number) > 0.5 ? [c] : [])),
  );
}

/** The cheapest way to live with the given schemas; undefined when they break a pin or ban, leave a query unanswered or a build unfilled. */
export function chooseFor(input: ChoiceInput, schemas: readonly Schema[]): Choice | undefined {
  const sets = schemas.map((schema) => new Set(schema));
  if (!sets.every((schema, step) => respects(schema, input.rules?.[step]))) return undefined;
  const plans = sets.map((schema, step) => cheapestPlans(input, schema, step));
  if (plans.some((chosen) => chosen.includes("none"))) return undefined;
  const builds = schemas.map((schema, step) => cheapestBuilds(input, schemas, schema, step));
  if (!allFilled(builds)) return undefined;
  const filled: Choice["builds"] = builds;
  const read = plans.map((chosen) => chosen.map((each) => (isPath(each) ? each : undefined)));
  const cost =
    sum(read.map((chosen, step) => readCostOf(input, chosen, step))) +
    sum(sets.map((schema, step) => updateCostOf(input, schema, step))) +
    sum(filled.map((into, step) => sum(into.map((build) => buildCostOf(input, build, step)))));
  return { schemas, plans: read, builds: filled, cost };
}

/**
 * The same answer without families that nothing reads any more: dropping a family is free, so one that is
 * not read, not a source and not pinned from some step on goes there. Costs no more and takes no more room.
 */
export function trimmed(input: ChoiceInput, choice: Choice): Choice {
  const used = usedFamilies(input, choice);
  const first = stepBefore(input, 0) === undefined ? [] : (choice.schemas[0] ?? []);
  let next: readonly number[] = first;
  const schemas = choice.schemas.toReversed().map((schema, back) => {
    const t = choice.schemas.length - 1 - back;
    next = schema.filter((family) => used[t]?.has(family) || next.includes(family));
    return next;
  });
  if (schemas.flat().length === choice.schemas.flat().length) return choice;
  const less = chooseFor(input, schemas.toReversed());
  return less && less.cost <= choice.cost ? less : choice;
}

/** Per step the families that are read, that something is built from, or that are pinned. */
function usedFamilies(input: ChoiceInput, choice: Choice): Set<number>[] {
  const { space, rules } = input;
  const used = choice.schemas.map((schema, t) => {
    const exists = new Set(schema);
    const read = space.flows.flatMap((flow, q) => {
      const path = choice.plans[t]?.[q];
      return path ? flow.space.readOn(path, (family) => exists.has(family)) : [];
    });
    return new Set([...read, ...(rules?.[t]?.pinned ?? [])]);
  });
  choice.builds.forEach((builds, t) => {
    const before = stepBefore(input, t);
    if (before === undefined) return;
    for (const source of builds.flatMap(({ sources }) => sources)) used[before]?.add(source);
  });
  return used;
}

/** What stands in the way of living with the given schemas, pins and bans apart. */
export function unservedBy(
  input: ChoiceInput,
  schemas: readonly Schema[],
): {
  readonly unanswered: readonly { readonly statement: string; readonly step: number }[];
  readonly unfilled: readonly { readonly family: number; readonly step: number }[];
} {
  const unanswered = schemas.flatMap((schema, step) =>
    cheapestPlans(input, new Set(schema), step).flatMap((plan, q) => {
      const { serves, space } = input.space.flows[q] as Flow;
      return plan === "none"
        ? [{ statement: serves?.statement ?? space.query.query.id, step }]
        : [];
    }),
  );
  const unfilled = schemas.flatMap((schema, step) =>
    cheapestBuilds(input, schemas, schema, step).flatMap(({ family, sources }) =>
      sources === undefined ? [{ family, step }] : [],
    ),
  );
  return { unanswered, unfilled };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A plan; or there is none, or none is needed. */
type ChosenRead = PlanPath | "none" | "idle";

function isPath(chosen: ChosenRead): chosen is PlanPath {
  return typeof chosen === "object";
}

/** Milliseconds of one step's queries and support queries. */
function readCostOf(
  input: ChoiceInput,
  chosen: readonly (PlanPath | undefined)[],
  step: number,
): number {
  return sum(
    input.space.flows.map((flow, q) => readsOf(input, flow, step) * (chosen[q]?.cost ?? 0)),
  );
}

/** Milliseconds of puts and deletes of one step's updates. */
function updateCostOf(
  { space, workload }: ChoiceInput,
  schema: ReadonlySet<number>,
  step: number,
): number {
  const touched = space.maintenance.filter(({ family }) => schema.has(family));
  return sum(touched.map(({ statement, cost }) => executions(workload, statement, step) * cost));
}

/** Milliseconds of building a family that appears at `step`. */
function buildCostOf(
  input: ChoiceInput,
  { family, sources }: Choice["builds"][number][number],
  step: number,
): number {
  const { space, costModel } = input;
  return (
    loadCost(costModel, bytesOf(space, family)) +
    maintenanceOf(input, family, step) +
    sum(sources.map((source) => extractCost(costModel, bytesOf(space, source))))
  );
}

/** Milliseconds of updates that come while a family that appears at `step` is loaded. */
function maintenanceOf(input: ChoiceInput, family: number, step: number): number {
  const before = stepBefore(input, step);
  if (before === undefined) return 0;
  const touching = input.space.maintenance.filter((each) => each.family === family);
  return sum(
    touching.map(({ statement, cost }) =>
      maintenanceWhileLoading(input, statement, family, cost, before),
    ),
  );
}

interface PossibleBuild {
  readonly family: number;
  readonly sources: readonly number[] | undefined;
}

function allFilled(builds: readonly (readonly PossibleBuild[])[]): builds is Choice["builds"] {
  return builds.every((into) => into.every(({ sources }) => sources !== undefined));
}

type ChoiceInput = Omit<FormulationInput, "explicit" | "tooLarge" | "kept" | "storageBytes">;

/** Per flow its cheapest plan over the schema. */
function cheapestPlans(
  input: ChoiceInput,
  schema: ReadonlySet<number>,
  step: number,
): ChosenRead[] {
  const rules = input.rules?.[step];
  return input.space.flows.map((flow, q): ChosenRead => {
    const { serves, space } = flow;
    if (serves && (!schema.has(serves.family) || readsOf(input, flow, step) === 0)) return "idle";
    const isRuled = rules?.plans.has(q) === true;
    const allows = isRuled
      ? (path: PlanPath): boolean => isAllowed(rules, q, space, path)
      : undefined;
    return space.cheapestOver(schema, allows) ?? "none";
  });
}

/** What exists before a step, as far as it is told: undefined before the first one without a start schema. */
function schemaBefore(
  input: Pick<ChoiceInput, "options" | "workload" | "startSchema">,
  schemas: readonly Schema[],
  step: number,
): Schema | undefined {
  const before = stepBefore(input, step);
  return before === undefined ? schemaBeforeFirst(input) : schemas[before];
}

/** Families that appear at a step with their cheapest sources; no `sources` where nothing can fill them. */
function cheapestBuilds(
  input: ChoiceInput,
  schemas: readonly Schema[],
  schema: Schema,
  step: number,
): PossibleBuild[] {
  const { space, costModel, options } = input;
  const earlier = schemaBefore(input, schemas, step);
  if (earlier === undefined)
    return options.initialLoad ? schema.map((family) => ({ family, sources: [] })) : [];
  const then = new Set(earlier);
  return schema
    .filter((family) => !then.has(family))
    .map((family) => ({ family, sources: cheapestSources(space, costModel, family, then) }));
}

/**
 * Families that exceed the storage limit together, as few as possible, at the first step where the
 * schema does; undefined where none does.
 */
export function storageCover(
  input: Pick<FormulationInput, "space" | "storageBytes" | "options" | "workload">,
  schemas: readonly Schema[],
): number[] | undefined {
  const { space, storageBytes, options, workload } = input;
  if (storageBytes === undefined) return undefined;
  for (const [t, schema] of schemas.entries()) {
    const next = stepAfter({ options, workload }, t);
    const building = options.buildingCountsAsStorage && next !== undefined ? schemas[next] : [];
    const cover = overweight(space, new Set([...schema, ...(building ?? [])]), storageBytes);
    if (cover) return cover;
  }
  return undefined;
}

/** The largest of the families, as few as exceed the limit; undefined where all fit. */
function overweight(
  space: PlanSpace,
  families: ReadonlySet<number>,
  limit: number,
): number[] | undefined {
  const largestFirst = [...families].sort((a, b) => bytesOf(space, b) - bytesOf(space, a) || a - b);
  let bytes = 0;
  for (const [index, family] of largestFirst.entries()) {
    bytes += bytesOf(space, family);
    if (bytes > limit * (1 + storageTolerance)) return largestFirst.slice(0, index + 1);
  }
  return undefined;
}

/** Sums of sizes are exact to about this. */
const storageTolerance = 1e-12;

/** The full point of the program for a choice: where the solver may start from. */
export function pointOf(formulation: Formulation, choice: Choice): Float64Array {
  const { model, present, used, created, fills } = formulation;
  const values = new Float64Array(variableCount(model));
  const set = (variable: VariableIndex | undefined): void => {
    if (variable !== undefined) values[variable] = 1;
  };
  choice.schemas.forEach((schema, t) => {
    for (const family of schema) set(present[t]?.get(family));
    choice.plans[t]?.forEach((plan, q) => {
      if (plan) set(used[t]?.[q]?.get(plan));
    });
    for (const { family, sources } of choice.builds[t] ?? []) {
      set(created[t]?.get(family));
      const fitting = fills[t]
        ?.get(family)
        ?.find(
          (each) =>
            each.sources.length === sources.length &&
            each.sources.every((slot, s) => slot.has(sources[s] as number)),
        );
      set(fitting?.filled);
      fitting?.sources.forEach((slot, s) => {
        set(slot.get(sources[s] as number));
      });
    }
  });
  return values;
}

/** The answer's steps, migrations and the plans they name. */
export interface ReadAnswer {
  readonly steps: readonly StepAnswer[];
  readonly migrations: readonly Migration[];
  readonly totals: CostBreakdown;
  readonly plans: readonly QueryPlan[];
  readonly migrationPlans: readonly MigrationPlan[];
  /** Positions of all families of any step. */
  /** Positions of all families of any step, and of the start schema. */
  readonly families: readonly number[];
}

/** The step during which a migration runs, and which bears its cost: the one before the new schema, or the first. */
export function stepOfMigration({ from, to }: Pick<Migration, "from" | "to">): number {
  return from < 0 ? to : from;
}

const noCost: CostBreakdown = {
  query: 0,
  update: 0,
  support: 0,
  extract: 0,
  load: 0,
  maintenance: 0,
};

/** Writes a choice out as the answer a person reads. */
export function readAnswer(
  input: Omit<FormulationInput, "explicit" | "tooLarge" | "kept">,
  choice: Choice,
): ReadAnswer {
  const { space, workload, costModel } = input;
  const keyOf = (family: number): ColumnFamilyKey => space.families[family]?.columnFamily.key ?? "";
  const plans = new Map<string, QueryPlan>();
  const migrationPlans = new Map<string, MigrationPlan>();

  const migrations = choice.schemas.flatMap((schema, to): Migration[] => {
    const before = stepBefore(input, to);
    const earlier = schemaBefore(input, choice.schemas, to);
    if (earlier === undefined && !input.options.initialLoad) return [];
    const builds = (choice.builds[to] ?? []).map(({ family, sources }): Build => {
      const load = loadCost(costModel, bytesOf(space, family));
      if (earlier === undefined)
        return { columnFamily: keyOf(family), extract: 0, load, maintenance: 0 };
      const plan = migrationPlan(space.families, family, sources, costModel);
      migrationPlans.set(plan.key, plan);
      return {
        columnFamily: keyOf(family),
        plan: plan.key,
        extract: plan.extractionCost,
        load,
        maintenance: maintenanceOf(input, family, to),
      };
    });
    const drops = (earlier ?? []).filter((family) => !schema.includes(family)).map(keyOf);
    return builds.length + drops.length > 0 ? [{ from: before ?? -1, to, builds, drops }] : [];
  });

  const planOf = (step: number, flow: number): QueryPlan => {
    const { space: all } = space.flows[flow] as Flow;
    const path = choice.plans[step]?.[flow];
    if (!path) throw new Error("a workable choice has a plan for every read");
    const schema = new Set(choice.schemas[step]);
    const plan = all.planOn(path, (family) => schema.has(family), costModel);
    plans.set(plan.key, plan);
    return plan;
  };
  const supportOf = (step: number, { statement, family }: Maintenance): ChosenUpdate["support"] =>
    space.flows.flatMap((flow, index) => {
      if (flow.serves?.statement !== statement || flow.serves.family !== family) return [];
      const plan = planOf(step, index);
      const reads = readsOf(input, flow, step);
      return [{ plan: plan.key, executions: reads, cost: reads * plan.cost }];
    });

  const steps = choice.schemas.map((schema, step): StepAnswer => {
    const chosen = space.queries.map((_, q) => {
      const plan = planOf(step, q);
      const times = executions(workload, plan.statement, step);
      return {
        statement: plan.statement,
        plan: plan.key,
        executions: times,
        cost: times * plan.cost,
      };
    });
    const updates = space.maintenance
      .filter(
        (each) => schema.includes(each.family) && executions(workload, each.statement, step) > 0,
      )
      .map((each): ChosenUpdate => {
        const { statement, family, puts, deletes, cost } = each;
        const times = executions(workload, statement, step);
        const support = supportOf(step, each);
        return {
          statement,
          columnFamily: keyOf(family),
          executions: times,
          puts,
          deletes,
          cost: times * cost,
          support,
        };
      });
    const built = migrations
      .filter((each) => stepOfMigration(each) === step)
      .flatMap(({ builds }) => builds);
    return {
      step,
      schema: schema.map(keyOf),
      storageBytes: bytesOfAll(space, schema),
      plans: chosen,
      updates,
      cost: {
        ...noCost,
        query: sum(chosen.map(({ cost }) => cost)),
        update: sum(updates.map(({ cost }) => cost)),
        support: sum(updates.flatMap(({ support }) => support.map(({ cost }) => cost))),
        extract: built.reduce((sum, build) => sum + build.extract, 0),
        load: built.reduce((sum, build) => sum + build.load, 0),
        maintenance: built.reduce((sum, build) => sum + build.maintenance, 0),
      },
    };
  });
  return {
    steps,
    migrations,
    totals: steps.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
    plans: [...plans.values()],
    migrationPlans: [...migrationPlans.values()],
    families: [...new Set([...choice.schemas.flat(), ...(input.startSchema ?? [])])].sort(
      (a, b) => a - b,
    ),
  };
}

function addCosts(a: CostBreakdown, b: CostBreakdown): CostBreakdown {
  return {
    query: a.query + b.query,
    update: a.update + b.update,
    support: a.support + b.support,
    extract: a.extract + b.extract,
    load: a.load + b.load,
    maintenance: a.maintenance + b.maintenance,
  };
}

/** Sum of all kinds, milliseconds. */
export function totalCost({
  query,
  update,
  support,
  extract,
  load,
  maintenance,
}: CostBreakdown): number {
  return query + update + support + extract + load + maintenance;
}
