import { expect, test } from "vitest";
import { adviseKeys } from "./key-adviser.ts";
import { ownRecords } from "./own-records.ts";
import { nodeNames, runExperiment } from "./run-experiment.ts";

const rows = [
  ["id", "city", "day", "amount"],
  ["550e8400-e29b-41d4-a716-446655440000", "Bern", "2026-01-01", "1"],
  ["550e8400-e29b-41d4-a716-446655440001", "Basel", "2026-01-01", "2.5"],
  ["550e8400-e29b-41d4-a716-446655440002", "Bern", "2026-01-02", "3"],
  ["550e8400-e29b-41d4-a716-446655440003", "Bern", "2026-01-03", "4"],
];

function opened(...args: Parameters<typeof ownRecords>) {
  const read = ownRecords(...args);
  if (!read.ok) throw new Error(read.issues.map(({ message }) => message).join());
  return read.value;
}

test("types are the narrowest that all values have", () => {
  const { table } = opened(rows, undefined, undefined);
  expect(table.columns.map(({ type }) => type)).toEqual(["uuid", "text", "date", "double"]);
  expect(table.columns.map(({ distribution }) => distribution.kind)).toEqual([
    "uniform",
    "uniform",
    "arrival",
    "uniform",
  ]);
  expect(table.key).toEqual(["id"]);
  expect(opened(rows, undefined, ["city"], { amount: "decimal" }).table.columns[3]?.type).toBe(
    "decimal",
  );
});

test("requests are routed by what they name, also for keys that are not stored", () => {
  const requests = [
    ["request", "city", "id"],
    ["read", "Bern", ""],
    ["read", "Bern", ""],
    ["read", "Chur", ""],
    ["write", "", "550e8400-e29b-41d4-a716-446655440001"],
  ];
  const { table, records } = opened(rows, requests, ["city"]);
  expect(table.requests.map(({ name, perSecond }) => [name, perSecond[0]])).toEqual([
    ["reads by city", 3],
    ["writes by id", 1],
  ]);
  const { outcomes } = runExperiment(
    {
      nodes: nodeNames(3),
      replicas: 1,
      strategies: [{ kind: "list", key: ["city"], lists: [["Bern"], ["Basel"], []], otherwise: 2 }],
      plans: table.requests,
      requests: 0,
      seed: 1,
    },
    records,
  );
  const [list] = outcomes;
  if (!list || !("stored" in list)) throw new Error("no outcome");
  expect([...(list.stored[0] ?? [])]).toEqual([3, 1, 0]);
  expect([...(list.reads[0] ?? [])]).toEqual([2, 0, 1]);
  // The write does not name the city: all three are asked.
  expect([...(list.writes[0] ?? [])]).toEqual([1, 1, 1]);
  expect(list.multiShard).toEqual({ reads: 0, writes: 1 });
  const [advice] = adviseKeys(
    table,
    { records, rowsEach: 1 },
    [["city"]],
    { nodes: 3, replicas: 1, partitioner: "murmur3", virtualNodes: 16, threshold: 1.5 },
    1,
  );
  expect(advice).toMatchObject({ verdict: "bad", figures: { largestRows: 3 } });
});

test("what cannot be read is told with its place", () => {
  const issues = (...args: Parameters<typeof ownRecords>): string => {
    const read = ownRecords(...args);
    return read.ok
      ? ""
      : read.issues.map(({ place, message }) => `${place}: ${message}`).join("\n");
  };
  expect(issues([["a"]], undefined, undefined)).toBe("line 1: There are no records.");
  expect(
    issues(
      [
        ["a", "a"],
        ["1", "2"],
      ],
      undefined,
      undefined,
    ),
  ).toBe("line 1: The column a is there twice.");
  expect(issues([["a"], ["1"]], [["b"], ["1"]], undefined)).toContain("No column of the requests");
  expect(issues([["a"], ["1"]], undefined, ["b"])).toBe("key: There is no column b.");
  expect(issues([["a"], ["x"]], undefined, undefined, { a: "int" })).toBe(
    "column a: “x” is no int.",
  );
});
