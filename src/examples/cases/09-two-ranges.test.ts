/**
 * Case 09: ranges on two columns. The verdicts on the documented table of 18 rows, tuple slices among
 * them, are `recordstore/table.test.ts`. Statements compare columns one by one: a tuple slice is
 * refused in their text, since no relational meaning of it would need it.
 */
import { describe, expect, test } from "vitest";
import { brokenRules } from "#engine/testing/plan-rules.ts";
import { everyPlan } from "#engine/testing/plans.ts";
import { planKind, type QueryPlan } from "#model/plan.ts";
import { parseStatement } from "#model/statement-text.ts";
import { applicationWork, firstGet, getsIn, plansOfCase, problemOf } from "./read-case.ts";

const problem = problemOf("09-two-ranges");
const { plansOf } = plansOfCase(problem);

describe("two ranges", () => {
  test("one stands in the key at most, and the other is a filter", () => {
    for (const plan of plansOf("cheap")) {
      const inKeys = getsIn(plan).flatMap(({ range }) => range ?? []);
      if (planKind(plan) === "materialised view") {
        expect(inKeys.length).toBeLessThan(2);
        expect(applicationWork(plan)).toContain("filter");
      }
    }
  });

  test("rows read are counted before the filter, and rows returned after it", () => {
    const best = plansOf("cheap")[0] as QueryPlan;
    // 1,000 products of a category; each range lets 0.3 pass.
    expect(firstGet(best)).toMatchObject({ gets: 1, range: 1 });
    expect(firstGet(best).rows).toBeCloseTo(300, 9);
    const filter = best.steps[1];
    expect(filter).toMatchObject({ kind: "filter", predicates: [2] });
    expect(filter?.kind === "filter" && [filter.rows, filter.left]).toEqual([
      expect.closeTo(300, 9),
      expect.closeTo(90, 9),
    ]);
  });

  test("a column after a range, or behind a gap, is bound by no plan", () => {
    const { families, queries } = everyPlan(problem, false);
    for (const { query, plans } of queries)
      for (const plan of plans)
        expect(brokenRules(problem.entityGraph, query, plan, families)).toEqual([]);
  });

  test("two columns compared at once are refused with the way round", () => {
    const text =
      "SELECT Product.title FROM Product WHERE Product.category.cat_id = ? AND (Product.price, Product.added) >= (?, ?)";
    const parsed = parseStatement({ id: "q", label: "q", group: "", text }, problem.entityGraph);
    expect(parsed.ok ? [] : parsed.issues.map(({ hint }) => hint)).toEqual([
      "Compare the columns one by one.",
    ]);
  });
});
