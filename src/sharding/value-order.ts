/**
 * Values in order: a number for each that never contradicts the order, for speed, and the exact comparison
 * where numbers tie. Borders between ranges are values themselves.
 */
import { compareSerialised, floatingValue, signedValue } from "./compare-serialised.ts";
import type { CqlType, NativeType } from "./cql-type.ts";
import { type ValueTable, valueBytes } from "./value-table.ts";

/** A number that rises with the value, as far as a double can tell; equal numbers decide nothing. */
export function position(type: CqlType, bytes: Uint8Array): number {
  return positionReader(type)(bytes, 0, bytes.length);
}

/** Reads the position of the value in `bytes[start … end)`. */
type PositionReader = (bytes: Uint8Array, start: number, end: number) => number;

function positionReader(type: CqlType): PositionReader {
  return (type.kind === "native" ? readers[type.name] : () => 0) ?? leading;
}

const readers: Readonly<Partial<Record<NativeType, PositionReader>>> = {
  tinyint: signedNumber,
  smallint: signedNumber,
  int: signedNumber,
  bigint: signedNumber,
  timestamp: signedNumber,
  time: signedNumber,
  float: (bytes, start, end) => floatingValue(bytes.subarray(start, end)),
  double: (bytes, start, end) => {
    const value = floatingValue(bytes.subarray(start, end));
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  },
  varint: (bytes, start, end) => clamped(Number(signedValue(bytes.subarray(start, end)))),
  decimal: (bytes, start, end) => {
    const scale = Number(signedValue(bytes.subarray(start, start + 4)));
    return clamped(Number(`${signedValue(bytes.subarray(start + 4, end))}e${-scale}`));
  },
  // UUIDs stand by version first; random ones then by their bytes, those of version 1 by time: compared exactly.
  uuid: (bytes, start, end) => {
    const version = (bytes[start + 6] ?? 0) >> 4;
    return version * 2 ** 48 + (version === 1 ? 0 : leading(bytes, start, end));
  },
  timeuuid: () => 0,
};

/** Numbers that a double holds only roughly still stand in order; infinity would tie them all. */
function clamped(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** Big-endian two's complement of at most eight bytes. */
function signedNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = ((bytes[start] as number) << 24) >> 24;
  for (let at = start + 1; at < end; at += 1) value = value * 256 + (bytes[at] as number);
  return value;
}

/** The first six bytes: all that a double holds. */
function leading(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < start + 6; at += 1)
    value = value * 256 + (at < end ? (bytes[at] as number) : 0);
  return value;
}

const sortedBefore = new WeakMap<ValueTable, Uint32Array>();

/** All values of a table from the least to the greatest; sorted once. */
export function sortedValues(table: ValueTable): Uint32Array {
  const known = sortedBefore.get(table);
  if (known) return known;
  const { count, type, bytes, starts } = table;
  const read = positionReader(type);
  const at = new Float64Array(count);
  for (let id = 0; id < count; id += 1)
    at[id] = read(bytes, starts[id] as number, starts[id + 1] as number);
  const order = orderOf(at);
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && at[order[to] as number] === at[order[from] as number]) to += 1;
    if (to - from > 1)
      order
        .subarray(from, to)
        .sort(
          (a, b) => compareSerialised(type, valueBytes(table, a), valueBytes(table, b)) || a - b,
        );
    from = to;
  }
  sortedBefore.set(table, order);
  return order;
}

/** The range of every value of a table, borders being in rising order: as `rangeOf` says, but for all at once. */
export function rangesOf(table: ValueTable, borders: readonly Border[]): Uint32Array {
  const order = sortedValues(table);
  const ranges = new Uint32Array(table.count);
  let from = 0;
  for (let range = 0; range <= borders.length; range += 1) {
    const border = borders[range];
    const to = border ? firstNotBelow(table, order, border) : order.length;
    for (let rank = from; rank < to; rank += 1) ranges[order[rank] as number] = range;
    from = Math.max(from, to);
  }
  return ranges;
}

function firstNotBelow(table: ValueTable, order: Uint32Array, { bytes }: Border): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = valueBytes(table, order[middle] as number);
    if (compareSerialised(table.type, value, bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Indices of numbers in rising order, equal ones as they stand: a radix sort over 16 bits at a time. */
function orderOf(numbers: Float64Array): Uint32Array {
  const { low, high } = orderedBits(numbers);
  let order = new Uint32Array(numbers.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  order = sortedByDigit(order, low, 0);
  order = sortedByDigit(order, low, 16);
  order = sortedByDigit(order, high, 0);
  return sortedByDigit(order, high, 16);
}

/** Halves of the bits of each number, turned so that as unsigned numbers they stand in the numbers' order. */
function orderedBits(numbers: Float64Array): {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
} {
  const low = new Uint32Array(numbers.length);
  const high = new Uint32Array(numbers.length);
  const view = new DataView(new ArrayBuffer(8));
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index] as number;
    // −0 ties with 0.
    view.setFloat64(0, number === 0 ? 0 : number);
    const turn = number < 0 ? 0xffffffff : 0;
    high[index] = view.getUint32(0) ^ (turn | 0x80000000);
    low[index] = view.getUint32(4) ^ turn;
  }
  return { low, high };
}

function sortedByDigit(
  order: Uint32Array<ArrayBuffer>,
  words: Uint32Array,
  shift: 0 | 16,
): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(0x10001);
  for (const word of words) {
    const after = ((word >>> shift) & 0xffff) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let digit = 1; digit < starts.length; digit += 1)
    starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
  const sorted = new Uint32Array(order.length);
  for (const index of order) {
    const digit = ((words[index] as number) >>> shift) & 0xffff;
    sorted[starts[digit] as number] = index;
    starts[digit] = (starts[digit] as number) + 1;
  }
  return sorted;
}

/** How many of the borders, in rising order, are not above a value: the range that it falls into. */
export function rangeOf(type: CqlType, borders: readonly Border[], bytes: Uint8Array): number {
  const at = position(type, bytes);
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const border = borders[middle] as Border;
    const order = border.position - at || compareSerialised(type, border.bytes, bytes);
    if (order > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A value that a range ends below. */
export interface Border {
  readonly bytes: Uint8Array;
  /** Its `position`, at hand for speed. */
  readonly position: number;
}

export function borderAt(type: CqlType, bytes: Uint8Array): Border {
  return { bytes, position: position(type, bytes) };
}
