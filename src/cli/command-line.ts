/**
 * The words after `tidetable COMMAND`, read with Node's own `parseArgs`.
 *
 * Promises that every mistake is told at once, each under the option it belongs to: Node's strict mode
 * would stop at the first, so its lenient mode is used and the tokens are judged here.
 */
import { parseArgs } from "node:util";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import type { StorageLimit } from "#model/problem.ts";
import type { RunMode } from "#model/recommendation.ts";

/** An option of a command: a flag, or followed by a value. */
export type OptionKind = "flag" | "value";

export interface CommandLine {
  /** The arguments that are no options, in order. */
  readonly files: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** A number below 0 is a value, though it begins with a dash; `parseArgs` is shown it behind a shield. */
const negativeNumber = /^-(?:\.?\d|Infinity$)/;
const shield = "\0";

function unshielded(text: string): string {
  return text.startsWith(shield) ? text.slice(shield.length) : text;
}

/** Reads the words of a command that knows `options` (names without dashes); what is wrong is left out. */
export function readCommandLine(
  args: readonly string[],
  options: Readonly<Record<string, OptionKind>>,
): { readonly line: CommandLine; readonly issues: readonly Issue[] } {
  const { tokens } = parseArgs({
    args: args.map((arg) => (negativeNumber.test(arg) ? `${shield}${arg}` : arg)),
    options: Object.fromEntries(
      Object.entries(options).map(([name, kind]) => [
        name,
        { type: kind === "flag" ? "boolean" : "string" } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const files: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const issues: Issue[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    // What follows a misspelt option is probably its value, and no mistake of its own.
    const follows = before?.kind === "option" && !Object.hasOwn(options, before.name);
    if (token.kind === "positional" && !follows) files.push(unshielded(token.value));
    if (token.kind !== "option") continue;
    const { name, rawName, inlineValue } = token;
    const value = token.value === undefined ? undefined : unshielded(token.value);
    const issue = optionIssue(
      options,
      name,
      rawName,
      value,
      inlineValue === true,
      values.has(name),
    );
    if (issue) issues.push(issue);
    else if (value === undefined) flags.add(name);
    else values.set(name, value);
  }
  return { line: { files, flags, values }, issues };
}

function optionIssue(
  options: Readonly<Record<string, OptionKind>>,
  name: string,
  rawName: string,
  value: string | undefined,
  inline: boolean,
  repeated: boolean,
): Issue | undefined {
  const kind = Object.hasOwn(options, name) ? options[name] : undefined;
  if (kind === undefined) {
    const known = Object.keys(options).map((each) => `--${each}`);
    const all = known.length > 0 ? `The options are ${known.join(", ")}.` : "Leave it out.";
    return anError(rawName, "There is no such option.", suggestion(`--${name}`, known, all));
  }
  if (kind === "flag")
    return value === undefined ? undefined : anError(rawName, "This option takes no value.");
  if (value === undefined || (value.startsWith("--") && !inline))
    return anError(
      rawName,
      "This option needs a value after it.",
      value === undefined
        ? undefined
        : `A value that begins with dashes is written ${rawName}=${value}.`,
    );
  return repeated ? anError(rawName, "This option is given twice.", "Keep one.") : undefined;
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function numberOf(text: string): number {
  return plainNumber.test(text.trim()) ? Number(text) : Number.NaN;
}

/** The value of an option if it is given and good; its mistake is added to `issues`. */
export function optionValue<T>(
  { values }: CommandLine,
  name: string,
  read: (text: string) => Result<T>,
  issues: Issue[] = [],
): T | undefined {
  const text = values.get(name);
  const result = text === undefined ? undefined : read(text);
  if (result?.ok === false) issues.push(...result.issues);
  return result?.ok ? result.value : undefined;
}

/** `--storage`: bytes, or per cent of what the static-average schema takes. */
export function readStorage(text: string): Result<StorageLimit> {
  const isShare = text.trim().endsWith("%");
  const number = numberOf(isShare ? text.trim().slice(0, -1) : text);
  if (!(number > 0) || !Number.isFinite(number))
    return refused(
      "--storage",
      text,
      "Write a number of bytes above 0 (5000000), or per cent of the static-average schema’s size (60%).",
    );
  return accepted(
    isShare
      ? { kind: "percentOfStaticAverage", percent: number }
      : { kind: "bytes", bytes: number },
  );
}

/** `--gap`: per cent, returned as a share between 0 and 1. */
export function readGap(text: string): Result<number> {
  const number = numberOf(text.trim().replace(/%$/, ""));
  return number >= 0 && number <= 100
    ? accepted(number / 100)
    : refused("--gap", text, "Write per cent between 0 and 100, such as 0.5.");
}

/** `--mode`: how to search. */
export function readMode(text: string): Result<RunMode> {
  const mode = runModes.find((each) => each === text.trim());
  return mode
    ? accepted(mode)
    : refused("--mode", text, "Write certified (the default) or summary-tree.");
}

const runModes: readonly RunMode[] = ["certified", "summary-tree"];

/** A number above 0, perhaps with a % after it. */
export function readAbove0(option: string, text: string, most: number): Result<number> {
  const number = numberOf(text.trim().replace(/%$/, ""));
  return number > 0 && number <= most && Number.isFinite(number)
    ? accepted(number)
    : refused(
        option,
        text,
        `Write a number above 0${Number.isFinite(most) ? `, at most ${most}` : ""}.`,
      );
}

/** `--time-limit`: seconds. */
export function readTimeLimit(text: string): Result<number> {
  const number = numberOf(text);
  return number > 0 && Number.isFinite(number)
    ? accepted(number)
    : refused("--time-limit", text, "Write a number of seconds above 0.");
}

function accepted<T>(value: T): Result<T> {
  return { ok: true, value, warnings: [] };
}

function refused(place: string, text: string, hint: string): Result<never> {
  return { ok: false, issues: [anError(place, `“${text}” cannot be used here.`, hint)] };
}
