/**
 * The HiGHS solver (WebAssembly) behind the words of `solve.ts`.
 *
 * Decides how a model gets into HiGHS (sparse arrays into its persistent model, and later only what
 * has changed), from where a solve begins, and what HiGHS's answers mean in ours. Promises: the same
 * model, limits and history give the same answer (one thread, fixed seed) unless time or an interrupt
 * ended the solve; the solver's exceptions, its running out of memory included, come back as `failed`,
 * and the next solve begins afresh. The solve itself blocks the thread it runs on.
 */
import loadHighs, {
  type BasisInput,
  type BasisStatus,
  type Highs,
  type HighsCallbackMap,
  type Model,
  type ModelStatusCode,
} from "highs";
import { isFeasible } from "./check.ts";
import { type IlpModel, type SparseProgram, sparseProgram } from "./model.ts";
import { carriedOver, changesSince, type HeldProgram, heldProgram } from "./program-changes.ts";
import {
  type IlpSolution,
  type IlpSolver,
  type LoadedProgram,
  type RelaxationLimits,
  type RelaxationSolution,
  relativeGap,
  relaxationWithoutVariables,
  type SolvedPoint,
  type SolveEffort,
  type SolveHooks,
  type SolveLimits,
  type StopReason,
  solutionWithoutVariables,
  type Watch,
  watchWith,
} from "./solve.ts";

/** How to find HiGHS. */
export interface HighsOptions {
  /** The address of the solver's WASM file; needed where a bundler moves it, not in Node. */
  readonly locateFile?: (file: string) => string;
}

/** Loads HiGHS. Rejects if its WASM file cannot be loaded. */
export async function openHighs(options: HighsOptions = {}): Promise<IlpSolver> {
  const engine: Engine = { options, runtime: await startRuntime(options) };
  return {
    solve: async (model, limits, hooks) => {
      const program = load(engine, model);
      try {
        return await program.solve(limits, hooks);
      } finally {
        program.dispose();
      }
    },
    load: (model) => load(engine, model),
  };
}

interface Engine {
  readonly options: HighsOptions;
  /** Absent after a crash: an aborted WASM module cannot be trusted any more and is loaded again. */
  runtime: Runtime | undefined;
}

interface Runtime {
  readonly highs: Highs;
  /** HiGHS gives its reasons in its log only; the last error line is kept for our message. */
  lastComplaint: string | undefined;
}

async function startRuntime({ locateFile }: HighsOptions): Promise<Runtime> {
  let runtime: Runtime | undefined;
  const highs = await loadHighs({
    ...(locateFile === undefined ? {} : { locateFile }),
    print: (line) => {
      if (runtime !== undefined && line.startsWith("ERROR")) runtime.lastComplaint = line;
    },
  });
  runtime = { highs, lastComplaint: undefined };
  return runtime;
}

/** A model kept in HiGHS. */
interface Loaded {
  readonly engine: Engine;
  readonly model: IlpModel;
  /** Absent before the first solve and after a crash. */
  copy: Copy | undefined;
  /** Minimised instead of the model's own costs. */
  givenCosts: Float64Array | undefined;
  /** The point and the basis that earlier solves ended with. */
  lastPoint: Float64Array | undefined;
  lastBasis: BasisInput | undefined;
  disposed: boolean;
}

/** HiGHS's copy of the model, and what went into it, to find what has changed since. */
interface Copy {
  readonly runtime: Runtime;
  readonly native: Model;
  held: HeldProgram;
}

type Failure = Extract<IlpSolution, { status: "failed" }>;

function load(engine: Engine, model: IlpModel): LoadedProgram {
  const loaded: Loaded = {
    engine,
    model,
    copy: undefined,
    givenCosts: undefined,
    lastPoint: undefined,
    lastBasis: undefined,
    disposed: false,
  };
  return {
    changeCosts: (costs) => {
      loaded.givenCosts = costs?.slice();
    },
    solve: (limits, hooks = {}) => solve(loaded, limits, hooks),
    solveRelaxation: (limits = {}, hooks = {}) => solveRelaxation(loaded, limits, hooks),
    dispose: () => {
      loaded.disposed = true;
      disposeCopy(loaded);
    },
  };
}

