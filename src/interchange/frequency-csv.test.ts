import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "#model/issue.ts";
import { readFrequencies, writeFrequencies } from "./frequency-csv.ts";
import { countTrace, readTrace } from "./trace-csv.ts";

const statements = [
  { id: "q1", label: "Hotels, near a “point”" },
  { id: "q2", label: "A hotel" },
  { id: "u1", label: "A hotel" },
  { id: "u2", label: "=HYPERLINK(1)" },
];

function valueIn<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join(" "));
  return result.value;
}

describe("a file of frequencies", () => {
  it("says the same numbers when it is read again, whatever the labels", () => {
    const label = fc.string({ maxLength: 8, unit: fc.constantFrom(..."ab,;\"'\n\t#= é") });
    const frequency = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0);
    const curves = fc.array(fc.array(frequency, { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(curves, fc.array(label, { minLength: 4, maxLength: 4 }), (values, labels) => {
        const named = values.map((_, at) => ({ id: `s${at}`, label: labels[at] ?? "" }));
        const table = Object.fromEntries(named.map(({ id }, at) => [id, values[at] ?? []]));
        const text = writeFrequencies(named, table, ["1", "2", "3 (a,b)", "4", "5"]);
        const read = valueIn(readFrequencies(text, named));
        expect(read).toEqual({ steps: 5, curves: table, skipped: [] });
      }),
      { numRuns: 60 },
    );
  });

  it("writes no formula that a spreadsheet would compute", () => {
    expect(writeFrequencies(statements, { u2: [1] }, ["1"])).toContain("u2,'=HYPERLINK(1),1");
  });

  it("may come from a spreadsheet: semicolons, decimal commas, labels for names, no head", () => {
    const text = "Hotels, near a “point”;1,5;2\nQ2;0;,25";
    expect(valueIn(readFrequencies(text, statements)).curves).toEqual({
      q1: [1.5, 2],
      q2: [0, 0.25],
    });
  });

  it("skips what cannot be used, each with its line", () => {
    const text = [
      "statement,1,2",
      "q1,1,2",
      "q9,1,2",
      "# a remark",
      "q2,1",
      "u1,-1,2",
      "q1,3,4",
      "A hotel,1,2",
    ].join("\n");
    const { curves, skipped } = valueIn(readFrequencies(text, statements));
    expect(curves).toEqual({ q1: [1, 2] });
    expect(skipped).toEqual([
      { line: 3, why: "There is no statement “q9”. Did you mean q1?" },
      { line: 5, why: "It has 2 cells where the first row has 3." },
      { line: 6, why: "“-1” is no frequency." },
      { line: 7, why: "q1 is there already." },
      { line: 8, why: "2 statements are called “A hotel”; write the id." },
    ]);
  });

  it("without a row that can be used is refused with the way to mend it", () => {
    const read = readFrequencies("some words\nand more", statements);
    expect(read).toMatchObject({
      ok: false,
      issues: [{ message: /^No row can be used\. Line 1:/ }],
    });
    expect(readFrequencies("", statements).ok).toBe(false);
  });
});

describe("a trace", () => {
  const hour = { steps: 4, stepSeconds: 3600 };

  it("is counted into the steps, in executions per second", () => {
    const text = [
      "timestamp,statement",
      "2026-12-01T10:59:59Z,q1",
      "2026-12-01 10:00:00,q1",
      "2026-12-01T13:30:00+01:00,q2",
      `${Date.parse("2026-12-01T11:00:00Z") / 1000},q1`,
      `${Date.parse("2026-12-01T11:10:00Z")},q1`,
      "2026-12-01T14:00:00Z,q1",
      "yesterday,q1",
      "2026-12-01T11:00:00Z,nobody",
    ].join("\n");
    const trace = valueIn(readTrace(text, statements));
    expect(trace.skipped.map(({ line }) => line)).toEqual([8, 9]);
    const { curves, beyond, begin, rounds } = countTrace(trace, hour, false);
    const once = Number((1 / 3600).toPrecision(12));
    const twice = Number((2 / 3600).toPrecision(12));
    expect(curves).toEqual({ q1: [twice, twice, 0, 0], q2: [0, 0, once, 0] });
    expect({ beyond, begin, rounds }).toEqual({
      beyond: 1,
      begin: Date.parse("2026-12-01T10:00:00Z") / 1000,
      rounds: 1,
    });
  });

  it("of several days is laid over one and averaged", () => {
    const day = { steps: 2, stepSeconds: 43_200 };
    const text = "2026-12-01T13:00:00Z,q1\n2026-12-02T13:00:00Z,q1\n2026-12-02T01:00:00Z,q1";
    const { curves, rounds } = countTrace(valueIn(readTrace(text, statements)), day, true);
    expect(rounds).toBe(2);
    const perSecond = (count: number): number => Number((count / 43_200).toPrecision(12));
    expect(curves["q1"]).toEqual([perSecond(0.5), perSecond(1)]);
  });

  it("loses no execution in folding", () => {
    const event = fc.tuple(fc.integer({ min: 0, max: 500_000 }), fc.constantFrom("q1", "q2"));
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 30 }), (events) => {
        const text = events.map(([seconds, id]) => `${seconds},${id}`).join("\n");
        const { curves, rounds } = countTrace(valueIn(readTrace(text, statements)), hour, true);
        const perSecond = Object.values(curves)
          .flat()
          .reduce((sum, each) => sum + each, 0);
        expect(perSecond * hour.stepSeconds * rounds).toBeCloseTo(events.length);
      }),
      { numRuns: 40 },
    );
  });
});
