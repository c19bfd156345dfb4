/** The router that is given away agrees with the lab on every key, under every strategy and type. */
import { describe, expect, test } from "vitest";
import { randomFrom } from "#model/random.ts";
import type { Strategy } from "#model/sharding-setup.ts";
import { nativeTypes } from "./cql-type.ts";
import { keyTableOf } from "./key-table.ts";
import { type Layout, layOut } from "./layout.ts";
import { placeKeys, tokenMemory } from "./place-keys.ts";
import type { RecordTable } from "./records.ts";
import { type RoutingTable, routerOf } from "./router.ts";
import { routingTable } from "./routing-table.ts";
import { nodeNames } from "./run-experiment.ts";
import { randomValue } from "./testing/random-values.ts";
import { valuesOf } from "./value-table.ts";

const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const keysOfEachType = 120;
const nodes = nodeNames(5);

/** Random records with a column of every type. */
function recordsOfAllTypes(): {
  records: RecordTable;
  texts: ReadonlyMap<string, readonly string[]>;
} {
  const random = randomFrom(seed);
  const texts = new Map<string, readonly string[]>();
  const columns = nativeTypes.map((name) => {
    const own = Array.from(
      { length: keysOfEachType },
      () => randomValue(random, { kind: "native", name }).text,
    );
    const values = valuesOf({ kind: "native", name }, own, name);
    if (!values.ok) throw new Error(values.issues[0]?.message);
    texts.set(name, own);
    return {
      name,
      values: values.value,
      ids: Uint32Array.from(own, (_, id) => id),
    };
  });
  const count = keysOfEachType;
  return { records: { columns, count, ends: [count], initial: count }, texts };
}

const { records, texts } = recordsOfAllTypes();

/** The table as it is read from its file. */
function fileOf(layout: Layout, replicas: number): RoutingTable {
  return JSON.parse(JSON.stringify(routingTable("records", layout, records, replicas)));
}

/** Keys on which the router and the lab disagree. */
function disagreements(strategy: Strategy, replicas: number): string[] {
  const layout = layOut(strategy, nodes, records, seed);
  if (!layout.ok) throw new Error(layout.issues[0]?.message);
  const { key } = layout.value;
  const router = routerOf(fileOf(layout.value, replicas));
  const keys = keyTableOf(records, key);
  const placement = placeKeys(layout.value, keys, replicas, tokenMemory());
  return Array.from({ length: records.count }, (_, row) => row).flatMap((row) => {
    const values = key.map((name) => texts.get(name)?.[row] ?? "");
    const slot = placement.slots[keys.ofRow[row] as number] as number;
    const own = placement.slotNodes.subarray(
      slot * placement.replicas,
      (slot + 1) * placement.replicas,
    );
    const ours = [...own].map((node) => nodes[node]);
    const theirs = router.route(values);
    return theirs.join() === ours.join()
      ? []
      : [`${values.join()}: ${theirs.join()} not ${ours.join()}`];
  });
}

const hashes = ["murmur3", "random"] as const;

describe.each(nativeTypes)("keys of type %s", (type) => {
  test("by hash", () => {
    for (const hash of hashes) {
      expect(disagreements({ kind: "hash mod", key: [type], hash }, 2)).toEqual([]);
      const ring = { kind: "ring", key: [type], hash, virtualNodes: 8 } as const;
      expect(disagreements({ ...ring, tokens: "random" }, 3)).toEqual([]);
      expect(disagreements({ ...ring, tokens: "even" }, 1)).toEqual([]);
    }
    expect(disagreements({ kind: "jump hash", key: [type] }, 1)).toEqual([]);
    expect(disagreements({ kind: "slots", key: [type] }, 2)).toEqual([]);
  });

  test("by range and by list", () => {
    for (const kind of ["equal count", "equal width"] as const)
      expect(disagreements({ kind: "range", key: [type], cut: { kind } }, 1)).toEqual([]);
    const own = [...new Set(texts.get(type))];
    const lists = [own.slice(0, 3), [], own.slice(3, 5)];
    const isPlain = type === "text" || type === "uuid" || type === "int";
    if (isPlain)
      expect(disagreements({ kind: "list", key: [type], lists, otherwise: 4 }, 2)).toEqual([]);
  });
});

test("keys of several columns", () => {
  for (const hash of hashes)
    expect(
      disagreements(
        { kind: "ring", key: ["text", "int", "uuid"], hash, tokens: "random", virtualNodes: 16 },
        2,
      ),
    ).toEqual([]);
});

test("takes numbers, dates and bytes as they are, and refuses what is no value", () => {
  const layout = layOut({ kind: "hash mod", key: ["bigint"], hash: "murmur3" }, nodes, records, 1);
  if (!layout.ok) throw new Error("hash mod");
  const router = routerOf(fileOf(layout.value, 1));
  expect(router.route([42n])).toEqual(router.route(["42"]));
  expect(router.route([Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 42)])).toEqual(router.route([42]));
  expect(router.everywhere).toEqual(nodes);
  expect(() => router.route(["forty"])).toThrow("“forty” is no bigint.");
  expect(() => router.route([1, 2])).toThrow("The key of records has 1 columns: bigint.");
  const robin = layOut({ kind: "round robin" }, nodes, records, 1);
  if (!robin.ok) throw new Error("round robin");
  const dealing = routerOf(fileOf(robin.value, 2));
  expect(dealing.next(7)).toEqual(["node 3", "node 4"]);
  expect(() => dealing.route([])).toThrow("ask everywhere");
  expect(() => routerOf({ ...fileOf(robin.value, 1), version: 2 } as never)).toThrow("version 1");
});
