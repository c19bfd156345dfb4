/**
 * `tidetable bench`: what a run costs, on named workloads. Each runs in a process of its own, so that
 * the peak of memory is its own; figures are measured, never compared with a wish.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type NamedWorkload, namedWorkloads, workloadGroups } from "#examples/workloads.ts";
import { anError, type Issue } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import { loadBenchFile, loadBenchFiles, writeBenchFile } from "../bench/bench-file.ts";
import { compareRuns, nameOf } from "../bench/compare-runs.ts";
import { comparisonReport, publishedSection } from "../bench/comparison-report.ts";
import { growthReport } from "../bench/growth-report.ts";
import { type BenchLimits, measureWorkload } from "../bench/measure-workload.ts";
import { type Measurement, secondsUntilGap } from "../bench/measurement.ts";
import { observedRuns } from "../bench/observed-runs.ts";
import { type Command, fileIssues } from "../command.ts";
import {
  type CommandLine,
  optionValue,
  readGap,
  readMode,
  readTimeLimit,
} from "../command-line.ts";
import { bytes, count, duration, perCent } from "../figures.ts";
import { unwritable } from "../load.ts";
import { progressDisplay } from "../progress.ts";
import { type Loaded, refuse } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { type TextColumn, textTable } from "../text-table.ts";

/** Reports by name, each from measurements and the command that makes it. */
const reports: Readonly<
  Record<string, (measured: readonly Measurement[], command: string) => string>
> = {
  comparison: comparisonReport,
  growth: growthReport,
  readme: (measured) => `${publishedSection(measured).join("\n")}\n`,
};
const reportNames = Object.keys(reports);

const help = `usage: tidetable bench [options]

Optimises named workloads, each in a process of its own, and prints seconds per stage, candidates,
plans, the size of the program, cost, gap, seconds until the first answer with a gap, and the peak of
memory. Without --only: the group everyday.

  --only NAME,…          these workloads or groups (${workloadGroups.join(", ")})
  --list                 name all workloads and say what they are
  --gap PERCENT          stop at this gap instead of each workload's own
  --time-limit SECONDS   stop each after so many seconds with the best answer so far
  --mode MODE            certified (usual) or summary-tree
  --json                 print the measurements as JSON, one object per line
  --out FILE             write them to a file as well; what it holds of other workloads stays
  --compare FILE         print ratios against the measurements of a file
  --document NAME        print the design of a workload and measure nothing
  --within NAME          measure one workload within this process and print it as JSON
  --report NAME          print a report in Markdown from stored runs: ${reportNames.join(", ")}
  --from FILE,…          the stored runs that a report is made of
  --observed FILE        tell what npm run bench:browser saw instead of measuring

Costs are milliseconds of latency. Times and memory depend on the machine and on what else it does.

exit codes: 0 measured, 1 a workload failed, 2 bad input
`;

export const benchCommand: Command = {
  name: "bench",
  summary: "measure named workloads",
  help,
  options: {
    only: "value",
    list: "flag",
    gap: "value",
    "time-limit": "value",
    mode: "value",
    json: "flag",
    out: "value",
    compare: "value",
    document: "value",
    within: "value",
    observed: "value",
    report: "value",
    from: "value",
  },
  issues: (line, terminal) => {
    const issues = [...fileIssues(line, []), ...nameIssues(line)];
    limitsOf(line, issues);
    const out = line.values.get("out");
    const trouble = out === undefined ? undefined : unwritable(out, terminal, []);
    return trouble ? [...issues, trouble] : issues;
  },
  run: async (line, terminal) => {
    const { flags, values } = line;
    if (flags.has("list")) return list(line, terminal);
    const report = values.get("report");
    if (report !== undefined) return printReport(report, values.get("from"), terminal);
    const document = values.get("document");
    if (document !== undefined) return printDocument(document, terminal);
    const within = values.get("within");
    if (within !== undefined) return measureWithin(within, limitsOf(line), terminal);
    return measureAll(line, terminal);
  },
};

// --------------------------------------------------------------------------------- the command line

