/**
 * What it means to solve an `IlpModel`, without saying who solves it.
 *
 * Decides the question (`SolveLimits`, `SolveHooks`), the answer (`IlpSolution`) and the shape of a
 * solver (`Solve`, `IlpSolver`, `LoadedProgram`). The engine receives a solver as an argument and
 * imports this file only; the HiGHS adapter fulfils it. Promises that an answer with values always
 * states how good it is (`bound`, `gap`), and that a solver reports its own faults as `failed`
 * instead of throwing.
 */
import type { IlpModel, SparseProgram } from "./model.ts";

/** When to stop. An absent limit means: go on until optimality is proved. */
export interface SolveLimits {
  /** Seconds of wall-clock time for this solve alone, preparation of the solver not included. */
  readonly timeLimitSeconds?: number;
  /** Stop once |objective − bound| ≤ this share of |objective|. Default 0: prove optimality. */
  readonly relativeGap?: number;
  /** Stop once |objective − bound| ≤ this, in units of the objective. Default 0. */
  readonly absoluteGap?: number;
  /** Stop after so many branch-and-bound nodes. */
  readonly mostNodes?: number;
  /** A full point, one value per variable, to begin from. An infeasible one is merely ignored. */
  readonly start?: Float64Array;
}

/** A better point, reported while solving. `values` is the receiver's own copy. */
export interface Incumbent {
  readonly objective: number;
  readonly bound: number;
  readonly gap: number;
  readonly values: Float64Array;
}

/** How far a running solve has come; `incumbent` is the objective of the best point so far. */
export interface BoundProgress {
  readonly incumbent: number | undefined;
  readonly bound: number;
  readonly gap: number;
  readonly nodes: number;
}

/**
 * Called from inside the (blocking) solve, so they must be quick and must not start another solve.
 * Programs without integral variables report neither incumbents nor bounds. An exception thrown by a
 * hook stops the solve and is thrown on to the caller: it is the caller's fault, not the solver's.
 */
export interface SolveHooks {
  onIncumbent?(incumbent: Incumbent): void;
  onBound?(progress: BoundProgress): void;
  /**
   * Polled a few times a second or more; `true` stops the solve, which keeps the best point found.
   * HiGHS does not ask while it solves the first relaxation of an integral program.
   */
  shouldStop?(): boolean;
}

/** Why a solve ended before its proof did. */
export type StopReason = "timeLimit" | "nodeLimit" | "interrupt";

/** Why there is no answer: WASM memory ran out, or the solver refused or broke off. */
export type FailureReason = "memoryExhausted" | "solverError";

/** How much work an answer took. */
export interface SolveEffort {
  /** Branch-and-bound nodes; 0 for a program without integral variables. */
  readonly nodes: number;
  readonly simplexIterations: number;
}

/** A feasible point (within the solver's tolerance of 1e-6; integral values are not rounded). */
export interface SolvedPoint {
  /** One value per variable. */
  readonly values: Float64Array;
  readonly objective: number;
  /** No feasible point has an objective below this. */
  readonly bound: number;
  /** See `relativeGap`: 0 is proved optimal, 1 means that next to nothing is known. */
  readonly gap: number;
}

/** The answer. `optimal` means: proved so within the gaps the limits allow. */
export type IlpSolution =
  | ({ readonly status: "optimal" } & SolvedPoint & SolveEffort)
  | ({ readonly status: "feasible"; readonly stoppedBy: StopReason } & SolvedPoint & SolveEffort)
  | ({
      readonly status: "timedOut";
      readonly stoppedBy: StopReason;
      readonly bound: number;
    } & SolveEffort)
  | { readonly status: "infeasible" }
  | { readonly status: "unbounded" }
  | { readonly status: "failed"; readonly reason: FailureReason; readonly message: string };

/** Solves one model once. */
export type Solve = (
  model: IlpModel,
  limits: SolveLimits,
  hooks?: SolveHooks,
) => Promise<IlpSolution>;

/**
 * The answer to a program whose integrality is ignored. At an optimum
 * `reducedCosts[j] = cost[j] − Σ_i coefficient[i, j] · duals[i]`; a new column with cost c and
 * coefficients a improves the optimum only if c − Σ_i a[i] · duals[i] < 0.
 */
export type RelaxationSolution =
  | ({
      readonly status: "optimal";
      /** One value per variable. */
      readonly values: Float64Array;
      readonly objective: number;
      /** One price per constraint: change of the optimum per unit of its active bound. */
      readonly duals: Float64Array;
      /** One per variable. */
      readonly reducedCosts: Float64Array;
    } & SolveEffort)
  | ({ readonly status: "timedOut"; readonly stoppedBy: StopReason } & SolveEffort)
  | { readonly status: "infeasible" }
  | { readonly status: "unbounded" }
  | { readonly status: "failed"; readonly reason: FailureReason; readonly message: string };

