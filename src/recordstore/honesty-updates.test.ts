/**
 * Estimates of updates beside measurements on uniform data (engine.md §6): rows put and deleted in
 * every table that an update touches, and how often each of its support queries is read. Prints a
 * line for each update; HONESTY=all prints every figure.
 */
import { describe, expect, test } from "vitest";
import { compileQuery } from "#engine/compile-query.ts";
import { enumerateColumnFamilies } from "#engine/enumerate-column-families.ts";
import type { Change } from "#engine/plan-update.ts";
import { aProblem } from "#engine/testing/examples.ts";
import type { Problem } from "#model/problem.ts";
import { randomFrom } from "#model/random.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { fillTables } from "./fill-table.ts";
import { generateRecords } from "./generate-records.ts";
import type { Records } from "./records.ts";
import { type ChangeValues, readUpdate } from "./run-update-plan.ts";
import { auction } from "./testing/auction.ts";
import { sample } from "./testing/every-plan.ts";
import { maintainedFamilies, supportTimesOf } from "./testing/maintained-families.ts";
import { evenValues, type Figure, meanOf } from "./testing/measure-plans.ts";
import { chooseValues } from "./testing/random-changes.ts";

/** Queries whose tables the updates touch. */
const queries = {
  price: "SELECT i.title FROM Item AS i WHERE i.price = ? ORDER BY i.added",
  bids: "SELECT b.amount, b.at FROM Bid AS b, b.item AS i WHERE i.category.id = ? AND b.amount > ?",
  bidders: "SELECT u.name, b.amount FROM Bid AS b, b.bidder AS u WHERE b.item.id = ?",
  tagged: "SELECT i.title FROM Tag AS t, t.items AS i WHERE t.word = ? AND i.price < ?",
  reviews: "SELECT r.stars, i.title FROM Review AS r, r.item AS i WHERE i.category.id = ?",
  city: "SELECT i.title FROM User AS s, s.offers AS i WHERE s.city = ?",
};

const updates = {
  "a value of one record": "UPDATE Item SET title = ? WHERE Item.id = ?",
  "a key column of one record": "UPDATE Item SET price = ? WHERE Item.id = ?",
  "a key column of a parent": "UPDATE User SET city = ? WHERE User.id = ?",
  "records found by a value": "UPDATE Item SET added = ? WHERE Item.price = ?",
  "records found by a range": "UPDATE Bid SET at = ? WHERE Bid.bidder.id = ? AND Bid.amount < ?",
  "children of records found": "UPDATE Bid FROM Bid.item SET amount = ? WHERE item.price = ?",
  "parents of records found": "UPDATE Item FROM Item.bids SET title = ? WHERE bids.amount = ?",
  "a child inserted":
    "INSERT INTO Bid SET no = ?, amount = ?, at = ? AND CONNECT TO item(?), bidder(?)",
  "a record inserted with links":
    "INSERT INTO Item SET id = ?, title = ?, price = ?, added = ? AND CONNECT TO seller(?), category(?), tags(?), tags(?)",
  "a record deleted": "DELETE FROM Bid WHERE Bid.item.id = ? AND Bid.no = ?",
  "reviews deleted by a value": "DELETE FROM Review WHERE Review.stars = ?",
  "another parent": "CONNECT Item(?) TO seller(?)",
  "a tag": "CONNECT Item(?) TO tags(?)",
  "a tag less": "DISCONNECT Tag(?) FROM items(?)",
  "an optional parent": "CONNECT Review(?) TO item(?)",
};

/** How far a mean may be from its estimate, beside what chance does: a tenth, and four standard errors. */
const tolerance = 0.1;
const executions = 30;
const familiesPerQuery = 8;

interface UpdateFigure extends Omit<Figure, "what"> {
  readonly what: "puts" | "deletes" | "reads";
}

describe("on uniform data of an auction", () => {
  const records = generateRecords(auction, { seed: 7 });

  test.each(Object.entries(updates))(
    "%s: rows put and deleted, reads of support queries",
    { timeout: 120_000 },
    (name, text) => {
      const figures = measured(text, records);
      const off = figures.filter((figure) => !honest(figure));
      report(name, figures, off);
      expect(figures.length).toBeGreaterThan(0);
      expect(off).toEqual([]);
    },
  );
});

