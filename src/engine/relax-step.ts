/**
 * The linear relaxation of one step alone over all families and all plans, by column generation.
 *
 * The master program holds some plans and families; the duals of its rows price the rest. With prices
 * μ ≥ 0 for using a class of families in a flow and λ ≥ 0 for a byte of storage, the Lagrangian
 *   L(μ, λ) = Σ_flows least value of a path − λ·B
 *           + Σ_c min over y of y · (own cost of c + λ·size(c) + least values of what keeps c true − Σ μ of c's classes)
 * is a lower bound whatever the prices are (Wolsey, Integer Programming, 2nd ed., §10 and §11); it is what
 * is reported, so no bound leans on the solver's tolerance. A path or family of negative reduced cost
 * enters the master; when none is left, the bound meets the master's objective.
 *
 * A class without a row in the master has no price of its own. It gets what its families can spare: their
 * reduced cost, shared evenly among all such classes that could be of use for nothing, which keeps the
 * prices valid.
 */
import {
  addConstraint,
  addVariable,
  type ConstraintIndex,
  createIlpModel,
  setBounds,
  type VariableIndex,
  variableCount,
} from "#ilp/model.ts";
import type { IlpSolver, LoadedProgram, RelaxationSolution } from "#ilp/solve.ts";
import { executions } from "#model/workload.ts";
import { type FormulationInput, type KeptStep, readsOf } from "./formulate.ts";
import type { PlanPath } from "./plan-graph.ts";
import {
  type BarredArcs,
  bestPaths,
  leastThroughClasses,
  type PricedGraph,
  pathsWithin,
  priceGraph,
} from "./plan-paths.ts";
import type { Flow, PlanSpace } from "./plan-space.ts";
import { isAllowed } from "./restrictions.ts";

/** The relaxation of one step: a bound, and what anything left out would cost beside it; milliseconds. */
export interface StepPrices {
  /** No answer of the step costs less. */
  readonly cost: number;
  /** Reduced cost of every family; infinite for one that may not take part. */
  readonly families: Float64Array;
  /** Families that stand in the relaxation's solution, and how much of each (0 … 1). */
  readonly present: ReadonlyMap<number, number>;
  /** Per flow the paths that the relaxation's solution takes. */
  readonly taken: readonly (readonly TakenPath[])[];
  /** One per flow; undefined for one that the master does not read. */
  readonly flows: readonly (FlowPrices | undefined)[];
  /** Executions of each flow. */
  readonly weights: readonly number[];
  /** What the master held in the end. */
  readonly master: KeptStep;
}

/** What the plans of a flow cost under the prices (`priceGraph`). */
export interface FlowPrices {
  /** Per class, milliseconds. */
  readonly prices: Float64Array;
  /** Least value of a path, milliseconds. */
  readonly least: number;
}

/** A path and how much of its flow takes it, 0 … 1. */
export interface TakenPath {
  readonly path: PlanPath;
  readonly share: number;
}

export type PricesOutcome =
  | { readonly status: "priced"; readonly prices: StepPrices }
  | { readonly status: "infeasible" }
  | { readonly status: "timedOut" }
  | { readonly status: "failed"; readonly message: string };

/** `input` has one step and is free of migrations. */
export async function relaxStep(
  solver: IlpSolver,
  input: FormulationInput,
  secondsLeft: () => number | undefined,
): Promise<PricesOutcome> {
  const relaxation = new StepRelaxation(solver, input, secondsLeft);
  try {
    return await relaxation.solve();
  } finally {
    relaxation.dispose();
  }
}

/** Paths that were of use in earlier relaxations of the same space: a good start for the next. */
const useful = new WeakMap<PlanSpace, Map<number, Set<PlanPath>>>();

/** What is minimised: the step's cost, or what cannot be answered. */
interface Goal {
  /** Executions of each flow. */
  readonly weights: readonly number[];
  /** Milliseconds of keeping each family. */
  readonly own: Float64Array;
  /** Cost of leaving a query unanswered. */
  readonly unanswered: number;
}

type Ended =
  | { readonly status: "solved"; readonly prices: StepPrices; readonly leftOpen: number }
  | Exclude<PricesOutcome, { status: "priced" }>;

