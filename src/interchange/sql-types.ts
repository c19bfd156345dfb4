/**
 * SQL types as attribute types with the average bytes of a value. The sizes of texts are guesses to be
 * edited: a declared length counts up to 100 bytes, since longer ones are limits rather than sizes, and
 * texts without one count 100.
 */
import type { AttributeType } from "#model/entity-graph.ts";

export interface ReadType {
  readonly type: AttributeType;
  readonly bytes?: number;
  /** What was lost, as a sentence without its subject. */
  readonly note?: string;
}

const longest = 100;

type Maker = (args: readonly number[]) => ReadType;
const plain = (type: AttributeType, bytes?: number, note?: string): Maker => {
  const made: ReadType = { type, ...(bytes !== undefined && { bytes }), ...(note && { note }) };
  return () => made;
};
const ofLength =
  (type: "text" | "blob"): Maker =>
  ([length = longest]) => ({ type, bytes: Math.max(1, Math.min(length, longest)) });
const oneBit =
  (otherwise: Maker): Maker =>
  (args) =>
    args[0] === 1 ? { type: "boolean" } : otherwise(args);
const timeOfDay = plain("bigint", 8, "is a time of day, kept as a number");

const families: readonly (readonly [words: string, make: Maker])[] = [
  ["uuid uniqueidentifier", plain("uuid")],
  ["tinyint int1", oneBit(plain("int", 1))],
  [
    "bit",
    oneBit(([bits = 1]) =>
      bits === 1 ? { type: "boolean" } : { type: "blob", bytes: Math.ceil(bits / 8) },
    ),
  ],
  ["smallint int2 smallserial serial2 year", plain("int", 2)],
  ["mediumint int3", plain("int", 3)],
  ["int integer int4 serial serial4", plain("int")],
  ["bigint int8 bigserial serial8", plain("bigint")],
  ["bool boolean", plain("boolean")],
  ["real float4", plain("double", 4)],
  ["double float float8", plain("double")],
  [
    "decimal numeric dec fixed number",
    ([digits]) => ({
      type: "decimal",
      ...(digits !== undefined && { bytes: Math.ceil(digits * 0.4153) + 4 }),
    }),
  ],
  ["money smallmoney", plain("decimal")],
  ["date", plain("date")],
  ["datetime datetime2 smalldatetime timestamp timestamptz datetimeoffset", plain("timestamp")],
  ["time timetz", timeOfDay],
  [
    "char character nchar varchar nvarchar varchar2 nvarchar2 bpchar varying string clob ntext tinytext text mediumtext longtext citext national xml",
    ofLength("text"),
  ],
  ["name sysname", plain("text", 30)],
  ["json jsonb", plain("text", 200)],
  ["enum", plain("text", 10)],
  ["set", plain("text", 20)],
  ["inet cidr macaddr macaddr8", plain("text", 16)],
  ["interval", plain("text", 16)],
  [
    "binary varbinary bytea blob tinyblob mediumblob longblob image rowversion raw",
    ofLength("blob"),
  ],
  [
    "point line lseg box path polygon circle geometry geography linestring multipoint multilinestring multipolygon geometrycollection",
    plain("blob", 100, "is a shape, kept as bytes"),
  ],
];
const makers = new Map(
  families.flatMap(([words, make]) => words.split(" ").map((word) => [word, make] as const)),
);

/** True where the word begins a type that is known. */
export function isKnownType(word: string): boolean {
  return makers.has(word.toLowerCase());
}

/**
 * What a type as written (`character varying(40)`, `tinyint(1) unsigned`, `text[]`) becomes. `own` holds
 * types that the file itself makes, by name in small letters.
 */
export function readSqlType(
  written: string,
  own: ReadonlyMap<string, string> = new Map(),
): ReadType {
  return typeOf(written, own, 0);
}

function typeOf(written: string, own: ReadonlyMap<string, string>, depth: number): ReadType {
  const text = written.trim().toLowerCase();
  if (text.endsWith("]") || /\sarray$/.test(text))
    return { type: "text", bytes: longest, note: "is a list, kept as one text" };
  const name = /^(?:[^\s(.]+\.)*([^\s(.]+)/.exec(text)?.[1] ?? "";
  const labels = /^(?:enum|set)\s*\((.*)\)/s.exec(text)?.[1];
  if (labels !== undefined) return { type: "text", bytes: averageLabel(labels) };
  const make = makers.get(name.replaceAll('"', ""));
  const args = [...(/\(([^()]*)\)/.exec(text)?.[1] ?? "").matchAll(/\d+/g)].map(([digits]) =>
    Number(digits),
  );
  if (make) return make(args);
  const base = own.get(name.replaceAll(/["'`]/g, ""));
  // A type may be made of another one of the file, but not of itself.
  if (base !== undefined && depth < 8) return typeOf(base, own, depth + 1);
  return {
    type: "text",
    note:
      text === ""
        ? "has no type, and is kept as text"
        : "has a type that is not known, and is kept as text",
  };
}

function averageLabel(labels: string): number {
  const lengths = labels
    .split(",")
    .map((label) => label.trim().replaceAll(/^['"]|['"]$/g, "").length);
  const sum = lengths.reduce((total, length) => total + length, 0);
  return Math.max(1, Math.min(longest, Math.round(sum / Math.max(1, lengths.length))));
}
