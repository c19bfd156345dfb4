/**
 * What stands in a person's way, in words: every issue with its place, what is wrong and how to mend
 * it. Issues within a statement show the line of its text with the stretch underlined.
 */
import { lineAndColumn } from "#document/json-text.ts";
import type { Issue } from "#model/issue.ts";
import type { Terminal } from "./terminal.ts";

/** A text that issues may point into, by the place they name. */
export type StatementTexts = Readonly<Record<string, { readonly text: string }>>;

/** Bad input: exit code 2. */
export interface Refusal {
  /** What has the issues: the command line, or a file's name. */
  readonly subject: string;
  readonly issues: readonly Issue[];
  readonly statements?: StatementTexts;
}

/** A value, or why there is none. */
export type Loaded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Exit code for input that cannot be used. */
export const badInput = 2;

/** Tells all refusals; returns the exit code. */
export function refuse(terminal: Terminal, refusals: readonly Refusal[]): number {
  for (const { subject, issues, statements } of refusals) {
    const errors = issues.filter(({ severity }) => severity === "error").length;
    terminal.err(`tidetable: ${errors === 1 ? "1 mistake" : `${errors} mistakes`} in ${subject}\n`);
    terminal.err(issues.map((issue) => issueText(issue, statements)).join(""));
  }
  return badInput;
}

/** Tells what to know before trusting the answer. */
export function warn(
  terminal: Terminal,
  subject: string,
  warnings: readonly Issue[],
  statements: StatementTexts,
): void {
  if (warnings.length === 0) return;
  terminal.err(`tidetable: about ${subject}\n`);
  terminal.err(warnings.map((issue) => issueText(issue, statements)).join(""));
}

function issueText(issue: Issue, statements: StatementTexts = {}): string {
  const { severity, message, hint } = issue;
  const excerpt = excerptOf(issue, statements);
  const place = [issue.place, excerpt?.position].filter(Boolean).join(", ");
  const head = `${severity === "warning" ? "warning: " : ""}${place ? `${place}: ` : ""}${message}`;
  const lines = [`  ${head}`, ...(excerpt?.lines ?? []), ...(hint ? [`      → ${hint}`] : [])];
  return `${lines.join("\n")}\n`;
}

/** The line of the statement with the stretch underlined. */
function excerptOf(
  { place, span }: Issue,
  statements: StatementTexts,
): { readonly position: string; readonly lines: readonly string[] } | undefined {
  const id = /^statements\/([^/]*)/.exec(place)?.[1];
  const text = id === undefined ? undefined : statements[id]?.text;
  if (!span || text === undefined) return undefined;
  const { line, column } = lineAndColumn(text, span.start);
  const whole = (text.split("\n")[line - 1] ?? "").replaceAll("\t", " ");
  const length = Math.max(1, Math.min(span.end - span.start, whole.length - column + 1));
  return {
    position: `line ${line}, column ${column}`,
    lines: [`      ${whole}`, `      ${" ".repeat(column - 1)}${"^".repeat(length)}`],
  };
}
