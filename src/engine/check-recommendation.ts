/**
 * The recount: is an answer what it says it is? Written against the definitions of engine.md, not
 * against the formulation, and run on every answer. A violation is an engine fault or a file that was
 * changed, never a person's modelling mistake.
 */
import {
  brokenCounterRule,
  type ColumnFamily,
  type ColumnFamilyKey,
  columnFamilySize,
  columnFamilyText,
} from "#model/column-family.ts";
import type { MigrationPlan, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { canonicalGraph } from "#model/query-graph.ts";
import type {
  Baseline,
  Build,
  ChosenPlan,
  ChosenUpdate,
  CostBreakdown,
  HandMadeAnswer,
  Migration,
  Recommendation,
  StepAnswer,
  Violation,
} from "#model/recommendation.ts";
import { isQuery, type Query, type StatementId } from "#model/statement.ts";
import { brokenRestrictions, respectsPlan } from "./broken-restrictions.ts";
import { asCandidate } from "./by-hand.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateMigrationPlans, plansOfPattern } from "./enumerate-migration-plans.ts";
import { enumerateQueryPlans } from "./enumerate-query-plans.ts";
import { type CompiledFamily, compileFamilies } from "./lay-column-family.ts";
import { brokenPartitionRule } from "./partition-rules.ts";
import type { Change } from "./plan-update.ts";
import { familyFormComplaints, planFormComplaints } from "./recount-form.ts";
import { sourceComplaints } from "./recount-migration.ts";
import { recountPlan } from "./recount-plan.ts";
import { summaryTreeComplaints } from "./recount-summary-tree.ts";
import { effectOf, type UpdateEffect } from "./update-effects.ts";

/** Everything that is wrong with the answer; empty for a true one. */
export function checkRecommendation(answer: Recommendation, problem: Problem): Violation[] {
  const check = new Check(answer, problem);
  const parts = [
    () => check.columnFamilies(),
    () => check.form(),
    ...answer.steps.map((step) => () => check.step(step)),
    () => check.restrictions(),
    () => check.migrations(),
    () => check.totals(),
    () => check.bounds(),
    () => check.handMade(),
    () => check.summaryTree(),
  ];
  for (const part of parts) check.guarded(part);
  return check.violations;
}

class Check {
  readonly violations: Violation[] = [];
  private readonly answer: Recommendation;
  private readonly problem: Problem;
  private readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  private readonly plans: ReadonlyMap<string, QueryPlan>;
  private readonly migrationPlans: ReadonlyMap<string, MigrationPlan>;
  private readonly queries: ReadonlyMap<StatementId, Query>;
  private readonly changes: readonly Change[];
  /** What exists before the first step, where that is told and heard. */
  private readonly startKeys: readonly ColumnFamilyKey[] | undefined;
  private readonly recounted = new Set<string>();
  /** Milliseconds of migration counted per step, which bears the migrations that run during it. */
  private readonly extract: number[] = [];
  private readonly load: number[] = [];
  private readonly maintained: number[] = [];

  constructor(answer: Recommendation, problem: Problem) {
    this.answer = answer;
    this.problem = problem;
    // What is ill formed is complained of by `columnFamilies`, and nothing is reckoned with it.
    this.families = new Map(
      answer.columnFamilies
        .filter((family) => familyFormComplaints(problem.entityGraph, family).length === 0)
        .map((family) => [family.key, family]),
    );
    this.plans = new Map(answer.plans.map((plan) => [plan.key, plan]));
    this.queries = new Map(problem.statements.filter(isQuery).map((query) => [query.id, query]));
    this.changes = problem.statements.filter((each): each is Change => !isQuery(each));
    this.migrationPlans = new Map(answer.migrationPlans.map((plan) => [plan.key, plan]));
    const repeats = problem.options.cyclic && problem.workload.timeline.steps > 1;
    this.startKeys = repeats ? undefined : problem.startSchema?.map((each) => this.keyOf(each));
  }

  /** Whatever a changed file makes impossible to reckon is a violation like any other. */
  guarded(part: () => void): void {
    try {
      part();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.complain("form", `A part of the answer cannot be recounted: ${reason}.`);
    }
  }

  private complain(kind: Violation["kind"], message: string): void {
    this.violations.push({ kind, message });
  }

  private agree(kind: Violation["kind"], what: string, stated: number, counted: number): void {
    const tolerance = 1e-6 * Math.max(1e-9, Math.abs(stated), Math.abs(counted));
    if (!(Math.abs(stated - counted) <= tolerance))
      this.complain(kind, `${what} is stated as ${stated}, but comes to ${counted}.`);
  }

  /** The summary tree hands down what its nodes found, and the answer is made of that (15). */
  summaryTree(): void {
    for (const complaint of summaryTreeComplaints(this.answer)) this.complain("schema", complaint);
  }

  /** Every table is what its key says and has the size that the arithmetic gives. */
  columnFamilies(): void {
    const { entityGraph, options } = this.problem;
    for (const family of this.answer.columnFamilies) {
      const form = familyFormComplaints(entityGraph, family);
      for (const complaint of form) this.complain("form", complaint);
      if (form.length > 0) continue;
      const entities = family.graph.nodes.map(({ entity }) => entity);
      const { text } = canonicalGraph(entityGraph, entities, family.graph.edges);
      if (family.key !== `${columnFamilyText(family)} of ${text}`)
        this.complain(
          "schema",
          `The columns or entities of ${family.key} are not those that its key names.`,
        );
      const broken = brokenCounterRule(entityGraph, family);
      if (broken) this.complain("schema", `${family.key} ${broken}.`);
      const size = columnFamilySize(entityGraph, family, options.sizeFactor);
      for (const figure of [
        "bytes",
        "rows",
        "partitions",
        "rowsPerPartition",
        "bytesPerPartition",
      ] as const)
        this.agree(
          "schema",
          `The figure ${figure} of ${family.key}`,
          family.size[figure],
          size[figure],
        );
    }
  }

  form(): void {
    const { steps } = this.problem.workload.timeline;
    const inOrder =
      this.answer.steps.length === steps && this.answer.steps.every(({ step }, t) => step === t);
    if (!inOrder)
      this.complain("form", `The answer does not describe the steps 1 to ${steps} in order.`);
  }

  step({ step, schema, plans, updates, storageBytes, cost }: StepAnswer): void {
    const when = `during step ${step + 1}`;
    for (const key of schema)
      if (!this.families.has(key))
        this.complain("schema", `${key} exists ${when} but is not described.`);
    const bytes = this.bytesOf(schema);
    this.agree("storage", `Storage ${when}`, storageBytes, bytes);
    this.withinLimit(bytes, when);

    const answered = new Set(plans.map(({ statement }) => statement));
    for (const query of this.queries.values())
      if (!answered.has(query.id)) this.complain("plan", `${query.label} has no plan ${when}.`);
    if (answered.size !== plans.length) this.complain("plan", `A statement has two plans ${when}.`);
    const exists = new Set(schema);
    const total = plans.reduce((sum, chosen) => sum + this.chosenPlan(chosen, exists, step), 0);
    this.agree("cost", `The query cost ${when}`, cost.query, total);
    this.updatesAt(step, exists, updates, cost);
  }

  /** Every update does its work on every table that it touches, and pays for it. */
  private updatesAt(
    step: number,
    exists: ReadonlySet<ColumnFamilyKey>,
    updates: readonly ChosenUpdate[],
    cost: CostBreakdown,
  ): void {
    const when = `during step ${step + 1}`;
    const stated = new Map(updates.map((each) => [`${each.statement} ${each.columnFamily}`, each]));
    let writing = 0;
    let reading = 0;
    for (const { change, key, effect } of this.workAt(step, exists)) {
      const name = `${change.id} ${key}`;
      const update = stated.get(name);
      stated.delete(name);
      if (!update) {
        this.complain("plan", `${change.label} does not keep ${key} true ${when}.`);
        continue;
      }
      const times = this.executions(change.id, step);
      const what = `of ${change.label} on ${key} ${when}`;
      this.agree("cost", `The executions ${what}`, update.executions, times);
      this.agree("cost", `The rows put ${what}`, update.puts, effect.puts);
      this.agree("cost", `The rows deleted ${what}`, update.deletes, effect.deletes);
      const written = times * this.writeCost(effect);
      this.agree("cost", `The cost ${what}`, update.cost, written);
      writing += written;
      reading += this.supportAt(change, effect, update, exists, times, when);
    }
    for (const name of stated.keys())
      this.complain("plan", `Work of an update that is none ${when}: ${name}.`);
    this.agree("cost", `The update cost ${when}`, cost.update, writing);
    this.agree("cost", `The cost of support queries ${when}`, cost.support, reading);
  }

  /** What the step's updates have to do on the tables that exist. */
  private workAt(
    step: number,
    exists: ReadonlySet<ColumnFamilyKey>,
  ): { readonly change: Change; readonly key: ColumnFamilyKey; readonly effect: UpdateEffect }[] {
    return this.changes
      .filter(({ id }) => this.executions(id, step) > 0)
      .flatMap((change) =>
        [...exists].flatMap((key) => {
          const effect = this.effect(change, key);
          return effect ? [{ change, key, effect }] : [];
        }),
      );
  }

  /** T′ of the rows put, and of the rows deleted. */
  private writeCost({
    puts,
    deletes,
  }: {
    readonly puts: number;
    readonly deletes: number;
  }): number {
    const { fixed, perRow } = this.problem.costModel.put;
    return (puts > 0 ? fixed + perRow * puts : 0) + (deletes > 0 ? fixed + perRow * deletes : 0);
  }

  private supportAt(
    change: Change,
    effect: UpdateEffect,
    update: ChosenUpdate,
    exists: ReadonlySet<ColumnFamilyKey>,
    times: number,
    when: string,
  ): number {
    if (effect.support.length !== update.support.length)
      this.complain("plan", `${change.label} does not make the reads that it needs ${when}.`);
    let cost = 0;
    for (const [index, read] of effect.support.entries()) {
      const chosen = update.support[index];
      const plan = this.plans.get(chosen?.plan ?? "");
      if (!chosen || !plan || plan.statement !== read.query.id) {
        this.complain("plan", `A support query of ${change.label} has no plan ${when}.`);
        continue;
      }
      for (const key of plan.columnFamilies)
        if (!exists.has(key))
          this.complain("plan", `${change.label} reads ${key} ${when}, which does not exist then.`);
      this.recountOnce(plan, read.query);
      const reads = times * read.times;
      this.agree("cost", `Support reads of ${change.label} ${when}`, chosen.executions, reads);
      this.agree(
        "cost",
        `Cost of support reads of ${change.label} ${when}`,
        chosen.cost,
        reads * plan.cost,
      );
      cost += reads * plan.cost;
    }
    return cost;
  }

  private executions(statement: StatementId, step: number): number {
    const { curves, timeline } = this.problem.workload;
    return (curves[statement]?.[step] ?? 0) * timeline.stepSeconds;
  }

  private effect(change: Change, key: ColumnFamilyKey): UpdateEffect | undefined {
    const family = this.families.get(key);
    return family && effectOf(this.problem.entityGraph, change, family);
  }

  /** Checks one query at one step; its cost there, counted again. */
  private chosenPlan(
    chosen: ChosenPlan,
    exists: ReadonlySet<ColumnFamilyKey>,
    step: number,
  ): number {
    const when = `during step ${step + 1}`;
    const plan = this.plans.get(chosen.plan);
    const query = this.queries.get(chosen.statement);
    if (!plan || !query || plan.statement !== query.id) {
      this.complain(
        "plan",
        `The plan of ${chosen.statement} ${when} is not described, or belongs to another statement.`,
      );
      return 0;
    }
    for (const key of plan.columnFamilies)
      if (!exists.has(key))
        this.complain("plan", `${query.label} reads ${key} ${when}, which does not exist then.`);
    const read = plan.steps.flatMap((each) => (each.kind === "get" ? [each.columnFamily] : []));
    if (read.join() !== plan.columnFamilies.join())
      this.complain("plan", `The plan of ${query.label} names other tables than its Gets read.`);
    const frequency = this.problem.workload.curves[query.id]?.[step] ?? 0;
    const times = frequency * this.problem.workload.timeline.stepSeconds;
    this.agree(
      "cost",
      `The number of executions of ${query.label} ${when}`,
      chosen.executions,
      times,
    );
    this.agree("cost", `The cost of ${query.label} ${when}`, chosen.cost, times * plan.cost);
    this.recountOnce(plan, query);
    return times * plan.cost;
  }

  private recountOnce(plan: QueryPlan, query: Query): void {
    if (this.recounted.has(plan.key)) return;
    this.recounted.add(plan.key);
    const { entityGraph, costModel } = this.problem;
    const form = planFormComplaints(entityGraph, query, plan, this.families);
    for (const complaint of form) this.complain("form", complaint);
    if (form.length > 0) return;
    for (const complaint of recountPlan(query, plan, this.families, entityGraph, costModel))
      this.complain("plan", complaint);
  }

  private bytesOf(schema: readonly ColumnFamilyKey[]): number {
    return schema.reduce((sum, key) => sum + (this.families.get(key)?.size.bytes ?? 0), 0);
  }

  private withinLimit(bytes: number, when: string): void {
    const { storage } = this.problem;
    const limit = storage.kind === "bytes" ? storage.bytes : this.answer.storageLimit;
    if (storage.kind === "bytes")
      this.agree("storage", "The storage limit", this.answer.storageLimit ?? 0, storage.bytes);
    if (storage.kind !== "none" && limit === undefined)
      this.complain("storage", "The storage limit is not stated.");
    if (limit !== undefined && bytes > limit * (1 + 1e-9))
      this.complain("storage", `${bytes} bytes exist ${when}, more than the limit of ${limit}.`);
  }

  /** Tables appear and disappear only by builds and drops, and every build can be done. */
  migrations(): void {
    const { steps } = this.answer;
    const { cyclic, initialLoad } = this.problem.options;
    const expected = steps.flatMap(({ step }) =>
      step > 0 || initialLoad || this.startKeys || (cyclic && steps.length > 1) ? [step] : [],
    );
    const byStep = new Map(this.answer.migrations.map((migration) => [migration.to, migration]));
    if (byStep.size !== this.answer.migrations.length)
      this.complain("migration", "Two migrations lead into one step.");
    for (const to of byStep.keys())
      if (!expected.includes(to))
        this.complain("migration", `There is a migration into step ${to + 1}, where none can be.`);
    for (const to of expected) {
      const last = cyclic && steps.length > 1 ? steps.length - 1 : -1;
      this.migrationInto(to, to > 0 ? to - 1 : last, byStep.get(to));
    }
    for (const { step, cost } of steps) {
      this.agree(
        "cost",
        `The extraction cost of step ${step + 1}`,
        cost.extract,
        this.extract[step] ?? 0,
      );
      this.agree("cost", `The load cost of step ${step + 1}`, cost.load, this.load[step] ?? 0);
      this.agree(
        "cost",
        `The maintenance cost of step ${step + 1}`,
        cost.maintenance,
        this.maintained[step] ?? 0,
      );
    }
  }

  private migrationInto(to: number, from: number, migration: Migration | undefined): void {
    const { steps } = this.answer;
    const start = from < 0 ? this.startKeys : undefined;
    const before = new Set(from < 0 ? start : steps[from]?.schema);
    const after = new Set(steps[to]?.schema);
    const builds = [...after].filter((key) => !before.has(key)).sort();
    const drops = [...before].filter((key) => !after.has(key)).sort();
    const stated = (migration?.builds ?? []).map(({ columnFamily }) => columnFamily).sort();
    const what = `The migration into step ${to + 1}`;
    if (migration && migration.from !== from)
      this.complain("migration", `${what} starts from another step.`);
    if (builds.join("|") !== stated.join("|"))
      this.complain("migration", `${what} does not build just the tables that appear.`);
    if (drops.join("|") !== [...(migration?.drops ?? [])].sort().join("|"))
      this.complain("migration", `${what} does not drop just the tables that disappear.`);
    const costs = (migration?.builds ?? []).map((build) => {
      const { extract, load } = this.build(build, from, before, start !== undefined);
      const maintained = from < 0 ? 0 : this.maintenance(build.columnFamily, from, load);
      return { extract, load, maintained };
    });
    const during = from < 0 ? to : from;
    const sum = (kind: "extract" | "load" | "maintained"): number =>
      costs.reduce((total, each) => total + each[kind], 0);
    this.extract[during] = (this.extract[during] ?? 0) + sum("extract");
    this.load[during] = (this.load[during] ?? 0) + sum("load");
    this.maintained[during] = (this.maintained[during] ?? 0) + sum("maintained");
    this.storageWhileBuilding(from, builds);
  }

  /** Checks one build; what it costs, counted again. */
  private build(
    build: Build,
    from: number,
    before: ReadonlySet<ColumnFamilyKey>,
    fromStart: boolean,
  ): { extract: number; load: number } {
    const family = this.families.get(build.columnFamily);
    if (!family) return { extract: 0, load: 0 };
    const model = this.problem.costModel;
    const load = model.load.fixed + model.load.perByte * family.size.bytes;
    this.agree("migration", `Loading ${build.columnFamily}`, build.load, load);
    if (from < 0 && !fromStart) return { extract: 0, load };
    const plan = this.migrationPlans.get(build.plan ?? "");
    if (!plan || plan.builds !== build.columnFamily) {
      this.complain("migration", `The plan that builds ${build.columnFamily} is not described.`);
      return { extract: 0, load };
    }
    for (const source of plan.sources)
      if (!before.has(source))
        this.complain(
          "migration",
          `${build.columnFamily} is filled from ${source}, which does not exist ${from < 0 ? "before the first step" : `during step ${from + 1}`}.`,
        );
    const sources = plan.sources.flatMap((key) => this.families.get(key) ?? []);
    for (const complaint of sourceComplaints(this.problem.entityGraph, family, sources))
      this.complain("migration", complaint);
    const extract = sources.reduce(
      (sum, { size }) => sum + model.extract.fixed + model.extract.perByte * size.bytes,
      0,
    );
    this.agree(
      "migration",
      `The load that the plan of ${build.columnFamily} states`,
      plan.loadCost,
      load,
    );
    this.agree(
      "migration",
      `The maintenance of ${build.columnFamily}`,
      build.maintenance,
      from < 0 ? 0 : this.maintenance(build.columnFamily, from, load),
    );
    this.agree("migration", `Extracting for ${build.columnFamily}`, build.extract, extract);
    this.agree(
      "migration",
      `The plan's extraction for ${build.columnFamily}`,
      plan.extractionCost,
      extract,
    );
    return { extract, load };
  }

  private storageWhileBuilding(from: number, builds: readonly ColumnFamilyKey[]): void {
    if (!this.problem.options.buildingCountsAsStorage || from < 0) return;
    this.withinLimit(
      this.bytesOf([...(this.answer.steps[from]?.schema ?? []), ...builds]),
      `during step ${from + 1}, tables under construction included`,
    );
  }

  totals(): void {
    const kinds = ["query", "update", "support", "extract", "load", "maintenance"] as const;
    let objective = 0;
    for (const kind of kinds) {
      const sum = this.answer.steps.reduce((total, { cost }) => total + cost[kind], 0);
      this.agree("cost", `The total ${kind} cost`, this.answer.totals[kind], sum);
      objective += sum;
    }
    this.agree("cost", "The objective", this.answer.objective, objective);
  }

  /** bound ≤ objective, and the gap is theirs. */
  bounds(): void {
    const { objective, bound, gap, status, baselines } = this.answer;
    const slack = 1e-6 * Math.max(1e-9, objective);
    if (bound > objective + slack)
      this.complain("bound", `The bound ${bound} lies above the objective ${objective}.`);
    const counted = objective === 0 ? 0 : Math.min(1, Math.max(0, objective - bound) / objective);
    this.agree("bound", "The gap", gap, counted);
    if (status === "optimal" && gap > 1e-4)
      this.complain("bound", `The answer is called optimal at a gap of ${gap}.`);
    for (const baseline of baselines) this.baseline(baseline, slack);
  }

  /** A baseline costs what its schema costs, and lies on the right side of the answer. */
  private baseline({ kind, cost, exact, perStep, schema }: Baseline, slack: number): void {
    const { objective, bound } = this.answer;
    if (schema) this.agree("cost", `The cost of the ${kind} schema`, cost, this.staticCost(schema));
    const free = !this.problem.options.initialLoad && !this.startKeys;
    if (exact && (kind === "ideal" || free)) {
      const sum = perStep.reduce((total, each) => total + each, 0);
      this.agree("cost", `The steps of the ${kind} baseline`, cost, sum);
    }
    if (kind === "ideal" && cost > objective + slack)
      this.complain("bound", "The ideal costs more than the answer.");
    if (kind !== "ideal" && cost < bound - slack)
      this.complain("bound", `The ${kind} schema costs less than the bound.`);
  }

  /** (16): the updates that come while a table is loaded. */
  private maintenance(key: ColumnFamilyKey, from: number, load: number): number {
    return this.changes.reduce((sum, change) => {
      const effect = this.effect(change, key);
      const frequency = this.problem.workload.curves[change.id]?.[from] ?? 0;
      return effect ? sum + (frequency * this.writeCost(effect) * load) / 1000 : sum;
    }, 0);
  }

  /** What one schema costs when it is kept for all steps: the cheapest plans over it alone, found afresh. */
  private staticCost(schema: readonly ColumnFamilyKey[]): number {
    const { costModel, options, workload } = this.problem;
    const described = schema.flatMap((key) => this.families.get(key) ?? []);
    const families = compileFamilies(this.problem.entityGraph, described);
    const total = (statement: StatementId): number =>
      (workload.curves[statement] ?? []).reduce((sum, frequency) => sum + frequency, 0) *
      workload.timeline.stepSeconds;
    let cost = 0;
    for (const query of this.queries.values()) cost += this.queryCost(query, families);
    for (const change of this.changes.filter(({ id }) => total(id) > 0)) {
      for (const { key } of described) {
        const effect = this.effect(change, key);
        if (!effect) continue;
        cost += total(change.id) * this.writeCost(effect);
        for (const { query, times } of effect.support)
          cost += total(change.id) * times * this.cheapest(query, families);
      }
    }
    const load = ({ size }: ColumnFamily): number =>
      costModel.load.fixed + costModel.load.perByte * size.bytes;
    const start = this.startKeys;
    if (start) {
      const built = described.filter(({ key }) => !start.includes(key));
      return built.reduce((sum, each) => sum + load(each) + this.extractionFrom(start, each), cost);
    }
    // A horizon that repeats has its last schema before its first: nothing is loaded from outside.
    const fromOutside = options.initialLoad && !(options.cyclic && workload.timeline.steps > 1);
    return fromOutside ? described.reduce((sum, each) => sum + load(each), cost) : cost;
  }

  /** Milliseconds to read the cheapest sources of a table in a schema; Infinity where it has none. */
  private extractionFrom(schema: readonly ColumnFamilyKey[], builds: ColumnFamily): number {
    const { entityGraph, costModel } = this.problem;
    const sources = schema.flatMap((key) => this.families.get(key) ?? []);
    const families = compileFamilies(entityGraph, [builds, ...sources]);
    const patterns = enumerateMigrationPlans(families)[0] ?? [];
    const plans = patterns.flatMap((pattern) => plansOfPattern(families, 0, pattern, costModel));
    return Math.min(...plans.map(({ extractionCost }) => extractionCost));
  }

  /** Every pin and ban is respected at every step for which it holds. */
  restrictions(): void {
    for (const broken of brokenRestrictions(this.answer, this.problem))
      this.complain("restriction", broken);
    for (const { step, schema } of this.answer.steps)
      for (const key of schema) this.partitionRules(key, step);
  }

  /** A table keeps the limits on partitions, or is pinned. */
  private partitionRules(key: ColumnFamilyKey, step: number): void {
    const family = this.families.get(key);
    const broken = family && brokenPartitionRule(this.problem, family);
    const isPinned = (this.problem.restrictions ?? []).some(
      (each) =>
        each.demand === "pin" &&
        (each.kind === "family" ? [each.columnFamily] : each.columnFamilies).some(
          (named) => this.keyOf(named) === key,
        ),
    );
    if (broken !== undefined && !isPinned)
      this.complain("restriction", `${key} exists during step ${step + 1}. ${broken}`);
  }

  private keyOf(family: ColumnFamily): ColumnFamilyKey {
    const { entityGraph, options } = this.problem;
    return asCandidate(entityGraph, family, options.sizeFactor).key;
  }

  /** What a person wrote is costed by the same definitions as the answer. */
  handMade(): void {
    const written = this.answer.handMade;
    if (!this.problem.handMade) {
      if (written) this.complain("form", "A schema by hand is costed, but none is given.");
      return;
    }
    if (!written) {
      this.complain("form", "The schema by hand is not costed.");
      return;
    }
    this.handMadeSchemas(written);
    const blocked = written.unanswered.length + written.unfilled.length > 0;
    const { cost, steps, migrations } = written;
    if (blocked !== (cost === undefined))
      this.complain("cost", "The schema by hand has a cost and cannot serve, or can and has none.");
    if (cost === undefined || !steps || !migrations) return;
    const sum = (kind: keyof CostBreakdown): number =>
      steps.reduce((total, each) => total + each.cost[kind], 0);
    const { storageLimit: _, handMade: _handMade, ...answer } = this.answer;
    const {
      restrictions: _restrictions,
      partitionRules: _rules,
      handMade: _written,
      ...problem
    } = this.problem;
    const alone = checkRecommendation(
      {
        ...answer,
        status: "feasible",
        objective: cost,
        bound: 0,
        gap: cost > 0 ? 1 : 0,
        steps,
        migrations,
        totals: {
          query: sum("query"),
          update: sum("update"),
          support: sum("support"),
          extract: sum("extract"),
          load: sum("load"),
          maintenance: sum("maintenance"),
        },
        baselines: [],
      },
      { ...problem, storage: { kind: "none" } },
    );
    for (const { kind, message } of alone) this.complain(kind, `In the schema by hand: ${message}`);
  }

  private handMadeSchemas({ schemas, storageBytes, unanswered }: HandMadeAnswer): void {
    const given = this.problem.handMade?.schemas ?? [];
    const { steps } = this.problem.workload.timeline;
    for (let t = 0; t < steps; t += 1) {
      const wanted = new Set((given[t] ?? given.at(-1) ?? []).map((each) => this.keyOf(each)));
      const stated = schemas[t] ?? [];
      if (stated.length !== wanted.size || stated.some((key) => !wanted.has(key)))
        this.complain("schema", `The schema by hand is another during step ${t + 1}.`);
      const left = unanswered.filter((each) => each.steps.includes(t));
      this.answeredByHand(t, stated, new Set(left.map(({ statement }) => statement)));
    }
    const most = Math.max(...schemas.map((schema) => this.bytesOf(schema)));
    this.agree("storage", "The storage of the schema by hand", storageBytes, most);
  }

  /** Just the queries that are said to have no plan have none. */
  private answeredByHand(
    t: number,
    schema: readonly ColumnFamilyKey[],
    unanswered: ReadonlySet<StatementId>,
  ): void {
    const families = compileFamilies(
      this.problem.entityGraph,
      schema.flatMap((key) => this.families.get(key) ?? []),
    );
    for (const query of this.queries.values()) {
      const can = Number.isFinite(this.cheapest(query, families));
      if (can === unanswered.has(query.id))
        this.complain(
          "plan",
          `The schema by hand ${can ? "can" : "cannot"} answer ${query.label} during step ${t + 1}.`,
        );
    }
  }

  /** Milliseconds of a query over the run, by the cheapest plan that each step allows. */
  private queryCost(query: Query, families: readonly CompiledFamily[]): number {
    const { restrictions = [], workload } = this.problem;
    const own = restrictions.filter((each) => each.kind === "plan" && each.statement === query.id);
    const free = own.length === 0 ? this.cheapest(query, families) : 0;
    return (workload.curves[query.id] ?? []).reduce((sum, frequency, step) => {
      const cost = own.length === 0 ? free : this.cheapest(query, families, step);
      return sum + frequency * workload.timeline.stepSeconds * cost;
    }, 0);
  }

  /** Milliseconds per execution of the cheapest plan, of those that the step's pins and bans allow where one is given. */
  private cheapest(query: Query, families: readonly CompiledFamily[], step?: number): number {
    const { entityGraph, costModel, options } = this.problem;
    const limits = { maxGets: options.maxGets, dominance: step === undefined };
    const { plans } = enumerateQueryPlans(
      compileQuery(entityGraph, query),
      families,
      costModel,
      limits,
    );
    const keys = families.map(({ columnFamily }) => columnFamily.key);
    const allowed = plans.find(
      (plan) =>
        step === undefined ||
        this.allows(query.id, step, new Set(plan.families.map((at) => keys[at] ?? ""))),
    );
    return allowed?.cost ?? Number.POSITIVE_INFINITY;
  }

  private allows(statement: StatementId, step: number, used: ReadonlySet<string>): boolean {
    return (this.problem.restrictions ?? []).every(
      (each) =>
        each.kind !== "plan" ||
        each.statement !== statement ||
        (each.steps !== undefined && !each.steps.includes(step)) ||
        respectsPlan(each.demand, new Set(each.columnFamilies.map((one) => this.keyOf(one))), used),
    );
  }
}
