/**
 * A good answer over time among a pool of families, where the program over all steps with that pool is too
 * large to be searched: a few steps at a time are chosen anew while the others stay as they are (a variable
 * neighbourhood over time; Pisinger and Ropke, Large Neighborhood Search, in: Handbook of Metaheuristics, 2nd
 * ed., 2010). What comes after a window must still be filled from it, and it from what comes before.
 *
 * First steps that follow one another and ask for the same count as one, so that few are left and their schemas
 * meet each other soon; then every step by itself, so that a table may come a step before it is read.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import { workloadAt } from "#model/workload.ts";
import type { FamilyPool } from "./family-pool.ts";
import { type KeptStep, stepBefore } from "./formulate.ts";
import type { Choice, Schema } from "./read-solution.ts";
import { keepFamilies } from "./reduce-program.ts";
import type { StepRules } from "./restrictions.ts";
import { keyOfStep } from "./run-memory.ts";
import {
  noSize,
  type ProgramSize,
  type SchemasInput,
  type SearchLimits,
  solveSchemas,
  workable,
} from "./solve-schemas.ts";

export type WindowsOutcome =
  | {
      readonly status: "improved";
      readonly choice: Choice;
      /** The largest program that was searched, and the nodes of all. */
      readonly size: ProgramSize;
    }
  | { readonly status: "failed"; readonly message: string };

/** Steps (or runs of equal steps) that are chosen together. */
const width = 4;
/** Windows overlap by half, so that every change of schema lies well inside of one. */
const stride = 2;
/** A window is searched to this relative gap, and a round that gains less is the last. */
const windowGap = 1e-3;

/** `start` must be workable; `runs` lists, for every run of equal steps, its steps in order. */
export async function improveInWindows(
  solver: IlpSolver,
  input: SchemasInput,
  { families, fillers }: FamilyPool,
  runs: readonly (readonly number[])[],
  start: Choice,
  limits: SearchLimits,
): Promise<WindowsOutcome> {
  const all = new Set([...families, ...fillers, ...start.schemas.flat()]);
  const kept = keepFamilies(input, all);
  const search: Search = { solver, input, limits, kept, best: start, size: noSize };
  const failed = await sweep(search, runs);
  if (failed) return failed;
  const { steps } = input.workload.timeline;
  if (runs.length < steps) {
    search.kept = keepFamilies(input, new Set([...search.best.schemas.flat(), ...fillers]));
    const alone = Array.from({ length: steps }, (_, t) => [t]);
    const failedThen = await sweep(search, alone);
    if (failedThen) return failedThen;
  }
  return { status: "improved", choice: search.best, size: search.size };
}

interface Search {
  readonly solver: IlpSolver;
  readonly input: SchemasInput;
  readonly limits: SearchLimits;
  kept: KeptStep;
  best: Choice;
  size: ProgramSize;
}

type Failed = WindowsOutcome & { readonly status: "failed" };

/** Rounds over all windows until one gains little; runs count as one step each. */
async function sweep(
  search: Search,
  runs: readonly (readonly number[])[],
): Promise<Failed | undefined> {
  const over = merged(search.input, runs);
  for (;;) {
    const { cost } = search.best;
    for (const window of windowsOf(over)) {
      const left = search.limits.secondsLeft();
      if (left !== undefined && left <= 0) return undefined;
      const failed = await improve(search, over, runs, window);
      if (failed) return failed;
    }
    const isWhole = runs.length <= width;
    if (isWhole || search.best.cost > cost * (1 - windowGap)) return undefined;
  }
}

/** Steps to choose anew, the step before them and the one after; undefined where there is none. */
interface Window {
  readonly steps: readonly number[];
  readonly before: number | undefined;
  readonly after: number | undefined;
}

function windowsOf(over: SchemasInput): Window[] {
  const count = over.workload.timeline.steps;
  const all = Array.from({ length: count }, (_, t) => t);
  if (count <= width) return [{ steps: all, before: undefined, after: undefined }];
  const isCyclic = stepBefore(over, 0) !== undefined;
  const starts = all.filter((t) => t % stride === 0 && (isCyclic || t + stride < count));
  return starts.map((from) => {
    const end = from + width;
    const steps = all.slice(from, end);
    if (isCyclic && end > count) steps.push(...all.slice(0, end - count));
    const after = isCyclic ? end % count : end < count ? end : undefined;
    return { steps, before: stepBefore(over, from), after };
  });
}

