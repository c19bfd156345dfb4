/**
 * An answer under more conditions when there is no time to prove the best: the program over the column
 * families of the answer that is explained and of the cheapest plans that the conditions leave. What it
 * finds can be had; and no answer under more conditions costs less than the bound without them.
 */
import { relativeGap } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { schemaBeforeFirst } from "./formulate.ts";
import type { RunTools } from "./optimise.ts";
import type { PlanSpace } from "./plan-space.ts";
import { readAnswer } from "./read-solution.ts";
import { keepFamilies } from "./reduce-program.ts";
import { isAllowed, rulesOf, type StepRules } from "./restrictions.ts";
import { type SchemasInput, solveSchemas } from "./solve-schemas.ts";
import { startPositions } from "./start-schema.ts";

/** Cheapest plans of every read that take part. */
const plansEach = 3;
/** Cheapest plans of every read among which they are sought. */
const lookedAt = 50;
/** Seconds that the small program gets. */
const seconds = 5;

/** `problem` has the further conditions, `answer` is the one without them; undefined where nothing was found. */
export async function estimateAlternative(
  problem: Problem,
  answer: Recommendation,
  space: PlanSpace,
  { solver, now }: Pick<RunTools, "solver" | "now">,
): Promise<Recommendation | undefined> {
  const { workload, costModel, options } = problem;
  const rules = rulesOf(problem, space);
  const started = now();
  const input: SchemasInput = {
    space,
    workload,
    costModel,
    options,
    rules,
    startSchema: startPositions(problem, space),
    storageBytes: answer.storageLimit,
  };
  const families = new Set([
    ...familiesOf(answer, space),
    ...(schemaBeforeFirst(input) ?? []),
    ...cheapestFamilies(space, rules),
  ]);
  const kept = answer.steps.map(() => keepFamilies(input, families));
  const limits = { gap: 1e-3, secondsLeft: () => seconds - (now() - started) };
  const outcome = await solveSchemas(solver, { ...input, kept }, limits, undefined);
  if (outcome.status !== "solved") return undefined;
  const { families: shown, ...read } = readAnswer(input, outcome.choice);
  const objective = outcome.choice.cost;
  const bound = Math.min(answer.bound, objective);
  return {
    ...answer,
    ...read,
    status: "feasible",
    objective,
    bound,
    gap: relativeGap(objective, bound),
    columnFamilies: shown.flatMap((family) => space.families[family]?.columnFamily ?? []),
  };
}

function familiesOf({ steps }: Recommendation, space: PlanSpace): number[] {
  const keys = new Set(steps.flatMap(({ schema }) => schema));
  return [...space.families.keys()].filter((at) =>
    keys.has(space.families[at]?.columnFamily.key ?? ""),
  );
}

/** Of every read's cheapest plans, at each step, those that pins and bans allow. */
function cheapestFamilies(
  { flows }: PlanSpace,
  rules: readonly StepRules[] | undefined,
): Set<number> {
  const found = new Set<number>();
  for (const step of rules ?? [])
    flows.forEach(({ space }, flow) => {
      const { banned, plans } = step;
      const pinned = (plans.get(flow) ?? []).filter(({ demand }) => demand === "pin");
      const cheapest = space
        .cheapestPlans(lookedAt)
        .filter(
          ({ families, path }) =>
            isAllowed(step, flow, space, path) && !families.some((family) => banned.has(family)),
        )
        .slice(0, plansEach);
      for (const { families } of [...pinned, ...cheapest])
        for (const family of families) if (family >= 0) found.add(family);
    });
  return found;
}
