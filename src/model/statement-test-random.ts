/**
 * For tests: random entity graphs and statements, made of choices that a property test hands in.
 */
import {
  buildEntityGraph,
  type EntityDrawing,
  type RelationshipDrawing,
} from "./entity-drawing.ts";
import {
  type AttributeType,
  type Entity,
  type EntityGraph,
  type GraphAttribute,
  type Relationship,
  rolesOf,
  walkRole,
} from "./entity-graph.ts";
import { type ColumnReference, canonicalGraph, type GraphEdge } from "./query-graph.ts";
import {
  type Connection,
  defaultListLength,
  defaultRangeSelectivity,
  type Operand,
  type Predicate,
  type Query,
  type RangeOperator,
  type Selection,
  type Statement,
} from "./statement.ts";

// --- random entity graphs -------------------------------------------------------------------------

const entityNames = ["user", "Order", "Like", "item two", "Größe", "n1"];
const attributeNames = ["id", "name", "Name", "Desc", "from", "two words", "x-y", "n2", "Select"];
const roleNames = ["sender", "order", "likes", "parent", "user", "n1", "go back", "from", "By"];
const types: readonly AttributeType[] = [
  ...(["uuid", "text", "int", "bigint", "double", "decimal"] as const),
  ...(["boolean", "date", "timestamp", "blob", "counter"] as const),
];

/** One of so many, from 0 on. */
export type Choice = (count: number) => number;

export function choiceFrom(made: readonly number[]): Choice {
  let at = 0;
  return (count) => {
    at += 1;
    return (made[at] ?? 0) % count;
  };
}

const between = (g: Choice, least: number, most: number): number => least + g(most - least + 1);
export const chance = (g: Choice, percent: number): boolean => g(100) >= 100 - percent;
export const oneOf = <T>(g: Choice, values: readonly T[]): T => values[g(values.length)] as T;

function someOf<T>(g: Choice, values: readonly T[], least = 0): T[] {
  const left = [...values];
  const count = between(g, Math.min(least, left.length), left.length);
  return Array.from({ length: count }, () => left.splice(g(left.length), 1)[0] as T);
}

/** Odd names, roles called like entities, entities related to themselves, keys of every kind. */
export function randomGraph(g: Choice): EntityGraph {
  const entities = someOf(g, entityNames, 1)
    .slice(0, 4)
    .map((name) => randomEntity(g, name));
  const taken = new Map(
    entities.map(({ name, attributes }) => [name, new Set(attributes.map((each) => each.name))]),
  );
  const bound = new Set<string>();
  const relationships: RelationshipDrawing[] = [];
  const wanted = between(g, entities.length - 1, entities.length + 2);
  for (let count = 0; count < wanted; count += 1) {
    const parent = oneOf(g, entities);
    const child = oneOf(g, entities);
    const childRole = freeRole(g, taken.get(parent.name));
    const parentRole = freeRole(g, taken.get(child.name));
    if (childRole === undefined || parentRole === undefined) continue;
    const ends = [
      { entity: parent.name, role: parentRole },
      { entity: child.name, role: childRole },
    ] as const;
    const kind = randomKind(g);
    const mandatory = kind.links === undefined;
    const identifies = mandatory && entities.indexOf(parent) < entities.indexOf(child);
    if (identifies && chance(g, 30)) child.identifier.push(parentRole);
    const bind =
      mandatory && parent !== child && chance(g, 30) && randomBinding(parent, child, bound);
    relationships.push({ ...kind, ends, ...(bind && { bind }) });
  }
  const graph = buildEntityGraph(entities, relationships);
  if (!graph.ok) throw new Error(graph.issues.map(({ message }) => message).join("\n"));
  return graph.value;
}

function randomKind(g: Choice): Pick<RelationshipDrawing, "multiplicity" | "optional" | "links"> {
  const multiplicity = oneOf(g, ["oneToMany", "oneToMany", "oneToOne", "manyToMany"] as const);
  if (multiplicity === "manyToMany") return { multiplicity, links: 5 };
  return chance(g, 25) ? { multiplicity, optional: true, links: 5 } : { multiplicity };
}

