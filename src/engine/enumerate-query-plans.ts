/**
 * All query plans over the candidates (engine.md §4, §5): sequences of legal Gets whose rows are the
 * answer's rows. They are held as a graph (`plan-graph.ts`); the program chooses among its paths, and
 * one by one they are written out only to be looked at.
 *
 * Written out, the list leaves out by **plan dominance** what gives way to a plan that costs no more and
 * uses a subset of its column families. That is safe for the optimum, since wherever the dominated plan
 * can run, the dominating one can.
 *
 * A plan has at most `maxGets` Gets; the third must be a key lookup of one entity (§5).
 */
import type { CostModel } from "#model/cost-model.ts";
import type { QueryPlan } from "#model/plan.ts";
import { compareText } from "#model/query-graph.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { type CompiledFamily, type Laid, layAll } from "./lay-column-family.ts";
import { buildPlanGraph, type PlanGraph, type PlanPath } from "./plan-graph.ts";
import { bestPaths, countPlans, pathsWithin, planOfPath, priceGraph } from "./plan-paths.ts";

/** A plan in brief; `gets` index into the space's `laid`. */
export interface BriefPlan {
  readonly path: PlanPath;
  readonly gets: readonly number[];
  /** Distinct indices of column families in the candidate list, ascending. */
  readonly families: readonly number[];
  /** Milliseconds per execution. */
  readonly cost: number;
}

export interface PlanLimits {
  readonly maxGets: number;
  /** Off only to test that dominance is safe. */
  readonly dominance: boolean;
  /** Families (positions) that a pin or ban tells apart from those that do the same. */
  readonly apart?: ReadonlySet<number>;
}

/** What is asked of a whole graph once. */
type GraphFigures = Pick<QueryPlanSpace, "found" | "paths" | "leastCost">;

function figuresOf(graph: PlanGraph): GraphFigures {
  const { plans, paths } = countPlans(graph);
  const { least } = priceGraph(graph, 1, new Float64Array(graph.classes.length));
  return { found: plans, paths, leastCost: Number.isFinite(least) ? least : 0 };
}

/** Plans of one query. */
export class QueryPlanSpace {
  readonly query: CompiledQuery;
  readonly graph: PlanGraph;
  /** Families (positions in the candidate list) of each class of the graph, ascending. */
  readonly familiesOf: readonly (readonly number[])[];
  /** Legal plans, before dominance. */
  readonly found: number;
  /** Paths of the graph that these plans are choices of. */
  readonly paths: number;
  /** Milliseconds of the cheapest plan; 0 where there is none. */
  readonly leastCost: number;
  private readonly familyAt: readonly number[];
  private readonly dominance: boolean;
  private listed: readonly BriefPlan[] | undefined;
  /** Answers of `cheapestOver` by the classes that stand in the schema. */
  private readonly cheapest = new Map<string, PlanPath | undefined>();

  /**
   * `familyAt[i]` is the position of the family of `graph.laid[i]`, −1 for one that is no candidate.
   * `figures` are those of the graph where they are known.
   */
  constructor(
    graph: PlanGraph,
    familyAt: readonly number[],
    dominance: boolean,
    figures: GraphFigures = figuresOf(graph),
  ) {
    this.query = graph.query;
    this.graph = graph;
    this.familyAt = familyAt;
    this.dominance = dominance;
    this.familiesOf = graph.classes.map(({ laid }) =>
      [...new Set(laid.map((each) => familyAt[each] as number))]
        .filter((family) => family >= 0)
        .sort((a, b) => a - b),
    );
    this.found = figures.found;
    this.paths = figures.paths;
    this.leastCost = figures.leastCost;
  }

  get laid(): readonly Laid[] {
    return this.graph.laid;
  }

  /** The same with families counted in another list; `to` gives the new position, −1 for none. */
  renumbered(to: (family: number) => number): QueryPlanSpace {
    const familyAt = this.familyAt.map((family) => (family < 0 ? family : to(family)));
    return new QueryPlanSpace(this.graph, familyAt, this.dominance, this);
  }

  /** Families (positions) that some plan reads, ascending. */
  usedFamilies(): number[] {
    const used = new Set<number>();
    for (const index of new Set(this.graph.classOf))
      for (const family of this.familiesOf[index] ?? []) used.add(family);
    return [...used].sort((a, b) => a - b);
  }

  /** The cheapest plan over a schema, of those allowed; undefined where there is none. */
  cheapestOver(
    schema: ReadonlySet<number>,
    allows?: (path: PlanPath) => boolean,
  ): PlanPath | undefined {
    const stands = this.familiesOf.map((all) => all.some((family) => schema.has(family)));
    const prices = Float64Array.from(stands, (each) => (each ? 0 : Number.POSITIVE_INFINITY));
    if (allows) {
      const all = pathsWithin(priceGraph(this.graph, 1, prices), Number.MAX_VALUE);
      return all.filter(allows).sort((a, b) => a.cost - b.cost)[0];
    }
    const key = stands.map((each) => (each ? "1" : "0")).join("");
    if (!this.cheapest.has(key)) {
      const [path] = bestPaths(priceGraph(this.graph, 1, prices), Number.POSITIVE_INFINITY);
      this.cheapest.set(key, path);
    }
    return this.cheapest.get(key);
  }

