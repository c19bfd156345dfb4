/**
 * What names mean: the nodes a statement has in scope, and the looking up of entities, roles and
 * columns in them.
 *
 * The head of a column reference is, in this order: an alias; the entity a path of FROM begins with;
 * an entity or a role (in the direction of FROM) that only one node answers to; a role in the
 * opposite direction. Without any such head the whole reference may be an attribute, or a walk, of
 * exactly one node. A walk that leaves the graph of FROM adds a branch to it, unless it ends at a
 * foreign key, which its holder has itself (§1).
 */
import { type EntityGraph, rolesOf, walkRole } from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import { matchName, nearest, suggestion } from "./name-matching.ts";
import type { ColumnReference } from "./query-graph.ts";
import type { NameText, PathText } from "./statement-cursor.ts";
import {
  findHead,
  nodeText,
  relationshipOf,
  type Scope,
  type ScopeEdge,
  type ScopeNode,
} from "./statement-scope.ts";
import { complain, type Report } from "./statement-tokens.ts";

/** The entity called so. */
export function matchEntity(graph: EntityGraph, name: string): string | undefined {
  return matchName(name, Object.keys(graph.entities));
}

/** The entity called so, or, after a complaint, the one probably meant. */
export function resolveEntity(
  graph: EntityGraph,
  name: NameText,
  report: Report,
): string | undefined {
  const entity = matchEntity(graph, name.text);
  if (entity !== undefined) return entity;
  const names = Object.keys(graph.entities);
  const owner = names.find((each) => matchName(name.text, rolesOf(graph, each)) !== undefined);
  const otherwise =
    owner === undefined
      ? `There are: ${names.join(", ")}.`
      : `${name.text} is a role of ${owner}: write ${owner}.${name.text}.`;
  complain(
    report,
    name.span,
    `There is no entity called ${name.text}.`,
    suggestion(name.text, names, otherwise),
  );
  return nearest(name.text, names);
}

/**
 * The attribute of an entity that a walk from it names without leaving it: its own attribute, a
 * foreign key by its name (`sender.user_id`, in SQL's manner also `sender_user_id`), or a bound
 * foreign key by the parent's name for it.
 */
export function heldAttribute(
  graph: EntityGraph,
  entityName: string,
  parts: readonly string[],
): string | undefined {
  const entity = graph.entities[entityName];
  if (!entity) return undefined;
  const name = parts.join(".");
  const own = matchName(
    name,
    entity.attributes.map((attribute) => attribute.name),
  );
  if (own !== undefined) return own;
  const [first, ...rest] = parts as [string, ...string[]];
  if (rest.length === 0) {
    const keys = entity.attributes
      .filter(({ foreignKeyOf }) => foreignKeyOf !== undefined)
      .map((attribute) => attribute.name);
    const index = matchName(
      first,
      keys.map((key) => key.replaceAll(".", "_")),
    );
    return keys.find((key) => key.replaceAll(".", "_") === index);
  }
  const role = matchName(first, rolesOf(graph, entityName));
  const walk = role === undefined ? undefined : walkRole(graph, entityName, role);
  if (walk?.toEnd !== 0) return undefined;
  const held = heldAttribute(graph, walk.relationship.ends[0].entity, rest);
  return walk.relationship.foreignKey.find(({ parent }) => parent === held)?.child;
}

/** Whether a word can be the name of anything drawn. */
export function knownNames(graph: EntityGraph): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entity of Object.values(graph.entities)) {
    names.add(entity.name.toLowerCase());
    for (const { name } of entity.attributes)
      for (const part of name.split(".")) names.add(part.toLowerCase());
  }
  for (const { ends } of graph.relationships)
    for (const { role } of ends) names.add(role.toLowerCase());
  return names;
}

// --- walking ------------------------------------------------------------------------------------

/** One step of a walk: the node reached and the edge taken; `fresh` when both were added. */
interface Step {
  readonly node: number;
  readonly edge: number;
  readonly fresh: boolean;
}

/** Walks a role from a node, over the edge there is or a new one; undefined when there is no such role. */
function step(scope: Scope, from: number, role: NameText): Step | undefined {
  const entity = (scope.nodes[from] as ScopeNode).entity;
  const name = matchName(role.text, rolesOf(scope.graph, entity));
  const walk = name === undefined ? undefined : walkRole(scope.graph, entity, name);
  if (!walk) return undefined;
  const { relationship, toEnd } = walk;
  const near = toEnd === 1 ? "parent" : "child";
  const far = toEnd === 1 ? "child" : "parent";
  const edge = scope.edges.findIndex(
    (each) => each.relationship === relationship.id && each[near] === from,
  );
  if (edge >= 0) return { node: (scope.edges[edge] as ScopeEdge)[far], edge, fresh: false };
  const node = scope.nodes.length;
  scope.nodes.push({ entity: relationship.ends[toEnd].entity, head: false, span: role.span });
  scope.edges.push(
    toEnd === 1
      ? { relationship: relationship.id, parent: from, child: node, walkedFrom: from }
      : { relationship: relationship.id, parent: node, child: from, walkedFrom: from },
  );
  return { node, edge: scope.edges.length - 1, fresh: true };
}

