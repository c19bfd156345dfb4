/**
 * The paper's baselines on the same candidates (engine.md §9): one fixed schema chosen for the average,
 * the first or the last step and kept for all; and the ideal, each step alone with migrations free.
 * No answer can cost less than the ideal, so its bounds also bound the optimum from below.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { Baseline } from "#model/recommendation.ts";
import { averageWorkload, type Workload, workloadAt } from "#model/workload.ts";
import type { PlanSpace } from "./plan-space.ts";
import { chooseFor, type Schema } from "./read-solution.ts";
import { type SchemasOutcome, type SearchLimits, solveSchemas } from "./solve-schemas.ts";

export interface Baselines {
  readonly list: readonly Baseline[];
  /** Milliseconds: no answer costs less. */
  readonly bound: number;
  /** The cheapest static schema for all steps. */
  readonly bestStatic: readonly Schema[] | undefined;
}

/** Anything but an answer: passed on to the person. */
export type Stopped = Exclude<SchemasOutcome, { status: "solved" }>;

/** Free of migrations: one step alone. */
const alone = { initialLoad: false, cyclic: false, buildingCountsAsStorage: false } as const;

/** The cheapest schema for one step's frequencies. */
export function solveOneStep(
  solver: IlpSolver,
  space: PlanSpace,
  problem: Problem,
  workload: Workload,
  storageBytes: number | undefined,
  limits: SearchLimits,
): Promise<SchemasOutcome> {
  const input = { space, workload, costModel: problem.costModel, options: alone, storageBytes };
  return solveSchemas(solver, input, limits, undefined);
}

export async function computeBaselines(
  solver: IlpSolver,
  space: PlanSpace,
  problem: Problem,
  storageBytes: number | undefined,
  limits: SearchLimits,
  onBaseline: (done: number, all: number) => void,
): Promise<Baselines | Stopped> {
  const { workload } = problem;
  const steps = workload.timeline.steps;
  const workloads = [
    averageWorkload(workload),
    ...Array.from({ length: steps }, (_, t) => workloadAt(workload, t)),
  ];
  // Steps with equal frequencies have equal optima, and the average of a flat curve is one of them.
  const outcomes = new Map<string, SchemasOutcome & { status: "solved" }>();
  const keyOf = (each: Workload): string => JSON.stringify(Object.entries(each.curves).sort());
  const distinct = new Map(workloads.map((each) => [keyOf(each), each]));
  for (const [key, each] of distinct) {
    const outcome = await solveOneStep(solver, space, problem, each, storageBytes, limits);
    if (outcome.status !== "solved") return outcome;
    outcomes.set(key, outcome);
    onBaseline(outcomes.size, distinct.size);
  }
  const solvedFor = (each: Workload): SchemasOutcome & { status: "solved" } =>
    outcomes.get(keyOf(each)) as SchemasOutcome & { status: "solved" };
  const perStep = workloads.slice(1).map(solvedFor);
  const statics = [
    staticBaseline("static average", solvedFor(workloads[0] as Workload), space, problem),
    staticBaseline("static first step", perStep[0], space, problem),
    staticBaseline("static last step", perStep[steps - 1], space, problem),
  ];
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0);
  const ideal: Baseline = {
    kind: "ideal",
    cost: sum(perStep.map(({ bound, choice, finished }) => (finished ? choice.cost : bound))),
    perStep: perStep.map(({ choice }) => choice.cost),
    exact: perStep.every(({ finished }) => finished),
  };
  const best = statics.reduce((a, b) => (b.baseline.cost < a.baseline.cost ? b : a));
  return {
    list: [...statics.map(({ baseline }) => baseline), ideal],
    bound: sum(perStep.map(({ bound }) => bound)),
    bestStatic: Array.from({ length: steps }, () => best.schema),
  };
}

function staticBaseline(
  kind: Baseline["kind"],
  outcome: (SchemasOutcome & { status: "solved" }) | undefined,
  space: PlanSpace,
  { workload, costModel, options }: Problem,
): { readonly baseline: Baseline; readonly schema: Schema } {
  const schema = outcome?.choice.schemas[0] ?? [];
  const input = { space, workload, costModel, options };
  const kept = chooseFor(
    input,
    Array.from({ length: workload.timeline.steps }, () => schema),
  );
  if (!kept) throw new Error(`the ${kind} schema answers every query`);
  const perStep = Array.from({ length: workload.timeline.steps }, (_, t) => {
    const one = chooseFor({ ...input, workload: workloadAt(workload, t), options: alone }, [
      schema,
    ]);
    return one?.cost ?? Number.NaN;
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
      exact: outcome?.finished ?? false,
    },
  };
}