  /** For each Get of a path the families that it can be made on. */
  slotsOf({ classes }: PlanPath): readonly (readonly number[])[] {
    return classes.map((index) => this.familiesOf[index] ?? []);
  }

  /** The plans one by one, cheapest first, ties by the order of their Gets; there may be millions. */
  get plans(): readonly BriefPlan[] {
    this.listed ??= this.list(Number.POSITIVE_INFINITY);
    return this.listed;
  }

  /** The first plans of that list, for looking at: of at least `most` plans the cheapest. */
  cheapestPlans(most: number): readonly BriefPlan[] {
    if (this.listed || this.found <= 4 * most) return this.plans.slice(0, most);
    const priced = priceGraph(this.graph, 1, new Float64Array(this.graph.classes.length));
    for (let excess = 0.05; ; excess *= 2) {
      const plans = this.list(priced.least * (1 + excess));
      if (plans.length >= most || excess > 1e6) return plans.slice(0, most);
    }
  }

  private list(limit: number): BriefPlan[] {
    const priced = priceGraph(this.graph, 1, new Float64Array(this.graph.classes.length));
    const best = new Map<string, BriefPlan>();
    for (const path of pathsWithin(priced, limit))
      for (const gets of this.choices(path)) {
        const families = gets.map((each) => this.familyAt[each] as number);
        const used = [...new Set(families)].sort((a, b) => a - b);
        const key = this.dominance ? used.join() : gets.join();
        const known = best.get(key);
        if (!known || path.cost < known.cost)
          best.set(key, { path, gets, families: used, cost: path.cost });
      }
    const plans = [...best.values()].filter((plan) => !this.dominance || !isDominated(plan, best));
    return plans.sort(
      (a, b) => a.cost - b.cost || a.gets.length - b.gets.length || compareGets(a.gets, b.gets),
    );
  }

  private choices({ classes }: PlanPath): number[][] {
    return classes.reduce<number[][]>(
      (all, index) => {
        const members = (this.graph.classes[index]?.laid ?? []).filter(
          (each) => (this.familyAt[each] as number) >= 0,
        );
        return all.flatMap((some) => members.map((each) => [...some, each]));
      },
      [[]],
    );
  }

  /** The plan of a path on the first families that exist, in full. */
  planOn(path: PlanPath, exists: (family: number) => boolean, model: CostModel): QueryPlan {
    return planOfPath(this.graph, path, this.chosenOn(path, exists), model);
  }

  /** Families (positions) that this plan reads. */
  readOn(path: PlanPath, exists: (family: number) => boolean): number[] {
    return this.chosenOn(path, exists).map((each) => this.familyAt[each] as number);
  }

  private chosenOn({ classes }: PlanPath, exists: (family: number) => boolean): number[] {
    return classes.map((index) => {
      const laid = this.graph.classes[index]?.laid ?? [];
      const found = laid.find((each) => exists(this.familyAt[each] as number));
      if (found === undefined) throw new Error("a plan is asked for over families that exist");
      return found;
    });
  }
}

/** Families must be in canonical order; their positions are the plans' `families`. */
export function enumerateQueryPlans(
  query: CompiledQuery,
  families: readonly CompiledFamily[],
  model: CostModel,
  limits: PlanLimits,
): QueryPlanSpace {
  const position = new Map(families.map(({ columnFamily }, index) => [columnFamily.key, index]));
  const laid = layAll(families, query.compiled);
  const familyAt = laid.map(({ columnFamily }) => position.get(columnFamily.key) as number);
  const graph = buildPlanGraph(query, laid, familyAt, model, limits);
  return new QueryPlanSpace(graph, familyAt, limits.dominance);
}

/** A brief plan in full. */
export function fullPlan(space: QueryPlanSpace, plan: BriefPlan, model: CostModel): QueryPlan {
  return planOfPath(space.graph, plan.path, plan.gets, model);
}

/** Some proper subset of the plan's families answers at no higher cost. */
function isDominated(plan: BriefPlan, best: ReadonlyMap<string, BriefPlan>): boolean {
  const { families, cost } = plan;
  for (let subset = 1; subset < 2 ** families.length - 1; subset += 1) {
    const key = families.filter((_, index) => (subset >> index) & 1).join();
    const smaller = best.get(key);
    if (smaller && smaller.cost <= cost) return true;
  }
  return false;
}

function compareGets(a: readonly number[], b: readonly number[]): number {
  return compareText(
    a.map((each) => String(each).padStart(8, "0")).join(),
    b.map((each) => String(each).padStart(8, "0")).join(),
  );
}
