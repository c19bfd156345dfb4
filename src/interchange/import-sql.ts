/**
 * A schema from SQL: a dump of Postgres, MySQL, SQLite or SQL Server, or a script by hand.
 *
 * Every statement is read by itself. CREATE TABLE goes to the dialect's grammar first; where that stops,
 * the tolerant reader's answer holds, and where both read it and differ, it is told. ALTER TABLE, unique
 * indexes, types and comments are read by hand. Everything else is skipped, with its lines and the
 * reason: nothing is lost in silence. The order of statements does not matter to references.
 */
import type {
  ImportedColumn,
  ImportedReference,
  ImportedTable,
  ImportNote,
  ReadSchema,
  SqlDialect,
} from "#model/imported-schema.ts";
import { anError, type Result } from "#model/issue.ts";
import { type SkippedList, skippedList } from "./skipped-parts.ts";
import { alterTable } from "./sql-alter-table.ts";
import { readCreateTable, tableNameAt } from "./sql-create-table.ts";
import { sqlDialectOf } from "./sql-dialect.ts";
import { openSqlParser, type SqlTableParser } from "./sql-parser.ts";
import { skipReason } from "./sql-skip-reason.ts";
import { type SqlStatement, splitStatements } from "./sql-statements.ts";
import { type ColumnSyntax, readNames, type SqlName, type TableParts } from "./sql-table-syntax.ts";
import { behindBracket, isSign, isWord, type SqlToken, sqlTokens } from "./sql-tokens.ts";
import { readSqlType } from "./sql-types.ts";

/** Larger texts are refused; a dump with rows may well be some megabytes. */
export const mostSqlCharacters = 80_000_000;
export const mostSqlTables = 2000;
/** A statement about a table that is longer than this is not looked into. */
const longestStatement = 1_000_000;

interface TableDraft {
  qualifier: string;
  name: string;
  readonly isQuoted: boolean;
  readonly line: number;
  readonly parts: TableParts;
  note: string | undefined;
}

interface Reading {
  readonly dialect: SqlDialect;
  readonly parser: SqlTableParser;
  readonly tables: TableDraft[];
  /** The same by name in small letters. */
  readonly byName: Map<string, TableDraft[]>;
  readonly skipped: SkippedList;
  readonly notes: ImportNote[];
  /** Types that the script makes, by name in small letters. */
  readonly types: Map<string, string>;
  /** Statements about tables that are created further down. */
  readonly waiting: SqlStatement[];
}

/** The tables of a script with what was skipped; refused where it is too large. */
export async function importSql(
  text: string,
  options: { readonly dialect?: SqlDialect } = {},
): Promise<Result<ReadSchema>> {
  if (text.length > mostSqlCharacters)
    return {
      ok: false,
      issues: [
        anError(
          "",
          `The text has ${text.length} characters; at most ${mostSqlCharacters} are read.`,
          "Leave the rows out: pg_dump --schema-only, or mysqldump --no-data.",
        ),
      ],
    };
  // SQL Server's tools write UTF-16; read as UTF-8 every other sign is a zero.
  if (text.slice(0, 1000).includes("\0"))
    return {
      ok: false,
      issues: [anError("", "The text is not in UTF-8.", "Save the file as UTF-8 and try again.")],
    };
  const dialect = options.dialect ?? sqlDialectOf(text);
  const reading: Reading = {
    dialect,
    parser: await openSqlParser(dialect),
    tables: [],
    byName: new Map(),
    skipped: skippedList(),
    notes: [],
    types: new Map(),
    waiting: [],
  };
  // Editors on Windows put a byte-order mark first.
  for (const statement of splitStatements(text.replace(/^\uFEFF/, " "), dialect, reading.notes))
    readStatement(reading, statement);
  for (const statement of reading.waiting.splice(0)) readStatement(reading, statement);
  for (const statement of reading.waiting)
    skip(reading, statement, "its table is not created in this text");
  return { ok: true, value: finished(reading), warnings: [] };
}

// --------------------------------------------------------------------------------------- statements

