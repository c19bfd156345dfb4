/**
 * Made-up values of every type, from a number: the text a person reads, and the same value's bytes written
 * without the way over text, since a million are wanted at once. All values of a type have equal length.
 */
import type { NativeType } from "./cql-type.ts";
import { serialiseNative } from "./serialise-native.ts";
import { utf8 } from "./utf8.ts";

/** 2026-01-01T00:00:00Z. */
const beginning = Date.UTC(2026, 0, 1);
const dayMilliseconds = 86_400_000;
const digits = 7;
/** Seven digits, and numbers that fit every wide type. */
const most = 10 ** digits;

/** How many different values a type has here. */
export function capacityOf(type: NativeType): number {
  const small: Partial<Record<NativeType, number>> = {
    boolean: 2,
    tinyint: 128,
    smallint: 32_768,
    time: 86_400,
    date: 36_500,
  };
  return small[type] ?? most;
}

const sizes: Readonly<Partial<Record<NativeType, number>>> = {
  tinyint: 1,
  boolean: 1,
  smallint: 2,
  int: 4,
  date: 4,
  float: 4,
  inet: 4,
  varint: 4,
  blob: 4,
  bigint: 8,
  decimal: 8,
  double: 8,
  time: 8,
  timestamp: 8,
  uuid: 16,
  timeuuid: 16,
};

/** Bytes of every value of a type. */
export function generatedBytes(type: NativeType, stem: string): number {
  return sizes[type] ?? utf8(textOf(type, stem, 0)).length;
}

/** The value as a person reads it, and as `serialise` takes it. */
export function generatedText(type: NativeType, stem: string, id: number, spacing: number): string {
  switch (type) {
    case "text":
    case "varchar":
    case "ascii":
      return textOf(type, stem, id);
    case "boolean":
      return String(id === 1);
    case "blob":
      return `0x${id.toString(16).padStart(8, "0")}`;
    case "uuid":
    case "timeuuid":
      return uuidText(type, id);
    case "inet":
      return `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;
    case "date":
      return new Date(beginning + id * Math.max(1, Math.round(spacing)) * dayMilliseconds)
        .toISOString()
        .slice(0, 10);
    case "time":
      return new Date(id * 1000).toISOString().slice(11, 19);
    case "timestamp":
      return new Date(timeOf(id, spacing)).toISOString();
    case "varint":
    case "decimal":
      // Eight digits at least: all of equal length.
      return `${100_000_000 + id}`;
    default:
      return String(id);
  }
}

/** Writes the same value's bytes to `out` from `at` on. */
export function generateInto(
  type: NativeType,
  stem: string,
  id: number,
  spacing: number,
  out: Uint8Array,
  at: number,
): void {
  switch (type) {
    case "int":
      writeWord(out, at, id);
      return;
    case "bigint":
      writeWord(out, at, 0);
      writeWord(out, at + 4, id);
      return;
    case "timestamp": {
      const time = timeOf(id, spacing);
      writeWord(out, at, Math.floor(time / 2 ** 32));
      writeWord(out, at + 4, time % 2 ** 32);
      return;
    }
    case "uuid":
    case "timeuuid":
      for (let word = 0; word < 4; word += 1)
        writeWord(out, at + 4 * word, uuidWord(type, id, word));
      return;
    case "text":
    case "varchar":
      writeText(out, at, stem, id);
      return;
    default:
      out.set(serialiseNative(type, generatedText(type, stem, id, spacing)) as Uint8Array, at);
  }
}

function timeOf(id: number, spacing: number): number {
  return beginning + Math.round(id * spacing * 1000);
}

function textOf(type: NativeType, stem: string, id: number): string {
  const plain = type === "ascii" ? stem.replaceAll(/[^ -~]/g, "x") : stem;
  return `${plain}-${String(id).padStart(digits, "0")}`;
}

const stems = new Map<string, Uint8Array>();

function writeText(out: Uint8Array, at: number, stem: string, id: number): void {
  const known = stems.get(stem) ?? utf8(`${stem}-`);
  stems.set(stem, known);
  out.set(known, at);
  let rest = id;
  for (let digit = digits - 1; digit >= 0; digit -= 1) {
    out[at + known.length + digit] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

function writeWord(out: Uint8Array, at: number, word: number): void {
  out[at] = word >>> 24;
  out[at + 1] = word >>> 16;
  out[at + 2] = word >>> 8;
  out[at + 3] = word;
}

function uuidText(type: "uuid" | "timeuuid", id: number): string {
  const hex = [0, 1, 2, 3]
    .map((word) => (uuidWord(type, id, word) >>> 0).toString(16).padStart(8, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A quarter of a UUID: of version 4 scrambled from the number, of version 1 with the number as its time. */
function uuidWord(type: "uuid" | "timeuuid", id: number, word: number): number {
  if (type === "timeuuid") return [id, 0x8dba11f0, 0x80003250, 0x96b39f47][word] as number;
  const scrambled = scramble(id + Math.imul(word, 0x9e3779b9));
  if (word === 1) return (scrambled & 0xffff0fff) | 0x4000;
  return word === 2 ? (scrambled & 0x3fffffff) | 0x80000000 : scrambled;
}

/** A 32-bit number for each 32-bit number, none twice (Murmur3's final mix). */
export function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
