/**
 * The grammar of whole statements: SELECT, INSERT, UPDATE, DELETE, CONNECT, DISCONNECT (engine.md §2)
 * read into a record of names that are not yet looked up. Parts that could not be read are left out,
 * and have been complained about.
 */
import type { Span } from "./issue.ts";
import type { AggregateFunction } from "./statement.ts";
import {
  acceptSymbol,
  acceptWord,
  aggregateNames,
  type ConditionText,
  type Cursor,
  endsName,
  isSymbol,
  isWord,
  type NameText,
  type OperandText,
  type PathText,
  peek,
  previous,
  readConjunction,
  readName,
  readOperand,
  readOperands,
  readPath,
  refuseArithmetic,
  refuseCall,
  refuseSubquery,
  shown,
  skipBrackets,
  skipPart,
  startsClause,
  take,
} from "./statement-grammar.ts";
import { nearest } from "./statement-names.ts";
import { complain, spanning } from "./statement-tokens.ts";

export type SelectionText =
  | { readonly kind: "star"; readonly of?: PathText; readonly span: Span }
  | { readonly kind: "column"; readonly path: PathText; readonly span: Span }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      /** Absent for `count(*)`. */
      readonly path?: PathText;
      readonly span: Span;
    };

export interface AliasedSelection {
  readonly selection: SelectionText;
  readonly alias?: NameText;
}

export interface OrderingText {
  readonly by: SelectionText;
  readonly direction: "asc" | "desc";
}

/** One item of FROM. */
export interface SourceText {
  readonly path: PathText;
  readonly alias?: NameText;
}

export interface AssignmentText {
  readonly path: PathText;
  readonly operand: OperandText;
}

/** `role(?, …)`; also the record before TO or FROM. */
export interface RecordText {
  readonly name: NameText;
  readonly operands: readonly OperandText[];
  readonly span: Span;
}

/** FROM, with the conditions of all ON clauses. */
export interface SourcesText {
  readonly sources: readonly SourceText[];
  readonly on: readonly ConditionText[];
}

export interface SelectText extends SourcesText {
  readonly kind: "select";
  readonly select: readonly AliasedSelection[];
  readonly where: readonly ConditionText[];
  readonly groupBy: readonly PathText[];
  readonly orderBy: readonly OrderingText[];
  readonly limit?: number;
}

export interface InsertText {
  readonly kind: "insert";
  readonly entity: NameText;
  readonly assignments: readonly AssignmentText[];
  readonly connections: readonly RecordText[];
}