const createTable =
  /^\s*create\s+(?:or\s+replace\s+)?(?:(?:global|local|unlogged|foreign)\s+)*table\b/i;

function readStatement(reading: Reading, statement: SqlStatement): void {
  const { text } = statement;
  const isAboutTables = createTable.test(text) || /^\s*alter\s+(?:foreign\s+)?table\b/i.test(text);
  if (isAboutTables && text.length > longestStatement)
    skip(reading, statement, `longer than ${longestStatement} characters`);
  else if (createTable.test(text)) createdTable(reading, statement);
  else if (isAboutTables) alteredTable(reading, statement);
  else if (/^\s*create\s+unique\s+(?:\w+\s+)?index\b/i.test(text)) uniqueIndex(reading, statement);
  else if (/^\s*create\s+(?:type|domain)\b/i.test(text)) ownType(reading, statement);
  else if (/^\s*comment\s+on\s+table\b/i.test(text)) tableComment(reading, statement);
  else if (/^\s*drop\s+table\b/i.test(text)) droppedTables(reading, statement);
  else skip(reading, statement, skipReason(text));
}

function skip(reading: Reading, { text, line, lastLine }: SqlStatement, reason: string): void {
  const what = text.slice(0, 160).replaceAll(/\s+/g, " ").trim();
  const short = what.length > 70 ? `${what.slice(0, 69)}…` : what;
  // Rows of one table, settings and rights come in long rows.
  const target =
    /^(?:insert\s+into|insert|replace\s+into|copy|update|delete\s+from)\s+[^\s(]+/i.exec(what);
  const verb = /^\w+(?:\s+\w+)?/.exec(what)?.[0] ?? what;
  reading.skipped.add(line, lastLine, short, reason, (target?.[0] ?? verb).toLowerCase());
}

function tokensOf({ dialect }: Reading, { text, line }: SqlStatement): SqlToken[] {
  return sqlTokens(text, line, dialect);
}

function createdTable(reading: Reading, statement: SqlStatement): void {
  const read = readCreateTable(tokensOf(reading, statement), reading.dialect);
  if (!read.ok) {
    skip(reading, statement, read.reason);
    return;
  }
  const known = exactTable(reading, read.name);
  if (known && isTaken(reading, known, read.name)) {
    skip(reading, statement, `the table is already created in line ${known.line}`);
    return;
  }
  if (reading.tables.length >= mostSqlTables) {
    skip(reading, statement, `there are more than ${mostSqlTables} tables`);
    return;
  }
  const parts = checkedByParser(reading, statement, read.parts);
  const draft: TableDraft = { ...read.name, line: statement.line, parts, note: read.note };
  for (const like of read.parts.like) copyColumns(reading, draft, like);
  reading.tables.push(draft);
  index(reading, draft);
}

function index({ byName }: Reading, draft: TableDraft): void {
  const key = draft.name.toLowerCase();
  byName.set(key, [...(byName.get(key) ?? []), draft]);
}

function called({ byName }: Reading, name: string): readonly TableDraft[] {
  return byName.get(name.toLowerCase()) ?? [];
}

function forget({ byName }: Reading, draft: TableDraft): void {
  const key = draft.name.toLowerCase();
  byName.set(
    key,
    (byName.get(key) ?? []).filter((each) => each !== draft),
  );
}

/** In Postgres and MySQL "User" and "user" are two tables, if both are quoted. */
function isTaken({ dialect }: Reading, known: TableDraft, { name, isQuoted }: SqlName): boolean {
  const capitalsCount = dialect === "postgres" || dialect === "mysql";
  return known.name === name || !capitalsCount || !known.isQuoted || !isQuoted;
}

/** What the grammar says of the same statement; lines, types and clauses are the tolerant reader's. */
function checkedByParser(
  { parser, notes }: Reading,
  { text, line }: SqlStatement,
  tolerant: TableParts,
): TableParts {
  const read = parser(text);
  if (!read.ok) {
    const where = read.line === undefined ? "" : ` in line ${line + read.line - 1}`;
    notes.push({ line, text: `Read by the tolerant reader: ${read.reason}${where}.` });
    return tolerant;
  }
  const { parts } = read;
  if (shapeOf(parts) === shapeOf(tolerant)) return tolerant;
  notes.push({
    line,
    text: "The grammar and the tolerant reader read this table differently; the grammar’s answer is taken. Check its columns and keys.",
  });
  const known = new Map(tolerant.columns.map((column) => [column.name, column]));
  return {
    ...tolerant,
    columns: parts.columns.map((column) => ({
      ...column,
      sqlType: known.get(column.name)?.sqlType ?? column.sqlType,
      line: known.get(column.name)?.line ?? line,
    })),
    primaryKey: parts.primaryKey,
    uniqueKeys: parts.uniqueKeys,
    references: parts.references.map((each) => ({ ...each, line })),
  };
}

/** Columns, keys and references in one text, for comparing. */
function shapeOf({ columns, primaryKey, uniqueKeys, references }: TableParts): string {
  const sorted = <Each>(list: readonly Each[]): string[] =>
    list.map((each) => JSON.stringify(each)).sort();
  return JSON.stringify([
    columns.map(({ name, required }) => [name, required]),
    primaryKey,
    sorted(uniqueKeys),
    sorted(references.map((each) => [each.columns, each.parent.name, each.parentColumns])),
  ]);
}

/** LIKE and INHERITS: the columns of another table, and for LIKE in MySQL its keys. */
function copyColumns(reading: Reading, { parts, line }: TableDraft, like: SqlName): void {
  const other = findTable(reading, like);
  if (!other) {
    reading.skipped.add(
      line,
      line,
      `LIKE ${like.name}`,
      "that table is not created before this one",
    );
    return;
  }
  const own = new Set(parts.columns.map(({ name }) => name.toLowerCase()));
  parts.columns.unshift(...other.parts.columns.filter(({ name }) => !own.has(name.toLowerCase())));
  if (reading.dialect !== "mysql") return;
  parts.primaryKey = other.parts.primaryKey;
  parts.uniqueKeys.push(...other.parts.uniqueKeys);
}

function alteredTable(reading: Reading, statement: SqlStatement): void {
  const tokens = tokensOf(reading, statement);
  let named = tableNameAt(tokens);
  // ALTER TABLE IF EXISTS [ONLY] name.
  if (isWord(tokens[2], "if")) named = tableNameAt([...tokens.slice(0, 2), ...tokens.slice(4)]);
  const skippedWords = isWord(tokens[2], "if") ? 2 : 0;
  if (!named) {
    skip(reading, statement, "the name of the table could not be read");
    return;
  }
  const draft = findTable(reading, named.name);
  if (!draft) {
    reading.waiting.push(statement);
    return;
  }
  alterTable(draft.parts, tokens.slice(named.end + skippedWords), reading.dialect, (to) => {
    forget(reading, draft);
    draft.name = to.name;
    if (to.qualifier !== "") draft.qualifier = to.qualifier;
    index(reading, draft);
  });
}

function uniqueIndex(reading: Reading, statement: SqlStatement): void {
  const tokens = tokensOf(reading, statement);
  const on = tokens.findIndex((token) => isWord(token, "on"));
  const open = tokens.findIndex((token, index) => index > on && isSign(token, "("));
  const at = isWord(tokens[on + 1], "only") ? on + 2 : on + 1;
  const named =
    on < 0
      ? undefined
      : tableNameAt([{ ...(tokens[on] as SqlToken), text: "table" }, ...tokens.slice(at)]);
  const end = open < 0 ? tokens.length : behindBracket(tokens, open);
  const columns = open < 0 ? undefined : readNames(tokens.slice(open + 1, end - 1));
  const draft = named && findTable(reading, named.name);
  if (!named || !columns)
    skip(reading, statement, "a key over an expression; entities have keys over attributes only");
  else if (tokens.slice(end).some((token) => isWord(token, "where")))
    skip(reading, statement, "unique among some rows only");
  else if (draft) draft.parts.uniqueKeys.push(columns);
  else reading.waiting.push(statement);
}

/** CREATE TYPE name AS ENUM (…), CREATE DOMAIN name AS type. */
function ownType(reading: Reading, statement: SqlStatement): void {
  const text = statement.text.replaceAll(/\s+/g, " ").trim();
  const found =
    /^create (?:type|domain) (?:[^\s.]+\.)*("[^"]+"|[^\s."]+) (?:as |from )?(.+)$/i.exec(text);
  const [, name = "", base = ""] = found ?? [];
  const isEnum = /^enum ?\(/i.test(base);
  if (!found || base.startsWith("(") || /^range\b/i.test(base)) {
    skip(reading, statement, "a type of several parts; columns of it are kept as text");
    return;
  }
  const written = isEnum
    ? base
    : (/^[\w. "]+?(?:\([\d, ]*\))?(?= (?:not|null|default|check|constraint|collate)\b|$)/i.exec(
        base,
      )?.[0] ?? base);
  reading.types.set(name.replaceAll('"', "").toLowerCase(), written);
}

