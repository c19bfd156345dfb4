/** Runs a named workload in this process and measures it. */
import { availableParallelism } from "node:os";
import { documentFrom } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import { optimise } from "#engine/optimise.ts";
import type { NamedWorkload } from "#examples/workloads.ts";
import { openHighs } from "#ilp/highs.ts";
import type { Result } from "#model/issue.ts";
import type { Problem } from "#model/problem.ts";
import type { Progress, RunMode } from "#model/recommendation.ts";
import { type Environment, type Measurement, measurementOf, traceKeeper } from "./measurement.ts";

/** What a run may take; what is left out is as the workload's document says. */
export interface BenchLimits {
  readonly gap?: number;
  readonly timeLimitSeconds?: number;
  readonly mode?: RunMode;
}

/**
 * Optimises a workload. `now` gives seconds on a steady clock. The peak of memory is the process's:
 * of several workloads in one process only the largest is told apart.
 */
export async function measureWorkload(
  workload: NamedWorkload,
  limits: BenchLimits,
  now: () => number,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Measurement> {
  const { problem, gap } = await problemOf(workload);
  const gapWanted = limits.gap ?? gap;
  const { timeLimitSeconds, mode = "certified" } = limits;
  const solver = await openHighs();
  const began = now();
  const before = process.cpuUsage();
  const trace = traceKeeper();
  const outcome = await optimise(
    problem,
    { gap: gapWanted, mode, ...(timeLimitSeconds !== undefined && { timeLimitSeconds }) },
    {
      solver,
      now,
      onProgress: (progress) => {
        trace.note(now() - began, progress.incumbent, progress.bound);
        onProgress(progress);
      },
    },
  );
  const { user, system } = process.cpuUsage(before);
  const observed = {
    workload: workload.name,
    mode,
    environment: nodeEnvironment(),
    gapWanted,
    trace: trace.points,
    processorSeconds: (user + system) / 1e6,
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
  return measurementOf(observed, outcome, problem);
}

function nodeEnvironment(): Environment {
  return {
    engine: `Node ${process.versions.node}`,
    cores: availableParallelism(),
    machine: `${process.platform} ${process.arch}`,
  };
}

/** The problem of a workload, and the gap at which its document lets a run stop. */
export async function problemOf({
  name,
  load,
}: NamedWorkload): Promise<{ readonly problem: Problem; readonly gap: number }> {
  const document = read(name, documentFrom(await load()));
  return { problem: read(name, toProblem(document)), gap: document.settings.gap };
}

/** Workloads are ours: one that cannot be read is our fault. */
function read<T>(name: string, result: Result<T>): T {
  if (result.ok) return result.value;
  const reasons = result.issues.map(({ place, message }) => `${place}: ${message}`);
  throw new Error(`the workload ${name} cannot be read: ${reasons.join(" ")}`);
}
