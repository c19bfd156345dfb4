/**
 * FROM: paths of roles, and SQL's joins, made one tree of entities. An equality of key columns means
 * the relationship whose key it is; how SQL people would spell the key (`sender_user_id`, or the
 * parent's own `user_id`) is accepted where only one relationship can be meant.
 */
import { type Relationship, rolesOf } from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import type { SourcesText, SourceText } from "./statement-clauses.ts";
import type { ConditionText, NameText, PathText } from "./statement-grammar.ts";
import {
  findHead,
  heldAttribute,
  matchEntity,
  nodeText,
  resolveEntity,
  type Scope,
  type ScopeNode,
  walkSource,
} from "./statement-names.ts";
import { complain, type Report, spanning } from "./statement-tokens.ts";

type ColumnsCondition = Extract<ConditionText, { kind: "columns" }>;
type Filter = Exclude<ConditionText, ColumnsCondition>;

/** One side of an equality of columns: a node, and the rest of the reference. */
interface Side {
  readonly node: number;
  readonly rest: readonly string[];
}

interface Equality {
  readonly left: Side;
  readonly right: Side;
  readonly span: Span;
}

/**
 * Puts the entities of FROM into the scope, joined to one tree; gives the conditions that are left
 * when those that join are taken out, or undefined when FROM could not be understood.
 */
export function resolveSources(
  scope: Scope,
  from: SourcesText,
  where: readonly ConditionText[],
  report: Report,
): Filter[] | undefined {
  const understood = from.sources.map((source) => addSource(scope, source, report));
  scope.named = scope.nodes.length;
  if (scope.nodes.length === 0 || understood.includes(false)) return undefined;
  const conditions = [...from.on, ...where];
  const filters = conditions.filter((condition) => condition.kind !== "columns");
  const equalities = conditions.flatMap((condition) =>
    condition.kind === "columns" ? (equalityOf(scope, condition, report) ?? []) : [],
  );
  const before = report.issues.length;
  for (const together of samePairs(equalities)) joinByKeys(scope, together, report);
  if (report.issues.length === before && equalities.length === conditions.length - filters.length)
    complainAboutProduct(scope, report);
  return filters;
}

/** Adds one item of FROM; false when it could not be understood. */
function addSource(scope: Scope, source: SourceText, report: Report): boolean {
  scope.named = scope.nodes.length;
  const first = source.path.parts[0] as NameText;
  const isPath = source.path.parts.length > 1;
  if (
    source.alias &&
    findHead(scope, source.alias.text).kind !== "none" &&
    scope.nodes.some(({ alias }) => alias === source.alias?.text)
  ) {
    complain(
      report,
      source.alias.span,
      `Two items of FROM are called ${source.alias.text}.`,
      "Give one of them another alias.",
    );
    return false;
  }
  const head = isPath ? findHead(scope, first.text) : { kind: "none" as const };
  if (head.kind === "ambiguous") {
    complain(
      report,
      first.span,
      `${first.text} can mean ${head.nodes.map((node) => nodeText(scope, node)).join(" or ")}.`,
      "Begin the path with one of these, or give them aliases.",
    );
    return false;
  }
  const before = scope.nodes.length;
  const start = head.kind === "node" ? head.node : addHead(scope, source, report);
  if (start === undefined) return false;
  if (!isPath) return true;
  const reached = walkSource(scope, start, source.path, 1, report);
  if (!reached) return false;
  if (source.alias)
    scope.nodes[reached.node] = {
      ...(scope.nodes[reached.node] as ScopeNode),
      alias: source.alias.text,
    };
  else if (scope.nodes.length === before) {
    complain(
      report,
      source.path.span,
      "This path names nothing that is not in FROM already.",
      "Leave it out.",
    );
    return false;
  }
  return true;
}

