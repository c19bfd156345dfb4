/**
 * The grammar of SELECT lists, FROM and the clauses behind it (engine.md §2), read into records of
 * names that are not yet looked up. What could not be read is left out, and has been complained about.
 */
import type { Span } from "./issue.ts";
import { nearest } from "./name-matching.ts";
import type { AggregateFunction } from "./statement.ts";
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
  skipBrackets,
  skipPart,
  skipToClause,
  startsClause,
  startsKeyword,
  take,
} from "./statement-cursor.ts";
import {
  aggregateNames,
  type ConditionText,
  readConjunction,
  refuseArithmetic,
  refuseCall,
  refuseSubquery,
  standsCall,
} from "./statement-grammar.ts";
import { refusals, refuse, refusedClauses } from "./statement-refusals.ts";
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

/** FROM, with the conditions of all ON clauses. */
export interface SourcesText {
  readonly sources: readonly SourceText[];
  readonly on: readonly ConditionText[];
}

/** The clauses behind FROM. */
export interface ClausesText {
  readonly where: readonly ConditionText[];
  readonly groupBy: readonly PathText[];
  readonly orderBy: readonly OrderingText[];
  readonly limit?: number;
}

// --- SELECT ---------------------------------------------------------------------------------------

/** The SELECT list. */
export function readSelectList(cursor: Cursor): AliasedSelection[] {
  refuseDistinct(cursor);
  return readList(cursor, readAliasedSelection);
}

function refuseDistinct(cursor: Cursor): void {
  const next = peek(cursor, 1);
  const isColumn = isSymbol(next, ".", ",", ")") || isWord(next, "FROM", "AS");
  if (!isWord(peek(cursor), "DISTINCT") || isColumn) return;
  refuse(cursor.report, take(cursor).span, refusals.distinct);
}

function readAliasedSelection(cursor: Cursor): AliasedSelection | undefined {
  const selection = readSelection(cursor, true);
  if (!selection) return undefined;
  const alias = readAlias(cursor);
  if (alias && selection.kind === "star")
    complain(
      cursor.report,
      alias.span,
      "Several columns cannot share an alias.",
      "Leave the alias out.",
    );
  return { selection, ...(alias && { alias }) };
}

