/**
 * The paper's own search: candidates pruned by a workload summary tree (§4.3, Algorithms 1 and 2), then
 * the program over all steps among what is left.
 *
 * Algorithm 1, at every node from the root down: the program of three steps (first, middle, last) is
 * solved, with the schemas of the first and the last as the parent found them; what it chooses is
 * promising. Algorithm 2: whatever no node chose is excluded from the program over all steps (15).
 *
 * Each of a node's steps stands for an equal share of the node's own interval, counted in steps of the
 * whole horizon and never in those of the parent, or shares would compound down the tree. Instead of
 * multiplying executions by that share, the costs of migration are divided by it: the same program in
 * other units, whose steps alone are the steps of the whole horizon alone, already solved.
 *
 * A node proves nothing about what it leaves out, so the bound is not from here: it is that of every
 * step alone, which holds for all candidates (`baselines.ts`).
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { SummaryNode, SummaryTree } from "#model/recommendation.ts";
import { type TimeStep, type Workload, workloadAt } from "#model/workload.ts";
import type { KeptStep } from "./formulate.ts";
import { chooseFor, type Schema, storageCover } from "./read-solution.ts";
import { keepFamilies } from "./reduce-program.ts";
import { respects, type StepRules } from "./restrictions.ts";
import {
  type OneStep,
  priceOneStep,
  type SolvedStep,
  type StepOutcome,
  solveOneStep,
  solveOverTime,
} from "./solve-over-time.ts";
import {
  type SchemasInput,
  type SchemasOutcome,
  type SearchLimits,
  settleTies,
  solveSchemas,
} from "./solve-schemas.ts";
import { type SummaryInterval, summaryTree } from "./summary-tree.ts";

export interface SummaryHooks {
  /** Seconds on any steady clock. */
  readonly now: () => number;
  /** A node is about to be solved. */
  readonly onNode: (node: SummaryInterval, done: number, all: number) => void;
  /** All nodes are solved; the whole program is next. */
  readonly onTree: (tree: SolvedTree) => void;
}

export interface SolvedTree {
  readonly tree: SummaryTree;
  /** One per node. */
  readonly seconds: readonly number[];
}

export type BySummaryTree =
  | (SolvedTree & { readonly outcome: SchemasOutcome & { status: "solved" } })
  /** What the nodes chose allows no answer; there may be one nevertheless. */
  | (SolvedTree & { readonly status: "noAnswer" })
  | Exclude<StepOutcome, SolvedStep>;

/**
 * `steps`: every step alone; `bestStatic`: workable where there is one. The outcome's bound is that of the
 * program among the tree's candidates, and no bound for anything else.
 */
export async function optimiseBySummaryTree(
  solver: IlpSolver,
  input: SchemasInput,
  steps: readonly SolvedStep[],
  limits: SearchLimits,
  bestStatic: Schema | undefined,
  hooks: SummaryHooks,
): Promise<BySummaryTree> {
  const walk = new Walk(solver, input, steps, limits, bestStatic);
  const intervals = summaryTree(input.workload.timeline.steps);
  const seconds: number[] = [];
  for (const [at, interval] of intervals.entries()) {
    hooks.onNode(interval, at, intervals.length);
    const began = hooks.now();
    const stopped = await walk.visit(interval);
    if (stopped) return stopped;
    seconds.push(hooks.now() - began);
  }
  const candidates = walk.candidates();
  const solved = { tree: { nodes: walk.nodes, candidates: walk.keys(candidates) }, seconds };
  hooks.onTree(solved);
  const outcome = await solveAmong(solver, input, candidates, limits, walk.sequence());
  if (outcome.status === "infeasible") return { ...solved, status: "noAnswer" };
  return outcome.status === "solved" ? { ...solved, outcome } : outcome;
}

/** What is known on the way down the tree. */
class Walk {
  readonly nodes: SummaryNode[] = [];
  private readonly solver: IlpSolver;
  private readonly input: SchemasInput;
  private readonly steps: readonly SolvedStep[];
  private readonly limits: SearchLimits;
  private readonly bestStatic: Schema | undefined;
  /** The schemas of a node's steps; none where it has no answer. */
  private readonly chosen: (ReadonlyMap<TimeStep, Schema> | undefined)[] = [];
  /** Steps alone with a given schema, which costs nothing new to a child that takes the same over. */
  private readonly given = new Map<string, SolvedStep>();

