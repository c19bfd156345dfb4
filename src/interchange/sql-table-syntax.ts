/**
 * What a CREATE TABLE or an ALTER TABLE says about a table, before names are resolved, and a tolerant
 * reader of its columns and constraints: it knows the words that matter, steps over brackets, and notes
 * what it leaves out.
 */
import type { SqlDialect } from "#model/imported-schema.ts";
import { behindBracket, isSign, isWord, listItems, type SqlToken } from "./sql-tokens.ts";
import { isKnownType } from "./sql-types.ts";

export interface SqlName {
  readonly qualifier: string;
  readonly name: string;
  /** Capitals count then, in dialects where they do. */
  readonly isQuoted: boolean;
}

export interface ColumnSyntax {
  readonly name: string;
  readonly sqlType: string;
  readonly required: boolean;
  readonly zeroByDefault: boolean;
  readonly line: number;
}

export interface ReferenceSyntax {
  readonly columns: readonly string[];
  readonly parent: SqlName;
  /** Empty for the parent's primary key. */
  readonly parentColumns: readonly string[];
  readonly line: number;
}

/** A clause that has no counterpart among entities. */
export interface LeftClause {
  readonly line: number;
  readonly what: string;
  readonly reason: string;
}

export interface TableParts {
  readonly columns: ColumnSyntax[];
  primaryKey: readonly string[];
  readonly uniqueKeys: (readonly string[])[];
  readonly references: ReferenceSyntax[];
  readonly left: LeftClause[];
  /** Tables whose columns this one has too. */
  readonly like: SqlName[];
}

export function emptyParts(): TableParts {
  return { columns: [], primaryKey: [], uniqueKeys: [], references: [], left: [], like: [] };
}

/** `schema.name`, and the index behind it; undefined where no name stands there. */
export function readSqlName(
  tokens: readonly SqlToken[],
  from: number,
): { readonly name: SqlName; readonly end: number } | undefined {
  const parts: string[] = [];
  let at = from;
  let isQuoted = false;
  for (;;) {
    const token = tokens[at];
    if (token === undefined || token.kind === "sign" || token.kind === "number") return undefined;
    parts.push(token.text);
    isQuoted = token.kind === "quoted";
    at += 1;
    if (!isSign(tokens[at], ".")) break;
    at += 1;
  }
  const [name = "", ...qualifiers] = parts.toReversed();
  return { name: { qualifier: qualifiers.toReversed().join("."), name, isQuoted }, end: at };
}

/** Names of a bracketed list without lengths and orders; undefined where one is an expression. */
export function readNames(tokens: readonly SqlToken[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const item of listItems(tokens)) {
    const [first, second, third] = item;
    const isName = first?.kind === "word" || first?.kind === "quoted" || first?.kind === "text";
    const isCall = isSign(second, "(") && third?.kind !== "number";
    if (!first || !isName || isCall) return undefined;
    names.push(first.text);
  }
  return names.length > 0 ? names : undefined;
}

/** The names in the brackets at `open`, and the index behind them. */
function namesAt(
  tokens: readonly SqlToken[],
  open: number,
): { readonly names: readonly string[] | undefined; readonly end: number } {
  if (!isSign(tokens[open], "(")) return { names: undefined, end: open };
  const end = behindBracket(tokens, open);
  return { names: readNames(tokens.slice(open + 1, end - 1)), end };
}

/** Reads one item of a table's body, a column or a constraint, into `parts`. */
export function readTableItem(
  parts: TableParts,
  item: readonly SqlToken[],
  dialect: SqlDialect,
): void {
  const first = item[0];
  if (!first) return;
  if (isWord(first, "constraint")) {
    // The name may be left out: CONSTRAINT PRIMARY KEY (…).
    const named = isConstraintWord(item[1]) && !isSign(item[2], ".") && isKeyStart(item, 1) ? 1 : 2;
    readConstraint(parts, item.slice(named), first);
  } else if (isConstraintStart(item, dialect)) readConstraint(parts, item, first);
  else readColumn(parts, item);
}

function isConstraintWord(token: SqlToken | undefined): boolean {
  return isWord(token, "primary", "unique", "foreign", "check");
}

function isKeyStart(item: readonly SqlToken[], at: number): boolean {
  const [word, next] = [item[at], item[at + 1]];
  if (isWord(word, "primary", "foreign")) return isWord(next, "key");
  if (isWord(word, "check")) return isSign(next, "(");
  return isWord(word, "unique") && (isSign(next, "(") || isWord(next, "key", "index"));
}

