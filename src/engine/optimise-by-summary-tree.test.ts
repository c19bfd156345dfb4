/** The paper's search beside our own, and every node of its tree beside an exhaustive search. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import { examples } from "#examples/examples.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type {
  Recommendation,
  RunMode,
  RunOutcome,
  SummaryNode,
  SummaryTree,
} from "#model/recommendation.ts";
import { computeBaselines } from "./baselines.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { optimise } from "./optimise.ts";
import { optimiseBySummaryTree } from "./optimise-by-summary-tree.ts";
import { enumeratePlanSpace, type PlanSpace, type SpaceOptions } from "./plan-space.ts";
import { createMemory, type RunMemory } from "./run-memory.ts";
import { solveOverTime } from "./solve-over-time.ts";
import type { SchemasInput } from "./solve-schemas.ts";
import { summaryTree } from "./summary-tree.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";
import { bestSequence } from "./testing/exhaustive-search.ts";
import {
  contestedProblem,
  randomProblem,
  smallBounds,
  withOptions,
} from "./testing/random-problem.ts";
import { restrictedProblem, type TinyProblem, tinyProblem } from "./testing/tiny-problem.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;
const now = (): number => performance.now() / 1000;

function run(
  problem: Problem,
  mode: RunMode,
  spaceOptions?: SpaceOptions,
  memory?: RunMemory,
): Promise<RunOutcome> {
  return optimise(problem, { gap: 0, mode }, { solver, now }, spaceOptions, memory);
}

function answerOf(outcome: RunOutcome): Recommendation {
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}

function treeOf({ summaryTree: tree }: Recommendation): SummaryTree {
  if (!tree) throw new Error("no tree");
  return tree;
}

/** Agreement up to rounding. */
function expectSame(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(
    1e-6 * Math.max(1e-9, Math.abs(expected)),
  );
}

function expectAtMost(lower: number, upper: number): void {
  expect(lower).toBeLessThanOrEqual(upper + 1e-6 * Math.max(1e-9, Math.abs(upper)));
}

/** Nodes as Algorithm 1 has them, schemas handed down, and nothing in the answer that no node chose (15). */
function expectTree(answer: Recommendation): void {
  const { nodes, candidates } = treeOf(answer);
  const count = answer.steps.length;
  expect(nodes.map(({ parent, first, last, steps }) => ({ parent, first, last, steps }))).toEqual(
    summaryTree(count),
  );
  for (const node of nodes) {
    if (node.parent === undefined || node.inherited.length === 0) continue;
    const parent = nodes[node.parent] as SummaryNode;
    expect(node.inherited).toEqual([node.first, node.last]);
    for (const t of node.inherited)
      expect(node.schemas[node.steps.indexOf(t)]).toEqual(parent.schemas[parent.steps.indexOf(t)]);
  }
  const chosen = new Set(nodes.flatMap(({ schemas }) => schemas.flat()));
  expect(candidates.toSorted()).toEqual([...chosen].sort());
  for (const { schema } of answer.steps) for (const key of schema) expect(chosen).toContain(key);
  const shown = new Set(answer.columnFamilies.map(({ key }) => key));
  for (const key of candidates) expect(shown).toContain(key);
}

