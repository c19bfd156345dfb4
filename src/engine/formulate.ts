/**
 * The integer program (engine.md §8; equation numbers are the paper's).
 *
 * Sets        c ∈ C families · t ∈ T steps · q ∈ Q queries · p ∈ P(q) plans · m ∈ M(g) patterns that fill g
 *             u ∈ U updates · s ∈ Q(u,c) support queries that keep c true under u, with plans of their own
 * Parameters  n(q,t) executions · cost(p) ms · size(c) bytes · E(h) = T″(size h) · L(g) = T‴(size g) · B bytes
 * Variables   present[c,t] ∈ {0,1}    c exists during t
 *             used[p,t]    ∈ [0,1]    share of q's executions that plan p answers
 *             created[c,t] ∈ [0,1]    c is built between t−1 and t
 *             filled[m,t]  ∈ [0,1]    pattern m fills its family between t−1 and t
 *             source[m,slot,h,t]      family h of the schema before stands in a slot of m
 * Minimise    Σ n(q,t)·cost(p)·used[p,t] + Σ L(g)·created[g,t] + Σ E(h)·source[m,slot,h,t]
 *             + Σ n(u,t)·C′(u,c)·present[c,t]                       for every family that u touches
 *             + Σ f(u,t−1)·C′(u,g)·L(g)·created[g,t]                (16), maintenance while g is loaded
 * Subject to  (5,6)  Σ_p used[p,t] = 1                                     every query, every step
 *                    Σ_p used[p,t] = present[c,t]                          every support query that c needs
 *             (7)    Σ_{p ∋ c} used[p,t] ≤ present[c,t]                    every query, family, step
 *             (4)    created[c,t] ≥ present[c,t] − present[c,t−1]
 *             (9–12) Σ_m filled[m,t] = created[g,t];  Σ_h source[m,slot,h,t] = filled[m,t];
 *                    Σ_m source[m,slot,h,t] ≤ present[h,t−1]               every g, slot, source, step
 *             (14)   Σ_c size(c)·present[c,t] (+ size(c)·created[c,t+1]) ≤ B
 *                    Σ_{c ∈ S} present[c,t] ≤ |S| − 1                      S too large together
 *             present[c,t] = 1 for a pinned family; no variable for a banned one, nor for a plan that a
 *             pin or ban strikes; created[c,1] costs its cheapest sources in the start schema
 *
 * `used` is the unit flow down a query's plan tree written by its paths: a node's flow is the sum over
 * the plans below it, so flow conservation holds by construction and (7) bounds the flow through all
 * nodes of one family together, which is what makes it tight. Only `present` is integral: once the
 * schemas are fixed the rest falls apart into choices of one cheapest plan each.
 *
 * Migration is written out only for families in `explicit`; for the others `created` carries the
 * cheapest extraction there could be, which makes the program a relaxation. `optimise` adds the
 * families that an answer builds until nothing built is missing.
 */

import {
  addConstraint,
  addCost,
  addVariable,
  createIlpModel,
  type IlpModel,
  type VariableIndex,
} from "#ilp/model.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { ProblemOptions } from "#model/problem.ts";
import { executions, type Workload } from "#model/workload.ts";
import { cheapestSources } from "./cheapest-sources.ts";
import { extractCost, loadCost } from "./cost-model.ts";
import type { MigrationPattern } from "./enumerate-migration-plans.ts";
import type { PlanPath } from "./plan-graph.ts";
import { pathsWithin, priceGraph, withoutDominated } from "./plan-paths.ts";
import { bytesOf, type Flow, type PlanSpace } from "./plan-space.ts";
import { isAllowed, type StepRules } from "./restrictions.ts";

