/**
 * The types that a column of a partition key may have in CQL: the native ones and frozen collections and
 * tuples of them. Counters and durations cannot stand in a key, and Cassandra says so as this does.
 */
import { anError, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";

export const nativeTypes = [
  "ascii",
  "bigint",
  "blob",
  "boolean",
  "date",
  "decimal",
  "double",
  "float",
  "inet",
  "int",
  "smallint",
  "text",
  "time",
  "timestamp",
  "timeuuid",
  "tinyint",
  "uuid",
  "varchar",
  "varint",
] as const;

export type NativeType = (typeof nativeTypes)[number];

export type CqlType =
  | { readonly kind: "native"; readonly name: NativeType }
  | { readonly kind: "tuple"; readonly of: readonly CqlType[] }
  | { readonly kind: "list" | "set"; readonly of: CqlType }
  | { readonly kind: "map"; readonly key: CqlType; readonly value: CqlType };

/** Reads a type as CQL writes it, such as `int` or `frozen<tuple<int, text>>`; issues carry `place`. */
export function readCqlType(text: string, place: string): Result<CqlType> {
  const { name, arguments: inner } = partsOf(text.trim());
  if (inner === undefined) return nativeOf(name, place);
  if (name === "frozen" && inner.length === 1) return readCqlType(inner[0] as string, place);
  const wanted = { list: [1, 1], set: [1, 1], map: [2, 2], tuple: [1, 64] }[name];
  if (!wanted) return refused(place, `There is no type ${text.trim()}.`, listed);
  const [least, most] = wanted as [number, number];
  if (inner.length < least || inner.length > most)
    return refused(
      place,
      `${text.trim()} has ${inner.length} types between < and >.`,
      { list: "Write list<type>.", set: "Write set<type>.", map: "Write map<type, type>." }[name] ??
        "Write tuple<type, …>.",
    );
  const read = inner.map((each) => readCqlType(each, place));
  const issues = read.flatMap((each) => (each.ok ? [] : each.issues));
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: collection(name, valuesOf(read)), warnings: [] };
}

/** The type in CQL's spelling. */
export function cqlTypeText(type: CqlType): string {
  switch (type.kind) {
    case "native":
      return type.name;
    case "tuple":
      return `tuple<${type.of.map(cqlTypeText).join(", ")}>`;
    case "map":
      return `map<${cqlTypeText(type.key)}, ${cqlTypeText(type.value)}>`;
    default:
      return `${type.kind}<${cqlTypeText(type.of)}>`;
  }
}

/** Splits at the commas that stand outside < >, ( ), [ ], { } and quotes; trims the parts. */
export function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if ("<([{".includes(character)) depth += 1;
    if (">)]}".includes(character)) depth -= 1;
    if (character !== "," || depth > 0) continue;
    parts.push(text.slice(from, index).trim());
    from = index + 1;
  }
  return [...parts, text.slice(from).trim()];
}

const listed = `The types of keys are ${nativeTypes.join(", ")}, and frozen tuple<…>, list<…>, set<…>, map<…>.`;

function partsOf(text: string): {
  readonly name: string;
  readonly arguments?: readonly string[];
} {
  const match = /^(\w+)\s*<(.*)>$/su.exec(text);
  return match
    ? { name: (match[1] as string).toLowerCase(), arguments: splitOutside(match[2] as string) }
    : { name: text.toLowerCase() };
}

function nativeOf(name: string, place: string): Result<CqlType> {
  const native = nativeTypes.find((each) => each === name);
  if (native) return { ok: true, value: { kind: "native", name: native }, warnings: [] };
  if (name === "counter" || name === "duration")
    return refused(place, `A ${name} cannot stand in a key.`, "Choose another column for the key.");
  return refused(
    place,
    name === "" ? "A type is missing." : `There is no type ${name}.`,
    suggestion(name, nativeTypes, listed),
  );
}

function valuesOf(read: readonly Result<CqlType>[]): readonly CqlType[] {
  return read.flatMap((each) => (each.ok ? [each.value] : []));
}

function collection(name: string, inner: readonly CqlType[]): CqlType {
  const [first, second] = inner as [CqlType, CqlType];
  if (name === "tuple") return { kind: "tuple", of: inner };
  return name === "map"
    ? { kind: "map", key: first, value: second }
    : { kind: name as "list" | "set", of: first };
}

function refused(place: string, message: string, hint: string): Result<never> {
  return { ok: false, issues: [anError(place, message, hint)] };
}
