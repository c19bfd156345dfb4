import { describe, expect, it } from "vitest";
import { draggedTo, linearScale, logarithmicScale, nudged } from "./frequency-scale.ts";

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
    expect(ticks).toEqual([0, 0.001, 0.01, 0.1, 1, 10, 100, 1000]);
  });

  it("leads from a place back to the frequency", () => {
    for (const scale of [linearScale(373), logarithmicScale([[0.5], [373]], 373)])
      for (const value of [0, 0.5, 40, 373]) expect(scale.from(scale.to(value))).toBeCloseTo(value);
    expect(linearScale(373).from(-3)).toBe(0);
  });

  it("a dragged point comes to rest on round numbers, as the arrow keys do", () => {
    const linear = linearScale(373);
    expect(linear.grain(10)).toBe(2);
    expect(draggedTo(linear, 121.3)).toBe(122);
    expect(nudged(linear, 122, 1)).toBe(124);
    expect(nudged(linear, 121.3, 1)).toBe(122);
    expect(nudged(linear, 121.3, -1)).toBe(120);
    expect(nudged(linear, 1, -10)).toBe(0);
  });

  it("on the logarithmic scale the steps grow with the numbers, and lead to zero", () => {
    const scale = logarithmicScale([[0.5], [373]], 373);
    expect(nudged(scale, 120, 1)).toBe(130);
    expect(nudged(scale, 10, -1)).toBe(9.9);
    expect(nudged(scale, 0, 1)).toBe(0.01);
    expect(nudged(scale, 0.01, -1)).toBe(0);
    expect(draggedTo(scale, scale.to(47.2))).toBe(47);
  });
});
