/**
 * What a plan may ask of Cassandra and what it must do itself (engine.md §4), written as plain rules
 * over the plan as a person reads it. Shares nothing with enumeration, estimation or the recount, and
 * knows no costs: only whether each Get runs without ALLOW FILTERING, whether every value is at hand
 * where it is needed, and whether order, groups, aggregates and limit stand where they may.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Binding, GetStep, PlanStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import type { Query } from "#model/statement.ts";
import { Names, relationshipOf } from "./names.ts";

/** Which rules the plan breaks; empty for a right one. */
export function brokenRules(
  entityGraph: EntityGraph,
  query: Query,
  plan: QueryPlan,
  families: ReadonlyMap<string, ColumnFamily>,
): string[] {
  const rules = new PlanRules(entityGraph, query, plan, families);
  rules.check();
  return rules.broken;
}

/** A Get with its table: the table's columns by their names in the query, undefined outside its graph. */
interface Get {
  readonly step: GetStep;
  readonly family: ColumnFamily;
  readonly key: readonly (string | undefined)[];
  readonly columns: ReadonlySet<string>;
  readonly nodes: ReadonlySet<number>;
}

class PlanRules {
  readonly broken: string[] = [];
  private readonly entityGraph: EntityGraph;
  private readonly query: Query;
  private readonly plan: QueryPlan;
  private readonly names: Names;
  private readonly gets: readonly Get[];
  /** Values at hand in the application, among them those that the statement's parameters fix. */
  private readonly values = new Set(["*"]);
  /** Records whose rows are at hand. */
  private readonly records = new Set<number>();
  private readonly applied = new Set<number>();

  constructor(
    entityGraph: EntityGraph,
    query: Query,
    plan: QueryPlan,
    families: ReadonlyMap<string, ColumnFamily>,
  ) {
    this.entityGraph = entityGraph;
    this.query = query;
    this.plan = plan;
    this.names = new Names(entityGraph, query.graph);
    this.gets = plan.steps.flatMap((step) => {
      const family = step.kind === "get" ? families.get(step.columnFamily) : undefined;
      return step.kind === "get" && family ? [this.getOf(step, family)] : [];
    });
  }

  private getOf(step: GetStep, family: ColumnFamily): Get {
    const own = new Names(this.entityGraph, family.graph);
    const nameOf = (column: ColumnReference): string | undefined => {
      if (column.node < 0) return "*";
      for (const { node, attribute } of own.columns(own.of(column))) {
        const to = step.embedding[node] ?? -1;
        if (to >= 0) return this.names.of({ node: to, attribute });
      }
      return undefined;
    };
    return {
      step,
      family,
      key: [...family.partitionKey, ...family.clusteringKey].map(nameOf),
      columns: new Set(columnsOf(family).flatMap((column) => nameOf(column) ?? [])),
      nodes: new Set(step.embedding.filter((node) => node >= 0)),
    };
  }

  private demand(holds: boolean, otherwise: string): void {
    if (!holds) this.broken.push(otherwise);
  }

  check(): void {
    const { query, plan, names, gets } = this;
    for (const { kind, column } of query.predicates)
      if (kind === "equal") this.values.add(names.of(column));
    const known = gets.length === plan.columnFamilies.length && plan.steps[0]?.kind === "get";
    this.demand(known, "does not begin with a Get, or reads what is no candidate");
    if (!known) return;
    for (const { family } of gets) this.countersApart(family);
    let next = 0;
    for (const step of plan.steps) {
      if (step.kind === "get") this.follow(gets[next++] as Get);
      if (step.kind === "filter") for (const predicate of step.predicates) this.filter(predicate);
    }
    query.predicates.forEach((_, index) => {
      this.demand(this.applied.has(index), `condition ${index + 1} is neither bound nor filtered`);
    });
    for (const column of outputOf(query))
      this.demand(this.values.has(names.of(column)), `no Get asks for ${column.attribute}`);
    this.gathering();
    this.ordering();
    this.limiting();
    this.sequence();
  }

