/**
 * A dump or script cut into statements, with the line each begins in. Comments become blanks (what a
 * version comment of MySQL holds is code and stays), the rows of COPY and commands of psql are stepped
 * over, `DELIMITER` and `GO` end statements as they do for their own clients.
 *
 * Promises: linear time, no recursion, and no end of file inside a quote: a quote that never ends is told
 * and read as a plain sign, so that one stray apostrophe does not swallow what follows it.
 */
import type { ImportNote, SqlDialect } from "#model/imported-schema.ts";

/** CQL has comments of its own and is otherwise cut like Postgres. */
export type SplitDialect = SqlDialect | "cql";

export interface SqlStatement {
  /** Without comments; lines are kept. Statements that hold no structure are cut short. */
  readonly text: string;
  /** Lines of its first and last words, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
}

/** Statements beginning so are kept whole. */
const structural = /^\s*(?:create|alter|drop|comment|rename)\b/i;
/** Characters that tell what any other statement was. */
const headLength = 160;

interface Splitter {
  readonly text: string;
  readonly dialect: SplitDialect;
  readonly notes: ImportNote[];
  at: number;
  /** Line of `countedTo`. */
  line: number;
  countedTo: number;
  delimiter: string;
  /** Pieces of the statement that is being read, and how long they are together. */
  pieces: string[];
  /** Its first words. */
  head: string;
  /** Behind its last word so far. */
  lastAt: number;
  begins: { readonly at: number; readonly line: number } | undefined;
  /** Open brackets, and open BEGINs of a routine. */
  depth: number;
  blocks: number;
  /** Inside a version comment, whose end is a blank. */
  inVersionComment: boolean;
  /** Quotes and comments that never end, by their opening sign. */
  readonly unclosed: Map<string, number>;
  /** A routine that never ended is read again without minding its BEGINs. */
  readonly mindless: Set<number>;
}

/** The statements of a text, in order; notes of what was odd are added to `notes`. */
export function* splitStatements(
  text: string,
  dialect: SplitDialect,
  notes: ImportNote[],
): Generator<SqlStatement> {
  const splitter: Splitter = {
    text,
    dialect,
    notes,
    at: 0,
    line: 1,
    countedTo: 0,
    delimiter: ";",
    pieces: [],
    head: "",
    lastAt: 0,
    begins: undefined,
    depth: 0,
    blocks: 0,
    inVersionComment: false,
    unclosed: new Map(),
    mindless: new Set(),
  };
  do {
    const done = step(splitter);
    if (!done) continue;
    yield done;
    if (copies.test(done.text)) skipRows(splitter);
  } while (splitter.at < text.length || rewound(splitter));
  const last = finished(splitter);
  if (last) yield last;
}

const copies = /^\s*copy\b[\s\S]*\bfrom\s+stdin\b/i;

/** One step on; the statement that ends with it, if one does. */
function step(splitter: Splitter): SqlStatement | undefined {
  if (splitter.at >= splitter.text.length) return undefined;
  if (splitter.begins === undefined && skippedClientLine(splitter)) return undefined;
  if (isAtEnd(splitter)) return finished(splitter);
  advance(splitter);
  return undefined;
}

/** Asked for places in rising order only. */
function lineAt(splitter: Splitter, at: number): number {
  const { text } = splitter;
  // Not indexOf, which would look far beyond `at` in a long line, again and again.
  for (; splitter.countedTo < at; splitter.countedTo += 1)
    if (text.charCodeAt(splitter.countedTo) === 10) splitter.line += 1;
  return splitter.line;
}

/** Commands of the clients that came before a statement: `DELIMITER //`, `\connect x`. */
function skippedClientLine(splitter: Splitter): boolean {
  const { text, at } = splitter;
  if (text[at] === "\\" && isLineStart(text, at)) {
    const end = endOfLine(text, at);
    if (text.slice(at, end).trim() !== "\\.")
      splitter.notes.push({
        line: lineAt(splitter, at),
        text: `${text.slice(at, Math.min(end, at + 60)).trim()} is a command of psql and is not carried out.`,
      });
    splitter.at = end;
    return true;
  }
  const delimiter = /delimiter[ \t]+(\S+)[^\n]*/iy;
  delimiter.lastIndex = at;
  const found = delimiter.exec(text);
  if (!found || !isLineStart(text, at)) return false;
  splitter.delimiter = found[1] ?? ";";
  splitter.at = delimiter.lastIndex;
  return true;
}

function isLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === " " || text[before] === "\t")) before -= 1;
  return before < 0 || text[before] === "\n";
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const goLine = /go[ \t]*(?:\d+[ \t]*)?(?=\r?\n|$)/iy;
const nextBegins =
  /(?:create\s+(?:(?:temporary|temp|global|local|unlogged)\s+)*table|alter\s+table|drop\s+table|create\s+(?:unique\s+)?index|insert\s+into)\b/iy;

