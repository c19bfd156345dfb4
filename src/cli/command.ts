/** What every command is: words for its help, the options it knows, and a call. */
import { anError, type Issue } from "#model/issue.ts";
import type { CommandLine, OptionKind } from "./command-line.ts";
import type { Terminal } from "./terminal.ts";

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help. */
  readonly help: string;
  readonly options: Readonly<Record<string, OptionKind>>;
  /** What is wrong with a command line whose options are known. */
  readonly issues: (line: CommandLine, terminal: Terminal) => readonly Issue[];
  /** Runs a command line without issues; returns the exit code. */
  readonly run: (line: CommandLine, terminal: Terminal) => Promise<number>;
}

/** What is wrong with the number of files; `--example` stands for the design. */
export function fileIssues({ files, values }: CommandLine, names: readonly string[]): Issue[] {
  const wanted = values.has("example") ? names.slice(1) : names;
  const missing = wanted.slice(files.length).map((name) => anError(name, "This file is missing."));
  const surplus = files
    .slice(wanted.length)
    .map((file) =>
      anError(
        file,
        "This is one file too many.",
        values.has("example") ? "With --example, no design is named." : undefined,
      ),
    );
  return [...missing, ...surplus];
}
