/**
 * The meaning of UPDATE, DELETE, CONNECT and DISCONNECT (engine.md §2): no statement changes by
 * assignment what makes a record the record it is, or whose it is.
 */
import type { Entity, EntityGraph, GraphAttribute, Relationship } from "./entity-graph.ts";
import { onlyWarnings, type Span } from "./issue.ts";
import type { Assignment, Connect, Delete, Update } from "./statement.ts";
import { resolvePredicates } from "./statement-conditions.ts";
import type { NameText } from "./statement-cursor.ts";
import {
  connectionOf,
  entityCalled,
  givenAttributes,
  identifying,
  roleOf,
} from "./statement-records.ts";
import {
  canonicalScope,
  emptyScope,
  findHead,
  renumbering,
  type Scope,
  type ScopeNode,
  type StatementHead,
} from "./statement-scope.ts";
import { resolveSources } from "./statement-sources.ts";
import { complain, type Report, warn } from "./statement-tokens.ts";
import type { AssignmentText, ChangeText, ConnectText } from "./statement-verbs.ts";

// --- UPDATE and DELETE ------------------------------------------------------------------------------

/** The update or delete that is meant; undefined after a complaint. */
export function resolveChange(
  text: ChangeText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Update | Delete | undefined {
  const scope = emptyScope(graph);
  const wellRead = onlyWarnings(report.issues);
  const filters = resolveSources(scope, text, text.where, report);
  if (!filters) return undefined;
  const target = text.target ? targetOf(scope, text.target, report) : 0;
  if (target === undefined) return undefined;
  const assignments =
    text.kind === "update" ? assignmentsOf(scope, target, text.assignments, report) : [];
  const predicates = resolvePredicates(scope, filters, report);
  const from = text.target?.span ??
    text.sources[0]?.path.span ?? { start: 0, end: head.text.length };
  if (filters.length === 0 && wellRead)
    complain(
      report,
      from,
      `This would ${text.kind} all records of ${scope.nodes[target]?.entity}.`,
      "Say which ones by WHERE.",
    );
  if (!onlyWarnings(report.issues)) return undefined;
  if (!predicates.some(({ kind }) => kind !== "range"))
    warn(
      report,
      from,
      "No column is compared by = or IN: every execution reads all records to find those to change.",
      "Add a condition with = or IN if the statement can have one.",
    );
  const canonical = canonicalScope(scope);
  const at = renumbering(canonical);
  const shared = {
    ...head,
    graph: canonical.graph,
    target: canonical.renumbering[target] as number,
    predicates: predicates.map((predicate) => ({ ...predicate, column: at(predicate.column) })),
  };
  return text.kind === "update"
    ? { ...shared, kind: "update", assignments }
    : { ...shared, kind: "delete" };
}

function targetOf(scope: Scope, name: NameText, report: Report): number | undefined {
  const head = findHead(scope, name.text);
  if (head.kind === "node") return head.node;
  if (head.kind === "ambiguous")
    complain(
      report,
      name.span,
      `${name.text} stands in FROM more than once.`,
      "Give the one to update an alias, and update that.",
    );
  else
    complain(
      report,
      name.span,
      `${name.text} is not in FROM.`,
      `Begin the path with it: FROM ${name.text}.role.`,
    );
  return undefined;
}

function assignmentsOf(
  scope: Scope,
  target: number,
  texts: readonly AssignmentText[],
  report: Report,
): Assignment[] {
  const { entity: name, alias } = scope.nodes[target] as ScopeNode;
  const entity = scope.graph.entities[name] as Entity;
  const names = alias === undefined ? [name] : [alias, name];
  const { given } = givenAttributes(scope.graph, entity, names, texts, report);
  for (const { attribute, span } of given)
    refuseKeyChange(scope.graph, entity, attribute, span, report);
  return given.map(({ attribute, operand }) => ({ attribute: attribute.name, operand }));
}

function refuseKeyChange(
  graph: EntityGraph,
  entity: Entity,
  attribute: GraphAttribute,
  span: Span,
  report: Report,
): void {
  if (entity.identifier.includes(attribute.name)) {
    complain(
      report,
      span,
      `${attribute.name} is part of the identifier of ${entity.name} and cannot be changed.`,
      "Delete the record and insert it anew.",
    );
    return;
  }
  const held = graph.relationships.find(
    ({ ends, foreignKey }) =>
      ends[1].entity === entity.name && foreignKey.some(({ child }) => child === attribute.name),
  );
  if (held)
    complain(
      report,
      span,
      `${attribute.name} says which ${held.ends[0].role} the ${entity.name} has; that is changed by CONNECT.`,
      `Write CONNECT ${entity.name}(${entity.identifier.map(() => "?").join(", ")}) TO ${held.ends[0].role}(${held.foreignKey.map(() => "?").join(", ")}).`,
    );
}

// --- CONNECT and DISCONNECT -------------------------------------------------------------------------

/** The link that is meant; undefined after a complaint. */
export function resolveConnect(
  text: ConnectText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Connect | undefined {
  const entity = entityCalled(graph, text.record.name, report);
  if (!entity) return undefined;
  const operands = identifying(entity, text.record, report);
  const walk = roleOf(graph, entity, text.connection, report);
  const connection = walk && connectionOf(graph, walk, text.connection, report);
  if (walk) refuseLink(graph, text, walk.relationship, report);
  if (!operands || !connection || !onlyWarnings(report.issues)) return undefined;
  return { ...head, kind: text.kind, entity: entity.name, operands, connection };
}

/** A mandatory link cannot be broken, and one that identifies the child not even be moved. */
function refuseLink(
  graph: EntityGraph,
  text: ConnectText,
  relationship: Relationship,
  report: Report,
): void {
  const [parent, child] = relationship.ends;
  const { span } = text.connection;
  const identifier = graph.entities[child.entity]?.identifier ?? [];
  if (relationship.multiplicity === "manyToMany" || relationship.optional) return;
  if (text.kind === "disconnect")
    complain(
      report,
      span,
      `Every ${child.entity} has its ${parent.role}, so the link cannot be broken.`,
      `Connect the ${child.entity} to another ${parent.role}, delete it, or mark the relationship optional.`,
    );
  else if (relationship.foreignKey.some((pair) => identifier.includes(pair.child)))
    complain(
      report,
      span,
      `The ${parent.role} is part of the identifier of ${child.entity} and cannot be changed.`,
      "Delete the record and insert it anew.",
    );
}