export interface FormulationInput {
  readonly space: PlanSpace;
  readonly workload: Workload;
  readonly costModel: CostModel;
  readonly options: Pick<ProblemOptions, "initialLoad" | "cyclic" | "buildingCountsAsStorage">;
  /** Bytes per step; undefined for no limit. */
  readonly storageBytes: number | undefined;
  /** Pins and bans per step; undefined for none. */
  readonly rules?: readonly StepRules[] | undefined;
  /** Families that exist before the first step; undefined where they are not told. Ignored by a horizon that repeats. */
  readonly startSchema?: readonly number[] | undefined;
  /** Families whose migration is written out. */
  readonly explicit: ReadonlySet<number>;
  /** Sets of families that exceed the storage limit together (see `storageLimit`). */
  readonly tooLarge: readonly (readonly number[])[];
  /** Per step what may take part; undefined for everything. */
  readonly kept?: readonly KeptStep[] | undefined;
}

/** Plans (paths per flow) and families that may take part in one step. */
export interface KeptStep {
  readonly plans: readonly (readonly PlanPath[])[];
  readonly families: readonly number[];
}

/** The program with handles to its variables. `scale` turns objective units into milliseconds. */
export interface Formulation {
  readonly input: FormulationInput;
  readonly model: IlpModel;
  /** present[t] by family, ascending. */
  readonly present: readonly ReadonlyMap<number, VariableIndex>[];
  /** used[t][flow] by plan. */
  readonly used: readonly (readonly ReadonlyMap<PlanPath, VariableIndex>[])[];
  /** created[t] by family; undefined where the first schema comes free. */
  readonly created: readonly (ReadonlyMap<number, VariableIndex> | undefined)[];
  /** fills[t] by family: one entry per pattern. */
  readonly fills: readonly Map<number, readonly PatternVariables[]>[];
  /** Milliseconds per unit of the objective: a power of ten that keeps coefficients near one. */
  readonly scale: number;
}

export interface PatternVariables {
  readonly pattern: MigrationPattern;
  readonly filled: VariableIndex;
  /** Per slot the variable of each family that may stand there. */
  readonly sources: readonly ReadonlyMap<number, VariableIndex>[];
}

/** The six named cost terms; the objective is their sum and the report shows the same. */
export const costTermNames = {
  query: "queryCost",
  update: "updateCost",
  support: "supportCost",
  maintenance: "migrationUpdateCost",
  extract: "extractionCost",
  load: "migrationLoadCost",
} as const;

export function formulate(input: FormulationInput): Formulation {
  const { steps } = input.workload.timeline;
  const model = createIlpModel("schema over time");
  const scale = objectiveScale(input);
  const times = Array.from({ length: steps }, (_, t) => t);
  const variablesFor = <Key>(
    keys: readonly Key[],
    name: (key: Key) => string,
    integral: boolean,
  ): Map<Key, VariableIndex> =>
    new Map(
      keys.map((key) => [
        key,
        addVariable(model, { name: name(key), lower: 0, upper: 1, integral }),
      ]),
    );
  const kept = times.map((t) => restricted(input, t, input.kept?.[t] ?? everythingOf(input)));
  const present = kept.map(({ families }, t) =>
    variablesFor(families, (c) => `present_${c}_${t}`, true),
  );
  const used = kept.map(({ plans, families }, t) => {
    const exists = new Set(families);
    return plans.map((some, q) =>
      variablesFor(
        isRead(input, q, t, exists) ? some : [],
        ({ arcs }) => `used_${q}_${arcs.join("_")}_${t}`,
        false,
      ),
    );
  });
  const created = kept.map(({ families }, t) =>
    hasMigrationInto(input, t)
      ? variablesFor(families, (c) => `created_${c}_${t}`, false)
      : undefined,
  );
  const fills = times.map(() => new Map<number, readonly PatternVariables[]>());
  const formulation: Formulation = { input, model, present, used, created, fills, scale };
  for (const t of times) {
    whatIsPinnedExists(formulation, t);
    everyQueryIsAnswered(formulation, t);
    usedOnlyIfPresent(formulation, t);
    createdWhenItAppears(formulation, t);
    filledFromTheSchemaBefore(formulation, t);
    storageLimit(formulation, t);
    costs(formulation, t);
  }
  return formulation;
}

