/**
 * How statements are carried out: the queries and updates at the cursor, and of the selected one its
 * plans, or the tables it writes with its support queries.
 */
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { duration, perCent, plural } from "../design/format.ts";
import { KindMark } from "../design/kind-mark.tsx";
import { useSidePanel } from "../design/side-panel.ts";
import { Split } from "../design/split.tsx";
import { stepName } from "../design/steps.ts";
import { type Answer, useCursor, useSession, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";
import { PlanGroupView } from "./plan-group-view.tsx";
import { plansOfQuery, type QueryRow, queryRows } from "./plan-rows.ts";
import { PlanStrip } from "./plan-strip.tsx";
import { type UpdateRow, updateRows } from "./update-rows.ts";
import { UpdateView } from "./update-view.tsx";
import { WhyThisPlan } from "./why-plan.tsx";
import "./plans-view.css";

export interface PlansViewProps {
  readonly answer: Answer;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

export function PlansView({ answer, index, labels }: PlansViewProps) {
  const { recommendation } = answer;
  const step = Math.min(useCursor(), recommendation.steps.length - 1);
  const wanted = useSession((each) => each.query);
  const queries = useMemo(
    () => queryRows(recommendation, index, step),
    [recommendation, index, step],
  );
  const updates = useMemo(
    () => updateRows(recommendation, index, step),
    [recommendation, index, step],
  );
  const update = updates.find((row) => row.statement === wanted);
  const query = update
    ? undefined
    : (queries.find((row) => row.statement === wanted) ?? queries[0]);
  const selected = update ?? query;
  if (!selected)
    return (
      <div className="empty">
        <h2>No statements</h2>
        <p>The workload of this answer has no statements, so there is nothing to plan.</p>
      </div>
    );
  return (
    <Split
      name="plan-queries"
      label="Width of the list of statements"
      direction="across"
      initial={340}
      least={220}
      most={520}
      first={
        <div className="plan-lists">
          <QueryList rows={queries} selected={selected.statement} when={stepName(step, labels)} />
          {updates.length > 0 && (
            <UpdateList
              rows={updates}
              selected={selected.statement}
              when={stepName(step, labels)}
            />
          )}
        </div>
      }
      second={
        <section className="query-plans" aria-labelledby="query-head">
          <StatementHead row={selected} index={index} />
          {query && (
            <QueryPlans
              key={query.statement}
              answer={answer}
              index={index}
              labels={labels}
              row={query}
              step={step}
            />
          )}
          {update && (
            <UpdateView
              key={update.statement}
              answer={answer}
              index={index}
              labels={labels}
              row={update}
              step={step}
            />
          )}
        </section>
      }
    />
  );
}

function QueryPlans(props: PlansViewProps & { readonly row: QueryRow; readonly step: number }) {
  const { answer, index, labels, row, step } = props;
  const reads = useMemo(
    () => plansOfQuery(answer.recommendation, row.statement),
    [answer, row.statement],
  );
  // An explanation is of one step; it goes when the cursor moves on.
  const [askedAt, setAskedAt] = useState<number>();
  const isOpen = askedAt === step && row.plan !== undefined;
  const close = useCallback(() => setAskedAt(undefined), []);
  const { remember } = useSidePanel(isOpen, close);
  return (
    <>
      <PlanStrip reads={reads} index={index} labels={labels} />
      {row.plan && (
        <div>
          <button
            type="button"
            className="button small"
            aria-expanded={isOpen}
            onClick={() => {
              remember();
              setAskedAt(isOpen ? undefined : step);
            }}
          >
            Why this plan? When would it switch?
          </button>
        </div>
      )}
      {isOpen && (
        <WhyThisPlan
          key={step}
          answer={answer}
          index={index}
          statement={row.statement}
          step={step}
          labels={labels}
          onClose={close}
        />
      )}
      <PlanGroupView
        answer={answer}
        index={index}
        reads={reads}
        label={row.label}
        step={step}
        labels={labels}
        explained
      />
    </>
  );
}

interface ListProps<Row> {
  readonly rows: readonly Row[];
  readonly selected: string;
  /** The step, in words. */
  readonly when: string;
}

function QueryList({ rows, selected, when }: ListProps<QueryRow>) {
  const total = rows.reduce((sum, each) => sum + each.cost, 0);
  return (
    <section aria-labelledby="queries-head">
      <h2 id="queries-head">Queries at {when}</h2>
      <ul className="statement-rows">
        {rows.map((row) => (
          <StatementRowButton
            key={row.statement}
            statement={row.statement}
            label={row.label}
            isSelected={row.statement === selected}
            mark={row.kind ? <PlanGlyph kind={row.kind} /> : <span className="no-glyph" />}
            tag={row.plans > 1 ? `${row.plans} plans` : undefined}
            tagTitle="Number of different plans over all steps"
            cost={row.cost}
            share={total > 0 ? row.cost / total : 0}
            kind="query"
          />
        ))}
      </ul>
    </section>
  );
}

function UpdateList({ rows, selected, when }: ListProps<UpdateRow>) {
  const costOf = ({ writing, support }: UpdateRow): number => writing + support;
  const total = rows.reduce((sum, each) => sum + costOf(each), 0);
  return (
    <section aria-labelledby="updates-head">
      <h2 id="updates-head">Updates at {when}</h2>
      <ul className="statement-rows">
        {rows.map((row) => (
          <StatementRowButton
            key={row.statement}
            statement={row.statement}
            label={row.label}
            isSelected={row.statement === selected}
            mark={<KindMark kind="update" />}
            tag={plural(row.tables, "table")}
            tagTitle="Number of tables that it writes at this step"
            cost={costOf(row)}
            share={total > 0 ? costOf(row) / total : 0}
            kind="update"
          />
        ))}
      </ul>
    </section>
  );
}

function StatementRowButton(props: {
  readonly statement: string;
  readonly label: string;
  readonly isSelected: boolean;
  readonly mark: ReactNode;
  readonly tag: string | undefined;
  readonly tagTitle: string;
  /** Milliseconds of the step, and their share of the list's. */
  readonly cost: number;
  readonly share: number;
  readonly kind: "query" | "update";
}) {
  const { statement, label, isSelected, mark, tag, tagTitle, cost, share, kind } = props;
  const { session } = useStudio();
  return (
    <li>
      <button
        type="button"
        className="query-row"
        aria-current={isSelected}
        onClick={() => session.setState({ query: statement })}
        title={`${duration(cost).exact} at this step`}
      >
        {mark}
        <span className="statement-label">{label}</span>
        {tag !== undefined && (
          <span className="tag" title={tagTitle}>
            {tag}
          </span>
        )}
        <span className="quiet small">{duration(cost).text}</span>
        <span className={`share-bar ${kind}`} aria-hidden="true">
          <span style={{ width: perCent(share).replace("\u00a0", "") }} />
        </span>
      </button>
    </li>
  );
}

function StatementHead(props: {
  readonly row: { readonly statement: string; readonly label: string };
  readonly index: AnswerIndex;
}) {
  const statement = props.index.statements.get(props.row.statement);
  return (
    <header>
      <h2 id="query-head">{props.row.label}</h2>
      {statement && <p className="mono small quiet query-text">{statement.text}</p>}
    </header>
  );
}
