/**
 * Paths of a plan graph: the cheapest one under prices, all within a limit, and the plan that a path
 * stands for once families are chosen.
 *
 * A **price** per class is what using any of its families costs beside the Gets (a dual of the
 * program; zero or infinite to ask what a given schema can do). The value of a path is
 *   weight · cost(plan) + Σ prices of its classes and of the classes these lie within.
 */
import type { CostModel } from "#model/cost-model.ts";
import type { QueryPlan } from "#model/plan.ts";
import { describePlan } from "./estimate-costs.ts";
import { type LegalGet, rightGet } from "./get-step.ts";
import type { Laid } from "./lay-column-family.ts";
import type { PlanGraph, PlanPath } from "./plan-graph.ts";

/** Least value of completing a plan from a node, for each set of columns (id) that the Gets behind it need from before. */
interface Completion {
  readonly needs: number;
  value: number;
  arc: number;
  rest: Completion | undefined;
}

/** The best completions of every node under given prices. */
export interface PricedGraph {
  readonly graph: PlanGraph;
  readonly weight: number;
  /** Price of each class together with those that it lies within. */
  readonly prices: Float64Array;
  readonly completions: readonly (readonly Completion[])[];
  /** Least value of a path; infinite where no plan can be made. */
  readonly least: number;
  /** Arcs that paths may take. */
  readonly arcs: ArcsLeft;
}

/** One per arc: 1 for one that may not be taken. */
export type BarredArcs = Uint8Array;

/**
 * `prices`: one per class, at least 0, infinite for a class that may not be used. Paths of a value above
 * `most` may be left out, and are where that can be seen early: the few that matter are soon looked through.
 */
export function priceGraph(
  graph: PlanGraph,
  weight: number,
  prices: Float64Array,
  barred?: BarredArcs,
  most: number = Number.POSITIVE_INFINITY,
): PricedGraph {
  const whole = Float64Array.from(graph.classes, ({ within }) =>
    within.reduce((sum, index) => sum + (prices[index] as number), 0),
  );
  const completions: (readonly Completion[])[] = [];
  const all = { graph, weight, prices: whole, completions, arcs: arcsLeft(graph, barred) };
  const arcs = most === Number.POSITIVE_INFINITY ? all.arcs : arcsWithin(all, most);
  const priced = { ...all, arcs };
  // Per set of needs where its completion stands, and for which node that was put down.
  const places: number[] = [];
  const nodes: number[] = [];
  for (let node = 0; node < graph.nodes.length; node += 1) {
    if (arcs.starts[node] === arcs.starts[node + 1]) {
      completions.push(none);
      continue;
    }
    const best: Completion[] = [];
    eachCompletion(priced, node, (needs, value, arc, rest) => {
      if (nodes[needs] !== node) {
        nodes[needs] = node;
        places[needs] = best.length;
        best.push({ needs, value, arc, rest });
        return;
      }
      const found = best[places[needs] as number] as Completion;
      if (value >= found.value) return;
      found.value = value;
      found.arc = arc;
      found.rest = rest;
    });
    completions.push(best);
  }
  const least = (completions.at(-1) ?? none).reduce(
    (min, { value }) => Math.min(min, value),
    Number.POSITIVE_INFINITY,
  );
  return { ...priced, least };
}

const none: readonly Completion[] = [];

/** The arcs of each node that some path may take. */
interface ArcsLeft {
  /** Arcs of node i stand from `starts[i]` up to `starts[i + 1]` in `arcs`. */
  readonly starts: Int32Array;
  readonly arcs: Int32Array;
}

const leftOf = new WeakMap<PlanGraph | BarredArcs, ArcsLeft>();

function arcsLeft(graph: PlanGraph, barred: BarredArcs | undefined): ArcsLeft {
  const known = leftOf.get(barred ?? graph);
  if (known) return known;
  const starts = new Int32Array(graph.nodes.length + 1);
  const arcs: number[] = [];
  const isReached = barred && reachedNodes(graph, barred);
  for (let node = 0; node < graph.nodes.length; node += 1) {
    const end = graph.starts[node + 1] as number;
    for (let arc = graph.starts[node] as number; arc < end; arc += 1) {
      const to = graph.next[arc] as number;
      const isDead = to >= 0 && starts[to] === starts[to + 1];
      if (!isReached || (isReached[node] === 1 && barred[arc] === 0 && !isDead)) arcs.push(arc);
    }
    starts[node + 1] = arcs.length;
  }
  const left = { starts, arcs: Int32Array.from(arcs) };
  leftOf.set(barred ?? graph, left);
  return left;
}

