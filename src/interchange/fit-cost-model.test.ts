import { describe, expect, test } from "vitest";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import { costFormulas, type MeasuredOperation, type ProfileSample } from "#model/cost-model-fit.ts";
import type { Issue } from "#model/issue.ts";
import { fitCostModel } from "./fit-cost-model.ts";
import { design, syntheticProfile, trueCoefficients } from "./testing/synthetic-profile.ts";

const options = { name: "measured", base: defaultCostModel };

function modelOf(samples: readonly ProfileSample[]): CostModel {
  const fitted = fitCostModel(samples, options);
  if (!fitted.ok) throw new Error(JSON.stringify(fitted.issues));
  return fitted.value;
}

function issuesOf(samples: readonly ProfileSample[]): readonly Issue[] {
  const fitted = fitCostModel(samples, options);
  return fitted.ok ? fitted.warnings : fitted.issues;
}

/** The profile with the rows of one operation replaced. */
function withRows(
  operation: MeasuredOperation,
  rows: readonly (readonly number[])[],
  milliseconds: (at: readonly number[], index: number) => number,
): ProfileSample[] {
  const replaced = rows.map(
    (at, index): ProfileSample => ({
      line: index + 2,
      operation,
      at,
      milliseconds: milliseconds(at, index),
    }),
  );
  return [...syntheticProfile(3, 2).filter((each) => each.operation !== operation), ...replaced];
}

/** How often the interval of every coefficient holds its true value, over profiles of so many seeds. */
function hitsOfIntervals(runs: number): ReadonlyMap<string, number> {
  const hits = new Map<string, number>();
  const fitted = Array.from({ length: runs }, (_, run) =>
    modelOf(syntheticProfile(20261130 + run, 2)),
  );
  for (const { operation, coefficients } of fitted.flatMap(({ fit }) => fit?.operations ?? []))
    for (const { name, low, high } of coefficients) {
      const truth = trueCoefficients[operation][name] ?? Number.NaN;
      const key = `${operation}.${name}`;
      hits.set(key, (hits.get(key) ?? 0) + Number(low <= truth && truth <= high));
    }
  return hits;
}

describe("a fit", () => {
  test("finds the coefficients of exact measurements", () => {
    const { get, put, extract, load, fit } = modelOf(syntheticProfile(1, 1, { noiseFactor: 0 }));
    const found: Record<string, Readonly<Record<string, number>>> = { get, put, extract, load };
    for (const { operation, terms } of costFormulas)
      for (const { name } of terms) {
        const expected = trueCoefficients[operation][name] ?? Number.NaN;
        expect(Math.abs((found[operation]?.[name] ?? 0) / expected - 1)).toBeLessThan(1e-9);
      }
    for (const { rSquared } of fit?.operations ?? []) expect(rSquared).toBeCloseTo(1, 12);
  });

  test("agrees with the closed formulas of simple regression", () => {
    // y = 1 + 2·w with errors +1, −1, −1, +1 at w = 1, 2, 3, 4: b = 2, a = 1, σ² = 4/2,
    // se(b) = √(2/5), se(a) = √(2·(1/4 + 2.5²/5)), t(97.5 %, 2) = 4.3027.
    const samples = withRows(
      "put",
      [[1], [2], [3], [4]],
      ([w = 0], index) => 1 + 2 * w + ([1, -1, -1, 1][index] ?? 0),
    );
    const put = modelOf(samples).fit?.operations.find(({ operation }) => operation === "put");
    const [fixed, perRow] = put?.coefficients ?? [];
    expect(perRow?.value).toBeCloseTo(2, 12);
    expect(fixed?.value).toBeCloseTo(1, 12);
    expect(perRow?.standardError).toBeCloseTo(Math.sqrt(2 / 5), 12);
    expect(fixed?.standardError).toBeCloseTo(Math.sqrt(2 * (1 / 4 + 2.5 ** 2 / 5)), 12);
    expect(perRow?.high).toBeCloseTo(2 + 4.302652729911275 * Math.sqrt(2 / 5), 6);
    expect(put?.degreesOfFreedom).toBe(2);
    expect(put?.residualStandardError).toBeCloseTo(Math.SQRT2, 12);
    expect(put?.rSquared).toBeCloseTo(1 - 4 / (20 + 4), 12);
    expect(put?.samples.map(({ measured, predicted }) => measured - predicted)).toEqual(
      [1, -1, -1, 1].map((each) => expect.closeTo(each, 9)),
    );
  });

  test("takes from the base what no profile measures", () => {
    const fitted = fitCostModel(syntheticProfile(1, 2), { name: "x", base: paperCostModel });
    expect(fitted.ok && fitted.value).toMatchObject({
      name: "x",
      getsPer: "row",
      bytesOf: "wholeRow",
      sort: paperCostModel.sort,
    });
  });

  test("holds the true coefficients in about 95 % of its 95 % intervals", () => {
    const runs = 1000;
    const hits = hitsOfIntervals(runs);
    const shares = Object.fromEntries([...hits].map(([key, count]) => [key, count / runs]));
    expect(Object.keys(shares)).toHaveLength(10);
    for (const [key, share] of Object.entries(shares)) {
      expect(share, key).toBeGreaterThanOrEqual(0.93);
      expect(share, key).toBeLessThanOrEqual(0.97);
    }
  });
});

