/**
 * The meaning of a SELECT: names looked up, what cannot be answered refused with its reason
 * (engine.md §2, §4), the graph brought into canonical form.
 */
import type { AttributeType, EntityGraph } from "./entity-graph.ts";
import { onlyWarnings, type Span } from "./issue.ts";
import { matchName } from "./name-matching.ts";
import type { ColumnReference } from "./query-graph.ts";
import type { AggregateFunction, Ordering, Query, Selection } from "./statement.ts";
import type { AliasedSelection, OrderingText, SelectionText } from "./statement-clauses.ts";
import { refuseCounter, resolvePredicates, unordered } from "./statement-conditions.ts";
import type { PathText } from "./statement-cursor.ts";
import { resolveColumn, resolveNode } from "./statement-names.ts";
import {
  canonicalScope,
  columnAttribute,
  columnKey,
  emptyScope,
  nodeText,
  relationshipOf,
  renumbering,
  type Scope,
  type ScopeEdge,
  type ScopeNode,
  type StatementHead,
} from "./statement-scope.ts";
import { resolveSources } from "./statement-sources.ts";
import { complain, type Report, warn } from "./statement-tokens.ts";
import type { SelectText } from "./statement-verbs.ts";

/** Something resolved, and where it stands in the text. */
interface Placed<T> {
  readonly value: T;
  readonly span: Span;
}

