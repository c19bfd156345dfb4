/**
 * Explains an answer (engine.md §9): who uses a column family and what the answer would be without it;
 * what the plans that a query does not have would cost, and why; and at which frequency its plan would
 * switch.
 *
 * Every figure is that of the same search under one more condition, so it is exact where that search is
 * finished and labelled an estimate where its time was up (then `estimate-alternative.ts` may have to help). Frequencies at which a plan switches are the
 * corners of V(f), the least cost as a function of one frequency: a minimum of lines (each answer costs
 * a·f + b), hence concave, and its corner next to f is found by Newton's method on lines (Eisner and
 * Severance, Mathematical Techniques for Efficient Record Segmentation, JACM 23, 1976).
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type {
  Alternative,
  Certainty,
  FamilyExplanation,
  FamilyPresence,
  FamilyUse,
  FrequencySwitch,
  PlanExplanation,
  Reason,
  RejectedPlan,
  StatementExplanation,
} from "#model/explanation.ts";
import { planKind, type QueryPlan } from "#model/plan.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type { CostBreakdown, Recommendation, RunOutcome } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import { extractCost } from "./cost-model.ts";
import { fullPlan } from "./enumerate-query-plans.ts";
import { estimateAlternative } from "./estimate-alternative.ts";
import { optimalGap, optimise, type RunTools } from "./optimise.ts";
import { enumeratePlanSpace, type PlanSpace } from "./plan-space.ts";
import { createMemory, type RunMemory } from "./run-memory.ts";

/** What an explanation needs beside the problem and its answer. */
export interface ExplainTools extends Pick<RunTools, "solver" | "now"> {
  /** Seconds for each search; without a limit all figures are exact. */
  readonly timeLimitSeconds?: number;
  /** The problem's plan space and what was found out over it, where there is one already. */
  readonly memory?: RunMemory;
  /** Told before each search: how many are done. */
  readonly onSearch?: (done: number) => void;
}

/** Why a column family is in the answer. Throws when it is not: that is the caller's mistake. */
export async function explainFamily(
  problem: Problem,
  answer: Recommendation,
  key: ColumnFamilyKey,
  tools: ExplainTools,
): Promise<FamilyExplanation> {
  const columnFamily = answer.columnFamilies.find((family) => family.key === key);
  const steps = stepsWith(answer, key);
  if (!columnFamily || steps.length === 0)
    throw new Error(`The answer has no column family ${key}.`);
  const ban: Restriction = { kind: "family", demand: "ban", columnFamily };
  const search = searches(problem, answer, tools);
  const without = await search.under([ban], undefined);
  return {
    columnFamily: key,
    steps,
    uses: usesOf(problem, answer, columnFamily),
    upkeep: upkeepOf(answer, key),
    without: search.alternative(without),
    ...search.named(),
  };
}

/** Why a query is answered as it is during one step. Throws when the problem has no such query or step. */
export async function explainStatement(
  problem: Problem,
  answer: Recommendation,
  statement: StatementId,
  step: TimeStep,
  tools: ExplainTools,
): Promise<StatementExplanation> {
  const plan = chosenPlan(answer, statement, step);
  const { space, search } = searchesOver(problem, answer, tools);
  search.name(plan);
  const rejected: RejectedPlan[] = [];
  for (const { plan: other, interest } of plansOfInterest(problem, space, statement, plan))
    rejected.push(
      await rejectedPlan(problem, answer, { search, space, step, chosen: plan, other, interest }),
    );
  const here = { search, space, statement, step };
  const below = await nextSwitch(problem, answer, here, "below");
  const above = await nextSwitch(problem, answer, here, "above");
  return {
    statement,
    step,
    frequency: problem.workload.curves[statement]?.[step] ?? 0,
    plan: plan.key,
    rejected,
    ...(below.found && { switchesBelow: below.found }),
    ...(above.found && { switchesAbove: above.found }),
    switchesUnfinished: below.unfinished || above.unfinished,
    ...search.named(),
  };
}

/**
 * Why one plan of a query's group does not answer it during one step; one search. Throws when the
 * problem has no such query or step.
 */
export async function explainPlan(
  problem: Problem,
  answer: Recommendation,
  step: TimeStep,
  other: QueryPlan,
  tools: ExplainTools,
): Promise<PlanExplanation> {
  const { statement } = other;
  const plan = chosenPlan(answer, statement, step);
  const { space, search } = searchesOver(problem, answer, tools);
  search.name(plan);
  const asked = { search, space, step, chosen: plan, other, interest: "asked" } as const;
  const rejected = await rejectedPlan(problem, answer, asked);
  return { statement, step, plan: plan.key, rejected, ...search.named() };
}

