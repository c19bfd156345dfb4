/**
 * `tidetable bench`: what a run costs, per example. Each example runs in a process of its own, so that
 * the peak of memory is its own; figures are measured, never compared with a wish.
 */
import { spawnSync } from "node:child_process";
import { optimise } from "#engine/optimise.ts";
import { examples } from "#examples/examples.ts";
import { openHighs } from "#ilp/highs.ts";
import type { RunOutcome } from "#model/recommendation.ts";
import type { Command } from "../command.ts";
import { bytes, duration, perCent } from "../figures.ts";
import { loadDesign } from "../load.ts";
import { refuse } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { type TextColumn, textTable } from "../text-table.ts";

const help = `usage: tidetable bench [--json] [--example ID]

Optimises every example (or one) and prints seconds per stage, candidates, plans, the size of the
program, bound, gap and the peak of memory. With --json one JSON object per line.

exit codes: 0 measured, 1 an example failed
`;

/** What one run took. */
interface Measurement {
  readonly example: string;
  readonly status: RunOutcome["status"];
  readonly seconds: Readonly<Record<string, number>>;
  readonly candidates: number;
  readonly queryPlans: number;
  readonly columns: number;
  readonly rows: number;
  readonly nonZeros: number;
  readonly objective: number;
  readonly bound: number;
  readonly gap: number;
  /** Bytes: largest resident set of the process. */
  readonly peakMemory: number;
}

export const benchCommand: Command = {
  name: "bench",
  summary: "measure the examples",
  help,
  options: { json: "flag", example: "value" },
  issues: () => [],
  run: async (line, terminal) => {
    if (line.values.has("example")) {
      const design = await loadDesign(line, terminal);
      if (!design.ok) return refuse(terminal, design.refusals);
      const { problem, document } = design.value;
      const limits = { gap: document.settings.gap };
      const tools = { solver: await openHighs(), now: terminal.now };
      const outcome = await optimise(problem, limits, tools);
      return tell(
        [measurementOf(line.values.get("example") ?? "", outcome)],
        line.flags.has("json"),
        terminal,
      );
    }
    const measured = examples.flatMap(({ id }) => measureApart(id, terminal) ?? []);
    const code = tell(measured, line.flags.has("json"), terminal);
    return measured.length === examples.length ? code : 1;
  },
};

function measurementOf(example: string, outcome: RunOutcome): Measurement {
  const answered = "counts" in outcome ? outcome : undefined;
  return {
    example,
    status: outcome.status,
    seconds: outcome.seconds,
    candidates: answered?.counts.candidates ?? 0,
    queryPlans: answered?.counts.queryPlans ?? 0,
    columns: answered?.counts.columns ?? 0,
    rows: answered?.counts.rows ?? 0,
    nonZeros: answered?.counts.nonZeros ?? 0,
    objective: answered?.objective ?? Number.NaN,
    bound: answered?.bound ?? Number.NaN,
    gap: answered?.gap ?? Number.NaN,
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
}

/** Runs this same program for one example. */
function measureApart(id: string, terminal: Terminal): Measurement | undefined {
  terminal.err(`${id} …\n`);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [process.argv[1] ?? "", "bench", "--json", "--example", id],
    { encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  if (status === 0) return JSON.parse(stdout) as Measurement;
  terminal.err(`${id} failed:\n${stderr}`);
  return undefined;
}

const columns: readonly TextColumn[] = [
  { head: "example", align: "left" },
  { head: "status", align: "left" },
  ...[
    "enumerate",
    "plan",
    "steps",
    "solve",
    "total",
    "candidates",
    "plans",
    "program",
    "cost",
    "gap",
    "memory",
  ].map((head) => ({ head, align: "right" }) as const),
];

function tell(measured: readonly Measurement[], asJson: boolean, terminal: Terminal): number {
  if (asJson) for (const each of measured) terminal.out(`${JSON.stringify(each)}\n`);
  else terminal.out(`${textTable(columns, measured.map(row)).join("\n")}\n`);
  return measured.every(({ status }) => status === "optimal" || status === "feasible") ? 0 : 1;
}

function row(each: Measurement): string[] {
  const stage = (name: string): string => duration((each.seconds[name] ?? 0) * 1000);
  return [
    each.example,
    each.status,
    stage("enumerate"),
    stage("plan"),
    stage("baselines"),
    stage("solve"),
    stage("total"),
    String(each.candidates),
    String(each.queryPlans),
    `${each.columns} × ${each.rows}`,
    duration(each.objective),
    perCent(each.gap),
    bytes(each.peakMemory),
  ];
}
