/**
 * What a plan may ask of Cassandra and what it must do itself (engine.md §4), written as plain rules
 * over the plan as a person reads it. Shares nothing with enumeration, estimation or the recount, and
 * knows no costs: only whether each Get runs without ALLOW FILTERING, whether every value is at hand
 * where it is needed, and whether order, groups, aggregates and limit stand where they may.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { GetStep, PlanStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference, QueryGraph } from "#model/query-graph.ts";
import type { Query } from "#model/statement.ts";

/** Which rules the plan breaks; empty for a right one. */
export function brokenRules(
  entityGraph: EntityGraph,
  query: Query,
  plan: QueryPlan,
  families: ReadonlyMap<string, ColumnFamily>,
): string[] {
  const names = new Names(entityGraph, query.graph);
  const context: Context = { entityGraph, query, names, families, plan, broken: [] };
  const held: Held = { values: new Set(["*"]), nodes: new Set() };
  for (const { kind, column } of query.predicates)
    if (kind === "equal") held.values.add(names.of(column));
  const served = new Set<number>();
  plan.steps.forEach((step, index) => {
    if (step.kind === "get") {
      keyRules(context, step, held);
      joinRules(context, step, held, index === 0);
      for (const column of step.selects) held.values.add(names.of(column));
      for (const { from } of step.bindings) if (from !== "fetched") served.add(from.predicate);
      if (step.range !== undefined) served.add(step.range);
    }
    if (step.kind === "filter") {
      for (const predicate of step.predicates) {
        const column = query.predicates[predicate]?.column;
        if (!column || !held.values.has(names.of(column)))
          context.broken.push(`filters by a value that no Get asked for`);
        served.add(predicate);
      }
    }
  });
  query.predicates.forEach((_, index) => {
    if (!served.has(index))
      context.broken.push(`condition ${index + 1} is neither bound nor filtered`);
  });
  for (const column of outputOf(query))
    if (!held.values.has(names.of(column)))
      context.broken.push(`${column.attribute} of the answer is in no Get`);
  wholeRules(context);
  return context.broken;
}

interface Context {
  readonly entityGraph: EntityGraph;
  readonly query: Query;
  readonly names: Names;
  readonly families: ReadonlyMap<string, ColumnFamily>;
  readonly plan: QueryPlan;
  readonly broken: string[];
}

/** Values and records at hand in the application, and values that the statement's own parameters fix. */
interface Held {
  readonly values: Set<string>;
  readonly nodes: Set<number>;
}

function relationshipOf({ relationships }: EntityGraph, id: string): Relationship {
  const found = relationships.find((each) => each.id === id);
  if (!found) throw new Error(`no relationship ${id}`);
  return found;
}

/** Columns of a graph under one name where the joins make them equal. */
export class Names {
  private readonly name = new Map<string, string>();
  private readonly entityGraph: EntityGraph;
  private readonly graph: QueryGraph;

  constructor(entityGraph: EntityGraph, graph: QueryGraph) {
    this.entityGraph = entityGraph;
    this.graph = graph;
    graph.nodes.forEach(({ entity }, node) => {
      for (const { name } of entityGraph.entities[entity]?.attributes ?? [])
        this.name.set(`${node}.${name}`, `${node}.${name}`);
    });
    for (const edge of graph.edges)
      for (const { child, parent } of relationshipOf(entityGraph, edge.relationship).foreignKey)
        this.rename(`${edge.child}.${child}`, `${edge.parent}.${parent}`);
  }

  private rename(a: string, b: string): void {
    const [from, to] = [this.name.get(a), this.name.get(b)] as [string, string];
    for (const [column, name] of this.name) if (name === from) this.name.set(column, to);
  }

  of({ node, attribute }: ColumnReference): string {
    return node < 0 ? "*" : (this.name.get(`${node}.${attribute}`) ?? "?");
  }

  /** All columns of this graph that bear the name. */
  columns(name: string): ColumnReference[] {
    return [...this.name].flatMap(([text, each]) => {
      const dot = text.indexOf(".");
      return each === name
        ? [{ node: Number(text.slice(0, dot)), attribute: text.slice(dot + 1) }]
        : [];
    });
  }

