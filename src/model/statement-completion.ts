/**
 * What can stand at a place of a statement that is being written: keywords, entities, and the roles and
 * attributes that the path before it allows.
 *
 * Decides by the words before the place and by the whole FROM, also where that comes later in the text.
 * The text may be broken anywhere; where nothing sensible is known, nothing is proposed. Promises that
 * a proposal is spelt as it has to stand, odd names in quotes.
 */
import { type EntityGraph, rolesOf, walkRole } from "./entity-graph.ts";
import { matchName } from "./name-matching.ts";
import { quoted } from "./statement-spelling.ts";
import { type Report, type Token, tokenise } from "./statement-tokens.ts";

export interface Completion {
  /** As it is to be written. */
  readonly text: string;
  readonly kind: "keyword" | "entity" | "role" | "attribute";
  /** What it is or where it leads, in a few words; "" for keywords. */
  readonly detail: string;
}

export interface Completions {
  /** Where the word begins that a proposal replaces, up to the place asked about. */
  readonly from: number;
  readonly options: readonly Completion[];
}

/** Proposals for a place in a text, counted in UTF-16 units from its start. */
export function completeStatement(text: string, at: number, graph: EntityGraph): Completions {
  const report: Report = { place: "", issues: [] };
  const tokens = tokenise(text, report).filter(({ kind }) => kind !== "end");
  const within = tokens.find(({ span }) => span.start < at && at <= span.end);
  const isName = within?.kind === "word" || within?.kind === "quoted";
  if ((within && !isName && at < within.span.end) || isInComment(text, at, tokens))
    return { from: at, options: [] };
  if (within && ["string", "parameter", "number"].includes(within.kind))
    return { from: at, options: [] };
  const from = isName ? within.span.start : at;
  const before = tokens.filter(({ span }) => span.end <= from);
  const scope = scopeOf(tokens, graph);
  const path = pathBefore(before);
  const clause = clauseOf(before);
  const options = path
    ? afterDot(path, clause, scope, graph)
    : inClause(clause, before, scope, graph);
  return { from, options };
}

// ------------------------------------------------------------------------------------- the place

type Clause =
  | "start"
  | "select"
  | "sources"
  | "target"
  | "set"
  | "links"
  | "conditions"
  | "orders"
  | "other";

const clauseOfWord: Readonly<Record<string, Clause>> = {
  SELECT: "select",
  FROM: "sources",
  JOIN: "sources",
  INTO: "target",
  UPDATE: "target",
  CONNECT: "target",
  DISCONNECT: "target",
  SET: "set",
  TO: "links",
  WHERE: "conditions",
  ON: "conditions",
  BY: "orders",
  LIMIT: "other",
};

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toUpperCase());
}

function isSign(token: Token | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === "symbol" && signs.includes(token.text);
}

/** A word right behind a dot is a name, whatever it says; in `r. FROM` the name is still missing. */
function isNamePart(tokens: readonly Token[], at: number): boolean {
  const dot = tokens[at - 1];
  return isSign(dot, ".") && dot?.span.end === tokens[at]?.span.start;
}

function clauseOf(before: readonly Token[]): Clause {
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const token = before[at];
    if (token?.kind !== "word" || isNamePart(before, at)) continue;
    const word = token.text.toUpperCase();
    const clause = Object.hasOwn(clauseOfWord, word) ? clauseOfWord[word] : undefined;
    // CONNECT TO of an INSERT, and DISCONNECT … FROM, lead to roles.
    if (word === "FROM" && isWord(before[0], "DISCONNECT")) return "links";
    if (clause) return clause;
  }
  return "start";
}

/** The names before a dot at the end, in order; undefined without a dot. */
function pathBefore(before: readonly Token[]): readonly string[] | undefined {
  const names: string[] = [];
  let at = before.length - 1;
  while (isSign(before[at], ".")) {
    const name = before[at - 1];
    if (name?.kind !== "word" && name?.kind !== "quoted") return [];
    names.unshift(name.text);
    at -= 2;
  }
  return names.length > 0 ? names : undefined;
}

