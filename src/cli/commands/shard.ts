/** `tidetable shard`: where the records and requests of a design, or of one's own, land on a cluster. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { idsByName } from "#document/schema.ts";
import { readCsv } from "#interchange/csv.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import { type Cluster, defaultCluster, mostNodes, type Strategy } from "#model/sharding-setup.ts";
import { defaultStrategies, listsOf, usualKey } from "#sharding/default-strategies.ts";
import { adviseKeys, candidateKeys } from "#sharding/key-adviser.ts";
import { type TableReport, tableReport } from "#sharding/lab-report.ts";
import { type LabTable, sampleOf } from "#sharding/lab-table.ts";
import { type LabDesign, labTable, labTableNames } from "#sharding/lab-tables.ts";
import { ownRecords, type TextRows } from "#sharding/own-records.ts";
import { generateRecords, type RecordTable } from "#sharding/records.ts";
import routerSource from "#sharding/router.ts?raw";
import { routingTable } from "#sharding/routing-table.ts";
import { nodeNames, runExperiment, type StrategyOutcome } from "#sharding/run-experiment.ts";
import type { Command } from "../command.ts";
import { type CommandLine, optionValue } from "../command-line.ts";
import { fileTrouble, loadDesign, loadResult, readFile } from "../load.ts";
import { type Loaded, type Refusal, refuse, warn } from "../refusal.ts";
import { shardText } from "../shard-text.ts";
import type { Terminal } from "../terminal.ts";
import { readPartitioner } from "./token.ts";

const help = `usage: tidetable shard DESIGN.json [RESULT.json] [options]
       tidetable shard RECORDS.csv [options]

Spreads records over the nodes of a cluster by round robin, range, list, hash mod N and Cassandra's
ring, sends the requests after them, and tells how even it gets: rows, reads and writes per node and
step, hot spots, requests that ask several nodes, the largest partition, what moves when a node joins
or leaves, and which key to choose.

A design spreads the records of its entities, its statements being the requests; with a result the
column families of the answer, with the Gets and puts of its plans. A CSV spreads its own rows.

  --table NAME           only this entity, or this column family as the result names it
  --nodes N              nodes (6, or what the design says); --replicas R copies of each record (1)
  --virtual-nodes V      tokens per node (16); --partitioner murmur3|random
  --threshold X          a node is a hot spot from X times the mean on (1.5)
  --key A[,B…]           shard by these columns; else by those that most requests name
  --range COLUMN         the column that ranges are cut by; --list COLUMN the one that lists are made of
  --records N            records drawn at most (100000); --requests N requests drawn (200000)
  --seed N               another draw (1)
  --request-file FILE    for a CSV: the requests, one per row, with the columns that each names, and a
                         column request for read or write
  --types A=TYPE[,…]     for a CSV: types of columns; the others are told from their values
  --router DIR           write routing.json and router.ts for one table and one strategy
  --strategy KIND        the one for the router: ring (default), range, list, hash-mod, jump-hash, slots,
                         round-robin
  --example NAME         an example instead of a file
  --json                 print all figures

exit codes: 0 done, 1 a fault of Tidetable itself, 2 bad input
`;

const strategyNames = [
  "ring",
  "range",
  "list",
  "hash-mod",
  "jump-hash",
  "slots",
  "round-robin",
] as const;

export const shardCommand: Command = {
  name: "shard",
  summary: "where records and requests land on a cluster, and which key to choose",
  help,
  options: {
    table: "value",
    nodes: "value",
    replicas: "value",
    "virtual-nodes": "value",
    partitioner: "value",
    threshold: "value",
    key: "value",
    range: "value",
    list: "value",
    records: "value",
    requests: "value",
    seed: "value",
    "request-file": "value",
    types: "value",
    router: "value",
    strategy: "value",
    example: "value",
    pattern: "value",
    steps: "value",
    json: "flag",
  },
  issues: (line) => [
    ...filesOf(line),
    ...issuesOf(readSettings(line, defaultCluster)),
    ...strategyIssues(line),
  ],
  run: async (line, terminal) => {
    const opened = await openTables(line, terminal);
    if (!opened.ok) return refuse(terminal, opened.refusals);
    const settings = readSettings(line, opened.value.cluster);
    if (!settings.ok)
      return refuse(terminal, [{ subject: "the command line", issues: settings.issues }]);
    const { tables } = opened.value;
    const issues = tableIssues(line, tables);
    if (issues.length > 0) return refuse(terminal, [{ subject: "the command line", issues }]);
    const reports: TableReport[] = [];
    for (const table of tables) {
      const worked = workOut(line, table, settings.value);
      if (!worked.ok) return refuse(terminal, [{ subject: table.table.id, issues: worked.issues }]);
      reports.push(worked.value.report);
      const refusal = writeRouter(line, terminal, worked.value, settings.value.cluster);
      if (refusal) return refuse(terminal, [refusal]);
    }
    terminal.out(
      line.flags.has("json")
        ? `${JSON.stringify({ tables: reports }, null, 2)}\n`
        : shardText(reports),
    );
    return 0;
  },
};

function filesOf({ files, values }: CommandLine): Issue[] {
  const most = values.has("example") ? 1 : 2;
  if (files.length === 0 && !values.has("example"))
    return [anError("FILE", "This file is missing.", "Name a design, or a CSV of records.")];
  return files.slice(most).map((file) => anError(file, "This is one file too many."));
}

function strategyIssues({ values }: CommandLine): Issue[] {
  const wanted = values.get("strategy");
  if (wanted === undefined || strategyNames.some((each) => each === wanted)) return [];
  const hint = suggestion(wanted, strategyNames, `The strategies are ${strategyNames.join(", ")}.`);
  return [anError("--strategy", `There is no strategy ${wanted}.`, hint)];
}

function issuesOf(result: Result<unknown>): readonly Issue[] {
  return result.ok ? [] : result.issues;
}

// ---------------------------------------------------------------------------------------- settings

interface Settings {
  readonly cluster: Cluster;
  readonly records: number;
  readonly requests: number;
  readonly seed: number;
}

/** Options over what the design says. */
function readSettings(line: CommandLine, base: Cluster): Result<Settings> {
  const issues: Issue[] = [];
  const whole = (name: string, least: number, most: number): number | undefined =>
    optionValue(line, name, (text) => readWhole(name, text, least, most), issues);
  const cluster: Cluster = {
    ...base,
    nodes: whole("nodes", 1, mostNodes) ?? base.nodes,
    replicas: whole("replicas", 1, 16) ?? base.replicas,
    virtualNodes: whole("virtual-nodes", 1, 1024) ?? base.virtualNodes,
    partitioner: optionValue(line, "partitioner", readPartitioner, issues) ?? base.partitioner,
    threshold: optionValue(line, "threshold", readThreshold, issues) ?? base.threshold,
  };
  const records = whole("records", 1, 5_000_000) ?? 100_000;
  const requests = whole("requests", 0, 5_000_000) ?? 200_000;
  const seed = whole("seed", 0, 2 ** 31 - 1) ?? 1;
  return issues.length > 0
    ? { ok: false, issues }
    : { ok: true, value: { cluster, records, requests, seed }, warnings: [] };
}

