/**
 * Case 04: partition sizes by the formula of Cassandra's documentation (Data Modeling, "Calculating
 * Partition Size" and "Calculating Size on Disk"). Its last line says 16 bytes for a hotel's
 * identifier that it counted as 5 before; 5 it is here.
 */
import { describe, expect, test } from "vitest";
import { aGraph } from "#engine/testing/examples.ts";
import { type ColumnFamilySize, columnFamilySize } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { partitionCautions } from "#ui/results/schema-rows.ts";

const day = 86_400;
const graph = aGraph(
  [
    {
      name: "room_night",
      count: 5000 * 100 * 730,
      attributes: [
        { name: "hotel_id", type: "text", bytes: 5, distinct: 5000 },
        { name: "night", type: "date", distinct: 730 },
        { name: "month", type: "int", distinct: 24 },
        { name: "room", type: "int", bytes: 2, distinct: 100 },
        { name: "is_free", type: "boolean" },
      ],
      identifier: ["hotel_id", "night", "room"],
    },
    {
      // A hundred sensors, one reading per second for a year; a row takes 100 bytes with its cell's 8.
      name: "reading",
      count: 100 * 365 * day,
      attributes: [
        { name: "sensor", type: "text", bytes: 10, distinct: 100 },
        { name: "day", type: "date", distinct: 365 },
        { name: "at", type: "timestamp", distinct: 365 * day },
        { name: "v", type: "blob", bytes: 84, distinct: 1000 },
      ],
      identifier: ["sensor", "at"],
    },
  ],
  [],
);

function family(entity: string, partition: string[], clustering: string[], values: string[]) {
  const column = (attribute: string) => ({ node: 0, attribute });
  const shape = {
    graph: { nodes: [{ entity, label: entity }], edges: [] },
    partitionKey: partition.map(column),
    clusteringKey: clustering.map((each) => ({ ...column(each), direction: "asc" as const })),
    values: values.map(column),
  };
  const size: ColumnFamilySize = columnFamilySize(graph satisfies EntityGraph, shape, 1);
  return { key: entity, ...shape, size };
}

describe("room nights", () => {
  const nights = family("room_night", ["hotel_id"], ["night", "room"], ["is_free"]);
  const byMonth = family("room_night", ["hotel_id", "month"], ["night", "room"], ["is_free"]);

  test("by hotel: 73,000 rows and cells, and 1,095,005 bytes in a partition", () => {
    const { rowsPerPartition, bytesPerPartition, partitions } = nights.size;
    expect(partitions).toBe(5000);
    expect(rowsPerPartition).toBe(73_000);
    expect(rowsPerPartition * nights.values.length).toBe(73_000);
    expect(bytesPerPartition).toBe(1_095_005);
  });

  test("of one replica: about 5.5 GB", () => {
    expect(nights.size.bytes).toBe(5000 * 1_095_005);
  });

  test("by hotel and month: about 3,042 rows and 45.6 kB, the month itself aside", () => {
    expect(byMonth.size.rowsPerPartition).toBeCloseTo((100 * 730) / 24, 6);
    expect(byMonth.size.bytesPerPartition - 4).toBeCloseTo(45_630, 0);
  });

  test("deserve no caution", () => {
    expect(partitionCautions(nights)).toEqual([]);
    expect(partitionCautions(byMonth)).toEqual([]);
  });
});

describe("a sensor", () => {
  const whole = family("reading", ["sensor"], ["at"], ["v"]);
  const byDay = family("reading", ["sensor", "day"], ["at"], ["v"]);

  test("without a bucket: 31.5 million rows and 3.15 GB in its first year, which is warned of", () => {
    expect(whole.size.rowsPerPartition).toBe(31_536_000);
    expect(whole.size.bytesPerPartition - 10).toBe(3_153_600_000);
    expect(partitionCautions(whole)).toEqual([
      "Partitions above 100 MB: expect slow reads and repairs.",
      "Partitions above 100 k rows: expect slow reads.",
    ]);
  });

  test("by day: 86,400 rows and 8.64 MB, which is fine", () => {
    expect(byDay.size.rowsPerPartition).toBe(86_400);
    expect(byDay.size.bytesPerPartition - 14).toBe(8_640_000);
    expect(partitionCautions(byDay)).toEqual([]);
  });
});
