/** The least storage under which every query can be answered: what to say when a limit is too small. */
import { addConstraint, addVariable, variableCount } from "#ilp/model.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import { averageWorkload } from "#model/workload.ts";
import {
  type Formulation,
  formulate,
  isWritable,
  schemaBeforeFirst,
  stepAfter,
} from "./formulate.ts";
import type { PlanSpace } from "./plan-space.ts";
import type { SchemasInput } from "./solve-schemas.ts";

/** Steps times families of a program over time that is still asked. */
const mostPresences = 3000;

/**
 * Bytes; undefined when the solver gave no answer, or the question is too large to be written out. Without pins, bans and
 * a start schema one schema for all steps suffices, so one step is asked.
 */
export async function smallestStorage(
  solver: IlpSolver,
  space: PlanSpace,
  problem: Problem,
  rules?: SchemasInput["rules"],
  startSchema?: SchemasInput["startSchema"],
): Promise<number | undefined> {
  if (!isWritable(space)) return undefined;
  const { workload, costModel, options } = problem;
  const nothing = { space, costModel, storageBytes: undefined, tooLarge: [] };
  const alone = { initialLoad: false, cyclic: false, buildingCountsAsStorage: false };
  const before = schemaBeforeFirst({ workload, options, startSchema });
  if (!rules && !before)
    return leastBytes(
      solver,
      formulate({
        ...nothing,
        workload: averageWorkload(workload),
        options: alone,
        explicit: new Set(),
      }),
    );
  if (space.families.length * workload.timeline.steps > mostPresences) return undefined;
  const explicit = new Set(space.families.keys());
  return leastBytes(
    solver,
    formulate({ ...nothing, workload, options, rules, startSchema, explicit }),
  );
}

/** Minimises the bytes of the largest step. */
async function leastBytes(
  solver: IlpSolver,
  { input, model, present, created }: Formulation,
): Promise<number | undefined> {
  const sizes = input.space.families.map(({ columnFamily }) => columnFamily.size.bytes);
  const unit = Math.max(...sizes);
  const most = addVariable(model, {
    name: "most",
    lower: 0,
    upper: Number.POSITIVE_INFINITY,
    integral: false,
  });
  const steps = present.map((exists, t) => {
    const after = stepAfter(input, t);
    const building =
      input.options.buildingCountsAsStorage && after !== undefined ? created[after] : undefined;
    return [...exists, ...(building ?? [])];
  });
  for (const [t, all] of steps.entries())
    addConstraint(
      model,
      `most_${t}`,
      Number.NEGATIVE_INFINITY,
      0,
      [...all.map(([, variable]) => variable), most],
      [...all.map(([c]) => (sizes[c] as number) / unit), -1],
    );
  const costs = new Float64Array(variableCount(model));
  costs[most] = 1;
  const program = solver.load(model);
  try {
    program.changeCosts(costs);
    const solution = await program.solve({ relativeGap: 0 });
    if (solution.status !== "optimal") return undefined;
    const bytes = steps.map((all) =>
      all.reduce(
        (sum, [c, variable]) =>
          (solution.values[variable] as number) > 0.5 ? sum + (sizes[c] as number) : sum,
        0,
      ),
    );
    return Math.max(...bytes);
  } finally {
    program.dispose();
  }
}