  /** A counter in no key, and in a table with counters nothing else but the key. */
  private countersApart({ graph, partitionKey, clusteringKey, values }: ColumnFamily): void {
    const typeOf = ({ node, attribute }: ColumnReference): string | undefined =>
      this.entityGraph.entities[graph.nodes[node]?.entity ?? ""]?.attributes.find(
        ({ name }) => name === attribute,
      )?.type;
    this.demand(
      [...partitionKey, ...clusteringKey].every((column) => typeOf(column) !== "counter"),
      "reads a table with a counter in its key",
    );
    this.demand(
      new Set(values.map((column) => typeOf(column) === "counter")).size < 2,
      "reads a table with counters beside other values",
    );
  }

  // --- one Get after the other ------------------------------------------------------------------

  private follow(get: Get): void {
    const { step, columns, nodes } = get;
    this.placing(get);
    this.keyBound(get);
    if (this.records.size > 0) this.joined(get);
    for (const column of step.selects) {
      this.demand(columns.has(this.names.of(column)), `asks a table for a column it lacks`);
      this.values.add(this.names.of(column));
    }
    for (const { from } of step.bindings) if (from !== "fetched") this.applied.add(from.predicate);
    if (step.range !== undefined) this.applied.add(step.range);
    for (const node of nodes) this.records.add(node);
    // A foreign key stands for its parent, which every child has.
    const parents = this.names.withParents(this.records);
    for (const node of this.names.identified(columns))
      if (parents.has(node)) this.records.add(node);
  }

  /** The table's graph lies on the query's by the same relationships; outside it only parents that every child has. */
  private placing({ step, family }: Get): void {
    const { query, entityGraph } = this;
    const placed = (node: number): number => step.embedding[node] ?? -1;
    family.graph.nodes.forEach(({ entity }, node) => {
      const right = placed(node) < 0 || query.graph.nodes[placed(node)]?.entity === entity;
      this.demand(right, "takes one entity for another");
    });
    for (const { relationship, parent, child } of family.graph.edges) {
      const { multiplicity, optional } = relationshipOf(entityGraph, relationship);
      const inside = placed(parent) >= 0 && placed(child) >= 0;
      const same = query.graph.edges.some(
        (edge) =>
          edge.relationship === relationship &&
          edge.parent === placed(parent) &&
          edge.child === placed(child),
      );
      const harmless = placed(parent) < 0 && multiplicity !== "manyToMany" && !optional;
      this.demand(inside ? same : harmless, "uses a table whose rows are others");
    }
  }

  /** Partition wholly bound, clustering from left to right, then one range; every value known by then. */
  private keyBound({ step, family, key }: Get): void {
    const { query, names } = this;
    const columns = [...family.partitionKey, ...family.clusteringKey];
    const partition = family.partitionKey.length;
    this.demand(step.bindings.length >= partition, "leaves a partition column unbound");
    step.bindings.forEach(({ column, key: part, from }, position) => {
      const expected = columns[position];
      const inOrder = expected?.node === column.node && expected.attribute === column.attribute;
      this.demand(inOrder, "skips a key column");
      this.demand(
        (part === "partition") === position < partition,
        "mistakes partition and clustering",
      );
      this.demand(
        this.hasValue(key[position], from),
        "binds a key column to what is not its value",
      );
    });
    if (step.range === undefined) return;
    const predicate = query.predicates[step.range];
    const right =
      predicate?.kind === "range" && names.of(predicate.column) === key[step.bindings.length];
    this.demand(right, "puts a range where the key has none");
  }

  private hasValue(name: string | undefined, from: Binding["from"]): boolean {
    if (name === undefined) return false;
    if (from === "fetched") return this.values.has(name);
    if (from.predicate < 0) return name === "*";
    const predicate = this.query.predicates[from.predicate];
    return (
      predicate !== undefined &&
      predicate.kind !== "range" &&
      this.names.of(predicate.column) === name
    );
  }

