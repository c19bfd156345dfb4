/** The lab's experiment: what must hold under every strategy, and figures that are known. */
import { describe, expect, test } from "vitest";
import { powerSum } from "#model/partition-figures.ts";
import { type Random, randomFrom } from "#model/random.ts";
import type { Strategy } from "#model/sharding-setup.ts";
import { balanceOf } from "./balance.ts";
import { moduloStay, type NodeChange, nodeMoves } from "./change-nodes.ts";
import { compareBytes, compareSerialised } from "./compare-serialised.ts";
import { nativeTypes } from "./cql-type.ts";
import { capacityOf, generatedText } from "./generated-value.ts";
import { keyTableOf, rowsPerKey } from "./key-table.ts";
import { type Layout, layOut } from "./layout.ts";
import { ownerOf, placeKeys, tokenMemory } from "./place-keys.ts";
import { type ColumnPlan, generateRecords, type RecordTable } from "./records.ts";
import { drawRequests, type RequestPlan } from "./requests.ts";
import { runExperiment, type StrategyOutcome } from "./run-experiment.ts";
import { serialise } from "./serialise.ts";
import { randomValue } from "./testing/random-values.ts";
import { borderAt, rangeOf, rangesOf, sortedValues } from "./value-order.ts";
import { generatedValues, valueBytes, valuesOf } from "./value-table.ts";
import { valueText } from "./value-text.ts";
import { zipfNumbers } from "./zipf.ts";

const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const names = (nodes: number): string[] =>
  Array.from({ length: nodes }, (_, node) => `node ${node + 1}`);

const columns: readonly ColumnPlan[] = [
  { name: "customer", type: "uuid", distinct: 400, distribution: { kind: "zipf", exponent: 0.8 } },
  { name: "day", type: "date", distinct: 90, distribution: { kind: "arrival" } },
  { name: "country", type: "text", distinct: 12, distribution: { kind: "uniform" } },
  { name: "device", type: "int", distinct: 60, distribution: { kind: "hot", share: 0.3 } },
];

function someRecords(count = 4000): RecordTable {
  return generateRecords({
    columns,
    initial: count / 2,
    arriving: [count / 4, count / 4],
    stepSeconds: 3600,
    seed,
  });
}

function strategies(random: Random, nodes: number): Strategy[] {
  const hash = random.below(2) === 0 ? "murmur3" : "random";
  const key = [["customer"], ["device"], ["customer", "day"]][random.below(3)] as string[];
  const column = ["customer", "day", "country", "device"][random.below(4)] as string;
  const lists = Array.from({ length: nodes }, (_, node) => [
    `country-${String(node).padStart(7, "0")}`,
  ]);
  return [
    { kind: "round robin" },
    { kind: "range", key: [column], cut: { kind: "equal width" } },
    { kind: "range", key: [column], cut: { kind: "equal count" } },
    { kind: "list", key: ["country"], lists, otherwise: nodes - 1 },
    { kind: "hash mod", key, hash },
    { kind: "ring", key, hash, tokens: "random", virtualNodes: 1 + random.below(40) },
    { kind: "ring", key, hash, tokens: "even", virtualNodes: 1 },
    { kind: "jump hash", key },
    { kind: "slots", key },
  ];
}

/** Slots that are not on `copies` different nodes that exist. */
function wrongSlots(
  strategy: Strategy,
  nodes: number,
  replicas: number,
  records: RecordTable,
): number {
  const layout = layoutOf(strategy, nodes, records);
  const keys = keyTableOf(records, layout.key);
  const { slots, slotNodes, replicas: copies } = placeKeys(layout, keys, replicas, tokenMemory());
  expect(copies).toBe(Math.min(replicas, nodes));
  expect(slots).toHaveLength(strategy.kind === "round robin" ? records.count : keys.count);
  return slots.filter((slot) => {
    const on = slotNodes.subarray(slot * copies, (slot + 1) * copies);
    return new Set(on).size !== copies || on.some((node) => node >= nodes);
  }).length;
}