/** So many paths can be written out for a program of everything. */
const mostWritten = 300_000;

/** Whether a program of everything can be written out; of more plans only what a relaxation keeps. */
export function isWritable({ flows }: PlanSpace): boolean {
  return flows.reduce((sum, { space }) => sum + space.paths, 0) <= mostWritten;
}

/** All families of a space, and all paths but those that others dominate. */
export function everythingOf({
  space,
  rules,
}: Pick<FormulationInput, "space" | "rules">): KeptStep {
  return {
    families: [...space.families.keys()],
    plans: space.flows.map(({ space: { graph } }, q) => {
      const prices = new Float64Array(graph.classes.length);
      return usefulPaths(
        pathsWithin(priceGraph(graph, 1, prices), Number.POSITIVE_INFINITY),
        rules,
        q,
      );
    }),
  };
}

/** Without dominated plans, unless a pin may ask for one of them. */
export function usefulPaths(
  paths: readonly PlanPath[],
  rules: FormulationInput["rules"],
  flow: number,
): readonly PlanPath[] {
  return rules?.some(({ plans }) => plans.has(flow)) ? paths : withoutDominated(paths);
}

/**
 * What may take part: of the plans those that pins and bans allow and whose Gets can be made on families
 * that take part, of the families what is pinned and nothing that is banned.
 */
function restricted({ space, rules }: FormulationInput, t: number, kept: KeptStep): KeptStep {
  const step = rules?.[t];
  const families = new Set([...kept.families, ...(step?.pinned ?? [])]);
  for (const family of step?.banned ?? []) families.delete(family);
  families.delete(-1);
  return {
    families: [...families].sort((a, b) => a - b),
    plans: kept.plans.map((plans, q) => {
      const { space: own } = space.flows[q] as Flow;
      const stands = own.familiesOf.map((all) => all.some((family) => families.has(family)));
      return plans.filter(
        (path) => path.classes.every((index) => stands[index]) && isAllowed(step, q, own, path),
      );
    }),
  };
}

/** A pinned family that is banned as well, or that is no candidate, leaves no solution. */
function whatIsPinnedExists({ input, model, present }: Formulation, t: number): void {
  for (const c of input.rules?.[t]?.pinned ?? []) {
    const variable = present[t]?.get(c);
    const [row, ones] = variable === undefined ? [[], []] : [[variable], [1]];
    addConstraint(model, `pinned_${c}_${t}`, 1, 1, row, ones);
  }
}

/** The families that exist before the first step where they are told; undefined elsewhere. */
export function schemaBeforeFirst(
  input: Pick<FormulationInput, "options" | "workload" | "startSchema">,
): readonly number[] | undefined {
  return stepBefore(input, 0) === undefined ? input.startSchema : undefined;
}

/** True when families that appear at t are built by a migration (or a load) that costs. */
function hasMigrationInto(input: FormulationInput, t: number): boolean {
  return (
    stepBefore(input, t) !== undefined ||
    input.options.initialLoad ||
    schemaBeforeFirst(input) !== undefined
  );
}

/** The step whose schema is the source for step t; undefined for the first load from outside. */
export function stepBefore(
  { options, workload }: Pick<FormulationInput, "options" | "workload">,
  t: number,
): number | undefined {
  if (t > 0) return t - 1;
  return options.cyclic && workload.timeline.steps > 1 ? workload.timeline.steps - 1 : undefined;
}

/** The step whose new families are built during t; undefined after the last one. */
export function stepAfter(
  { options, workload }: Pick<FormulationInput, "options" | "workload">,
  t: number,
): number | undefined {
  if (t + 1 < workload.timeline.steps) return t + 1;
  return options.cyclic && t > 0 ? 0 : undefined;
}

/** A query is read at every step; a support query where its update runs and its family may exist. */
function isRead(
  { space, workload }: FormulationInput,
  flow: number,
  t: number,
  exists: ReadonlySet<number>,
): boolean {
  const serves = space.flows[flow]?.serves;
  if (!serves) return true;
  return exists.has(serves.family) && executions(workload, serves.statement, t) > 0;
}