  /** Rows of a later Get meet the rows so far on values that both have and that single out every record both hold. */
  private joined({ step, key, nodes }: Get): void {
    const { names } = this;
    const own = new Set([
      ...step.selects.map((column) => names.of(column)),
      ...key.slice(0, step.bindings.length),
    ]);
    const on = new Set(step.joinOn.map((column) => names.of(column)));
    for (const value of on) {
      this.demand(this.values.has(value), "joins on a value that no Get before asked for");
      this.demand(own.has(value), "joins on a value that this Get neither binds nor asks for");
    }
    const reach = names.withParents(this.records);
    this.demand(
      [...names.withParents(nodes)].some((node) => reach.has(node)),
      "joins records that have nothing in common",
    );
    const single = names.singledOut(on);
    const both = [...nodes].filter((node) => this.records.has(node));
    this.demand(
      both.every((node) => single.has(node)),
      "joins without the identity of what both hold",
    );
  }

  private filter(predicate: number): void {
    const column = this.query.predicates[predicate]?.column;
    const known = column !== undefined && this.values.has(this.names.of(column));
    this.demand(known, "filters by a value that no Get asked for");
    this.applied.add(predicate);
  }

  // --- order, groups, aggregates, limit ---------------------------------------------------------

  private has(kind: PlanStep["kind"]): boolean {
    return this.plan.steps.some((step) => step.kind === kind);
  }

  private isFixed(from: Binding["from"]): boolean {
    if (from === "fetched") return false;
    return from.predicate < 0 || this.query.predicates[from.predicate]?.kind === "equal";
  }

  /** The Get reads one stretch of one partition, whatever the parameters are. */
  private readsOneSlice({ step }: Get): boolean {
    return step.bindings.every(({ from }) => this.isFixed(from));
  }

  private get grouping(): boolean {
    return this.query.groupBy.length > 0;
  }

  private get aggregating(): boolean {
    const { select, orderBy } = this.query;
    return [...select, ...orderBy.map(({ by }) => by)].some(({ kind }) => kind === "aggregate");
  }

  /** ORDER BY without what is fixed by = and without repetition; an aggregate has no column to be stored by. */
  private effectiveOrder(): { readonly name: string | undefined; readonly direction: string }[] {
    const seen = new Set(
      this.query.predicates.flatMap(({ kind, column }) =>
        kind === "equal" ? [this.names.of(column)] : [],
      ),
    );
    const order: { name: string | undefined; direction: string }[] = [];
    for (const { by, direction } of this.query.orderBy) {
      const name = by.kind === "aggregate" ? undefined : this.names.of(by.column);
      if (name !== undefined && seen.has(name)) continue;
      if (name !== undefined) seen.add(name);
      order.push({ name, direction });
    }
    return order;
  }

  /** Groups and aggregates: by the server within one slice, with nothing to filter or join after it; else by the application. */
  private gathering(): void {
    const first = this.gets[0] as Get;
    const { grouped, aggregated } = first.step;
    const byServer = grouped || aggregated;
    const wanted = this.grouping || this.aggregating;
    this.demand(!(byServer && this.has("group")), "groups twice");
    this.demand(
      wanted === (byServer || this.has("group")) || this.answersNothing(),
      "groups though it should not, or not though it should",
    );
    for (const { step } of this.gets.slice(1))
      this.demand(
        !step.order && !step.grouped && !step.aggregated && step.limit === undefined,
        "asks a later Get to sort, group, aggregate or limit",
      );
    if (!byServer) return;
    this.demand(this.gets.length === 1, "lets the server group before a join");
    this.demand(!this.has("filter"), "lets the server group before a filter");
    this.demand(this.readsOneSlice(first), "lets the server group across partitions or slices");
    this.demand(grouped === this.grouping, "mistakes grouping for aggregating");
    if (grouped)
      this.demand(
        this.groupsOnPrefix(first),
        "lets the server group by what is no prefix of the key",
      );
  }

  /** No row is expected, so that steps without work may be left out. */
  private answersNothing(): boolean {
    return this.gets.some(({ step }) => step.rows === 0);
  }

