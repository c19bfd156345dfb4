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
import { bytesOfAll } from "./plan-space.ts";
import { type Choice, chooseFor, type Schema, storageCover } from "./read-solution.ts";
import type { PricesOutcome, StepPrices } from "./relax-step.ts";
import { rulesOfAllSteps } from "./restrictions.ts";
import { keyOfStep } from "./run-memory.ts";
import {
  type OneStep,
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
  /** The cheapest static schema, for every step; undefined where pins and bans, or the start schema, allow none. */
  readonly bestStatic: readonly Schema[] | undefined;
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
  const wanted = wantedSteps(input);
  const statics = [wanted.average, wanted.first, wanted.last];
  // Steps with equal frequencies and rules have equal optima, and the average of a flat curve is one of them.
  const distinct = new Map(
    [wanted.average, ...wanted.steps, wanted.first, wanted.last].map((each) => [
      keyOfStep(each),
      each,
    ]),
  );
  const isInTime = new Set(wanted.steps.map(keyOfStep));
  const prices = await priceAll(solver, input, distinct, isInTime, limits);
  if (!(prices instanceof Map)) return prices;
  const outcomes = new Map<string, SolvedStep>();
  const floor = (): number =>
    sum(
      wanted.steps
        .map(keyOfStep)
        .map((key) => outcomes.get(key)?.bound ?? prices.get(key)?.cost ?? 0),
    );
  hooks.onBound(floor(), 0, distinct.size);
  const tell = staticTeller(input, (choice) => hooks.onStatic(choice, floor()));
  const reserve = shareOverTime * (limits.secondsLeft() ?? 0);
  for (const [at, [key, priced]] of [...prices].entries()) {
    const each = distinct.get(key) as OneStep;
    const onBetter = (choice: Choice): void => tell(choice.schemas[0] ?? []);
    const told = each === wanted.average ? { ...limits, onBetter } : limits;
    const own = withinShare(told, reserve, prices.size - at);
    const outcome = await solveInTurn(told, own, (within) =>
      solveOneStep(solver, input, each, priced, within),
    );
    if (outcome.status === "solved") {
      outcomes.set(key, outcome);
      hooks.onBound(floor(), outcomes.size, distinct.size);
      tell(outcome.choice.schemas[0] ?? []);
    } else if (isInTime.has(key) || outcome.status !== "infeasible") return outcome;
  }
  const solvedFor = (each: OneStep): SolvedStep | undefined => outcomes.get(keyOfStep(each));
  const kinds = ["static average", "static first step", "static last step"] as const;
  return collect(
    input,
    wanted.steps.flatMap((each) => solvedFor(each) ?? []),
    kinds.flatMap((kind, at) => {
      const solved = solvedFor(statics[at] as OneStep);
      return (solved && staticBaseline(kind, solved, input)) ?? [];
    }),
  );
}

/** The relaxations of all steps; of one that is not itself a step of the run, there may be none. */
async function priceAll(
  solver: IlpSolver,
  input: SchemasInput,
  distinct: ReadonlyMap<string, OneStep>,
  isInTime: ReadonlySet<string>,
  limits: SearchLimits,
): Promise<Map<string, StepPrices> | Stopped> {
  const prices = new Map<string, StepPrices>();
  for (const [key, each] of distinct) {
    const priced = await priceOneStep(solver, input, each, limits);
    if (priced.status === "priced") prices.set(key, priced.prices);
    else if (isInTime.has(key) || priced.status !== "infeasible") return stoppedBy(priced);
  }
  return prices;
}

/** Of a time limit so much is kept for the search over all steps. */
const shareOverTime = 0.15;

/** In its share of the time; where that is too little for any answer, in all of it. */
async function solveInTurn(
  all: SearchLimits,
  own: SearchLimits,
  solve: (limits: SearchLimits) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const outcome = await solve(own);
  return outcome.status === "timedOut" && own !== all ? solve(all) : outcome;
}

/** One of so many equal parts of the time that is left beyond a reserve. */
function withinShare(limits: SearchLimits, reserve: number, parts: number): SearchLimits {
  const left = limits.secondsLeft();
  if (left === undefined) return limits;
  const others = left - Math.max(0, left - reserve) / parts;
  return { ...limits, secondsLeft: () => (limits.secondsLeft() ?? left) - others };
}

function stoppedBy(priced: Exclude<PricesOutcome, { status: "priced" }>): Stopped {
  return priced.status === "timedOut" ? { status: "timedOut", bound: 0 } : priced;
}

interface WantedSteps {
  readonly average: OneStep;
  readonly first: OneStep;
  readonly last: OneStep;
  readonly steps: readonly OneStep[];
}

/** Every step alone, and what one schema for all of them is chosen for: it has to respect every pin and ban of any step. */
function wantedSteps(input: SchemasInput): WantedSteps {
  const { workload, rules } = input;
  const last = workload.timeline.steps - 1;
  const all = rulesOfAllSteps(rules);
  const served = (oneStep: Workload): OneStep => ({
    workload: servingAllUpdates(input, oneStep),
    rules: all,
  });
  return {
    average: { workload: averageWorkload(workload), rules: all },
    first: served(workloadAt(workload, 0)),
    last: served(workloadAt(workload, last)),
    steps: Array.from({ length: workload.timeline.steps }, (_, t) => ({
      workload: workloadAt(workload, t),
      rules: rules?.[t],
    })),
  };
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
  const best = statics.toSorted((a, b) => a.baseline.cost - b.baseline.cost)[0];
  return {
    list: [...statics.map(({ baseline }) => baseline), ideal],
    steps,
    bound: sum(steps.map(({ bound }) => bound)),
    bestStatic: best && Array.from({ length: input.workload.timeline.steps }, () => best.schema),
  };
}

/** Undefined where the start schema cannot fill it. */
function staticBaseline(
  kind: Baseline["kind"],
  { choice, finished }: SolvedStep,
  input: SchemasInput,
): { readonly baseline: Baseline; readonly schema: Schema } | undefined {
  const { space, workload, options } = input;
  const schema = choice.schemas[0] ?? [];
  const count = workload.timeline.steps;
  const kept = chooseFor(
    input,
    Array.from({ length: count }, () => schema),
  );
  if (!kept) return undefined;
  const perStep = Array.from({ length: count }, (_, t) => {
    const free = { ...options, initialLoad: false, cyclic: false };
    const rules = input.rules?.slice(t, t + 1);
    const alone = { ...input, workload: workloadAt(workload, t), options: free, rules };
    return chooseFor({ ...alone, startSchema: undefined }, [schema])?.cost ?? Number.NaN;
  });
  return {
    schema,
    baseline: {
      kind,
      cost: kept.cost,
      perStep,
      schema: schema.map((family) => space.families[family]?.columnFamily.key ?? ""),
      storageBytes: bytesOfAll(space, schema),
      exact: finished,
    },
  };
}
