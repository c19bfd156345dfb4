/**
 * The parts that statements which change records share: values given to attributes, and records named
 * by their identifiers.
 */
import {
  attributeOf,
  type Entity,
  type EntityGraph,
  type GraphAttribute,
  rolesOf,
  type Walk,
  walkRole,
} from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import { matchName, suggestion } from "./name-matching.ts";
import type { Connection, Operand } from "./statement.ts";
import { checkOperand } from "./statement-conditions.ts";
import type { NameText } from "./statement-cursor.ts";
import { heldAttribute, resolveEntity } from "./statement-names.ts";
import { complain, type Report, spanning } from "./statement-tokens.ts";
import type { AssignmentText, RecordText } from "./statement-verbs.ts";

/** The entity of that name with its record; undefined after a complaint. */
export function entityCalled(
  graph: EntityGraph,
  name: NameText,
  report: Report,
): Entity | undefined {
  const found = resolveEntity(graph, name, report);
  return found === undefined ? undefined : graph.entities[found];
}

/** A value given to an attribute. */
export interface Given {
  readonly attribute: GraphAttribute;
  readonly operand: Operand;
  readonly span: Span;
}

/**
 * Assignments looked up, each attribute once, and all attributes that are named at all, or undefined
 * when a name is unknown. `names` are those by which the entity can be addressed.
 */
export function givenAttributes(
  graph: EntityGraph,
  entity: Entity,
  names: readonly string[],
  assignments: readonly AssignmentText[],
  report: Report,
): { readonly given: Given[]; readonly named: ReadonlySet<string> | undefined } {
  const given: Given[] = [];
  const named = new Set<string>();
  let allKnown = true;
  for (const { path, operand } of assignments) {
    const parts = path.parts.map(({ text }) => text);
    const attribute = assignedAttribute(graph, entity, names, parts);
    if (!attribute) {
      allKnown = false;
      complainAboutAttribute(entity, parts, path.span, report);
      continue;
    }
    const value = { attribute, operand: operand.operand, span: spanning(path.span, operand.span) };
    checkOperand(attribute, operand, report);
    if (isAssignable(value, named, report)) given.push(value);
    named.add(attribute.name);
  }
  return { given, named: allKnown ? named : undefined };
}

function complainAboutAttribute(
  entity: Entity,
  parts: readonly string[],
  span: Span,
  report: Report,
): void {
  const all = entity.attributes.map(({ name }) => name);
  complain(
    report,
    span,
    `${entity.name} has no attribute called ${parts.join(".")}.`,
    suggestion(parts.at(-1) ?? "", all, `There are: ${all.join(", ")}.`),
  );
}

function isAssignable(
  { attribute, span }: Given,
  named: ReadonlySet<string>,
  report: Report,
): boolean {
  if (attribute.type === "counter")
    complain(
      report,
      span,
      `The counter ${attribute.name} cannot be set: Cassandra only adds to counters, and statements here do not hold an increment.`,
      "Give the attribute the type bigint to set it.",
    );
  else if (named.has(attribute.name))
    complain(report, span, `${attribute.name} is set twice.`, "Leave one of them out.");
  else return true;
  return false;
}

function assignedAttribute(
  graph: EntityGraph,
  entity: Entity,
  names: readonly string[],
  parts: readonly string[],
): GraphAttribute | undefined {
  const [first, ...rest] = parts;
  const addressed = first !== undefined && rest.length > 0 && matchName(first, names) !== undefined;
  const name =
    (addressed ? heldAttribute(graph, entity.name, rest) : undefined) ??
    heldAttribute(graph, entity.name, parts);
  return name === undefined ? undefined : attributeOf(entity, name);
}

/** Where a role leads; undefined after a complaint. */
export function roleOf(
  graph: EntityGraph,
  entity: Entity,
  record: RecordText,
  report: Report,
): Walk | undefined {
  const roles = rolesOf(graph, entity.name);
  const role = matchName(record.name.text, roles);
  if (role !== undefined) return walkRole(graph, entity.name, role);
  complain(
    report,
    record.name.span,
    `${entity.name} has no role called ${record.name.text}.`,
    suggestion(
      record.name.text,
      roles,
      `From ${entity.name} lead: ${roles.join(", ") || "no roles"}.`,
    ),
  );
  return undefined;
}

/** The link to a record that a walk reaches; undefined after a complaint. */
export function connectionOf(
  graph: EntityGraph,
  { relationship, toEnd }: Walk,
  record: RecordText,
  report: Report,
): Connection | undefined {
  const { entity, role } = relationship.ends[toEnd];
  const operands = identifying(graph.entities[entity], record, report);
  return operands && { role, operands };
}

/** The operands that identify a record, one for each attribute of the identifier. */
export function identifying(
  entity: Entity | undefined,
  record: RecordText,
  report: Report,
): readonly Operand[] | undefined {
  if (!entity) return undefined;
  if (record.operands.length !== entity.identifier.length) {
    complain(
      report,
      record.span,
      `${entity.name} is identified by ${entity.identifier.join(", ")}: ${entity.identifier.length} values, not ${record.operands.length}.`,
      `Write ${record.name.text}(${entity.identifier.map(() => "?").join(", ")}).`,
    );
    return undefined;
  }
  record.operands.forEach((operand, index) => {
    const attribute = attributeOf(entity, entity.identifier[index] as string);
    if (attribute) checkOperand(attribute, operand, report);
  });
  return record.operands.map(({ operand }) => operand);
}