function better(a: StepPrices | undefined, b: StepPrices): StepPrices {
  return a && a.cost >= b.cost ? a : b;
}

function failureOf(solution: Exclude<RelaxationSolution, { status: "optimal" }>): Ended {
  if (solution.status === "infeasible" || solution.status === "timedOut")
    return { status: solution.status };
  return {
    status: "failed",
    message: solution.status === "failed" ? solution.message : "The relaxation has no least cost.",
  };
}

/** Rows whose violation by the bound is below this share of the objective are taken for tight. */
const closeEnough = 1e-6;
const mostFamiliesPerRound = 100;
/** A solver calls a point feasible that breaks a row by about this much. */
const precision = 1e-6;

/** How far a relaxation is to be taken. */
export interface Aim {
  /** Once the bound is this high, nobody cares how much higher it gets. */
  readonly enough: number;
  /** Once bound and master differ by no more than this share, that will do. */
  readonly near: number;
}

const toTheEnd: Aim = { enough: Number.POSITIVE_INFINITY, near: 0 };

/** A step's relaxation, kept for solving it again with arcs of its flows' plan graphs barred. */
export class StepRelaxation {
  private readonly input: FormulationInput;
  private readonly space: PlanSpace;
  private readonly secondsLeft: () => number | undefined;
  private readonly model = createIlpModel("relaxation of one step");
  private readonly solver: IlpSolver;
  private program: LoadedProgram;
  private readonly sizes: Float64Array;
  private readonly unit: number;
  private readonly storageRow: ConstraintIndex | undefined;
  /** Row of each flow: a query is answered; a support query as much as its family exists. */
  private readonly flowRows = new Map<number, ConstraintIndex>();
  private readonly open = new Map<number, VariableIndex>();
  private readonly classRows: Map<number, ConstraintIndex>[];
  private readonly paths: Map<PlanPath, VariableIndex>[];
  private readonly present = new Map<number, VariableIndex>();
  /** Flows that serve each family. */
  private readonly serving: number[][];
  private readonly pinned: ReadonlySet<number>;
  private readonly banned: ReadonlySet<number>;
  /** Classes that some path runs through, per flow. */
  private readonly living: (readonly number[])[];

  /** What takes part from the start, beside what is guessed. */
  private readonly first: KeptStep | undefined;
  /** Per flow the arcs that no path may take. */
  private barred: readonly (BarredArcs | undefined)[] = [];
  private unanswered = 0;

  constructor(
    solver: IlpSolver,
    input: FormulationInput,
    secondsLeft: () => number | undefined,
    first?: KeptStep,
  ) {
    const { space, storageBytes } = input;
    this.input = input;
    this.space = space;
    this.secondsLeft = secondsLeft;
    this.first = first;
    this.solver = solver;
    this.program = solver.load(this.model);
    this.sizes = Float64Array.from(space.families, ({ columnFamily }) => columnFamily.size.bytes);
    this.unit = Math.max(storageBytes ?? 1, 1) / 1000;
    const row = (name: string, lower: number, upper: number): ConstraintIndex =>
      addConstraint(this.model, name, lower, upper, [], []);
    this.storageRow =
      storageBytes === undefined
        ? undefined
        : row("storage", Number.NEGATIVE_INFINITY, storageBytes / this.unit);
    const rules = input.rules?.[0];
    this.pinned = rules?.pinned ?? new Set();
    this.banned = rules?.banned ?? new Set();
    this.classRows = space.flows.map(() => new Map());
    this.paths = space.flows.map(() => new Map());
    this.serving = space.families.map(() => []);
    this.living = space.flows.map(() => []);
    space.flows.forEach((flow, q) => {
      this.living[q] = [...new Set(flow.space.graph.classOf)].sort((a, b) => a - b);
      if (!flow.serves) {
        const answered = row(`answered_${q}`, 1, 1);
        this.flowRows.set(q, answered);
        const open = { name: `open_${q}`, lower: 0, upper: 1, integral: false };
        this.open.set(
          q,
          addVariable(this.model, open, { constraints: [answered], coefficients: [1] }),
        );
      } else if (readsOf(input, flow, 0) > 0) this.serving[flow.serves.family]?.push(q);
    });
  }

