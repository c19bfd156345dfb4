/** `tidetable optimise`: runs the engine on a design and tells the answer. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { idsByName } from "#document/schema.ts";
import { optimiseWithinRules } from "#engine/optimise-within-rules.ts";
import { openHighs } from "#ilp/highs.ts";
import { anError, type Issue } from "#model/issue.ts";
import type { StorageLimit } from "#model/problem.ts";
import type { RunMode, RunOutcome } from "#model/recommendation.ts";
import { defaultCluster, mostNodes } from "#model/sharding-setup.ts";
import { answerBalance, spreadsOf } from "#sharding/family-balance.ts";
import { type Command, fileIssues } from "../command.ts";
import {
  type CommandLine,
  optionValue,
  readAbove0,
  readGap,
  readMode,
  readStorage,
  readTimeLimit,
} from "../command-line.ts";
import { type Design, fileTrouble, loadDesign, unwritable } from "../load.ts";
import { progressDisplay } from "../progress.ts";
import { refuse, warn } from "../refusal.ts";
import { reportText } from "../report.ts";
import type { Terminal } from "../terminal.ts";

const help = `usage: tidetable optimise DESIGN.json [options]
       tidetable optimise --example ID [options]

Finds the cheapest schema for every time step and the migrations between them. Reports for people,
or writes the whole result as JSON. Options left out are taken from the design's settings.

  --storage BYTES|N%     most bytes that may exist at one step, or per cent of what the schema takes
                         that static optimisation under average frequencies picks without a limit
  --gap PERCENT          stop when the answer is proven to be within so many per cent of the best
  --time-limit SECONDS   stop after so many seconds with the best answer so far; candidates and
                         plans are enumerated in any case
  --mode MODE            certified: among all candidate tables, with a bound that holds for all of
                         them (the default); summary-tree: the paper's method, among the tables
                         that its workload summary tree leaves; the tree is told and stands in the
                         result
  --partition-bytes N, --partition-rows N, --partition-share PERCENT
                         leave out tables whose largest partition has more bytes, more rows or a
                         larger share of the table; what is left out is told, and what that costs
  --nodes N              nodes of the cluster for which the balance of every table is told
  --out RESULT.json      write the result to a file (tidetable check reads it back)
  --json                 print the result instead of the report
  --no-seconds           leave "seconds" empty in the result: equal input then gives equal bytes
  --cost-model FILE      cost by this model, such as calibrate fit writes, not by the design's
  --schema FILE          show a schema made by hand beside the optimum: a JSON list of tables like
                         "[user.id] [] -> user.name", or {"name": …, "schemas": [[…], …]} with
                         one list for all steps or one for each
  --scenario NAME        take the design under one of its scenarios
  --example ID           take an example instead of a file
  --pattern NAME         of an example that has patterns of frequencies (tpch: cycles,
                         evolution, spike, smooth48, smooth) take this one
  --steps N              and so many steps (12; smooth: 48)

Costs are milliseconds of latency summed over all executions, sizes are bytes. In a result, "gap" is
a share between 0 and 1, and without --no-seconds only "seconds" differs between two runs.

exit codes: 0 an answer, 1 a fault of Tidetable itself, 2 bad input, 3 no schema can be right (the
smallest storage that works is told), 4 no answer within the time limit
`;

/** Exit codes by how a run ended. */
export const exitCodes: Readonly<Record<RunOutcome["status"], number>> = {
  optimal: 0,
  feasible: 0,
  failed: 1,
  infeasible: 3,
  timedOut: 4,
};

export const optimiseCommand: Command = {
  name: "optimise",
  summary: "find the cheapest schema for every time step",
  help,
  options: {
    storage: "value",
    gap: "value",
    "time-limit": "value",
    mode: "value",
    "partition-bytes": "value",
    "partition-rows": "value",
    "partition-share": "value",
    nodes: "value",
    out: "value",
    json: "flag",
    "no-seconds": "flag",
    "cost-model": "value",
    schema: "value",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line, terminal) => {
    const issues = [...fileIssues(line, ["DESIGN.json"]), ...outIssues(line, terminal)];
    settingsOf(line, issues);
    partitionsOf(line, issues);
    return issues;
  },
  run: async (line, terminal) => {
    const design = await loadDesign(line, terminal);
    if (!design.ok) return refuse(terminal, design.refusals);
    const { subject, document, warnings } = design.value;
    warn(terminal, subject, warnings, document.statements);
    const limited = withPartitions(design.value, partitionsOf(line));
    const outcome = await runDesign(limited, settingsOf(line), terminal);
    return tell(line, terminal, limited, withBalance(outcome, limited));
  },
};

