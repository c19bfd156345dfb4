/**
 * Everything a program can choose from: candidates, the plans of every query, the ways to fill every
 * family. Independent of frequencies, limits and time; a what-if on curves or storage reuses it.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { Proposal } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { type CandidatePool, enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { enumerateMigrationPlans, type MigrationSpace } from "./enumerate-migration-plans.ts";
import { enumerateQueryPlans, type QueryPlanSpace } from "./enumerate-query-plans.ts";
import { type CompiledFamily, compileFamilies } from "./lay-column-family.ts";
import { pruneReplaced, pruneSources } from "./prune-candidates.ts";

export interface PlanSpace {
  /** Families in canonical order; plans and patterns refer to them by position. */
  readonly families: readonly CompiledFamily[];
  readonly proposals: readonly (readonly Proposal[])[];
  /** One per query, in the order of the statements. */
  readonly queries: readonly QueryPlanSpace[];
  readonly migrations: MigrationSpace;
  readonly counts: {
    readonly proposed: number;
    readonly pruned: Readonly<Record<string, number>>;
    readonly plansFound: number;
    readonly plansKept: number;
  };
}

/** Switches for tests of safe pruning, and a pool given by hand. */
export interface SpaceOptions {
  readonly dominance: boolean;
  /** Families to choose from instead of the enumerated ones (tests, hand-made schemas). */
  readonly only?: ReadonlySet<ColumnFamilyKey>;
}

export function enumeratePlanSpace(
  problem: Problem,
  onStage: (stage: "enumerate" | "plan", counts: Readonly<Record<string, number>>) => void,
  options: SpaceOptions = { dominance: true },
): PlanSpace {
  const { entityGraph, costModel } = problem;
  const queries = problem.statements
    .filter(isQuery)
    .map((query) => compileQuery(entityGraph, query));
  const proposed = restricted(
    enumerateColumnFamilies(entityGraph, queries, problem.options.sizeFactor),
    options.only,
  );
  onStage("enumerate", { proposed: proposed.size });
  const replaced = options.dominance ? pruneReplaced(proposed, queries) : proposed;
  onStage("enumerate", { proposed: proposed.size, candidates: replaced.size });

  const limits = { maxGets: problem.options.maxGets, dominance: options.dominance };
  const all = compileFamilies(entityGraph, familiesOf(replaced));
  let plansFound = 0;
  const found = queries.map((query) => {
    const space = enumerateQueryPlans(query, all, costModel, limits);
    plansFound += space.found;
    onStage("plan", { candidates: replaced.size, plans: plansFound });
    return space;
  });

  const used = new Set(
    found.flatMap(({ plans }) =>
      plans.flatMap(({ families }) => families.map((at) => keyAt(all, at))),
    ),
  );
  const pool = options.dominance ? pruneSources(replaced, used) : replaced;
  const families = all.filter(({ columnFamily }) => pool.has(columnFamily.key));
  const spaces = renumbered(found, all, families);
  const migrations = enumerateMigrationPlans(families);
  return {
    families,
    proposals: [...pool.values()].map(({ proposals }) => proposals),
    queries: spaces,
    migrations,
    counts: {
      proposed: proposed.size,
      pruned: {
        "same columns, at least as useful, not larger": proposed.size - replaced.size,
        "in no plan, same columns as another source": replaced.size - pool.size,
      },
      plansFound,
      plansKept: spaces.reduce((sum, { plans }) => sum + plans.length, 0),
    },
  };
}

function keyAt(families: readonly CompiledFamily[], position: number): ColumnFamilyKey {
  return (families[position] as CompiledFamily).columnFamily.key;
}

/** The same plans with families counted in the shorter list. */
function renumbered(
  spaces: readonly QueryPlanSpace[],
  from: readonly CompiledFamily[],
  to: readonly CompiledFamily[],
): QueryPlanSpace[] {
  const position = new Map(to.map(({ columnFamily }, index) => [columnFamily.key, index]));
  return spaces.map((space) => ({
    ...space,
    plans: space.plans.map((plan) => ({
      ...plan,
      families: plan.families.map((at) => position.get(keyAt(from, at)) as number),
    })),
  }));
}

function restricted(
  pool: CandidatePool,
  only: ReadonlySet<ColumnFamilyKey> | undefined,
): CandidatePool {
  return only ? new Map([...pool].filter(([key]) => only.has(key))) : pool;
}

function familiesOf(pool: CandidatePool): ColumnFamily[] {
  return [...pool.values()].map(({ columnFamily }) => columnFamily);
}
