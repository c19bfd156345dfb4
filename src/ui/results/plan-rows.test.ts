import { describe, expect, it } from "vitest";
import { arrivalsTree, plans, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import {
  planLetters,
  planStrip,
  plansOfQuery,
  planTreeRows,
  queryRows,
  treeOfPlans,
} from "./plan-rows.ts";

const index = answerIndex(recommendation, problem.statements);

describe("plan rows", () => {
  it("tells materialised views and joins apart", () => {
    expect(queryRows(recommendation, index, 0).map((row) => [row.label, row.kind])).toEqual([
      ["hotels of a city", "materialised view"],
      ["arrivals of a day", "join"],
      ["stays of a guest", "materialised view"],
    ]);
  });

  it("shows where the plan switches", () => {
    expect(
      planStrip(plansOfQuery(recommendation, "q2"), index).map(({ from, to, letter }) => [
        from,
        to,
        letter,
      ]),
    ).toEqual([
      [0, 1, "A"],
      [2, 4, "B"],
      [5, 5, "A"],
    ]);
  });

  it("lights the chosen path and hangs application steps on their Get", () => {
    const group = [plans.arrivalsView, plans.arrivalsJoin];
    const used = planLetters(plansOfQuery(recommendation, "q2"));
    const { rows } = planTreeRows(group, used, plans.arrivalsJoin.key, 0);
    expect(rows.map((row) => [row.depth, row.lit, row.letter])).toEqual([
      [0, false, "B"],
      [0, true, undefined],
      [1, true, undefined],
      [2, true, "A"],
    ]);
    expect(rows[3]?.then.map((step) => step.kind)).toEqual(["sort"]);
  });

  it("shares common prefixes of Gets in a tree", () => {
    expect(treeOfPlans([plans.arrivalsView, plans.arrivalsJoin])).toEqual(arrivalsTree);
  });

  it("keeps large groups small until asked", () => {
    const group = [plans.arrivalsView, plans.arrivalsJoin];
    const none = new Map<string, string>();
    const one = planTreeRows(group, none, undefined, 1);
    expect(one.rows.map((row) => row.plan?.key)).toEqual([plans.arrivalsView.key]);
    expect(one.shown).toBe(1);
  });
});
