/**
 * The story of a run, top to bottom: enumerate candidates and plans, settle the storage limit,
 * compute the baselines, solve the program over time, read the answer, recount it.
 *
 * Pure and deterministic apart from what is handed in: the solver, the clock and the receivers of
 * progress. Nothing is thrown for a person's mistake or a solver's; every end is a `RunOutcome`.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import { relativeGap } from "#ilp/solve.ts";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Problem, StorageLimit } from "#model/problem.ts";
import type {
  Baseline,
  Progress,
  Recommendation,
  RunCounts,
  RunMode,
  RunOutcome,
  SummaryTree,
} from "#model/recommendation.ts";
import { averageWorkload } from "#model/workload.ts";
import { type Baselines, computeBaselines, type Stopped } from "./baselines.ts";
import { checkRecommendation } from "./check-recommendation.ts";
import { choiceOfTables } from "./choice-of-tables.ts";
import { conflictsOf } from "./conflicts.ts";
import { costByHand, type HandMadeCost } from "./cost-by-hand.ts";
import { optimiseBySummaryTree, type SolvedTree } from "./optimise-by-summary-tree.ts";
import { bytesOfAll, enumeratePlanSpace, type PlanSpace, type SpaceOptions } from "./plan-space.ts";
import { type Choice, readAnswer } from "./read-solution.ts";
import { idleBans, rulesOf, rulesOfAllSteps } from "./restrictions.ts";
import { beginRun, type RunMemory } from "./run-memory.ts";
import { priceOneStep, solveOneStep, solveOverTime } from "./solve-over-time.ts";
import {
  noSize,
  type ProgramSize,
  type SchemasInput,
  type SchemasOutcome,
  type SearchLimits,
} from "./solve-schemas.ts";
import { startPositions } from "./start-schema.ts";

/** When a run may stop: a relative gap (0 … 1) that is good enough, and seconds; and how it searches. */
export interface RunLimits {
  readonly gap: number;
  readonly timeLimitSeconds?: number;
  /** `certified` where absent. */
  readonly mode?: RunMode;
  /**
   * The tables of an earlier answer, step by step. Where they still serve, they are the first answer, and the
   * last one unless a better one is found; where to search they do not say, so that a run that proves its
   * answer ends as one without them.
   */
  readonly start?: readonly (readonly ColumnFamilyKey[])[];
}

export interface RunTools {
  readonly solver: IlpSolver;
  /** Seconds on any steady clock. */
  readonly now: () => number;
  readonly onProgress?: (progress: Progress) => void;
  /** A full answer that a stopped run may keep. */
  readonly onBest?: (best: Recommendation) => void;
  /** Asked before every search: true ends the run as if its time were up. */
  readonly isStopped?: () => boolean;
}

/** "Optimal" is said only within this relative gap (§8). */
export const optimalGap = 1e-4;

