import { describe, expect, it } from "vitest";
import { costTotal } from "../design/cost-kinds.ts";
import { recommendation } from "../hotel-specimen.ts";
import { baselineRows, costRows, costShares, headline, highestCost } from "./cost-rows.ts";

describe("cost rows", () => {
  it("puts a migration's cost at the step during which it runs", () => {
    const rows = costRows(recommendation, undefined);
    expect(rows.map((row) => row.load)).toEqual([0, 1_020_000, 0, 0, 1_300_000, 0]);
    for (const row of rows) expect(row.total).toBeCloseTo(costTotal(row));
  });

  it("names steps by their labels", () => {
    expect(costRows(recommendation, ["night", "dawn"]).map((row) => row.label)).toEqual([
      "night",
      "dawn",
      "3",
      "4",
      "5",
      "6",
    ]);
  });

  it("shares add up to the whole", () => {
    expect(costShares(recommendation).reduce((sum, each) => sum + each.share, 0)).toBeCloseTo(1);
  });

  it("keeps the baselines in their order and the axis high enough for them", () => {
    const baselines = baselineRows(recommendation);
    expect(baselines.map((each) => each.look.kind)).toEqual([
      "static average",
      "static first step",
      "static last step",
      "ideal",
    ]);
    const highest = highestCost(costRows(recommendation, undefined), baselines);
    expect(highest).toBe(Math.max(...baselines.flatMap((each) => each.perStep)));
  });

  it("counts changes of the schema, not the initial load", () => {
    const initial = { from: -1, to: 0, builds: [], drops: [] };
    expect(
      headline({ ...recommendation, migrations: [initial, ...recommendation.migrations] }),
    ).toMatchObject({ families: 6, builds: 3, migrations: 2 });
  });
});
