/**
 * Random problems for property tests: entity graphs of every shape engine.md §1 allows, queries of
 * every clause §2 allows (generated as text and parsed), workloads, cost models, limits and options.
 *
 * Everything is drawn as a **recipe** of small numbers which choose by modulo from what is possible at
 * that point, so no draw is rejected and shrinking leads to few entities, few clauses, first choices.
 * A counterexample prints as a text that a person can type in again.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import fc from "fast-check";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import {
  buildEntityGraph,
  type EntityDrawing,
  type RelationshipDrawing,
} from "#model/entity-drawing.ts";
import {
  type AttributeType,
  type Entity,
  type EntityGraph,
  rolesOf,
  walkRole,
} from "#model/entity-graph.ts";
import type { Problem, ProblemOptions, StorageLimit } from "#model/problem.ts";
import { columnText } from "#model/query-graph.ts";
import { isQuery, type Query, type Statement } from "#model/statement.ts";
import { parseStatement } from "#model/statement-text.ts";

/** A problem that prints itself in a counterexample. */
export interface RandomProblem {
  readonly problem: Problem;
  /** Numbers for whatever else a test wants to choose by chance. */
  readonly dice: readonly number[];
}

/** How large the problems may be. */
export interface Bounds {
  readonly entities: number;
  /** Entities in one query. */
  readonly nodes: number;
  readonly queries: number;
  readonly predicates: number;
  readonly steps: number;
  /** Statements that change records; none where absent. */
  readonly changes?: number;
}

/** Small enough for hundreds of whole runs. */
export const smallBounds: Bounds = { entities: 3, nodes: 2, queries: 2, predicates: 2, steps: 3 };

/** As rich as one query after another can be read by a person. */
export const richBounds: Bounds = { entities: 4, nodes: 3, queries: 3, predicates: 3, steps: 4 };

const choice = fc.nat({ max: 9999 });
const seldom = fc.nat({ max: 5 }).map((value) => value === 5);

function chosen<T>(list: readonly T[], by: number): T {
  if (list.length === 0) throw new Error("nothing to choose from");
  return list[by % list.length] as T;
}

/** Choosing without replacement; fewer where the list ends. */
function several<T>(list: readonly T[], by: readonly number[]): T[] {
  const rest = [...list];
  return by.flatMap((each) => (rest.length === 0 ? [] : rest.splice(each % rest.length, 1)));
}

// --- entity graphs ------------------------------------------------------------------------------

const counts = [100, 1, 2, 10, 40, 300, 2000, 20_000, 3_000_000];
const types: readonly AttributeType[] = [
  "int",
  "text",
  "date",
  "boolean",
  "double",
  "bigint",
  "uuid",
];

const entityRecipe = fc.record({
  count: choice,
  attributes: fc.array(fc.record({ type: choice, distinct: choice }), {
    minLength: 1,
    maxLength: 3,
  }),
  identifier: fc.nat({ max: 3 }),
});

const relationshipRecipe = fc.record({
  to: choice,
  upwards: fc.boolean(),
  multiplicity: fc.nat({ max: 5 }),
  optional: seldom,
  atLeastOne: fc.boolean(),
  bound: seldom,
  links: choice,
});

type EntityRecipe = typeof entityRecipe extends fc.Arbitrary<infer T> ? T : never;
type RelationshipRecipe = typeof relationshipRecipe extends fc.Arbitrary<infer T> ? T : never;

interface GraphRecipe {
  readonly entities: readonly EntityRecipe[];
  readonly relationships: readonly RelationshipRecipe[];
  /** A relationship between two entities that have one already, or of an entity to itself. */
  readonly extra: RelationshipRecipe & { readonly kind: number };
}

const names = ["Ant", "Bee", "Cat", "Dog"];

function graphRecipe({ entities }: Bounds): fc.Arbitrary<GraphRecipe> {
  return fc.record({
    entities: fc.array(entityRecipe, { minLength: Math.min(2, entities), maxLength: entities }),
    relationships: fc.array(relationshipRecipe, { minLength: entities, maxLength: entities }),
    extra: fc
      .tuple(relationshipRecipe, fc.nat({ max: 3 }))
      .map(([relationship, kind]) => ({ ...relationship, kind })),
  });
}

