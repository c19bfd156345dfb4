/**
 * The paper's baselines on the same candidates (engine.md §9): one fixed schema chosen for the average,
 * the first or the last step and kept for all; and the ideal, each step alone with migrations free.
 * No answer can cost less than the ideal, so its bounds also bound the optimum from below.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { Baseline } from "#model/recommendation.ts";
import { averageWorkload, type Workload, workloadAt } from "#model/workload.ts";
import { type Choice, chooseFor, type Schema, storageCover } from "./read-solution.ts";
import type { StepPrices } from "./reduce-program.ts";
import {
  priceOneStep,
  type SolvedStep,
  type StepKind,
  type StepOutcome,
  solveOneStep,
} from "./solve-over-time.ts";
import type { SchemasInput, SearchLimits } from "./solve-schemas.ts";

export interface Baselines {
  readonly list: readonly Baseline[];
  /** Every step alone. */
  readonly steps: readonly SolvedStep[];
  /** Milliseconds: no answer costs less. */
  readonly bound: number;
  /** The cheapest static schema, for every step. */
  readonly bestStatic: readonly Schema[];
}

/** Anything but an answer: passed on to the person. */
export type Stopped = Exclude<StepOutcome, SolvedStep>;

/** Who hears of progress. */
export interface BaselineHooks {
  /** Milliseconds: a bound for the whole run, rising. */
  readonly onBound: (bound: number, done: number, all: number) => void;
  /** One schema for all steps, better than the last one told. */
  readonly onStatic: (choice: Choice, bound: number) => void;
}

/** First the relaxations of all steps, so that the first answer already has a bound; then every step to the end. */
export async function computeBaselines(
  solver: IlpSolver,
  input: SchemasInput,
  limits: SearchLimits,
  hooks: BaselineHooks,
): Promise<Baselines | Stopped> {
  const { workload } = input;
  const count = workload.timeline.steps;
  const times = Array.from({ length: count }, (_, t) => t);
  const keys = new Map<StepKind, string>();
  for (const kind of ["average", ...times] as const) keys.set(kind, frequenciesOf(workload, kind));
  const keyOf = (kind: StepKind): string => keys.get(kind) as string;
  // Steps with equal frequencies have equal optima, and the average of a flat curve is one of them.
  const distinct = new Map<string, StepKind>();
  for (const [kind, key] of keys) if (!distinct.has(key)) distinct.set(key, kind);

  const prices = new Map<string, StepPrices>();
  for (const [key, kind] of distinct) {
    const priced = await priceOneStep(solver, input, kind, limits.secondsLeft());
    if (priced.status === "timedOut") return { status: "timedOut", bound: 0 };
    if (priced.status !== "priced") return priced;
    prices.set(key, priced.prices);
  }
  const outcomes = new Map<string, SolvedStep>();
  const floor = (): number =>
    times.reduce((sum, t) => {
      const key = keyOf(t);
      return sum + (outcomes.get(key)?.bound ?? prices.get(key)?.cost ?? 0);
    }, 0);
  hooks.onBound(floor(), 0, distinct.size);
  const tell = staticTeller(input, (choice) => hooks.onStatic(choice, floor()));
  for (const [key, kind] of distinct) {
    const onBetter = (choice: Choice): void => tell(choice.schemas[0] ?? []);
    const told = kind === "average" ? { ...limits, onBetter } : limits;
    const outcome = await solveOneStep(solver, input, kind, prices.get(key) as StepPrices, told);
    if (outcome.status !== "solved") return outcome;
    outcomes.set(key, outcome);
    hooks.onBound(floor(), outcomes.size, distinct.size);
    tell(outcome.choice.schemas[0] ?? []);
  }
  return collect(input, times, (kind) => outcomes.get(keyOf(kind)) as SolvedStep);
}

/** Tells of a schema kept for all steps when it is cheaper than those before. */
function staticTeller(
  input: SchemasInput,
  tell: (choice: Choice) => void,
): (schema: Schema) => void {
  let least = Number.POSITIVE_INFINITY;
  return (schema) => {
    const { steps } = input.workload.timeline;
    const choice = chooseFor(
      input,
      Array.from({ length: steps }, () => schema),
    );
    if (!choice || choice.cost >= least || storageCover(input, choice.schemas)) return;
    least = choice.cost;
    tell(choice);
  };
}

function collect(
  input: SchemasInput,
  times: readonly number[],
  solvedFor: (kind: StepKind) => SolvedStep,
): Baselines {
  const steps = times.map(solvedFor);
  const statics = [
    staticBaseline("static average", solvedFor("average"), input),
    staticBaseline("static first step", solvedFor(0), input),
    staticBaseline("static last step", solvedFor(times.length - 1), input),
  ];
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  const exact = steps.every(
    ({ finished, bound, choice }) => finished && bound >= choice.cost * (1 - 1e-7),
  );
  const perStep = steps.map(({ bound, choice }) => (exact ? choice.cost : bound));
  const ideal: Baseline = { kind: "ideal", cost: sum(perStep), perStep, exact };
  const best = statics.reduce((a, b) => (b.baseline.cost < a.baseline.cost ? b : a));
  return {
    list: [...statics.map(({ baseline }) => baseline), ideal],
    steps,
    bound: sum(steps.map(({ bound }) => bound)),
    bestStatic: times.map(() => best.schema),
  };
}

function frequenciesOf(workload: Workload, kind: StepKind): string {
  const { curves } = kind === "average" ? averageWorkload(workload) : workloadAt(workload, kind);
  return JSON.stringify(Object.entries(curves).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function staticBaseline(
  kind: Baseline["kind"],
  { choice, finished }: SolvedStep,
  input: SchemasInput,
): { readonly baseline: Baseline; readonly schema: Schema } {
  const { space, workload, options } = input;
  const schema = choice.schemas[0] ?? [];
  const count = workload.timeline.steps;
  const kept = chooseFor(
    input,
    Array.from({ length: count }, () => schema),
  );
  if (!kept) throw new Error(`the ${kind} schema answers every query`);
  const perStep = Array.from({ length: count }, (_, t) => {
    const free = { ...options, initialLoad: false, cyclic: false };
    return (
      chooseFor({ ...input, workload: workloadAt(workload, t), options: free }, [schema])?.cost ??
      Number.NaN
    );
  });
  return {
    schema,
    baseline: {
      kind,
      cost: kept.cost,
      perStep,
      schema: schema.map((family) => space.families[family]?.columnFamily.key ?? ""),
      storageBytes: schema.reduce(
        (total, family) => total + (space.families[family]?.columnFamily.size.bytes ?? 0),
        0,
      ),
      exact: finished,
    },
  };
}