async function improve(
  search: Search,
  over: SchemasInput,
  runs: readonly (readonly number[])[],
  window: Window,
): Promise<Failed | undefined> {
  const { solver, limits, best } = search;
  const schemas = runs.map(([first]) => best.schemas[first as number] as Schema);
  const some = [...window.steps, ...(window.after === undefined ? [] : [window.after])];
  const outcome = await solveSchemas(
    solver,
    windowInput(over, schemas, search.kept, window),
    {
      gap: windowGap,
      secondsLeft: limits.secondsLeft,
      ...(limits.onNodes && { onNodes: limits.onNodes }),
    },
    some.map((t) => schemas[t] as Schema),
  );
  if (outcome.status === "failed") return outcome;
  if (outcome.status !== "solved") return undefined;
  const { nodes, ...size } = outcome.size;
  const isLargest = size.columns > search.size.columns;
  search.size = { ...(isLargest ? size : search.size), nodes: nodes + search.size.nodes };
  const chosen = new Map(window.steps.map((t, at) => [t, outcome.choice.schemas[at] as Schema]));
  const next = best.schemas.map((schema, step) => {
    const run = runs.findIndex((steps) => steps.includes(step));
    return chosen.get(run) ?? schema;
  });
  const choice = workable(search.input, next);
  if (choice && choice.cost < best.cost) {
    search.best = choice;
    limits.onBetter?.(choice);
  }
  return undefined;
}

/** The program of some steps between others that stay as they are. */
function windowInput(
  over: SchemasInput,
  schemas: readonly Schema[],
  kept: KeptStep,
  { steps, before, after }: Window,
): SchemasInput {
  if (steps.length === schemas.length) return { ...over, kept: steps.map(() => kept) };
  const all = after === undefined ? steps : [...steps, after];
  const fixed = after === undefined ? undefined : (schemas[after] as Schema);
  const ruled = over.rules !== undefined || fixed !== undefined;
  return {
    ...over,
    workload: stepsOf(over.workload, all),
    ...(ruled && {
      rules: all.map((t) => {
        const rules = over.rules?.[t] ?? noRules;
        return t === after && fixed ? { ...rules, pinned: new Set(fixed) } : rules;
      }),
    }),
    startSchema: before === undefined ? over.startSchema : schemas[before],
    options: {
      ...over.options,
      cyclic: false,
      initialLoad: before === undefined && over.options.initialLoad,
    },
    kept: all.map((t) => (t === after && fixed ? keepFamilies(over, new Set(fixed)) : kept)),
  };
}

const noRules: StepRules = { pinned: new Set(), banned: new Set(), plans: new Map() };

function stepsOf(
  workload: SchemasInput["workload"],
  steps: readonly number[],
): SchemasInput["workload"] {
  const { timeline, curves } = workload;
  return {
    timeline: { ...timeline, steps: steps.length },
    curves: Object.fromEntries(
      Object.entries(curves).map(([id, curve]) => [id, steps.map((t) => curve[t] ?? 0)]),
    ),
  };
}

/**
 * Each run as one step in which everything runs as often as in all of its steps together. (What updates cost
 * while a table is loaded is overstated by that; it only guides the search.)
 */
function merged(input: SchemasInput, runs: readonly (readonly number[])[]): SchemasInput {
  const { workload, rules } = input;
  const firsts = runs.map(([first]) => first as number);
  const { timeline, curves } = stepsOf(workload, firsts);
  return {
    ...input,
    workload: {
      timeline,
      curves: Object.fromEntries(
        Object.entries(curves).map(([id, curve]) => [
          id,
          curve.map((frequency, run) => frequency * (runs[run] as readonly number[]).length),
        ]),
      ),
    },
    ...(rules && { rules: firsts.map((t) => rules[t] as StepRules) }),
  };
}

/** Steps that follow one another and ask for the same. */
export function runsOf({ workload, rules }: SchemasInput): readonly (readonly number[])[] {
  const keys = Array.from({ length: workload.timeline.steps }, (_, t) =>
    keyOfStep({ workload: workloadAt(workload, t), rules: rules?.[t] }),
  );
  const runs: number[][] = [];
  for (const [t, key] of keys.entries()) {
    if (t > 0 && key === keys[t - 1]) runs.at(-1)?.push(t);
    else runs.push([t]);
  }
  return runs;
}