/**
 * The arcs on some path whose value may be at most `most`: what later Gets need of earlier ones, which can
 * only add to a value, is left out.
 */
function arcsWithin(priced: Omit<PricedGraph, "least">, most: number): ArcsLeft {
  const { graph, arcs } = priced;
  const values = new Float64Array(arcs.arcs.length);
  for (let at = 0; at < values.length; at += 1)
    values[at] = arcValue(priced, arcs.arcs[at] as number);
  // Sums in another order are exact to about this share.
  const kept = placesWithin(graph, arcs, values, most + 1e-12 * Math.abs(most));
  const starts = new Int32Array(graph.nodes.length + 1);
  const some: number[] = [];
  for (let node = 0; node < graph.nodes.length; node += 1) {
    for (let at = arcs.starts[node] as number; at < (arcs.starts[node + 1] as number); at += 1)
      if (kept[at] === 1) some.push(arcs.arcs[at] as number);
    starts[node + 1] = some.length;
  }
  return { starts, arcs: Int32Array.from(some) };
}

/** One per place in `arcs`: 1 for an arc on a path whose `values` add up to at most `most`. */
function placesWithin(
  { nodes, next }: PlanGraph,
  { starts, arcs }: ArcsLeft,
  values: Float64Array,
  most: number,
): Uint8Array {
  const least = leastSums(nodes.length, next, { starts, arcs }, values);
  const spent = new Float64Array(nodes.length).fill(Number.POSITIVE_INFINITY);
  const kept = new Uint8Array(values.length);
  spent[nodes.length - 1] = 0;
  // From the root on: arcs lead to smaller numbers.
  for (let node = nodes.length - 1; node >= 0; node -= 1)
    for (let at = starts[node] as number; at < (starts[node + 1] as number); at += 1) {
      const to = next[arcs[at] as number] as number;
      const value = (spent[node] as number) + (values[at] as number);
      const whole = to < 0 ? value : value + (least[to] as number);
      if (whole > most) continue;
      kept[at] = 1;
      if (to >= 0) spent[to] = Math.min(value, spent[to] as number);
    }
  return kept;
}

/** Per node the least sum of `values` along the arcs to an end. */
function leastSums(
  count: number,
  next: PlanGraph["next"],
  { starts, arcs }: ArcsLeft,
  values: Float64Array,
): Float64Array {
  const least = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (let node = 0; node < count; node += 1)
    for (let at = starts[node] as number; at < (starts[node + 1] as number); at += 1) {
      const to = next[arcs[at] as number] as number;
      const value = (values[at] as number) + (to < 0 ? 0 : (least[to] as number));
      least[node] = Math.min(value, least[node] as number);
    }
  return least;
}

/** One per node: 1 for those that paths from the root reach. */
function reachedNodes({ nodes, starts, next }: PlanGraph, barred: BarredArcs): Uint8Array {
  const reached = new Uint8Array(nodes.length);
  reached[nodes.length - 1] = 1;
  for (let node = nodes.length - 1; node >= 0; node -= 1) {
    if (reached[node] === 0) continue;
    for (let arc = starts[node] as number; arc < (starts[node + 1] as number); arc += 1) {
      const to = next[arc] as number;
      if (to >= 0 && barred[arc] === 0) reached[to] = 1;
    }
  }
  return reached;
}

/** Milliseconds of taking an arc, the price of its class included. */
function arcValue({ graph, weight, prices }: Omit<PricedGraph, "least">, arc: number): number {
  return weight * (graph.cost[arc] as number) + (prices[graph.classOf[arc] as number] as number);
}