/** Words such as KEY may also name a column: then a type follows. */
function isConstraintStart(item: readonly SqlToken[], dialect: SqlDialect): boolean {
  const [first, second, third] = item;
  if (isWord(first, "primary", "foreign")) return isWord(second, "key");
  if (isWord(first, "exclude")) return isWord(second, "using") || isSign(second, "(");
  if (isWord(first, "check")) return isSign(second, "(");
  if (isWord(first, "like")) return second?.kind !== "sign" && !isTypeAfter(item);
  if (isWord(first, "period")) return isWord(second, "for");
  if (isWord(first, "fulltext", "spatial"))
    return isWord(second, "key", "index") || isSign(second, "(") || isSign(third, "(");
  if (isWord(first, "unique")) return !isTypeAfter(item);
  return isWord(first, "key", "index") && dialect !== "postgres" && !isTypeAfter(item);
}

/** The second word is a type, so that the first one names a column. */
function isTypeAfter([, second, third, fourth]: readonly SqlToken[]): boolean {
  if (second?.kind !== "word" || !isKnownType(second.text)) return false;
  return !isSign(third, "(") || fourth?.kind === "number" || fourth?.kind === "text";
}

function readConstraint(parts: TableParts, item: readonly SqlToken[], first: SqlToken): void {
  const [word] = item;
  const open = item.findIndex((token) => isSign(token, "("));
  const { names, end } = namesAt(item, open < 0 ? item.length : open);
  const leave = (reason: string): void => {
    parts.left.push({ line: first.line, what: spelt(item), reason });
  };
  if (isWord(word, "primary") && names) parts.primaryKey = names;
  else if (isWord(word, "unique") && names) parts.uniqueKeys.push(names);
  else if (isWord(word, "foreign")) readForeignKey(parts, item, names, end, leave);
  else if (isWord(word, "like")) {
    const like = readSqlName(item, 1);
    if (like) parts.like.push(like.name);
    else leave("the table that it is like could not be read");
  } else leave(whyLeft(word));
}

function whyLeft(word: SqlToken | undefined): string {
  if (isWord(word, "primary")) return "the columns of this key could not be read";
  if (isWord(word, "unique"))
    return "a key over an expression; entities have keys over attributes only";
  if (isWord(word, "check")) return valueCheck;
  if (isWord(word, "key", "index", "fulltext", "spatial"))
    return "an index; which tables a query needs is designed anew";
  return "a constraint that entities do not have";
}

const valueCheck = "a check of values; Cassandra has none";

function readForeignKey(
  parts: TableParts,
  item: readonly SqlToken[],
  columns: readonly string[] | undefined,
  end: number,
  leave: (reason: string) => void,
): void {
  const at = item.findIndex((token, index) => index >= end && isWord(token, "references"));
  const parent = at < 0 ? undefined : readSqlName(item, at + 1);
  if (!columns || !parent) {
    leave("this foreign key could not be read");
    return;
  }
  const { names } = namesAt(item, parent.end);
  const line = item[0]?.line ?? 0;
  parts.references.push({ columns, parent: parent.name, parentColumns: names ?? [], line });
}

/** Words that go on with a type after its first word. */
const typeWords = new Set(
  "varying precision unsigned signed zerofill byte large object array year month day hour minute second to local zone".split(
    " ",
  ),
);

/** The index behind the type that begins at `from`. */
function typeEnd(item: readonly SqlToken[], from: number): number {
  let at = from;
  const first = item[at];
  if (first?.kind !== "word" && first?.kind !== "quoted") return at;
  if (columnWords.has(first.text.toLowerCase()) && first.kind === "word") return at;
  at += 1;
  while (isSign(item[at], ".")) at += 2;
  for (let more = typeGoesOn(item, at); more > at; more = typeGoesOn(item, at)) at = more;
  return at;
}

/** The index behind what goes on with a type at `at`; `at` itself where nothing does. */
function typeGoesOn(item: readonly SqlToken[], at: number): number {
  const token = item[at];
  if (isSign(token, "(")) return behindBracket(item, at);
  if (isSign(token, "[")) return at + (isSign(item[at + 1], "]") ? 2 : 3);
  if (isWord(token, "with", "without") && isWord(item[at + 1], "time", "local")) return at + 2;
  const isMore = token?.kind === "word" && typeWords.has(token.text.toLowerCase());
  return isMore ? at + 1 : at;
}

/** Words that say something about a column, behind its type or in its place. */
const columnWords = new Set(
  "not null default primary unique references check constraint collate generated auto_increment autoincrement identity comment on as key charset invisible visible stored virtual".split(
    " ",
  ),
);