function isInComment(text: string, at: number, tokens: readonly Token[]): boolean {
  const last = tokens.filter(({ span }) => span.end <= at).at(-1)?.span.end ?? 0;
  const gap = text.slice(last, at);
  return /--[^\n]*$/.test(gap) || gap.lastIndexOf("/*") > gap.lastIndexOf("*/");
}

// ------------------------------------------------------------------------------------- the names

/** The names a column can begin with, and the entity each stands for. */
type Scope = ReadonlyMap<string, string>;

/** What FROM, JOIN, INTO and UPDATE name: entities, the roles walked from them, and aliases. */
function scopeOf(tokens: readonly Token[], graph: EntityGraph): Scope {
  const scope = new Map<string, string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word" || isNamePart(tokens, at)) continue;
    const clause = clauseOfWord[token.text.toUpperCase()];
    if (clause !== "sources" && clause !== "target") continue;
    let next = addSource(tokens, at + 1, scope, graph);
    while (isSign(tokens[next], ",")) next = addSource(tokens, next + 1, scope, graph);
  }
  return scope;
}

/** Reads `entity.role.role alias`; gives the position behind it. */
function addSource(
  tokens: readonly Token[],
  begin: number,
  scope: Map<string, string>,
  graph: EntityGraph,
): number {
  let at = begin;
  const first = tokens[at];
  if (first?.kind !== "word" && first?.kind !== "quoted") return at;
  let entity = entityNamed(first.text, scope, graph);
  if (entity !== undefined && !scope.has(first.text)) scope.set(first.text, entity);
  at += 1;
  while (isSign(tokens[at], ".") && tokens[at + 1]?.kind !== "symbol") {
    const role = tokens[at + 1]?.text ?? "";
    entity = entity === undefined ? undefined : entityBehind(graph, entity, role);
    if (entity !== undefined) scope.set(role, entity);
    at += 2;
  }
  return addAlias(tokens, at, entity, scope);
}

function addAlias(
  tokens: readonly Token[],
  begin: number,
  entity: string | undefined,
  scope: Map<string, string>,
): number {
  const at = isWord(tokens[begin], "AS") ? begin + 1 : begin;
  const alias = tokens[at];
  const isAlias = alias?.kind === "quoted" || (alias?.kind === "word" && !isKeyword(alias.text));
  if (!isAlias) return at;
  if (entity !== undefined) scope.set(alias.text, entity);
  return at + 1;
}

function entityNamed(name: string, scope: Scope, graph: EntityGraph): string | undefined {
  const known = matchName(name, [...scope.keys()]);
  if (known !== undefined) return scope.get(known);
  return matchName(name, Object.keys(graph.entities));
}

function entityBehind(graph: EntityGraph, entity: string, role: string): string | undefined {
  const name = matchName(role, rolesOf(graph, entity));
  const walk = name === undefined ? undefined : walkRole(graph, entity, name);
  return walk?.relationship.ends[walk.toEnd].entity;
}

// --------------------------------------------------------------------------------- the proposals

function afterDot(
  path: readonly string[],
  clause: Clause,
  scope: Scope,
  graph: EntityGraph,
): readonly Completion[] {
  const [head, ...roles] = path;
  if (head === undefined) return [];
  let entity = entityNamed(head, scope, graph) ?? roleOfScope(head, scope, graph);
  for (const role of roles)
    entity = entity === undefined ? undefined : entityBehind(graph, entity, role);
  if (entity === undefined) return [];
  if (clause === "sources") return rolesFrom(graph, entity);
  return [...attributesOf(graph, entity), ...rolesFrom(graph, entity)];
}

/** A role that is walked from what FROM names, without being named there. */
function roleOfScope(role: string, scope: Scope, graph: EntityGraph): string | undefined {
  for (const entity of scope.values()) {
    const behind = entityBehind(graph, entity, role);
    if (behind !== undefined) return behind;
  }
  return undefined;
}