  constructor(
    solver: IlpSolver,
    input: SchemasInput,
    steps: readonly SolvedStep[],
    limits: SearchLimits,
    bestStatic: Schema | undefined,
  ) {
    this.solver = solver;
    this.input = input;
    this.steps = steps;
    // What a node finds on its way is no answer of the run.
    const { onBetter: _better, onNodes: _nodes, ...own } = limits;
    this.limits = own;
    this.bestStatic = bestStatic;
  }

  /** Solves one node; a child whose parent's schemas leave no answer at its middle step is solved without them. */
  async visit(interval: SummaryInterval): Promise<Exclude<StepOutcome, SolvedStep> | undefined> {
    const taken = this.takenOver(interval);
    const first = await this.solve(interval, taken);
    const isOver = first.status !== "infeasible" || taken.size === 0;
    const outcome = isOver ? first : await this.solve(interval, new Map());
    if (outcome.status === "timedOut" || outcome.status === "failed") return outcome;
    const inherited = isOver ? [...taken.keys()] : [];
    const share = shareOf(interval);
    const solved = outcome.status === "solved" ? outcome : undefined;
    const schemas = solved?.choice.schemas ?? [];
    this.chosen.push(
      solved && new Map(interval.steps.map((t, at) => [t, schemas[at] as Schema] as const)),
    );
    this.nodes.push({
      ...(interval.parent !== undefined && { parent: interval.parent }),
      first: interval.first,
      last: interval.last,
      steps: interval.steps,
      stepSeconds: this.input.workload.timeline.stepSeconds * share,
      inherited,
      schemas: schemas.map((schema) => this.keys(schema)),
      ...(solved && { objective: solved.choice.cost * share }),
      proven: solved?.finished ?? false,
    });
    return undefined;
  }

  /** The families of all schemas of all nodes, ascending. */
  candidates(): readonly number[] {
    const schemas = this.chosen.flatMap((each) => (each ? [...each.values()] : []));
    return [...new Set(schemas.flat())].sort((a, b) => a - b);
  }

  /** The schemas of all steps as the nodes found them: an answer, unless a node could not take over what it should. */
  sequence(): readonly Schema[] | undefined {
    const found = new Map(this.chosen.flatMap((each) => (each ? [...each] : [])));
    const all = this.steps.map((_, t) => found.get(t));
    return all.every((schema) => schema !== undefined) ? (all as Schema[]) : undefined;
  }

  keys(schema: readonly number[]): string[] {
    return schema.flatMap((family) => this.input.space.families[family]?.columnFamily.key ?? []);
  }

  /** The parent's schemas at the first and the last step. */
  private takenOver({ parent, first, last }: SummaryInterval): ReadonlyMap<TimeStep, Schema> {
    const schemas = parent === undefined ? undefined : this.chosen[parent];
    return new Map(
      [first, last].flatMap((t) => {
        const schema = schemas?.get(t);
        return schema ? [[t, schema] as const] : [];
      }),
    );
  }

  private async solve(
    interval: SummaryInterval,
    taken: ReadonlyMap<TimeStep, Schema>,
  ): Promise<SchemasOutcome> {
    const node = nodeInput(this.input, interval, taken);
    const alone: SolvedStep[] = [];
    for (const [at, t] of interval.steps.entries()) {
      const schema = taken.get(t);
      const outcome = schema ? await this.alone(node, at, t, schema) : this.steps[t];
      if (outcome?.status !== "solved") return outcome ?? { status: "infeasible" };
      alone.push(outcome);
    }
    return solveOverTime(this.solver, node, alone, this.limits, this.startOf(node, taken));
  }

  /** A step alone that has to have a given schema. */
  private async alone(
    node: SchemasInput,
    at: number,
    t: TimeStep,
    schema: Schema,
  ): Promise<StepOutcome> {
    const key = JSON.stringify([t, schema]);
    const known = this.given.get(key);
    if (known) return known;
    const step: OneStep = { workload: workloadAt(node.workload, at), rules: node.rules?.[at] };
    const priced = await priceOneStep(this.solver, node, step, this.limits);
    if (priced.status === "timedOut") return { status: "timedOut", bound: 0 };
    if (priced.status !== "priced") return priced;
    const outcome = await solveOneStep(this.solver, node, step, priced.prices, this.limits);
    if (outcome.status === "solved") this.given.set(key, outcome);
    return outcome;
  }