function layoutOf(strategy: Strategy, nodes: number, records: RecordTable): Layout {
  const layout = layOut(strategy, names(nodes), records, seed);
  if (!layout.ok) throw new Error(layout.issues[0]?.message);
  return layout.value;
}

test("each record is on one node first and on as many different nodes as there are replicas", () => {
  const random = randomFrom(seed);
  const records = someRecords(1200);
  const sum = (step: Float64Array): number => step.reduce((all, rows) => all + rows, 0);
  for (let run = 0; run < 12; run += 1) {
    const nodes = 1 + random.below(9);
    const replicas = 1 + random.below(4);
    const all = strategies(random, nodes);
    for (const strategy of all)
      expect(wrongSlots(strategy, nodes, replicas, records), JSON.stringify(strategy)).toBe(0);
    const experiment = {
      nodes: names(nodes),
      replicas,
      strategies: all,
      plans: [],
      requests: 0,
      seed,
    };
    const { outcomes } = runExperiment(experiment, records);
    expect(outcomes).toHaveLength(all.length);
    for (const each of outcomes.flatMap((one) => ("stored" in one ? [one] : []))) {
      expect(each.stored.map(sum)).toEqual(
        records.ends.map((end) => end * Math.min(replicas, nodes)),
      );
      expect(each.arrived.map(sum)).toEqual([300, 300]);
    }
  }
});

test("a cluster of one node has all, under every strategy", () => {
  const records = someRecords(400);
  const all = strategies(randomFrom(seed), 1);
  const experiment = {
    nodes: names(1),
    replicas: 3,
    strategies: all,
    plans: [],
    requests: 0,
    seed,
  };
  for (const outcome of runExperiment(experiment, records).outcomes) {
    if (!("stored" in outcome)) throw new Error(outcome.issues[0]?.message);
    expect([...(outcome.stored.at(-1) ?? [])]).toEqual([400]);
    expect(outcome.removed).toMatchObject({ rows: 0, expected: 0 });
    expect(outcome.added.expected).toBeLessThanOrEqual(0.5);
  }
});

/** Keys by the nodes that they are on before and after a change, as `from>to`. */
function journeys(
  layout: Layout,
  change: NodeChange,
  records: RecordTable,
): { moved: number; ways: Set<string> } {
  const tokensOf = tokenMemory();
  const keys = keyTableOf(records, layout.key);
  const before = placeKeys(layout, keys, 1, tokensOf);
  const rowCounts = rowsPerKey(keys, records.count);
  const moves = nodeMoves(layout, change, { keys, rowCounts, placement: before, tokensOf });
  const after = placeKeys(moves.layout, keys, 1, tokensOf);
  const ways = new Set<string>();
  let moved = 0;
  for (let key = 0; key < keys.count; key += 1) {
    const from = layout.nodes[ownerOf(before, before.slots[key] as number)];
    const to = moves.layout.nodes[ownerOf(after, after.slots[key] as number)];
    if (from === to) continue;
    moved += 1;
    ways.add(`${from}>${to}`);
  }
  expect(moves.keys).toBe(moved);
  return { moved, ways };
}

test("keys move only to a node that joins, or from one that leaves, except where all is dealt anew", () => {
  const random = randomFrom(seed + 1);
  const records = someRecords(1200);
  const change = (nodes: number): NodeChange =>
    random.below(2) === 0
      ? { kind: "add", name: "new" }
      : { kind: "remove", node: random.below(nodes) };
  for (let run = 0; run < 10; run += 1) {
    const nodes = 2 + random.below(8);
    for (const strategy of strategies(random, nodes)) {
      if (strategy.kind === "round robin") continue;
      const layout = layoutOf(strategy, nodes, records);
      const made = change(nodes);
      const { ways } = journeys(layout, made, records);
      const isAnew =
        strategy.kind === "hash mod" || (strategy.kind === "jump hash" && made.kind === "remove");
      if (isAnew) continue;
      const only = made.kind === "add" ? />new$/ : new RegExp(`^${layout.nodes[made.node]}>`);
      expect([...ways].filter((way) => !only.test(way))).toEqual([]);
    }
  }
});

