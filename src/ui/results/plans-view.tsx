/** How queries are answered: the queries at the cursor, and the plans of the selected one. */
import { useMemo } from "react";
import { isQuery } from "#model/statement.ts";
import { duration, perCent } from "../design/format.ts";
import { Split } from "../design/split.tsx";
import { stepName } from "../design/steps.ts";
import { type Answer, useCursor, useSession, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";
import { PlanGroupView } from "./plan-group-view.tsx";
import { type QueryRow, queryRows } from "./plan-rows.ts";
import { PlanStrip } from "./plan-strip.tsx";
import "./plans-view.css";

export interface PlansViewProps {
  readonly answer: Answer;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

export function PlansView({ answer, index, labels }: PlansViewProps) {
  const { session } = useStudio();
  const { recommendation } = answer;
  const step = Math.min(useCursor(), recommendation.steps.length - 1);
  const wanted = useSession((each) => each.query);
  const rows = useMemo(() => queryRows(recommendation, index, step), [recommendation, index, step]);
  const selected = rows.find((row) => row.statement === wanted) ?? rows[0];
  if (!selected)
    return (
      <div className="empty">
        <h2>No queries</h2>
        <p>The workload of this answer has no queries, so there is nothing to plan.</p>
      </div>
    );
  return (
    <Split
      name="plan-queries"
      label="Width of the list of queries"
      direction="across"
      initial={340}
      least={220}
      most={520}
      first={
        <section className="query-list" aria-labelledby="queries-head">
          <h2 id="queries-head">Queries at {stepName(step, labels)}</h2>
          <ul>
            {rows.map((row) => (
              <li key={row.statement}>
                <QueryButton
                  row={row}
                  total={rows.reduce((sum, each) => sum + each.cost, 0)}
                  isSelected={row === selected}
                  onSelect={() => session.setState({ query: row.statement })}
                />
              </li>
            ))}
          </ul>
        </section>
      }
      second={
        <section className="query-plans" aria-labelledby="query-head">
          <QueryHead row={selected} index={index} />
          <PlanStrip
            recommendation={recommendation}
            index={index}
            statement={selected.statement}
            labels={labels}
          />
          <PlanGroupView
            key={selected.statement}
            answer={answer}
            index={index}
            row={selected}
            step={step}
          />
        </section>
      }
    />
  );
}

function QueryButton(props: {
  readonly row: QueryRow;
  readonly total: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}) {
  const { row, total, isSelected, onSelect } = props;
  const share = total > 0 ? row.cost / total : 0;
  return (
    <button
      type="button"
      className="query-row"
      aria-current={isSelected}
      onClick={onSelect}
      title={`${duration(row.cost).exact} at this step`}
    >
      {row.kind ? <PlanGlyph kind={row.kind} /> : <span className="no-glyph" />}
      <span className="statement-label">{row.label}</span>
      {row.plans > 1 && (
        <span className="tag" title="Number of different plans over all steps">
          {row.plans} plans
        </span>
      )}
      <span className="quiet small">{duration(row.cost).text}</span>
      <span className="share-bar" aria-hidden="true">
        <span style={{ width: perCent(share).replace("\u00a0", "") }} />
      </span>
    </button>
  );
}

function QueryHead({ row, index }: { readonly row: QueryRow; readonly index: AnswerIndex }) {
  const statement = index.statements.get(row.statement);
  return (
    <header>
      <h2 id="query-head">{row.label}</h2>
      {statement && isQuery(statement) && (
        <p className="mono small quiet query-text">{statement.text}</p>
      )}
    </header>
  );
}
