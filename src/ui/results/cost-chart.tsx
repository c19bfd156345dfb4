/** Cost over time, stacked by kind, with the baselines as dashed lines and the totals beside it. */
import { memo, useId, useMemo, useState } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { Recommendation } from "#model/recommendation.ts";
import { axisFromZero } from "../design/axis.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { type BaselineLook, costKinds } from "../design/cost-kinds.ts";
import { DataTable } from "../design/data-table.tsx";
import { FillPatterns, fillOf, KindSwatch } from "../design/fill-patterns.tsx";
import {
  duration,
  exactNumber,
  perCent,
  signedPerCent,
  threeDigits,
  timeAxis,
} from "../design/format.ts";
import { StepCursor } from "../step-cursor.tsx";
import { moveCursor, useStudio } from "../studio-state.ts";
import { type BaselineRow, type CostRow, costShares, highestCost } from "./cost-rows.ts";
import { axisHeight, axisWidth, plotRight } from "./plot-frame.ts";

type BaselineKind = BaselineLook["kind"];

export interface CostChartProps {
  readonly rows: readonly CostRow[];
  readonly baselines: readonly BaselineRow[];
  readonly recommendation: Recommendation;
}

export function CostChart({ rows, baselines, recommendation }: CostChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<BaselineKind>>(
    new Set<BaselineKind>(["static first step", "static last step"]),
  );
  const shown = useMemo(
    () => baselines.filter((baseline) => !hidden.has(baseline.look.kind)),
    [baselines, hidden],
  );
  const unit = timeAxis(highestCost(rows, shown));
  const toggle = (kind: BaselineKind): void => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return (
    <ChartFrame
      title="Cost over time"
      note={`latency of everything that runs in a step, in ${unit.unit}`}
      table={() => <CostTable rows={rows} baselines={baselines} />}
    >
      <div className="plot-row cost-row">
        <CostLegend
          recommendation={recommendation}
          baselines={baselines}
          hidden={hidden}
          onToggle={toggle}
        />
        <CostPlot rows={rows} baselines={shown} />
      </div>
    </ChartFrame>
  );
}

const CostPlot = memo(function CostPlot(props: Omit<CostChartProps, "recommendation">) {
  const { rows, baselines } = props;
  const studio = useStudio();
  const patterns = useId().replaceAll(":", "");
  const highest = highestCost(rows, baselines);
  const unit = timeAxis(highest);
  const axis = axisFromZero(highest, unit.size);
  return (
    <div className="chart plot">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={rows as CostRow[]}
          margin={{ top: 10, right: plotRight, bottom: 0, left: 0 }}
          barCategoryGap="12%"
          accessibilityLayer={false}
          onClick={(state) => {
            if (state.activeLabel !== undefined) moveCursor(studio, Number(state.activeLabel));
          }}
        >
          <FillPatterns id={patterns} />
          <CartesianGrid vertical={false} stroke="var(--edge)" />
          <XAxis
            dataKey="step"
            scale="band"
            height={axisHeight}
            tickFormatter={(step: number) => rows[step]?.label ?? ""}
            interval="preserveStartEnd"
            minTickGap={8}
            stroke="var(--edge-strong)"
            tickLine={false}
          />
          <YAxis
            width={axisWidth}
            domain={[0, axis.top]}
            ticks={[...axis.ticks]}
            interval={0}
            tickFormatter={(value: number) => threeDigits(value / unit.size)}
            stroke="var(--edge-strong)"
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--cursor-wash)" }}
            content={(tip) => <CostTip tip={tip} rows={rows} baselines={baselines} />}
          />
          {costKinds.map((look) => (
            <Bar
              key={look.kind}
              dataKey={look.kind}
              stackId="cost"
              name={look.word}
              fill={fillOf(patterns, look.kind)}
              stroke={look.kind === "support" ? "var(--support-edge)" : "none"}
              isAnimationActive={false}
            />
          ))}
          {baselines.map((baseline) => (
            <BaselineLine key={baseline.look.kind} baseline={baseline} />
          ))}
        </BarChart>
      </ResponsiveContainer>
      <StepCursor
        steps={rows.length}
        left={axisWidth}
        right={plotRight}
        top={10}
        bottom={axisHeight}
      />
    </div>
  );
});

/** A stair over the whole width of every step, in the scales of the chart. */
function BaselineLine({ baseline }: { readonly baseline: BaselineRow }) {
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!x || !y) return null;
  const { look, perStep } = baseline;
  const path = perStep
    .map((cost, step) => {
      const height = (y(cost) ?? 0).toFixed(1);
      const middle = x(step, { position: "middle" }) ?? 0;
      const half = middle - (x(step, { position: "start" }) ?? middle);
      return `${step === 0 ? "M" : "L"}${middle - half} ${height}L${middle + half} ${height}`;
    })
    .join("");
  return (
    <path
      d={path}
      fill="none"
      stroke={look.colour}
      strokeWidth="1.8"
      strokeDasharray={look.dash}
      pointerEvents="none"
    />
  );
}

