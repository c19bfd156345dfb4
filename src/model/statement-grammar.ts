/**
 * The grammar of values and conditions (engine.md §2). What is recognised but not supported is refused
 * where it stands, and reading goes on behind it, so that one look at a statement shows all its
 * mistakes.
 */
import type { Span } from "./issue.ts";
import type { AggregateFunction, Operand, RangeOperator } from "./statement.ts";
import {
  acceptSymbol,
  acceptWord,
  type Cursor,
  isSymbol,
  isWord,
  type PathText,
  peek,
  previous,
  readPath,
  shown,
  skipBrackets,
  skipPart,
  take,
} from "./statement-cursor.ts";
import {
  aggregateRefusal,
  arithmeticRefusal,
  functionRefusal,
  refusals,
  refuse,
} from "./statement-refusals.ts";
import { complain, spanning } from "./statement-tokens.ts";

export interface OperandText {
  readonly operand: Operand;
  readonly span: Span;
}

export interface BoundText {
  readonly operator: RangeOperator;
  readonly operand: OperandText;
}

interface ConditionBase {
  readonly path: PathText;
  readonly span: Span;
}

/** A condition on one column. */
export type FilterText =
  | (ConditionBase & { readonly kind: "equal"; readonly operand: OperandText })
  | (ConditionBase & { readonly kind: "range"; readonly bounds: readonly BoundText[] })
  | (ConditionBase & {
      readonly kind: "in";
      readonly operands: readonly OperandText[];
      readonly bracketed: boolean;
    });

/** `column = column`, which can join two entities. */
export interface ColumnsText {
  readonly kind: "columns";
  readonly left: PathText;
  readonly operator: string;
  readonly right: PathText;
  readonly span: Span;
}

export type ConditionText = FilterText | ColumnsText;

export const aggregateNames: readonly AggregateFunction[] = ["count", "sum", "min", "max", "avg"];

/** One side of a comparison; `refused` when it has been complained about and passed over. */
type Side =
  | { readonly kind: "operand"; readonly operand: OperandText }
  | { readonly kind: "column"; readonly path: PathText }
  | { readonly kind: "refused" };

// --- values ---------------------------------------------------------------------------------------

const arithmeticSigns = ["+", "-", "*", "/", "%", "||"];

/** Refuses arithmetic behind a value that was just read; true when there was some. */
export function refuseArithmetic(cursor: Cursor): boolean {
  const sign = peek(cursor);
  if (!acceptSymbol(cursor, ...arithmeticSigns)) return false;
  refuse(cursor.report, sign.span, arithmeticRefusal(sign.text));
  while (readSide(cursor) && acceptSymbol(cursor, ...arithmeticSigns)) {
    // One complaint is enough for a whole expression.
  }
  return true;
}

/** A word with an opening bracket behind it. */
export function standsCall(cursor: Cursor): boolean {
  return peek(cursor).kind === "word" && isSymbol(peek(cursor, 1), "(");
}

/** Refuses `name(…)` where a value or column should stand. */
export function refuseCall(cursor: Cursor): void {
  const { text, span } = take(cursor);
  const isAggregate = aggregateNames.some((name) => name === text.toLowerCase());
  refuse(
    cursor.report,
    spanning(span, skipBrackets(cursor)),
    isAggregate ? aggregateRefusal(text) : functionRefusal(text),
  );
}

/** Refuses a sub-query, if the bracket here opens one. */
export function refuseSubquery(cursor: Cursor): boolean {
  if (!isSymbol(peek(cursor), "(") || !isWord(peek(cursor, 1), "SELECT")) return false;
  refuse(cursor.report, skipBrackets(cursor), refusals.subquery);
  return true;
}

