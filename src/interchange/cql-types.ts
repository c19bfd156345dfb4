/** CQL types as attribute types. Collections, tuples and types of the user are kept as one value of guessed size. */
import type { ReadType } from "./sql-types.ts";

const plainTypes: Readonly<Record<string, ReadType>> = {
  ascii: { type: "text" },
  text: { type: "text" },
  varchar: { type: "text" },
  uuid: { type: "uuid" },
  timeuuid: { type: "uuid" },
  tinyint: { type: "int", bytes: 1 },
  smallint: { type: "int", bytes: 2 },
  int: { type: "int" },
  bigint: { type: "bigint" },
  varint: { type: "bigint", note: "has no limit in CQL and is kept as bigint" },
  counter: { type: "counter" },
  float: { type: "double", bytes: 4 },
  double: { type: "double" },
  decimal: { type: "decimal" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  time: { type: "bigint", note: "is a time of day, kept as a number" },
  timestamp: { type: "timestamp" },
  blob: { type: "blob" },
  inet: { type: "text", bytes: 16 },
  duration: { type: "text", bytes: 16, note: "is a duration, kept as text" },
};

/** A type as it is written, such as `frozen<set<text>>`. */
export function readCqlColumnType(written: string): ReadType {
  const text = written.toLowerCase().replaceAll(/\s+/g, "");
  const inner = /^frozen<(.*)>$/.exec(text)?.[1] ?? text;
  if (Object.hasOwn(plainTypes, inner)) return plainTypes[inner] ?? { type: "text" };
  const vector = /^vector<float,(\d+)>$/.exec(inner)?.[1];
  if (vector !== undefined)
    return { type: "blob", bytes: 4 * Number(vector), note: "is a vector, kept as one value" };
  const note = /^(?:list|set|map|tuple)</.test(inner)
    ? "is a collection, kept as one value of 100 bytes"
    : "is no plain type of CQL, and is kept as one value of 100 bytes";
  return { type: "blob", bytes: 100, note };
}
