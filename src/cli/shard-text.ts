/** The figures of the sharding lab for a terminal. */
import type { NodeFigures, StrategyReport, TableReport } from "#sharding/lab-report.ts";
import { bytes, count, perCent, plural } from "./figures.ts";
import { textTable } from "./text-table.ts";

export function shardText(reports: readonly TableReport[]): string {
  return reports.map(tableText).join("\n");
}

function tableText(report: TableReport): string {
  const { cluster, sample, strategies, advice, clustering } = report;
  const laid = strategies.flatMap((each) => ("rows" in each ? [each] : []));
  const copies = cluster.replicas > 1 ? `, ${plural(cluster.replicas, "copy", "copies")} each` : "";
  const each = sample.rowsEach > 1.0005 ? `, each for ${count(sample.rowsEach, "rows")}` : "";
  return [
    `${report.table}: ${count(report.rows, "rows")} on ${plural(cluster.nodes, "node")}${copies} (${plural(sample.records, "record")} drawn${each})`,
    "",
    ...textTable(
      ["", "rows", "reads", "writes", "new rows", "many nodes", "+1 node moves", "hot spots"].map(
        (head, index) => ({
          head,
          align: index === 0 || index === 7 ? "left" : "right",
        }),
      ),
      laid.map(strategyRow),
    ),
    "  rows, reads, writes, new rows: the busiest node over the mean; many nodes: share of reads / writes that ask several",
    "",
    "Keys",
    ...textTable(
      [
        { head: "", align: "left" },
        { head: "", align: "left" },
        { head: "", align: "left" },
      ],
      advice.map(({ key, verdict, reason }) => [key.join(", "), verdict, reason]),
    ),
    ...advice
      .filter(({ bucket }) => bucket !== undefined)
      .map(
        ({ key, bucket }) =>
          `  ${key.join(", ")} with ${bucket?.text}: ${bucket?.price} (largest partition then ${bytes(bucket?.largestBytes ?? 0)})`,
      ),
    ...(clustering.columns.length > 0
      ? [
          "",
          `Clustering key ${clustering.columns.map(({ name, direction }) => `${name} ${direction}`).join(", ")}: sorted for ${clustering.profit.join(", ")}`,
        ]
      : []),
    ...report.objections.map(({ text, statements }) =>
      [
        "",
        `When not to shard: ${text}${statements.length > 0 ? ` (${statements.join(", ")})` : ""}`,
      ].join("\n"),
    ),
    "",
  ].join("\n");
}

function strategyRow({
  name,
  rows,
  reads,
  writes,
  newRows,
  multiShard,
  added,
  hotSpots,
}: StrategyReport): string[] {
  return [
    name,
    ratio(rows),
    ratio(reads),
    ratio(writes),
    ratio(newRows),
    `${perCent(multiShard.reads)} / ${perCent(multiShard.writes)}`,
    `${perCent(added.rowShare)} (theory ${perCent(added.expected)})`,
    hotSpots.join(", "),
  ];
}

function ratio({ total, mostToMean }: NodeFigures): string {
  return total === 0 ? "–" : `${mostToMean.toFixed(2)}×`;
}
