/**
 * The search for the best schemas over time, in three moves that get slower and tighter:
 *  1. every step alone (`solveOneStep`): bounds for the whole, and families worth having;
 *  2. the **core**: the program over time with just those families, for a good answer soon; of a large
 *     space a few steps at a time, with what helps to fill them (`family-pool.ts`, `improve-in-windows.ts`);
 *  3. the program reduced by that answer's cost (`reduce-program.ts`), which still contains every
 *     answer as good: the proof, and the settling of ties.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { Workload } from "#model/workload.ts";
import { branchStep } from "./branch-step.ts";
import { familyPool } from "./family-pool.ts";
import {
  type FormulationInput,
  isWritable,
  type KeptStep,
  schemaBeforeFirst,
} from "./formulate.ts";
import { improveInWindows, runsOf } from "./improve-in-windows.ts";
import { oneStepInput } from "./one-step.ts";
import { bytesOfAll } from "./plan-space.ts";
import type { Choice, Schema } from "./read-solution.ts";
import { keepFamilies, keepWithin, withoutStandIns } from "./reduce-program.ts";
import { type PricesOutcome, relaxStep, type StepPrices } from "./relax-step.ts";
import type { StepRules } from "./restrictions.ts";
import { recallPrices, recallStep } from "./run-memory.ts";
import {
  noSize,
  type SchemasInput,
  type SchemasOutcome,
  type SearchLimits,
  settleTies,
  solveSchemas,
  workable,
} from "./solve-schemas.ts";

/** The best schema of one step alone. */
export type StepOutcome =
  | ((SchemasOutcome & { status: "solved" }) & { readonly prices: StepPrices })
  | Exclude<SchemasOutcome, { status: "solved" }>;

export type SolvedStep = StepOutcome & { status: "solved" };

/** Share of the relaxation's cost within which plans are kept where the relaxation gives no answer. */
const firstShare = 0.002;

/** Of a step too large to be written out, the first answer under a storage limit is only to be beaten: what the root of its search finds will do. */
const roughNodes = 1;

/** Of the gap asked for so much may be lost in the steps; the rest is for what couples them. */
const shareOfSteps = 1 / 8;

/** What one step alone has to serve and to respect; `workload` has that one step. */
export interface OneStep {
  readonly workload: Workload;
  readonly rules: StepRules | undefined;
}

/** The relaxation of one step alone: quick, and a bound already. */
export function priceOneStep(
  solver: IlpSolver,
  over: SchemasInput,
  step: OneStep,
  limits: SearchLimits,
): Promise<PricesOutcome> {
  const input = { ...oneStepInput(over, step), explicit: new Set<number>(), tooLarge: [] };
  return recallPrices(over, step, limits, () => relaxStep(solver, input, limits.secondsLeft));
}

export function solveOneStep(
  solver: IlpSolver,
  over: SchemasInput,
  step: OneStep,
  prices: StepPrices,
  limits: SearchLimits,
): Promise<StepOutcome> {
  return recallStep(over, step, limits, () => searchOneStep(solver, over, step, prices, limits));
}

async function searchOneStep(
  solver: IlpSolver,
  over: SchemasInput,
  step: OneStep,
  prices: StepPrices,
  limits: SearchLimits,
): Promise<StepOutcome> {
  const input = oneStepInput(over, step);
  // Optima of single steps are quoted as the ideal, so what can be written out is solved to the end.
  const exact = { ...limits, gap: 0 };
  // What the relaxation held in the end gives a good answer, and that the slack for the proof.
  const held = { ...input, kept: [withoutStandIns(input, prices.master)] };
  const isLarge = !isWritable(input.space) && input.storageBytes !== undefined;
  const near = isLarge ? { ...limits, mostNodes: roughNodes } : limits;
  const rough = await solveSchemas(solver, held, near, undefined);
  if (rough.status === "failed" || isStopped(rough, limits)) return withPrices(rough, prices);
  const first = rough.status === "solved" ? rough : undefined;
  const slack = first ? Math.max(0, first.choice.cost - prices.cost) : firstShare * prices.cost;
  const found = await solveWithin(solver, input, prices, slack, exact, first?.choice.schemas);
  if (found === "tooLarge")
    return branched(solver, input, prices, first, { ...limits, gap: limits.gap * shareOfSteps });
  if (found.status !== "solved") return found;
  if (!found.finished) return { ...found, prices };
  const excess = Math.max(0, found.choice.cost - prices.cost);
  const within = keptAlone(input, prices, excess);
  const isTooMany = within === undefined || sizeOf(within[0] as KeptStep) > mostForTiesOfStep;
  const tied = {
    ...found.program,
    kept: isTooMany ? [keepFamilies(input, new Set(found.choice.schemas.flat()))] : within,
  };
  const choice = await settleTies(solver, tied, found.choice, limits.secondsLeft);
  return { ...found, choice, prices };
}

