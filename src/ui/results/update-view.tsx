/** One update at the cursor: the tables it writes, and the support queries it asks before it can. */
import { useId, useMemo } from "react";
import { DataTable } from "../design/data-table.tsx";
import { FamilyLine } from "../design/family-line.tsx";
import { count, duration, exactNumber, plural, threeDigits } from "../design/format.ts";
import { stepName } from "../design/steps.ts";
import type { Answer } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGroupView } from "./plan-group-view.tsx";
import { PlanStrip } from "./plan-strip.tsx";
import {
  type SupportRow,
  supportRows,
  type UpdateRow,
  type UpdateWrite,
  updateWrites,
} from "./update-rows.ts";

export interface UpdateViewProps {
  readonly answer: Answer;
  readonly index: AnswerIndex;
  readonly row: UpdateRow;
  readonly step: number;
  readonly labels: readonly string[] | undefined;
}

export function UpdateView(props: UpdateViewProps) {
  const { answer, index, row, step, labels } = props;
  const { recommendation } = answer;
  const writes = useMemo(
    () => updateWrites(recommendation, index, row.statement, step),
    [recommendation, index, row.statement, step],
  );
  const support = useMemo(
    () => supportRows(recommendation, index, row.statement, step),
    [recommendation, index, row.statement, step],
  );
  if (writes.length === 0)
    return (
      <p className="quiet">
        At {stepName(step, labels)} it writes to no table: it does not run, or no table holds what
        it changes.
      </p>
    );
  const executions = count(writes[0]?.executions ?? 0, "executions");
  return (
    <>
      <p>
        <span title={executions.exact}>{executions.text}</span> at {stepName(step, labels)}:{" "}
        {duration(row.writing).text} for writing to {plural(writes.length, "table")}
        {support.length > 0 && `, ${duration(row.support).text} for support queries`}.
      </p>
      <Writes writes={writes} index={index} label={row.label} />
      {support.length === 0 ? (
        <p className="quiet small">
          It needs no support query: the statement itself tells the keys of all rows that it writes.
        </p>
      ) : (
        support.map((each) => (
          <Support key={each.query} {...props} support={each} updateLabel={row.label} />
        ))
      )}
    </>
  );
}

function Writes(props: {
  readonly writes: readonly UpdateWrite[];
  readonly index: AnswerIndex;
  readonly label: string;
}) {
  const { writes, index, label } = props;
  return (
    <DataTable
      caption={`Tables that ${label} writes`}
      columns={[
        {
          head: "Table",
          text: true,
          cell: (write: UpdateWrite) => {
            const family = index.families.get(write.family);
            return (
              <>
                <span className="tag">{write.tag}</span> {family && <FamilyLine family={family} />}
              </>
            );
          },
        },
        { head: "Rows put", cell: (write) => <Rows rows={write.puts} /> },
        { head: "Rows deleted", cell: (write) => <Rows rows={write.deletes} /> },
        { head: "Writing", cell: (write) => <Milliseconds cost={write.writing} /> },
        { head: "Support queries", cell: (write) => <Milliseconds cost={write.support} /> },
      ]}
      rows={writes}
      rowKey={(write) => write.family}
    />
  );
}

/** Expected rows per execution. */
function Rows({ rows }: { readonly rows: number }) {
  return rows === 0 ? (
    <span className="quiet">–</span>
  ) : (
    <span title={`${exactNumber(rows)} per execution, expected`}>{threeDigits(rows)}</span>
  );
}

function Milliseconds({ cost }: { readonly cost: number }) {
  return cost === 0 ? (
    <span className="quiet">–</span>
  ) : (
    <span title={duration(cost).exact}>{duration(cost).text}</span>
  );
}

/** A support query is read like any query: its plans over all steps, and its plan group. */
function Support(
  props: UpdateViewProps & { readonly support: SupportRow; readonly updateLabel: string },
) {
  const { answer, index, step, labels, support } = props;
  const { words, tables, reads, cost, plans } = support;
  const times = count(reads, "reads");
  const heading = useId();
  return (
    <section className="support-query" aria-labelledby={heading}>
      <h3 id={heading}>
        Support query: <span className="mono">{words}</span>
      </h3>
      <p className="quiet small">
        Asked before it writes to {tables.join(", ")}: <span title={times.exact}>{times.text}</span>{" "}
        at this step, <span title={duration(cost).exact}>{duration(cost).text}</span>.
      </p>
      <PlanStrip reads={plans} index={index} labels={labels} />
      <PlanGroupView
        answer={answer}
        index={index}
        reads={plans}
        label={`the support query ${words}`}
        step={step}
        labels={labels}
        cheapest={3}
      />
    </section>
  );
}
