import { describe, expect, it } from "vitest";
import type { EntityGraph } from "./entity-graph.ts";
import type { Statement } from "./statement.ts";
import { drawnGraph, messages, orderEntry, outline } from "./statement-test-graphs.ts";
import { parseStatement, printStatement } from "./statement-text.ts";

// Entity graphs of the collected cases: type id → uuid, string → text, integer → int, float → double.
const events = drawnGraph(
  { Emp: "*emp_id uuid, city text", Event: "*event_id uuid, created date, level int, note text" },
  ["Emp[emp] 1:N Event[events]"],
);
const videos = drawnGraph(
  { Video: "*video_id uuid, title text", Like: "*like_id uuid, at date, country text" },
  ["Video[video] 1:N Like[likes]"],
);
const products = drawnGraph(
  {
    Category: "*cat_id uuid",
    Product: "*product_id uuid, price double, added date, title text",
  },
  ["Category[category] 1:N Product[products]"],
);
const members = drawnGraph(
  { Member: "*id uuid, name text", Membership: "*ms_id uuid, since date" },
  ["Member[member] 1:N Membership[memberships]"],
);
const likes = drawnGraph(
  {
    users: "*UserID uuid, Name text, Email text",
    items: "*ItemID uuid, Title text, Desc text",
    likes: "*LikeID uuid, LikedAt date",
  },
  ["users[user] 1:N likes[likes]", "items[item] 1:N likes[likes]"],
);
const crossover = drawnGraph(
  { user: "*id uuid, name text, email text", item: "*id uuid, name text, quantity int" },
  ["user[user] 1:N item[item]"],
);
const meters = drawnGraph(
  {
    transformer: "*t_id uuid",
    meter: "*meter_id uuid, day_tariff text",
    reading: "*r_id uuid, slot date, kwh double",
  },
  ["transformer[transformer] 1:N meter[meters]", "meter[meter] 1:N reading[readings]"],
);

function parse(text: string, graph: EntityGraph): Statement {
  const result = parseStatement({ id: "q", label: "Q", group: "", text }, graph);
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return result.value;
}

function warnings(text: string, graph: EntityGraph): string[] {
  const result = parseStatement({ id: "q", label: "Q", group: "", text }, graph);
  return (result.ok ? result.warnings : result.issues).map(({ message }) => message);
}

const allOfEvent = [
  "Event|event_id",
  "Event|created",
  "Event|level",
  "Event|note",
  "Event|emp.emp_id",
];

type Case = readonly [
  title: string,
  graph: EntityGraph,
  text: string,
  says: Record<string, unknown>,
];