  dispose(): void {
    this.program.dispose();
  }

  async solve(): Promise<PricesOutcome> {
    if ([...this.pinned].some((family) => family < 0 || this.banned.has(family)))
      return { status: "infeasible" };
    for (const family of this.pinned) this.addFamily(family);
    this.addFirstPaths();
    const goal = this.costGoal();
    const magnitude = this.magnitude();
    let unanswered = 10 * magnitude;
    let ended = await this.descend({ ...goal, unanswered }, magnitude, toTheEnd);
    for (let tries = 0; ended.status === "solved" && ended.leftOpen > precision; tries += 1) {
      // Either something cannot be answered, or leaving it open was still too cheap.
      const nothing = goal.weights.map(() => 0);
      const own = new Float64Array(goal.own.length);
      const feasible = await this.descend({ weights: nothing, own, unanswered: 1 }, 1, toTheEnd);
      if (feasible.status !== "solved") return feasible;
      if (feasible.leftOpen > precision) return { status: "infeasible" };
      // The bound is one whatever the price is; it only gets better.
      if (tries === 3) break;
      unanswered *= 1000;
      ended = await this.descend({ ...goal, unanswered }, magnitude, toTheEnd);
    }
    if (ended.status !== "solved") return ended;
    this.unanswered = unanswered;
    // Of a short list every relaxation begins alike, so that what is recalled of one is what would be found again.
    if (!this.space.migrations.isShort) this.remember();
    return { status: "priced", prices: ended.prices };
  }

  /** The relaxation, solved before, without paths over barred arcs; `barred` has one entry per flow. */
  async without(barred: readonly (BarredArcs | undefined)[], aim: Aim): Promise<PricesOutcome> {
    const before = this.barred;
    this.barred = barred;
    this.paths.forEach((paths, q) => {
      if (barred[q] === before[q]) return;
      for (const [path, variable] of paths)
        setBounds(this.model, variable, 0, this.isBarred(q, path) ? 0 : 1);
    });
    let { unanswered } = this;
    for (let tries = 0; ; tries += 1) {
      const goal = { ...this.costGoal(), unanswered };
      const ended = await this.descend(goal, this.magnitude(), aim);
      if (ended.status !== "solved") return ended;
      const { prices, leftOpen } = ended;
      // Leaving a little open was cheaper than answering: it must not be.
      if (leftOpen <= precision || prices.cost >= aim.enough || tries === 3)
        return { status: "priced", prices };
      unanswered *= 100;
    }
  }

  private isBarred(q: number, { arcs }: PlanPath): boolean {
    const barred = this.barred[q];
    return barred !== undefined && arcs.some((arc) => barred[arc] === 1);
  }

  /** What the step costs at least, were storage no matter; milliseconds, 1 or more. */
  private magnitude(): number {
    const { weights } = this.costGoal();
    const total = weights.reduce((sum, weight, q) => sum + weight * this.leastOf(q), 0);
    return Math.max(total, 1);
  }

  private costGoal(): Omit<Goal, "unanswered"> {
    const { input, space } = this;
    const own = new Float64Array(space.families.length);
    for (const { statement, family, cost } of space.maintenance)
      own[family] = (own[family] as number) + executions(input.workload, statement, 0) * cost;
    return { weights: space.flows.map((flow) => readsOf(input, flow, 0)), own };
  }

  // --- the master ---------------------------------------------------------------------------------

  private addFirstPaths(): void {
    const known = useful.get(this.space);
    this.first?.plans.forEach((paths, q) => {
      if (this.flowRows.has(q)) for (const path of paths) this.addPath(q, path);
    });
    for (const family of this.first?.families ?? []) this.addFamily(family);
    for (const q of this.flowRows.keys()) {
      for (const path of known?.get(q) ?? []) if (this.mayTake(q, path)) this.addPath(q, path);
      for (const path of this.pathsBelow(q, this.pricedFree(q), Number.POSITIVE_INFINITY, 6))
        this.addPath(q, path);
    }
    for (const perByte of this.guessedPrices()) this.addPathsAt(perByte);
  }

