/** Words of one SQL statement: names, quoted names, texts, numbers and signs, each with its line. */
import { closingQuote, type SplitDialect } from "./sql-statements.ts";

export interface SqlToken {
  readonly kind: "word" | "quoted" | "text" | "number" | "sign";
  /** Without its quotes. */
  readonly text: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const word = /[\p{L}_@#$][\p{L}\p{N}_$#@]*/uy;
const number = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const blanks = /\s+/y;

/** The tokens of a statement without comments that begins in `line`. */
export function sqlTokens(text: string, line: number, dialect: SplitDialect): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  let currentLine = line;
  while (at < text.length) {
    const next = blankEnd(text, at) ?? at;
    currentLine += newLines(text, at, next);
    at = next;
    if (at >= text.length) break;
    const token = tokenAt(text, at, currentLine, dialect);
    tokens.push(token);
    currentLine += newLines(text, at, token.end);
    at = token.end;
  }
  return tokens;
}

function newLines(text: string, from: number, to: number): number {
  // Not indexOf, which would look far beyond `to` in a long line, again and again.
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}

function blankEnd(text: string, at: number): number | undefined {
  blanks.lastIndex = at;
  return blanks.test(text) ? blanks.lastIndex : undefined;
}

function tokenAt(text: string, at: number, line: number, dialect: SplitDialect): SqlToken {
  const quoted = quotedAt(text, at, line, dialect);
  if (quoted) return quoted;
  for (const [kind, pattern] of [
    ["word", word],
    ["number", number],
  ] as const) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found, line, start: at, end: at + found.length };
  }
  const sign = text.startsWith("::", at) ? "::" : String.fromCodePoint(text.codePointAt(at) ?? 32);
  return { kind: "sign", text: sign, line, start: at, end: at + sign.length };
}

function quotedAt(
  text: string,
  at: number,
  line: number,
  dialect: SplitDialect,
): SqlToken | undefined {
  const sign = text[at] ?? "";
  const prefix = /[nexbu]&?'/iy;
  prefix.lastIndex = at;
  if (prefix.test(text)) {
    const inner = quotedAt(text, prefix.lastIndex - 1, line, dialect);
    return inner && { ...inner, start: at };
  }
  const isBracket = sign === "[" && (dialect === "sqlserver" || dialect === "sqlite");
  if (!isBracket && sign !== '"' && sign !== "`" && sign !== "'") return undefined;
  const close = isBracket ? "]" : sign;
  const escapes = dialect === "mysql" && (sign === "'" || sign === '"');
  const end = closingQuote(text, at + 1, close, escapes);
  if (end === undefined) return undefined;
  return {
    kind: sign === "'" ? "text" : "quoted",
    text: text.slice(at + 1, end - 1).replaceAll(close + close, close),
    line,
    start: at,
    end,
  };
}

/** A token is this word (in small letters), and no quoted name. */
export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toLowerCase());
}

export function isSign(token: SqlToken | undefined, sign: string): boolean {
  return token?.kind === "sign" && token.text === sign;
}

/** The index behind the bracket that closes the one at `open`; the end where none does. */
export function behindBracket(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSign(tokens[at], "(")) depth += 1;
    if (isSign(tokens[at], ")")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** Tokens separated by commas outside brackets. */
export function listItems(tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, "(")) depth += 1;
    if (isSign(token, ")")) depth -= 1;
    if (depth === 0 && isSign(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((item) => item.length > 0);
}
