/**
 * Reading position in the tokens of a statement, and what every part of the grammar needs: keywords,
 * names, paths, and passing over what could not be read.
 *
 * No word is reserved: entities may be called Like or Order, attributes Desc. A word is taken as a
 * keyword only where no name can stand, or where it is not the name of anything drawn.
 */
import type { Span } from "./issue.ts";
import { complain, type Report, spanning, type Token } from "./statement-tokens.ts";

/** A name as written. */
export interface NameText {
  readonly text: string;
  readonly span: Span;
}

/** Names joined by dots. */
export interface PathText {
  readonly parts: readonly NameText[];
  readonly span: Span;
}

export interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
  readonly report: Report;
  /** Whether anything drawn bears this name, whatever its case. */
  readonly knows: (name: string) => boolean;
}

export function peek(cursor: Cursor, ahead = 0): Token {
  const last = cursor.tokens.length - 1;
  return cursor.tokens[Math.min(cursor.at + ahead, last)] as Token;
}

export function take(cursor: Cursor): Token {
  const token = peek(cursor);
  if (token.kind !== "end") cursor.at += 1;
  return token;
}

/** The token just read. */
export function previous(cursor: Cursor): Token {
  return cursor.tokens[Math.max(0, cursor.at - 1)] as Token;
}

export function isWord(token: Token, ...keywords: readonly string[]): boolean {
  return token.kind === "word" && keywords.includes(token.text.toUpperCase());
}

export function isSymbol(token: Token, ...symbols: readonly string[]): boolean {
  return token.kind === "symbol" && symbols.includes(token.text);
}

export function acceptWord(cursor: Cursor, ...keywords: readonly string[]): boolean {
  const accepted = isWord(peek(cursor), ...keywords);
  if (accepted) take(cursor);
  return accepted;
}

export function acceptSymbol(cursor: Cursor, ...symbols: readonly string[]): boolean {
  const accepted = isSymbol(peek(cursor), ...symbols);
  if (accepted) take(cursor);
  return accepted;
}

/** A token as messages quote it. */
export function shown(token: Token): string {
  if (token.kind === "end") return "the end of the text";
  return token.kind === "parameter"
    ? `“${token.text ? `:${token.text}` : "?"}”`
    : `“${token.text}”`;
}

const clauseWords = [
  ...["FROM", "WHERE", "LIMIT", "SET", "VALUES", "CONNECT"],
  ...["HAVING", "UNION", "INTERSECT", "EXCEPT"],
];
const joinWords = ["JOIN", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL"];
const linkWords = ["ON", "USING", "AND", "OR", "AS", "ASC", "DESC", "OFFSET", "FETCH", "ALLOW"];

/** The end of the text, or a word that begins a clause. */
export function startsClause(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  if (token.kind === "end" || isSymbol(token, ";")) return true;
  if (isWord(token, "GROUP", "ORDER")) return isWord(peek(cursor, ahead + 1), "BY");
  return isWord(token, ...clauseWords);
}

/** Whether a word here belongs to the language rather than to what is drawn. */
export function startsKeyword(cursor: Cursor, ahead = 0): boolean {
  return startsClause(cursor, ahead) || isWord(peek(cursor, ahead), ...joinWords, ...linkWords);
}

/** Passes over everything up to a comma, closing bracket or clause of this level. */
export function skipPart(cursor: Cursor, ...stopWords: readonly string[]): void {
  const stops = (): boolean =>
    startsClause(cursor) || isSymbol(peek(cursor), ",", ")") || isWord(peek(cursor), ...stopWords);
  while (!stops()) {
    if (isSymbol(peek(cursor), "(")) skipBrackets(cursor);
    else take(cursor);
  }
}

/** Passes over everything up to a clause. */
export function skipToClause(cursor: Cursor): void {
  while (!startsClause(cursor)) take(cursor);
}

/** Passes over a bracketed text; gives the stretch it took. */
export function skipBrackets(cursor: Cursor): Span {
  const open = take(cursor);
  let depth = 1;
  while (depth > 0 && peek(cursor).kind !== "end") {
    const token = take(cursor);
    if (isSymbol(token, "(")) depth += 1;
    if (isSymbol(token, ")")) depth -= 1;
  }
  return spanning(open.span, previous(cursor).span);
}

/** Passes over the rest of a statement whose beginning could not be read. */
export function skipAll(cursor: Cursor): undefined {
  while (peek(cursor).kind !== "end") take(cursor);
  return undefined;
}

function standsName(cursor: Cursor): boolean {
  const token = peek(cursor);
  if (token.kind !== "word") return token.kind === "quoted";
  if (!startsKeyword(cursor) || isSymbol(peek(cursor, 1), ".")) return true;
  return !isWord(peek(cursor, 1), "BY") && cursor.knows(token.text);
}

/** One name, or a complaint that `what` is missing. */
export function readName(cursor: Cursor, what: string): NameText | undefined {
  if (standsName(cursor)) {
    const { text, span } = take(cursor);
    return { text, span };
  }
  complain(
    cursor.report,
    peek(cursor).span,
    `Here should stand ${what}, not ${shown(peek(cursor))}.`,
    `Write ${what}; a name that is also a keyword stands in double quotes.`,
  );
  return undefined;
}

/** Names joined by dots; stops before `.*`. A quoted name may hold the dots of a foreign key. */
export function readPath(cursor: Cursor, what: string): PathText | undefined {
  const first = readName(cursor, what);
  if (!first) return undefined;
  const names = [first];
  while (isSymbol(peek(cursor), ".") && !isSymbol(peek(cursor, 1), "*")) {
    take(cursor);
    const next = peek(cursor);
    const isKeyword = startsClause(cursor) && !cursor.knows(next.text);
    if (isKeyword || (next.kind !== "word" && next.kind !== "quoted")) {
      complain(
        cursor.report,
        next.span,
        `After a dot should stand a name, not ${shown(next)}.`,
        "Write an attribute or a role after the dot.",
      );
      return undefined;
    }
    names.push({ text: next.text, span: next.span });
    take(cursor);
  }
  const parts = names.flatMap(({ text, span }) =>
    text.split(".").map((part) => ({ text: part, span })),
  );
  return { parts, span: spanning(first.span, previous(cursor).span) };
}

/** Parts separated by commas; one that cannot be read is passed over. */
export function readList<T>(cursor: Cursor, read: (cursor: Cursor) => T | undefined): T[] {
  const list: T[] = [];
  do {
    const part = read(cursor);
    if (part === undefined) skipPart(cursor);
    else list.push(part);
  } while (acceptSymbol(cursor, ","));
  return list;
}
