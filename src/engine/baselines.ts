/**
 * The paper's baselines on the same candidates (engine.md §9): one fixed schema chosen for the average,
 * the first or the last step and kept for all; and the ideal, each step alone with migrations free.
 * No answer can cost less than the ideal, so its bounds also bound the optimum from below.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { Baseline } from "#model/recommendation.ts";
import {
  averageWorkload,
  type FrequencyCurve,
  type Workload,
  workloadAt,
} from "#model/workload.ts";
import { type Choice, chooseFor, type Schema, storageCover } from "./read-solution.ts";
import type { StepPrices } from "./reduce-program.ts";
import {
  priceOneStep,
  type SolvedStep,
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
  const times = Array.from({ length: workload.timeline.steps }, (_, t) => t);
  const last = times.length - 1;
  const wanted = {
    average: averageWorkload(workload),
    first: servingAllUpdates(input, workloadAt(workload, 0)),
    last: servingAllUpdates(input, workloadAt(workload, last)),
    steps: times.map((t) => workloadAt(workload, t)),
  };
  // Steps with equal frequencies have equal optima, and the average of a flat curve is one of them.
  const distinct = new Map(
    [wanted.average, ...wanted.steps, wanted.first, wanted.last].map((each) => [keyOf(each), each]),
  );
  const prices = new Map<string, StepPrices>();
  for (const [key, each] of distinct) {
    const priced = await priceOneStep(solver, input, each, limits.secondsLeft());
    if (priced.status === "timedOut") return { status: "timedOut", bound: 0 };
    if (priced.status !== "priced") return priced;
    prices.set(key, priced.prices);
  }
  const outcomes = new Map<string, SolvedStep>();
  const floor = (): number =>
    sum(
      wanted.steps.map(keyOf).map((key) => outcomes.get(key)?.bound ?? prices.get(key)?.cost ?? 0),
    );
  hooks.onBound(floor(), 0, distinct.size);
  const tell = staticTeller(input, (choice) => hooks.onStatic(choice, floor()));
  for (const [key, each] of distinct) {
    const onBetter = (choice: Choice): void => tell(choice.schemas[0] ?? []);
    const told = each === wanted.average ? { ...limits, onBetter } : limits;
    const outcome = await solveOneStep(solver, input, each, prices.get(key) as StepPrices, told);
    if (outcome.status !== "solved") return outcome;
    outcomes.set(key, outcome);
    hooks.onBound(floor(), outcomes.size, distinct.size);
    tell(outcome.choice.schemas[0] ?? []);
  }
  const solvedFor = (each: Workload): SolvedStep => outcomes.get(keyOf(each)) as SolvedStep;
  return collect(input, wanted.steps.map(solvedFor), [
    staticBaseline("static average", solvedFor(wanted.average), input),
    staticBaseline("static first step", solvedFor(wanted.first), input),
    staticBaseline("static last step", solvedFor(wanted.last), input),
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Executions per second that cost nothing to speak of, but for which support queries must have plans. */
const hardlyEver = 1e-12;

/** A schema kept for all steps has to keep its tables true under every update that runs at any of them. */
function servingAllUpdates({ space, workload }: SchemasInput, oneStep: Workload): Workload {
  const updates = new Set(space.maintenance.map(({ statement }) => statement));
  const curves = Object.entries(oneStep.curves).map(([id, curve]): [string, FrequencyCurve] => {
    const ever = updates.has(id) && (workload.curves[id] ?? []).some((frequency) => frequency > 0);
    return [id, ever ? curve.map((frequency) => Math.max(frequency, hardlyEver)) : curve];
  });
  return { ...oneStep, curves: Object.fromEntries(curves) };
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
  steps: readonly SolvedStep[],
  statics: readonly { readonly baseline: Baseline; readonly schema: Schema }[],
): Baselines {
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
    bestStatic: Array.from({ length: input.workload.timeline.steps }, () => best.schema),
  };
}

function keyOf({ curves }: Workload): string {
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
