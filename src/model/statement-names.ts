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
import {
  attributeOf,
  type EntityGraph,
  type GraphAttribute,
  rolesOf,
  walkRole,
} from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import type { ColumnReference, GraphEdge } from "./query-graph.ts";
import type { NameText, PathText } from "./statement-grammar.ts";
import { complain, type Report } from "./statement-tokens.ts";

export interface ScopeNode {
  readonly entity: string;
  readonly alias?: string;
  /** A path of FROM begins here. */
  readonly head: boolean;
  readonly span: Span;
}

export interface ScopeEdge extends GraphEdge {
  /** The node from which FROM walked this edge; absent for joins by key columns. */
  readonly walkedFrom?: number;
}

/** The nodes and edges a statement has named so far. */
export interface Scope {
  readonly graph: EntityGraph;
  readonly nodes: ScopeNode[];
  readonly edges: ScopeEdge[];
  /** The first nodes, those of FROM: only they are known by a name of their own. */
  named: number;
}

export function emptyScope(graph: EntityGraph): Scope {
  return { graph, nodes: [], edges: [], named: 0 };
}

/** The name among `names` that is meant: the exact one, or the only one that differs in case alone. */
export function matchName(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const similar = names.filter((each) => each.toLowerCase() === name.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}

/** The closest of `names`, if one is close enough to be a slip of the hand. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const allowed = name.length <= 2 ? 1 : Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const each of names) {
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance < least) {
      best = each;
      least = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}

/** “Did you mean …?”, or what there is to choose from. */
export function suggestion(name: string, names: readonly string[], otherwise: string): string {
  const meant = nearest(name, names);
  return meant === undefined ? otherwise : `Did you mean ${meant}?`;
}

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
  if (!walk || walk.toEnd !== 0) return undefined;
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

// --- heads --------------------------------------------------------------------------------------

type Head =
  | { readonly kind: "node"; readonly node: number }
  | { readonly kind: "ambiguous"; readonly nodes: readonly number[] }
  | { readonly kind: "none" };

/** The node of FROM that a name addresses. */
export function findHead(scope: Scope, name: string): Head {
  const exact = findHeadBy(scope, (each) => each === name);
  return exact.kind === "none"
    ? findHeadBy(scope, (each) => each.toLowerCase() === name.toLowerCase())
    : exact;
}

function findHeadBy(scope: Scope, called: (name: string) => boolean): Head {
  const nodes = scope.nodes.slice(0, scope.named);
  const indices = (holds: (node: ScopeNode, index: number) => boolean): number[] =>
    nodes.flatMap((node, index) => (holds(node, index) ? [index] : []));
  const tiers = [
    indices(({ alias }) => alias !== undefined && called(alias)),
    indices(({ head, entity }) => head && called(entity)),
    indices(({ entity }, index) => called(entity) || rolesTo(scope, index, true).some(called)),
    indices((_, index) => rolesTo(scope, index, false).some(called)),
  ];
  const found = tiers.find((tier) => tier.length > 0);
  if (!found) return { kind: "none" };
  return found.length === 1
    ? { kind: "node", node: found[0] as number }
    : { kind: "ambiguous", nodes: found };
}

/** Roles that lead to a node over the edges there are, in the direction of FROM or against it. */
function rolesTo(scope: Scope, node: number, forward: boolean): string[] {
  return scope.edges.flatMap((edge) => {
    if (edge.parent >= scope.named || edge.child >= scope.named) return [];
    if (edge.parent !== node && edge.child !== node) return [];
    if (edge.walkedFrom !== undefined && (edge.walkedFrom !== node) !== forward) return [];
    if (edge.walkedFrom === undefined && forward) return [];
    const relationship = scope.graph.relationships.find(({ id }) => id === edge.relationship);
    return relationship ? [relationship.ends[edge.parent === node ? 0 : 1].role] : [];
  });
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
  const { relationship, parent } = scope.edges[edge] as ScopeEdge;
  const { multiplicity } = scope.graph.relationships.find(({ id }) => id === relationship) ?? {};
  const entity = scope.nodes[to]?.entity;
  const toSiblings =
    multiplicity === "manyToMany" || (multiplicity === "oneToMany" && parent !== to);
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

/** Walks roles in FROM, adding nodes; undefined after a complaint. */
export function walkSource(
  scope: Scope,
  from: number,
  path: PathText,
  first: number,
  report: Report,
): Step | undefined {
  let reached: Step | undefined;
  let node = from;
  for (const written of path.parts.slice(first)) {
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

/** How a node can be addressed, for messages. */
export function nodeText(scope: Scope, node: number): string {
  const { alias, entity, head } = scope.nodes[node] as ScopeNode;
  if (alias !== undefined || head) return alias ?? entity;
  const edge = scope.edges.find(
    (each) => (each.parent === node || each.child === node) && each.walkedFrom !== node,
  );
  if (edge?.walkedFrom === undefined) return entity;
  const relationship = scope.graph.relationships.find(({ id }) => id === edge.relationship);
  return `${nodeText(scope, edge.walkedFrom)}.${relationship?.ends[edge.parent === node ? 0 : 1].role}`;
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

/** The attribute a resolved column stands for. */
export function columnAttribute(
  scope: Scope,
  { node, attribute }: ColumnReference,
): GraphAttribute {
  const entity = scope.graph.entities[scope.nodes[node]?.entity ?? ""];
  const found = entity && attributeOf(entity, attribute);
  if (!found) throw new Error(`column ${node}.${attribute} was not resolved`);
  return found;
}
