/**
 * Leaving out, without loss, what no better answer can use.
 *
 * The linear relaxation of one step alone gives a bound and reduced costs. With migrations free, the
 * program over time falls apart into its steps, so a solution of total cost at most U spends at most
 *   U − Σ_{s≠t} (bound of step s alone)
 * on step t; a plan or family whose reduced cost at t exceeds the slack between that and the step's
 * relaxation is used at t by no solution as good as U, and is fixed at zero there (reduced-cost fixing,
 * for example Wolsey, Integer Programming, 2nd ed., §7.4). What remains still contains every
 * solution as good as U, ties included.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import { type FormulationInput, formulate, type KeptStep } from "./formulate.ts";

/** The relaxation of one step: its value and reduced costs, all in milliseconds. */
export interface StepPrices {
  readonly cost: number;
  /** plans[query][plan] */
  readonly plans: readonly (readonly number[])[];
  readonly families: readonly number[];
  /** Families that stand in the relaxation's solution: kept in any case. */
  readonly present: readonly boolean[];
}

export type PricesOutcome =
  | { readonly status: "priced"; readonly prices: StepPrices }
  | { readonly status: "infeasible" }
  | { readonly status: "timedOut" }
  | { readonly status: "failed"; readonly message: string };

/** Solves the relaxation of a one-step program. */
export async function priceStep(
  solver: IlpSolver,
  input: FormulationInput,
  secondsLeft: number | undefined,
): Promise<PricesOutcome> {
  const formulation = formulate(input);
  const program = solver.load(formulation.model);
  try {
    const limit =
      secondsLeft === undefined ? {} : { timeLimitSeconds: Math.max(secondsLeft, 0.001) };
    const solution = await program.solveRelaxation(limit);
    if (solution.status === "infeasible" || solution.status === "timedOut")
      return { status: solution.status };
    if (solution.status === "failed") return { status: "failed", message: solution.message };
    if (solution.status === "unbounded")
      return { status: "failed", message: "The relaxation has no least cost." };
    const { scale, used, present } = formulation;
    const price = (variable: number | undefined): number =>
      variable === undefined
        ? Number.POSITIVE_INFINITY
        : (solution.reducedCosts[variable] as number) * scale;
    return {
      status: "priced",
      prices: {
        cost: solution.objective * scale,
        // Banned plans and families have no variable, and are kept by no limit.
        plans: (used[0] ?? []).map((variables, q) =>
          [...(input.space.flows[q]?.space.plans.keys() ?? [])].map((p) => price(variables.get(p))),
        ),
        families: [...input.space.families.keys()].map((c) => price(present[0]?.get(c))),
        present: [...input.space.families.keys()].map((c) => {
          const variable = present[0]?.get(c);
          return variable !== undefined && (solution.values[variable] as number) > 0;
        }),
      },
    };
  } finally {
    program.dispose();
  }
}

/** Reduced costs are exact to about this share of the step's cost. */
const priceTolerance = 1e-7;

/** What may take part in solutions that cost the step at most `slack` more than its relaxation. */
export function keepWithin(
  { space }: Pick<FormulationInput, "space">,
  prices: StepPrices,
  slack: number,
): KeptStep {
  const limit = slack + priceTolerance * Math.max(1, prices.cost);
  const kept = prices.families.map((price, c) => price <= limit || prices.present[c] === true);
  const families = [...kept.keys()].filter((c) => kept[c]);
  const plans = space.flows.map(({ space: { plans: all } }, q) =>
    [...all.keys()].filter(
      (p) =>
        (prices.plans[q]?.[p] ?? Number.POSITIVE_INFINITY) <= limit &&
        all[p]?.families.every((family) => kept[family]),
    ),
  );
  return { plans, families };
}

/** What a given set of families allows. */
export function keepFamilies(
  { space }: Pick<FormulationInput, "space">,
  families: ReadonlySet<number>,
): KeptStep {
  return {
    plans: space.flows.map(({ space: { plans } }) =>
      [...plans.keys()].filter((p) => plans[p]?.families.every((family) => families.has(family))),
    ),
    families: [...families].sort((a, b) => a - b),
  };
}