/** A drawing before the graph is built from it; kept to be printed. */
interface Drawing {
  readonly entities: readonly EntityDrawing[];
  readonly relationships: readonly RelationshipDrawing[];
}

function drawingOf({ entities, relationships, extra }: GraphRecipe): Drawing {
  const sizes = entities.map(({ count }) => chosen(counts, count));
  const links: RelationshipDrawing[] = [];
  const boundTo: (string | undefined)[] = [];
  const add = (recipe: RelationshipRecipe, a: number, b: number): void => {
    const [parent, child] = recipe.upwards ? [a, b] : [b, a];
    const [from, to] = [sizes[parent] as number, sizes[child] as number];
    const at = links.length;
    const ends: RelationshipDrawing["ends"] = [
      { entity: names[parent] as string, role: `up${at}` },
      { entity: names[child] as string, role: `down${at}` },
    ];
    const multiplicity = chosen(
      ["oneToMany", "oneToMany", "oneToMany", "manyToMany", "oneToOne", "oneToMany"] as const,
      recipe.multiplicity,
    );
    if (multiplicity === "manyToMany") {
      const most = Math.min(from * to, 3 * Math.max(from, to));
      links.push({ multiplicity, ends, links: 1 + (recipe.links % most) });
      return;
    }
    const most = multiplicity === "oneToOne" ? Math.min(from, to) : to;
    const optional = a === b || recipe.optional || most < to;
    const held = optional ? 1 + (recipe.links % most) : to;
    const parentIsOwn = entities[parent]?.identifier === 0;
    const bound = recipe.bound && !optional && parentIsOwn;
    if (bound) boundTo[at] = `key${at}`;
    links.push({
      multiplicity,
      ends,
      ...(optional && { optional, links: held }),
      ...(recipe.atLeastOne && held >= from && { atLeastOne: true }),
      ...(bound && { bind: { [`key${at}`]: "id" } }),
    });
  };
  entities.forEach((_, index) => {
    const recipe = relationships[index];
    if (index > 0 && recipe) add(recipe, recipe.to % index, index);
  });
  const tree = links.length;
  if (extra.kind === 1) add(extra, 0, 0);
  if (extra.kind === 2 && tree > 0) {
    const [parent, child] = (links[extra.to % tree] as RelationshipDrawing).ends;
    add(extra, names.indexOf(parent.entity), names.indexOf(child.entity));
  }
  return {
    entities: entities.map((entity, index) =>
      entityDrawing(entity, index, sizes, { links, tree, boundTo }),
    ),
    relationships: links,
  };
}

function entityDrawing(
  { attributes, identifier }: EntityRecipe,
  index: number,
  sizes: readonly number[],
  {
    links,
    tree,
    boundTo,
  }: {
    links: readonly RelationshipDrawing[];
    tree: number;
    boundTo: readonly (string | undefined)[];
  },
): EntityDrawing {
  const name = names[index] as string;
  const count = sizes[index] as number;
  const sizeOf = (entity: string): number => sizes[names.indexOf(entity)] as number;
  // Identifiers go by the tree alone, which has no circle.
  const parents = links
    .slice(0, tree)
    .filter(
      ({ ends, multiplicity, optional }) =>
        ends[1].entity === name && multiplicity !== "manyToMany" && !optional,
    );
  const roles = parents.map(({ ends }) => ends[0].role);
  const own = attributes.map(({ type, distinct }, position) => {
    const chosenType = chosen(types, type);
    const most = chosenType === "boolean" ? Math.min(2, count) : count;
    return {
      name: chosen(["x", "y", "z"], position),
      type: chosenType,
      distinct: Math.min(most, chosen([5, 1, 2, 20, 100, 1000, count], distinct)),
    };
  });
  const keys = links.flatMap(({ ends }, at) =>
    ends[1].entity === name && boundTo[at] !== undefined
      ? [
          {
            name: boundTo[at],
            type: "int" as const,
            distinct: Math.min(count, sizeOf(ends[0].entity)),
          },
        ]
      : [],
  );
  const first = parents[0];
  const alone = parents
    .filter(({ multiplicity }) => multiplicity === "oneToOne")
    .map(({ ends }) => ends[0].role);
  const pair = parents
    .slice(0, 2)
    .reduce((product, { ends }) => product * sizeOf(ends[0].entity), 1);
  if (identifier === 1 && first) {
    const perParent = Math.min(count, Math.ceil(count / sizeOf(first.ends[0].entity)));
    return {
      name,
      count,
      attributes: [{ name: "no", type: "int", distinct: perParent }, ...own, ...keys],
      identifier: [first.ends[0].role, "no"],
    };
  }
  if (identifier === 2 && roles.length > 1 && pair >= count)
    return { name, count, attributes: [...own, ...keys], identifier: roles.slice(0, 2) };
  if (identifier === 3 && alone.length > 0)
    return { name, count, attributes: [...own, ...keys], identifier: alone.slice(0, 1) };
  return {
    name,
    count,
    attributes: [{ name: "id", type: "int" }, ...own, ...keys],
    identifier: ["id"],
  };
}