function complainAboutReturn(
  scope: Scope,
  edge: number,
  to: number,
  path: PathText,
  span: Span,
  report: Report,
): void {
  const walked = scope.edges[edge] as ScopeEdge;
  const { multiplicity } = relationshipOf(scope, walked);
  const entity = scope.nodes[to]?.entity;
  const toSiblings =
    multiplicity === "manyToMany" || (multiplicity === "oneToMany" && walked.parent !== to);
  if (toSiblings)
    complain(
      report,
      span,
      `This walks back to the ${entity} records beside the one we came from: a record and its siblings are not supported.`,
      "Write two statements: one that reads the record, one that reads the siblings by what it found.",
    );
  else
    complain(
      report,
      span,
      `This walks back to the ${entity} record we came from.`,
      `Leave out the way there and back: ${path.parts[0]?.text} alone names it.`,
    );
}

/** Walks the roles behind the head of a path of FROM, adding nodes; undefined after a complaint. */
export function walkSource(
  scope: Scope,
  from: number,
  path: PathText,
  report: Report,
): Step | undefined {
  let reached: Step | undefined;
  let node = from;
  for (const written of path.parts.slice(1)) {
    const role = knownRole(scope, node, written, report);
    const next = role && step(scope, node, role);
    if (!next) return undefined;
    const against = !next.fresh && scope.edges[next.edge]?.walkedFrom !== node;
    if (against) {
      complainAboutReturn(scope, next.edge, next.node, path, written.span, report);
      return undefined;
    }
    reached = next;
    node = next.node;
  }
  return reached;
}

/** The role as written or, after a complaint, the one probably meant. */
function knownRole(
  scope: Scope,
  node: number,
  written: NameText,
  report: Report,
): NameText | undefined {
  const entity = (scope.nodes[node] as ScopeNode).entity;
  const roles = rolesOf(scope.graph, entity);
  if (matchName(written.text, roles) !== undefined) return written;
  const attribute = heldAttribute(scope.graph, entity, [written.text]);
  const otherwise =
    attribute === undefined
      ? `From ${entity} lead: ${roles.join(", ") || "no roles"}.`
      : `${attribute} is an attribute of ${entity}: FROM names entities only.`;
  complain(
    report,
    written.span,
    `${entity} has no role called ${written.text}.`,
    attribute === undefined ? suggestion(written.text, roles, otherwise) : otherwise,
  );
  const meant = attribute === undefined ? nearest(written.text, roles) : undefined;
  return meant === undefined ? undefined : { text: meant, span: written.span };
}

// --- columns ------------------------------------------------------------------------------------

const textsOf = (path: PathText, from = 0): string[] =>
  path.parts.slice(from).map(({ text }) => text);

/** The column a reference names, adding the branch it walks to; undefined after a complaint. */
export function resolveColumn(
  scope: Scope,
  path: PathText,
  report: Report,
): ColumnReference | undefined {
  const head = resolveStart(scope, path, path.parts.length > 1, report);
  return head && walkToColumn(scope, head.node, path, head.first, report);
}

/** The node a path names as a whole (for `path.*`), adding the branch it walks to. */
export function resolveNode(scope: Scope, path: PathText, report: Report): number | undefined {
  const head = resolveStart(scope, path, true, report);
  if (!head) return undefined;
  let { node } = head;
  let arrivedBy = -1;
  for (const written of path.parts.slice(head.first)) {
    const role = knownRole(scope, node, written, report);
    const next = role && step(scope, node, role);
    if (!next) return undefined;
    if (next.edge === arrivedBy) {
      complainAboutReturn(scope, next.edge, next.node, path, written.span, report);
      return undefined;
    }
    node = next.node;
    arrivedBy = next.edge;
  }
  return node;
}

interface Start {
  readonly node: number;
  /** The part of the path with which to go on from the node. */
  readonly first: number;
}