  /** Prices of a byte of storage around what its limit could be worth, milliseconds. */
  private guessedPrices(): number[] {
    const { storageBytes } = this.input;
    if (storageBytes === undefined) return [];
    const total = this.magnitude();
    return [0.001, 0.01, 0.1, 1, 10].map((share) => (share * total) / storageBytes);
  }

  /** The best plans where every class costs the storage of its smallest family. */
  private addPathsAt(perByte: number): void {
    for (const q of [...this.flowRows.keys()]) {
      const { graph } = (this.space.flows[q] as Flow).space;
      const weight = readsOf(this.input, this.space.flows[q] as Flow, 0);
      const prices = Float64Array.from(graph.classes, (_, index) => {
        if (!this.mayUse(q, index)) return Number.POSITIVE_INFINITY;
        const bytes = this.membersOf(q, index).map((family) => this.sizes[family] as number);
        return perByte * Math.min(...bytes);
      });
      const priced = priceGraph(graph, weight, prices);
      for (const path of this.pathsBelow(q, priced, Number.POSITIVE_INFINITY, 2))
        this.addPath(q, path);
    }
  }

  private leastOf(q: number): number {
    return (this.space.flows[q] as Flow).space.leastCost;
  }

  private remember(): void {
    const known = useful.get(this.space) ?? new Map<number, Set<PlanPath>>();
    useful.set(this.space, known);
    this.paths.forEach((paths, q) => {
      if (this.space.flows[q]?.serves) return;
      const set = known.get(q) ?? new Set();
      for (const path of paths.keys()) set.add(path);
      known.set(q, set);
    });
  }

  /** Adds a family and what keeps it true. */
  private addFamily(family: number): void {
    if (this.present.has(family) || this.banned.has(family)) return;
    const constraints: ConstraintIndex[] = [];
    const coefficients: number[] = [];
    if (this.storageRow !== undefined) {
      constraints.push(this.storageRow);
      coefficients.push((this.sizes[family] as number) / this.unit);
    }
    this.space.flows.forEach(({ space }, q) => {
      for (const [index, row] of this.classRows[q] ?? [])
        if (space.familiesOf[index]?.includes(family)) {
          constraints.push(row);
          coefficients.push(-1);
        }
    });
    const lower = this.pinned.has(family) ? 1 : 0;
    const variable = addVariable(
      this.model,
      { name: `present_${family}`, lower, upper: 1, integral: false },
      { constraints, coefficients },
    );
    this.present.set(family, variable);
    for (const q of this.serving[family] ?? []) {
      this.flowRows.set(q, addConstraint(this.model, `supported_${q}`, 0, 0, [variable], [-1]));
      for (const path of this.pathsBelow(q, this.pricedFree(q), Number.POSITIVE_INFINITY, 2))
        this.addPath(q, path);
    }
  }

  /** True when the path is new. */
  private addPath(q: number, path: PlanPath): boolean {
    if (this.paths[q]?.has(path)) return false;
    const { graph } = (this.space.flows[q] as Flow).space;
    const classes = new Set(path.classes.flatMap((index) => graph.classes[index]?.within ?? []));
    const rows = [...classes].map((index) => this.rowOf(q, index));
    const variable = addVariable(
      this.model,
      {
        name: `used_${q}_${path.arcs.join("_")}`,
        lower: 0,
        upper: this.isBarred(q, path) ? 0 : 1,
        integral: false,
      },
      {
        constraints: [this.flowRows.get(q) as ConstraintIndex, ...rows],
        coefficients: [1, ...rows.map(() => 1)],
      },
    );
    this.paths[q]?.set(path, variable);
    return true;
  }

  private rowOf(q: number, index: number): ConstraintIndex {
    const known = this.classRows[q]?.get(index);
    if (known !== undefined) return known;
    const members = this.membersOf(q, index);
    const there = members.flatMap((family) => this.present.get(family) ?? []);
    const row = addConstraint(
      this.model,
      `exists_${q}_${index}`,
      Number.NEGATIVE_INFINITY,
      0,
      there,
      there.map(() => -1),
    );
    this.classRows[q]?.set(index, row);
    if (there.length === 0) {
      const bytes = (family: number): number => this.sizes[family] as number;
      this.addFamily(members.reduce((a, b) => (bytes(b) < bytes(a) ? b : a)));
    }
    return row;
  }

