/**
 * All figures of one table of the lab as plain data: what `tidetable shard --json` prints and the studio saves.
 * Shares are between 0 and 1; rows and bytes are those of the whole table, however many records were drawn.
 */
import type { Issue } from "#model/issue.ts";
import { type Cluster, type Strategy, strategyKey } from "#model/sharding-setup.ts";
import { type Balance, balanceOf } from "./balance.ts";
import type { Moves } from "./change-nodes.ts";
import { type ClusteringAdvice, clusteringFor } from "./clustering-order.ts";
import { usualKey } from "./default-strategies.ts";
import type { KeyAdvice } from "./key-adviser.ts";
import { type LabTable, largestPartitionRows, rowsOf } from "./lab-table.ts";
import type { RecordTable } from "./records.ts";
import { ownership } from "./ring.ts";
import type { StepAmounts, StrategyOutcome } from "./run-experiment.ts";
import { type Objection, objections } from "./when-not-to-shard.ts";

export interface TableReport {
  readonly table: string;
  readonly kind: LabTable["kind"];
  readonly key: readonly string[];
  readonly cluster: Cluster;
  readonly rows: number;
  /** Records drawn, and how many of the table each stands for. */
  readonly sample: { readonly records: number; readonly rowsEach: number };
  readonly strategies: readonly (StrategyReport | RefusedStrategy)[];
  readonly advice: readonly KeyAdvice[];
  readonly objections: readonly Objection[];
  readonly clustering: ClusteringAdvice;
}

export interface RefusedStrategy {
  readonly name: string;
  readonly issues: readonly Issue[];
}

/** Figures per node, and how even they are. */
export type NodeFigures = Balance & { readonly perNode: readonly number[] };

export interface StrategyReport {
  readonly name: string;
  readonly strategy: Strategy;
  readonly nodes: readonly string[];
  /** Of a ring: the share of all tokens that each node owns. */
  readonly ownership?: readonly number[];
  /** At the end, all copies. */
  readonly rows: NodeFigures;
  /** Over all steps, on their first node. */
  readonly newRows: NodeFigures;
  /** Requests per second, the mean over the steps. */
  readonly reads: NodeFigures;
  readonly writes: NodeFigures;
  /** Nodes with more than the threshold of the mean reads, or of the mean writes. */
  readonly hotSpots: readonly string[];
  readonly multiShard: { readonly reads: number; readonly writes: number };
  readonly requests: readonly {
    readonly name: string;
    readonly kind: "read" | "write" | "insert";
    readonly carriesKey: boolean;
    readonly nodesAsked: number;
    readonly multiShard: number;
  }[];
  readonly keys: {
    readonly count: number;
    readonly largest: string;
    readonly largestRows: number;
    readonly largestBytes: number;
    readonly hottest: StrategyOutcome["keys"]["hottest"];
  };
  readonly added: MoveReport;
  readonly removed: MoveReport;
  /** Per step and node. */
  readonly steps: readonly {
    readonly rows: readonly number[];
    readonly newRows: readonly number[];
    readonly reads: readonly number[];
    readonly writes: readonly number[];
  }[];
}

export interface MoveReport {
  readonly keyShare: number;
  readonly rowShare: number;
  readonly expected: number;
  readonly because: string;
}

/** The figures of one strategy. */
export function strategyReport(
  outcome: StrategyOutcome,
  table: LabTable,
  rowsEach: number,
  cluster: Cluster,
): StrategyReport {
  const { layout, stored, arrived, reads, writes, keys } = outcome;
  const figures = (amounts: Float64Array): NodeFigures => ({
    ...balanceOf(amounts, cluster.threshold),
    perNode: [...amounts],
  });
  const scaled = (amounts: Float64Array): Float64Array => amounts.map((each) => each * rowsEach);
  const empty = new Float64Array(layout.nodes.length);
  const [allReads, allWrites] = [meanOf(reads, empty), meanOf(writes, empty)];
  const [readBalance, writeBalance] = [figures(allReads), figures(allWrites)];
  const hot = new Set([...readBalance.hotSpots, ...writeBalance.hotSpots]);
  const key = strategyKey(outcome.strategy);
  const largestRows =
    table.kind === "own records" || key.length === 0
      ? keys.largestRows
      : largestPartitionRows(table, key);
  return {
    name: outcome.name,
    strategy: outcome.strategy,
    nodes: layout.nodes,
    ...(layout.kind === "ring" && { ownership: [...ownership(layout.ring)] }),
    rows: figures(scaled(stored.at(-1) ?? empty)),
    newRows: figures(scaled(sumOf(arrived, empty))),
    reads: readBalance,
    writes: writeBalance,
    hotSpots: layout.nodes.filter((_, node) => hot.has(node)),
    multiShard: outcome.multiShard,
    requests: table.requests.map(({ name, kind }, index) => {
      const route = outcome.routes[index] ?? { carriesKey: false, nodes: 0, multiShard: 0 };
      const { carriesKey, nodes: nodesAsked, multiShard } = route;
      return { name, kind, carriesKey, nodesAsked, multiShard };
    }),
    keys: {
      count: keys.count,
      largest: keys.largest,
      largestRows,
      largestBytes: largestRows * table.bytesPerRow,
      hottest: keys.hottest,
    },
    added: moveReport(outcome.added),
    removed: moveReport(outcome.removed),
    steps: stored.map((rows, step) => ({
      rows: [...scaled(rows)],
      newRows: [...scaled(arrived[step] ?? empty)],
      reads: [...(reads[step] ?? empty)],
      writes: [...(writes[step] ?? empty)],
    })),
  };
}

function moveReport({ keyShare, rowShare, expected, because }: Moves): MoveReport {
  return { keyShare, rowShare, expected, because };
}

/** Per node over all steps. */
export function sumOf(steps: StepAmounts, empty: Float64Array): Float64Array {
  return empty.map((_, node) => steps.reduce((sum, step) => sum + (step[node] ?? 0), 0));
}

function meanOf(steps: StepAmounts, empty: Float64Array): Float64Array {
  return sumOf(steps, empty).map((sum) => sum / Math.max(1, steps.length));
}

/** Everything about one table. */
export function tableReport(
  table: LabTable,
  records: RecordTable,
  rowsEach: number,
  cluster: Cluster,
  outcomes: readonly (StrategyOutcome | RefusedStrategy)[],
  advice: readonly KeyAdvice[],
): TableReport {
  const key = usualKey(table);
  return {
    table: table.id,
    kind: table.kind,
    key,
    cluster,
    rows: rowsOf(table),
    sample: { records: records.count, rowsEach },
    strategies: outcomes.map((outcome) =>
      "stored" in outcome ? strategyReport(outcome, table, rowsEach, cluster) : outcome,
    ),
    advice,
    objections: objections(table, key, cluster),
    clustering: clusteringFor(table, key),
  };
}
