/**
 * A query compiled for enumeration: its graph with column classes, and what it needs of them.
 *
 * A query without any equality gets one on the constant column (predicate index −1), so that later
 * stages need no special case for it (engine.md §2, beyond).
 */
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Predicate, Query } from "#model/statement.ts";
import {
  type ColumnSet,
  type CompiledGraph,
  compileGraph,
  has,
  type NodeSet,
  setOf,
  withoutNamedParents,
} from "./column-classes.ts";

/** A predicate on a class; `index` points into `query.predicates`, −1 for the constant column. */
export interface CompiledPredicate {
  readonly index: number;
  readonly class: number;
  readonly kind: Predicate["kind"];
  /** Expected share of rows that pass: 1/distinct, list length/distinct, or the range's own. */
  readonly selectivity: number;
  /** Values that an IN list gives to try; 1 otherwise. */
  readonly listLength: number;
  /** Bit of this predicate in a set of predicates. */
  readonly bit: number;
}

export interface CompiledOrdering {
  readonly class: number;
  readonly direction: "asc" | "desc";
}

export interface CompiledQuery {
  readonly query: Query;
  readonly compiled: CompiledGraph;
  /**
   * Records that the query is about: all but mandatory parents at the rim of which it names the
   * identifier at most, since their children hold that. So walking to a parent's identifier and
   * naming the foreign key get the same candidates.
   */
  readonly core: NodeSet;
  readonly predicates: readonly CompiledPredicate[];
  readonly allPredicates: number;
  /** Predicate on a class that binds it to one value or a list. */
  readonly equalOn: ReadonlyMap<number, CompiledPredicate>;
  readonly rangeOn: ReadonlyMap<number, CompiledPredicate>;
  /** Classes that the answer itself is made of: selected, aggregated, grouped or ordered by. */
  readonly output: ColumnSet;
  /** Ordering on plain columns; undefined where an aggregate takes part, which only the application can sort. */
  readonly order: readonly CompiledOrdering[] | undefined;
  readonly grouping: ColumnSet;
  readonly grouped: boolean;
  readonly aggregated: boolean;
  readonly limit: number | undefined;
  /** Share of rows of each node's records that all predicates on the node's own columns let pass. */
  readonly nodesOfPredicate: readonly NodeSet[];
}

export function compileQuery(entityGraph: EntityGraph, query: Query): CompiledQuery {
  const compiled = compileGraph(entityGraph, query.graph);
  const predicates = compilePredicates(compiled, query);
  const bindable = predicates.filter(({ kind }) => kind !== "range");
  const plainOutput = query.select.flatMap((item) =>
    item.column ? [compiled.classOf(item.column)] : [],
  );
  const grouping = setOf(query.groupBy.map((column) => compiled.classOf(column)));
  const byColumns = query.orderBy.every(({ by }) => by.kind === "column");
  const orderClasses = query.orderBy.flatMap(({ by }) =>
    by.column ? [compiled.classOf(by.column)] : [],
  );
  const output = setOf(plainOutput) | grouping | setOf(orderClasses);
  const used = output | setOf(predicates.map((each) => each.class));
  return {
    query,
    compiled,
    core: withoutNamedParents(compiled, compiled.allNodes, used),
    predicates,
    allPredicates: predicates.reduce((all, { bit }) => all | bit, 0),
    equalOn: new Map(bindable.map((predicate) => [predicate.class, predicate])),
    rangeOn: new Map(
      predicates.filter(({ kind }) => kind === "range").map((each) => [each.class, each]),
    ),
    output,
    order: byColumns ? compileOrder(compiled, query) : undefined,
    grouping,
    grouped: query.groupBy.length > 0,
    aggregated: query.select.some(({ kind }) => kind === "aggregate"),
    limit: query.limit,
    nodesOfPredicate: predicates.map((each) => compiled.nodesOfClass[each.class] as NodeSet),
  };
}

function compilePredicates(compiled: CompiledGraph, query: Query): CompiledPredicate[] {
  const predicates: CompiledPredicate[] = query.predicates.map((predicate, index) => {
    const id = compiled.classOf(predicate.column);
    const distinct = compiled.distinctOfClass[id] as number;
    const listLength = predicate.kind === "in" ? Math.min(predicate.listLength, distinct) : 1;
    return {
      index,
      class: id,
      kind: predicate.kind,
      selectivity: predicate.kind === "range" ? predicate.selectivity : listLength / distinct,
      listLength,
      bit: 1 << (index + 1),
    };
  });
  if (predicates.some(({ kind }) => kind !== "range")) return predicates;
  return [
    { index: -1, class: 0, kind: "equal", selectivity: 1, listLength: 1, bit: 1 },
    ...predicates,
  ];
}

/** Columns fixed by `=` order nothing, and a column orders only where it first stands. */
function compileOrder(compiled: CompiledGraph, query: Query): CompiledOrdering[] {
  const fixed = setOf(
    query.predicates
      .filter(({ kind }) => kind === "equal")
      .map(({ column }) => compiled.classOf(column)),
  );
  const order: CompiledOrdering[] = [];
  for (const { by, direction } of query.orderBy) {
    if (!by.column) continue;
    const id = compiled.classOf(by.column);
    if (!has(fixed, id) && !order.some((each) => each.class === id))
      order.push({ class: id, direction });
  }
  return order;
}