describe("theory of moved keys", () => {
  const records = generateRecords({
    columns: [{ name: "id", type: "bigint", distinct: 30_000, distribution: { kind: "unique" } }],
    initial: 30_000,
    arriving: [0],
    stepSeconds: 1,
    seed,
  });
  const keys = keyTableOf(records, ["id"]);
  const rowCounts = rowsPerKey(keys, records.count);
  const tokensOf = tokenMemory();
  const all: Strategy[] = [
    { kind: "range", key: ["id"], cut: { kind: "equal count" } },
    { kind: "hash mod", key: ["id"], hash: "murmur3" },
    { kind: "hash mod", key: ["id"], hash: "random" },
    { kind: "ring", key: ["id"], hash: "murmur3", tokens: "random", virtualNodes: 256 },
    { kind: "ring", key: ["id"], hash: "random", tokens: "even", virtualNodes: 1 },
    { kind: "jump hash", key: ["id"] },
    { kind: "slots", key: ["id"] },
  ];
  const changes: NodeChange[] = [
    { kind: "add", name: "new" },
    { kind: "remove", node: 2 },
    { kind: "remove", node: 1 },
  ];
  const cases = all.flatMap((strategy) => [3, 10].map((nodes) => ({ strategy, nodes })));
  test.each(cases)("$strategy.kind on $nodes nodes", ({ strategy, nodes }) => {
    const layout = layoutOf(strategy, nodes, records);
    const placement = placeKeys(layout, keys, 1, tokensOf);
    const isRandom = strategy.kind === "ring" && strategy.tokens === "random";
    for (const change of changes) {
      const moves = nodeMoves(layout, change, { keys, rowCounts, placement, tokensOf });
      const { keyShare, rowShare, expected } = moves;
      // The keys are a sample; random tokens are one as well.
      const noise = 1 / records.count + (isRandom ? 1 / (nodes * 256) : 0);
      const error = Math.sqrt(expected * (1 - expected) * noise);
      expect(Math.abs(keyShare - expected), JSON.stringify(change)).toBeLessThan(3.5 * error);
      expect(rowShare).toBeCloseTo(keyShare, 9);
    }
  });

  test("modulo keeps min(N, M) of lcm(N, M)", () => {
    expect(1 - moduloStay(10, 12)).toBeCloseTo(5 / 6, 12);
    expect(1 - moduloStay(4, 5)).toBeCloseTo(4 / 5, 12);
    expect(moduloStay(6, 6)).toBe(1);
  });
});

