/**
 * Case 03: ORDER BY together with IN on the partition key. What the server answers and refuses, with
 * paging on and off, is `recordstore/table.test.ts`; here is what plans ask of it.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDocument } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import type { QueryPlan } from "#model/plan.ts";
import { applicationWork, firstGet, getsIn, plansOfCase, problemOf } from "./read-case.ts";

const folder = "03-order-by-with-in";
const { plansOf } = plansOfCase(problemOf(folder));

/** Plans of one Get on a table whose key begins so. */
function onTable(statement: string, key: string): readonly QueryPlan[] {
  const found = plansOf(statement).filter(
    (plan) => getsIn(plan).length === 1 && firstGet(plan).columnFamily.startsWith(key),
  );
  expect(found.length).toBeGreaterThan(0);
  return found;
}

const byTime = "[Event.emp.emp_id] [Event.created↑";

describe("order", () => {
  test("of one employee: the server reads the partition backwards", () => {
    for (const plan of onTable("one", byTime)) {
      expect(firstGet(plan).order).toBe("reverse");
      expect(applicationWork(plan)).toEqual([]);
    }
  });

  test("of two employees: one read each, without an order, and the application sorts", () => {
    for (const plan of onTable("two", byTime)) {
      expect(firstGet(plan).gets).toBe(2);
      expect(firstGet(plan).order).toBeUndefined();
      expect(applicationWork(plan)).toEqual(["sort"]);
    }
  });

  test("never comes from the server where a list is bound or keys were fetched", () => {
    for (const plan of [...plansOf("two"), ...plansOf("city")]) {
      const [first, ...later] = getsIn(plan);
      if ((first?.gets ?? 0) > 1) expect(first?.order).toBeUndefined();
      for (const get of later) expect(get.order).toBeUndefined();
      expect(applicationWork(plan).includes("sort")).toBe(first?.order === undefined);
    }
  });

  test("in mixed directions needs a table declared so", () => {
    const served = plansOf("mixed").filter((plan) => firstGet(plan).order !== undefined);
    expect(served.length).toBeGreaterThan(0);
    for (const plan of served)
      expect(firstGet(plan).columnFamily).toContain("Event.level↑, Event.created↓");
  });

  test("of a city is served by a table partitioned by it", () => {
    const plans = onTable("city", "[Emp.city] [Event.created↑");
    for (const plan of plans) expect(applicationWork(plan)).toEqual([]);
  });

  // Cassandra rejects a read without a partition key. The studio accepts it with a warning, for which
  // it offers the one table that can answer it: a single partition under a constant.
  test("of everybody is warned of, and reads the one partition of a constant", () => {
    for (const plan of plansOf("all"))
      expect(firstGet(plan).columnFamily.startsWith("[*] ")).toBe(true);
    const text = readFileSync(`${import.meta.dirname}/${folder}/document.json`, "utf8");
    const document = readDocument(text);
    const read = document.ok ? toProblem(document.value) : undefined;
    expect(read?.ok && read.warnings.map(({ place }) => place.split("/")[1])).toEqual(["all"]);
  });
});
