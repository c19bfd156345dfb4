/**
 * Solving the program of `formulate.ts` for the cheapest schemas over time, with a bound.
 *
 * Migration is written out lazily: the program starts as a relaxation in which building a family
 * costs its cheapest extraction and needs no source; families that an answer builds are then written
 * out and the program is solved again, until an answer builds nothing else. Each relaxation's bound
 * is valid, so is the last one's; the best workable answer met on the way is kept.
 *
 * Ties (§8): with the cost held, the fewest families over all steps (17), then the least size (18).
 */
import {
  addConstraint,
  objectiveCoefficients,
  sparseProgram,
  type VariableIndex,
  variableCount,
} from "#ilp/model.ts";
import type { IlpSolution, IlpSolver, SolveHooks } from "#ilp/solve.ts";
import { type Formulation, type FormulationInput, formulate, stepBefore } from "./formulate.ts";
import {
  type Choice,
  chooseFor,
  pointOf,
  type Schema,
  schemasAt,
  storageCover,
} from "./read-solution.ts";

/** How long and how far to search. */
export interface SearchLimits {
  /** Relative gap at which to stop, 0 … 1. */
  readonly gap: number;
  /** Milliseconds left; undefined for no limit. Asked before every solve. */
  readonly secondsLeft: () => number | undefined;
  readonly onBetter?: (choice: Choice, bound: number) => void;
  readonly onBound?: (bound: number, nodes: number) => void;
}

export interface ProgramSize {
  readonly columns: number;
  readonly rows: number;
  readonly nonZeros: number;
  readonly nodes: number;
}

export type SchemasOutcome =
  | {
      readonly status: "solved";
      readonly choice: Choice;
      /** Milliseconds. */
      readonly bound: number;
      readonly finished: boolean;
      readonly size: ProgramSize;
    }
  | { readonly status: "infeasible" }
  | { readonly status: "timedOut"; readonly bound: number }
  | { readonly status: "failed"; readonly message: string };

type Input = Omit<FormulationInput, "explicit" | "tooLarge">;

export async function solveSchemas(
  solver: IlpSolver,
  input: Input,
  limits: SearchLimits,
  start: readonly Schema[] | undefined,
): Promise<SchemasOutcome> {
  const search: Search = {
    input,
    limits,
    explicit: new Set(),
    tooLarge: [],
    best: start && workable(input, start),
    bound: 0,
  };
  for (const family of builtBy(input, search.best?.schemas ?? [])) search.explicit.add(family);
  for (;;) {
    const held = { ...input, explicit: search.explicit, tooLarge: search.tooLarge };
    const formulation = formulate(held);
    const solution = await run(solver, formulation, search);
    if (solution.status === "infeasible") return { status: "infeasible" };
    if (solution.status === "failed" || solution.status === "unbounded")
      return { status: "failed", message: failureOf(solution) };
    const again = learn(search, formulation, solution);
    if (again) continue;
    const { best, bound } = search;
    if (!best) return { status: "timedOut", bound };
    const finished = solution.status === "optimal";
    const choice = finished ? await settleTies(solver, held, best, limits) : best;
    const size = { ...sizeOf(formulation.model), nodes: solution.nodes };
    return { status: "solved", choice, bound: Math.min(bound, choice.cost), finished, size };
  }
}

function failureOf(solution: IlpSolution & { status: "failed" | "unbounded" }): string {
  return solution.status === "failed" ? solution.message : "The program has no least cost.";
}

/** What a search has learnt so far. */
interface Search {
  readonly input: Input;
  readonly limits: SearchLimits;
  /** Families whose migration is written out. */
  readonly explicit: Set<number>;
  readonly tooLarge: number[][];
  best: Choice | undefined;
  /** Milliseconds. */
  bound: number;
}

/** Takes a solution in; true when the program left something out that it needs, so that it must be solved again. */
function learn(
  search: Search,
  formulation: Formulation,
  solution: IlpSolution & { status: "optimal" | "feasible" | "timedOut" },
): boolean {
  search.bound = Math.max(search.bound, solution.bound * formulation.scale);
  if (solution.status === "timedOut") return false;
  const schemas = schemasAt(formulation, solution.values);
  improve(search, schemas);
  const missing = builtBy(search.input, schemas).filter((family) => !search.explicit.has(family));
  for (const family of missing) search.explicit.add(family);
  const cover = storageCover(search.input, schemas);
  if (cover) search.tooLarge.push(cover);
  const { best, bound } = search;
  const proven = best !== undefined && best.cost - bound <= search.limits.gap * best.cost;
  return solution.status === "optimal" && !proven && (missing.length > 0 || cover !== undefined);
}