  /** Records that some values single out: by their identifier, then from child to parent, and both ways one to one. */
  singledOut(values: ReadonlySet<string>): Set<number> {
    const found = new Set<number>();
    this.graph.nodes.forEach(({ entity }, node) => {
      const identifier = this.entityGraph.entities[entity]?.identifier ?? [];
      if (identifier.every((attribute) => values.has(this.of({ node, attribute }))))
        found.add(node);
    });
    for (let size = -1; size < found.size; ) {
      size = found.size;
      for (const { relationship, parent, child } of this.graph.edges) {
        const { multiplicity } = relationshipOf(this.entityGraph, relationship);
        if (multiplicity !== "manyToMany" && found.has(child)) found.add(parent);
        if (multiplicity === "oneToOne" && found.has(parent)) found.add(child);
      }
    }
    return found;
  }

  /** Adds parents that every one of the records has. */
  withParents(nodes: ReadonlySet<number>): Set<number> {
    const all = new Set(nodes);
    for (let size = -1; size < all.size; ) {
      size = all.size;
      for (const { relationship, parent, child } of this.graph.edges) {
        const { multiplicity, optional } = relationshipOf(this.entityGraph, relationship);
        if (multiplicity !== "manyToMany" && !optional && all.has(child)) all.add(parent);
      }
    }
    return all;
  }
}

/** The query's name of a table's column: through the Get's placing of the table's graph on the query's. */
function nameIn(
  context: Context,
  step: GetStep,
  family: ColumnFamily,
  column: ColumnReference,
): string | undefined {
  if (column.node < 0) return "*";
  const own = new Names(context.entityGraph, family.graph);
  for (const { node, attribute } of own.columns(own.of(column))) {
    const to = step.embedding[node] ?? -1;
    if (to >= 0) return context.names.of({ node: to, attribute });
  }
  return undefined;
}

/** Partition wholly bound, clustering from left to right, then one range; every value known by then. */
function keyRules(context: Context, step: GetStep, held: Held): void {
  const { query, names, broken } = context;
  const family = context.families.get(step.columnFamily);
  if (!family) {
    broken.push(`reads ${step.columnFamily}, which is no candidate`);
    return;
  }
  const key = [...family.partitionKey, ...family.clusteringKey];
  if (step.bindings.length < family.partitionKey.length)
    broken.push("leaves a partition column unbound");
  step.bindings.forEach(({ column, key: part, from }, position) => {
    const expected = key[position];
    if (expected?.node !== column.node || expected.attribute !== column.attribute)
      broken.push("skips a key column");
    if (part !== (position < family.partitionKey.length ? "partition" : "clustering"))
      broken.push("mistakes partition and clustering");
    const name = nameIn(context, step, family, column);
    if (from === "fetched") {
      if (name === undefined || !held.values.has(name))
        broken.push("binds a value that no Get asked for");
      return;
    }
    const predicate = query.predicates[from.predicate];
    if (
      from.predicate < 0
        ? name !== "*"
        : !predicate || predicate.kind === "range" || names.of(predicate.column) !== name
    )
      broken.push("binds a key column by a condition that does not fix it");
  });
  if (step.range !== undefined) {
    const next = key[step.bindings.length];
    const predicate = query.predicates[step.range];
    const name = next && nameIn(context, step, family, next);
    if (
      step.bindings.length < family.partitionKey.length ||
      predicate?.kind !== "range" ||
      names.of(predicate.column) !== name
    )
      broken.push("puts a range where the key has none");
  }
  const columns = new Set(
    columnsOf(family).flatMap((column) => nameIn(context, step, family, column) ?? []),
  );
  for (const column of step.selects)
    if (!columns.has(names.of(column)))
      broken.push(`asks for ${column.attribute}, which the table lacks`);
}

/** Rows of a later Get meet the rows so far on values that both have and that single out every record both hold. */
function joinRules(context: Context, step: GetStep, held: Held, first: boolean): void {
  const { names, broken, entityGraph, query } = context;
  const family = context.families.get(step.columnFamily);
  if (!family) return;
  placingRules(context, step, family);
  const nodes = new Set(step.embedding.filter((node) => node >= 0));
  if (!first) {
    const own = new Set([
      ...step.selects.map((column) => names.of(column)),
      ...step.bindings.flatMap(({ column }) => nameIn(context, step, family, column) ?? []),
    ]);
    const on = new Set(step.joinOn.map((column) => names.of(column)));
    for (const value of on) {
      if (!held.values.has(value)) broken.push("joins on a value that no Get before asked for");
      if (!own.has(value)) broken.push("joins on a value that this Get neither binds nor asks for");
    }
    const both = [...nodes].filter((node) => held.nodes.has(node));
    const parents = [...names.withParents(nodes)].filter((node) =>
      names.withParents(held.nodes).has(node),
    );
    if (parents.length === 0) broken.push("joins records that have nothing in common");
    const single = names.singledOut(on);
    if (both.some((node) => !single.has(node)))
      broken.push("joins without the identity of what both hold");
  }
  for (const node of nodes) held.nodes.add(node);
  // Records known by their whole identifier count as held: a foreign key stands for its parent.
  const columns = new Set(
    columnsOf(family).flatMap((column) => nameIn(context, step, family, column) ?? []),
  );
  const known = query.graph.nodes.flatMap(({ entity }, node) => {
    const identifier = entityGraph.entities[entity]?.identifier ?? [];
    return identifier.every((attribute) => columns.has(names.of({ node, attribute })))
      ? [node]
      : [];
  });
  for (const node of known) if (names.withParents(held.nodes).has(node)) held.nodes.add(node);
}

