/** Which column families are proposed, and when two of them are the same (engine.md §3, §5). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  brokenCounterRule,
  type ColumnFamily,
  columnFamilyText,
  columnsOf,
} from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { type CandidatePool, enumerateColumnFamilies } from "./enumerate-column-families.ts";
import {
  aGraph,
  aProblem,
  type ProblemParts,
  usersAndItems,
  usersAndMessages,
  videosAndLikes,
} from "./testing/examples.ts";
import { Names } from "./testing/names.ts";
import { everyPlan, type QueryWithPlans } from "./testing/plans.ts";
import { randomQueries } from "./testing/random-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

function poolFor(problem: Problem): CandidatePool {
  const queries = problem.statements
    .filter(isQuery)
    .map((query) => compileQuery(problem.entityGraph, query));
  return enumerateColumnFamilies(problem.entityGraph, queries, problem.options.sizeFactor);
}

function poolOf(graph: EntityGraph, queries: ProblemParts["queries"]): CandidatePool {
  return poolFor(aProblem({ graph, queries }));
}

function keysOf(graph: EntityGraph, query: string): string[] {
  return [...poolOf(graph, { q: query }).keys()];
}

const q1 = "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?";
const q2 = "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?";

describe("two spellings of one query", () => {
  // The parent's identifier is held by the child: whether it is named or walked to tells no difference.
  test.each<[EntityGraph, string, string]>([
    [
      usersAndItems,
      "SELECT item.name FROM user.items WHERE user.id = ? AND items.quantity > ?",
      "SELECT item.name FROM item WHERE item.user.id = ? AND item.quantity > ?",
    ],
    [
      usersAndItems,
      "SELECT u.id, i.name FROM item AS i JOIN user AS u ON i.user.id = u.id WHERE i.quantity = ?",
      "SELECT item.user.id, item.name FROM item WHERE item.quantity = ?",
    ],
    [
      videosAndLikes,
      "SELECT v.video_id, count(l.like_id) FROM Video AS v, v.likes AS l WHERE l.country = ? GROUP BY v.video_id ORDER BY v.video_id",
      "SELECT Like.video.video_id, count(Like.like_id) FROM Like WHERE Like.country = ? GROUP BY Like.video.video_id ORDER BY Like.video.video_id",
    ],
    [
      usersAndMessages,
      "SELECT m.body, s.username FROM Message AS m, m.sender AS s, m.recipient AS r WHERE r.user_id = ? ORDER BY m.sent_at",
      "SELECT Message.body, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at",
    ],
  ])(
    "propose the same candidates, and plans worth keeping at the same cost: %#",
    (graph, walked, named) => {
      expect(keysOf(graph, walked)).toEqual(keysOf(graph, named));
      const plans = (query: string): (readonly [string, number])[] =>
        everyPlan(aProblem({ graph, queries: { q: query } }), true)
          .queries.flatMap((each) => each.plans)
          .map(({ columnFamilies, cost }) => [columnFamilies.join(" ⋈ "), cost] as const)
          .sort(([a], [b]) => byCodeUnit(a, b));
      expect(plans(walked)).toEqual(plans(named));
    },
  );
});

describe("counters", () => {
  const counted = aGraph(
    [
      {
        name: "Video",
        count: 100,
        attributes: [
          { name: "id", type: "uuid" },
          { name: "title", type: "text" },
          { name: "views", type: "counter" },
          { name: "shares", type: "counter" },
        ],
        identifier: ["id"],
      },
    ],
    [],
  );

  test("stand in tables of their own, with the key of the table they were taken from", () => {
    expect(keysOf(counted, "SELECT Video.* FROM Video WHERE Video.id = ?")).toEqual([
      "[Video.id] [] of Video",
      "[Video.id] [] → Video.shares, Video.views of Video",
      "[Video.id] [] → Video.title of Video",
    ]);
  });

  test("are not merged with other values", () => {
    const pool = poolOf(counted, {
      q1: "SELECT Video.title FROM Video WHERE Video.id = ?",
      q2: "SELECT Video.views FROM Video WHERE Video.id = ?",
      q3: "SELECT Video.shares FROM Video WHERE Video.id = ?",
    });
    expect([...pool.keys()]).toContain("[Video.id] [] → Video.shares, Video.views of Video");
    for (const { columnFamily } of pool.values())
      expect(brokenCounterRule(counted, columnFamily)).toBeUndefined();
  });

  test("are read beside other values by a second Get on the same key", () => {
    const problem = aProblem({
      graph: counted,
      queries: { q: "SELECT Video.title, Video.views FROM Video WHERE Video.id = ?" },
    });
    const { plans } = everyPlan(problem, true).queries[0] as QueryWithPlans;
    expect(plans.length).toBeGreaterThan(0);
    for (const { columnFamilies } of plans) expect(columnFamilies.length).toBeGreaterThan(1);
  });

  test.each([
    ["[Video.id] [Video.views↑]", { clusteringKey: ["views"] }, "has a counter in its key"],
    ["title and views", { values: ["title", "views"] }, "holds counters beside other values"],
  ])("beside %s break Cassandra's rules", (_, columns, rule) => {
    const at = (attribute: string) => ({ node: 0, attribute });
    const { clusteringKey = [], values = [] } = columns as Record<string, string[]>;
    const family = {
      graph: { nodes: [{ entity: "Video", label: "Video" }], edges: [] },
      partitionKey: [at("id")],
      clusteringKey: clusteringKey.map((each) => ({ ...at(each), direction: "asc" as const })),
      values: values.map(at),
    };
    expect(brokenCounterRule(counted, family)).toBe(rule);
  });
});

describe("for the paper's two queries (case 22)", () => {
  const pool = poolOf(usersAndItems, { q1, q2 });

  test.each([
    [
      "CF1, the wide answer of q1",
      "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)",
    ],
    ["CF2, its narrow half", "[item.name] [item.id↑] → item.user.id of item"],
    ["CF3, the users", "[user.id] [] → user.email, user.name of user"],
    [
      "CF4, the wide answer of q2",
      "[item.quantity] [item.id↑, user.id↑] → user.email, user.name of item(user:user)",
    ],
    ["CF5, an index", "[item.quantity] [item.id↑] of item"],
    ["CF6, its key lookup", "[item.id] [user.id↑] → user.email, user.name of item(user:user)"],
    ["CF7, an item's user", "[item.id] [] → item.user.id of item"],
  ])("%s is proposed", (_, key) => {
    expect(pool.has(key)).toBe(true);
  });

  test("a family that both queries propose is one candidate", () => {
    const users = pool.get("[user.id] [] → user.email, user.name of user");
    expect(new Set(users?.proposals.map(({ statement }) => statement))).toEqual(
      new Set(["q1", "q2"]),
    );
    const wide = pool.get(
      "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)",
    );
    expect(new Set(wide?.proposals.map(({ statement }) => statement))).toEqual(new Set(["q1"]));
  });

  test("families that agree in their keys are also offered merged", () => {
    const merged = [...pool.values()].filter(({ proposals }) =>
      proposals.some(({ rule }) => rule === "merged"),
    );
    expect(merged.map(({ columnFamily }) => columnFamily.key)).toContain(
      "[item.id] [user.id↑] → item.name, item.quantity, user.email, user.name of item(user:user)",
    );
  });
});

describe("identity", () => {
  test("the path read from either end, or in SQL's manner, gives the same families", () => {
    const paths = keysOf(usersAndItems, q1);
    expect(
      keysOf(
        usersAndItems,
        "SELECT user.id, user.name, user.email FROM item.user WHERE item.name = ?",
      ),
    ).toEqual(paths);
    expect(
      keysOf(
        usersAndItems,
        "SELECT u.id, u.name, u.email FROM user u JOIN item i ON i.user.id = u.id WHERE i.name = ?",
      ),
    ).toEqual(paths);
  });

  test("equal columns over different roads are different tables", () => {
    const name = (role: string): string =>
      `SELECT Message.message_id FROM Message.${role} WHERE ${role}.username = ?`;
    const pool = poolOf(usersAndMessages, { sent: name("sender"), received: name("recipient") });
    const views = [...pool.values()].filter(({ proposals }) =>
      proposals.some(({ rule }) => rule === "whole query"),
    );
    expect(views.map(({ columnFamily }) => columnFamily.key)).toEqual([
      "[User.username] [Message.message_id↑] of Message(recipient:User)",
      "[User.username] [Message.message_id↑] of Message(sender:User)",
    ]);
    const proposers = views.map(
      ({ proposals }) => new Set(proposals.map(({ statement }) => statement)),
    );
    expect(proposers).toEqual([new Set(["received"]), new Set(["sent"])]);
  });

  test("line items by the customer's nation and by the supplier's are two tables", () => {
    const nation = (path: string): string =>
      `SELECT LineItem.price FROM LineItem.${path} WHERE nation.name = ?`;
    const pool = poolOf(tpch, {
      customer: nation("order.customer.nation"),
      supplier: nation("supplier.nation"),
    });
    const views = [
      "[Nation.name] [LineItem.no↑, Order.id↑] → LineItem.price of Customer(nation:Nation,orders:Order(items:LineItem))",
      "[Nation.name] [LineItem.no↑, LineItem.order.id↑] → LineItem.price of LineItem(supplier:Supplier(nation:Nation))",
    ];
    const proposers = views.map(
      (key) => new Set(pool.get(key)?.proposals.map(({ statement }) => statement)),
    );
    expect(proposers).toEqual([new Set(["customer"]), new Set(["supplier"])]);
  });

  test("a parent present only through its identifier is left out", () => {
    const walked = keysOf(
      usersAndMessages,
      "SELECT Message.body FROM Message.sender WHERE sender.user_id = ?",
    );
    const held = keysOf(
      usersAndMessages,
      "SELECT Message.body FROM Message WHERE Message.sender.user_id = ?",
    );
    const view = "[Message.sender.user_id] [Message.message_id↑] → Message.body of Message";
    expect(walked).toContain(view);
    expect(held).toContain(view);
  });

  test("an optional parent stays: messages without one are other rows", () => {
    const graph = aGraph(
      [
        { name: "Room", count: 10, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
        {
          name: "Lamp",
          count: 100,
          attributes: [
            { name: "id", type: "int" },
            { name: "watts", type: "int", distinct: 5 },
          ],
          identifier: ["id"],
        },
      ],
      [
        {
          multiplicity: "oneToMany",
          ends: [
            { entity: "Room", role: "room" },
            { entity: "Lamp", role: "lamps" },
          ],
          optional: true,
          links: 40,
        },
      ],
    );
    const pool = poolOf(graph, {
      q: "SELECT Lamp.id FROM Lamp.room WHERE Lamp.watts = ?",
      all: "SELECT Lamp.id FROM Lamp WHERE Lamp.watts = ?",
    });
    // 40 lamps stand in rooms, 100 there are.
    const rows = (key: string): number | undefined => pool.get(key)?.columnFamily.size.rows;
    expect(rows("[Lamp.watts] [Lamp.id↑] of Lamp")).toBe(100);
    expect(
      [...pool.keys()]
        .filter((key) => key.startsWith("[Lamp.watts]") && key.includes("Room"))
        .map(rows),
    ).not.toContain(100);
    expect(
      [...pool.values()].some(
        ({ columnFamily }) =>
          columnFamily.graph.nodes.length === 2 && columnFamily.size.rows === 40,
      ),
    ).toBe(true);
  });
});

describe("keys", () => {
  test("an order and its exact reverse share a table, mixed directions have their own", () => {
    const like = (order: string): string[] =>
      keysOf(
        videosAndLikes,
        `SELECT Like.like_id FROM Like WHERE Like.video.video_id = ? ORDER BY ${order}`,
      );
    expect(like("Like.at DESC, Like.country DESC")).toEqual(like("Like.at, Like.country"));
    expect(like("Like.at DESC, Like.country")).toEqual(like("Like.at, Like.country DESC"));
    expect(like("Like.at, Like.country")).toContain(
      "[Like.video.video_id] [Like.at↑, Like.country↑, Like.like_id↑] of Like",
    );
    expect(like("Like.at, Like.country DESC")).toContain(
      "[Like.video.video_id] [Like.at↑, Like.country↓, Like.like_id↑] of Like",
    );
  });

  test("the order of conditions and selected columns makes no difference", () => {
    const one =
      "SELECT items.id, user.name FROM user.items WHERE items.name = ? AND user.email = ?";
    const other =
      "SELECT user.name, items.id FROM user.items WHERE user.email = ? AND items.name = ?";
    expect(keysOf(usersAndItems, other)).toEqual(keysOf(usersAndItems, one));
  });

  test("every non-empty set of the equalities is a partition key somewhere", () => {
    const keys = keysOf(
      usersAndItems,
      "SELECT items.id FROM user.items WHERE items.name = ? AND items.quantity = ? AND user.name = ?",
    );
    const parts = ["item.name", "item.quantity", "user.name"];
    for (let set = 1; set < 8; set += 1) {
      const partition = `[${parts.filter((_, index) => (set >> index) & 1).join(", ")}] `;
      expect(
        keys.some((key) => key.startsWith(partition)),
        partition,
      ).toBe(true);
    }
  });

  test("a query without equality gets one partition under the constant column", () => {
    const { columnFamily } =
      poolOf(usersAndItems, { q: "SELECT user.name FROM user" }).get(
        "[*] [user.id↑] → user.name of user",
      ) ?? {};
    expect(columnFamily?.partitionKey).toEqual([{ node: -1, attribute: "*" }]);
    expect(columnFamily?.size).toMatchObject({ rows: 1000, partitions: 1, rowsPerPartition: 1000 });
  });
});

/** As much of TPC-H as it takes to reach a nation by two roads. */
const tpch = aGraph(
  [
    {
      name: "Nation",
      count: 25,
      attributes: [
        { name: "id", type: "int" },
        { name: "name", type: "text" },
      ],
      identifier: ["id"],
    },
    { name: "Customer", count: 150, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
    { name: "Supplier", count: 50, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
    { name: "Order", count: 1500, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
    {
      name: "LineItem",
      count: 6000,
      attributes: [
        { name: "no", type: "int", distinct: 7 },
        { name: "price", type: "double" },
      ],
      identifier: ["order", "no"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Nation", role: "nation" },
        { entity: "Customer", role: "customers" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Nation", role: "nation" },
        { entity: "Supplier", role: "suppliers" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Customer", role: "customer" },
        { entity: "Order", role: "orders" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Order", role: "order" },
        { entity: "LineItem", role: "items" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Supplier", role: "supplier" },
        { entity: "LineItem", role: "items" },
      ],
    },
  ],
);

describe("on random queries", () => {
  const bounds = { entities: 4, nodes: 3, queries: 3, predicates: 3, steps: 1 };

  test(
    "every candidate is what its key says, holds each value once, and tells its rows apart",
    () => {
      fc.assert(
        fc.property(randomQueries(bounds), ({ problem }) => {
          const pool = poolFor(problem);
          expect([...pool.keys()]).toEqual([...pool.keys()].sort(byCodeUnit));
          for (const [key, { columnFamily, proposals }] of pool) {
            const faults = faultsOf(problem.entityGraph, columnFamily);
            if (key !== columnFamily.key) faults.push("stands under another key");
            if (proposals.length === 0) faults.push("is proposed by nobody");
            if (faults.length > 0) expect({ key, faults }).toEqual({ key, faults: [] });
          }
        }),
        { numRuns: 150 * times },
      );
    },
    2 * minutes,
  );

  test(
    "the same statements in another order propose the same candidates",
    () => {
      fc.assert(
        fc.property(randomQueries({ ...bounds, predicates: 2 }), ({ problem }) => {
          const reversed = { ...problem, statements: problem.statements.toReversed() };
          const shape = (pool: CandidatePool): unknown =>
            [...pool.values()].map(({ columnFamily }) => columnFamily);
          expect(shape(poolFor(reversed))).toEqual(shape(poolFor(problem)));
        }),
        { numRuns: 60 * times },
      );
    },
    2 * minutes,
  );
});

function byCodeUnit(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function faultsOf(entityGraph: EntityGraph, family: ColumnFamily): string[] {
  const { graph, partitionKey, clusteringKey, values, size, key } = family;
  const names = new Names(entityGraph, graph);
  const all = columnsOf(family).map((column) => names.of(column));
  const faults: string[] = [];
  if (!key.startsWith(`${columnFamilyText(family)} of `))
    faults.push("does not say its columns in its key");
  if (partitionKey.length === 0) faults.push("has no partition key");
  if (all.includes("?")) faults.push("has a column that its graph has not");
  if (new Set(all).size < all.length) faults.push("holds a value twice");
  const inKey = new Set([...partitionKey, ...clusteringKey].map((column) => names.of(column)));
  if (names.singledOut(inKey).size < graph.nodes.length) faults.push("has two rows under one key");
  if (values.some((column) => column.node < 0)) faults.push("stores the constant");
  if (!(size.rows > 0 && size.bytes > 0 && Number.isFinite(size.bytes))) faults.push("has no size");
  if (size.partitions > Math.max(1, size.rows)) faults.push("has more partitions than rows");
  return faults;
}
