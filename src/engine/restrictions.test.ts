/** Pins, bans and start schemas against exhaustive search, and what is said when they conflict (engine.md §8). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import { parseColumnFamily } from "#model/column-family-text.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { enumeratePlanSpace } from "./plan-space.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import {
  contestedProblem,
  randomProblem,
  smallBounds,
  withOptions,
} from "./testing/random-problem.ts";
import { restrictedProblem, tinyProblem } from "./testing/tiny-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;
const now = (): number => performance.now() / 1000;

const tinyProblems = fc.oneof(
  { weight: 2, arbitrary: randomProblem({ ...smallBounds, predicates: 1 }) },
  { weight: 3, arbitrary: contestedProblem({ ...smallBounds, predicates: 1, steps: 4 }) },
  { weight: 2, arbitrary: contestedProblem({ ...smallBounds, predicates: 1, changes: 1 }) },
);

describe("on random tiny problems under pins, bans and a start schema", () => {
  test(
    "the optimum is that of an exhaustive search, with every option, and the recount accepts it",
    async () => {
      const met = { answers: 0, conflicts: 0, started: 0 };
      await fc.assert(
        fc.asyncProperty(tinyProblems, fc.nat({ max: 15 }), async (random, flags) => {
          const { problem, space, spaceOptions } = restrictedProblem(
            tinyProblem(random),
            random.dice,
          );
          const options = {
            cyclic: flags % 4 === 3,
            initialLoad: (flags & 4) > 0,
            buildingCountsAsStorage: (flags & 8) > 0,
          };
          const whole = withOptions(problem, options);
          const limit = whole.storage.kind === "bytes" ? whole.storage.bytes : undefined;
          const best = bestSequence(whole, space, limit);
          const outcome = await optimise(whole, { gap: 0 }, { solver, now }, spaceOptions);
          if (!best) {
            met.conflicts += 1;
            expect(outcome.status, JSON.stringify(outcome).slice(0, 500)).toBe("infeasible");
            if ("reasons" in outcome) expect(outcome.reasons.length).toBeGreaterThan(0);
            return;
          }
          met.answers += 1;
          if (whole.startSchema && !whole.options.cyclic) met.started += 1;
          const answer = answerOf(outcome);
          expect(answer.status).toBe("optimal");
          expect(Math.abs(answer.objective - best.cost)).toBeLessThanOrEqual(
            1e-6 * Math.max(1e-9, best.cost),
          );
          expect(checkRecommendation(answer, whole)).toEqual([]);
        }),
        { numRuns: 30 * times },
      );
      expect(met.answers).toBeGreaterThanOrEqual(10 * times);
      expect(met.conflicts).toBeGreaterThanOrEqual(2 * times);
      expect(met.started).toBeGreaterThanOrEqual(3 * times);
    },
    2 * minutes,
  );
});

function answerOf(outcome: RunOutcome): Recommendation {
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}

describe("conditions that cannot hold together", () => {
  const texts = {
    q: "SELECT user.name FROM user WHERE user.id = ?",
    r: "SELECT items.quantity FROM user.items WHERE user.id = ?",
  };
  const problem = aProblem({
    graph: usersAndItems,
    queries: texts,
    curves: { q: [1, 1], r: [1, 1] },
  });
  const table = (text: string): ColumnFamily => {
    const parsed = parseColumnFamily(text, usersAndItems, "", 1);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    return parsed.value;
  };
  const odd = table("[user.email] [user.id] -> user.name");
  const wide = table("[user.id] [item.id] -> user.name, item.quantity of item(user:user)");
  const reasons = async (more: Partial<Problem>): Promise<string> => {
    const outcome = await optimise({ ...problem, ...more }, { gap: 0 }, { solver, now });
    if (outcome.status !== "infeasible") throw new Error(JSON.stringify(outcome));
    return outcome.reasons.join(" ");
  };
  test("a table both pinned and banned is named, and nothing that has no part in it", async () => {
    const family = { kind: "family", columnFamily: wide } as const;
    const text = await reasons({
      restrictions: [
        { ...family, demand: "pin", steps: [0] },
        { kind: "family", demand: "ban", columnFamily: odd },
        { ...family, demand: "ban", steps: [0, 1] },
      ],
      storage: { kind: "bytes", bytes: 1e9 },
    });
    const key = "[user.id] [item.id↑] → item.quantity, user.name of item(user:user)";
    expect(text).toContain(
      `cannot hold together: the pin of ${key} at step 1; the ban of ${key} at steps 1, 2.`,
    );
    expect(text).toContain("is both pinned and banned at step 1");
    expect(text).not.toContain("user.email");
    expect(text).not.toContain("storage limit");
  });

  test("pinned tables larger than the limit, with the storage that would do", async () => {
    const bytes = wide.size.bytes - 1;
    const text = await reasons({
      restrictions: [{ kind: "family", demand: "pin", columnFamily: wide, steps: [1] }],
      storage: { kind: "bytes", bytes },
    });
    expect(text).toContain(`The pinned tables alone take ${wide.size.bytes} bytes at step 2.`);
    const least = Number(
      /smallest storage that works under everything else is (\d+)/.exec(text)?.[1],
    );
    expect(least).toBeGreaterThanOrEqual(wide.size.bytes);
    const restrictions = [
      { kind: "family", demand: "pin", columnFamily: wide, steps: [1] },
    ] as const;
    const enough = { ...problem, restrictions, storage: { kind: "bytes", bytes: least } as const };
    expect(await optimise(enough, { gap: 0 }, { solver, now })).toMatchObject({
      status: "optimal",
    });
    const less = { kind: "bytes", bytes: least - 1 } as const;
    const short = await optimise({ ...enough, storage: less }, { gap: 0 }, { solver, now });
    expect(short.status).toBe("infeasible");
  });

  test("all plans of a query banned, the query named", async () => {
    const only = aProblem({
      graph: usersAndItems,
      queries: { q: texts.q },
      options: { maxGets: 1 },
    });
    const outcome = await optimise(only, { gap: 0 }, { solver, now });
    if (!("objective" in outcome)) throw new Error(outcome.status);
    const space = enumeratePlanSpace(only, () => {});
    const restrictions = space.families.map(({ columnFamily }) => ({
      kind: "plan" as const,
      demand: "ban" as const,
      statement: "q",
      columnFamilies: [columnFamily],
    }));
    const banned = await optimise({ ...only, restrictions }, { gap: 0 }, { solver, now });
    if (banned.status !== "infeasible") throw new Error(banned.status);
    expect(banned.reasons.join(" ")).toMatch(/that q is not answered by .* leave q without a plan/);
  });

  test("a start schema from which nothing can be built", async () => {
    const start = table("[item.name] [item.id]");
    expect(await reasons({ startSchema: [start] })).toContain("start schema");
  });

  test("a ban of what is no candidate changes nothing, and that is said", async () => {
    const restrictions = [{ kind: "family", demand: "ban", columnFamily: odd }] as const;
    const answer = answerOf(
      await optimise({ ...problem, restrictions }, { gap: 0 }, { solver, now }),
    );
    const free = answerOf(await optimise(problem, { gap: 0 }, { solver, now }));
    expect(answer.objective).toBe(free.objective);
    expect(answer.notes.join(" ")).toContain(
      "The ban of [user.email] [user.id↑] → user.name of user changes nothing",
    );
  });

  test("a pinned table that no query uses is there all the same", async () => {
    const restrictions = [
      { kind: "family", demand: "pin", columnFamily: odd, steps: [0] },
    ] as const;
    const answer = answerOf(
      await optimise({ ...problem, restrictions }, { gap: 0 }, { solver, now }),
    );
    expect(answer.steps.map(({ schema }) => schema.includes(odd.key))).toEqual([true, false]);
  });

  test("the recount refuses an answer that breaks them", async () => {
    const free = answerOf(await optimise(problem, { gap: 0 }, { solver, now }));
    const used = free.columnFamilies.find(({ key }) => free.steps[0]?.schema.includes(key));
    if (!used) throw new Error("a table is used");
    const ban = {
      ...problem,
      restrictions: [{ kind: "family", demand: "ban", columnFamily: used }],
    } as const;
    expect(checkRecommendation(free, ban).map(({ kind }) => kind)).toContain("restriction");
    const pin = {
      ...problem,
      restrictions: [{ kind: "family", demand: "pin", columnFamily: wide }],
    } as const;
    expect(checkRecommendation(free, pin).map(({ kind }) => kind)).toContain("restriction");
    const plan = { kind: "plan", statement: "q", columnFamilies: [wide], demand: "pin" } as const;
    const other = { ...problem, restrictions: [plan] };
    expect(checkRecommendation(free, other).map(({ kind }) => kind)).toContain("restriction");
  });
});
