/**
 * A second opinion on a query plan, written from the definitions (engine.md §4, §6) and sharing no
 * code with enumeration or estimation: is every Get legal, does the plan hold the whole answer, and
 * do n, w, s and the cost come out the same?
 *
 * It works on names rather than classes: a **fact** is a column of the query's graph, `node.attribute`,
 * and `same` lists the facts that the joins make equal.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { columnsOf } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import type { Predicate, Query } from "#model/statement.ts";

/** What is wrong with the plan, one sentence each; empty when nothing is. */
export function recountPlan(
  query: Query,
  plan: QueryPlan,
  families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>,
  entityGraph: EntityGraph,
  model: CostModel,
): string[] {
  const facts = new Facts(entityGraph, query);
  const complaints: string[] = [];
  const state: State = { nodes: new Set(), known: new Set(), applied: new Set(), rows: 0, limited: undefined };
  let cost = 0;
  const steps = plan.steps;
  let single: GetStep | undefined;
  let gets = 0;
  for (const [index, step] of steps.entries()) {
    cost += step.cost;
    if (step.kind === "get") {
      gets += 1;
      single = gets === 1 ? step : undefined;
      const family = families.get(step.columnFamily);
      if (!family) return [`Plan ${plan.key} uses ${step.columnFamily}, which is not described.`];
      const next = steps[index + 1];
      const filtered = next?.kind === "filter" ? next.predicates : [];
      complaints.push(...followGet(facts, state, step, family, filtered, model, gets === 1));
    }
  }
  complaints.push(...missingFromAnswer(facts, state));
  complaints.push(...finalWork(facts, state, plan, single, model));
  if (!close(cost, plan.cost)) complaints.push(`the steps cost ${cost} ms together, but the plan says ${plan.cost} ms`);
  return complaints.map((text) => `${plan.statement}: ${text}.`);
}

interface State {
  nodes: Set<number>;
  known: Set<string>;
  applied: Set<number>;
  rows: number;
  limited: number | undefined;
}

/** Facts of one query's graph. */
class Facts {
  readonly entityGraph: EntityGraph;
  readonly query: Query;
  private readonly root = new Map<string, string>();

  constructor(entityGraph: EntityGraph, query: Query) {
    this.entityGraph = entityGraph;
    this.query = query;
    for (const edge of query.graph.edges)
      for (const pair of this.relationship(edge.relationship).foreignKey)
        this.unite(`${edge.child}.${pair.child}`, `${edge.parent}.${pair.parent}`);
  }

  relationship(id: string): Relationship {
    const found = this.entityGraph.relationships.find((each) => each.id === id);
    if (!found) throw new Error(`no relationship ${id}`);
    return found;
  }

  /** The fact that stands for all facts equal to this column; undefined outside the graph. */
  fact({ node, attribute }: ColumnReference): string | undefined {
    if (node < 0) return attribute === "*" ? "*" : undefined;
    return this.find(`${node}.${attribute}`);
  }

  private find(name: string): string {
    let at = name;
    for (let next = this.root.get(at); next !== undefined; next = this.root.get(at)) at = next;
    return at;
  }

