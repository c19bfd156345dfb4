/**
 * A router that Tidetable made: it sends a key to its node by the routing table beside it, `routing.json`.
 * For stores that do not shard by themselves, to stand in the data-access layer. It needs nothing else.
 *
 *     import { routerOf } from "./router.ts";
 *     const router = routerOf(JSON.parse(readFileSync("routing.json", "utf8")));
 *     router.route(["550e8400-e29b-41d4-a716-446655440000"]); // ["node 2"], then the replicas
 *     router.everywhere;                                      // whom to ask without a key
 *
 * Values are texts as CQL writes them without quotes; numbers, booleans, dates and bytes may be given as such.
 * A wrong value throws: a key must never be sent to a node where nobody will look for it.
 */

export interface RoutingTable {
  readonly format: "tidetable-routing";
  readonly version: 1;
  readonly table: string;
  readonly key: readonly { readonly column: string; readonly type: string }[];
  readonly nodes: readonly string[];
  readonly replicas: number;
  readonly placement: RoutingPlacement;
}

/** Nodes are positions in `nodes`; `0x…` are serialised values. */
export type RoutingPlacement =
  | { readonly by: "round robin" }
  | {
      readonly by: "ring";
      readonly hash: Hash;
      readonly tokens: readonly (readonly [string, number])[];
    }
  | { readonly by: "hash mod"; readonly hash: Hash }
  | { readonly by: "jump hash" }
  | { readonly by: "slots"; readonly slots: readonly (readonly [number, number, number])[] }
  | {
      readonly by: "range";
      readonly ranges: readonly {
        readonly below?: string;
        readonly text?: string;
        readonly node: number;
      }[];
    }
  | {
      readonly by: "list";
      readonly values: readonly {
        readonly value: string;
        readonly text: string;
        readonly node: number;
      }[];
      readonly otherwise: number;
    };

type Hash = "murmur3" | "random";
export type KeyValue = string | number | bigint | boolean | Date | Uint8Array;

export interface Router {
  /** The node of a key, then those of its replicas. */
  readonly route: (values: readonly KeyValue[]) => string[];
  /** The node of the n-th new record under round robin; a key says nothing there. */
  readonly next: (n: number) => string[];
  readonly everywhere: readonly string[];
}

export function routerOf(table: RoutingTable): Router {
  if (table.format !== "tidetable-routing" || table.version !== 1)
    throw new Error("This is not a routing table of version 1.");
  const { nodes, replicas, key, placement } = table;
  const tokens =
    placement.by === "ring"
      ? placement.tokens.map(([token, node]) => ({ token: BigInt(token), node }))
      : [];
  const following = (first: number): string[] =>
    Array.from(
      { length: Math.min(replicas, nodes.length) },
      (_, step) => nodes[(first + step) % nodes.length] as string,
    );
  const around = (start: number): string[] => {
    const found = new Set<string>();
    for (let step = 0; step < tokens.length && found.size < replicas; step += 1)
      found.add(nodes[tokens[(start + step) % tokens.length]?.node ?? 0] as string);
    return [...found];
  };
  const route = (values: readonly KeyValue[]): string[] => {
    if (values.length !== key.length)
      throw new Error(
        `The key of ${table.table} has ${key.length} columns: ${key.map(({ column }) => column).join(", ")}.`,
      );
    const parts = values.map((value, index) => serialise(key[index]?.type ?? "", value));
    const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : composite(parts);
    switch (placement.by) {
      case "round robin":
        throw new Error("Under round robin a key does not name its node: ask everywhere.");
      case "ring": {
        const token = tokenOf(placement.hash, bytes);
        return around(firstNotBelow(tokens, token) % tokens.length);
      }
      case "hash mod": {
        const from = placement.hash === "murmur3" ? 2n ** 63n : 0n;
        return following(Number((tokenOf(placement.hash, bytes) + from) % BigInt(nodes.length)));
      }
      case "jump hash":
        return following(jump(tokenOf("murmur3", bytes), nodes.length));
      case "slots": {
        const slot = slotOf(bytes);
        return following(
          placement.slots.find(([from, to]) => slot >= from && slot <= to)?.[2] ?? 0,
        );
      }
      case "range": {
        const order = (border: string): number =>
          compare(key[0]?.type ?? "", bytes, fromHex(border));
        return following(
          placement.ranges.find(({ below }) => below === undefined || order(below) < 0)?.node ?? 0,
        );
      }
      case "list": {
        const text = `0x${hex(bytes)}`;
        return following(
          placement.values.find(({ value }) => value === text)?.node ?? placement.otherwise,
        );
      }
    }
  };
  return { route, next: (n) => following(n % nodes.length), everywhere: nodes };
}