function inClause(
  clause: Clause,
  before: readonly Token[],
  scope: Scope,
  graph: EntityGraph,
): readonly Completion[] {
  const previous = before.at(-1);
  if (clause === "start") return keywordsFor(before);
  if (clause === "other" || wantsValue(previous)) return [];
  // Behind a name, a value or a bracket a part is complete: a keyword goes on.
  if (!beginsPart(previous)) return keywordsFor(before);
  const target = [...scope.values()][0];
  switch (clause) {
    case "sources":
    case "target":
      return entitiesOf(graph);
    case "set":
      return target === undefined ? [] : attributesOf(graph, target);
    case "links":
      return target === undefined ? [] : rolesFrom(graph, target);
    default: {
      const heads = headsOf(scope, graph);
      return clause === "select" ? [...heads, ...aggregates] : heads;
    }
  }
}

function wantsValue(previous: Token | undefined): boolean {
  return isSign(previous, "=", "<", ">", "<=", ">=") || isWord(previous, "IN", "BETWEEN");
}

function beginsPart(previous: Token | undefined): boolean {
  if (isSign(previous, ",", "(")) return true;
  return isWord(previous, ...Object.keys(clauseOfWord), "AND");
}

function headsOf(scope: Scope, graph: EntityGraph): readonly Completion[] {
  if (scope.size === 0) return entitiesOf(graph);
  return [...scope].map(([name, entity]) => ({
    text: quoted(name),
    kind: name === entity ? "entity" : "role",
    detail: name === entity ? "entity" : entity,
  }));
}

function entitiesOf(graph: EntityGraph): readonly Completion[] {
  return Object.keys(graph.entities).map((name) => ({
    text: quoted(name),
    kind: "entity",
    detail: "entity",
  }));
}

/** Own attributes; a foreign key is reached through its role. */
function attributesOf(graph: EntityGraph, entity: string): readonly Completion[] {
  return (graph.entities[entity]?.attributes ?? [])
    .filter(({ foreignKeyOf }) => foreignKeyOf === undefined)
    .map(({ name, type }) => ({ text: quoted(name), kind: "attribute", detail: type }));
}

function rolesFrom(graph: EntityGraph, entity: string): readonly Completion[] {
  return rolesOf(graph, entity).map((role) => ({
    text: quoted(role),
    kind: "role",
    detail: `leads to ${entityBehind(graph, entity, role) ?? ""}`,
  }));
}

const keyword = (text: string): Completion => ({ text, kind: "keyword", detail: "" });
const aggregates = ["count(*)", "sum(", "min(", "max(", "avg("].map(keyword);
const changes = ["INSERT INTO", "UPDATE", "DELETE FROM", "CONNECT", "DISCONNECT"];
const verbs = ["SELECT", ...changes].map(keyword);
const goesOn: Readonly<Record<Clause, readonly string[]>> = {
  start: ["FROM", "INTO"],
  select: ["FROM"],
  sources: ["WHERE", "JOIN", "SET", "GROUP BY", "ORDER BY", "LIMIT"],
  target: ["SET", "FROM", "TO"],
  set: ["WHERE", "AND CONNECT TO"],
  links: [],
  conditions: ["AND", "IN", "BETWEEN", "GROUP BY", "ORDER BY", "LIMIT"],
  orders: ["ASC", "DESC", "ORDER BY", "LIMIT"],
  other: [],
};

function keywordsFor(before: readonly Token[]): readonly Completion[] {
  return before.length === 0 ? verbs : goesOn[clauseOf(before)].map(keyword);
}

const furtherKeywords = ["AND", "AS", "GROUP", "ORDER", "INNER", "ASC", "DESC", "VALUES", "IN"];

function isKeyword(word: string): boolean {
  const upper = word.toUpperCase();
  return Object.hasOwn(clauseOfWord, upper) || furtherKeywords.includes(upper);
}
