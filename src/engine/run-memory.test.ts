/** A run that remembers ends as one that does not, and asks for less. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem, Restriction, StorageLimit } from "#model/problem.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import { optimise, type RunLimits } from "./optimise.ts";
import { enumeratePlanSpace, spaceKey } from "./plan-space.ts";
import { recostWorkload } from "./recost-workload.ts";
import { beginRun, createMemory, type RunMemory } from "./run-memory.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { randomProblem, smallBounds } from "./testing/random-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

/** Programs solved and relaxations begun. */
let asked = 0;

function counting(): IlpSolver {
  return {
    solve: (...all) => {
      asked += 1;
      return solver.solve(...all);
    },
    load: (model) => {
      asked += 1;
      return solver.load(model);
    },
  };
}

async function run(
  problem: Problem,
  memory?: RunMemory,
  limits: RunLimits = { gap: 0 },
): Promise<Ran> {
  asked = 0;
  const bests: Recommendation[] = [];
  const tools = {
    solver: counting(),
    now: () => performance.now() / 1000,
    onBest: (best: Recommendation) => bests.push(best),
  };
  const outcome = await optimise(problem, limits, tools, undefined, memory);
  return { outcome, asked, bests };
}

interface Ran {
  readonly outcome: RunOutcome;
  readonly asked: number;
  readonly bests: readonly Recommendation[];
}

/** The tables of an outcome, step by step. */
function tablesOf({ outcome }: Pick<Ran, "outcome">): Pick<RunLimits, "start"> {
  return "steps" in outcome ? { start: outcome.steps.map(({ schema }) => schema) } : {};
}

/** The outcome as text, without the seconds it took. */
function bytes({ outcome }: { readonly outcome: RunOutcome }): string {
  return JSON.stringify({ ...outcome, seconds: undefined });
}

function objective({ outcome }: Ran): number {
  return "objective" in outcome ? outcome.objective : Number.NaN;
}

const crossover = aProblem({
  graph: usersAndItems,
  queries: {
    q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
    q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
  },
  curves: { q1: [9, 7, 0.01], q2: [0.01, 0.02, 9] },
  stepSeconds: 3600,
  storage: { kind: "bytes", bytes: 3_200_000 },
});

function withPoint(problem: Problem, statement: string, step: number, to: number): Problem {
  const { curves } = problem.workload;
  const curve = (curves[statement] ?? []).with(step, to);
  return {
    ...problem,
    workload: { ...problem.workload, curves: { ...curves, [statement]: curve } },
  };
}

