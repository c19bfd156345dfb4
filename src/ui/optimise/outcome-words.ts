/** How a run without an answer is told: what happened, why, and the way out. */
import type { RunOutcome } from "#model/recommendation.ts";
import { bytes, duration } from "../design/format.ts";

export interface OutcomeWords {
  readonly severity: "error" | "caution";
  readonly head: string;
  readonly reasons: readonly string[];
  readonly wayOut: string;
}

export function outcomeWords(outcome: RunOutcome): OutcomeWords {
  switch (outcome.status) {
    case "infeasible":
      return {
        severity: "caution",
        head: "No schema fits these limits",
        reasons: outcome.reasons,
        wayOut:
          outcome.smallestStorage === undefined
            ? "Loosen the limits and start again."
            : // With the exact figure: a rounded one, typed, could fall short again.
              `Raise the limit to ${bytes(outcome.smallestStorage).exact} (${bytes(outcome.smallestStorage).text}) or more, or leave out the statements that need the most room.`,
      };
    case "timedOut":
      return {
        severity: "caution",
        head: "The run ended before it found an answer",
        reasons: outcome.reasons,
        wayOut:
          outcome.bound === undefined
            ? "Give it more time, or make the problem smaller: fewer steps, or fewer Gets in a plan."
            : `No answer can cost less than ${duration(outcome.bound).text}. Give it more time, or make the problem smaller: fewer steps, or fewer Gets in a plan.`,
      };
    case "failed":
      return {
        severity: "error",
        head: "The optimiser failed",
        reasons: outcome.reasons,
        wayOut: `It happened in the stage “${outcome.stage}”. Your project is unharmed. Start again; if it fails again, download the project and report it.`,
      };
    case "optimal":
    case "feasible":
      return { severity: "caution", head: "", reasons: [], wayOut: "" };
  }
}