/** The table's graph lies on the query's by the same relationships; outside it only parents that every child has. */
function placingRules(
  { query, entityGraph, broken }: Context,
  step: GetStep,
  { graph }: ColumnFamily,
): void {
  const placed = (node: number): number => step.embedding[node] ?? -1;
  graph.nodes.forEach(({ entity }, node) => {
    if (placed(node) >= 0 && query.graph.nodes[placed(node)]?.entity !== entity)
      broken.push("takes one entity for another");
  });
  for (const { relationship, parent, child } of graph.edges) {
    if (placed(parent) >= 0 && placed(child) >= 0) {
      const same = query.graph.edges.some(
        (edge) =>
          edge.relationship === relationship &&
          edge.parent === placed(parent) &&
          edge.child === placed(child),
      );
      if (!same) broken.push("takes one relationship for another");
      continue;
    }
    const { multiplicity, optional } = relationshipOf(entityGraph, relationship);
    if (placed(parent) >= 0 || multiplicity === "manyToMany" || optional)
      broken.push("uses a table that lacks rows or repeats them");
  }
}

// --- order, groups, aggregates, limit -----------------------------------------------------------

function outputOf({ select, groupBy, orderBy }: Query): ColumnReference[] {
  return [
    ...select.flatMap(({ column }) => column ?? []),
    ...groupBy,
    ...orderBy.flatMap(({ by }) => by.column ?? []),
  ];
}

/** ORDER BY without what is fixed by = and without repetition; aggregates keep their place. */
function effectiveOrder({
  query,
  names,
}: Context): { readonly name: string; readonly direction: "asc" | "desc" }[] {
  const seen = new Set(
    query.predicates.flatMap(({ kind, column }) => (kind === "equal" ? [names.of(column)] : [])),
  );
  return query.orderBy.flatMap(({ by, direction }) => {
    if (by.kind === "aggregate") return [{ name: `${by.function}()`, direction }];
    const name = names.of(by.column);
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ name, direction }];
  });
}

function wholeRules(context: Context): void {
  const { plan, query, broken } = context;
  const gets = plan.steps.filter((step) => step.kind === "get");
  const [first, ...later] = gets;
  if (!first || plan.steps[0] !== first) {
    broken.push("does not begin with a Get");
    return;
  }
  for (const step of later)
    if (step.order || step.grouped || step.aggregated || step.limit !== undefined)
      broken.push("asks a later Get to sort, group, aggregate or limit");
  const grouping = query.groupBy.length > 0;
  const aggregating =
    query.select.some(({ kind }) => kind === "aggregate") ||
    query.orderBy.some(({ by }) => by.kind === "aggregate");
  if (first.order) orderRules(context, first);
  if (first.grouped || first.aggregated) gatheringRules(context, first, gets.length, grouping);
  const gathered = first.grouped || first.aggregated;
  const groups = plan.steps.some(({ kind }) => kind === "group");
  if (gathered && groups) broken.push("groups twice");
  if ((grouping || aggregating) && !gathered && !groups) broken.push("does not group");
  const sorts = plan.steps.some(({ kind }) => kind === "sort");
  const oneRow = aggregating && !grouping;
  if (effectiveOrder(context).length > 0 && !oneRow && !first.order && !sorts)
    broken.push("does not sort");
  limitRules(context, first, later, grouping || aggregating);
  sequenceRules(context);
}

function onePartition({ query }: Context, { bindings }: GetStep): boolean {
  return bindings.every(
    ({ from }) =>
      from !== "fetched" &&
      (from.predicate < 0 || query.predicates[from.predicate]?.kind === "equal"),
  );
}

