/** Costs against figures worked out by hand from the formulas of engine.md §3 and §6. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnFamilySize } from "#model/column-family.ts";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { QueryPlan } from "#model/plan.ts";
import { expectedDistinct } from "./cardinality.ts";
import {
  aGraph,
  aProblem,
  categoriesAndProducts,
  employeesAndEvents,
  membersAndMemberships,
  type ProblemParts,
  usersAndItems,
  usersAndMessages,
  videosAndLikes,
} from "./testing/examples.ts";
import { everyPlan, getsOf, planOver } from "./testing/plans.ts";
import { randomQueries } from "./testing/random-problem.ts";

/** The plan of one query over the given families. */
function plan(
  graph: EntityGraph,
  query: ProblemParts["queries"][string],
  families: readonly string[],
  costModel: CostModel = defaultCostModel,
): QueryPlan {
  return planOver(aProblem({ graph, queries: { q: query }, costModel }), "q", families);
}

/** n, w, s and milliseconds of each Get, and what the application does. */
function figures({ steps }: QueryPlan): object[] {
  return steps.map((step) =>
    step.kind === "get"
      ? { n: close(step.gets), w: close(step.rows), s: step.bytesPerRow, ms: close(step.cost) }
      : { [step.kind]: close(step.rows), ms: close(step.cost) },
  );
}

/** Nine digits of a figure. */
function close(value: number): number {
  return Number(value.toPrecision(9));
}

// Default model: T(n, w, s) = 0.5 + 0.4 n + 0.002 w + 0.00001 w s; sorting 0.0002 w log₂ w; grouping 0.0002 w.
const t = (n: number, w: number, s: number): number => 0.5 + 0.4 * n + 0.002 * w + 0.00001 * w * s;

const userOfItem = "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?";
const wide = "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)";
const narrow = "[item.name] [item.user.id↑, item.id↑] of item";
const users = "[user.id] [] → user.email, user.name of user";

