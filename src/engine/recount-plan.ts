/**
 * A second opinion on a query plan, written from the definitions (engine.md §4, §6) and sharing no
 * code with enumeration or estimation: is every Get legal, does the plan hold the whole answer, and
 * do n, w, s and the cost come out the same?
 *
 * It works on the facts of `recount-facts.ts` rather than on column classes.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { columnsOf } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Binding, GetStep, QueryPlan } from "#model/plan.ts";
import type { Predicate, Query } from "#model/statement.ts";
import { QueryFacts } from "./recount-facts.ts";
import { type RecountedGet, selectionComplaints, serverComplaints } from "./recount-server.ts";

/** What is wrong with the plan, one sentence each; empty when nothing is. */
export function recountPlan(
  query: Query,
  plan: QueryPlan,
  families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>,
  entityGraph: EntityGraph,
  model: CostModel,
): string[] {
  const facts = new QueryFacts(entityGraph, query);
  const complaints: string[] = [];
  const state: State = {
    nodes: new Set(),
    known: new Set(),
    applied: new Set(),
    rows: 0,
    limited: undefined,
  };
  const gets: RecountedGet[] = [];
  for (const [index, step] of plan.steps.entries()) {
    if (step.kind !== "get") continue;
    const family = families.get(step.columnFamily);
    if (!family) return [`Plan ${plan.key} uses ${step.columnFamily}, which is not described.`];
    const next = plan.steps[index + 1];
    const filter = next?.kind === "filter" ? next : undefined;
    const first = gets.length === 0;
    const keys = boundKeys(facts, state, step, family);
    const served = new Set([...state.applied, ...keys.server]);
    complaints.push(
      ...followGet(facts, state, step, family, keys, filter?.predicates ?? [], model, first),
    );
    if (filter) complaints.push(...filterComplaints(facts, state, served, filter));
    gets.push({ step, family, fetched: keys.fetched, filtered: filter?.predicates ?? [] });
  }
  complaints.push(...missingFromAnswer(facts, state));
  complaints.push(...serverComplaints(facts, gets, plan));
  complaints.push(...selectionComplaints(facts, gets));
  const single = gets.length === 1 ? gets[0]?.step : undefined;
  complaints.push(...finalWork(facts, state, plan, single, model));
  const cost = plan.steps.reduce((sum, step) => sum + step.cost, 0);
  if (!close(cost, plan.cost))
    complaints.push(`the steps cost ${cost} ms together, but the plan says ${plan.cost} ms`);
  return complaints.map((text) => `${plan.statement}: ${text}.`);
}

/** A filter works on the rows joined so far, of which its conditions leave a share. */
function filterComplaints(
  facts: QueryFacts,
  state: State,
  served: ReadonlySet<number>,
  { rows, left }: { readonly rows: number; readonly left: number },
): string[] {
  const joined = facts.joinRows(state.nodes);
  return [
    ...(close(rows, joined * facts.share(served))
      ? []
      : ["a filter works on other rows than were joined"]),
    ...(close(left, joined * facts.share(state.applied))
      ? []
      : ["a filter leaves other rows than its conditions let pass"]),
  ];
}

interface State {
  nodes: Set<number>;
  known: Set<string>;
  applied: Set<number>;
  rows: number;
  limited: number | undefined;
}

/** One Get against the rules, with its figures; moves the state on. */
function followGet(
  facts: QueryFacts,
  state: State,
  step: GetStep,
  family: ColumnFamily,
  keys: BoundKeys,
  filtered: readonly number[],
  model: CostModel,
  first: boolean,
): string[] {
  const columns = new Set(
    columnsOf(family).flatMap((column) => facts.across(step, family, column) ?? []),
  );
  const inside = new Set(step.embedding.filter((node) => node >= 0));
  const nodes = facts.withParents(inside, columns);
  const known = new Set([...state.known, ...columns]);
  const applied = new Set(state.applied);
  facts.query.predicates.forEach((predicate, index) => {
    if (known.has(facts.fact(predicate.column) ?? "")) applied.add(index);
  });
  const unserved = [...applied].filter(
    (index) => !state.applied.has(index) && !keys.server.has(index) && !filtered.includes(index),
  );
  const complaints = [
    ...keys.complaints,
    ...(first ? [] : joinComplaints(facts, state, nodes, columns, step.columnFamily)),
    ...unserved.map(
      (index) =>
        `condition ${index + 1} is neither served by ${step.columnFamily} nor filtered after it`,
    ),
    ...figureComplaints(facts, state, step, keys, inside, model),
    ...bytesComplaints(facts, step, model, family),
  ];

  state.nodes = facts.withParents(new Set([...state.nodes, ...nodes]), known);
  state.known = known;
  state.applied = applied;
  if (first) state.limited = step.limit;
  const rows = facts.joinRows(state.nodes) * facts.share(applied);
  state.rows = Math.min(rows, state.limited ?? rows);
  return complaints;
}