/** An attribute of the child's own for the first key column, which holds no other key and identifies nothing. */
function randomBinding(
  parent: EntityDrawing,
  child: EntityDrawing,
  bound: Set<string>,
): Record<string, string> | undefined {
  const free = child.attributes.find(
    ({ name, type }) =>
      type !== "counter" && !bound.has(`${child.name}.${name}`) && !child.identifier.includes(name),
  );
  if (!free) return undefined;
  bound.add(`${child.name}.${free.name}`);
  return { [free.name]: parent.identifier[0] as string };
}

function randomEntity(g: Choice, name: string): EntityDrawing & { identifier: string[] } {
  const names = someOf(g, attributeNames, 2).slice(0, 5);
  const unlike = names.filter(
    (each, at) => names.findIndex((other) => other.toLowerCase() === each.toLowerCase()) === at,
  );
  const [first, ...others] = unlike.map((each) => ({ name: each, type: oneOf(g, types) }));
  const key = { name: first?.name ?? "id", type: "uuid" as const };
  const second = others.find(({ type }) => type !== "counter" && chance(g, 20));
  return {
    name,
    count: 10,
    attributes: [key, ...others],
    identifier: [key.name, ...(second ? [second.name] : [])],
  };
}

function freeRole(g: Choice, taken: Set<string> | undefined): string | undefined {
  const role = someOf(g, roleNames, roleNames.length).find((each) => !taken?.has(each));
  if (role !== undefined) taken?.add(role);
  return role;
}

// --- random statements ----------------------------------------------------------------------------

export interface Tree {
  readonly entities: readonly string[];
  readonly edges: readonly GraphEdge[];
}

/** A random walk over the graph: no relationship twice in one direction from one node. */
export function randomTree(
  g: Choice,
  graph: EntityGraph,
  usable: (each: Relationship) => boolean,
): Tree {
  const entities = [oneOf(g, Object.keys(graph.entities))];
  const edges: GraphEdge[] = [];
  for (let steps = g(6); steps > 0; steps -= 1) {
    const from = g(entities.length);
    const roles = rolesOf(graph, entities[from] as string);
    if (roles.length === 0) continue;
    const walk = walkRole(graph, entities[from] as string, oneOf(g, roles));
    if (!walk || !usable(walk.relationship)) continue;
    const { relationship, toEnd } = walk;
    const to = entities.length;
    const edge =
      toEnd === 1
        ? { relationship: relationship.id, parent: from, child: to }
        : { relationship: relationship.id, parent: to, child: from };
    const near = toEnd === 1 ? "parent" : "child";
    if (edges.some((each) => each.relationship === relationship.id && each[near] === from))
      continue;
    edges.push(edge);
    entities.push(relationship.ends[toEnd].entity);
  }
  return { entities, edges };
}

export interface Column {
  readonly column: ColumnReference;
  readonly attribute: GraphAttribute;
}

export function columnsOf(graph: EntityGraph, { entities }: Tree): Column[] {
  return entities.flatMap((entity, node) =>
    (graph.entities[entity] as Entity).attributes.map((attribute) => ({
      column: { node, attribute: attribute.name },
      attribute,
    })),
  );
}

function randomOperand(g: Choice, type: AttributeType): Operand {
  if (chance(g, 40)) return { kind: "parameter" };
  if (chance(g, 30)) return { kind: "parameter", name: oneOf(g, ["a", "End", "from", "ä_1"]) };
  const whole = between(g, -1000, 1000);
  const real = (between(g, -9999, 9999) * oneOf(g, [1, 0.01, 1e-9, 1e9])) / between(g, 1, 3);
  const text = oneOf(g, ["", "it's", "a -- b", 'say "x"', "?", ";", "/*", "Ü"]);
  if (type === "boolean") return { kind: "literal", value: chance(g, 50) };
  if (type === "int" || type === "bigint") return { kind: "literal", value: whole };
  if (type === "double" || type === "decimal") return { kind: "literal", value: real + 0 };
  return { kind: "literal", value: text };
}

