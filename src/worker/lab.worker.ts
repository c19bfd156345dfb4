/** The sharding lab in a worker: makes the records, runs the experiment, advises on keys. No logic of its own. */
import { expose } from "comlink";
import { readCsv } from "#interchange/csv.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { clusteringFor } from "#sharding/clustering-order.ts";
import { defaultStrategies, usualKey } from "#sharding/default-strategies.ts";
import { adviseKeys, candidateKeys } from "#sharding/key-adviser.ts";
import { type LabTable, sampleOf } from "#sharding/lab-table.ts";
import { labTable } from "#sharding/lab-tables.ts";
import { ownRecords } from "#sharding/own-records.ts";
import { generateRecords, type RecordTable } from "#sharding/records.ts";
import { routingTable } from "#sharding/routing-table.ts";
import { nodeNames, runExperiment } from "#sharding/run-experiment.ts";
import { objections } from "#sharding/when-not-to-shard.ts";
import type { AdviceResult, LabApi, LabResult, LabSource, LabWork } from "./lab-protocol.ts";

interface Opened {
  readonly table: LabTable;
  readonly records: RecordTable;
  readonly rowsEach: number;
  readonly warnings: readonly Issue[];
}

/** The records of the last question: the next one is often about the same. */
let last: { readonly key: string; readonly opened: Opened } | undefined;

function open({ source, records, seed }: LabWork): Result<Opened> {
  const key = JSON.stringify([source, records, seed]);
  if (last?.key === key) return { ok: true, value: last.opened, warnings: [] };
  const opened = source.kind === "design" ? openDesign(source, records, seed) : openOwn(source);
  if (opened.ok) last = { key, opened: opened.value };
  return opened;
}

function openDesign(
  { design, table: name }: Extract<LabSource, { kind: "design" }>,
  mostRows: number,
  seed: number,
): Result<Opened> {
  const table = labTable(design, name);
  const sample = sampleOf(table, mostRows, seed);
  const records = generateRecords(sample.plan);
  return {
    ok: true,
    value: { table, records, rowsEach: sample.rowsEach, warnings: [] },
    warnings: [],
  };
}

function openOwn(source: Extract<LabSource, { kind: "own records" }>): Result<Opened> {
  const rows = readCsv(source.records);
  const requests = source.requests === undefined ? undefined : readCsv(source.requests);
  if (!rows.ok) return rows;
  if (requests?.ok === false) return requests;
  const own = ownRecords(
    rows.value.map(({ cells }) => cells),
    requests?.value.map(({ cells }) => cells),
    source.key,
  );
  if (!own.ok) return own;
  return {
    ok: true,
    value: { ...own.value, rowsEach: 1, warnings: own.warnings },
    warnings: own.warnings,
  };
}

const samplesTaken = 8;

/** Values of some records, from all over the table. */
function samplesOf({ columns, count }: RecordTable): Record<string, string>[] {
  return Array.from({ length: Math.min(samplesTaken, count) }, (_, index) => {
    const row = Math.floor((index * count) / samplesTaken);
    return Object.fromEntries(
      columns.map(({ name, values, ids }) => [name, values.text(ids[row] as number)]),
    );
  });
}

async function run(work: LabWork, onProgress: (done: number) => void): Promise<LabResult> {
  const started = performance.now();
  const opened = open(work);
  if (!opened.ok) return opened;
  const { table, records, rowsEach, warnings } = opened.value;
  const { cluster, seed } = work;
  const strategies = work.strategies ?? defaultStrategies(table, records, cluster);
  const known = new Set(table.columns.map(({ name }) => name));
  const usable = strategies.filter(
    (each) => each.kind === "round robin" || each.key.every((name) => known.has(name)),
  );
  const experiment = {
    nodes: nodeNames(cluster.nodes),
    replicas: cluster.replicas,
    strategies: usable,
    plans: table.requests,
    requests: work.requests,
    seed,
    rowsEach,
  };
  const { outcomes, requests } = runExperiment(experiment, records, onProgress);
  return {
    ok: true,
    value: {
      table,
      rowsEach,
      records: records.count,
      requests,
      cluster,
      strategies: usable,
      outcomes,
      routing: outcomes.map((each) =>
        "layout" in each
          ? routingTable(table.id, each.layout, records, cluster.replicas)
          : undefined,
      ),
      samples: samplesOf(records),
      clustering: clusteringFor(table, usualKey(table)),
      objections: objections(table, usualKey(table), cluster),
      warnings,
      seconds: (performance.now() - started) / 1000,
    },
  };
}

async function advise(work: LabWork, onProgress: (done: number) => void): Promise<AdviceResult> {
  const opened = open(work);
  if (!opened.ok) return opened;
  const { table, ...drawn } = opened.value;
  const keys = candidateKeys(table);
  return { ok: true, value: adviseKeys(table, drawn, keys, work.cluster, work.seed, onProgress) };
}

/** A fault of ours is told in words; nothing is thrown across the boundary. */
async function inWords<Answer>(
  work: () => Promise<Answer>,
): Promise<Answer | { readonly ok: false; readonly issues: readonly Issue[] }> {
  try {
    return await work();
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    return {
      ok: false,
      issues: [
        anError("", `The lab failed: ${reason}.`, "Please report it; fewer records may help."),
      ],
    };
  }
}

const api: LabApi = {
  run: (work, onProgress) => inWords(() => run(work, onProgress)),
  advise: (work, onProgress) => inWords(() => advise(work, onProgress)),
};

expose(api);
