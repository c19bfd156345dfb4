/** Every named workload is a document without issues; generated ones have the sizes asked for. */
import { describe, expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery } from "#model/statement.ts";
import { generateWorkload } from "./workloads/generate-workload.ts";
import { namedWorkloads } from "./workloads.ts";

function problemOf(file: unknown): Problem {
  const document = documentFrom(file);
  if (!document.ok) throw new Error(JSON.stringify(document.issues));
  expect(document.warnings).toEqual([]);
  const problem = toProblem(document.value);
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

const problemNamed = async (name: string): Promise<Problem> =>
  problemOf(await namedWorkloads.find((workload) => workload.name === name)?.load());

/** How many steps differ from all steps before them. */
function distinctSteps({ workload }: Problem): number {
  const curves = Object.values(workload.curves);
  const steps = Array.from({ length: workload.timeline.steps }, (_, t) =>
    JSON.stringify(curves.map((curve) => curve[t])),
  );
  return new Set(steps).size;
}

describe("the workloads of the bench", () => {
  test("have names of their own and are read without issues", async () => {
    expect(new Set(namedWorkloads.map(({ name }) => name)).size).toBe(namedWorkloads.length);
    for (const { name, sizes, load } of namedWorkloads) {
      const { statements, workload, entityGraph } = problemOf(await load());
      expect(statements.length, name).toBeGreaterThan(0);
      if (!sizes) continue;
      expect(Object.keys(entityGraph.entities).length, name).toBe(sizes.entities);
      expect(statements.length, name).toBe(sizes.statements);
      expect(workload.timeline.steps, name).toBe(sizes.steps);
      expect(distinctSteps({ workload } as Problem), name).toBe(sizes.steps);
    }
  });

  test("the auction's mixes have 28 queries and 8 updates, and as many distinct steps as they say", async () => {
    const mixes = await problemNamed("auction-mix-10");
    expect(mixes.statements.filter(isQuery).length).toBe(28);
    expect(mixes.statements.length).toBe(36);
    expect([mixes.workload.timeline.steps, distinctSteps(mixes)]).toEqual([10, 10]);
    expect(mixes.workload.curves["storeBid"]?.[0]).toBe(0);
    expect(mixes.workload.curves["storeBid"]?.[9]).toBe(374);
    const regimes = await problemNamed("auction-regimes-20");
    expect([regimes.workload.timeline.steps, distinctSteps(regimes)]).toEqual([20, 2]);
    expect(regimes.workload.curves["storeBid"]?.slice(4, 6)).toEqual([0, 37.4]);
  });

  test("ten TPC-H statements stand under two curves", async () => {
    const ten = await problemNamed("tpch-ten-12-at-90");
    expect(ten.statements.length).toBe(10);
    expect(ten.storage).toEqual({ kind: "percentOfStaticAverage", percent: 90 });
    expect(new Set(Object.values(ten.workload.curves).map((curve) => curve.join())).size).toBe(2);
  });

  test("dearer migrations change what extraction and loading cost, and nothing else", async () => {
    const { costModel: usual } = await problemNamed("tpch-cycles-12");
    const { costModel: dear } = await problemNamed("tpch-cycles-12-migration-60");
    expect(dear.extract.perByte).toBeCloseTo(usual.extract.perByte * 60, 12);
    expect(dear.load.fixed).toBe(usual.load.fixed * 60);
    expect({ ...dear, name: "", extract: 0, load: 0 }).toEqual({
      ...usual,
      name: "",
      extract: 0,
      load: 0,
    });
  });
});

test("a generated workload depends on its sizes and seed alone", () => {
  const sizes = { entities: 9, statements: 20, steps: 5 };
  const text = JSON.stringify(generateWorkload(sizes));
  expect(JSON.stringify(generateWorkload(sizes))).toBe(text);
  expect(JSON.stringify(generateWorkload({ ...sizes, seed: 2 }))).not.toBe(text);
});
