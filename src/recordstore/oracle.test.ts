/**
 * Every enumerated plan returns what the statement means (engine.md §4, §10): random models, data
 * and statements, each plan's answer held against a relational engine's.
 *
 * FUZZ_RUNS=50000 runs that many triples of model, data and statement; PROPERTY_SEED repeats a run.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  aGraph,
  aProblem,
  categoriesAndProducts,
  employeesAndEvents,
  shop,
  usersAndMessages,
  videosAndLikes,
} from "#engine/testing/examples.ts";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import {
  checkAgainstOracle,
  noCounts,
  type OracleCounts,
  usualEffort,
} from "./testing/against-oracle.ts";
import { oddProblem } from "./testing/odd-problem.ts";
import { RelationalEngine } from "./testing/relational-oracle.ts";

/** Triples of model, data and statement. */
const triplesWanted = Number(process.env["FUZZ_RUNS"] ?? 2000);
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
const chunk = 20;
/** Ends the search for a smaller counterexample, in milliseconds. */
const mostShrinking = 120_000;

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

/** Where problems come from, and the share of all triples that each gives. */
const sources = [
  { name: "plain problems", problems: randomProblem({ ...richBounds, steps: 1 }), share: 0.7 },
  {
    name: "odd problems",
    problems: oddProblem({ nodes: 3, queries: 2, predicates: 3 }),
    share: 0.3,
  },
];

describe("random models, data and statements", () => {
  test.each(sources)(
    "every enumerated plan returns what the statement means: $name",
    { timeout: triplesWanted * 500 },
    ({ name, problems, share }) => {
      const counts = noCounts();
      const started = performance.now();
      for (let round = 0; counts.triples < share * triplesWanted; round += 1)
        fc.assert(
          fc.property(problems, (random) =>
            checkAgainstOracle(engine, random, usualEffort, counts),
          ),
          { numRuns: chunk, seed: seed + round, interruptAfterTimeLimit: mostShrinking },
        );
      report(name, { ...counts, seconds: Math.round((performance.now() - started) / 1000) });
      expect(counts.refusals).toBe(0);
      expect(counts.empty).toBeLessThan(counts.executions / 2);
    },
  );
});

/** Every plan of some queries, over data of every kind. */
function checkQueries(
  graph: EntityGraph,
  queries: Parameters<typeof aProblem>[0]["queries"],
): OracleCounts {
  const counts = noCounts();
  const effort = { ...usualEffort, data: 4, families: 200, shortPlans: 250 };
  const problem = aProblem({ graph, queries });
  checkAgainstOracle(engine, { problem, dice: [4] }, effort, counts);
  expect(counts.refusals).toBe(0);
  return counts;
}

describe("the cases", { timeout: 120_000 }, () => {
  test("order together with lists (03)", () => {
    checkQueries(employeesAndEvents, {
      one: "SELECT Event.* FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.created DESC",
      two: "SELECT Event.* FROM Event WHERE Event.emp.emp_id IN (?, ?) ORDER BY Event.created DESC",
      mixed:
        "SELECT Event.* FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.level ASC, Event.created DESC",
      rising:
        "SELECT Event.* FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.level, Event.created",
      listed:
        "SELECT Event.* FROM Event WHERE Event.emp.emp_id IN (?, ?) ORDER BY Event.emp.emp_id",
      all: "SELECT Event.* FROM Event ORDER BY Event.created DESC",
      joined: "SELECT Event.* FROM Event.emp WHERE emp.city = ? ORDER BY Event.created DESC",
      newest:
        "SELECT Event.note FROM Event.emp WHERE emp.city = ? ORDER BY Event.created DESC LIMIT 3",
    });
  });
  test("counting and grouping (07)", () => {
    checkQueries(videosAndLikes, {
      count: "SELECT count(Like.like_id) FROM Like WHERE Like.video.video_id = ?",
      groups:
        "SELECT Like.country, count(Like.like_id) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country",
      everything: "SELECT count(Like.like_id) FROM Like",
      several:
        "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id IN (?, ?) GROUP BY Like.country",
      top: "SELECT Video.title, count(likes.like_id) FROM Video.likes WHERE likes.country = ? GROUP BY Video.video_id, Video.title ORDER BY count(likes.like_id) DESC LIMIT 10",
    });
  });
  test("two ranges (09)", () => {
    checkQueries(categoriesAndProducts, {
      q: "SELECT Product.product_id, Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price",
      first:
        "SELECT Product.product_id FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? LIMIT 2",
      both: "SELECT Product.product_id FROM Product WHERE Product.category.cat_id = ? AND Product.price BETWEEN ? AND ? AND Product.added > ?",
    });
  });
  test("keys of several columns (10)", () => {
    checkQueries(shop, {
      codes:
        "SELECT b.digits, p.label FROM barcode AS b, b.ofVariant AS v, v.ofProduct AS p WHERE p.company = ? AND p.code = ?",
      one: "SELECT p.label FROM barcode AS b, b.ofVariant AS v, v.ofProduct AS p WHERE b.company = ? AND b.digits = ?",
    });
  });
  test("two users of one message (01)", () => {
    checkQueries(usersAndMessages, {
      inbox:
        "SELECT s.username, Message.sent_at FROM Message, Message.sender AS s, Message.recipient AS r WHERE r.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20",
      between:
        "SELECT Message.body FROM Message, Message.sender AS s, Message.recipient AS r WHERE s.username = ? AND r.username = ?",
    });
  });
});

describe("seen to fail before", { timeout: 60_000 }, () => {
  const ants = aGraph(
    [
      {
        name: "Ant",
        count: 100,
        attributes: [
          { name: "id", type: "int" },
          { name: "x", type: "int", distinct: 5 },
          { name: "y", type: "int", distinct: 5 },
        ],
        identifier: ["id"],
      },
      { name: "Bee", count: 100, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "Bee", role: "bee" },
          { entity: "Ant", role: "ants" },
        ],
      },
    ],
  );
  test("a range that is expected to let nothing pass (F21)", () => {
    const assumptions = { selectivity: { "Ant.y": 0 } };
    checkQueries(ants, {
      sorted: {
        text: "SELECT Ant.id FROM Ant WHERE Ant.x = ? AND Ant.y > ? ORDER BY Ant.id",
        assumptions,
      },
      summed: { text: "SELECT sum(Ant.id) FROM Ant WHERE Ant.x = ? AND Ant.y > ?", assumptions },
      grouped: {
        text: "SELECT Ant.x, sum(Ant.id) FROM Ant WHERE Ant.x IN ? AND Ant.y > ? GROUP BY Ant.x",
        assumptions,
      },
    });
  });
  test("a table by the constant column, in another query's plan (F20)", () => {
    checkQueries(ants, {
      all: "SELECT t0.id FROM Ant AS t0, t0.bee AS t1 WHERE t0.id >= ?",
      one: "SELECT count(*), count(t0.bee.id) FROM Ant AS t0 WHERE t0.id = ?",
    });
  });
});

function report(name: string, counts: Readonly<Record<string, number>>): void {
  const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`oracle, ${name}: ${text.join(", ")}\n`);
}
