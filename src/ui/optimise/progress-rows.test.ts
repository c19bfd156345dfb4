import { describe, expect, it } from "vitest";
import { progressRange, steppedPoints } from "./progress-rows.ts";

describe("the live chart", () => {
  it("carries the last known values forward", () => {
    expect(
      steppedPoints([
        { seconds: 1, bound: 5 },
        { seconds: 2, incumbent: 9 },
        { seconds: 3, bound: 6 },
      ]),
    ).toEqual([
      { seconds: 1, bound: 5 },
      { seconds: 2, bound: 5, incumbent: 9 },
      { seconds: 3, bound: 6, incumbent: 9 },
    ]);
  });

  it("spans both curves", () => {
    expect(progressRange([])).toEqual([0, 1]);
    expect(
      progressRange([
        { seconds: 1, bound: 90 },
        { seconds: 2, bound: 95, incumbent: 100 },
      ]),
    ).toEqual([90, 100]);
  });
});
