/**
 * A run under limits on partitions: the answer, the candidates that the limits excluded with the reason, and
 * what the exclusion cost, which takes a second run without them. Without limits it is a plain run.
 */
import type { PartitionRules, Problem } from "#model/problem.ts";
import type { PartitionExclusions, RunOutcome } from "#model/recommendation.ts";
import { optimise, type RunLimits, type RunTools } from "./optimise.ts";
import { createMemory, type RunMemory } from "./run-memory.ts";

/** Excluded tables that a result names one by one. */
const mostListed = 200;

export async function optimiseWithinRules(
  problem: Problem,
  limits: RunLimits,
  tools: RunTools,
  memory: RunMemory = createMemory(),
): Promise<RunOutcome> {
  const { partitionRules } = problem;
  const began = tools.now();
  const outcome = await optimise(problem, limits, tools, undefined, memory);
  const excluded = memory.over?.space.excluded;
  if (!partitionRules || !excluded || excluded.size === 0) return outcome;
  if (outcome.status === "infeasible")
    return { ...outcome, reasons: [...outcome.reasons, ...blame(excluded.size, partitionRules)] };
  if (!("steps" in outcome)) return outcome;
  const without = await costWithout(problem, limits, tools, began);
  const exclusions: PartitionExclusions = {
    excluded: [...excluded]
      .slice(0, mostListed)
      .map(([columnFamily, reason]) => ({ columnFamily, reason })),
    count: excluded.size,
    ...(without && { without }),
  };
  return {
    ...outcome,
    exclusions,
    notes: [...outcome.notes, ...noteOf(exclusions, outcome.objective)],
  };
}

/** The same run without the limits, in what is left of the time. */
async function costWithout(
  { partitionRules: _, ...problem }: Problem,
  limits: RunLimits,
  { solver, now, isStopped, onProgress }: RunTools,
  began: number,
): Promise<PartitionExclusions["without"]> {
  const { timeLimitSeconds } = limits;
  const left = timeLimitSeconds === undefined ? undefined : timeLimitSeconds - (now() - began);
  if ((left !== undefined && left <= 0) || isStopped?.()) return undefined;
  onProgress?.({
    stage: "check",
    message: "Asking what the limits on partitions cost",
    counts: {},
  });
  const { start: _start, ...same } = limits;
  const outcome = await optimise(
    problem,
    { ...same, ...(left !== undefined && { timeLimitSeconds: left }) },
    { solver, now, ...(isStopped && { isStopped }) },
  );
  return "steps" in outcome ? { objective: outcome.objective, bound: outcome.bound } : undefined;
}

function noteOf({ count, without }: PartitionExclusions, objective: number): string[] {
  const tables = `The limits on partitions exclude ${count} candidate ${count === 1 ? "table" : "tables"}`;
  if (!without) return [`${tables}; there was no time to find out what that costs.`];
  const more = (objective - without.objective) / without.objective;
  const cost =
    more > 1e-6
      ? `without them the answer would cost ${Number((100 * more).toPrecision(3))} % less`
      : "that costs nothing";
  return [`${tables}; ${cost}.`];
}

function blame(
  count: number,
  { largestBytes, largestRows, largestShare }: PartitionRules,
): string[] {
  const limits = [
    ...(largestBytes === undefined ? [] : [`${largestBytes} bytes`]),
    ...(largestRows === undefined ? [] : [`${largestRows} rows`]),
    ...(largestShare === undefined ? [] : [`${100 * largestShare} % of a table`]),
  ];
  return [
    `The limits on partitions (at most ${limits.join(", ")}) exclude ${count} candidate tables: loosen them, or pin the tables that have to be there.`,
  ];
}
