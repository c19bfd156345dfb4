/**
 * The order of serialised values, type by type, as Cassandra keeps clustering columns and the items of sets
 * and maps: numbers by size, text and bytes by unsigned bytes, version-1 UUIDs by their time.
 */
import type { CqlType, NativeType } from "./cql-type.ts";

/** Below 0, 0 or above 0: whether `a` comes before `b`, is equal, or comes after; both serialised as `type`. */
export function compareSerialised(type: CqlType, a: Uint8Array, b: Uint8Array): number {
  switch (type.kind) {
    case "native":
      return compareNative(type.name, a, b);
    case "tuple":
      return compareItems((index) => type.of[index], items(a, 0), items(b, 0));
    case "map":
      return compareItems(
        (index) => (index % 2 === 0 ? type.key : type.value),
        items(a, 4),
        items(b, 4),
      );
    default:
      return compareItems(() => type.of, items(a, 4), items(b, 4));
  }
}

/** Unsigned bytes from left to right, the shorter first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareNative(type: NativeType, a: Uint8Array, b: Uint8Array): number {
  switch (type) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
    case "timestamp":
      return compareSigned(a, b);
    case "varint":
      return order(signedValue(a), signedValue(b));
    case "decimal":
      return compareDecimals(a, b);
    case "float":
    case "double":
      return compareFloating(a, b);
    case "uuid":
      return compareUuids(a, b);
    case "timeuuid":
      return compareTimes(a, b) || compareSignedBytes(a, b);
    default:
      return compareBytes(a, b);
  }
}

/** Of equal length. */
function compareSigned(a: Uint8Array, b: Uint8Array): number {
  const first = (((a[0] ?? 0) << 24) >> 24) - (((b[0] ?? 0) << 24) >> 24);
  return first !== 0 ? first : compareBytes(a, b);
}

function order<T extends bigint | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Big-endian two's complement of any length. */
export function signedValue(bytes: Uint8Array): bigint {
  const unsigned = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, unsigned);
}

function compareDecimals(a: Uint8Array, b: Uint8Array): number {
  const [scaleA, scaleB] = [a, b].map((bytes) => Number(signedValue(bytes.subarray(0, 4)))) as [
    number,
    number,
  ];
  const [unscaledA, unscaledB] = [a, b].map((bytes) => signedValue(bytes.subarray(4))) as [
    bigint,
    bigint,
  ];
  if (unscaledA === 0n || unscaledB === 0n || unscaledA < 0n !== unscaledB < 0n)
    return order(unscaledA, unscaledB);
  // The power of ten first: a scale may be far too large to multiply out.
  const magnitude = order(exponent(unscaledA, scaleA), exponent(unscaledB, scaleB));
  if (magnitude !== 0) return unscaledA < 0n ? -magnitude : magnitude;
  const common = Math.max(scaleA, scaleB);
  return order(
    unscaledA * 10n ** BigInt(common - scaleA),
    unscaledB * 10n ** BigInt(common - scaleB),
  );
}

/** Of the first digit. */
function exponent(unscaled: bigint, scale: number): number {
  return String(unscaled < 0n ? -unscaled : unscaled).length - scale;
}

/** As Java's Double.compare: −0 before 0, NaN last. */
function compareFloating(a: Uint8Array, b: Uint8Array): number {
  const [x, y] = [floatingValue(a), floatingValue(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  return x === y ? order(1 / x, 1 / y) : order(x, y);
}

/** An IEEE number of four or eight bytes. */
export function floatingValue(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0);
}

/** UUIDType: by version, version 1 by time, then by unsigned bytes. */
function compareUuids(a: Uint8Array, b: Uint8Array): number {
  const version = (bytes: Uint8Array): number => (bytes[6] ?? 0) >> 4;
  if (version(a) !== version(b)) return version(a) - version(b);
  return (version(a) === 1 ? compareTimes(a, b) : 0) || compareBytes(a, b);
}

/** The time of a version-1 UUID: high, middle and low part stand in reverse order. */
function compareTimes(a: Uint8Array, b: Uint8Array): number {
  const time = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.from([6, 7, 4, 5, 0, 1, 2, 3], (at) => bytes[at] ?? 0);
  return compareBytes(time(a), time(b));
}

/** TimeUUIDType compares what follows the time as signed bytes. */
function compareSignedBytes(a: Uint8Array, b: Uint8Array): number {
  for (let index = 8; index < 16; index += 1) {
    const difference = (((a[index] ?? 0) << 24) >> 24) - (((b[index] ?? 0) << 24) >> 24);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The items of a collection or tuple, each after its length of four bytes; null has the length −1. */
function items(bytes: Uint8Array, from: number): (Uint8Array | undefined)[] {
  const found: (Uint8Array | undefined)[] = [];
  for (let at = from; at + 4 <= bytes.length; ) {
    const length = Number(signedValue(bytes.subarray(at, at + 4)));
    at += 4;
    found.push(length < 0 ? undefined : bytes.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return found;
}

function compareItems(
  typeAt: (index: number) => CqlType | undefined,
  a: readonly (Uint8Array | undefined)[],
  b: readonly (Uint8Array | undefined)[],
): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [first, second] = [a[index], b[index]];
    const type = typeAt(index);
    if (!first || !second || !type) {
      if (first || second) return first ? 1 : -1;
      continue;
    }
    const difference = compareSerialised(type, first, second);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
