import { describe, expect, it } from "vitest";
import { recommendation } from "./hotel-specimen.ts";
import { improvedWords, improvingWords, oldTablesWords } from "./what-if-words.ts";

const second = 1000;
const progress = { stage: "solve", message: "", counts: {} } as const;

/** `name: value (against)`, one a line. */
function lines(figures: ReturnType<typeof improvedWords>): readonly string[] {
  return figures.map(({ name, value, against }) =>
    [name, value.text, against].join(" | ").replaceAll("\u00a0", " "),
  );
}

describe("the words of a what-if", () => {
  it("say what the old tables cost now, against before", () => {
    const answer = { ...recommendation, objective: 11 * second };
    const words = oldTablesWords({ status: "recosted", answer, breaks: [] }, 10 * second);
    expect(lines(words.figures)).toEqual([
      "The same tables now cost | 11 s | +10 % against 10 s before",
    ]);
    expect(words.trouble).toEqual([]);
  });

  it("say why the old tables cannot serve", () => {
    const reasons = ["The tables have no plan for what u1 has to look up."];
    expect(oldTablesWords({ status: "impossible", reasons }, 1)).toEqual({
      figures: [],
      trouble: reasons,
    });
  });

  it("say what has been found so far, and how far it may be from the best", () => {
    const found = { ...progress, incumbent: 9 * second, bound: 8 * second, gap: 1 / 9 };
    expect(lines(improvingWords(found, 12 * second))).toEqual([
      "Best found so far | 9 s | saves 3 s (25 %)",
      "No answer costs less than | 8 s | gap 11.1 %",
    ]);
    expect(improvingWords({ ...progress, incumbent: 12 * second }, 12 * second)).toEqual([]);
    expect(improvingWords(undefined, 12 * second)).toEqual([]);
  });

  it("say what the improved answer saves, and how good it is", () => {
    const optimal = { ...recommendation, status: "optimal", objective: 9 * second } as const;
    expect(lines(improvedWords(optimal, 12 * second))).toEqual([
      "The old tables cost now | 12 s | ",
      "Improved answer | 9 s | saves 3 s (25 %); proven optimal",
    ]);
    const feasible = { ...optimal, status: "feasible", bound: 8.1 * second, gap: 0.1 } as const;
    expect(lines(improvedWords(feasible, 9 * second))).toEqual([
      "The old tables cost now | 9 s | ",
      "Nothing better than the same tables | 9 s | within 10 % of the best",
      "No answer costs less than | 8.1 s | ",
    ]);
    expect(lines(improvedWords(optimal, undefined))).toEqual([
      "Improved answer | 9 s | proven optimal",
    ]);
  });
});