interface ColumnFacts {
  required: boolean;
  zeroByDefault: boolean;
}

export function readColumn(parts: TableParts, item: readonly SqlToken[]): void {
  const [name] = item;
  if (!name || name.kind === "sign" || name.kind === "number") {
    if (name)
      parts.left.push({
        line: name.line,
        what: spelt(item),
        reason: "neither a column nor a constraint that is known",
      });
    return;
  }
  const from = typeEnd(item, 1);
  const facts: ColumnFacts = { required: false, zeroByDefault: false };
  readOptions(parts, item, from, facts);
  parts.columns.push({
    name: name.text,
    sqlType: spelt(item.slice(1, from), 200),
    ...facts,
    line: name.line,
  });
}

/** NOT NULL, keys, references, defaults; brackets of anything else are stepped over. */
function readOptions(
  parts: TableParts,
  item: readonly SqlToken[],
  from: number,
  facts: ColumnFacts,
): void {
  const name = item[0]?.text ?? "";
  let at = from;
  while (at < item.length) {
    const token = item[at];
    if (isSign(token, "(")) at = behindBracket(item, at);
    else if (isWord(token, "references")) at = readOwnReference(parts, item, at);
    else if (isWord(token, "default")) at = readDefault(item, at, facts);
    else if (isWord(token, "check")) at = leftOption(parts, item, at, valueCheck);
    else if (isComputed(item, at)) at = leftOption(parts, item, at, computed);
    else at += readFlag(parts, name, token, item[at + 1], facts);
  }
}

const computed = "how this column is computed is not kept; it is an attribute like any other";

/** `AS (…)`, or `GENERATED ALWAYS AS (…)`. */
function isComputed(item: readonly SqlToken[], at: number): boolean {
  const as = isWord(item[at], "generated") ? at + 2 : at;
  return isWord(item[as], "as") && isSign(item[as + 1], "(");
}

/** Notes an option with an expression; returns where its bracket stands. */
function leftOption(
  parts: TableParts,
  item: readonly SqlToken[],
  at: number,
  reason: string,
): number {
  const what = `${item[0]?.text ?? ""}: ${spelt(item.slice(at))}`;
  parts.left.push({ line: item[at]?.line ?? 0, what, reason });
  const open = item.findIndex((token, index) => index > at && isSign(token, "("));
  return open < 0 ? item.length : open;
}

/** Flags of one or two words; returns how many were read. */
function readFlag(
  parts: TableParts,
  name: string,
  token: SqlToken | undefined,
  next: SqlToken | undefined,
  facts: ColumnFacts,
): number {
  if (isWord(token, "constraint", "comment", "collate", "on")) return 2;
  if (isWord(token, "not") && isWord(next, "null")) {
    facts.required = true;
    return 2;
  }
  if (isWord(token, "foreign") && isWord(next, "key")) return 2;
  if (isWord(token, "primary") || isWord(token, "key")) {
    parts.primaryKey = [name];
    return isWord(token, "primary") && isWord(next, "key") ? 2 : 1;
  }
  if (isWord(token, "unique")) {
    parts.uniqueKeys.push([name]);
    return isWord(next, "key") ? 2 : 1;
  }
  return 1;
}

function readDefault(item: readonly SqlToken[], at: number, facts: ColumnFacts): number {
  const value = item[at + 1];
  if ((value?.kind === "number" || value?.kind === "text") && /^0(?:\.0+)?$/.test(value.text))
    facts.zeroByDefault = true;
  return isSign(value, "(") ? behindBracket(item, at + 1) : at + 2;
}

/** `REFERENCES parent (column)` behind a column. */
function readOwnReference(parts: TableParts, item: readonly SqlToken[], at: number): number {
  const line = item[at]?.line ?? 0;
  const parent = readSqlName(item, at + 1);
  if (!parent) return at + 1;
  const { names, end } = namesAt(item, parent.end);
  const columns = [item[0]?.text ?? ""];
  parts.references.push({ columns, parent: parent.name, parentColumns: names ?? [], line });
  return end;
}

/** Tokens as they were written, in one line, shortened. */
export function spelt(tokens: readonly SqlToken[], most = 80): string {
  let text = "";
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isApart = before !== undefined && token.start > before.end;
    text += `${isApart ? " " : ""}${token.kind === "text" ? `'${token.text}'` : token.text}`;
    if (text.length > most) return `${text.slice(0, most - 1)}…`;
  }
  return text;
}