function tableComment(reading: Reading, statement: SqlStatement): void {
  const tokens = tokensOf(reading, statement);
  const named = tableNameAt(tokens);
  const draft = named && findTable(reading, named.name);
  const text = tokens.at(-1);
  if (draft && text?.kind === "text") draft.note = text.text.trim() || undefined;
  else if (named && !draft) reading.waiting.push(statement);
  else skip(reading, statement, "a comment that could not be read");
}

function droppedTables(reading: Reading, statement: SqlStatement): void {
  const tokens = tokensOf(reading, statement);
  const named = tableNameAt(tokens);
  const draft = named && exactTable(reading, named.name);
  if (!draft) {
    skip(reading, statement, "it drops nothing that this text has created");
    return;
  }
  reading.tables.splice(reading.tables.indexOf(draft), 1);
  forget(reading, draft);
  skip(reading, statement, `so the table of line ${draft.line} is not taken over`);
}

// ------------------------------------------------------------------------------------------- names

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The very table, whose qualifier is the same too. */
function exactTable(reading: Reading, { qualifier, name }: SqlName): TableDraft | undefined {
  const tables = called(reading, name);
  const equal = tables.find((each) => each.name === name && each.qualifier === qualifier);
  return equal ?? tables.find((each) => same(each.qualifier, qualifier));
}