interface BoundKeys {
  readonly complaints: readonly string[];
  /** Facts bound to values fetched before. */
  readonly fetched: ReadonlySet<string>;
  /** Conditions that the server applies. */
  readonly server: ReadonlySet<number>;
}

/** The key columns are bound from left to right, the partition key wholly, and a range stands right after them. */
function boundKeys(
  facts: QueryFacts,
  state: State,
  step: GetStep,
  family: ColumnFamily,
): BoundKeys {
  const name = step.columnFamily;
  const key = [...family.partitionKey, ...family.clusteringKey];
  const complaints: string[] = [];
  const fetched = new Set<string>();
  const server = new Set<number>();
  if (step.bindings.length < family.partitionKey.length)
    complaints.push(`the Get on ${name} leaves its partition key unbound`);
  const inOrder = step.bindings.every(({ column }, position) => {
    const expected = key[position];
    return expected?.node === column.node && expected.attribute === column.attribute;
  });
  if (!inOrder) complaints.push(`the Get on ${name} does not bind its key from left to right`);
  for (const binding of step.bindings) {
    const { column } = binding;
    const fact = facts.across(step, family, column);
    if (!bindsRightly(facts, state, binding.from, fact))
      complaints.push(
        `the Get on ${name} binds ${column.attribute} to a value that is not its own or not known`,
      );
    if (binding.from === "fetched") fetched.add(fact ?? "");
    else if (binding.from.predicate >= 0) server.add(binding.from.predicate);
  }
  if (step.range !== undefined) {
    server.add(step.range);
    const column = key[step.bindings.length];
    const predicate = facts.query.predicates[step.range];
    const fact = column && facts.across(step, family, column);
    if (predicate?.kind !== "range" || facts.fact(predicate.column) !== fact)
      complaints.push(
        `the Get on ${name} restricts a column by a range where Cassandra does not allow it`,
      );
  }
  return { complaints, fetched, server };
}

function bindsRightly(
  facts: QueryFacts,
  state: State,
  from: Binding["from"],
  fact: string | undefined,
): boolean {
  if (fact === undefined) return false;
  if (from === "fetched") return state.known.has(fact);
  if (from.predicate < 0) return fact === "*";
  const predicate = facts.query.predicates[from.predicate];
  return (
    predicate !== undefined && predicate.kind !== "range" && facts.fact(predicate.column) === fact
  );
}

function figureComplaints(
  facts: QueryFacts,
  state: State,
  step: GetStep,
  { fetched, server }: BoundKeys,
  nodes: ReadonlySet<number>,
  model: CostModel,
): string[] {
  const name = step.columnFamily;
  const figures = expectedFigures(facts, state, fetched, server, nodes, model);
  const ungrouped = step.limit === undefined ? figures.rows : Math.min(figures.rows, step.limit);
  const rows = step.grouped
    ? Math.min(expectedGroups(facts), step.limit ?? Number.POSITIVE_INFINITY)
    : ungrouped;
  const { fixed, perGet, perRow, perByte, perFurtherPartition } = model.get;
  const plain = fixed + perGet * figures.gets + perRow * rows + perByte * rows * step.bytesPerRow;
  // Every partition beyond the first has its price.
  const cost = figures.gets > 1 ? plain + (perFurtherPartition ?? 0) * (figures.gets - 1) : plain;
  return [
    ...(close(figures.gets, step.gets)
      ? []
      : [`${name} takes ${figures.gets} Gets, not ${step.gets}`]),
    ...(close(rows, step.rows) ? [] : [`${name} returns ${rows} rows, not ${step.rows}`]),
    ...(close(cost, step.cost) ? [] : [`the Get on ${name} costs ${cost} ms, not ${step.cost} ms`]),
  ];
}

function joinComplaints(
  facts: QueryFacts,
  state: State,
  nodes: ReadonlySet<number>,
  columns: ReadonlySet<string>,
  name: string,
): string[] {
  const overlap = [...nodes].filter((node) => state.nodes.has(node));
  const common = new Set([...columns].filter((fact) => state.known.has(fact)));
  const pinned = facts.pinned(common);
  if (overlap.length > 0 && overlap.every((node) => pinned.has(node))) return [];
  return [
    `the rows of ${name} cannot be joined to the rows so far by the identity of what both hold`,
  ];
}