function chosenPlan(answer: Recommendation, statement: StatementId, step: TimeStep): QueryPlan {
  const chosen = answer.steps[step]?.plans.find((each) => each.statement === statement);
  const plan = answer.plans.find(({ key }) => key === chosen?.plan);
  if (!plan) throw new Error(`The answer has no query ${statement} at step ${step + 1}.`);
  return plan;
}

interface Asked {
  readonly search: Searches;
  readonly space: PlanSpace;
  readonly step: TimeStep;
  readonly chosen: QueryPlan;
  readonly other: QueryPlan;
  readonly interest: RejectedPlan["interest"];
}

/** What the answer would be if the query had to be answered by `other` during the step. */
async function rejectedPlan(
  problem: Problem,
  answer: Recommendation,
  { search, space, step, chosen, other, interest }: Asked,
): Promise<RejectedPlan> {
  search.name(other, space);
  const columnFamilies = familiesOf(space, other.columnFamilies);
  const pin: Restriction = {
    kind: "plan",
    demand: "pin",
    statement: other.statement,
    columnFamilies,
    steps: [step],
  };
  // The plan is one of the space already, so a pin takes nothing away that dominance relied on.
  const outcome = await search.under([pin], space);
  return {
    plan: other.key,
    interest,
    perExecution: other.cost - chosen.cost,
    instead: search.alternative(outcome),
    reasons: reasonsFor(problem, answer, { step, chosen, other, columnFamilies }, outcome),
  };
}

// --- searches -----------------------------------------------------------------------------------

/** Searches like the answer's own, and what they name. */
interface Searches {
  /** The same problem under more restrictions; a known space saves enumerating. */
  under(more: readonly Restriction[], space: PlanSpace | undefined): Promise<RunOutcome>;
  /** The same problem with another frequency of one statement at one step. */
  at(
    statement: StatementId,
    step: TimeStep,
    frequency: number,
    space: PlanSpace,
  ): Promise<RunOutcome>;
  alternative(outcome: RunOutcome): Alternative;
  /** Notes a plan that the explanation names; of a space where its families are not the answer's. */
  name(plan: QueryPlan, space?: PlanSpace): void;
  named(): {
    readonly columnFamilies: readonly ColumnFamily[];
    readonly plans: readonly QueryPlan[];
  };
}

/** Searches that share the problem's space and what is found out over it: most of them change one step. */
function searchesOver(
  problem: Problem,
  answer: Recommendation,
  tools: ExplainTools,
): { readonly space: PlanSpace; readonly search: Searches } {
  const space = tools.memory?.over?.space ?? enumeratePlanSpace(problem, () => {});
  const memory = tools.memory?.over ? tools.memory : createMemory(space);
  return { space, search: searches(problem, answer, { ...tools, memory }) };
}

function searches(problem: Problem, answer: Recommendation, tools: ExplainTools): Searches {
  const plans = new Map<string, QueryPlan>();
  const families = new Map(answer.columnFamilies.map((family) => [family.key, family]));
  const shown = new Set<ColumnFamilyKey>(answer.steps.flatMap(({ schema }) => schema));
  const { timeLimitSeconds, solver, now, onSearch } = tools;
  let done = 0;
  // The limit in bytes that the answer had: per cent of a static schema would move with the condition.
  const held: Problem = {
    ...problem,
    storage:
      answer.storageLimit === undefined
        ? { kind: "none" }
        : { kind: "bytes", bytes: answer.storageLimit },
  };
  const run = (changed: Problem, space: PlanSpace | undefined): Promise<RunOutcome> => {
    onSearch?.(done);
    done += 1;
    const limits = { gap: 0, ...(timeLimitSeconds !== undefined && { timeLimitSeconds }) };
    return optimise(changed, limits, { solver, now }, undefined, space && tools.memory);
  };
  const name = (plan: QueryPlan, space?: PlanSpace): void => {
    plans.set(plan.key, plan);
    for (const family of space ? familiesOf(space, plan.columnFamilies) : [])
      families.set(family.key, family);
    for (const key of plan.columnFamilies) shown.add(key);
  };
  return {
    async under(more, space) {
      const under = { ...held, restrictions: [...(problem.restrictions ?? []), ...more] };
      const outcome = await run(under, space);
      if (outcome.status !== "timedOut") return outcome;
      const known = space ?? tools.memory?.over?.space ?? enumeratePlanSpace(problem, () => {});
      return (await estimateAlternative(under, answer, known, { solver, now })) ?? outcome;
    },
    at: (statement, step, frequency, space) => {
      const { curves } = problem.workload;
      const curve = (curves[statement] ?? []).with(step, frequency);
      const workload = { ...problem.workload, curves: { ...curves, [statement]: curve } };
      return run({ ...held, workload }, space);
    },
    alternative(outcome) {
      const alternative = alternativeOf(answer, outcome);
      if (!("objective" in outcome) || alternative.status !== "found") return alternative;
      for (const family of outcome.columnFamilies) families.set(family.key, family);
      const { added, removed, plans: others } = alternative;
      for (const { columnFamily } of [...added, ...removed]) shown.add(columnFamily);
      const named = new Set(others.map(({ plan }) => plan));
      outcome.plans
        .filter(({ key }) => named.has(key))
        .forEach((plan) => {
          name(plan);
        });
      return alternative;
    },
    name,
    named: () => ({
      columnFamilies: [...shown].flatMap((key) => families.get(key) ?? []),
      plans: [...plans.values()],
    }),
  };
}