function readSide(cursor: Cursor): Side | undefined {
  if (refuseSubquery(cursor)) return { kind: "refused" };
  if (standsCall(cursor)) {
    refuseCall(cursor);
    return { kind: "refused" };
  }
  const token = peek(cursor);
  if (isWord(token, "NULL") && !isSymbol(peek(cursor, 1), ".")) {
    refuse(cursor.report, take(cursor).span, refusals.null);
    return { kind: "refused" };
  }
  const operand = tryOperand(cursor);
  if (operand) return { kind: "operand", operand };
  const path = readPath(cursor, "a column or a value");
  return path && { kind: "column", path };
}

/** A parameter or literal, if one stands here. */
function tryOperand(cursor: Cursor): OperandText | undefined {
  const token = peek(cursor);
  const { text, span } = token;
  if (token.kind === "parameter") {
    take(cursor);
    return { operand: { kind: "parameter", ...(text && { name: text }) }, span };
  }
  if (token.kind === "string") {
    take(cursor);
    return { operand: { kind: "literal", value: text }, span };
  }
  if (isWord(token, "TRUE", "FALSE") && !isSymbol(peek(cursor, 1), ".")) {
    take(cursor);
    return { operand: { kind: "literal", value: isWord(token, "TRUE") }, span };
  }
  return tryNumber(cursor);
}

function tryNumber(cursor: Cursor): OperandText | undefined {
  const token = peek(cursor);
  const negative = isSymbol(token, "-") && peek(cursor, 1).kind === "number";
  if (!negative && token.kind !== "number") return undefined;
  if (negative) take(cursor);
  const digits = take(cursor);
  const span = spanning(token.span, digits.span);
  const size = Number(digits.text);
  if (!Number.isFinite(size) || (Number.isInteger(size) && !Number.isSafeInteger(size)))
    complain(
      cursor.report,
      span,
      `The number ${digits.text} is too large to be kept exactly.`,
      "Pass it as a parameter.",
    );
  return { operand: { kind: "literal", value: negative && size !== 0 ? -size : size }, span };
}

/** A parameter or literal; anything else is complained about, and `undefined` given. */
export function readOperand(cursor: Cursor): OperandText | undefined {
  const side = readSide(cursor);
  if (!side || refuseArithmetic(cursor)) return undefined;
  if (side.kind === "column")
    complain(
      cursor.report,
      side.path.span,
      `Here should stand a value, not the column ${side.path.parts.map(({ text }) => text).join(".")}.`,
      "Write ?, :name or a literal; a text value stands in single quotes.",
    );
  return side.kind === "operand" ? side.operand : undefined;
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
    complainOpen(cursor, open.span);
    operands.push(undefined);
  }
  return operands;
}

function complainOpen(cursor: Cursor, open: Span): void {
  complain(cursor.report, open, "This bracket is not closed.", "Add the closing bracket.");
}

// --- conditions -----------------------------------------------------------------------------------

/** Conditions joined by AND, added to `into`. */
export function readConjunction(cursor: Cursor, into: ConditionText[]): void {
  do readCondition(cursor, into);
  while (acceptWord(cursor, "AND") || refuseOr(cursor));
}

function refuseOr(cursor: Cursor): boolean {
  if (!isWord(peek(cursor), "OR", "XOR")) return false;
  refuse(cursor.report, take(cursor).span, refusals.or);
  return true;
}

function readCondition(cursor: Cursor, into: ConditionText[]): void {
  const first = peek(cursor);
  const next = peek(cursor, 1);
  if (isWord(first, "NOT") && !isSymbol(next, ".", "=", "<", "<=", ">", ">=")) {
    refuse(cursor.report, take(cursor).span, refusals.not);
    readCondition(cursor, into);
  } else if (isWord(first, "EXISTS") && isSymbol(next, "(")) {
    take(cursor);
    if (!refuseSubquery(cursor)) skipBrackets(cursor);
  } else if (isSymbol(first, "(") && !isWord(next, "SELECT")) {
    readBracketed(cursor, into);
  } else {
    const condition = readComparison(cursor, first.span);
    if (condition) into.push(condition);
  }
}

