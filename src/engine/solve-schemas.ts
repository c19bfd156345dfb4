/**
 * Solving the program of `formulate.ts` for the cheapest schemas over time, with a bound.
 *
 * Migration is written out lazily: the program starts as a relaxation in which building a family
 * costs its cheapest extraction and needs no source; families that an answer builds are then written
 * out and the program is solved again, until an answer builds nothing else. Each relaxation's bound
 * is valid, so is the last one's; the best workable answer met on the way is kept.
 */
import { addConstraint, objectiveCoefficients, sparseProgram } from "#ilp/model.ts";
import type { IlpSolution, IlpSolver, SolveHooks } from "#ilp/solve.ts";
import { type Formulation, type FormulationInput, formulate, stepBefore } from "./formulate.ts";
import { bytesOf, bytesOfAll } from "./plan-space.ts";
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
  /** Nodes after which a program's search is given up. */
  readonly mostNodes?: number;
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

/** Where no program was written out. */
export const noSize: ProgramSize = { columns: 0, rows: 0, nonZeros: 0, nodes: 0 };

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
      ...(limits.mostNodes !== undefined && { mostNodes: limits.mostNodes }),
      ...(left !== undefined && { timeLimitSeconds: Math.max(left, 0.001) }),
      ...(best && { start: pointOf(formulation, best) }),
    },
    hooks,
  );
}

