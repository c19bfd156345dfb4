/**
 * The best schema of one step alone where its program is too large to be written out: branch and bound
 * over the relaxation by column generation (branch and price: Barnhart et al., Operations Research 46,
 * 1998, pp. 316–329).
 *
 * What the relaxation gets wrong is the storage limit: it gives up a tenth of a table and answers a tenth
 * of a query by a dear plan. So a branching cuts the plans of one query in two by what they cost at least:
 * those whose first (or last) Get leads to a plan of at most θ, and the rest. (Branching on a table gets
 * nowhere: the relaxation takes one of its many near-twins instead.) Both parts are sets of barred arcs of
 * the query's plan graph, so that pricing stays what it was.
 *
 * Before each branching, arcs are barred all of whose paths cost more than the best answer leaves room for
 * (reduced-cost fixing, Wolsey, Integer Programming, 2nd ed., §7.4): with prices of a bound L, a path of value
 * v through a flow of least value l is in no answer below L + v − l. Ways of answering vanish whole, and with
 * them their shares.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { PlanGraph } from "./plan-graph.ts";
import { type BarredArcs, leastThroughArcs, priceGraph } from "./plan-paths.ts";
import { bytesOf, type Flow } from "./plan-space.ts";
import type { Choice } from "./read-solution.ts";
import { type FlowPrices, type StepPrices, StepRelaxation, type TakenPath } from "./relax-step.ts";
import { type SchemasInput, type SearchLimits, workable } from "./solve-schemas.ts";

export type BranchOutcome =
  | {
      readonly status: "searched";
      /** The best schema found; undefined where there was none to begin with and none was met. */
      readonly best: Choice | undefined;
      /** Milliseconds: no answer of the step costs less. */
      readonly bound: number;
      /** True when nothing was left to search, false when the time was up. */
      readonly finished: boolean;
      readonly nodes: number;
    }
  | { readonly status: "failed"; readonly message: string };

/** `input` has one step and is free of migrations; `prices` are its relaxation, `start` an answer to beat. */
export async function branchStep(
  solver: IlpSolver,
  input: SchemasInput,
  prices: StepPrices,
  start: Choice | undefined,
  limits: SearchLimits,
): Promise<BranchOutcome> {
  const program = { ...input, explicit: new Set<number>(), tooLarge: [] };
  const relaxation = new StepRelaxation(solver, program, limits.secondsLeft, prices.master);
  try {
    return await new Branching(relaxation, input, prices, start, limits).search(prices.cost);
  } finally {
    relaxation.dispose();
  }
}

/** Per flow the arcs that no path may take; undefined where every arc may be taken. */
type Barred = readonly (BarredArcs | undefined)[];

/** Part of the answers: those whose plans avoid some arcs. */
interface Node {
  /** Milliseconds: none of them costs less. */
  readonly bound: number;
  readonly barred: Barred;
}

/** One way of cutting a flow's plans in two. */
interface Cut {
  readonly flow: number;
  /** Milliseconds that the relaxation saves by not deciding. */
  readonly worth: number;
  readonly parts: readonly [BarredArcs, BarredArcs];
}

/** Shares below this are the solver's noise. */
const noise = 1e-6;

class Branching {
  private readonly relaxation: StepRelaxation;
  private readonly input: SchemasInput;
  private readonly limits: SearchLimits;
  private best: Choice | undefined;
  private readonly tried = new Set<string>();
  /** Nodes to search, in the order in which they were made. */
  private readonly open: Node[] = [];
  /** Least bound of what was searched and is not worth going into. */
  private closed = Number.POSITIVE_INFINITY;
  private nodes = 0;
  /** Executions of each flow. */
  private readonly weights: readonly number[];
  private readonly throughs = new Map<number, Float64Array>();
  private reach: { readonly best: Choice; readonly barred: Barred } | undefined;

  constructor(
    relaxation: StepRelaxation,
    input: SchemasInput,
    { weights }: StepPrices,
    start: Choice | undefined,
    limits: SearchLimits,
  ) {
    this.weights = weights;
    this.relaxation = relaxation;
    this.input = input;
    this.best = start;
    this.limits = limits;
  }

