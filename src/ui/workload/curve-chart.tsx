/**
 * All statements over all steps in one chart; the selected one stands out. The quiet curves are one
 * path each on the scales of the chart, so that three hundred statements stay quick.
 */
import { memo, useMemo } from "react";
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { StudioDocument } from "#document/schema.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { frequency, frequencyAxis, threeDigits } from "../design/format.ts";
import { KindMark } from "../design/kind-mark.tsx";
import { stepLabel, stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import { moveCursor, useStudio } from "../studio-state.ts";
import { highestFrequency, readingsAt, type StatementRow } from "./curve-rows.ts";
import { type FrequencyScale, linearScale, logarithmicScale } from "./frequency-scale.ts";

/** The grid under the chart keeps the same room left of the first step. */
export const curveGutter = 200;
export const curveRight = 16;
const axisWidth = 52;
const axisHeight = 26;

export interface CurveChartProps {
  readonly rows: readonly StatementRow[];
  readonly selected: StatementId | undefined;
  readonly onSelect: (statement: StatementId) => void;
  readonly frequencies: StudioDocument["frequencies"];
  readonly timeline: StudioDocument["timeline"];
  readonly logarithmic: boolean;
}

export const CurveChart = memo(function CurveChart(props: CurveChartProps) {
  const { rows, selected, onSelect, frequencies, timeline, logarithmic } = props;
  const studio = useStudio();
  const highest = useMemo(() => highestFrequency(Object.values(frequencies)), [frequencies]);
  const unit = frequencyAxis(highest);
  const scale = useMemo(
    () =>
      logarithmic ? logarithmicScale(Object.values(frequencies), highest) : linearScale(highest),
    [logarithmic, frequencies, highest],
  );
  const labels = new Map(
    scale.ticks.map((tick) => [scale.to(tick), threeDigits(tick / unit.size)]),
  );
  const chosen = rows.find((row) => row.id === selected);
  const curve = selected === undefined ? undefined : frequencies[selected];
  const data = useMemo(
    () =>
      Array.from({ length: timeline.steps }, (_, step) => ({
        step,
        value: scale.to(curve?.[step] ?? 0),
      })),
    [timeline.steps, curve, scale],
  );
  return (
    <div className="chart curve-chart">
      <div className="curve-legend quiet small" aria-hidden="true">
        <span>
          <KindMark kind="query" /> queries
        </span>
        <span>
          <KindMark kind="update" /> updates
        </span>
      </div>
      <ResponsiveContainer width="100%" height="100%">
        <LineChart
          data={data}
          margin={{ top: 18, right: curveRight, bottom: 0, left: curveGutter - axisWidth }}
          accessibilityLayer={false}
          onClick={(state) => {
            if (state.activeLabel !== undefined) moveCursor(studio, Number(state.activeLabel));
          }}
        >
          <CartesianGrid vertical={false} stroke="var(--edge)" />
          <XAxis
            dataKey="step"
            scale="band"
            height={axisHeight}
            tickFormatter={(step: number) => stepLabel(step, timeline.labels)}
            interval="preserveStartEnd"
            minTickGap={6}
            stroke="var(--edge-strong)"
            tickLine={false}
          />
          <YAxis
            width={axisWidth}
            domain={[0, scale.to(scale.ticks.at(-1) ?? 1)]}
            ticks={[...labels.keys()]}
            interval={0}
            tickFormatter={(place: number) => labels.get(place) ?? ""}
            stroke="var(--edge-strong)"
            tickLine={false}
            axisLine={false}
          />
          <QuietCurves rows={rows} onSelect={onSelect} frequencies={frequencies} scale={scale} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--edge-strong)", strokeDasharray: "2 3" }}
            content={(tip) => (
              <CurveTip
                tip={tip}
                rows={rows}
                frequencies={frequencies}
                selected={selected}
                labels={timeline.labels}
              />
            )}
          />
          {chosen && (
            <Line
              dataKey="value"
              type="linear"
              isAnimationActive={false}
              stroke={`var(--${chosen.kind})`}
              strokeWidth={2.6}
              strokeDasharray={chosen.kind === "update" ? "7 3" : "0"}
              dot={{
                r: data.length > 60 ? 0 : 3.2,
                fill: "var(--surface)",
                stroke: `var(--${chosen.kind})`,
                strokeDasharray: "0",
              }}
              activeDot={false}
            />
          )}
          {chosen && <PeakLabel label={chosen.label} curve={curve ?? []} scale={scale} />}
        </LineChart>
      </ResponsiveContainer>
      <StepCursor
        steps={timeline.steps}
        left={curveGutter}
        right={curveRight}
        top={18}
        bottom={axisHeight}
      />
    </div>
  );
});