describe("ranges", () => {
  test("values stand in order, whatever their type", () => {
    const random = randomFrom(seed + 2);
    for (const name of nativeTypes) {
      const type = { kind: "native", name } as const;
      const texts = Array.from({ length: 120 }, () => randomValue(random, type).text);
      const values = valuesOf(type, [...texts, ...texts.slice(0, 5)], "x");
      if (!values.ok) throw new Error(values.issues[0]?.message);
      const order = [...sortedValues(values.value)];
      expect(new Set(order).size).toBe(125);
      // All at once, and each by itself.
      const borders = order
        .filter((_, rank) => rank % 31 === 30)
        .map((id) => borderAt(type, valueBytes(values.value, id)));
      const each = order.map((id) => rangeOf(type, borders, valueBytes(values.value, id)));
      expect(order.map((id) => rangesOf(values.value, borders)[id])).toEqual(each);
      for (const [index, id] of order.entries()) {
        if (index === 0) continue;
        const before = valueBytes(values.value, order[index - 1] as number);
        expect(
          compareSerialised(type, before, valueBytes(values.value, id)),
          name,
        ).toBeLessThanOrEqual(0);
      }
    }
  });

  test("numbers of equal count and of equal width, borders by hand", () => {
    const read = valuesOf({ kind: "native", name: "int" }, ["10", "-5", "7", "0", "100"], "x");
    if (!read.ok) throw new Error("ints");
    const ids = Uint32Array.from([0, 0, 0, 1, 2, 3, 4, 4, 4]);
    const records = {
      columns: [{ name: "n", values: read.value, ids }],
      count: 9,
      ends: [9],
      initial: 9,
    };
    const borders = (cut: Extract<Strategy, { kind: "range" }>["cut"]): string[] => {
      const layout = layOut({ kind: "range", key: ["n"], cut }, names(3), records, 1);
      if (!layout.ok) return layout.issues.map(({ place, message }) => `${place}: ${message}`);
      if (layout.value.kind !== "range") return [];
      const { type } = layout.value;
      return layout.value.borders.map(({ bytes }) => valueText(type, bytes));
    };
    expect(borders({ kind: "equal count" })).toEqual(["10", "100"]);
    expect(borders({ kind: "equal width" })).toEqual(["30", "65"]);
    expect(borders({ kind: "by hand", borders: ["0", "8"] })).toEqual(["0", "8"]);
    expect(borders({ kind: "by hand", borders: ["8"] })).toEqual([
      "borders: There are 1 borders for 3 nodes.",
    ]);
    expect(borders({ kind: "by hand", borders: ["8", "8"] })).toEqual([
      "border 2: 8 is not above 8.",
    ]);
    expect(borders({ kind: "by hand", borders: ["8", "x"] })).toEqual(["border 2: “x” is no int."]);
  });
});

test("made-up values are what their texts say, in order, and none twice", () => {
  for (const name of nativeTypes) {
    const size = Math.min(300, capacityOf(name));
    const numbers = Uint32Array.from({ length: size }, (_, number) => number);
    const values = generatedValues(name, "café", numbers, 1.5);
    const type = { kind: "native", name } as const;
    const seen = new Set<string>();
    const wrong: number[] = [];
    for (let id = 0; id < values.count; id += 1) {
      const own = valueBytes(values, id);
      const bytes = serialise(type, generatedText(name, "café", id, 1.5), "x");
      const back = serialise(type, valueText(type, own), "x");
      const isSame = (other: typeof back): boolean =>
        other.ok && compareBytes(other.value, own) === 0;
      const isAfter =
        id === 0 || name === "uuid" || compareSerialised(type, valueBytes(values, id - 1), own) < 0;
      if (!isSame(bytes) || !isSame(back) || !isAfter) wrong.push(id);
      seen.add(own.join());
    }
    expect(wrong, name).toEqual([]);
    expect(seen.size).toBe(values.count);
  }
});

