/** The schema at the time cursor, as cards: keys, size, partitions, and who uses each table. */
import { useMemo } from "react";
import type { Recommendation } from "#model/recommendation.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { bytes, count, exactNumber, perCent, plural } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { Icon } from "../design/icon.tsx";
import { stepName } from "../design/steps.ts";
import { useCursor, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";
import { type SchemaCard, schemaCards, schemaChange } from "./schema-rows.ts";
import "./schema-view.css";

export interface SchemaViewProps {
  readonly recommendation: Recommendation;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

export function SchemaView({ recommendation, index, labels }: SchemaViewProps) {
  const step = Math.min(useCursor(), recommendation.steps.length - 1);
  const cards = useMemo(
    () => schemaCards(recommendation, index, step),
    [recommendation, index, step],
  );
  const change = schemaChange(recommendation, step);
  const storage = recommendation.steps[step]?.storageBytes ?? 0;
  const limit = recommendation.storageLimit;
  return (
    <section className="schema-view" aria-labelledby="schema-head">
      <header>
        <h2 id="schema-head">Schema at {stepName(step, labels)}</h2>
        <p className="quiet">
          {plural(cards.length, "table")},{" "}
          <span title={bytes(storage).exact}>{bytes(storage).text}</span>
          {limit !== undefined && ` (${perCent(storage / limit)} of the limit)`}
          {change.added + change.removed > 0 &&
            ` · ${change.added} new and ${change.removed} gone since the step before`}
        </p>
      </header>
      <ul className="schema-cards">
        {cards.map((card) => (
          <Card key={card.family.key} card={card} labels={labels} step={step} />
        ))}
      </ul>
    </section>
  );
}

function Card(props: {
  readonly card: SchemaCard;
  readonly step: number;
  readonly labels: readonly string[] | undefined;
}) {
  const { card } = props;
  const { family, tag } = card;
  const highlighted = useHighlighted(family.key);
  const { size } = family;
  const rows = count(size.rows, "");
  const partitions = count(size.partitions, "");
  return (
    <li
      className={highlighted ? "schema-card highlighted" : "schema-card"}
      {...highlightHandlers(family.key)}
    >
      <div className="card-tags">
        <span className="tag">{tag}</span>
        {card.isNew && <span className="tag new">new at this step</span>}
        {card.isLeaving && <span className="tag">dropped after this step</span>}
      </div>
      <FamilyLine family={family} />
      <dl className="card-figures">
        <div>
          <dt>Size</dt>
          <dd title={bytes(size.bytes).exact}>{bytes(size.bytes).text}</dd>
        </div>
        <div>
          <dt>Rows</dt>
          <dd title={rows.exact}>{rows.text}</dd>
        </div>
        <div>
          <dt>Partitions</dt>
          <dd title={partitions.exact}>{partitions.text}</dd>
        </div>
        <div>
          <dt>One partition</dt>
          <dd
            title={`${exactNumber(size.rowsPerPartition)} rows, ${bytes(size.bytesPerPartition).exact}`}
          >
            {count(size.rowsPerPartition, "rows").text}, {bytes(size.bytesPerPartition).text}
          </dd>
        </div>
      </dl>
      {card.cautions.map((caution) => (
        <p key={caution} className="card-caution small">
          <Icon name="warning" size={14} /> {caution}
        </p>
      ))}
      <UsedBy card={card} />
    </li>
  );
}

function UsedBy({ card }: { readonly card: SchemaCard }) {
  const { session } = useStudio();
  if (card.usedBy.length === 0 && card.sourceFor.length === 0)
    return (
      <p className="quiet small">
        No query reads it at this step; it waits for a later step or helps updates.
      </p>
    );
  return (
    <div className="used-by small">
      {card.usedBy.length > 0 && (
        <>
          <span className="quiet">Used by</span>
          <ul>
            {card.usedBy.map((use) => (
              <li key={use.statement}>
                <button
                  type="button"
                  className="use-button"
                  title={`${use.kind}: see the plan`}
                  onClick={() => session.setState({ resultView: "plans", query: use.statement })}
                >
                  <PlanGlyph kind={use.kind} /> {use.label}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {card.sourceFor.length > 0 && (
        <p className="quiet">Source for building {card.sourceFor.join(", ")}</p>
      )}
    </div>
  );
}