/** What the options say about the run; undefined where the design's settings hold. */
export interface RunSettings {
  readonly storage: StorageLimit | undefined;
  readonly gap: number | undefined;
  readonly timeLimit: number | undefined;
  readonly mode: RunMode | undefined;
}

function settingsOf(line: CommandLine, issues?: Issue[]): RunSettings {
  return {
    storage: optionValue(line, "storage", readStorage, issues),
    gap: optionValue(line, "gap", readGap, issues),
    timeLimit: optionValue(line, "time-limit", readTimeLimit, issues),
    mode: optionValue(line, "mode", readMode, issues),
  };
}

/** What the options say about partitions and the cluster; undefined where the design's own words hold. */
interface PartitionSettings {
  readonly largestBytes: number | undefined;
  readonly largestRows: number | undefined;
  readonly largestShare: number | undefined;
  readonly nodes: number | undefined;
}

function partitionsOf(line: CommandLine, issues?: Issue[]): PartitionSettings {
  const above0 = (name: string, most = Number.POSITIVE_INFINITY): number | undefined =>
    optionValue(line, name, (text) => readAbove0(`--${name}`, text, most), issues);
  const percent = above0("partition-share", 100);
  return {
    largestBytes: above0("partition-bytes"),
    largestRows: above0("partition-rows"),
    largestShare: percent === undefined ? undefined : percent / 100,
    nodes: above0("nodes", mostNodes),
  };
}

/** The design under these limits, and on a cluster of this size. */
function withPartitions(design: Design, { nodes, ...limits }: PartitionSettings): Design {
  const { problem, document } = design;
  const own = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  const setup = document.sharding;
  const spreads = spreadsOf({ setup, ids: idsByName(document) });
  const rules = { spreads, ...problem.partitionRules, ...own };
  const cluster = setup?.cluster ?? defaultCluster;
  return {
    ...design,
    problem: Object.keys(own).length > 0 ? { ...problem, partitionRules: rules } : problem,
    document:
      nodes === undefined
        ? document
        : {
            ...document,
            sharding: { ...setup, cluster: { ...cluster, nodes: Math.round(nodes) } },
          },
  };
}

/** An answer with the balance of its tables on the cluster that the design names. */
function withBalance(outcome: RunOutcome, { problem, document }: Design): RunOutcome {
  if (!("steps" in outcome)) return outcome;
  const { sharding } = document;
  const design = { problem, setup: sharding, ids: idsByName(document), answer: outcome };
  return { ...outcome, balance: answerBalance(design, sharding?.cluster ?? defaultCluster) };
}

function outIssues({ values, files }: CommandLine, terminal: Terminal): Issue[] {
  const path = values.get("out");
  const issue = path === undefined ? undefined : unwritable(path, terminal, files);
  return issue ? [issue] : [];
}

/** Runs the engine on a design, with progress on the terminal. */
export async function runDesign(
  { problem, document }: Design,
  { storage, gap, timeLimit, mode }: RunSettings,
  terminal: Terminal,
): Promise<RunOutcome> {
  const { settings } = document;
  const timeLimitSeconds = timeLimit ?? settings.timeLimitSeconds;
  const display = progressDisplay(terminal);
  try {
    return await optimiseWithinRules(
      storage ? { ...problem, storage } : problem,
      {
        gap: gap ?? settings.gap,
        ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
        mode: mode ?? settings.mode ?? "certified",
      },
      { solver: await openHighs(), now: terminal.now, onProgress: display.show },
    );
  } finally {
    display.end();
  }
}

/** The outcome to the file, to the terminal, and as the exit code. */
function tell(
  { values, flags }: CommandLine,
  terminal: Terminal,
  design: Design,
  outcome: RunOutcome,
): number {
  const asJson = flags.has("json");
  if (outcome.status === "failed") {
    terminal.err(`tidetable: a fault of Tidetable itself, in the stage “${outcome.stage}”\n`);
    terminal.err(outcome.reasons.map((reason) => `  ${reason}\n`).join(""));
    return exitCodes.failed;
  }
  const result = flags.has("no-seconds") ? { ...outcome, seconds: {} } : outcome;
  const text = `${JSON.stringify(result, null, 2)}\n`;
  terminal.out(asJson ? text : reportText(outcome, design));
  if (asJson && "reasons" in outcome)
    terminal.err(outcome.reasons.map((reason) => `tidetable: ${reason}\n`).join(""));
  const path = values.get("out");
  if (path !== undefined) {
    try {
      writeFileSync(resolve(terminal.folder, path), text);
    } catch (error) {
      const issues = [anError("--out", ...fileTrouble(error, path, terminal.folder))];
      return refuse(terminal, [{ subject: "the command line", issues }]);
    }
  }
  return exitCodes[outcome.status];
}
