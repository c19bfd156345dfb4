import { describe, expect, it } from "vitest";
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import type { OperationFit } from "#model/cost-model-fit.ts";
import {
  coefficientGroups,
  fitPoints,
  modelName,
  originOf,
  rSquaredText,
  smallTime,
} from "./cost-model-rows.ts";

const fit: OperationFit = {
  operation: "get",
  coefficients: [
    { name: "fixed", value: 0, standardError: 0.01, low: -0.03, high: 0.01, belowZero: -0.01 },
    { name: "perGet", value: 0.3, standardError: 0.2, low: -0.1, high: 0.7 },
    { name: "perRow", value: 0.004, standardError: 0.0002, low: 0.0036, high: 0.0044 },
    { name: "perByte", value: 2.5e-5, standardError: 6e-7, low: 2.4e-5, high: 2.6e-5 },
  ],
  degreesOfFreedom: 50,
  rSquared: 0.996,
  residualStandardError: 0.25,
  samples: [
    { line: 2, at: [1, 20, 64], measured: 1.5, predicted: 1.2 },
    { line: 3, at: [4, 80, 64], measured: 2.5, predicted: 2.6 },
  ],
};
const fitted: CostModel = { ...defaultCostModel, name: "lab", fit: { operations: [fit] } };

function plain(text: string | undefined): string | undefined {
  return text?.replaceAll("\u00a0", " ");
}

describe("the coefficients of a cost model", () => {
  it("are told in a unit in which they can be read", () => {
    expect([1e-5, 0.002, 0.4, 1000, 0].map((each) => plain(smallTime(each)))).toEqual([
      "10 ns",
      "2 µs",
      "400 µs",
      "1 s",
      "0 ms",
    ]);
  });

  it("have a group for each formula and one for the application", () => {
    const groups = coefficientGroups(defaultCostModel);
    expect(groups.map(({ key, rows }) => [key, rows.length])).toEqual([
      ["get", 4],
      ["put", 2],
      ["extract", 2],
      ["load", 2],
      ["application", 2],
    ]);
    expect(groups.flatMap(({ rows }) => rows).every(({ error }) => error === undefined)).toBe(true);
    expect(groups[0]?.rows[3]).toMatchObject({ words: "per byte", exact: "0.00001 ms" });
  });

  it("carry error and interval in the unit of the value", () => {
    const rows = coefficientGroups({ ...fitted, get: { ...fitted.get, perByte: 2.5e-5 } })[0]?.rows;
    expect(plain(rows?.[3]?.value)).toBe("25 ns");
    expect(plain(rows?.[3]?.error)).toBe("± 0.6 ns");
    expect(plain(rows?.[3]?.interval)).toBe("24 … 26 ns");
    expect(rows?.[3]?.note).toBeUndefined();
  });

  it("say what the value alone would hide", () => {
    const rows = coefficientGroups(fitted)[0]?.rows;
    expect(plain(rows?.[0]?.value)).toBe("0 µs");
    expect(plain(rows?.[0]?.note)).toMatch(/^Estimated as −10 µs/);
    expect(rows?.[1]?.note).toBe("The measurements do not tell it from 0.");
  });
});

describe("R²", () => {
  it("reads as 1 only where it is 1", () => {
    expect([0.9966, 0.99996, 1, -0.2].map(rSquaredText)).toEqual(["0.9966", "0.9999", "1", "−0.2"]);
  });
});

describe("the points of a fit", () => {
  it("carry their residual, line and setting", () => {
    expect(fitPoints(fit)[0]).toEqual({
      line: 2,
      setting: "n = 1, w = 20, s = 64",
      measured: 1.5,
      predicted: 1.2,
      residual: expect.closeTo(0.3, 12),
    });
  });

  it("are thinned out to a number that can be drawn, the largest residuals kept", () => {
    const samples = Array.from({ length: 5000 }, (_, index) => ({
      line: index + 2,
      at: [1, 1, 1],
      measured: index === 4321 ? 99 : 1 + (index % 7) / 100,
      predicted: 1,
    }));
    const points = fitPoints({ ...fit, samples }, 100);
    expect(points).toHaveLength(100);
    expect(points.some(({ residual }) => residual === 98)).toBe(true);
    expect(points.map(({ line }) => line)).toEqual(
      points.map(({ line }) => line).toSorted((a, b) => a - b),
    );
    expect(new Set(points.map(({ line }) => line)).size).toBe(100);
  });
});

describe("a cost model", () => {
  it("is named after the file of its profile", () => {
    expect(modelName("staging.csv")).toBe("staging");
    expect(modelName(".csv")).toBe("measured");
  });

  it("tells where it comes from", () => {
    expect(originOf(defaultCostModel, true)).toBe("a preset");
    expect(originOf(fitted, false)).toBe("fitted to 2 measurements");
  });
});