describe("draws", () => {
  test.each([0.5, 0.99, 1, 1.5, 3])(
    "Zipf numbers of exponent %d have Zipf's frequencies",
    (exponent) => {
      const n = 50;
      const draws = 20_000;
      const next = zipfNumbers(n, exponent, randomFrom(seed));
      const counts = new Float64Array(n + 1);
      for (let draw = 0; draw < draws; draw += 1) {
        const k = next();
        counts[k] = (counts[k] as number) + 1;
      }
      let sum = 0;
      for (let k = 1; k <= n; k += 1) sum += k ** -exponent;
      let chiSquare = 0;
      for (let k = 1; k <= n; k += 1) {
        const expected = (draws * k ** -exponent) / sum;
        chiSquare += ((counts[k] as number) - expected) ** 2 / expected;
      }
      // 49 degrees of freedom: above 95 once in ten thousand.
      expect(chiSquare).toBeLessThan(95);
      expect(1 / powerSum(n, exponent)).toBeCloseTo(1 / sum, 9);
      expect(1 / powerSum(1_000_000, 1)).toBeCloseTo(1 / 14.392726722865, 6);
    },
  );

  test("requests pick as they say", () => {
    const records = someRecords(4000);
    const plan = (pick: RequestPlan["pick"], kind: RequestPlan["kind"] = "read"): RequestPlan => ({
      name: pick.kind,
      kind,
      binds: ["customer"],
      pick,
      keys: 1,
      perSecond: [1, 3],
    });
    const blocksOf = (one: RequestPlan) => drawRequests(records, [one], 8000, seed);
    const [first, second] = blocksOf(plan({ kind: "uniform" }));
    expect([first?.rows.length, second?.rows.length]).toEqual([2000, 6000]);
    expect((first?.weight ?? 0) * 2000).toBeCloseTo(1, 9);
    expect(first?.rows.every((row) => row < 3000)).toBe(true);
    const customers = keyTableOf(records, ["customer"]);
    const hottest = (rows: Uint32Array): number => {
      const counts = new Map<number, number>();
      for (const row of rows) {
        const key = customers.ofRow[row] as number;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return Math.max(...counts.values()) / rows.length;
    };
    expect(hottest(second?.rows ?? new Uint32Array())).toBeLessThan(0.01);
    expect(
      hottest(blocksOf(plan({ kind: "hot key", share: 0.5 }))[1]?.rows ?? new Uint32Array()),
    ).toBeCloseTo(0.5, 1);
    const zipf = hottest(
      blocksOf(plan({ kind: "zipf", exponent: 1 }))[1]?.rows ?? new Uint32Array(),
    );
    expect(Math.abs(zipf - 1 / powerSum(customers.count, 1))).toBeLessThan(0.02);
    const latest = blocksOf(plan({ kind: "latest", exponent: 1 }))[1]?.rows ?? new Uint32Array();
    // Where a record stands for a hundred, the youngest of all are within the last one.
    const [, sampled] = drawRequests(
      records,
      [plan({ kind: "latest", exponent: 1 })],
      8000,
      seed,
      100,
    );
    const last = (sampled?.rows ?? latest).filter((row) => row === 3999).length / 6000;
    // Of 400,000 records by 1/k the first hundred have H(100)/H(400000) = 5.187/13.476.
    expect(last).toBeCloseTo(0.385, 1);
    const many = { ...plan({ kind: "zipf", exponent: 1 }), population: 1_000_000 };
    const zipfOfMany = hottest(blocksOf(many)[1]?.rows ?? new Uint32Array());
    expect(Math.abs(zipfOfMany - 1 / 14.39)).toBeLessThan(0.02);
    expect(latest.filter((row) => row >= 3900).length / latest.length).toBeGreaterThan(0.5);
    const inserts = blocksOf(plan({ kind: "records" }, "insert"));
    expect(inserts[0]?.rows.every((row) => row >= 2000 && row < 3000)).toBe(true);
    expect(inserts[1]?.rows.every((row) => row >= 3000)).toBe(true);
  });
});

describe("requests under strategies", () => {
  const plans: RequestPlan[] = [
    {
      name: "by customer",
      kind: "read",
      binds: ["customer"],
      pick: { kind: "uniform" },
      keys: 1,
      perSecond: [6, 2],
    },
    {
      name: "three customers",
      kind: "read",
      binds: ["customer"],
      pick: { kind: "uniform" },
      keys: 3,
      perSecond: [1, 1],
    },
    {
      name: "days",
      kind: "read",
      binds: [],
      range: { column: "day", share: 0.2 },
      pick: { kind: "records" },
      keys: 1,
      perSecond: [1, 1],
    },
    {
      name: "new",
      kind: "insert",
      binds: [],
      pick: { kind: "records" },
      keys: 1,
      perSecond: [4, 4],
    },
    {
      name: "close day",
      kind: "write",
      binds: ["day"],
      pick: { kind: "latest", exponent: 1 },
      keys: 1,
      perSecond: [1, 1],
    },
  ];
  const outcomes = (replicas: number): readonly StrategyOutcome[] =>
    runExperiment(
      {
        nodes: names(4),
        replicas,
        strategies: [
          { kind: "round robin" },
          { kind: "range", key: ["day"], cut: { kind: "equal count" } },
          { kind: "ring", key: ["customer"], hash: "murmur3", tokens: "random", virtualNodes: 64 },
        ],
        plans,
        requests: 20_000,
        seed,
      },
      someRecords(),
    ).outcomes.flatMap((each) => ("stored" in each ? [each] : []));
  const sum = (amounts: Float64Array | undefined): number =>
    (amounts ?? new Float64Array()).reduce((all, each) => all + each, 0);

  test("who carries the key asks one node, who does not asks all", () => {
    const [robin, range, ring] = outcomes(1) as [StrategyOutcome, StrategyOutcome, StrategyOutcome];
    expect(robin.routes.map(({ carriesKey }) => carriesKey)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(robin.routes.map(({ nodes }) => Math.round(nodes))).toEqual([4, 4, 4, 1, 4]);
    expect(range.routes.map(({ carriesKey }) => carriesKey)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(ring.routes.map(({ carriesKey }) => carriesKey)).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
    // Of four even nodes three keys ask 4·(1 − (3/4)³) on average.
    expect(ring.routes[1]?.nodes).toBeCloseTo(4 * (1 - 0.75 ** 3), 1);
    expect(ring.multiShard.writes).toBeCloseTo(1 / 5, 6);
    expect(ring.multiShard.reads).toBeCloseTo((2 * (ring.routes[1]?.multiShard ?? 0) + 2) / 12, 6);
    // Load is in requests per second: the reads of step 1 are 6 + 3·1 by key and 4 nodes · 1 for the days.
    expect(sum(ring.reads[0])).toBeCloseTo(6 + 3 + 4, 6);
    expect(sum(ring.writes[0])).toBeCloseTo(4 + 4, 6);
    // A fifth of the days' order crosses one border or none.
    expect(range.routes[2]?.nodes).toBeGreaterThan(1.5);
    expect(range.routes[2]?.nodes).toBeLessThan(2.2);
  });

  test("replicas share reads and repeat writes", () => {
    const ring = outcomes(3)[2] as StrategyOutcome;
    expect(sum(ring.reads[0])).toBeCloseTo(6 + 3 + 4, 6);
    expect(sum(ring.writes[0])).toBeCloseTo(3 * 4 + 4, 6);
  });

  test("under range by day all new records go to the last node", () => {
    const range = outcomes(1)[1] as StrategyOutcome;
    for (const step of range.arrived) {
      expect(balanceOf(step, 1.5)).toMatchObject({
        busiest: 3,
        busiestShare: 1,
        mostToMean: 4,
        hotSpots: [3],
      });
    }
    expect(balanceOf(range.stored[1] as Float64Array, 1.5).hotSpots).toEqual([3]);
  });
});

test("values are as rare among the records drawn as in the whole table", () => {
  const columns: ColumnPlan[] = [
    {
      name: "user",
      type: "text",
      distinct: 1_000_000,
      distribution: { kind: "zipf", exponent: 1 },
    },
    { name: "city", type: "int", distinct: 1_000_000, distribution: { kind: "uniform" } },
  ];
  const records = generateRecords({ columns, initial: 8000, arriving: [0], stepSeconds: 1, seed });
  const [users, cities] = records.columns.map(({ name }) =>
    rowsPerKey(keyTableOf(records, [name]), records.count),
  );
  // 1/H(1000000) = 0.0695 of 8000; and next to no city twice.
  expect(Math.abs(Math.max(...(users ?? [])) - 556)).toBeLessThan(4 * Math.sqrt(556));
  expect(cities?.length).toBeGreaterThan(7930);
});
