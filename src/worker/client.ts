/**
 * The page's side of the worker: starts it, numbers its runs, stops them and survives its crashes.
 *
 * Decides how a run is stopped: the latest full answer that it has posted becomes the outcome at once, with the
 * best known bound. HiGHS blocks the worker's thread, so the worker hears of it between two solves; it is given a
 * moment for that, since it knows the plan space and all that was found out over it, and is ended where the moment
 * is too short. Promises that
 * nothing is thrown or left hanging (every call settles, whatever happens to the worker) and that
 * an answer of an older run is never taken for one of the present.
 */
import { proxy, type Remote, releaseProxy, wrap } from "comlink";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type {
  Explained,
  FamilyExplanation,
  PlanExplanation,
  StatementExplanation,
} from "#model/explanation.ts";
import { anError, type Result } from "#model/issue.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Failed, Recommendation, TimedOut } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import type { Recosted } from "#model/what-if.ts";
import type { TimeStep } from "#model/workload.ts";
import type {
  EngineApi,
  ExplainRequest,
  FitRequest,
  PlanGroup,
  RunEnd,
  RunRequest,
  RunUpdate,
} from "./protocol.ts";

export type {
  ExplainRequest,
  FitRequest,
  PlanGroup,
  RunEnd,
  RunRequest,
  RunUpdate,
} from "./protocol.ts";

export interface EngineClient {
  /** Starts a run; one that is going on is stopped first. */
  optimise(request: RunRequest, onUpdate: (update: RunUpdate) => void): Promise<RunEnd>;
  /** Ends the run that is going on; its promise resolves with the best answer so far. */
  stop(): void;
  /** Has the plans of a problem ready before they are asked for; does nothing while a run is going on. */
  prepare(problem: Problem): void;
  /** What an earlier answer's tables cost under the problem as it is now; there in milliseconds, also beside a run. */
  recost(answer: Recommendation, problem: Problem): Promise<Recosted>;
  /** The cheapest plans of a query or support query, or why they cannot be had, in words. */
  planGroup(
    problem: Problem,
    statement: StatementId,
    most: number,
  ): Promise<PlanGroup | { reason: string }>;
  /** A cost model from measurements, or what stands in its way. */
  fitCostModel(request: FitRequest): Promise<Result<CostModel>>;
  /**
   * Why a column family is in the answer, a query is answered as it is at a step, or a plan is not
   * chosen then. One explanation is
   * worked out at a time: asking for another ends the one before, which resolves with a reason, and so
   * does `stopExplaining`. `onSearch` hears how many of the searches are done.
   */
  explainFamily(
    request: ExplainRequest,
    columnFamily: ColumnFamilyKey,
    onSearch?: (done: number) => void,
  ): Promise<Explained<FamilyExplanation>>;
  explainStatement(
    request: ExplainRequest,
    statement: StatementId,
    step: TimeStep,
    onSearch?: (done: number) => void,
  ): Promise<Explained<StatementExplanation>>;
  explainPlan(
    request: ExplainRequest,
    step: TimeStep,
    plan: QueryPlan,
    onSearch?: (done: number) => void,
  ): Promise<Explained<PlanExplanation>>;
  stopExplaining(): void;
}

/** Makes the worker; an argument so that tests can pass a worker of their own. */
export type StartWorker = () => Worker;

const startEngineWorker: StartWorker = () =>
  new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module", name: "engine" });

/** A worker at work, and a promise that settles when it has died. */
interface Engine {
  readonly worker: Worker;
  readonly api: Remote<EngineApi>;
  readonly died: Promise<{ readonly reason: string }>;
  readonly end: (reason: string) => void;
  isDead: boolean;
  /** Milliseconds that enumerating took, which a fresh worker would have to repeat. */
  enumerating: number;
}

interface Run {
  readonly number: number;
  readonly started: number;
  best: Recommendation | undefined;
  bound: number | undefined;
  stage: string;
  readonly settle: (outcome: RunEnd) => void;
  /** Settles when the worker is done with the run, however it ended. */
  ended: Promise<unknown> | undefined;
}

/** Milliseconds that a worker has to end a run by itself: at least these, and as long as it would take to begin afresh. */
export interface Patience {
  readonly least: number;
  readonly most: number;
}