function honest({ estimated, measured: mean, error }: UpdateFigure): boolean {
  return Math.abs(estimated - mean) <= tolerance * estimated + 4 * error + 1e-9;
}

function measured(text: string, records: Records): UpdateFigure[] {
  const problem = aProblem({ graph: auction, queries: { ...queries, u: text } });
  const change = problem.statements.find((each): each is Change => !isQuery(each)) as Change;
  const { families, updatePlans, supportPlans } = maintainedFamilies(
    problem,
    [change],
    wantedFamilies(problem),
    1,
    0,
  );
  const plans = updatePlans.get(change.id) ?? [];
  const tables = fillTables(records, families.values());
  const runs = valueSets(records, change).map((values) =>
    readUpdate({
      entityGraph: auction,
      plans,
      families,
      tables,
      planFor: ({ id }) => supportPlans.get(id)?.[0],
      values,
    }),
  );
  return plans.flatMap((plan, at): UpdateFigure[] => {
    const figure = (
      what: UpdateFigure["what"],
      estimated: number,
      seen: readonly number[],
      step = 0,
    ): UpdateFigure => ({ plan: plan.columnFamily, step, what, estimated, ...meanOf(seen) });
    const total = (what: "puts" | "deletes"): number =>
      plan.changes.reduce((sum, each) => sum + each[what], 0);
    const seen = runs.map((writes) => writes[at]);
    return [
      figure(
        "puts",
        total("puts"),
        seen.map((writes) => writes?.puts.length ?? 0),
      ),
      figure(
        "deletes",
        total("deletes"),
        seen.map((writes) => writes?.deletes.length ?? 0),
      ),
      ...supportTimesOf(plan).map((times, step) =>
        figure(
          "reads",
          times,
          seen.map((writes) => writes?.reads[step] ?? 0),
          step,
        ),
      ),
    ];
  });
}

function wantedFamilies({ entityGraph, statements }: Problem) {
  return statements.filter(isQuery).flatMap((query) => {
    const pool = enumerateColumnFamilies(entityGraph, [compileQuery(entityGraph, query)], 1);
    return sample([...pool.values()], familiesPerQuery, 1).map(({ columnFamily }) => columnFamily);
  });
}

/** Values as the estimates assume them: any record, any value of a column, any link. */
function valueSets(records: Records, change: Change): ChangeValues[] {
  const random = randomFrom(1);
  const conditions =
    change.kind === "update" || change.kind === "delete"
      ? evenValues(auction, records, change as unknown as Query, random, executions)
      : [];
  return Array.from({ length: executions }, (_, index) => {
    const values = chooseValues(auction, records, change, random);
    if (!values) throw new Error("there are records of every kind");
    const predicates = conditions[index] ?? [];
    // A value that a record has already would move nothing.
    const assignments =
      change.kind === "update" ? change.assignments.map(() => `new ${index}`) : values.assignments;
    return { ...values, predicates, assignments };
  });
}

function report(
  name: string,
  figures: readonly UpdateFigure[],
  off: readonly UpdateFigure[],
): void {
  const sums = (["puts", "deletes", "reads"] as const).map((what) => {
    const some = figures.filter((each) => each.what === what);
    const sum = (of: "estimated" | "measured"): string =>
      some.reduce((all, each) => all + each[of], 0).toPrecision(3);
    return `${what} ${sum("estimated")} estimated, ${sum("measured")} measured`;
  });
  const tables = new Set(figures.map(({ plan }) => plan)).size;
  process.stdout.write(`${name}: ${tables} tables; ${sums.join("; ")}\n`);
  const shown = process.env["HONESTY"] === "all" ? figures : off;
  for (const { plan, what, step, estimated, measured: mean } of shown)
    process.stdout.write(
      `  ${plan}\t${what}${what === "reads" ? ` of query ${step + 1}` : ""}\t${estimated.toPrecision(4)}\t${mean.toPrecision(4)}\n`,
    );
}