function graphOf({ entities, relationships }: Drawing): EntityGraph {
  const built = buildEntityGraph(entities, relationships);
  if (!built.ok)
    throw new Error(
      `a random drawing is refused: ${JSON.stringify(built.issues)} ${JSON.stringify({ entities, relationships })}`,
    );
  return built.value;
}

// --- queries ------------------------------------------------------------------------------------

function queryRecipe({ nodes, predicates }: Bounds) {
  return fc.record({
    root: choice,
    walks: fc.array(fc.record({ from: choice, role: choice }), { maxLength: nodes - 1 }),
    select: fc.array(choice, { minLength: 1, maxLength: 3 }),
    predicates: fc.array(
      fc.record({ column: choice, kind: fc.nat({ max: 9 }), estimate: fc.nat({ max: 3 }) }),
      { minLength: 1, maxLength: predicates },
    ),
    groups: fc.array(choice, { maxLength: 2 }),
    aggregates: fc.array(fc.record({ function: choice, column: choice }), { maxLength: 2 }),
    shape: fc.nat({ max: 6 }),
    orders: fc.array(fc.record({ column: choice, descending: fc.boolean() }), { maxLength: 2 }),
    limit: fc.option(fc.integer({ min: 1, max: 50 }), { freq: 2 }),
    equality: fc.nat({ max: 11 }),
  });
}

type QueryRecipe = ReturnType<typeof queryRecipe> extends fc.Arbitrary<infer T> ? T : never;

/** A column as written, and its type. */
interface Spelt {
  readonly text: string;
  readonly type: AttributeType;
}

/** A query's text, each entity under an alias of its own, and the estimates that stand in no text. */
interface QueryText {
  readonly text: string;
  /** Per predicate, in the order of the text. */
  readonly estimates: readonly (number | undefined)[];
}

const ordered = (type: AttributeType): boolean => type !== "boolean" && type !== "blob";
const numeric = (type: AttributeType): boolean =>
  ["int", "bigint", "double", "decimal"].includes(type);

function queryText(graph: EntityGraph, recipe: QueryRecipe): QueryText {
  const { sources, columns } = sourcesOf(graph, recipe);
  const conditions = several(
    columns,
    recipe.predicates.map(({ column }) => column),
  ).map((column, index) =>
    condition(
      column,
      recipe.predicates[index] as QueryRecipe["predicates"][number],
      index === 0 && recipe.equality > 0,
    ),
  );
  const { select, groups, orders } = outputOf(columns, recipe);
  const text = [
    `SELECT ${select.join(", ")} FROM ${sources.join(", ")}`,
    `WHERE ${conditions.map((each) => each.text).join(" AND ")}`,
    ...(groups.length > 0 ? [`GROUP BY ${groups.join(", ")}`] : []),
    ...(orders.length > 0 ? [`ORDER BY ${orders.join(", ")}`] : []),
    ...(recipe.limit === null ? [] : [`LIMIT ${recipe.limit}`]),
  ].join(" ");
  return { text, estimates: conditions.map(({ estimate }) => estimate) };
}

