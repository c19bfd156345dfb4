/** How well a formula fits what was measured: points on the diagonal, and residuals around zero. */
import { useMemo } from "react";
import {
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import type { MeasuredOperation, OperationFit } from "#model/cost-model-fit.ts";
import { axisBetween, axisFromZero } from "../design/axis.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { duration, exactNumber, plural, threeDigits, timeAxis } from "../design/format.ts";
import { type FitPoint, fitPoints } from "./cost-model-rows.ts";

export interface FitChartProps {
  readonly fit: OperationFit;
}

/** The colours that these kinds of cost have in every room. */
const colours: Readonly<Record<MeasuredOperation, string>> = {
  get: "var(--query)",
  put: "var(--update)",
  extract: "var(--extract)",
  load: "var(--load)",
};

const height = 280;
const margin = { top: 10, right: 18, bottom: 22, left: 6 };

export function FitChart({ fit }: FitChartProps) {
  const points = useMemo(() => fitPoints(fit), [fit]);
  const largest = Math.max(
    ...points.map(({ measured, predicted }) => Math.max(measured, predicted)),
  );
  const unit = timeAxis(largest);
  const axis = axisFromZero(largest, unit.size);
  const end = axis.top;
  return (
    <ChartFrame
      title="Measured and predicted"
      note={`in ${unit.unit}; on the line the formula is right${shareNote(fit, points)}`}
      height={height}
      table={() => <PointTable caption="Measured and predicted" points={points} />}
    >
      <div className="chart fill">
        <ResponsiveContainer width="100%" height="100%">
          <ScatterChart margin={margin} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--edge)" />
            {timeX("predicted", "predicted", unit.size, axis)}
            {timeY("measured", unit.size, axis)}
            <Tooltip isAnimationActive={false} cursor={false} content={PointTip} />
            <ReferenceLine
              segment={[
                { x: 0, y: 0 },
                { x: end, y: end },
              ]}
              stroke="var(--baseline-1)"
              strokeDasharray="6 3"
            />
            {scatter(points, fit.operation)}
          </ScatterChart>
        </ResponsiveContainer>
      </div>
    </ChartFrame>
  );
}

export function ResidualChart({ fit }: FitChartProps) {
  const points = useMemo(() => fitPoints(fit), [fit]);
  const residuals = points.map(({ residual }) => residual);
  const [low, high] = [Math.min(0, ...residuals), Math.max(0, ...residuals)];
  const unit = timeAxis(Math.max(high, -low));
  const axis = axisBetween(low, high, unit.size);
  const largest = Math.max(...points.map(({ predicted }) => predicted));
  const along = timeAxis(largest);
  return (
    <ChartFrame
      title="Residuals"
      note={`measured less predicted, in ${unit.unit}; a trend or a funnel is a warning`}
      height={height}
      table={() => <PointTable caption="Residuals" points={points} />}
    >
      <div className="chart fill">
        <ResponsiveContainer width="100%" height="100%">
          <ScatterChart margin={margin} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--edge)" />
            {timeX(
              "predicted",
              `predicted, in ${along.unit}`,
              along.size,
              axisFromZero(largest, along.size),
            )}
            {timeY("residual", unit.size, axis)}
            <Tooltip isAnimationActive={false} cursor={false} content={PointTip} />
            <ReferenceLine y={0} stroke="var(--baseline-1)" strokeDasharray="6 3" />
            {scatter(points, fit.operation)}
          </ScatterChart>
        </ResponsiveContainer>
      </div>
    </ChartFrame>
  );
}

function shareNote({ samples }: OperationFit, points: readonly FitPoint[]): string {
  return points.length < samples.length
    ? `; ${exactNumber(points.length)} of ${plural(samples.length, "point")}`
    : "";
}

interface Span {
  readonly ticks: readonly number[];
  readonly bottom: number;
  readonly top: number;
}

function timeX(key: keyof FitPoint, label: string, size: number, { ticks, bottom, top }: Span) {
  return (
    <XAxis
      dataKey={key}
      type="number"
      domain={[bottom, top]}
      ticks={[...ticks]}
      tickFormatter={(value: number) => threeDigits(value / size)}
      stroke="var(--edge-strong)"
      tickLine={false}
      label={{ value: label, position: "bottom", offset: 2 }}
    />
  );
}

function timeY(key: keyof FitPoint, size: number, { ticks, bottom, top }: Span) {
  return (
    <YAxis
      dataKey={key}
      type="number"
      width={60}
      domain={[bottom, top]}
      ticks={[...ticks]}
      interval={0}
      tickFormatter={(value: number) => threeDigits(value / size)}
      stroke="var(--edge-strong)"
      tickLine={false}
      axisLine={false}
      label={{ value: key, angle: -90, position: "insideLeft", style: { textAnchor: "middle" } }}
    />
  );
}

function scatter(points: readonly FitPoint[], operation: MeasuredOperation) {
  return (
    <Scatter
      data={points as FitPoint[]}
      fill={colours[operation]}
      fillOpacity={0.65}
      isAnimationActive={false}
    />
  );
}

function PointTable(props: { readonly caption: string; readonly points: readonly FitPoint[] }) {
  return (
    <DataTable
      caption={props.caption}
      columns={[
        { head: "Line of the profile", cell: (point: FitPoint) => point.line },
        { head: "Setting", cell: (point) => point.setting },
        { head: "Measured (ms)", cell: (point) => exactNumber(point.measured) },
        { head: "Predicted (ms)", cell: (point) => exactNumber(point.predicted) },
        { head: "Residual (ms)", cell: (point) => exactNumber(point.residual) },
      ]}
      rows={props.points}
      rowKey={(point) => point.line}
    />
  );
}

function PointTip({ active, payload }: TooltipContentProps) {
  const point = payload?.[0]?.payload as FitPoint | undefined;
  if (!active || !point) return null;
  return (
    <div className="chart-tip">
      <strong>Line {point.line}</strong>: {point.setting}
      <table>
        <tbody>
          <tr>
            <td>measured</td>
            <td>{duration(point.measured).text}</td>
          </tr>
          <tr>
            <td>predicted</td>
            <td>{duration(point.predicted).text}</td>
          </tr>
          <tr>
            <td>residual</td>
            <td>{duration(point.residual).text}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
