/** Explanations: figures that agree with searches and with exhaustive search, and switches that are where they are said to be. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Alternative, StatementExplanation } from "#model/explanation.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { type ExplainTools, explainFamily, explainPlan, explainStatement } from "./explain.ts";
import { optimise } from "./optimise.ts";
import { totalCost } from "./read-solution.ts";
import { createMemory } from "./run-memory.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import { contestedProblem, smallBounds } from "./testing/random-problem.ts";
import { type TinyProblem, tinyProblem } from "./testing/tiny-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;
const now = (): number => performance.now() / 1000;
const tools = (): ExplainTools => ({ solver, now });

async function answerTo(problem: Problem): Promise<Recommendation> {
  const outcome = await optimise(problem, { gap: 0 }, { solver, now });
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}

function found(alternative: Alternative | undefined): Extract<Alternative, { status: "found" }> {
  if (alternative?.status === "found") return alternative;
  throw new Error(JSON.stringify(alternative));
}

function expectSame(actual: number, expected: number, relative = 1e-6): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(
    relative * Math.max(1e-9, Math.abs(expected)),
  );
}

describe("the paper's example, a byte too small for both wide tables", () => {
  const byName = "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)";
  const byQuantity =
    "[item.quantity] [item.id↑, user.id↑] → user.email, user.name of item(user:user)";
  const problem = aProblem({
    graph: usersAndItems,
    queries: {
      q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
      q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
    },
    curves: { q1: [9, 9, 9, 0.01, 0.01, 0.01], q2: [0.01, 0.01, 0.01, 9, 9, 9] },
    stepSeconds: 3600,
    storage: { kind: "bytes", bytes: 4_360_799 },
  });
  let answer: Recommendation;
  beforeAll(async () => {
    answer = await answerTo(problem);
  });

  test("a table is told with who reads it, and what comes in its place", async () => {
    const explanation = await explainFamily(problem, answer, byName, tools());
    expect(explanation.steps).toEqual([0, 1, 2]);
    const [use] = explanation.uses;
    expect(use).toMatchObject({ kind: "query", statement: "q1", steps: [0, 1, 2] });
    const cost = answer.steps.slice(0, 3).flatMap(({ plans }) => plans);
    const own = cost.filter(({ statement }) => statement === "q1");
    expectSame(
      use?.cost ?? 0,
      own.reduce((sum, each) => sum + each.cost, 0),
    );
    expectSame(use?.share ?? 0, (use?.cost ?? 0) / answer.objective);

    const without = found(explanation.without);
    expect(without.certainty).toBe("exact");
    expect(without.extra).toBeGreaterThan(0);
    expectSame(totalCost(without.difference), without.extra);
    expect(without.removed).toContainEqual({ columnFamily: byName, steps: [0, 1, 2] });
    expect(without.added.length).toBeGreaterThan(0);
    // The alternative is a right answer: other tables at those steps, and other plans of q1.
    expect(without.plans.some(({ statement }) => statement === "q1")).toBe(true);
    const named = new Set(explanation.columnFamilies.map(({ key }) => key));
    for (const { columnFamily } of without.added) expect(named.has(columnFamily)).toBe(true);
    for (const { plan } of without.plans)
      expect(explanation.plans.map(({ key }) => key)).toContain(plan);
  });

  test("the wide table of the other query lacks a byte of room, and costs more there", async () => {
    const explanation = await explainStatement(problem, answer, "q2", 0, tools());
    const { rejected, plan } = explanation;
    expect(answer.steps[0]?.plans.find(({ statement }) => statement === "q2")?.plan).toBe(plan);
    const view = rejected.find(({ interest }) => interest === "best materialised view");
    expect(view?.plan).toContain(byQuantity);
    expect(view?.perExecution).toBeLessThan(0);
    expect(found(view?.instead).extra).toBeGreaterThan(0);
    const room = view?.reasons.find(({ kind }) => kind === "storage");
    const used = answer.steps[0]?.storageBytes ?? 0;
    expect(room).toEqual({ kind: "storage", bytesOver: used + 2_160_800 - 4_360_799 });
    // Asked for by itself, a plan is told the same.
    const full = explanation.plans.find(({ key }) => key === view?.plan);
    if (!full) throw new Error("the explanation names the plan");
    const asked = await explainPlan(problem, answer, 0, full, tools());
    expect(asked.rejected).toEqual({ ...view, interest: "asked" });
    expect(asked.plan).toBe(plan);
  });

  test("a plan switches at the frequency that is told, and not before", async () => {
    // One step: of two tables that do not fit together, the one whose query is asked more often is kept.
    const atOnce = (q1: number): Problem => ({
      ...problem,
      workload: { timeline: { steps: 1, stepSeconds: 3600 }, curves: { q1: [q1], q2: [1] } },
    });
    const explanation = await explainStatement(
      atOnce(9),
      await answerTo(atOnce(9)),
      "q1",
      0,
      tools(),
    );
    const { switchesBelow: below, switchesAbove, switchesUnfinished } = explanation;
    expect(below?.certainty).toBe("exact");
    const frequency = below?.frequency ?? 0;
    expect(frequency).toBeGreaterThan(0);
    expect(frequency).toBeLessThan(9);
    const planAt = async (f: number): Promise<string | undefined> =>
      (await answerTo(atOnce(f))).steps[0]?.plans.find(({ statement }) => statement === "q1")?.plan;
    expect(await planAt(frequency * 1.001)).toBe(explanation.plan);
    expect(await planAt(frequency * 0.999)).toBe(below?.plan);
    expect([switchesAbove, switchesUnfinished]).toEqual([undefined, false]);
  });

  test("a table that later steps need is not given up at the first, however seldom it is read there", async () => {
    const { switchesBelow } = await explainStatement(problem, answer, "q1", 0, tools());
    expect(switchesBelow).toBeUndefined();
  });

  test("what cannot be forbidden says so", async () => {
    const only = aProblem({
      graph: usersAndItems,
      queries: { q: "SELECT user.name FROM user WHERE user.id = ?" },
      options: { maxGets: 1 },
    });
    const alone = await answerTo(only);
    const key = alone.steps[0]?.schema[0] ?? "";
    const whole = await explainFamily(only, alone, key, tools());
    // Another layout of the same columns, or none: then the reasons name the ban.
    if (whole.without.status === "impossible")
      expect(whole.without.reasons.join(" ")).toContain(key);
    else expect(found(whole.without).extra).toBeGreaterThanOrEqual(0);
  });

  test("with no time the figures are estimates on the right side of the true ones, never called exact", async () => {
    const hurried = { solver, now, timeLimitSeconds: 1e-9 };
    const exact = found((await explainFamily(problem, answer, byName, tools())).without);
    const rough = found((await explainFamily(problem, answer, byName, hurried)).without);
    expect(rough.certainty).toBe("estimate");
    expect(rough.cost).toBeGreaterThanOrEqual(exact.cost * (1 - 1e-9));
    expect(rough.bound).toBeLessThanOrEqual(exact.cost * (1 + 1e-9));
    expectSame(totalCost(rough.difference), rough.extra);
    const explanation = await explainStatement(problem, answer, "q1", 0, hurried);
    expect(explanation.switchesUnfinished).toBe(true);
    for (const { instead } of explanation.rejected)
      if (instead.status === "found") expect(instead.certainty).toBe("estimate");
  });
});

/** The least cost by trying everything. */
function leastCost(tiny: TinyProblem, problem: Problem): number {
  const { storage } = problem;
  const best = bestSequence(
    problem,
    tiny.space,
    storage.kind === "bytes" ? storage.bytes : undefined,
  );
  return best?.cost ?? Number.POSITIVE_INFINITY;
}