describe("a Get", () => {
  test("of a materialised view costs T(1, rows of the partition, bytes of the selected columns)", () => {
    // 20,000 items / 2,000 names = 10 rows; id 16 + name 20 + email 40 = 76 bytes.
    // 0.5 + 0.4 + 0.002 · 10 + 0.00001 · 10 · 76 = 0.9276
    const found = plan(usersAndItems, userOfItem, [wide]);
    expect(figures(found)).toEqual([{ n: close(1), w: close(10), s: 76, ms: close(0.9276) }]);
    expect(found.cost).toBeCloseTo(0.9276, 9);
  });

  test("after another one runs once per distinct key among the rows before (Cardenas)", () => {
    // First: 10 rows of which only user.id (16 bytes) goes on: 0.5 + 0.4 + 0.02 + 0.0016 = 0.9216.
    // Then the distinct users among 10 of 20,000 items: 1000 · (1 − (1 − 1/1000)^10) = 9.9551…; each gives
    // one row of name 20 + email 40 = 60 bytes: 0.5 + 9.9551… · (0.4 + 0.002 + 0.0006).
    const n = 1000 * (1 - 0.999 ** 10);
    const found = plan(usersAndItems, userOfItem, [narrow, users]);
    expect(figures(found)).toEqual([
      { n: close(1), w: close(10), s: 16, ms: close(0.9216) },
      { n: close(n), w: close(n), s: 60, ms: close(0.5 + n * 0.4026) },
    ]);
    expect(found.cost).toBeCloseTo(0.9216 + 0.5 + n * 0.4026, 9);
  });

  test("counts, with the paper's preset, every row as a Get and every column as returned", () => {
    // Wide: name 20 + item.id 16 + user.id 16 + email 40 + name 20 = 112 bytes.
    expect(figures(plan(usersAndItems, userOfItem, [wide], paperCostModel))).toEqual([
      { n: close(1), w: close(10), s: 112, ms: close(t(1, 10, 112)) },
    ]);
    // Narrow: 20 + 16 + 16 = 52 bytes, 10 rows, so 10 Gets on the users with 16 + 40 + 20 = 76 bytes:
    // 0.5 + 4 + 0.02 + 0.0076 = 4.5276
    expect(figures(plan(usersAndItems, userOfItem, [narrow, users], paperCostModel))).toEqual([
      { n: close(1), w: close(10), s: 52, ms: close(0.9252) },
      { n: close(10), w: close(10), s: 76, ms: close(4.5276) },
    ]);
  });

  test("on a list of keys runs once per value", () => {
    // 2,000,000 events / 5,000 employees = 400 each; two of them: n = 2, w = 800; event_id 16 + created 8.
    // 0.5 + 0.8 + 1.6 + 0.00001 · 800 · 24 = 3.092
    const table = "[Event.emp.emp_id] [Event.event_id↑] → Event.created of Event";
    const select = "SELECT Event.event_id, Event.created FROM Event WHERE";
    expect(
      figures(plan(employeesAndEvents, `${select} Event.emp.emp_id IN (?, ?)`, [table])),
    ).toEqual([{ n: close(2), w: close(800), s: 24, ms: close(3.092) }]);
    // A list of unknown length counts as 3, or as a person says.
    expect(
      figures(plan(employeesAndEvents, `${select} Event.emp.emp_id IN ?`, [table])),
    ).toMatchObject([{ n: close(3), w: close(1200) }]);
    const ten = {
      text: `${select} Event.emp.emp_id IN ?`,
      assumptions: { listLength: { "Event.emp.emp_id": 10 } },
    };
    expect(figures(plan(employeesAndEvents, ten, [table]))).toMatchObject([
      { n: close(10), w: close(4000) },
    ]);
  });

  test("has no more keys than a column has values", () => {
    // A list of 10 levels of which there are 5 finds all 400 events of the employee.
    const query = {
      text: "SELECT Event.event_id FROM Event WHERE Event.emp.emp_id = ? AND Event.level IN ?",
      assumptions: { listLength: { "Event.level": 10 } },
    };
    const found = plan(employeesAndEvents, query, [
      "[Event.emp.emp_id, Event.level] [Event.event_id↑] of Event",
    ]);
    expect(figures(found)).toMatchObject([{ n: close(5), w: close(400) }]);
  });

  test("with a range returns the share of rows that pass it, and counts a filter's rows before the filter", () => {
    // 100,000 products / 100 categories = 1,000; a range passes 0.3 of them: w = 300.
    // id 16 + price 8 + added 4 + title 60 = 88 bytes: 0.9 + 0.6 + 0.264 = 1.764; the filter costs nothing.
    const text =
      "SELECT Product.product_id, Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price";
    const byPrice =
      "[Product.category.cat_id] [Product.price↑, Product.product_id↑] → Product.added, Product.title of Product";
    expect(figures(plan(categoriesAndProducts, text, [byPrice]))).toEqual([
      { n: close(1), w: close(300), s: 88, ms: close(1.764) },
      { filter: close(300), ms: close(0) },
    ]);
    const cheap = { text, assumptions: { selectivity: { "Product.price": 0.05 } } };
    expect(figures(plan(categoriesAndProducts, cheap, [byPrice]))).toMatchObject([
      { w: close(50) },
      { filter: close(50) },
    ]);
    // By the date added the server gives 300 rows too (nobody needs the date: 84 bytes, 0.9 + 0.6 + 0.252), but
    // then 0.3 of them, 90, have to be sorted: 0.0002 · 90 · log₂ 90
    const byDate =
      "[Product.category.cat_id] [Product.added↑, Product.product_id↑] → Product.price, Product.title of Product";
    expect(figures(plan(categoriesAndProducts, text, [byDate]))).toEqual([
      { n: close(1), w: close(300), s: 84, ms: close(1.752) },
      { filter: close(300), ms: close(0) },
      { sort: close(90), ms: close(0.0002 * 90 * Math.log2(90)) },
    ]);
  });

  test("by a whole composite identifier finds one record", () => {
    // 365,000,000 room nights: hotel, night and room have 5,000 · 730 · 100 combinations, and each is one.
    const found = plan(
      roomNights,
      "SELECT RoomNight.is_free FROM RoomNight WHERE RoomNight.hotel.hotel_id = ? AND RoomNight.night = ? AND RoomNight.room = ?",
      [
        "[RoomNight.hotel.hotel_id] [RoomNight.night↑, RoomNight.room↑] → RoomNight.is_free of RoomNight",
      ],
    );
    expect(figures(found)).toEqual([{ n: close(1), w: close(1), s: 1, ms: close(t(1, 1, 1)) }]);
  });
});

