/**
 * The words of the statement language: names, numbers, strings, parameters and signs, each with its
 * place in the text; comments and blanks are gone. A character that belongs nowhere is reported and
 * passed over, so that the reader of the tokens always reaches the end of the text.
 */
import { anError, aWarning, type Issue, type Span } from "./issue.ts";

export interface Token {
  readonly kind: "word" | "quoted" | "number" | "string" | "parameter" | "symbol" | "end";
  /** As meant: quotes taken off and their doubling undone; a parameter without its sign. */
  readonly text: string;
  readonly span: Span;
}

/** Where the mistakes of one statement are collected. */
export interface Report {
  readonly place: string;
  readonly issues: Issue[];
}

/** Adds an error at a stretch of the text. */
export function complain(report: Report, span: Span, message: string, hint: string): void {
  report.issues.push(anError(report.place, message, hint, span));
}

/** Adds a warning at a stretch of the text. */
export function warn(report: Report, span: Span, message: string, hint: string): void {
  report.issues.push(aWarning(report.place, message, hint, span));
}

/** The stretch from the beginning of one to the end of the other. */
export function spanning(first: Span, last: Span): Span {
  return { start: first.start, end: Math.max(first.end, last.end) };
}

const blank = /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)+/y;

const shapes: readonly { readonly kind: Token["kind"]; readonly shape: RegExp }[] = [
  { kind: "word", shape: /[\p{L}_][\p{L}\p{N}_]*/uy },
  { kind: "number", shape: /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y },
  { kind: "string", shape: /'(?:[^']|'')*'/y },
  { kind: "quoted", shape: /"(?:[^"]|"")*"|`(?:[^`]|``)*`/y },
  { kind: "parameter", shape: /\?|:[\p{L}_][\p{L}\p{N}_]*/uy },
  { kind: "symbol", shape: /<=|>=|<>|!=|\|\||\/(?!\*)|[,.()*=<>+\-%;]/y },
];

/** The tokens of a text, closed by one of kind `end`. */
export function tokenise(text: string, report: Report): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    const token = shapedToken(text, at) ?? strayToken(text, at, report);
    if (token.kind !== "end") tokens.push(token);
    at = token.span.end;
  }
  tokens.push({ kind: "end", text: "", span: { start: text.length, end: text.length } });
  return tokens;
}

function shapedToken(text: string, at: number): Token | undefined {
  for (const { kind, shape } of shapes) {
    shape.lastIndex = at;
    const found = shape.exec(text)?.[0];
    if (found === undefined) continue;
    return { kind, text: meantText(kind, found), span: { start: at, end: at + found.length } };
  }
  return undefined;
}

function meantText(kind: Token["kind"], found: string): string {
  if (kind === "parameter") return found.slice(1);
  if (kind !== "string" && kind !== "quoted") return found;
  const quote = found.charAt(0);
  return found.slice(1, -1).replaceAll(quote + quote, quote);
}

/** What other dialects write: `$1` and `@name` for parameters, `[name]` for odd names. */
const foreign: readonly {
  readonly kind: Token["kind"];
  readonly shape: RegExp;
  readonly hint: string;
}[] = [
  {
    kind: "parameter",
    shape: /[$@#][\p{L}\p{N}_]+/uy,
    hint: "Write a parameter as ? or as :name.",
  },
  { kind: "quoted", shape: /\[[^\]]*\]/y, hint: "Odd names stand in double quotes." },
];

const unclosed: readonly {
  readonly begin: string;
  readonly kind: Token["kind"];
  readonly message: string;
  readonly hint: string;
}[] = [
  { begin: "/*", kind: "end", message: "A comment is not closed.", hint: "End it with */." },
  {
    begin: "'",
    kind: "string",
    message: "A text value is not closed.",
    hint: "End it with '; an apostrophe inside it is written twice.",
  },
  { begin: '"', kind: "quoted", message: "A quoted name is not closed.", hint: 'End it with ".' },
  { begin: "`", kind: "quoted", message: "A quoted name is not closed.", hint: "End it with `." },
];

/** Reports what no shape fits; gives a token to go on with (of kind `end`: only its span counts). */
function strayToken(text: string, at: number, report: Report): Token {
  const open = unclosed.find(({ begin }) => text.startsWith(begin, at));
  if (open) {
    const span: Span = { start: at, end: text.length };
    complain(report, span, open.message, open.hint);
    return { kind: open.kind, text: text.slice(at + 1), span };
  }
  for (const { kind, shape, hint } of foreign) {
    shape.lastIndex = at;
    const found = shape.exec(text)?.[0];
    if (found === undefined) continue;
    const span: Span = { start: at, end: at + found.length };
    complain(report, span, `${found} is not how it is written here.`, hint);
    return { kind, text: kind === "quoted" ? found.slice(1, -1) : "", span };
  }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const span: Span = { start: at, end: at + sign.length };
  complain(
    report,
    span,
    `“${sign}” has no meaning in a statement.`,
    "Take it out; a name with such a sign in it stands in double quotes, a text value in single quotes.",
  );
  return { kind: "end", text: "", span };
}
