/**
 * The integer program (engine.md §8; equation numbers are the paper's).
 *
 * Sets        c ∈ C families · t ∈ T steps · q ∈ Q queries · p ∈ P(q) plans · m ∈ M(g) patterns that fill g
 * Parameters  n(q,t) executions · cost(p) ms · size(c) bytes · E(h) = T″(size h) · L(g) = T‴(size g) · B bytes
 * Variables   present[c,t] ∈ {0,1}    c exists during t
 *             used[p,t]    ∈ [0,1]    share of q's executions that plan p answers
 *             created[c,t] ∈ [0,1]    c is built between t−1 and t
 *             filled[m,t]  ∈ [0,1]    pattern m fills its family between t−1 and t
 *             source[m,slot,h,t]      family h of the schema before stands in a slot of m
 * Minimise    Σ n(q,t)·cost(p)·used[p,t] + Σ L(g)·created[g,t] + Σ E(h)·source[m,slot,h,t]
 * Subject to  (5,6)  Σ_p used[p,t] = 1                                     every query, every step
 *             (7)    Σ_{p ∋ c} used[p,t] ≤ present[c,t]                    every query, family, step
 *             (4)    created[c,t] ≥ present[c,t] − present[c,t−1]
 *             (9–12) Σ_m filled[m,t] = created[g,t];  Σ_h source[m,slot,h,t] = filled[m,t];
 *                    Σ_{m,slot} source[m,slot,h,t] ≤ present[h,t−1]        every g, source, step
 *             (14)   Σ_c size(c)·present[c,t] (+ size(c)·created[c,t+1]) ≤ B
 *                    Σ_{c ∈ S} present[c,t] ≤ |S| − 1                      S too large together
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
import { extractCost, loadCost } from "./cost-model.ts";
import type { MigrationPattern } from "./enumerate-migration-plans.ts";
import type { PlanSpace } from "./plan-space.ts";

export interface FormulationInput {
  readonly space: PlanSpace;
  readonly workload: Workload;
  readonly costModel: CostModel;
  readonly options: Pick<ProblemOptions, "initialLoad" | "cyclic" | "buildingCountsAsStorage">;
  /** Bytes per step; undefined for no limit. */
  readonly storageBytes: number | undefined;
  /** Families whose migration is written out. */
  readonly explicit: ReadonlySet<number>;
  /** Sets of families that exceed the storage limit together (see `storageLimit`). */
  readonly tooLarge: readonly (readonly number[])[];
}

/** The program with handles to its variables. `scale` turns objective units into milliseconds. */
export interface Formulation {
  readonly input: FormulationInput;
  readonly model: IlpModel;
  /** present[t][family] */
  readonly present: readonly (readonly VariableIndex[])[];
  /** used[t][query][plan] */
  readonly used: readonly (readonly (readonly VariableIndex[])[])[];
  /** created[t][family]; undefined where the first schema comes free. */
  readonly created: readonly (readonly VariableIndex[] | undefined)[];
  /** fills[t] by family: one entry per pattern. */
  readonly fills: readonly ReadonlyMap<number, readonly PatternVariables[]>[];
  /** Milliseconds per unit of the objective: a power of ten that keeps coefficients near one. */
  readonly scale: number;
}

export interface PatternVariables {
  readonly pattern: MigrationPattern;
  readonly filled: VariableIndex;
  /** source[slot][index into the slot's families] */
  readonly sources: readonly (readonly VariableIndex[])[];
}

/** The six named cost terms; the objective is their sum and the report shows the same. */
export const costTermNames = {
  query: "queryCost",
  extract: "extractionCost",
  load: "migrationLoadCost",
} as const;

