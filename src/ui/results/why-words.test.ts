import { describe, expect, it } from "vitest";
import type { Alternative } from "#model/explanation.ts";
import { families, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import {
  alternativeWords,
  differenceRows,
  reasonWords,
  signedDuration,
  stepsWords,
  switchWords,
  wordsOfUse,
} from "./why-words.ts";

const index = answerIndex(recommendation, problem.statements);
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");

const found: Extract<Alternative, { status: "found" }> = {
  status: "found",
  certainty: "exact",
  cost: 11_000,
  bound: 10_999,
  extra: 1_000,
  difference: { query: 1_500, update: -500, support: 0, extract: 0, load: 0, maintenance: 1e-9 },
  added: [],
  removed: [],
  plans: [],
};

describe("an explanation in words", () => {
  it("names steps as stretches", () => {
    expect(stepsWords([2], ["a", "b", "noon"])).toBe("step 3 (noon)");
    expect(stepsWords([0, 1, 2], undefined)).toBe("steps 1–3");
    expect(stepsWords([0, 1, 3, 5, 6], undefined)).toBe("steps 1–2, 4 and 6–7");
  });

  it("says what an answer under a condition costs more", () => {
    expect(plain(alternativeWords(found, "without it", 10_000))).toBe(
      "The best answer without it costs 11 s: 1 s more than this one (+10 %).",
    );
    const same = { ...found, cost: 10_000, extra: 1e-9 };
    expect(alternativeWords(same, "without it", 10_000)).toContain("as much as this one");
    const better = { ...found, cost: 9_000, extra: -1_000 };
    expect(alternativeWords(better, "without it", 10_000)).toContain("which is not proven best");
  });

  it("never calls an estimate the best, and tells between what it lies", () => {
    const estimate = { ...found, certainty: "estimate", bound: 10_200 } as const;
    const words = plain(alternativeWords(estimate, "without it", 10_000));
    expect(words).toContain("that was found in 15 s");
    expect(words).toContain("None costs less than 10.2 s.");
  });

  it("says why there is none", () => {
    const impossible = { status: "impossible", reasons: ["q1 has no other plan."] } as const;
    expect(alternativeWords(impossible, "without it", 1)).toBe(
      "There is no answer without it. q1 has no other plan.",
    );
    const unknown = { status: "unknown", reasons: ["The time was up."] } as const;
    expect(alternativeWords(unknown, "without it", 1)).toContain("is not known. The time was up.");
  });

  it("lists the kinds of cost that differ, with their signs", () => {
    const rows = differenceRows(found.difference, 10_000);
    expect(rows.map(({ look }) => look.kind)).toEqual(["query", "update"]);
    expect(rows.map(({ milliseconds }) => plain(signedDuration(milliseconds)))).toEqual([
      "+1.5 s",
      "−500 ms",
    ]);
  });

  it("tells uses, reasons and switches", () => {
    const tag = index.tags.get(families.arrivals.key);
    const use = { steps: [0, 1], cost: 2_000, share: 0.25 } as const;
    expect(plain(wordsOfUse({ ...use, kind: "query", statement: "q1" }, index, undefined))).toBe(
      "hotels of a city reads it at steps 1–2: 2 s, 25 % of the cost.",
    );
    const idle = { ...use, cost: 0, share: 0, kind: "query", statement: "q1" } as const;
    expect(wordsOfUse(idle, index, undefined)).toContain("does not run then");
    const source = { ...use, kind: "migration source", builds: families.arrivals.key } as const;
    expect(wordsOfUse(source, index, undefined)).toContain(`${tag} is built from it during`);
    expect(plain(reasonWords({ kind: "storage", bytesOver: 1500 }))).toContain("by 1.5 kB");
    const at = { frequency: 3, plan: "", certainty: "estimate" } as const;
    expect(plain(switchWords("below", at, false, 9))).toBe(
      "Asked less often than about 3 /s (now 9 /s), it would be answered by",
    );
    expect(switchWords("above", undefined, false, 9)).toContain("the plan stays");
    expect(switchWords("above", undefined, true, 9)).toContain("may take over");
  });
});