/** True where the clock has cut a search short. */
function isStopped(outcome: SchemasOutcome, { secondsLeft }: SearchLimits): boolean {
  const left = secondsLeft();
  const isCut = outcome.status === "timedOut" || (outcome.status === "solved" && !outcome.finished);
  return isCut && left !== undefined && left <= 0;
}

/** What a search that was given up comes to: its bound holds for what the relaxation held only. */
function withPrices(outcome: SchemasOutcome, prices: StepPrices): StepOutcome {
  return outcome.status === "solved" ? { ...outcome, bound: prices.cost, prices } : outcome;
}

/** The best answer of a step whose program is too large to be written out, with a proof as good as was asked for. */
async function branched(
  solver: IlpSolver,
  input: SchemasInput,
  prices: StepPrices,
  first: (SchemasOutcome & { status: "solved" }) | undefined,
  limits: SearchLimits,
): Promise<StepOutcome> {
  const searched = await branchStep(solver, input, prices, first?.choice, limits);
  if (searched.status === "failed") return searched;
  const { best: choice, bound, nodes } = searched;
  if (!choice)
    return searched.finished
      ? {
          status: "failed",
          message: "The search of a step too large to be written out met no answer.",
        }
      : { status: "timedOut", bound };
  const finished = choice.cost - bound <= solverPrecision * choice.cost;
  const size = first ? { ...first.size, nodes: first.size.nodes + nodes } : { ...noSize, nodes };
  const program = first?.program ?? { ...input, explicit: new Set<number>(), tooLarge: [] };
  return { status: "solved", choice, bound, finished, size, program, prices };
}

function keptAlone(
  input: SchemasInput,
  prices: StepPrices,
  slack: number,
): readonly KeptStep[] | undefined {
  const kept = keepWithin(input, prices, slack);
  return kept && [withoutStandIns(input, kept)];
}

/**
 * Solves one step among what costs at most `slack` more than its relaxation, and wider while the
 * answer shows that better ones may have been left out, or there is none.
 */
async function solveWithin(
  solver: IlpSolver,
  input: SchemasInput,
  prices: StepPrices,
  slack: number,
  limits: SearchLimits,
  start: readonly Schema[] | undefined,
): Promise<SchemasOutcome | "tooLarge"> {
  const kept = keptAlone(input, prices, slack);
  if (!kept) return "tooLarge";
  const outcome = await solveSchemas(solver, { ...input, kept }, limits, start);
  if (outcome.status === "infeasible" && Number.isFinite(slack)) {
    const wider = slack < prices.cost ? slack * 10 : Number.POSITIVE_INFINITY;
    return solveWithin(solver, input, prices, wider, limits, start);
  }
  if (outcome.status !== "solved") return outcome;
  const excess = outcome.choice.cost - prices.cost;
  if (outcome.finished && excess > slack)
    return solveWithin(solver, input, prices, excess * (1 + 1e-6), limits, outcome.choice.schemas);
  // What was left out costs more than the relaxation and the slack together.
  return { ...outcome, bound: Math.min(outcome.bound, prices.cost + slack) };
}

/** A bound that the solver calls the optimum is one to about this share. */
const solverPrecision = 1e-7;

/** Relative gap at which the core's answer will do. */
const coreGap = 1e-4;

/** The best schemas over all steps; `steps` holds the outcome of every step alone, `start` must be workable where there is one. */
export async function solveOverTime(
  solver: IlpSolver,
  input: SchemasInput,
  steps: readonly SolvedStep[],
  limits: SearchLimits,
  start: readonly Schema[] | undefined,
): Promise<SchemasOutcome> {
  const floor = steps.reduce((sum, { bound }) => sum + bound, 0);
  // Searching further than the gap asked for costs little, and this answer is all that is at hand.
  const near = { ...limits, gap: Math.min(limits.gap, coreGap) };
  const first =
    (await searchInWindows(solver, input, steps, near, start)) ??
    (await solveSchemas(solver, { ...input, kept: coreOf(input, steps, start) }, near, start));
  // Pins may ask for a table that only others, outside the core, can fill.
  const whole = { ...input, kept: undefined };
  const rough =
    first.status === "infeasible" && isWritable(input.space)
      ? await solveSchemas(solver, whole, limits, start)
      : first;
  if (rough.status !== "solved") return rough;
  if (!rough.finished) return { ...rough, bound: floor };

  const cost = rough.choice.cost;
  const proven = cost - floor <= Math.max(limits.gap, solverPrecision) * cost;
  const kept = keepBelow(input, steps, floor, cost);
  if (!kept && !proven) return { ...rough, finished: false, bound: floor };
  const proof = proven
    ? { ...rough, bound: floor }
    : await prove(solver, { ...input, kept }, limits, rough, floor);
  if (proof.status !== "solved" || !proof.finished) return proof;
  const best = proof.choice;
  const program: FormulationInput = {
    ...proof.program,
    explicit: new Set([...rough.program.explicit, ...proof.program.explicit]),
    kept: keepForTies(input, steps, floor, best),
  };
  const choice = isStepwiseBest(input, steps, floor, best)
    ? best
    : await settleTies(solver, program, best, limits.secondsLeft);
  return { ...proof, choice, bound: Math.min(proof.bound, choice.cost) };
}