function familiesOf(space: PlanSpace, keys: readonly ColumnFamilyKey[]): ColumnFamily[] {
  const wanted = new Set(keys);
  return space.families
    .map(({ columnFamily }) => columnFamily)
    .filter(({ key }) => wanted.has(key));
}

const kinds = ["query", "update", "support", "extract", "load", "maintenance"] as const;

function alternativeOf(answer: Recommendation, outcome: RunOutcome): Alternative {
  if ("objective" in outcome) {
    const difference = Object.fromEntries(
      kinds.map((kind) => [kind, outcome.totals[kind] - answer.totals[kind]]),
    ) as unknown as CostBreakdown;
    return {
      status: "found",
      certainty: certaintyOf(outcome),
      cost: outcome.objective,
      bound: outcome.bound,
      extra: outcome.objective - answer.objective,
      difference,
      added: presence(outcome, answer),
      removed: presence(answer, outcome),
      plans: otherPlans(answer, outcome),
    };
  }
  const status = outcome.status === "infeasible" ? "impossible" : "unknown";
  return { status, reasons: outcome.reasons };
}

function certaintyOf({ gap }: Recommendation): Certainty {
  return gap <= optimalGap ? "exact" : "estimate";
}

/** Where `of` has column families that `other` has not, step by step. */
function presence(of: Recommendation, other: Recommendation): FamilyPresence[] {
  const steps = new Map<ColumnFamilyKey, TimeStep[]>();
  for (const { step, schema } of of.steps)
    for (const key of schema)
      if (!other.steps[step]?.schema.includes(key))
        steps.set(key, [...(steps.get(key) ?? []), step]);
  return [...steps].map(([columnFamily, at]) => ({ columnFamily, steps: at }));
}

function otherPlans(
  answer: Recommendation,
  outcome: Recommendation,
): Extract<Alternative, { status: "found" }>["plans"] {
  const found = new Map<string, { statement: StatementId; plan: string; steps: TimeStep[] }>();
  for (const { step, plans } of outcome.steps)
    for (const { statement, plan } of plans) {
      const before = answer.steps[step]?.plans.find((each) => each.statement === statement);
      if (before?.plan === plan) continue;
      const name = `${statement} ${plan}`;
      const entry = found.get(name) ?? { statement, plan, steps: [] };
      entry.steps.push(step);
      found.set(name, entry);
    }
  return [...found.values()];
}

// --- column families ----------------------------------------------------------------------------

function stepsWith({ steps }: Recommendation, key: ColumnFamilyKey): TimeStep[] {
  return steps.filter(({ schema }) => schema.includes(key)).map(({ step }) => step);
}

