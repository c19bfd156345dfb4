/** Names as Tidetable allows them: no dots or signs, none that differ in capitals alone, none that every object of JavaScript has. */
import type { RenamedPart } from "#model/imported-schema.ts";

const longestName = 100;

/** A name with what is not allowed replaced by `_`; `otherwise` where nothing is left. */
export function legalName(name: string, otherwise: string): string {
  const cleaned = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "_")
    .trim()
    .slice(0, longestName)
    .trim();
  if (/^_*$/.test(cleaned) && !/[\p{L}\p{N}]/u.test(name)) return otherwise;
  const begun = /^[\p{L}_]/u.test(cleaned) ? cleaned : `_${cleaned}`;
  return begun in Object.prototype ? `${begun}_` : begun;
}

/** The first of the wishes that is free, or the last one with a number behind it; it is taken then. */
export function freeName(taken: Set<string>, wishes: readonly string[]): string {
  const key = (name: string): string => name.toLowerCase();
  let found = wishes.find((wish) => !taken.has(key(wish)));
  const last = wishes.at(-1) ?? "name";
  for (let number = 2; found === undefined; number += 1)
    if (!taken.has(key(`${last}_${number}`))) found = `${last}_${number}`;
  taken.add(key(found));
  return found;
}

/** Tells a name that is not the one in the file. */
export function renaming(
  line: number,
  what: string,
  from: string,
  to: string,
): readonly RenamedPart[] {
  if (from === to) return [];
  const isLegal = legalName(from, "") === from;
  const isOfEveryObject = from in Object.prototype;
  const illegal = isOfEveryObject
    ? "every object of JavaScript has something of this name"
    : "names begin with a letter and hold letters, digits, blanks, - and _";
  const reason = isLegal ? "another one has this name, perhaps in other capitals" : illegal;
  return [{ line, what, from, to, reason }];
}
