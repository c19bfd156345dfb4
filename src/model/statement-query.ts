/**
 * The meaning of conditions and of a whole SELECT: names looked up, what cannot be answered refused
 * with its reason (engine.md §2, §4), the graph brought into canonical form.
 */
import type { AttributeType, EntityGraph, GraphAttribute } from "./entity-graph.ts";
import { onlyWarnings, type Span } from "./issue.ts";
import { type CanonicalGraph, type ColumnReference, canonicalGraph } from "./query-graph.ts";
import {
  type AggregateFunction,
  defaultListLength,
  defaultRangeSelectivity,
  type Operand,
  type Ordering,
  type Predicate,
  type Query,
  type Selection,
} from "./statement.ts";
import type {
  AliasedSelection,
  OrderingText,
  SelectionText,
  SelectText,
} from "./statement-clauses.ts";
import type { ConditionText, OperandText, PathText } from "./statement-grammar.ts";
import { resolveSources } from "./statement-joins.ts";
import {
  columnAttribute,
  emptyScope,
  matchName,
  nodeText,
  resolveColumn,
  resolveNode,
  type Scope,
  type ScopeNode,
} from "./statement-names.ts";
import { complain, type Report, spanning, warn } from "./statement-tokens.ts";

type Filter = Exclude<ConditionText, { kind: "columns" }>;

/** Something resolved, and where it stands in the text. */
interface Placed<T> {
  readonly value: T;
  readonly span: Span;
}

