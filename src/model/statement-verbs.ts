/**
 * The grammar of whole statements: SELECT, INSERT, UPDATE, DELETE, CONNECT, DISCONNECT (engine.md §2),
 * read into records of names that are not yet looked up.
 */
import type { Span } from "./issue.ts";
import { nearest } from "./name-matching.ts";
import {
  type AliasedSelection,
  type ClausesText,
  expectWord,
  readAlias,
  readClauses,
  readFrom,
  readSelectList,
  readSources,
  type SourcesText,
} from "./statement-clauses.ts";
import {
  acceptSymbol,
  acceptWord,
  type Cursor,
  isSymbol,
  isWord,
  type NameText,
  type PathText,
  peek,
  previous,
  readList,
  readName,
  readPath,
  shown,
  skipAll,
  skipPart,
  skipToClause,
  take,
} from "./statement-cursor.ts";
import {
  type ConditionText,
  type OperandText,
  readOperand,
  readOperands,
} from "./statement-grammar.ts";
import { refusals, refuse } from "./statement-refusals.ts";
import { complain, spanning } from "./statement-tokens.ts";

export interface SelectText extends SourcesText, ClausesText {
  readonly kind: "select";
  readonly select: readonly AliasedSelection[];
}

export interface AssignmentText {
  readonly path: PathText;
  readonly operand: OperandText;
}

/** `name(?, …)`: a record of the entity, or at the end of the role, of that name. */
export interface RecordText {
  readonly name: NameText;
  readonly operands: readonly OperandText[];
  readonly span: Span;
}

export interface InsertText {
  readonly kind: "insert";
  readonly entity: NameText;
  readonly assignments: readonly AssignmentText[];
  readonly connections: readonly RecordText[];
}

export interface ChangeText extends SourcesText {
  readonly kind: "update" | "delete";
  /** The entity an UPDATE names; absent in a DELETE, which changes the head of FROM. */
  readonly target?: NameText;
  readonly assignments: readonly AssignmentText[];
  readonly where: readonly ConditionText[];
}

export interface ConnectText {
  readonly kind: "connect" | "disconnect";
  readonly record: RecordText;
  readonly connection: RecordText;
}

export type StatementText = SelectText | InsertText | ChangeText | ConnectText;

const verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "CONNECT", "DISCONNECT"] as const;
type Verb = (typeof verbs)[number];

/** The statement at the cursor, which must end where the text ends. */
export function readStatement(cursor: Cursor): StatementText | undefined {
  const verb = readVerb(cursor);
  const statement = verb && readers[verb](cursor);
  if (!statement) return undefined;
  acceptSymbol(cursor, ";");
  const token = peek(cursor);
  if (token.kind !== "end")
    complain(
      cursor.report,
      spanning(token.span, (cursor.tokens.at(-1) ?? token).span),
      `The statement ends before ${shown(token)}.`,
      "Take out what follows, or enter it as a statement of its own.",
    );
  return statement;
}

const readers: Readonly<Record<Verb, (cursor: Cursor) => StatementText | undefined>> = {
  SELECT: readSelect,
  INSERT: readInsert,
  UPDATE: readUpdate,
  DELETE: readDelete,
  CONNECT: (cursor) => readConnect(cursor, "connect"),
  DISCONNECT: (cursor) => readConnect(cursor, "disconnect"),
};

/** The first word, also when misspelt (with a complaint). */
function readVerb(cursor: Cursor): Verb | undefined {
  const token = take(cursor);
  const word = token.kind === "word" ? token.text.toUpperCase() : "";
  const meant = nearest(word, verbs);
  if (word === "WITH") refuse(cursor.report, token.span, refusals.with);
  else if (token.kind === "end")
    complain(
      cursor.report,
      token.span,
      "The statement is empty.",
      `Begin it with ${verbs.join(", ")}.`,
    );
  else if (word !== meant)
    complain(
      cursor.report,
      token.span,
      `A statement cannot begin with ${shown(token)}.`,
      meant ? `Did you mean ${meant}?` : `Begin it with ${verbs.join(", ")}.`,
    );
  return verbs.find((each) => each === meant);
}

function readSelect(cursor: Cursor): SelectText {
  const select = readSelectList(cursor);
  const from = readFrom(cursor, "SELECT … FROM entity.role");
  return { kind: "select", select, ...from, ...readClauses(cursor, false) };
}

// --- INSERT ---------------------------------------------------------------------------------------

function readInsert(cursor: Cursor): InsertText | undefined {
  expectWord(cursor, "INTO", "INSERT INTO entity SET …");
  const entity = readName(cursor, "the entity to insert into");
  if (!entity) return skipAll(cursor);
  const assignments = readNewValues(cursor);
  const connections = acceptConnect(cursor) ? readConnections(cursor) : [];
  const token = peek(cursor);
  if (token.kind !== "end" && !isSymbol(token, ";")) refuseTail(cursor);
  return { kind: "insert", entity, assignments, connections };
}

/** `SET a = ?, …`, `(a, …) VALUES (?, …)`, or nothing before CONNECT TO. */
function readNewValues(cursor: Cursor): AssignmentText[] {
  if (isSymbol(peek(cursor), "(")) return readValues(cursor);
  if (isWord(peek(cursor), "SELECT")) {
    refuse(cursor.report, take(cursor).span, refusals.insertSelect);
    skipAll(cursor);
    return [];
  }
  if (standsConnect(cursor)) return [];
  if (expectWord(cursor, "SET", "INSERT INTO entity SET attribute = ?"))
    return readList(cursor, readAssignment);
  skipAll(cursor);
  return [];
}

