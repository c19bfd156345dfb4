import { describe, expect, test } from "vitest";
import { importedDocument } from "#document/import-commands.ts";
import { tableIssues } from "#document/to-problem.ts";
import type { ReadCql } from "#model/imported-schema.ts";
import { importCql, mostCqlCharacters } from "./import-cql.ts";
import { planCql } from "./plan-cql.ts";

function read(text: string): ReadCql {
  const result = importCql(text);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

/** As cqlsh prints it. */
const described = `
CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '3'}  AND durable_writes = true;

CREATE TYPE shop.address (
    street text,
    town text
);

CREATE TABLE shop."Order" (
    region int,
    day date,
    at timeuuid,
    "Total" decimal,
    ship_to frozen<address>,
    lines map<text, frozen<list<int>>>,
    weights vector<float, 8>,
    PRIMARY KEY ((region, day), at)
) WITH CLUSTERING ORDER BY (at DESC)
    AND additional_write_policy = '99p'
    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
    AND comment = 'what was bought; per day';
CREATE INDEX order_total ON shop."Order" ("Total");

CREATE MATERIALIZED VIEW shop.by_total AS
    SELECT * FROM shop."Order" WHERE "Total" IS NOT NULL AND region IS NOT NULL
    PRIMARY KEY ("Total", region, day, at);

ALTER TABLE shop."Order" ADD note text;
CREATE TABLE shop.visits (page text PRIMARY KEY, hits counter);
`;

describe("what DESCRIBE prints", () => {
  test("tables with composite partitions, quoted names, types of several kinds", () => {
    const { tables, skipped, notes } = read(described);
    expect(tables.map(({ id, line }) => [id, line])).toEqual([
      ["shop.Order", 9],
      ["shop.visits", 29],
    ]);
    const [order] = tables;
    expect(order).toMatchObject({
      partitionKey: ["region", "day"],
      clusteringKey: [{ column: "at", direction: "desc" }],
      note: "what was bought; per day",
    });
    expect(
      order?.columns.map(({ name, cqlType, type, bytes }) => [name, cqlType, type, bytes]),
    ).toEqual([
      ["region", "int", "int", undefined],
      ["day", "date", "date", undefined],
      ["at", "timeuuid", "uuid", undefined],
      ["Total", "decimal", "decimal", undefined],
      ["ship_to", "frozen<address>", "blob", 100],
      ["lines", "map<text, frozen<list<int>>>", "blob", 100],
      ["weights", "vector<float, 8>", "blob", 32],
      ["note", "text", "text", undefined],
    ]);
    expect(skipped.map(({ line, lastLine, reason }) => [line, lastLine, reason])).toEqual([
      [2, 2, "it makes no table"],
      [4, 7, "a type of its own; columns of it are kept as one value"],
      [22, 22, "an index; give its query a table of its own"],
      [24, 26, "a materialised view; write it as a table to compare it"],
    ]);
    expect(notes.map(({ line }) => line)).toEqual([14, 15, 16]);
  });

  test("becomes a document whose schema by hand can be read", () => {
    const plan = planCql(read(described), { "count/shop.Order": 5000 });
    const document = importedDocument("shop", plan);
    expect(tableIssues(document).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(document.entities["Order"]?.count).toBe(5000);
    expect(document.handMade?.schemas[0]?.[0]).toMatch(
      /^\[Order.region, Order.day\] \[Order.at desc\] ->/,
    );
  });
});

describe("odd texts", () => {
  test("keyspaces of USE, comments of all kinds, tables that are there twice", () => {
    const { tables, skipped } = read(
      "use a; // one\n-- two\n/* three; */ create table t (k int primary key);\nuse b;\ncreate table t (k int primary key);create table b.t (k int, primary key (k));",
    );
    expect(tables.map(({ id }) => id)).toEqual(["a.t", "b.t"]);
    expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [5, "the table is already created in line 5"],
    ]);
    expect(
      planCql(
        read("create table a.t (k int primary key); create table b.t (k int primary key);"),
        {},
      ).entities.map(({ name }) => name),
    ).toEqual(["t", "b_t"]);
  });

  test("a table without a key, too long a text and names of JavaScript are told", () => {
    expect(read("create table t (a int, b int)").skipped[0]?.reason).toBe(
      "no primary key of it could be read",
    );
    expect(importCql(" ".repeat(mostCqlCharacters + 1)).ok).toBe(false);
    const plan = planCql(read('create table "constructor" ("__proto__" int primary key)'), {});
    expect(plan.renamed.map(({ from, to }) => [from, to])).toEqual([
      ["constructor", "constructor_"],
      ["__proto__", "__proto___"],
    ]);
    expect(plan.handMade).toEqual(["[constructor_.__proto___] [] of constructor_"]);
  });
});