/** FROM: a tree of walks, each relationship at most once from one node in one direction. */
function sourcesOf(
  graph: EntityGraph,
  { root, walks }: QueryRecipe,
): { sources: string[]; columns: Spelt[] } {
  const entities = Object.keys(graph.entities);
  const nodes = [chosen(entities, root)];
  const sources = [`${nodes[0]} AS t0`];
  const taken = new Set<string>();
  for (const { from, role } of walks) {
    const open = nodes.flatMap((entity, node) =>
      rolesOf(graph, entity)
        .filter((each) => !taken.has(`${node}.${each}`))
        .map((each) => ({ node, entity, role: each })),
    );
    if (open.length === 0) break;
    const walk = chosen(open, from + role);
    const found = walkRole(graph, walk.entity, walk.role);
    if (!found) throw new Error("a role that rolesOf names can be walked");
    taken
      .add(`${walk.node}.${walk.role}`)
      .add(`${nodes.length}.${found.relationship.ends[found.toEnd === 1 ? 0 : 1].role}`);
    sources.push(`t${walk.node}.${walk.role} AS t${nodes.length}`);
    nodes.push(found.relationship.ends[found.toEnd].entity);
  }
  const columns = nodes.flatMap((entity, node) =>
    (graph.entities[entity] as Entity).attributes.map(({ name, type }) => ({
      text: `t${node}.${name}`,
      type,
    })),
  );
  return { sources, columns };
}

function condition(
  { text, type }: Spelt,
  { kind, estimate }: QueryRecipe["predicates"][number],
  equality: boolean,
): { text: string; estimate: number | undefined } {
  const known = (values: readonly number[]): number | undefined =>
    estimate === 0 ? undefined : chosen(values, estimate);
  const shares = [0.3, 0.01, 0.5, 1];
  if (kind >= 6 && !equality && ordered(type)) {
    const range = chosen(["< ?", "BETWEEN ? AND ?", ">= ?", "> :low"], kind);
    return { text: `${text} ${range}`, estimate: known(shares) };
  }
  if (kind === 5) return { text: `${text} IN ?`, estimate: known([3, 1, 10, 2]) };
  if (kind === 4) return { text: `${text} IN (?, ?)`, estimate: undefined };
  const literal = type === "int" ? "7" : type === "text" ? "'blue'" : "?";
  return { text: `${text} = ${kind === 3 ? literal : "?"}`, estimate: undefined };
}

function outputOf(
  columns: readonly Spelt[],
  recipe: QueryRecipe,
): { select: string[]; groups: string[]; orders: string[] } {
  const direct = (each: { text: string }, index: number): string =>
    `${each.text}${recipe.orders[index]?.descending ? " DESC" : ""}`;
  const orderChoices = recipe.orders.map(({ column }) => column);
  if (recipe.shape < 4) {
    const select = several(columns, recipe.select).map(({ text }) => text);
    return { select, groups: [], orders: several(columns, orderChoices).map(direct) };
  }
  const aggregates = [
    ...new Set(["count(*)", ...recipe.aggregates.map((each) => aggregateText(columns, each))]),
  ];
  if (recipe.shape === 4) return { select: aggregates, groups: [], orders: [] };
  const groups = several(columns, [0, ...recipe.groups]);
  const selected = several(groups, recipe.select).map(({ text }) => text);
  const orderable = [...groups, { text: aggregates.at(-1) as string }];
  return {
    select: recipe.shape === 5 ? [...selected, ...aggregates] : selected,
    groups: groups.map(({ text }) => text),
    orders: several(orderable, orderChoices).map(direct),
  };
}

function aggregateText(
  columns: readonly Spelt[],
  recipe: { function: number; column: number },
): string {
  const { text, type } = chosen(columns, recipe.column);
  const possible = [
    "count",
    ...(ordered(type) ? ["min", "max"] : []),
    ...(numeric(type) ? ["sum", "avg"] : []),
  ];
  return `${chosen(possible, recipe.function)}(${text})`;
}

/** The query a generated text means; refusing one is a fault of the generator or of the parser. */
function parsedQuery(graph: EntityGraph, id: string, { text, estimates }: QueryText): Query {
  const head = { id, label: id, group: "", text };
  const first = parseStatement(head, graph);
  if (!first.ok || !isQuery(first.value))
    throw new Error(
      `a random query is refused: ${text} ${JSON.stringify(first)} ${JSON.stringify(graph)}`,
    );
  const selectivity: Record<string, number> = {};
  const listLength: Record<string, number> = {};
  const query = first.value;
  query.predicates.forEach(({ kind, column }, index) => {
    const estimate = estimates[index];
    if (estimate !== undefined && kind !== "equal")
      (kind === "range" ? selectivity : listLength)[columnText(query.graph, column)] = estimate;
  });
  const second = parseStatement({ ...head, assumptions: { selectivity, listLength } }, graph);
  if (!second.ok || !isQuery(second.value))
    throw new Error(
      `estimates are refused: ${text} ${JSON.stringify({ selectivity, listLength, second })}`,
    );
  return second.value;
}