const defaultPatience: Patience = { least: 500, most: 10_000 };

/** The client. It starts a worker at once, so that the solver is loaded while a person reads. */
export function connectEngine(
  startWorker: StartWorker = startEngineWorker,
  patience: Patience = defaultPatience,
): EngineClient {
  let runs = 0;
  let run: Run | undefined;
  let engine = startEngine(startWorker);
  /** A stopped run is on its way out; until then `engine` is not free. */
  let leaving: Promise<void> | undefined;
  /** Answers questions while `engine` is busy with a run; started when first needed. */
  let second: Engine | undefined;
  /** Explains; its own, since its searches take time and may be given up. */
  let explainer: Engine | undefined;
  let explaining = false;

  const ready = (): Engine => {
    if (engine.isDead) engine = startEngine(startWorker);
    return engine;
  };

  const finish = (finished: Run, outcome: RunEnd): void => {
    if (run?.number !== finished.number) return;
    run = undefined;
    finished.settle(outcome);
  };

  const stop = (): void => {
    if (!run) return;
    const stopped = run;
    finish(stopped, stoppedOutcome(stopped));
    if (!stopped.ended || engine.isDead) return;
    const gone = leave(engine, stopped.ended, patience).then(() => {
      if (leaving === gone) leaving = undefined;
      ready();
    });
    leaving = gone;
  };

  const begin = (mine: Run, request: RunRequest, listen: (update: RunUpdate) => void): void => {
    if (run?.number !== mine.number) return;
    const worker = ready();
    const began = performance.now();
    const hear = (update: RunUpdate): void => {
      if (mine.stage !== "baselines" && update.progress.stage === "baselines")
        worker.enumerating = Math.max(worker.enumerating, performance.now() - began);
      listen(update);
    };
    const answer = worker.api.optimise(request, proxy(hear));
    mine.ended = answer.catch(() => undefined);
    answer.then(
      (outcome) => finish(mine, outcome),
      (fault: unknown) => finish(mine, failedOutcome(mine, inWords(fault))),
    );
    void worker.died.then(({ reason }) => finish(mine, failedOutcome(mine, reason)));
    // A person who plays with curves asks what they cost while the run goes on.
    if (request.start && (!second || second.isDead)) second = startEngine(startWorker);
  };

  const optimise: EngineClient["optimise"] = (request, onUpdate) => {
    stop();
    runs += 1;
    const { promise, resolve } = settleable<RunEnd>();
    const mine: Run = {
      number: runs,
      started: performance.now(),
      best: undefined,
      bound: undefined,
      stage: "start",
      settle: resolve,
      ended: undefined,
    };
    run = mine;
    const listen = (update: RunUpdate): void => {
      if (run?.number !== mine.number) return;
      if (update.best) mine.best = update.best;
      if (update.progress.bound !== undefined)
        mine.bound = Math.max(mine.bound ?? 0, update.progress.bound);
      mine.stage = update.progress.stage;
      onUpdate(update);
    };
    if (leaving) void leaving.then(() => begin(mine, request, listen));
    else begin(mine, request, listen);
    return promise;
  };

  const prepare: EngineClient["prepare"] = (problem) => {
    // What goes wrong is told by the question that it was meant to prepare.
    if (!run && !leaving)
      ready()
        .api.prepare(problem)
        .catch(() => undefined);
  };

  /** Asks beside a run; or why there is no answer, in words. */
  const ask = async <Answer>(
    question: (api: Engine["api"]) => Promise<Answer>,
  ): Promise<Answer | { readonly reason: string }> => {
    const isBusy = run !== undefined || leaving !== undefined;
    if (isBusy && (!second || second.isDead)) second = startEngine(startWorker);
    const worker = isBusy && second ? second : ready();
    try {
      // A worker that dies rejects nothing: without the race the caller would wait for ever.
      return await Promise.race([question(worker.api), worker.died]);
    } catch (fault) {
      return { reason: inWords(fault) };
    }
  };

  const planGroup: EngineClient["planGroup"] = (problem, statement, most) =>
    ask((api) => api.planGroup(problem, statement, most));

  const recost: EngineClient["recost"] = async (answer, problem) => {
    const told = await ask<Recosted>(async (api) => api.recost(answer, problem));
    return "reason" in told ? { status: "impossible", reasons: [told.reason] } : told;
  };

  const fitCostModel: EngineClient["fitCostModel"] = async (request) => {
    const answer = await ask<Result<CostModel>>(async (api) => api.fitCostModel(request));
    return "reason" in answer
      ? { ok: false, issues: [anError("", answer.reason, "Try again, or reload the page.")] }
      : answer;
  };

  const stopExplaining = (): void => {
    if (explaining) explainer?.end("The explanation was given up.");
    explaining = false;
  };

  const explain = async <T>(
    ask: (api: Remote<EngineApi>, onSearch: (done: number) => void) => Promise<T>,
    onSearch: (done: number) => void,
  ): Promise<Explained<T>> => {
    stopExplaining();
    if (!explainer || explainer.isDead) explainer = startEngine(startWorker);
    const mine = explainer;
    explaining = true;
    try {
      return await Promise.race([ask(mine.api, proxy(onSearch)), mine.died]);
    } catch (fault) {
      return { reason: inWords(fault) };
    } finally {
      if (explainer === mine && !mine.isDead) explaining = false;
    }
  };

  return {
    optimise,
    stop,
    prepare,
    recost,
    planGroup,
    fitCostModel,
    explainFamily: (request, columnFamily, onSearch = () => undefined) =>
      explain((api, listen) => api.explainFamily(request, columnFamily, listen), onSearch),
    explainStatement: (request, statement, step, onSearch = () => undefined) =>
      explain((api, listen) => api.explainStatement(request, statement, step, listen), onSearch),
    explainPlan: (request, step, plan, onSearch = () => undefined) =>
      explain((api, listen) => api.explainPlan(request, step, plan, listen), onSearch),
    stopExplaining,
  };
}