/** The first entity of a path that begins a new tree. */
function addHead(scope: Scope, { path, alias }: SourceText, report: Report): number | undefined {
  const first = path.parts[0] as NameText;
  const owner = scope.nodes.find(({ entity }) => rolesOf(scope.graph, entity).includes(first.text));
  if (owner && matchEntity(scope.graph, first.text) === undefined) {
    complain(
      report,
      first.span,
      `${first.text} is a role of ${owner.entity}.`,
      `Write the path from there: ${owner.entity}.${first.text}.`,
    );
    return undefined;
  }
  const entity = resolveEntity(scope.graph, first, report);
  if (entity === undefined) return undefined;
  const named = path.parts.length === 1 ? alias?.text : undefined;
  if (
    named === undefined &&
    scope.nodes.some((node) => node.head && node.entity === entity && node.alias === undefined)
  ) {
    complain(
      report,
      path.span,
      `${entity} stands in FROM twice.`,
      "Give each an alias, or walk from one to the other by a role.",
    );
    return undefined;
  }
  scope.nodes.push({
    entity,
    head: true,
    span: path.span,
    ...(named !== undefined && { alias: named }),
  });
  return scope.nodes.length - 1;
}

/** The two sides of `column = column`, if each names a node. */
function equalityOf(
  scope: Scope,
  condition: ColumnsCondition,
  report: Report,
): Equality | undefined {
  if (condition.operator !== "=") {
    complain(
      report,
      condition.span,
      `Comparing two columns by ${condition.operator} is not supported: a Get compares stored values with given ones.`,
      "Filter the rows in the application, or store the comparison as an attribute.",
    );
    return undefined;
  }
  const left = sideOf(scope, condition.left, report);
  const right = sideOf(scope, condition.right, report);
  if (!left || !right) return undefined;
  if (left.node === right.node) {
    complain(
      report,
      condition.span,
      "Comparing two columns of one record is not supported: a Get compares stored values with given ones.",
      "Filter the rows in the application, or store the comparison as an attribute.",
    );
    return undefined;
  }
  return { left, right, span: condition.span };
}

function sideOf(scope: Scope, path: PathText, report: Report): Side | undefined {
  const [first, ...rest] = path.parts as [NameText, ...NameText[]];
  const head = rest.length > 0 ? findHead(scope, first.text) : { kind: "none" as const };
  if (head.kind === "node") return { node: head.node, rest: rest.map(({ text }) => text) };
  if (head.kind === "ambiguous")
    complain(
      report,
      first.span,
      `${first.text} can mean ${head.nodes.map((node) => nodeText(scope, node)).join(" or ")}.`,
      "Write out which, or give them aliases in FROM.",
    );
  else if (rest.length === 0)
    complain(
      report,
      path.span,
      `It is not clear whose column ${first.text} is.`,
      `Write entity.${first.text} or alias.${first.text}; a text value stands in single quotes.`,
    );
  else
    complain(
      report,
      first.span,
      `${first.text} is not in FROM.`,
      "Begin with an entity or an alias of FROM.",
    );
  return undefined;
}

/** Equalities gathered by the two nodes they connect, in the order of the text. */
function samePairs(equalities: readonly Equality[]): Equality[][] {
  const groups = new Map<string, Equality[]>();
  for (const equality of equalities) {
    const key = [equality.left.node, equality.right.node].sort((a, b) => a - b).join(" ");
    groups.set(key, [...(groups.get(key) ?? []), equality]);
  }
  return [...groups.values()];
}

// --- from key equalities to a relationship -------------------------------------------------------

/** A relationship read in one direction, and which equalities name its key. */
interface Reading {
  readonly relationship: Relationship;
  readonly parent: number;
  readonly child: number;
  readonly used: ReadonlySet<Equality>;
  readonly missing: readonly KeyPair[];
  /** All key columns are called by their names, none by the parent's name for it. */
  readonly exact: boolean;
}

interface KeyPair {
  readonly child: string;
  readonly parent: string;
}

/** The key columns of a relationship; an optional one holds none, but can be named as if it did. */
function keyPairs(scope: Scope, relationship: Relationship): readonly KeyPair[] {
  const [parent] = relationship.ends;
  if (relationship.multiplicity === "manyToMany") return [];
  if (relationship.foreignKey.length > 0) return relationship.foreignKey;
  const identifier = scope.graph.entities[parent.entity]?.identifier ?? [];
  return identifier.map((attribute) => ({
    child: `${parent.role}.${attribute}`,
    parent: attribute,
  }));
}

