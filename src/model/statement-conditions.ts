/**
 * The meaning of WHERE: one predicate for each column, in the order of the text (engine.md §2, §4).
 */
import type { AttributeType, GraphAttribute } from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import type { ColumnReference } from "./query-graph.ts";
import {
  defaultListLength,
  defaultRangeSelectivity,
  type Operand,
  type Predicate,
} from "./statement.ts";
import type { FilterText, OperandText } from "./statement-grammar.ts";
import { resolveColumn } from "./statement-names.ts";
import { columnAttribute, columnKey, type Scope } from "./statement-scope.ts";
import { complain, type Report, warn } from "./statement-tokens.ts";

/** Types without an order that means anything to a person. */
export const unordered: readonly AttributeType[] = ["boolean", "blob"];

/** The predicates of conditions, in the order of the text; two opposite ranges of a column become one. */
export function resolvePredicates(
  scope: Scope,
  filters: readonly FilterText[],
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

function resolvePredicate(scope: Scope, filter: FilterText, report: Report): Predicate | undefined {
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
  filter: Extract<FilterText, { kind: "in" }>,
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

/** Refuses a counter where only what can be part of a key can stand. */
export function refuseCounter(
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
