/** Published points, vectors and counts of rings, jump hash and slots; and what theory says of Cassandra's ring. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCqlType } from "./cql-type.ts";
import {
  crc16,
  jumpHash,
  ketamaHash,
  ketamaOwner,
  ketamaRing,
  slotCount,
  slotOf,
} from "./other-hashes.ts";
import {
  evenToken,
  ownership,
  placeOfKey,
  placeOnRing,
  ringOf,
  ringOfTokens,
  ringReplicas,
  ringTokens,
} from "./ring.ts";
import { serialise } from "./serialise.ts";
import { placeToken } from "./token.ts";
import { utf8 } from "./utf8.ts";

const servers = [101, 102, 103, 104].map((last) => `192.168.1.${last}:11210`);
const keys = Array.from({ length: 10_000 }, (_, index) => utf8(`key_${index}`));

function counts(owners: readonly number[], nodes: number): number[] {
  return Array.from({ length: nodes }, (_, node) => owners.filter((each) => each === node).length);
}

describe("a ketama ring of four servers (Couchbase SDK RFC 26)", () => {
  const ring = ketamaRing(servers);
  const owners = keys.map((key) => ketamaOwner(ring, ketamaHash(key)));

  test("has the published points", () => {
    const published = rowsOf("ketama-points.csv");
    expect(published).toHaveLength(40);
    expect(ring.points).toHaveLength(640);
    for (const [index, [point, server]] of published.entries()) {
      expect(ring.points[index]).toBe(Number(point));
      expect(servers[ring.owners[index] ?? -1]).toBe(server);
    }
  });

  test("puts the published keys where they belong", () => {
    const published = rowsOf("ketama-keys.csv");
    expect(published).toHaveLength(20);
    for (const [key = "", hash, server] of published) {
      expect(ketamaHash(utf8(key))).toBe(Number(hash));
      expect(servers[ketamaOwner(ring, Number(hash))]).toBe(server);
    }
    expect(counts(owners, 4)).toEqual([2443, 2587, 2384, 2586]);
  });

  test("has the published shares of the circle", () => {
    const shares = [0, 0, 0, 0];
    for (const [index, owner] of ring.owners.entries()) {
      const before =
        index === 0 ? (ring.points.at(-1) as number) - 2 ** 32 : ring.points[index - 1];
      shares[owner] =
        (shares[owner] as number) + ((ring.points[index] as number) - (before as number)) / 2 ** 32;
    }
    expect(shares.map((share) => (100 * share).toFixed(2))).toEqual([
      "24.02",
      "25.79",
      "24.70",
      "25.49",
    ]);
  });

  test("moves the keys of a server that leaves, and no other", () => {
    const three = ketamaRing(servers.slice(0, 3));
    const after = keys.map((key) => ketamaOwner(three, ketamaHash(key)));
    expect(counts(after, 3)).toEqual([3465, 3508, 3027]);
    const moved = owners.filter((owner, index) => owner !== after[index]);
    expect(moved).toHaveLength(2586);
    expect(moved.every((owner) => owner === 3)).toBe(true);
  });
});

describe("jump hash and modulo", () => {
  test("published vectors", () => {
    const vectors = [
      [1n, 1, 0],
      [42n, 57, 43],
      [3735883980n, 1, 0],
      [3735883980n, 666, 361],
      [256n, 1024, 520],
    ] as const;
    for (const [key, buckets, bucket] of vectors) expect(jumpHash(key, buckets)).toBe(bucket);
    expect(() => jumpHash(1n, -1)).toThrow(RangeError);
    expect(() => jumpHash(1n, 0)).toThrow(RangeError);
  });

  test.each([
    [10, 12, 8330, 1653],
    [4, 5, 8000, 1996],
  ])("keys 0 … 9999 from %i to %i shards", (from, to, modulo, jumped) => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    expect(numbers.filter((key) => key % from !== key % to)).toHaveLength(modulo);
    const moved = numbers.filter(
      (key) => jumpHash(BigInt(key), from) !== jumpHash(BigInt(key), to),
    );
    expect(moved).toHaveLength(jumped);
    expect(moved.every((key) => jumpHash(BigInt(key), to) >= from)).toBe(true);
  });
});

test("slots and hash tags (Redis Cluster)", () => {
  expect(crc16(utf8("123456789"))).toBe(0x31c3);
  const slots = {
    foo: [12182, "C"],
    "{foo}bar": [12182, "C"],
    "foo{}{bar}": [8363, "B"],
    full_key: [10135, "B"],
    "partial.{user}": [5474, "A"],
    "partial.{}{user}": [12062, "C"],
    bar: [5061, "A"],
    hello: [866, "A"],
    "123456789": [12739, "C"],
  } as const;
  const nodeOf = (slot: number): string => (slot <= 5500 ? "A" : slot <= 11000 ? "B" : "C");
  for (const [key, [slot, node]] of Object.entries(slots)) {
    expect(slotOf(utf8(key)), key).toBe(slot);
    expect(nodeOf(slot), key).toBe(node);
  }
  const each = Array.from({ length: slotCount }, (_, slot) => nodeOf(slot));
  expect(["A", "B", "C"].map((node) => each.filter((one) => one === node).length)).toEqual([
    5501, 5500, 5383,
  ]);
});

describe("Cassandra's ring", () => {
  test("evenly spaced tokens, and the owners of published tokens", () => {
    expect([0, 1, 2, 3].map((node) => String(evenToken("murmur3", node, 4)))).toEqual([
      "-9223372036854775808",
      "-4611686018427387904",
      "0",
      "4611686018427387904",
    ]);
    expect([0, 1, 2].map((node) => String(evenToken("murmur3", node, 3)))).toEqual([
      "-9223372036854775808",
      "-3074457345618258603",
      "3074457345618258602",
    ]);
    const ring = ringOf("murmur3", names(4), { kind: "even" });
    for (const [type = "", key = "", , , owner] of rowsOf("murmur3-tokens.csv"))
      expect(ring.owners[placeOfKey(ring, keyBytes(type, key))], key).toBe(Number(owner));
    expect([...ownership(ring)]).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  test("a token belongs to the node that holds it, one more to the next, and beyond the last to the first", () => {
    const ring = ringOfTokens("murmur3", [[-100n, 50n], [7n], [8n]]);
    expect(ringTokens(ring).map(({ node }) => node)).toEqual([0, 1, 2, 0]);
    const table = new Uint32Array(2);
    const owner = (token: bigint): number => {
      placeToken("murmur3", token, table, 0);
      return ring.owners[placeOnRing(ring, table, 0)] as number;
    };
    expect([-(2n ** 63n), -100n, -99n, 7n, 8n, 9n, 51n, 2n ** 63n - 1n].map(owner)).toEqual([
      0, 0, 1, 1, 2, 0, 0, 0,
    ]);
    // Clockwise from each token, every node once.
    expect([...ringReplicas(ring, 2)]).toEqual([0, 1, 1, 2, 2, 0, 0, 1]);
    expect([...ringReplicas(ring, 9)]).toEqual([0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]);
  });

  // Of N·v random tokens a node's v stretches together follow Beta(v, (N − 1)·v): mean 1/N and variance
  // (1/N)(1 − 1/N)/(N·v + 1).
  test.each([1, 4, 16, 64, 256, 512])(
    "ownership spreads as theory says for %i virtual nodes",
    (v) => {
      const nodes = 8;
      const rings = Math.max(8, Math.min(200, Math.floor(4096 / v)));
      const deviations = Array.from({ length: rings }, (_, seed) => [
        ...ownership(ringOf("murmur3", names(nodes), { kind: "random", virtualNodes: v, seed })),
      ]).flatMap((shares) => {
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
        return shares.map((share) => (share - 1 / nodes) ** 2);
      });
      const measured = deviations.reduce((sum, each) => sum + each, 0) / deviations.length;
      const expected = ((1 / nodes) * (1 - 1 / nodes)) / (nodes * v + 1);
      // The kurtosis of a Beta is between that of the exponential (9) and of the normal distribution (3).
      const error = expected * Math.sqrt((v < 16 ? 8 : 2) / deviations.length);
      expect(Math.abs(measured - expected)).toBeLessThan(4 * error);
    },
  );

  test.each([3, 10, 40])(
    "a node added to %i takes 1/(N + 1) of the keys, and only it takes any",
    (nodes) => {
      const virtualNodes = 128;
      const kind = { kind: "random", virtualNodes, seed: 1 } as const;
      const before = ringOf("murmur3", names(nodes), kind);
      const after = ringOf("murmur3", names(nodes + 1), kind);
      const owner = (ring: typeof before, key: Uint8Array): number =>
        ring.owners[placeOfKey(ring, key)] as number;
      const moves = keys.filter((key) => owner(before, key) !== owner(after, key));
      expect(moves.every((key) => owner(after, key) === nodes)).toBe(true);
      const share = 1 / (nodes + 1);
      // The keys are a sample, and so is the new node's part of the ring.
      const variance =
        share * (1 - share) * (1 / keys.length + 1 / ((nodes + 1) * virtualNodes + 1));
      expect(Math.abs(moves.length / keys.length - share)).toBeLessThan(3 * Math.sqrt(variance));
    },
  );
});

function names(nodes: number): string[] {
  return Array.from({ length: nodes }, (_, index) => `node ${index + 1}`);
}

function rowsOf(file: string): string[][] {
  return readFileSync(new URL(`./fixtures/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
}

function keyBytes(type: string, text: string): Uint8Array {
  const read = readCqlType(type, "type");
  const bytes = read.ok ? serialise(read.value, text, "value") : read;
  if (!bytes.ok) throw new Error(bytes.issues[0]?.message);
  return bytes.value;
}
