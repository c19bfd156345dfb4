import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CurveChange,
  changedCurve,
  patternCurve,
  type Resampling,
  resampledCurve,
  wholeRange,
} from "./frequency-curve.ts";

const curve = fc.array(
  fc
    .double({ min: 0, max: 1e6, noNaN: true })
    .map((value) => (value < 1e-6 ? 0 : Number(value.toPrecision(6)))),
  { minLength: 1, maxLength: 24 },
);
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const whole = (values: readonly number[], change: CurveChange): readonly number[] =>
  changedCurve(values, wholeRange(values.length), change);

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  const scale = Math.max(1, ...wanted);
  expect(found.length).toBe(wanted.length);
  for (const [at, value] of wanted.entries())
    expect(Math.abs((found[at] ?? Number.NaN) - value)).toBeLessThan(1e-9 * scale);
}

describe("patterns", () => {
  it("a cycle in blocks has the paper's shape: low, high, low, high", () => {
    const pattern = {
      kind: "cycle",
      low: 0.1,
      high: 0.9,
      period: 6,
      peak: 5,
      shape: "blocks",
    } as const;
    expect(patternCurve(pattern, 12)).toEqual([
      0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9,
    ]);
  });

  it("a wave is highest at its peak and lowest half a period later", () => {
    const pattern = {
      kind: "cycle",
      low: 1,
      high: 9,
      period: 24,
      peak: 13,
      shape: "wave",
    } as const;
    const values = patternCurve(pattern, 24);
    expect(values[12]).toBe(9);
    expect(values[0]).toBe(1);
    expect(values[6]).toBe(5);
  });

  it("evolution is followed by stagnation", () => {
    const pattern = { kind: "evolution", before: 1, after: 5, begin: 2, end: 4 } as const;
    expect(patternCurve(pattern, 6)).toEqual([1, 1, 3, 5, 5, 5]);
  });

  it("growth multiplies from step to step", () => {
    expect(patternCurve({ kind: "growth", start: 8, percentPerStep: 50 }, 4)).toEqual([
      8, 12, 18, 27,
    ]);
  });

  it("a spike rises at once, stays and falls back", () => {
    const pattern = { kind: "spike", base: 1, peak: 7, at: 3, width: 2, fall: 2 } as const;
    expect(patternCurve(pattern, 8)).toEqual([1, 1, 7, 7, 5, 3, 1, 1]);
  });

  it("chance moves values by no more than its share, the same for the same seed", () => {
    const flat = { kind: "growth", start: 100, percentPerStep: 0 } as const;
    const once = patternCurve(flat, 50, { percent: 10, seed: 7 });
    expect(once).toEqual(patternCurve(flat, 50, { percent: 10, seed: 7 }));
    expect(once).not.toEqual(patternCurve(flat, 50, { percent: 10, seed: 8 }));
    expect(new Set(once).size).toBeGreaterThan(40);
    for (const value of once) expect(Math.abs(value - 100)).toBeLessThanOrEqual(10);
  });
});

describe("changes", () => {
  it("keep to their range", () => {
    expect(
      changedCurve([1, 2, 3, 4], { first: 1, last: 2 }, { kind: "scale", factor: 10 }),
    ).toEqual([1, 20, 30, 4]);
  });

  it("never bring a negative frequency", () => {
    expect(whole([1, 5], { kind: "raise", by: -3 })).toEqual([0, 2]);
  });

  it("a shift turns the range round and back again", () => {
    expect(whole([1, 2, 3, 4], { kind: "shift", steps: 1 })).toEqual([4, 1, 2, 3]);
    fc.assert(
      fc.property(curve, fc.integer({ min: -40, max: 40 }), (values, steps) => {
        const there = whole(values, { kind: "shift", steps });
        expect(whole(there, { kind: "shift", steps: -steps })).toEqual(values);
      }),
    );
  });

  it("mirrored twice, in values or in time, a curve is the same again", () => {
    fc.assert(
      fc.property(
        curve,
        fc.constantFrom<CurveChange["kind"]>("mirrorValues", "mirrorTime"),
        (values, kind) => {
          const change = { kind } as CurveChange;
          expectClose(whole(whole(values, change), change), values);
        },
      ),
    );
    expect(whole([1, 1, 4, 9], { kind: "mirrorValues" })).toEqual([9, 9, 6, 1]);
  });

  it("smoothing keeps the sum and lowers the highest value", () => {
    fc.assert(
      fc.property(curve, fc.integer({ min: 1, max: 5 }), (values, times) => {
        const smooth = whole(values, { kind: "smooth", times });
        expectClose([sum(smooth)], [sum(values)]);
        expect(Math.max(...smooth)).toBeLessThanOrEqual(Math.max(...values) * (1 + 1e-9));
      }),
    );
    expect(whole([0, 4, 0, 0], { kind: "smooth", times: 1 })).toEqual([1, 2, 1, 0]);
  });
});

describe("another number of steps", () => {
  const steps = fc.integer({ min: 1, max: 48 });

  it("stretching keeps the executions of the whole time", () => {
    fc.assert(
      fc.property(curve, steps, (values, wanted) => {
        const next = resampledCurve(values, wanted, "stretch");
        expectClose([sum(next) / wanted], [sum(values) / values.length]);
      }),
    );
  });

  it("keeping peaks keeps the highest value", () => {
    fc.assert(
      fc.property(curve, steps, (values, wanted) => {
        const next = resampledCurve(values, wanted, "peaks");
        expect(Math.max(...next)).toBe(Math.max(...values));
      }),
    );
  });

  it("to twice as many steps and back is the same curve, whichever way", () => {
    fc.assert(
      fc.property(
        curve,
        fc.constantFrom<Resampling>("stretch", "peaks", "cut", "repeat"),
        (values, how) => {
          const there = resampledCurve(values, values.length * 2, how);
          const back = how === "cut" || how === "repeat" ? there.slice(0, values.length) : there;
          expectClose(resampledCurve(back, values.length, how), values);
        },
      ),
    );
  });

  it("cuts and goes on with the last number, or begins again", () => {
    expect(resampledCurve([1, 2, 3], 5, "cut")).toEqual([1, 2, 3, 3, 3]);
    expect(resampledCurve([1, 2, 3], 5, "repeat")).toEqual([1, 2, 3, 1, 2]);
    expect(resampledCurve([1, 2, 3], 2, "cut")).toEqual([1, 2]);
  });
});
