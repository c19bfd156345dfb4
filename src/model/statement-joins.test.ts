import { describe, expect, it } from "vitest";
import type { EntityGraph } from "./entity-graph.ts";
import { auction, drawnGraph, messages, orderEntry } from "./statement-test-graphs.ts";
import { parseStatement } from "./statement-text.ts";

function noun(text: string, graph: EntityGraph): unknown {
  const result = parseStatement({ id: "q", label: "", group: "", text }, graph);
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return { ...result.value, text: "" };
}

function complaints(text: string, graph: EntityGraph): { at: string; says: string }[] {
  const result = parseStatement({ id: "q", label: "", group: "", text }, graph);
  if (result.ok) return [];
  return result.issues.map(({ message, hint, span }) => ({
    at: text.slice(span?.start, span?.end),
    says: `${message} ${hint}`,
  }));
}

describe("SQL's joins mean the path", () => {
  const path = "SELECT item.name FROM user.items WHERE user.name = ? AND item.price < ?";
  it.each([
    "SELECT i.name FROM user u JOIN item i ON i.user.id = u.id WHERE u.name = ? AND i.price < ?",
    "SELECT i.name FROM item i INNER JOIN user AS u ON u.id = i.user_id WHERE u.name = ? AND i.price < ?",
    "SELECT item.name FROM user JOIN item ON item.user_id = user.id WHERE user.name = ? AND item.price < ?",
    "SELECT i.name FROM user u, item i WHERE i.user_id = u.id AND u.name = ? AND i.price < ?",
    "SELECT i.name FROM user u, item i WHERE u.name = ? AND i.user_id = u.id AND i.price < ?",
    "SELECT i.name FROM user u JOIN item i ON i.user_id = u.id AND u.name = ? WHERE i.price < ?",
    "SELECT i.name FROM user u JOIN u.items i WHERE u.name = ? AND i.price < ?",
    "SELECT item.name FROM user, item WHERE user_id = user.id AND user.name = ? AND price < ?",
    "SELECT i.name FROM user.items i WHERE user.name = ? AND i.user.id = user.id AND i.price < ?",
  ])("%s", (text) => {
    expect(noun(text, auction)).toEqual(noun(path, auction));
  });

  it("over four entities, in any order", () => {
    const walked = noun(
      "SELECT b.amount FROM user.items.bids b, user.region WHERE region.name = ?",
      auction,
    );
    const joined = noun(
      "SELECT b.amount FROM bid b JOIN region r ON r.name = ? JOIN user u ON u.region_id = r.id JOIN item i ON b.item_id = i.id AND i.user_id = u.id",
      auction,
    );
    expect(joined).toEqual(walked);
  });

  it("with composite keys held by attributes of the child's own", () => {
    const walked = noun("SELECT ol_number FROM customer.orders.lines WHERE c_last = ?", orderEntry);
    for (const text of [
      "SELECT l.ol_number FROM customer c JOIN orders o ON o.o_w_id = c.c_w_id AND o.o_d_id = c.c_d_id AND o.o_c_id = c.c_id JOIN order_line l ON (l.ol_w_id = o.o_w_id AND l.ol_d_id = o.o_d_id AND l.ol_o_id = o.o_id) WHERE c.c_last = ?",
      "SELECT ol_number FROM order_line, orders, customer WHERE ol_o_id = o_id AND ol_w_id = o_w_id AND o_w_id = c_w_id AND c_d_id = o_d_id AND ol_d_id = o_d_id AND o_c_id = c_id AND c_last = ?",
    ])
      expect(noun(text, orderEntry)).toEqual(walked);
  });

  it("by the parent's own name for the key, where only one relationship can be meant", () => {
    const graph = drawnGraph({ region: "*region_key int", nation: "*nation_key int, name text" }, [
      "region[area] 1:N nation[nations]",
    ]);
    const walked = noun("SELECT name FROM nation.area WHERE area.region_key = ?", graph);
    for (const key of [
      "region_key",
      "area_region_key",
      "region_region_key",
      "area.region_key",
      "area_id",
    ])
      expect(
        noun(
          `SELECT n.name FROM region r JOIN nation n ON n.${key} = r.region_key WHERE r.region_key = ?`,
          graph,
        ),
      ).toEqual(walked);
  });

  it("by role where there are two relationships, and under two aliases where both are joined", () => {
    const walked = noun(
      "SELECT body FROM Message.sender s, Message.recipient r WHERE s.username = ? AND r.username = ?",
      messages,
    );
    const joined = noun(
      "SELECT m.body FROM Message m JOIN User s ON m.sender_user_id = s.user_id JOIN User r ON r.user_id = m.recipient.user_id WHERE s.username = ? AND r.username = ?",
      messages,
    );
    expect(joined).toEqual(walked);
  });

  it("over an optional relationship, whose key is not held, and of an entity to itself", () => {
    const walked = noun("SELECT user.name FROM user.referrer WHERE referrer.name = ?", auction);
    const joined = noun(
      "SELECT u.name FROM user u JOIN user v ON u.referrer_id = v.id WHERE v.name = ?",
      auction,
    );
    expect(joined).toEqual(walked);
  });

  it("over a many-to-many relationship by the path alone", () => {
    expect(noun("SELECT t.word FROM item i JOIN i.tags t WHERE i.id = ?", auction)).toEqual(
      noun("SELECT tag.word FROM item.tags WHERE item.id = ?", auction),
    );
  });
});

