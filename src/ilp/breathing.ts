/** A solver that lets its thread hear messages between two solves: each of them blocks it. */
import type { IlpSolver } from "./solve.ts";

/** Milliseconds that may pass unheard where solves are short. */
const longestBreath = 30;

/** `pause` resolves once whatever waits for the thread has been heard; `now` is in milliseconds. */
export function breathing(
  solver: IlpSolver,
  now: () => number,
  pause: () => Promise<void>,
): IlpSolver {
  let heard = now();
  const breathe = async (): Promise<void> => {
    if (now() - heard < longestBreath) return;
    await pause();
    heard = now();
  };
  return {
    solve: async (...all) => {
      await breathe();
      return solver.solve(...all);
    },
    load: (model) => {
      const program = solver.load(model);
      return {
        ...program,
        solve: async (...all) => {
          await breathe();
          return program.solve(...all);
        },
        solveRelaxation: async (...all) => {
          await breathe();
          return program.solveRelaxation(...all);
        },
      };
    },
  };
}