function readWhole(name: string, text: string, least: number, most: number): Result<number> {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= least && value <= most
    ? { ok: true, value, warnings: [] }
    : {
        ok: false,
        issues: [
          anError(
            `--${name}`,
            `“${text}” cannot be used here.`,
            `Write a whole number from ${least} to ${most}.`,
          ),
        ],
      };
}

function readThreshold(text: string): Result<number> {
  const value = Number(text);
  return value > 1 && Number.isFinite(value)
    ? { ok: true, value, warnings: [] }
    : {
        ok: false,
        issues: [
          anError("--threshold", `“${text}” cannot be used here.`, "Write a number above 1."),
        ],
      };
}

// ------------------------------------------------------------------------------------------ tables

/** A table with what its strategies are, and its own records where there are such. */
interface OpenTable {
  readonly table: LabTable;
  readonly records?: RecordTable;
  readonly strategies?: readonly Strategy[];
}

interface OpenTables {
  readonly tables: readonly OpenTable[];
  readonly cluster: Cluster;
}

async function openTables(line: CommandLine, terminal: Terminal): Promise<Loaded<OpenTables>> {
  const [file = ""] = line.files;
  return /\.(?:csv|tsv|txt)$/i.test(file)
    ? openOwn(line, terminal, file)
    : openDesign(line, terminal);
}

