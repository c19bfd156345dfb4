/**
 * Runs that were watched from outside, in a browser: what `npm run bench:browser` saw of each, made into
 * the same measurements as those of this process.
 */
import { readResult } from "#document/result-schema.ts";
import { namedWorkloads } from "#examples/workloads.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { problemOf } from "./measure-workload.ts";
import { type Measurement, measurementOf, type Observed } from "./measurement.ts";

/** A run that was watched: `result` is the file that the page hands out. */
export interface ObservedRun extends Omit<Observed, "gapWanted"> {
  readonly result: unknown;
}

/** Measurements of watched runs from the text of the file that holds them, a JSON list. */
export async function observedRuns(text: string): Promise<Result<Measurement[]>> {
  const runs = JSON.parse(text) as readonly ObservedRun[];
  const measured: Measurement[] = [];
  const issues: Issue[] = [];
  for (const [index, { result, ...observed }] of runs.entries()) {
    const workload = namedWorkloads.find(({ name }) => name === observed.workload);
    const outcome = readResult(JSON.stringify(result));
    if (!workload) issues.push(anError(`${index}/workload`, `There is no ${observed.workload}.`));
    if (!outcome.ok) issues.push(...outcome.issues);
    if (!workload || !outcome.ok) continue;
    const { problem, gap } = await problemOf(workload);
    measured.push(measurementOf({ ...observed, gapWanted: gap }, outcome.value, problem));
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: measured, warnings: [] };
}
