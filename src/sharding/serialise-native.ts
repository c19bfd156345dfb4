/**
 * Values of CQL's native types as the bytes that Cassandra keeps and hashes (native protocol v5, section 6).
 *
 * Decides which texts are accepted: those that a CQL literal may hold, without its quotes. A timestamp
 * without a time zone is taken as UTC.
 */
import type { NativeType } from "./cql-type.ts";
import { utf8 } from "./utf8.ts";

/** The bytes of a text of this type; or, for a text that cannot be one, what to write instead. */
export function serialiseNative(type: NativeType, text: string): Uint8Array | string {
  return writers[type](text);
}

const writers: Readonly<Record<NativeType, (text: string) => Uint8Array | string>> = {
  ascii: (text) =>
    /^[\0-\x7f]*$/.test(text) ? utf8(text) : "Write ASCII characters only, or take the type text.",
  text: utf8,
  varchar: utf8,
  tinyint: (text) => integer(text, 1),
  smallint: (text) => integer(text, 2),
  int: (text) => integer(text, 4),
  bigint: (text) => integer(text, 8),
  varint: (text) =>
    whole.test(text)
      ? varint(BigInt(text))
      : "Write a whole number, such as -12345678901234567890.",
  decimal,
  double: (text) => floating(text, 8),
  float: (text) => floating(text, 4),
  boolean: (text) =>
    /^(?:true|false)$/i.test(text)
      ? Uint8Array.of(text.toLowerCase() === "true" ? 1 : 0)
      : "Write true or false.",
  blob: (text) =>
    /^0x(?:[\da-f]{2})*$/i.test(text)
      ? hexBytes(text.slice(2))
      : "Write 0x and two hexadecimal digits per byte, such as 0xcafe.",
  uuid: (text) =>
    uuidPattern.test(text)
      ? hexBytes(text.replaceAll("-", ""))
      : "Write a UUID, such as 550e8400-e29b-41d4-a716-446655440000.",
  timeuuid: (text) =>
    uuidPattern.test(text) && text[14] === "1"
      ? hexBytes(text.replaceAll("-", ""))
      : "Write a UUID of version 1, such as 8db96410-8dba-11f0-bd3e-325096b39f47.",
  date,
  time,
  timestamp,
  inet,
};

const whole = /^[+-]?\d+$/;
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Big-endian two's complement of so many bytes. */
function integer(text: string, bytes: 1 | 2 | 4 | 8): Uint8Array | string {
  const most = 2n ** BigInt(8 * bytes - 1);
  const value = whole.test(text) ? BigInt(text) : undefined;
  return value === undefined || value < -most || value >= most
    ? `Write a whole number from ${-most} to ${most - 1n}.`
    : bigEndian(value, bytes);
}

/** Big-endian two's complement of so many bytes; higher bits are left out. */
export function bigEndian(value: bigint, bytes: number): Uint8Array {
  const result = new Uint8Array(bytes);
  let rest = value;
  for (let index = bytes - 1; index >= 0; index -= 1) {
    result[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return result;
}

/** The fewest bytes of big-endian two's complement, at least one (Java's BigInteger.toByteArray). */
function varint(value: bigint): Uint8Array {
  const magnitude = value < 0n ? -value - 1n : value;
  // One bit for the sign.
  const bits = magnitude === 0n ? 1 : magnitude.toString(2).length + 1;
  return bigEndian(value, Math.ceil(bits / 8));
}

/** Four bytes of scale, then the unscaled value as a varint; the scale is the text's own, as in Java's BigDecimal. */
function decimal(text: string): Uint8Array | string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,10}))?$/i.exec(text);
  const digits = `${match?.[2] ?? ""}${match?.[3] ?? ""}`;
  const scale = (match?.[3] ?? "").length - Number(match?.[4] ?? 0);
  if (!match || digits === "" || Math.abs(scale) > 0x7fffffff)
    return "Write a decimal number, such as 12.50 or 1e-3.";
  const unscaled = varint(BigInt(digits) * (match[1] === "-" ? -1n : 1n));
  return joined([bigEndian(BigInt(scale), 4), unscaled]);
}