export async function optimise(
  problem: Problem,
  limits: RunLimits,
  tools: RunTools,
  spaceOptions?: SpaceOptions,
  /** What runs over the same space have found out (`spaceKey`); this one adds to it. */
  memory?: RunMemory,
): Promise<RunOutcome> {
  const run = startRun(problem, limits, tools, memory);

  run.stage("enumerate", "Enumerating column families and plans");
  const space =
    memory?.over?.space ??
    enumeratePlanSpace(
      problem,
      (stage, counts) =>
        run.stage(
          stage,
          stage === "plan" ? "Enumerating query plans" : "Enumerating column families",
          counts,
        ),
      spaceOptions,
    );
  if (memory) beginRun(memory, space);

  run.stage("baselines", "Looking for the best schema of each step alone");
  const unlimited: SchemasInput = {
    space,
    workload: problem.workload,
    costModel: problem.costModel,
    options: problem.options,
    rules: rulesOf(problem, space),
    startSchema: startPositions(problem, space),
    storageBytes: undefined,
  };
  run.byHand(costByHand(problem, unlimited));
  let least = Number.POSITIVE_INFINITY;
  const keep = (best: Recommendation): void => {
    if (best.objective > least) return;
    least = best.objective;
    // First the answer, then word of it: whoever stops a run that shows a gap can keep what it is the gap of.
    tools.onBest?.(best);
    run.better(best);
  };
  const storage = await storageLimit(tools.solver, unlimited, problem.storage, run.search());
  if (typeof storage === "object") return run.stopped(storage, unlimited);
  const input: SchemasInput = { ...unlimited, storageBytes: storage };
  const old = choiceOfTables(input, limits.start);
  if (old) keep(run.recommendation(input, [], old, 0, false, noSize));
  const baselines = await computeBaselines(tools.solver, input, run.search(), {
    onBound: (bound, done, all) =>
      run.stage(
        "baselines",
        `Best schema of ${done} of ${all} distinct steps`,
        { done, all },
        undefined,
        bound,
      ),
    onStatic: (choice, bound) => keep(run.recommendation(input, [], choice, bound, false, noSize)),
  });
  if ("status" in baselines) return run.stopped(baselines, input);

  run.stage("solve", "Solving the program over all steps", { candidates: space.families.length });
  const report = (
    choice: Choice,
    bound: number,
    finished: boolean,
    size: ProgramSize,
  ): Recommendation =>
    run.recommendation(
      input,
      baselines.list,
      choice,
      Math.max(bound, baselines.bound),
      finished,
      size,
    );
  const search: SearchLimits = {
    ...run.search(),
    onBetter: (choice) => keep(report(choice, baselines.bound, false, noSize)),
    onNodes: (nodes) => run.stage("solve", "Searching", { nodes }),
  };
  const outcome =
    limits.mode === "summary-tree"
      ? await searchByTree(run, tools, input, baselines, search)
      : await solveOverTime(tools.solver, input, baselines.steps, search, baselines.bestStatic);
  if (outcome.status === "noAnswer") return run.withoutAnswer();
  if (outcome.status !== "solved") return run.stopped(outcome, input);

  run.stage("check", "Recounting the answer");
  // Only where the search could not be finished can the old tables be the better ones. What the summary tree
  // leaves out is no answer of its.
  const isOldBetter = old !== undefined && old.cost < outcome.choice.cost * (1 - 1e-9);
  const choice = isOldBetter && limits.mode !== "summary-tree" ? old : outcome.choice;
  const answer = report(choice, outcome.bound, outcome.finished, outcome.size);
  const violations = checkRecommendation(answer, problem);
  if (violations.length > 0)
    return run.failed(
      "check",
      violations.map(({ message }) => message),
    );
  return answer;
}

/** The paper's search. Its answers carry the bound of the steps alone, for it has none. */
async function searchByTree(
  run: Run,
  { solver, now }: RunTools,
  input: SchemasInput,
  { steps, bound, bestStatic }: Baselines,
  search: SearchLimits,
): Promise<SchemasOutcome | { readonly status: "noAnswer" }> {
  const found = await optimiseBySummaryTree(solver, input, steps, search, bestStatic?.[0], {
    now,
    onNode: ({ first, last }, done, all) =>
      run.stage("tree", `Summary tree: steps ${first + 1} to ${last + 1}`, { done, all }),
    onTree: (solved) => {
      run.byTree(solved);
      const candidates = solved.tree.candidates.length;
      run.stage("solve", "Solving the program among the tree’s tables", { candidates });
    },
  });
  return "outcome" in found ? { ...found.outcome, bound } : found;
}

/** Bytes per step, or why none could be found; `undefined` for no limit. */
async function storageLimit(
  solver: IlpSolver,
  unlimited: SchemasInput,
  limit: StorageLimit,
  search: SearchLimits,
): Promise<number | undefined | Stopped> {
  if (limit.kind === "none") return undefined;
  if (limit.kind === "bytes") return limit.bytes;
  const rules = rulesOfAllSteps(unlimited.rules);
  const average = { workload: averageWorkload(unlimited.workload), rules };
  const priced = await priceOneStep(solver, unlimited, average, search);
  if (priced.status === "timedOut") return { status: "timedOut", bound: 0 };
  // Where no one schema can respect all pins and bans, the limit is that of the one without them.
  if (priced.status === "infeasible" && rules)
    return storageLimit(solver, { ...unlimited, rules: undefined }, limit, search);
  if (priced.status !== "priced") return priced;
  // To the end, whatever the gap asked for: the limit is part of the question.
  const exact = { ...search, gap: 0 };
  const outcome = await solveOneStep(solver, unlimited, average, priced.prices, exact);
  if (outcome.status !== "solved") return outcome;
  const schema = outcome.choice.schemas[0] ?? [];
  const bytes = bytesOfAll(unlimited.space, schema);
  return (bytes * limit.percent) / 100;
}