interface QuietCurvesProps extends Pick<CurveChartProps, "rows" | "onSelect" | "frequencies"> {
  readonly scale: FrequencyScale;
}

/** Every curve, the selected one too: it is drawn again above them, and these need not follow it. */
function QuietCurves(props: QuietCurvesProps) {
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!x || !y) return null;
  const steps = Object.values(props.frequencies)[0]?.length ?? 0;
  const at = (step: number): number => x(step, { position: "middle" }) ?? 0;
  return (
    <CurvePaths
      {...props}
      left={at(0)}
      width={steps > 1 ? at(1) - at(0) : 0}
      bottom={y(0) ?? 0}
      height={(y(0) ?? 0) - (y(1) ?? 0)}
    />
  );
}

interface CurvePathsProps extends QuietCurvesProps {
  /** The scales as numbers, so that the paths are drawn again only when one of these changes. */
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  readonly height: number;
}

const CurvePaths = memo(function CurvePaths(props: CurvePathsProps) {
  const { rows, onSelect, frequencies, scale, left, width, bottom, height } = props;
  const pathOf = (curve: FrequencyCurve): string =>
    curve
      .map((value, step) => {
        const x = (left + step * width).toFixed(1);
        return `${step === 0 ? "M" : "L"}${x} ${(bottom - scale.to(value) * height).toFixed(1)}`;
      })
      .join("");
  return (
    <g className={`quiet-curves ${crowd(rows.length)}`}>
      {rows.map((row) => (
        <CurvePath
          key={row.id}
          row={row}
          path={pathOf(frequencies[row.id] ?? [])}
          onSelect={onSelect}
        />
      ))}
    </g>
  );
});

/** The more curves, the quieter each. */
function crowd(curves: number): string {
  if (curves <= 24) return "few";
  return curves <= 80 ? "some" : "many";
}

const CurvePath = memo(function CurvePath(props: {
  readonly row: StatementRow;
  readonly path: string;
  readonly onSelect: (statement: StatementId) => void;
}) {
  const { row, path, onSelect } = props;
  return (
    <g className={`quiet-curve ${row.kind}`}>
      <title>{row.label}</title>
      <path d={path} className="stroke" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the list beside the chart selects by keyboard. */}
      <path
        d={path}
        className="grip"
        onClick={(event) => {
          event.stopPropagation();
          onSelect(row.id);
        }}
      />
    </g>
  );
});

/** The name of the selected curve, over its highest point. */
function PeakLabel(props: {
  readonly label: string;
  readonly curve: FrequencyCurve;
  readonly scale: FrequencyScale;
}) {
  const { label, curve, scale } = props;
  const x = useXAxisScale();
  const y = useYAxisScale();
  const peak = curve.indexOf(Math.max(...curve));
  if (!x || !y || peak < 0) return null;
  const share = (peak + 0.5) / curve.length;
  const anchor = share < 0.15 ? "start" : share > 0.85 ? "end" : "middle";
  return (
    <text
      className="peak-label"
      x={x(peak, { position: "middle" }) ?? 0}
      y={Math.max(12, (y(scale.to(curve[peak] ?? 0)) ?? 0) - 8)}
      textAnchor={anchor}
    >
      {label}
    </text>
  );
}

function CurveTip(props: {
  readonly tip: TooltipContentProps;
  readonly rows: readonly StatementRow[];
  readonly frequencies: StudioDocument["frequencies"];
  readonly selected: StatementId | undefined;
  readonly labels: readonly string[] | undefined;
}) {
  const { tip, rows, frequencies, selected, labels } = props;
  if (!tip.active || tip.label === undefined) return null;
  const step = Number(tip.label);
  const { shown, others, total } = readingsAt(rows, frequencies, step, selected, 9);
  const name = stepName(step, labels);
  return (
    <div className="chart-tip">
      <strong>{name.charAt(0).toUpperCase() + name.slice(1)}</strong>
      <table>
        <tbody>
          {shown.map((reading) => (
            <tr key={reading.id} className={reading.id === selected ? "chosen" : undefined}>
              <td>
                <KindMark kind={reading.kind} /> {reading.label}
              </td>
              <td>{frequency(reading.value).text}</td>
            </tr>
          ))}
          <tr className="quiet">
            <td>{others > 0 ? `${others} more; all together` : "all together"}</td>
            <td>{frequency(total).text}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
