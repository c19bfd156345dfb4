/**
 * Column families that can be kept true under some updates by reading nothing but one another: those
 * given, and for each support query that they cannot answer, one that a support query proposes; what
 * stays without an answer after some rounds is left out.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { type CompiledQuery, compileQuery } from "#engine/compile-query.ts";
import { enumerateColumnFamilies } from "#engine/enumerate-column-families.ts";
import {
  enumerateQueryPlans,
  fullPlan,
  type QueryPlanSpace,
} from "#engine/enumerate-query-plans.ts";
import { type CompiledFamily, compileFamilies } from "#engine/lay-column-family.ts";
import { type Change, planUpdate } from "#engine/plan-update.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { QueryPlan, UpdatePlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { compareText } from "#model/query-graph.ts";
import type { Query } from "#model/statement.ts";
import { sample } from "./every-plan.ts";

export interface Maintained {
  readonly families: ReadonlyMap<string, ColumnFamily>;
  readonly compiled: readonly CompiledFamily[];
  /** By statement: the plan for every family that it touches. */
  readonly updatePlans: ReadonlyMap<string, readonly UpdatePlan[]>;
  /** By support query. */
  readonly supportPlans: ReadonlyMap<string, readonly QueryPlan[]>;
}

/** Rounds of families for support queries, which are updated in their turn. */
const mostRounds = 12;

export function maintainedFamilies(
  problem: Problem,
  changes: readonly Change[],
  given: readonly ColumnFamily[],
  plansPerQuery: number,
  offset: number,
): Maintained {
  const closure = new Closure(problem, changes, offset);
  for (const family of given) closure.add(family);
  for (let round = 0; round < mostRounds; round += 1) if (!closure.grow()) break;
  closure.shrink();
  return closure.result(plansPerQuery);
}

/** The support queries of a plan, in the order in which its reads are counted. */
export function supportQueriesOf({ find, changes }: UpdatePlan): Query[] {
  const reads = changes.flatMap((change) => [...change.reads, ...change.renews]);
  return [...(find ? [find.query] : []), ...reads.map(({ query }) => query)];
}

/** Expected reads of each of them per execution. */
export function supportTimesOf({ find, changes }: UpdatePlan): number[] {
  const reads = changes.flatMap((change) => [...change.reads, ...change.renews]);
  return [...(find ? [1] : []), ...reads.map(({ times }) => times)];
}

class Closure {
  private readonly problem: Problem;
  private readonly changes: readonly Change[];
  private readonly offset: number;
  private readonly families = new Map<string, ColumnFamily>();
  private readonly plans = new Map<string, readonly UpdatePlan[]>();
  private readonly queries = new Map<string, CompiledQuery>();
  private readonly answered = new Set<string>();

  constructor(problem: Problem, changes: readonly Change[], offset: number) {
    this.problem = problem;
    this.changes = changes;
    this.offset = offset;
  }

  add(family: ColumnFamily): void {
    if (this.families.has(family.key)) return;
    const { entityGraph } = this.problem;
    this.families.set(family.key, family);
    const plans = this.changes.flatMap((change) => planUpdate(entityGraph, change, family) ?? []);
    this.plans.set(family.key, plans);
    for (const query of plans.flatMap(supportQueriesOf))
      if (!this.queries.has(query.id)) this.queries.set(query.id, compileQuery(entityGraph, query));
  }

  /** Adds a family for each support query without a plan; false when there is none. */
  grow(): boolean {
    const compiled = this.compiled();
    const open = [...this.queries.values()].filter((query) => !this.isAnswered(query, compiled));
    open.forEach((query, index) => {
      const { entityGraph, options } = this.problem;
      const pool = enumerateColumnFamilies(entityGraph, [], options.sizeFactor, [query]);
      const whole = [...pool.values()].filter(
        ({ columnFamily }) =>
          this.space(query, compileFamilies(entityGraph, [columnFamily]), 1).plans.length > 0,
      );
      const chosen = whole[(this.offset + index) % Math.max(1, whole.length)];
      if (chosen) this.add(chosen.columnFamily);
    });
    return open.length > 0;
  }

  /** Leaves out families some of whose support queries have no plan, until all have. */
  shrink(): void {
    for (;;) {
      this.answered.clear();
      const compiled = this.compiled();
      const lost = [...this.families.keys()].filter((key) =>
        (this.plans.get(key) ?? [])
          .flatMap(supportQueriesOf)
          .some(({ id }) => !this.isAnswered(this.queries.get(id) as CompiledQuery, compiled)),
      );
      if (lost.length === 0) return;
      for (const key of lost) this.families.delete(key);
    }
  }

  result(plansPerQuery: number): Maintained {
    const compiled = this.compiled();
    const plans = [...this.families.keys()].flatMap((key) => this.plans.get(key) ?? []);
    const asked = new Set(plans.flatMap(supportQueriesOf).map(({ id }) => id));
    const supportPlans = new Map<string, QueryPlan[]>();
    for (const [id, query] of this.queries)
      if (asked.has(id)) supportPlans.set(id, this.plansOf(query, compiled, plansPerQuery));
    const updatePlans = new Map(
      this.changes.map(({ id }) => [id, plans.filter(({ statement }) => statement === id)]),
    );
    return { families: this.families, compiled, updatePlans, supportPlans };
  }

  private plansOf(
    query: CompiledQuery,
    compiled: readonly CompiledFamily[],
    most: number,
  ): QueryPlan[] {
    const two = this.space(query, compiled, 2);
    const space = two.plans.length > 0 ? two : this.space(query, compiled, 3);
    return sample(space.plans, most, this.offset).map((plan) =>
      fullPlan(space, plan, this.problem.costModel),
    );
  }

  private isAnswered(query: CompiledQuery, compiled: readonly CompiledFamily[]): boolean {
    const { id } = query.query;
    if (this.answered.has(id)) return true;
    const isAnswered = [1, 2, 3].some(
      (maxGets) => this.space(query, compiled, maxGets).plans.length > 0,
    );
    if (isAnswered) this.answered.add(id);
    return isAnswered;
  }

  private space(
    query: CompiledQuery,
    compiled: readonly CompiledFamily[],
    maxGets: number,
  ): QueryPlanSpace {
    return enumerateQueryPlans(query, compiled, this.problem.costModel, {
      maxGets,
      dominance: false,
    });
  }

  private compiled(): CompiledFamily[] {
    return compileFamilies(
      this.problem.entityGraph,
      [...this.families.values()].sort((a, b) => compareText(a.key, b.key)),
    );
  }
}
