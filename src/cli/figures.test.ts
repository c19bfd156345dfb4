import { describe, expect, test } from "vitest";
import { bytes, count, duration, perCent, plural } from "./figures.ts";

describe("figures have three significant digits and a unit", () => {
  test.each([
    [0, "0 B"],
    [1, "1 B"],
    [999, "999 B"],
    [999.6, "1 kB"],
    [1412800, "1.41 MB"],
    [3.9e9, "3.9 GB"],
    [2e18, "2000 PB"],
  ])("%d bytes", (value, text) => expect(bytes(value)).toBe(text));

  test.each([
    [0, "0 ms"],
    [0.0123456, "0.0123 ms"],
    [0.99999, "1 ms"],
    [1240, "1.24 s"],
    [59_999, "1 min"],
    [14_400_000, "4 h"],
    [9e9, "104 d"],
  ])("%d ms", (value, text) => expect(duration(value)).toBe(text));

  test("counts keep their noun", () => {
    expect(count(12_600, "rows")).toBe("12.6 k rows");
    expect(count(7, "rows")).toBe("7 rows");
    expect([
      plural(1, "step"),
      plural(2, "step"),
      plural(0, "way to fill", "ways to fill"),
    ]).toEqual(["1 step", "2 steps", "0 ways to fill"]);
  });

  test("shares are per cent, and next to nothing is none", () => {
    expect([perCent(0.123456), perCent(1), perCent(1.6e-16), perCent(1e-4)]).toEqual([
      "12.3 %",
      "100 %",
      "0 %",
      "0.01 %",
    ]);
  });
});