const cases: readonly Case[] = [
  [
    "01: inbox; the recipient's key is held by the message and brings no user in",
    messages,
    "SELECT Message.message_id, Message.sent_at, Message.body, Message.is_read, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20;",
    {
      graph: "Message(sender:User)",
      select: [
        "Message|message_id",
        "Message|sent_at",
        "Message|body",
        "Message|is_read",
        "User|username",
      ],
      where: ["Message|recipient.user_id = ?"],
      orderBy: ["Message|sent_at desc"],
      limit: 20,
    },
  ],
  [
    "01: outbox",
    messages,
    "SELECT Message.message_id, Message.sent_at, Message.body FROM Message WHERE Message.sender.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20;",
    {
      graph: "Message",
      select: ["Message|message_id", "Message|sent_at", "Message|body"],
      where: ["Message|sender.user_id = ?"],
      orderBy: ["Message|sent_at desc"],
      limit: 20,
    },
  ],
  [
    "01: login",
    messages,
    "SELECT User.user_id, User.pw_hash FROM User WHERE User.username = ?;",
    {
      graph: "User",
      select: ["User|user_id", "User|pw_hash"],
      where: ["User|username = ?"],
    },
  ],
  [
    "01: send",
    messages,
    "INSERT INTO Message SET message_id = ?, sent_at = ?, body = ?, is_read = false AND CONNECT TO sender(?), recipient(?);",
    {
      entity: "Message",
      set: ["message_id ?", "sent_at ?", "body ?", "is_read false"],
      links: ["sender ?", "recipient ?"],
    },
  ],
  [
    "01: mark as read",
    messages,
    "UPDATE Message SET is_read = true WHERE Message.message_id = ?;",
    {
      graph: "Message",
      target: "Message",
      where: ["Message|message_id = ?"],
      set: ["is_read true"],
    },
  ],
  [
    "03: all columns, foreign keys among them",
    events,
    "SELECT Event.* FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.level ASC, Event.created DESC;",
    {
      graph: "Event",
      select: ["Event|event_id", "Event|created", "Event|level", "Event|note", "Event|emp.emp_id"],
      where: ["Event|emp.emp_id = ?"],
      orderBy: ["Event|level asc", "Event|created desc"],
    },
  ],
  [
    "03: IN",
    events,
    "SELECT Event.* FROM Event WHERE Event.emp.emp_id IN (?, ?) ORDER BY Event.created DESC;",
    {
      graph: "Event",
      select: allOfEvent,
      where: ["Event|emp.emp_id in ? ? (2)"],
      orderBy: ["Event|created desc"],
    },
  ],
  [
    "03: the parent is walked to",
    events,
    "SELECT Event.* FROM Event.emp WHERE emp.city = ? ORDER BY Event.created DESC;",
    {
      graph: "Emp(events:Event)",
      select: allOfEvent,
      where: ["Emp|city = ?"],
      orderBy: ["Event|created desc"],
    },
  ],
  [
    "07 Q1: an entity called like a keyword",
    videos,
    "SELECT count(Like.like_id) FROM Like WHERE Like.video.video_id = ?;",
    {
      graph: "Like",
      select: ["count Like|like_id"],
      where: ["Like|video.video_id = ?"],
    },
  ],
  [
    "07 Q2",
    videos,
    "SELECT Like.country, count(Like.like_id) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country;",
    {
      graph: "Like",
      select: ["Like|country", "count Like|like_id"],
      where: ["Like|video.video_id = ?"],
      groupBy: ["Like|country"],
    },
  ],
  [
    "07 Q4: top list",
    videos,
    "SELECT Video.title, count(likes.like_id) FROM Video.likes WHERE likes.country = ? GROUP BY Video.video_id, Video.title ORDER BY count(likes.like_id) DESC LIMIT 10;",
    {
      graph: "Like(video:Video)",
      select: ["Video|title", "count Like|like_id"],
      where: ["Like|country = ?"],
      groupBy: ["Video|video_id", "Video|title"],
      orderBy: ["count Like|like_id desc"],
      limit: 10,
    },
  ],
  [
    "09: two ranges on two columns stay two",
    products,
    "SELECT Product.product_id, Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price;",
    {
      graph: "Product",
      select: ["Product|product_id", "Product|title"],
      where: ["Product|category.cat_id = ?", "Product|price < ? (0.3)", "Product|added > ? (0.3)"],
      orderBy: ["Product|price asc"],
    },
  ],
  [
    "13: entity and role that differ in case only",
    members,
    "SELECT Membership.ms_id, Membership.since, member.name FROM Membership.member WHERE Membership.since = ?;",
    {
      graph: "Member(memberships:Membership)",
      select: ["Membership|ms_id", "Membership|since", "Member|name"],
      where: ["Membership|since = ?"],
    },
  ],
  [
    "20: an attribute called like a keyword",
    likes,
    "SELECT items.* FROM items.likes.user WHERE user.UserID = ? ORDER BY likes.LikedAt;",
    {
      graph: "items(likes:likes(user:users))",
      select: ["items|ItemID", "items|Title", "items|Desc"],
      where: ["users|UserID = ?"],
      orderBy: ["likes|LikedAt asc"],
    },
  ],
  [
    "20: the same graph walked from its other end",
    likes,
    "SELECT users.* FROM users.likes.item WHERE item.ItemID = ? ORDER BY likes.LikedAt;",
    {
      graph: "items(likes:likes(user:users))",
      select: ["users|UserID", "users|Name", "users|Email"],
      where: ["items|ItemID = ?"],
      orderBy: ["likes|LikedAt asc"],
    },
  ],
  [
    "20: SET of an attribute called like a keyword",
    likes,
    "INSERT INTO items SET ItemID = ?, Title = ?, Desc = ?;",
    { entity: "items", set: ["ItemID ?", "Title ?", "Desc ?"], links: [] },
  ],
  [
    "20: a like",
    likes,
    "INSERT INTO likes SET LikeID = ?, LikedAt = ? AND CONNECT TO user(?), item(?);",
    { entity: "likes", set: ["LikeID ?", "LikedAt ?"], links: ["user ?", "item ?"] },
  ],
  [
    "22: a role called like an entity",
    crossover,
    "SELECT user.id, user.name, user.email FROM user.item WHERE item.quantity = ?;",
    {
      graph: "item(user:user)",
      select: ["user|id", "user|name", "user|email"],
      where: ["item|quantity = ?"],
    },
  ],
  [
    "26: the latest readings",
    meters,
    "SELECT reading.slot, reading.kwh FROM reading WHERE reading.meter.meter_id = ? AND reading.slot >= ? ORDER BY reading.slot DESC LIMIT 48;",
    {
      graph: "reading",
      select: ["reading|slot", "reading|kwh"],
      where: ["reading|meter.meter_id = ?", "reading|slot >= ? (0.3)"],
      orderBy: ["reading|slot desc"],
      limit: 48,
    },
  ],
  [
    "26: a sum over a path of three entities",
    meters,
    "SELECT sum(reading.kwh) FROM reading.meter.transformer WHERE transformer.t_id = ? AND reading.slot = ?;",
    {
      graph: "meter(readings:reading,transformer:transformer)",
      select: ["sum reading|kwh"],
      where: ["transformer|t_id = ?", "reading|slot = ?"],
    },
  ],
  [
    "28: composite keys",
    orderEntry,
    "UPDATE stock SET s_quantity = ? WHERE stock.s_w_id = ? AND stock.s_i_id = ?;",
    {
      graph: "stock",
      target: "stock",
      where: ["stock|s_w_id = ?", "stock|s_i_id = ?"],
      set: ["s_quantity ?"],
    },
  ],
  [
    "28: customer by name",
    orderEntry,
    "SELECT customer.c_id, customer.c_first FROM customer WHERE customer.c_w_id = ? AND customer.c_d_id = ? AND customer.c_last = ? ORDER BY customer.c_first;",
    {
      graph: "customer",
      select: ["customer|c_id", "customer|c_first"],
      where: ["customer|c_w_id = ?", "customer|c_d_id = ?", "customer|c_last = ?"],
      orderBy: ["customer|c_first asc"],
    },
  ],
  [
    "28: queue",
    orderEntry,
    "DELETE FROM new_order WHERE new_order.no_w_id = ? AND new_order.no_d_id = ? AND new_order.no_o_id = ?;",
    {
      graph: "new_order",
      target: "new_order",
      where: ["new_order|no_w_id = ?", "new_order|no_d_id = ?", "new_order|no_o_id = ?"],
    },
  ],
  [
    "28: stock level; two bounds of one column make one range",
    orderEntry,
    "SELECT order_line.ol_i_id FROM order_line WHERE order_line.ol_w_id = ? AND order_line.ol_d_id = ? AND order_line.ol_o_id < ? AND order_line.ol_o_id >= ?;",
    {
      graph: "order_line",
      select: ["order_line|ol_i_id"],
      where: [
        "order_line|ol_w_id = ?",
        "order_line|ol_d_id = ?",
        "order_line|ol_o_id < ? and >= ? (0.3)",
      ],
    },
  ],
];
describe("the statements of the collected cases", () => {
  it.each(cases)("%s", (_, graph, text, says) => {
    const statement = parse(text, graph);
    expect(outline(statement, graph)).toEqual(says);
    expect(outline(parse(printStatement(statement, graph), graph), graph)).toEqual(says);
  });

  // The plain ones of each workload, which have to be read without a word of complaint.
  it.each<[string, EntityGraph]>([
    ["SELECT User.user_id, User.pw_hash FROM User WHERE User.email = ?;", messages],
    ["UPDATE User SET email = ? WHERE User.user_id = ?;", messages],
    ["SELECT users.* FROM users WHERE users.UserID = ?;", likes],
    ["SELECT items.* FROM items WHERE items.ItemID = ?;", likes],
    ["INSERT INTO users SET UserID = ?, Name = ?, Email = ?;", likes],
    ["UPDATE items SET Title = ? WHERE items.ItemID = ?;", likes],
    ["SELECT user.id, user.name, user.email FROM user.item WHERE item.name = ?;", crossover],
    ["INSERT INTO reading SET r_id = ?, slot = ?, kwh = ? AND CONNECT TO meter(?);", meters],
    ["SELECT item.i_price, item.i_name FROM item WHERE item.i_id = ?;", orderEntry],
    [
      "UPDATE customer SET c_balance = ? WHERE customer.c_w_id = ? AND customer.c_d_id = ? AND customer.c_id = ?;",
      orderEntry,
    ],
    ["UPDATE warehouse SET w_ytd = ? WHERE warehouse.w_id = ?;", orderEntry],
    ["SELECT Event.* FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.created DESC;", events],
  ])("%s", (text, graph) => {
    expect(warnings(text, graph)).toEqual([]);
    expect(parse(text, graph).text).toBe(text);
  });

  it.each<[string, EntityGraph]>([
    ["SELECT Event.* FROM Event ORDER BY Event.created DESC;", events],
    ["SELECT count(Like.like_id) FROM Like;", videos],
  ])("warns of a read of everything: %s", (text, graph) => {
    expect(warnings(text, graph)).toEqual([
      "No column is compared by = or IN: every execution reads all records, as one partition.",
    ]);
  });
});