function openOwn(line: CommandLine, terminal: Terminal, file: string): Loaded<OpenTables> {
  const requestFile = line.values.get("request-file");
  const rows = readRows(file, terminal);
  const requests = requestFile === undefined ? undefined : readRows(requestFile, terminal);
  if (!rows.ok) return failed(file, rows.issues);
  if (requests?.ok === false) return failed(requestFile ?? "", requests.issues);
  const types = Object.fromEntries(
    listOf(line.values.get("types")).map((each) => {
      const at = each.lastIndexOf("=");
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
  const key = line.values.has("key") ? listOf(line.values.get("key")) : undefined;
  const own = ownRecords(rows.value, requests?.value, key, types);
  if (!own.ok) return failed(file, own.issues);
  warn(terminal, requestFile ?? file, own.warnings, {});
  return { ok: true, value: { tables: [own.value], cluster: defaultCluster } };
}

function readRows(file: string, terminal: Terminal): Result<TextRows> {
  return readFile(file, terminal, (text) => {
    const read = readCsv(text);
    return read.ok ? { ...read, value: read.value.map(({ cells }) => cells) } : read;
  });
}

function failed(subject: string, issues: readonly Issue[]): { ok: false; refusals: Refusal[] } {
  return { ok: false, refusals: [{ subject, issues }] };
}

function listOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

async function openDesign(line: CommandLine, terminal: Terminal): Promise<Loaded<OpenTables>> {
  const resultFile = line.files[line.values.has("example") ? 0 : 1];
  const loaded = await loadDesign(line, terminal);
  if (!loaded.ok) return loaded;
  const { document, problem, subject, warnings } = loaded.value;
  warn(terminal, subject, warnings, document.statements);
  const result = resultFile === undefined ? undefined : loadResult(resultFile, terminal);
  if (result?.ok === false) return result;
  const answer = result?.value && "steps" in result.value ? result.value : undefined;
  if (result && !answer)
    return failed(resultFile ?? "", [
      anError("status", "This result has no answer.", "Give one that is optimal or feasible."),
    ]);
  const ids = idsByName(document);
  const design: LabDesign = { problem, setup: document.sharding, ids, ...(answer && { answer }) };
  const { entities, families } = labTableNames(design);
  const names = answer ? families : entities;
  const wanted = line.values.get("table");
  if (wanted !== undefined && ![...entities, ...families].includes(wanted)) {
    const all = [...entities, ...families];
    const hint = suggestion(wanted, all, `The tables are ${all.join("; ")}.`);
    return failed(subject, [anError("--table", `There is no table ${wanted}.`, hint)]);
  }
  const tables = (wanted === undefined ? names : [wanted]).map((name): OpenTable => {
    const isSetUp = document.sharding?.table === ids[name] && document.sharding?.strategies;
    return { table: labTable(design, name), ...(isSetUp && { strategies: isSetUp }) };
  });
  return { ok: true, value: { tables, cluster: document.sharding?.cluster ?? defaultCluster } };
}

function tableIssues(line: CommandLine, tables: readonly OpenTable[]): Issue[] {
  if (line.values.has("router") && tables.length !== 1)
    return [
      anError(
        "--router",
        `There are ${tables.length} tables.`,
        `Choose one with --table: ${tables.map(({ table }) => table.id).join("; ")}.`,
      ),
    ];
  return ["key", "range", "list"].flatMap((option) => {
    const wanted = listOf(line.values.get(option));
    const unknown = wanted.filter((name) =>
      tables.every(({ table }) => !table.columns.some((column) => column.name === name)),
    );
    const all = [...new Set(tables.flatMap(({ table }) => table.columns.map(({ name }) => name)))];
    return unknown.map((name) =>
      anError(
        `--${option}`,
        `There is no column ${name}.`,
        suggestion(name, all, `The columns are ${all.join(", ")}.`),
      ),
    );
  });
}

// --------------------------------------------------------------------------------------------- run

interface Worked {
  readonly report: TableReport;
  readonly records: RecordTable;
  readonly outcomes: readonly StrategyOutcome[];
}

function workOut(line: CommandLine, open: OpenTable, settings: Settings): Result<Worked> {
  const { cluster, seed } = settings;
  const sample = open.records ? undefined : sampleOf(open.table, settings.records, seed);
  const records = open.records ?? generateRecords((sample ?? sampleOf(open.table, 1, seed)).plan);
  const table = withKey(line, open.table);
  const strategies = strategiesOf(line, open, table, records, cluster);
  const experiment = {
    nodes: nodeNames(cluster.nodes),
    replicas: cluster.replicas,
    strategies,
    plans: table.requests,
    requests: settings.requests,
    seed,
    rowsEach: sample?.rowsEach ?? 1,
  };
  const { outcomes } = runExperiment(experiment, records);
  const issues = outcomes.flatMap((each) => ("issues" in each ? each.issues : []));
  if (issues.length > 0) return { ok: false, issues };
  const advice = adviseKeys(
    table,
    { records, rowsEach: experiment.rowsEach },
    candidateKeys(table),
    cluster,
    seed,
  );
  const report = tableReport(table, records, experiment.rowsEach, cluster, outcomes, advice);
  return {
    ok: true,
    value: {
      report,
      records,
      outcomes: outcomes.flatMap((each) => ("stored" in each ? [each] : [])),
    },
    warnings: [],
  };
}

/** `--key` stands for the key that a table has. */
function withKey(line: CommandLine, table: LabTable): LabTable {
  const key = keyOption(line, table);
  return key.length > 0 ? { ...table, key } : table;
}

function keyOption({ values }: CommandLine, { columns }: LabTable): readonly string[] {
  return listOf(values.get("key")).filter((name) => columns.some((column) => column.name === name));
}

function strategiesOf(
  line: CommandLine,
  open: OpenTable,
  table: LabTable,
  records: RecordTable,
  cluster: Cluster,
): readonly Strategy[] {
  const key = keyOption(line, table);
  const hashed = key.length > 0 ? key : usualKey(table);
  const usual = open.strategies ?? defaultStrategies(table, records, cluster);
  const chosen = usual.map((strategy): Strategy => {
    const [ranged, listed] = [line.values.get("range"), line.values.get("list")];
    switch (strategy.kind) {
      case "round robin":
        return strategy;
      case "range":
        return ranged === undefined ? strategy : { ...strategy, key: [ranged] };
      case "list":
        return listed === undefined ? strategy : listsOf(listed, records, cluster.nodes);
      case "ring":
        return {
          ...strategy,
          ...(key.length > 0 && { key }),
          hash: cluster.partitioner,
          virtualNodes: cluster.virtualNodes,
        };
      default:
        return key.length > 0 ? { ...strategy, key } : strategy;
    }
  });
  const wanted = strategyOption(line);
  const isThere = wanted === undefined || chosen.some(({ kind }) => kind === wanted);
  return isThere || (wanted !== "jump hash" && wanted !== "slots")
    ? chosen
    : [...chosen, { kind: wanted, key: hashed }];
}

function strategyOption({ values }: CommandLine): Strategy["kind"] | undefined {
  return values.get("strategy")?.replaceAll("-", " ") as Strategy["kind"] | undefined;
}

function writeRouter(
  line: CommandLine,
  terminal: Terminal,
  { report, records, outcomes }: Worked,
  cluster: Cluster,
): Refusal | undefined {
  const folder = line.values.get("router");
  if (folder === undefined) return undefined;
  const wanted = strategyOption(line) ?? "ring";
  const outcome = outcomes.find(({ strategy }) => strategy.kind === wanted);
  if (!outcome)
    return {
      subject: "the command line",
      issues: [
        anError(
          "--strategy",
          `${report.table} has no strategy ${wanted} set up.`,
          `It has ${outcomes.map(({ name }) => name).join(", ")}.`,
        ),
      ],
    };
  const routing = routingTable(report.table, outcome.layout, records, cluster.replicas);
  const target = resolve(terminal.folder, folder);
  try {
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "routing.json"), `${JSON.stringify(routing, null, 2)}\n`);
    writeFileSync(join(target, "router.ts"), routerSource);
    return undefined;
  } catch (error) {
    const issues = [anError("--router", ...fileTrouble(error, folder, terminal.folder))];
    return { subject: "the command line", issues };
  }
}
