/**
 * The worker: runs the engine, holds no logic. HiGHS's WASM is fetched here and nowhere else.
 *
 * A solve blocks this thread; between two of them a run hears that it is to stop, and what it has found out is
 * kept. The page waits a moment for that, ends the worker if it has to, and keeps the last answer that was
 * posted (`client.ts`).
 */
import { expose } from "comlink";
import wasmUrl from "highs/runtime?url";
import { fullPlan } from "#engine/enumerate-query-plans.ts";
import { estimateRunSize } from "#engine/estimate-run-size.ts";
import {
  type ExplainTools,
  explainFamily,
  explainPlan,
  explainStatement,
} from "#engine/explain.ts";
import { optimiseWithinRules } from "#engine/optimise-within-rules.ts";
import { enumeratePlanSpace, type PlanSpace, spaceKey } from "#engine/plan-space.ts";
import { recostWorkload } from "#engine/recost-workload.ts";
import { createMemory, type RunMemory } from "#engine/run-memory.ts";
import { breathing } from "#ilp/breathing.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import { fitCostModel } from "#interchange/fit-cost-model.ts";
import { readProfile } from "#interchange/profile-csv.ts";
import type { Problem } from "#model/problem.ts";
import type { Progress } from "#model/recommendation.ts";
import type { EngineApi, ExplainRequest, PlanGroup, RunEnd } from "./protocol.ts";

/** The solver once it is loaded, or on its way; a failed load is forgotten, so that the next run tries again. */
let loading: Promise<IlpSolver> | undefined;

function solver(): Promise<IlpSolver> {
  loading ??= openHighs({ locateFile: () => wasmUrl }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

// Loading begins at once, while the person reads; a failure is told when a run needs the solver.
solver().catch(() => undefined);

/** What is known of the problem asked for last: a person edits it, and looks at the plans of several queries in a row. */
let remembered: { readonly key: string; readonly memory: RunMemory } | undefined;

function memoryOf(problem: Problem): RunMemory {
  const key = spaceKey(problem);
  if (remembered?.key !== key) remembered = { key, memory: createMemory() };
  return remembered.memory;
}

function spaceOf(problem: Problem): PlanSpace {
  const known = memoryOf(problem).over?.space;
  if (known) return known;
  const space = enumeratePlanSpace(problem, () => undefined);
  remembered = { key: spaceKey(problem), memory: createMemory(space) };
  return space;
}

function planGroup(problem: Problem, statement: string, most: number): PlanGroup {
  const space = spaceOf(problem);
  const found = space.flows.find((flow) => flow.space.query.query.id === statement)?.space;
  if (!found) return { statement, total: 0, plans: [], columnFamilies: [] };
  const plans = found.cheapestPlans(most).map((plan) => fullPlan(found, plan, problem.costModel));
  const used = new Set(plans.flatMap(({ columnFamilies }) => columnFamilies));
  return {
    statement,
    query: found.query.query,
    total: found.found,
    plans,
    columnFamilies: space.families
      .map(({ columnFamily }) => columnFamily)
      .filter(({ key }) => used.has(key)),
  };
}

async function explainTools(
  { problem, timeLimitSeconds }: ExplainRequest,
  onSearch: (done: number) => void,
): Promise<ExplainTools> {
  return {
    solver: await solver(),
    now: () => performance.now() / 1000,
    memory: memoryOf(problem),
    onSearch,
    ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
  };
}

function pause(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume);
  });
}

/** Runs asked for, and the last of them that is to end. */
let runs = 0;
let stopped = 0;

const api: EngineApi = {
  async optimise(
    { problem, gap, timeLimitSeconds, mode, start, mostBytes },
    onUpdate,
  ): Promise<RunEnd> {
    runs += 1;
    const mine = runs;
    try {
      const size = mostBytes === undefined ? undefined : estimateRunSize(problem);
      if (size && size.bytes > (mostBytes ?? 0)) return { status: "tooLarge", size };
      let latest: Progress = { stage: "enumerate", message: "Starting", counts: {} };
      return await optimiseWithinRules(
        problem,
        {
          gap,
          ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
          ...(mode && { mode }),
          ...(start && { start }),
        },
        {
          solver: breathing(await solver(), () => performance.now(), pause),
          isStopped: () => mine <= stopped,
          now: () => performance.now() / 1000,
          onProgress: (progress) => {
            latest = progress;
            onUpdate({ progress });
          },
          onBest: (best) => onUpdate({ progress: latest, best }),
        },
        memoryOf(problem),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { status: "failed", stage: "engine", reasons: [message], seconds: {} };
    }
  },
  stop: async () => {
    stopped = runs;
  },
  recost: async (answer, problem) => recostWorkload(answer, problem),
  prepare: async (problem) => {
    spaceOf(problem);
  },
  planGroup: async (problem, statement, most) => planGroup(problem, statement, most),
  async fitCostModel({ profile, name, base }) {
    const samples = readProfile(profile);
    if (!samples.ok) return samples;
    const fitted = fitCostModel(samples.value, { name, base });
    return fitted.ok ? { ...fitted, warnings: [...samples.warnings, ...fitted.warnings] } : fitted;
  },
  async explainFamily(request, columnFamily, onSearch) {
    const tools = await explainTools(request, onSearch);
    return explainFamily(request.problem, request.answer, columnFamily, tools);
  },
  async explainStatement(request, statement, step, onSearch) {
    const tools = await explainTools(request, onSearch);
    return explainStatement(request.problem, request.answer, statement, step, tools);
  },
  async explainPlan(request, step, plan, onSearch) {
    const tools = await explainTools(request, onSearch);
    return explainPlan(request.problem, request.answer, step, plan, tools);
  },
};

expose(api);