function limitsOf(line: CommandLine, issues?: Issue[]): BenchLimits {
  const gap = optionValue(line, "gap", readGap, issues);
  const timeLimitSeconds = optionValue(line, "time-limit", readTimeLimit, issues);
  const mode = optionValue(line, "mode", readMode, issues);
  return {
    ...(gap !== undefined && { gap }),
    ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
    ...(mode !== undefined && { mode }),
  };
}

function nameIssues({ values }: CommandLine): Issue[] {
  const workloads = namedWorkloads.map(({ name }) => name);
  const unknown = (option: string, known: readonly string[], asked: readonly string[]): Issue[] =>
    asked
      .filter((name) => !known.includes(name))
      .map((name) =>
        anError(
          option,
          `There is no workload ${name}.`,
          suggestion(name, known, "tidetable bench --list names them."),
        ),
      );
  return [
    ...unknown("--only", [...workloads, ...workloadGroups], asked(values.get("only"))),
    ...unknownReport(values.get("report")),
    ...(values.has("report") && !values.has("from")
      ? [anError("--from", "A report needs the files of stored runs.")]
      : []),
    ...unknown("--document", workloads, asked(values.get("document"))),
    ...unknown("--within", workloads, asked(values.get("within"))),
  ];
}

function unknownReport(name: string | undefined): Issue[] {
  return name === undefined || reportNames.includes(name)
    ? []
    : [
        anError(
          "--report",
          `There is no report ${name}.`,
          suggestion(name, reportNames, `The reports are ${reportNames.join(", ")}.`),
        ),
      ];
}

function asked(names: string | undefined): string[] {
  return (names ?? "").split(",").flatMap((name) => name.trim() || []);
}

/** The workloads that are asked for, in the order of the list. */
function chosen(only: string | undefined): readonly NamedWorkload[] {
  const names = only === undefined ? ["everyday"] : asked(only);
  return namedWorkloads.filter(({ name, group }) => names.includes(name) || names.includes(group));
}

function named(name: string): NamedWorkload {
  const found = namedWorkloads.find((workload) => workload.name === name);
  if (!found) throw new Error(`there is no workload ${name}`);
  return found;
}

// ----------------------------------------------------------------------------------------- measuring

function list({ flags, values }: CommandLine, terminal: Terminal): number {
  const only = values.get("only");
  const workloads = only === undefined ? namedWorkloads : chosen(only);
  const columns = ["workload", "group", "what"].map((head) => ({ head, align: "left" }) as const);
  const rows = workloads.map(({ name, group, what }) => [name, group, what]);
  const names = workloads.map(({ name }) => name);
  terminal.out(
    flags.has("json") ? `${JSON.stringify(names)}\n` : `${textTable(columns, rows).join("\n")}\n`,
  );
  return 0;
}

function printReport(name: string, from: string | undefined, terminal: Terminal): number {
  const stored = loadBenchFiles(asked(from), terminal);
  if (!stored.ok) return refuse(terminal, stored.refusals);
  const command = `npm run --silent bench -- --report ${name} --from ${asked(from).join()}`;
  terminal.out(reports[name]?.(stored.value.measurements, command) ?? "");
  return 0;
}

async function printDocument(name: string, terminal: Terminal): Promise<number> {
  terminal.out(`${JSON.stringify(await named(name).load(), null, 2)}\n`);
  return 0;
}

async function measureWithin(
  name: string,
  limits: BenchLimits,
  terminal: Terminal,
): Promise<number> {
  const display = progressDisplay(terminal);
  const measurement = await measureWorkload(named(name), limits, terminal.now, display.show);
  display.end();
  terminal.out(`${JSON.stringify(measurement)}\n`);
  return isAnswered(measurement) ? 0 : 1;
}