  private groupsOnPrefix({ step, key }: Get): boolean {
    const { names, query } = this;
    const wanted = query.groupBy.map((column) => names.of(column));
    const prefix = new Set(key.slice(0, step.bindings.length).flatMap((name) => name ?? []));
    const allowed = names.determined(new Set([...wanted, ...prefix]));
    const complete = (): boolean => {
      const determined = names.determined(prefix);
      return wanted.every((name) => determined.has(name));
    };
    for (const name of key.slice(step.bindings.length)) {
      if (complete()) return true;
      if (name === undefined || !allowed.has(name)) return false;
      prefix.add(name);
    }
    return complete();
  }

  /** The server's order: inside one slice, by the clustering columns after the bound ones, all forwards or all backwards. */
  private ordering(): void {
    const first = this.gets[0] as Get;
    const wanted = this.effectiveOrder();
    const { order, bindings } = first.step;
    if (!order) {
      const oneRow = this.aggregating && !this.grouping;
      const sorted = wanted.length === 0 || oneRow || this.has("sort") || this.answersNothing();
      this.demand(sorted, "does not sort");
      return;
    }
    this.demand(!this.has("sort"), "sorts twice");
    this.demand(this.readsOneSlice(first), "promises an order across partitions or slices");
    const { family, key } = first;
    wanted.forEach(({ name, direction }, index) => {
      const position = bindings.length + index;
      const column = family.clusteringKey[position - family.partitionKey.length];
      this.demand(
        column !== undefined && name !== undefined && key[position] === name,
        "promises an order that the clustering key does not have",
      );
      const forwards = column?.direction === direction;
      this.demand(forwards === (order === "forward"), "reads in the wrong direction");
    });
  }

  private limiting(): void {
    const { query, plan } = this;
    const first = this.gets[0] as Get;
    const stated = plan.steps.flatMap((step) => (step.kind === "limit" ? [step.limit] : []));
    const all = first.step.limit === undefined ? stated : [...stated, first.step.limit];
    this.demand(
      (query.limit === undefined) === (all.length === 0),
      "limits unasked, or does not limit",
    );
    this.demand(
      all.every((limit) => limit === query.limit),
      "limits to another number",
    );
    if (first.step.limit !== undefined) this.limitingOnServer(first);
  }

  /** Only where every row the server returns is a row of the answer, in the order of the answer. */
  private limitingOnServer(first: Get): void {
    const { step } = first;
    this.demand(!this.has("filter"), "limits before a filter");
    this.demand(this.readsOneSlice(first), "limits across partitions or slices");
    const gathers = this.grouping || this.aggregating;
    this.demand(!gathers || step.grouped, "limits before grouping or aggregating");
    this.demand(
      this.effectiveOrder().length === 0 || step.order !== undefined,
      "limits before sorting",
    );
    const rows = this.names.withParents(first.nodes);
    for (const later of this.gets.slice(1)) {
      const same = [...later.nodes].every((node) => rows.has(node));
      this.demand(same, "limits before a join that changes the rows");
      const conditions = later.step.bindings.some(
        ({ from }) => from !== "fetched" && !this.isFixed(from),
      );
      this.demand(!conditions && later.step.range === undefined, "limits before another condition");
    }
  }

  /** Gets and filters before groups before the sort before the limit. */
  private sequence(): void {
    const rank: Readonly<Record<PlanStep["kind"], number>> = {
      get: 0,
      filter: 0,
      group: 1,
      sort: 2,
      limit: 3,
    };
    const ranks = this.plan.steps.map(({ kind }) => rank[kind]);
    const sorted = ranks.every(
      (each, index) => index === 0 || each >= (ranks[index - 1] as number),
    );
    this.demand(sorted, "does things in the wrong order");
  }
}

function outputOf({ select, groupBy, orderBy }: Query): ColumnReference[] {
  return [
    ...select.flatMap(({ column }) => column ?? []),
    ...groupBy,
    ...orderBy.flatMap(({ by }) => by.column ?? []),
  ];
}