async function solve(loaded: Loaded, limits: SolveLimits, hooks: SolveHooks): Promise<IlpSolution> {
  const watch = watchWith(hooks);
  const solution = await attempt(loaded, limits.start, (copy, program): IlpSolution => {
    // HiGHS answers a program without columns with the status Empty, whatever its rows demand.
    if (program.columnCount === 0) return solutionWithoutVariables(program, tolerance);
    setOptions(copy, limits, "asWritten");
    const isLinear = !program.integral.includes(1);
    if (isLinear) beginFromBasis(loaded, copy);
    else beginFromPoint(loaded, copy, program, limits.start);
    const outcome = runToOutcome(copy, watch);
    if (outcome.status === "optimal") {
      return { status: "optimal", ...pointOf(copy, isLinear), ...effortOf(copy) };
    }
    if (outcome.status !== "stopped") return outcome;
    const { stoppedBy, keptCosts } = outcome;
    if (keptCosts && hasPoint(copy)) {
      return { status: "feasible", stoppedBy, ...pointOf(copy, isLinear), ...effortOf(copy) };
    }
    const bound = keptCosts ? boundOf(copy, isLinear) : Number.NEGATIVE_INFINITY;
    return { status: "timedOut", stoppedBy, bound, ...effortOf(copy) };
  });
  watch.rethrow();
  if (solution.status === "optimal" || solution.status === "feasible") {
    loaded.lastPoint = solution.values.slice();
  }
  return solution;
}

async function solveRelaxation(
  loaded: Loaded,
  limits: RelaxationLimits,
  hooks: Pick<SolveHooks, "shouldStop">,
): Promise<RelaxationSolution> {
  const watch = watchWith(hooks);
  const solution = await attempt(loaded, undefined, (copy, program): RelaxationSolution => {
    if (program.columnCount === 0) return relaxationWithoutVariables(program, tolerance);
    setOptions(copy, limits, "relaxed");
    copy.native.options.set({ simplex_strategy: simplexMethods[limits.simplex ?? "dual"] });
    beginFromBasis(loaded, copy);
    const outcome = runToOutcome(copy, watch);
    if (outcome.status === "stopped") {
      return { status: "timedOut", stoppedBy: outcome.stoppedBy, ...effortOf(copy) };
    }
    if (outcome.status !== "optimal") return outcome;
    const { colValue, rowDual, colDual } = copy.native.getSolution();
    return {
      status: "optimal",
      values: colValue,
      objective: numberInfo(copy, "objective_function_value"),
      duals: rowDual,
      reducedCosts: colDual,
      ...effortOf(copy),
    };
  });
  watch.rethrow();
  return solution;
}

/** HiGHS's numbers of its serial simplex methods. */
const simplexMethods = { dual: 1, primal: 4 } as const;

/** HiGHS's default for feasibility and integrality alike. */
const tolerance = 1e-6;

/** Does `work` on an up-to-date copy; whatever HiGHS throws meanwhile becomes a failure. */
async function attempt<Answer>(
  loaded: Loaded,
  start: Float64Array | undefined,
  work: (copy: Copy, program: SparseProgram) => Answer,
): Promise<Answer | Failure> {
  const { engine } = loaded;
  try {
    // Awaits after a crash only, so that a solve normally sees the model as it was when called.
    engine.runtime ??= await startRuntime(engine.options);
  } catch (error) {
    return { status: "failed", reason: "solverError", message: `HiGHS is gone: ${wordsOf(error)}` };
  }
  const { runtime } = engine;
  const program = programToSolve(loaded, start);
  try {
    runtime.lastComplaint = undefined;
    return work(currentCopy(loaded, runtime, program), program);
  } catch (error) {
    if (error instanceof runtime.highs.errors.HighsError) disposeCopy(loaded);
    else if (engine.runtime === runtime) engine.runtime = undefined;
    loaded.copy = undefined;
    return failureOf(error, runtime, program);
  }
}

