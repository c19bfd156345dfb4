/**
 * The meaning of INSERT, UPDATE, DELETE, CONNECT and DISCONNECT (engine.md §2): every record gets its
 * identifier and its mandatory parents, and no statement changes by assignment what makes a record
 * the record it is, or whose it is.
 */
import {
  attributeOf,
  type Entity,
  type EntityGraph,
  type GraphAttribute,
  type Relationship,
  rolesOf,
  type Walk,
  walkRole,
} from "./entity-graph.ts";
import { onlyWarnings, type Span } from "./issue.ts";
import type {
  Assignment,
  Connect,
  Connection,
  Delete,
  Insert,
  Operand,
  Update,
} from "./statement.ts";
import type {
  AssignmentText,
  ChangeText,
  ConnectText,
  InsertText,
  RecordText,
} from "./statement-clauses.ts";
import type { NameText } from "./statement-grammar.ts";
import { resolveSources } from "./statement-joins.ts";
import {
  emptyScope,
  findHead,
  heldAttribute,
  matchName,
  resolveEntity,
  type Scope,
  suggestion,
} from "./statement-names.ts";
import {
  canonicalScope,
  checkOperand,
  renumbering,
  resolvePredicates,
  type StatementHead,
} from "./statement-query.ts";
import { complain, type Report, spanning, warn } from "./statement-tokens.ts";

/** The entity of that name with its record; undefined after a complaint. */
function entityCalled(graph: EntityGraph, name: NameText, report: Report): Entity | undefined {
  const found = resolveEntity(graph, name, report);
  return found === undefined ? undefined : graph.entities[found];
}

// --- INSERT ---------------------------------------------------------------------------------------

