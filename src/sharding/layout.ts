/**
 * A strategy laid out on a cluster: what a router has to know to send a key to its node. Ranges have their
 * borders, rings their tokens, lists their values as bytes.
 *
 * Decides what becomes of a layout when a node joins or leaves: the ring gives the new node the stretches
 * before its tokens; a range is cut in two, or joins its neighbour; modulo deals all anew.
 */
import { anError, type Result } from "#model/issue.ts";
import type { Partitioner, RangeCut, Strategy } from "#model/sharding-setup.ts";
import { valueBetween } from "./between-values.ts";
import { compareSerialised } from "./compare-serialised.ts";
import type { CqlType } from "./cql-type.ts";
import { slotCount, slotNode } from "./other-hashes.ts";
import type { RecordColumn, RecordTable } from "./records.ts";
import { type Ring, type RingTokens, ringOf } from "./ring.ts";
import { serialise } from "./serialise.ts";
import { type Border, borderAt, sortedValues } from "./value-order.ts";
import { type ValueTable, valueBytes } from "./value-table.ts";

export type Layout = LayoutBase &
  (
    | { readonly kind: "round robin" }
    | RangeLayout
    | {
        readonly kind: "list";
        readonly type: CqlType;
        readonly lists: readonly { readonly bytes: Uint8Array; readonly node: number }[];
        readonly otherwise: number;
      }
    | { readonly kind: "hash mod"; readonly hash: Partitioner }
    | { readonly kind: "ring"; readonly ring: Ring; readonly tokens: RingTokens }
    | { readonly kind: "jump hash" }
    /** Node of each slot. */
    | { readonly kind: "slots"; readonly owners: Uint16Array }
  );

interface LayoutBase {
  /** Names of the nodes; everything else speaks of their positions here. */
  readonly nodes: readonly string[];
  readonly key: readonly string[];
}

interface RangeLayout {
  readonly kind: "range";
  readonly type: CqlType;
  /** In rising order; range i holds what is below border i, and not below border i − 1. */
  readonly borders: readonly Border[];
  /** Node of each range, one more than borders. */
  readonly owners: readonly number[];
}

/** Lays a strategy out; ranges are cut by the records that are there at the beginning. Issues: values that cannot be read. */
export function layOut(
  strategy: Strategy,
  nodes: readonly string[],
  records: RecordTable,
  seed: number,
): Result<Layout> {
  switch (strategy.kind) {
    case "round robin":
      return laid({ kind: "round robin", nodes, key: [] });
    case "range":
      return rangeLayout(strategy.cut, strategy.key, nodes, records);
    case "list":
      return listLayout(strategy, nodes, records);
    case "ring": {
      const { key, hash, virtualNodes } = strategy;
      const tokens: RingTokens =
        strategy.tokens === "even" ? { kind: "even" } : { kind: "random", virtualNodes, seed };
      return laid({ kind: "ring", nodes, key, ring: ringOf(hash, nodes, tokens), tokens });
    }
    case "hash mod":
      return laid({ kind: "hash mod", nodes, key: strategy.key, hash: strategy.hash });
    case "jump hash":
      return laid({ kind: "jump hash", nodes, key: strategy.key });
    case "slots": {
      const owners = Uint16Array.from({ length: slotCount }, (_, slot) =>
        slotNode(slot, nodes.length),
      );
      return laid({ kind: "slots", nodes, key: strategy.key, owners });
    }
  }
}

function laid(layout: Layout): Result<Layout> {
  return { ok: true, value: layout, warnings: [] };
}

function columnOf({ columns }: RecordTable, name: string): RecordColumn {
  const column = columns.find((each) => each.name === name);
  if (!column) throw new Error(`there is no column ${name} among the records`);
  return column;
}

function rangeLayout(
  cut: RangeCut,
  key: readonly [string],
  nodes: readonly string[],
  records: RecordTable,
): Result<Layout> {
  const column = columnOf(records, key[0]);
  const { type } = column.values;
  const borders = bordersOf(cut, column, nodes.length, records.initial || records.count);
  if (!borders.ok) return borders;
  // Nodes beyond the last range hold nothing.
  const owners = Array.from({ length: borders.value.length + 1 }, (_, range) => range);
  return laid({ kind: "range", nodes, key, type, borders: borders.value, owners });
}

