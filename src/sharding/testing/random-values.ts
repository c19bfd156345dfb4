/** Random values of key types, as the text we read and as what the driver is given for the same value. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the lab.
import type { Random } from "#model/random.ts";
import type { CqlType, NativeType } from "../cql-type.ts";
import { driverTuple } from "./cassandra-driver.ts";

export interface RandomValue {
  readonly text: string;
  readonly forDriver: unknown;
}

/** A random value of any key type. */
export function randomValue(random: Random, type: CqlType): RandomValue {
  if (type.kind === "native") return makers[type.name](random);
  if (type.kind === "map") throw new Error("maps are tested by hand");
  const kinds = type.kind === "tuple" ? type.of : manyOf(random, type.of);
  const values = kinds.map((each) => ({ type: each, value: randomValue(random, each) }));
  const texts = values.map((each) => literal(each.type, each.value.text));
  const forDriver = values.map(({ value }) => value.forDriver);
  return type.kind === "tuple"
    ? { text: `(${texts.join(", ")})`, forDriver: driverTuple(forDriver) }
    : { text: `[${texts.join(", ")}]`, forDriver };
}

function manyOf(random: Random, type: CqlType): CqlType[] {
  return Array.from({ length: 1 + random.below(4) }, () => type);
}

/** As it stands inside a tuple or list. */
export function literal(type: CqlType, text: string): string {
  return type.kind === "native" ? `'${text.replaceAll("'", "''")}'` : text;
}

const scripts = [
  "abcdefgh0189 _-'",
  "äöüéñ£",
  "漢字かな中",
  "🙂🚀",
  "\u0000\u007f\u0080\u07ff\u0800\uffff",
];
const alphabets: readonly (readonly string[])[] = [...scripts, scripts.join("")].map((each) => [
  ...each,
]);

/** Lengths around the 16-byte blocks of Murmur3 and the 64-byte ones of MD5 come often. */
function length(random: Random): number {
  const edges = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 55, 56, 63, 64, 65];
  return random.below(3) === 0 ? random.below(150) : (edges[random.below(edges.length)] as number);
}

/** Text of one script or of all mixed. */
export function randomText(random: Random): string {
  const alphabet = alphabets[random.below(alphabets.length)] as readonly string[];
  let text = "";
  for (let left = length(random); left > 0; left -= 1)
    text += alphabet[random.below(alphabet.length)];
  return text;
}

function randomBytes(random: Random, size: number): Buffer {
  // Bytes from 0x80 on are where Cassandra's Murmur3 differs from the published one.
  return Buffer.from(
    Array.from({ length: size }, () => (random.below(4) === 0 ? 0x80 : 0) | random.below(256)),
  );
}

/** Whole numbers of every size up to so many bits, edges included. */
function whole(random: Random, bits: number): bigint {
  const edge = random.below(8);
  if (edge < 4)
    return [0n, -1n, 2n ** BigInt(bits - 1) - 1n, -(2n ** BigInt(bits - 1))][edge] as bigint;
  const size = 1 + random.below(bits);
  const digits = randomBytes(random, Math.ceil(size / 8)).toString("hex");
  return BigInt.asIntN(size, BigInt(`0x${digits}`));
}

function small(random: Random, bits: number): RandomValue {
  const value = whole(random, bits);
  return { text: String(value), forDriver: Number(value) };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function uuid(random: Random, version: string): RandomValue {
  const hex = randomBytes(random, 16).toString("hex");
  const text = hex.replace(/^(.{8})(.{4}).(.{3})(.{4})(.{12})$/, `$1-$2-${version}$3-$4-$5`);
  return { text, forDriver: text };
}

function floating(random: Random, bytes: 4 | 8): RandomValue {
  const bits = randomBytes(random, bytes);
  const value = bytes === 4 ? bits.readFloatBE() : bits.readDoubleBE();
  // A NaN has many patterns of bits, and only one text.
  return Number.isNaN(value)
    ? { text: "0", forDriver: 0 }
    : { text: signed(value), forDriver: value };
}

function signed(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function text(random: Random): RandomValue {
  const value = randomText(random);
  return { text: value, forDriver: value };
}

const makers: Readonly<Record<NativeType, (random: Random) => RandomValue>> = {
  text,
  varchar: text,
  ascii: (random) => {
    const value = randomText(random).replaceAll(/[^ -~]/g, "x");
    return { text: value, forDriver: value };
  },
  blob: (random) => {
    const bytes = randomBytes(random, length(random));
    return { text: `0x${bytes.toString("hex")}`, forDriver: bytes };
  },
  boolean: (random) => {
    const value = random.below(2) === 1;
    return { text: String(value), forDriver: value };
  },
  tinyint: (random) => small(random, 8),
  smallint: (random) => small(random, 16),
  int: (random) => small(random, 32),
  bigint: (random) => {
    const value = whole(random, 64);
    return { text: String(value), forDriver: value };
  },
  varint: (random) => {
    const value = whole(random, 8 + random.below(200));
    return { text: String(value), forDriver: value };
  },
  decimal: (random) => {
    const digits = String(whole(random, 100)).replace("-", "").padStart(3, "0");
    const point = 1 + random.below(digits.length - 1);
    const sign = random.below(2) === 0 ? "-" : "";
    const value = `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
    return { text: value, forDriver: value };
  },
  double: (random) => floating(random, 8),
  float: (random) => floating(random, 4),
  date: (random) => {
    const value = `${1600 + random.below(800)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
    return { text: value, forDriver: value };
  },
  time: (random) => {
    const clock = `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}`;
    const value = `${clock}.${String(random.below(1e9)).padStart(9, "0")}`;
    return { text: value, forDriver: value };
  },
  timestamp: (random) => {
    const milliseconds = Math.floor((random.next() - 0.3) * 6e12);
    const isText = milliseconds > -6e13 && random.below(2) === 0;
    return {
      text: isText ? new Date(milliseconds).toISOString() : String(milliseconds),
      forDriver: milliseconds,
    };
  },
  uuid: (random) => uuid(random, "4"),
  timeuuid: (random) => uuid(random, "1"),
  inet: (random) => {
    if (random.below(2) === 0) {
      const value = [...randomBytes(random, 4)].join(".");
      return { text: value, forDriver: value };
    }
    const groups = randomBytes(random, 16).toString("hex").match(/.{4}/g) as string[];
    const value = groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":");
    return { text: value, forDriver: value };
  },
};
