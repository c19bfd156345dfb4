/**
 * Estimates beside measurements on uniform data (engine.md §3, §6): rows, partitions and bytes of
 * tables; Gets, rows and bytes of every plan step. Prints a short report.
 */
import { describe, expect, test } from "vitest";
import { aGraph, aProblem } from "#engine/testing/examples.ts";
import { columnFamilySize } from "#model/column-family.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import { randomFrom } from "#model/random.ts";
import { fillTable, fillTables } from "./fill-table.ts";
import { generateRecords } from "./generate-records.ts";
import type { Records } from "./records.ts";
import { scanTable, type Table, tableBytes } from "./table.ts";
import { auction } from "./testing/auction.ts";
import { plansOfProblem } from "./testing/every-plan.ts";
import { evenValues, type Figure, measurePlan } from "./testing/measure-plans.ts";

const auctionQueries: Record<string, string> = {
  "one equality": "SELECT Item.title FROM Item WHERE Item.price = ?",
  "equality and range":
    "SELECT Item.id, Item.title FROM Item WHERE Item.category.id = ? AND Item.price < ?",
  "two equalities, order":
    "SELECT Item.title FROM Item WHERE Item.category.id = ? AND Item.price = ? ORDER BY Item.added",
  "range between, two ranges":
    "SELECT Item.title FROM Item WHERE Item.category.id = ? AND Item.price BETWEEN ? AND ? AND Item.added >= ?",
  "to the many side":
    "SELECT Bid.amount, Bid.at FROM Bid, Bid.item AS i WHERE i.category.id = ? AND Bid.amount > ?",
  "to the one side": "SELECT u.name, Bid.amount FROM Bid, Bid.bidder AS u WHERE Bid.item.id = ?",
  "three hops":
    "SELECT b.name FROM User AS s, s.offers AS i, i.bids AS o, o.bidder AS b WHERE s.city = ?",
  "fan-in": "SELECT o.amount, s.name FROM Bid AS o, o.item AS i, i.seller AS s WHERE i.price = ?",
  "many to many": "SELECT i.title FROM Tag AS t, t.items AS i WHERE t.word = ? AND i.price < ?",
  optional:
    "SELECT r.stars, i.title FROM Review AS r, r.item AS i WHERE i.category.id = ? AND r.stars = ?",
  "whole identifier": "SELECT Bid.amount FROM Bid WHERE Bid.item.id = ? AND Bid.no = ?",
  list: "SELECT Item.title, Item.price FROM Item WHERE Item.price IN ? AND Item.category.id = ?",
  groups: "SELECT u.city, count(*) FROM Bid, Bid.bidder AS u WHERE Bid.item.id = ? GROUP BY u.city",
  "groups by identifier":
    "SELECT i.id, max(o.amount) FROM Item AS i, i.bids AS o WHERE i.category.id = ? GROUP BY i.id",
  newest: "SELECT Bid.amount FROM Bid WHERE Bid.bidder.id = ? ORDER BY Bid.at DESC LIMIT 5",
  "no equality": "SELECT Tag.word FROM Tag",
};

/** How far a mean may be from its estimate, beside what chance does: a tenth, and four standard errors. */
const tolerance = 0.1;
/** Share of the figures of all plan steps that are as near as that. What is left are distinct keys behind a fan-in and figures of steps that cost nothing. */
const leastHonest = 0.97;

describe("on uniform data of an auction", () => {
  const records = generateRecords(auction, { seed: 7 });
  const all: (Figure & { readonly query: string })[] = [];

  test.each(Object.entries(auctionQueries))(
    "%s: sizes of the tables, Gets, rows and bytes of the steps",
    { timeout: 120_000 },
    (name, text) => {
      const { figures, sizes } = measured(text, records);
      all.push(...figures.map((figure) => ({ ...figure, query: name })));
      expect(sizes.filter((size) => !honestSize(size))).toEqual([]);
      const near = figures.filter(honest).length / figures.length;
      process.stdout.write(`${lineOf(name, figures, sizes, near)}\n`);
    },
  );

  test("nearly all figures of plan steps are within the tolerance", () => {
    if (process.env["HONESTY"] === "all")
      for (const each of all)
        process.stdout.write(
          `${each.query}\t${each.plan}\tstep ${each.step + 1}\t${each.what}\t${each.estimated.toPrecision(4)}\t${each.measured.toPrecision(4)}\n`,
        );
    const off = all.filter((figure) => !honest(figure));
    const worst = Object.keys(auctionQueries).flatMap((name) =>
      [...off]
        .filter(({ query }) => query === name)
        .sort((x, y) => factorOf(y) - factorOf(x))
        .slice(0, 1),
    );
    process.stdout.write(
      [
        `estimates: ${all.length} figures, ${off.length} further than ${tolerance * 100} % off; the worst of each query:`,
        ...worst.map(
          ({ query, plan, step, what, estimated, measured: mean }) =>
            `  ${query}, step ${step + 1}: ${estimated.toPrecision(3)} ${what} estimated, ${mean.toPrecision(3)} measured  ${plan}`,
        ),
        "",
      ].join("\n"),
    );
    expect(1 - off.length / all.length).toBeGreaterThan(leastHonest);
  });
});