describe("a profile that cannot be fitted is refused with the reason and what to measure", () => {
  const exact = ([n = 0, w = 0, s = 0]: readonly number[]): number =>
    0.8 + 0.3 * n + 0.004 * w + 2.5e-5 * w * s;

  test("no rows of an operation", () => {
    const samples = syntheticProfile(1, 2).filter(({ operation }) => operation !== "load");
    expect(issuesOf(samples)).toEqual([
      expect.objectContaining({
        severity: "error",
        place: "load",
        message: "The profile has no load rows, so T‴(size) cannot be fitted.",
        hint: "Add at least 4 load rows with size and milliseconds.",
      }),
    ]);
  });

  test("too few rows", () => {
    const [issue] = issuesOf(withRows("get", design.get.slice(0, 6), exact));
    expect(issue?.message).toBe("There are too few get rows: 6 for 4 coefficients.");
    expect(issue?.hint).toMatch(/at least 8/);
  });

  test("repetitions of too few settings", () => {
    const rows = Array.from({ length: 12 }, (_, index) => design.get[(index % 3) * 5] ?? []);
    const [issue] = issuesOf(withRows("get", rows, exact));
    expect(issue?.message).toMatch(/repeat 3 settings of n, w, s; 4 coefficients need at least 4/);
  });

  test.each([
    ["n", 0, /n is 7 in every get row.*told from the fixed cost/],
    ["w", 1, /w is 7 in every get row/],
    ["s", 2, /s is 7 in every get row.*told from the cost per row/],
  ])("one value of %s in all rows", (feature, index, message) => {
    const rows = design.get.map((at) => at.with(index, 7));
    const issues = issuesOf(withRows("get", rows, exact));
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toMatch(message);
    expect(issues[0]?.hint).toBe(`Add get rows with another ${feature}.`);
  });

  test("collinear columns, with their names and the measurement that is missing", () => {
    const rows = design.get.map(([n = 0, , s = 0]) => [n, 10 * n, s]);
    const [issue] = issuesOf(withRows("get", rows, exact));
    expect(issue?.message).toMatch(
      /In the get rows n and w rise and fall together \(they are coll/,
    );
    expect(issue?.hint).toBe("Add get rows in which n changes while w and s stay the same.");
  });

  test("collinear only in the product: the same bytes in every row", () => {
    const rows = design.get.map(([n = 0, w = 0]) => [n, w, 6000 / w]);
    const [issue] = issuesOf(withRows("get", rows, exact));
    expect(issue?.message).toMatch(/the fixed cost and w·s rise and fall together/);
    expect(issue?.hint).toBe("Add get rows in which s changes while n and w stay the same.");
  });

  test("sizes that hardly differ", () => {
    const rows = [1, 2, 3, 4].map((byte) => [1e12 + byte]);
    const [issue] = issuesOf(withRows("load", rows, () => 5));
    expect(issue?.message).toMatch(/size is nearly the same in every load row/);
    expect(issue?.hint).toBe("Add load rows with a very different size.");
  });

  test("time that falls with the work, beyond doubt", () => {
    const samples = withRows(
      "put",
      [[1], [2], [3], [4], [5]],
      ([w = 0], index) => 9 - w + 0.01 * (index % 2),
    );
    const [issue] = issuesOf(samples);
    expect(issue?.message).toMatch(/perRow of T′\(w\) lies below 0 \(between −1\.\d* and −0\.9\d*/);
    expect(issue?.hint).toMatch(/measure them again/);
  });

  test("a name that is taken, or none", () => {
    for (const name of ["default", " "]) {
      const fitted = fitCostModel(syntheticProfile(1, 2), { ...options, name });
      expect(fitted.ok).toBe(false);
    }
  });

  test("several operations at once", () => {
    const places = issuesOf(syntheticProfile(1, 2).slice(0, 3)).map(({ place }) => place);
    expect(places).toEqual(["get", "put", "extract", "load"]);
  });
});

describe("a fit that has to be doubted says so", () => {
  test("a coefficient that is below 0 by chance is set to 0 and the rest fitted without it", () => {
    const times = [10.2, 19.7, 30.1, 40.4, 49.8];
    const samples = withRows(
      "extract",
      [[1e9], [2e9], [3e9], [4e9], [5e9]],
      (_, index) => 1000 * ((times[index] ?? 0) - 0.2),
    );
    const fitted = fitCostModel(samples, options);
    if (!fitted.ok) throw new Error("refused");
    const { extract, fit } = fitted.value;
    expect(extract.fixed).toBe(0);
    // Through the origin: Σ x·y / Σ x².
    const sum = times.reduce((total, time, index) => total + (index + 1) * (time - 0.2), 0);
    expect(extract.perByte).toBeCloseTo(sum / 55 / 1e6, 12);
    const operation = fit?.operations.find((each) => each.operation === "extract");
    expect(operation?.degreesOfFreedom).toBe(4);
    expect(operation?.coefficients[0]?.belowZero).toBeLessThan(0);
    expect(operation?.coefficients[0]?.high).toBeGreaterThan(0);
    expect(fitted.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/fixed of T″\(size\) was estimated as −\d+.*set to 0/),
    ]);
  });

  test("a coefficient whose interval holds 0", () => {
    const noisy = withRows(
      "put",
      [[1], [2], [3], [4]],
      ([w = 0], index) => 50 + 0.1 * w + ([1, -1, -1, 1][index] ?? 0),
    );
    expect(issuesOf(noisy).map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /perRow of T′\(w\) is 0.1 ms, but the measurements do not tell it from 0/,
      ),
    ]);
  });
});
