/**
 * All statements over all steps in one chart; the selected one stands out. The quiet curves are one
 * path each on the scales of the chart, so that three hundred statements stay quick.
 */
import { memo, useCallback, useMemo, useRef, useState } from "react";
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { StudioDocument } from "#document/schema.ts";
import type { StepRange } from "#model/frequency-curve.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { frequency, frequencyAxis, threeDigits } from "../design/format.ts";
import { KindMark } from "../design/kind-mark.tsx";
import { stepLabel, stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import { moveCursor, useStudio } from "../studio-state.ts";
import { curveRight, useCurveGutter } from "./curve-gutter.ts";
import { CurvePoints } from "./curve-points.tsx";
import { highestFrequency, readingsAt, type StatementRow } from "./curve-rows.ts";
import { type FrequencyScale, linearScale, logarithmicScale } from "./frequency-scale.ts";

const axisWidth = 52;
const axisHeight = 26;

export interface CurveChartProps {
  readonly rows: readonly StatementRow[];
  readonly selected: StatementId | undefined;
  readonly onSelect: (statement: StatementId) => void;
  /** Statements that are changed together, and the steps of them; undefined for all steps. */
  readonly marked: ReadonlySet<StatementId>;
  readonly range: StepRange | undefined;
  readonly frequencies: StudioDocument["frequencies"];
  readonly timeline: StudioDocument["timeline"];
  readonly logarithmic: boolean;
}

export const CurveChart = memo(function CurveChart(props: CurveChartProps) {
  const { rows, selected, onSelect, frequencies, timeline, logarithmic, marked, range } = props;
  const studio = useStudio();
  const gutter = useCurveGutter();
  const highest = useMemo(() => highestFrequency(Object.values(frequencies)), [frequencies]);
  const follows = useMemo(
    () =>
      logarithmic ? logarithmicScale(Object.values(frequencies), highest) : linearScale(highest),
    [logarithmic, frequencies, highest],
  );
  // While a point is moved the scale stays: it would run away from the hand.
  const [held, setHeld] = useState<FrequencyScale>();
  const scale = held ?? follows;
  const latest = useRef(follows);
  latest.current = follows;
  const hold = useCallback(
    (isHeld: boolean): void =>
      setHeld((before) => (isHeld ? (before ?? latest.current) : undefined)),
    [],
  );
  const unit = frequencyAxis(scale.ticks.at(-1) ?? highest);
  const labels = new Map(
    scale.ticks.map((tick) => [scale.to(tick), threeDigits(tick / unit.size)]),
  );
  const chosen = rows.find((row) => row.id === selected);
  const data = useMemo(
    () => Array.from({ length: timeline.steps }, (_, step) => ({ step, floor: 0 })),
    [timeline.steps],
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
          margin={{ top: 18, right: curveRight, bottom: 0, left: gutter - axisWidth }}
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
          {/* The curves are drawn below, on the chart's scales; there are no scales without a line. */}
          <Line
            dataKey="floor"
            stroke="none"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
          {range && (
            <ReferenceArea
              x1={range.first}
              x2={range.last}
              fill="var(--accent)"
              fillOpacity={0.1}
              ifOverflow="hidden"
            />
          )}
          <QuietCurves
            rows={rows}
            onSelect={onSelect}
            marked={marked}
            frequencies={frequencies}
            scale={scale}
          />
          {!held && (
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
          )}
          {chosen && (
            <CurvePoints
              key={chosen.id}
              row={chosen}
              scale={scale}
              labels={timeline.labels}
              onHold={hold}
            />
          )}
        </LineChart>
      </ResponsiveContainer>
      <StepCursor
        steps={timeline.steps}
        left={gutter}
        right={curveRight}
        top={18}
        bottom={axisHeight}
      />
    </div>
  );
});

interface QuietCurvesProps
  extends Pick<CurveChartProps, "rows" | "onSelect" | "marked" | "frequencies"> {
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
  const { rows, onSelect, marked, frequencies, ...places } = props;
  return (
    <g className={`quiet-curves ${crowd(rows.length)}`}>
      {rows.map((row) => (
        <CurvePath
          key={row.id}
          row={row}
          curve={frequencies[row.id] ?? nothing}
          isMarked={marked.has(row.id)}
          onSelect={onSelect}
          {...places}
        />
      ))}
    </g>
  );
});

const nothing: FrequencyCurve = [];

/** The more curves, the quieter each. */
function crowd(curves: number): string {
  if (curves <= 24) return "few";
  return curves <= 80 ? "some" : "many";
}

interface CurvePathProps extends Omit<CurvePathsProps, "rows" | "marked" | "frequencies"> {
  readonly row: StatementRow;
  readonly curve: FrequencyCurve;
  readonly isMarked: boolean;
}

/** Drawn again only when its own curve, or a scale, changes. */
const CurvePath = memo(function CurvePath(props: CurvePathProps) {
  const { row, curve, isMarked, onSelect, scale, left, width, bottom, height } = props;
  const path = curve
    .map((value, step) => {
      const x = (left + step * width).toFixed(1);
      return `${step === 0 ? "M" : "L"}${x} ${(bottom - scale.to(value) * height).toFixed(1)}`;
    })
    .join("");
  return (
    <g className={`quiet-curve ${row.kind}${isMarked ? " marked" : ""}`}>
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
