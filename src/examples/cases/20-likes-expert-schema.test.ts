/**
 * Case 20: likes of users and items. The experts' four tables, and the wide lists that are the other
 * sound answer. An item's identifier is a value of the experts' list here and not a last clustering
 * column: the like's own identifier makes the row unique.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Recommendation } from "#model/recommendation.ts";
import {
  applicationWork,
  type CasePlans,
  chosenPlan,
  firstGet,
  getsIn,
  plansOfCase,
  problemOf,
  schemaAt,
  sizeOf,
  solved,
  written,
} from "./read-case.ts";

const folder = "20-likes-expert-schema";
const items = "[items.ItemID] [] → items.Desc, items.Title";
const users = "[users.UserID] [] → users.Email, users.Name";
const byItem = "[likes.item.ItemID] [likes.LikedAt↑, likes.LikeID↑] → likes.user.UserID";
const byUser = "[likes.user.UserID] [likes.LikedAt↑, likes.LikeID↑] → likes.item.ItemID";
const experts = [items, byItem, byUser, users];
const wideByUser =
  "[likes.user.UserID] [likes.LikedAt↑, items.ItemID↑, likes.LikeID↑] → items.Desc, items.Title";

/** Tables that repeat an item's title beside something else. */
const copies = (schema: readonly string[]): string[] =>
  schema.filter((text) => text.includes("items.Title") && text !== items);

describe("likes", () => {
  let plans: CasePlans;
  let free: Recommendation;
  let tight: Recommendation;
  beforeAll(async () => {
    const problem = problemOf(folder);
    plans = plansOfCase(problem);
    const bytes = experts.reduce((sum, text) => sum + sizeOf(plans, text).bytes, 0);
    free = await solved(problem);
    tight = await solved(
      problemOf(folder, {
        frequencies: { updateTitle: [1] },
        settings: { storage: { kind: "bytes", bytes } },
      }),
    );
  });

  test("10,000 likes are 100 in a user's list and 10 in an item's", () => {
    expect(sizeOf(plans, byUser)).toMatchObject({ rows: 10_000, rowsPerPartition: 100 });
    expect(sizeOf(plans, byItem)).toMatchObject({ rows: 10_000, rowsPerPartition: 10 });
  });

  test("with room for the experts' tables only, they are the answer", () => {
    expect(schemaAt(tight)).toEqual([...experts].sort());
  });

  test.each([
    ["itemsLiked", byUser, items],
    ["usersWhoLiked", byItem, users],
  ])(
    "then %s is the list and a lookup for each record, in the list's order",
    (query, list, record) => {
      const plan = chosenPlan(tight, query);
      expect(plan.columnFamilies.map((key) => key.replace(/ of \w+$/, ""))).toEqual([list, record]);
      expect(firstGet(plan).order).toBe("forward");
      expect(applicationWork(plan)).toEqual([]);
    },
  );

  test("then a like goes to both lists without reading, and a title to the items alone", () => {
    expect(written(tight, "insertLike")).toEqual({ [byItem]: [1, 0], [byUser]: [1, 0] });
    const updates = tight.steps[0]?.updates ?? [];
    expect(updates.flatMap(({ support }) => support)).toEqual([]);
    expect(written(tight, "updateTitle")).toEqual({ [items]: [1, 0] });
  });

  test("without a limit the lists are wide: one Get, for which a new like reads its item and user", () => {
    expect(schemaAt(free)).toContain(wideByUser);
    for (const query of ["itemsLiked", "usersWhoLiked"]) {
      const plan = chosenPlan(free, query);
      expect(getsIn(plan)).toHaveLength(1);
      expect(applicationWork(plan)).toEqual([]);
    }
    const ofLikes = free.steps[0]?.updates.filter(({ statement }) => statement === "insertLike");
    expect(ofLikes?.map(({ support }) => support.length)).toEqual([1, 1]);
  });

  test("a list in any answer is partitioned by whose it is, in order of time, with unique rows", () => {
    for (const [answer, query, owner] of [
      [free, "itemsLiked", "user.UserID"],
      [free, "usersWhoLiked", "item.ItemID"],
      [tight, "itemsLiked", "user.UserID"],
      [tight, "usersWhoLiked", "item.ItemID"],
    ] as const) {
      const list = firstGet(chosenPlan(answer, query)).columnFamily;
      const family = answer.columnFamilies.find(({ key }) => key === list);
      expect(family?.partitionKey.map(({ attribute }) => attribute)).toEqual([owner]);
      expect(family?.clusteringKey[0]?.attribute).toBe("LikedAt");
      expect(family?.clusteringKey.map(({ attribute }) => attribute)).toContain("LikeID");
    }
  });

  test("the more often titles change, the fewer copies of them there are, until none is left", async () => {
    const counts: number[] = [];
    for (const often of [0, 1, 10, 100, 1000]) {
      const answer = await solved(problemOf(folder, { frequencies: { updateTitle: [often] } }));
      const copied = copies(schemaAt(answer));
      counts.push(copied.length);
      // Ten likes of an item: a title that stands beside each is put ten times.
      for (const text of copied)
        if (often > 0) expect(written(answer, "updateTitle")[text]).toEqual([10, 0]);
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts.at(-1)).toBe(0);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });
});