  private membersOf(q: number, index: number): readonly number[] {
    const all = this.space.flows[q]?.space.familiesOf[index] ?? [];
    return this.banned.size === 0 ? all : all.filter((family) => !this.banned.has(family));
  }

  // --- pricing ------------------------------------------------------------------------------------

  /** Solves the master, prices what is left out and takes it in, until nothing is of use. */
  private async descend(goal: Goal, magnitude: number, { enough, near }: Aim): Promise<Ended> {
    const scale = 10 ** Math.round(Math.log10(magnitude) - 1);
    let best: StepPrices | undefined;
    // First each class by itself is asked to pay for all of its family, then all classes together.
    for (let together = false; ; ) {
      const solution = await this.relaxation(this.costsOf(goal, scale));
      if (solution.status !== "optimal") return failureOf(solution);
      const duals = solution.duals.map((dual) => dual * scale);
      const objective = solution.objective * scale;
      const tolerance = closeEnough * Math.max(Math.abs(objective), Number.MIN_VALUE);
      const { prices, entered } = this.price(goal, duals, together, tolerance);
      if (together) best = better(best, prices);
      const most = Math.max(tolerance, near * Math.abs(objective));
      const isGood = best !== undefined && (objective - best.cost <= most || best.cost >= enough);
      if (best && (isGood || entered === 0)) return this.ended(best, solution.values);
      if (entered === 0) together = true;
    }
  }

  private async relaxation(costs: Float64Array): Promise<RelaxationSolution> {
    const left = this.secondsLeft();
    // The solver looks at its clock only now and then.
    if (left !== undefined && left <= 0)
      return { status: "timedOut", stoppedBy: "timeLimit", nodes: 0, simplexIterations: 0 };
    this.program.changeCosts(costs);
    // From one round to the next columns are added, and the last point stays feasible.
    const limits = {
      simplex: "primal" as const,
      ...(left !== undefined && { timeLimitSeconds: Math.max(left, 0.001) }),
    };
    const solution = await this.program.solveRelaxation(limits);
    if (solution.status !== "failed") return solution;
    // A basis that served many rounds can be bad to go on from; from scratch the same program is easy.
    this.program.dispose();
    this.program = this.solver.load(this.model);
    this.program.changeCosts(costs);
    return this.program.solveRelaxation(limits);
  }

  private ended(prices: StepPrices, values: Float64Array): Ended {
    const standing = <Of>(all: Iterable<[Of, VariableIndex]>): [Of, number][] =>
      [...all]
        .map(([of, variable]): [Of, number] => [of, values[variable] as number])
        .filter(([, share]) => share > 1e-9);
    const leftOpen = [...this.open.values()].reduce(
      (sum, variable) => sum + (values[variable] as number),
      0,
    );
    const present = new Map(standing(this.present));
    const taken = this.paths.map((paths) =>
      standing(paths).map(([path, share]) => ({ path, share })),
    );
    return { status: "solved", leftOpen, prices: { ...prices, present, taken } };
  }

  private costsOf({ weights, own, unanswered }: Goal, scale: number): Float64Array {
    const costs = new Float64Array(variableCount(this.model));
    this.paths.forEach((paths, q) => {
      for (const [{ cost }, variable] of paths)
        costs[variable] = ((weights[q] as number) * cost) / scale;
    });
    for (const [family, variable] of this.present)
      costs[variable] = (own[family] as number) / scale;
    for (const variable of this.open.values()) costs[variable] = unanswered / scale;
    return costs;
  }

