/** The strategies side by side at the time cursor: where rows, reads and writes are, hot spots, and what moves. */
import { useMemo, useRef } from "react";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { bytes, perCent, threeDigits } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { stepName } from "../design/steps.ts";
import { useWidth } from "../design/width.ts";
import { useCursor, useDocument } from "../studio-state.ts";
import { laidOut, type MoveRow, moveRows, type StrategyCard, strategyCard } from "./lab-rows.ts";
import { MovesChart } from "./moves-chart.tsx";
import { NodeChart } from "./node-chart.tsx";
import { SaveImage } from "./save-image.tsx";

export function NodesView({ answer }: { readonly answer: LabAnswer }) {
  const cursor = useCursor();
  const labels = useDocument((document) => document.timeline.labels);
  const outcomes = useMemo(() => laidOut(answer), [answer]);
  const steps = outcomes[0]?.stored.length ?? 1;
  const step = Math.min(cursor, steps - 1);
  const cards = useMemo(
    () => outcomes.map((outcome) => strategyCard(outcome, answer, step)),
    [outcomes, answer, step],
  );
  const refused = answer.outcomes.flatMap((each) => ("issues" in each ? [each] : []));
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place, 1000);
  const columns = Math.max(1, Math.min(cards.length, Math.floor(width / 265)));
  const own = Math.floor((width - (columns - 1) * 12) / columns) - 30;
  const top = Math.max(
    answer.cluster.threshold + 0.2,
    ...cards.flatMap(({ metrics }) => metrics.map(({ mostToMean }) => mostToMean)),
  );
  return (
    <div className="lab-view" ref={place}>
      <header className="lab-view-head">
        <h2>{steps > 1 ? `Nodes at ${stepName(step, labels)}` : "Nodes"}</h2>
        <p className="quiet small">
          Line: the mean of all nodes; dashed: hot from {threeDigits(answer.cluster.threshold)}× of
          it.
        </p>
        <span className="spacer" />
        <SaveImage container={place} name="nodes" />
      </header>
      {refused.map(({ name, issues }) => (
        <div key={name} className="lab-refused">
          <strong>{name}</strong>
          <IssueList issues={issues} />
        </div>
      ))}
      <ul
        className="lab-cards"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {cards.map((card) => (
          <li key={JSON.stringify(card.outcome.strategy)} className="lab-card">
            <h3>{card.outcome.name}</h3>
            <NodeChart
              card={card}
              top={top}
              threshold={answer.cluster.threshold}
              width={Math.max(180, own)}
            />
            <CardFigures card={card} answer={answer} />
          </li>
        ))}
      </ul>
      <ChartFrame
        title="What moves when a node joins or leaves"
        note="share of all rows; ◆ what theory expects of keys"
        table={() => <MovesTable rows={moveRows(outcomes)} />}
      >
        <MovesChart rows={moveRows(outcomes)} width={Math.max(300, width)} />
      </ChartFrame>
    </div>
  );
}

function CardFigures({
  card,
  answer,
}: {
  readonly card: StrategyCard;
  readonly answer: LabAnswer;
}) {
  const { outcome, hot } = card;
  return (
    <>
      <dl className="lab-figures small">
        <Figure
          term="Reads of many nodes"
          value={perCent(outcome.multiShard.reads)}
          title={manyWords(outcome, answer, true)}
        />
        <Figure
          term="Writes of many nodes"
          value={perCent(outcome.multiShard.writes)}
          title={manyWords(outcome, answer, false)}
          isBad={outcome.multiShard.writes > 0}
        />
        <Figure
          term="Hottest key"
          value={outcome.keys.hottest[0] ? perCent(outcome.keys.hottest[0].share) : "–"}
          title={outcome.keys.hottest[0]?.text ?? "no key"}
        />
        <Room card={card} answer={answer} />
      </dl>
      {hot.length > 0 ? (
        <ul className="hot-spots small">
          {hot.slice(0, 3).map(({ node, metric, ratio, reason }) => (
            <li key={node + metric}>
              <Icon name="warning" size={14} />
              <span>
                <strong>{node}</strong> is a hot spot of {metric}, {threeDigits(ratio)}× the mean:{" "}
                {reason}.
              </span>
            </li>
          ))}
          {hot.length > 3 && <li className="quiet">and {hot.length - 3} more</li>}
        </ul>
      ) : (
        <p className="no-hot-spots small">
          <Icon name="done" size={14} /> No hot spot at this step.
        </p>
      )}
    </>
  );
}

/** How full the fullest node is, where a person said how much a node holds. */
function Room({ card, answer }: { readonly card: StrategyCard; readonly answer: LabAnswer }) {
  const { nodeBytes } = answer.cluster;
  if (nodeBytes === undefined) return null;
  const rows = card.metrics.find(({ metric }) => metric === "rows")?.bars ?? [];
  const fullest = Math.max(0, ...rows.map(({ amount }) => amount)) * answer.table.bytesPerRow;
  return (
    <Figure
      term="Fullest node"
      value={`${perCent(fullest / nodeBytes)} full`}
      title={`${bytes(fullest).text} of ${bytes(nodeBytes).text}`}
      isBad={fullest > nodeBytes}
    />
  );
}

/** Which requests ask several nodes. */
function manyWords(outcome: StrategyOutcome, answer: LabAnswer, isRead: boolean): string {
  const many = answer.table.requests.filter(
    ({ kind }, index) =>
      (kind === "read") === isRead && (outcome.routes[index]?.multiShard ?? 0) > 0.005,
  );
  return many.length === 0
    ? "each finds its node by the key"
    : `These ask several nodes: ${many.map(({ name }) => name).join(", ")}`;
}

function Figure(props: {
  readonly term: string;
  readonly value: string;
  readonly title: string;
  readonly isBad?: boolean;
}) {
  return (
    <div>
      <dt>{props.term}</dt>
      <dd title={props.title}>
        {props.isBad && <Icon name="warning" size={12} />} {props.value}
      </dd>
    </div>
  );
}

function MovesTable({ rows }: { readonly rows: readonly MoveRow[] }) {
  return (
    <DataTable
      caption="Rows that move when a node joins or leaves"
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { head: "Strategy", text: true, cell: ({ name }) => name },
        { head: "A node joins", cell: ({ joins }) => perCent(joins.share) },
        { head: "Theory", cell: ({ joins }) => perCent(joins.expected) },
        { head: "because", text: true, cell: ({ joins }) => joins.because },
        { head: "The last node leaves", cell: ({ leaves }) => perCent(leaves.share) },
        { head: "Theory then", cell: ({ leaves }) => perCent(leaves.expected) },
        { head: "because of", text: true, cell: ({ leaves }) => leaves.because },
      ]}
    />
  );
}