const impossible: readonly [
  why: string,
  graph: EntityGraph,
  text: string,
  at: string,
  says: RegExp,
][] = [
  [
    "two relationships fit",
    messages,
    "SELECT m.body FROM User u JOIN Message m ON m.user_id = u.user_id WHERE u.username = ?",
    "m.user_id = u.user_id",
    /sender or recipient.*m\.sender\.user_id = u\.user_id or m\.recipient\.user_id/,
  ],
  [
    "one record in two roles",
    messages,
    "SELECT m.body FROM User u JOIN Message m ON m.sender_user_id = u.user_id AND m.recipient_user_id = u.user_id WHERE u.username = ?",
    "m.sender_user_id = u.user_id AND m.recipient_user_id = u.user_id",
    /both as sender and as recipient: cyclic/,
  ],
  [
    "a circle",
    auction,
    "SELECT b.id FROM user u JOIN item i ON i.user_id = u.id JOIN bid b ON b.item_id = i.id AND b.bidder_id = u.id WHERE u.id = ?",
    "b.bidder_id = u.id",
    /circle.*cyclic/,
  ],
  [
    "siblings",
    auction,
    "SELECT i.id FROM user u JOIN item i ON i.user_id = u.id JOIN item j ON j.user_id = u.id WHERE u.id = ?",
    "j.user_id = u.id",
    /u is joined twice over the same relationship user\.items.*two statements/,
  ],
  [
    "two parents over one relationship",
    auction,
    "SELECT i.id FROM item i JOIN user u ON i.user_id = u.id JOIN user v ON i.user_id = v.id WHERE u.id = ?",
    "i.user_id = v.id",
    /i is joined twice over the same relationship/,
  ],
  [
    "siblings by two paths",
    auction,
    "SELECT a.id FROM user.items a, user.items b WHERE b.id = ?",
    "user.items",
    /in FROM already, as a.*two statements/,
  ],
  [
    "a part of a key",
    orderEntry,
    "SELECT c.c_id FROM customer c JOIN orders o ON o.o_w_id = c.c_w_id AND o.o_c_id = c.c_id WHERE o.o_id = ?",
    "o.o_w_id = c.c_w_id AND o.o_c_id = c.c_id",
    /part of the key.*Add: o\.o_d_id = c\.c_d_id/,
  ],
  [
    "no key",
    auction,
    "SELECT i.id FROM user u JOIN item i ON i.name = u.name WHERE u.id = ?",
    "i.name = u.name",
    /not the key of a relationship between i and u.*Write i\.user\.id = u\.id/,
  ],
  [
    "entities that are not related",
    auction,
    "SELECT t.word FROM region r JOIN tag t ON t.word = r.name WHERE r.id = ?",
    "t.word = r.name",
    /not the key.*Join along the relationships/,
  ],
  [
    "no key in a many-to-many relationship",
    auction,
    "SELECT t.word FROM item i JOIN tag t ON t.word = i.name WHERE i.id = ?",
    "t.word = i.name",
    /not the key.*path t\.tagged/,
  ],
  [
    "an entity in the place of a key",
    auction,
    "SELECT t.word FROM item i JOIN tag t ON i.tags = t WHERE i.id = ?",
    "t",
    /names an entity.*JOIN alias\.role/,
  ],
  [
    "entities side by side",
    auction,
    "SELECT item.id FROM user, item WHERE user.id = ?",
    "item",
    /item is not joined to user/,
  ],
  [
    "a condition that joins nothing",
    auction,
    "SELECT name FROM user WHERE user.id = user.name",
    "user.id = user.name",
    /Comparing two columns/,
  ],
  [
    "a condition on two columns beside the key",
    auction,
    "SELECT i.id FROM user u JOIN item i ON i.user_id = u.id AND i.name = u.name WHERE u.id = ?",
    "i.name = u.name",
    /Comparing two columns/,
  ],
  [
    "two relationships in opposite directions",
    drawnGraph({ store: "*store_id int", staff: "*staff_id int" }, [
      "store[store] 1:N staff[staff]",
      "staff[manager] 1:1 store[manages]",
    ]),
    "SELECT staff_id FROM staff, store WHERE staff.store_store_id = store.store_id AND store.manager_staff_id = staff.staff_id AND staff_id = 3",
    "staff.store_store_id = store.store_id AND store.manager_staff_id = staff.staff_id",
    /cyclic/,
  ],
  [
    "an inequality of columns",
    auction,
    "SELECT user.name FROM user.items WHERE user.id = ? AND user.rating < items.quantity",
    "user.rating < items.quantity",
    /Comparing two columns/,
  ],
  [
    "a column whose owner is not clear",
    auction,
    "SELECT i.id FROM user u, item i WHERE i.user_id = id AND u.name = ?",
    "id",
    /can mean that of u or i/,
  ],
  [
    "a text in double quotes",
    auction,
    'SELECT id FROM user WHERE user.name = "Bob"',
    '"Bob"',
    /not clear whose column Bob.*single quotes/,
  ],
  [
    "two items of one name",
    auction,
    "SELECT u.id FROM user u, item u WHERE u.id = ?",
    "u",
    /Two items of FROM are called u/,
  ],
  [
    "an entity twice",
    auction,
    "SELECT user.id FROM user, user WHERE user.id = ?",
    "user",
    /user stands in FROM twice/,
  ],
  [
    "an outer join",
    auction,
    "SELECT i.id FROM user u LEFT OUTER JOIN item i ON i.user_id = u.id WHERE u.id = ?",
    "LEFT OUTER",
    /Outer joins are not supported.*statement of their own/,
  ],
  [
    "a cross join",
    auction,
    "SELECT i.id FROM user u CROSS JOIN item i WHERE u.id = ?",
    "CROSS",
    /pairs records/,
  ],
  [
    "a natural join",
    auction,
    "SELECT i.id FROM user u NATURAL JOIN item i WHERE u.id = ?",
    "NATURAL",
    /NATURAL JOIN is not supported/,
  ],
  [
    "USING",
    auction,
    "SELECT i.id FROM user u JOIN item i USING (user_id) WHERE u.id = ?",
    "USING (user_id)",
    /USING is not supported/,
  ],
];

describe("joins that cannot be", () => {
  it.each(impossible)("%s", (_, graph, text, at, says) => {
    const found = complaints(text, graph);
    expect(found).toHaveLength(1);
    expect(found[0]?.at).toBe(at);
    expect(found[0]?.says).toMatch(says);
  });
});