function bordersOf(
  cut: RangeCut,
  column: RecordColumn,
  nodes: number,
  rows: number,
): Result<readonly Border[]> {
  const { values } = column;
  if (cut.kind === "by hand") return bordersByHand(cut.borders, values, nodes);
  const counts = new Uint32Array(values.count);
  for (let row = 0; row < rows; row += 1) {
    const id = column.ids[row] as number;
    counts[id] = (counts[id] as number) + 1;
  }
  const present = sortedValues(values).filter((id) => (counts[id] as number) > 0);
  const bytes =
    cut.kind === "equal count"
      ? equalCount(present, counts, values, nodes, rows)
      : equalWidth(present, values, nodes);
  return { ok: true, value: bytes.map((each) => borderAt(values.type, each)), warnings: [] };
}

/** After each i/N of the rows; where a value straddles it, on the side that is nearer. */
function equalCount(
  present: Uint32Array,
  counts: Uint32Array,
  values: ValueTable,
  nodes: number,
  rows: number,
): Uint8Array[] {
  const borders: Uint8Array[] = [];
  let before = 0;
  for (const id of present) {
    const after = before + (counts[id] as number);
    const wanted = (rows * (borders.length + 1)) / nodes;
    const isNearer = after > wanted && wanted - before <= after - wanted;
    if (before > 0 && borders.length < nodes - 1 && (before >= wanted || isNearer))
      borders.push(valueBytes(values, id));
    before = after;
  }
  return borders;
}

function equalWidth(present: Uint32Array, values: ValueTable, nodes: number): Uint8Array[] {
  const least = present[0];
  const greatest = present.at(-1);
  if (least === undefined || greatest === undefined) return [];
  return Array.from({ length: nodes - 1 }, (_, index) =>
    valueBetween(
      values.type,
      valueBytes(values, least),
      valueBytes(values, greatest),
      index + 1,
      nodes,
    ),
  );
}

function bordersByHand(
  texts: readonly string[],
  { type }: ValueTable,
  nodes: number,
): Result<readonly Border[]> {
  if (texts.length !== nodes - 1)
    return refused(
      "borders",
      `There are ${texts.length} borders for ${nodes} nodes.`,
      `Write ${nodes - 1}, in rising order: a node holds what is below its border.`,
    );
  const borders: Border[] = [];
  for (const [index, text] of texts.entries()) {
    const bytes = serialise(type, text, `border ${index + 1}`);
    if (!bytes.ok) return bytes;
    borders.push(borderAt(type, bytes.value));
  }
  const unordered = borders.findIndex(
    (border, index) =>
      index > 0 && compareSerialised(type, (borders[index - 1] as Border).bytes, border.bytes) >= 0,
  );
  return unordered < 0
    ? { ok: true, value: borders, warnings: [] }
    : refused(
        `border ${unordered + 1}`,
        `${texts[unordered]} is not above ${texts[unordered - 1]}.`,
        "Write the borders in rising order.",
      );
}

function refused(place: string, message: string, hint: string): Result<never> {
  return { ok: false, issues: [anError(place, message, hint)] };
}

function listLayout(
  { key, lists, otherwise }: Extract<Strategy, { kind: "list" }>,
  nodes: readonly string[],
  records: RecordTable,
): Result<Layout> {
  const { type } = columnOf(records, key[0]).values;
  const found: { bytes: Uint8Array; node: number }[] = [];
  const seen = new Map<string, number>();
  for (const [node, texts] of lists.entries())
    for (const text of texts) {
      const place = `list of ${nodes[node] ?? `node ${node + 1}`}`;
      const bytes = serialise(type, text, place);
      if (!bytes.ok) return bytes;
      const other = seen.get(bytes.value.join());
      if (other !== undefined)
        return refused(
          place,
          `${text} is in the list of ${nodes[other]} as well.`,
          "Keep it in one.",
        );
      seen.set(bytes.value.join(), node);
      found.push({ bytes: bytes.value, node });
    }
  const unknown = [...lists.keys(), otherwise].find((node) => node >= nodes.length);
  if (unknown !== undefined)
    return refused(
      "lists",
      `A list is for node ${unknown + 1}, and there are ${nodes.length} nodes.`,
      "Give the values to a node that is there.",
    );
  return laid({ kind: "list", nodes, key, type, lists: found, otherwise });
}
