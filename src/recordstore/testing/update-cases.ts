/**
 * Small problems with updates in which something is easily forgotten: a parent that may be missing, a
 * record that stands in a row twice, two links of one role, a key bound to own attributes.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { aGraph, aProblem, shop, usersAndMessages } from "#engine/testing/examples.ts";
import type { EntityDrawing, RelationshipDrawing } from "#model/entity-drawing.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Problem } from "#model/problem.ts";

export interface UpdateCase {
  readonly name: string;
  /** It has few candidates: its optimum is found in moments. */
  readonly quick?: true;
  readonly problem: Problem;
}

function entity(name: string, count: number, ...columns: readonly string[]): EntityDrawing {
  return {
    name,
    count,
    attributes: [
      { name: "id", type: "int" },
      ...columns.map((column) => ({
        name: column,
        type: "int" as const,
        distinct: Math.min(4, count),
      })),
    ],
    identifier: ["id"],
  };
}

function parentOf(
  parent: string,
  up: string,
  child: string,
  down: string,
  more: Partial<RelationshipDrawing> = {},
): RelationshipDrawing {
  return {
    multiplicity: "oneToMany",
    ends: [
      { entity: parent, role: up },
      { entity: child, role: down },
    ],
    ...more,
  };
}

/** Ants live in hills, where they live anywhere; hills stand in fields or in none. */
const ants: EntityGraph = aGraph(
  [entity("Field", 4, "soil"), entity("Hill", 8, "height"), entity("Ant", 20, "x", "y")],
  [
    parentOf("Field", "field", "Hill", "hills", { optional: true, links: 5 }),
    parentOf("Hill", "hill", "Ant", "ants"),
  ],
);

const articles: EntityGraph = aGraph(
  [entity("Article", 12, "year"), entity("Tag", 6, "colour"), entity("Shelf", 3, "floor")],
  [
    {
      multiplicity: "manyToMany",
      ends: [
        { entity: "Article", role: "articles" },
        { entity: "Tag", role: "tags" },
      ],
      links: 24,
    },
    parentOf("Shelf", "shelf", "Article", "articles", { optional: true, links: 9 }),
  ],
);

const staff: EntityGraph = aGraph(
  [entity("Person", 14, "grade"), entity("Team", 4, "size")],
  [
    parentOf("Person", "boss", "Person", "reports", { optional: true, links: 10 }),
    parentOf("Team", "team", "Person", "members"),
    {
      multiplicity: "oneToOne",
      ends: [
        { entity: "Person", role: "lead" },
        { entity: "Team", role: "leads" },
      ],
      optional: true,
      links: 3,
    },
  ],
);

/** Every hall is led by someone who works in some hall. */
const halls: EntityGraph = aGraph(
  [entity("Worker", 12, "skill"), entity("Hall", 5, "size")],
  [
    parentOf("Hall", "hall", "Worker", "workers"),
    parentOf("Worker", "head", "Hall", "heads", { optional: true, links: 4 }),
  ],
);

const bound: EntityGraph = aGraph(
  [
    entity("Shop", 5, "town"),
    {
      ...entity("Sale", 20, "amount"),
      attributes: [
        { name: "id", type: "int" },
        { name: "shop", type: "int", distinct: 5 },
        { name: "amount", type: "int", distinct: 4 },
      ],
    },
  ],
  [parentOf("Shop", "soldBy", "Sale", "sales", { bind: { shop: "id" } })],
);

/** Cells are told apart by the bee that built them and a number; every bee hatched in one. */
const cells: EntityGraph = aGraph(
  [
    entity("Bee", 20, "x"),
    {
      name: "Cell",
      count: 20,
      attributes: [
        { name: "no", type: "int", distinct: 2 },
        { name: "x", type: "int", distinct: 4 },
      ],
      identifier: ["builder", "no"],
    },
  ],
  [parentOf("Bee", "builder", "Cell", "cells"), parentOf("Cell", "cradle", "Bee", "brood")],
);

export const missingParents: Problem = aProblem({
  graph: ants,
  queries: {
    settled: "SELECT a.y FROM Ant AS a, a.hill AS h, h.field AS f WHERE a.x = ?",
    hills: "SELECT h.height FROM Hill AS h, h.field AS f WHERE h.id = ?",
    x: "UPDATE Ant SET y = ? WHERE Ant.id = ?",
    high: "UPDATE Hill SET height = ? WHERE Hill.id = ?",
    born: "INSERT INTO Ant SET id = ?, x = ?, y = ? AND CONNECT TO hill(?)",
    moved: "CONNECT Ant(?) TO hill(?)",
    ploughed: "DISCONNECT Hill(?) FROM field(?)",
    settle: "CONNECT Hill(?) TO field(?)",
  },
});

