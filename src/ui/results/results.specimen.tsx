/** The views of the Results room with the hand-made hotel, and a stale answer. */
import type { Recommendation } from "#model/recommendation.ts";
import { families, plans, problem, recommendation } from "../hotel-specimen.ts";
import { hotelDocument } from "../hotel-specimen-document.ts";
import { byTree } from "../hotel-specimen-tree.ts";
import type { Session } from "../session.ts";
import { SpecimenStudio } from "../specimen-studio.tsx";
import { ResultsRoom } from "./results-room.tsx";

function Specimen(props: {
  readonly session: Partial<Session>;
  readonly stale?: boolean;
  readonly answer?: Recommendation;
}) {
  const { session, stale = false, answer = recommendation } = props;
  return (
    <SpecimenStudio
      document={hotelDocument}
      session={session}
      height={840}
      run={(key) => ({
        answer: { problemKey: stale ? "" : key, problem, recommendation: answer },
      })}
      engine={{
        planGroup: async (_, statement) => {
          const group = Object.values(plans).filter((plan) => plan.statement === statement);
          return {
            statement,
            total: group.length,
            plans: group,
            columnFamilies: Object.values(families),
          };
        },
      }}
    >
      <ResultsRoom />
    </SpecimenStudio>
  );
}

export function OverTime() {
  return <Specimen session={{ step: 2, resultView: "time" }} />;
}

export function Schema() {
  return <Specimen session={{ step: 1, resultView: "schema" }} />;
}

export function Plans() {
  return <Specimen session={{ step: 1, resultView: "plans", query: "q2" }} />;
}

export function AnUpdate() {
  return <Specimen session={{ step: 1, resultView: "plans", query: "u1" }} />;
}

export function ByTheSummaryTree() {
  return <Specimen session={{ step: 2, resultView: "tree" }} answer={byTree} />;
}

export function Stale() {
  return <Specimen session={{ step: 2, resultView: "time" }} stale />;
}
