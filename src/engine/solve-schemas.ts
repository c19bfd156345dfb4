/**
 * Solving the program of `formulate.ts` for the cheapest schemas over time, with a bound.
 *
 * Migration is written out lazily: the program starts as a relaxation in which building a family
 * costs its cheapest extraction and needs no source; families that an answer builds are then written
 * out and the program is solved again, until an answer builds nothing else. Each relaxation's bound
 * is valid, so is the last one's; the best workable answer met on the way is kept.
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
  trimmed,
} from "./read-solution.ts";
import type { RunMemory } from "./run-memory.ts";

/** How long and how far to search. */
export interface SearchLimits {
  /** Relative gap at which to stop, 0 … 1. */
  readonly gap: number;
  /** Milliseconds left; undefined for no limit. Asked before every solve. */
  readonly secondsLeft: () => number | undefined;
  readonly onBetter?: (choice: Choice) => void;
  /** Called now and then with the nodes searched. */
  readonly onNodes?: (nodes: number) => void;
  /** What earlier runs over the same space found out. */
  readonly memory?: RunMemory;
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
      /** The program as it was last solved: where to settle ties. */
      readonly program: FormulationInput;
    }
  | { readonly status: "infeasible" }
  | { readonly status: "timedOut"; readonly bound: number }
  | { readonly status: "failed"; readonly message: string };

/** The program without what a search finds out by itself. */
export type SchemasInput = Omit<FormulationInput, "explicit" | "tooLarge">;

export async function solveSchemas(
  solver: IlpSolver,
  input: SchemasInput,
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
    const { explicit, tooLarge } = search;
    const program = { ...input, explicit: new Set(explicit), tooLarge: [...tooLarge] };
    const formulation = formulate(program);
    const solution = await run(solver, formulation, search);
    if (solution.status === "infeasible") return { status: "infeasible" };
    if (solution.status === "failed" || solution.status === "unbounded")
      return { status: "failed", message: failureOf(solution) };
    const again = learn(search, formulation, solution);
    if (again) continue;
    const { best, bound } = search;
    if (!best) return { status: "timedOut", bound };
    const finished = solution.status === "optimal";
    const size = { ...sizeOf(formulation.model), nodes: solution.nodes };
    return {
      status: "solved",
      choice: best,
      bound: Math.min(bound, best.cost),
      finished,
      size,
      program,
    };
  }
}

function failureOf(solution: IlpSolution & { status: "failed" | "unbounded" }): string {
  return solution.status === "failed" ? solution.message : "The program has no least cost.";
}

/** What a search has learnt so far. */
interface Search {
  readonly input: SchemasInput;
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
  search.limits.onBetter?.(choice);
}

function sizeOf(model: Formulation["model"]): Omit<ProgramSize, "nodes"> {
  const { columnCount, rowCount, columns } = sparseProgram(model);
  return { columns: columnCount, rows: rowCount, nonZeros: columns.length };
}