/** Reads of the column family, gathered by what they serve. */
function usesOf(
  { costModel }: Problem,
  answer: Recommendation,
  { key, size: { bytes } }: ColumnFamily,
): FamilyUse[] {
  const reads = new Set(
    answer.plans.filter((plan) => plan.columnFamilies.includes(key)).map((plan) => plan.key),
  );
  const sources = new Map(answer.migrationPlans.map((plan) => [plan.key, plan.sources]));
  const queries = answer.steps.flatMap(({ step, plans }) =>
    plans
      .filter(({ plan }) => reads.has(plan))
      .map(({ statement, cost }): OneUse => ({ kind: "query", statement, cost, step })),
  );
  const supports = answer.steps.flatMap(({ step, updates }) =>
    updates.flatMap(({ statement, columnFamily: builds, support }) =>
      support
        .filter(({ plan }) => reads.has(plan))
        .map(({ cost }): OneUse => ({ kind: "support query", statement, builds, cost, step })),
    ),
  );
  const migrations = answer.migrations.flatMap(({ from, to, builds }) =>
    builds.flatMap(({ columnFamily, plan }): OneUse[] => {
      const times = (sources.get(plan ?? "") ?? []).filter((each) => each === key).length;
      const step = from < 0 ? to : from;
      const cost = times * extractCost(costModel, bytes);
      return times > 0 ? [{ kind: "migration source", builds: columnFamily, cost, step }] : [];
    }),
  );
  const gathered = new Map<string, OneUse[]>();
  for (const use of [...queries, ...supports, ...migrations]) {
    const name = JSON.stringify([use.kind, use.statement, use.builds]);
    gathered.set(name, [...(gathered.get(name) ?? []), use]);
  }
  return [...gathered.values()]
    .map((all): FamilyUse => {
      const { step: _, ...use } = all[0] as OneUse;
      const cost = all.reduce((sum, each) => sum + each.cost, 0);
      const steps = [...new Set(all.map(({ step }) => step))];
      return { ...use, steps, cost, share: answer.objective > 0 ? cost / answer.objective : 0 };
    })
    .sort((a, b) => b.cost - a.cost);
}

/** A use during one step. */
type OneUse = Omit<FamilyUse, "steps" | "share"> & { readonly step: TimeStep };

function upkeepOf(answer: Recommendation, key: ColumnFamilyKey): FamilyExplanation["upkeep"] {
  const updates = answer.steps
    .flatMap((step) => step.updates)
    .filter(({ columnFamily }) => columnFamily === key);
  const builds = answer.migrations
    .flatMap((migration) => migration.builds)
    .filter(({ columnFamily }) => columnFamily === key);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  return {
    update: sum(updates.map(({ cost }) => cost)),
    support: sum(updates.flatMap(({ support }) => support.map(({ cost }) => cost))),
    build: sum(builds.map(({ extract, load, maintenance }) => extract + load + maintenance)),
  };
}

// --- plans that were not chosen -----------------------------------------------------------------

/** Plans of the query shown beside its best materialised view and its best join. */
const nextPlans = 3;

/** The cheapest materialised view and join that were not chosen, and the next cheapest of all. */
function plansOfInterest(
  problem: Problem,
  space: PlanSpace,
  statement: StatementId,
  chosen: QueryPlan,
): { readonly plan: QueryPlan; readonly interest: RejectedPlan["interest"] }[] {
  const found = space.queries.find(({ query }) => query.query.id === statement);
  if (!found) return [];
  const used = (plan: QueryPlan): string => [...new Set(plan.columnFamilies)].sort().join();
  // Describing thousands of plans in full would take longer than choosing among them by cost.
  const cheapest = found.cheapestPlans(200).map((plan) => fullPlan(found, plan, problem.costModel));
  const others = cheapest.filter((plan) => used(plan) !== used(chosen));
  const view = others.find((plan) => planKind(plan) === "materialised view");
  const join = others.find((plan) => planKind(plan) === "join");
  const next = others.filter((plan) => plan !== view && plan !== join).slice(0, nextPlans);
  return [
    ...(view ? [{ plan: view, interest: "best materialised view" } as const] : []),
    ...(join ? [{ plan: join, interest: "best join" } as const] : []),
    ...next.map((plan) => ({ plan, interest: "next" }) as const),
  ];
}

interface Rejection {
  readonly step: TimeStep;
  readonly chosen: QueryPlan;
  readonly other: QueryPlan;
  readonly columnFamilies: readonly ColumnFamily[];
}

/** Differences below this share of the answer's cost are rounding. */
const noticeable = 1e-9;

/** What the answer under the pin pays more for; and the room that its tables lack beside the others. */
function reasonsFor(
  { workload }: Problem,
  answer: Recommendation,
  { step, chosen, other, columnFamilies }: Rejection,
  outcome: RunOutcome,
): Reason[] {
  const reasons: Reason[] = [];
  const present = new Set(answer.steps[step]?.schema);
  const added = columnFamilies.filter(({ key }) => !present.has(key));
  const bytes = added.reduce((sum, { size }) => sum + size.bytes, 0);
  const over = (answer.steps[step]?.storageBytes ?? 0) + bytes - (answer.storageLimit ?? Infinity);
  if (over > 0) reasons.push({ kind: "storage", bytesOver: over });
  if (!("objective" in outcome)) return reasons;
  const frequency = workload.curves[chosen.statement]?.[step] ?? 0;
  const execution = (other.cost - chosen.cost) * frequency * workload.timeline.stepSeconds;
  const more = (kind: keyof CostBreakdown): number => outcome.totals[kind] - answer.totals[kind];
  const parts = [
    { kind: "execution", milliseconds: execution },
    { kind: "updates", milliseconds: more("update") + more("support") },
    { kind: "migration", milliseconds: more("extract") + more("load") + more("maintenance") },
    { kind: "other queries", milliseconds: more("query") - execution },
  ] as const;
  return [
    ...reasons,
    ...parts
      .filter(({ milliseconds }) => milliseconds > noticeable * answer.objective)
      .sort((a, b) => b.milliseconds - a.milliseconds),
  ];
}