/** (5), (6): a unit of flow leaves the root of every query's plan tree; of a support query's, as much as its family exists. */
function everyQueryIsAnswered({ input, model, present, used }: Formulation, t: number): void {
  const exists = present[t] as ReadonlyMap<number, VariableIndex>;
  used[t]?.forEach((variables, q) => {
    const serves = input.space.flows[q]?.serves;
    const row = [...variables.values()];
    if (!serves) addConstraint(model, `answered_${q}_${t}`, 1, 1, row, ones(row.length));
    else if (isRead(input, q, t, new Set(exists.keys()))) {
      const all = [...row, exists.get(serves.family) as VariableIndex];
      addConstraint(model, `supported_${q}_${t}`, 0, 0, all, [...ones(row.length), -1]);
    }
  });
}

/**
 * (7): what flows through Gets on a class of families is at most what is there of it. For one family
 * alone this is (7) as written; of several that do the same, any may carry a share, so that bounding
 * the flow through the whole class is as tight as bounding each one's.
 */
function usedOnlyIfPresent({ input, model, present, used }: Formulation, t: number): void {
  input.space.flows.forEach(({ space: { graph, familiesOf } }, q) => {
    const through = new Map<number, VariableIndex[]>();
    for (const [path, variable] of used[t]?.[q] ?? []) {
      const classes = path.classes.flatMap((index) => graph.classes[index]?.within ?? []);
      for (const index of new Set(classes)) {
        const list = through.get(index) ?? [];
        list.push(variable);
        through.set(index, list);
      }
    }
    for (const [index, variables] of [...through].sort(([a], [b]) => a - b)) {
      const there = (familiesOf[index] ?? []).flatMap((c) => present[t]?.get(c) ?? []);
      const row = [...variables, ...there];
      const coefficients = [...ones(variables.length), ...ones(there.length).map((one) => -one)];
      const name = `exists_${q}_${index}_${t}`;
      addConstraint(model, name, Number.NEGATIVE_INFINITY, 0, row, coefficients);
    }
  });
}

/** (4), and no creation where nothing can fill the family. */
function createdWhenItAppears({ input, model, present, created }: Formulation, t: number): void {
  const before = stepBefore(input, t);
  const start = t === 0 ? startOf(input) : undefined;
  for (const [c, variable] of created[t] ?? []) {
    const now = present[t]?.get(c) as VariableIndex;
    if (start?.has(c)) continue;
    const then = before === undefined ? undefined : present[before]?.get(c);
    const variables = [variable, now, ...(then === undefined ? [] : [then])];
    const coefficients = then === undefined ? [1, -1] : [1, -1, 1];
    addConstraint(model, `created_${c}_${t}`, 0, Number.POSITIVE_INFINITY, variables, coefficients);
    if (isUnfillable(input, c, before, start))
      addConstraint(model, `unfillable_${c}_${t}`, 0, 0, [variable], [1]);
  }
}

/** The start schema as a set, where there is one that is heard. */
function startOf(input: FormulationInput): ReadonlySet<number> | undefined {
  const start = schemaBeforeFirst(input);
  return start && new Set(start);
}

function isUnfillable(
  { space, costModel }: FormulationInput,
  c: number,
  before: number | undefined,
  start: ReadonlySet<number> | undefined,
): boolean {
  if (start) return cheapestSources(space, costModel, c, start) === undefined;
  const { migrations } = space;
  return before !== undefined && migrations.isShort && migrations.patternsOf(c).length === 0;
}

/** (9)–(12) for the families written out. */
function filledFromTheSchemaBefore(formulation: Formulation, t: number): void {
  const { input, created, fills } = formulation;
  const before = stepBefore(input, t);
  if (before === undefined) return;
  for (const g of [...input.explicit].sort((a, b) => a - b)) {
    const build = created[t]?.get(g);
    if (build !== undefined) fills[t]?.set(g, fillFamily(formulation, g, build, t, before));
  }
}

