/**
 * SQL's joins: equalities of key columns, and the relationship they mean. How SQL people would spell
 * the key (`sender_user_id`, or the parent's own `user_id`) is accepted where only one relationship
 * can be meant.
 */
import type { Relationship } from "./entity-graph.ts";
import type { Span } from "./issue.ts";
import type { PathText } from "./statement-cursor.ts";
import type { ColumnsText } from "./statement-grammar.ts";
import { heldAttribute } from "./statement-names.ts";
import { refusals, refuse } from "./statement-refusals.ts";
import { findHead, nodeText, type Scope } from "./statement-scope.ts";
import { complain, type Report, spanning } from "./statement-tokens.ts";

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

/** Joins the nodes of a scope by the equalities of their keys. */
export function joinByColumns(
  scope: Scope,
  conditions: readonly ColumnsText[],
  report: Report,
): void {
  const equalities = conditions.flatMap((condition) => equalityOf(scope, condition, report) ?? []);
  for (const together of samePairs(equalities)) joinByKeys(scope, together, report);
}

/** The two sides of `column = column`, if each names a node. */
function equalityOf(scope: Scope, condition: ColumnsText, report: Report): Equality | undefined {
  const { left, operator, right, span } = condition;
  if (operator !== "=") {
    refuse(report, span, refusals.twoColumns);
    return undefined;
  }
  const sides = [sideOf(scope, left, report), sideOf(scope, right, report)] as const;
  if (!sides[0] || !sides[1]) return undefined;
  if (sides[0].node !== sides[1].node) return { left: sides[0], right: sides[1], span };
  refuse(report, span, refusals.twoColumns);
  return undefined;
}

/** The node a side's head names or, without a head, the one node that has such a column. */
function sideOf(scope: Scope, path: PathText, report: Report): Side | undefined {
  const [first, ...others] = path.parts.map(({ text }) => text) as [string, ...string[]];
  const head = findHead(scope, first);
  if (head.kind === "node" && others.length > 0) return { node: head.node, rest: others };
  if (head.kind === "node") {
    complain(
      report,
      path.span,
      `${first} names an entity, not a column.`,
      "Name the key column; to join along a role write JOIN alias.role name, without ON.",
    );
    return undefined;
  }
  const holders = scope.nodes.flatMap(({ entity }, node) =>
    heldAttribute(scope.graph, entity, [first, ...others]) === undefined ? [] : [node],
  );
  const nodes = head.kind === "ambiguous" ? head.nodes : holders;
  if (head.kind === "none" && nodes.length === 1)
    return { node: nodes[0] as number, rest: [first, ...others] };
  const choice = nodes.map((node) => nodeText(scope, node)).join(" or ");
  complain(
    report,
    path.span,
    choice ? `${first} can mean that of ${choice}.` : `It is not clear whose column ${first} is.`,
    "Begin with an entity or an alias of FROM; a text value stands in single quotes.",
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
  const chosen = pool[0];
  if (!chosen) {
    complainNoKey(scope, left.node, right.node, readings, span, report);
    return;
  }
  if (pool.length > 1) {
    complainSeveral(scope, pool, span, report);
    return;
  }
  for (const equality of equalities)
    if (!chosen.used.has(equality)) refuse(report, equality.span, refusals.twoColumns);
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

/**
 * 2: the equality names this key column; 0: it names something else; 1: it can be meant, being called
 * like the parent's column, with or without the parent's name before it, or `role_id`.
 */
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
    flat(`${parentEnd.role}.id`),
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
export function component(scope: Scope, node: number): Set<number> {
  const reached = new Set([node]);
  for (const each of reached)
    for (const { parent, child } of scope.edges) {
      if (parent === each) reached.add(child);
      if (child === each) reached.add(parent);
    }
  return reached;
}