/** The query a SELECT means; undefined after a complaint. */
export function resolveQuery(
  text: SelectText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Query | undefined {
  const scope = emptyScope(graph);
  const filters = resolveSources(scope, text, text.where, report);
  if (!filters) return undefined;
  const select = text.select.flatMap(({ selection }) => resolveSelection(scope, selection, report));
  const predicates = resolvePredicates(scope, filters, report);
  const groupBy = text.groupBy.flatMap((path) => resolveKeyColumn(scope, path, "GROUP BY", report));
  const orderBy = text.orderBy.flatMap((ordering) =>
    resolveOrdering(scope, ordering, text.select, report),
  );
  const columns = withoutRepetition(select, selectionKey, "selected", report);
  const groups = withoutRepetition(groupBy, columnKey, "grouped by", report);
  const orders = withoutRepetition(orderBy, ({ by }) => selectionKey(by), "ordered by", report);
  checkGrouping(scope, columns, groups, orders, report);
  if (!onlyWarnings(report.issues)) return undefined;
  if (!predicates.some(({ kind }) => kind !== "range"))
    warn(
      report,
      text.sources[0]?.path.span ?? { start: 0, end: head.text.length },
      "No column is compared by = or IN: every execution reads all records, as one partition.",
      "Add a condition with = or IN if the statement can have one.",
    );
  const canonical = canonicalScope(scope);
  const at = renumbering(canonical);
  return {
    ...head,
    kind: "query",
    graph: canonical.graph,
    select: columns.map(({ value }) => renumberSelection(value, at)),
    predicates: predicates.map((predicate) => ({ ...predicate, column: at(predicate.column) })),
    groupBy: groups.map(({ value }) => at(value)),
    orderBy: orders.map(({ value: { by, direction } }) => ({
      by: renumberSelection(by, at),
      direction,
    })),
    ...(text.limit !== undefined && { limit: text.limit }),
  };
}

function renumberSelection(
  selection: Selection,
  at: (column: ColumnReference) => ColumnReference,
): Selection {
  return selection.column === undefined
    ? selection
    : { ...selection, column: at(selection.column) };
}

function selectionKey(selection: Selection): string {
  const column = selection.column === undefined ? "*" : columnKey(selection.column);
  return selection.kind === "column" ? column : `${selection.function}(${column})`;
}

/** Drops what stands a second time in a list, with a warning. */
function withoutRepetition<T>(
  list: readonly Placed<T>[],
  key: (value: T) => string,
  what: string,
  report: Report,
): Placed<T>[] {
  const seen = new Set<string>();
  return list.filter(({ value, span }) => {
    const repeated = seen.has(key(value));
    seen.add(key(value));
    if (repeated)
      warn(
        report,
        span,
        `This is ${what} twice; the second time changes nothing.`,
        "Leave it out.",
      );
    return !repeated;
  });
}

// --- SELECT, GROUP BY, ORDER BY -------------------------------------------------------------------

function resolveSelection(scope: Scope, text: SelectionText, report: Report): Placed<Selection>[] {
  switch (text.kind) {
    case "star":
      return resolveStar(scope, text.of, report).map((column) => ({
        value: { kind: "column", column },
        span: text.span,
      }));
    case "column": {
      const column = resolveColumn(scope, text.path, report);
      return column ? [{ value: { kind: "column", column }, span: text.span }] : [];
    }
    case "aggregate":
      return resolveAggregate(scope, text.function, text.path, text.span, report);
  }
}

/** All columns of one node, or of all nodes of FROM. */
function resolveStar(scope: Scope, of: PathText | undefined, report: Report): ColumnReference[] {
  const node = of && resolveNode(scope, of, report);
  if (of && node === undefined) return [];
  const nodes =
    node === undefined ? scope.nodes.slice(0, scope.named).map((_, index) => index) : [node];
  return nodes.flatMap((each) => {
    const entity = scope.graph.entities[(scope.nodes[each] as ScopeNode).entity];
    return entity?.attributes.map(({ name }) => ({ node: each, attribute: name })) ?? [];
  });
}

const numeric: readonly AttributeType[] = ["int", "bigint", "double", "decimal", "counter"];

function resolveAggregate(
  scope: Scope,
  name: AggregateFunction,
  path: PathText | undefined,
  span: Span,
  report: Report,
): Placed<Selection>[] {
  if (!path) return [{ value: { kind: "aggregate", function: name }, span }];
  const column = resolveColumn(scope, path, report);
  if (!column) return [];
  const { type } = columnAttribute(scope, column);
  if ((name === "sum" || name === "avg") && !numeric.includes(type)) {
    complain(
      report,
      span,
      `${name} needs numbers, but ${column.attribute} is ${type}.`,
      "Choose a number, or count, min or max.",
    );
    return [];
  }
  if ((name === "min" || name === "max") && unordered.includes(type)) {
    complain(
      report,
      span,
      `${name} needs an order, but ${column.attribute} is ${type}.`,
      "Choose another column, or count with a condition.",
    );
    return [];
  }
  return [{ value: { kind: "aggregate", function: name, column }, span }];
}

/** A column that has to be able to stand in a key. */
function resolveKeyColumn(
  scope: Scope,
  path: PathText,
  clause: string,
  report: Report,
): Placed<ColumnReference>[] {
  const column = resolveColumn(scope, path, report);
  if (!column || refuseCounter(scope, column, path.span, clause, report)) return [];
  return [{ value: column, span: path.span }];
}

function resolveOrdering(
  scope: Scope,
  text: OrderingText,
  select: readonly AliasedSelection[],
  report: Report,
): Placed<Ordering>[] {
  const aliased = text.by.kind === "column" ? aliasedBy(text.by.path, select) : undefined;
  const found = resolveSelection(scope, aliased ?? text.by, report)[0];
  if (!found) return [];
  const by = found.value;
  if (by.kind === "column" && refuseCounter(scope, by.column, text.by.span, "ORDER BY", report))
    return [];
  return [{ value: { by, direction: text.direction }, span: text.by.span }];
}

/** What an alias of the SELECT list stands for. */
function aliasedBy(path: PathText, select: readonly AliasedSelection[]): SelectionText | undefined {
  if (path.parts.length !== 1) return undefined;
  const aliases = select.flatMap(({ alias }) => alias?.text ?? []);
  const alias = matchName(path.parts[0]?.text ?? "", aliases);
  return alias === undefined
    ? undefined
    : select.find((each) => each.alias?.text === alias)?.selection;
}

/** With aggregates or groups, every plain column has to have one value in each group. */
function checkGrouping(
  scope: Scope,
  select: readonly Placed<Selection>[],
  groupBy: readonly Placed<ColumnReference>[],
  orderBy: readonly Placed<Ordering>[],
  report: Report,
): void {
  const outputs = [...select.map(({ value }) => value), ...orderBy.map(({ value }) => value.by)];
  if (groupBy.length === 0 && outputs.every(({ kind }) => kind === "column")) return;
  const groups = new Set(groupBy.map(({ value }) => columnKey(value)));
  const single = nodesOfOneRecord(scope, groups);
  const plain = select.flatMap(({ value, span }) =>
    value.kind === "column" ? [{ column: value.column, span }] : [],
  );
  const loose = plain.filter(
    ({ column }) => !groups.has(columnKey(column)) && !single.has(column.node),
  );
  // One complaint is enough for a whole `*`.
  const first = loose.filter(({ span }, at) => loose[at - 1]?.span !== span);
  for (const { column, span } of first)
    complain(
      report,
      span,
      `${nodeText(scope, column.node)}.${column.attribute} is selected beside aggregates or groups, but is not grouped by.`,
      "Add it, or the identifier of its entity, to GROUP BY, or take its min or max.",
    );
  for (const { value, span } of orderBy)
    if (value.by.kind === "column" && !groups.has(columnKey(value.by.column)))
      complain(
        report,
        span,
        `${nodeText(scope, value.by.column.node)}.${value.by.column.attribute} orders groups, but is neither grouped by nor aggregated.`,
        "Add it to GROUP BY, or order by an aggregate.",
      );
}

/** Nodes of which a group holds one record: their identifier is grouped by, or a child of them is such. */
function nodesOfOneRecord(scope: Scope, groups: ReadonlySet<string>): ReadonlySet<number> {
  const known = new Set(groups);
  const single = new Set<number>();
  for (let before = -1; before < single.size + known.size; ) {
    before = single.size + known.size;
    scope.nodes.forEach(({ entity }, node) => {
      const identifier = scope.graph.entities[entity]?.identifier ?? [];
      const isKnown = (attribute: string): boolean => known.has(columnKey({ node, attribute }));
      if (identifier.every(isKnown)) single.add(node);
    });
    for (const edge of scope.edges) spreadOver(scope, edge, known, single);
  }
  return single;
}

/** What one record at one end of an edge says about the other end. */
function spreadOver(scope: Scope, edge: ScopeEdge, known: Set<string>, single: Set<number>): void {
  const { multiplicity, foreignKey } = relationshipOf(scope, edge);
  if (multiplicity !== "manyToMany" && single.has(edge.child)) single.add(edge.parent);
  if (multiplicity === "oneToOne" && single.has(edge.parent)) single.add(edge.child);
  for (const pair of foreignKey) {
    const keys = [
      columnKey({ node: edge.child, attribute: pair.child }),
      columnKey({ node: edge.parent, attribute: pair.parent }),
    ];
    if (keys.some((key) => known.has(key))) for (const key of keys) known.add(key);
  }
}