/** A statement ends here; what ends it is stepped over. */
function isAtEnd(splitter: Splitter): boolean {
  const { text, at, delimiter, begins } = splitter;
  const sign = text[at] ?? "";
  if (sign === delimiter[0] && text.startsWith(delimiter, at)) {
    if (delimiter === ";" && splitter.blocks > 0) return false;
    splitter.at += delimiter.length;
    return true;
  }
  if (!/[a-z]/i.test(sign) || !isLineStart(text, at)) return false;
  goLine.lastIndex = at;
  if (splitter.depth <= 0 && goLine.test(text)) {
    splitter.at = goLine.lastIndex;
    return true;
  }
  // A semicolon was forgotten: the next statement begins on a line of its own.
  if (!begins || at <= begins.at || splitter.depth > 0 || splitter.blocks > 0) return false;
  nextBegins.lastIndex = at;
  return nextBegins.test(text) && !routine.test(splitter.head);
}

/** What was read so far as a statement, and a fresh start; undefined where there was nothing. */
function finished(splitter: Splitter): SqlStatement | undefined {
  const { begins, pieces } = splitter;
  const text = pieces.join("").trimEnd();
  splitter.pieces = [];
  splitter.head = "";
  splitter.begins = undefined;
  splitter.depth = 0;
  splitter.blocks = 0;
  if (!begins || text.trim() === "") return undefined;
  return { text, line: begins.line, lastLine: lineAt(splitter, splitter.lastAt) };
}

/** At the end of the file within a routine: its BEGINs are minded no longer. */
function rewound(splitter: Splitter): boolean {
  const { begins, blocks, mindless } = splitter;
  if (blocks === 0 || !begins || mindless.has(begins.at)) return false;
  mindless.add(begins.at);
  splitter.at = begins.at;
  splitter.line = begins.line;
  splitter.countedTo = begins.at;
  splitter.pieces = [];
  splitter.head = "";
  splitter.depth = 0;
  splitter.blocks = 0;
  return true;
}

function keep(splitter: Splitter, from: number, to: number): void {
  const isBlank = /\s/.test(splitter.text[from] ?? "");
  if (!isBlank) splitter.lastAt = to;
  if (splitter.begins === undefined) {
    if (isBlank) return;
    splitter.begins = { at: from, line: lineAt(splitter, from) };
  }
  if (isData(splitter)) return;
  add(splitter, splitter.text.slice(from, to));
}

function add(splitter: Splitter, piece: string): void {
  splitter.pieces.push(piece);
  if (splitter.head.length < headLength) splitter.head += piece.slice(0, headLength);
}

/** What was read suffices to tell what the statement was, and it holds no structure. */
function isData({ head }: Splitter): boolean {
  return head.length >= headLength && !structural.test(head);
}

/** Blanks in place of a comment, with its line ends. */
function blank(splitter: Splitter, from: number, to: number): void {
  if (splitter.begins === undefined || isData(splitter)) return;
  add(splitter, splitter.text.slice(from, to).replaceAll(/[^\n]+/g, " "));
}