/** The table that a name means: the very one, else the only one that is called so. */
function findTable(reading: Reading, wanted: SqlName): TableDraft | undefined {
  const exact = exactTable(reading, wanted);
  if (exact) return exact;
  const fitting = called(reading, wanted.name).filter(
    (each) => each.qualifier === "" || wanted.qualifier === "" || isTail(each, wanted),
  );
  const usual = fitting.find((each) => /^(?:public|dbo)$/i.test(each.qualifier));
  return fitting.length === 1 ? fitting[0] : usual;
}

/** `db.dbo` and `dbo` are the same qualifier, written in full or not. */
function isTail(a: SqlName, b: SqlName): boolean {
  const [left, right] = [a.qualifier.toLowerCase(), b.qualifier.toLowerCase()];
  return left.endsWith(`.${right}`) || right.endsWith(`.${left}`);
}

// ---------------------------------------------------------------------------------------- the answer

function finished(reading: Reading): ReadSchema {
  const { dialect, tables, skipped, notes } = reading;
  const read = tables.map((draft) => tableOf(reading, draft));
  return {
    dialect,
    tables: read,
    skipped: skipped.all(),
    notes: [...notes].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

function idOf({ qualifier, name }: SqlName): string {
  return qualifier === "" ? name : `${qualifier}.${name}`;
}

function tableOf(reading: Reading, draft: TableDraft): ImportedTable {
  const { parts, line, note } = draft;
  for (const { line: at, what, reason } of parts.left)
    reading.skipped.add(at, at, `${draft.name}: ${what}`, reason, `${draft.name} ${reason}`);
  const columns = distinctColumns(reading, draft).map((column) => columnOf(reading, draft, column));
  const named = keyNamer(reading, draft, columns);
  const primaryKey = named(parts.primaryKey, line, "the primary key") ?? [];
  const uniqueKeys = parts.uniqueKeys.flatMap((key) => {
    const names = named(key, line, "a unique key");
    return names ? [names] : [];
  });
  return {
    id: idOf(draft),
    qualifier: draft.qualifier,
    name: draft.name,
    line,
    // A primary key is never null, whether it is said or not.
    columns: columns.map((column) =>
      primaryKey.includes(column.name) ? { ...column, required: true } : column,
    ),
    primaryKey,
    uniqueKeys,
    references: parts.references.flatMap((reference) => {
      const names = named(reference.columns, reference.line, "a foreign key");
      const found = names && referenceOf(reading, draft, reference, names);
      return found ? [found] : [];
    }),
    ...(note !== undefined && { note }),
  };
}

/** The first of columns that have the same name. */
function distinctColumns({ skipped }: Reading, { name, parts }: TableDraft): ColumnSyntax[] {
  const seen = new Set<string>();
  return parts.columns.filter((column) => {
    const isNew = !seen.has(column.name);
    seen.add(column.name);
    if (!isNew)
      skipped.add(
        column.line,
        column.line,
        `${name}: ${column.name}`,
        "a column of this name is there already",
      );
    return isNew;
  });
}

function columnOf(
  { types, notes }: Reading,
  { name: table }: TableDraft,
  { name, sqlType, required, zeroByDefault, line }: ColumnSyntax,
): ImportedColumn {
  const { type, bytes, note } = readSqlType(sqlType, types);
  if (note) notes.push({ line, text: `${table}.${name} (${sqlType || "no type"}) ${note}.` });
  return {
    name,
    sqlType,
    type,
    ...(bytes !== undefined && { bytes }),
    required,
    zeroByDefault,
    line,
  };
}

type KeyNamer = (
  names: readonly string[],
  line: number,
  what: string,
) => readonly string[] | undefined;

/** Names of a key as its columns are spelt; a key that names no column is skipped and told. */
function keyNamer(
  { skipped }: Reading,
  { name: table }: TableDraft,
  columns: readonly ImportedColumn[],
): KeyNamer {
  return (names, line, what) => {
    const found = names.map(
      (name) =>
        columns.find((column) => column.name === name) ??
        columns.find((column) => same(column.name, name)),
    );
    const missing = names[found.indexOf(undefined)];
    if (missing === undefined)
      return [...new Set(found.flatMap((each) => (each ? [each.name] : [])))];
    skipped.add(
      line,
      line,
      `${table}: ${what} over ${names.join(", ")}`,
      `the table has no column ${missing}`,
    );
    return undefined;
  };
}

function referenceOf(
  reading: Reading,
  { name: table }: TableDraft,
  { parent: wanted, parentColumns, line }: TableParts["references"][number],
  columns: readonly string[],
): ImportedReference | undefined {
  const what = `${table}: foreign key (${columns.join(", ")}) to ${idOf(wanted)}`;
  const parent = findTable(reading, wanted);
  if (!parent) {
    reading.skipped.add(line, line, what, "that table is not created in this text");
    return undefined;
  }
  const meant = parentColumns.length > 0 ? parentColumns : parent.parts.primaryKey;
  const names = meant.map(
    (name) => parent.parts.columns.find((column) => same(column.name, name))?.name,
  );
  const known = names.flatMap((name) => (name === undefined ? [] : [name]));
  if (known.length === columns.length && names.length === known.length)
    return { columns, parent: idOf(parent), parentColumns: known, line };
  const reason =
    known.length < names.length
      ? `${parent.name} has no column ${meant[names.indexOf(undefined)]}`
      : `it names ${columns.length} and ${names.length} columns`;
  reading.skipped.add(line, line, what, reason);
  return undefined;
}
