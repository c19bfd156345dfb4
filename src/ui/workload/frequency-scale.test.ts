import { describe, expect, it } from "vitest";
import { linearScale, logarithmicScale } from "./frequency-scale.ts";

describe("the scale of the curves", () => {
  it("has round ticks up to the highest frequency", () => {
    expect(linearScale(373).ticks).toEqual([0, 100, 200, 300, 400]);
  });

  it("keeps rare statements visible, and a place for zero", () => {
    const { to, ticks } = logarithmicScale([[0, 0.5], [373]], 373);
    expect(ticks).toEqual([0, 0.1, 1, 10, 100, 1000]);
    expect(to(0)).toBe(0);
    expect(to(0.5) / to(373)).toBeGreaterThan(0.2);
  });

  it("does not follow the rarest without end", () => {
    const { ticks } = logarithmicScale([[1e-9, 1000]], 1000);
    expect(ticks).toEqual([0, 0.01, 0.1, 1, 10, 100, 1000]);
  });
});
