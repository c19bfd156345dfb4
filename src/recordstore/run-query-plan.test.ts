/** Running a plan: what it says is done, and nothing else. */
import { describe, expect, test } from "vitest";
import { aGraph, aProblem } from "#engine/testing/examples.ts";
import { planOver } from "#engine/testing/plans.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { Query } from "#model/statement.ts";
import { fillTables } from "./fill-table.ts";
import type { Fields, Records } from "./records.ts";
import { type PlanToRun, runQueryPlan } from "./run-query-plan.ts";
import { plansOfProblem } from "./testing/every-plan.ts";

const library: EntityGraph = aGraph(
  [
    {
      name: "Author",
      count: 3,
      attributes: [
        { name: "id", type: "int" },
        { name: "name", type: "text" },
      ],
      identifier: ["id"],
    },
    {
      name: "Book",
      count: 5,
      attributes: [
        { name: "id", type: "int" },
        { name: "title", type: "text" },
        { name: "pages", type: "int" },
        { name: "shelf", type: "text", distinct: 2 },
      ],
      identifier: ["id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Author", role: "author" },
        { entity: "Book", role: "books" },
      ],
    },
  ],
);

const authors = ["Ada", "Ben", "Cleo"];
const books = [
  { id: 1, title: "Ants", pages: 100, shelf: "north", author: 0 },
  { id: 2, title: "Bees", pages: 301, shelf: "north", author: 1 },
  { id: 3, title: "Cats", pages: 200, shelf: "south", author: 0 },
  { id: 4, title: "Dogs", pages: 50, shelf: "north", author: 1 },
  { id: 5, title: "Eels", pages: 75, shelf: "south", author: 2 },
];
const records: Records = {
  entities: new Map<string, readonly Fields[]>([
    ["Author", authors.map((name, id) => ({ id, name }))],
    ["Book", books.map(({ author, ...fields }) => ({ ...fields, "author.id": author }))],
  ]),
  links: new Map([["Author.books", books.map(({ author }, child) => ({ parent: author, child }))]]),
};

/** A plan over the named tables, ready to be run with the values. */
function ready(
  text: string,
  families: readonly string[],
  values: PlanToRun["values"],
): PlanToRun & { readonly query: Query } {
  const problem = aProblem({ graph: library, queries: { q: text } });
  const plan = planOver(problem, "q", families);
  const { families: pool } = plansOfProblem(
    problem,
    { families: 1000, drawn: 0, shortPlans: 0, longPlans: 0, maxGets: 1 },
    0,
  );
  return {
    entityGraph: library,
    query: problem.statements[0] as Query,
    plan,
    tables: fillTables(records, pool.values()),
    values,
  };
}

/** The plan with its first Get changed. */
function withFirstGet(plan: QueryPlan, change: Partial<GetStep>): QueryPlan {
  const [first, ...rest] = plan.steps;
  return { ...plan, steps: [{ ...(first as GetStep), ...change }, ...rest] };
}

const byShelf =
  "SELECT Book.title, Book.pages FROM Book WHERE Book.shelf = ? ORDER BY Book.pages DESC";
const sorted = "[Book.shelf] [Book.pages↑, Book.id↑] → Book.title of Book";
const index = "[Book.shelf] [Book.pages↑, Book.id↑] of Book";
const lookup = "[Book.id] [] → Book.pages, Book.title of Book";

describe("order", () => {
  test("the server reads backwards where the plan says so", () => {
    const toRun = ready(byShelf, [sorted], [["north"]]);
    expect(runQueryPlan(toRun).rows).toEqual([
      ["Bees", 301],
      ["Ants", 100],
      ["Dogs", 50],
    ]);
  });
  test("later Gets keep the order of the first", () => {
    const query = "SELECT Book.title FROM Book WHERE Book.shelf = ? ORDER BY Book.pages DESC";
    const { rows, measures } = runQueryPlan(ready(query, [index, lookup], [["north"]]));
    expect(rows).toEqual([["Bees"], ["Ants"], ["Dogs"]]);
    expect(measures.map(({ gets, rows: count }) => [gets, count])).toEqual([
      [1, 3],
      [3, 3],
    ]);
  });
  test("an order that the table does not have is refused", () => {
    const toRun = ready(byShelf, [sorted], [["north"]]);
    const wrong = withFirstGet(toRun.plan, { order: "forward" });
    expect(() => runQueryPlan({ ...toRun, plan: wrong })).toThrow("does not give the order");
  });
});

