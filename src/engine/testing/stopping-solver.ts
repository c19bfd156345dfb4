/**
 * Solvers that are stopped before their proof, without a clock: what a run does then must not depend on how
 * fast a machine is.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import { type IlpSolution, type IlpSolver, relativeGap } from "#ilp/solve.ts";

/** A solver and the clock of the run that uses it. */
export interface Stopping {
  readonly solver: IlpSolver;
  readonly now: () => number;
}

/** The clock stands still until `solves` integer programs are solved, and then has run far beyond any limit. */
export function outOfTime(solver: IlpSolver, solves: number): Stopping {
  let left = solves;
  return {
    now: () => (left > 0 ? 0 : 1e9),
    solver: {
      ...solver,
      solve: async (model, limits, hooks) => {
        const solution = await solver.solve(model, limits, hooks);
        left -= 1;
        return solution;
      },
    },
  };
}

/**
 * From the `after`-th integer program on, each is stopped at the last node but one: with the highest bound
 * there is for it, but no proof; without a point, or with its best (`keepsPoint`). Whoever takes the bound of
 * a part of the program for one of the whole is so found out.
 */
export function stoppedBeforeTheEnd(
  solver: IlpSolver,
  after: number,
  keepsPoint: boolean,
): Stopping {
  let solved = 0;
  return {
    now: () => 0,
    solver: {
      ...solver,
      solve: async (model, limits, hooks) => {
        solved += 1;
        if (solved <= after) return solver.solve(model, limits, hooks);
        // What it finds on its way is not told: it has not been found yet.
        const solution = await solver.solve(model, limits);
        return solution.status === "optimal" ? unproven(solution, keepsPoint) : solution;
      },
    },
  };
}

function unproven(
  solution: IlpSolution & { readonly status: "optimal" },
  keepsPoint: boolean,
): IlpSolution {
  const { nodes, simplexIterations, objective, bound } = solution;
  const stopped = { stoppedBy: "timeLimit", bound, nodes, simplexIterations } as const;
  return keepsPoint
    ? { ...solution, ...stopped, status: "feasible", gap: relativeGap(objective, bound) }
    : { ...stopped, status: "timedOut" };
}
