import { describe, expect, it } from "vitest";
import type { EntityGraph } from "./entity-graph.ts";
import { columnText } from "./query-graph.ts";
import type { Query, Statement } from "./statement.ts";
import { auction, drawnGraph, messages, orderEntry, outline } from "./statement-test-graphs.ts";
import { parseStatement, printStatement, type StatementSource } from "./statement-text.ts";

function parse(text: string, graph: EntityGraph, rest: Partial<StatementSource> = {}): Statement {
  const result = parseStatement({ id: "q", label: "Q", group: "", text, ...rest }, graph);
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return result.value;
}

function warnings(text: string, graph: EntityGraph, rest: Partial<StatementSource> = {}): string[] {
  const result = parseStatement({ id: "q", label: "Q", group: "", text, ...rest }, graph);
  return (result.ok ? result.warnings : result.issues).map(({ message }) => message);
}

describe("columns and paths", () => {
  const nouns = (...texts: readonly string[]): unknown[] =>
    texts.map((text) => ({ ...parse(text, auction), text: "" }));

  it.each([
    ["roles, entities and whole walks", "item.name", "items.name", "user.items.name", "ITEM.Name"],
    ["names in quotes", "item.name", '"item".name', '`item`."name"', '"items"."name"'],
  ])("%s address the same column", (_, ...spellings) => {
    const all = nouns(
      ...spellings.map((column) => `SELECT ${column} FROM user.items WHERE user.id = ?`),
    );
    for (const noun of all) expect(noun).toEqual(all[0]);
  });

  it("gives the same noun for each way to write FROM", () => {
    const [first, ...others] = nouns(
      "SELECT bid.amount FROM user.items.bids, user.region WHERE region.name = ?",
      "SELECT bid.amount FROM user.region, user.items.bids WHERE region.name = ?",
      "SELECT bid.amount FROM bid.item.user.region WHERE region.name = ?",
      "SELECT bid.amount FROM user.items AND items.bids AND user.region WHERE region.name = ?",
      "SELECT b.amount FROM user u, u.items i, i.bids b, u.region AS r WHERE r.name = ?",
      "SELECT user.items.bids.amount FROM user WHERE user.region.name = ?",
      "SELECT amount FROM bid WHERE item.user.region.name = ?",
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it("takes exactly the parent's identifier for the foreign key, and anything else for a branch", () => {
    const byKey = parse("SELECT item.name FROM item WHERE item.user.region.id = ?", auction);
    expect(outline(byKey, auction)).toMatchObject({
      graph: "item(user:user)",
      where: ["user|region.id = ?"],
    });
    const byName = parse("SELECT item.name FROM item WHERE item.user.region.name = ?", auction);
    expect(outline(byName, auction)).toMatchObject({ graph: "item(user:user(region:region))" });
  });

  it("walks to an optional parent even for its identifier, because no key is held", () => {
    const statement = parse("SELECT user.name FROM user WHERE user.referrer.id = ?", auction);
    expect((statement as Query).graph.nodes).toHaveLength(2);
  });

  it("finds the child's own attribute where the parent's name for it is walked to", () => {
    const statement = parse(
      "SELECT order_line.ol_i_id FROM order_line WHERE order_line.order.o_w_id = ? AND order_line.order.customer.c_d_id = ? AND order_line.order.customer.c_id = ?",
      orderEntry,
    );
    expect(outline(statement, orderEntry)).toMatchObject({
      graph: "order_line(order:orders)",
      where: ["order_line|ol_w_id = ?", "order_line|ol_d_id = ?", "orders|o_c_id = ?"],
    });
  });

  it("reads foreign keys of several dots", () => {
    const graph = drawnGraph(
      { part: "*p_partkey int", partsupp: "*part, *s int", line: "*l int" },
      ["part[part] 1:N partsupp[supplies]", "partsupp[partsupp] 1:N line[lines]"],
    );
    const text =
      "SELECT line.l FROM line WHERE line.partsupp.part.p_partkey = ? AND partsupp.s = 3";
    expect(outline(parse(text, graph), graph)).toEqual({
      graph: "line",
      select: ["line|l"],
      where: ["line|partsupp.part.p_partkey = ?", "line|partsupp.s = 3"],
    });
    const quotedKey = 'SELECT l FROM line WHERE "partsupp.part.p_partkey" = ? AND partsupp_s = 3';
    expect(outline(parse(quotedKey, graph), graph)).toEqual(outline(parse(text, graph), graph));
  });

  it("keeps two records of one entity apart", () => {
    const statement = parse(
      "SELECT sender.username, Message.recipient.username FROM Message.sender, Message.recipient WHERE recipient.user_id = ? AND Message.recipient.user_id = ?",
      messages,
    );
    expect(outline(statement, messages)).toEqual({
      graph: "Message(recipient:User,sender:User)",
      select: ["Message.sender|username", "Message.recipient|username"],
      where: ["Message.recipient|user_id = ?", "Message|recipient.user_id = ?"],
    });
    expect(printStatement(statement, messages)).toBe(
      "SELECT sender.username, recipient.username FROM Message.recipient, Message.sender WHERE recipient.user_id = ? AND Message.recipient.user_id = ?",
    );
  });

  it("prints an alias where every other name would mean something else", () => {
    const text =
      "SELECT Message.body FROM Message.parent, Message.sender s, parent.sender t WHERE s.user_id = ? AND t.user_id = ?";
    const printed = printStatement(parse(text, messages), messages);
    expect(printed).toContain(" AS ");
    expect({ ...parse(printed, messages), text }).toEqual(parse(text, messages));
  });

  it("reads names that are keywords or odd", () => {
    const graph = drawnGraph(
      { Order: "*from int, group text, limit int, two words text", Group: "*id int, desc text" },
      ["Group[group_] 1:N Order[where]"],
    );
    const text =
      'SELECT Order.from, Order.limit l, "Order"."two words", Group.desc FROM Group.where WHERE Order.group = ? AND Group.id = 1 ORDER BY Order.limit DESC, l, Group.desc';
    const statement = parse(text, graph);
    expect(outline(statement, graph)).toEqual({
      graph: "Group(where:Order)",
      select: ["Order|from", "Order|limit", "Order|two words", "Group|desc"],
      where: ["Order|group = ?", "Group|id = 1"],
      orderBy: ["Order|limit desc", "Group|desc asc"],
    });
    expect(outline(parse(printStatement(statement, graph), graph), graph)).toEqual(
      outline(statement, graph),
    );
  });
});

describe("conditions and values", () => {
  const where = (text: string): unknown =>
    outline(parse(`SELECT user.name FROM user WHERE ${text}`, auction), auction)["where"];

  it.each([
    ["user.id = :me", ["user|id = ?me"]],
    ["? = user.id AND 3 < user.rating", ["user|id = ?", "user|rating > 3 (0.3)"]],
    ["user.rating BETWEEN 1 AND ?", ["user|rating >= 1 and <= ? (0.3)"]],
    [
      "user.rating <= ? AND user.id = ? AND user.rating > -1",
      ["user|rating <= ? and > -1 (0.3)", "user|id = ?"],
    ],
    ["user.rating IN ?", ["user|rating in ? (3)"]],
    ["user.rating IN :some", ["user|rating in ?some (3)"]],
    ["user.rating IN (1, 2, 3, 4)", ["user|rating in 1 2 3 4 (4)"]],
    ["(user.id = ? AND (user.name = 'it''s'))", ["user|id = ?", 'user|name = "it\'s"']],
    [
      "user.active = TRUE /* on */ AND -- off\n user.joined >= '2020-01-01'",
      ["user|active = true", 'user|joined >= "2020-01-01" (0.3)'],
    ],
  ])("%s", (text, expected) => {
    expect(where(text)).toEqual(expected);
  });

  it("joins ORDER BY to an alias, and drops what is said twice", () => {
    const text =
      "SELECT region.id, count(*) AS many, count(*) FROM user.region WHERE user.rating = 3 GROUP BY region.id ORDER BY many DESC";
    expect(outline(parse(text, auction), auction)).toEqual({
      graph: "region(users:user)",
      select: ["region|id", "count *"],
      where: ["user|rating = 3"],
      groupBy: ["region|id"],
      orderBy: ["count * desc"],
    });
    expect(warnings(text, auction)).toEqual([
      "This is selected twice; the second time changes nothing.",
    ]);
  });

  it("lets groups show what their identifiers determine, up to the parents", () => {
    const text =
      "SELECT item.name, user.name, region.name, count(bid.id) FROM bid.item.user.region WHERE region.id = ? GROUP BY bid.item.id";
    expect(outline(parse(text, auction), auction)).toMatchObject({ groupBy: ["bid|item.id"] });
  });

  it("takes the two ends of a one-to-one relationship for one record", () => {
    const text =
      "SELECT profile.motto, user.name, count(*) FROM profile.owner.items WHERE items.price > ? GROUP BY user.id";
    expect(outline(parse(text, auction), auction)).toMatchObject({ groupBy: ["user|id"] });
  });

  it("takes estimates for ranges and lists by any spelling of the column", () => {
    const text =
      "SELECT item.name FROM user.items WHERE user.id IN ? AND items.end_date > ? AND items.price < ? AND items.quantity IN (?, ?)";
    const statement = parse(text, auction, {
      assumptions: {
        selectivity: { "items.end_date": 0.01, "item.price": 0.5 },
        listLength: { "user.id": 7, "user.items.quantity": 9 },
      },
    });
    expect(outline(statement, auction)["where"]).toEqual([
      "user|id in ? (7)",
      "item|end_date > ? (0.01)",
      "item|price < ? (0.5)",
      "item|quantity in ? ? (2)",
    ]);
  });

  it("warns of estimates that concern nothing, and refuses impossible ones", () => {
    const text = "SELECT item.name FROM item WHERE item.id = ? AND item.price < ?";
    expect(
      warnings(text, auction, {
        assumptions: { selectivity: { "item.prize": 0.5 }, listLength: { "item.id": 2 } },
      }),
    ).toEqual([
      "The selectivity of item.prize belongs to no range here.",
      "The list length of item.id belongs to no IN here.",
    ]);
    expect(warnings(text, auction, { assumptions: { selectivity: { "item.price": 2 } } })).toEqual([
      "item.price cannot have a selectivity of 2.",
    ]);
  });
});

describe("statements that change records", () => {
  it.each<[string, EntityGraph, string, Record<string, unknown>]>([
    [
      "an update on a path",
      auction,
      "UPDATE bid FROM bid.item.user SET amount = ? WHERE user.name = ?",
      {
        graph: "bid(item:item(user:user))",
        target: "bid",
        where: ["user|name = ?"],
        set: ["amount ?"],
      },
    ],
    [
      "an update whose condition walks away",
      auction,
      "UPDATE bid b SET b.amount = 2.5, placed = ? WHERE b.item.user.name = ?",
      {
        graph: "bid(item:item(user:user))",
        target: "bid",
        where: ["user|name = ?"],
        set: ["amount 2.5", "placed ?"],
      },
    ],
    [
      "an update of one of two records of an entity",
      auction,
      "UPDATE user FROM user.referrer SET name = ? WHERE referrer.name = ?",
      {
        graph: "user(referred:user)",
        target: "user.referred",
        where: ["user|name = ?"],
        set: ["name ?"],
      },
    ],
    [
      "a delete on a path",
      auction,
      "DELETE FROM item.user WHERE user.name = ? AND item.price > 3",
      {
        graph: "item(user:user)",
        target: "item",
        where: ["user|name = ?", "item|price > 3 (0.3)"],
      },
    ],
    [
      "an insert in the manner of SQL, with a foreign key among the values",
      auction,
      "INSERT INTO item (id, user_id, name, price, end_date, quantity) VALUES (?, :u, 'x', 1, ?, ?)",
      {
        entity: "item",
        set: ["id ?", 'name "x"', "price 1", "end_date ?", "quantity ?"],
        links: ["user ?u"],
      },
    ],
    [
      "an insert with two links of a many-to-many relationship",
      auction,
      "INSERT INTO tag SET word = ?, colour = ? AND CONNECT TO tagged(?), tagged(?)",
      { entity: "tag", set: ["word ?", "colour ?"], links: ["tagged ?", "tagged ?"] },
    ],
    [
      "an insert whose parents are named by own attributes",
      orderEntry,
      "INSERT INTO new_order SET no_w_id = ?, no_d_id = ?, no_o_id = ?",
      { entity: "new_order", set: ["no_w_id ?", "no_d_id ?", "no_o_id ?"], links: [] },
    ],
    [
      "an insert whose identifier comes from its parent",
      orderEntry,
      "INSERT INTO new_order CONNECT TO order(1, 2, ?)",
      { entity: "new_order", set: [], links: ["order 1 2 ?"] },
    ],
    [
      "a link",
      auction,
      "CONNECT item(?) TO tags('red')",
      { entity: "item", record: ["?"], links: ['tags "red"'] },
    ],
    [
      "the end of a link",
      auction,
      "DISCONNECT user(:a) FROM referrer(:b)",
      { entity: "user", record: ["?a"], links: ["referrer ?b"] },
    ],
  ])("%s", (_, graph, text, says) => {
    const statement = parse(text, graph);
    expect(outline(statement, graph)).toEqual(says);
    expect(outline(parse(printStatement(statement, graph), graph), graph)).toEqual(says);
  });

  it("warns of attributes that an insert leaves out", () => {
    expect(
      warnings("INSERT INTO item SET id = ?, name = ? AND CONNECT TO user(?)", auction),
    ).toEqual([
      "The new item gets no price, end_date, quantity; it is taken to have them all the same.",
    ]);
  });

  it("warns of an update that has to read everything", () => {
    expect(warnings("DELETE FROM item WHERE item.price > ?", auction)).toEqual([
      "No column is compared by = or IN: every execution reads all records to find those to change.",
    ]);
  });
});

describe("labels", () => {
  it("shows columns as everywhere else", () => {
    const query = parse(
      "SELECT sender.username FROM Message.sender WHERE body = ?",
      messages,
    ) as Query;
    expect(query.select.map(({ column }) => column && columnText(query.graph, column))).toEqual([
      "User.username",
    ]);
  });
});