/**
 * A model kept inside the solver, which follows the model: each solve first takes over the
 * variables, constraints, bounds and costs that the model has gained or changed since the last one,
 * and begins from the basis and point that one ended with.
 */
export interface LoadedProgram {
  /** Minimises `costs` (one per variable) from now on; `undefined` returns to the model's own. */
  changeCosts(costs: Float64Array | undefined): void;
  solve(limits: SolveLimits, hooks?: SolveHooks): Promise<IlpSolution>;
  /** Solves the linear relaxation. */
  solveRelaxation(
    limits?: RelaxationLimits,
    hooks?: Pick<SolveHooks, "shouldStop">,
  ): Promise<RelaxationSolution>;
  /** Frees the solver's memory. Required: nothing else frees it. May be repeated. */
  dispose(): void;
}

export interface RelaxationLimits extends Pick<SolveLimits, "timeLimitSeconds"> {
  /**
   * How to go on from the last basis: after new columns or costs it is still a feasible point, from which the primal
   * simplex method goes on; after new rows or bounds it still has feasible duals, as the dual method, the default, wants.
   */
  readonly simplex?: "primal" | "dual";
}

/** A solver: one model at a time, or one model kept and solved repeatedly. */
export interface IlpSolver {
  readonly solve: Solve;
  load(model: IlpModel): LoadedProgram;
}

/**
 * |objective − bound| as a share of |objective|, between 0 and 1. Everything above 1 (an objective
 * near zero, no bound yet) says equally little and is reported as 1.
 */
export function relativeGap(objective: number, bound: number): number {
  const distance = Math.abs(objective - bound);
  if (distance === 0) return 0;
  const gap = distance / Math.max(Math.abs(objective), Number.MIN_VALUE);
  return Math.min(gap, 1);
}

/** Hooks as a solver may call them: they never throw, and a bound never exceeds its incumbent. */
export interface Watch {
  /** Whether anyone listens to the two reports. */
  readonly reportsProgress: boolean;
  reportIncumbent(objective: number, bound: number, values: Float64Array): void;
  /** `objective` is infinite as long as there is no incumbent. */
  reportBound(objective: number, bound: number, nodes: number): void;
  /** Whether the solve should end: the caller wants it, or a hook has thrown. */
  mustStop(): boolean;
  /** Throws what a hook threw; to be called when the solver is out of the way. */
  rethrow(): void;
}

/** Wraps hooks so that their faults stop the solve instead of tearing through the solver. */
export function watchWith(hooks: SolveHooks): Watch {
  // At most one, since no hook is called after it.
  const faults: unknown[] = [];
  const guarded = <Result>(call: () => Result): Result | undefined => {
    if (faults.length > 0) return undefined;
    try {
      return call();
    } catch (error) {
      faults.push(error);
      return undefined;
    }
  };
  return {
    reportsProgress: hooks.onIncumbent !== undefined || hooks.onBound !== undefined,
    reportIncumbent: (objective, reported, values) => {
      const bound = Math.min(reported, objective);
      const gap = relativeGap(objective, bound);
      guarded(() => hooks.onIncumbent?.({ objective, bound, gap, values }));
    },
    reportBound: (objective, reported, nodes) => {
      const incumbent = Number.isFinite(objective) ? objective : undefined;
      const bound = Math.min(reported, objective);
      const gap = incumbent === undefined ? 1 : relativeGap(incumbent, bound);
      guarded(() => hooks.onBound?.({ incumbent, bound, gap, nodes }));
    },
    mustStop: () => guarded(() => hooks.shouldStop?.()) === true || faults.length > 0,
    rethrow: () => {
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** The answer to a program without variables, which needs no solver: do its rows allow a sum of 0? */
export function solutionWithoutVariables(program: SparseProgram, tolerance: number): IlpSolution {
  const relaxed = relaxationWithoutVariables(program, tolerance);
  if (relaxed.status !== "optimal") return { status: "infeasible" };
  const { values, objective } = relaxed;
  return { status: "optimal", values, objective, bound: 0, gap: 0, nodes: 0, simplexIterations: 0 };
}

/** The same for the relaxation: no variables, so every price is 0. */
export function relaxationWithoutVariables(
  program: SparseProgram,
  tolerance: number,
): RelaxationSolution {
  const holds =
    program.rowLower.every((lower) => lower <= tolerance) &&
    program.rowUpper.every((upper) => upper >= -tolerance);
  if (!holds) return { status: "infeasible" };
  return {
    status: "optimal",
    values: new Float64Array(0),
    objective: 0,
    duals: new Float64Array(program.rowCount),
    reducedCosts: new Float64Array(0),
    nodes: 0,
    simplexIterations: 0,
  };
}
