/** Incumbent and bound over the time of the run: they meet where the answer is proven. */
import { useMemo } from "react";
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { axisBetween } from "../design/axis.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { clock, duration, exactNumber, threeDigits, timeAxis } from "../design/format.ts";
import type { ProgressPoint } from "../studio-state.ts";
import { progressRange, steppedPoints } from "./progress-rows.ts";

export function ProgressChart({ history }: { readonly history: readonly ProgressPoint[] }) {
  const points = useMemo(() => steppedPoints(history), [history]);
  const [low, high] = progressRange(history);
  const unit = timeAxis(high);
  const axis = axisBetween(low, high, unit.size);
  // A value that was found once is a line of no length.
  const dot = points.length <= 60 ? { r: 2, strokeDasharray: "0" } : false;
  return (
    <div className="progress-chart">
      <ChartFrame
        title="Answer and bound during the run"
        note={`cost in ${unit.unit}, over seconds`}
        height={240}
        table={() => (
          <DataTable
            caption="Answer and bound during the run"
            columns={[
              { head: "Seconds", cell: (point: ProgressPoint) => threeDigits(point.seconds) },
              { head: "Best answer (ms)", cell: (point) => numberOrDash(point.incumbent) },
              { head: "Bound (ms)", cell: (point) => numberOrDash(point.bound) },
            ]}
            rows={history}
            rowKey={(point) => history.indexOf(point)}
          />
        )}
      >
        <div className="chart fill">
          <ResponsiveContainer width="100%" height="100%">
            <LineChart
              data={points as ProgressPoint[]}
              margin={{ top: 16, right: 90, bottom: 0, left: 0 }}
              accessibilityLayer={false}
            >
              <CartesianGrid vertical={false} stroke="var(--edge)" />
              <XAxis
                dataKey="seconds"
                type="number"
                domain={[0, "dataMax"]}
                height={26}
                tickFormatter={(seconds: number) => threeDigits(seconds)}
                stroke="var(--edge-strong)"
                tickLine={false}
              />
              <YAxis
                width={60}
                domain={[axis.bottom, axis.top]}
                ticks={[...axis.ticks]}
                interval={0}
                tickFormatter={(value: number) => threeDigits(value / unit.size)}
                stroke="var(--edge-strong)"
                tickLine={false}
                axisLine={false}
              />
              <Tooltip isAnimationActive={false} content={ProgressTip} />
              <Line
                dataKey="incumbent"
                type="stepAfter"
                name="best answer"
                isAnimationActive={false}
                stroke="var(--accent)"
                strokeWidth={2}
                dot={dot}
                connectNulls
                label={<EndLabel words="best answer" last={points.length - 1} above />}
              />
              <Line
                dataKey="bound"
                type="stepAfter"
                name="bound"
                isAnimationActive={false}
                stroke="var(--baseline-1)"
                strokeWidth={2}
                strokeDasharray="6 3"
                dot={dot}
                connectNulls
                label={<EndLabel words="bound" last={points.length - 1} />}
              />
            </LineChart>
          </ResponsiveContainer>
        </div>
      </ChartFrame>
    </div>
  );
}

function numberOrDash(value: number | undefined): string {
  return value === undefined ? "–" : exactNumber(value);
}

/** Recharts hands place and index of every point to a label; only the last is written. */
function EndLabel(props: {
  readonly words: string;
  readonly last: number;
  readonly above?: boolean;
  readonly x?: number;
  readonly y?: number;
  readonly index?: number;
}) {
  const { words, last, above = false, x = 0, y = 0, index } = props;
  if (index !== last) return null;
  return (
    <text x={x + 6} y={y + (above ? -3 : 12)}>
      {words}
    </text>
  );
}

function ProgressTip({ active, payload }: TooltipContentProps) {
  const point = payload?.[0]?.payload as ProgressPoint | undefined;
  if (!active || !point) return null;
  return (
    <div className="chart-tip">
      <strong>after {clock(point.seconds)}</strong>
      <table>
        <tbody>
          <tr>
            <td>best answer</td>
            <td>{point.incumbent === undefined ? "–" : duration(point.incumbent).text}</td>
          </tr>
          <tr>
            <td>bound</td>
            <td>{point.bound === undefined ? "–" : duration(point.bound).text}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