/** A node's three steps as a problem of its own, its seconds written out. */
function problemOfNode({ problem }: TinyProblem, space: PlanSpace, node: SummaryNode): Problem {
  const { workload, options, startSchema, ...rest } = problem;
  const { steps, stepSeconds } = node;
  const begins = node.first === 0 && !(options.cyclic && workload.timeline.steps > 1);
  const isRoot = node.parent === undefined;
  return {
    ...rest,
    workload: {
      timeline: { steps: steps.length, stepSeconds },
      curves: Object.fromEntries(
        Object.entries(workload.curves).map(([id, curve]) => [
          id,
          steps.map((t) => curve[t] as number),
        ]),
      ),
    },
    options: {
      ...options,
      initialLoad: options.initialLoad && begins,
      cyclic: options.cyclic && isRoot,
    },
    ...(begins && startSchema && { startSchema }),
    restrictions: [
      ...(problem.restrictions ?? []).flatMap((each) => {
        const at = steps.flatMap((t, s) => (!each.steps || each.steps.includes(t) ? [s] : []));
        return at.length > 0 ? [{ ...each, steps: at }] : [];
      }),
      ...node.inherited.flatMap((t): Restriction[] => {
        const at = steps.indexOf(t);
        const schema = new Set<ColumnFamilyKey>(node.schemas[at]);
        return space.families.map(({ columnFamily }) => ({
          kind: "family",
          demand: schema.has(columnFamily.key) ? "pin" : "ban",
          columnFamily,
          steps: [at],
        }));
      }),
    ],
  };
}

const bounds = { ...smallBounds, predicates: 1 };
const tinyProblems = fc.oneof(
  { weight: 2, arbitrary: randomProblem({ ...bounds, steps: 6 }) },
  { weight: 4, arbitrary: contestedProblem({ ...bounds, steps: 7 }) },
  { weight: 2, arbitrary: contestedProblem({ ...bounds, steps: 5, changes: 1 }) },
);

/** Every node against an exhaustive search of its steps, and the answer against one among what the nodes chose. */
async function expectPaper(tiny: TinyProblem, answer: Recommendation): Promise<void> {
  const { problem, space, spaceOptions } = tiny;
  const { nodes, candidates } = treeOf(answer);
  expectTree(answer);
  const limit = problem.storage.kind === "bytes" ? problem.storage.bytes : undefined;
  for (const node of nodes) {
    const least = bestSequence(problemOfNode(tiny, space, node), space, limit);
    expect(node.objective === undefined).toBe(least === undefined);
    if (least) expectSame(node.objective ?? Number.NaN, least.cost);
  }
  // Among all that there is it is the certified optimum; pins and bans may name what is left out.
  if (problem.restrictions || candidates.length === space.families.length) return;
  const only = new Set(candidates);
  const among = answerOf(await run(problem, "certified", { ...spaceOptions, only }));
  expectSame(answer.objective, among.objective);
}

describe("on random tiny problems", () => {
  test(
    "every node is the best of its steps, the answer the best among what nodes chose, and never better than the certified one",
    async () => {
      const met = { answers: 0, nodes: 0 };
      await fc.assert(
        fc.asyncProperty(tinyProblems, fc.boolean(), fc.boolean(), async (random, pins, cyclic) => {
          const drawn = tinyProblem(random);
          const restricted = pins ? restrictedProblem(drawn, random.dice) : drawn;
          const tiny = { ...restricted, problem: withOptions(restricted.problem, { cyclic }) };
          const { problem, spaceOptions, space } = tiny;
          const memory = createMemory(space);
          const certified = await run(problem, "certified", spaceOptions, memory);
          const byTree = await run(problem, "summary-tree", spaceOptions, memory);
          if (!("objective" in byTree)) {
            // Only pins and bans that differ from step to step can make it miss every answer.
            expect(byTree.status).toBe("infeasible");
            expect(pins || certified.status === "infeasible").toBe(true);
            return;
          }
          expectAtMost(answerOf(certified).objective, byTree.objective);
          expectAtMost(byTree.bound, answerOf(certified).objective);
          await expectPaper(tiny, byTree);
          met.answers += 1;
          met.nodes += treeOf(byTree).nodes.length;
        }),
        { numRuns: 16 * times },
      );
      expect(met.answers).toBeGreaterThanOrEqual(6 * times);
      expect(met.nodes).toBeGreaterThanOrEqual(12 * times);
    },
    2 * minutes,
  );
});

