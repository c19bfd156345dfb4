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
    ).toEqual([89.6, 100.4]);
  });

  it("leaves room around an answer that meets its bound, and stays above nothing", () => {
    expect(progressRange([{ seconds: 1, bound: 50, incumbent: 50 }])).toEqual([49, 51]);
    const [low, high] = progressRange([{ seconds: 1, bound: 0, incumbent: 0 }]);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(0);
  });
});