export function formulate(input: FormulationInput): Formulation {
  const { space, workload } = input;
  const { steps } = workload.timeline;
  const model = createIlpModel("schema over time");
  const scale = objectiveScale(input);
  const times = Array.from({ length: steps }, (_, t) => t);
  const present = times.map((t) =>
    space.families.map((_, c) =>
      addVariable(model, { name: `present_${c}_${t}`, lower: 0, upper: 1, integral: true }),
    ),
  );
  const used = times.map((t) =>
    space.queries.map(({ plans }, q) =>
      plans.map((_, p) =>
        addVariable(model, { name: `used_${q}_${p}_${t}`, lower: 0, upper: 1, integral: false }),
      ),
    ),
  );
  const created = times.map((t) =>
    hasMigrationInto(input, t)
      ? space.families.map((_, c) =>
          addVariable(model, { name: `created_${c}_${t}`, lower: 0, upper: 1, integral: false }),
        )
      : undefined,
  );
  const fills = times.map(() => new Map<number, PatternVariables[]>());
  const formulation: Formulation = { input, model, present, used, created, fills, scale };
  for (const t of times) {
    everyQueryIsAnswered(formulation, t);
    usedOnlyIfPresent(formulation, t);
    createdWhenItAppears(formulation, t);
    filledFromTheSchemaBefore(formulation, t);
    storageLimit(formulation, t);
    costs(formulation, t);
  }
  return formulation;
}

