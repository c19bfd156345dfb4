/**
 * Bytes and tokens of keys: published vectors, and the Cassandra driver's own encoder and tokenizers on random
 * keys of all types, where nothing may differ. TOKEN_RUNS chooses how many.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Random, randomFrom } from "#model/random.ts";
import type { Partitioner } from "#model/sharding-setup.ts";
import { type CqlType, cqlTypeText, nativeTypes, readCqlType } from "./cql-type.ts";
import { md5 } from "./md5.ts";
import { mostKeyBytes, serialise, serialiseKey } from "./serialise.ts";
import { driverBytes, driverKey, driverToken } from "./testing/cassandra-driver.ts";
import { randomText, randomValue } from "./testing/random-values.ts";
import { placeToken, readToken, tokenOf, tokenSpaces } from "./token.ts";
import { utf8 } from "./utf8.ts";

const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const runs = Number(process.env["TOKEN_RUNS"] ?? 100_000);

function typeOf(text: string): CqlType {
  const read = readCqlType(text, "type");
  if (!read.ok) throw new Error(read.issues[0]?.message);
  return read.value;
}

function bytesOf(type: string, text: string): Uint8Array {
  const read = serialise(typeOf(type), text, "value");
  if (!read.ok) throw new Error(read.issues[0]?.message);
  return read.value;
}

function hex(type: string, text: string): string {
  return Buffer.from(bytesOf(type, text)).toString("hex");
}

function problems(type: string, text: string): string {
  const read = serialise(typeOf(type), text, "value");
  return read.ok ? "" : read.issues.map(({ message, hint }) => `${message} ${hint}`).join("\n");
}

test("published tokens of text, int, bigint and uuid keys, and their owners on four nodes", () => {
  const rows = readFileSync(new URL("./fixtures/murmur3-tokens.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",") as [string, string, string, string, string]);
  expect(rows).toHaveLength(24);
  for (const [type, key, bytes, token] of rows) {
    expect(hex(type, key)).toBe(bytes);
    expect(String(tokenOf("murmur3", bytesOf(type, key)))).toBe(token);
  }
});

test("a hundred thousand random keys of all types get the driver's tokens", () => {
  const random = randomFrom(seed);
  const kinds = [
    ...nativeTypes,
    "tuple<int, text>",
    "tuple<uuid, tuple<text, decimal>>",
    "list<text>",
  ];
  const types = kinds.map(typeOf);
  const seen = new Map<CqlType, number>();
  const counts = { composite: 0, empty: 0, beyondAscii: 0 };
  for (let run = 0; run < runs; run += 1) {
    const keyTypes = chosenTypes(random, types);
    const key = keyComparedWithDriver(random, keyTypes, run % 4 === 0 ? "random" : "murmur3");
    for (const type of keyTypes) seen.set(type, (seen.get(type) ?? 0) + 1);
    counts.composite += Number(keyTypes.length > 1);
    counts.empty += Number(key.length === 0);
    counts.beyondAscii += Number(key.some((byte) => byte >= 0x80));
  }
  // What the sentence above promises was really among them.
  expect(seen.size).toBe(kinds.length);
  expect(Math.min(...seen.values())).toBeGreaterThan(runs / 100);
  expect(counts.composite).toBeGreaterThan(runs / 5);
  expect(counts.empty).toBeGreaterThan(runs / 1000);
  expect(counts.beyondAscii).toBeGreaterThan(runs / 4);
});

/** One type, or up to four of a composite key. */
function chosenTypes(random: Random, types: readonly CqlType[]): CqlType[] {
  const components = random.below(3) > 0 ? 1 : 2 + random.below(3);
  return Array.from({ length: components }, () => types[random.below(types.length)] as CqlType);
}

/** A random key's bytes, after they and their token were found equal to the driver's. */
function keyComparedWithDriver(
  random: Random,
  types: readonly CqlType[],
  partitioner: Partitioner,
): Uint8Array {
  const values = types.map((type) => randomValue(random, type));
  const texts = values.map(({ text }) => text);
  const read = serialiseKey(types, texts, "key");
  const place = `${types.map(cqlTypeText).join(", ")} of ${JSON.stringify(texts)}`;
  if (!read.ok) throw new Error(`${place}: ${JSON.stringify(read.issues)}`);
  const forDriver = values.map((each) => each.forDriver);
  const theirs =
    types.length > 1 ? driverKey(types, forDriver) : driverBytes(types[0] as CqlType, forDriver[0]);
  if (!theirs.equals(read.value)) expect(Buffer.from(read.value), place).toEqual(theirs);
  const token = driverToken(partitioner, theirs);
  const ours = String(tokenOf(partitioner, read.value));
  if (ours !== token) expect(ours, place).toBe(token);
  return read.value;
}

test("MD5 of every length around its blocks", () => {
  const random = randomFrom(seed);
  const out = new Int32Array(4);
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length: length + 3 }, () => random.below(256));
    md5(bytes, 3, length + 3, out, 0);
    const digest = createHash("md5").update(bytes.subarray(3)).digest("hex");
    expect(Buffer.from(new Uint8Array(out.buffer)).toString("hex")).toBe(digest);
  }
});