async function run(
  solver: IlpSolver,
  formulation: Formulation,
  search: Search,
): Promise<IlpSolution> {
  const { limits, best } = search;
  const left = limits.secondsLeft();
  // HiGHS looks at its clock only now and then, so time that is up already is never handed to it.
  if (left !== undefined && left <= 0)
    return { status: "timedOut", stoppedBy: "timeLimit", bound: 0, nodes: 0, simplexIterations: 0 };
  const hooks: SolveHooks = {
    onIncumbent: ({ values, bound }) => {
      search.bound = Math.max(search.bound, bound * formulation.scale);
      improve(search, schemasAt(formulation, values));
    },
    onBound: ({ bound, nodes }) => {
      search.bound = Math.max(search.bound, bound * formulation.scale);
      limits.onNodes?.(nodes);
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

function workable(input: SchemasInput, schemas: readonly Schema[]): Choice | undefined {
  if (storageCover(input, schemas)) return undefined;
  const choice = chooseFor(input, schemas);
  return choice && trimmed(input, choice);
}

/** Families that appear at a later step, whether or not they can be filled. */
function builtBy(input: SchemasInput, schemas: readonly Schema[]): number[] {
  const families = new Set<number>();
  schemas.forEach((schema, t) => {
    const before = stepBefore(input, t);
    if (before === undefined) return;
    const then = new Set(schemas[before]);
    for (const family of schema) if (!then.has(family)) families.add(family);
  });
  return [...families];
}

/** Answers whose costs differ by no more than this share cost the same: sums are exact to about 1e-13. */
const sameCost = 1e-9;
/** The held cost in the row's units: so large that the solver's tolerance of 1e-6 is far below `sameCost`. */
const heldUnits = 1e5;

/**
 * Of all answers of the same cost the one with the fewest families over all steps (17), and of these
 * the one with the least size (18). `program` must contain all of them.
 */
export async function settleTies(
  solver: IlpSolver,
  program: FormulationInput,
  best: Choice,
  secondsLeft: () => number | undefined,
): Promise<Choice> {
  let settled = best;
  for (const goal of ["count", "size"] as const)
    settled = await settleOne(solver, program, best.cost, settled, goal, secondsLeft);
  return settled;
}

async function settleOne(
  solver: IlpSolver,
  program: FormulationInput,
  cost: number,
  settled: Choice,
  goal: "count" | "size",
  secondsLeft: () => number | undefined,
): Promise<Choice> {
  const explicit = new Set(program.explicit);
  const tooLarge = [...program.tooLarge];
  for (;;) {
    const input = { ...program, explicit: new Set(explicit), tooLarge: [...tooLarge] };
    const schemas = await fewest(solver, input, cost, settled, goal, secondsLeft());
    if (!schemas) return settled;
    const choice = workable(program, schemas);
    if (choice && choice.cost <= cost * (1 + 2 * sameCost)) return choice;
    // It looked as cheap only because the program leaves something out: write that out and ask again.
    const missing = builtBy(program, schemas).filter((family) => !explicit.has(family));
    const cover = storageCover(program, schemas);
    for (const family of missing) explicit.add(family);
    if (cover) tooLarge.push(cover);
    if (missing.length === 0 && !cover) return settled;
  }
}

/** Schemas with the fewest families, or the least size among those with as few families as `settled`, at the held cost. */
async function fewest(
  solver: IlpSolver,
  input: FormulationInput,
  cost: number,
  settled: Choice,
  goal: "count" | "size",
  secondsLeft: number | undefined,
): Promise<Schema[] | undefined> {
  const formulation = formulate(input);
  const { model, present, scale } = formulation;
  holdCost(formulation, cost / scale);
  const variables = present.flatMap((step) => [...step]);
  const count = settled.schemas.reduce((sum, schema) => sum + schema.length, 0);
  if (goal === "size") {
    const row = variables.map(([, variable]) => variable);
    addConstraint(
      model,
      "families_held",
      0,
      count,
      row,
      row.map(() => 1),
    );
  }
  const sizes = input.space.families.map(({ columnFamily }) => columnFamily.size.bytes);
  // In shares of what is to be beaten, so that a small difference is not lost beside one huge family.
  const total = settled.schemas.flat().reduce((sum, family) => sum + (sizes[family] as number), 0);
  const costs = new Float64Array(variableCount(model));
  for (const [c, variable] of variables)
    costs[variable] = goal === "count" ? 1 : (1000 * (sizes[c] as number)) / total;
  const loaded = solver.load(model);
  try {
    loaded.changeCosts(costs);
    const solution = await loaded.solve({
      relativeGap: 0,
      start: pointOf(formulation, settled),
      ...(secondsLeft !== undefined && { timeLimitSeconds: Math.max(secondsLeft, 0.001) }),
    });
    const found = solution.status === "optimal" || solution.status === "feasible";
    return found ? schemasAt(formulation, solution.values) : undefined;
  } finally {
    loaded.dispose();
  }
}

/**
 * Σ cost ≤ the held cost, written for what exceeds the cheapest kept plans. Both sides of the whole sum
 * are nearly equal, and a presolve takes such a row for tight; the excess is of the size of what differs.
 */
function holdCost({ input, model, used, present }: Formulation, cost: number): void {
  if (cost <= 0) return;
  const costs = objectiveCoefficients(model);
  let held = cost;
  for (const [t, flows] of used.entries()) {
    for (const [q, variables] of flows.entries()) {
      if (variables.size === 0) continue;
      const least = Math.min(
        ...[...variables.values()].map((variable) => costs[variable] as number),
      );
      for (const variable of variables.values())
        costs[variable] = (costs[variable] as number) - least;
      // A query's plans share one unit of flow; a support query's share as much as its family exists.
      const serves = input.space.flows[q]?.serves;
      const family = serves && present[t]?.get(serves.family);
      if (family === undefined) held -= least;
      else costs[family] = (costs[family] as number) + least;
    }
  }
  const row = [...costs.keys()].filter((index) => costs[index] !== 0) as VariableIndex[];
  const unit = heldUnits / cost;
  const coefficients = row.map((variable) => (costs[variable] as number) * unit);
  const upper = held * unit + heldUnits * sameCost;
  addConstraint(model, "cost_held", Number.NEGATIVE_INFINITY, upper, row, coefficients);
}