  /**
   * The Lagrangian at the master's duals, and what enters the master. `together`: classes without rows share
   * what their families can spare, which alone gives a bound; else each takes all of it.
   */
  private price(
    goal: Goal,
    duals: Float64Array,
    together: boolean,
    tolerance: number,
  ): { prices: StepPrices; entered: number } {
    const { input, space } = this;
    const lambda =
      this.storageRow === undefined
        ? 0
        : Math.max(0, -(duals[this.storageRow] as number)) / this.unit;
    const classPrices = space.flows.map(({ space: { graph } }, q) =>
      this.flowRows.has(q) ? this.rowPrices(q, graph.classes.length, duals) : undefined,
    );
    const reduced = this.reducedCosts(goal, lambda, classPrices);
    // What the priced classes pay too much for enters; what the others take is no reason.
    const owing = reduced.slice();
    if (together) this.freeUseless(goal, duals, classPrices, tolerance);
    this.priceAbsent(classPrices, reduced, together);

    let cost = -lambda * (input.storageBytes ?? 0);
    let entered = 0;
    const flows = space.flows.map((flow, q) => {
      const prices = classPrices[q];
      if (!prices) return undefined;
      const owed = duals[this.flowRows.get(q) as ConstraintIndex] as number;
      const priced = this.pricedBelow(q, goal.weights[q] as number, prices, owed + tolerance);
      const most = together ? 30 : 10;
      const added = this.pathsBelow(q, priced, owed - tolerance, most).filter((path) =>
        this.addPath(q, path),
      );
      entered += added.length;
      if (flow.serves) {
        const { family } = flow.serves;
        reduced[family] = (reduced[family] as number) + priced.least;
        owing[family] = (owing[family] as number) + priced.least;
      } else cost += Math.min(priced.least, goal.unanswered);
      return { prices, least: priced.least };
    });
    const wanted: number[] = [];
    for (let family = 0; family < reduced.length; family += 1) {
      const price = reduced[family] as number;
      if (this.banned.has(family)) continue;
      cost += this.pinned.has(family) ? price : Math.min(0, price);
      if ((owing[family] as number) < -tolerance && !this.present.has(family)) wanted.push(family);
    }
    wanted.sort((a, b) => (owing[a] as number) - (owing[b] as number));
    for (const family of wanted.slice(0, mostFamiliesPerRound)) this.addFamily(family);
    const families = reduced.map((price, family) =>
      this.banned.has(family) ? Number.POSITIVE_INFINITY : price,
    );
    const { weights } = goal;
    const prices = {
      cost,
      families,
      present: new Map<number, number>(),
      taken: [],
      flows,
      weights,
      master: this.held(),
    };
    return { prices, entered: entered + Math.min(wanted.length, mostFamiliesPerRound) };
  }

  /** Of the paths that enter all, and the best in any case: some path of the master has the value of the dual. */
  private pricedBelow(q: number, weight: number, prices: Float64Array, most: number): PricedGraph {
    const { graph } = (this.space.flows[q] as Flow).space;
    const priced = priceGraph(graph, weight, prices, this.barred[q], most);
    return priced.least <= most ? priced : priceGraph(graph, weight, prices, this.barred[q]);
  }

  private held(): KeptStep {
    return {
      families: [...this.present.keys()].sort((a, b) => a - b),
      plans: this.paths.map((paths) => [...paths.keys()]),
    };
  }

  /** Prices of the classes with rows; NaN for the others, infinite for those that may not be used. */
  private rowPrices(q: number, count: number, duals: Float64Array): Float64Array {
    const prices = new Float64Array(count).fill(Number.NaN);
    for (const index of this.living[q] ?? [])
      if (!this.mayUse(q, index)) prices[index] = Number.POSITIVE_INFINITY;
    for (const [index, row] of this.classRows[q] ?? [])
      prices[index] = Math.max(0, -(duals[row] as number));
    return prices;
  }

  /** Of every family: own cost, storage and what keeps it true, less what its priced classes pay. */
  private reducedCosts(
    goal: Goal,
    lambda: number,
    classPrices: readonly (Float64Array | undefined)[],
  ): Float64Array {
    const reduced = this.sizes.map(
      (bytes, family) => (goal.own[family] as number) + lambda * bytes,
    );
    this.serving.forEach((flows, family) => {
      // Flows in the master are added when they are priced.
      for (const q of flows)
        if (!this.flowRows.has(q)) {
          const weight = goal.weights[q] as number;
          reduced[family] = (reduced[family] as number) + weight * this.leastOf(q);
        }
    });
    classPrices.forEach((prices, q) => {
      if (!prices) return;
      for (const index of this.classRows[q]?.keys() ?? [])
        for (const family of this.space.flows[q]?.space.familiesOf[index] ?? [])
          reduced[family] = (reduced[family] as number) - (prices[index] as number);
    });
    return reduced;
  }

