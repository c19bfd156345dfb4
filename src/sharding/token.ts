/**
 * Tokens of partition keys under Cassandra's two hashing partitioners, exact to the last digit.
 *
 * Murmur3Partitioner (the default): the signed first half of Murmur3, −2⁶³ … 2⁶³ − 1; −2⁶³ itself is kept
 * for the ring's beginning, so a key that would hash to it gets 2⁶³ − 1. RandomPartitioner: MD5 as a signed
 * number of 128 bits without its sign, 0 … 2¹²⁷.
 *
 * A partition key without any byte has a hash like any other here. Cassandra refuses to store one.
 */
import type { Partitioner } from "#model/sharding-setup.ts";
import { md5 } from "./md5.ts";
import { murmur3 } from "./murmur3.ts";

export interface TokenSpace {
  /** Least and greatest token of the ring. */
  readonly least: bigint;
  readonly greatest: bigint;
  /** How many tokens there are between a token and itself, once around. */
  readonly length: bigint;
}

/** The tokens of a partitioner; RandomPartitioner's least, −1, is no key's. */
export const tokenSpaces: Readonly<Record<Partitioner, TokenSpace>> = {
  murmur3: { least: -(2n ** 63n), greatest: 2n ** 63n - 1n, length: 2n ** 64n },
  random: { least: -1n, greatest: 2n ** 127n, length: 2n ** 127n },
};

/** The token of a key's bytes. */
export function tokenOf(partitioner: Partitioner, key: Uint8Array): bigint {
  const words = new Uint32Array(tokenWords[partitioner]);
  writeToken(partitioner, key, 0, key.length, words, 0);
  return readToken(partitioner, words, 0);
}

/** 32-bit words of a token as kept in tables. */
export const tokenWords: Readonly<Record<Partitioner, number>> = { murmur3: 2, random: 4 };

const scratch = new Int32Array(4);

/**
 * Writes the token of `bytes[start … end)` to a table, as unsigned words from the most significant one,
 * so that comparing words from left to right compares tokens. Murmur3's sign is turned for that.
 */
export function writeToken(
  partitioner: Partitioner,
  bytes: Uint8Array,
  start: number,
  end: number,
  table: Uint32Array,
  at: number,
): void {
  if (partitioner === "murmur3") {
    murmur3(bytes, start, end, scratch, 0);
    const isLeast = scratch[0] === -(2 ** 31) && scratch[1] === 0;
    table[at] = isLeast ? 0xffffffff : (scratch[0] as number) ^ 0x80000000;
    table[at + 1] = isLeast ? 0xffffffff : (scratch[1] as number);
    return;
  }
  md5(bytes, start, end, scratch, 0);
  const isNegative = ((scratch[0] as number) & 0x80) !== 0;
  let carry = isNegative ? 1 : 0;
  for (let word = 3; word >= 0; word -= 1) {
    const value = swapped(scratch[word] as number);
    const sum = ((isNegative ? ~value : value) >>> 0) + carry;
    table[at + word] = sum;
    carry = sum > 0xffffffff ? 1 : 0;
  }
}

/** The token that `writeToken` put there. */
export function readToken(partitioner: Partitioner, table: Uint32Array, at: number): bigint {
  let value = 0n;
  for (let word = 0; word < tokenWords[partitioner]; word += 1)
    value = (value << 32n) | BigInt(table[at + word] as number);
  return partitioner === "murmur3" ? value - 2n ** 63n : value;
}

/** Puts a token into a table of tokens as `writeToken` would. */
export function placeToken(
  partitioner: Partitioner,
  token: bigint,
  table: Uint32Array,
  at: number,
): void {
  let rest = partitioner === "murmur3" ? token + 2n ** 63n : token;
  for (let word = tokenWords[partitioner] - 1; word >= 0; word -= 1) {
    table[at + word] = Number(rest & 0xffffffffn);
    rest >>= 32n;
  }
}

/** The bytes of a word in the other order. */
function swapped(word: number): number {
  return (
    ((word & 0xff) << 24) |
    ((word & 0xff00) << 8) |
    ((word >>> 8) & 0xff00) |
    ((word >>> 24) & 0xff)
  );
}