describe("on the examples", () => {
  /** An example with only some of its steps, enough for a root with children, and every `nth` statement. */
  const inputOf = async (
    id: string,
    times: readonly number[],
    nth: number,
  ): Promise<SchemasInput> => {
    const document = documentFrom(await examples.find((each) => each.id === id)?.load());
    const problem = document.ok ? toProblem(document.value) : document;
    if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
    const { workload, costModel, options, storage } = problem.value;
    const curves = Object.entries(workload.curves).map(([statement, curve]) => [
      statement,
      times.map((t) => curve[t]),
    ]);
    return {
      space: enumeratePlanSpace(
        {
          ...problem.value,
          statements: problem.value.statements.filter((_, at) => at % nth === 0),
        },
        () => {},
      ),
      workload: {
        timeline: { ...workload.timeline, steps: times.length },
        curves: Object.fromEntries(curves),
      },
      costModel,
      options,
      storageBytes: storage.kind === "bytes" ? storage.bytes : undefined,
    };
  };
  const limits = { gap: 0, secondsLeft: () => undefined };
  const deaf = { now, onNode: () => {}, onTree: () => {} };

  test.each([
    ["user-item", [0, 1, 2, 3], undefined, 1],
    ["crossover", [0, 1, 2, 3, 4, 5], undefined, 1],
    ["hotel", [1, 3, 5, 7], 21_000_000_000, 1],
    ["likes", [0, 1, 2, 3], undefined, 1],
    ["auction", [0, 3, 5, 7], undefined, 2],
  ] as const)(
    "%s costs no less by the tree than certified",
    async (id, steps, bytes, nth) => {
      const input = await inputOf(id, steps, nth);
      const given = bytes === undefined ? input : { ...input, storageBytes: bytes };
      const baselines = await computeBaselines(solver, given, limits, {
        onBound: () => {},
        onStatic: () => {},
      });
      if ("status" in baselines) throw new Error(baselines.status);
      const { steps: alone, bestStatic } = baselines;
      const certified = await solveOverTime(solver, given, alone, limits, bestStatic);
      const byTree = await optimiseBySummaryTree(
        solver,
        given,
        alone,
        limits,
        bestStatic?.[0],
        deaf,
      );
      if (certified.status !== "solved" || !("outcome" in byTree)) throw new Error("no answer");
      expect(byTree.outcome.finished).toBe(true);
      expectAtMost(certified.choice.cost, byTree.outcome.choice.cost);
      expect(byTree.tree.nodes.map(({ steps: each }) => each)).toEqual(
        summaryTree(steps.length).map(({ steps: each }) => each),
      );
    },
    minutes,
  );
});

