/**
 * The distinct values of a column, numbered from 0 and serialised one after another: what a million rows
 * refer to by number.
 */
import type { Result } from "#model/issue.ts";
import type { CqlType, NativeType } from "./cql-type.ts";
import { generatedBytes, generatedText, generateInto } from "./generated-value.ts";
import { serialise } from "./serialise.ts";

export interface ValueTable {
  readonly type: CqlType;
  readonly count: number;
  /** Bytes of value `id` are `bytes[starts[id] … starts[id + 1])`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** The value as a person reads it. */
  readonly text: (id: number) => string;
}

/** Values that a person gave; issues name the value's position. */
export function valuesOf(
  type: CqlType,
  texts: readonly string[],
  place: string,
): Result<ValueTable> {
  const parts: Uint8Array[] = [];
  for (const text of texts) {
    const part = serialise(type, text, place);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const starts = new Uint32Array(texts.length + 1);
  for (const [id, part] of parts.entries()) starts[id + 1] = (starts[id] as number) + part.length;
  const bytes = new Uint8Array(starts[texts.length] as number);
  for (const [id, part] of parts.entries()) bytes.set(part, starts[id]);
  const table = { type, count: texts.length, bytes, starts, text: (id: number) => texts[id] ?? "" };
  return { ok: true, value: table, warnings: [] };
}

/**
 * Made-up values, one for each of some numbers in rising order; the values rise with them (those of UUIDs stand
 * in no order). `spacing` is the distance of neighbouring numbers, in seconds for times and days for dates.
 */
export function generatedValues(
  type: NativeType,
  stem: string,
  numbers: Uint32Array,
  spacing: number,
): ValueTable {
  const count = numbers.length;
  const each = generatedBytes(type, stem);
  const starts = new Uint32Array(count + 1);
  const bytes = new Uint8Array(count * each);
  for (let id = 0; id < count; id += 1) {
    starts[id + 1] = (id + 1) * each;
    generateInto(type, stem, numbers[id] as number, spacing, bytes, id * each);
  }
  const text = (id: number): string => generatedText(type, stem, numbers[id] as number, spacing);
  return { type: { kind: "native", name: type }, count, bytes, starts, text };
}

/** The bytes of one value, not copied. */
export function valueBytes({ bytes, starts }: ValueTable, id: number): Uint8Array {
  return bytes.subarray(starts[id], starts[id + 1]);
}
