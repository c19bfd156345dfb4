/** The fixed looks: colours and patterns of the kinds of cost, baselines, column families, messages. */
import { families } from "../hotel-specimen.ts";
import { baselineLooks, costKinds } from "./cost-kinds.ts";
import { EntityHueContext, entityHues, FamilyLine } from "./family-line.tsx";
import { KindSwatch } from "./fill-patterns.tsx";
import { IssueList } from "./issue-list.tsx";

export function Looks() {
  return (
    <EntityHueContext value={entityHues(["hotel", "room", "guest", "reservation"])}>
      <div style={{ display: "grid", gap: 20, padding: 24 }}>
        <ul>
          {costKinds.map((look) => (
            <li key={look.kind}>
              <KindSwatch id={`looks-${look.kind}`} kind={look.kind} /> {look.word}{" "}
              <span className="quiet">{look.meaning}</span>
            </li>
          ))}
        </ul>
        <ul>
          {baselineLooks.map((look) => (
            <li key={look.kind}>
              <svg width="40" height="8" aria-hidden="true">
                <path
                  d="M0 4h40"
                  stroke={look.colour}
                  strokeWidth="2"
                  strokeDasharray={look.dash}
                />
              </svg>{" "}
              {look.word} <span className="quiet">{look.meaning}</span>
            </li>
          ))}
        </ul>
        <ul>
          {Object.values(families).map((family) => (
            <li key={family.key}>
              <FamilyLine family={family} />
            </li>
          ))}
        </ul>
        <IssueList
          issues={[
            {
              severity: "error",
              place: "statements/q1",
              message: "user has no role called itemz.",
              hint: "Did you mean items?",
            },
            {
              severity: "warning",
              place: "statements/q2",
              message: "The query has no equality.",
              hint: "Its whole answer is one partition.",
            },
          ]}
        />
      </div>
    </EntityHueContext>
  );
}
