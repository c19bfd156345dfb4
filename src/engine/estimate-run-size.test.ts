/** The estimate of a run's memory: beside peaks that were measured, and on both sides of what a page has. */
import { describe, expect, test } from "vitest";
import { documentFrom } from "#document/read.ts";
import { toProblem } from "#document/to-problem.ts";
import { generateWorkload, type WorkloadSizes } from "#examples/workloads/generate-workload.ts";
import { namedWorkloads } from "#examples/workloads.ts";
import type { Problem } from "#model/problem.ts";
import { pageBytes } from "#model/run-size.ts";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { estimateRunSize } from "./estimate-run-size.ts";

function problemOf(file: unknown): Problem {
  const document = documentFrom(file);
  const problem = document.ok ? toProblem(document.value) : document;
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

const named = async (name: string): Promise<Problem> =>
  problemOf(await namedWorkloads.find((workload) => workload.name === name)?.load());

const base = { entities: 15, statements: 30, steps: 12 };
const generated = (sizes: Partial<WorkloadSizes>): Problem =>
  problemOf(generateWorkload({ ...base, ...sizes }));

describe("the estimate", () => {
  // Peaks in MB of a process that did nothing else (npm run bench).
  test.each([
    ["hotel", 241],
    ["auction", 260],
    ["tpch-cycles-12", 609],
    ["growth-e15-s10-t12", 248],
    ["growth-e15-s30-t12", 295],
    ["growth-e15-s30-t96", 703],
    ["growth-e15-s100-t12", 661],
    ["growth-e8-s30-t12", 300],
    ["growth-e60-s30-t12", 246],
  ])("%s is within a factor of two of the measured %i MB", async (name, megabytes) => {
    const { bytes, prunedBytes } = estimateRunSize(await named(name));
    expect(bytes / 1e6 / megabytes).toBeGreaterThan(0.5);
    expect(bytes / 1e6 / megabytes).toBeLessThan(2);
    expect(prunedBytes).toBeLessThanOrEqual(bytes);
  });

  test("tells what fits into a page from what does not", async () => {
    for (const name of ["hotel", "auction-mix-10", "tpch-ten-12", "tpch-cycles-96"])
      expect(estimateRunSize(await named(name)).bytes, name).toBeLessThan(pageBytes);
    for (const problem of [
      generated({ statements: 300 }),
      generated({ statements: 200, steps: 48 }),
    ])
      expect(estimateRunSize(problem).bytes).toBeGreaterThan(pageBytes);
  });

  test("grows with statements and with steps that differ, and not with steps that repeat", () => {
    const of = (sizes: Partial<WorkloadSizes>) => estimateRunSize(generated(sizes));
    expect(of({ statements: 60 }).bytes).toBeGreaterThan(of({}).bytes);
    expect(of({ steps: 48 }).bytes).toBeGreaterThan(of({}).bytes);
    const problem = generated({});
    const { timeline, curves } = problem.workload;
    const repeated: Problem = {
      ...problem,
      workload: {
        timeline: { ...timeline, steps: 24 },
        curves: Object.fromEntries(
          Object.entries(curves).map(([id, curve]) => [id, [...curve, ...curve]]),
        ),
      },
    };
    expect(estimateRunSize(repeated)).toEqual(estimateRunSize(problem));
  });

  test("fewer Gets need less", () => {
    const problem = generated({ statements: 100 });
    const two: Problem = { ...problem, options: { ...problem.options, maxGets: 2 } };
    expect(estimateRunSize(two).bytes).toBeLessThan(estimateRunSize(problem).bytes);
    expect(estimateRunSize(two).gets).toBeLessThan(estimateRunSize(problem).gets);
  });

  test("counts about the families that are really proposed for queries", async () => {
    for (const name of ["hotel", "auction"]) {
      const { entityGraph, statements, ...problem } = await named(name);
      const queries = statements.filter(isQuery);
      const compiled = queries.map((query) => compileQuery(entityGraph, query));
      const proposed = enumerateColumnFamilies(entityGraph, compiled, 1).size;
      const { families } = estimateRunSize({ ...problem, entityGraph, statements: queries });
      expect(families / proposed, name).toBeGreaterThan(0.8);
      expect(families / proposed, name).toBeLessThan(2);
    }
  });
});