export const updateCases: readonly UpdateCase[] = [
  {
    name: "an identifier whose parts come in another order from another table (seed 4721)",
    problem: aProblem({
      graph: cells,
      queries: {
        cradles:
          "SELECT b.x, count(*) FROM Cell AS c, c.builder AS b, b.cradle AS k WHERE k.no = ? GROUP BY c.no, k.x, b.x",
        numbers: "SELECT c.builder.id FROM Cell AS c WHERE c.no = ? ORDER BY c.x",
        beds: "SELECT c.x FROM Bee AS b, b.cradle AS c WHERE b.id = ?",
        torn: "DELETE FROM Cell WHERE Cell.builder.id = ? AND Cell.no = ?",
        built: "INSERT INTO Cell SET no = ?, x = ? AND CONNECT TO builder(?)",
        filled: "UPDATE Cell SET x = ? WHERE Cell.no = ? AND Cell.builder.id = ?",
        hatched: "INSERT INTO Bee SET id = ?, x = ? AND CONNECT TO cradle(?, ?)",
        laid: "CONNECT Bee(?) TO cradle(?, ?)",
        dusted: "UPDATE Cell SET x = ? WHERE Cell.x > ? AND Cell.no = ?",
      },
    }),
  },
  {
    name: "a parent that may be missing, and none of whose columns the family holds",
    quick: true,
    problem: missingParents,
  },
  {
    name: "an insert with two links of one role",
    quick: true,
    problem: aProblem({
      graph: articles,
      queries: {
        tagged: "SELECT a.id, a.year FROM Tag AS t, t.articles AS a WHERE t.colour = ?",
        shelves: "SELECT s.floor FROM Tag AS t, t.articles AS a, a.shelf AS s WHERE t.id = ?",
        written:
          "INSERT INTO Article SET id = ?, year = ? AND CONNECT TO tags(?), tags(?), shelf(?)",
        coined: "INSERT INTO Tag SET id = ?, colour = ? AND CONNECT TO articles(?), articles(?)",
        tag: "CONNECT Article(?) TO tags(?)",
        untag: "DISCONNECT Tag(?) FROM articles(?)",
        gone: "DELETE FROM Article WHERE Article.year = ?",
      },
    }),
  },
  {
    name: "a record that stands in a row twice, in the key",
    problem: aProblem({
      graph: usersAndMessages,
      queries: {
        between:
          "SELECT Message.body FROM Message, Message.sender AS s, Message.recipient AS r WHERE s.username = ? AND r.username = ?",
        names:
          "SELECT s.username, r.username FROM Message, Message.sender AS s, Message.recipient AS r WHERE Message.message_id = ?",
        renamed: "UPDATE User SET username = ? WHERE User.user_id = ?",
        forwarded: "CONNECT Message(?) TO recipient(?)",
        handedOver: "CONNECT Message(?) TO sender(?)",
        withdrawn: "DELETE FROM Message WHERE Message.message_id = ?",
      },
    }),
  },
  {
    name: "an entity related to itself, walked twice",
    problem: aProblem({
      graph: staff,
      queries: {
        chain:
          "SELECT p.id, b.grade, c.grade FROM Person AS p, p.boss AS b, b.boss AS c WHERE p.grade = ?",
        grown: "SELECT count(*) FROM Person AS p, p.boss AS b WHERE b.grade = ?",
        leads: "SELECT l.grade FROM Person AS p, p.team AS t, t.lead AS l WHERE p.id = ?",
        promoted: "UPDATE Person SET grade = ? WHERE Person.id = ?",
        boss: "CONNECT Person(?) TO boss(?)",
        reports: "CONNECT Person(?) TO reports(?)",
        freed: "DISCONNECT Person(?) FROM boss(?)",
        hired:
          "INSERT INTO Person SET id = ?, grade = ? AND CONNECT TO team(?), boss(?), reports(?)",
        gone: "DELETE FROM Person WHERE Person.id = ?",
        moved: "CONNECT Person(?) TO team(?)",
      },
    }),
  },
  {
    name: "a child that stands at both ends of its parent",
    problem: aProblem({
      graph: halls,
      queries: {
        heads:
          "SELECT w.skill, w.hall.id, h.skill, h.hall.id FROM Worker AS w, w.hall AS p, p.head AS h WHERE w.skill = ?",
        above:
          "SELECT w.id, g.size FROM Worker AS w, w.hall AS p, p.head AS h, h.hall AS g WHERE w.id = ?",
        moved: "CONNECT Worker(?) TO hall(?)",
        made: "CONNECT Hall(?) TO head(?)",
        left: "DISCONNECT Worker(?) FROM heads(?)",
        learned: "UPDATE Worker SET skill = ? WHERE Worker.hall.id = ?",
        hired: "INSERT INTO Worker SET id = ?, skill = ? AND CONNECT TO hall(?), heads(?)",
      },
    }),
  },
  {
    name: "a parent named by setting its key",
    quick: true,
    problem: aProblem({
      graph: bound,
      queries: {
        towns: "SELECT s.id, s.amount FROM Sale AS s, s.soldBy AS p WHERE p.town = ?",
        sold: "INSERT INTO Sale SET id = ?, amount = ?, shop = ?",
        also: "INSERT INTO Sale SET id = ?, amount = ? AND CONNECT TO soldBy(?)",
        moved: "CONNECT Sale(?) TO soldBy(?)",
        corrected: "UPDATE Sale FROM Sale.soldBy SET amount = ? WHERE soldBy.town = ?",
        renamed: "UPDATE Shop SET town = ? WHERE Shop.id IN ?",
      },
    }),
  },
  {
    name: "identifiers of several columns, with a key that two parents share (10)",
    quick: true,
    problem: aProblem({
      graph: shop,
      queries: {
        codes:
          "SELECT b.digits, p.label FROM barcode AS b, b.ofVariant AS v, v.ofProduct AS p WHERE p.company = ? AND p.code = ?",
        label: "UPDATE product SET label = ? WHERE product.company = ? AND product.code = ?",
      },
    }),
  },
];
