/** A column family holds the join rows of its graph, each under a key of its own. */
import { expect, test } from "vitest";
import { usersAndMessages } from "#engine/testing/examples.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import { fillTable, KeyFault } from "./fill-table.ts";
import { generateRecords } from "./generate-records.ts";
import { joinRows } from "./records.ts";
import { sampleGraph } from "./sample-graph.ts";
import { scanTable } from "./table.ts";

const graph = sampleGraph(usersAndMessages, 50);
const records = generateRecords(graph, { seed: 2 });

/** Messages with both their users. */
const family: ColumnFamily = {
  key: "inbox",
  graph: {
    nodes: [
      { entity: "Message", label: "Message" },
      { entity: "User", label: "Message.sender" },
      { entity: "User", label: "Message.recipient" },
    ],
    edges: [
      { relationship: "User.sent", parent: 1, child: 0 },
      { relationship: "User.received", parent: 2, child: 0 },
    ],
  },
  partitionKey: [{ node: 2, attribute: "user_id" }],
  clusteringKey: [
    { node: 0, attribute: "sent_at", direction: "desc" },
    { node: 0, attribute: "message_id", direction: "asc" },
  ],
  values: [{ node: 1, attribute: "username" }],
  size: { rows: 0, partitions: 0, rowsPerPartition: 0, bytesPerPartition: 0, bytes: 0 },
};

test("every message stands once, with the names of both its users", () => {
  const messages = records.entities.get("Message") ?? [];
  const names = new Map(
    records.entities.get("User")?.map((user) => [user["user_id"], user["username"]]),
  );
  const rows = scanTable(fillTable(records, family));
  expect(rows).toHaveLength(messages.length);
  expect(new Set(rows.map((row) => row.join()))).toEqual(
    new Set(
      messages.map((message) =>
        [
          message["recipient.user_id"],
          message["sent_at"],
          message["message_id"],
          names.get(message["sender.user_id"]),
        ].join(),
      ),
    ),
  );
});

test("newest first within each partition", () => {
  const table = fillTable(records, family);
  for (const { rows } of table.partitions.values()) {
    const times = rows.map((row) => row[1] as number);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  }
});

test("a key that does not tell rows apart is a fault", () => {
  const vague = { ...family, clusteringKey: [] };
  expect(joinRows(records, family.graph).length).toBeGreaterThan(
    records.entities.get("User")?.length ?? 0,
  );
  expect(() => fillTable(records, vague)).toThrow(KeyFault);
});

test("the constant column gathers everything in one partition", () => {
  const all = {
    ...family,
    partitionKey: [{ node: -1, attribute: "*" }],
    clusteringKey: [{ node: 0, attribute: "message_id", direction: "asc" as const }],
  };
  expect(fillTable(records, all).partitions.size).toBe(1);
});
