import { describe, expect, it } from "vitest";
import { outcomeWords } from "./outcome-words.ts";

describe("a run without an answer", () => {
  it("names the smallest storage that works", () => {
    const words = outcomeWords({
      status: "infeasible",
      reasons: ["The smallest schema is larger than the limit."],
      smallestStorage: 2.5e9,
      seconds: {},
    });
    expect(words.wayOut.replaceAll("\u00a0", " ")).toContain("2.5 GB");
  });

  it("tells what a stopped run has proven", () => {
    const words = outcomeWords({ status: "timedOut", reasons: [], bound: 1500, seconds: {} });
    expect(words.wayOut.replaceAll("\u00a0", " ")).toContain("1.5 s");
  });

  it("names the stage of a failure", () => {
    const words = outcomeWords({ status: "failed", stage: "solve", reasons: ["?"], seconds: {} });
    expect(words).toMatchObject({ severity: "error", reasons: ["?"] });
    expect(words.wayOut).toContain("“solve”");
  });
});
