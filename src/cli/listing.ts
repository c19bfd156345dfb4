/**
 * Everything a run can choose from, as `enumerate --json` prints it: candidates with the rules that
 * proposed them, the plans of every query, the ways to fill every family, and counts.
 *
 * Thousands of families can stand in for each other, so lists are cut, cheapest first,
 * and each says how many it leaves out.
 */
import { type MigrationPattern, plansOfPattern } from "#engine/enumerate-migration-plans.ts";
import { fullPlan, type QueryPlanSpace } from "#engine/enumerate-query-plans.ts";
import type { PlanSpace } from "#engine/plan-space.ts";
import {
  type ColumnFamilyKey,
  type ColumnFamilySize,
  columnFamilyText,
} from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import { type MigrationPlan, type Proposal, planKind, type QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { type ColumnReference, columnText, compareText } from "#model/query-graph.ts";
import type { StatementId } from "#model/statement.ts";

export interface ListedCandidate {
  readonly key: ColumnFamilyKey;
  /** As printed everywhere: `[partition] [clustering] → values`. */
  readonly text: string;
  readonly partitionKey: readonly string[];
  readonly clusteringKey: readonly {
    readonly column: string;
    readonly direction: "asc" | "desc";
  }[];
  readonly values: readonly string[];
  readonly size: ColumnFamilySize;
  /** Every rule that proposed it, with the statement. */
  readonly proposals: readonly Proposal[];
}

export interface ListedPlan extends QueryPlan {
  readonly kind: ReturnType<typeof planKind>;
}

/** A list that may be cut. */
interface Cut {
  /** How many there are; an upper bound where some are left out, since a way can be found twice. */
  readonly count: number;
  readonly leftOut: number;
}

export interface ListedQuery extends Cut {
  readonly statement: StatementId;
  /** Cheapest first. */
  readonly plans: readonly ListedPlan[];
}

export interface ListedFilling extends Cut {
  readonly builds: ColumnFamilyKey;
  /** Cheapest first. None: the family can exist from the first step on or not at all. */
  readonly plans: readonly MigrationPlan[];
}

export interface Listing {
  readonly counts: {
    readonly statements: number;
    readonly proposed: number;
    readonly candidates: number;
    readonly pruned: Readonly<Record<string, number>>;
    readonly queryPlansFound: number;
    readonly queryPlans: number;
    readonly migrationPlans: number;
    readonly unfillable: number;
    /** Plans that the lists below leave out. */
    readonly leftOut: number;
  };
  readonly candidates: readonly ListedCandidate[];
  readonly queries: readonly ListedQuery[];
  readonly migrationPlans: readonly ListedFilling[];
}

/** The most plans that one list holds. */
export interface ListLimits {
  readonly queryPlans: number;
  readonly migrationPlans: number;
}

/** Writes a plan space out. */
export function listingOf(space: PlanSpace, problem: Problem, most: ListLimits): Listing {
  const { counts } = space;
  const queries = space.queries.map((query) =>
    listedQuery(query, problem.costModel, most.queryPlans),
  );
  const fillings = space.families.map((_, position) =>
    listedFilling(space, position, problem.costModel, most.migrationPlans),
  );
  const total = (list: readonly Cut[], field: keyof Cut): number =>
    list.reduce((sum, each) => sum + each[field], 0);
  return {
    counts: {
      statements: problem.statements.length,
      proposed: counts.proposed,
      candidates: space.families.length,
      pruned: counts.pruned,
      queryPlansFound: counts.plansFound,
      queryPlans: total(queries, "count"),
      migrationPlans: total(fillings, "count"),
      unfillable: fillings.filter(({ count }) => count === 0).length,
      leftOut: total(queries, "leftOut") + total(fillings, "leftOut"),
    },
    candidates: space.families.map((_, position) => listedCandidate(space, position)),
    queries,
    migrationPlans: fillings,
  };
}

function listedCandidate(space: PlanSpace, position: number): ListedCandidate {
  const family = space.families[position]?.columnFamily;
  if (!family) throw new Error(`no family ${position}`);
  const name = (column: ColumnReference): string => columnText(family.graph, column);
  return {
    key: family.key,
    text: columnFamilyText(family),
    partitionKey: family.partitionKey.map(name),
    clusteringKey: family.clusteringKey.map((column) => ({
      column: name(column),
      direction: column.direction,
    })),
    values: family.values.map(name),
    size: family.size,
    proposals: space.proposals[position] ?? [],
  };
}

function listedQuery(space: QueryPlanSpace, model: CostModel, most: number): ListedQuery {
  const plans = space.cheapestPlans(most).map((brief) => {
    const plan = fullPlan(space, brief, model);
    return { ...plan, kind: planKind(plan) };
  });
  const count = space.found > most ? space.found : space.plans.length;
  return { statement: space.query.query.id, count, leftOut: count - plans.length, plans };
}

function listedFilling(
  { families, migrations }: PlanSpace,
  position: number,
  model: CostModel,
  most: number,
): ListedFilling {
  const patterns = migrations.patternsOf(position);
  const ways = patterns.reduce(
    (sum, { slots }) => sum + slots.reduce((product, slot) => product * slot.length, 1),
    0,
  );
  const bytesOf = (family: number): number => families[family]?.columnFamily.size.bytes ?? 0;
  const distinct = new Map<string, MigrationPlan>();
  for (const pattern of patterns)
    for (const sources of smallestChoices(pattern, bytesOf, most))
      for (const plan of plansOfPattern(
        families,
        position,
        { slots: sources.map((each) => [each]) },
        model,
      ))
        distinct.set(plan.key, plan);
  const plans = [...distinct.values()]
    .sort((a, b) => a.extractionCost - b.extractionCost || compareText(a.key, b.key))
    .slice(0, most);
  const count = ways <= most ? plans.length : ways;
  return {
    builds: families[position]?.columnFamily.key ?? "",
    count,
    leftOut: count - plans.length,
    plans,
  };
}

/**
 * The `most` cheapest ways to fill a pattern's slots. What a way costs is a sum over its slots and
 * grows with the sources' bytes, so the best of a longer pattern extend the best of a shorter one.
 */
function smallestChoices(
  { slots }: MigrationPattern,
  bytesOf: (family: number) => number,
  most: number,
): number[][] {
  let best: { readonly sources: number[]; readonly bytes: number }[] = [{ sources: [], bytes: 0 }];
  for (const slot of slots) {
    const smallest = [...slot].sort((a, b) => bytesOf(a) - bytesOf(b) || a - b).slice(0, most);
    best = best
      .flatMap(({ sources, bytes }, index) =>
        // The (i, j)th pair has i · j − 1 others before it that are no dearer.
        smallest.slice(0, most / (index + 1)).map((family) => ({
          sources: [...sources, family],
          bytes: bytes + bytesOf(family),
        })),
      )
      .sort((a, b) => a.bytes - b.bytes)
      .slice(0, most);
  }
  return best.map(({ sources }) => sources);
}
