/**
 * The grammar of one statement's parts: names and paths, operands, conditions (engine.md §2). What is
 * recognised but not supported is refused where it stands, with the reason and the way round, and
 * reading goes on behind it, so that one look at a statement shows all its mistakes.
 *
 * No word is reserved: entities may be called Like or Order, attributes Desc. A word is taken as a
 * keyword only where a name could not stand, or where it cannot be the name of anything drawn.
 */
import type { Span } from "./issue.ts";
import type { AggregateFunction, Operand, RangeOperator } from "./statement.ts";
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

export interface OperandText {
  readonly operand: Operand;
  readonly span: Span;
}

export type ConditionText =
  | {
      readonly kind: "equal";
      readonly path: PathText;
      readonly operand: OperandText;
      readonly span: Span;
    }
  | {
      readonly kind: "range";
      readonly path: PathText;
      readonly bounds: readonly {
        readonly operator: RangeOperator;
        readonly operand: OperandText;
      }[];
      readonly span: Span;
    }
  | {
      readonly kind: "in";
      readonly path: PathText;
      readonly operands: readonly OperandText[];
      readonly bracketed: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: "columns";
      readonly left: PathText;
      readonly operator: string;
      readonly right: PathText;
      readonly span: Span;
    };

/** Reading position in the tokens of one statement. */
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

/** “text” of a token, for messages. */
export function shown(token: Token): string {
  return token.kind === "end" ? "the end of the text" : `“${token.text || "?"}”`;
}

const clauseWords = [
  "FROM",
  "WHERE",
  "LIMIT",
  "SET",
  "VALUES",
  "CONNECT",
  "HAVING",
  "UNION",
  "INTERSECT",
  "EXCEPT",
];
const clauseWordsBeforeBy = ["GROUP", "ORDER"];
const joinWords = [
  "JOIN",
  "INNER",
  "LEFT",
  "RIGHT",
  "FULL",
  "OUTER",
  "CROSS",
  "NATURAL",
  "ON",
  "USING",
];
const inferiorWords = [
  "AND",
  "OR",
  "AS",
  "ASC",
  "DESC",
  "OFFSET",
  "FETCH",
  "ALLOW",
  "FOR",
  "WINDOW",
];

/** A word that begins a clause, where no name is due. */
export function startsClause(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  if (token.kind === "end" || isSymbol(token, ";")) return true;
  if (isWord(token, ...clauseWordsBeforeBy)) return isWord(peek(cursor, ahead + 1), "BY");
  return isWord(token, ...clauseWords);
}

/** Whether an unquoted word here cannot be an alias. */
export function endsName(cursor: Cursor): boolean {
  return startsClause(cursor) || isWord(peek(cursor), ...joinWords, ...inferiorWords);
}