/** Keeps the schemas when they are workable and cheaper than the best so far. */
function improve(search: Search, schemas: readonly Schema[]): void {
  const choice = workable(search.input, schemas);
  if (!choice || (search.best && choice.cost >= search.best.cost)) return;
  search.best = choice;
  search.limits.onBetter?.(choice, search.bound);
}

function sizeOf(model: Formulation["model"]): Omit<ProgramSize, "nodes"> {
  const { columnCount, rowCount, columns } = sparseProgram(model);
  return { columns: columnCount, rows: rowCount, nonZeros: columns.length };
}

function run(solver: IlpSolver, formulation: Formulation, search: Search): Promise<IlpSolution> {
  const { limits, best } = search;
  const left = limits.secondsLeft();
  const hooks: SolveHooks = {
    onIncumbent: ({ values, bound }) => {
      search.bound = Math.max(search.bound, bound * formulation.scale);
      improve(search, schemasAt(formulation, values));
    },
    onBound: ({ bound, nodes }) => {
      search.bound = Math.max(search.bound, bound * formulation.scale);
      limits.onBound?.(search.bound, nodes);
    },
  };
  return solver.solve(
    formulation.model,
    {
      relativeGap: limits.gap,
      ...(left !== undefined && { timeLimitSeconds: Math.max(left, 0.001) }),
      ...(best && { start: pointOf(formulation, best) }),
    },
    hooks,
  );
}

function workable(input: Input, schemas: readonly Schema[]): Choice | undefined {
  if (storageCover(input, schemas)) return undefined;
  return chooseFor(input, schemas);
}

/** Families that appear at a later step, whether or not they can be filled. */
function builtBy(input: Input, schemas: readonly Schema[]): number[] {
  const families = new Set<number>();
  schemas.forEach((schema, t) => {
    const before = stepBefore(input, t);
    if (before === undefined) return;
    const then = new Set(schemas[before]);
    for (const family of schema) if (!then.has(family)) families.add(family);
  });
  return [...families];
}

/** Relative slack on a held cost: the solver's own feasibility tolerance, far below what is reported. */
const heldTolerance = 1e-9;

/** Keeps the cost and minimises the number of families, then their size. */
async function settleTies(
  solver: IlpSolver,
  input: FormulationInput,
  best: Choice,
  limits: SearchLimits,
): Promise<Choice> {
  let settled = best;
  const counts = (choice: Choice): number =>
    choice.schemas.reduce((sum, schema) => sum + schema.length, 0);
  for (const goal of ["count", "size"] as const) {
    const formulation = formulate(input);
    const { model, present, scale } = formulation;
    const all = Array.from({ length: variableCount(model) }, (_, index) => index as VariableIndex);
    holdCost(formulation, (best.cost / scale) * (1 + heldTolerance), all);
    const families = present.flat();
    if (goal === "size")
      addConstraint(
        model,
        "families_held",
        0,
        counts(settled),
        families,
        families.map(() => 1),
      );
    const costs = new Float64Array(variableCount(model));
    const largest = Math.max(
      ...input.space.families.map(({ columnFamily }) => columnFamily.size.bytes),
    );
    present.forEach((variables) => {
      variables.forEach((variable, c) => {
        costs[variable] =
          goal === "count" ? 1 : (input.space.families[c]?.columnFamily.size.bytes ?? 0) / largest;
      });
    });
    const program = solver.load(model);
    try {
      program.changeCosts(costs);
      const left = limits.secondsLeft();
      const solution = await program.solve({
        relativeGap: 0,
        start: pointOf(formulation, settled),
        ...(left !== undefined && { timeLimitSeconds: Math.max(left, 0.001) }),
      });
      if (solution.status !== "optimal" && solution.status !== "feasible") continue;
      const choice = workable(input, schemasAt(formulation, solution.values));
      // A cheaper-looking answer that builds a family whose migration is not written out costs more than held.
      if (choice && choice.cost <= best.cost * (1 + 1e-7)) settled = choice;
    } finally {
      program.dispose();
    }
  }
  return settled;
}

function holdCost({ model }: Formulation, upper: number, all: readonly VariableIndex[]): void {
  const costs = objectiveCoefficients(model);
  const used = all.filter((variable) => costs[variable] !== 0);
  addConstraint(
    model,
    "cost_held",
    Number.NEGATIVE_INFINITY,
    upper,
    used,
    used.map((variable) => costs[variable] as number),
  );
}
