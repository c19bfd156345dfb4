/**
 * The paper's baselines on the same candidates (engine.md §9): one fixed schema chosen for the average,
 * the first or the last step and kept for all; and the ideal, each step alone with migrations free.
 * No answer can cost less than the ideal, so its bounds also bound the optimum from below.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { Baseline } from "#model/recommendation.ts";
import { averageWorkload, type Workload, workloadAt } from "#model/workload.ts";
import { chooseFor, type Schema } from "./read-solution.ts";
import {
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

export async function computeBaselines(
  solver: IlpSolver,
  input: SchemasInput,
  limits: SearchLimits,
  onBaseline: (done: number, all: number) => void,
): Promise<Baselines | Stopped> {
  const { workload } = input;
  const count = workload.timeline.steps;
  const kinds: StepKind[] = ["average", ...Array.from({ length: count }, (_, t) => t)];
  // Steps with equal frequencies have equal optima, and the average of a flat curve is one of them.
  const distinct = new Map<string, StepKind>();
  for (const kind of kinds)
    if (!distinct.has(frequenciesOf(workload, kind)))
      distinct.set(frequenciesOf(workload, kind), kind);
  const outcomes = new Map<string, SolvedStep>();
  for (const [key, kind] of distinct) {
    const outcome = await solveOneStep(solver, input, kind, limits);
    if (outcome.status !== "solved") return outcome;
    outcomes.set(key, outcome);
    onBaseline(outcomes.size, distinct.size);
  }
  const solvedFor = (kind: StepKind): SolvedStep =>
    outcomes.get(frequenciesOf(workload, kind)) as SolvedStep;
  const steps = Array.from({ length: count }, (_, t) => solvedFor(t));
  const statics = [
    staticBaseline("static average", solvedFor("average"), input),
    staticBaseline("static first step", solvedFor(0), input),
    staticBaseline("static last step", solvedFor(count - 1), input),
  ];
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  const ideal: Baseline = {
    kind: "ideal",
    cost: sum(steps.map(({ bound, choice, finished }) => (finished ? choice.cost : bound))),
    perStep: steps.map(({ choice }) => choice.cost),
    exact: steps.every(({ finished }) => finished),
  };
  const best = statics.reduce((a, b) => (b.baseline.cost < a.baseline.cost ? b : a));
  return {
    list: [...statics.map(({ baseline }) => baseline), ideal],
    steps,
    bound: sum(steps.map(({ bound }) => bound)),
    bestStatic: Array.from({ length: count }, () => best.schema),
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
