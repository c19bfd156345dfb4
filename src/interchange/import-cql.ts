/**
 * Tables from CQL: scripts and what `DESCRIBE` of cqlsh prints. Keys, directions, static columns and
 * counters are read; keyspaces, types, indexes and materialised views are skipped with their lines and
 * the reason.
 */
import type { CqlColumn, CqlTable, ImportNote, ReadCql } from "#model/imported-schema.ts";
import { anError, type Result } from "#model/issue.ts";
import { readCqlColumnType } from "./cql-types.ts";
import { type SkippedList, skippedList } from "./skipped-parts.ts";
import { type SqlStatement, splitStatements } from "./sql-statements.ts";
import { readSqlName, spelt } from "./sql-table-syntax.ts";
import { behindBracket, isSign, isWord, type SqlToken, sqlTokens } from "./sql-tokens.ts";

/** Schemas of Cassandra hold no rows; more than this is something else. */
export const mostCqlCharacters = 10_000_000;

interface TableDraft {
  readonly keyspace: string;
  readonly name: string;
  readonly line: number;
  columns: CqlColumn[];
  partitionKey: readonly string[];
  clusteringKey: CqlTable["clusteringKey"];
  note?: string;
}

interface Reading {
  readonly tables: Map<string, TableDraft>;
  readonly skipped: SkippedList;
  readonly notes: ImportNote[];
  keyspace: string;
}

/** The tables of a text with what was skipped; refused where it is too large. */
export function importCql(text: string): Result<ReadCql> {
  if (text.length > mostCqlCharacters)
    return {
      ok: false,
      issues: [
        anError(
          "",
          `The text has ${text.length} characters; at most ${mostCqlCharacters} are read.`,
          "Give the output of DESCRIBE KEYSPACE alone.",
        ),
      ],
    };
  const reading: Reading = {
    tables: new Map(),
    skipped: skippedList(),
    notes: [],
    keyspace: "",
  };
  for (const statement of splitStatements(text.replace(/^\uFEFF/, " "), "cql", reading.notes))
    readStatement(reading, statement);
  const tables = [...reading.tables].map(([id, draft]): CqlTable => ({ id, ...draft }));
  return {
    ok: true,
    value: { tables, skipped: reading.skipped.all(), notes: reading.notes },
    warnings: [],
  };
}

const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^create (?:custom )?index\b/i, "an index; give its query a table of its own"],
  [/^create materialized view\b/i, "a materialised view; write it as a table to compare it"],
  [/^create type\b/i, "a type of its own; columns of it are kept as one value"],
  [
    /^(?:create|alter|drop) (?:keyspace|role|user|function|aggregate|trigger|type)\b/i,
    "it makes no table",
  ],
  [
    /^(?:insert|update|delete|copy|truncate|begin|apply)\b/i,
    "rows; how many there are is asked, not counted",
  ],
  [/^(?:grant|revoke|list)\b/i, "rights"],
  [
    /^(?:select|describe|desc|consistency|tracing|source|capture|paging|exit|show)\b/i,
    "a command of the session",
  ],
];

function readStatement(reading: Reading, statement: SqlStatement): void {
  const { text, line } = statement;
  const words = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  const tokens = (): SqlToken[] => sqlTokens(text, line, "cql");
  if (/^create (?:table|columnfamily)\b/i.test(words)) createdTable(reading, statement, tokens());
  else if (/^alter (?:table|columnfamily)\b/i.test(words))
    alteredTable(reading, statement, tokens());
  else if (/^use\b/i.test(words)) reading.keyspace = tokens()[1]?.text ?? "";
  else {
    const reason = reasons.find(([pattern]) => pattern.test(words))?.[1];
    skip(reading, statement, reason ?? "it is no statement that is known");
  }
}

function skip(reading: Reading, { text, line, lastLine }: SqlStatement, reason: string): void {
  const what = text.slice(0, 160).replaceAll(/\s+/g, " ").trim();
  reading.skipped.add(line, lastLine, what.length > 70 ? `${what.slice(0, 69)}…` : what, reason);
}

/** The name behind TABLE [IF NOT EXISTS], its id, and the index behind it. */
function nameAt({ keyspace }: Reading, tokens: readonly SqlToken[]) {
  const at = isWord(tokens[2], "if") ? (isWord(tokens[3], "not") ? 5 : 4) : 2;
  const found = readSqlName(tokens, at);
  if (!found) return undefined;
  const { name, qualifier } = found.name;
  const space = qualifier === "" ? keyspace : qualifier;
  return { name, keyspace: space, id: space === "" ? name : `${space}.${name}`, end: found.end };
}

function createdTable(
  reading: Reading,
  statement: SqlStatement,
  tokens: readonly SqlToken[],
): void {
  const named = nameAt(reading, tokens);
  if (!named || !isSign(tokens[named.end], "(")) {
    skip(reading, statement, "its name or its columns could not be read");
    return;
  }
  const known = reading.tables.get(named.id);
  if (known) {
    skip(reading, statement, `the table is already created in line ${known.line}`);
    return;
  }
  const close = behindBracket(tokens, named.end);
  const draft: TableDraft = {
    keyspace: named.keyspace,
    name: named.name,
    line: statement.line,
    columns: [],
    partitionKey: [],
    clusteringKey: [],
  };
  for (const item of cqlItems(tokens.slice(named.end + 1, close - 1)))
    readItem(reading, draft, item);
  readProperties(draft, tokens.slice(close));
  if (draft.partitionKey.length === 0 || draft.columns.length === 0)
    skip(reading, statement, "no primary key of it could be read");
  else reading.tables.set(named.id, draft);
}