  /** A workable answer of a node without search: nothing changes but at one of its steps, or not at all. */
  private startOf(
    node: SchemasInput,
    taken: ReadonlyMap<TimeStep, Schema>,
  ): readonly Schema[] | undefined {
    const [first, last] = [...taken.values()];
    const count = node.workload.timeline.steps;
    const static_ = this.bestStatic;
    const tries =
      first && last
        ? [first, last].map((middle) => [first, middle, last])
        : static_
          ? [Array.from({ length: count }, () => static_)]
          : [];
    const workable = tries.flatMap((schemas) => {
      const choice = storageCover(node, schemas) ? undefined : chooseFor(node, schemas);
      return choice ? [choice] : [];
    });
    return workable.toSorted((a, b) => a.cost - b.cost)[0]?.schemas;
  }
}

/** How many steps of the horizon each step of a node stands for. */
function shareOf({ first, last, steps }: SummaryInterval): number {
  return (last - first + 1) / steps.length;
}

/** The program of a node's steps; `taken` holds the schemas that some of them have to have. */
function nodeInput(
  input: SchemasInput,
  interval: SummaryInterval,
  taken: ReadonlyMap<TimeStep, Schema>,
): SchemasInput {
  const { workload, options, startSchema } = input;
  const whole = interval.parent === undefined;
  const repeats = options.cyclic && workload.timeline.steps > 1;
  // What happens before the first step of all happens to nodes that have it; what repeats, to the root.
  const begins = interval.first === 0 && !repeats;
  return {
    ...input,
    workload: workloadOf(workload, interval.steps),
    costModel: withMigrationsBy(input.costModel, 1 / shareOf(interval)),
    options: { ...options, initialLoad: options.initialLoad && begins, cyclic: repeats && whole },
    startSchema: begins ? startSchema : undefined,
    rules:
      taken.size === 0 && !input.rules
        ? undefined
        : interval.steps.map((t) => rulesWith(input, t, taken.get(t))),
  };
}

/** Some steps of a workload, as if they were neighbours. */
function workloadOf({ timeline, curves }: Workload, steps: readonly TimeStep[]): Workload {
  return {
    timeline: { ...timeline, steps: steps.length },
    curves: Object.fromEntries(
      Object.entries(curves).map(([id, curve]) => [id, steps.map((t) => curve[t] ?? 0)]),
    ),
  };
}

/** Extraction and loading, and with loading the maintenance meanwhile (16), at `factor` times their cost. */
function withMigrationsBy(costModel: CostModel, factor: number): CostModel {
  const by = ({ fixed, perByte }: CostModel["load"]): CostModel["load"] => ({
    fixed: fixed * factor,
    perByte: perByte * factor,
  });
  return { ...costModel, extract: by(costModel.extract), load: by(costModel.load) };
}

/** Pins and bans of a step; with a schema taken over, that nothing but it exists. */
function rulesWith(
  { space, rules }: SchemasInput,
  t: TimeStep,
  schema: Schema | undefined,
): StepRules {
  const own = rules?.[t] ?? { pinned: new Set(), banned: new Set(), plans: new Map() };
  if (!schema) return own;
  const pinned = new Set(schema);
  if (!respects(pinned, own)) throw new Error("a parent's schema breaks a pin or ban of its step");
  const others = [...space.families.keys()].filter((family) => !pinned.has(family));
  return { pinned, banned: new Set(others), plans: own.plans };
}

/** Ties of a program with more presences and plans than this are settled among the families of the answer. */
const mostForTies = 2500;

/** The program over all steps among some candidates (15), with ties settled. */
async function solveAmong(
  solver: IlpSolver,
  input: SchemasInput,
  candidates: readonly number[],
  limits: SearchLimits,
  start: readonly Schema[] | undefined,
): Promise<SchemasOutcome> {
  const keep = (families: readonly number[]): readonly KeptStep[] => {
    const kept = keepFamilies(input, new Set(families));
    return Array.from({ length: input.workload.timeline.steps }, () => kept);
  };
  const kept = keep(candidates);
  const outcome = await solveSchemas(solver, { ...input, kept }, limits, start);
  if (outcome.status !== "solved" || !outcome.finished) return outcome;
  const size = kept.reduce((sum, each) => sum + each.families.length + each.plans.flat().length, 0);
  const program =
    size <= mostForTies
      ? outcome.program
      : { ...outcome.program, kept: keep([...new Set(outcome.choice.schemas.flat())]) };
  return {
    ...outcome,
    choice: await settleTies(solver, program, outcome.choice, limits.secondsLeft),
  };
}