/** Passes over everything up to a comma, bracket or clause of the level we are on. */
export function skipPart(cursor: Cursor, ...stopWords: readonly string[]): void {
  while (
    !startsClause(cursor) &&
    !isSymbol(peek(cursor), ",", ")") &&
    !isWord(peek(cursor), ...stopWords)
  ) {
    if (isSymbol(peek(cursor), "(")) skipBrackets(cursor);
    else take(cursor);
  }
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

/** True when a name can be read here. */
function standsName(cursor: Cursor): boolean {
  const token = peek(cursor);
  if (token.kind === "quoted") return true;
  if (token.kind !== "word") return false;
  if (isSymbol(peek(cursor, 1), ".")) return true;
  if (!startsClause(cursor) && !isWord(token, ...joinWords, ...inferiorWords)) return true;
  return !isWord(peek(cursor, 1), "BY") && cursor.knows(token.text);
}

/** One name, or a complaint that `what` is missing. */
export function readName(cursor: Cursor, what: string): NameText | undefined {
  if (!standsName(cursor)) {
    const token = peek(cursor);
    complain(
      cursor.report,
      token.span,
      `Here should stand ${what}, not ${shown(token)}.`,
      `Write ${what}; a name that is also a keyword stands in double quotes.`,
    );
    return undefined;
  }
  const { text, span } = take(cursor);
  return { text, span };
}

/** Names joined by dots; stops before `.*`. A quoted name may hold the dots of a foreign key. */
export function readPath(cursor: Cursor, what: string): PathText | undefined {
  const first = readName(cursor, what);
  if (!first) return undefined;
  const names = [first];
  while (isSymbol(peek(cursor), ".") && !isSymbol(peek(cursor, 1), "*")) {
    take(cursor);
    const next = peek(cursor);
    if (next.kind !== "word" && next.kind !== "quoted") {
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
  return {
    parts: names.flatMap(({ text, span }) => text.split(".").map((part) => ({ text: part, span }))),
    span: spanning(first.span, previous(cursor).span),
  };
}

const arithmeticSigns = ["+", "-", "*", "/", "%", "||"];

/** Refuses arithmetic behind a value that was just read; true when there was some. */
export function refuseArithmetic(cursor: Cursor): boolean {
  if (!isSymbol(peek(cursor), ...arithmeticSigns)) return false;
  const sign = take(cursor);
  complain(
    cursor.report,
    sign.span,
    `Arithmetic (“${sign.text}”) is not supported: a Get compares stored values.`,
    "Compute the value in the application and pass it as a parameter, or store it as an attribute; a name with - in it stands in double quotes.",
  );
  while (readSide(cursor) && isSymbol(peek(cursor), ...arithmeticSigns)) take(cursor);
  return true;
}

export const aggregateNames: readonly AggregateFunction[] = ["count", "sum", "min", "max", "avg"];

/** Refuses `name(…)` where a value or column should stand. */
export function refuseCall(cursor: Cursor): void {
  const name = take(cursor);
  const span = spanning(name.span, skipBrackets(cursor));
  if ((aggregateNames as readonly string[]).includes(name.text.toLowerCase()))
    complain(
      cursor.report,
      span,
      `The aggregate ${name.text}(…) cannot stand here.`,
      "Aggregates stand in SELECT and ORDER BY; conditions on them are applied by the application to the rows it gets.",
    );
  else
    complain(
      cursor.report,
      span,
      `The function ${name.text}(…) is not supported: a Get compares stored values.`,
      "Compute the value in the application and pass it as a parameter, or store it as an attribute.",
    );
}

/** Refuses a sub-query, if the bracket here opens one. */
export function refuseSubquery(cursor: Cursor): boolean {
  if (!isSymbol(peek(cursor), "(") || !isWord(peek(cursor, 1), "SELECT")) return false;
  complain(
    cursor.report,
    skipBrackets(cursor),
    "Sub-queries are not supported: a statement is one tree of entities.",
    "Write the inner query as a statement of its own and pass its rows as parameters.",
  );
  return true;
}

/** One side of a comparison; `refused` when it has been complained about and passed over. */
type Side =
  | { readonly kind: "operand"; readonly operand: OperandText }
  | { readonly kind: "column"; readonly path: PathText }
  | { readonly kind: "refused" };

function readSide(cursor: Cursor): Side | undefined {
  if (refuseSubquery(cursor)) return { kind: "refused" };
  if (peek(cursor).kind === "word" && isSymbol(peek(cursor, 1), "(")) {
    refuseCall(cursor);
    return { kind: "refused" };
  }
  if (standsNull(cursor)) {
    refuseNull(cursor);
    return { kind: "refused" };
  }
  const operand = tryOperand(cursor);
  if (operand) return { kind: "operand", operand };
  const path = readPath(cursor, "a column or a value");
  return path && { kind: "column", path };
}

function standsNull(cursor: Cursor): boolean {
  return isWord(peek(cursor), "NULL") && !isSymbol(peek(cursor, 1), ".");
}

function refuseNull(cursor: Cursor): void {
  complain(
    cursor.report,
    take(cursor).span,
    "NULL is not supported: a null cannot stand in a key and is not stored.",
    "Use a value of its own, such as '' or 0, for what is not known.",
  );
}

/** A parameter or literal, if one stands here. */
function tryOperand(cursor: Cursor): OperandText | undefined {
  const token = peek(cursor);
  if (token.kind === "parameter") {
    take(cursor);
    return {
      operand: { kind: "parameter", ...(token.text && { name: token.text }) },
      span: token.span,
    };
  }
  if (token.kind === "string") {
    take(cursor);
    return { operand: { kind: "literal", value: token.text }, span: token.span };
  }
  if (isWord(token, "TRUE", "FALSE") && !isSymbol(peek(cursor, 1), ".")) {
    take(cursor);
    return { operand: { kind: "literal", value: isWord(token, "TRUE") }, span: token.span };
  }
  const negative = isSymbol(token, "-") && peek(cursor, 1).kind === "number";
  if (!negative && token.kind !== "number") return undefined;
  if (negative) take(cursor);
  const digits = take(cursor);
  const span = spanning(token.span, digits.span);
  return {
    operand: { kind: "literal", value: numberOf(cursor, digits.text, negative, span) },
    span,
  };
}

function numberOf(cursor: Cursor, digits: string, negative: boolean, span: Span): number {
  const value = Number(digits);
  if (!Number.isFinite(value) || (/^\d+$/.test(digits) && !Number.isSafeInteger(value)))
    complain(
      cursor.report,
      span,
      `The number ${digits} is too large to be kept exactly.`,
      "Pass it as a parameter.",
    );
  return negative && value !== 0 ? -value : value;
}

/** A parameter or literal; anything else is complained about. `undefined` means: passed over. */
export function readOperand(
  cursor: Cursor,
  what = "a value (?, :name or a literal)",
): OperandText | undefined {
  const at = cursor.at;
  const side = readSide(cursor);
  if (!side) return undefined;
  const arithmetic = refuseArithmetic(cursor);
  if (side.kind === "column" && !arithmetic)
    complain(
      cursor.report,
      side.path.span,
      `Here should stand ${what}, not the column ${cursor.tokens
        .slice(at, cursor.at)
        .map(({ text }) => text)
        .join("")}.`,
      "Pass it as a parameter; a text value stands in single quotes.",
    );
  return side.kind === "operand" && !arithmetic ? side.operand : undefined;
}

/** Conditions joined by AND, added to `into`. */
export function readConjunction(cursor: Cursor, into: ConditionText[]): void {
  do readCondition(cursor, into);
  while (acceptWord(cursor, "AND") || refuseOr(cursor));
}

function refuseOr(cursor: Cursor): boolean {
  const token = peek(cursor);
  if (!isWord(token, "OR", "XOR")) return false;
  take(cursor);
  complain(
    cursor.report,
    token.span,
    `${token.text.toUpperCase()} is not supported: a Get reads the rows for which all conditions hold.`,
    "Use IN for several values of one column, or write one statement for each alternative and unite the rows in the application.",
  );
  return true;
}

function readCondition(cursor: Cursor, into: ConditionText[]): void {
  if (standsNot(cursor)) {
    refuseNot(cursor);
    readCondition(cursor, into);
    return;
  }
  if (isWord(peek(cursor), "EXISTS") && isSymbol(peek(cursor, 1), "(")) {
    take(cursor);
    if (!refuseSubquery(cursor)) skipBrackets(cursor);
    return;
  }
  if (isSymbol(peek(cursor), "(") && !isWord(peek(cursor, 1), "SELECT")) {
    readBracketed(cursor, into);
    return;
  }
  const from = peek(cursor).span;
  const left = readSide(cursor);
  if (!left) {
    skipPart(cursor, "AND", "OR");
    return;
  }
  const refused = refuseArithmetic(cursor);
  const condition = readComparison(cursor, refused ? { kind: "refused" } : left, from);
  if (condition) into.push(condition);
}

function standsNot(cursor: Cursor): boolean {
  return isWord(peek(cursor), "NOT") && !isSymbol(peek(cursor, 1), ".", "=", "<", "<=", ">", ">=");
}

function refuseNot(cursor: Cursor): void {
  complain(
    cursor.report,
    take(cursor).span,
    "NOT is not supported: a Get reads by what a value is, not by what it is not.",
    "Store the negation as an attribute, or filter the rows in the application.",
  );
}

/** `( condition AND … )`; a tuple of columns is refused. */
function readBracketed(cursor: Cursor, into: ConditionText[]): void {
  if (holdsComma(cursor)) {
    complain(
      cursor.report,
      skipBrackets(cursor),
      "Comparing several columns at once is not supported.",
      "Compare the columns one by one.",
    );
    skipPart(cursor, "AND", "OR");
    return;
  }
  const open = take(cursor);
  readConjunction(cursor, into);
  if (!acceptSymbol(cursor, ")")) {
    complain(cursor.report, open.span, "This bracket is not closed.", "Add the closing bracket.");
    skipPart(cursor);
  }
}

/** Whether the bracket here is a list at its outermost level. */
function holdsComma(cursor: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; ; ahead += 1) {
    const token = peek(cursor, ahead);
    if (isSymbol(token, "(")) depth += 1;
    if (isSymbol(token, ")")) depth -= 1;
    if (depth === 0 || token.kind === "end") return false;
    if (depth === 1 && isSymbol(token, ",")) return true;
  }
}

const mirrored: Readonly<Record<string, string>> = {
  "=": "=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** The rest of a condition behind its left side; undefined when refused. */
function readComparison(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  const token = peek(cursor);
  if (isSymbol(token, "=", "<", "<=", ">", ">=", "<>", "!=")) {
    take(cursor);
    const right = readSide(cursor);
    if (!right) skipPart(cursor, "AND", "OR");
    const arithmetic = right !== undefined && refuseArithmetic(cursor);
    if (isSymbol(token, "<>", "!=")) {
      complain(
        cursor.report,
        token.span,
        `“${token.text}” is not supported: a Get reads by what a value is, not by what it is not.`,
        "Filter these rows in the application, or store the distinction as an attribute and compare it with =.",
      );
      return undefined;
    }
    if (!right || arithmetic) return undefined;
    return comparison(cursor, left, token.text, right, spanning(from, previous(cursor).span));
  }
  const negated = isWord(token, "NOT");
  if (negated) refuseNot(cursor);
  const condition = readWordComparison(cursor, left, from);
  return negated ? undefined : condition;
}

function comparison(
  cursor: Cursor,
  left: Side,
  operator: string,
  right: Side,
  span: Span,
): ConditionText | undefined {
  if (left.kind === "refused" || right.kind === "refused") return undefined;
  if (left.kind === "column" && right.kind === "column")
    return { kind: "columns", left: left.path, operator, right: right.path, span };
  if (left.kind === "operand" && right.kind === "operand") {
    complain(
      cursor.report,
      span,
      "This compares two values and no column.",
      "Leave the condition out, or name a column in it.",
    );
    return undefined;
  }
  if (left.kind === "operand")
    return comparison(cursor, right, mirrored[operator] as string, left, span);
  const operand = (right as { readonly operand: OperandText }).operand;
  if (operator === "=") return { kind: "equal", path: left.path, operand, span };
  return {
    kind: "range",
    path: left.path,
    bounds: [{ operator: operator as RangeOperator, operand }],
    span,
  };
}

/** BETWEEN, IN, and the word operators that are refused. */
function readWordComparison(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  const token = peek(cursor);
  if (acceptWord(cursor, "BETWEEN")) return readBetween(cursor, left, from);
  if (acceptWord(cursor, "IN")) return readIn(cursor, left, from);
  if (acceptWord(cursor, "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR")) {
    complain(
      cursor.report,
      token.span,
      `${token.text.toUpperCase()} is not supported: Cassandra finds rows by whole values.`,
      "Store the prefix that is searched for as an attribute and compare it with =.",
    );
    skipPart(cursor, "AND", "OR");
    return undefined;
  }
  if (acceptWord(cursor, "IS")) {
    complain(
      cursor.report,
      token.span,
      "IS NULL is not supported: a null cannot stand in a key and is not stored.",
      "Use a value of its own, such as '' or false, for what is not known, and compare it with =.",
    );
    skipPart(cursor, "AND", "OR");
    return undefined;
  }
  complain(
    cursor.report,
    token.span,
    `Here should stand a comparison, not ${shown(token)}.`,
    "Write one of = < <= > >= BETWEEN IN.",
  );
  skipPart(cursor, "AND", "OR");
  return undefined;
}

/** The column on the left of BETWEEN or IN. */
function columnBefore(cursor: Cursor, left: Side, word: string): PathText | undefined {
  if (left.kind === "operand")
    complain(
      cursor.report,
      left.operand.span,
      `Before ${word} should stand a column.`,
      "Put the column on the left.",
    );
  return left.kind === "column" ? left.path : undefined;
}

function readBetween(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  const low = readOperand(cursor);
  if (!acceptWord(cursor, "AND")) {
    complain(
      cursor.report,
      peek(cursor).span,
      "BETWEEN lacks its second bound.",
      "Write BETWEEN ? AND ?.",
    );
    skipPart(cursor, "OR");
    return undefined;
  }
  const high = readOperand(cursor);
  const path = columnBefore(cursor, left, "BETWEEN");
  if (!path || !low || !high) return undefined;
  const bounds = [
    { operator: ">=" as const, operand: low },
    { operator: "<=" as const, operand: high },
  ];
  return { kind: "range", path, bounds, span: spanning(from, previous(cursor).span) };
}

function readIn(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  if (refuseSubquery(cursor)) return undefined;
  const bracketed = isSymbol(peek(cursor), "(");
  const operands = bracketed ? readOperands(cursor) : [readOperand(cursor)];
  const path = columnBefore(cursor, left, "IN");
  const listed = operands.filter((operand) => operand !== undefined);
  if (!path || listed.length < operands.length || listed.length === 0) return undefined;
  return {
    kind: "in",
    path,
    operands: listed,
    bracketed,
    span: spanning(from, previous(cursor).span),
  };
}

/** `( value, … )`; an entry is undefined where something was refused. */
export function readOperands(cursor: Cursor): (OperandText | undefined)[] {
  const open = peek(cursor);
  if (!acceptSymbol(cursor, "(")) {
    complain(
      cursor.report,
      open.span,
      `Here should stand “(”, not ${shown(open)}.`,
      "Write the values in round brackets: (?).",
    );
    return [undefined];
  }
  const operands: (OperandText | undefined)[] = [];
  do {
    const operand = readOperand(cursor);
    if (!operand) skipPart(cursor);
    operands.push(operand);
  } while (acceptSymbol(cursor, ","));
  if (!acceptSymbol(cursor, ")")) {
    complain(
      cursor.report,
      spanning(open.span, peek(cursor).span),
      "This bracket is not closed.",
      "Add the closing bracket.",
    );
    operands.push(undefined);
  }
  return operands;
}
