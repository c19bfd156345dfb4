import { describe, expect, test } from "vitest";
import type { EntityGraph } from "./entity-graph.ts";
import { countPartitions } from "./partition-count.ts";
import type { QueryGraph } from "./query-graph.ts";
import { auction, orderEntry } from "./statement-test-graphs.ts";

// Every entity has 1,000 records, and every relationship as many links as the N side has records.
const node = (entity: string) => ({ entity, label: entity });
const bidOnItem: QueryGraph = {
  nodes: [node("bid"), node("item")],
  edges: [{ relationship: "item.bids", parent: 1, child: 0 }],
};

function count(
  graph: EntityGraph,
  at: QueryGraph,
  ...columns: readonly [number, string][]
): number {
  return countPartitions(
    graph,
    at,
    columns.map(([at, attribute]) => ({ node: at, attribute })),
  );
}

/** The graph with other counts and distinct values. */
function resized(
  graph: EntityGraph,
  sizes: Readonly<Record<string, number>>,
  distinct: Readonly<Record<string, number>> = {},
): EntityGraph {
  const entities = Object.values(graph.entities).map((entity) => ({
    ...entity,
    count: sizes[entity.name] ?? entity.count,
    attributes: entity.attributes.map((attribute) => ({
      ...attribute,
      distinct: distinct[`${entity.name}.${attribute.name}`] ?? attribute.distinct,
    })),
  }));
  return { ...graph, entities: Object.fromEntries(entities.map((each) => [each.name, each])) };
}

describe("partitions of a key", () => {
  const sized = resized(auction, { bid: 1000, item: 1000 }, { "item.price": 50, "bid.amount": 20 });

  test("are the combinations of values that nothing ties together", () => {
    expect(count(sized, bidOnItem, [1, "price"], [0, "amount"])).toBe(50 * 20);
  });

  test("are those of an identifier alone, whatever else of its record stands beside it", () => {
    expect(count(sized, bidOnItem, [1, "id"])).toBe(1000);
    expect(count(sized, bidOnItem, [1, "id"], [1, "price"], [1, "name"])).toBe(1000);
    expect(count(sized, bidOnItem, [1, "id"], [0, "amount"])).toBe(1000 * 20);
  });

  test("are those of a child alone, whatever of its parent stands beside it", () => {
    expect(count(sized, bidOnItem, [0, "id"], [1, "id"], [1, "price"])).toBe(1000);
  });

  test("count an identifier and the foreign key that equals it once", () => {
    expect(count(sized, bidOnItem, [0, "item.id"], [1, "id"])).toBe(1000);
  });

  test("are the records of a composite identifier, and the product of a part of it", () => {
    const few = resized(
      orderEntry,
      { district: 100, customer: 300_000 },
      { "customer.c_w_id": 10, "customer.c_d_id": 10, "customer.c_id": 300_000 },
    );
    const customer: QueryGraph = { nodes: [node("customer")], edges: [] };
    expect(count(few, customer, [0, "c_w_id"], [0, "c_d_id"])).toBe(100);
    expect(count(few, customer, [0, "c_w_id"], [0, "c_d_id"], [0, "c_id"])).toBe(300_000);
    expect(count(few, customer, [0, "c_d_id"], [0, "c_last"])).toBe(10 * 1000);
  });

  test("is one of the constant column", () => {
    expect(count(sized, bidOnItem, [-1, "*"])).toBe(1);
  });
});