/** Items separated by commas outside brackets, the angular ones of types included. */
function cqlItems(tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, "(") || isSign(token, "<")) depth += 1;
    if (isSign(token, ")") || isSign(token, ">")) depth -= 1;
    if (depth === 0 && isSign(token, ",")) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((item) => item.length > 0);
}

function readItem(reading: Reading, draft: TableDraft, item: readonly SqlToken[]): void {
  const [first, second, third] = item;
  if (isWord(first, "primary") && isWord(second, "key") && isSign(third, "(")) {
    readKey(draft, item.slice(3, behindBracket(item, 2) - 1));
    return;
  }
  if (isWord(first, "foreign", "constraint", "unique")) {
    const line = first?.line ?? draft.line;
    reading.skipped.add(
      line,
      line,
      `${draft.name}: ${spelt(item)}`,
      "this is SQL; import it as SQL",
    );
    return;
  }
  const column = columnOf(item);
  if (!first || !column) {
    const line = first?.line ?? draft.line;
    reading.skipped.add(line, line, `${draft.name}: ${spelt(item)}`, "neither a column nor a key");
    return;
  }
  const { note } = readCqlColumnType(column.cqlType);
  if (note)
    reading.notes.push({
      line: column.line,
      text: `${draft.name}.${column.name} (${column.cqlType}) ${note}.`,
    });
  draft.columns.push(column);
  const isKey = item.some(
    (token, index) => isWord(token, "primary") && isWord(item[index + 1], "key"),
  );
  if (isKey) draft.partitionKey = [column.name];
}

function columnOf(item: readonly SqlToken[]): CqlColumn | undefined {
  const [name] = item;
  if (!name || name.kind === "sign" || name.kind === "number" || item.length < 2) return undefined;
  const end = item.findIndex(
    (token, index) => index > 1 && isWord(token, "static", "primary", "masked"),
  );
  const cqlType = spelt(item.slice(1, end < 0 ? item.length : end), 200);
  const { type, bytes } = readCqlColumnType(cqlType);
  return {
    name: nameOf(name),
    cqlType,
    type,
    ...(bytes !== undefined && { bytes }),
    isStatic: item.some((token, index) => index > 1 && isWord(token, "static")),
    line: name.line,
  };
}

/** Names without quotes are in small letters. */
function nameOf({ kind, text }: SqlToken): string {
  return kind === "quoted" ? text : text.toLowerCase();
}

/** `(a, b), c, d` or `a, b`. */
function readKey(draft: TableDraft, tokens: readonly SqlToken[]): void {
  const [first = [], ...rest] = cqlItems(tokens);
  const names = (each: readonly SqlToken[]): string[] =>
    each.filter(({ kind }) => kind !== "sign").map(nameOf);
  draft.partitionKey = names(first);
  draft.clusteringKey = rest.flatMap(names).map((column) => ({ column, direction: "asc" }));
}

/** CLUSTERING ORDER BY and the comment. */
function readProperties(draft: TableDraft, tokens: readonly SqlToken[]): void {
  const order = tokens.findIndex((token) => isWord(token, "clustering"));
  const open = tokens.findIndex((token, index) => index > order && isSign(token, "("));
  if (order >= 0 && open >= 0) {
    const items = cqlItems(tokens.slice(open + 1, behindBracket(tokens, open) - 1));
    const descending = new Set(
      items.flatMap(([name, word]) => (name && isWord(word, "desc") ? [nameOf(name)] : [])),
    );
    draft.clusteringKey = draft.clusteringKey.map(({ column }) => ({
      column,
      direction: descending.has(column) ? "desc" : "asc",
    }));
  }
  const comment = tokens.findIndex((token) => isWord(token, "comment"));
  const text = comment < 0 ? undefined : tokens[comment + 2];
  if (text?.kind === "text" && text.text.trim() !== "") draft.note = text.text.trim();
}

/** ALTER TABLE … ADD columns; other changes are skipped. */
function alteredTable(
  reading: Reading,
  statement: SqlStatement,
  tokens: readonly SqlToken[],
): void {
  const named = nameAt(reading, tokens);
  const draft = named && reading.tables.get(named.id);
  if (!named || !draft) {
    skip(reading, statement, "its table is not created before it");
    return;
  }
  const rest = tokens.slice(named.end);
  if (isWord(rest[0], "add")) {
    const inner = isSign(rest[1], "(") ? rest.slice(2, behindBracket(rest, 1) - 1) : rest.slice(1);
    for (const item of cqlItems(inner)) readItem(reading, draft, item);
  } else if (isWord(rest[0], "drop")) {
    const gone = new Set(
      rest
        .slice(1)
        .filter(({ kind }) => kind !== "sign")
        .map(nameOf),
    );
    draft.columns = draft.columns.filter(({ name }) => !gone.has(name));
  } else skip(reading, statement, "it says nothing about columns");
}