// --- changes ------------------------------------------------------------------------------------

const changeRecipe = fc.record({
  kind: fc.nat({ max: 5 }),
  entity: choice,
  attribute: choice,
  role: choice,
  byName: fc.boolean(),
});

type ChangeRecipe = typeof changeRecipe extends fc.Arbitrary<infer T> ? T : never;

const marks = (count: number): string => Array.from({ length: count }, () => "?").join(", ");

/** A statement that inserts, updates, deletes, connects or disconnects. */
function changeText(graph: EntityGraph, recipe: ChangeRecipe): string {
  const entity = graph.entities[chosen(Object.keys(graph.entities), recipe.entity)] as Entity;
  const { name, attributes, identifier } = entity;
  const held = new Set(
    graph.relationships.flatMap(({ ends, foreignKey }) =>
      ends[1].entity === name ? foreignKey.map(({ child }) => child) : [],
    ),
  );
  const free = attributes.filter((each) => !identifier.includes(each.name) && !held.has(each.name));
  const record = `${name}.${identifier.map((each) => `${each} = ?`).join(` AND ${name}.`)}`;
  const other = chosen(attributes, recipe.attribute).name;
  const where = recipe.byName ? record : `${name}.${other} = ?`;
  const kinds = ["update", "insert", "update", "delete", "connect", "disconnect"] as const;
  const kind = chosen(kinds, recipe.kind);
  if (kind === "insert") return insertText(graph, entity, held);
  const link =
    kind === "delete" || kind === "update" ? undefined : linkText(graph, entity, recipe, kind);
  if (link !== undefined) return link;
  if (kind === "update" && free.length > 0)
    return `UPDATE ${name} SET ${chosen(free, recipe.attribute).name} = ? WHERE ${where}`;
  return `DELETE FROM ${name} WHERE ${where}`;
}

/** All own attributes, and a connection to every parent that there must be. */
function insertText(
  graph: EntityGraph,
  { name, attributes }: Entity,
  held: ReadonlySet<string>,
): string {
  const sets = attributes.filter((each) => !held.has(each.name)).map((each) => `${each.name} = ?`);
  const connections = graph.relationships.flatMap(({ ends, foreignKey }) =>
    ends[1].entity === name && foreignKey.length > 0
      ? [`${ends[0].role}(${marks(foreignKey.length)})`]
      : [],
  );
  const parts = [
    ...(sets.length > 0 ? [`SET ${sets.join(", ")}`] : []),
    ...(connections.length > 0 ? [`CONNECT TO ${connections.join(", ")}`] : []),
  ];
  return `INSERT INTO ${name} ${parts.join(" AND ")}`;
}

/** CONNECT or DISCONNECT along a role where the language allows it. */
function linkText(
  graph: EntityGraph,
  { name, identifier }: Entity,
  { role }: ChangeRecipe,
  kind: "connect" | "disconnect",
): string | undefined {
  const possible = rolesOf(graph, name).flatMap((each) => {
    const walk = walkRole(graph, name, each);
    if (!walk) return [];
    const { relationship, toEnd } = walk;
    const child = graph.entities[relationship.ends[1].entity] as Entity;
    const fixed = relationship.foreignKey.some((pair) => child.identifier.includes(pair.child));
    const mandatory = relationship.foreignKey.length > 0;
    if (fixed || (mandatory && kind === "disconnect")) return [];
    const to = graph.entities[relationship.ends[toEnd].entity] as Entity;
    return [`${each}(${marks(to.identifier.length)})`];
  });
  if (possible.length === 0) return undefined;
  const link = chosen(possible, role);
  const record = `${name}(${marks(identifier.length)})`;
  return kind === "connect" ? `CONNECT ${record} TO ${link}` : `DISCONNECT ${record} FROM ${link}`;
}

function parsedChange(graph: EntityGraph, id: string, text: string): Statement {
  const parsed = parseStatement({ id, label: id, group: "", text }, graph);
  if (!parsed.ok)
    throw new Error(
      `a random change is refused: ${text} ${JSON.stringify(parsed.issues)} ${JSON.stringify(graph)}`,
    );
  return parsed.value;
}

// --- workloads, cost models, options ------------------------------------------------------------