/** True when families that appear at t are built by a migration (or a load) that costs. */
function hasMigrationInto({ options, workload }: FormulationInput, t: number): boolean {
  return t > 0 || options.initialLoad || (options.cyclic && workload.timeline.steps > 1);
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

/** (5), (6): a unit of flow leaves the root of every plan tree. */
function everyQueryIsAnswered({ model, used }: Formulation, t: number): void {
  used[t]?.forEach((variables, q) => {
    addConstraint(
      model,
      `answered_${q}_${t}`,
      1,
      1,
      variables,
      variables.map(() => 1),
    );
  });
}

/** (7): what flows through a family's nodes is at most its presence. */
function usedOnlyIfPresent({ input, model, present, used }: Formulation, t: number): void {
  input.space.queries.forEach(({ plans }, q) => {
    const through = new Map<number, VariableIndex[]>();
    plans.forEach(({ families }, p) => {
      for (const family of families) {
        const list = through.get(family) ?? [];
        list.push(used[t]?.[q]?.[p] as VariableIndex);
        through.set(family, list);
      }
    });
    for (const [family, variables] of [...through].sort(([a], [b]) => a - b)) {
      addConstraint(
        model,
        `exists_${q}_${family}_${t}`,
        Number.NEGATIVE_INFINITY,
        0,
        [...variables, present[t]?.[family] as VariableIndex],
        [...variables.map(() => 1), -1],
      );
    }
  });
}

/** (4), and no creation where nothing can fill the family. */
function createdWhenItAppears({ input, model, present, created }: Formulation, t: number): void {
  const before = stepBefore(input, t);
  created[t]?.forEach((variable, c) => {
    const now = present[t]?.[c] as VariableIndex;
    const name = `created_${c}_${t}`;
    if (before === undefined) {
      addConstraint(model, name, 0, Number.POSITIVE_INFINITY, [variable, now], [1, -1]);
      return;
    }
    const then = present[before]?.[c] as VariableIndex;
    addConstraint(model, name, 0, Number.POSITIVE_INFINITY, [variable, now, then], [1, -1, 1]);
    if (input.space.migrations[c]?.length === 0)
      addConstraint(model, `unfillable_${c}_${t}`, 0, 0, [variable], [1]);
  });
}

/** (9)–(12) for the families written out. */
function filledFromTheSchemaBefore(formulation: Formulation, t: number): void {
  const { input, model, present, created, fills } = formulation;
  const before = stepBefore(input, t);
  if (before === undefined || !created[t]) return;
  for (const g of [...input.explicit].sort((a, b) => a - b)) {
    const patterns = input.space.migrations[g] ?? [];
    if (patterns.length === 0) continue;
    const uses = new Map<number, VariableIndex[]>();
    const variables = patterns.map((pattern, m): PatternVariables => {
      const filled = addVariable(model, {
        name: `filled_${g}_${m}_${t}`,
        lower: 0,
        upper: 1,
        integral: false,
      });
      const sources = pattern.slots.map((slot, s) =>
        slot.map((h) => {
          const source = addVariable(model, {
            name: `source_${g}_${m}_${s}_${h}_${t}`,
            lower: 0,
            upper: 1,
            integral: false,
          });
          uses.set(h, [...(uses.get(h) ?? []), source]);
          return source;
        }),
      );
      sources.forEach((slot, s) => {
        addConstraint(
          model,
          `slot_${g}_${m}_${s}_${t}`,
          0,
          0,
          [...slot, filled],
          [...slot.map(() => 1), -1],
        );
      });
      return { pattern, filled, sources };
    });
    const fillVariables = variables.map(({ filled }) => filled);
    addConstraint(
      model,
      `filled_${g}_${t}`,
      0,
      0,
      [...fillVariables, created[t]?.[g] as VariableIndex],
      [...fillVariables.map(() => 1), -1],
    );
    for (const [h, list] of [...uses].sort(([a], [b]) => a - b)) {
      addConstraint(
        model,
        `source_${g}_${h}_${t}`,
        Number.NEGATIVE_INFINITY,
        0,
        [...list, present[before]?.[h] as VariableIndex],
        [...list.map(() => 1), -1],
      );
    }
    (fills[t] as Map<number, readonly PatternVariables[]>).set(g, variables);
  }
}

/**
 * (14), in thousandths of the limit so that the row's coefficients stay near one. A solver calls
 * 0.999999 integral and so lets a schema exceed the limit by a few bytes in a million; `optimise` finds
 * such a set on reading it back and forbids it by a cover inequality, which is exact.
 */
function storageLimit({ input, model, present, created }: Formulation, t: number): void {
  const { storageBytes: limit, space, options } = input;
  if (limit === undefined) return;
  const sizes = space.families.map(({ columnFamily }) => (1000 * columnFamily.size.bytes) / limit);
  const after = stepAfter(input, t);
  const building =
    options.buildingCountsAsStorage && after !== undefined ? created[after] : undefined;
  addConstraint(
    model,
    `storage_${t}`,
    Number.NEGATIVE_INFINITY,
    1000,
    [...(present[t] ?? []), ...(building ?? [])],
    [...sizes, ...(building ? sizes : [])],
  );
  input.tooLarge.forEach((cover, index) => {
    // A family under construction counts like one that exists, and it cannot be both.
    const variables = cover.flatMap((c) => [
      present[t]?.[c] as VariableIndex,
      ...(building ? [building[c] as VariableIndex] : []),
    ]);
    addConstraint(
      model,
      `cover_${index}_${t}`,
      Number.NEGATIVE_INFINITY,
      cover.length - 1,
      variables,
      variables.map(() => 1),
    );
  });
}

function costs({ input, model, used, created, fills, scale }: Formulation, t: number): void {
  const { space, workload, costModel } = input;
  space.queries.forEach(({ query, plans }, q) => {
    const times = executions(workload, query.query.id, t);
    plans.forEach(({ cost }, p) => {
      addCost(
        model,
        costTermNames.query,
        used[t]?.[q]?.[p] as VariableIndex,
        (times * cost) / scale,
      );
    });
  });
  const before = stepBefore(input, t);
  created[t]?.forEach((variable, g) => {
    addCost(model, costTermNames.load, variable, loadCost(costModel, bytesOf(space, g)) / scale);
    const written = before !== undefined && fills[t]?.has(g);
    if (before !== undefined && !written)
      addCost(model, costTermNames.extract, variable, leastExtraction(space, costModel, g) / scale);
  });
  for (const patterns of fills[t]?.values() ?? []) {
    for (const { pattern, sources } of patterns) {
      pattern.slots.forEach((slot, s) => {
        slot.forEach((h, index) => {
          addCost(
            model,
            costTermNames.extract,
            sources[s]?.[index] as VariableIndex,
            extractCost(costModel, bytesOf(space, h)) / scale,
          );
        });
      });
    }
  }
}

function bytesOf(space: PlanSpace, family: number): number {
  return space.families[family]?.columnFamily.size.bytes ?? 0;
}

/** No migration plan extracts for less; 0 where there is none at all. */
function leastExtraction(space: PlanSpace, costModel: CostModel, g: number): number {
  const patterns = space.migrations[g] ?? [];
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
    for (const { query, plans } of space.queries)
      least += executions(workload, query.query.id, t) * (plans[0]?.cost ?? 0);
  return 10 ** Math.round(Math.log10(Math.max(least, 1e-9)) - 1);
}
