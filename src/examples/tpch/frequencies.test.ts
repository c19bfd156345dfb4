import { describe, expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { examples } from "../examples.ts";
import { groupFrequencies, stepsProblem } from "./frequencies.ts";

const perMinute = (frequencies: readonly number[]): number[] =>
  frequencies.map((each) => Math.round(each * 60 * 1000) / 1000);

describe("the patterns of the paper", () => {
  test("cycles are four blocks, mirrored in the duplicate group", () => {
    const { original, duplicate } = groupFrequencies("cycles", 8);
    expect(perMinute(original)).toEqual([0.1, 0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.9]);
    expect(perMinute(duplicate)).toEqual([0.9, 0.9, 0.1, 0.1, 0.9, 0.9, 0.1, 0.1]);
    expect(stepsProblem("cycles", 44)).toBeUndefined();
    expect(stepsProblem("cycles", 10)).toContain("multiple of 4");
  });

  test("evolution is a straight line from a tenth to nine tenths", () => {
    const { original, duplicate } = groupFrequencies("evolution", 5);
    expect(perMinute(original)).toEqual([0.1, 0.3, 0.5, 0.7, 0.9]);
    expect(perMinute(duplicate)).toEqual([0.9, 0.7, 0.5, 0.3, 0.1]);
  });

  test("spikes come one after the other", () => {
    const { original, duplicate } = groupFrequencies("spike", 12);
    const at = (frequencies: readonly number[]): number[] =>
      perMinute(frequencies).flatMap((each, t) => (each > 0.5 ? [t + 1] : []));
    expect(at(original)).toEqual([4, 5]);
    expect(at(duplicate)).toEqual([8, 9]);
  });

  test("no two neighbouring steps of the smooth pattern are alike", () => {
    const { original } = groupFrequencies("smooth", 48);
    expect(original.filter((each, t) => Math.abs(each - (original[t + 1] ?? -1)) < 1e-9)).toEqual(
      [],
    );
    expect(perMinute(original)[0]).toBe(0.1);
    expect(new Set(original).size).toBe(13);
    expect(groupFrequencies("smooth48", 48)).toEqual(groupFrequencies("smooth", 48));
    expect(stepsProblem("smooth48", 48)).toBeUndefined();
    expect(stepsProblem("smooth48", 44)).toContain("smooth");
  });

  test("long cycles keep four equal blocks, from four steps to the paper's forty-four", () => {
    for (let steps = 4; steps <= 44; steps += 4) {
      const { original } = groupFrequencies("cycles", steps);
      const changes = original.flatMap((each, t) => (each === original[t + 1] ? [] : [t + 1]));
      expect(changes).toEqual([1, 2, 3, 4].map((block) => (block * steps) / 4));
      expect(stepsProblem("cycles", steps)).toBeUndefined();
    }
  });
});

test("a pattern without a number of steps has its usual one, and names the project", async () => {
  const example = examples.find(({ id }) => id === "tpch");
  const file = await example?.load();
  expect(example?.patterns?.names.map((name) => example.patterns?.usualSteps(name))).toEqual([
    12, 12, 12, 48, 48,
  ]);
  const made = documentFrom(example?.patterns?.apply(file, "smooth48", 48));
  expect(made.ok && [made.value.name, made.value.timeline.steps]).toEqual([
    "TPC-H in two groups: smooth48, 48 steps",
    48,
  ]);
});

test("the example's own curves are the cycles over twelve steps", async () => {
  const example = examples.find(({ id }) => id === "tpch");
  const file = await example?.load();
  const own = documentFrom(file);
  const made = documentFrom(example?.patterns?.apply(file, "cycles", 12));
  if (!own.ok || !made.ok) throw new Error("the example is read");
  const rounded = (document: typeof own.value): unknown =>
    Object.values(document.frequencies).map((curve) => curve.map((each) => each.toPrecision(5)));
  expect(rounded(made.value)).toEqual(rounded(own.value));
});
