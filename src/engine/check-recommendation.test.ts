/** The recount accepts what `optimise` answers and rejects what somebody changed (engine.md §10). */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { isQuery } from "#model/statement.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { optimise } from "./optimise.ts";
import { aGraph, aProblem } from "./testing/examples.ts";
import { type RandomProblem, randomProblem } from "./testing/random-problem.ts";
import {
  addUp,
  anywhere,
  type Draft,
  type Example,
  examples,
  tamperings,
} from "./testing/tampering.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;
let solver: IlpSolver;
const answers = new Map<Example, Recommendation>();
beforeAll(async () => {
  solver = await openHighs();
  for (const [name, problem] of Object.entries(examples))
    answers.set(name as Example, await answerTo(problem));
}, 60_000);

async function answerTo(problem: Problem): Promise<Recommendation> {
  const outcome = await optimise(
    problem,
    { gap: 0 },
    { solver, now: () => performance.now() / 1000 },
  );
  if ("objective" in outcome) return outcome;
  throw new Error(`no answer: ${JSON.stringify(outcome)}`);
}
describe("the recount", () => {
  test("accepts the answers to the examples", () => {
    for (const [name, answer] of answers)
      expect([name, checkRecommendation(answer, examples[name])]).toEqual([name, []]);
  });

  test("accepts an answer about next to no rows", async () => {
    // One link among three million ants: 6.7e-8 rows are expected, and as many groups.
    const graph = aGraph(
      [
        {
          name: "Ant",
          count: 3_000_000,
          attributes: [
            { name: "id", type: "int" },
            { name: "x", type: "int", distinct: 5 },
          ],
          identifier: ["id"],
        },
      ],
      [
        {
          multiplicity: "oneToMany",
          ends: [
            { entity: "Ant", role: "up" },
            { entity: "Ant", role: "down" },
          ],
          optional: true,
          links: 1,
        },
      ],
    );
    const q =
      "SELECT a.id, count(*) FROM Ant AS a, a.down AS b WHERE b.id = ? AND b.x = ? GROUP BY a.id";
    const problem = aProblem({ graph, queries: { q } });
    expect(checkRecommendation(await answerTo(problem), problem)).toEqual([]);
  });

  test.each(tamperings.map((each) => [each.what, each] as const))(
    "rejects %s",
    (_, { on, sums, change }) => {
      const draft = structuredClone(answers.get(on)) as Draft;
      change(draft);
      if (sums === "added up") addUp(draft, examples[on]);
      const violations = checkRecommendation(draft as Recommendation, examples[on]);
      expect(violations.map(({ message }) => message)).not.toEqual([]);
    },
  );

  test("answers a file in which something was put in place of something else with violations, and never throws", () => {
    const strange = [-1, 0, 1, 7, 1e300, "", "x", "item", true, [], {}];
    let refused = 0;
    for (const [name, answer] of answers) {
      const leaves = leavesOf(answer, []);
      const stride = Math.max(1, Math.floor(leaves.length / 60));
      leaves
        .filter((_, index) => index % stride === 0)
        .forEach((path, index) => {
          const draft = structuredClone(answer);
          // The file's form allows any value of the same kind.
          const value = valueAt(draft, path);
          const others = strange.filter((each) => typeof each === typeof value && each !== value);
          const put = others[index % Math.max(1, others.length)];
          if (put === undefined) return;
          setAt(draft, path, put);
          if (checkRecommendation(draft, examples[name]).length > 0) refused += 1;
        });
    }
    expect(refused).toBeGreaterThanOrEqual(100);
  });

  test("accepts an answer whose sums are added up again, so that what it rejects is the change alone", () => {
    for (const [name, answer] of answers) {
      const draft = structuredClone(answer) as Draft;
      addUp(draft, examples[name]);
      expect([name, checkRecommendation(draft as Recommendation, examples[name])]).toEqual([
        name,
        [],
      ]);
    }
  });
});

type Path = readonly (string | number)[];

/** Where numbers, texts and flags stand, except what is never judged. */
function leavesOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    ["seconds", "counts", "notes"].includes(key) ? [] : leavesOf(inner, [...path, key]),
  );
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
}

function setAt(value: unknown, path: Path, put: unknown): void {
  const [last = ""] = path.slice(-1);
  (valueAt(value, path.slice(0, -1)) as Record<string, unknown>)[last] = put;
}

const moderate = { entities: 4, nodes: 3, queries: 2, predicates: 2, steps: 3, changes: 1 };

/** Candidates that a run may have to choose from; the few problems with more take seconds each. */
const mostCandidates = 160;

function isModerate({ problem }: RandomProblem): boolean {
  const queries = problem.statements
    .filter(isQuery)
    .map((query) => compileQuery(problem.entityGraph, query));
  return enumerateColumnFamilies(problem.entityGraph, queries, 1).size <= mostCandidates;
}

describe("on random problems with their whole pools, the recount", () => {
  test(
    "accepts every answer and rejects it after a change",
    async () => {
      const tried = new Set<string>();
      let answers = 0;
      await fc.assert(
        fc.asyncProperty(randomProblem(moderate).filter(isModerate), async (random) => {
          const { problem, dice } = random;
          const outcome = await optimise(
            problem,
            { gap: 0 },
            { solver, now: () => performance.now() / 1000 },
          );
          expect(["optimal", "infeasible"], JSON.stringify(outcome).slice(0, 1000)).toContain(
            outcome.status,
          );
          if (!("objective" in outcome)) return;
          answers += 1;
          expect(checkRecommendation(outcome, problem)).toEqual([]);
          Object.entries(anywhere).forEach(([what, change], index) => {
            const draft = structuredClone(outcome) as Draft;
            if (!change(draft, dice[index % dice.length] as number)) return;
            if (!/cost|objective|bound|bytes/.test(what)) addUp(draft, problem);
            expect(checkRecommendation(draft as Recommendation, problem), what).not.toEqual([]);
            tried.add(what);
          });
        }),
        { numRuns: 32 * times },
      );
      expect(answers).toBeGreaterThanOrEqual(20 * times);
      expect(tried.size).toBeGreaterThanOrEqual(10);
    },
    3 * minutes,
  );
});