describe("what is remembered of a step", () => {
  test("is not asked for again, and only the step that has changed is", async () => {
    const memory = createMemory();
    const first = await run(crossover, memory);
    const again = await run(crossover, memory);
    expect(bytes(again)).toBe(bytes(first));
    expect(again.asked).toBeLessThan(first.asked / 4);

    const dragged = withPoint(crossover, "q1", 1, 8);
    const edited = await run(dragged, memory);
    expect(bytes(edited)).toBe(bytes(await run(dragged)));
    expect(edited.asked).toBeGreaterThan(again.asked);
    expect(edited.asked).toBeLessThan(first.asked);
  });

  test("tells of a step in which queries run more often whose plans could not be better", async () => {
    const roomy: Problem = { ...crossover, storage: { kind: "none" } };
    const memory = createMemory();
    await run(roomy, memory);
    const again = await run(roomy, memory);
    const dragged = withPoint(withPoint(roomy, "q1", 1, 8), "q2", 1, 0.5);
    const edited = await run(dragged, memory);
    expect(edited.asked).toBe(again.asked);
    expect(bytes(edited)).toBe(bytes(await run(dragged)));
    // Less often: then its table might no longer pay.
    const seldom = withPoint(roomy, "q1", 1, 6);
    const less = await run(seldom, memory);
    expect(less.asked).toBeGreaterThan(again.asked);
    expect(bytes(less)).toBe(bytes(await run(seldom)));
  });

  test("does not tell of a step in which another plan may now be worth its table", async () => {
    const memory = createMemory();
    const { outcome } = await run(crossover, memory);
    const first = "steps" in outcome ? outcome.steps[0] : undefined;
    const q2 = first?.plans.find((each) => each.statement === "q2");
    expect(q2?.plan, "there is no room for the best plan").toContain("⋈");
    const dragged = withPoint(crossover, "q2", 0, 90);
    expect(bytes(await run(dragged, memory))).toBe(bytes(await run(dragged)));
  });

  test("was found under one storage limit and serves under no other", async () => {
    const memory = createMemory();
    for (const limit of [3_200_000, 2_200_000, 9_000_000]) {
      const limited: Problem = { ...crossover, storage: { kind: "bytes", bytes: limit } };
      expect(bytes(await run(limited, memory))).toBe(bytes(await run(limited)));
    }
  });

  test("was found under the bans of its step and serves under no others", async () => {
    const memory = createMemory();
    const { outcome } = await run(crossover);
    const columnFamily = "columnFamilies" in outcome && outcome.columnFamilies[0];
    if (!columnFamily) throw new Error("the problem has an answer");
    const bannedAt = (steps: readonly number[]): Problem => ({
      ...crossover,
      restrictions: [{ kind: "family", demand: "ban", columnFamily, steps }],
    });
    // The space is the same, whenever the ban holds.
    for (const problem of [bannedAt([0]), bannedAt([0, 1, 2]), bannedAt([2])])
      expect(bytes(await run(problem, memory))).toBe(bytes(await run(problem)));
  });

  test("serves no other space", async () => {
    const memory = createMemory();
    await run(crossover, memory);
    const larger = {
      ...crossover,
      options: { ...crossover.options, sizeFactor: 1.5 },
    };
    const another = enumeratePlanSpace(larger, () => undefined);
    beginRun(memory, another);
    expect(memory.over?.space).toBe(another);
    expect(bytes(await run(larger, memory))).toBe(bytes(await run(larger)));
  });

  test("is not what a search found whose time was up", async () => {
    const memory = createMemory();
    let seconds = 0;
    const slow: IlpSolver = {
      ...solver,
      load: (model) => {
        const program = solver.load(model);
        const solveRelaxation: typeof program.solveRelaxation = async (...all) => {
          seconds = 1000;
          return program.solveRelaxation(...all);
        };
        return { ...program, solveRelaxation };
      },
    };
    const tools = { solver: slow, now: () => seconds };
    await optimise(crossover, { gap: 0, timeLimitSeconds: 600 }, tools, undefined, memory);
    expect(seconds).toBe(1000);
    expect([...(memory.over?.steps.keys() ?? []), ...(memory.over?.prices.keys() ?? [])]).toEqual(
      [],
    );
  });

  test(
    "leads to byte-equal outcomes whatever is edited, undone and edited again",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomProblem({ ...smallBounds, changes: 1 }),
          fc.array(edit, { minLength: 2, maxLength: 5 }),
          async ({ problem }, edits) => {
            let memory = createMemory();
            let now = problem;
            let old: Ran | undefined;
            for (const each of [undefined, ...edits]) {
              const next = each ? edited(now, problem, each) : now;
              if (spaceKey(next) !== spaceKey(now)) memory = createMemory();
              now = next;
              old = await run(now, memory, { gap: 0, ...(old && tablesOf(old)) });
              expect(bytes(old)).toBe(bytes(await run(structuredClone(now))));
            }
          },
        ),
        { numRuns: 12 * times },
      );
    },
    2 * minutes,
  );
});