describe("a run by the summary tree", () => {
  const crossover = aProblem({
    graph: usersAndItems,
    queries: {
      q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
      q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
    },
    curves: { q1: [9, 9, 0.01, 0.01], q2: [0.01, 0.01, 9, 9] },
    stepSeconds: 3600,
    storage: { kind: "bytes", bytes: 3_200_000 },
  });

  test("twice gives byte-equal answers, seconds apart", async () => {
    const bytes = (outcome: RunOutcome): string =>
      JSON.stringify({ ...answerOf(outcome), seconds: undefined });
    const first = bytes(await run(crossover, "summary-tree"));
    expect(bytes(await run(crossover, "summary-tree"))).toBe(first);
  });

  test("tells its nodes as it goes, and what each took", async () => {
    const told: string[] = [];
    const answer = answerOf(
      await optimise(
        crossover,
        { gap: 0, mode: "summary-tree" },
        {
          solver,
          now,
          onProgress: ({ stage, message, counts }) => {
            if (stage === "tree") told.push(`${message}, ${counts["done"]} of ${counts["all"]}`);
          },
        },
      ),
    );
    expect(told).toEqual([
      "Summary tree: steps 1 to 4, 0 of 2",
      "Summary tree: steps 2 to 4, 1 of 2",
    ]);
    expect(answer.seconds["tree node 1"]).toBeGreaterThan(0);
    expect(answer.seconds["tree node 2"]).toBeGreaterThan(0);
    expect(answer.notes.join(" ")).toContain("The tree gives no bound");
    // Four steps between three: each stands for a step and a third at the root, for itself at the leaf.
    expect(treeOf(answer).nodes.map(({ stepSeconds }) => stepSeconds)).toEqual([4800, 3600]);
  });

  test("is recounted: what its nodes hand down, and what the answer takes from them", async () => {
    const answer = answerOf(await run(crossover, "summary-tree"));
    expect(checkRecommendation(answer, crossover)).toEqual([]);
    const tree = treeOf(answer);
    const [root, leaf] = tree.nodes as [SummaryNode, SummaryNode];
    const says = (summaryTree: SummaryTree): string =>
      checkRecommendation({ ...answer, summaryTree }, crossover)
        .map(({ message }) => message)
        .join(" ");
    const used = answer.steps[0]?.schema[0] as string;
    const others = tree.candidates.filter((key) => key !== used);
    expect(says({ ...tree, candidates: others })).toContain(
      `Step 1 has ${used}, which the summary tree leaves out.`,
    );
    const schemas = root.schemas.map((schema, at) => (at === 2 ? [] : schema));
    expect(says({ ...tree, nodes: [{ ...root, schemas }, leaf] })).toBe(
      "Node 2 of the summary tree does not have at step 4 what its parent has there.",
    );
    expect(says({ ...tree, nodes: [root] })).toContain(
      "No node of the summary tree looks at step 3.",
    );
    expect(says({ ...tree, nodes: [root, { ...leaf, parent: 1 }] })).toContain("not before it");
  });

  test("leaves out a table for steps that its root weighs too lightly, whatever is known to be cheaper", async () => {
    // The root looks at steps 1, 3 and 6, and each stands for two: the last three steps count as two, for which the
    // other wide table does not pay. Below, the last step is settled, and no node asks for that table again.
    const often = [9, 9, 9, 0.01, 0.01, 0.01];
    const wide = (column: string): string =>
      `[item.${column}] [item.id↑, user.id↑] → user.email, user.name of item(user:user)`;
    const problem: Problem = {
      ...crossover,
      workload: {
        timeline: { steps: 6, stepSeconds: 60 },
        curves: { q1: often.toReversed(), q2: often },
      },
      storage: { kind: "bytes", bytes: 3_100_000 },
    };
    const memory = createMemory();
    const certified = answerOf(await run(problem, "certified", undefined, memory));
    const start = certified.steps.map(({ schema }) => schema);
    const tools = { solver, now };
    for (const limits of [{ gap: 0 }, { gap: 0, start }]) {
      const byTree = answerOf(
        await optimise(problem, { ...limits, mode: "summary-tree" }, tools, undefined, memory),
      );
      expect(treeOf(byTree).candidates).toContain(wide("quantity"));
      expect(treeOf(byTree).candidates).not.toContain(wide("name"));
      expect(byTree.objective).toBeGreaterThan(1.2 * certified.objective);
    }
    expect(certified.steps[5]?.schema).toContain(wide("name"));
  });

  test("is stopped with an answer, once it has one", async () => {
    let clock = 0;
    const outcome = await optimise(
      crossover,
      { gap: 0, mode: "summary-tree", timeLimitSeconds: 1000 },
      {
        solver,
        now: () => clock,
        onProgress: ({ stage }) => {
          if (stage === "tree") clock = 2000;
        },
      },
    );
    const answer = answerOf(outcome);
    expect(answer.notes.join(" ")).toMatch(/stopped/);
    expect(answer.bound).toBeLessThanOrEqual(answer.objective);
  });

  test("without any answer says why", async () => {
    const problem: Problem = { ...crossover, storage: { kind: "bytes", bytes: 1000 } };
    const outcome = await run(problem, "summary-tree");
    expect(outcome).toMatchObject({ status: "infeasible" });
    expect("smallestStorage" in outcome && outcome.smallestStorage).toBeGreaterThan(1000);
  });
});
