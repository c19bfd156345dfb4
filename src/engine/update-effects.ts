/**
 * What one execution of an update costs a column family (engine.md §6): how many rows are put and
 * deleted there, and how often each support query is read. The figures of `planUpdate`, summed.
 */
import type { ColumnFamily } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Query } from "#model/statement.ts";
import { putCost } from "./cost-model.ts";
import { type Change, planUpdate } from "./plan-update.ts";

/** One execution's work on a column family. */
export interface UpdateEffect {
  /** Expected rows put, and deleted. */
  readonly puts: number;
  readonly deletes: number;
  readonly support: readonly SupportQuery[];
}

/** A read that an update needs, so many times per execution. */
export interface SupportQuery {
  readonly query: Query;
  readonly times: number;
}

/** C′: milliseconds per execution for the rows themselves; support queries come on top. */
export function effectCost(model: CostModel, { puts, deletes }: UpdateEffect): number {
  return (puts > 0 ? putCost(model, puts) : 0) + (deletes > 0 ? putCost(model, deletes) : 0);
}

/** The effect of one execution on a column family; undefined when it touches none of its rows. */
export function effectOf(
  entityGraph: EntityGraph,
  statement: Change,
  columnFamily: ColumnFamily,
): UpdateEffect | undefined {
  const plan = planUpdate(entityGraph, statement, columnFamily);
  if (!plan) return undefined;
  const { find, changes } = plan;
  return {
    puts: changes.reduce((sum, { puts }) => sum + puts, 0),
    deletes: changes.reduce((sum, { deletes }) => sum + deletes, 0),
    support: [
      ...(find ? [{ query: find.query, times: 1 }] : []),
      ...changes
        .flatMap(({ reads, renews }) => [...reads, ...renews])
        .map(({ query, times }) => ({ query, times })),
    ],
  };
}