function randomPredicate(g: Choice, { column, attribute }: Column): Predicate {
  const operand = (): Operand => randomOperand(g, attribute.type);
  const ranges = attribute.type !== "boolean" && attribute.type !== "blob";
  const kind = oneOf(g, ["equal", "in", ranges ? "range" : "equal"] as const);
  if (kind === "equal") return { kind, column, operand: operand() };
  if (kind === "in") {
    const operands = Array.from({ length: between(g, 1, 3) }, operand);
    const isList = operands.length === 1 && operands[0]?.kind === "parameter";
    return { kind, column, operands, listLength: isList ? defaultListLength : operands.length };
  }
  const lower = { operator: oneOf(g, [">", ">="] as RangeOperator[]), operand: operand() };
  const upper = { operator: oneOf(g, ["<", "<="] as RangeOperator[]), operand: operand() };
  const bounds = oneOf(g, [[lower], [upper], [lower, upper], [upper, lower]]);
  return { kind, column, bounds, selectivity: defaultRangeSelectivity };
}

function randomPredicates(g: Choice, columns: readonly Column[], least: number): Predicate[] {
  const possible = columns.filter(({ attribute }) => attribute.type !== "counter");
  return someOf(g, possible, least)
    .slice(0, 4)
    .map((each) => randomPredicate(g, each));
}

function randomAggregate(g: Choice, columns: readonly Column[]): Selection {
  if (chance(g, 20)) return { kind: "aggregate", function: "count" };
  const { column, attribute } = oneOf(g, columns);
  const numbers = ["int", "bigint", "double", "decimal", "counter"].includes(attribute.type);
  const ordered = attribute.type !== "boolean" && attribute.type !== "blob";
  const fitting = [
    "count" as const,
    ...(numbers ? (["sum", "avg"] as const) : []),
    ...(ordered ? (["min", "max"] as const) : []),
  ];
  return { kind: "aggregate", function: oneOf(g, fitting), column };
}

function unlike(list: readonly Selection[]): Selection[] {
  const key = (each: Selection): string => JSON.stringify(each);
  return list.filter((each, at) => list.findIndex((other) => key(other) === key(each)) === at);
}

/** A query over the nodes of a tree; `inCanonicalForm` makes it a noun. */
export function randomQuery(g: Choice, columns: readonly Column[]): Omit<Query, "graph"> {
  const keys = columns.filter(({ attribute }) => attribute.type !== "counter");
  const grouped = chance(g, 40);
  const groupBy = grouped ? someOf(g, keys).map(({ column }) => column) : [];
  const plain = (grouped ? groupBy : columns.map(({ column }) => column)).map(
    (column): Selection => ({ kind: "column", column }),
  );
  const least = groupBy.length > 0 ? 0 : 1;
  const aggregates = grouped
    ? Array.from({ length: between(g, least, 2) }, () => randomAggregate(g, columns))
    : [];
  const select = unlike([...someOf(g, plain, grouped ? 0 : 1), ...aggregates]);
  const sortable = [
    ...(grouped ? plain : keys.map(({ column }): Selection => ({ kind: "column", column }))),
    ...(grouped ? [randomAggregate(g, columns)] : []),
  ];
  const orderBy = unlike(someOf(g, sortable).slice(0, 3));
  return {
    ...{ id: "q", label: "", group: "", text: "" },
    kind: "query",
    select: select.length > 0 ? select : [randomAggregate(g, columns)],
    predicates: randomPredicates(g, columns, 0),
    groupBy,
    orderBy: orderBy.map((by) => ({ by, direction: oneOf(g, ["asc", "desc"]) })),
    ...(chance(g, 30) && { limit: between(g, 1, 99) }),
  };
}

function canonically(graph: EntityGraph, tree: Tree): ReturnType<typeof canonicalGraph> {
  return canonicalGraph(graph, tree.entities, tree.edges);
}

export function queryOver(graph: EntityGraph, tree: Tree, query: Omit<Query, "graph">): Query {
  const canonical = canonically(graph, tree);
  const at = ({ node, attribute }: ColumnReference): ColumnReference => ({
    node: canonical.renumbering[node] as number,
    attribute,
  });
  const selection = (each: Selection): Selection =>
    each.column === undefined ? each : { ...each, column: at(each.column) };
  return {
    ...query,
    graph: canonical.graph,
    select: query.select.map(selection),
    predicates: query.predicates.map((each) => ({ ...each, column: at(each.column) })),
    groupBy: query.groupBy.map(at),
    orderBy: query.orderBy.map(({ by, direction }) => ({ by: selection(by), direction })),
  };
}

