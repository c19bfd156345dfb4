import { describe, expect, it } from "vitest";
import { families, plans, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import { supportRows, supportWords, updateRows, updateWrites } from "./update-rows.ts";

const index = answerIndex(recommendation, problem.statements);

describe("update rows", () => {
  it("add up to the step's cost of updates and support queries", () => {
    for (const { step, cost } of recommendation.steps) {
      const rows = updateRows(recommendation, index, step);
      expect(rows.reduce((sum, row) => sum + row.writing, 0)).toBeCloseTo(cost.update);
      expect(rows.reduce((sum, row) => sum + row.support, 0)).toBeCloseTo(cost.support);
    }
  });

  it("name the tables that an update writes at the step, the costliest first", () => {
    const written = (step: number) =>
      updateWrites(recommendation, index, "u1", step).map(({ tag, puts }) => [tag, puts]);
    const tag = (key: string) => index.tags.get(key);
    expect(written(0)).toEqual([
      [tag(families.ofGuest.key), 1],
      [tag(families.reservations.key), 1],
    ]);
    expect(written(2)).toEqual([[tag(families.ofGuest.key), 1]]);
    expect(updateRows(recommendation, index, 2)).toMatchObject([
      { label: "extend a stay", tables: 1 },
    ]);
  });

  it("tell what a support query asks, for which tables, and how it is answered over time", () => {
    const [row, ...others] = supportRows(recommendation, index, "u1", 1);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      words: "guest.id, reservation.start by reservation.id",
      tables: [index.tags.get(families.ofGuest.key)],
    });
    const { key } = plans.keyOfStay;
    expect(row?.plans.perStep).toEqual([key, key, undefined, undefined, undefined, key]);
    expect(supportRows(recommendation, index, "u1", 2)).toEqual([]);
  });

  it("put a support query's name into words", () => {
    expect(supportWords("support: a.x by a.id equal, a.y range over r1,r2")).toBe(
      "a.x by a.id, a.y range",
    );
  });
});
