/** The lab's cards and maps with a small log: range by day is hot on its last node, the ring is even. */
import { defaultCluster } from "#model/sharding-setup.ts";
import type { LabTable } from "#sharding/lab-table.ts";
import { generateRecords } from "#sharding/records.ts";
import { nodeNames, runExperiment } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { hotelDocument } from "../hotel-specimen-document.ts";
import { SpecimenStudio } from "../specimen-studio.tsx";
import { HeatView } from "./heat-view.tsx";
import { NodesView } from "./nodes-view.tsx";
import "./sharding.css";

const cluster = { ...defaultCluster, nodes: 4 };
const request = {
  pick: { kind: "records" },
  keys: 1,
  order: [],
  joins: false,
  changesMany: false,
} as const;

function answerOf(): LabAnswer {
  const columns = [
    { name: "customer", type: "int", distinct: 900, bytes: 4, distribution: { kind: "uniform" } },
    { name: "day", type: "date", distinct: 90, bytes: 4, distribution: { kind: "arrival" } },
  ] as const;
  const table: LabTable = {
    id: "log",
    kind: "entity",
    columns,
    key: ["customer"],
    clustering: [],
    initial: 3000,
    arriving: [400, 800, 300],
    stepSeconds: 3600,
    bytesPerRow: 40,
    cellsPerRow: 1,
    requests: [
      {
        ...request,
        name: "of a customer",
        kind: "read",
        binds: ["customer"],
        perSecond: [4, 9, 3],
      },
      { ...request, name: "new", kind: "insert", binds: [], perSecond: [2, 4, 1] },
    ],
  };
  const { initial, arriving, stepSeconds, requests } = table;
  const strategies = [
    { kind: "range", key: ["day"], cut: { kind: "equal count" } },
    { kind: "ring", key: ["customer"], hash: "murmur3", tokens: "random", virtualNodes: 64 },
  ] as const;
  const records = generateRecords({ columns, initial, arriving, stepSeconds, seed: 1 });
  const experiment = {
    nodes: nodeNames(4),
    replicas: 1,
    strategies,
    plans: requests,
    requests: 6000,
    seed: 1,
  };
  const { outcomes } = runExperiment(experiment, records);
  return {
    table,
    rowsEach: 1,
    records: records.count,
    requests: 6000,
    cluster,
    strategies,
    outcomes,
    routing: [],
    samples: [],
    clustering: { columns: [], profit: [], sorted: [] },
    objections: [],
    warnings: [],
    seconds: 0,
  };
}

export function Nodes() {
  return (
    <SpecimenStudio document={hotelDocument} session={{ step: 1 }} height={760}>
      <NodesView answer={answerOf()} />
    </SpecimenStudio>
  );
}

export function OverTime() {
  return (
    <SpecimenStudio document={hotelDocument} session={{ step: 1 }} height={360}>
      <HeatView answer={answerOf()} />
    </SpecimenStudio>
  );
}
