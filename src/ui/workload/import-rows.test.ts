import { describe, expect, it } from "vitest";
import { guessKind, importedCurves, readImport } from "./import-rows.ts";

const statements = [
  { id: "q1", label: "first" },
  { id: "q2", label: "second" },
];
const timeline = { steps: 2, stepSeconds: 60 };

function wordsOf(text: string, folds: boolean): readonly string[] {
  const read = readImport(text, guessKind(text), statements);
  if (!read.ok) throw new Error("refused");
  return importedCurves(read.value, statements, timeline, folds).words;
}

describe("importing frequencies", () => {
  it("tells traces and tables of frequencies apart by how they begin", () => {
    expect(guessKind("timestamp,statement\n1,q1")).toBe("trace");
    expect(guessKind("2026-12-01T10:00:00Z,q1")).toBe("trace");
    expect(guessKind("1764583201,q1")).toBe("trace");
    expect(guessKind("statement,1,2\nq1,2,3")).toBe("frequencies");
    expect(guessKind("q1\t2\t3")).toBe("frequencies");
  });

  it("says what was read, and what stays as it is", () => {
    expect(wordsOf("q1,1,2", true)).toEqual([
      "1 statement with 2 steps each.",
      "1 other statement keeps its curve.",
    ]);
    const trace = "time,statement\n0,q1\n10,q2\n200,q1";
    expect(wordsOf(trace, true)).toEqual([
      "3 executions of 2 statements counted from 1970-01-01 00:00 UTC on.",
      "Each number is the mean of 2 rounds of the timeline.",
    ]);
    expect(wordsOf(trace, false)).toContain("1 execution after the last step is left out.");
  });
});