  private unite(a: string, b: string): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first !== second) this.root.set(first, second);
  }

  identity(node: number): string[] {
    const entity = this.entityGraph.entities[this.query.graph.nodes[node]?.entity ?? ""];
    return (entity?.identifier ?? []).map((attribute) => this.find(`${node}.${attribute}`));
  }

  count(node: number): number {
    return this.entityGraph.entities[this.query.graph.nodes[node]?.entity ?? ""]?.count ?? 0;
  }

  /** All columns that a fact stands for. */
  columns(fact: string): { node: number; distinct: number; bytes: number }[] {
    return this.query.graph.nodes.flatMap(({ entity }, node) =>
      (this.entityGraph.entities[entity]?.attributes ?? [])
        .filter(({ name }) => this.find(`${node}.${name}`) === fact)
        .map(({ distinct, bytes }) => ({ node, distinct, bytes })),
    );
  }

  distinct(fact: string): number {
    return Math.min(...this.columns(fact).map((each) => each.distinct));
  }

  /** Nodes that known facts pin down to one record each. */
  pinned(known: ReadonlySet<string>): Set<number> {
    const nodes = new Set(this.query.graph.nodes.map((_, node) => node).filter((node) => this.identity(node).every((fact) => known.has(fact))));
    for (let grown = true; grown; ) {
      grown = false;
      for (const { relationship, parent, child } of this.query.graph.edges) {
        const { multiplicity } = this.relationship(relationship);
        if (multiplicity === "manyToMany") continue;
        if (nodes.has(child) && !nodes.has(parent)) grown = Boolean(nodes.add(parent));
        if (multiplicity === "oneToOne" && nodes.has(parent) && !nodes.has(child)) grown = Boolean(nodes.add(child));
      }
    }
    return nodes;
  }

  /** Adds parents that every child has; with `known`, only those whose identity is known. */
  withParents(nodes: ReadonlySet<number>, known?: ReadonlySet<string>): Set<number> {
    const all = new Set(nodes);
    for (let grown = true; grown; ) {
      grown = false;
      for (const { relationship, parent, child } of this.query.graph.edges) {
        const { multiplicity, optional } = this.relationship(relationship);
        if (multiplicity === "manyToMany" || optional || !all.has(child) || all.has(parent)) continue;
        if (known && !this.identity(parent).every((fact) => known.has(fact))) continue;
        all.add(parent);
        grown = true;
      }
    }
    return all;
  }

  /** Expected rows of the join over some nodes. */
  joinRows(nodes: ReadonlySet<number>): number {
    let rows = [...nodes].reduce((product, node) => product * this.count(node), 1);
    for (const { relationship, parent, child } of this.query.graph.edges)
      if (nodes.has(parent) && nodes.has(child))
        rows *= this.relationship(relationship).links / (this.count(parent) * this.count(child));
    return rows;
  }

  /** Combinations that some facts can take among the records of `within`. */
  combinations(facts: ReadonlySet<string>, within: ReadonlySet<number>): number {
    const pinned = new Set([...this.pinned(facts)].filter((node) => within.has(node)));
    let result = this.joinRows(pinned);
    for (const fact of facts)
      if (fact !== "*" && !this.columns(fact).some(({ node }) => pinned.has(node))) result *= this.distinct(fact);
    return result;
  }

  selectivity(predicate: Predicate): number {
    if (predicate.kind === "range") return predicate.selectivity;
    const distinct = this.distinct(this.fact(predicate.column) ?? "");
    return this.listLength(predicate) / distinct;
  }

  listLength(predicate: Predicate): number {
    if (predicate.kind !== "in") return 1;
    return Math.min(predicate.listLength, this.distinct(this.fact(predicate.column) ?? ""));
  }

  /** Rows that the applied predicates leave of the join over the nodes; a whole identifier leaves one record. */
  share(applied: ReadonlySet<number>): number {
    const equal = new Map<string, number>();
    for (const index of applied) {
      const predicate = this.query.predicates[index];
      if (predicate?.kind === "equal") equal.set(this.fact(predicate.column) ?? "", index);
    }
    const counted = new Set<number>();
    let share = 1;
    this.query.graph.nodes.forEach((_, node) => {
      const identity = this.identity(node);
      const indices = identity.map((fact) => equal.get(fact));
      if (identity.length < 2 || indices.some((index) => index === undefined || counted.has(index))) return;
      for (const index of indices) counted.add(index as number);
      share /= this.count(node);
    });
    for (const index of applied) {
      const predicate = this.query.predicates[index];
      if (predicate && !counted.has(index)) share *= this.selectivity(predicate);
    }
    return share;
  }
}