/** The model as it stands, with the costs to minimise. Throws on our own bugs, before HiGHS sees them. */
function programToSolve(loaded: Loaded, start: Float64Array | undefined): SparseProgram {
  const { model, givenCosts } = loaded;
  if (loaded.disposed) throw new Error(`Program ${model.name} has been disposed of.`);
  const program = sparseProgram(model);
  for (const list of [givenCosts, start]) {
    if (list === undefined || list.length === program.columnCount) continue;
    throw new Error(
      `Model ${model.name} has ${program.columnCount} variables, but costs or start has ${list.length}.`,
    );
  }
  return givenCosts === undefined ? program : { ...program, costs: givenCosts };
}

function failureOf(error: unknown, runtime: Runtime, program: SparseProgram): Failure {
  if (!ranOutOfMemory(error, runtime)) {
    const message = `HiGHS broke off: ${runtime.lastComplaint ?? wordsOf(error)}`;
    return { status: "failed", reason: "solverError", message };
  }
  const size = `${program.columnCount} variables, ${program.rowCount} constraints and ${program.columns.length} coefficients`;
  const message = `The solver ran out of memory (WebAssembly has 2 GB) on ${size}.`;
  return { status: "failed", reason: "memoryExhausted", message };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A failed allocation is a RangeError in HiGHS's JavaScript, but in its C++ an abort without a word
 * like any other exception. The size of the memory, which never shrinks, tells the two apart.
 */
function ranOutOfMemory(error: unknown, { highs }: Runtime): boolean {
  const said = wordsOf(error);
  if (/memory|allocation|array length/i.test(said)) return true;
  return said.startsWith("Aborted") && highs.memoryBytes > 1.5e9;
}

function disposeCopy(loaded: Loaded): void {
  try {
    loaded.copy?.native.dispose();
  } catch {
    // Only the copy of an aborted module refuses, and goes with the module.
  }
  loaded.copy = undefined;
}

function currentCopy(loaded: Loaded, runtime: Runtime, program: SparseProgram): Copy {
  const known = loaded.copy;
  if (known?.runtime === runtime) {
    takeOverChanges(known, program);
    return known;
  }
  const native = runtime.highs.createModel();
  loaded.copy = { runtime, native, held: heldProgram(program) };
  // HiGHS drops coefficients up to 1e-9 by default; a dropped one would make check.ts disagree.
  native.options.set({ output_flag: true, log_to_console: true, small_matrix_value: 1e-12 });
  native.passModel({
    numCols: program.columnCount,
    numRows: program.rowCount,
    colCost: program.costs,
    colLower: program.columnLower,
    colUpper: program.columnUpper,
    rowLower: program.rowLower,
    rowUpper: program.rowUpper,
    integrality: Int32Array.from(program.integral),
    matrix: {
      format: "csr",
      numRows: program.rowCount,
      numCols: program.columnCount,
      starts: program.rowStarts,
      indices: program.columns,
      values: program.coefficients,
    },
  });
  return loaded.copy;
}

function takeOverChanges(copy: Copy, program: SparseProgram): void {
  const { native, held } = copy;
  const { newColumns, newRows, costs, columnBounds, rowBounds } = changesSince(held, program);
  if (newColumns !== undefined) {
    native.addCols(newColumns);
    native.changeColsIntegrality(
      { kind: "range", from: held.columnCount, to: program.columnCount - 1 },
      Int32Array.from(newColumns.integral),
    );
  }
  if (newRows !== undefined) native.addRows(newRows);
  if (costs.length > 0) {
    native.changeColsCost({ kind: "set", indices: costs }, picked(program.costs, costs));
  }
  if (columnBounds.length > 0) {
    native.changeColsBounds(
      { kind: "set", indices: columnBounds },
      picked(program.columnLower, columnBounds),
      picked(program.columnUpper, columnBounds),
    );
  }
  if (rowBounds.length > 0) {
    native.changeRowsBounds(
      { kind: "set", indices: rowBounds },
      picked(program.rowLower, rowBounds),
      picked(program.rowUpper, rowBounds),
    );
  }
  copy.held = heldProgram(program);
}

function picked(list: Float64Array, positions: Int32Array): Float64Array {
  return Float64Array.from(positions, (position) => list[position] ?? 0);
}

function setOptions(
  { native }: Copy,
  limits: SolveLimits,
  integrality: "asWritten" | "relaxed",
): void {
  native.options.set({
    random_seed: 0,
    time_limit: finite(limits.timeLimitSeconds ?? Number.POSITIVE_INFINITY),
    // HiGHS's own gaps (1e-4 relative, 1e-6 absolute) would hide better points of scaled objectives.
    mip_rel_gap: finite(limits.relativeGap ?? 0),
    mip_abs_gap: finite(limits.absoluteGap ?? 0),
    mip_max_nodes: limits.mostNodes ?? unlimitedNodes,
    mip_min_logging_interval: 0.5,
    simplex_strategy: simplexMethods.dual,
    solve_relaxation: integrality === "relaxed",
  });
  // The time limit counts from the last time the clocks were set to zero.
  native.zeroAllClocks();
}

/** HiGHS counts nodes in 32 bits. */
const unlimitedNodes = 2 ** 31 - 1;

/** The wrapper refuses infinite option values although HiGHS itself knows them. */
function finite(limit: number): number {
  return Math.min(Math.max(limit, 0), Number.MAX_VALUE);
}

/** HiGHS goes on from the basis it has, which adding and changing keep; a MIP solve loses it. */
function beginFromBasis({ lastBasis }: Loaded, { native, runtime, held }: Copy): void {
  const { basisStatus, basisValidity } = runtime.highs.constants;
  if (native.info.get("basis_validity") === basisValidity.valid || lastBasis === undefined) return;
  const extended = (statuses: BasisInput["colStatus"], length: number, filler: BasisStatus) =>
    Int32Array.from({ length }, (_, position) => statuses[position] ?? filler);
  native.setBasis({
    colStatus: extended(lastBasis.colStatus, held.columnCount, basisStatus.nonbasic),
    rowStatus: extended(lastBasis.rowStatus, held.rowCount, basisStatus.basic),
  });
}

/**
 * Begins from the given point if it is feasible, else from the last one if that still is. HiGHS must
 * not see any other: it would try to complete what is left of it in a solve of its own, with a time
 * limit of its own. That includes the fractional point a relaxation left behind.
 */
function beginFromPoint(
  loaded: Loaded,
  { native, runtime }: Copy,
  program: SparseProgram,
  start: Float64Array | undefined,
): void {
  if (native.info.get("basis_validity") === runtime.highs.constants.basisValidity.valid) {
    loaded.lastBasis = native.getBasis() as BasisInput;
  }
  native.clearSolver();
  const candidates = [start, loaded.lastPoint && carriedOver(loaded.lastPoint, program)];
  const point = candidates.find((values) => values && isFeasible(loaded.model, values, tolerance));
  if (point !== undefined) native.setSolution({ colValue: point });
}

/** What a run came to: the answer, unless there is a point to read first. */
type Outcome =
  | { readonly status: "optimal" }
  | {
      readonly status: "stopped";
      readonly stoppedBy: StopReason;
      /** False where the costs were set aside, so that objective and bound mean nothing. */
      readonly keptCosts: boolean;
    }
  | Extract<IlpSolution, { status: "infeasible" | "unbounded" | "failed" }>;

/** Runs HiGHS, and once more without costs if it could not tell infeasible from unbounded. */
function runToOutcome(copy: Copy, watch: Watch): Outcome {
  const { native, held, runtime } = copy;
  const { modelStatus } = native.run(callbacksFor(runtime, watch));
  if (modelStatus !== runtime.highs.constants.modelStatus.unboundedOrInfeasible) {
    return outcomeOf(copy, modelStatus);
  }
  const noCosts = new Float64Array(held.columnCount);
  native.changeColsCost({ kind: "range", from: 0, to: held.columnCount - 1 }, noCosts);
  copy.held = { ...held, costs: noCosts };
  native.clearSolver();
  const feasibility = native.run(callbacksFor(runtime, { ...watch, reportsProgress: false }));
  const outcome = outcomeOf(copy, feasibility.modelStatus);
  if (outcome.status === "optimal") return { status: "unbounded" };
  return outcome.status === "stopped" ? { ...outcome, keptCosts: false } : outcome;
}

function outcomeOf({ runtime }: Copy, modelStatus: ModelStatusCode): Outcome {
  const statuses = runtime.highs.constants.modelStatus;
  switch (modelStatus) {
    case statuses.optimal:
      return { status: "optimal" };
    case statuses.infeasible:
      return { status: "infeasible" };
    case statuses.unbounded:
      return { status: "unbounded" };
    case statuses.timeLimit:
      return { status: "stopped", stoppedBy: "timeLimit", keptCosts: true };
    case statuses.solutionLimit:
      return { status: "stopped", stoppedBy: "nodeLimit", keptCosts: true };
    case statuses.interrupted:
      return { status: "stopped", stoppedBy: "interrupt", keptCosts: true };
    default: {
      const known = Object.entries(statuses).find(([, code]) => code === modelStatus);
      const message = `HiGHS ended with the status ${known?.[0] ?? modelStatus}.`;
      return { status: "failed", reason: "solverError", message };
    }
  }
}

// After a limit HiGHS reports an objective even where it has no feasible point.
function hasPoint(copy: Copy): boolean {
  const { solutionStatus } = copy.runtime.highs.constants;
  return numberInfo(copy, "primal_solution_status") === solutionStatus.feasible;
}

function pointOf(copy: Copy, isLinear: boolean): SolvedPoint {
  const objective = numberInfo(copy, "objective_function_value");
  const bound = Math.min(boundOf(copy, isLinear), objective);
  const { colValue } = copy.native.getSolution();
  return { values: colValue, objective, bound, gap: relativeGap(objective, bound) };
}

function boundOf(copy: Copy, isLinear: boolean): number {
  if (!isLinear) return numberInfo(copy, "mip_dual_bound");
  const { optimal } = copy.runtime.highs.constants.modelStatus;
  return copy.native.getModelStatus() === optimal
    ? numberInfo(copy, "objective_function_value")
    : Number.NEGATIVE_INFINITY;
}

function effortOf(copy: Copy): SolveEffort {
  return {
    nodes: Math.max(0, numberInfo(copy, "mip_node_count")),
    simplexIterations: Math.max(0, numberInfo(copy, "simplex_iteration_count")),
  };
}

function numberInfo({ native }: Copy, name: string): number {
  return Number(native.info.get(name));
}

function callbacksFor({ highs }: Runtime, watch: Watch): HighsCallbackMap {
  const channel = highs.constants.callbackType;
  const poll = (event: { interrupt(): void }): undefined => {
    if (watch.mustStop()) event.interrupt();
  };
  // HiGHS polls the second of these in every simplex iteration of a linear program, but neither
  // while it solves the first relaxation of an integral one.
  const stops: HighsCallbackMap = {
    [channel.mipInterrupt]: poll,
    [channel.simplexInterrupt]: poll,
  };
  if (!watch.reportsProgress) return stops;
  return {
    ...stops,
    [channel.mipImprovingSolution]: ({ data }): undefined => {
      const { objective_function_value: objective, mip_solution: values } = data;
      if (objective === undefined || values === undefined) return;
      watch.reportIncumbent(objective, data.mip_dual_bound ?? Number.NEGATIVE_INFINITY, values);
    },
    // This channel is silent unless output_flag is on.
    [channel.mipLogging]: ({ data }): undefined => {
      watch.reportBound(
        data.mip_primal_bound ?? Number.POSITIVE_INFINITY,
        data.mip_dual_bound ?? Number.NEGATIVE_INFINITY,
        Number(data.mip_node_count ?? 0),
      );
    },
  };
}
