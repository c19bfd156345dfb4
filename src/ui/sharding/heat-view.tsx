/** Node × time step as a heat map for every strategy: how load and growth wander over the nodes. */
import { useMemo, useRef, useState } from "react";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { count, frequency, threeDigits } from "../design/format.ts";
import { stepHead, stepLabel } from "../design/steps.ts";
import { useWidth } from "../design/width.ts";
import { moveCursor, useCursor, useDocument, useStudio } from "../studio-state.ts";
import {
  type HeatRow,
  heatRows,
  type LabMetric,
  laidOut,
  metrics,
  mostHeatRows,
} from "./lab-rows.ts";
import { SaveImage } from "./save-image.tsx";

const left = 70;
const line = 22;

export function HeatView({ answer }: { readonly answer: LabAnswer }) {
  const [metric, setMetric] = useState<LabMetric>("writes");
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place, 1000);
  const outcomes = useMemo(() => laidOut(answer), [answer]);
  const columns = width > 900 && outcomes.length > 1 ? 2 : 1;
  const own = Math.floor((width - (columns - 1) * 24) / columns);
  return (
    <div className="lab-view" ref={place}>
      <header className="lab-view-head">
        <h2>Over time</h2>
        <div className="segments" role="radiogroup" aria-label="What the maps show">
          {metrics.map(({ name, word }) => (
            <label key={name} className={name === metric ? "segment chosen" : "segment"}>
              <input
                type="radio"
                name="heat-metric"
                className="visually-hidden"
                checked={name === metric}
                onChange={() => setMetric(name)}
              />
              {word}
            </label>
          ))}
        </div>
        <p className="quiet small">
          Stronger is more; framed: over {threeDigits(answer.cluster.threshold)}× the step’s mean.
        </p>
        <span className="spacer" />
        <SaveImage container={place} name={`over-time-${metric.replace(" ", "-")}`} />
      </header>
      <div
        className="heat-maps"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {outcomes.map((outcome) => (
          <StrategyHeat
            key={JSON.stringify(outcome.strategy)}
            outcome={outcome}
            metric={metric}
            answer={answer}
            width={Math.max(280, own)}
          />
        ))}
      </div>
    </div>
  );
}

interface StrategyHeatProps {
  readonly outcome: StrategyOutcome;
  readonly metric: LabMetric;
  readonly answer: LabAnswer;
  readonly width: number;
}

function StrategyHeat({ outcome, metric, answer, width }: StrategyHeatProps) {
  const rows = useMemo(() => heatRows(outcome, metric, answer), [outcome, metric, answer]);
  const labels = useDocument((document) => document.timeline.labels);
  const hidden = outcome.layout.nodes.length - rows.length;
  return (
    <ChartFrame
      title={outcome.name}
      {...(hidden > 0 && {
        note: `the ${mostHeatRows} busiest of ${outcome.layout.nodes.length} nodes`,
      })}
      table={() => (
        <DataTable
          caption={`${metric} per node and step, ${outcome.name}`}
          rows={rows}
          rowKey={({ node }) => node}
          columns={[
            { head: "Node", text: true, cell: ({ node }) => node },
            ...outcome.stored.map((_, step) => ({
              head: stepHead(step, labels),
              cell: ({ cells }: HeatRow) => amountText(metric, cells[step]?.amount ?? 0),
            })),
          ]}
        />
      )}
    >
      <HeatMap rows={rows} metric={metric} name={outcome.name} width={width} labels={labels} />
    </ChartFrame>
  );
}

function HeatMap(props: {
  readonly rows: readonly HeatRow[];
  readonly metric: LabMetric;
  readonly name: string;
  readonly width: number;
  readonly labels: readonly string[] | undefined;
}) {
  const { rows, metric, name, width, labels } = props;
  const studio = useStudio();
  const cursor = useCursor();
  const steps = rows[0]?.cells.length ?? 1;
  const column = (width - left) / steps;
  const most = Math.max(1e-9, ...rows.flatMap(({ cells }) => cells.map(({ amount }) => amount)));
  const height = rows.length * line + 22;
  const every = Math.max(1, Math.ceil(44 / column));
  const shown = Math.min(cursor, steps - 1);
  return (
    <svg
      className={`heat-map chart ${metric.replace(" ", "-")}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`${name}: ${spoken(rows, metric)}`}
      data-picture={name}
    >
      {rows.map(({ node, cells }, row) => (
        <g key={node} transform={`translate(0 ${row * line})`}>
          <text x={left - 8} y={15} textAnchor="end">
            {node}
          </text>
          {cells.map(({ amount, ratio, isHot }, step) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the time band and its keys move the cursor as well.
            <g
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its index.
              key={step}
              onClick={() => moveCursor(studio, step)}
            >
              <rect
                className="heat-ground"
                x={left + step * column}
                y={1}
                width={column}
                height={line - 2}
              />
              <rect
                className={isHot ? "heat-cell hot" : "heat-cell"}
                x={left + step * column + 0.75}
                y={1.75}
                width={Math.max(0.5, column - 1.5)}
                height={line - 3.5}
                fillOpacity={amount / most}
              >
                <title>{`${node}, ${stepHead(step, labels)}: ${amountText(metric, amount)}, ${threeDigits(ratio)} times the mean`}</title>
              </rect>
            </g>
          ))}
        </g>
      ))}
      <rect
        className="heat-cursor"
        x={left + shown * column}
        y={0}
        width={column}
        height={rows.length * line}
      />
      {Array.from({ length: steps }, (_, step) => step)
        .filter((step) => step % every === 0)
        .map((step) => (
          <text key={step} x={left + (step + 0.5) * column} y={height - 5} textAnchor="middle">
            {stepLabel(step, labels)}
          </text>
        ))}
    </svg>
  );
}

function amountText(metric: LabMetric, amount: number): string {
  return metric === "reads" || metric === "writes"
    ? frequency(amount).text
    : count(amount, "rows").text;
}

function spoken(rows: readonly HeatRow[], metric: LabMetric): string {
  const hot = rows
    .map(({ node, cells }) => ({ node, steps: cells.filter(({ isHot }) => isHot).length }))
    .filter(({ steps }) => steps > 0);
  return hot.length === 0
    ? `${metric} are even over the nodes at every step`
    : `hot spots of ${metric}: ${hot.map(({ node, steps }) => `${node} at ${steps} steps`).join(", ")}`;
}
