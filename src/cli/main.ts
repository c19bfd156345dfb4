/**
 * The command line's front desk: finds the command a person named, hands it the rest, and answers with
 * its exit code. Promises to change nothing on import: `tidetable.mjs` and the tests call `main`.
 */
import { anError } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import type { Command } from "./command.ts";
import { readCommandLine } from "./command-line.ts";
import { benchCommand } from "./commands/bench.ts";
import { calibrateCommand } from "./commands/calibrate.ts";
import { checkCommand } from "./commands/check.ts";
import { compareCommand } from "./commands/compare.ts";
import { enumerateCommand } from "./commands/enumerate.ts";
import { explainCommand } from "./commands/explain.ts";
import { importCommand } from "./commands/import.ts";
import { optimiseCommand } from "./commands/optimise.ts";
import { recostCommand } from "./commands/recost.ts";
import { schemaCommand } from "./commands/schema.ts";
import { shardCommand } from "./commands/shard.ts";
import { tokenCommand } from "./commands/token.ts";
import { badInput, refuse } from "./refusal.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

const commands: readonly Command[] = [
  importCommand,
  optimiseCommand,
  enumerateCommand,
  explainCommand,
  compareCommand,
  checkCommand,
  calibrateCommand,
  recostCommand,
  shardCommand,
  tokenCommand,
  schemaCommand,
  benchCommand,
];

const usage = `Tidetable designs the tables of a Cassandra database for a workload that changes over time.

usage: tidetable COMMAND …

${commands.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join("\n")}

tidetable COMMAND --help tells the rest.
`;

/** Runs one command. Exit codes: 0 done, 1 violations or a fault of ours, 2 bad input, 3 infeasible, 4 no answer in time. */
export const main = async (
  args: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> => {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    terminal.out(usage);
    return 0;
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    if (name === undefined) terminal.err(usage);
    else refuse(terminal, [{ subject: "the command line", issues: [unknownCommand(name)] }]);
    return badInput;
  }
  if (asksForHelp(rest)) {
    terminal.out(command.help);
    return 0;
  }
  const { line, issues } = readCommandLine(rest, command.options);
  const all = [...issues, ...command.issues(line, terminal)];
  if (all.length > 0) {
    refuse(terminal, [{ subject: "the command line", issues: all }]);
    terminal.err(`tidetable ${command.name} --help tells what can be written.\n`);
    return badInput;
  }
  try {
    return await command.run(line, terminal);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(`tidetable: a fault of Tidetable itself; please report it\n${reason}\n`);
    return 1;
  }
};

/** `--help` anywhere before a lone `--`. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args
    .slice(0, end < 0 ? args.length : end)
    .some((each) => each === "--help" || each === "-h");
}

function unknownCommand(name: string) {
  const names = commands.map((command) => command.name);
  return anError(
    name,
    "There is no such command.",
    suggestion(name, names, `The commands are ${names.join(", ")}.`),
  );
}
