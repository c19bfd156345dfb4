/** What update plans read, put, delete and change, on problems small enough to be read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ColumnFamily } from "#model/column-family.ts";
import { columnFamilyText } from "#model/column-family.ts";
import type { UpdatePlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { enumeratePlanSpace } from "./plan-space.ts";
import { type Change, planUpdate } from "./plan-update.ts";
import { aGraph, aProblem } from "./testing/examples.ts";
import { randomProblem, richBounds } from "./testing/random-problem.ts";
import { effectOf } from "./update-effects.ts";

/** Twenty ants live in eight hills; five of these stand in one of four fields. */
const ants = aGraph(
  [
    {
      name: "Field",
      count: 4,
      attributes: [
        { name: "id", type: "int" },
        { name: "soil", type: "int", distinct: 2 },
      ],
      identifier: ["id"],
    },
    {
      name: "Hill",
      count: 8,
      attributes: [
        { name: "id", type: "int" },
        { name: "height", type: "int", distinct: 4 },
      ],
      identifier: ["id"],
    },
    {
      name: "Ant",
      count: 20,
      attributes: [
        { name: "id", type: "int" },
        { name: "x", type: "int", distinct: 5 },
        { name: "y", type: "int", distinct: 5 },
      ],
      identifier: ["id"],
    },
    {
      name: "Sort",
      count: 10,
      attributes: [{ name: "id", type: "int" }],
      identifier: ["id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      optional: true,
      links: 5,
      ends: [
        { entity: "Field", role: "field" },
        { entity: "Hill", role: "hills" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Hill", role: "hill" },
        { entity: "Ant", role: "ants" },
      ],
    },
    {
      multiplicity: "manyToMany",
      links: 40,
      ends: [
        { entity: "Ant", role: "antsOf" },
        { entity: "Sort", role: "sorts" },
      ],
    },
  ],
);

/** The plan of an update for the family that is written so (and proposed for the query). */
function planFor(query: string, family: string, change: string): UpdatePlan | undefined {
  const { entityGraph, statements } = aProblem({ graph: ants, queries: { q: query, u: change } });
  const compiled = statements.filter(isQuery).map((each) => compileQuery(entityGraph, each));
  const pool = [...enumerateColumnFamilies(entityGraph, compiled, 1).values()];
  const found = pool.find(({ columnFamily }) => columnFamilyText(columnFamily) === family);
  if (!found)
    throw new Error(
      `no ${family}, but:\n${pool.map((each) => columnFamilyText(each.columnFamily)).join("\n")}`,
    );
  const statement = statements.find((each): each is Change => !isQuery(each)) as Change;
  return planUpdate(entityGraph, statement, found.columnFamily as ColumnFamily);
}

function readsOf({ changes }: UpdatePlan): string[] {
  return changes.flatMap(({ reads, renews }) =>
    [...reads, ...renews].map(({ query }) => query.text),
  );
}

describe("rows must be known to exist before cells are put into them", () => {
  const settled = "SELECT h.height FROM Hill AS h, h.field AS f WHERE h.id = ?";
  const family = "[Hill.id] [] → Hill.height";

  test("a hill in no field has no row, so the update asks whether there is one", () => {
    const plan = planFor(settled, family, "UPDATE Hill SET height = ? WHERE Hill.id = ?");
    expect(plan && readsOf(plan)).toEqual(["Hill.id by Hill.id equal"]);
    expect(plan?.changes[0]?.reads[0]?.query.graph.nodes).toHaveLength(2);
    expect(plan?.changes[0]?.puts).toBeCloseTo(5 / 8);
  });

  test("a delete need not ask", () => {
    const plan = planFor(settled, family, "DISCONNECT Hill(?) FROM field(?)");
    expect(plan && readsOf(plan)).toEqual([]);
  });

  test("a mandatory parent is there in any case", () => {
    const plan = planFor(
      "SELECT a.y FROM Ant AS a, a.hill AS h WHERE a.id = ? AND h.height = ?",
      "[Ant.id] [] → Ant.y, Hill.height",
      "UPDATE Ant SET y = ? WHERE Ant.id = ?",
    );
    expect(plan && readsOf(plan)).toEqual([]);
  });
});

describe("INSERT", () => {
  test("puts a row for each of two links of one role", () => {
    const plan = planFor(
      "SELECT a.x FROM Sort AS s, s.antsOf AS a WHERE s.id = ?",
      "[Sort.id] [Ant.id↑] → Ant.x",
      "INSERT INTO Ant SET id = ?, x = ?, y = ? AND CONNECT TO hill(?), sorts(?), sorts(?)",
    );
    expect(plan?.changes.map(({ puts }) => puts)).toEqual([1, 1]);
  });

  test("gives attributes that it does not name a value of the application's", () => {
    const plan = planFor(
      "SELECT a.y FROM Ant AS a WHERE a.x = ?",
      "[Ant.x] [Ant.id↑] → Ant.y",
      "INSERT INTO Ant SET id = ?, y = ? AND CONNECT TO hill(?)",
    );
    expect(plan?.changes[0]?.given.map(({ value }) => value)).toContainEqual({
      kind: "default",
      attribute: "x",
    });
  });
});

describe("CONNECT to another mandatory parent", () => {
  test("puts cells where the parent is a mere value", () => {
    const plan = planFor(
      "SELECT a.y, h.height FROM Ant AS a, a.hill AS h WHERE a.id = ?",
      "[Ant.id] [] → Ant.y, Hill.height",
      "CONNECT Ant(?) TO hill(?)",
    );
    expect(plan?.changes).toMatchObject([{ kind: "change", puts: 1, deletes: 0 }]);
    expect(plan && readsOf(plan)).toEqual(["Hill.height by Hill.id equal"]);
  });

  test("finds rows that the old parent did not have, because it had no parent of its own", () => {
    const plan = planFor(
      "SELECT a.y, f.soil FROM Ant AS a, a.hill AS h, h.field AS f WHERE a.id = ?",
      "[Ant.id] [] → Ant.y, Field.soil",
      "CONNECT Ant(?) TO hill(?)",
    );
    expect(plan?.changes.map(({ kind }) => kind)).toEqual(["delete", "put"]);
    expect(plan && readsOf(plan)).toEqual(["Ant.y by Ant.id equal", "Field.soil by Hill.id equal"]);
  });
});

describe("every support query has a plan", () => {
  test.each([
    ["a range alone", "UPDATE Ant SET x = ? WHERE Ant.y > ?"],
    ["a range beside an equality", "DELETE FROM Ant WHERE Ant.x = ? AND Ant.y < ?"],
    ["two ranges", "UPDATE Ant SET x = ? WHERE Ant.x < ? AND Ant.y > ?"],
    ["a list", "UPDATE Ant SET y = ? WHERE Ant.id IN ?"],
    ["a parent's column", "UPDATE Ant FROM Ant.hill SET y = ? WHERE hill.height = ?"],
  ])("where records are found by %s", (_, change) => {
    const problem = aProblem({
      graph: ants,
      queries: { q: "SELECT a.y FROM Ant AS a WHERE a.x = ?", u: change },
    });
    const { flows } = enumeratePlanSpace(problem, () => {});
    expect(flows.filter(({ serves }) => serves).length).toBeGreaterThan(0);
    expect(flows.filter(({ space }) => space.plans.length === 0)).toEqual([]);
  });
});

describe("support queries with equal ids are equal, whatever update of whatever table asks them", () => {
  /** How many were asked twice. */
  function checkIds({ entityGraph, statements }: Problem): number {
    const queries = statements.filter(isQuery).map((each) => compileQuery(entityGraph, each));
    const changes = statements.filter((each): each is Change => !isQuery(each));
    const families = [...enumerateColumnFamilies(entityGraph, queries, 1).values()];
    const asked = families.flatMap(({ columnFamily }) =>
      changes.flatMap((change) => effectOf(entityGraph, change, columnFamily)?.support ?? []),
    );
    const known = new Map<string, string>();
    for (const { query } of asked) {
      const text = JSON.stringify(query);
      expect(known.get(query.id) ?? text).toBe(text);
      known.set(query.id, text);
    }
    return asked.length - known.size;
  }

  test("at random", () => {
    let shared = 0;
    fc.assert(
      fc.property(randomProblem({ ...richBounds, changes: 4 }), ({ problem }) => {
        shared += checkIds(problem);
      }),
      { numRuns: 40 },
    );
    expect(shared).toBeGreaterThan(1000);
  });

  test("with an identifier whose parts come in another order through a foreign key (seed 4721)", () => {
    const cells = aGraph(
      [
        {
          name: "Bee",
          count: 20,
          attributes: [{ name: "id", type: "int" }],
          identifier: ["id"],
        },
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
      [
        {
          multiplicity: "oneToMany",
          ends: [
            { entity: "Bee", role: "builder" },
            { entity: "Cell", role: "cells" },
          ],
        },
        {
          multiplicity: "oneToMany",
          ends: [
            { entity: "Cell", role: "cradle" },
            { entity: "Bee", role: "brood" },
          ],
        },
      ],
    );
    const queries = {
      q1: "SELECT c.builder.id FROM Cell AS c WHERE c.no = ? ORDER BY c.x",
      q2: "SELECT c.x FROM Bee AS b, b.cradle AS c WHERE b.id = ?",
      u1: "DELETE FROM Cell WHERE Cell.builder.id = ? AND Cell.no = ?",
      u2: "CONNECT Bee(?) TO cradle(?, ?)",
      u3: "UPDATE Cell SET x = ? WHERE Cell.x > ? AND Cell.no = ?",
      u4: "UPDATE Cell SET x = ? WHERE Cell.no = ? AND Cell.x < ?",
    };
    expect(checkIds(aProblem({ graph: cells, queries }))).toBeGreaterThan(0);
  });
});