/** The insert that is meant; undefined after a complaint. */
export function resolveInsert(
  text: InsertText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Insert | undefined {
  const readBefore = onlyWarnings(report.issues);
  const entity = entityCalled(graph, text.entity, report);
  if (!entity) return undefined;
  const given = givenAttributes(graph, entity, [entity.name], text.assignments, report);
  const connections: Placed[] = text.connections.flatMap((record) => {
    const walk = roleOf(graph, entity, record, report);
    const connection = walk && connectionOf(graph, walk, record, report);
    return walk && connection ? [{ walk, connection, span: record.span }] : [];
  });
  const own = given.filter(({ attribute }) => attribute.foreignKeyOf === undefined);
  connections.push(...connectionsByKey(graph, entity, given, report));
  for (const { walk, span } of connections) refuseAdoption(entity, walk, span, report);
  refuseSecondParents(entity, own, connections, report);
  // What is missing can be said only when everything that is there was understood.
  if (readBefore && onlyWarnings(report.issues))
    checkComplete(graph, entity, own, connections, text.entity.span, report);
  if (!onlyWarnings(report.issues)) return undefined;
  return {
    ...head,
    kind: "insert",
    entity: entity.name,
    assignments: own.map(({ attribute, operand }) => ({ attribute: attribute.name, operand })),
    connections: connections.map(({ connection }) => connection),
  };
}

interface Given {
  readonly attribute: GraphAttribute;
  readonly operand: Operand;
  readonly span: Span;
}

interface Placed {
  readonly walk: Walk;
  readonly connection: Connection;
  readonly span: Span;
}

/** Assignments looked up, each attribute once; `names` are those by which the entity can be addressed. */
function givenAttributes(
  graph: EntityGraph,
  entity: Entity,
  names: readonly string[],
  assignments: readonly AssignmentText[],
  report: Report,
): Given[] {
  const given: Given[] = [];
  for (const { path, operand } of assignments) {
    const attribute = assignedAttribute(
      graph,
      entity,
      names,
      path.parts.map(({ text }) => text),
    );
    if (!attribute) {
      const all = entity.attributes.map(({ name }) => name);
      const written = path.parts.at(-1)?.text ?? "";
      complain(
        report,
        path.span,
        `${entity.name} has no attribute called ${path.parts.map(({ text }) => text).join(".")}.`,
        suggestion(written, all, `There are: ${all.join(", ")}.`),
      );
      continue;
    }
    const span = spanning(path.span, operand.span);
    checkOperand(attribute, operand, report);
    if (attribute.type === "counter")
      complain(
        report,
        span,
        `The counter ${attribute.name} cannot be set: Cassandra only adds to counters, and statements here do not hold an increment.`,
        "Give the attribute the type bigint to set it.",
      );
    else if (given.some((other) => other.attribute.name === attribute.name))
      complain(report, span, `${attribute.name} is set twice.`, "Leave one of them out.");
    else given.push({ attribute, operand: operand.operand, span });
  }
  return given;
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
function roleOf(
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

function connectionOf(
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
function identifying(
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

/** Parents whose foreign key was set like attributes: `SET sender.user_id = ?`. */
function connectionsByKey(
  graph: EntityGraph,
  entity: Entity,
  given: readonly Given[],
  report: Report,
): Placed[] {
  const roles = [...new Set(given.flatMap(({ attribute }) => attribute.foreignKeyOf ?? []))];
  return roles.flatMap((role) => {
    const walk = walkRole(graph, entity.name, role);
    const held = given.filter(({ attribute }) => attribute.foreignKeyOf === role);
    const operands =
      walk?.relationship.foreignKey.flatMap(
        ({ child }) => held.find(({ attribute }) => attribute.name === child)?.operand ?? [],
      ) ?? [];
    const span = spanning((held[0] as Given).span, (held.at(-1) as Given).span);
    if (walk && operands.length === walk.relationship.foreignKey.length)
      return [{ walk, connection: { role, operands }, span }];
    complain(
      report,
      span,
      `Only a part of the key of ${role} is set.`,
      `Write CONNECT TO ${role}(${walk?.relationship.foreignKey.map(() => "?").join(", ")}) instead.`,
    );
    return [];
  });
}

/** A new record cannot take over children that have a parent of their own. */
function refuseAdoption(
  entity: Entity,
  { relationship, toEnd }: Walk,
  span: Span,
  report: Report,
): void {
  if (toEnd === 0 || relationship.multiplicity === "manyToMany" || relationship.optional) return;
  const [parent, child] = relationship.ends;
  complain(
    report,
    span,
    `Every ${child.entity} already has its ${parent.role}: a new ${entity.name} has none to connect to.`,
    `Connect to it when the ${child.entity} is inserted, or by CONNECT ${child.entity}(?) TO ${parent.role}(?).`,
  );
}

function refuseSecondParents(
  entity: Entity,
  own: readonly Given[],
  connections: readonly Placed[],
  report: Report,
): void {
  const parents = connections.filter(({ walk }) => walk.relationship.multiplicity !== "manyToMany");
  parents.forEach(({ walk, connection, span }, index) => {
    const single = walk.toEnd === 0 || walk.relationship.multiplicity === "oneToOne";
    if (
      single &&
      parents.slice(0, index).some((other) => other.connection.role === connection.role)
    )
      complain(
        report,
        span,
        `The ${entity.name} is connected to its ${connection.role} twice.`,
        "Leave one of them out.",
      );
    if (walk.toEnd === 1) return;
    for (const { child } of walk.relationship.foreignKey) {
      const twice = own.find(({ attribute }) => attribute.name === child);
      if (twice)
        complain(
          report,
          twice.span,
          `${child} is the key of ${connection.role}, which is given by CONNECT TO as well.`,
          "Leave one of them out.",
        );
      const other = parents
        .slice(0, index)
        .find(
          (each) =>
            each.connection.role !== connection.role &&
            each.walk.toEnd === 0 &&
            each.walk.relationship.foreignKey.some((pair) => pair.child === child),
        );
      if (other)
        complain(
          report,
          span,
          `${child} is part of the keys of ${other.connection.role} and ${connection.role}, and is given by both.`,
          `Set the attributes that hold these keys instead: SET ${child} = ?.`,
        );
    }
  });
}

/** Identifier and mandatory parents have to be given; other attributes should be. */
function checkComplete(
  graph: EntityGraph,
  entity: Entity,
  own: readonly Given[],
  connections: readonly Placed[],
  span: Span,
  report: Report,
): void {
  const set = new Set(own.map(({ attribute }) => attribute.name));
  for (const { walk } of connections)
    for (const { child } of walk.toEnd === 0 ? walk.relationship.foreignKey : []) set.add(child);
  const mandatory = graph.relationships.filter(
    (each) =>
      each.ends[1].entity === entity.name && each.multiplicity !== "manyToMany" && !each.optional,
  );
  for (const relationship of mandatory) {
    const missing = relationship.foreignKey.filter(({ child }) => !set.has(child));
    if (missing.length > 0)
      complainAboutParent(
        entity,
        relationship,
        missing.map(({ child }) => child),
        span,
        report,
      );
    for (const { child } of relationship.foreignKey) set.add(child);
  }
  const ownAttributes = entity.attributes.filter(
    ({ name, type, foreignKeyOf }) =>
      !set.has(name) && type !== "counter" && foreignKeyOf === undefined,
  );
  const identifiers = ownAttributes
    .filter(({ name }) => entity.identifier.includes(name))
    .map(({ name }) => name);
  const others = ownAttributes
    .filter(({ name }) => !entity.identifier.includes(name))
    .map(({ name }) => name);
  if (identifiers.length > 0)
    complain(
      report,
      span,
      `The new ${entity.name} lacks its identifier ${identifiers.join(", ")}.`,
      `Add ${identifiers.map((name) => `${name} = ?`).join(", ")} to SET.`,
    );
  if (others.length > 0)
    warn(
      report,
      span,
      `The new ${entity.name} gets no ${others.join(", ")}; it is taken to have ${others.length > 1 ? "them" : "it"} all the same.`,
      `Add ${others.map((name) => `${name} = ?`).join(", ")} to SET.`,
    );
}

function complainAboutParent(
  entity: Entity,
  { ends: [parent], foreignKey }: Relationship,
  missing: readonly string[],
  span: Span,
  report: Report,
): void {
  const bound = missing.filter((name) => attributeOf(entity, name)?.foreignKeyOf === undefined);
  const connect = `AND CONNECT TO ${parent.role}(${foreignKey.map(() => "?").join(", ")})`;
  const hint =
    bound.length === missing.length
      ? `Add ${bound.map((name) => `${name} = ?`).join(", ")} to SET, or ${connect}.`
      : `Add ${connect}.`;
  complain(
    report,
    span,
    `The new ${entity.name} lacks its ${parent.role}: every ${entity.name} has one.`,
    hint,
  );
}

// --- UPDATE and DELETE ------------------------------------------------------------------------------

/** The update or delete that is meant; undefined after a complaint. */
export function resolveChange(
  text: ChangeText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Update | Delete | undefined {
  const scope = emptyScope(graph);
  const readBefore = onlyWarnings(report.issues);
  const filters = resolveSources(scope, text, text.where, report);
  if (!filters) return undefined;
  const target = text.target ? targetOf(scope, text.target, report) : 0;
  if (target === undefined) return undefined;
  const assignments =
    text.kind === "update" ? assignmentsOf(scope, target, text.assignments, report) : [];
  const predicates = resolvePredicates(scope, filters, report);
  const from = text.target?.span ??
    text.sources[0]?.path.span ?? { start: 0, end: head.text.length };
  if (predicates.length === 0 && readBefore && onlyWarnings(report.issues))
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
  const { entity: name, alias } = scope.nodes[target] ?? { entity: "" };
  const entity = scope.graph.entities[name];
  if (!entity) return [];
  const given = givenAttributes(
    scope.graph,
    entity,
    alias === undefined ? [name] : [alias, name],
    texts,
    report,
  );
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