function joinByKeys(scope: Scope, equalities: readonly Equality[], report: Report): void {
  const { left, right } = equalities[0] as Equality;
  const readings = scope.graph.relationships.flatMap((relationship) => [
    ...(readingOf(scope, relationship, left.node, right.node, equalities) ?? []),
    ...(readingOf(scope, relationship, right.node, left.node, equalities) ?? []),
  ]);
  const span = spanning((equalities[0] as Equality).span, (equalities.at(-1) as Equality).span);
  const complete = readings.filter(({ missing }) => missing.length === 0);
  const exact = complete.filter((reading) => reading.exact);
  const pool = exact.length > 0 ? exact : complete;
  const most = Math.max(...pool.map(({ used }) => used.size));
  const best = pool.filter(({ used }) => used.size === most);
  const chosen = best[0];
  if (!chosen) {
    complainNoKey(scope, left.node, right.node, readings, span, report);
    return;
  }
  if (best.length > 1) {
    complainSeveral(scope, best, span, report);
    return;
  }
  const others = equalities.filter((equality) => !chosen.used.has(equality));
  for (const equality of others)
    complain(
      report,
      equality.span,
      `${nodeText(scope, left.node)} and ${nodeText(scope, right.node)} are joined a second time: cyclic graphs are not supported.`,
      "Join the entity once more under another alias, or filter these rows in the application.",
    );
  connect(scope, chosen, span, report);
}

/** How far a relationship, read from `parent` to `child`, is named by the equalities; none when not at all its kind. */
function readingOf(
  scope: Scope,
  relationship: Relationship,
  parent: number,
  child: number,
  equalities: readonly Equality[],
): Reading[] | undefined {
  const ends = relationship.ends;
  const pairs = keyPairs(scope, relationship);
  if (pairs.length === 0) return undefined;
  if (
    ends[0].entity !== scope.nodes[parent]?.entity ||
    ends[1].entity !== scope.nodes[child]?.entity
  )
    return undefined;
  const used = new Set<Equality>();
  const missing: KeyPair[] = [];
  let exact = true;
  for (const pair of pairs) {
    const matches = equalities.map((equality) => ({
      equality,
      strength: matchStrength(scope, relationship, pair, equality, child),
    }));
    const match =
      matches.find(({ strength }) => strength === 2) ??
      matches.find(({ strength }) => strength === 1);
    if (match) used.add(match.equality);
    else missing.push(pair);
    exact &&= match?.strength === 2;
  }
  return [{ relationship, parent, child, used, missing, exact }];
}

/** 2: the equality names this key column; 1: it can be meant; 0: it names something else. */
function matchStrength(
  scope: Scope,
  relationship: Relationship,
  pair: KeyPair,
  { left, right }: Equality,
  child: number,
): 0 | 1 | 2 {
  const [parentEnd, childEnd] = relationship.ends;
  const childSide = left.node === child ? left : right;
  const parentSide = left.node === child ? right : left;
  if (heldAttribute(scope.graph, parentEnd.entity, parentSide.rest) !== pair.parent) return 0;
  const held = heldAttribute(scope.graph, childEnd.entity, childSide.rest);
  if (held !== undefined && held === pair.child) return 2;
  const written = flat(childSide.rest.join("."));
  const optional = relationship.foreignKey.length === 0;
  if (optional && written === flat(pair.child)) return 2;
  if (held !== undefined && !optional) return 0;
  const loose = [
    flat(`${parentEnd.entity}.${pair.parent}`),
    ...(held === undefined ? [flat(pair.parent)] : []),
  ];
  return loose.includes(written) ? 1 : 0;
}

const flat = (name: string): string => name.replaceAll(".", "_").toLowerCase();

function keyText(
  scope: Scope,
  { parent, child }: { readonly parent: number; readonly child: number },
  pair: KeyPair,
): string {
  return `${nodeText(scope, child)}.${pair.child} = ${nodeText(scope, parent)}.${pair.parent}`;
}

