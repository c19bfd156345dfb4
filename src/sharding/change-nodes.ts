/**
 * A node joins or leaves: the layout afterwards, which keys move, and which share of them theory expects.
 */
import type { KeyTable } from "./key-table.ts";
import type { Layout } from "./layout.ts";
import { slotCount } from "./other-hashes.ts";
import { ownerOf, type Placement, placeKeys, type TokensOf } from "./place-keys.ts";
import { type Ring, ringOf, ringOfTokens, ringTokens } from "./ring.ts";
import { tokenSpaces } from "./token.ts";
import { borderAt, rangesOf, sortedValues } from "./value-order.ts";
import { type ValueTable, valueBytes } from "./value-table.ts";

export type NodeChange =
  | { readonly kind: "add"; readonly name: string }
  /** The position of the node that leaves. */
  | { readonly kind: "remove"; readonly node: number };

export interface Moves {
  /** Records and keys whose first node changes. */
  readonly rows: number;
  readonly keys: number;
  /** Share of all records and of all keys, 0 … 1. */
  readonly rowShare: number;
  readonly keyShare: number;
  /** The share of keys that theory expects, and why, in words; of records where the layout knows no keys. */
  readonly expected: number;
  readonly because: string;
  readonly layout: Layout;
}

/** The keys that are stored: their records, and where the layout puts them. */
export interface StoredKeys {
  readonly keys: KeyTable;
  /** Records of each key. */
  readonly rowCounts: Uint32Array;
  readonly placement: Placement;
  readonly tokensOf: TokensOf;
}

const nothing = { rows: 0, keys: 0, rowShare: 0, keyShare: 0, expected: 0 } as const;

/** What moves under a change. */
export function nodeMoves(layout: Layout, change: NodeChange, stored: StoredKeys): Moves {
  const { keys, rowCounts, placement, tokensOf } = stored;
  if (change.kind === "remove" && layout.nodes.length === 1)
    return {
      ...nothing,
      because: "the only node cannot leave: there is nowhere to go",
      layout,
    };
  const after = layoutAfter(layout, change, stored);
  const { expected, because } = expectation(layout, change);
  const rows = rowCounts.reduce((sum, count) => sum + count, 0);
  const moved =
    layout.kind === "round robin"
      ? roundRobinMoves(placement, change, rows)
      : keyMoves(
          placement,
          placeKeys(after, keys, 1, tokensOf),
          rowCounts,
          nodesAfter(layout, change),
        );
  return {
    ...moved,
    rowShare: moved.rows / Math.max(1, rows),
    keyShare: moved.keys / Math.max(1, layout.kind === "round robin" ? rows : keys.count),
    expected,
    because,
    layout: after,
  };
}

/** Where each old node is found afterwards; −1 for the one that left. */
function nodesAfter({ nodes }: Layout, change: NodeChange): number[] {
  return nodes.map((_, node) => {
    if (change.kind === "add" || node < change.node) return node;
    return node === change.node ? -1 : node - 1;
  });
}

/** Records that are stored stay where they are when a node joins; those of a node that leaves are dealt out. */
function roundRobinMoves(
  { slots, slotNodes, replicas }: Placement,
  change: NodeChange,
  stored: number,
): { readonly rows: number; readonly keys: number } {
  if (change.kind === "add") return { rows: 0, keys: 0 };
  let rows = 0;
  for (const slot of slots.subarray(0, stored))
    if (slotNodes[slot * replicas] === change.node) rows += 1;
  return { rows, keys: rows };
}

function keyMoves(
  before: Placement,
  after: Placement,
  rowCounts: Uint32Array,
  renamed: readonly number[],
): { readonly rows: number; readonly keys: number } {
  let rows = 0;
  let keys = 0;
  for (let key = 0; key < before.slots.length; key += 1) {
    const old = renamed[ownerOf(before, before.slots[key] as number)];
    if (old === ownerOf(after, after.slots[key] as number)) continue;
    keys += 1;
    rows += rowCounts[key] as number;
  }
  return { rows, keys };
}