/**
 * n and w of a Get: distinct keys among the rows so far times list lengths; rows per key times what the
 * server lets pass, and no fewer than the join keeps. Values fixed by conditions before count as known.
 */
function expectedFigures(
  facts: QueryFacts,
  state: State,
  fetched: ReadonlySet<string>,
  server: ReadonlySet<number>,
  nodes: ReadonlySet<number>,
  model: CostModel,
): { gets: number; rows: number } {
  const lists = [...server].reduce(
    (product, index) => product * facts.listLength(facts.query.predicates[index] as Predicate),
    1,
  );
  if (fetched.size === 0) return { gets: lists, rows: facts.joinRows(nodes) * facts.share(server) };
  const fixed = [...server].filter(
    (index) => state.applied.has(index) && facts.query.predicates[index]?.kind === "equal",
  );
  const known = new Set([...fetched, ...fixed.flatMap((index) => factOf(facts, index))]);
  const within = new Set([...facts.withParents(nodes)].filter((node) => state.nodes.has(node)));
  const keys = expectedKeys(facts, state, known, model);
  const perKey = facts.joinRows(nodes) / facts.combinations(known, within);
  const fresh = [...server].filter(
    (index) => !factOf(facts, index).some((fact) => known.has(fact)),
  );
  const passing = facts.share(new Set(fresh));
  const rows = Math.max(keys * perKey * passing, keptByJoin(facts, state, server, nodes));
  return { gets: keys * lists, rows };
}

function factOf(facts: QueryFacts, index: number): string[] {
  const predicate = facts.query.predicates[index];
  const fact = predicate && facts.fact(predicate.column);
  return fact === undefined ? [] : [fact];
}

/** Distinct rows of the table among the rows that the join leaves. */
function keptByJoin(
  facts: QueryFacts,
  state: State,
  server: ReadonlySet<number>,
  nodes: ReadonlySet<number>,
): number {
  const applied = new Set([...state.applied, ...server]);
  const known = new Set(state.known);
  const all = facts.withParents(new Set([...state.nodes, ...nodes]), known);
  // A limit given to the server leaves a share of the rows that would have been reached.
  const unlimited = facts.joinRows(state.nodes) * facts.share(state.applied);
  const limited = state.rows / Math.max(unlimited, Number.MIN_VALUE);
  const joined = facts.joinRows(all) * facts.share(applied) * limited;
  const onTable = new Set([...applied].filter((index) => touches(facts, index, nodes)));
  return distinctOf(facts.joinRows(nodes) * facts.share(onTable), joined);
}

function expectedKeys(
  facts: QueryFacts,
  state: State,
  known: ReadonlySet<string>,
  model: CostModel,
): number {
  const pinned = facts.pinned(known);
  const whole = [...state.nodes].every((node) => pinned.has(node));
  if (model.getsPer === "row" || whole) return state.rows;
  const inside = new Set([...pinned].filter((node) => state.nodes.has(node)));
  let values = facts.combinations(known, state.nodes);
  for (const index of state.applied) {
    const onKey =
      touches(facts, index, inside) || factOf(facts, index).some((fact) => known.has(fact));
    if (onKey) values *= facts.selectivity(facts.query.predicates[index] as Predicate);
  }
  return distinctOf(values, state.rows);
}

/** Distinct values among so many draws (Cardenas): v·(1 − ((v − 1)/v)^rows), by logarithms where v is huge. */
function distinctOf(values: number, rows: number): number {
  if (values <= 1) return Math.min(values, rows);
  const missedByAll =
    rows * (values > 1e6 ? Math.log1p(-1 / values) : Math.log((values - 1) / values));
  return Math.min(rows, -values * Math.expm1(missedByAll));
}

function touches(facts: QueryFacts, index: number, nodes: ReadonlySet<number>): boolean {
  const predicate = facts.query.predicates[index];
  return (
    predicate !== undefined &&
    facts.columns(facts.fact(predicate.column) ?? "").some(({ node }) => nodes.has(node))
  );
}

function expectedGroups(facts: QueryFacts): number {
  const { query } = facts;
  const grouping = new Set(query.groupBy.flatMap((column) => facts.fact(column) ?? []));
  const all = facts.allNodes();
  const rows =
    facts.joinRows(all) * facts.share(new Set(query.predicates.map((_, index) => index)));
  const pinned = facts.pinned(grouping);
  // Groups that pin every record down hold one row each.
  if (pinned.size === all.size) return rows;
  let values = facts.combinations(grouping, all);
  query.predicates.forEach((predicate, index) => {
    if (touches(facts, index, pinned) || grouping.has(facts.fact(predicate.column) ?? ""))
      values *= facts.selectivity(predicate);
  });
  values = Math.max(values, Math.min(1, rows));
  return distinctOf(values, rows);
}

