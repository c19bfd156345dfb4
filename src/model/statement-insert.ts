/**
 * The meaning of INSERT (engine.md §2): the new record gets its identifier and all its mandatory
 * parents, each of them once.
 */
import {
  attributeOf,
  type Entity,
  type EntityGraph,
  type Relationship,
  type Walk,
  walkRole,
} from "./entity-graph.ts";
import { onlyWarnings, type Span } from "./issue.ts";
import type { Connection, Insert } from "./statement.ts";
import {
  connectionOf,
  entityCalled,
  type Given,
  givenAttributes,
  roleOf,
} from "./statement-records.ts";
import type { StatementHead } from "./statement-scope.ts";
import { complain, type Report, spanning, warn } from "./statement-tokens.ts";
import type { InsertText } from "./statement-verbs.ts";

/** A link of the new record, and where it is named. */
interface Placed {
  readonly walk: Walk;
  /** Absent when its values were complained about. */
  readonly connection?: Connection;
  readonly span: Span;
}

/** The insert that is meant; undefined after a complaint. */
export function resolveInsert(
  text: InsertText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Insert | undefined {
  const wellRead = onlyWarnings(report.issues);
  const entity = entityCalled(graph, text.entity, report);
  if (!entity) return undefined;
  const { given, named } = givenAttributes(graph, entity, [entity.name], text.assignments, report);
  const own = given.filter(({ attribute }) => attribute.foreignKeyOf === undefined);
  const written = text.connections.flatMap((record): Placed[] => {
    const walk = roleOf(graph, entity, record, report);
    const connection = walk && connectionOf(graph, walk, record, report);
    return walk ? [{ walk, span: record.span, ...(connection && { connection }) }] : [];
  });
  const links = [...written, ...linksByKey(graph, entity, given, report)];
  for (const { walk, span } of links) refuseAdoption(entity, walk, span, report);
  refuseSecondParents(entity, own, links, report);
  // What is missing can be said only when all names that are there were understood.
  if (wellRead && named && written.length === text.connections.length)
    checkComplete(graph, entity, named, links, text.entity.span, report);
  if (!onlyWarnings(report.issues)) return undefined;
  return {
    ...head,
    kind: "insert",
    entity: entity.name,
    assignments: own.map(({ attribute, operand }) => ({ attribute: attribute.name, operand })),
    connections: links.flatMap(({ connection }) => connection ?? []),
  };
}

/** Parents whose foreign key was set like attributes: `SET sender.user_id = ?`. */
function linksByKey(
  graph: EntityGraph,
  entity: Entity,
  given: readonly Given[],
  report: Report,
): Placed[] {
  const roles = [...new Set(given.flatMap(({ attribute }) => attribute.foreignKeyOf ?? []))];
  return roles.flatMap((role): Placed[] => {
    const walk = walkRole(graph, entity.name, role);
    if (!walk) return [];
    const { foreignKey } = walk.relationship;
    const held = given.filter(({ attribute }) => attribute.foreignKeyOf === role);
    const span = spanning((held[0] as Given).span, (held.at(-1) as Given).span);
    const operands = foreignKey.flatMap(
      ({ child }) => held.find(({ attribute }) => attribute.name === child)?.operand ?? [],
    );
    if (operands.length === foreignKey.length)
      return [{ walk, connection: { role, operands }, span }];
    complain(
      report,
      span,
      `Only a part of the key of ${role} is set.`,
      `Write CONNECT TO ${role}(${foreignKey.map(() => "?").join(", ")}) instead.`,
    );
    return [{ walk, span }];
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
  links: readonly Placed[],
  report: Report,
): void {
  const single = links.filter(
    ({ walk: { relationship, toEnd } }) =>
      relationship.multiplicity === "oneToOne" ||
      (relationship.multiplicity === "oneToMany" && toEnd === 0),
  );
  single.forEach(({ walk, span }, index) => {
    const role = roleIn(walk);
    const before = single.slice(0, index);
    if (before.some((other) => roleIn(other.walk) === role))
      complain(
        report,
        span,
        `The ${entity.name} is connected to its ${role} twice.`,
        "Leave one of them out.",
      );
    for (const child of heldKey(walk)) {
      const twice = own.find(({ attribute }) => attribute.name === child);
      if (twice)
        complain(
          report,
          twice.span,
          `${child} is the key of ${role}, which CONNECT TO gives as well.`,
          "Leave one of them out.",
        );
      const other = before.find(
        (each) => roleIn(each.walk) !== role && heldKey(each.walk).includes(child),
      );
      if (other)
        complain(
          report,
          span,
          `${child} is part of the keys of ${roleIn(other.walk)} and ${role}, and both give it.`,
          `Set the attributes that hold these keys instead: SET ${child} = ?.`,
        );
    }
  });
}

function roleIn({ relationship, toEnd }: Walk): string {
  return relationship.ends[toEnd].role;
}

/** The attributes that hold the key of a parent. */
function heldKey({ relationship, toEnd }: Walk): readonly string[] {
  return toEnd === 0 ? relationship.foreignKey.map(({ child }) => child) : [];
}

/** Identifier and mandatory parents have to be given; other attributes should be. */
function checkComplete(
  graph: EntityGraph,
  entity: Entity,
  named: ReadonlySet<string>,
  links: readonly Placed[],
  span: Span,
  report: Report,
): void {
  const set = new Set([...named, ...links.flatMap(({ walk }) => heldKey(walk))]);
  for (const relationship of graph.relationships) {
    if (relationship.ends[1].entity !== entity.name) continue;
    const missing = relationship.foreignKey.filter(({ child }) => !set.has(child));
    if (missing.length > 0)
      complainAboutParent(
        entity,
        relationship,
        missing.map(({ child }) => child),
        span,
        report,
      );
    for (const { child } of missing) set.add(child);
  }
  const missing = entity.attributes
    .filter(({ name, type }) => !set.has(name) && type !== "counter")
    .map(({ name }) => name);
  const identifiers = missing.filter((name) => entity.identifier.includes(name));
  const others = missing.filter((name) => !entity.identifier.includes(name));
  const added = (names: readonly string[]): string => names.map((name) => `${name} = ?`).join(", ");
  if (identifiers.length > 0)
    complain(
      report,
      span,
      `The new ${entity.name} lacks its identifier ${identifiers.join(", ")}.`,
      `Add ${added(identifiers)} to SET.`,
    );
  if (others.length > 0)
    warn(
      report,
      span,
      `The new ${entity.name} gets no ${others.join(", ")}; it is taken to have ${others.length > 1 ? "them" : "it"} all the same.`,
      `Add ${added(others)} to SET.`,
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
