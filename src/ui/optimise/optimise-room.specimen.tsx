/** The Optimise room in all its states: ready, running, answered, and the ways a run can end without an answer. */
import type { RunOutcome } from "#model/recommendation.ts";
import { problem, recommendation } from "../hotel-specimen.ts";
import { hotelDocument } from "../hotel-specimen-document.ts";
import { SpecimenStudio } from "../specimen-studio.tsx";
import type { ProgressPoint, RunState } from "../studio-state.ts";
import { OptimiseRoom } from "./optimise-room.tsx";

function Specimen({ run }: { readonly run?: (key: string) => Partial<RunState> }) {
  return (
    <SpecimenStudio document={hotelDocument} height={640} {...(run && { run })}>
      <OptimiseRoom />
    </SpecimenStudio>
  );
}

const history: readonly ProgressPoint[] = [
  { seconds: 0.8, bound: 13.1e6 },
  { seconds: 1.4, incumbent: 17.4e6 },
  { seconds: 2.1, bound: 13.6e6 },
  { seconds: 2.9, incumbent: 16.2e6, bound: 14.4e6 },
  { seconds: 4.4, incumbent: 15.8e6 },
  { seconds: 5.2, bound: 15.1e6 },
];

export function Running() {
  return (
    <Specimen
      run={(problemKey) => ({
        running: {
          problemKey,
          improves: false,
          started: performance.now() - 5300,
          progress: {
            stage: "solve",
            message: "A better answer",
            counts: { proposed: 212, candidates: 64, plans: 320, nodes: 12, done: 3, all: 6 },
            incumbent: 15.8e6,
            bound: 15.1e6,
            gap: 0.044,
          },
          history,
        },
      })}
    />
  );
}

export function Answered() {
  return (
    <Specimen
      run={(problemKey) => ({
        answer: { problemKey, problem, recommendation },
        lastHistory: history,
      })}
    />
  );
}

function Ended({ outcome }: { readonly outcome: RunOutcome }) {
  return <Specimen run={(problemKey) => ({ outcome: { problemKey, outcome } })} />;
}

export function Infeasible() {
  return (
    <Ended
      outcome={{
        status: "infeasible",
        reasons: ["No set of tables within 500 MB can answer every query."],
        smallestStorage: 1.62e9,
        seconds: {},
      }}
    />
  );
}

export function Stopped() {
  return (
    <Ended
      outcome={{
        status: "timedOut",
        reasons: ["The run was stopped before a first answer was found."],
        bound: 13.1e6,
        seconds: {},
      }}
    />
  );
}

export function Failed() {
  return (
    <Ended
      outcome={{
        status: "failed",
        stage: "solve",
        reasons: ["The optimiser crashed: out of memory"],
        seconds: {},
      }}
    />
  );
}

export function TooLarge() {
  const size = { families: 4829, gets: 1.9e6, distinctSteps: 12, bytes: 5.8e9, prunedBytes: 3e9 };
  return <Specimen run={(problemKey) => ({ tooLarge: { problemKey, size } })} />;
}
