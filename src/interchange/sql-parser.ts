/**
 * CREATE TABLE by node-sql-parser. Each dialect's grammar is a module of its own and loaded when it is
 * needed. Its trees differ by dialect and version, so they are taken as unknown: what is not understood
 * refuses the statement, and the tolerant reader's answer is used.
 */
import type { SqlDialect } from "#model/imported-schema.ts";
import { emptyParts, type SqlName, type TableParts } from "./sql-table-syntax.ts";

export type ParserReading =
  | { readonly ok: true; readonly parts: TableParts }
  /** Why the parser is of no use here, as the rest of a sentence; `line` of the text, from 1, is where it stops. */
  | { readonly ok: false; readonly reason: string; readonly line?: number };

export type SqlTableParser = (text: string) => ParserReading;

/** Longer or deeper statements are not given to it: its grammar is recursive. */
const longest = 60_000;
const deepest = 24;

const databases = {
  postgres: "Postgresql",
  mysql: "MySQL",
  sqlite: "Sqlite",
  sqlserver: "TransactSQL",
} as const satisfies Record<SqlDialect, string>;

/** The parser of a dialect. */
export async function openSqlParser(dialect: SqlDialect): Promise<SqlTableParser> {
  const module: unknown = await load(dialect);
  const maker = field(module, "Parser") ?? field(field(module, "default"), "Parser");
  if (typeof maker !== "function") throw new Error("node-sql-parser has no Parser");
  const parser: unknown = Reflect.construct(maker, []);
  const astify = field(parser, "astify");
  if (typeof astify !== "function") throw new Error("node-sql-parser cannot astify");
  return (text) => {
    if (text.length > longest || depthOf(text) > deepest)
      return { ok: false, reason: "it is too long or too deeply nested for the grammar" };
    try {
      const tree: unknown = Reflect.apply(astify, parser, [text, { database: databases[dialect] }]);
      const parts = partsOf(Array.isArray(tree) && tree.length === 1 ? tree[0] : tree);
      return parts ? { ok: true, parts } : { ok: false, reason: "the parser’s tree is unusual" };
    } catch (fault) {
      return stopOf(fault);
    }
  };
}

function load(dialect: SqlDialect): Promise<unknown> {
  switch (dialect) {
    case "postgres":
      return import("node-sql-parser/build/postgresql.js");
    case "mysql":
      return import("node-sql-parser/build/mysql.js");
    case "sqlite":
      return import("node-sql-parser/build/sqlite.js");
    case "sqlserver":
      return import("node-sql-parser/build/transactsql.js");
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const sign of text) {
    if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

function stopOf(fault: unknown): ParserReading {
  const line = field(field(field(fault, "location"), "start"), "line");
  const reason = "the grammar stops";
  return { ok: false, reason, ...(typeof line === "number" && { line }) };
}

/** Leaves the reading of a tree; never leaves this file. */
class Unusual extends Error {}

function field(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null)
    return undefined;
  return Object.hasOwn(value, name) || name === "astify"
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new Unusual();
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unusual();
  return value;
}

function partsOf(tree: unknown): TableParts | undefined {
  if (field(tree, "type") !== "create" || field(tree, "keyword") !== "table") return undefined;
  const parts = emptyParts();
  for (const item of listOf(field(tree, "create_definitions"))) {
    const resource = field(item, "resource");
    if (resource === "column") readColumn(parts, item);
    else if (resource === "constraint") readConstraint(parts, item);
    else if (resource !== "index") throw new Unusual();
  }
  return parts.columns.length > 0 ? parts : undefined;
}

/** A name of a column_ref, which holds a text or an expression. */
function columnName(reference: unknown): string {
  const column = field(reference, "column");
  return textOf(typeof column === "string" ? column : field(field(column, "expr"), "value"));
}

function readColumn(parts: TableParts, item: unknown): void {
  const name = columnName(field(item, "column"));
  const definition = field(item, "definition");
  const isKey = Boolean(field(item, "primary_key")) || Boolean(field(item, "primary"));
  if (isKey) parts.primaryKey = [name];
  if (field(item, "unique")) parts.uniqueKeys.push([name]);
  const reference = field(item, "reference_definition");
  if (reference) parts.references.push({ columns: [name], ...referenceOf(reference), line: 0 });
  parts.columns.push({
    name,
    sqlType: textOf(field(definition, "dataType")).toLowerCase(),
    required: field(field(item, "nullable"), "type") === "not null",
    zeroByDefault: /^0(?:\.0+)?$/.test(
      String(field(field(field(item, "default_val"), "value"), "value") ?? ""),
    ),
    line: 0,
  });
}

function referenceOf(reference: unknown): {
  readonly parent: SqlName;
  readonly parentColumns: readonly string[];
} {
  const [table] = listOf(field(reference, "table"));
  const columns = field(reference, "definition");
  const qualifier = field(table, "schema") ?? field(table, "db");
  return {
    parent: {
      qualifier: typeof qualifier === "string" ? qualifier : "",
      name: textOf(field(table, "table")),
      isQuoted: false,
    },
    parentColumns: columns ? listOf(columns).map(columnName) : [],
  };
}

function readConstraint(parts: TableParts, item: unknown): void {
  const kind = textOf(field(item, "constraint_type")).toLowerCase();
  if (kind === "check") return;
  const columns = listOf(field(item, "definition")).map(columnName);
  if (kind.startsWith("primary key")) parts.primaryKey = columns;
  else if (kind.startsWith("unique")) parts.uniqueKeys.push(columns);
  else if (kind === "foreign key")
    parts.references.push({
      columns,
      ...referenceOf(field(item, "reference_definition")),
      line: 0,
    });
  else throw new Unusual();
}
