/** The least storage under which every query can be answered: what to say when a limit is too small. */

import { variableCount } from "#ilp/model.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import { workloadAt } from "#model/workload.ts";
import { formulate } from "./formulate.ts";
import type { PlanSpace } from "./plan-space.ts";

/** Bytes; undefined when the solver gave no answer. One schema for all steps suffices, so one step is asked. */
export async function smallestStorage(
  solver: IlpSolver,
  space: PlanSpace,
  problem: Problem,
): Promise<number | undefined> {
  const formulation = formulate({
    space,
    workload: workloadAt(problem.workload, 0),
    costModel: problem.costModel,
    options: { initialLoad: false, cyclic: false, buildingCountsAsStorage: false },
    storageBytes: undefined,
    explicit: new Set(),
    tooLarge: [],
  });
  const sizes = space.families.map(({ columnFamily }) => columnFamily.size.bytes);
  const largest = Math.max(...sizes);
  const costs = new Float64Array(variableCount(formulation.model));
  const present = [...(formulation.present[0] ?? [])];
  for (const [c, variable] of present) costs[variable] = (sizes[c] as number) / largest;
  const program = solver.load(formulation.model);
  try {
    program.changeCosts(costs);
    const solution = await program.solve({ relativeGap: 0 });
    if (solution.status !== "optimal") return undefined;
    return present.reduce(
      (sum, [c, variable]) =>
        (solution.values[variable] as number) > 0.5 ? sum + (sizes[c] as number) : sum,
      0,
    );
  } finally {
    program.dispose();
  }
}
