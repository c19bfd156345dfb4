/**
 * Values of a key as Cassandra serialises them, and the partition key that they make together.
 *
 * A key of one column is its value's bytes. A key of several is Cassandra's CompositeType: for each
 * component two bytes of length, the value's bytes, and a zero.
 */
import { anError, type Issue, type Result } from "#model/issue.ts";
import { compareSerialised } from "./compare-serialised.ts";
import { type CqlType, cqlTypeText, splitOutside } from "./cql-type.ts";
import { bigEndian, joined, serialiseNative } from "./serialise-native.ts";

/** Longest key, and longest component of one, in bytes: its length has two. */
export const mostKeyBytes = 65_535;

/**
 * The bytes of one value, from the text of a CQL literal; a native value on its own stands without quotes.
 * Issues carry `place`.
 */
export function serialise(type: CqlType, text: string, place: string): Result<Uint8Array> {
  const bytes = bytesOf(type, text);
  if (typeof bytes === "string")
    return {
      ok: false,
      issues: [anError(place, `“${text}” is no ${cqlTypeText(type)}.`, bytes)],
    };
  return { ok: true, value: bytes, warnings: [] };
}

/** One value for each type: the partition key's bytes, or every mistake in it, at `place` and its position. */
export function serialiseKey(
  types: readonly CqlType[],
  texts: readonly string[],
  place: string,
): Result<Uint8Array> {
  if (types.length !== texts.length)
    return {
      ok: false,
      issues: [
        anError(
          place,
          `There are ${types.length} types and ${texts.length} values.`,
          "Write one value for each type.",
        ),
      ],
    };
  const parts: Uint8Array[] = [];
  const issues: Issue[] = [];
  for (const [index, type] of types.entries()) {
    const at = types.length > 1 ? `${place} ${index + 1}` : place;
    const part = serialise(type, texts[index] as string, at);
    if (!part.ok) issues.push(...part.issues);
    else if (part.value.length > mostKeyBytes) issues.push(tooLong(at, part.value.length));
    else parts.push(part.value);
  }
  if (issues.length > 0) return { ok: false, issues };
  const key = keyOf(parts);
  if (key.length > mostKeyBytes) return { ok: false, issues: [tooLong(place, key.length)] };
  return { ok: true, value: key, warnings: [] };
}

/** The partition key that serialised components make. */
export function keyOf(components: readonly Uint8Array[]): Uint8Array {
  if (components.length === 1) return components[0] as Uint8Array;
  return joined(
    components.flatMap((component) => [
      bigEndian(BigInt(component.length), 2),
      component,
      Uint8Array.of(0),
    ]),
  );
}

function tooLong(place: string, length: number): Issue {
  return anError(
    place,
    `The key has ${length} bytes; Cassandra takes ${mostKeyBytes}.`,
    "Shorten the value, or let its hash stand in the key.",
  );
}

function bytesOf(type: CqlType, text: string): Uint8Array | string {
  switch (type.kind) {
    case "native":
      return serialiseNative(type.name, text);
    case "tuple":
      return tuple(type.of, text);
    default:
      return collection(type, text);
  }
}

/** `(1, 'a', null)`: each item after four bytes of length, null having the length −1. */
function tuple(types: readonly CqlType[], text: string): Uint8Array | string {
  const hint = `Write ${types.length} values in parentheses, texts quoted, such as (1, 'a').`;
  const parts = inside(text, "(", ")");
  if (!parts || parts.length !== types.length) return hint;
  const bytes: Uint8Array[] = [];
  for (const [index, type] of types.entries()) {
    const part = parts[index] as string;
    const item = part === "null" ? undefined : itemBytes(type, part);
    if (typeof item === "string") return item;
    bytes.push(bigEndian(BigInt(item?.length ?? -1), 4), item ?? new Uint8Array(0));
  }
  return joined(bytes);
}

/** `['a', 'b']`, `{1, 2}`, `{'a': 1}`: the number of items, then each after its length; sets and maps in order. */
function collection(
  type: Exclude<CqlType, { kind: "native" | "tuple" }>,
  text: string,
): Uint8Array | string {
  const [open, close] = type.kind === "list" ? "[]" : "{}";
  const parts = inside(text, open as string, close as string);
  if (!parts)
    return {
      list: "Write values in brackets, texts quoted, such as ['a', 'b'].",
      set: "Write values in braces, texts quoted, such as {'a', 'b'}.",
      map: "Write keys and values in braces, texts quoted, such as {'a': 1}.",
    }[type.kind];
  const entries: Uint8Array[][] = [];
  for (const part of parts) {
    const entry = entryOf(type, part);
    if (typeof entry === "string") return entry;
    entries.push(entry);
  }
  const kept = type.kind === "list" ? entries : sorted(type, entries);
  const items = kept.flatMap((entry) =>
    entry.flatMap((item) => [bigEndian(BigInt(item.length), 4), item]),
  );
  return joined([bigEndian(BigInt(kept.length), 4), ...items]);
}

function entryOf(
  type: Exclude<CqlType, { kind: "native" | "tuple" }>,
  part: string,
): Uint8Array[] | string {
  if (type.kind !== "map") {
    const item = itemBytes(type.of, part);
    return typeof item === "string" ? item : [item];
  }
  const colon = colonOutside(part);
  if (colon < 0) return "Write a colon between key and value, such as {'a': 1}.";
  const key = itemBytes(type.key, part.slice(0, colon).trim());
  const value = itemBytes(type.value, part.slice(colon + 1).trim());
  if (typeof key === "string") return key;
  return typeof value === "string" ? value : [key, value];
}

/** In the order of Cassandra; of equal items the last stays. */
function sorted(
  type: Extract<CqlType, { kind: "set" | "list" | "map" }>,
  entries: readonly Uint8Array[][],
): Uint8Array[][] {
  const by = type.kind === "map" ? type.key : type.of;
  const compare = (a: Uint8Array[], b: Uint8Array[]): number =>
    compareSerialised(by, a[0] as Uint8Array, b[0] as Uint8Array);
  const inOrder = [...entries].sort(compare);
  return inOrder.filter((entry, index) => {
    const next = inOrder[index + 1];
    return !next || compare(entry, next) !== 0;
  });
}

/** An item inside a collection or tuple: texts, dates and addresses stand in quotes there. */
function itemBytes(type: CqlType, text: string): Uint8Array | string {
  if (type.kind !== "native") return bytesOf(type, text);
  const quoted = /^'((?:[^']|'')*)'$/su.exec(text);
  if (quoted) return serialiseNative(type.name, (quoted[1] as string).replaceAll("''", "'"));
  const needsQuotes = type.name === "text" || type.name === "varchar" || type.name === "ascii";
  return needsQuotes ? `Put ' around ${text}.` : serialiseNative(type.name, text);
}

/** What stands between the brackets, split at commas; undefined without brackets. */
function inside(text: string, open: string, close: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(open) || !trimmed.endsWith(close)) return undefined;
  const content = trimmed.slice(1, -1).trim();
  return content === "" ? [] : splitOutside(content);
}

/** The colon that ends a map's key: outside quotes and brackets. */
function colonOutside(text: string): number {
  let depth = 0;
  let isQuoted = false;
  for (const [index, character] of [...text].entries()) {
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    else if (character === ":" && depth === 0) return [...text].slice(0, index).join("").length;
  }
  return -1;
}