function fillFamily(
  { input, model, present }: Formulation,
  g: number,
  build: VariableIndex,
  t: number,
  before: number,
): PatternVariables[] {
  // One list per slot position: a family may stand in two slots of one pattern (self-relationships).
  const uses = new Map<string, { readonly family: number; readonly variables: VariableIndex[] }>();
  const sources = new Set(present[before]?.keys());
  const patterns = input.space.migrations.patternsFrom(g, sources);
  const variables = patterns.map((pattern, m): PatternVariables => {
    const share = { lower: 0, upper: 1, integral: false };
    const filled = addVariable(model, { name: `filled_${g}_${m}_${t}`, ...share });
    const sources = pattern.slots.map((slot, s) => {
      const members = slot.filter((h) => present[before]?.has(h));
      const slotVariables = new Map(
        members.map((h) => [
          h,
          addVariable(model, { name: `source_${g}_${m}_${s}_${h}_${t}`, ...share }),
        ]),
      );
      for (const [h, source] of slotVariables) {
        const use = uses.get(`${s}_${h}`) ?? { family: h, variables: [] };
        use.variables.push(source);
        uses.set(`${s}_${h}`, use);
      }
      const row = [...slotVariables.values(), filled];
      addConstraint(model, `slot_${g}_${m}_${s}_${t}`, 0, 0, row, [...ones(members.length), -1]);
      return slotVariables;
    });
    return { pattern, filled, sources };
  });
  const row = [...variables.map(({ filled }) => filled), build];
  addConstraint(model, `filled_${g}_${t}`, 0, 0, row, [...ones(variables.length), -1]);
  for (const [place, { family, variables: list }] of uses)
    atMost(model, `source_${g}_${place}_${t}`, list, present[before]?.get(family));
  return variables;
}

/** Σ variables ≤ limit. */
function atMost(
  model: IlpModel,
  name: string,
  variables: readonly VariableIndex[],
  limit: VariableIndex | undefined,
): void {
  if (limit === undefined) throw new Error(`${name}: a kept plan uses a family that is not kept`);
  const row = [...variables, limit];
  addConstraint(model, name, Number.NEGATIVE_INFINITY, 0, row, [...ones(variables.length), -1]);
}

function ones(length: number): number[] {
  return new Array<number>(length).fill(1);
}

/**
 * (14), in thousandths of the limit so that the row's coefficients stay near one. A solver calls
 * 0.999999 integral and so lets a schema exceed the limit by a few bytes in a million; `optimise` finds
 * such a set on reading it back and forbids it by a cover inequality, which is exact.
 */
function storageLimit({ input, model, present, created }: Formulation, t: number): void {
  const { storageBytes: limit, space, options } = input;
  if (limit === undefined) return;
  const unit = Math.max(limit, 1);
  const after = stepAfter(input, t);
  const building =
    options.buildingCountsAsStorage && after !== undefined ? created[after] : undefined;
  const all = [...(present[t] ?? []), ...(building ?? [])];
  addConstraint(
    model,
    `storage_${t}`,
    Number.NEGATIVE_INFINITY,
    (1000 * limit) / unit,
    all.map(([, variable]) => variable),
    all.map(([c]) => (1000 * bytesOf(space, c)) / unit),
  );
  for (const [index, cover] of input.tooLarge.entries()) {
    // A family under construction counts like one that exists, and it cannot be both.
    const row = all.filter(([c]) => cover.includes(c)).map(([, variable]) => variable);
    addConstraint(
      model,
      `cover_${index}_${t}`,
      Number.NEGATIVE_INFINITY,
      cover.length - 1,
      row,
      ones(row.length),
    );
  }
}

function costs(formulation: Formulation, t: number): void {
  readCosts(formulation, t);
  updateCosts(formulation, t);
  migrationCosts(formulation, t);
}

