/** Carries out the actions of an ALTER TABLE on what its CREATE TABLE said; what it cannot is noted. */
import type { SqlDialect } from "#model/imported-schema.ts";
import {
  type ColumnSyntax,
  emptyParts,
  readColumn,
  readSqlName,
  readTableItem,
  type SqlName,
  spelt,
  type TableParts,
} from "./sql-table-syntax.ts";
import { behindBracket, isSign, isWord, listItems, type SqlToken } from "./sql-tokens.ts";

interface Action {
  readonly parts: TableParts;
  readonly tokens: readonly SqlToken[];
  readonly dialect: SqlDialect;
  /** Renames the table. */
  readonly rename: (to: SqlName) => void;
}

/** Applies the actions behind `ALTER TABLE name`. */
export function alterTable(
  parts: TableParts,
  tokens: readonly SqlToken[],
  dialect: SqlDialect,
  rename: (to: SqlName) => void,
): void {
  let adds = false;
  for (const item of listItems(tokens)) {
    const action = { parts, tokens: withoutCheck(item), dialect, rename };
    const isAction = carriedOut(action);
    // SQL Server writes ADD once for several columns.
    if (!isAction && adds && item[0]?.kind !== "sign") addParts(action, item);
    else if (!isAction) leave(action, reasonOf(item));
    adds = isWord(action.tokens[0], "add") || (adds && !isAction);
  }
}

/** `WITH NOCHECK ADD …` of SQL Server. */
function withoutCheck(item: readonly SqlToken[]): readonly SqlToken[] {
  return isWord(item[0], "with") && isWord(item[1], "check", "nocheck") ? item.slice(2) : item;
}

function leave({ parts, tokens }: Action, reason: string): void {
  parts.left.push({ line: tokens[0]?.line ?? 0, what: `ALTER TABLE … ${spelt(tokens)}`, reason });
}

function reasonOf([first, second]: readonly SqlToken[]): string {
  if (isWord(first, "owner")) return "who owns a table has no part in the design";
  if (isWord(first, "attach", "detach")) return "partitions are designed anew";
  if (isWord(first, "drop") && isWord(second, "constraint", "foreign", "index", "key"))
    return "what it drops is not kept by name; check the keys and relationships";
  return "it says nothing about columns, keys or references";
}

/** True where the action is one that is known; it is carried out, or left with a reason. */
function carriedOut(action: Action): boolean {
  const [first, second] = action.tokens;
  if (isWord(first, "add")) return added(action);
  if (isWord(first, "modify")) return modified(action, isWord(second, "column") ? 2 : 1);
  if (isWord(first, "change")) return changedColumn(action, isWord(second, "column") ? 2 : 1);
  if (isWord(first, "alter")) return alteredColumn(action, isWord(second, "column") ? 2 : 1);
  if (isWord(first, "drop")) return dropped(action);
  if (isWord(first, "rename")) return renamed(action);
  return false;
}

function added(action: Action): boolean {
  const { tokens } = action;
  let at = 1;
  if (isWord(tokens[at], "column")) at += 1;
  if (isWord(tokens[at], "if")) at += 3;
  const rest = withoutPlace(tokens.slice(at));
  if (!isSign(rest[0], "(")) addParts(action, rest);
  else
    for (const item of listItems(rest.slice(1, behindBracket(rest, 0) - 1))) addParts(action, item);
  return true;
}

function addParts({ parts, dialect }: Action, item: readonly SqlToken[]): void {
  readTableItem(parts, item, dialect);
}

/** Without the `FIRST` or `AFTER column` of MySQL. */
function withoutPlace(tokens: readonly SqlToken[]): readonly SqlToken[] {
  if (isWord(tokens.at(-2), "after")) return tokens.slice(0, -2);
  return isWord(tokens.at(-1), "first") ? tokens.slice(0, -1) : tokens;
}

function indexOf(parts: TableParts, name: string | undefined): number {
  const exact = parts.columns.findIndex((column) => column.name === name);
  if (exact >= 0) return exact;
  return parts.columns.findIndex(
    (column) => column.name.toLowerCase() === (name ?? "").toLowerCase(),
  );
}