function floating(text: string, bytes: 4 | 8): Uint8Array | string {
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  if (!isNumber && !/^(?:nan|[+-]?infinity)$/i.test(text))
    return "Write a number, such as 1.5 or -2e9, or NaN, Infinity, -Infinity.";
  const view = new DataView(new ArrayBuffer(bytes));
  const value = isNumber ? Number(text) : notANumber(text.toLowerCase());
  if (bytes === 4) view.setFloat32(0, value);
  else view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

function notANumber(text: string): number {
  if (text === "nan") return Number.NaN;
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const dayMilliseconds = 86_400_000;

/** Days since 1970-01-01 plus 2³¹, unsigned; a bare number is that sum itself, as in Cassandra. */
function date(text: string): Uint8Array | string {
  const hint = "Write year-month-day, such as 2026-11-30.";
  if (/^\d+$/.test(text) && BigInt(text) < 2n ** 32n) return bigEndian(BigInt(text), 4);
  const match = /^(-?\d{1,6})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (!match) return hint;
  const milliseconds = utc(Number(match[1]), Number(match[2]), Number(match[3]));
  return milliseconds === undefined
    ? hint
    : bigEndian(BigInt(milliseconds / dayMilliseconds) + 2n ** 31n, 4);
}

/** Milliseconds since 1970 of a day that exists. */
function utc(year: number, month: number, day: number): number | undefined {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return exists && Number.isFinite(at.getTime()) ? at.getTime() : undefined;
}

/** Nanoseconds since midnight. */
function time(text: string): Uint8Array | string {
  const hint = "Write hours:minutes:seconds, such as 08:12:54.123456789.";
  if (/^\d+$/.test(text))
    return BigInt(text) < 86_400_000_000_000n ? bigEndian(BigInt(text), 8) : hint;
  const match = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return hint;
  const [hours, minutes, seconds] = match.slice(1, 4).map(Number) as [number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 59) return hint;
  const nanoseconds = BigInt((match[4] ?? "").padEnd(9, "0"));
  return bigEndian(BigInt(hours * 3600 + minutes * 60 + seconds) * 1_000_000_000n + nanoseconds, 8);
}

const timestampPattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Milliseconds since 1970, eight bytes signed. */
function timestamp(text: string): Uint8Array | string {
  const hint = "Write a time such as 2026-11-30T08:15:00Z, or milliseconds since 1970.";
  if (whole.test(text)) {
    const bytes = integer(text, 8);
    return typeof bytes === "string" ? hint : bytes;
  }
  const match = timestampPattern.exec(text);
  if (!match) return hint;
  const day = utc(Number(match[1]), Number(match[2]), Number(match[3]));
  const [hours, minutes, seconds] = match.slice(4, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (day === undefined || hours > 23 || minutes > 59 || seconds > 59) return hint;
  const milliseconds = Number((match[7] ?? "").padEnd(3, "0"));
  const within = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  return bigEndian(BigInt(day + within - offsetMilliseconds(match[8])), 8);
}

/** Of a time zone, `+0130` being ahead of UTC. */
function offsetMilliseconds(zone: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "");
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return minutes * 60_000 * (match[1] === "-" ? -1 : 1);
}

/** Four bytes, or sixteen; an IPv4 address written as IPv6 (`::ffff:1.2.3.4`) becomes four, as in Java. */
function inet(text: string): Uint8Array | string {
  const hint = "Write an IP address, such as 192.168.1.10 or 2001:db8::1.";
  if (!text.includes(":")) return ipv4(text) ?? hint;
  const bytes = ipv6(text);
  if (!bytes) return hint;
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff;
  return isMapped && bytes[11] === 0xff ? bytes.slice(12) : bytes;
}

function ipv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const good = parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return parts.length === 4 && good ? Uint8Array.from(parts, Number) : undefined;
}

function ipv6(text: string): Uint8Array | undefined {
  const last = text.slice(text.lastIndexOf(":") + 1);
  const embedded = last.includes(".") ? ipv4(last) : undefined;
  if (last.includes(".") && !embedded) return undefined;
  const groups = embedded
    ? `${text.slice(0, text.lastIndexOf(":") + 1)}${hex16(embedded, 0)}:${hex16(embedded, 2)}`
    : text;
  const [front = "", back, ...more] = groups.split("::");
  if (more.length > 0) return undefined;
  const before = front === "" ? [] : front.split(":");
  const after = back === undefined || back === "" ? [] : back.split(":");
  const missing = 8 - before.length - after.length;
  if (back === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...Array.from({ length: missing }, () => "0"), ...after];
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return hexBytes(all.map((group) => group.padStart(4, "0")).join(""));
}

function hex16(bytes: Uint8Array, at: number): string {
  return (((bytes[at] as number) << 8) | (bytes[at + 1] as number)).toString(16);
}

function hexBytes(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}

/** One array after another. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
