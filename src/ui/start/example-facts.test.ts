import { describe, expect, it } from "vitest";
import { curvesPath, exampleFacts } from "./example-facts.ts";

describe("facts of an example", () => {
  it("counts and tells queries from updates; a single number is a constant curve", () => {
    expect(
      exampleFacts({
        entities: { a: {} },
        statements: { q: { text: "select x" }, u: { text: "UPDATE x" } },
        timeline: { steps: 3, stepSeconds: 60 },
        frequencies: { q: [1, 2, 4], u: 3 },
      }),
    ).toEqual({
      entities: 1,
      statements: 2,
      steps: 3,
      stepSeconds: 60,
      queryCurves: [[1, 2, 4]],
      updateCurves: [[3, 3, 3]],
      highest: 4,
    });
  });

  it("says nothing about what it does not understand", () => {
    expect(exampleFacts(undefined)).toBeUndefined();
    expect(exampleFacts({ entities: [], statements: {} })).toBeUndefined();
  });

  it("draws from edge to edge, a single step too", () => {
    expect(curvesPath([0, 4], 4)).toBe("M0.0 53.0L240.0 3.0");
    expect(curvesPath([4], 4)).toBe("M0.0 3.0L240.0 3.0");
  });
});