  async search(floor: number): Promise<BranchOutcome> {
    const whole = await this.relaxation.solve();
    if (whole.status === "failed") return whole;
    this.open.push({ bound: floor, barred: this.input.space.flows.map(() => undefined) });
    let inTime = whole.status !== "timedOut";
    for (let node = this.next(); inTime && node; node = this.next()) {
      const left = this.limits.secondsLeft();
      const ended = left !== undefined && left <= 0 ? "timedOut" : await this.visit(node);
      if (typeof ended === "object") return ended;
      inTime = ended !== "timedOut";
      // What there was no time for stays open: its bound still counts.
      if (!inTime) this.open.push(node);
    }
    const bounds = [this.closed, ...this.open.map(({ bound }) => bound)];
    const bound = Math.min(this.best?.cost ?? Number.POSITIVE_INFINITY, ...bounds);
    return {
      status: "searched",
      best: this.best,
      bound: Number.isFinite(bound) ? bound : floor,
      finished: inTime,
      nodes: this.nodes,
    };
  }

  /** An answer must cost less than this to be worth looking for. */
  private enough(): number {
    return this.best ? this.best.cost * (1 - this.limits.gap) : Number.POSITIVE_INFINITY;
  }

  /** Takes out the node of the least bound; undefined when none is worth searching. */
  private next(): Node | undefined {
    let least = 0;
    this.open.forEach(({ bound }, index) => {
      if (bound < (this.open[least] as Node).bound) least = index;
    });
    const node = this.open[least];
    if (!node || node.bound >= this.enough()) return undefined;
    this.open.splice(least, 1);
    return node;
  }

  private async visit(
    node: Node,
  ): Promise<"searched" | "timedOut" | { readonly status: "failed"; readonly message: string }> {
    const aim = { enough: this.enough(), near: this.limits.gap / 4 };
    const relaxed = await this.relaxation.without(node.barred, aim);
    if (relaxed.status === "timedOut") return "timedOut";
    if (relaxed.status === "failed") return relaxed;
    this.nodes += 1;
    this.limits.onNodes?.(this.nodes);
    if (relaxed.status === "infeasible") return "searched";
    const { prices } = relaxed;
    const bound = Math.max(node.bound, prices.cost);
    this.round(prices);
    if (bound < this.enough()) this.goInto({ ...node, bound }, prices);
    else this.closed = Math.min(this.closed, bound);
    return "searched";
  }

  /** Bars what costs too much, and cuts in two what is left. */
  private goInto({ bound, barred }: Node, prices: StepPrices): void {
    const narrower = this.narrowed(barred, prices);
    const isTaken = prices.taken.some((paths, q) =>
      paths.some(({ path }) => path.arcs.some((arc) => narrower[q]?.[arc] === 1)),
    );
    if (isTaken) {
      this.open.push({ bound, barred: narrower });
      return;
    }
    const cut = this.bestCut(prices);
    if (!cut) {
      this.closed = Math.min(this.closed, bound);
      return;
    }
    for (const part of cut.parts)
      this.open.push({
        bound,
        barred: narrower.map((arcs, q) => (q === cut.flow ? union(arcs, part) : arcs)),
      });
  }

  /** The relaxation's families, the fullest first, as far as they fit. */
  private round({ present }: StepPrices): void {
    const { space, storageBytes = Number.POSITIVE_INFINITY } = this.input;
    const schema: number[] = [];
    let left = storageBytes;
    for (const [family] of [...present].sort(([f, a], [g, b]) => b - a || f - g)) {
      const bytes = bytesOf(space, family);
      if (bytes > left) continue;
      schema.push(family);
      left -= bytes;
    }
    schema.sort((a, b) => a - b);
    const key = schema.join();
    if (this.tried.has(key)) return;
    this.tried.add(key);
    const choice = workable(this.input, [schema]);
    if (!choice || (this.best && choice.cost >= this.best.cost)) return;
    this.best = choice;
    this.limits.onBetter?.(choice);
  }

  // --- barring ------------------------------------------------------------------------------------

  private narrowed(barred: Barred, { flows, cost }: StepPrices): Barred {
    const { best } = this;
    if (!best) return barred;
    const known = this.withinReach(best);
    return barred.map((arcs, q) => {
      const priced = flows[q];
      return union(
        union(arcs, known[q]),
        priced && this.tooDear(q, priced, best.cost - cost, arcs),
      );
    });
  }

  /** The same under no prices at all: what the others cost at least, were storage no matter. */
  private withinReach(best: Choice): Barred {
    if (this.reach?.best === best) return this.reach.barred;
    const { flows } = this.input.space;
    const free = flows.map(({ space: { graph, leastCost } }, q): FlowPrices => {
      const prices = new Float64Array(graph.classes.length);
      return { prices, least: leastCost * (this.weights[q] as number) };
    });
    const least = free.reduce((sum, each, q) => sum + (flows[q]?.serves ? 0 : each.least), 0);
    const barred = free.map((each, q) => this.tooDear(q, each, best.cost - least, undefined));
    this.reach = { best, barred };
    return barred;
  }