function firstNotBelow(tokens: readonly { readonly token: bigint }[], token: bigint): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.token ?? 0n) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ------------------------------------------------------------------------------------------- bytes

/** The bytes of a value as Cassandra keeps it. */
export function serialise(type: string, value: KeyValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  const text = value instanceof Date ? value.toISOString() : String(value);
  const write = Object.hasOwn(writers, type) ? writers[type] : undefined;
  if (!write) throw new Error(`This router does not know the type ${type}.`);
  const bytes = write(text);
  if (!bytes) throw new Error(`“${text}” is no ${type}.`);
  return bytes;
}

const uuid = (text: string): Uint8Array | undefined =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? fromHex(text.replaceAll("-", ""))
    : undefined;

const writers: Readonly<Record<string, (text: string) => Uint8Array | undefined>> = {
  text: utf8,
  varchar: utf8,
  ascii: utf8,
  tinyint: (text) => whole(text, 1),
  smallint: (text) => whole(text, 2),
  int: (text) => whole(text, 4),
  bigint: (text) => whole(text, 8),
  varint: (text) => (/^[+-]?\d+$/.test(text) ? shortest(BigInt(text)) : undefined),
  decimal,
  float: (text) => floating(text, 4),
  double: (text) => floating(text, 8),
  boolean: (text) =>
    /^(true|false)$/i.test(text) ? Uint8Array.of(Number(text.toLowerCase() === "true")) : undefined,
  blob: (text) => (/^0x([\da-f]{2})*$/i.test(text) ? fromHex(text) : undefined),
  uuid,
  timeuuid: uuid,
  date: day,
  timestamp: instant,
  time: clock,
  inet: address,
};

function utf8(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const point = character.codePointAt(0) ?? 0;
      if (point < 0x80) return [point];
      // Half of a surrogate pair is no character.
      const sound = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
      const more = (shift: number): number => 0x80 | ((sound >> shift) & 0x3f);
      if (sound < 0x800) return [0xc0 | (sound >> 6), more(0)];
      if (sound < 0x10000) return [0xe0 | (sound >> 12), more(6), more(0)];
      return [0xf0 | (sound >> 18), more(12), more(6), more(0)];
    }),
  );
}

/** Several columns: length, bytes and a zero for each. */
function composite(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => [part.length >> 8, part.length & 255, ...part, 0]),
  );
}

function bigEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, index) =>
    Number((value >> BigInt(8 * (bytes - 1 - index))) & 255n),
  );
}

function whole(text: string, bytes: number): Uint8Array | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(8 * bytes, value) === value ? bigEndian(value, bytes) : undefined;
}

function shortest(value: bigint): Uint8Array {
  let bytes = 1;
  while (BigInt.asIntN(8 * bytes, value) !== value) bytes += 1;
  return bigEndian(value, bytes);
}

function decimal(text: string): Uint8Array | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!match || `${match[2]}${match[3]}` === "") return undefined;
  const [, sign, front, back = "", power = "0"] = match;
  const unscaled = BigInt(`${front}${back}`) * (sign === "-" ? -1n : 1n);
  return Uint8Array.from([
    ...bigEndian(BigInt(back.length) - BigInt(power), 4),
    ...shortest(unscaled),
  ]);
}

