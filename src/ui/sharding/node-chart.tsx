/** One strategy's nodes as columns: stored rows, reads and writes, each over the mean of all nodes. */
import { useId } from "react";
import { count, frequency, threeDigits } from "../design/format.ts";
import { type MetricBars, metrics, type StrategyCard } from "./lab-rows.ts";

const height = 64;
const gap = 26;
/** Above the columns: the words of a metric, and the mark of a hot one. */
const headroom = 27;
/** More columns than this have no label of their own. */
const mostLabelled = 16;

export interface NodeChartProps {
  readonly card: StrategyCard;
  /** The largest multiple of the mean in any chart beside this one: all have one scale. */
  readonly top: number;
  readonly threshold: number;
  readonly width: number;
}

export function NodeChart({ card, top, threshold, width }: NodeChartProps) {
  const nodes = card.outcome.layout.nodes.length;
  const title = useId();
  const full = card.metrics.length * (height + gap) + 16;
  const column = width / nodes;
  return (
    <svg
      className="node-chart chart"
      viewBox={`0 0 ${width} ${full}`}
      width={width}
      height={full}
      role="img"
      aria-labelledby={title}
      data-picture={card.outcome.name}
    >
      <title id={title}>{spoken(card)}</title>
      {card.metrics.map((bars, index) => (
        <g key={bars.metric} transform={`translate(0 ${index * (height + gap)})`}>
          <MetricColumns
            bars={bars}
            column={column}
            top={top}
            threshold={threshold}
            width={width}
          />
        </g>
      ))}
      {nodes <= mostLabelled &&
        card.outcome.layout.nodes.map((name, node) => (
          <text
            key={name}
            x={(node + 0.5) * column}
            y={full - 3}
            textAnchor="middle"
            className="node-label"
          >
            {nodes <= 6 && column > 52 ? name : name.replace(/^node /, "")}
          </text>
        ))}
    </svg>
  );
}

function MetricColumns(props: {
  readonly bars: MetricBars;
  readonly column: number;
  readonly top: number;
  readonly threshold: number;
  readonly width: number;
}) {
  const { bars, column, top, threshold, width } = props;
  const y = (ratio: number): number =>
    headroom + (height - headroom + 16) * (1 - Math.min(1, ratio / top));
  const word = metrics.find(({ name }) => name === bars.metric);
  const bar = Math.max(0.6, Math.min(42, column * 0.7));
  return (
    <>
      <text x={0} y={11} className="metric-name">
        {word?.word}
      </text>
      <text x={width} y={11} textAnchor="end" className="metric-figure">
        {bars.mean === 0 ? "none" : `busiest ${threeDigits(bars.mostToMean)}× the mean`}
      </text>
      {bars.bars.map(({ node, amount, ratio, isHot }, index) => {
        const x = (index + 0.5) * column - bar / 2;
        const shown = bars.mean === 0 ? 0 : ratio;
        return (
          <g key={node}>
            <rect
              className={`bar ${bars.metric}${isHot && bars.metric !== "rows" ? " hot" : ""}`}
              x={x}
              y={y(shown)}
              width={bar}
              height={Math.max(0, y(0) - y(shown))}
            >
              <title>{`${node}: ${amountText(bars, amount)}, ${threeDigits(ratio)} times the mean`}</title>
            </rect>
            {isHot && bars.metric !== "rows" && (
              <path className="hot-mark" d={`M${x + bar / 2} ${y(shown) - 10}l4.5 8h-9z`} />
            )}
          </g>
        );
      })}
      {bars.mean > 0 && <path className="mean-line" d={`M0 ${y(1)}H${width}`} />}
      {bars.mean > 0 && bars.metric !== "rows" && threshold < top && (
        <path className="threshold-line" d={`M0 ${y(threshold)}H${width}`} />
      )}
      <path className="base-line" d={`M0 ${y(0)}H${width}`} />
    </>
  );
}

function amountText({ metric }: MetricBars, amount: number): string {
  return metric === "rows" ? count(amount, "rows").text : frequency(amount).text;
}

/** What the picture says, for those who cannot see it. */
function spoken({ outcome, metrics: all }: StrategyCard): string {
  const parts = all.map(({ metric, bars, mostToMean, mean }) => {
    const busiest = bars.reduce(
      (most, each) => (each.ratio > most.ratio ? each : most),
      bars[0] ?? { node: "", ratio: 0 },
    );
    return mean === 0
      ? `no ${metric}`
      : `${metric}: ${busiest.node} has ${threeDigits(mostToMean)} times the mean`;
  });
  return `${outcome.name}. ${parts.join("; ")}.`;
}
