/** What the table answers and what it refuses, as the server would (cases 03, 07 and 09). */
import { describe, expect, test } from "vitest";
import {
  deleteRow,
  type GetRequest,
  getRows,
  putRow,
  Refusal,
  scanTable,
  type Table,
} from "./table.ts";
import { aFamily, among, aTable, between, column, equal } from "./testing/hand-made.ts";

/** The answer's rows as texts, or the rule that is broken. */
function verdict(table: Table, request: Partial<GetRequest>): readonly string[] | string {
  const key = table.columnFamily.clusteringKey;
  try {
    const { rows } = getRows(table, { where: [], columns: key, ...request });
    return rows.map((row) => row.join(" "));
  } catch (error) {
    if (error instanceof Refusal) return error.rule;
    throw error;
  }
}

describe("a range on two columns, and a gap in the clustering key (case 09)", () => {
  // The documented 18 rows: c3 = 1 occurs only with c2 = 1.
  const rows = [1, 2].flatMap((c1) =>
    [
      [1, 1],
      [1, 2],
      [2, 2],
    ].flatMap(([c2, c3]) => [1, 2, 3].map((c4) => [100, c1, c2 as number, c3 as number, c4])),
  );
  const table = aTable(aFamily(["key"], ["c1", "c2", "c3", "c4"]), rows);
  const key = equal("key", 100);
  const rowsWhere = (...where: GetRequest["where"]): readonly string[] | string =>
    verdict(table, { where });

  test("the example has 18 rows, of which the documented query returns 2", () => {
    expect(scanTable(table)).toHaveLength(18);
    expect(
      rowsWhere(key, equal("c1", 1), equal("c2", 1), equal("c3", 1), between("c4", undefined, [2])),
    ).toEqual(["1 1 1 1", "1 1 1 2"]);
  });
  test("a range on the last restricted column is allowed", () => {
    expect(
      verdict(table, {
        where: [
          key,
          equal("c1", 1),
          { kind: "slice", columns: [column("c2")], lower: { values: [1], inclusive: false } },
        ],
      }),
    ).toEqual(["1 2 2 1", "1 2 2 2", "1 2 2 3"]);
  });
  test("a restriction after a range is refused", () => {
    expect(rowsWhere(key, between("c1", [2], undefined), equal("c2", 1))).toBe(
      "restricted after a slice",
    );
  });
  test("a second range is refused", () => {
    expect(rowsWhere(key, between("c1", [1], undefined), between("c2", [1], undefined))).toBe(
      "restricted after a slice",
    );
  });
  test("a gap is refused", () => {
    expect(rowsWhere(key, equal("c2", 1))).toBe("gap in the clustering key");
  });
  test("a list and then a range loads both stretches", () => {
    expect(rowsWhere(key, among("c1", [1, 2]), between("c2", undefined, [1]))).toHaveLength(12);
  });
  test("a slice of tuples is allowed", () => {
    expect(rowsWhere(key, between("c1, c2", [1, 2], [2, 1]))).toEqual([
      "1 2 2 1",
      "1 2 2 2",
      "1 2 2 3",
      "2 1 1 1",
      "2 1 1 2",
      "2 1 1 3",
      "2 1 2 1",
      "2 1 2 2",
      "2 1 2 3",
    ]);
  });
  test("a slice of tuples that skips a column is refused", () => {
    expect(rowsWhere(key, between("c1, c3", [1, 2], undefined))).toBe("gap in the clustering key");
  });
  test("without the partition key nothing is answered", () => {
    expect(rowsWhere(equal("c1", 1))).toBe("partition key not bound");
    expect(rowsWhere(between("key", [1], undefined))).toBe("partition key not bound");
  });
  test("a column is restricted once", () => {
    expect(rowsWhere(key, key)).toBe("restricted twice");
  });
});

describe("ORDER BY together with IN (case 03)", () => {
  const events = aTable(
    aFamily(["emp"], ["created", "id"]),
    ["ann", "bob"].flatMap((emp, at) =>
      [3, 1, 2].map((created) => [emp, created * 10 + at, created]),
    ),
  );
  const newest = [{ column: column("created"), direction: "desc" as const }];
  const both = among("emp", ["ann", "bob"]);

  test("one partition is read in order or in its exact reverse", () => {
    expect(verdict(events, { where: [equal("emp", "ann")] })).toEqual(["10 1", "20 2", "30 3"]);
    expect(verdict(events, { where: [equal("emp", "ann")], orderBy: newest })).toEqual([
      "30 3",
      "20 2",
      "10 1",
    ]);
  });
  test("several partitions in one order are refused while paging is on", () => {
    expect(verdict(events, { where: [both], orderBy: newest })).toBe("order across partitions");
  });
  test("with paging off they are merged", () => {
    expect(verdict(events, { where: [both], orderBy: newest, paging: false })).toEqual([
      "31 3",
      "30 3",
      "21 2",
      "20 2",
      "11 1",
      "10 1",
    ]);
  });
  test("without ORDER BY rows come partition by partition, sorted within each", () => {
    const ann = ["10 1", "20 2", "30 3"];
    const bob = ["11 1", "21 2", "31 3"];
    const rows = verdict(events, { where: [both] });
    expect([
      [...ann, ...bob],
      [...bob, ...ann],
    ]).toContainEqual(rows);
  });
  test("an order without a partition is refused", () => {
    expect(verdict(events, { orderBy: newest })).toBe("partition key not bound");
  });

  const people = aTable(aFamily(["city"], ["name", "age"]), [
    ["x", "ann", 30],
    ["x", "ann", 20],
    ["x", "bob", 25],
  ]);
  const ordered = (...directions: readonly ("asc" | "desc")[]): readonly string[] | string =>
    verdict(people, {
      where: [equal("city", "x")],
      orderBy: directions.map((direction, at) => ({
        column: column(at === 0 ? "name" : "age"),
        direction,
      })),
    });
  test("all clustering columns forwards, or all backwards, but not mixed", () => {
    expect(ordered("asc", "asc")).toEqual(["ann 20", "ann 30", "bob 25"]);
    expect(ordered("desc", "desc")).toEqual(["bob 25", "ann 30", "ann 20"]);
    expect(ordered("asc", "desc")).toBe("not the clustering order");
  });
  test("a declared direction counts", () => {
    const mixed = aTable(aFamily(["city"], ["name", "age desc"]), scanTable(people));
    expect(
      verdict(mixed, {
        where: [equal("city", "x")],
        orderBy: [
          { column: column("name"), direction: "asc" },
          { column: column("age"), direction: "desc" },
        ],
      }),
    ).toEqual(["ann 30", "ann 20", "bob 25"]);
  });
  test("an order may skip only what = binds", () => {
    const byAge = [{ column: column("age"), direction: "desc" as const }];
    expect(verdict(people, { where: [equal("city", "x")], orderBy: byAge })).toBe(
      "not the clustering order",
    );
    expect(
      verdict(people, { where: [equal("city", "x"), equal("name", "ann")], orderBy: byAge }),
    ).toEqual(["ann 30", "ann 20"]);
  });
});

