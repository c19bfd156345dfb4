/** Case 07: counting and grouping, and what a counter may stand beside. */
import { describe, expect, test } from "vitest";
import { brokenCounterRule } from "#model/column-family.ts";
import { parseStatement } from "#model/statement-text.ts";
import { applicationWork, firstGet, getsIn, plansOfCase, problemOf } from "./read-case.ts";

const problem = problemOf("07-count-and-group");
const { plansOf, columnFamilies } = plansOfCase(problem);

describe("counting and grouping", () => {
  test("1: a count of everything reads everything, and is not called cheap", () => {
    const cheapest = Math.min(...plansOf("everything").map(({ cost }) => cost));
    for (const plan of plansOf("everything")) {
      expect(firstGet(plan).columnFamily.startsWith("[*] ")).toBe(true);
      expect(firstGet(plan).rows).toBe(3_000_000);
    }
    expect(cheapest).toBeGreaterThan(1000 * (plansOf("count")[0]?.cost ?? Number.NaN));
  });

  test("2: a count inside a partition is the server's, at the price of the rows that it counts", () => {
    const counted = plansOf("count").filter((plan) => firstGet(plan).aggregated);
    expect(counted.length).toBeGreaterThan(0);
    for (const plan of counted) {
      expect(firstGet(plan)).toMatchObject({ gets: 1, rows: 300 });
      expect(firstGet(plan).columnFamily).toMatch(/^\[Like\.video\.video_id\] \[.*Like\.like_id/);
      expect(applicationWork(plan)).toEqual([]);
    }
  });

  test("3: groups are the server's where they lead the clustering key, else the application's", () => {
    const byCountry = /^\[Like\.video\.video_id\] \[Like\.country↑/;
    const plans = plansOf("countries").filter((plan) => getsIn(plan).length === 1);
    expect(plans.some((plan) => firstGet(plan).grouped)).toBe(true);
    for (const plan of plans) {
      const { grouped, columnFamily } = firstGet(plan);
      const byPartition = columnFamily.startsWith("[Like.video.video_id]");
      if (byPartition) expect(grouped).toBe(byCountry.test(columnFamily));
      expect(applicationWork(plan)).toEqual(grouped ? [] : ["group"]);
    }
  });

  test("4: no key holds a counter, and no table a counter beside other values", () => {
    for (const family of columnFamilies)
      expect([family.key, brokenCounterRule(problem.entityGraph, family)]).toEqual([
        family.key,
        undefined,
      ]);
  });

  test("4: a video's title and its counter are read from two tables", () => {
    for (const plan of plansOf("views")) {
      const holding = getsIn(plan).filter(({ selects }) =>
        selects.some(({ attribute }) => attribute === "views"),
      );
      expect(holding).toHaveLength(1);
      expect(getsIn(plan).length).toBeGreaterThan(1);
    }
  });

  test("4: the top list is ordered by the application after it has counted, and limited then", () => {
    for (const plan of plansOf("top")) {
      expect(applicationWork(plan).slice(-2)).toEqual(["sort", "limit"]);
      expect(firstGet(plan).limit).toBeUndefined();
    }
  });

  // Statements here change records by values that they give; an increment has none, and its repetition
  // after a timeout would count twice. So a counter can be read, and is kept by the application.
  test.each([
    ["UPDATE Video SET views = ? WHERE Video.video_id = ?", "The counter views cannot be set"],
    ["UPDATE Video SET views = views + 1 WHERE Video.video_id = ?", "Adding to a stored value"],
    ["SELECT Video.title FROM Video WHERE Video.views = ?", "cannot be part of a key"],
    [
      "SELECT Video.title FROM Video WHERE Video.title = ? ORDER BY Video.views DESC LIMIT 10",
      "cannot be part of a key",
    ],
  ])("4, 5: %s is refused with the reason", (text, reason) => {
    const parsed = parseStatement({ id: "q", label: "q", group: "", text }, problem.entityGraph);
    expect(parsed.ok ? [] : parsed.issues.map(({ message }) => message).join(" ")).toContain(
      reason,
    );
  });
});
