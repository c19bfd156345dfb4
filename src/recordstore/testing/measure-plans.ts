/**
 * What plans and tables are expected to do beside what they do: figures for the report on honest
 * estimates. Values are chosen as the estimates assume: every distinct value of a column is as likely
 * as any other and independent of other columns, a whole identifier names a record, a range lets
 * pass the share that the statement says.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { EntityGraph } from "#model/entity-graph.ts";
import type { PlanStep, QueryPlan } from "#model/plan.ts";
import type { Random } from "#model/random.ts";
import type { Predicate, Query, RangeOperator } from "#model/statement.ts";
import type { Records, Value } from "../records.ts";
import { type PredicateValues, runQueryPlan } from "../run-query-plan.ts";
import type { Table } from "../table.ts";
import { ValueChooser } from "./choose-values.ts";

/** One figure of one step. */
export interface Figure {
  readonly plan: string;
  readonly step: number;
  readonly what: "gets" | "rows" | "bytes" | "left";
  readonly estimated: number;
  /** Mean over the executions. */
  readonly measured: number;
  /** Standard error of the mean. */
  readonly error: number;
}

/** The figures of every step of a plan, over many executions. */
export function measurePlan(
  entityGraph: EntityGraph,
  query: Query,
  plan: QueryPlan,
  tables: ReadonlyMap<string, Table>,
  valueSets: readonly PredicateValues[],
): Figure[] {
  const runs = valueSets.map(
    (values) => runQueryPlan({ entityGraph, query, plan, tables, values }).measures,
  );
  return plan.steps.flatMap((step, index) =>
    figuresOf(step).map(({ what, estimated }) => {
      // Where the server aggregates, what counts are the rows that it reads.
      const counted = what === "rows" && step.kind === "get" && step.aggregated ? "read" : what;
      const seen = runs.map((measures) => measures[index]?.[counted] ?? 0);
      return { plan: plan.key, step: index, what, estimated, ...meanOf(seen) };
    }),
  );
}

function figuresOf(step: PlanStep): Pick<Figure, "what" | "estimated">[] {
  if (step.kind === "filter")
    return [
      { what: "rows", estimated: step.rows },
      { what: "left", estimated: step.left },
    ];
  if (step.kind !== "get") return [{ what: "rows", estimated: step.rows }];
  return [
    { what: "gets", estimated: step.gets },
    { what: "rows", estimated: step.rows },
    { what: "bytes", estimated: step.rows * step.bytesPerRow },
  ];
}

/** Mean and its standard error. */
export function meanOf(seen: readonly number[]): { measured: number; error: number } {
  const measured = seen.reduce((sum, each) => sum + each, 0) / seen.length;
  const squares = seen.reduce((sum, each) => sum + (each - measured) ** 2, 0);
  return { measured, error: Math.sqrt(squares / Math.max(1, seen.length - 1) / seen.length) };
}

/** Sets of values as the estimates assume them. */
export function evenValues(
  entityGraph: EntityGraph,
  records: Records,
  query: Query,
  random: Random,
  count: number,
): PredicateValues[] {
  const chooser = new ValueChooser(records, query, random);
  const domains = query.predicates.map(({ column }) => chooser.domain(column));
  const orders = domains.map((domain) => random.shuffled(domain));
  const joint = identifyingPredicates(entityGraph, query);
  return Array.from({ length: count }, (_, index) => {
    const recordAt = query.graph.nodes.map(({ entity }) => {
      const list = records.entities.get(entity) ?? [];
      return list[random.below(list.length)];
    });
    return query.predicates.map((predicate, at) => {
      const { node, attribute } = predicate.column;
      if (joint.has(at)) return [recordAt[node]?.[attribute] as Value];
      // The first column goes through its values in turn; the others are drawn, to be independent of it.
      const turn = at === 0 ? index : random.below(1000);
      return valuesFor(predicate, domains[at] ?? [], orders[at] ?? [], turn, random);
    });
  });
}

function valuesFor(
  predicate: Predicate,
  domain: readonly Value[],
  order: readonly Value[],
  turn: number,
  random: Random,
): readonly Value[] {
  switch (predicate.kind) {
    case "equal":
      return [order[turn % order.length] as Value];
    case "in":
      return random.shuffled(domain).slice(0, predicate.listLength);
    case "range": {
      const width = Math.round(predicate.selectivity * domain.length);
      const from = random.below(domain.length - width + 1);
      return predicate.bounds.map(({ operator }) =>
        boundary(domain, operator, predicate.bounds.length === 2 ? from : undefined, width),
      );
    }
  }
}

/** The value at the edge of a stretch of `width` values: at the domain's end, or starting at `from`. */
function boundary(
  domain: readonly Value[],
  operator: RangeOperator,
  from: number | undefined,
  width: number,
): Value {
  const inclusive = operator.endsWith("=") ? 0 : 1;
  const place = operator.startsWith("<")
    ? (from ?? 0) + width - 1 + inclusive
    : (from ?? domain.length - width) - inclusive;
  const within = Math.min(domain.length - 1, Math.max(0, place));
  const value = domain[within] as Value;
  // An open bound at the very edge would leave one value out.
  return place === within || inclusive === 0 || typeof value !== "number"
    ? value
    : value + Math.sign(place - within);
}

/** Positions of predicates that bind a whole identifier of several columns. */
function identifyingPredicates({ entities }: EntityGraph, query: Query): ReadonlySet<number> {
  const positions = query.graph.nodes.flatMap(({ entity }, node) => {
    const identifier = entities[entity]?.identifier ?? [];
    const bound = identifier.map((attribute) =>
      query.predicates.findIndex(
        ({ kind, column }) =>
          kind === "equal" && column.node === node && column.attribute === attribute,
      ),
    );
    return identifier.length > 1 && !bound.includes(-1) ? bound : [];
  });
  return new Set(positions);
}