describe("counting and grouping (case 07)", () => {
  const likes = aTable(aFamily(["video"], ["country", "id"], ["weight"]), [
    ["v", "de", 1, 5],
    ["v", "de", 2, 7],
    ["v", "fr", 3, 1],
    ["w", "de", 4, 2],
  ]);
  const count = [{ function: "count" } as const];
  const video = equal("video", "v");

  test("a count inside one partition is one row, for which all its rows are read", () => {
    expect(getRows(likes, { where: [video], columns: [], aggregates: count })).toEqual({
      rows: [[3]],
      read: 3,
    });
  });
  test("a count without a partition is refused", () => {
    expect(verdict(likes, { columns: [], aggregates: count })).toBe("partition key not bound");
  });
  test("sum, least and greatest; of nothing the sum is 0 and the others are null", () => {
    const aggregates = (["sum", "min", "max"] as const).map((work) => ({
      function: work,
      column: column("weight"),
    }));
    const answer = (key: string) =>
      getRows(likes, { where: [equal("video", key)], columns: [], aggregates }).rows;
    expect(answer("v")).toEqual([[13, 1, 7]]);
    expect(answer("nobody")).toEqual([[0, null, null]]);
  });
  test("groups are made by a prefix of the primary key", () => {
    const grouped = (...names: readonly string[]): readonly string[] | string =>
      verdict(likes, {
        where: [video],
        columns: [column("country")],
        aggregates: count,
        groupBy: names.map(column),
      });
    expect(grouped("video", "country")).toEqual(["de 2", "fr 1"]);
    expect(grouped("country")).toEqual(["de 2", "fr 1"]);
    expect(grouped("video")).toEqual(["de 3"]);
    expect(grouped("id")).toBe("groups are no prefix of the key");
    expect(grouped("country", "weight")).toBe("groups are no prefix of the key");
    expect(grouped("weight")).toBe("groups are no prefix of the key");
  });
  test("a limit counts groups where there are groups", () => {
    const request = {
      where: [video],
      columns: [column("country")],
      groupBy: [column("country")],
      limit: 1,
    };
    expect(getRows(likes, request)).toEqual({ rows: [["de"]], read: 2 });
  });
  test("groups by part of the partition key are refused", () => {
    const wide = aTable(aFamily(["a", "b"], ["c"]), [[1, 1, 1]]);
    expect(
      verdict(wide, { where: [among("a", [1]), among("b", [1])], groupBy: [column("a")] }),
    ).toBe("groups are no prefix of the key");
  });
});

describe("rows", () => {
  test("a row with a known key is overwritten", () => {
    const table = aTable(aFamily(["k"], ["c"], ["v"]), [["a", 1, "old"]]);
    expect(putRow(table, ["a", 1, "new"])).toBe("overwritten");
    expect(scanTable(table)).toEqual([["a", 1, "new"]]);
  });
  test("a key takes no null", () => {
    const row = ["a", null as unknown as number];
    expect(() => aTable(aFamily(["k"], ["c"]), [row])).toThrow("null in a key");
    const table = aTable(aFamily(["k"], ["c"]), [["a", 1]]);
    expect(verdict(table, { where: [equal("k", undefined as unknown as string)] })).toBe(
      "null in a key",
    );
  });
  test("a deleted row is gone, and its partition with the last one", () => {
    const table = aTable(aFamily(["k"], ["c"]), [
      ["a", 1],
      ["a", 2],
    ]);
    deleteRow(table, ["a", 1]);
    deleteRow(table, ["a", 7]);
    expect(scanTable(table)).toEqual([["a", 2]]);
    deleteRow(table, ["a", 2]);
    expect(table.partitions.size).toBe(0);
  });
  test("a value column filters nothing, and unknown columns are refused", () => {
    const table = aTable(aFamily(["k"], ["c"], ["v"]), [["a", 1, "x"]]);
    expect(verdict(table, { where: [equal("k", "a"), equal("v", "x")] })).toBe("not a key column");
    expect(verdict(table, { where: [equal("k", "a")], columns: [column("z")] })).toBe(
      "unknown column",
    );
  });
});