/** The choice that follows from schemas, without what nothing reads; undefined where they break a limit or cannot serve. */
export function workable(input: SchemasInput, schemas: readonly Schema[]): Choice | undefined {
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

/**
 * Of all answers of the same cost the one with the fewest families over all steps (17), and of these
 * the one with the least size (18). `program` must contain all of them.
 *
 * Asked the other way round: the cheapest answer that is lighter than the one at hand. A search for the
 * lightest at a held cost has nothing to go by, since so many are alike; a search by cost soon finds that
 * whatever is lighter costs more.
 */
export async function settleTies(
  solver: IlpSolver,
  program: FormulationInput,
  best: Choice,
  secondsLeft: () => number | undefined,
): Promise<Choice> {
  const explicit = new Set(program.explicit);
  const tooLarge: (readonly number[])[] = [...program.tooLarge];
  const scale = weightScale(program, best);
  let settled = best;
  let margin = leastWeight;
  while (margin < scale.one) {
    const input = { ...program, explicit: new Set(explicit), tooLarge: [...tooLarge] };
    const lighter = { scale, most: weightOf(program, settled, scale) - margin };
    const schemas = await cheapestLighter(solver, input, best.cost, lighter, secondsLeft());
    if (!schemas) return settled;
    const choice = workable(program, schemas);
    if (choice && choice.cost <= best.cost * (1 + 2 * sameCost)) {
      // A family that the solver calls there all but a millionth weighs less than one: then more is asked for.
      if (weightOf(program, choice, scale) >= weightOf(program, settled, scale)) margin *= 10;
      else settled = choice;
    } else if (!writeOut(program, schemas, explicit, tooLarge)) return settled;
  }
  return settled;
}

/** What looked as cheap only because the program leaves something out is written out; false where nothing is. */
function writeOut(
  program: FormulationInput,
  schemas: readonly Schema[],
  explicit: Set<number>,
  tooLarge: (readonly number[])[],
): boolean {
  const missing = builtBy(program, schemas).filter((family) => !explicit.has(family));
  const cover = storageCover(program, schemas);
  for (const family of missing) explicit.add(family);
  if (cover) tooLarge.push(cover);
  return missing.length > 0 || cover !== undefined;
}

/** How a family weighs: `one` for being there, and the part `perByte` of its bytes, which never adds up to another family. */
interface WeightScale {
  readonly one: number;
  readonly perByte: number;
}

/** A solver tells rows apart by its tolerance of 1e-6; weights that differ do so by more. */
const leastWeight = 4e-6;
/** Sizes of answers that differ by this share differ, where the numbers can tell. */
const sameSize = 1e-9;
/** Coefficients of a row of at most this. */
const mostWeight = 1e6;

function weightScale({ space, kept }: FormulationInput, best: Choice): WeightScale {
  const present = best.schemas.flat();
  const bytes = bytesOfAll(space, present);
  const candidates = kept
    ? kept.flatMap(({ families }) => families)
    : best.schemas.flatMap(() => [...space.families.keys()]);
  const sizes = candidates.map((family) => bytesOf(space, family)).sort((a, b) => b - a);
  // No answer of as few families is larger than this.
  const most = Math.max(
    1,
    bytes,
    sizes.slice(0, present.length).reduce((sum, each) => sum + each, 0),
  );
  const one = Math.min(
    mostWeight,
    Math.max(1, (leastWeight / sameSize) * (most / Math.max(bytes, 1))),
  );
  return { one, perByte: one / (2 * most) };
}

function weightOf({ space }: FormulationInput, choice: Choice, scale: WeightScale): number {
  const present = choice.schemas.flat();
  return scale.one * present.length + scale.perByte * bytesOfAll(space, present);
}

/** The cheapest schemas that weigh at most `most`, where they cost no more than `cost`. */
async function cheapestLighter(
  solver: IlpSolver,
  input: FormulationInput,
  cost: number,
  { scale: weights, most }: { readonly scale: WeightScale; readonly most: number },
  secondsLeft: number | undefined,
): Promise<Schema[] | undefined> {
  if (secondsLeft !== undefined && secondsLeft <= 0) return undefined;
  const formulation = formulate(input);
  const { model, present, scale } = formulation;
  const variables = present.flatMap((step) => [...step]);
  addConstraint(
    model,
    "lighter",
    Number.NEGATIVE_INFINITY,
    most,
    variables.map(([, variable]) => variable),
    variables.map(([family]) => weights.one + weights.perByte * bytesOf(input.space, family)),
  );
  // What costs nothing has nothing that could be told apart.
  const held = cost > 0 ? heldUnits : 0;
  const { costs, least } = excessCosts(formulation, cost > 0 ? held / (cost / scale) : 1);
  const dearest = held * (1 + sameCost) - least;
  let found: Schema[] | undefined;
  let isOver = false;
  const loaded = solver.load(model);
  try {
    loaded.changeCosts(costs);
    const solution = await loaded.solve(
      {
        relativeGap: 0,
        ...(secondsLeft !== undefined && { timeLimitSeconds: Math.max(secondsLeft, 0.001) }),
      },
      {
        // The first one is as good as any, and does not depend on how soon the solver hears of it.
        onIncumbent: ({ objective, values }) => {
          if (objective <= dearest) found ??= schemasAt(formulation, values);
        },
        onBound: ({ bound }) => {
          isOver ||= bound > dearest;
        },
        shouldStop: () => isOver || found !== undefined,
      },
    );
    if (found) return found;
    const isSolved = solution.status === "optimal" || solution.status === "feasible";
    return isSolved && solution.objective <= dearest
      ? schemasAt(formulation, solution.values)
      : undefined;
  } finally {
    loaded.dispose();
  }
}

/**
 * What variables cost above the cheapest kept plan of each flow, times `unit`, and what these cost together. The
 * whole sums of answers that cost nearly the same are too alike for a solver; the excess is of the size of what differs.
 */
function excessCosts(
  { input, model, used, present }: Formulation,
  unit: number,
): { readonly costs: Float64Array; readonly least: number } {
  const costs = objectiveCoefficients(model).map((cost) => cost * unit);
  let least = 0;
  for (const [t, flows] of used.entries()) {
    for (const [q, variables] of flows.entries()) {
      if (variables.size === 0) continue;
      const own = Math.min(...[...variables.values()].map((variable) => costs[variable] as number));
      for (const variable of variables.values())
        costs[variable] = (costs[variable] as number) - own;
      // A query's plans share one unit of flow; a support query's share as much as its family exists.
      const serves = input.space.flows[q]?.serves;
      const family = serves && present[t]?.get(serves.family);
      if (family === undefined) least += own;
      else costs[family] = (costs[family] as number) + own;
    }
  }
  return { costs, least };
}

/** The cost of the answer at hand in a solver's units: so large that its tolerance of 1e-6 is far below `sameCost`. */
const heldUnits = 1e5;