function complainNoKey(
  scope: Scope,
  a: number,
  b: number,
  readings: readonly Reading[],
  span: Span,
  report: Report,
): void {
  const begun = readings.find(({ used }) => used.size > 0);
  if (begun) {
    complain(
      report,
      span,
      `Only a part of the key of ${begun.relationship.id} is compared.`,
      `Add: ${begun.missing.map((pair) => keyText(scope, begun, pair)).join(" AND ")}.`,
    );
    return;
  }
  const between = (relationship: Relationship): boolean => {
    const ends = relationship.ends
      .map(({ entity }) => entity)
      .sort()
      .join("\n");
    return ends === [scope.nodes[a]?.entity, scope.nodes[b]?.entity].sort().join("\n");
  };
  const linked = scope.graph.relationships.filter(
    (each) => each.multiplicity === "manyToMany" && between(each),
  );
  const keys = readings.map((reading) =>
    keyPairs(scope, reading.relationship)
      .map((pair) => keyText(scope, reading, pair))
      .join(" AND "),
  );
  const roads = linked.map(({ ends: [one, other] }) =>
    one.entity === scope.nodes[a]?.entity
      ? `${nodeText(scope, a)}.${other.role}`
      : `${nodeText(scope, a)}.${one.role}`,
  );
  const hints = [
    ...keys.map((key) => `write ${key}`),
    ...roads.map(
      (road) => `a many-to-many relationship has no key: write the path ${road} instead`,
    ),
  ];
  const hint =
    hints.length > 0
      ? hints.join("; or ")
      : "join along the relationships that are drawn, or filter these rows in the application";
  complain(
    report,
    span,
    `This is not the key of a relationship between ${nodeText(scope, a)} and ${nodeText(scope, b)}.`,
    `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
  );
}

function complainSeveral(scope: Scope, best: readonly Reading[], span: Span, report: Report): void {
  const keys = best.map((reading) =>
    keyPairs(scope, reading.relationship)
      .map((pair) => keyText(scope, reading, pair))
      .join(" AND "),
  );
  const [first, second] = best as [Reading, Reading];
  const apart = [...first.used].every((equality) => !second.used.has(equality));
  const roles = best.map(({ relationship }) => relationship.ends[0].role);
  if (apart)
    complain(
      report,
      span,
      `${nodeText(scope, first.parent)} is joined both as ${roles.join(" and as ")}: cyclic graphs are not supported.`,
      "Join the entity once for each role, under two aliases.",
    );
  else
    complain(
      report,
      span,
      `This can mean the roles ${roles.join(" or ")}.`,
      `Write ${keys.join(" or ")}.`,
    );
}

/** Adds the edge, unless it closes a circle or walks a relationship twice. */
function connect(
  scope: Scope,
  { relationship, parent, child }: Reading,
  span: Span,
  report: Report,
): void {
  const same = scope.edges.filter((edge) => edge.relationship === relationship.id);
  if (same.some((edge) => edge.parent === parent && edge.child === child)) return;
  if (same.some((edge) => edge.parent === parent || edge.child === child)) {
    const shared = same.some((edge) => edge.parent === parent) ? parent : child;
    complain(
      report,
      span,
      `${nodeText(scope, shared)} is joined twice over the same relationship ${relationship.id}: a record and its siblings are not supported.`,
      "Write two statements.",
    );
    return;
  }
  if (component(scope, parent).has(child)) {
    complain(
      report,
      span,
      `This join closes a circle through ${nodeText(scope, parent)} and ${nodeText(scope, child)}: cyclic graphs are not supported.`,
      "Leave out one join of the circle and filter its rows in the application, or join the entity once more under another alias.",
    );
    return;
  }
  scope.edges.push({ relationship: relationship.id, parent, child });
}

/** The nodes joined to a node. */
function component(scope: Scope, node: number): Set<number> {
  const reached = new Set([node]);
  for (const each of reached)
    for (const { parent, child } of scope.edges) {
      if (parent === each) reached.add(child);
      if (child === each) reached.add(parent);
    }
  return reached;
}

function complainAboutProduct(scope: Scope, report: Report): void {
  const joined = component(scope, 0);
  scope.nodes.forEach((node, index) => {
    if (joined.has(index) || !node.head) return;
    for (const each of component(scope, index)) joined.add(each);
    complain(
      report,
      node.span,
      `${nodeText(scope, index)} is not joined to ${nodeText(scope, 0)}: that would pair every record with every other.`,
      "Join it by a relationship: a path of roles, or ON child.role.key = parent.key.",
    );
  });
}
