/** What the answer would be under one more condition: its cost, what differs, and how it then looks. */
import { useId } from "react";
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { Alternative, FamilyPresence } from "#model/explanation.ts";
import type { QueryPlan } from "#model/plan.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { KindSwatch } from "../design/fill-patterns.tsx";
import { duration } from "../design/format.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanLine } from "./plan-line.tsx";
import { alternativeWords, differenceRows, signedDuration, stepsWords } from "./why-words.ts";

export interface AlternativeViewProps {
  readonly alternative: Alternative;
  /** As in “without it”. */
  readonly condition: string;
  /** Milliseconds of the answer. */
  readonly objective: number;
  readonly index: AnswerIndex;
  readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  readonly plans: readonly QueryPlan[];
  readonly labels: readonly string[] | undefined;
  /** Not worth naming among what goes: the table that is forbidden. */
  readonly forbidden?: ColumnFamilyKey;
}

export function AlternativeView(props: AlternativeViewProps) {
  const { alternative, condition, objective } = props;
  return (
    <div className="alternative">
      <p>
        {alternative.status === "found" && alternative.certainty === "estimate" && (
          <>
            <span className="tag caution">estimate</span>{" "}
          </>
        )}
        {alternativeWords(alternative, condition, objective)}
      </p>
      {alternative.status === "found" && <Differences {...props} found={alternative} />}
    </div>
  );
}

type Found = Extract<Alternative, { status: "found" }>;

function Differences(props: AlternativeViewProps & { readonly found: Found }) {
  const { found, objective, index, families, plans, labels, forbidden } = props;
  const swatches = useId().replaceAll(":", "");
  const rows = differenceRows(found.difference, objective);
  const removed = found.removed.filter(({ columnFamily }) => columnFamily !== forbidden);
  return (
    <>
      {rows.length > 0 && (
        <table className="legend-table differences">
          <caption className="visually-hidden">Difference by kind of cost</caption>
          <tbody>
            {rows.map(({ look, milliseconds }) => (
              <tr key={look.kind} title={look.meaning}>
                <td>
                  <KindSwatch id={`${swatches}${look.kind}`} kind={look.kind} /> {look.word}
                </td>
                <td title={duration(milliseconds).exact}>{signedDuration(milliseconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Presences words="Tables it has instead" presences={found.added} {...props} />
      <Presences words="Tables it does without" {...props} presences={removed} />
      {found.plans.length > 0 && (
        <details>
          <summary className="small">Queries that are answered otherwise</summary>
          <ul className="why-list">
            {found.plans.map(({ statement, plan, steps }) => (
              <li key={`${statement} ${plan}`}>
                {index.names.get(statement) ?? statement}{" "}
                <span className="quiet small">{stepsWords(steps, labels)}</span>
                <PlanLine
                  plan={plans.find(({ key }) => key === plan)}
                  families={families}
                  index={index}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Presences(
  props: Pick<AlternativeViewProps, "index" | "families" | "labels"> & {
    readonly words: string;
    readonly presences: readonly FamilyPresence[];
  },
) {
  const { words, presences, index, families, labels } = props;
  if (presences.length === 0) return null;
  return (
    <section className="presences" aria-label={words}>
      <h4>{words}</h4>
      <ul className="why-list">
        {presences.map(({ columnFamily, steps }) => {
          const family = families.get(columnFamily);
          const tag = index.tags.get(columnFamily);
          return (
            <li key={columnFamily}>
              {tag !== undefined && <span className="tag">{tag}</span>}{" "}
              {family && <FamilyLine family={family} />}{" "}
              <span className="quiet small">{stepsWords(steps, labels)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