/** A column by its new definition; what the old one said about keys stays. */
function redefined(action: Action, old: string | undefined, at: number): boolean {
  const { parts, tokens } = action;
  const index = indexOf(parts, old);
  if (index < 0) {
    leave(action, "the table has no such column");
    return true;
  }
  const fresh = emptyParts();
  readColumn(fresh, withoutPlace(tokens.slice(at)));
  const [column] = fresh.columns;
  if (column) replaceColumn(parts, index, column);
  parts.uniqueKeys.push(...fresh.uniqueKeys);
  parts.references.push(...fresh.references);
  if (fresh.primaryKey.length > 0) parts.primaryKey = fresh.primaryKey;
  return true;
}

function modified(action: Action, at: number): boolean {
  return redefined(action, action.tokens[at]?.text, at);
}

function changedColumn(action: Action, at: number): boolean {
  return redefined(action, action.tokens[at]?.text, at + 1);
}

/** Puts a column in the place of another one, whose name keys and references then follow. */
function replaceColumn(parts: TableParts, index: number, next: ColumnSyntax): void {
  const old = parts.columns[index];
  if (!old) return;
  parts.columns[index] = next;
  if (old.name === next.name) return;
  const named = (names: readonly string[]): readonly string[] =>
    names.map((name) => (name === old.name ? next.name : name));
  parts.primaryKey = named(parts.primaryKey);
  for (const [at, key] of parts.uniqueKeys.entries()) parts.uniqueKeys[at] = named(key);
  for (const [at, reference] of parts.references.entries())
    parts.references[at] = { ...reference, columns: named(reference.columns) };
}

function alteredColumn(action: Action, at: number): boolean {
  const { parts, tokens } = action;
  const index = indexOf(parts, tokens[at]?.text);
  const column = parts.columns[index];
  if (!column) {
    leave(action, "the table has no such column");
    return true;
  }
  const [first, second, third] = tokens.slice(at + 1);
  const setsNull = isWord(second, "not", "null") || isWord(third, "null");
  if (isWord(first, "set", "drop") && setsNull)
    parts.columns[index] = { ...column, required: isWord(first, "set") };
  else if (isWord(first, "type")) retyped(action, index, at + 2);
  else if (isWord(first, "set") && isWord(second, "data")) retyped(action, index, at + 4);
  else if (isWord(first, "set", "drop", "add", "reset", "restart"))
    leave(action, "how values of this column are made has no part in the design");
  // SQL Server: ALTER COLUMN name type [NOT NULL].
  else redefined(action, column.name, at);
  return true;
}

function retyped({ parts, tokens }: Action, index: number, from: number): void {
  const column = parts.columns[index];
  if (!column) return;
  const fresh = emptyParts();
  const [name] = tokens;
  if (name) readColumn(fresh, [name, ...tokens.slice(from)]);
  const sqlType = fresh.columns[0]?.sqlType ?? column.sqlType;
  parts.columns[index] = { ...column, sqlType };
}

function dropped(action: Action): boolean {
  const { parts, tokens } = action;
  if (isWord(tokens[1], "primary")) {
    parts.primaryKey = [];
    return true;
  }
  if (!isWord(tokens[1], "column")) return false;
  const index = indexOf(parts, tokens[isWord(tokens[2], "if") ? 4 : 2]?.text);
  const column = parts.columns[index];
  if (!column) {
    leave(action, "the table has no such column");
    return true;
  }
  parts.columns.splice(index, 1);
  const holds = (names: readonly string[]): boolean => names.includes(column.name);
  if (holds(parts.primaryKey)) parts.primaryKey = [];
  const keys = parts.uniqueKeys.filter((key) => !holds(key));
  parts.uniqueKeys.splice(0, parts.uniqueKeys.length, ...keys);
  const references = parts.references.filter((reference) => !holds(reference.columns));
  parts.references.splice(0, parts.references.length, ...references);
  return true;
}

function renamed(action: Action): boolean {
  const { parts, tokens, rename } = action;
  const to = tokens.findIndex((token) => isWord(token, "to", "as"));
  const target = to < 0 ? undefined : readSqlName(tokens, to + 1);
  if (!target) return false;
  if (to === 1) {
    rename(target.name);
    return true;
  }
  if (isWord(tokens[1], "constraint", "index", "key")) return true;
  const index = indexOf(parts, tokens[to - 1]?.text);
  const column = parts.columns[index];
  if (column) replaceColumn(parts, index, { ...column, name: target.name.name });
  else leave(action, "the table has no such column");
  return true;
}