describe("groups, orders and limits", () => {
  const perCountry = "[Like.video.video_id] [Like.country↑, Like.like_id↑] of Like";

  test("groups made by the server are what it returns", () => {
    // 3,000,000 likes / 10,000 videos = 300, which fall on 120 · (1 − (1 − 1/120)^300) = 110.25… countries of 2 bytes.
    const groups = 120 * (1 - (1 - 1 / 120) ** 300);
    const text =
      "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country";
    const found = plan(videosAndLikes, text, [perCountry]);
    expect(figures(found)).toEqual([
      { n: close(1), w: close(groups), s: 2, ms: close(t(1, groups, 2)) },
    ]);
    expect(getsOf(found)[0]?.grouped).toBe(true);
  });

  test("groups over several partitions are made by the application, row by row", () => {
    // Two videos: 600 rows to fetch and to group: 0.0002 · 600 = 0.12
    const text =
      "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id IN (?, ?) GROUP BY Like.country";
    expect(figures(plan(videosAndLikes, text, [perCountry]))).toEqual([
      { n: close(2), w: close(600), s: 2, ms: close(t(2, 600, 2)) },
      { group: close(600), ms: close(0.12) },
    ]);
  });

  test("grouping by an identifier leaves as many groups as rows", () => {
    // 300 likes of a video are 300 groups.
    const text =
      "SELECT Like.like_id, Like.country FROM Like WHERE Like.video.video_id = ? GROUP BY Like.like_id, Like.country";
    const perLike = "[Like.video.video_id] [Like.like_id↑] → Like.country of Like";
    expect(figures(plan(videosAndLikes, text, [perLike]))).toMatchObject([
      { n: close(1), w: close(300) },
    ]);
  });

  test("an aggregate made by the server costs the rows it reads and returns no bytes", () => {
    // 300 rows read: 0.9 + 0.6
    const text = "SELECT count(*) FROM Like WHERE Like.video.video_id = ?";
    const found = plan(videosAndLikes, text, ["[Like.video.video_id] [Like.like_id↑] of Like"]);
    expect(figures(found)).toEqual([{ n: close(1), w: close(300), s: 0, ms: close(1.5) }]);
    expect(getsOf(found)[0]?.aggregated).toBe(true);
  });

  const inbox =
    "SELECT Message.message_id, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20";

  test("a limit given to the server limits the rows it returns", () => {
    // 20 of 100,000 / 1,000 = 100 messages; id 16 + sent_at 8 + username 20 = 44: 0.9 + 0.04 + 0.0088 = 0.9488
    const found = plan(usersAndMessages, inbox, [
      "[Message.recipient.user_id] [Message.sent_at↑, Message.message_id↑] → User.username of Message(sender:User)",
    ]);
    expect(figures(found)).toEqual([{ n: close(1), w: close(20), s: 44, ms: close(0.9488) }]);
  });

  test("a limit given to the first of two Gets limits the second one's keys", () => {
    // 1000 · (1 − (1 − 1/1000)^20) distinct senders of 20 messages.
    const senders = 1000 * (1 - 0.999 ** 20);
    const found = plan(usersAndMessages, inbox, [
      "[Message.recipient.user_id] [Message.sent_at↑, Message.message_id↑] → Message.sender.user_id of Message",
      "[User.user_id] [] → User.username of User",
    ]);
    expect(figures(found)).toEqual([
      { n: close(1), w: close(20), s: 40, ms: close(t(1, 20, 40)) },
      { n: close(senders), w: close(senders), s: 20, ms: close(t(senders, senders, 20)) },
    ]);
  });

  test("a limit on groups made by the server limits the groups it returns", () => {
    const text =
      "SELECT Like.country FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country LIMIT 7";
    const found = plan(videosAndLikes, text, [perCountry]);
    expect(figures(found)).toEqual([{ n: close(1), w: close(7), s: 2, ms: close(t(1, 7, 2)) }]);
    expect(getsOf(found)[0]).toMatchObject({ grouped: true, limit: 7 });
  });

  test("a limit after a filter changes nothing about the rows to fetch", () => {
    const text =
      "SELECT Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price LIMIT 10";
    const found = plan(categoriesAndProducts, text, [
      "[Product.category.cat_id] [Product.price↑, Product.product_id↑] → Product.added, Product.title of Product",
    ]);
    expect(figures(found)).toMatchObject([
      { w: close(300) },
      { filter: close(300) },
      { limit: close(10) },
    ]);
  });

  test("sorting costs rows · log₂ rows", () => {
    // 800 events of two employees: 0.0002 · 800 · log₂ 800 = 1.543…
    const text =
      "SELECT Event.event_id, Event.created FROM Event WHERE Event.emp.emp_id IN (?, ?) ORDER BY Event.created";
    const found = plan(employeesAndEvents, text, [
      "[Event.emp.emp_id] [Event.created↑, Event.event_id↑] of Event",
    ]);
    expect(figures(found)).toEqual([
      { n: close(2), w: close(800), s: 24, ms: close(3.092) },
      { sort: close(800), ms: close(0.0002 * 800 * Math.log2(800)) },
    ]);
  });

  test("an order by an aggregate sorts groups, in the application", () => {
    const text =
      "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country ORDER BY count(*) DESC LIMIT 3";
    const groups = 120 * (1 - (1 - 1 / 120) ** 300);
    expect(figures(plan(videosAndLikes, text, [perCountry]))).toMatchObject([
      { w: close(groups), ms: close(t(1, groups, 2)) },
      { sort: close(groups), ms: close(0.0002 * groups * Math.log2(groups)) },
      { limit: close(3) },
    ]);
  });
});