function eachCompletion(
  priced: Omit<PricedGraph, "least">,
  node: number,
  visit: (needs: number, value: number, arc: number, rest: Completion | undefined) => void,
): void {
  const { graph, weight, completions, arcs } = priced;
  const { perByte, next, spare, needs, sets } = graph;
  const end = arcs.starts[node + 1] as number;
  for (let place = arcs.starts[node] as number; place < end; place += 1) {
    const arc = arcs.arcs[place] as number;
    const own = arcValue(priced, arc);
    if (own === Number.POSITIVE_INFINITY) continue;
    const to = next[arc] as number;
    if (to < 0) {
      visit(needs[arc] as number, own, arc, undefined);
      continue;
    }
    for (const rest of completions[to] as readonly Completion[]) {
      const wider = sets.bytesShared(spare[arc] as number, rest.needs);
      const value = own + weight * (perByte[arc] as number) * wider + rest.value;
      visit(sets.union(needs[arc] as number, rest.needs), value, arc, rest);
    }
  }
}

/**
 * For every arc a lower bound of the values of paths through it: what later Gets need of earlier ones is
 * left out on the way to it. Infinite for a barred arc.
 */
export function leastThroughArcs(priced: PricedGraph): Float64Array {
  const { graph, completions, arcs } = priced;
  const { next } = graph;
  const least = new Float64Array(next.length).fill(Number.POSITIVE_INFINITY);
  const reached = new Float64Array(graph.nodes.length).fill(Number.POSITIVE_INFINITY);
  const rest = leastCompletions(completions);
  reached[graph.nodes.length - 1] = 0;
  // From the root on: arcs lead to smaller numbers.
  for (let node = graph.nodes.length - 1; node >= 0; node -= 1)
    for (let at = arcs.starts[node] as number; at < (arcs.starts[node + 1] as number); at += 1) {
      const arc = arcs.arcs[at] as number;
      const spent = (reached[node] as number) + arcValue(priced, arc);
      const to = next[arc] as number;
      if (to >= 0) reached[to] = Math.min(spent, reached[to] as number);
      least[arc] = spent + (to < 0 ? 0 : (rest[to] as number));
    }
  return least;
}

/** The same for every class. */
export function leastThroughClasses(priced: PricedGraph): Float64Array {
  const { classes, classOf } = priced.graph;
  const through = leastThroughArcs(priced);
  const least = new Float64Array(classes.length).fill(Number.POSITIVE_INFINITY);
  for (const arc of priced.arcs.arcs) {
    const value = through[arc] as number;
    for (const whole of classes[classOf[arc] as number]?.within ?? [])
      if (value < (least[whole] as number)) least[whole] = value;
  }
  return least;
}

/** Per node the least value of completing a plan from it. */
function leastCompletions(completions: PricedGraph["completions"]): number[] {
  return completions.map((all) =>
    all.reduce((min, { value }) => Math.min(min, value), Number.POSITIVE_INFINITY),
  );
}

/** For every first Get the best path that begins with it, if its value is below `limit`; best first. */
export function bestPaths(priced: PricedGraph, limit: number): PlanPath[] {
  const { graph } = priced;
  const best = new Map<number, { value: number; rest: Completion | undefined }>();
  const root = graph.nodes.length - 1;
  eachCompletion(priced, root, (_, value, arc, rest) => {
    const found = best.get(arc);
    if (value < limit && (!found || value < found.value)) best.set(arc, { value, rest });
  });
  return [...best]
    .sort(([a, { value: x }], [b, { value: y }]) => x - y || a - b)
    .map(([arc, { rest }]) => {
      const arcs = [arc];
      for (let at = rest; at; at = at.rest) arcs.push(at.arc);
      return pathOf(graph, arcs);
    });
}

/** Every path whose value is at most `limit`, in canonical order; of more than `most` some. */
export function pathsWithin(
  priced: PricedGraph,
  limit: number,
  most: number = Number.POSITIVE_INFINITY,
): PlanPath[] {
  const { graph, weight, prices, completions } = priced;
  const { next } = graph;
  const least = leastCompletions(completions);
  const found: PlanPath[] = [];
  const arcs: number[] = [];
  const keep = (path: PlanPath): void => {
    const paid = path.classes.reduce((sum, index) => sum + (prices[index] as number), 0);
    if (weight * path.cost + paid <= limit) found.push(path);
  };
  const walk = (node: number, spent: number): void => {
    const end = priced.arcs.starts[node + 1] as number;
    let place = priced.arcs.starts[node] as number;
    for (; place < end && found.length <= most; place += 1) {
      const arc = priced.arcs.arcs[place] as number;
      const own = spent + arcValue(priced, arc);
      const to = next[arc] as number;
      const rest = to < 0 ? 0 : (least[to] as number);
      if (own + rest > limit || own + rest === Number.POSITIVE_INFINITY) continue;
      arcs.push(arc);
      if (to < 0) keep(pathOf(graph, arcs));
      else walk(to, own);
      arcs.pop();
    }
  };
  walk(graph.nodes.length - 1, 0);
  return found;
}