describe("only what the steps say is there", () => {
  test("a column that no Get asked for", () => {
    const toRun = ready(byShelf, [sorted], [["north"]]);
    const wrong = withFirstGet(toRun.plan, {
      selects: [{ node: 0, attribute: "pages" }],
    });
    expect(() => runQueryPlan({ ...toRun, plan: wrong })).toThrow(
      "the plan has not fetched Book.title",
    );
  });
  test("a table that does not exist", () => {
    const toRun = ready(byShelf, [sorted], [["north"]]);
    expect(() => runQueryPlan({ ...toRun, tables: new Map() })).toThrow("there is no table");
  });
  test("a key column without a value is refused by the server", () => {
    const toRun = ready(byShelf, [sorted], [["north"]]);
    const wrong = withFirstGet(toRun.plan, { bindings: [] });
    expect(() => runQueryPlan({ ...toRun, plan: wrong })).toThrow("partition key not bound");
  });
  test("a plan that never aggregates", () => {
    const query = "SELECT count(*) FROM Book WHERE Book.shelf = ?";
    const toRun = ready(query, ["[Book.shelf] [Book.id↑] of Book"], [["north"]]);
    const wrong = withFirstGet(toRun.plan, { aggregated: false });
    expect(() => runQueryPlan({ ...toRun, plan: wrong })).toThrow("nothing works out count(*)");
  });
});

describe("aggregates mean what SQL means, although the server differs", () => {
  const query =
    "SELECT avg(Book.pages), sum(Book.pages), min(Book.pages), count(*) FROM Book WHERE Book.shelf = ?";
  const family = "[Book.shelf] [Book.id↑] → Book.pages of Book";
  test("an average of whole numbers is not truncated", () => {
    expect(runQueryPlan(ready(query, [family], [["north"]])).rows).toEqual([[451 / 3, 451, 50, 3]]);
  });
  test("the sum of nothing is null", () => {
    expect(runQueryPlan(ready(query, [family], [["west"]])).rows).toEqual([[null, null, null, 0]]);
  });
});

describe("lists", () => {
  const query = "SELECT Book.title FROM Book WHERE Book.id IN ? AND Book.shelf = ?";
  test("one Get per listed value, each once", () => {
    const { rows, measures } = runQueryPlan(
      ready(query, ["[Book.id, Book.shelf] [] → Book.title of Book"], [[4, 1, 4, 3], ["north"]]),
    );
    expect(rows.map(([title]) => title).sort()).toEqual(["Ants", "Dogs"]);
    expect(measures[0]?.gets).toBe(3);
  });
  test("an empty list finds nothing", () => {
    const { rows } = runQueryPlan(
      ready(query, ["[Book.id, Book.shelf] [] → Book.title of Book"], [[], ["north"]]),
    );
    expect(rows).toEqual([]);
  });
});

test("a lookup of a fetched key runs once per distinct key", () => {
  const query =
    "SELECT Book.title, author.name FROM Book, Book.author AS author WHERE Book.shelf = ?";
  const { rows, measures } = runQueryPlan(
    ready(
      query,
      [
        "[Book.shelf] [Book.author.id↑, Book.id↑] → Book.title of Book",
        "[Author.id] [] → Author.name of Author",
      ],
      [["north"]],
    ),
  );
  expect([...rows].sort()).toEqual([
    ["Ants", "Ada"],
    ["Bees", "Ben"],
    ["Dogs", "Ben"],
  ]);
  expect(measures.map(({ gets }) => gets)).toEqual([1, 2]);
});
