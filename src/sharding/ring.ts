/**
 * The ring of consistent hashing, as Cassandra lays it: every node holds tokens, and a key belongs to the
 * node of the first token that is not below the key's own; beyond the greatest, the ring begins anew.
 *
 * A node's random tokens come from its name, so nodes come and go without a change of the others' tokens.
 */
import type { Partitioner } from "#model/sharding-setup.ts";
import { placeToken, readToken, tokenOf, tokenSpaces, tokenWords, writeToken } from "./token.ts";
import { utf8 } from "./utf8.ts";

/** `even`: one token per node at equal distances. `random`: so many per node, as Cassandra draws them. */
export type RingTokens =
  | { readonly kind: "even" }
  | { readonly kind: "random"; readonly virtualNodes: number; readonly seed: number };

/** Tokens in rising order, and whose they are. */
export interface Ring {
  readonly partitioner: Partitioner;
  /** Number of nodes. */
  readonly nodes: number;
  /** `tokenWords[partitioner]` words for each token. */
  readonly tokens: Uint32Array;
  /** Node of each token. */
  readonly owners: Uint16Array;
  /** First token whose upper 16 bits are not below the index; a short way to any place. */
  readonly starts: Uint32Array;
}

/** The ring of these nodes. */
export function ringOf(partitioner: Partitioner, nodes: readonly string[], kind: RingTokens): Ring {
  const words = tokenWords[partitioner];
  const each = kind.kind === "even" ? 1 : kind.virtualNodes;
  const unsorted = new Uint32Array(nodes.length * each * words);
  for (const [node, name] of nodes.entries())
    for (let index = 0; index < each; index += 1) {
      const at = (node * each + index) * words;
      if (kind.kind === "even")
        placeToken(partitioner, evenToken(partitioner, node, nodes.length), unsorted, at);
      else {
        const bytes = utf8(`${kind.seed}/${name}/${index}`);
        writeToken(partitioner, bytes, 0, bytes.length, unsorted, at);
      }
    }
  return sortedRing(partitioner, nodes.length, unsorted, each);
}

/** A ring of tokens that somebody gave; `tokens[node]` lists those of a node. */
export function ringOfTokens(
  partitioner: Partitioner,
  tokens: readonly (readonly bigint[])[],
): Ring {
  const words = tokenWords[partitioner];
  const all = tokens.flatMap((own, node) => own.map((token) => ({ token, node })));
  all.sort((a, b) => (a.token < b.token ? -1 : a.token > b.token ? 1 : a.node - b.node));
  const table = new Uint32Array(all.length * words);
  for (const [index, { token }] of all.entries())
    placeToken(partitioner, token, table, index * words);
  return completeRing(
    partitioner,
    tokens.length,
    table,
    Uint16Array.from(all, (one) => one.node),
  );
}

/** The token of a node among so many at equal distances, the first at the least token (for MD5: at 0). */
export function evenToken(partitioner: Partitioner, node: number, nodes: number): bigint {
  const { least, length } = tokenSpaces[partitioner];
  const from = partitioner === "random" ? 0n : least;
  return from + (BigInt(node) * length) / BigInt(nodes);
}

function sortedRing(
  partitioner: Partitioner,
  nodes: number,
  unsorted: Uint32Array,
  each: number,
): Ring {
  const words = tokenWords[partitioner];
  const order = Uint32Array.from({ length: unsorted.length / words }, (_, index) => index);
  order.sort((a, b) => compareTokens(unsorted, a * words, unsorted, b * words, words) || a - b);
  const tokens = new Uint32Array(unsorted.length);
  for (const [index, from] of order.entries())
    tokens.set(unsorted.subarray(from * words, (from + 1) * words), index * words);
  const owners = Uint16Array.from(order, (from) => Math.floor(from / each));
  return completeRing(partitioner, nodes, tokens, owners);
}

function completeRing(
  partitioner: Partitioner,
  nodes: number,
  tokens: Uint32Array,
  owners: Uint16Array,
): Ring {
  const words = tokenWords[partitioner];
  const starts = new Uint32Array(0x10000);
  let index = 0;
  for (let upper = 0; upper < starts.length; upper += 1) {
    while (index < owners.length && (tokens[index * words] as number) >>> 16 < upper) index += 1;
    starts[upper] = index;
  }
  return { partitioner, nodes, tokens, owners, starts };
}

function compareTokens(
  a: Uint32Array,
  atA: number,
  b: Uint32Array,
  atB: number,
  words: number,
): number {
  for (let word = 0; word < words; word += 1) {
    const difference = (a[atA + word] as number) - (b[atB + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Which token of the ring, by position, the key's token at `table[at]` belongs to. */
export function placeOnRing(ring: Ring, table: Uint32Array, at: number): number {
  const { tokens, owners, starts, partitioner } = ring;
  const words = tokenWords[partitioner];
  let index = starts[(table[at] as number) >>> 16] as number;
  while (index < owners.length && compareTokens(tokens, index * words, table, at, words) < 0)
    index += 1;
  return index === owners.length ? 0 : index;
}

/**
 * Nodes that keep the keys of each token, `replicas` after one another: the owner, then the next nodes around
 * the ring that are not among them yet (SimpleStrategy).
 */
export function ringReplicas(ring: Ring, replicas: number): Uint16Array {
  const { owners } = ring;
  const count = Math.min(replicas, ring.nodes);
  const result = new Uint16Array(owners.length * count);
  for (let index = 0; index < owners.length; index += 1) {
    const found: number[] = [];
    for (let step = 0; step < owners.length && found.length < count; step += 1) {
      const node = owners[(index + step) % owners.length] as number;
      if (!found.includes(node)) found.push(node);
    }
    result.set(found, index * count);
  }
  return result;
}

/** The share of all tokens that each node owns, 0 … 1; they sum to 1. */
export function ownership(ring: Ring): Float64Array {
  const { partitioner, owners, tokens } = ring;
  const words = tokenWords[partitioner];
  const length = Number(tokenSpaces[partitioner].length);
  const shares = new Float64Array(ring.nodes);
  for (const [index, node] of owners.entries()) {
    const own = readToken(partitioner, tokens, index * words);
    const before = readToken(
      partitioner,
      tokens,
      (index === 0 ? owners.length - 1 : index - 1) * words,
    );
    const width = Number(own - before) / length;
    shares[node] = (shares[node] as number) + (index === 0 ? width + 1 : width);
  }
  return shares;
}

/** Every token of the ring with its node, in rising order. */
export function ringTokens({ partitioner, tokens, owners }: Ring): {
  readonly token: bigint;
  readonly node: number;
}[] {
  return [...owners].map((node, index) => ({
    token: readToken(partitioner, tokens, index * tokenWords[partitioner]),
    node,
  }));
}

/** The place on this ring of one key, given by its bytes. */
export function placeOfKey(ring: Ring, key: Uint8Array): number {
  const table = new Uint32Array(tokenWords[ring.partitioner]);
  placeToken(ring.partitioner, tokenOf(ring.partitioner, key), table, 0);
  return placeOnRing(ring, table, 0);
}