/** Waits until the worker is done with a stopped run, or ends it. */
async function leave(
  engine: Engine,
  ended: Promise<unknown>,
  { least, most }: Patience,
): Promise<void> {
  engine.api.stop().catch(() => undefined);
  const wait = Math.min(most, Math.max(least, engine.enumerating));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), wait);
  });
  const first = await Promise.race([ended.then(() => "ended"), late]);
  clearTimeout(timer);
  if (first === "late") engine.end("The run was stopped.");
}

function startEngine(startWorker: StartWorker): Engine {
  const worker = startWorker();
  const api = wrap<EngineApi>(worker);
  const { promise, resolve } = settleable<{ readonly reason: string }>();
  const engine: Engine = {
    worker,
    api,
    died: promise,
    isDead: false,
    enumerating: 0,
    end: (reason) => {
      if (engine.isDead) return;
      engine.isDead = true;
      api[releaseProxy]();
      worker.terminate();
      resolve({ reason });
    },
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    engine.end(
      event.message
        ? `The optimiser crashed: ${event.message}`
        : "The optimiser could not be loaded. Reload the page; if that does not help, check the connection.",
    );
  });
  worker.addEventListener("messageerror", () =>
    engine.end("The optimiser sent something that could not be read."),
  );
  return engine;
}

/** A promise and the function that settles it (Promise.withResolvers is not in every browser we serve). */
function settleable<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function inWords(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

function secondsSince(run: Run): Readonly<Record<string, number>> {
  return { total: (performance.now() - run.started) / 1000 };
}

function failedOutcome(run: Run, reason: string): Failed {
  return { status: "failed", stage: run.stage, reasons: [reason], seconds: secondsSince(run) };
}

/** What a stopped run leaves: its best answer with the best bound known, or nothing yet. */
function stoppedOutcome(run: Run): Recommendation | TimedOut {
  const { best, bound } = run;
  if (!best)
    return {
      status: "timedOut",
      reasons: ["The run was stopped before a first answer was found."],
      ...(bound !== undefined && { bound }),
      seconds: secondsSince(run),
    };
  const proven = Math.min(best.objective, Math.max(best.bound, bound ?? 0));
  return {
    ...best,
    status: "feasible",
    bound: proven,
    gap: best.objective > 0 ? (best.objective - proven) / best.objective : 0,
    seconds: { ...best.seconds, ...secondsSince(run) },
    notes: [...best.notes, "The run was stopped; this is the best answer found until then."],
  };
}