export interface ChangeText extends SourcesText {
  readonly kind: "update" | "delete";
  /** The name of the changed entity in an UPDATE; absent in a DELETE, which changes the head of FROM. */
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
  const token = take(cursor);
  const verb = token.kind === "word" ? verbFor(cursor, token.text, token.span) : undefined;
  if (!verb) {
    if (token.kind !== "word")
      complain(
        cursor.report,
        token.span,
        token.kind === "end"
          ? "The statement is empty."
          : `A statement cannot begin with ${shown(token)}.`,
        `Begin it with ${verbs.join(", ")}.`,
      );
    return undefined;
  }
  const statement = readers[verb](cursor);
  readEnd(cursor);
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

function verbFor(cursor: Cursor, word: string, span: Span): Verb | undefined {
  const verb = verbs.find((each) => each === word.toUpperCase());
  if (verb) return verb;
  const meant = nearest(word.toUpperCase(), verbs);
  if (word.toUpperCase() === "WITH")
    complain(
      cursor.report,
      span,
      "WITH is not supported: a statement is one tree of entities.",
      "Write the inner query as a statement of its own and pass its rows as parameters.",
    );
  else
    complain(
      cursor.report,
      span,
      `${word} does not begin a statement.`,
      meant ? `Did you mean ${meant}?` : `Begin it with ${verbs.join(", ")}.`,
    );
  return verbs.find((each) => each === meant);
}

function readEnd(cursor: Cursor): void {
  acceptSymbol(cursor, ";");
  const token = peek(cursor);
  if (token.kind === "end") return;
  const span = spanning(token.span, (cursor.tokens.at(-1) ?? token).span);
  complain(
    cursor.report,
    span,
    `The statement ends before ${shown(token)}.`,
    "Take out what follows, or enter it as a statement of its own.",
  );
}

// --- SELECT -------------------------------------------------------------------------------------

interface Clauses {
  readonly where: ConditionText[];
  readonly groupBy: PathText[];
  readonly orderBy: OrderingText[];
  limit?: number;
}

function readSelect(cursor: Cursor): SelectText {
  refuseDistinct(cursor);
  const select = readList(cursor, readAliasedSelection);
  const from = acceptWord(cursor, "FROM") ? readSources(cursor) : missingFrom(cursor);
  const clauses: Clauses = { where: [], groupBy: [], orderBy: [] };
  readClauses(cursor, clauses, ["WHERE", "GROUP BY", "ORDER BY", "LIMIT"]);
  return { kind: "select", select, ...from, ...clauses };
}

function missingFrom(cursor: Cursor): SourcesText {
  complain(
    cursor.report,
    peek(cursor).span,
    `Here should stand FROM, not ${shown(peek(cursor))}.`,
    "Say which entities to read: SELECT … FROM entity.role.",
  );
  return { sources: [], on: [] };
}

function refuseDistinct(cursor: Cursor): void {
  const token = peek(cursor);
  if (
    !isWord(token, "DISTINCT") ||
    isSymbol(peek(cursor, 1), ".", ",") ||
    isWord(peek(cursor, 1), "FROM", "AS")
  )
    return;
  take(cursor);
  complain(
    cursor.report,
    token.span,
    "DISTINCT is not supported.",
    "GROUP BY the selected columns: it gives each combination once.",
  );
}

/** Parts separated by commas; a part that cannot be read is passed over. */
function readList<T>(cursor: Cursor, read: (cursor: Cursor) => T | undefined): T[] {
  const list: T[] = [];
  do {
    const part = read(cursor);
    if (part === undefined) skipPart(cursor);
    else list.push(part);
  } while (acceptSymbol(cursor, ","));
  return list;
}

function readAliasedSelection(cursor: Cursor): AliasedSelection | undefined {
  const selection = readSelection(cursor, true);
  if (!selection) return undefined;
  const alias = readAlias(cursor);
  return { selection, ...(alias && { alias }) };
}

/** A column, aggregate or, where `starred`, `*`; undefined when refused. */
function readSelection(cursor: Cursor, starred: boolean): SelectionText | undefined {
  const token = peek(cursor);
  if (starred && acceptSymbol(cursor, "*")) return { kind: "star", span: token.span };
  if (refuseSubquery(cursor)) return undefined;
  if (token.kind === "word" && isSymbol(peek(cursor, 1), "(")) {
    const aggregate = aggregateNames.find((name) => name === token.text.toLowerCase());
    if (!aggregate) refuseCall(cursor);
    const selection = aggregate && readAggregate(cursor, aggregate);
    return refuseArithmetic(cursor) ? undefined : selection;
  }
  if (token.kind === "number" || token.kind === "string" || token.kind === "parameter") {
    take(cursor);
    complain(
      cursor.report,
      token.span,
      `Here should stand a column or an aggregate, not the value ${shown(token)}.`,
      "Name the column.",
    );
    return undefined;
  }
  return readColumnOrStar(cursor, starred);
}

function readColumnOrStar(cursor: Cursor, starred: boolean): SelectionText | undefined {
  const path = readPath(cursor, "a column");
  if (!path) return undefined;
  if (starred && isSymbol(peek(cursor), ".")) {
    take(cursor);
    return { kind: "star", of: path, span: spanning(path.span, take(cursor).span) };
  }
  return refuseArithmetic(cursor) ? undefined : { kind: "column", path, span: path.span };
}

function readAggregate(cursor: Cursor, name: AggregateFunction): SelectionText | undefined {
  const from = take(cursor).span;
  const open = peek(cursor).span;
  take(cursor);
  refuseDistinct(cursor);
  const token = peek(cursor);
  let path: PathText | undefined;
  if (isSymbol(token, "*") || (token.kind === "number" && name === "count")) {
    take(cursor);
    if (name !== "count")
      complain(
        cursor.report,
        token.span,
        `${name}(*) has no column.`,
        `Name the column: ${name}(entity.attribute).`,
      );
  } else {
    path = readPath(cursor, `the column of ${name}`);
    if (!path || refuseArithmetic(cursor)) {
      while (!isSymbol(peek(cursor), ")") && !startsClause(cursor)) take(cursor);
      acceptSymbol(cursor, ")");
      return undefined;
    }
  }
  if (!acceptSymbol(cursor, ")")) {
    complain(
      cursor.report,
      open,
      "This bracket is not closed behind one column.",
      `Write ${name}(column).`,
    );
    return undefined;
  }
  if (!path && name !== "count") return undefined;
  return {
    kind: "aggregate",
    function: name,
    ...(path && { path }),
    span: spanning(from, previous(cursor).span),
  };
}

/** `AS name`, or a name that cannot begin anything else. */
function readAlias(cursor: Cursor): NameText | undefined {
  if (acceptWord(cursor, "AS")) return readName(cursor, "the alias");
  const token = peek(cursor);
  const stands = token.kind === "quoted" || (token.kind === "word" && !endsName(cursor));
  if (!stands || !followsAlias(cursor)) return undefined;
  take(cursor);
  return { text: token.text, span: token.span };
}

/** Tells an alias from a misspelt keyword: behind an alias comes a comma, a clause or a join. */
function followsAlias(cursor: Cursor): boolean {
  const next = peek(cursor, 1);
  return (
    isSymbol(next, ",", ")") ||
    startsClause(cursor, 1) ||
    isWord(next, "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "ON", "USING", "AND")
  );
}

// --- FROM ---------------------------------------------------------------------------------------

/** Paths separated by commas or AND, and joins. */
function readSources(cursor: Cursor): { sources: SourceText[]; on: ConditionText[] } {
  const from = { sources: [] as SourceText[], on: [] as ConditionText[] };
  readSource(cursor, from.sources);
  while (readJoin(cursor, from)) {
    // Each turn reads one more source.
  }
  return from;
}

function readSource(cursor: Cursor, sources: SourceText[]): PathText | undefined {
  if (refuseSubquery(cursor)) {
    readAlias(cursor);
    return undefined;
  }
  const path = readPath(cursor, "an entity or a path");
  if (!path) {
    skipPart(cursor, "JOIN", "ON");
    return undefined;
  }
  const alias = readAlias(cursor);
  sources.push({ path, ...(alias && { alias }) });
  return path;
}

function readJoin(cursor: Cursor, from: { sources: SourceText[]; on: ConditionText[] }): boolean {
  if (acceptSymbol(cursor, ",") || acceptWord(cursor, "AND")) {
    readSource(cursor, from.sources);
    return true;
  }
  const refusedKind = refuseOuterJoin(cursor);
  acceptWord(cursor, "INNER");
  const join = peek(cursor);
  if (!acceptWord(cursor, "JOIN")) return refusedKind !== undefined;
  const path = readSource(cursor, from.sources);
  if (acceptWord(cursor, "ON")) readConjunction(cursor, from.on);
  else if (isWord(peek(cursor), "USING") && isSymbol(peek(cursor, 1), "(")) refuseUsing(cursor);
  else if (path && path.parts.length === 1 && refusedKind === undefined)
    complain(
      cursor.report,
      spanning(join.span, path.span),
      `JOIN ${path.parts[0]?.text} does not say how it is linked.`,
      "Add ON child.role.key = parent.key, or join a path: JOIN alias.role name.",
    );
  return true;
}

function refuseOuterJoin(cursor: Cursor): string | undefined {
  const token = peek(cursor);
  const kind = token.text.toUpperCase();
  if (!isWord(token, "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL")) return undefined;
  take(cursor);
  while (acceptWord(cursor, "OUTER", "INNER", "LEFT", "RIGHT")) {
    // The rest of the join's name.
  }
  const span = spanning(token.span, previous(cursor).span);
  if (kind === "CROSS")
    complain(
      cursor.report,
      span,
      "CROSS JOIN is not supported: it pairs records that are not linked.",
      "Join along a relationship, or write two statements.",
    );
  else if (kind === "NATURAL")
    complain(
      cursor.report,
      span,
      "NATURAL JOIN is not supported: it depends on how columns happen to be called.",
      "Write JOIN … ON with the key columns.",
    );
  else
    complain(
      cursor.report,
      span,
      "Outer joins are not supported: a column family holds linked records only.",
      "Use JOIN, and read the records without a partner by a statement of their own.",
    );
  return kind;
}

function refuseUsing(cursor: Cursor): void {
  const span = spanning(take(cursor).span, skipBrackets(cursor));
  complain(
    cursor.report,
    span,
    "USING is not supported: it does not say which side holds the key.",
    "Write ON child.role.key = parent.key.",
  );
}

// --- clauses behind FROM ------------------------------------------------------------------------

const clauseNames = ["WHERE", "GROUP BY", "ORDER BY", "LIMIT"] as const;
type ClauseName = (typeof clauseNames)[number];

/** Reads clauses in any order; complains about those out of order, given twice or not allowed here. */
function readClauses(cursor: Cursor, clauses: Clauses, allowed: readonly ClauseName[]): void {
  let last = -1;
  for (;;) {
    const from = peek(cursor);
    if (from.kind === "end" || isSymbol(from, ";")) return;
    const clause = clauseHere(cursor);
    if (clause === undefined) {
      if (!refuseClause(cursor)) return;
      continue;
    }
    const span = spanning(from.span, previous(cursor).span);
    const position = clauseNames.indexOf(clause);
    if (!allowed.includes(clause))
      complain(cursor.report, span, `${clause} cannot stand in this statement.`, "Leave it out.");
    else if (position === last)
      complain(cursor.report, span, `There are two ${clause} clauses.`, "Unite them in one.");
    else if (position < last)
      complain(
        cursor.report,
        span,
        `${clause} stands too late.`,
        `Write the clauses in the order ${clauseNames.join(", ")}.`,
      );
    last = Math.max(last, position);
    clauseReaders[clause](cursor, clauses);
  }
}

const clauseReaders: Readonly<Record<ClauseName, (cursor: Cursor, clauses: Clauses) => void>> = {
  WHERE: (cursor, clauses) => readConjunction(cursor, clauses.where),
  "GROUP BY": (cursor, clauses) => {
    clauses.groupBy.push(...readList(cursor, readGrouping));
  },
  "ORDER BY": (cursor, clauses) => {
    clauses.orderBy.push(...readList(cursor, readOrdering));
  },
  LIMIT: readLimit,
};

/** The clause whose keyword stands here (and is taken), also when misspelt. */
function clauseHere(cursor: Cursor): ClauseName | undefined {
  const token = peek(cursor);
  for (const clause of clauseNames) {
    const [first, second] = clause.split(" ");
    if (!isWord(token, first as string)) continue;
    if (second !== undefined && !isWord(peek(cursor, 1), second)) {
      take(cursor);
      complain(cursor.report, token.span, `${first} lacks its BY.`, `Write ${clause}.`);
      return clause;
    }
    take(cursor);
    if (second !== undefined) take(cursor);
    return clause;
  }
  const meant =
    token.kind === "word"
      ? nearest(token.text.toUpperCase(), ["WHERE", "GROUP", "ORDER", "LIMIT"])
      : undefined;
  const clause = clauseNames.find((name) => meant !== undefined && name.startsWith(meant));
  if (clause === undefined) return undefined;
  complain(
    cursor.report,
    take(cursor).span,
    `${token.text} is not a keyword.`,
    `Did you mean ${meant}?`,
  );
  if (clause.endsWith("BY")) acceptWord(cursor, "BY");
  return clause;
}

const refusedClauses: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  HAVING: [
    "HAVING is not supported: a Get cannot filter by an aggregate.",
    "Filter the groups in the application.",
  ],
  UNION: [
    "UNION is not supported: a statement is one tree of entities.",
    "Write one statement for each part and unite the rows in the application.",
  ],
  INTERSECT: [
    "INTERSECT is not supported: a statement is one tree of entities.",
    "Write one statement for each part and compare the rows in the application.",
  ],
  EXCEPT: [
    "EXCEPT is not supported: a statement is one tree of entities.",
    "Write one statement for each part and compare the rows in the application.",
  ],
  OFFSET: [
    "OFFSET is not supported: Cassandra would read the rows that are passed over.",
    "Continue behind the last row with a range on the ORDER BY column.",
  ],
  FETCH: ["FETCH is not supported.", "Write LIMIT n."],
  ALLOW: [
    "ALLOW FILTERING is never needed: every table is made for its statements.",
    "Leave it out.",
  ],
  WINDOW: ["WINDOW is not supported.", "Compute it in the application."],
};

/** Refuses a clause that is known elsewhere, or any other word; true when reading can go on behind it. */
function refuseClause(cursor: Cursor): boolean {
  const token = peek(cursor);
  const refused = token.kind === "word" ? refusedClauses[token.text.toUpperCase()] : undefined;
  if (!refused) {
    complain(
      cursor.report,
      token.span,
      `${shown(token)} is not expected here.`,
      "Take it out; a name of several words stands in double quotes.",
    );
    take(cursor);
    while (!startsClause(cursor)) take(cursor);
    return true;
  }
  take(cursor);
  complain(cursor.report, token.span, ...refused);
  if (isWord(token, "UNION", "INTERSECT", "EXCEPT")) {
    while (peek(cursor).kind !== "end") take(cursor);
    return false;
  }
  while (!startsClause(cursor)) take(cursor);
  return true;
}

function readGrouping(cursor: Cursor): PathText | undefined {
  if (peek(cursor).kind === "word" && isSymbol(peek(cursor, 1), "(")) {
    refuseCall(cursor);
    return undefined;
  }
  const path = readPath(cursor, "a column to group by");
  return path && (refuseArithmetic(cursor) ? undefined : path);
}

function readOrdering(cursor: Cursor): OrderingText | undefined {
  const by = readSelection(cursor, false);
  const descending = isWord(peek(cursor), "DESC");
  acceptWord(cursor, "ASC", "DESC");
  const nulls = peek(cursor);
  if (acceptWord(cursor, "NULLS")) {
    const span = spanning(nulls.span, take(cursor).span);
    complain(
      cursor.report,
      span,
      "NULLS FIRST and NULLS LAST are not supported: nulls are not stored.",
      "Leave it out.",
    );
  }
  return by && { by, direction: descending ? "desc" : "asc" };
}

function readLimit(cursor: Cursor, clauses: Clauses): void {
  const token = peek(cursor);
  const negative = isSymbol(token, "-");
  if (negative) take(cursor);
  const value = take(cursor);
  const limit = Number(value.text);
  const span = spanning(token.span, value.span);
  if (value.kind !== "number" || negative || !Number.isSafeInteger(limit) || limit < 1)
    complain(
      cursor.report,
      span,
      "LIMIT needs a whole number of at least 1.",
      "Write the number of rows: the estimates depend on it, so a parameter will not do.",
    );
  else clauses.limit = limit;
  if (isSymbol(peek(cursor), ",")) {
    const comma = take(cursor);
    complain(
      cursor.report,
      spanning(comma.span, take(cursor).span),
      "LIMIT with an offset is not supported: Cassandra would read the rows that are passed over.",
      "Continue behind the last row with a range on the ORDER BY column.",
    );
  }
}

// --- INSERT, UPDATE, DELETE, CONNECT --------------------------------------------------------------

function expectWord(cursor: Cursor, keyword: string, example: string): boolean {
  if (acceptWord(cursor, keyword)) return true;
  const token = peek(cursor);
  const misspelt =
    token.kind === "word" && nearest(token.text.toUpperCase(), [keyword]) !== undefined;
  complain(
    cursor.report,
    token.span,
    `Here should stand ${keyword}, not ${shown(token)}.`,
    misspelt ? `Did you mean ${keyword}?` : `Write ${example}.`,
  );
  if (misspelt) take(cursor);
  return misspelt;
}

function readInsert(cursor: Cursor): InsertText | undefined {
  expectWord(cursor, "INTO", "INSERT INTO entity SET …");
  const entity = readName(cursor, "the entity to insert into");
  if (!entity) return passOver(cursor);
  const assignments: AssignmentText[] = [];
  const connections: RecordText[] = [];
  if (isSymbol(peek(cursor), "(")) readValues(cursor, assignments);
  else if (isWord(peek(cursor), "SELECT"))
    complain(
      cursor.report,
      take(cursor).span,
      "INSERT … SELECT is not supported: a statement inserts one record.",
      "Write the query as a statement of its own and insert its rows one by one.",
    );
  else if (
    !standsConnect(cursor) &&
    expectWord(cursor, "SET", "INSERT INTO entity SET attribute = ?")
  )
    assignments.push(...readList(cursor, readAssignment));
  if (standsConnect(cursor)) {
    acceptWord(cursor, "AND");
    take(cursor);
    expectWord(cursor, "TO", "AND CONNECT TO role(?)");
    connections.push(...readList(cursor, readRecord));
  }
  if (peek(cursor).kind !== "end" && !isSymbol(peek(cursor), ";")) refuseTail(cursor);
  return { kind: "insert", entity, assignments, connections };
}

/** Leaves the rest of a statement whose beginning could not be read. */
function passOver(cursor: Cursor): undefined {
  while (peek(cursor).kind !== "end") take(cursor);
  return undefined;
}

function standsConnect(cursor: Cursor): boolean {
  return (
    isWord(peek(cursor), "CONNECT") ||
    (isWord(peek(cursor), "AND") && isWord(peek(cursor, 1), "CONNECT"))
  );
}

/** Complains about AND between assignments, or about what cannot follow. */
function refuseTail(cursor: Cursor): void {
  const token = take(cursor);
  if (isWord(token, "AND"))
    complain(
      cursor.report,
      token.span,
      "Assignments are separated by commas, not by AND.",
      "Write SET a = ?, b = ? and AND only before CONNECT TO.",
    );
  else
    complain(
      cursor.report,
      token.span,
      `${shown(token)} is not expected here.`,
      "An INSERT ends behind its assignments and connections.",
    );
  passOver(cursor);
}

/** `(a, b) VALUES (?, ?)` */
function readValues(cursor: Cursor, assignments: AssignmentText[]): void {
  const from = take(cursor).span;
  const paths = readList(cursor, (each) => readPath(each, "an attribute"));
  const complete = acceptSymbol(cursor, ")");
  if (!complete)
    complain(
      cursor.report,
      from,
      "The list of attributes is not closed.",
      "Write (a, b) VALUES (?, ?).",
    );
  if (!expectWord(cursor, "VALUES", "(a, b) VALUES (?, ?)")) {
    passOver(cursor);
    return;
  }
  const operands = readOperands(cursor);
  const span = spanning(from, previous(cursor).span);
  if (complete && operands.length !== paths.length)
    complain(
      cursor.report,
      span,
      `There are ${paths.length} attributes and ${operands.length} values.`,
      "Give each attribute one value.",
    );
  paths.forEach((path, index) => {
    const operand = operands[index];
    if (operand) assignments.push({ path, operand });
  });
  if (isSymbol(peek(cursor), ",")) {
    complain(
      cursor.report,
      peek(cursor).span,
      "A statement inserts one record.",
      "Leave out the other rows and raise the statement's frequency instead.",
    );
    while (acceptSymbol(cursor, ",")) readOperands(cursor);
  }
}

function readAssignment(cursor: Cursor): AssignmentText | undefined {
  const path = readPath(cursor, "an attribute to set");
  if (!path) return undefined;
  if (!acceptSymbol(cursor, "=")) {
    complain(
      cursor.report,
      peek(cursor).span,
      `Here should stand “=”, not ${shown(peek(cursor))}.`,
      "Write attribute = ?.",
    );
    return undefined;
  }
  const operand = readOperand(cursor);
  return operand && { path, operand };
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

function readUpdate(cursor: Cursor): ChangeText | undefined {
  const target = readName(cursor, "the entity to update");
  if (!target) return passOver(cursor);
  const alias = readAlias(cursor);
  let from = acceptWord(cursor, "FROM") ? readSources(cursor) : undefined;
  const assignments = expectWord(cursor, "SET", "UPDATE entity SET attribute = ? WHERE …")
    ? readList(cursor, readAssignment)
    : [];
  if (!from && acceptWord(cursor, "FROM")) from = readSources(cursor);
  const clauses: Clauses = { where: [], groupBy: [], orderBy: [] };
  readClauses(cursor, clauses, ["WHERE"]);
  const alone: SourceText = {
    path: { parts: [target], span: target.span },
    ...(alias && { alias }),
  };
  return {
    kind: "update",
    target,
    ...(from ?? { sources: [alone], on: [] }),
    assignments,
    where: clauses.where,
  };
}

function readDelete(cursor: Cursor): ChangeText | undefined {
  expectWord(cursor, "FROM", "DELETE FROM entity WHERE …");
  const from = readSources(cursor);
  const clauses: Clauses = { where: [], groupBy: [], orderBy: [] };
  readClauses(cursor, clauses, ["WHERE"]);
  return { kind: "delete", ...from, assignments: [], where: clauses.where };
}

function readConnect(cursor: Cursor, kind: "connect" | "disconnect"): ConnectText | undefined {
  const record = readRecord(cursor);
  const keyword = kind === "connect" ? "TO" : "FROM";
  if (!record || !expectWord(cursor, keyword, `${kind.toUpperCase()} entity(?) ${keyword} role(?)`))
    return passOver(cursor);
  const connection = readRecord(cursor);
  return connection ? { kind, record, connection } : passOver(cursor);
}
