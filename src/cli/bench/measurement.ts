/**
 * What one run took and gave, as the bench writes it to files: enough to compare two runs and to fill the
 * tables of `docs/comparison.md` and `docs/growth.md`. Plain JSON; nothing in it names a path or a person.
 */
import { z } from "zod";
import type { Problem } from "#model/problem.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";

const figure = z.number().min(0);

const environmentSchema = z.object({
  /** The JavaScript engine that ran the optimiser: `Node 20.20.0`, `Chromium 140.0.7339.16`. */
  engine: z.string(),
  /** Processor cores that the run could use. */
  cores: z.int().min(1),
  /** Operating system and processor family: `linux x64`. */
  machine: z.string(),
});

const traceSchema = z.array(
  z.object({
    seconds: figure,
    /** Milliseconds of the best answer then, and of the bound. */
    objective: figure,
    bound: figure,
  }),
);

const baselineSchema = z.object({ kind: z.string(), cost: figure });

const changeSchema = z.object({
  /** Steps counted from 0: from `from` to `from + 1`. */
  from: z.int(),
  /** Statements whose plans differ between the two steps. */
  plans: z.array(z.string()),
  builds: z.int().min(0),
  drops: z.int().min(0),
});

const answerSchema = z.object({
  objective: figure,
  bound: figure,
  gap: figure,
  /** Bytes that could exist at one step; absent without a limit. */
  storageLimit: figure.optional(),
  baselines: z.array(baselineSchema),
  /** Milliseconds of migrations within the objective. */
  migrationCost: figure,
  changes: z.array(changeSchema),
});

const measurementSchema = z.object({
  workload: z.string(),
  /** How it was solved. */
  mode: z.string(),
  environment: environmentSchema,
  status: z.enum(["optimal", "feasible", "infeasible", "timedOut", "failed"]),
  /** The relative gap at which the search was allowed to stop. */
  gapWanted: figure,
  /** Seconds per stage, and `total`; in a browser also what the page added around it. */
  seconds: z.record(z.string(), figure),
  /** Seconds that processors worked on it, all threads together: less than `total` where the machine had other work. */
  processorSeconds: figure.optional(),
  /** Better answers and bounds as they became known. The first entry is the first answer with a gap. */
  trace: traceSchema,
  counts: z.record(z.string(), z.number()),
  answer: answerSchema.optional(),
  /** Bytes: largest resident set of the process (in a browser: of the tab's, workers included). */
  peakMemory: figure,
  /** In a browser: frames per second while the run went on, and the longest time between two in seconds. */
  frames: z.object({ perSecond: figure, longest: figure }).optional(),
  /** Why there is no answer. */
  reasons: z.array(z.string()).optional(),
});

export const benchFileSchema = z.object({
  format: z.literal("tidetable-bench"),
  version: z.literal(1),
  measurements: z.array(measurementSchema),
});

export type Measurement = z.output<typeof measurementSchema>;
export type Environment = z.output<typeof environmentSchema>;
export type TracePoint = Measurement["trace"][number];
export type BenchFile = z.output<typeof benchFileSchema>;

/** What was seen of a run from outside. */
export interface Observed {
  readonly workload: string;
  readonly mode: string;
  readonly environment: Environment;
  readonly gapWanted: number;
  readonly trace: readonly TracePoint[];
  /** Seconds in addition to the stages of the run itself. */
  readonly around?: Readonly<Record<string, number>>;
  readonly processorSeconds?: number;
  readonly peakMemory: number;
  readonly frames?: { readonly perSecond: number; readonly longest: number };
}

/** A measurement of a run, from its outcome and what was seen of it. */
export function measurementOf(
  observed: Observed,
  outcome: RunOutcome,
  problem: Pick<Problem, "statements" | "workload">,
): Measurement {
  const { workload, mode, environment, gapWanted, trace, around, peakMemory, frames } = observed;
  const { processorSeconds } = observed;
  const answer = "counts" in outcome ? outcome : undefined;
  return {
    workload,
    mode,
    environment,
    status: outcome.status,
    gapWanted,
    seconds: { ...outcome.seconds, ...around },
    ...(processorSeconds !== undefined && { processorSeconds }),
    trace: [...trace],
    counts: { ...(answer && countsOf(answer)), distinctSteps: distinctSteps(problem) },
    ...(answer && { answer: answerOf(answer, problem) }),
    peakMemory,
    ...(frames && { frames }),
    ...("reasons" in outcome && { reasons: [...outcome.reasons] }),
  };
}

function countsOf({ counts }: Recommendation): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    ),
  );
}

/** Steps that differ in their frequencies from every step before. */
function distinctSteps({ workload }: Pick<Problem, "workload">): number {
  const curves = Object.values(workload.curves);
  const steps = Array.from({ length: workload.timeline.steps }, (_, t) =>
    curves.map((each) => each[t]).join(),
  );
  return new Set(steps).size;
}

function answerOf(
  answer: Recommendation,
  { statements }: Pick<Problem, "statements">,
): NonNullable<Measurement["answer"]> {
  const { objective, bound, gap, storageLimit, baselines, totals } = answer;
  return {
    objective,
    bound,
    gap,
    ...(storageLimit !== undefined && { storageLimit }),
    baselines: baselines.map(({ kind, cost }) => ({ kind, cost })),
    migrationCost: totals.extract + totals.load + totals.maintenance,
    changes: changesOf(answer, new Map(statements.map(({ id, label }) => [id, label]))),
  };
}

/** Between which steps plans or tables change; support queries go with their tables and are not told. */
function changesOf(
  { steps, migrations }: Recommendation,
  labels: ReadonlyMap<string, string>,
): NonNullable<Measurement["answer"]>["changes"] {
  return steps.slice(1).flatMap((step, index) => {
    const before = new Map(steps[index]?.plans.map(({ statement, plan }) => [statement, plan]));
    const plans = step.plans
      .filter(({ statement, plan }) => labels.has(statement) && before.get(statement) !== plan)
      .map(({ statement }) => labels.get(statement) ?? statement);
    const between = migrations.filter(({ from, to }) => from === index && to === index + 1);
    const builds = between.reduce((sum, each) => sum + each.builds.length, 0);
    const drops = between.reduce((sum, each) => sum + each.drops.length, 0);
    return plans.length + builds + drops === 0 ? [] : [{ from: index, plans, builds, drops }];
  });
}

/** Seconds until an answer within a relative gap was known; undefined where none was. */
export function secondsUntilGap(
  { trace, answer, seconds }: Pick<Measurement, "trace" | "answer" | "seconds">,
  gap: number,
): number | undefined {
  const reached = trace.find(
    ({ objective, bound }) => objective > 0 && (objective - bound) / objective <= gap,
  );
  if (reached) return reached.seconds;
  return answer && answer.gap <= gap ? seconds["total"] : undefined;
}

/** Keeps a trace: a point where the best answer or the bound has become better, once both are known. */
export function traceKeeper(): {
  readonly points: readonly TracePoint[];
  readonly note: (
    seconds: number,
    objective: number | undefined,
    bound: number | undefined,
  ) => void;
} {
  const points: TracePoint[] = [];
  return {
    points,
    note: (seconds, objective, bound) => {
      if (objective === undefined || bound === undefined) return;
      const last = points.at(-1);
      if (last && last.objective === objective && last.bound === bound) return;
      points.push({ seconds, objective, bound });
    },
  };
}