function floating(text: string, bytes: 4 | 8): Uint8Array | undefined {
  const named = /^([+-]?)infinity$/i.exec(text);
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  if (!isNumber && !named && text.toLowerCase() !== "nan") return undefined;
  const value = named ? (named[1] === "-" ? -Infinity : Infinity) : isNumber ? Number(text) : NaN;
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setFloat32(0, value);
  else view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

function day(text: string): Uint8Array | undefined {
  if (/^\d+$/.test(text)) return bigEndian(BigInt(text), 4);
  const match = /^(-?\d{1,6})-(\d{1,2})-(\d{1,2})$/.exec(text.replace(/T.*$/, ""));
  if (!match) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  if (at.getUTCMonth() !== Number(match[2]) - 1) return undefined;
  return bigEndian(BigInt(at.getTime() / 86_400_000) + 2n ** 31n, 4);
}

function instant(text: string): Uint8Array | undefined {
  if (/^[+-]?\d+$/.test(text)) return whole(text, 8);
  const match =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i.exec(
      text,
    );
  if (!match) return undefined;
  const zone = (match[3] ?? "Z").replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours, minutes) => `${hours}:${minutes ?? "00"}`,
  );
  const at = Date.parse(`${match[1]}T${match[2] ?? "00:00"}${zone.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : bigEndian(BigInt(at), 8);
}

function clock(text: string): Uint8Array | undefined {
  if (/^\d+$/.test(text)) return bigEndian(BigInt(text), 8);
  const match = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const seconds = (Number(match[1]) * 60 + Number(match[2])) * 60 + Number(match[3]);
  return bigEndian(BigInt(seconds) * 1_000_000_000n + BigInt((match[4] ?? "").padEnd(9, "0")), 8);
}

function address(text: string): Uint8Array | undefined {
  const dotted = (part: string): number[] =>
    /^\d+(\.\d+){3}$/.test(part) ? part.split(".").map(Number) : [];
  if (!text.includes(":"))
    return dotted(text).length === 4 ? Uint8Array.from(dotted(text)) : undefined;
  const tail = dotted(text.slice(text.lastIndexOf(":") + 1));
  const plain =
    tail.length === 4
      ? `${text.slice(0, text.lastIndexOf(":") + 1)}${pair(tail, 0)}:${pair(tail, 2)}`
      : text;
  const [front = "", back] = plain.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const known = [...groups(front), ...groups(back ?? "")];
  const zeros = Array.from({ length: 8 - known.length }, () => "0");
  const all = [...groups(front), ...zeros, ...groups(back ?? "")];
  if (all.length !== 8 || !all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const bytes = fromHex(all.map((group) => group.padStart(4, "0")).join(""));
  const isMapped = hex(bytes).startsWith("00000000000000000000ffff");
  return isMapped ? bytes.slice(12) : bytes;
}

function pair(bytes: readonly number[], at: number): string {
  return ((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)).toString(16);
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.replace(/^0x/, "").match(/../g) ?? [], (two) =>
    Number.parseInt(two, 16),
  );
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ------------------------------------------------------------------------------------------- order

function compare(type: string, a: Uint8Array, b: Uint8Array): number {
  switch (type) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
    case "timestamp":
    case "varint":
      return sign(signed(a), signed(b));
    case "decimal":
      return compareDecimals(a, b);
    case "float":
    case "double":
      return compareFloating(a, b);
    case "uuid":
    case "timeuuid":
      return compareUuids(type, a, b);
    default:
      return compareBytes(a, b);
  }
}

function sign<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return sign2(hex(a), hex(b));
}

function sign2(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function signed(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x0${hex(bytes)}`));
}

function compareDecimals(a: Uint8Array, b: Uint8Array): number {
  const [x, y] = [a, b].map((bytes) => ({
    scale: signed(bytes.slice(0, 4)),
    value: signed(bytes.slice(4)),
  }));
  if (!x || !y) return 0;
  const least = sign(x.scale, y.scale) < 0 ? x.scale : y.scale;
  return sign(x.value * 10n ** (y.scale - least), y.value * 10n ** (x.scale - least));
}

function compareFloating(a: Uint8Array, b: Uint8Array): number {
  const [x = 0, y = 0] = [a, b].map((bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0);
  });
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  return x === y ? sign(1 / x, 1 / y) : sign(x, y);
}

/** By version, those of version 1 by their time. */
function compareUuids(type: string, a: Uint8Array, b: Uint8Array): number {
  const [x, y] = [hex(a), hex(b)];
  const time = (text: string): string => text.slice(12, 16) + text.slice(8, 12) + text.slice(0, 8);
  if (type === "timeuuid") {
    // What follows the time is compared as signed bytes.
    const rest = (bytes: Uint8Array): string => hex(bytes.slice(8).map((byte) => byte ^ 0x80));
    return sign2(time(x), time(y)) || sign2(rest(a), rest(b));
  }
  const version = sign2(x[12] ?? "", y[12] ?? "");
  if (version !== 0) return version;
  return (x[12] === "1" ? sign2(time(x), time(y)) : 0) || sign2(x, y);
}

// ------------------------------------------------------------------------------------------ hashes