const frequencies = [1, 0, 100, 0.02, 5, 30];

const costRecipe = fc.record({
  preset: fc.nat({ max: 3 }),
  migration: choice,
  gets: fc.array(choice, { minLength: 4, maxLength: 4 }),
});

function costModelOf({
  preset,
  migration,
  gets,
}: {
  preset: number;
  migration: number;
  gets: readonly number[];
}): CostModel {
  const base = chosen([defaultCostModel, paperCostModel], preset);
  const factor = chosen([1, 0.01, 0, 0.1, 0.001], migration);
  const scaled = {
    ...base,
    extract: { fixed: base.extract.fixed * factor, perByte: base.extract.perByte * factor },
    load: { fixed: base.load.fixed * factor, perByte: base.load.perByte * factor },
  };
  if (preset < 2) return scaled;
  const [fixed, perGet, perRow, perByte] = [
    [0, 0.5, 10],
    [0.4, 0, 2],
    [0.002, 0, 0.1],
    [1e-5, 0, 1e-3],
  ].map((list, index) => chosen(list, gets[index] as number)) as [number, number, number, number];
  return { ...scaled, name: "random", get: { fixed, perGet, perRow, perByte } };
}

const optionsRecipe = fc.record({
  maxGets: fc.constantFrom(3, 2, 1),
  initialLoad: fc.boolean(),
  cyclic: fc.boolean(),
  buildingCountsAsStorage: fc.boolean(),
  sizeFactor: fc.constantFrom(1, 0.5, 3),
});

/** Storage as a share of what static optimisation would take; needs no knowledge of the candidates. */
const storageRecipe: fc.Arbitrary<StorageLimit> = fc.oneof(
  fc.constant({ kind: "none" } as const),
  fc
    .constantFrom(100, 80, 130, 200)
    .map((percent) => ({ kind: "percentOfStaticAverage", percent }) as const),
);

function problemRecipe(bounds: Bounds) {
  const cells = (bounds.queries + (bounds.changes ?? 0)) * bounds.steps;
  return fc.record({
    graph: graphRecipe(bounds),
    queries: fc.array(queryRecipe(bounds), { minLength: 1, maxLength: bounds.queries }),
    changes: fc.array(changeRecipe, { maxLength: bounds.changes ?? 0 }),
    steps: fc.integer({ min: 1, max: bounds.steps }),
    stepSeconds: fc.constantFrom(60, 1, 3600, 3600),
    /** By query, then step. */
    frequencies: fc.array(choice, { minLength: cells, maxLength: cells }),
    costs: costRecipe,
    options: optionsRecipe,
    storage: storageRecipe,
    dice: fc.array(choice, { minLength: 12, maxLength: 12 }),
  });
}

type ProblemRecipe = ReturnType<typeof problemRecipe> extends fc.Arbitrary<infer T> ? T : never;

/** Random problems within the bounds. */
export function randomProblem(bounds: Bounds): fc.Arbitrary<RandomProblem> {
  return problemRecipe(bounds).map((recipe) => problemOf(recipe, bounds));
}

/**
 * Random problems in which schemas have reason to change, after the paper's running example: many
 * children of few parents, and queries that find children by different columns and want their
 * parents' columns too, each often at some steps and hardly ever at others. One wide table for each is
 * quickest, one narrow table for each with the parents beside them is smallest. Whether a change pays
 * is left to the limit and to the price of migrations.
 */
export function contestedProblem(bounds: Bounds): fc.Arbitrary<RandomProblem> {
  const atLeast = {
    ...bounds,
    entities: Math.max(2, bounds.entities),
    queries: Math.max(2, bounds.queries),
    steps: Math.max(2, bounds.steps),
  };
  return problemRecipe(atLeast).map((recipe) => problemOf(contested(recipe, atLeast), atLeast));
}