/** The bookkeeping of a run: stages and their seconds, progress, and the shapes of its ends. */
interface Run {
  stage(
    stage: Progress["stage"],
    message: string,
    counts?: Readonly<Record<string, number>>,
    incumbent?: number,
    bound?: number,
  ): void;
  /** Tells of a better answer within the stage that is going on. */
  better(best: Recommendation): void;
  search(): SearchLimits;
  /** What the hand-made schema costs: part of every answer from now on. */
  byHand(cost: HandMadeCost | undefined): void;
  /** The summary tree, once it is solved: part of every answer from now on. */
  byTree(solved: SolvedTree): void;
  recommendation(
    input: SchemasInput,
    baselines: readonly Baseline[],
    choice: Choice,
    bound: number,
    finished: boolean,
    size: ProgramSize,
  ): Recommendation;
  /** The end of a run that was not finished: the best answer so far where there is one. */
  stopped(outcome: Stopped, input: SchemasInput): Promise<RunOutcome>;
  /** The end of a run whose summary tree left no tables that can answer everything. */
  withoutAnswer(): RunOutcome;
  failed(stage: string, reasons: readonly string[]): RunOutcome;
}

function startRun(
  problem: Problem,
  limits: RunLimits,
  { now, onProgress, solver, isStopped = () => false }: RunTools,
  memory: RunMemory | undefined,
): Run {
  const began = now();
  const seconds = new Map<string, number>();
  let current: { readonly stage: Progress["stage"]; readonly since: number } | undefined;
  let counts: Readonly<Record<string, number>> = {};
  let incumbent: number | undefined;
  let bound: number | undefined;
  let best: Recommendation | undefined;
  let handMade: HandMadeCost | undefined;
  let byTree: SolvedTree | undefined;

  const book = (): void => {
    if (current)
      seconds.set(current.stage, (seconds.get(current.stage) ?? 0) + now() - current.since);
  };
  const spent = (): Record<string, number> => {
    book();
    if (current) current = { ...current, since: now() };
    const nodes = (byTree?.seconds ?? []).map((each, at) => [`tree node ${at + 1}`, each] as const);
    return { ...Object.fromEntries([...seconds, ...nodes]), total: now() - began };
  };

  const tell = (stage: Progress["stage"], message: string): void =>
    onProgress?.({
      stage,
      message,
      counts,
      ...(incumbent !== undefined && { incumbent }),
      ...(bound !== undefined && { bound }),
      ...(incumbent !== undefined && bound !== undefined && { gap: relativeGap(incumbent, bound) }),
    });

  return {
    stage(stage, message, more = {}, better, lower) {
      book();
      current = { stage, since: now() };
      counts = { ...counts, ...more };
      incumbent = better ?? incumbent;
      bound = lower ?? bound;
      tell(stage, message);
    },
    better(answer) {
      best = answer;
      incumbent = answer.objective;
      bound = Math.max(bound ?? 0, answer.bound);
      tell(current?.stage ?? "solve", "A better answer");
    },
    byHand(cost) {
      handMade = cost;
    },
    byTree(solved) {
      byTree = solved;
    },
    search: () => ({
      gap: limits.gap,
      ...(memory && { memory }),
      secondsLeft: () => {
        if (isStopped()) return 0;
        const { timeLimitSeconds } = limits;
        return timeLimitSeconds === undefined ? undefined : timeLimitSeconds - (now() - began);
      },
    }),
    recommendation(input, baselines, choice, lower, finished, size) {
      const { space, storageBytes } = input;
      const ways = migrationCounts(space);
      const { families, ...answer } = readAnswer(input, choice);
      const positions = [...families, ...(handMade?.families ?? [])];
      const shown = new Set([
        ...positions.map((family) => space.families[family]?.columnFamily.key),
        ...baselines.flatMap(({ schema }) => schema ?? []),
        ...(byTree?.tree.candidates ?? []),
      ]);
      const gap = relativeGap(choice.cost, Math.min(lower, choice.cost));
      return {
        status: gap <= optimalGap ? "optimal" : "feasible",
        objective: choice.cost,
        bound: Math.min(lower, choice.cost),
        gap,
        seconds: spent(),
        counts: runCounts(problem, space, size, ways),
        ...(storageBytes !== undefined && { storageLimit: storageBytes }),
        ...answer,
        plans: withoutRepetition([...answer.plans, ...(handMade?.plans ?? [])]),
        migrationPlans: withoutRepetition([
          ...answer.migrationPlans,
          ...(handMade?.migrationPlans ?? []),
        ]),
        baselines,
        ...(handMade && { handMade: handMade.answer }),
        ...(byTree && { summaryTree: byTree.tree }),
        columnFamilies: space.families
          .map(({ columnFamily }) => columnFamily)
          .filter(({ key }) => shown.has(key)),
        notes: [
          ...notesOf(problem, space, ways.unfillable, baselines),
          ...(byTree
            ? treeNotes(byTree.tree, space, finished, choice.cost, baselines)
            : proofNotes(finished)),
        ],
      };
    },
    async stopped(outcome, input) {
      if (outcome.status === "failed") return this.failed("solve", [outcome.message]);
      if (outcome.status === "timedOut" && best) return { ...best, seconds: spent() };
      if (outcome.status === "timedOut")
        return {
          status: "timedOut",
          reasons: ["The time limit was reached before a first answer was found."],
          // What the stopped search proved is of its own program, which may be a part of the whole.
          ...(bound !== undefined && bound > 0 && { bound }),
          seconds: spent(),
        };
      return {
        status: "infeasible",
        ...(await conflictsOf(solver, problem, input)),
        seconds: spent(),
      };
    },
    withoutAnswer: () => ({
      status: "infeasible",
      reasons: [
        "The tables that the summary tree chose cannot serve every statement at every step together. That does not say that there is no answer: search in the certified mode.",
      ],
      seconds: spent(),
    }),
    failed: (stage, reasons) => ({ status: "failed", stage, reasons, seconds: spent() }),
  };
}