/** One Get against the rules, with its figures; moves the state on. */
function followGet(
  facts: Facts,
  state: State,
  step: GetStep,
  family: ColumnFamily,
  filtered: readonly number[],
  model: CostModel,
  first: boolean,
): string[] {
  const complaints: string[] = [];
  const place = (column: ColumnReference): string | undefined => factOf(facts, step, family, column);
  const name = step.columnFamily;
  const key = [...family.partitionKey, ...family.clusteringKey];
  if (step.bindings.length < family.partitionKey.length) complaints.push(`the Get on ${name} leaves its partition key unbound`);
  const fetched = new Set<string>();
  const server = new Set<number>();
  for (const [position, binding] of step.bindings.entries()) {
    const column = key[position];
    const fact = column && place(column);
    if (!column || column.node !== binding.column.node || column.attribute !== binding.column.attribute)
      complaints.push(`the Get on ${name} does not bind its key from left to right`);
    if (binding.from === "fetched") {
      if (fact === undefined || !state.known.has(fact)) complaints.push(`the Get on ${name} uses a value that was not fetched before`);
      else fetched.add(fact);
    } else if (binding.from.predicate >= 0) {
      const predicate = facts.query.predicates[binding.from.predicate];
      if (!predicate || predicate.kind === "range" || facts.fact(predicate.column) !== fact)
        complaints.push(`the Get on ${name} binds a column by a condition on another one`);
      server.add(binding.from.predicate);
    } else if (fact !== "*") complaints.push(`the Get on ${name} binds a column to nothing`);
  }
  if (step.range !== undefined) {
    const column = key[step.bindings.length];
    const predicate = facts.query.predicates[step.range];
    if (!column || predicate?.kind !== "range" || facts.fact(predicate.column) !== place(column))
      complaints.push(`the Get on ${name} restricts a column by a range where Cassandra does not allow it`);
    server.add(step.range);
  }

  const columns = new Set(columnsOf(family).flatMap((column) => place(column) ?? []));
  const inside = step.embedding.filter((node) => node >= 0);
  const nodes = facts.withParents(new Set(inside), columns);
  if (!first) complaints.push(...joinComplaints(facts, state, nodes, columns, name));
  const figures = expectedFigures(facts, state, fetched, server, new Set(inside), model);
  const known = new Set([...state.known, ...columns]);
  const applied = new Set(state.applied);
  facts.query.predicates.forEach((predicate, index) => {
    if (known.has(facts.fact(predicate.column) ?? "")) applied.add(index);
  });
  for (const index of applied)
    if (!state.applied.has(index) && !server.has(index) && !filtered.includes(index))
      complaints.push(`condition ${index + 1} is neither served by ${name} nor filtered after it`);

  const groups = step.grouped ? expectedGroups(facts) : undefined;
  const rows = groups ?? (step.limit !== undefined ? Math.min(figures.rows, step.limit) : figures.rows);
  if (!close(figures.gets, step.gets)) complaints.push(`${name} takes ${figures.gets} Gets, not ${step.gets}`);
  if (!close(rows, step.rows)) complaints.push(`${name} returns ${rows} rows, not ${step.rows}`);
  const { fixed, perGet, perRow, perByte } = model.get;
  const cost = fixed + perGet * figures.gets + perRow * rows + perByte * rows * step.bytesPerRow;
  if (!close(cost, step.cost)) complaints.push(`the Get on ${name} costs ${cost} ms, not ${step.cost} ms`);
  complaints.push(...bytesComplaints(facts, step, model, family));

  state.nodes = facts.withParents(new Set([...state.nodes, ...nodes]), known);
  state.known = known;
  state.applied = applied;
  state.rows = facts.joinRows(state.nodes) * facts.share(applied);
  if (first) state.limited = step.limit;
  if (state.limited !== undefined) state.rows = Math.min(state.rows, state.limited);
  return complaints;
}

/** The column's fact in the query, reached through whichever equal column lies inside the graph. */
function factOf(facts: Facts, step: GetStep, family: ColumnFamily, column: ColumnReference): string | undefined {
  if (column.node < 0) return "*";
  const open = [column];
  const seen = new Set<string>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const text = `${at.node}.${at.attribute}`;
    if (seen.has(text)) continue;
    seen.add(text);
    const node = step.embedding[at.node] ?? -1;
    if (node >= 0) return facts.fact({ node, attribute: at.attribute });
    for (const edge of family.graph.edges) {
      for (const pair of facts.relationship(edge.relationship).foreignKey) {
        if (edge.parent === at.node && pair.parent === at.attribute) open.push({ node: edge.child, attribute: pair.child });
        if (edge.child === at.node && pair.child === at.attribute) open.push({ node: edge.parent, attribute: pair.parent });
      }
    }
  }
  return undefined;
}

function joinComplaints(facts: Facts, state: State, nodes: ReadonlySet<number>, columns: ReadonlySet<string>, name: string): string[] {
  const overlap = [...nodes].filter((node) => state.nodes.has(node));
  const common = new Set([...columns].filter((fact) => state.known.has(fact)));
  const pinned = facts.pinned(common);
  if (overlap.length > 0 && overlap.every((node) => pinned.has(node))) return [];
  return [`the rows of ${name} cannot be joined to the rows so far by the identity of what both hold`];
}

function expectedFigures(
  facts: Facts,
  state: State,
  fetched: ReadonlySet<string>,
  server: ReadonlySet<number>,
  nodes: ReadonlySet<number>,
  model: CostModel,
): { gets: number; rows: number } {
  const within = facts.withParents(nodes);
  const pinned = facts.pinned(fetched);
  let keys = 1;
  let rows = facts.joinRows(nodes);
  if (fetched.size > 0) {
    rows /= facts.combinations(fetched, within);
    const whole = [...state.nodes].every((node) => pinned.has(node));
    if (model.getsPer === "row" || whole) keys = state.rows;
    else {
      let values = facts.combinations(fetched, new Set(facts.query.graph.nodes.map((_, node) => node)));
      for (const index of state.applied)
        if (touches(facts, index, pinned)) values *= facts.selectivity(facts.query.predicates[index] as Predicate);
      keys = values <= 1 ? Math.min(values, state.rows) : Math.min(state.rows, values * (1 - (1 - 1 / values) ** state.rows));
    }
  }
  const onOverlap = new Set([...pinned].filter((node) => within.has(node)));
  const fresh = new Set([...server].filter((index) => !(state.applied.has(index) && touches(facts, index, onOverlap))));
  const lists = [...server].reduce((product, index) => product * facts.listLength(facts.query.predicates[index] as Predicate), 1);
  return { gets: keys * lists, rows: keys * rows * facts.share(fresh) };
}