// --- sizes --------------------------------------------------------------------------------------

/** Free rooms by hotel and night (case 04): 5,000 hotels, 100 rooms, 730 nights. */
const roomNights = aGraph(
  [
    {
      name: "Hotel",
      count: 5000,
      attributes: [{ name: "hotel_id", type: "text", bytes: 5 }],
      identifier: ["hotel_id"],
    },
    {
      name: "RoomNight",
      count: 365_000_000,
      attributes: [
        { name: "night", type: "date", bytes: 4, distinct: 730 },
        { name: "room", type: "int", bytes: 2, distinct: 100 },
        { name: "is_free", type: "boolean", bytes: 1 },
      ],
      identifier: ["hotel", "night", "room"],
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

describe("the size of a column family", () => {
  test("is that of the official documentation for free rooms by hotel and night", () => {
    const problem = aProblem({
      graph: roomNights,
      queries: {
        q: "SELECT RoomNight.is_free FROM RoomNight WHERE RoomNight.hotel.hotel_id = ? ORDER BY RoomNight.night",
      },
    });
    const key =
      "[RoomNight.hotel.hotel_id] [RoomNight.night↑, RoomNight.room↑] → RoomNight.is_free of RoomNight";
    // 5 + 73,000 · (4 + 2 + 1) + 73,000 · 8 = 1,095,005 bytes per partition, times 5,000.
    expect(everyPlan(problem, false).families.get(key)?.size).toEqual({
      rows: 365_000_000,
      partitions: 5000,
      rowsPerPartition: 73_000,
      bytesPerPartition: 1_095_005,
      bytes: 5_475_025_000,
    });
    const family = everyPlan(problem, false).families.get(key);
    if (family) expect(columnFamilySize(roomNights, family, 0.5).bytes).toBe(5_475_025_000 / 2);
  });

  test("follows the links, whichever end is read first (case 13)", () => {
    // 3,000 memberships of 1,000 members: the join has 3,000 rows, over 3,000 dates one partition each.
    const from = (path: string, member: string, membership: string): object | undefined => {
      const query = `SELECT ${membership}.ms_id, ${membership}.since, ${member}.name FROM ${path} WHERE ${membership}.since = ?`;
      const { families } = everyPlan(
        aProblem({ graph: membersAndMemberships, queries: { q: query } }),
        false,
      );
      return families.get(
        "[Membership.since] [Membership.ms_id↑] → Member.name of Member(memberships:Membership)",
      )?.size;
    };
    // 3,000 · 4 + 3,000 · (4 + 40 + 8) = 168,000
    const size = {
      rows: 3000,
      partitions: 3000,
      rowsPerPartition: 1,
      bytesPerPartition: 56,
      bytes: 168_000,
    };
    expect(from("Membership.member", "member", "Membership")).toEqual(size);
    expect(from("Member.memberships", "Member", "memberships")).toEqual(size);
  });

  test("has at most as many partitions as rows", () => {
    const { families } = everyPlan(
      aProblem({
        graph: usersAndItems,
        queries: { q: "SELECT items.id FROM user.items WHERE items.name = ? AND user.name = ?" },
      }),
      false,
    );
    // 2,000 · 1,000 combinations, 20,000 rows.
    const key =
      [...families.keys()].find((each) => each.startsWith("[item.name, user.name]")) ?? "";
    expect(families.get(key)?.size).toMatchObject({
      rows: 20_000,
      partitions: 20_000,
      rowsPerPartition: 1,
    });
  });
});

describe("the expected number of distinct values", () => {
  test.each([
    // values, draws, expected
    [1000, 10, 1000 * (1 - 0.999 ** 10)],
    [2, 1, 1],
    [2, 2, 1.5],
    [1, 40, 1],
    [0.25, 40, 0.25],
    [10, 0, 0],
    // Far more values than draws: nearly every draw is new, and no digit is lost.
    [1e15, 3, 3],
    [1e12, 1e-8, 1e-8],
  ])("among %d values in %d draws is %d", (values, draws, expected) => {
    expect(Math.abs(expectedDistinct(values, draws) - expected)).toBeLessThanOrEqual(
      1e-9 * expected,
    );
  });
});

/** Rows as each plan states them: at its end, where the application groups, and where it sorts. */
function rowsStated(plans: readonly QueryPlan[], kind: "answer" | "group" | "sort"): number[] {
  return plans.flatMap(({ steps }) => {
    const [first, next] = steps;
    if (kind !== "answer") return steps.flatMap((step) => (step.kind === kind ? [step.rows] : []));
    const isAnswer = first?.kind === "get" && next?.kind !== "get" && next?.kind !== "filter";
    return isAnswer && !first.grouped && first.limit === undefined ? [first.rows] : [];
  });
}

function expectAgreement(rows: readonly number[]): void {
  const [one] = rows;
  if (one === undefined) return;
  for (const each of rows) expect(Math.abs(each - one)).toBeLessThanOrEqual(1e-9 * one);
}

function expectFigures(plan: QueryPlan): void {
  const sum = plan.steps.reduce((total, { cost }) => total + cost, 0);
  expect(Math.abs(plan.cost - sum)).toBeLessThanOrEqual(1e-9 * sum);
  for (const { rows, cost } of plan.steps)
    expect(Number.isFinite(rows) && rows >= 0 && cost >= 0).toBe(true);
  for (const { gets, bytesPerRow } of getsOf(plan))
    expect(Number.isFinite(gets) && gets > 0 && bytesPerRow >= 0).toBe(true);
}

describe("on random queries", () => {
  /** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
  const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
  const bounds = { entities: 4, nodes: 3, queries: 1, predicates: 2, steps: 1 };

  test(
    "all plans of a query come to the same rows, and every figure is a number that makes sense",
    () => {
      fc.assert(
        fc.property(randomQueries(bounds), ({ problem }) => {
          for (const { query, plans } of everyPlan(problem, true, 60).queries) {
            plans.forEach(expectFigures);
            const answer = [...rowsStated(plans, "answer"), ...rowsStated(plans, "group")];
            const sorted = rowsStated(plans, "sort");
            const groups = query.groupBy.length > 0;
            expectAgreement(groups ? answer : [...answer, ...sorted]);
            if (groups) expectAgreement(sorted);
          }
        }),
        { numRuns: 100 * times },
      );
    },
    60_000 * times,
  );
});