/** Rows of an INSERT, as far as nothing in them matters. */
const dataRun = /[^'"`[\]$/*\-#;\\\n]+/y;
const plainRun = /[^'"`[\]$/*\-#;()\\\w\s]+|[ \t\r]+|\n|\w+/y;

/** Reads the next word, quote, comment or sign. */
function advance(splitter: Splitter): void {
  const { text, at } = splitter;
  const end = commentEnd(splitter);
  if (end !== undefined) {
    blank(splitter, at, end);
    splitter.at = end;
    return;
  }
  const closed = quoteEnd(splitter);
  if (closed !== undefined) {
    keep(splitter, at, closed);
    splitter.at = closed;
    return;
  }
  if (splitter.delimiter === ";" && isData(splitter)) {
    dataRun.lastIndex = at;
    const rows = dataRun.exec(text)?.[0];
    if (rows !== undefined) {
      splitter.depth += bracketsOpen(rows);
      splitter.at += rows.length;
      splitter.lastAt = splitter.at;
      return;
    }
  }
  plainRun.lastIndex = at;
  const length = plainRun.exec(text)?.[0].length ?? 1;
  const run = text.slice(at, at + length);
  // Another delimiter may begin within a run of signs.
  const cut = run.length > 1 ? run.indexOf(splitter.delimiter[0] ?? ";", 1) : -1;
  const to = cut > 0 && !/\w/.test(run[0] ?? "") ? at + cut : at + length;
  if (run === "(") splitter.depth += 1;
  else if (run === ")") splitter.depth -= 1;
  else if (/^\w/.test(run)) mindBlocks(splitter, run);
  keep(splitter, at, to);
  splitter.at = to;
}

function bracketsOpen(text: string): number {
  let open = 0;
  for (const sign of text)
    if (sign === "(") open += 1;
    else if (sign === ")") open -= 1;
  return open;
}

/** Where the comment that begins here ends; undefined where none does. */
function commentEnd(splitter: Splitter): number | undefined {
  const { text, at, dialect } = splitter;
  const two = text.slice(at, at + 2);
  const isHash =
    text[at] === "#" && (dialect === "mysql" || (text[at + 1] === " " && isLineStart(text, at)));
  if (two === "--" || isHash || (two === "//" && dialect === "cql")) return endOfLine(text, at);
  if (two === "*/" && splitter.inVersionComment) {
    splitter.inVersionComment = false;
    return at + 2;
  }
  if (two !== "/*") return undefined;
  const version = /\/\*M?!\d*/y;
  version.lastIndex = at;
  if (dialect === "mysql" && version.test(text)) {
    splitter.inVersionComment = true;
    return version.lastIndex;
  }
  if (!mayClose(splitter, two)) return undefined;
  const close = text.indexOf("*/", at + 2);
  if (close >= 0) return close + 2;
  unclosed(splitter, two);
  return undefined;
}

/** Looking for an end that is not there takes time: after some failures of a sign it is plain. */
const mostUnclosed = 20;

function mayClose({ unclosed: failures }: Splitter, sign: string): boolean {
  return (failures.get(sign) ?? 0) < mostUnclosed;
}

function unclosed(splitter: Splitter, sign: string): void {
  const failures = (splitter.unclosed.get(sign) ?? 0) + 1;
  splitter.unclosed.set(sign, failures);
  const what = sign === "/*" ? "comment" : "quote";
  const more = failures === mostUnclosed ? ", and so is every further one" : "";
  splitter.notes.push({
    line: lineAt(splitter, splitter.at),
    text: `The ${what} that begins here with ${sign} never ends; its sign is read as any other${more}.`,
  });
}

/** Where the quoted text that begins here ends; undefined where none begins, or it never ends. */
function quoteEnd(splitter: Splitter): number | undefined {
  const { text, at, dialect } = splitter;
  const sign = text[at];
  if (sign === "$") return dollarEnd(splitter);
  const isBracket = sign === "[" && (dialect === "sqlserver" || dialect === "sqlite");
  if (sign !== "'" && sign !== '"' && sign !== "`" && !isBracket) return undefined;
  if (!mayClose(splitter, sign)) return undefined;
  const close = isBracket ? "]" : sign;
  const escapes =
    sign !== "`" &&
    !isBracket &&
    (dialect === "mysql" || (dialect === "postgres" && sign === "'" && isEscapeString(text, at)));
  const end = closingQuote(text, at + 1, close, escapes);
  if (end === undefined) unclosed(splitter, sign);
  return end;
}

function isEscapeString(text: string, at: number): boolean {
  return /e/i.test(text[at - 1] ?? "") && !/\w/.test(text[at - 2] ?? "");
}

/** After the closing quote; a doubled one, or one behind a backslash where those count, goes on. */
export function closingQuote(
  text: string,
  from: number,
  close: string,
  escapes: boolean,
): number | undefined {
  let search = from;
  for (;;) {
    const end = text.indexOf(close, search);
    if (end < 0) return undefined;
    if (escapes && isEscaped(text, end, from)) {
      search = end + 1;
      continue;
    }
    if (text[end + 1] !== close) return end + 1;
    search = end + 2;
  }
}

/** An odd number of backslashes stands before. */
function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - 1 - slashes >= from && text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** `$$ … $$` and `$tag$ … $tag$` of Postgres. */
function dollarEnd(splitter: Splitter): number | undefined {
  const { text, at, dialect } = splitter;
  if ((dialect !== "postgres" && dialect !== "cql") || /\w/.test(text[at - 1] ?? ""))
    return undefined;
  if (!mayClose(splitter, "$")) return undefined;
  const opening = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
  opening.lastIndex = at;
  const tag = opening.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const close = text.indexOf(tag, at + tag.length);
  if (close < 0) unclosed(splitter, "$");
  return close < 0 ? undefined : close + tag.length;
}

const routine =
  /^\s*create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|constraint|aggregate)\s+|definer\s*=\s*\S+\s+)*(?:trigger|procedure|proc|function|event|package)\b/i;

/** Counts the BEGINs and ENDs of routines, in which a semicolon ends nothing. */
function mindBlocks(splitter: Splitter, word: string): void {
  const { text, at, begins } = splitter;
  if (!begins || splitter.delimiter !== ";" || splitter.mindless.has(begins.at)) return;
  const isBegin = /^(?:begin|case)$/i.test(word);
  if (!isBegin && !/^end$/i.test(word)) return;
  if (!routine.test(splitter.head)) return;
  const after = /\s+(?:if|loop|while|repeat|for)\b/iy;
  after.lastIndex = at + word.length;
  if (isBegin) splitter.blocks += /end\s+$/i.test(text.slice(Math.max(0, at - 8), at)) ? 0 : 1;
  else if (!after.test(text)) splitter.blocks = Math.max(0, splitter.blocks - 1);
}

/** Steps over the rows that follow `COPY … FROM stdin;`, up to the line `\.`. */
function skipRows(splitter: Splitter): void {
  const end = /^\\\.[ \t\r]*$/gm;
  end.lastIndex = endOfLine(splitter.text, splitter.at);
  const found = end.exec(splitter.text);
  splitter.at = found ? end.lastIndex : splitter.text.length;
}