/** What a random problem was asked, and how often it had an answer. */
interface Met {
  plans: number;
  switches: number;
}

/** The rejected plans cost what an exhaustive search finds under the pin. */
function expectPinnedCosts(
  { tiny, explanation }: Explained,
  { statement }: StatementExplanation,
  met: Met,
): void {
  for (const { plan, instead } of explanation.rejected) {
    const full = explanation.plans.find(({ key }) => key === plan);
    const columnFamilies = tiny.space.families
      .map(({ columnFamily }) => columnFamily)
      .filter(({ key }) => full?.columnFamilies.includes(key));
    const pin: Restriction = { kind: "plan", demand: "pin", statement, columnFamilies, steps: [0] };
    const cost = leastCost(tiny, { ...tiny.problem, restrictions: [pin] });
    met.plans += 1;
    if (instead.status === "found") expectSame(instead.cost, cost);
    else expect(cost).toBe(Number.POSITIVE_INFINITY);
  }
}

interface Explained {
  readonly tiny: TinyProblem;
  readonly answer: Recommendation;
  readonly explanation: StatementExplanation;
}

/** The answer is the best up to a switch, and no longer beyond it. */
function expectSwitches({ tiny, answer, explanation }: Explained, met: Met): void {
  const { workload } = tiny.problem;
  const { statement, frequency, switchesAbove, switchesBelow } = explanation;
  const least = (f: number): number => {
    const curve = (workload.curves[statement] ?? []).with(0, f);
    const curves = { ...workload.curves, [statement]: curve };
    return leastCost(tiny, { ...tiny.problem, workload: { ...workload, curves } });
  };
  const own = explanation.plans.find(({ key }) => key === explanation.plan)?.cost ?? 0;
  const line = (f: number): number =>
    answer.objective + own * workload.timeline.stepSeconds * (f - frequency);
  for (const [side, turn] of [
    [1, switchesAbove],
    [-1, switchesBelow],
  ] as const) {
    if (!turn) continue;
    met.switches += 1;
    expect(turn.certainty).toBe("exact");
    expectSame(least(turn.frequency), line(turn.frequency));
    // A query that is not asked may switch as soon as it is.
    const beyond = turn.frequency * (1 + 0.1 * side) + (side > 0 ? 0.01 : 0);
    expect(least(beyond)).toBeLessThan(line(beyond) * (1 - 1e-12));
  }
  const far = frequency * 100 + 10;
  if (!switchesBelow) expectSame(least(0), line(0));
  if (!switchesAbove) expectSame(least(far), line(far));
}

describe("on random tiny problems, explanations agree with an exhaustive search", () => {
  test(
    "the costs of pinned plans, and the frequencies at which plans switch",
    async () => {
      const met: Met = { plans: 0, switches: 0 };
      await fc.assert(
        fc.asyncProperty(
          contestedProblem({ ...smallBounds, predicates: 1, steps: 2 }),
          async (random) => {
            const tiny = tinyProblem(random);
            const { problem, space, spaceOptions } = tiny;
            const outcome = await optimise(problem, { gap: 0 }, { solver, now }, spaceOptions);
            if (!("objective" in outcome)) return;
            const statement = outcome.steps[0]?.plans[0]?.statement ?? "";
            const all = { ...tools(), memory: createMemory(space) };
            const explanation = await explainStatement(problem, outcome, statement, 0, all);
            const explained = { tiny, answer: outcome, explanation };
            expectPinnedCosts(explained, explanation, met);
            expectSwitches(explained, met);
          },
        ),
        { numRuns: 10 * times },
      );
      expect(met.plans).toBeGreaterThanOrEqual(10 * times);
      expect(met.switches).toBeGreaterThanOrEqual(times);
    },
    3 * minutes,
  );
});