function honest({ estimated, measured: mean, error }: Figure): boolean {
  return Math.abs(estimated - mean) <= tolerance * estimated + 4 * error + 1e-9;
}

function factorOf({ estimated, measured: mean }: Figure): number {
  return Math.max(estimated / Math.max(mean, 1e-9), mean / Math.max(estimated, 1e-9));
}

interface TableSize {
  readonly key: string;
  readonly rows: Pair;
  readonly partitions: Pair;
  readonly bytes: Pair;
}

interface Pair {
  readonly estimated: number;
  readonly measured: number;
}

/**
 * Rows within 2 %. Partitions are an upper bound: the formula counts combinations of values as if all
 * occurred, so there may be fewer; bytes then are too, and are never more than 2 % above the estimate.
 */
function honestSize({ rows, partitions, bytes }: TableSize): boolean {
  return (
    Math.abs(rows.measured / rows.estimated - 1) <= 0.02 &&
    partitions.measured <= partitions.estimated * 1.0001 &&
    bytes.measured <= bytes.estimated * 1.02 &&
    bytes.measured >= bytes.estimated * (partitions.measured / partitions.estimated) * 0.98
  );
}

function measured(
  text: string,
  records: Records,
): { figures: readonly Figure[]; sizes: readonly TableSize[] } {
  const problem = aProblem({ graph: auction, queries: { q: text } });
  const limits = { families: 150, drawn: 0, shortPlans: 40, longPlans: 15, maxGets: 3 };
  const { families, queries } = plansOfProblem(problem, limits, 0);
  const used = new Set(
    queries.flatMap(({ plans }) => plans.flatMap((plan) => plan.columnFamilies)),
  );
  const tables = fillTables(
    records,
    [...families.values()].filter(({ key }) => used.has(key)),
  );
  const figures = queries.flatMap(({ query, plans }) => {
    const sets = evenValues(auction, records, query, randomFrom(1), 30);
    return plans.flatMap((plan) => measurePlan(auction, query, plan, tables, sets));
  });
  return { figures, sizes: [...tables.values()].map(sizeOf) };
}

function sizeOf(table: Table): TableSize {
  const { key, size } = table.columnFamily;
  return {
    key,
    rows: { estimated: size.rows, measured: scanTable(table).length },
    partitions: { estimated: size.partitions, measured: table.partitions.size },
    bytes: { estimated: size.bytes, measured: tableBytes(auction, table) },
  };
}

function lineOf(
  name: string,
  figures: readonly Figure[],
  sizes: readonly TableSize[],
  near: number,
): string {
  const ratios = sizes.map(({ bytes }) => bytes.measured / bytes.estimated).sort((a, b) => a - b);
  const middle = ratios[ratios.length >> 1] ?? 1;
  return [
    `${name}: ${sizes.length} tables, bytes measured/estimated ${ratios[0]?.toFixed(2)} … ${middle.toFixed(2)} … ${ratios.at(-1)?.toFixed(2)}`,
    `${figures.length} figures of steps, ${(near * 100).toFixed(1)} % near`,
  ].join("; ");
}

test("the documented hotel: 73,000 rows and 1,095,005 bytes in one partition (case 04)", () => {
  const hotel = aGraph(
    [
      {
        name: "Hotel",
        count: 1,
        attributes: [{ name: "id", type: "text", bytes: 5 }],
        identifier: ["id"],
      },
      {
        name: "RoomNight",
        count: 73_000,
        attributes: [
          { name: "date", type: "date", bytes: 4, distinct: 730 },
          { name: "room", type: "int", bytes: 2, distinct: 100 },
          { name: "available", type: "boolean", bytes: 1 },
        ],
        identifier: ["hotel", "date", "room"],
      },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "Hotel", role: "hotel" },
          { entity: "RoomNight", role: "nights" },
        ],
      },
    ],
  );
  const at = (attribute: string): ColumnReference => ({ node: 0, attribute });
  const shape = {
    graph: { nodes: [{ entity: "RoomNight", label: "RoomNight" }], edges: [] },
    partitionKey: [at("hotel.id")],
    clusteringKey: [
      { ...at("date"), direction: "asc" as const },
      { ...at("room"), direction: "asc" as const },
    ],
    values: [at("available")],
  };
  const size = columnFamilySize(hotel, shape, 1);
  const table = fillTable(generateRecords(hotel, { seed: 1 }), { key: "k", ...shape, size });
  expect(scanTable(table)).toHaveLength(73_000);
  expect(table.partitions.size).toBe(1);
  expect(tableBytes(hotel, table)).toBe(1_095_005);
  expect(size.bytes).toBe(1_095_005);
});