/** Inside one partition, by the clustering columns after the bound ones, all forwards or all backwards. */
function orderRules(context: Context, first: GetStep): void {
  const { broken } = context;
  const family = context.families.get(first.columnFamily);
  if (!family) return;
  if (!onePartition(context, first)) broken.push("promises an order across partitions or slices");
  const from = first.bindings.length - family.partitionKey.length;
  effectiveOrder(context).forEach(({ name, direction }, index) => {
    const column = family.clusteringKey[from + index];
    if (!column || nameIn(context, first, family, column) !== name) {
      broken.push("promises an order that the clustering key does not have");
      return;
    }
    const forwards = column.direction === direction;
    if (forwards !== (first.order === "forward")) broken.push("reads in the wrong direction");
  });
}

/** Groups on a prefix of the primary key, of one partition, with nothing left to filter. */
function gatheringRules(context: Context, first: GetStep, gets: number, grouping: boolean): void {
  const { query, names, plan, broken } = context;
  const family = context.families.get(first.columnFamily);
  if (!family) return;
  if (gets > 1) broken.push("lets the server group before a join");
  if (plan.steps.some(({ kind }) => kind === "filter"))
    broken.push("lets the server group before a filter");
  if (!onePartition(context, first))
    broken.push("lets the server group across partitions or slices");
  if (first.grouped !== grouping) broken.push("mistakes grouping for aggregating");
  if (!first.grouped) return;
  const wanted = new Set(query.groupBy.map((column) => names.of(column)));
  const determined = (values: ReadonlySet<string>): Set<string> => {
    const single = names.singledOut(values);
    const all = new Set(values);
    query.graph.nodes.forEach(({ entity }, node) => {
      if (!single.has(node)) return;
      for (const { name } of context.entityGraph.entities[entity]?.attributes ?? [])
        all.add(names.of({ node, attribute: name }));
    });
    return all;
  };
  const prefix = new Set(
    first.bindings.flatMap(({ column }) => nameIn(context, first, family, column) ?? []),
  );
  const complete = (): boolean => [...wanted].every((name) => determined(prefix).has(name));
  const allowed = determined(new Set([...wanted, ...prefix]));
  for (const column of family.clusteringKey.slice(
    first.bindings.length - family.partitionKey.length,
  )) {
    if (complete()) return;
    const name = nameIn(context, first, family, column);
    if (name === undefined || !allowed.has(name)) break;
    prefix.add(name);
  }
  if (!complete()) broken.push("lets the server group by what is no prefix of the primary key");
}

/** On the server only where every row it returns is a row of the answer, in the order of the answer. */
function limitRules(
  context: Context,
  first: GetStep,
  later: readonly GetStep[],
  gathers: boolean,
): void {
  const { query, names, plan, broken } = context;
  const steps = plan.steps.filter(({ kind }) => kind === "limit");
  if (query.limit === undefined) {
    if (steps.length > 0 || first.limit !== undefined) broken.push("limits without being asked");
    return;
  }
  if (first.limit === undefined) {
    if (steps.length === 0) broken.push("does not limit");
    return;
  }
  if (first.limit !== query.limit) broken.push("limits to another number");
  if (plan.steps.some(({ kind }) => kind === "filter")) broken.push("limits before a filter");
  if (!onePartition(context, first)) broken.push("limits across partitions or slices");
  if (gathers && !first.grouped) broken.push("limits before grouping or aggregating");
  if (effectiveOrder(context).length > 0 && !first.order) broken.push("limits before sorting");
  const rows = names.withParents(new Set(first.embedding.filter((node) => node >= 0)));
  for (const { embedding } of later)
    if (embedding.some((node) => node >= 0 && !rows.has(node)))
      broken.push("limits before a join that changes the rows");
  if (
    later.some(
      ({ bindings, range }) =>
        range !== undefined ||
        bindings.some(({ from }) => from !== "fetched" && !fixed(context, from.predicate)),
    )
  )
    broken.push("limits before another condition");
}

function fixed({ query }: Context, predicate: number): boolean {
  return predicate < 0 || query.predicates[predicate]?.kind === "equal";
}

/** Filter before group before sort before limit. */
function sequenceRules({ plan, query, broken }: Context): void {
  const rank: Readonly<Record<PlanStep["kind"], number>> = {
    get: 0,
    filter: 0,
    group: 1,
    sort: 2,
    limit: 3,
  };
  const ranks = plan.steps.map(({ kind }) => rank[kind]);
  if (ranks.some((each, index) => index > 0 && each < (ranks[index - 1] as number)))
    broken.push("does things in the wrong order");
  for (const step of plan.steps)
    if (step.kind === "limit" && step.limit !== query.limit)
      broken.push("limits to another number");
}