  /** Classes without rows that even for nothing are on no path worth having need no price. */
  private freeUseless(
    goal: Goal,
    duals: Float64Array,
    classPrices: readonly (Float64Array | undefined)[],
    tolerance: number,
  ): void {
    classPrices.forEach((prices, q) => {
      if (!prices) return;
      const { graph } = (this.space.flows[q] as Flow).space;
      const free = prices.map((price) => (Number.isNaN(price) ? 0 : price));
      const owed = duals[this.flowRows.get(q) as ConstraintIndex] as number;
      const weight = goal.weights[q] as number;
      const least = leastThroughClasses(priceGraph(graph, weight, free, undefined, owed));
      for (const index of this.living[q] ?? [])
        if (Number.isNaN(prices[index]) && (least[index] as number) >= owed - tolerance)
          prices[index] = 0;
    });
  }

  /** Fills in the prices of classes without rows and takes them off their families. */
  private priceAbsent(
    classPrices: readonly (Float64Array | undefined)[],
    reduced: Float64Array,
    together: boolean,
  ): void {
    const counts = new Float64Array(reduced.length);
    const each = (
      visit: (members: readonly number[], prices: Float64Array, index: number) => void,
    ) =>
      classPrices.forEach((prices, q) => {
        if (!prices) return;
        for (const index of this.living[q] ?? [])
          if (Number.isNaN(prices[index])) visit(this.membersOf(q, index), prices, index);
      });
    each((members) => {
      for (const family of members) counts[family] = (counts[family] as number) + 1;
    });
    const before = reduced.slice();
    each((members, prices, index) => {
      let least = Number.POSITIVE_INFINITY;
      for (const family of members) {
        const share = together ? 1 / (counts[family] as number) : 1;
        // What is pinned exists anyway, so that using it costs nothing.
        const price = this.pinned.has(family) ? 0 : (before[family] as number);
        const spare = Math.max(0, price) * share;
        if (spare < least) least = spare;
      }
      prices[index] = least;
      for (const family of members) reduced[family] = (reduced[family] as number) - least;
    });
    // Classes that only lead to others and are in no path have no part in any value.
    for (const prices of classPrices)
      prices?.forEach((price, index) => {
        if (Number.isNaN(price)) prices[index] = 0;
      });
  }

  private pricedFree(q: number): PricedGraph {
    const { graph } = (this.space.flows[q] as Flow).space;
    const prices = Float64Array.from(graph.classes, (_, index) =>
      this.mayUse(q, index) ? 0 : Number.POSITIVE_INFINITY,
    );
    return priceGraph(graph, 1, prices);
  }

  /** A class may be used when one of its families may exist, and no pin of another plan rules it out. */
  private mayUse(q: number, index: number): boolean {
    const members = this.membersOf(q, index);
    const rules = this.input.rules?.[0]?.plans.get(q) ?? [];
    return (
      members.length > 0 &&
      rules.every(
        ({ demand, families }) =>
          demand === "ban" || members.every((family) => families.includes(family)),
      )
    );
  }

  private mayTake(q: number, path: PlanPath): boolean {
    return (
      path.classes.every((index) => this.mayUse(q, index)) &&
      isAllowed(this.input.rules?.[0], q, (this.space.flows[q] as Flow).space, path)
    );
  }

  /** Some of the best paths below a value, each with another first Get where nothing rules plans out. */
  private pathsBelow(q: number, priced: PricedGraph, limit: number, most: number): PlanPath[] {
    const isRuled = this.input.rules?.[0]?.plans.has(q) === true;
    const paths = isRuled
      ? pathsWithin(priced, Math.min(limit, Number.MAX_VALUE)).filter((path) =>
          this.mayTake(q, path),
        )
      : bestPaths(priced, limit);
    return paths.slice(0, most);
  }
}