// --- frequencies --------------------------------------------------------------------------------

interface Here {
  readonly search: Searches;
  readonly space: PlanSpace;
  readonly statement: StatementId;
  readonly step: TimeStep;
}

/** One answer's cost as a function of the frequency: slope · frequency + rest, milliseconds. */
interface Line {
  readonly slope: number;
  readonly rest: number;
  readonly plan: QueryPlan;
  readonly certainty: Certainty;
}

interface SwitchSearch {
  readonly found: FrequencySwitch | undefined;
  readonly unfinished: boolean;
}

/** Lines met before the search gives up; two or three are usual. */
const mostLines = 12;

/** The next corner of V(f) on one side of the present frequency. */
async function nextSwitch(
  problem: Problem,
  answer: Recommendation,
  here: Here,
  side: "below" | "above",
): Promise<SwitchSearch> {
  const { search, space, statement, step } = here;
  const frequency = problem.workload.curves[statement]?.[step] ?? 0;
  const own = lineOf(problem, answer, statement, step);
  const lineAt = async (at: number): Promise<Line | undefined> =>
    lineOf(problem, await search.at(statement, step, at, space), statement, step);
  if (!own || (side === "below" && frequency === 0)) return { found: undefined, unfinished: !own };
  // The outermost line: the one that rules when the query is never asked, or far more often than anything.
  let far = await lineAt(side === "below" ? 0 : farFrequency(problem, answer, frequency));
  for (let lines = 0; far && lines < mostLines; lines += 1) {
    const at = crossing(own, far, side);
    if (at === undefined) return { found: undefined, unfinished: false };
    const middle = await lineAt(at);
    if (!middle || valueAt(middle, at) >= valueAt(own, at) * (1 - 1e-9)) {
      search.name(far.plan, space);
      const certainty = certaintyOfAll([own, far, middle]);
      return { found: { frequency: at, plan: far.plan.key, certainty }, unfinished: !middle };
    }
    far = middle;
  }
  return { found: undefined, unfinished: true };
}

function certaintyOfAll(lines: readonly (Line | undefined)[]): Certainty {
  return lines.every((line) => line?.certainty === "exact") ? "exact" : "estimate";
}

function valueAt({ slope, rest }: Line, frequency: number): number {
  return slope * frequency + rest;
}

/**
 * The frequency at which another answer costs the same; undefined where it does everywhere or nowhere.
 * Below the present frequency 0 is no switch: what only ties where the query is never asked rules
 * nowhere. Above it is one: a query that is not asked now has whatever plan the tables allow.
 */
function crossing(own: Line, far: Line, side: "below" | "above"): number | undefined {
  if (isSame(own.slope, far.slope)) return undefined;
  const ties = isSame(own.rest, far.rest);
  const at = ties ? 0 : (far.rest - own.rest) / (own.slope - far.slope);
  return side === "below" && at <= 0 ? undefined : Math.max(0, at);
}

/** The line on which an answer lies; undefined without one. */
function lineOf(
  { workload }: Problem,
  outcome: RunOutcome,
  statement: StatementId,
  step: TimeStep,
): Line | undefined {
  if (!("objective" in outcome)) return undefined;
  const chosen = outcome.steps[step]?.plans.find((each) => each.statement === statement);
  const plan = outcome.plans.find(({ key }) => key === chosen?.plan);
  if (!chosen || !plan) return undefined;
  return {
    slope: plan.cost * workload.timeline.stepSeconds,
    rest: outcome.objective - chosen.cost,
    plan,
    certainty: certaintyOf(outcome),
  };
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

/** A frequency at which a hundredth of a millisecond less per execution weighs more than all that the answer costs now. */
function farFrequency(
  { workload }: Problem,
  { objective }: Recommendation,
  frequency: number,
): number {
  return Math.max(1000 * frequency, (100 * objective) / workload.timeline.stepSeconds, 1);
}