/** Executions of the statement that a flow serves, times the reads of each. */
export function readsOf(
  { workload }: Pick<FormulationInput, "workload">,
  flow: Flow,
  t: number,
): number {
  const statement = flow.serves?.statement ?? flow.space.query.query.id;
  return executions(workload, statement, t) * flow.times;
}

function readCosts({ input, model, used, scale }: Formulation, t: number): void {
  input.space.flows.forEach((flow, q) => {
    const times = readsOf(input, flow, t);
    const term = flow.serves ? costTermNames.support : costTermNames.query;
    for (const [{ cost }, variable] of used[t]?.[q] ?? [])
      addCost(model, term, variable, (times * cost) / scale);
  });
}

function updateCosts({ input, model, present, created, scale }: Formulation, t: number): void {
  const { space, workload } = input;
  const before = stepBefore(input, t);
  for (const { statement, family, cost } of space.maintenance) {
    const exists = present[t]?.get(family);
    if (exists === undefined) continue;
    const times = executions(workload, statement, t);
    addCost(model, costTermNames.update, exists, (times * cost) / scale);
    const build = created[t]?.get(family);
    if (build === undefined || before === undefined) continue;
    const share = maintenanceWhileLoading(input, statement, family, cost, before);
    addCost(model, costTermNames.maintenance, build, share / scale);
  }
}

/** (16): updates that come while the family is loaded, executions per second · seconds of loading · C′. */
export function maintenanceWhileLoading(
  { space, workload, costModel }: Pick<FormulationInput, "space" | "workload" | "costModel">,
  statement: string,
  family: number,
  cost: number,
  before: number,
): number {
  const perSecond = executions(workload, statement, before) / workload.timeline.stepSeconds;
  return (perSecond * cost * loadCost(costModel, bytesOf(space, family))) / 1000;
}

function migrationCosts({ input, model, created, fills, scale }: Formulation, t: number): void {
  const { space, costModel } = input;
  const before = stepBefore(input, t);
  const start = t === 0 ? startOf(input) : undefined;
  const reading = (g: number): number => {
    if (before !== undefined) return fills[t]?.has(g) ? 0 : leastExtraction(space, costModel, g);
    const sources = (start && cheapestSources(space, costModel, g, start)) ?? [];
    return sources.reduce((sum, h) => sum + extractCost(costModel, bytesOf(space, h)), 0);
  };
  for (const [g, variable] of created[t] ?? []) {
    addCost(model, costTermNames.load, variable, loadCost(costModel, bytesOf(space, g)) / scale);
    const extraction = reading(g);
    if (extraction > 0) addCost(model, costTermNames.extract, variable, extraction / scale);
  }
  for (const { sources } of [...(fills[t]?.values() ?? [])].flat())
    for (const slot of sources)
      for (const [h, variable] of slot)
        addCost(
          model,
          costTermNames.extract,
          variable,
          extractCost(costModel, bytesOf(space, h)) / scale,
        );
}

/** No migration plan extracts for less. Of many families only that something has to be read. */
function leastExtraction(space: PlanSpace, costModel: CostModel, g: number): number {
  if (!space.migrations.isShort) return extractCost(costModel, 0);
  const patterns = space.migrations.patternsOf(g);
  if (patterns.length === 0) return 0;
  return Math.min(
    ...patterns.map(({ slots }) =>
      slots.reduce(
        (sum, slot) =>
          sum + Math.min(...slot.map((h) => extractCost(costModel, bytesOf(space, h)))),
        0,
      ),
    ),
  );
}

/**
 * The power of ten nearest to the cost of the cheapest plans for everything: the optimum then lies
 * between about 1 and 100, where the solver's absolute tolerances are meant to be used.
 */
function objectiveScale({ space, workload }: FormulationInput): number {
  let least = 0;
  for (let t = 0; t < workload.timeline.steps; t += 1)
    for (const each of space.queries)
      least += executions(workload, each.query.query.id, t) * each.leastCost;
  return least > 0 ? 10 ** Math.round(Math.log10(least) - 1) : 1;
}
