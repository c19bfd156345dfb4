/** Figures of the lab as rows for its charts and tables; no drawing, no state. */
import { balanceOf } from "#sharding/balance.ts";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";

export type LabMetric = "rows" | "reads" | "writes" | "new rows";

export const metrics: readonly {
  readonly name: LabMetric;
  readonly word: string;
  /** What its numbers count. */
  readonly unit: "rows" | "/s";
}[] = [
  { name: "rows", word: "Stored rows", unit: "rows" },
  { name: "reads", word: "Reads", unit: "/s" },
  { name: "writes", word: "Writes", unit: "/s" },
  { name: "new rows", word: "New rows", unit: "rows" },
];

/** Per node at a step, in real rows or requests per second. */
export function amountsAt(
  outcome: StrategyOutcome,
  metric: LabMetric,
  step: number,
  rowsEach: number,
): Float64Array {
  const at = Math.min(step, outcome.stored.length - 1);
  const empty = new Float64Array(outcome.layout.nodes.length);
  switch (metric) {
    case "rows":
      return (outcome.stored[at] ?? empty).map((rows) => rows * rowsEach);
    case "new rows":
      return (outcome.arrived[at] ?? empty).map((rows) => rows * rowsEach);
    case "reads":
      return outcome.reads[at] ?? empty;
    case "writes":
      return outcome.writes[at] ?? empty;
  }
}

export interface NodeBar {
  readonly node: string;
  readonly amount: number;
  /** Over the mean of all nodes; 1 where nothing is there. */
  readonly ratio: number;
  readonly isHot: boolean;
}

export interface MetricBars {
  readonly metric: LabMetric;
  readonly mean: number;
  readonly mostToMean: number;
  readonly variation: number;
  readonly busiestShare: number;
  readonly bars: readonly NodeBar[];
}

export interface HotNode {
  readonly node: string;
  readonly metric: LabMetric;
  readonly ratio: number;
  readonly reason: string;
}

export interface StrategyCard {
  readonly outcome: StrategyOutcome;
  readonly metrics: readonly MetricBars[];
  readonly hot: readonly HotNode[];
}

/** What one strategy looks like at a step. */
export function strategyCard(
  outcome: StrategyOutcome,
  answer: Pick<LabAnswer, "rowsEach" | "cluster">,
  step: number,
): StrategyCard {
  const { threshold } = answer.cluster;
  const found = (["rows", "reads", "writes"] as const).map((metric) =>
    metricBars(outcome, metric, step, answer.rowsEach, threshold),
  );
  const hot = found
    .filter(({ metric }) => metric !== "rows")
    .flatMap(({ metric, bars }) =>
      bars.flatMap(({ node, ratio, isHot }, index) =>
        isHot ? [{ node, metric, ratio, reason: hotReason(outcome, index, metric, step) }] : [],
      ),
    );
  return { outcome, metrics: found, hot };
}

export function metricBars(
  outcome: StrategyOutcome,
  metric: LabMetric,
  step: number,
  rowsEach: number,
  threshold: number,
): MetricBars {
  const amounts = amountsAt(outcome, metric, step, rowsEach);
  const { mean, mostToMean, variation, busiestShare, hotSpots } = balanceOf(amounts, threshold);
  return {
    metric,
    mean,
    mostToMean,
    variation,
    busiestShare,
    bars: [...amounts].map((amount, node) => ({
      node: outcome.layout.nodes[node] ?? "",
      amount,
      ratio: mean === 0 ? 1 : amount / mean,
      isHot: hotSpots.includes(node),
    })),
  };
}