/** The token of a key's bytes under Cassandra's Murmur3Partitioner or RandomPartitioner. */
export function tokenOf(hash: Hash, bytes: Uint8Array): bigint {
  if (hash === "random") {
    const value = BigInt.asIntN(128, BigInt(`0x${md5(bytes)}`));
    return value < 0n ? -value : value;
  }
  const token = BigInt.asIntN(64, murmur3(bytes));
  return token === -(2n ** 63n) ? 2n ** 63n - 1n : token;
}

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint): bigint =>
  u64(value << bits) | (u64(value) >> (64n - bits));

/** The first half of MurmurHash3 x64 128, the bytes after the last whole block being signed as in Cassandra. */
function murmur3(bytes: Uint8Array): bigint {
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const first = (k: bigint): bigint => u64(rotate(u64(k * c1), 31n) * c2);
  const second = (k: bigint): bigint => u64(rotate(u64(k * c2), 33n) * c1);
  const word = (from: number, to: number, isSigned: boolean): bigint => {
    let value = 0n;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      value ^= BigInt(isSigned && byte > 127 ? byte - 256 : byte) << BigInt(8 * (at - from));
    }
    return u64(value);
  };
  const mix = (value: bigint): bigint => {
    const once = u64((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn);
    const twice = u64((once ^ (once >> 33n)) * 0xc4ceb9fe1a85ec53n);
    return twice ^ (twice >> 33n);
  };
  const tail = bytes.length & ~15;
  let h1 = 0n;
  let h2 = 0n;
  for (let at = 0; at < tail; at += 16) {
    h1 = u64(u64(rotate(h1 ^ first(word(at, at + 8, false)), 27n) + h2) * 5n + 0x52dce729n);
    h2 = u64(u64(rotate(h2 ^ second(word(at + 8, at + 16, false)), 31n) + h1) * 5n + 0x38495ab5n);
  }
  if (bytes.length > tail + 8) h2 ^= second(word(tail + 8, bytes.length, true));
  if (bytes.length > tail) h1 ^= first(word(tail, Math.min(tail + 8, bytes.length), true));
  const length = BigInt(bytes.length);
  h1 = u64((h1 ^ length) + (h2 ^ length));
  h2 = u64((h2 ^ length) + h1);
  return u64(mix(h1) + mix(h2));
}

/** MD5 in hexadecimal (RFC 1321). */
function md5(bytes: Uint8Array): string {
  const size = ((bytes.length + 8) >> 6) + 1;
  const words = new Int32Array(size * 16);
  const put = (at: number, byte: number): void => {
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (8 * (at & 3)));
  };
  bytes.forEach((byte, at) => {
    put(at, byte);
  });
  put(bytes.length, 0x80);
  words[size * 16 - 2] = bytes.length << 3;
  words[size * 16 - 1] = Math.floor(bytes.length / 2 ** 29);
  const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let block = 0; block < size; block += 1) {
    let [a = 0, b = 0, c = 0, d = 0] = state;
    for (let step = 0; step < 64; step += 1) {
      const round = step >> 4;
      const mixed = [(b & c) | (~b & d), (b & d) | (c & ~d), b ^ c ^ d, c ^ (b | ~d)][round] ?? 0;
      const word =
        words[
          block * 16 + ((([1, 5, 3, 7][round] ?? 0) * step + ([0, 1, 5, 0][round] ?? 0)) % 16)
        ] ?? 0;
      const sum = (a + mixed + word + Math.floor(2 ** 32 * Math.abs(Math.sin(step + 1)))) | 0;
      const shift = shifts[round * 4 + (step & 3)] ?? 0;
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a, b, c, d].forEach((value, index) => {
      state[index] = (state[index] ?? 0) + value;
    });
  }
  return hex(new Uint8Array(state.buffer));
}

/** Jump consistent hash (Lamping and Veach). */
function jump(key: bigint, buckets: number): number {
  let state = u64(key);
  let [bucket, next] = [-1, 0];
  while (next < buckets) {
    bucket = next;
    state = u64(state * 2862933555777941757n + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(state >> 33n) + 1)));
  }
  return bucket;
}

/** CRC16 modulo 16,384 of the key, or of what stands in its first braces. */
function slotOf(bytes: Uint8Array): number {
  const open = bytes.indexOf(0x7b);
  const close = open < 0 ? -1 : bytes.indexOf(0x7d, open + 1);
  let crc = 0;
  for (const byte of close > open + 1 ? bytes.subarray(open + 1, close) : bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc & 16383;
}
