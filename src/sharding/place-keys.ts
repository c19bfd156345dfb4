/**
 * Where a layout puts keys. Every key has a *slot* (a stretch of the ring, or simply a node), and every slot
 * has its nodes: the first keeps the key, the next ones keep the replicas.
 *
 * Promises that each key is on exactly one node first and on as many different nodes as there are replicas,
 * or on all nodes where these are fewer.
 */

import type { Partitioner } from "#model/sharding-setup.ts";
import { type KeyTable, keyTokens, longestKey, writeKey } from "./key-table.ts";
import type { Layout } from "./layout.ts";
import { jumpHash, slotOf } from "./other-hashes.ts";
import { placeOnRing, type Ring, ringReplicas } from "./ring.ts";
import { readToken, tokenWords } from "./token.ts";
import { rangesOf } from "./value-order.ts";
import { type ValueTable, valueBytes } from "./value-table.ts";

export interface Placement {
  /** Slot of each key; of each record under round robin. */
  readonly slots: Uint32Array;
  /** `replicas` nodes for each slot, the owner first. */
  readonly slotNodes: Uint16Array;
  readonly replicas: number;
}

/** Tokens of a key table, computed when first asked for: several layouts hash the same keys. */
export type TokensOf = (keys: KeyTable, partitioner: Partitioner) => Uint32Array;

/** A `TokensOf` that keeps what it has computed. */
export function tokenMemory(): TokensOf {
  const known = new Map<KeyTable, Map<Partitioner, Uint32Array>>();
  return (keys, partitioner) => {
    const own = known.get(keys) ?? new Map<Partitioner, Uint32Array>();
    known.set(keys, own);
    const tokens = own.get(partitioner) ?? keyTokens(keys, partitioner);
    own.set(partitioner, tokens);
    return tokens;
  };
}

/** Places all keys (under round robin: all records); `replicas` ≥ 1. */
export function placeKeys(
  layout: Layout,
  keys: KeyTable,
  replicas: number,
  tokensOf: TokensOf,
): Placement {
  const count = Math.min(replicas, layout.nodes.length);
  const slotNodes =
    layout.kind === "ring"
      ? ringReplicas(layout.ring, count)
      : nextNodes(layout.nodes.length, count);
  return { slots: slotsOf(layout, keys, tokensOf), slotNodes, replicas: count };
}

/** Without a ring a slot is a node, and replicas stand on the nodes after it. */
function nextNodes(nodes: number, replicas: number): Uint16Array {
  const result = new Uint16Array(nodes * replicas);
  for (let node = 0; node < nodes; node += 1)
    for (let replica = 0; replica < replicas; replica += 1)
      result[node * replicas + replica] = (node + replica) % nodes;
  return result;
}

function slotsOf(layout: Layout, keys: KeyTable, tokensOf: TokensOf): Uint32Array {
  const nodes = layout.nodes.length;
  switch (layout.kind) {
    case "round robin":
      return mapped(keys.ofRow.length, (row) => row % nodes);
    case "range": {
      const { values, ids } = onlyColumn(keys);
      const ranges = rangesOf(values, layout.borders);
      return mapped(
        keys.count,
        (key) => layout.owners[ranges[ids[key] as number] as number] as number,
      );
    }
    case "list":
      return byLists(layout, keys);
    case "hash mod":
      return modulo(tokensOf(keys, layout.hash), tokenWords[layout.hash], nodes);
    case "ring":
      return onRing(layout.ring, tokensOf(keys, layout.ring.partitioner));
    case "jump hash": {
      const tokens = tokensOf(keys, "murmur3");
      return mapped(keys.count, (key) => jumpHash(readToken("murmur3", tokens, 2 * key), nodes));
    }
    case "slots":
      return byBytes(keys, (bytes) => layout.owners[slotOf(bytes)] as number);
  }
}

function mapped(length: number, slotAt: (index: number) => number): Uint32Array {
  const slots = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) slots[index] = slotAt(index);
  return slots;
}

function onlyColumn(keys: KeyTable): { readonly values: ValueTable; readonly ids: Uint32Array } {
  const [values] = keys.values;
  const [ids] = keys.parts;
  if (!values || !ids) throw new Error("ranges and lists need a key of one column");
  return { values, ids };
}

/** Once for each value, however many keys there are. */
function byLists(
  { lists, otherwise }: Extract<Layout, { kind: "list" }>,
  keys: KeyTable,
): Uint32Array {
  const { values, ids } = onlyColumn(keys);
  const listed = new Map(lists.map(({ bytes, node }) => [bytes.join(), node]));
  const longest = lists.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
  const nodes = mapped(values.count, (id) => {
    const bytes = valueBytes(values, id);
    return bytes.length > longest ? otherwise : (listed.get(bytes.join()) ?? otherwise);
  });
  return mapped(keys.count, (key) => nodes[ids[key] as number] as number);
}

function byBytes(keys: KeyTable, nodeOf: (bytes: Uint8Array) => number): Uint32Array {
  const buffer = new Uint8Array(longestKey(keys));
  return mapped(keys.count, (key) => nodeOf(buffer.subarray(0, writeKey(keys, key, buffer))));
}

/** The token, counted from the least one, modulo N. */
function modulo(tokens: Uint32Array, words: number, nodes: number): Uint32Array {
  const base = 2 ** 32 % nodes;
  return mapped(tokens.length / words, (key) => {
    let rest = 0;
    for (let word = 0; word < words; word += 1)
      rest = (rest * base + (tokens[key * words + word] as number)) % nodes;
    return rest;
  });
}

function onRing(ring: Ring, tokens: Uint32Array): Uint32Array {
  const words = tokenWords[ring.partitioner];
  return mapped(tokens.length / words, (key) => placeOnRing(ring, tokens, key * words));
}

/** The node that keeps a slot first. */
export function ownerOf({ slotNodes, replicas }: Placement, slot: number): number {
  return slotNodes[slot * replicas] as number;
}
