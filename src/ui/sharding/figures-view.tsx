/** All figures side by side as a table, and out as CSV. */

import { type StrategyReport, strategyReport } from "#sharding/lab-report.ts";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { DataTable } from "../design/data-table.tsx";
import { bytes, count, frequency, perCent, threeDigits } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { saveBlob } from "./image-export.ts";
import { figuresCsv, laidOut } from "./lab-rows.ts";

interface FigureRow {
  readonly name: string;
  readonly cell: (report: StrategyReport, outcome: StrategyOutcome) => string;
}

const times = (value: number): string => `${threeDigits(value)}×`;

const rows: readonly FigureRow[] = [
  { name: "Rows, busiest over mean", cell: ({ rows: each }) => times(each.mostToMean) },
  { name: "Rows, coefficient of variation", cell: ({ rows: each }) => perCent(each.variation) },
  { name: "New rows, share of the busiest node", cell: ({ newRows }) => share(newRows) },
  { name: "Reads, busiest over mean", cell: ({ reads }) => times(reads.mostToMean) },
  { name: "Reads, coefficient of variation", cell: ({ reads }) => perCent(reads.variation) },
  { name: "Reads, share of the busiest node", cell: ({ reads }) => share(reads) },
  { name: "Reads at all nodes together", cell: ({ reads }) => frequency(reads.total).text },
  { name: "Writes, busiest over mean", cell: ({ writes }) => times(writes.mostToMean) },
  { name: "Writes, coefficient of variation", cell: ({ writes }) => perCent(writes.variation) },
  { name: "Writes, share of the busiest node", cell: ({ writes }) => share(writes) },
  { name: "Writes at all nodes together", cell: ({ writes }) => frequency(writes.total).text },
  { name: "Hot spots over all steps", cell: ({ hotSpots }) => hotSpots.join(", ") || "none" },
  { name: "Reads that ask many nodes", cell: ({ multiShard }) => perCent(multiShard.reads) },
  { name: "Writes that touch many nodes", cell: ({ multiShard }) => perCent(multiShard.writes) },
  { name: "Different keys drawn", cell: ({ keys }) => count(keys.count, "").text },
  {
    name: "Hottest key, share of requests",
    cell: ({ keys }) => (keys.hottest[0] ? perCent(keys.hottest[0].share) : "–"),
  },
  {
    name: "Largest partition",
    cell: ({ keys }) =>
      keys.count === 0
        ? "–"
        : `${count(keys.largestRows, "rows").text}, ${bytes(keys.largestBytes).text}`,
  },
  { name: "A node joins: rows that move", cell: ({ added }) => perCent(added.rowShare) },
  { name: "A node joins: theory", cell: ({ added }) => perCent(added.expected) },
  { name: "A node leaves: rows that move", cell: ({ removed }) => perCent(removed.rowShare) },
  { name: "A node leaves: theory", cell: ({ removed }) => perCent(removed.expected) },
];

function share({ total, busiestShare }: StrategyReport["reads"]): string {
  return total === 0 ? "–" : perCent(busiestShare);
}

export function FiguresView({ answer }: { readonly answer: LabAnswer }) {
  const outcomes = laidOut(answer);
  const reports = outcomes.map((outcome) =>
    strategyReport(outcome, answer.table, answer.rowsEach, answer.cluster),
  );
  return (
    <div className="lab-view">
      <header className="lab-view-head">
        <h2>Figures over all steps</h2>
        <span className="spacer" />
        <button
          type="button"
          className="button small"
          onClick={() =>
            saveBlob("sharding-figures.csv", new Blob([figuresCsv(answer)], { type: "text/csv" }))
          }
        >
          <Icon name="download" size={14} />
          Figures per node and step as CSV
        </button>
      </header>
      <DataTable
        caption="Figures of every strategy"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { head: "Figure", text: true, cell: ({ name }) => name },
          ...reports.map((report, index) => ({
            head: report.name,
            cell: ({ cell }: FigureRow) => cell(report, outcomes[index] as StrategyOutcome),
          })),
        ]}
      />
      <section aria-labelledby="requests-head" className="lab-note">
        <h2 id="requests-head">Requests</h2>
        <DataTable
          caption="Nodes that one execution of each request asks"
          rows={answer.table.requests.map((request, index) => ({ request, index }))}
          rowKey={({ index }) => index}
          columns={[
            { head: "Request", text: true, cell: ({ request }) => request.name },
            { head: "Kind", text: true, cell: ({ request }) => request.kind },
            {
              head: "Names",
              text: true,
              cell: ({ request }) =>
                request.kind === "insert" ? "all columns" : request.binds.join(", ") || "no column",
            },
            ...outcomes.map((outcome) => ({
              head: outcome.name,
              cell: ({ index }: { readonly index: number }) =>
                `${threeDigits(outcome.routes[index]?.nodes ?? 0)} nodes`,
            })),
          ]}
        />
      </section>
    </div>
  );
}