async function measureAll(line: CommandLine, terminal: Terminal): Promise<number> {
  const { flags, values } = line;
  const comparedTo = values.get("compare");
  const stored = comparedTo === undefined ? undefined : loadBenchFile(comparedTo, terminal);
  if (stored && !stored.ok) return refuse(terminal, stored.refusals);
  const tasks = await tasksOf(line, terminal);
  if (!tasks.ok) return refuse(terminal, tasks.refusals);

  const measured: Measurement[] = [];
  for (const task of tasks.value) {
    const measurement = task();
    if (!measurement) continue;
    measured.push(measurement);
    const written = keep(measurement, line, terminal);
    if (!written.ok) return refuse(terminal, written.refusals);
  }
  if (!flags.has("json")) terminal.out(`${textTable(columns, measured.map(row)).join("\n")}\n`);
  if (stored) terminal.out(`${compareRuns(measured, stored.value.measurements).join("\n")}\n`);
  return measured.length === tasks.value.length && measured.every(isAnswered) ? 0 : 1;
}

/** What is to be told, one after the other: runs still to be made, or those that were watched. */
async function tasksOf(
  line: CommandLine,
  terminal: Terminal,
): Promise<Loaded<readonly (() => Measurement | undefined)[]>> {
  const observed = line.values.get("observed");
  if (observed === undefined) {
    const workloads = chosen(line.values.get("only"));
    return { ok: true, value: workloads.map((each) => () => measureApart(each, line, terminal)) };
  }
  const seen = await loadObserved(observed, terminal);
  return seen.ok ? { ok: true, value: seen.value.map((each) => () => each) } : seen;
}

async function loadObserved(
  path: string,
  { folder }: Terminal,
): Promise<Loaded<readonly Measurement[]>> {
  const read = await observedRuns(readFileSync(resolve(folder, path), "utf8"));
  return read.ok ? read : { ok: false, refusals: [{ subject: path, issues: read.issues }] };
}

/** To stdout and to the file, where asked; after each, so that a bench that is broken off leaves what it has. */
function keep(
  measurement: Measurement,
  { flags, values }: CommandLine,
  terminal: Terminal,
): Loaded<undefined> {
  if (flags.has("json")) terminal.out(`${JSON.stringify(measurement)}\n`);
  const out = values.get("out");
  return out === undefined
    ? { ok: true, value: undefined }
    : writeBenchFile(out, [measurement], terminal);
}

/** Runs this same program for one workload. */
function measureApart(
  { name }: NamedWorkload,
  { values }: CommandLine,
  terminal: Terminal,
): Measurement | undefined {
  terminal.err(`${name} …\n`);
  const passed = ["gap", "time-limit", "mode"].flatMap((option) => {
    const value = values.get(option);
    return value === undefined ? [] : [`--${option}=${value}`];
  });
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    [process.argv[1] ?? "", "bench", "--within", name, ...passed],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  try {
    return JSON.parse(stdout) as Measurement;
  } catch {
    terminal.err(`${name} ${signal === null ? "failed" : `was ended by ${signal}`}:\n${stderr}`);
    return undefined;
  }
}

function isAnswered({ status }: Measurement): boolean {
  return status === "optimal" || status === "feasible";
}

// ------------------------------------------------------------------------------------------- telling

const columns: readonly TextColumn[] = [
  { head: "workload", align: "left" },
  { head: "status", align: "left" },
  ...[
    "enumerate",
    "plan",
    "steps",
    "solve",
    "total",
    "processor",
    "first",
    "candidates",
    "plans",
    "program",
    "non-zeros",
    "cost",
    "gap",
    "memory",
  ].map((head) => ({ head, align: "right" }) as const),
];

function row(each: Measurement): string[] {
  const { status, counts, answer, peakMemory } = each;
  const stage = (name: string): string => duration((each.seconds[name] ?? 0) * 1000);
  const first = secondsUntilGap(each, 1);
  return [
    nameOf(each),
    status,
    stage("enumerate"),
    stage("plan"),
    stage("baselines"),
    stage("solve"),
    stage("total"),
    each.processorSeconds === undefined ? "–" : duration(each.processorSeconds * 1000),
    first === undefined ? "–" : duration(first * 1000),
    String(counts["candidates"] ?? "–"),
    count(counts["queryPlans"] ?? 0, ""),
    `${counts["columns"] ?? "–"} × ${counts["rows"] ?? "–"}`,
    String(counts["nonZeros"] ?? "–"),
    answer ? duration(answer.objective) : "–",
    answer ? perCent(answer.gap) : "–",
    bytes(peakMemory),
  ];
}
