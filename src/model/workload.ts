/**
 * How often statements run over time. A frequency curve is one number ≥ 0 per time step, in
 * executions per second; a step lasts `stepSeconds`.
 */
import type { StatementId } from "./statement.ts";

/** Index of a time step, 0 … steps − 1. */
export type TimeStep = number;

export interface Timeline {
  /** Number of time steps, ≥ 1. */
  readonly steps: number;
  /** Length of one step, in seconds. */
  readonly stepSeconds: number;
}

/** Executions per second, one number per time step. */
export type FrequencyCurve = readonly number[];

export interface Workload {
  readonly timeline: Timeline;
  readonly curves: Readonly<Record<StatementId, FrequencyCurve>>;
}

/** Executions of a statement within one time step. */
export function executions(workload: Workload, statement: StatementId, t: TimeStep): number {
  return (workload.curves[statement]?.[t] ?? 0) * workload.timeline.stepSeconds;
}

/** The workload of one time step alone. */
export function workloadAt(workload: Workload, t: TimeStep): Workload {
  return oneStepWorkload(workload, (curve) => curve[t] ?? 0);
}

/** One step whose frequencies are the means over all steps (the paper's static workload). */
export function averageWorkload(workload: Workload): Workload {
  return oneStepWorkload(workload, (curve) => curve.reduce((sum, f) => sum + f, 0) / curve.length);
}

function oneStepWorkload(
  workload: Workload,
  frequency: (curve: FrequencyCurve) => number,
): Workload {
  return {
    timeline: { steps: 1, stepSeconds: workload.timeline.stepSeconds },
    curves: Object.fromEntries(
      Object.entries(workload.curves).map(([id, curve]) => [id, [frequency(curve)]]),
    ),
  };
}