function withoutRepetition<Plan extends { readonly key: string }>(plans: readonly Plan[]): Plan[] {
  return [...new Map(plans.map((plan) => [plan.key, plan])).values()];
}

function runCounts(
  problem: Problem,
  space: PlanSpace,
  size: ProgramSize,
  ways: MigrationCounts,
): RunCounts {
  return {
    statements: problem.statements.length,
    steps: problem.workload.timeline.steps,
    proposed: space.counts.proposed,
    candidates: space.families.length,
    pruned: space.counts.pruned,
    queryPlans: space.counts.plansFound,
    prunedPlans: {},
    ...ways,
    ...size,
  };
}

type MigrationCounts = Pick<RunCounts, "migrationPlans" | "unfillable">;

/** Of a long list of candidates these are not counted: they are found only where they are needed. */
function migrationCounts({ families, migrations }: PlanSpace): MigrationCounts {
  if (!migrations.isShort) return {};
  const all = families.map((_, position) => migrations.patternsOf(position));
  const plans = all
    .flat()
    .map(({ slots }) => slots.reduce((product, slot) => product * slot.length, 1));
  return {
    migrationPlans: plans.reduce((sum, each) => sum + each, 0),
    unfillable: all.filter((patterns) => patterns.length === 0).length,
  };
}

function notesOf(
  problem: Problem,
  space: PlanSpace,
  unfillable: number | undefined,
  baselines: readonly Baseline[],
): string[] {
  const notes = [
    `A query plan has at most ${problem.options.maxGets} Gets; the third is a key lookup of one entity.`,
  ];
  if (unfillable && unfillable > 0 && problem.workload.timeline.steps > 1)
    notes.push(
      `Candidate tables without a migration plan, which can exist from the first step on or not at all: ${unfillable}.`,
    );
  for (const { query, graph } of space.queries)
    if (graph.unheard > 0)
      notes.push(
        `${query.query.label} has more key columns than can be told apart: plans that bind the last ${graph.unheard} of them to fetched values were not looked for.`,
      );
  for (const key of new Set(idleBans(problem, space)))
    notes.push(`The ban of ${key} changes nothing: it is no candidate.`);
  const given = baselines.length > 0 && baselines.length < 4;
  if (given)
    notes.push(
      "Baselines are left out where no one schema respects all pins and bans or can be built from the start schema.",
    );
  return notes;
}

function proofNotes(finished: boolean): string[] {
  return finished
    ? []
    : [
        "The proof is not complete: the search was stopped, or what is left to search is too large to be written out. The gap says how far the answer may be from the best.",
      ];
}

/** What a reader must know of an answer that the summary tree found. */
function treeNotes(
  { nodes, candidates }: SummaryTree,
  space: PlanSpace,
  finished: boolean,
  cost: number,
  baselines: readonly Baseline[],
): string[] {
  const apart = nodes.filter((node) => node.parent !== undefined && node.inherited.length === 0);
  const open = nodes.filter(({ schemas, proven }) => schemas.length > 0 && !proven);
  const cheaper = baselines.find((each) => each.kind !== "ideal" && each.cost < cost * (1 - 1e-9));
  const said = (when: boolean, words: string): string[] => (when ? [words] : []);
  return [
    `Found by the summary tree: of ${space.families.length} candidate tables the ${candidates.length} were allowed that one of its ${nodes.length} nodes chose. The tree gives no bound; the one stated is that of every step alone, and holds for all candidates.`,
    ...said(
      apart.length > 0,
      `Nodes of the summary tree that could not take over their parent's tables: ${apart.length}.`,
    ),
    ...said(
      open.length > 0 || !finished,
      "The summary tree is not exact: the search of some of its programs was stopped, or they are too large to be written out.",
    ),
    ...said(
      cheaper !== undefined,
      `The ${cheaper?.kind} schema costs less: the summary tree left out a table of it.`,
    ),
  ];
}