/**
 * Without plans that cost no less than one on a subset of their classes: wherever they can run, the other
 * can. `paths` of one graph.
 */
export function withoutDominated(paths: readonly PlanPath[]): PlanPath[] {
  const least = new Map<string, number>();
  const keyOf = (classes: readonly number[]): string => [...new Set(classes)].sort().join();
  for (const { classes, cost } of paths) {
    const key = keyOf(classes);
    least.set(key, Math.min(cost, least.get(key) ?? Number.POSITIVE_INFINITY));
  }
  return paths.filter(({ classes, cost }) => {
    for (let subset = 1; subset < 2 ** classes.length - 1; subset += 1) {
      const some = keyOf(classes.filter((_, index) => (subset >> index) & 1));
      const other = least.get(some);
      if (other !== undefined && other <= cost && some !== keyOf(classes)) return false;
    }
    return true;
  });
}

/** The path of some arcs, each path once; its cost with what later Gets need of earlier ones. */
function pathOf(graph: PlanGraph, arcs: readonly number[]): PlanPath {
  const key = arcs.join();
  let path = graph.paths.get(key);
  if (!path) {
    path = makePath(graph, arcs);
    graph.paths.set(key, path);
  }
  return path;
}

function makePath(graph: PlanGraph, arcs: readonly number[]): PlanPath {
  const { classOf, cost, perByte, spare, needs, sets } = graph;
  let total = 0;
  let later = 0;
  for (let index = arcs.length - 1; index >= 0; index -= 1) {
    const arc = arcs[index] as number;
    total +=
      (cost[arc] as number) +
      (perByte[arc] as number) * sets.bytesShared(spare[arc] as number, later);
    later = sets.union(needs[arc] as number, later);
  }
  return { arcs: [...arcs], classes: arcs.map((arc) => classOf[arc] as number), cost: total };
}

/** The Gets of a path on chosen laid families, one per class. */
export function sequenceOf(
  graph: PlanGraph,
  path: PlanPath,
  chosen: readonly number[],
): LegalGet[] {
  let node = graph.nodes.length - 1;
  return path.arcs.map((arc, index) => {
    const { reached } = graph.nodes[node] as PlanGraph["nodes"][number];
    const get = rightGet(graph.query, reached, graph.laid[chosen[index] as number] as Laid);
    if (!get) throw new Error("a path of the plan graph is legal");
    node = graph.next[arc] as number;
    return get;
  });
}

/** The plan of a path in full. */
export function planOfPath(
  graph: PlanGraph,
  path: PlanPath,
  chosen: readonly number[],
  model: CostModel,
): QueryPlan {
  return describePlan(graph.query, model, sequenceOf(graph, path, chosen));
}

/** How many paths there are, and how many plans they stand for. */
export function countPlans(graph: PlanGraph): { paths: number; plans: number } {
  const paths: number[] = [];
  const plans: number[] = [];
  graph.nodes.forEach((_, node) => {
    let some = 0;
    let all = 0;
    for (
      let arc = graph.starts[node] as number;
      arc < (graph.starts[node + 1] as number);
      arc += 1
    ) {
      const to = graph.next[arc] as number;
      const members = graph.classes[graph.classOf[arc] as number]?.laid.length ?? 0;
      some += to < 0 ? 1 : (paths[to] as number);
      all += members * (to < 0 ? 1 : (plans[to] as number));
    }
    paths.push(some);
    plans.push(all);
  });
  return { paths: paths.at(-1) ?? 0, plans: plans.at(-1) ?? 0 };
}