function layoutAfter(layout: Layout, change: NodeChange, stored: StoredKeys): Layout {
  const nodes =
    change.kind === "add"
      ? [...layout.nodes, change.name]
      : layout.nodes.filter((_, node) => node !== change.node);
  switch (layout.kind) {
    case "ring":
      return { ...layout, nodes, ring: ringAfter(layout, nodes, change) };
    case "range":
      return change.kind === "add"
        ? splitRange(layout, nodes, stored)
        : joinRange(layout, nodes, change.node);
    case "list": {
      if (change.kind === "add") return { ...layout, nodes };
      const { node: gone } = change;
      const rename = (node: number): number => (node > gone ? node - 1 : node);
      const lists = layout.lists
        .filter(({ node }) => node !== gone)
        .map((each) => ({ ...each, node: rename(each.node) }));
      const otherwise = layout.otherwise === gone ? 0 : rename(layout.otherwise);
      return { ...layout, nodes, lists, otherwise };
    }
    case "slots":
      return { ...layout, nodes, owners: slotsAfter(layout.owners, layout.nodes.length, change) };
    default:
      return { ...layout, nodes };
  }
}

/** Random tokens come from names. Even ones stay where they are: the new node's token halves the first node's stretch. */
function ringAfter(
  { ring, tokens }: Extract<Layout, { kind: "ring" }>,
  nodes: readonly string[],
  change: NodeChange,
): Ring {
  const { partitioner } = ring;
  if (tokens.kind === "random") return ringOf(partitioner, nodes, tokens);
  const own = ringTokens(ring);
  const kept = nodes.map((_, node) => {
    const old = change.kind === "remove" && node >= change.node ? node + 1 : node;
    return own.filter((each) => each.node === old).map(({ token }) => token);
  });
  if (change.kind === "remove") return ringOfTokens(partitioner, kept);
  const last = own.at(-1)?.token ?? 0n;
  const half = last + (tokenSpaces[partitioner].greatest - last) / 2n;
  return ringOfTokens(partitioner, [...kept.slice(0, -1), [half]]);
}

/** The range with the most records is cut where half of them lie, and the upper half goes to the new node. */
function splitRange(
  layout: Extract<Layout, { kind: "range" }>,
  nodes: readonly string[],
  { keys, rowCounts, placement }: StoredKeys,
): Layout {
  const [values] = keys.values;
  const [ids] = keys.parts;
  if (!values || !ids) return layout;
  const rowsOfValue = new Uint32Array(values.count);
  for (let key = 0; key < keys.count; key += 1)
    rowsOfValue[ids[key] as number] = rowCounts[key] as number;
  const perNode = new Float64Array(layout.nodes.length);
  for (let key = 0; key < keys.count; key += 1) {
    const node = ownerOf(placement, placement.slots[key] as number);
    perNode[node] = (perNode[node] as number) + (rowCounts[key] as number);
  }
  const fullest = perNode.indexOf(Math.max(...perNode));
  const range = layout.owners.indexOf(fullest);
  const cut = middleValue(values, rowsOfValue, rangesOf(values, layout.borders), range);
  if (cut === undefined) return { ...layout, nodes };
  return {
    ...layout,
    nodes,
    borders: layout.borders.toSpliced(range, 0, borderAt(layout.type, valueBytes(values, cut))),
    owners: layout.owners.toSpliced(range + 1, 0, nodes.length - 1),
  };
}

/** The value of a range below which half of its records lie, or more; undefined where one value holds all. */
function middleValue(
  values: ValueTable,
  rowsOfValue: Uint32Array,
  ranges: Uint32Array,
  range: number,
): number | undefined {
  const inside = sortedValues(values).filter(
    (id) => ranges[id] === range && (rowsOfValue[id] as number) > 0,
  );
  const half = inside.reduce((sum, id) => sum + (rowsOfValue[id] as number), 0) / 2;
  let below = 0;
  for (const [index, id] of inside.entries()) {
    if (index > 0 && (below >= half || index === inside.length - 1)) return id;
    below += rowsOfValue[id] as number;
  }
  return undefined;
}

/** The range of the node that leaves becomes part of the one below it, or above it if it is the lowest. */
function joinRange(
  layout: Extract<Layout, { kind: "range" }>,
  nodes: readonly string[],
  gone: number,
): Layout {
  const range = layout.owners.indexOf(gone);
  const rename = (node: number): number => (node > gone ? node - 1 : node);
  return {
    ...layout,
    nodes,
    borders: range < 0 ? layout.borders : layout.borders.toSpliced(Math.max(0, range - 1), 1),
    owners: layout.owners.filter((node) => node !== gone).map(rename),
  };
}