function contested(recipe: ProblemRecipe, bounds: Bounds): ProblemRecipe {
  const { graph, queries, dice } = recipe;
  const [parent, child, ...rest] = graph.entities as [
    EntityRecipe,
    EntityRecipe,
    ...EntityRecipe[],
  ];
  const [link, ...links] = graph.relationships as [RelationshipRecipe, ...RelationshipRecipe[]];
  const first = queries[0] as QueryRecipe;
  const count = Math.max(2, queries.length);
  const wide = { type: types.indexOf("text"), distinct: 6 };
  const roll = (index: number): number => dice[index] as number;
  return {
    ...recipe,
    graph: {
      ...graph,
      entities: [
        { ...parent, count: chosen([3, 4, 5], parent.count), attributes: [wide, wide, wide] },
        {
          ...child,
          count: chosen([5, 6, 7], child.count),
          attributes: [0, 1, 2].map((index) => chosen(child.attributes, index)),
        },
        ...rest,
      ],
      relationships: [
        link,
        {
          ...(links[0] ?? link),
          to: 0,
          upwards: true,
          multiplicity: 0,
          optional: false,
          bound: false,
        },
        ...links.slice(1),
      ],
    },
    steps: Math.max(2, recipe.steps),
    stepSeconds: 3600,
    queries: Array.from({ length: count }, (_, q) => ({
      ...first,
      root: 1,
      walks: [{ from: 0, role: 0 }],
      select: [-1, -1, -1, -1, 0],
      shape: 0,
      orders: [],
      limit: null,
      equality: 1,
      // The first columns of the child are its identifier's, then x, y and z.
      predicates: (queries[q] ?? first).predicates.map((each, index) => ({
        ...each,
        column: 1 + ((q + index + roll(3)) % 3),
        kind: each.kind % 4,
      })),
    })),
    frequencies: recipe.frequencies.map((each, cell) => {
      const [q, t] = [Math.floor(cell / bounds.steps), cell % bounds.steps];
      if (q >= count) return each;
      const busy = (t + roll(0)) % count === q;
      return frequencies.indexOf(chosen(busy ? [100, 30, 5] : [0.02, 0, 0.02], each));
    }),
  };
}

function problemOf(recipe: ProblemRecipe, bounds: Bounds): RandomProblem {
  const { graph, queries, steps, stepSeconds, costs, options, storage, dice } = recipe;
  const drawing = drawingOf(graph);
  const entityGraph = graphOf(drawing);
  const texts = queries.map((query) => queryText(entityGraph, query));
  const changes = recipe.changes.map((change) => changeText(entityGraph, change));
  const statements = [
    ...texts.map((text, index) => parsedQuery(entityGraph, `q${index + 1}`, text)),
    ...changes.map((text, index) => parsedChange(entityGraph, `u${index + 1}`, text)),
  ];
  const curveOf = (q: number): number[] =>
    Array.from({ length: steps }, (_, t) =>
      chosen(frequencies, recipe.frequencies[q * bounds.steps + t] as number),
    );
  const problem: Problem = {
    name: "random",
    entityGraph,
    statements,
    workload: {
      timeline: { steps, stepSeconds },
      curves: Object.fromEntries(statements.map(({ id }, q) => [id, curveOf(q)])),
    },
    storage,
    costModel: costModelOf(costs),
    options,
  };
  return printable({ problem, dice }, drawing, texts, changes);
}

/** Random queries over random graphs, where nothing else is asked for. */
export function randomQueries(bounds: Bounds): fc.Arbitrary<RandomProblem> {
  return randomProblem({ ...bounds, steps: 1 });
}

function printable(
  random: RandomProblem,
  drawing: Drawing,
  texts: readonly QueryText[],
  changes: readonly string[],
): RandomProblem {
  const { problem, dice } = random;
  const text = (): string =>
    [
      "",
      `entities: ${JSON.stringify(drawing.entities)}`,
      `relationships: ${JSON.stringify(drawing.relationships)}`,
      ...texts.map(
        ({ text: query, estimates }) => `query: ${query}  estimates: ${JSON.stringify(estimates)}`,
      ),
      ...changes.map((change) => `change: ${change}`),
      `workload: ${JSON.stringify(problem.workload)}`,
      `storage: ${JSON.stringify(problem.storage)}`,
      `cost model: ${JSON.stringify(problem.costModel)}`,
      `options: ${JSON.stringify(problem.options)}`,
      `dice: ${JSON.stringify(dice)}`,
      "",
    ].join("\n");
  return Object.defineProperty({ ...random }, fc.toStringMethod, {
    value: text,
    enumerable: false,
  });
}

/** Options of a plain run, for tests that vary something else. */
export function withOptions(problem: Problem, options: Partial<ProblemOptions>): Problem {
  return { ...problem, options: { ...problem.options, ...options } };
}