test("texts become UTF-8, halves of pairs the replacement character", () => {
  const random = randomFrom(seed);
  for (const text of [
    "",
    "a\ud800b",
    "\udc00",
    "\ud83d\ude42",
    ...Array.from({ length: 300 }, () => randomText(random)),
  ])
    expect(Buffer.from(utf8(text))).toEqual(Buffer.from(text, "utf8"));
});

describe("values as Cassandra keeps them", () => {
  test.each([
    // The date and decimal of Cassandra's own documentation and tests, the rest worked out by hand.
    ["date", "1970-01-01", "80000000"],
    ["date", "1969-12-31", "7fffffff"],
    ["date", "2147483650", "80000002"],
    ["decimal", "1.50", "0000000200" + "96"],
    ["decimal", "1E5", "fffffffb01"],
    ["decimal", "-.5e-1", "00000002fb"],
    ["varint", "0", "00"],
    ["varint", "127", "7f"],
    ["varint", "128", "0080"],
    ["varint", "-128", "80"],
    ["varint", "-129", "ff7f"],
    ["time", "00:00:01.5", "000000005968" + "2f00"],
    ["timestamp", "1970-01-01T00:00:01Z", "00000000000003e8"],
    ["timestamp", "1970-01-01 01:00+0100", "0000000000000000"],
    ["timestamp", "-1", "ffffffffffffffff"],
    ["inet", "::1", "00000000000000000000000000000001"],
    ["inet", "::ffff:1.2.3.4", "01020304"],
    ["inet", "64:ff9b::1.2.3.4", "0064ff9b000000000000000001020304"],
    ["double", "-0", "8000000000000000"],
    ["double", "NaN", "7ff8000000000000"],
    ["float", "-Infinity", "ff800000"],
    ["boolean", "True", "01"],
    ["tuple<int, text>", "(1, null)", "0000000400000001ffffffff"],
    ["set<int>", "{3, -1, 3}", "0000000200000004ffffffff0000000400000003"],
    [
      "map<text, int>",
      "{'b': 1, 'a:': 2}",
      "000000020000000261" + "3a" + "000000040000000200000001" + "62" + "0000000400000001",
    ],
    ["frozen<list<tinyint>>", "[]", "00000000"],
  ])("%s %s", (type, text, bytes) => {
    expect(hex(type, text)).toBe(bytes);
  });

  test("timeuuids in a set stand by their time, uuids by version first", () => {
    const early = "ffffffff-0000-1000-8000-000000000000";
    const late = "00000000-0001-1000-8000-000000000000";
    const random = "00000000-0000-4000-8000-000000000000";
    expect(hex("set<timeuuid>", `{${late}, ${early}}`)).toContain(
      "ffffffff000010008000000000000000",
    );
    expect(hex("set<uuid>", `{${random}, ${late}, ${early}}`)).toBe(
      `00000003${[early, late, random].map((each) => `00000010${each.replaceAll("-", "")}`).join("")}`,
    );
  });

  test("what is no value of its type is refused with what to write", () => {
    expect(problems("int", "2147483648")).toBe(
      "“2147483648” is no int. Write a whole number from -2147483648 to 2147483647.",
    );
    expect(problems("date", "2026-02-30")).toContain("Write year-month-day");
    expect(problems("timeuuid", "550e8400-e29b-41d4-a716-446655440000")).toContain("version 1");
    expect(problems("ascii", "é")).toContain("text");
    expect(problems("inet", "1.2.3.256")).not.toBe("");
    expect(problems("inet", "1::2::3")).not.toBe("");
    expect(problems("blob", "cafe")).toContain("0x");
    expect(problems("tuple<int, text>", "(1, a)")).toContain("Put ' around a");
    expect(readCqlType("counter", "t")).toMatchObject({ ok: false });
    expect(readCqlType("txt", "t")).toMatchObject({ issues: [{ hint: "Did you mean text?" }] });
    expect(readCqlType("map<int>", "t")).toMatchObject({ ok: false });
    expect(serialiseKey([typeOf("int")], ["1", "2"], "key").ok).toBe(false);
    expect(serialiseKey([typeOf("text")], ["x".repeat(mostKeyBytes)], "key").ok).toBe(true);
    expect(serialiseKey([typeOf("text")], ["x".repeat(mostKeyBytes + 1)], "key").ok).toBe(false);
  });
});

test("tokens go into tables and out again, in the order of the tokens", () => {
  const random = randomFrom(seed);
  for (const partitioner of ["murmur3", "random"] as const) {
    const { least, greatest } = tokenSpaces[partitioner];
    const from = partitioner === "random" ? 0n : least;
    const table = new Uint32Array(8);
    for (const token of [from, from + 1n, 0n, 2n ** 32n - 1n, 2n ** 32n, greatest]) {
      placeToken(partitioner, token, table, 0);
      expect(readToken(partitioner, table, 0)).toBe(token);
      const other = tokenOf(partitioner, utf8(randomText(random)));
      placeToken(partitioner, other, table, 4);
      const words = [...table];
      const firstDifference = [0, 1, 2, 3].find((word) => words[word] !== words[word + 4]) ?? 0;
      expect((words[firstDifference] ?? 0) < (words[firstDifference + 4] ?? 0)).toBe(token < other);
    }
  }
});
