/** `tidetable check`: is a result what it says it is? Recounts without the solver. */
import { checkRecommendation } from "#engine/check-recommendation.ts";
import type { Problem, StorageLimit } from "#model/problem.ts";
import type { Recommendation, Violation } from "#model/recommendation.ts";
import { type Command, fileIssues } from "../command.ts";
import { type CommandLine, optionValue, readStorage } from "../command-line.ts";
import { bytes, duration, perCent, plural } from "../figures.ts";
import { loadDesign, loadResult } from "../load.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";

const help = `usage: tidetable check DESIGN.json RESULT.json [--storage BYTES|N%]
       tidetable check --example ID RESULT.json [--storage BYTES|N%]

Recounts a result against its design, independently of the solver: every table and its size, every
query's plan and cost, every migration and its sources, storage at every step, totals, gap and
bound. What a recount cannot do is prove the bound again.

  --storage BYTES|N%     judge by this limit, not the design's: give it what the run was given.
                         Bytes must not be below the limit that the result states. Per cent is not
                         worked out again; the limit in bytes that the result states then holds
  --cost-model FILE      judge by this cost model, not the design's: give it what the run was given
  --schema FILE          the schema by hand that the run was given
  --scenario NAME        take the design under one of its scenarios
  --example ID           the result belongs to an example
  --pattern NAME         of an example that has patterns of frequencies (tpch: cycles,
                         evolution, spike, smooth48, smooth) take this one
  --steps N              and so many steps (12; smooth: 48)

A result without an answer (infeasible, timedOut) holds nothing to recount, and that is said.

exit codes: 0 nothing is wrong, 1 something is (all of it is listed), 2 bad input
`;

export const checkCommand: Command = {
  name: "check",
  summary: "recount a result against its design",
  help,
  options: {
    storage: "value",
    "cost-model": "value",
    schema: "value",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line) => {
    const issues = fileIssues(line, ["DESIGN.json", "RESULT.json"]);
    optionValue(line, "storage", readStorage, issues);
    return issues;
  },
  run: checkFiles,
};

async function checkFiles(line: CommandLine, terminal: Terminal): Promise<number> {
  const resultPath = line.files.at(-1) ?? "";
  const design = await loadDesign(line, terminal);
  const result = loadResult(resultPath, terminal);
  if (!design.ok || !result.ok) {
    const refusals: Refusal[] = [design, result].flatMap((each) => (each.ok ? [] : each.refusals));
    return refuse(terminal, refusals);
  }
  const answer = result.value;
  if (!("steps" in answer)) {
    const status = answer.status === "infeasible" ? "infeasible" : "timed out";
    terminal.out(`${resultPath} holds no answer (${status}): there is nothing to recount.\n`);
    return 0;
  }
  const { problem } = design.value;
  const storage = optionValue(line, "storage", readStorage);
  const judged = storage ? { ...problem, storage } : problem;
  const violations = violationsOf(answer, judged);
  if (violations.length === 0) {
    terminal.out(praise(answer, judged));
    return 0;
  }
  terminal.out(
    `${resultPath} is not what it says it is: ${plural(violations.length, "violation")}\n`,
  );
  terminal.out(violations.map(({ kind, message }) => `  ${kind}: ${message}\n`).join(""));
  return 1;
}

function violationsOf(answer: Recommendation, problem: Problem): Violation[] {
  return [...limitViolations(answer, problem), ...recount(answer, problem)];
}

/** The result's own limit is its claim; it must not claim more than it was allowed. */
function limitViolations({ storageLimit }: Recommendation, { storage }: Problem): Violation[] {
  if (storage.kind !== "bytes") return [];
  if (storageLimit === undefined)
    return [{ kind: "storage", message: "The result states no storage limit, but there is one." }];
  return storageLimit <= storage.bytes
    ? []
    : [
        {
          kind: "storage",
          message: `The result states a limit of ${storageLimit} bytes, but ${storage.bytes} are allowed. If the run was given another limit, give it here too: --storage ${storageLimit}`,
        },
      ];
}

/** A file that was changed may name entities, columns or steps that are not there; that is a violation as well. */
function recount(answer: Recommendation, problem: Problem): readonly Violation[] {
  try {
    return checkRecommendation(answer, { ...problem, storage: tighter(problem.storage, answer) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The answer cannot be recounted against this design: ${reason}.`;
    return [{ kind: "form", message }];
  }
}

/** An answer under a limit of its own must hold that one too. */
function tighter(storage: StorageLimit, { storageLimit }: Recommendation): StorageLimit {
  return storage.kind === "bytes" && storageLimit !== undefined
    ? { kind: "bytes", bytes: Math.min(storage.bytes, storageLimit) }
    : storage;
}

function praise(answer: Recommendation, { storage }: Problem): string {
  const { objective, steps, columnFamilies, plans, migrations, storageLimit, status, gap } = answer;
  const builds = migrations.reduce((sum, each) => sum + each.builds.length, 0);
  const most = Math.max(0, ...steps.map(({ storageBytes }) => storageBytes));
  const limit =
    storageLimit === undefined
      ? "without a limit"
      : `within ${bytes(storageLimit)}${storage.kind === "percentOfStaticAverage" ? " as the result states it" : ""}`;
  return [
    `The answer is what it says it is: ${duration(objective)} of latency, ${status} with a gap of ${perCent(gap)}.`,
    `  recounted: ${plural(steps.length, "step")}, ${plural(columnFamilies.length, "table")}, ${plural(plans.length, "query plan")}, ${plural(migrations.length, "migration")} with ${plural(builds, "build")}`,
    `  storage: at most ${bytes(most)}, ${limit}`,
    "",
  ].join("\n");
}
