/** Storage at every step against the limit. */
import { memo } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { axisFromZero } from "../design/axis.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { byteAxis, bytes, exactNumber, perCent, threeDigits } from "../design/format.ts";
import { StepCursor } from "../step-cursor.tsx";
import { stepHead } from "./cost-chart.tsx";
import type { CostRow } from "./cost-rows.ts";
import { axisWidth, plotRight } from "./plot-frame.ts";

export interface StorageChartProps {
  readonly rows: readonly CostRow[];
  readonly limit: number | undefined;
}

export function StorageChart({ rows, limit }: StorageChartProps) {
  const peak = Math.max(0, ...rows.map((row) => row.storageBytes));
  const unit = byteAxis(Math.max(peak, limit ?? 0));
  return (
    <ChartFrame
      title="Storage"
      note={`size of the tables that exist, in ${unit.unit}`}
      table={() => (
        <DataTable
          caption="Storage at every step, in bytes"
          columns={[
            { head: "Step", cell: (row: CostRow) => stepHead(row) },
            { head: "Storage (bytes)", cell: (row) => exactNumber(row.storageBytes) },
            ...(limit === undefined
              ? []
              : [
                  {
                    head: "Of the limit",
                    cell: (row: CostRow) => perCent(row.storageBytes / limit),
                  },
                ]),
          ]}
          rows={rows}
          rowKey={(row) => row.step}
        />
      )}
    >
      <div className="plot-row storage-row">
        <dl className="plot-legend storage-legend">
          <div>
            <dt>Most at one step</dt>
            <dd title={bytes(peak).exact}>{bytes(peak).text}</dd>
          </div>
          <div>
            <dt>
              {limit !== undefined && (
                <svg width="26" height="6" aria-hidden="true">
                  <path d="M0 3h26" stroke="var(--ink)" strokeWidth="1.5" strokeDasharray="6 3" />
                </svg>
              )}
              Limit
            </dt>
            <dd title={limit === undefined ? undefined : bytes(limit).exact}>
              {limit === undefined ? "none" : bytes(limit).text}
            </dd>
          </div>
        </dl>
        <StoragePlot rows={rows} limit={limit} />
      </div>
    </ChartFrame>
  );
}

const StoragePlot = memo(function StoragePlot({ rows, limit }: StorageChartProps) {
  const highest = Math.max(limit ?? 0, ...rows.map((row) => row.storageBytes));
  const unit = byteAxis(highest);
  const axis = axisFromZero(highest, unit.size, 2);
  return (
    <div className="chart plot">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={rows as CostRow[]}
          margin={{ top: 12, right: plotRight, bottom: 8, left: 0 }}
          barCategoryGap="12%"
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--edge)" />
          <XAxis dataKey="step" scale="band" hide />
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
            content={(tip) => <StorageTip tip={tip} rows={rows} limit={limit} />}
          />
          <Bar dataKey="storageBytes" fill="var(--storage)" isAnimationActive={false} />
          {limit !== undefined && (
            <ReferenceLine y={limit} stroke="var(--ink)" strokeWidth={1.5} strokeDasharray="6 3" />
          )}
        </BarChart>
      </ResponsiveContainer>
      <StepCursor steps={rows.length} left={axisWidth} right={plotRight} top={12} bottom={8} />
    </div>
  );
});

function StorageTip(props: StorageChartProps & { readonly tip: TooltipContentProps }) {
  const { tip, rows, limit } = props;
  const row = rows[Number(tip.label)];
  if (!tip.active || !row) return null;
  return (
    <div className="chart-tip">
      <strong>Step {row.step + 1}</strong>: {bytes(row.storageBytes).text}
      {limit !== undefined && (
        <span className="quiet"> ({perCent(row.storageBytes / limit)} of the limit)</span>
      )}
    </div>
  );
}
