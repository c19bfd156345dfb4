import { describe, expect, test } from "vitest";
import type { Infeasible, Recommendation } from "#model/recommendation.ts";
import { readResult } from "./result-schema.ts";

const noCost = { query: 0, update: 0, support: 0, extract: 0, load: 0, maintenance: 0 };
const column = { node: 0, attribute: "id" };

/** One query on one table for one step. */
const recommendation: Recommendation = {
  status: "optimal",
  objective: 3600,
  bound: 3600,
  gap: 0,
  seconds: { total: 0.5 },
  counts: {
    statements: 1,
    steps: 1,
    proposed: 2,
    candidates: 1,
    pruned: { "same columns": 1 },
    queryPlans: 1,
    prunedPlans: {},
    migrationPlans: 0,
    unfillable: 0,
    columns: 1,
    rows: 1,
    nonZeros: 1,
    nodes: 0,
  },
  steps: [
    {
      step: 0,
      schema: ["user"],
      storageBytes: 100,
      plans: [{ statement: "q1", plan: "q1: user", executions: 3600, cost: 3600 }],
      updates: [],
      cost: { ...noCost, query: 3600 },
    },
  ],
  migrations: [
    {
      from: -1,
      to: 0,
      builds: [{ columnFamily: "user", extract: 0, load: 0, maintenance: 0 }],
      drops: [],
    },
  ],
  totals: { ...noCost, query: 3600 },
  baselines: [{ kind: "ideal", cost: 3600, perStep: [3600], exact: true }],
  columnFamilies: [
    {
      key: "user",
      graph: { nodes: [{ entity: "user", label: "user" }], edges: [] },
      partitionKey: [column],
      clusteringKey: [{ node: -1, attribute: "*", direction: "desc" }],
      values: [],
      size: { rows: 1, partitions: 1, rowsPerPartition: 1, bytesPerPartition: 100, bytes: 100 },
    },
  ],
  plans: [
    {
      key: "q1: user",
      statement: "q1",
      columnFamilies: ["user"],
      cost: 1,
      steps: [
        {
          kind: "get",
          columnFamily: "user",
          embedding: [0],
          bindings: [
            { column, key: "partition", from: { predicate: 0 } },
            { column, key: "clustering", from: "fetched" },
          ],
          selects: [column],
          order: "reverse",
          grouped: false,
          aggregated: false,
          limit: 10,
          joinOn: [],
          gets: 1,
          rows: 1,
          bytesPerRow: 16,
          cost: 1,
        },
        { kind: "limit", limit: 10, rows: 10, cost: 0 },
      ],
    },
  ],
  migrationPlans: [],
  notes: [],
};

const infeasible: Infeasible = {
  status: "infeasible",
  reasons: ["Storage is too small."],
  smallestStorage: 1000,
  seconds: { total: 0.1 },
};

function placesOf(file: unknown): string[] {
  const read = readResult(JSON.stringify(file));
  return read.ok ? [] : read.issues.map((issue) => issue.place);
}

describe("readResult", () => {
  test.each([recommendation, infeasible, { status: "timedOut", reasons: [], seconds: {} }])(
    "reads back what was exported: $status",
    (result) => {
      expect(readResult(JSON.stringify(result))).toEqual({ ok: true, value: result, warnings: [] });
    },
  );

  test("names the place of a mistake deep inside", () => {
    const [plan] = recommendation.plans;
    const wrong = {
      ...recommendation,
      plans: [
        {
          ...plan,
          steps: [
            {
              ...plan?.steps[0],
              bindings: [{ column, key: "partition", from: { predicate: "0" } }],
            },
          ],
        },
      ],
    };
    expect(placesOf(wrong)).toEqual(["plans/0/steps/0/bindings/0/from/predicate"]);
  });

  test("refuses a field it does not know, and a negative cost", () => {
    expect(placesOf({ ...infeasible, note: "" })).toEqual(["note"]);
    expect(placesOf({ ...recommendation, objective: -1 })).toEqual(["objective"]);
  });

  test("refuses a failed run and a document, and says which", () => {
    expect(placesOf({ status: "failed", stage: "", reasons: [], seconds: {} })).toEqual(["status"]);
    const read = readResult('{"format": "tidetable", "version": 1}');
    expect(read.ok ? "" : read.issues[0]?.message).toBe(
      "The file is a document, not the result of a run.",
    );
  });

  test("tells where the JSON is broken", () => {
    const read = readResult('{"status": optimal}');
    expect(read.ok ? "" : read.issues[0]?.message).toContain("line 1, column 12");
  });
});