/** `( condition AND … )`; a tuple of columns is refused. */
function readBracketed(cursor: Cursor, into: ConditionText[]): void {
  if (holdsComma(cursor)) {
    refuse(cursor.report, skipBrackets(cursor), refusals.tuple);
    skipPart(cursor, "AND", "OR");
    return;
  }
  const open = take(cursor);
  readConjunction(cursor, into);
  if (acceptSymbol(cursor, ")")) return;
  complainOpen(cursor, open.span);
  skipPart(cursor);
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

/** A comparison, or undefined when it was refused and passed over. */
function readComparison(cursor: Cursor, from: Span): ConditionText | undefined {
  const left = readSide(cursor);
  if (!left) {
    skipPart(cursor, "AND", "OR");
    return undefined;
  }
  const side: Side = refuseArithmetic(cursor) ? { kind: "refused" } : left;
  if (isSymbol(peek(cursor), "=", "<", "<=", ">", ">=", "<>", "!="))
    return readSymbolComparison(cursor, side, from);
  if (!isWord(peek(cursor), "NOT")) return readWordComparison(cursor, side, from);
  refuse(cursor.report, take(cursor).span, refusals.not);
  readWordComparison(cursor, side, from);
  return undefined;
}

function readSymbolComparison(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  const operator = take(cursor);
  const unequal = isSymbol(operator, "<>", "!=");
  if (unequal) refuse(cursor.report, operator.span, refusals.unequal);
  const right = readSide(cursor);
  if (!right) skipPart(cursor, "AND", "OR");
  if (!right || refuseArithmetic(cursor) || unequal) return undefined;
  return comparison(cursor, left, operator.text, right, spanning(from, previous(cursor).span));
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

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
  if (left.kind === "column" && right.kind === "operand")
    return filter(left.path, operator, right.operand, span);
  if (left.kind === "operand" && right.kind === "column")
    return filter(right.path, mirrored[operator] ?? operator, left.operand, span);
  refuse(cursor.report, span, refusals.twoValues);
  return undefined;
}

function filter(path: PathText, operator: string, operand: OperandText, span: Span): FilterText {
  if (operator === "=") return { kind: "equal", path, operand, span };
  return { kind: "range", path, bounds: [{ operator: operator as RangeOperator, operand }], span };
}

/** BETWEEN, IN, and the word operators that are refused. */
function readWordComparison(cursor: Cursor, left: Side, from: Span): ConditionText | undefined {
  const token = peek(cursor);
  if (acceptWord(cursor, "BETWEEN")) return readBetween(cursor, left, from);
  if (acceptWord(cursor, "IN")) return readIn(cursor, left, from);
  if (acceptWord(cursor, "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR"))
    refuse(cursor.report, token.span, refusals.like);
  else if (acceptWord(cursor, "IS")) refuse(cursor.report, token.span, refusals.isNull);
  else
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

function readBetween(cursor: Cursor, left: Side, from: Span): FilterText | undefined {
  const path = columnBefore(cursor, left, "BETWEEN");
  const low = readOperand(cursor);
  if (!low) skipPart(cursor, "AND", "OR");
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
  if (!high) skipPart(cursor, "AND", "OR");
  if (!path || !low || !high) return undefined;
  const bounds: readonly BoundText[] = [
    { operator: ">=", operand: low },
    { operator: "<=", operand: high },
  ];
  return { kind: "range", path, bounds, span: spanning(from, previous(cursor).span) };
}

function readIn(cursor: Cursor, left: Side, from: Span): FilterText | undefined {
  const path = columnBefore(cursor, left, "IN");
  if (refuseSubquery(cursor)) return undefined;
  const bracketed = isSymbol(peek(cursor), "(");
  const operands = bracketed ? readOperands(cursor) : [readOperand(cursor)];
  if (!bracketed && !operands[0]) skipPart(cursor, "AND", "OR");
  const listed = operands.filter((operand) => operand !== undefined);
  if (!path || listed.length < operands.length) return undefined;
  const span = spanning(from, previous(cursor).span);
  return { kind: "in", path, operands: listed, bracketed, span };
}
