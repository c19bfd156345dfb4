import { describe, expect, it } from "vitest";
import { outcomeWords } from "./outcome-words.ts";

describe("a run without an answer", () => {
  it("names the smallest storage that works, to the byte", () => {
    const words = outcomeWords({
      status: "infeasible",
      reasons: ["The smallest schema is larger than the limit."],
      smallestStorage: 2_499_999_999,
      seconds: {},
    });
    expect(words.wayOut.replaceAll("\u00a0", " ")).toContain("2.5 GB");
    expect(words.wayOut.replaceAll("\u202f", "").replaceAll("\u00a0", " ")).toContain(
      "2499999999 bytes",
    );
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
