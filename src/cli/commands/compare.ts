/** `tidetable compare`: what a schema made by hand costs beside the optimum and the baselines. */
import { type Command, fileIssues } from "../command.ts";
import { optionValue, readStorage, readTimeLimit } from "../command-line.ts";
import { bytes, duration } from "../figures.ts";
import { loadDesign } from "../load.ts";
import { refuse, warn } from "../refusal.ts";
import { comparison, reportText } from "../report.ts";
import { textTable } from "../text-table.ts";
import { exitCodes, runDesign } from "./optimise.ts";

const help = `usage: tidetable compare DESIGN.json [--schema FILE] [options]
       tidetable compare --example ID --schema FILE [options]

Costs a schema made by hand with its best plans under the same model, and shows it beside the
optimum, the best fixed schemas (for the average, the first and the last frequencies) and the ideal.
Statements that it cannot serve are named. It is not judged by the storage limit, pins or bans.

  --schema FILE          the schema: a JSON list of tables such as "[user.id] [] -> user.name", or
                         {"name": …, "schemas": [[…], …]} with one list for all steps or one for
                         each; left out, the design's own "handMade" is taken
  --storage BYTES|N%     most bytes that the optimum may have at one step
  --time-limit SECONDS   stop after so many seconds with the best answer so far
  --cost-model FILE      cost by this model, not by the design's
  --json                 print the figures instead of the table
  --scenario NAME        take the design under one of its scenarios
  --example ID           take an example instead of a file
  --pattern NAME         of an example that has patterns of frequencies (tpch: cycles,
                         evolution, spike, smooth48, smooth) take this one
  --steps N              and so many steps (12; smooth: 48)

exit codes: 0 compared, 1 a fault of Tidetable itself, 2 bad input, 3 no schema can be right,
4 no answer within the time limit
`;

export const compareCommand: Command = {
  name: "compare",
  summary: "cost a schema made by hand beside the optimum",
  help,
  options: {
    schema: "value",
    storage: "value",
    "time-limit": "value",
    "cost-model": "value",
    json: "flag",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line) => {
    const issues = fileIssues(line, ["DESIGN.json"]);
    optionValue(line, "storage", readStorage, issues);
    optionValue(line, "time-limit", readTimeLimit, issues);
    return issues;
  },
  run: async (line, terminal) => {
    const design = await loadDesign(line, terminal);
    if (!design.ok) return refuse(terminal, design.refusals);
    const { subject, document, problem, warnings } = design.value;
    if (!problem.handMade)
      return refuse(terminal, [
        {
          subject,
          issues: [
            {
              severity: "error",
              place: "handMade",
              message: "The design has no schema by hand to compare.",
              hint: "Name one with --schema FILE.",
            },
          ],
        },
      ]);
    warn(terminal, subject, warnings, document.statements);
    const settings = {
      storage: optionValue(line, "storage", readStorage),
      gap: undefined,
      timeLimit: optionValue(line, "time-limit", readTimeLimit),
      mode: "certified",
    } as const;
    const outcome = await runDesign(design.value, settings, terminal);
    if (outcome.status === "failed") {
      terminal.err(`tidetable: a fault of Tidetable itself, in the stage “${outcome.stage}”\n`);
      terminal.err(outcome.reasons.map((reason) => `  ${reason}\n`).join(""));
      return exitCodes.failed;
    }
    if (!("objective" in outcome)) {
      terminal.out(reportText(outcome, design.value));
      return exitCodes[outcome.status];
    }
    const { status, objective, bound, baselines, handMade, steps } = outcome;
    const storageBytes = Math.max(...steps.map((step) => step.storageBytes));
    if (line.flags.has("json")) {
      const figures = { status, objective, bound, storageBytes, baselines, handMade };
      terminal.out(`${JSON.stringify(figures, null, 2)}\n`);
      return 0;
    }
    const own = textTable(
      (["left", "right", "right"] as const).map((align) => ({ head: "", align })),
      [[`${status} answer`, duration(objective), bytes(storageBytes)]],
    );
    const lines = [document.name, ...own, ...comparison(outcome, document)];
    terminal.out(`${lines.join("\n")}\n`);
    return 0;
  },
};
