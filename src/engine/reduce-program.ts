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
import { executions } from "#model/workload.ts";
import { type FormulationInput, type KeptStep, usefulPaths } from "./formulate.ts";
import type { PlanPath } from "./plan-graph.ts";
import { pathsWithin, priceGraph } from "./plan-paths.ts";
import { bytesOf, type Flow } from "./plan-space.ts";
import type { FlowPrices, StepPrices } from "./relax-step.ts";
import type { SchemasInput } from "./solve-schemas.ts";

/** Reduced costs are exact to about this share of the step's cost. */
const priceTolerance = 1e-7;

/** A program of more plans than this is not written out: its search would not end. */
const mostPlans = 20_000;
/** So many plans are looked at, dominated ones among them, before it is given up. */
const mostPaths = 200_000;

/**
 * What may take part in solutions that cost the step at most `slack` more than its relaxation; undefined
 * where that is too much to search.
 */
export function keepWithin(
  { space, rules }: Pick<FormulationInput, "space" | "rules">,
  prices: StepPrices,
  slack: number,
): KeptStep | undefined {
  const limit = slack + priceTolerance * Math.max(1, prices.cost);
  const kept = prices.families.map((price, c) => (price <= limit || prices.present.has(c) ? 1 : 0));
  const families = [...kept.keys()].filter((c) => kept[c] === 1);
  const plans: (readonly PlanPath[])[] = [];
  let count = 0;
  for (const [q, flow] of space.flows.entries()) {
    const { graph } = flow.space;
    const weight = prices.weights[q] as number;
    const own = prices.flows[q] ?? pricedAlone(flow, weight);
    const most = Math.min(own.least + limit, Number.MAX_VALUE);
    const paths = pathsWithin(
      priceGraph(graph, weight, own.prices, undefined, most),
      most,
      mostPaths,
    );
    if (paths.length > mostPaths) return undefined;
    const useful = usefulPaths(paths, rules, q);
    count += useful.length;
    if (count > mostPlans) return undefined;
    plans.push(useful);
  }
  return { plans, families };
}

/** A support query of a family that the relaxation did not meet: nothing but its own cost is known of it. */
function pricedAlone({ space: { graph } }: Flow, weight: number): FlowPrices {
  const prices = new Float64Array(graph.classes.length);
  return { prices, least: priceGraph(graph, weight, prices).least };
}

/** What a given set of families allows. */
export function keepFamilies(
  { space, rules }: Pick<FormulationInput, "space" | "rules">,
  families: ReadonlySet<number>,
): KeptStep {
  return {
    plans: space.flows.map(({ space: { graph, familiesOf } }, q) => {
      const prices = Float64Array.from(familiesOf, (all) =>
        all.some((family) => families.has(family)) ? 0 : Number.POSITIVE_INFINITY,
      );
      const paths = pathsWithin(priceGraph(graph, 1, prices), Number.MAX_VALUE);
      return usefulPaths(paths, rules, q);
    }),
    families: [...families].sort((a, b) => a - b),
  };
}

/**
 * One step alone without what has a stand-in there. Where no migration asks for sources, a family gives way
 * to one that stands in all its classes and is neither larger nor dearer to keep: it can take its place in
 * every answer, which then costs no more and is no larger. So do plans that differ in nothing any more.
 */
export function withoutStandIns(input: FormulationInput | SchemasInput, kept: KeptStep): KeptStep {
  const places = placesOf(input, kept);
  const pinned = input.rules?.[0]?.pinned ?? new Set<number>();
  const isTouched = touchedBy(input);
  const bytes = (family: number): number => bytesOf(input.space, family);
  // Smaller ones come first, so a stand-in is never replaced by what it stands in for.
  const inOrder = kept.families.toSorted((a, b) => bytes(a) - bytes(b) || a - b);
  const standIns = new Map<string, number[]>();
  const hasStandIn = (own: readonly string[]): boolean => {
    const [first] = own;
    // Whatever stands in all places stands in the first; what stands nowhere is of no use.
    return (
      first === undefined ||
      (standIns.get(first) ?? []).some((other) => {
        const others = places.get(other);
        return own.every((place) => others?.has(place));
      })
    );
  };
  const families: number[] = [];
  for (const family of inOrder) {
    const own = [...(places.get(family) ?? [])];
    const mustStay = pinned.has(family) || isTouched(family);
    if (!mustStay && hasStandIn(own)) continue;
    families.push(family);
    if (isTouched(family)) continue;
    for (const place of own) standIns.set(place, [...(standIns.get(place) ?? []), family]);
  }
  families.sort((a, b) => a - b);
  return { families, plans: distinctPlans(input, kept, new Set(families)) };
}

/** For every kept family the classes of kept plans in which it stands. */
function placesOf(
  { space }: Pick<FormulationInput, "space">,
  kept: KeptStep,
): ReadonlyMap<number, ReadonlySet<string>> {
  const places = new Map<number, Set<string>>(kept.families.map((family) => [family, new Set()]));
  kept.plans.forEach((plans, q) => {
    const { graph, familiesOf } = (space.flows[q] as Flow).space;
    const classes = plans.flatMap(({ classes: all }) =>
      all.flatMap((index) => graph.classes[index]?.within ?? []),
    );
    for (const index of new Set(classes))
      for (const family of familiesOf[index] ?? []) places.get(family)?.add(`${q} ${index}`);
  });
  return places;
}

/** Whether an update of the step changes a family. */
function touchedBy({
  space,
  workload,
}: Pick<FormulationInput, "space" | "workload">): (family: number) => boolean {
  const touched = new Set(
    space.maintenance
      .filter(({ statement }) => executions(workload, statement, 0) > 0)
      .map(({ family }) => family),
  );
  return (family) => touched.has(family);
}

/** Of plans that can be made on the same families the cheapest. */
function distinctPlans(
  { space }: Pick<FormulationInput, "space">,
  { plans }: KeptStep,
  families: ReadonlySet<number>,
): PlanPath[][] {
  return plans.map((paths, q) => {
    const { familiesOf } = (space.flows[q] as Flow).space;
    const slots = familiesOf.map((all) => all.filter((family) => families.has(family)).join());
    const best = new Map<string, PlanPath>();
    for (const path of paths) {
      const used = path.classes.map((index) => slots[index] as string);
      if (used.includes("")) continue;
      const key = [...new Set(used)].sort().join(" ");
      const known = best.get(key);
      if (!known || path.cost < known.cost) best.set(key, path);
    }
    return [...best.values()];
  });
}
