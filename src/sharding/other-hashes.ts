/**
 * Placements by hash that other stores use, beside Cassandra's ring: ketama's points, jump hash, and fixed
 * slots with hash tags.
 */
import { md5 } from "./md5.ts";
import { utf8 } from "./utf8.ts";

const digest = new Int32Array(4);

/** Points of a server on a ketama ring: MD5 of `server-0` … `server-39`, four points from each. */
export const ketamaRepetitions = 40;

/** A ring of 32-bit points in rising order. */
export interface KetamaRing {
  readonly points: Uint32Array;
  readonly owners: Uint16Array;
}

/** The ketama ring of servers (libketama; Couchbase SDK RFC 26). */
export function ketamaRing(servers: readonly string[]): KetamaRing {
  const points = servers.flatMap((server, owner) =>
    Array.from({ length: ketamaRepetitions }, (_, repetition) => {
      const bytes = utf8(`${server}-${repetition}`);
      md5(bytes, 0, bytes.length, digest, 0);
      return [...digest].map((word) => ({ point: word >>> 0, owner }));
    }).flat(),
  );
  points.sort((a, b) => a.point - b.point || a.owner - b.owner);
  return {
    points: Uint32Array.from(points, ({ point }) => point),
    owners: Uint16Array.from(points, ({ owner }) => owner),
  };
}

/** A key's place on a ketama ring: the first four bytes of its MD5, the lowest first. */
export function ketamaHash(key: Uint8Array): number {
  md5(key, 0, key.length, digest, 0);
  return (digest[0] as number) >>> 0;
}

/** The server of a hash: that of the first point which is not below it, around the ring. */
export function ketamaOwner({ points, owners }: KetamaRing, hash: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return owners[low === points.length ? 0 : low] as number;
}

/**
 * Jump consistent hash (Lamping and Veach, arXiv 1406.2294, figure 1): the bucket, 0 … buckets − 1, of a
 * 64-bit key. From n to n + 1 buckets a key stays or moves to the new one.
 */
export function jumpHash(key: bigint, buckets: number): number {
  if (!Number.isInteger(buckets) || buckets < 1)
    throw new RangeError(`jump hash over ${buckets} buckets`);
  let state = BigInt.asUintN(64, key);
  let bucket = -1;
  let next = 0;
  while (next < buckets) {
    bucket = next;
    state = BigInt.asUintN(64, state * 2862933555777941757n + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(state >> 33n) + 1)));
  }
  return bucket;
}

/** Slots that keys are dealt to; the slots, not the keys, belong to nodes (Redis Cluster). */
export const slotCount = 16_384;

/** The slot of a key: CRC16 of the part in braces if there is one with anything in it, else of the whole key. */
export function slotOf(key: Uint8Array): number {
  const open = key.indexOf(0x7b);
  const close = open < 0 ? -1 : key.indexOf(0x7d, open + 1);
  const hashed = close > open + 1 ? key.subarray(open + 1, close) : key;
  return crc16(hashed) & (slotCount - 1);
}

/** CRC-16/XMODEM: polynomial 0x1021, from 0. */
export function crc16(bytes: Uint8Array): number {
  let remainder = 0;
  for (const byte of bytes) {
    remainder ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      remainder = ((remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return remainder;
}

/** The node of a slot where so many nodes hold stretches of equal length, as far as that goes. */
export function slotNode(slot: number, nodes: number): number {
  return Math.min(nodes - 1, Math.floor((slot * nodes) / slotCount));
}
