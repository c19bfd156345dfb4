/**
 * Which columns look like references that nobody declared. Only guesses: each becomes a question, and
 * none is assumed. A column qualifies where its name ends with the name of a table whose key has one
 * column of the same type.
 */
import type { ImportedColumn, ImportedTable } from "#model/imported-schema.ts";

export interface LinkByName {
  readonly table: ImportedTable;
  readonly column: ImportedColumn;
  readonly parent: ImportedTable;
}

/** What people call a person who stands in a table of users. */
const personWords = new Set(
  "author owner creator editor assignee reviewer sender receiver recipient".split(" "),
);
const personTables = ["user", "account", "member", "person"];

/** The guesses, in the order of tables and columns. */
export function linksByName(tables: readonly ImportedTable[]): LinkByName[] {
  const prefix = commonPrefix(tables.map(({ name }) => name));
  const byWord = new Map<string, ImportedTable>();
  for (const table of tables) {
    const word = singular(snake(table.name.slice(prefix.length)));
    if (table.primaryKey.length === 1 && !byWord.has(word)) byWord.set(word, table);
  }
  return tables.flatMap((table) => {
    const held = new Set(table.references.flatMap(({ columns }) => columns));
    return table.columns
      .filter(({ name }) => !held.has(name) && !isOnlyKey(table, name))
      .flatMap((column) => {
        const own = singular(snake(table.name.slice(prefix.length)));
        const parent = parentOf(column, own, byWord);
        return parent && isSameType(column, parent) ? [{ table, column, parent }] : [];
      });
  });
}

function isOnlyKey({ primaryKey }: ImportedTable, name: string): boolean {
  return primaryKey.length === 1 && primaryKey[0] === name;
}

function isSameType({ type }: ImportedColumn, parent: ImportedTable): boolean {
  return parent.columns.find(({ name }) => name === parent.primaryKey[0])?.type === type;
}

function parentOf(
  { name }: ImportedColumn,
  own: string,
  byWord: ReadonlyMap<string, ImportedTable>,
): ImportedTable | undefined {
  const words = snake(name)
    .split("_")
    .filter((word) => word !== "");
  const hasSuffix = words.length > 1 && /^(?:id|uuid|fk|ref)$/.test(words.at(-1) ?? "");
  const stem = hasSuffix ? words.slice(0, -1) : words;
  const last = stem.at(-1) ?? "";
  const isOwn = stem.length === 1 || stem.slice(0, -1).join("_") === own;
  if (last === "parent" && isOwn) return byWord.get(own);
  if (personWords.has(last) || (last === "by" && stem.length > 1))
    return personTables.map((word) => byWord.get(word)).find((table) => table !== undefined);
  if (!hasSuffix) return undefined;
  // The longest ending that names a table: order_line_id means order_line, not line.
  for (let from = 0; from < stem.length; from += 1) {
    const table = byWord.get(singular(stem.slice(from).join("_")));
    if (table) return table;
  }
  return undefined;
}

/** `wp_` of wp_users and wp_posts; nothing where a table lacks it. */
function commonPrefix(names: readonly string[]): string {
  const prefix = /^[^_]+_/.exec(names[0] ?? "")?.[0] ?? "";
  return names.length > 1 && names.every((name) => name.startsWith(prefix)) ? prefix : "";
}

/** `postId` and `comment_post_ID` in small letters with underscores. */
export function snake(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .replaceAll(/[\s-]+/g, "_")
    .toLowerCase();
}

/** The name of one of them. */
function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(?:s|x|ch|sh)es$/.test(word)) return word.replace(/es$/, "");
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
