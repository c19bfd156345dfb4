/** The tolerant reader of a whole CREATE TABLE. What stands between its brackets is `sql-table-syntax.ts`’s. */
import type { SqlDialect } from "#model/imported-schema.ts";
import {
  emptyParts,
  readSqlName,
  readTableItem,
  type SqlName,
  type TableParts,
} from "./sql-table-syntax.ts";
import { behindBracket, isSign, isWord, listItems, type SqlToken } from "./sql-tokens.ts";

export interface CreatedTable {
  readonly name: SqlName;
  readonly parts: TableParts;
  readonly note?: string;
}

export type CreateTableReading =
  | ({ readonly ok: true } & CreatedTable)
  | { readonly ok: false; readonly reason: string };

/** A table from the tokens of its CREATE TABLE, or why there is none. */
export function readCreateTable(
  tokens: readonly SqlToken[],
  dialect: SqlDialect,
): CreateTableReading {
  const found = tableNameAt(tokens);
  if (!found) return refused("the name of the table could not be read");
  const { name, end } = found;
  if (/^#/.test(name.name)) return refused("a temporary table");
  const rest = tokens.slice(end);
  const [next, after] = rest;
  if (isWord(next, "partition") && isWord(after, "of"))
    return refused("a partition of another table; its rows belong there");
  if (isWord(next, "of")) return refused("a table of a composite type, which is not read");
  const like = isWord(next, "like") ? readSqlName(rest, 1) : undefined;
  if (like) {
    const parts = emptyParts();
    parts.like.push(like.name);
    return { ok: true, name, parts };
  }
  if (!isSign(next, "("))
    return refused("made from a query, so that it names no columns and types");
  const close = behindBracket(rest, 0);
  const parts = emptyParts();
  for (const item of listItems(rest.slice(1, close - 1))) readTableItem(parts, item, dialect);
  const tail = rest.slice(close);
  readInheritance(parts, tail);
  if (parts.columns.length === 0 && parts.like.length === 0)
    return refused("no column of it could be read");
  const note = commentOf(tail);
  return { ok: true, name, parts, ...(note !== undefined && { note }) };
}

function refused(reason: string): CreateTableReading {
  return { ok: false, reason };
}

/** The name behind CREATE … TABLE [IF NOT EXISTS], and the index behind it. */
export function tableNameAt(
  tokens: readonly SqlToken[],
): { readonly name: SqlName; readonly end: number } | undefined {
  let at = tokens.findIndex((token) => isWord(token, "table")) + 1;
  if (at === 0) return undefined;
  if (isWord(tokens[at], "if") && isWord(tokens[at + 1], "not", "exists"))
    at += isWord(tokens[at + 1], "not") ? 3 : 2;
  if (isWord(tokens[at], "only")) at += 1;
  return readSqlName(tokens, at);
}

/** `INHERITS (parent, …)` of Postgres. */
function readInheritance(parts: TableParts, tail: readonly SqlToken[]): void {
  const at = tail.findIndex((token) => isWord(token, "inherits"));
  if (at < 0 || !isSign(tail[at + 1], "(")) return;
  const end = behindBracket(tail, at + 1);
  for (const item of listItems(tail.slice(at + 2, end - 1))) {
    const parent = readSqlName(item, 0);
    if (parent) parts.like.push(parent.name);
  }
}

/** `COMMENT='…'` of MySQL. */
function commentOf(tail: readonly SqlToken[]): string | undefined {
  const at = tail.findIndex((token) => isWord(token, "comment"));
  if (at < 0) return undefined;
  const value = tail[isSign(tail[at + 1], "=") ? at + 2 : at + 1];
  return value?.kind === "text" && value.text.trim() !== "" ? value.text.trim() : undefined;
}