/** UPDATE or DELETE of a random node. */
function randomChange(g: Choice, graph: EntityGraph): Statement | undefined {
  const tree = randomTree(g, graph, () => true);
  const canonical = canonically(graph, tree);
  const target = g(tree.entities.length);
  const entity = graph.entities[tree.entities[target] as string] as Entity;
  const keys = new Set([
    ...entity.identifier,
    ...graph.relationships
      .filter(({ ends }) => ends[1].entity === entity.name)
      .flatMap(({ foreignKey }) => foreignKey.map(({ child }) => child)),
  ]);
  const settable = entity.attributes.filter(
    ({ name, type }) => !keys.has(name) && type !== "counter",
  );
  const predicates = randomPredicates(g, columnsOf(graph, tree), 1).map((each) => ({
    ...each,
    column: { ...each.column, node: canonical.renumbering[each.column.node] as number },
  }));
  const shared = {
    ...{ id: "q", label: "", group: "", text: "", graph: canonical.graph, predicates },
    target: canonical.renumbering[target] as number,
  };
  if (chance(g, 40)) return { ...shared, kind: "delete" };
  const assignments = someOf(g, settable, 1).map(({ name, type }) => ({
    attribute: name,
    operand: randomOperand(g, type),
  }));
  return assignments.length > 0 ? { ...shared, kind: "update", assignments } : undefined;
}

function identifyingOperands(g: Choice, { identifier, attributes }: Entity): Operand[] {
  return identifier.map((name) =>
    randomOperand(g, attributes.find((each) => each.name === name)?.type ?? "uuid"),
  );
}

function randomInsert(g: Choice, graph: EntityGraph): Statement {
  const entity = oneOf(g, Object.values(graph.entities));
  const connections: Connection[] = [];
  const held = new Set<string>();
  for (const { ends, foreignKey, multiplicity, optional } of graph.relationships) {
    const [parent, child] = ends;
    if (child.entity !== entity.name) continue;
    const own = foreignKey.every(({ child: name }) => name !== undefined && !name.includes("."));
    const needed = multiplicity !== "manyToMany" && !optional && !own;
    if (!needed && !chance(g, 40)) continue;
    const operands = identifyingOperands(g, graph.entities[parent.entity] as Entity);
    connections.push({ role: parent.role, operands });
    for (const pair of foreignKey) held.add(pair.child);
  }
  const assignments = entity.attributes
    .filter(
      ({ name, type, foreignKeyOf }) => !held.has(name) && type !== "counter" && !foreignKeyOf,
    )
    .map(({ name, type }) => ({ attribute: name, operand: randomOperand(g, type) }));
  return {
    ...{ id: "q", label: "", group: "", text: "", kind: "insert", entity: entity.name },
    assignments: someOf(g, assignments, assignments.length),
    connections,
  };
}

/** Links that may be made: all but those by which a child is identified. A mandatory parent is exchanged, never lost. */
function randomConnect(g: Choice, graph: EntityGraph): Statement | undefined {
  const isLoose = ({ multiplicity, optional }: Relationship): boolean =>
    multiplicity === "manyToMany" || optional;
  const changeable = graph.relationships.filter((each) => {
    const identifier = graph.entities[each.ends[1].entity]?.identifier ?? [];
    return isLoose(each) || each.foreignKey.every(({ child }) => !identifier.includes(child));
  });
  if (changeable.length === 0) return undefined;
  const relationship = oneOf(g, changeable);
  const [from, to] = chance(g, 50) ? ([0, 1] as const) : ([1, 0] as const);
  const entity = graph.entities[relationship.ends[from].entity] as Entity;
  const other = graph.entities[relationship.ends[to].entity] as Entity;
  return {
    ...{ id: "q", label: "", group: "", text: "", entity: entity.name },
    kind: oneOf(g, isLoose(relationship) ? ["connect", "disconnect"] : ["connect"]),
    operands: identifyingOperands(g, entity),
    connection: {
      role: relationship.ends[to].role,
      operands: identifyingOperands(g, other),
    },
  };
}

export function randomStatement(g: Choice, graph: EntityGraph): Statement | undefined {
  const kind = oneOf(g, ["query", "query", "query", "change", "insert", "connect"] as const);
  if (kind === "change") return randomChange(g, graph);
  if (kind === "insert") return randomInsert(g, graph);
  if (kind === "connect") return randomConnect(g, graph);
  const tree = randomTree(g, graph, () => true);
  return queryOver(graph, tree, randomQuery(g, columnsOf(graph, tree)));
}