function touches(facts: Facts, index: number, nodes: ReadonlySet<number>): boolean {
  const predicate = facts.query.predicates[index];
  return predicate !== undefined && facts.columns(facts.fact(predicate.column) ?? "").some(({ node }) => nodes.has(node));
}

function expectedGroups(facts: Facts): number {
  const { query } = facts;
  const grouping = new Set(query.groupBy.flatMap((column) => facts.fact(column) ?? []));
  const all = new Set(query.graph.nodes.map((_, node) => node));
  const rows = facts.joinRows(all) * facts.share(new Set(query.predicates.map((_, index) => index)));
  const pinned = facts.pinned(grouping);
  let values = facts.combinations(grouping, all);
  query.predicates.forEach((predicate, index) => {
    if (touches(facts, index, pinned) || grouping.has(facts.fact(predicate.column) ?? "")) values *= facts.selectivity(predicate);
  });
  values = Math.max(values, Math.min(1, rows));
  return values <= 1 ? Math.min(values, rows) : Math.min(rows, values * (1 - (1 - 1 / values) ** rows));
}

function bytesComplaints(facts: Facts, step: GetStep, model: CostModel, family: ColumnFamily): string[] {
  if (step.aggregated) return step.bytesPerRow === 0 ? [] : ["an aggregate returns no row bytes"];
  const selected = step.selects.map((column) => facts.columns(facts.fact(column) ?? "")[0]?.bytes ?? Number.NaN);
  const available = new Set(columnsOf(family).flatMap((column) => factOf(facts, step, family, column) ?? []));
  const unknown = step.selects.filter((column) => !available.has(facts.fact(column) ?? ""));
  if (unknown.length > 0) return [`${step.columnFamily} is asked for columns it does not hold`];
  if (model.bytesOf === "wholeRow") return [];
  const bytes = selected.reduce((sum, each) => sum + each, 0);
  return close(bytes, step.bytesPerRow) ? [] : [`a row of ${step.columnFamily} returns ${bytes} bytes, not ${step.bytesPerRow}`];
}

function missingFromAnswer(facts: Facts, state: State): string[] {
  const { query } = facts;
  const wanted = [...query.select.flatMap((item) => item.column ?? []), ...query.groupBy, ...query.orderBy.flatMap(({ by }) => by.column ?? [])];
  const complaints: string[] = [];
  if (wanted.some((column) => !state.known.has(facts.fact(column) ?? ""))) complaints.push("the plan does not fetch every column of the answer");
  if (state.applied.size !== query.predicates.length) complaints.push("the plan does not apply every condition");
  if (facts.withParents(state.nodes).size !== query.graph.nodes.length) complaints.push("the plan does not join every entity of the query");
  return complaints;
}

/** Grouping, sorting and the limit: done by the server where it may, else by the application at its price. */
function finalWork(facts: Facts, state: State, plan: QueryPlan, single: GetStep | undefined, model: CostModel): string[] {
  const { query } = facts;
  const complaints: string[] = [];
  const step = <K extends string>(kind: K) => plan.steps.find((each) => each.kind === kind);
  const aggregates = query.select.some(({ kind }) => kind === "aggregate");
  const byServer = single?.grouped || single?.aggregated;
  const groupStep = step("group");
  if ((query.groupBy.length > 0 || aggregates) && !byServer && !groupStep) complaints.push("nothing groups the rows");
  if (groupStep && !close(groupStep.cost, model.group.perRow * state.rows)) complaints.push("grouping is costed wrongly");
  const fixed = new Set(query.predicates.filter(({ kind }) => kind === "equal").map(({ column }) => facts.fact(column)));
  const ordered = query.orderBy.filter(({ by }) => by.kind === "aggregate" || !fixed.has(facts.fact(by.column)));
  const oneRow = aggregates && query.groupBy.length === 0;
  const first = plan.steps[0];
  const served = first?.kind === "get" && first.order !== undefined;
  const sortStep = step("sort");
  const rows = query.groupBy.length > 0 ? expectedGroups(facts) : state.rows;
  if (ordered.length > 0 && !oneRow && !served && !sortStep && rows > 0) complaints.push("nothing puts the rows in order");
  if (sortStep && !close(sortStep.cost, rows > 1 ? model.sort.perRowLog * rows * Math.log2(rows) : 0)) complaints.push("sorting is costed wrongly");
  const limited = step("limit") !== undefined || (first?.kind === "get" && first.limit !== undefined);
  if (query.limit !== undefined && !limited) complaints.push("nothing limits the rows");
  return complaints;
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1e-9, Math.abs(a), Math.abs(b));
}