/** A column, aggregate or, where `starred`, `*`; undefined when refused. */
function readSelection(cursor: Cursor, starred: boolean): SelectionText | undefined {
  const token = peek(cursor);
  if (starred && acceptSymbol(cursor, "*")) return { kind: "star", span: token.span };
  if (refuseSubquery(cursor)) return undefined;
  if (standsCall(cursor)) {
    const name = aggregateNames.find((each) => each === token.text.toLowerCase());
    if (!name) refuseCall(cursor);
    const selection = name && readAggregate(cursor, name);
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
  if (starred && acceptSymbol(cursor, "."))
    return { kind: "star", of: path, span: spanning(path.span, take(cursor).span) };
  return refuseArithmetic(cursor) ? undefined : { kind: "column", path, span: path.span };
}

/** `name(column)` or `count(*)`. */
function readAggregate(cursor: Cursor, name: AggregateFunction): SelectionText | undefined {
  const from = take(cursor).span;
  const open = take(cursor).span;
  refuseDistinct(cursor);
  const all = standsAll(cursor, name) ? take(cursor) : undefined;
  const path = all ? undefined : readPath(cursor, `the column of ${name}`);
  const broken = !all && (!path || refuseArithmetic(cursor));
  if (broken) skipPart(cursor);
  const closed = acceptSymbol(cursor, ")");
  const span = spanning(from, previous(cursor).span);
  if (all && name !== "count")
    complain(
      cursor.report,
      all.span,
      `${name}(*) has no column.`,
      `Name the column: ${name}(entity.attribute).`,
    );
  else if (!closed)
    complain(
      cursor.report,
      open,
      "This bracket is not closed behind one column.",
      `Write ${name}(column).`,
    );
  else if (!broken) return { kind: "aggregate", function: name, ...(path && { path }), span };
  return undefined;
}

/** `*`, or the constant in `count(1)`. */
function standsAll(cursor: Cursor, name: AggregateFunction): boolean {
  return isSymbol(peek(cursor), "*") || (name === "count" && peek(cursor).kind === "number");
}

/** `AS name`, or a name that cannot be the beginning of anything else. */
export function readAlias(cursor: Cursor): NameText | undefined {
  if (acceptWord(cursor, "AS")) return readName(cursor, "the alias");
  const { kind, text, span } = peek(cursor);
  const isName = kind === "quoted" || (kind === "word" && !startsKeyword(cursor));
  if (!isName || !(isSymbol(peek(cursor, 1), ",", ")") || standsKeyword(cursor, 1)))
    return undefined;
  take(cursor);
  return { text, span };
}

/** Tells an alias from a misspelt keyword: behind an alias comes a keyword, maybe misspelt itself. */
function standsKeyword(cursor: Cursor, ahead: number): boolean {
  const token = peek(cursor, ahead);
  if (startsKeyword(cursor, ahead)) return true;
  return token.kind === "word" && nearest(token.text.toUpperCase(), guessed) !== undefined;
}

const guessed = ["FROM", "JOIN", "WHERE", "GROUP", "ORDER", "LIMIT"];

// --- FROM -----------------------------------------------------------------------------------------

interface Sources extends SourcesText {
  readonly sources: SourceText[];
  readonly on: ConditionText[];
}

/** FROM and what it names; complains when it is missing. */
export function readFrom(cursor: Cursor, example: string): SourcesText {
  if (!expectWord(cursor, "FROM", example)) {
    while (!startsClause(cursor)) take(cursor);
    if (!acceptWord(cursor, "FROM")) return { sources: [], on: [] };
  }
  return readSources(cursor);
}

/** Paths separated by commas or AND, and joins. */
export function readSources(cursor: Cursor): SourcesText {
  const from: Sources = { sources: [], on: [] };
  do readSource(cursor, from);
  while (acceptSymbol(cursor, ",") || acceptWord(cursor, "AND") || acceptJoin(cursor));
  return from;
}

/** Takes a keyword, also when misspelt (with a complaint); otherwise complains that it is missing. */
export function expectWord(cursor: Cursor, keyword: string, example: string): boolean {
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

/** One path, its alias and, behind it, its ON. */
function readSource(cursor: Cursor, from: Sources): void {
  const path = refuseSubquery(cursor) ? undefined : readPath(cursor, "an entity or a path");
  const alias = readAlias(cursor);
  if (path) from.sources.push({ path, ...(alias && { alias }) });
  else skipPart(cursor, "JOIN", "ON");
  if (acceptWord(cursor, "ON")) readConjunction(cursor, from.on);
  else if (isWord(peek(cursor), "USING") && isSymbol(peek(cursor, 1), "("))
    refuse(cursor.report, spanning(take(cursor).span, skipBrackets(cursor)), refusals.using);
}

/** Takes JOIN or INNER JOIN; refuses, and takes, the other kinds. */
function acceptJoin(cursor: Cursor): boolean {
  const first = peek(cursor);
  if (acceptWord(cursor, "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL")) {
    while (acceptWord(cursor, "OUTER", "INNER", "LEFT", "RIGHT")) {
      // The rest of the join's name.
    }
    const kind = first.text.toUpperCase();
    const refusal = { CROSS: refusals.crossJoin, NATURAL: refusals.naturalJoin }[kind];
    const span = spanning(first.span, previous(cursor).span);
    refuse(cursor.report, span, refusal ?? refusals.outerJoin);
    acceptWord(cursor, "JOIN");
    return true;
  }
  if (acceptWord(cursor, "INNER")) {
    expectWord(cursor, "JOIN", "INNER JOIN entity alias ON …");
    return true;
  }
  if (acceptWord(cursor, "JOIN")) return true;
  if (first.kind !== "word" || startsKeyword(cursor)) return false;
  if (nearest(first.text.toUpperCase(), guessed) !== "JOIN") return false;
  return expectWord(cursor, "JOIN", "JOIN entity alias ON …");
}

// --- clauses behind FROM --------------------------------------------------------------------------

const clauseNames = ["WHERE", "GROUP BY", "ORDER BY", "LIMIT"] as const;
type ClauseName = (typeof clauseNames)[number];

interface Clauses extends ClausesText {
  readonly where: ConditionText[];
  readonly groupBy: PathText[];
  readonly orderBy: OrderingText[];
  limit?: number;
}

/** All clauses up to the end; complains about those out of order, given twice or not allowed here. */
export function readClauses(cursor: Cursor, onlyWhere: boolean): ClausesText {
  const clauses: Clauses = { where: [], groupBy: [], orderBy: [] };
  let last = -1;
  while (peek(cursor).kind !== "end" && !isSymbol(peek(cursor), ";")) {
    const from = peek(cursor).span;
    const clause = acceptClause(cursor);
    if (clause === undefined) {
      refuseClause(cursor);
      continue;
    }
    const position = clauseNames.indexOf(clause);
    const complaint = clauseComplaint(clause, position, last, onlyWhere);
    if (complaint) complain(cursor.report, spanning(from, previous(cursor).span), ...complaint);
    last = Math.max(last, position);
    clauseReaders[clause](cursor, clauses);
  }
  return clauses;
}

function clauseComplaint(
  clause: ClauseName,
  position: number,
  last: number,
  onlyWhere: boolean,
): [message: string, hint: string] | undefined {
  if (onlyWhere && clause !== "WHERE")
    return [`${clause} cannot stand in a statement that changes records.`, "Leave it out."];
  if (position === last) return [`There are two ${clause} clauses.`, "Unite them in one."];
  if (position > last) return undefined;
  return [
    `${clause} stands too late.`,
    `Write the clauses in the order ${clauseNames.join(", ")}.`,
  ];
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

/** Takes the keyword of a clause, also when misspelt (with a complaint). */
function acceptClause(cursor: Cursor): ClauseName | undefined {
  const token = peek(cursor);
  if (token.kind !== "word") return undefined;
  const firstWords = clauseNames.map((name) => name.split(" ")[0] as string);
  const word = token.text.toUpperCase();
  const meant = refusedClauses.has(word) ? undefined : nearest(word, firstWords);
  if (meant === undefined) return undefined;
  take(cursor);
  const clause = clauseNames[firstWords.indexOf(meant)] as ClauseName;
  const lacksBy = clause.endsWith("BY") && !acceptWord(cursor, "BY");
  if (word !== meant)
    complain(
      cursor.report,
      token.span,
      `Here should stand a clause, not ${shown(token)}.`,
      `Did you mean ${clause}?`,
    );
  else if (lacksBy)
    complain(cursor.report, token.span, `${meant} lacks its BY.`, `Write ${clause}.`);
  return clause;
}

/** Refuses what is no clause here, and passes over it. */
function refuseClause(cursor: Cursor): void {
  const token = take(cursor);
  const refusal = token.kind === "word" ? refusedClauses.get(token.text.toUpperCase()) : undefined;
  if (refusal) refuse(cursor.report, token.span, refusal);
  else
    complain(
      cursor.report,
      token.span,
      `${shown(token)} is not expected here.`,
      "Take it out; a name of several words stands in double quotes.",
    );
  // What follows UNION is a statement of its own.
  if (isWord(token, "UNION", "INTERSECT", "EXCEPT")) skipAll(cursor);
  else skipToClause(cursor);
}

function readGrouping(cursor: Cursor): PathText | undefined {
  if (standsCall(cursor)) {
    refuseCall(cursor);
    return undefined;
  }
  const path = readPath(cursor, "a column to group by");
  return path && !refuseArithmetic(cursor) ? path : undefined;
}

function readOrdering(cursor: Cursor): OrderingText | undefined {
  const by = readSelection(cursor, false);
  if (!by) skipPart(cursor);
  const direction = isWord(peek(cursor), "DESC") ? "desc" : "asc";
  acceptWord(cursor, "ASC", "DESC");
  const nulls = peek(cursor);
  if (acceptWord(cursor, "NULLS"))
    refuse(cursor.report, spanning(nulls.span, take(cursor).span), refusals.nullsFirst);
  return by && { by, direction };
}

function readLimit(cursor: Cursor, clauses: Clauses): void {
  const first = peek(cursor);
  const negative = acceptSymbol(cursor, "-");
  const value = peek(cursor);
  if (!startsClause(cursor)) take(cursor);
  const limit = Number(value.text);
  if (value.kind === "number" && !negative && Number.isSafeInteger(limit) && limit >= 1)
    clauses.limit = limit;
  else refuse(cursor.report, spanning(first.span, value.span), refusals.limit);
  const comma = peek(cursor);
  if (acceptSymbol(cursor, ","))
    refuse(cursor.report, spanning(comma.span, take(cursor).span), refusals.limitWithOffset);
}
