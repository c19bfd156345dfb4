import { describe, expect, it } from "vitest";
import { axisBetween, axisFromZero } from "./axis.ts";

describe("an axis from zero", () => {
  it("has round numbers in its unit and holds the largest value", () => {
    expect(axisFromZero(930, 1)).toEqual({
      ticks: [0, 250, 500, 750, 1000],
      bottom: 0,
      top: 1000,
    });
    expect(axisFromZero(1.55 * 3_600_000, 3_600_000).ticks.map((tick) => tick / 3_600_000)).toEqual(
      [0, 0.5, 1, 1.5, 2],
    );
    expect(axisFromZero(3.2e9, 1e9, 2).top).toBe(4e9);
  });

  it("shows a difference between two values, and none", () => {
    expect(axisBetween(13.1, 17.4, 1).ticks).toEqual([12, 14, 16, 18]);
    expect(axisBetween(5, 5, 1).ticks.length).toBeGreaterThan(1);
  });

  it("does not end in a value that is barely missed, and survives nothing at all", () => {
    expect(axisFromZero(0.3, 1, 3).ticks).toEqual([0, 0.1, 0.2, 0.3]);
    expect(axisFromZero(0, 1).top).toBe(1);
  });
});