function standsConnect(cursor: Cursor): boolean {
  const ahead = isWord(peek(cursor), "AND") ? 1 : 0;
  return isWord(peek(cursor, ahead), "CONNECT");
}

function acceptConnect(cursor: Cursor): boolean {
  if (!standsConnect(cursor)) return false;
  acceptWord(cursor, "AND");
  take(cursor);
  return true;
}

function readConnections(cursor: Cursor): RecordText[] {
  expectWord(cursor, "TO", "AND CONNECT TO role(?)");
  const connections = readList(cursor, readRecord);
  while (acceptConnect(cursor)) {
    expectWord(cursor, "TO", "AND CONNECT TO role(?)");
    connections.push(...readList(cursor, readRecord));
  }
  return connections;
}

/** Complains about AND between assignments, or about what cannot follow. */
function refuseTail(cursor: Cursor): void {
  const token = take(cursor);
  if (isWord(token, "AND"))
    complain(
      cursor.report,
      token.span,
      "Assignments are separated by commas, not by AND.",
      "Write SET a = ?, b = ?; AND stands only before CONNECT TO.",
    );
  else
    complain(
      cursor.report,
      token.span,
      `${shown(token)} is not expected here.`,
      "An INSERT ends behind its assignments and connections.",
    );
  skipAll(cursor);
}

/** `(a, b) VALUES (?, ?)` */
function readValues(cursor: Cursor): AssignmentText[] {
  const from = take(cursor).span;
  const before = cursor.report.issues.length;
  const paths = readList(cursor, (each) => readPath(each, "an attribute"));
  if (!acceptSymbol(cursor, ")"))
    complain(
      cursor.report,
      from,
      "The list of attributes is not closed.",
      "Write (a, b) VALUES (?, ?).",
    );
  if (!expectWord(cursor, "VALUES", "(a, b) VALUES (?, ?)")) {
    skipAll(cursor);
    return [];
  }
  const understood = cursor.report.issues.length === before;
  const operands = readOperands(cursor);
  if (understood && operands.length !== paths.length)
    complain(
      cursor.report,
      spanning(from, previous(cursor).span),
      `${paths.length} attributes cannot take ${operands.length} values.`,
      "Give each attribute one value.",
    );
  const comma = peek(cursor);
  if (isSymbol(comma, ",")) refuse(cursor.report, comma.span, refusals.severalRows);
  while (acceptSymbol(cursor, ",")) readOperands(cursor);
  return paths.flatMap((path, index) => {
    const operand = operands[index];
    return operand ? [{ path, operand }] : [];
  });
}

function readAssignment(cursor: Cursor): AssignmentText | undefined {
  const path = readPath(cursor, "an attribute to set");
  if (!path) return undefined;
  const token = peek(cursor);
  if (!acceptSymbol(cursor, "=")) {
    complain(
      cursor.report,
      token.span,
      `Here should stand “=”, not ${shown(token)}.`,
      "Write attribute = ?.",
    );
    return undefined;
  }
  if (refuseIncrement(cursor)) return undefined;
  const operand = readOperand(cursor);
  return operand && { path, operand };
}

/** `c = c + ?` */
function refuseIncrement(cursor: Cursor): boolean {
  let ahead = 0;
  while (peek(cursor, ahead).kind === "word" && isSymbol(peek(cursor, ahead + 1), ".")) ahead += 2;
  const isColumn = ["word", "quoted"].includes(peek(cursor, ahead).kind);
  if (!isColumn || !isSymbol(peek(cursor, ahead + 1), "+", "-")) return false;
  const from = peek(cursor).span;
  skipPart(cursor);
  refuse(cursor.report, spanning(from, previous(cursor).span), refusals.increment);
  return true;
}

/** `name(?, …)` */
function readRecord(cursor: Cursor): RecordText | undefined {
  const name = readName(cursor, "an entity or a role");
  if (!name) return undefined;
  const operands = readOperands(cursor);
  const given = operands.filter((operand) => operand !== undefined);
  if (given.length < operands.length) return undefined;
  return { name, operands: given, span: spanning(name.span, previous(cursor).span) };
}

// --- UPDATE, DELETE, CONNECT ----------------------------------------------------------------------

function readUpdate(cursor: Cursor): ChangeText | undefined {
  const target = readName(cursor, "the entity to update");
  if (!target) return skipAll(cursor);
  const alias = readAlias(cursor);
  const before = acceptWord(cursor, "FROM") ? readSources(cursor) : undefined;
  const isSet = expectWord(cursor, "SET", "UPDATE entity SET attribute = ? WHERE …");
  if (!isSet) skipToClause(cursor);
  const assignments = isSet ? readList(cursor, readAssignment) : [];
  const behind = !before && acceptWord(cursor, "FROM") ? readSources(cursor) : undefined;
  const path = { parts: [target], span: target.span };
  const alone = { sources: [{ path, ...(alias && { alias }) }], on: [] };
  const { where } = readClauses(cursor, true);
  return { kind: "update", target, ...(before ?? behind ?? alone), assignments, where };
}

function readDelete(cursor: Cursor): ChangeText {
  const from = readFrom(cursor, "DELETE FROM entity WHERE …");
  const { where } = readClauses(cursor, true);
  return { kind: "delete", ...from, assignments: [], where };
}

function readConnect(cursor: Cursor, kind: "connect" | "disconnect"): ConnectText | undefined {
  const record = readRecord(cursor);
  const keyword = kind === "connect" ? "TO" : "FROM";
  const example = `${kind.toUpperCase()} entity(?) ${keyword} role(?)`;
  if (!record || !expectWord(cursor, keyword, example)) return skipAll(cursor);
  const connection = readRecord(cursor);
  return connection ? { kind, record, connection } : skipAll(cursor);
}