/** The families of the best schema of every step, and what there is to begin with. */
function coreOf(
  input: SchemasInput,
  steps: readonly SolvedStep[],
  start: readonly Schema[] | undefined,
): readonly KeptStep[] {
  const families = new Set([
    ...steps.flatMap(({ choice }) => choice.schemas.flat()),
    ...(start?.flat() ?? []),
    ...(schemaBeforeFirst(input) ?? []),
  ]);
  return steps.map(() => keepFamilies(input, families));
}

/** The best answer found a few steps at a time; undefined where the core is small enough, or there is none to begin with. */
async function searchInWindows(
  solver: IlpSolver,
  input: SchemasInput,
  steps: readonly SolvedStep[],
  limits: SearchLimits,
  start: readonly Schema[] | undefined,
): Promise<SchemasOutcome | undefined> {
  const choice = start && !isWritable(input.space) ? workable(input, start) : undefined;
  if (!choice) return undefined;
  const runs = runsOf(input);
  const pool = familyPool(input, steps, runs);
  const improved = await improveInWindows(solver, input, pool, runs, choice, limits);
  if (improved.status === "failed") return improved;
  const { choice: best, size } = improved;
  const program = { ...input, explicit: new Set<number>(), tooLarge: [] };
  return { status: "solved", choice: best, bound: 0, finished: true, size, program };
}

/**
 * True when every step has the cheapest schema that it could have alone, with as few families and as
 * small: then no answer of the same cost has fewer or smaller ones.
 */
function isStepwiseBest(
  { space }: SchemasInput,
  steps: readonly SolvedStep[],
  floor: number,
  best: Choice,
): boolean {
  const bytes = (schemas: readonly Schema[]): number => bytesOfAll(space, schemas.flat());
  const alone = steps.map(({ choice }) => choice.schemas[0] ?? []);
  return (
    best.cost <= floor * (1 + 1e-9) &&
    best.schemas.flat().length === alone.flat().length &&
    bytes(best.schemas) <= bytes(alone) * (1 + 1e-9)
  );
}

/** Plans and families that may take part. */
function sizeOf({ plans, families }: KeptStep): number {
  return families.length + plans.flat().length;
}

/** The same of one step, among its own families: such a program is no harder than its search, up to a point. */
const mostForTiesOfStep = 10_000;

/** Ties of more plans and families than this are settled among the core's families (see `keepForTies`). */
const mostForTies = 2500;

/**
 * What answers of the same cost can use. Proving that none has fewer families is harder than the
 * search itself, since so many are alike; of a large program only the families of the answer and of
 * the steps' own optima take part. Decided by size, not by time, so the same input gives the same answer.
 */
function keepForTies(
  input: SchemasInput,
  steps: readonly SolvedStep[],
  floor: number,
  best: Choice,
): readonly KeptStep[] {
  const all = keepBelow(input, steps, floor, best.cost);
  const size = (all ?? []).reduce((sum, each) => sum + sizeOf(each), 0);
  if (all && size <= mostForTies) return all;
  const core = new Set([...best.schemas, ...steps.flatMap(({ choice }) => choice.schemas)].flat());
  return steps.map(() => keepFamilies(input, core));
}

/** Per step what solutions of at most this cost can use; undefined where that is too much to search. */
function keepBelow(
  input: SchemasInput,
  steps: readonly SolvedStep[],
  floor: number,
  cost: number,
): readonly KeptStep[] | undefined {
  const all: KeptStep[] = [];
  for (const { prices, bound } of steps) {
    const kept = keepWithin(input, prices, cost - (floor - bound) - prices.cost);
    if (!kept) return undefined;
    all.push(kept);
  }
  return all;
}

async function prove(
  solver: IlpSolver,
  input: SchemasInput,
  limits: SearchLimits,
  rough: SchemasOutcome & { status: "solved" },
  floor: number,
): Promise<SchemasOutcome> {
  const proof = await solveSchemas(solver, input, limits, rough.choice.schemas);
  // Not even the rough answer fits in what is left: nothing better does, so it is the best.
  if (proof.status === "infeasible") return { ...rough, bound: rough.choice.cost };
  if (proof.status === "timedOut")
    return { ...rough, finished: false, bound: Math.max(floor, proof.bound) };
  if (proof.status === "failed") return proof;
  // Solutions left out cost more than the rough answer.
  const bound = Math.max(floor, Math.min(proof.bound, rough.choice.cost));
  return { ...proof, bound };
}