/** Where a reference starts: at the node its head names, or at the one node that has all of it. */
function resolveStart(
  scope: Scope,
  path: PathText,
  headed: boolean,
  report: Report,
): Start | undefined {
  const first = path.parts[0] as NameText;
  const head = headed ? findHead(scope, first.text) : { kind: "none" as const };
  if (head.kind === "node") return { node: head.node, first: 1 };
  if (head.kind === "ambiguous") {
    complainAmbiguous(scope, first, head.nodes, report);
    return undefined;
  }
  const named = scope.nodes.slice(0, scope.named).map((_, node) => node);
  const entityOf = (node: number): string => (scope.nodes[node] as ScopeNode).entity;
  const holders = named.filter(
    (node) => heldAttribute(scope.graph, entityOf(node), textsOf(path)) !== undefined,
  );
  const walkers = named.filter(
    (node) => headed && matchName(first.text, rolesOf(scope.graph, entityOf(node))) !== undefined,
  );
  const starts = holders.length > 0 ? holders : walkers;
  if (starts.length === 1) return { node: starts[0] as number, first: 0 };
  if (starts.length > 1) complainAmbiguous(scope, first, starts, report);
  else complainUnknown(scope, path, report);
  return undefined;
}

function complainAmbiguous(
  scope: Scope,
  name: NameText,
  nodes: readonly number[],
  report: Report,
): void {
  const walks = nodes.map((node) => nodeText(scope, node));
  complain(
    report,
    name.span,
    `${name.text} can mean ${walks.join(" or ")}.`,
    `Write out which, beginning with ${walks[0]}, or give them aliases in FROM.`,
  );
}

function complainUnknown(scope: Scope, path: PathText, report: Report): void {
  const first = path.parts[0] as NameText;
  const entities = scope.nodes.slice(0, scope.named).map(({ entity }) => entity);
  const attributes = entities.flatMap(
    (entity) => scope.graph.entities[entity]?.attributes.map(({ name }) => name) ?? [],
  );
  if (path.parts.length === 1) {
    if (findHead(scope, first.text).kind !== "none")
      complain(
        report,
        first.span,
        `${first.text} names an entity, not a column.`,
        `Add the attribute: ${first.text}.attribute, or ${first.text}.* in SELECT.`,
      );
    else
      complain(
        report,
        first.span,
        `There is no attribute ${first.text} in ${entities.join(", ")}.`,
        suggestion(first.text, attributes, `There are: ${attributes.join(", ")}.`),
      );
    return;
  }
  const entity = matchEntity(scope.graph, first.text);
  if (entity === undefined) {
    const names = [
      ...scope.nodes.slice(0, scope.named).flatMap(({ alias }) => alias ?? []),
      ...entities,
      ...entities.flatMap((each) => rolesOf(scope.graph, each)),
    ];
    complain(
      report,
      first.span,
      `${first.text} is neither an entity nor a role in this statement.`,
      suggestion(first.text, names, `There are: ${[...new Set(names)].join(", ")}.`),
    );
    return;
  }
  const roads = entities.flatMap((from) =>
    rolesOf(scope.graph, from)
      .filter((role) => {
        const walk = walkRole(scope.graph, from, role);
        return walk?.relationship.ends[walk.toEnd].entity === entity;
      })
      .map((role) => `${from}.${role}`),
  );
  const hint =
    roads.length > 0
      ? `Walk to it: ${roads.join(" or ")}.`
      : "Name it in FROM, joined by roles to the others.";
  complain(report, first.span, `${entity} is not in FROM.`, hint);
}

function walkToColumn(
  scope: Scope,
  from: number,
  path: PathText,
  first: number,
  report: Report,
): ColumnReference | undefined {
  let node = from;
  let arrivedBy = -1;
  for (let at = first; at < path.parts.length; at += 1) {
    const { entity } = scope.nodes[node] as ScopeNode;
    const attribute = heldAttribute(scope.graph, entity, textsOf(path, at));
    if (attribute !== undefined) return { node, attribute };
    const written = path.parts[at] as NameText;
    const isLast = at === path.parts.length - 1;
    const next = isLast ? undefined : step(scope, node, written);
    if (!next) {
      complainUnknownPart(scope, entity, written, isLast, report);
      return undefined;
    }
    if (next.edge === arrivedBy) {
      complainAboutReturn(scope, next.edge, next.node, path, written.span, report);
      return undefined;
    }
    node = next.node;
    arrivedBy = next.edge;
  }
  return undefined;
}

function complainUnknownPart(
  scope: Scope,
  entity: string,
  written: NameText,
  isLast: boolean,
  report: Report,
): void {
  const roles = rolesOf(scope.graph, entity);
  const attributes = scope.graph.entities[entity]?.attributes.map(({ name }) => name) ?? [];
  if (isLast && matchName(written.text, roles) !== undefined) {
    complain(
      report,
      written.span,
      `${written.text} is a role of ${entity}, not an attribute.`,
      `Add an attribute of what it leads to: ${written.text}.attribute.`,
    );
    return;
  }
  const what = isLast ? "attribute" : "role";
  const names = isLast ? attributes : roles;
  complain(
    report,
    written.span,
    `${entity} has no ${what} called ${written.text}.`,
    suggestion(written.text, names, `There are: ${names.join(", ") || "none"}.`),
  );
}