  /** Arcs whose every path costs more than `room` above the least. */
  private tooDear(
    q: number,
    { prices, least }: FlowPrices,
    room: number,
    barred: BarredArcs | undefined,
  ): BarredArcs {
    // Sums of prices are exact to about this share.
    const most = least + room + 1e-9 * Math.max(1, Math.abs(least) + Math.abs(room));
    const { graph } = (this.input.space.flows[q] as Flow).space;
    const priced = priceGraph(graph, this.weights[q] as number, prices, barred, most);
    return Uint8Array.from(leastThroughArcs(priced), (value) => (value > most ? 1 : 0));
  }

  // --- branching ----------------------------------------------------------------------------------

  private bestCut(prices: StepPrices): Cut | undefined {
    let best: Cut | undefined;
    prices.taken.forEach((paths, flow) => {
      const all = paths.reduce((sum, { share }) => sum + share, 0);
      const taken = paths.filter(({ share }) => share > noise * all);
      if (taken.length < 2) return;
      for (const end of ["first", "last"] as const) {
        const cut = this.cut(flow, end, taken, (this.weights[flow] as number) / all);
        if (cut && (!best || cut.worth > best.worth)) best = cut;
      }
    });
    return best;
  }

  /** Where the first or last Gets of the taken paths are best told apart by what they cost at least. */
  private cut(
    flow: number,
    end: "first" | "last",
    taken: readonly TakenPath[],
    weight: number,
  ): Cut | undefined {
    const { graph } = (this.input.space.flows[flow] as Flow).space;
    const costs = this.costsThrough(flow);
    const points = taken
      .map(({ path: { arcs }, share }) => ({
        arc: (end === "first" ? arcs[0] : arcs.at(-1)) as number,
        share,
      }))
      .sort((a, b) => (costs[a.arc] as number) - (costs[b.arc] as number) || a.arc - b.arc);
    const all = points.reduce((sum, { share }) => sum + share, 0);
    let best: { worth: number; isBelow: (arc: number) => boolean } | undefined;
    let share = 0;
    for (const [index, { arc, share: own }] of points.entries()) {
      const next = points[index + 1];
      share += own;
      if (!next || next.arc === arc) continue;
      const between = (costs[next.arc] as number) - (costs[arc] as number);
      const worth = weight * between * Math.min(share, all - share);
      if (best && worth <= best.worth) continue;
      const middle = (costs[arc] as number) + between / 2;
      // Arcs that cost the same are told apart by their numbers.
      const isBelow =
        between > 1e-9 * (costs[next.arc] as number)
          ? (each: number) => (costs[each] as number) <= middle
          : (each: number) => each === arc;
      best = { worth, isBelow };
    }
    return best && { flow, worth: best.worth, parts: partsOf(graph, end, best.isBelow) };
  }

  /** Of every arc the cost of the cheapest plan through it, milliseconds per execution. */
  private costsThrough(flow: number): Float64Array {
    let costs = this.throughs.get(flow);
    if (!costs) {
      const { graph } = (this.input.space.flows[flow] as Flow).space;
      const free = new Float64Array(graph.classes.length);
      costs = leastThroughArcs(priceGraph(graph, 1, free));
      this.throughs.set(flow, costs);
    }
    return costs;
  }
}

function union(a: BarredArcs | undefined, b: BarredArcs | undefined): BarredArcs | undefined {
  if (!a || !b) return a ?? b;
  return b.every((arc, index) => arc <= (a[index] as number))
    ? a
    : a.map((arc, index) => arc | (b[index] as number));
}

/** What to bar for either part: every path has one first Get and one last. */
function partsOf(
  graph: PlanGraph,
  end: "first" | "last",
  isBelow: (arc: number) => boolean,
): [BarredArcs, BarredArcs] {
  const below = new Uint8Array(graph.next.length);
  const above = new Uint8Array(graph.next.length);
  const root = graph.starts[graph.nodes.length - 1] as number;
  graph.next.forEach((to, arc) => {
    if (end === "first" ? arc < root : to >= 0) return;
    (isBelow(arc) ? below : above)[arc] = 1;
  });
  return [below, above];
}