function CostLegend(props: {
  readonly recommendation: Recommendation;
  readonly baselines: readonly BaselineRow[];
  readonly hidden: ReadonlySet<BaselineKind>;
  readonly onToggle: (kind: BaselineKind) => void;
}) {
  const { recommendation, baselines, hidden, onToggle } = props;
  const { objective } = recommendation;
  const swatches = useId().replaceAll(":", "");
  return (
    <div className="plot-legend">
      <table className="legend-table">
        <caption className="visually-hidden">Cost of the whole run by kind</caption>
        <tbody>
          {costShares(recommendation).map((each) => {
            const look = costKinds.find((kind) => kind.kind === each.kind);
            return (
              <tr
                key={each.kind}
                title={look?.meaning}
                className={each.cost === 0 ? "quiet" : undefined}
              >
                <td>
                  <KindSwatch id={`${swatches}${each.kind}`} kind={each.kind} /> {each.word}
                </td>
                <td title={duration(each.cost).exact}>{duration(each.cost).text}</td>
                <td className="quiet">{perCent(each.share)}</td>
              </tr>
            );
          })}
          <tr className="total">
            <td>All steps together</td>
            <td title={duration(objective).exact}>{duration(objective).text}</td>
            <td className="quiet">100&nbsp;%</td>
          </tr>
        </tbody>
      </table>
      {baselines.length > 0 && (
        <table className="legend-table baselines">
          <thead>
            <tr>
              <th scope="col">Compare with</th>
              <th scope="col">costs</th>
              <th scope="col" title="This answer against the baseline">
                this is
              </th>
            </tr>
          </thead>
          <tbody>
            {baselines.map(({ look, cost, exact }) => (
              <tr key={look.kind} title={look.meaning}>
                <td>
                  <label className="baseline-choice">
                    <input
                      type="checkbox"
                      checked={!hidden.has(look.kind)}
                      onChange={() => onToggle(look.kind)}
                    />
                    <svg width="26" height="8" aria-hidden="true">
                      <path
                        d="M0 4h26"
                        stroke={look.colour}
                        strokeWidth="2"
                        strokeDasharray={look.dash}
                      />
                    </svg>
                    {look.word}
                  </label>
                </td>
                <td title={`${duration(cost).exact}${exact ? "" : ", not proven best"}`}>
                  {exact ? "" : "≈ "}
                  {duration(cost).text}
                </td>
                <td>{signedPerCent(objective, cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function CostTip(props: {
  readonly tip: TooltipContentProps;
  readonly rows: readonly CostRow[];
  readonly baselines: readonly BaselineRow[];
}) {
  const { tip, rows, baselines } = props;
  const row = rows[Number(tip.label)];
  const id = useId().replaceAll(":", "");
  if (!tip.active || !row) return null;
  return (
    <div className="chart-tip">
      <strong>Step {row.step + 1}</strong>
      {row.label !== String(row.step + 1) && <span className="quiet"> {row.label}</span>}
      <table>
        <tbody>
          {[...costKinds]
            .reverse()
            .filter((look) => row[look.kind] > 0)
            .map((look) => (
              <tr key={look.kind}>
                <td>
                  <KindSwatch id={`${id}${look.kind}`} kind={look.kind} /> {look.word}
                </td>
                <td>{duration(row[look.kind]).text}</td>
              </tr>
            ))}
          <tr>
            <td>
              <strong>Together</strong>
            </td>
            <td>
              <strong>{duration(row.total).text}</strong>
            </td>
          </tr>
          {baselines.map(({ look, perStep }) => (
            <tr key={look.kind} className="quiet">
              <td>{look.word}</td>
              <td>{duration(perStep[row.step] ?? 0).text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CostTable({ rows, baselines }: Omit<CostChartProps, "recommendation">) {
  return (
    <DataTable
      caption="Cost over time, in milliseconds"
      columns={[
        { head: "Step", cell: (row: CostRow) => stepHead(row) },
        ...costKinds.map((look) => ({
          head: `${look.word} (ms)`,
          cell: (row: CostRow) => exactNumber(row[look.kind]),
        })),
        { head: "Together (ms)", cell: (row) => exactNumber(row.total) },
        ...baselines.map(({ look, perStep }) => ({
          head: `${look.word} (ms)`,
          cell: (row: CostRow) => exactNumber(perStep[row.step] ?? 0),
        })),
      ]}
      rows={rows}
      rowKey={(row) => row.step}
    />
  );
}

/** `3`, or `3 (noon)`. */
export function stepHead(row: Pick<CostRow, "step" | "label">): string {
  const number = String(row.step + 1);
  return row.label === number ? number : `${number} (${row.label})`;
}