/** What a person says about a statement beside its text. */
export interface StatementHead {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly text: string;
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

/** The scope's graph in canonical form. */
export function canonicalScope(scope: Scope): CanonicalGraph {
  const edges = scope.edges.map(({ relationship, parent, child }) => ({
    relationship,
    parent,
    child,
  }));
  return canonicalGraph(
    scope.graph,
    scope.nodes.map(({ entity }) => entity),
    edges,
  );
}

/** Where columns of the scope went in the canonical graph. */
export function renumbering(
  canonical: CanonicalGraph,
): (column: ColumnReference) => ColumnReference {
  return ({ node, attribute }) => ({ node: canonical.renumbering[node] as number, attribute });
}

function renumberSelection(
  selection: Selection,
  at: (column: ColumnReference) => ColumnReference,
): Selection {
  return selection.column === undefined
    ? selection
    : { ...selection, column: at(selection.column) };
}

const columnKey = ({ node, attribute }: ColumnReference): string => `${node}.${attribute}`;

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
const unordered: readonly AttributeType[] = ["boolean", "blob"];

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

function refuseCounter(
  scope: Scope,
  column: ColumnReference,
  span: Span,
  clause: string,
  report: Report,
): boolean {
  if (columnAttribute(scope, column).type !== "counter") return false;
  complain(
    report,
    span,
    `The counter ${column.attribute} cannot stand in ${clause}: a counter cannot be part of a key.`,
    "Select it and compare or sort in the application, or give the attribute the type bigint.",
  );
  return true;
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
  const grouped =
    groupBy.length > 0 ||
    [...select.map(({ value }) => value), ...orderBy.map(({ value }) => value.by)].some(
      ({ kind }) => kind === "aggregate",
    );
  if (!grouped) return;
  const groups = groupBy.map(({ value }) => value);
  const fixed = determinedNodes(scope, groups);
  const keys = new Set(groups.map(columnKey));
  let complained = -1;
  for (const { value, span } of select) {
    if (
      value.kind === "aggregate" ||
      keys.has(columnKey(value.column)) ||
      fixed.has(value.column.node)
    )
      continue;
    // One complaint for a whole `*`.
    if (span.start === complained) continue;
    complained = span.start;
    complain(
      report,
      span,
      `${nodeText(scope, value.column.node)}.${value.column.attribute} is selected beside aggregates or groups, but is not grouped by.`,
      "Add it, or the identifier of its entity, to GROUP BY, or take its min or max.",
    );
  }
  for (const { value, span } of orderBy)
    if (value.by.kind === "column" && !keys.has(columnKey(value.by.column)))
      complain(
        report,
        span,
        `${nodeText(scope, value.by.column.node)}.${value.by.column.attribute} orders groups, but is neither grouped by nor aggregated.`,
        "Add it to GROUP BY, or order by an aggregate.",
      );
}

/** Nodes of which a group holds one record: their identifier is grouped by, or a child's that has one of them. */
function determinedNodes(scope: Scope, groups: readonly ColumnReference[]): ReadonlySet<number> {
  const known = new Set(groups.map(columnKey));
  const fixed = new Set<number>();
  for (let before = -1; before < fixed.size + known.size; ) {
    before = fixed.size + known.size;
    scope.nodes.forEach(({ entity }, node) => {
      const identifier = scope.graph.entities[entity]?.identifier ?? [];
      if (identifier.every((attribute) => known.has(columnKey({ node, attribute }))))
        fixed.add(node);
    });
    for (const { relationship, parent, child } of scope.edges) {
      const { multiplicity, foreignKey } = scope.graph.relationships.find(
        ({ id }) => id === relationship,
      ) ?? { foreignKey: [] };
      if (multiplicity !== "manyToMany" && fixed.has(child)) fixed.add(parent);
      if (multiplicity === "oneToOne" && fixed.has(parent)) fixed.add(child);
      for (const pair of foreignKey)
        if (known.has(columnKey({ node: child, attribute: pair.child })))
          known.add(columnKey({ node: parent, attribute: pair.parent }));
        else if (known.has(columnKey({ node: parent, attribute: pair.parent })))
          known.add(columnKey({ node: child, attribute: pair.child }));
    }
  }
  return fixed;
}

// --- WHERE ----------------------------------------------------------------------------------------

/** The predicates of conditions, in the order of the text; two opposite ranges of a column become one. */
export function resolvePredicates(
  scope: Scope,
  filters: readonly Filter[],
  report: Report,
): Predicate[] {
  const found: Predicate[] = [];
  for (const filter of filters) {
    const predicate = resolvePredicate(scope, filter, report);
    if (!predicate) continue;
    const at = found.findIndex(({ column }) => columnKey(column) === columnKey(predicate.column));
    const other = found[at];
    if (!other) found.push(predicate);
    else {
      const merged = mergedRange(other, predicate);
      if (merged) found[at] = merged;
      else complainAboutSecond(other, predicate, filter.span, report);
    }
  }
  return found;
}

function resolvePredicate(scope: Scope, filter: Filter, report: Report): Predicate | undefined {
  const column = resolveColumn(scope, filter.path, report);
  if (!column || refuseCounter(scope, column, filter.path.span, "WHERE", report)) return undefined;
  const attribute = columnAttribute(scope, column);
  switch (filter.kind) {
    case "equal":
      checkOperand(attribute, filter.operand, report);
      return { kind: "equal", column, operand: filter.operand.operand };
    case "in":
      return inPredicate(column, attribute, filter, report);
    case "range":
      if (unordered.includes(attribute.type))
        complain(
          report,
          filter.span,
          `A range needs an order, but ${column.attribute} is ${attribute.type}.`,
          "Compare it by = or IN.",
        );
      for (const { operand } of filter.bounds) checkOperand(attribute, operand, report);
      return {
        kind: "range",
        column,
        bounds: filter.bounds.map(({ operator, operand }) => ({
          operator,
          operand: operand.operand,
        })),
        selectivity: defaultRangeSelectivity,
      };
  }
}

function inPredicate(
  column: ColumnReference,
  attribute: GraphAttribute,
  filter: Extract<Filter, { kind: "in" }>,
  report: Report,
): Predicate {
  for (const operand of filter.operands) checkOperand(attribute, operand, report);
  const operands = filter.operands.map(({ operand }) => operand);
  const wholeList = standsForList(operands);
  if (wholeList && filter.bracketed)
    warn(
      report,
      filter.span,
      `IN with one parameter is read as a list of ${defaultListLength} values.`,
      "Write = ? for a single value, or IN ? for a list.",
    );
  return {
    kind: "in",
    column,
    operands,
    listLength: wholeList ? defaultListLength : operands.length,
  };
}

/** `IN ?`: one parameter for a list of unknown length. */
export function standsForList(operands: readonly Operand[]): boolean {
  return operands.length === 1 && operands[0]?.kind === "parameter";
}

const isLower = (operator: string): boolean => operator.startsWith(">");

function mergedRange(first: Predicate, second: Predicate): Predicate | undefined {
  if (first.kind !== "range" || second.kind !== "range") return undefined;
  const [a, ...more] = first.bounds;
  const [b, ...others] = second.bounds;
  if (!a || !b || more.length + others.length > 0 || isLower(a.operator) === isLower(b.operator))
    return undefined;
  return { ...first, bounds: [a, b] };
}

function complainAboutSecond(
  first: Predicate,
  second: Predicate,
  span: Span,
  report: Report,
): void {
  const name = second.column.attribute;
  if (first.kind === "range" && second.kind === "range")
    complain(
      report,
      span,
      `${name} has more than one ${second.bounds.length > 1 || first.bounds.length > 1 ? "range" : "bound on one side"}.`,
      "Keep the narrower one: one lower and one upper bound can be read together.",
    );
  else if (first.kind === second.kind)
    complain(
      report,
      span,
      `${name} is compared by ${first.kind === "in" ? "IN" : "="} twice: no row could fulfil both, unless they say the same.`,
      "Keep one of them, or use one IN for a choice of values.",
    );
  else
    complain(
      report,
      span,
      `${name} is compared in two ways: where its value is given, a second condition on it filters nothing in the table.`,
      "Keep the = or IN, and check the other condition in the application before asking.",
    );
}

/** Refuses literals that the attribute's type cannot hold. */
export function checkOperand(
  attribute: GraphAttribute,
  { operand, span }: OperandText,
  report: Report,
): void {
  if (operand.kind === "parameter") return;
  const { value } = operand;
  if (fits(attribute.type, value)) return;
  complain(
    report,
    span,
    `${attribute.name} is ${attribute.type} and cannot be ${typeof value === "string" ? "a text" : String(value)}.`,
    `Write ${wanted(attribute.type)}, or a parameter.`,
  );
}

function fits(type: AttributeType, value: string | number | boolean): boolean {
  if (type === "boolean") return typeof value === "boolean";
  if (type === "int" || type === "bigint" || type === "counter")
    return typeof value === "number" && Number.isInteger(value);
  if (type === "double" || type === "decimal") return typeof value === "number";
  if (type === "date" || type === "timestamp") return typeof value !== "boolean";
  return typeof value === "string";
}

function wanted(type: AttributeType): string {
  if (type === "boolean") return "true or false";
  if (type === "int" || type === "bigint" || type === "counter") return "a whole number";
  return type === "double" || type === "decimal" ? "a number" : "a text in single quotes";
}

/** The stretch of a list of conditions, for complaints about all of them. */
export function spanOf(conditions: readonly ConditionText[]): Span | undefined {
  const first = conditions[0];
  const last = conditions.at(-1);
  return first && last && spanning(first.span, last.span);
}