function bytesComplaints(
  facts: QueryFacts,
  step: GetStep,
  model: CostModel,
  family: ColumnFamily,
): string[] {
  if (step.aggregated) return step.bytesPerRow === 0 ? [] : ["an aggregate returns no row bytes"];
  const selected = step.selects.map(
    (column) => facts.columns(facts.fact(column) ?? "")[0]?.bytes ?? Number.NaN,
  );
  const available = new Set(
    columnsOf(family).flatMap((column) => facts.across(step, family, column) ?? []),
  );
  const unknown = step.selects.filter((column) => !available.has(facts.fact(column) ?? ""));
  if (unknown.length > 0) return [`${step.columnFamily} is asked for columns it does not hold`];
  if (model.bytesOf === "wholeRow") return [];
  const bytes = selected.reduce((sum, each) => sum + each, 0);
  return close(bytes, step.bytesPerRow)
    ? []
    : [`a row of ${step.columnFamily} returns ${bytes} bytes, not ${step.bytesPerRow}`];
}

function missingFromAnswer(facts: QueryFacts, state: State): string[] {
  const { query } = facts;
  const wanted = [
    ...query.select.flatMap((item) => item.column ?? []),
    ...query.groupBy,
    ...query.orderBy.flatMap(({ by }) => by.column ?? []),
  ];
  const complaints: string[] = [];
  if (wanted.some((column) => !state.known.has(facts.fact(column) ?? "")))
    complaints.push("the plan does not fetch every column of the answer");
  if (state.applied.size !== query.predicates.length)
    complaints.push("the plan does not apply every condition");
  if (facts.withParents(state.nodes).size !== query.graph.nodes.length)
    complaints.push("the plan does not join every entity of the query");
  return complaints;
}

/** Grouping, sorting and the limit: done by the server where it may, else by the application at its price. */
function finalWork(
  facts: QueryFacts,
  state: State,
  plan: QueryPlan,
  single: GetStep | undefined,
  model: CostModel,
): string[] {
  const first = plan.steps[0];
  const firstGet = first?.kind === "get" ? first : undefined;
  const limited = plan.steps.some(({ kind }) => kind === "limit") || firstGet?.limit !== undefined;
  return [
    ...groupComplaints(facts, state, plan, single, model),
    ...sortComplaints(facts, state, plan, firstGet?.order !== undefined, model),
    ...(facts.query.limit !== undefined && !limited ? ["nothing limits the rows"] : []),
  ];
}

function aggregates(query: Query): boolean {
  return query.select.some(({ kind }) => kind === "aggregate");
}

function groupComplaints(
  facts: QueryFacts,
  state: State,
  plan: QueryPlan,
  single: GetStep | undefined,
  model: CostModel,
): string[] {
  const group = plan.steps.find(({ kind }) => kind === "group");
  if (group)
    return close(group.cost, model.group.perRow * state.rows) ? [] : ["grouping is costed wrongly"];
  const needed = facts.query.groupBy.length > 0 || aggregates(facts.query);
  const byServer = single?.grouped || single?.aggregated;
  return needed && !byServer ? ["nothing groups the rows"] : [];
}

function sortComplaints(
  facts: QueryFacts,
  state: State,
  plan: QueryPlan,
  served: boolean,
  model: CostModel,
): string[] {
  const { query } = facts;
  const rows = query.groupBy.length > 0 ? expectedGroups(facts) : state.rows;
  const sort = plan.steps.find(({ kind }) => kind === "sort");
  if (sort) {
    const cost = rows > 1 ? model.sort.perRowLog * rows * Math.log2(rows) : 0;
    return close(sort.cost, cost) ? [] : ["sorting is costed wrongly"];
  }
  const fixed = new Set(
    query.predicates.filter(({ kind }) => kind === "equal").map(({ column }) => facts.fact(column)),
  );
  const ordered = query.orderBy.filter(
    ({ by }) => by.kind === "aggregate" || !fixed.has(facts.fact(by.column)),
  );
  const oneRow = aggregates(query) && query.groupBy.length === 0;
  return ordered.length > 0 && !oneRow && !served ? ["nothing puts the rows in order"] : [];
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1e-9, Math.abs(a), Math.abs(b));
}