/** Why a node carries more than its share, as far as the figures tell. */
export function hotReason(
  outcome: StrategyOutcome,
  node: number,
  metric: LabMetric,
  step: number,
): string {
  const share = (amounts: Float64Array | undefined): number => {
    const total = amounts?.reduce((sum, each) => sum + each, 0) ?? 0;
    return total === 0 ? 0 : (amounts?.[node] ?? 0) / total;
  };
  const load = share(metric === "reads" ? outcome.reads[step] : outcome.writes[step]);
  const hottest = outcome.keys.hottest.find((each) => each.node === node);
  if (hottest && hottest.share > 0.3 * load)
    return `one key, ${hottest.text}, gets ${perCentText(hottest.share)} of all requests`;
  const arriving = share(outcome.arrived[step]);
  if (metric === "writes" && arriving > 0.8 * load)
    return `${perCentText(arriving)} of the new rows arrive here`;
  const stored = share(outcome.stored[step]);
  if (stored > 0.8 * load) return `it keeps ${perCentText(stored)} of all rows`;
  return metric === "reads"
    ? "the keys asked for most are here"
    : "the rows that are changed most are here";
}

function perCentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

export interface HeatRow {
  readonly node: string;
  /** Per step: the amount, and over the mean of that step's nodes. */
  readonly cells: readonly {
    readonly amount: number;
    readonly ratio: number;
    readonly isHot: boolean;
  }[];
}

/** More nodes than this are not drawn: the busiest are. */
export const mostHeatRows = 40;

/** Node × step; of many nodes those that are busiest at some step, in the nodes' order. */
export function heatRows(
  outcome: StrategyOutcome,
  metric: LabMetric,
  answer: Pick<LabAnswer, "rowsEach" | "cluster">,
): readonly HeatRow[] {
  const steps = outcome.stored.map((_, step) =>
    metricBars(outcome, metric, step, answer.rowsEach, answer.cluster.threshold),
  );
  const rows = outcome.layout.nodes.map((node, index) => ({
    node,
    index,
    most: Math.max(0, ...steps.map(({ bars }) => bars[index]?.ratio ?? 0)),
    cells: steps.map(({ bars }) => ({
      amount: bars[index]?.amount ?? 0,
      ratio: bars[index]?.ratio ?? 0,
      isHot: bars[index]?.isHot ?? false,
    })),
  }));
  return rows
    .toSorted((a, b) => b.most - a.most)
    .slice(0, mostHeatRows)
    .sort((a, b) => a.index - b.index);
}

export interface MoveRow {
  readonly name: string;
  readonly joins: { readonly share: number; readonly expected: number; readonly because: string };
  readonly leaves: { readonly share: number; readonly expected: number; readonly because: string };
}

/** What moves when a node joins or the last one leaves, in shares of the rows. */
export function moveRows(outcomes: readonly StrategyOutcome[]): readonly MoveRow[] {
  const side = ({ rowShare, expected, because }: StrategyOutcome["added"]) => ({
    share: rowShare,
    expected,
    because,
  });
  return outcomes.map(({ name, added, removed }) => ({
    name,
    joins: side(added),
    leaves: side(removed),
  }));
}

/** The strategies that could be laid out. */
export function laidOut(answer: LabAnswer): readonly StrategyOutcome[] {
  return answer.outcomes.flatMap((each) => ("stored" in each ? [each] : []));
}

/** Figures of all strategies as CSV, one line per strategy, node and step. */
export function figuresCsv(answer: LabAnswer): string {
  const head = [
    "strategy",
    "node",
    "step",
    "rows",
    "new_rows",
    "reads_per_second",
    "writes_per_second",
  ];
  const lines = laidOut(answer).flatMap((outcome) =>
    outcome.stored.flatMap((_, step) =>
      outcome.layout.nodes.map((node, index) => {
        const at = (metric: LabMetric): string =>
          String(
            Number((amountsAt(outcome, metric, step, answer.rowsEach)[index] ?? 0).toPrecision(9)),
          );
        return [
          quoted(outcome.name),
          quoted(node),
          step + 1,
          at("rows"),
          at("new rows"),
          at("reads"),
          at("writes"),
        ].join(",");
      }),
    ),
  );
  return `${[head.join(","), ...lines].join("\n")}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