/** A new node takes its part evenly from all; the slots of one that leaves are dealt to the others. */
function slotsAfter(owners: Uint16Array, nodes: number, change: NodeChange): Uint16Array {
  const held = Array.from(
    { length: nodes },
    (_, node) => owners.filter((each) => each === node).length,
  );
  if (change.kind === "remove") {
    let next = 0;
    return owners.map((owner) => {
      if (owner !== change.node) return owner > change.node ? owner - 1 : owner;
      next += 1;
      return next % (nodes - 1);
    });
  }
  const wanted = Math.floor(slotCount / (nodes + 1));
  const after = Uint16Array.from(owners);
  // From the end of the fullest node's stretch, one slot at a time.
  for (let taken = 0; taken < wanted; taken += 1) {
    const fullest = held.indexOf(Math.max(...held));
    held[fullest] = (held[fullest] as number) - 1;
    after[after.lastIndexOf(fullest)] = nodes;
  }
  return after;
}

interface Expectation {
  readonly expected: number;
  readonly because: string;
}

function expectation(layout: Layout, change: NodeChange): Expectation {
  const nodes = layout.nodes.length;
  const kind = layout.kind === "ring" && layout.tokens.kind === "even" ? "even ring" : layout.kind;
  return change.kind === "add" ? joining[kind](nodes) : leaving[kind](nodes, change.node);
}

type ExpectedKind = Layout["kind"] | "even ring";

/** What a node that joins N others is expected to move. */
const joining: Readonly<Record<ExpectedKind, (nodes: number) => Expectation>> = {
  "round robin": () => ({
    expected: 0,
    because: "stored records stay; the new node fills with new ones",
  }),
  list: () => ({ expected: 0, because: "nothing, until values are put into the new node’s list" }),
  range: (nodes) => ({ expected: 1 / (2 * nodes), because: "half of one of N equal ranges" }),
  "even ring": (nodes) => ({
    expected: 1 / (2 * nodes),
    because: "half of one of N equal stretches, all from one node",
  }),
  ring: (nodes) => ({
    expected: 1 / (nodes + 1),
    because: "the stretches that the new node takes, some from every node",
  }),
  slots: (nodes) => ({ expected: 1 / (nodes + 1), because: "the slots that the new node takes" }),
  "jump hash": (nodes) => ({
    expected: 1 / (nodes + 1),
    because: "keys move only to the new node",
  }),
  "hash mod": (nodes) => ({
    expected: 1 - moduloStay(nodes, nodes + 1),
    because: "a key stays only where h mod N = h mod (N + 1)",
  }),
};

/** What a node that leaves N is expected to move; `node` is its position. */
const leaving: Readonly<Record<ExpectedKind, (nodes: number, node: number) => Expectation>> = {
  "round robin": (nodes) => ({
    expected: 1 / nodes,
    because: "the records of the node that leaves",
  }),
  list: (nodes) => ({
    expected: 1 / nodes,
    because: "the values of the node that leaves, if all lists are alike",
  }),
  range: (nodes) => ({ expected: 1 / nodes, because: "one of N equal ranges" }),
  "even ring": (nodes) => ({
    expected: 1 / nodes,
    because: "one of N equal stretches, all to the next node",
  }),
  ring: (nodes) => ({
    expected: 1 / nodes,
    because: "the stretches of the node that leaves, some to every node",
  }),
  slots: (nodes) => ({ expected: 1 / nodes, because: "the slots of the node that leaves" }),
  "jump hash": (nodes, node) =>
    node === nodes - 1
      ? { expected: 1 / nodes, because: "the keys of the last node" }
      : {
          expected: 1 - (node + 1 / (nodes - 1)) / nodes,
          because: "jump hash can drop only the last node: all after this one are numbered anew",
        },
  "hash mod": (nodes) => ({
    expected: 1 - moduloStay(nodes, nodes - 1),
    because: "a key stays only where h mod (N − 1) names the node of h mod N",
  }),
};

/** The share of numbers h with h mod N = h mod M: min(N, M) of every lcm(N, M). */
export function moduloStay(before: number, after: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return (Math.min(before, after) * divisor(before, after)) / (before * after);
}