describe("the tables of an earlier answer", () => {
  /** Steps so long that a change of tables pays. */
  const workload = {
    ...crossover.workload,
    timeline: { ...crossover.workload.timeline, stepSeconds: 360_000 },
  };
  const moving: Problem = { ...crossover, workload };
  const dragged = withPoint(moving, "q2", 2, 0);

  test("are the first answer, at what they cost now, and give way to a better one", async () => {
    const old = await run(moving);
    const fresh = await run(dragged);
    const edited = await run(dragged, undefined, { gap: 0, ...tablesOf(old) });
    const recosted = "steps" in old.outcome ? recostWorkload(old.outcome, dragged) : undefined;
    if (recosted?.status !== "recosted") throw new Error("the tables still serve");
    expect(edited.bests[0]?.objective).toBeCloseTo(recosted.answer.objective, 3);
    expect(edited.bests.at(-1)?.objective).toBeLessThan(recosted.answer.objective - 100);
    const costs = edited.bests.map(({ objective }) => objective);
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    expect(bytes(edited)).toBe(bytes(fresh));
  });

  test("stay where the search is ended before it finds better ones", async () => {
    const best = await run(moving);
    expect("migrations" in best.outcome && best.outcome.migrations.map(({ to }) => to)).toEqual([
      2,
    ]);
    const limits = { gap: 0, ...tablesOf(best) };
    for (let most = 0; most < 24; most += 1) {
      const tools = { solver: counting(), now: () => 0, isStopped: () => asked >= most };
      asked = 0;
      const outcome = await optimise(moving, limits, tools);
      expect(outcome).toMatchObject({ objective: objective(best) });
    }
  });

  test("are no answer where they break a limit of now", async () => {
    const old = await run(moving);
    const tighter: Problem = { ...moving, storage: { kind: "bytes", bytes: 2_200_000 } };
    const edited = await run(tighter, undefined, { gap: 0, ...tablesOf(old) });
    for (const { steps } of edited.bests)
      for (const { storageBytes } of steps) expect(storageBytes).toBeLessThanOrEqual(2_200_000);
    expect(bytes(edited)).toBe(bytes(await run(tighter)));
  });
});

interface Edit {
  readonly kind: "point" | "curve" | "storage" | "cyclic" | "when" | "undo";
  readonly which: number;
  readonly step: number;
  readonly factor: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("point", "point", "point", "curve", "storage", "cyclic", "when", "undo"),
  which: fc.nat({ max: 99 }),
  step: fc.nat({ max: 99 }),
  factor: fc.constantFrom(0, 0.1, 0.9, 1.5, 20),
});

/** What a person does to frequencies, limits and options, or to when a pin holds. */
function edited(problem: Problem, first: Problem, { kind, which, step, factor }: Edit): Problem {
  const { curves, timeline } = problem.workload;
  const ids = Object.keys(curves).sort();
  const id = ids[which % ids.length] as string;
  const at = step % timeline.steps;
  switch (kind) {
    case "point":
      return withPoint(problem, id, at, (curves[id]?.[at] ?? 0) * factor + 0.01);
    case "curve": {
      const scaled = { ...curves, [id]: (curves[id] ?? []).map((each) => each * factor) };
      return { ...problem, workload: { ...problem.workload, curves: scaled } };
    }
    case "storage":
      return { ...problem, storage: limits[which % limits.length] as StorageLimit };
    case "cyclic":
      return { ...problem, options: { ...problem.options, cyclic: !problem.options.cyclic } };
    case "when":
      return {
        ...problem,
        restrictions: pins(first, which).map((pin) => ({ ...pin, steps: [at] })),
      };
    case "undo":
      return first;
  }
}

const limits: readonly StorageLimit[] = [
  { kind: "none" },
  { kind: "percentOfStaticAverage", percent: 100 },
  { kind: "percentOfStaticAverage", percent: 130 },
  { kind: "bytes", bytes: 2_000_000 },
];

/** One of the candidates, to be there or not to be. */
function pins(problem: Problem, which: number): Restriction[] {
  const { families } = enumeratePlanSpace(problem, () => undefined);
  const family = families[which % families.length];
  return family
    ? [
        {
          kind: "family",
          demand: which % 2 === 0 ? "pin" : "ban",
          columnFamily: family.columnFamily,
        },
      ]
    : [];
}
