/**
 * What a sequence of Gets costs as a plan (engine.md §6): for every Get its n, w and s, and what the
 * application does in between and after. The cost of a Get depends on the plan it stands in.
 *
 * Expectations assume uniform, independent values. The rows after some Gets depend only on the
 * records covered and the predicates applied, not on the road taken:
 *   R = rows(join over the nodes) · Π selectivity(applied).
 */
import type { CostModel } from "#model/cost-model.ts";
import type { ApplicationStep, Binding, GetStep, PlanStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import { combinations, expectedDistinct, rowsOfNodes } from "./cardinality.ts";
import {
  type ColumnSet,
  classesOf,
  contains,
  determinedNodes,
  has,
  type NodeSet,
  withMandatoryParents,
} from "./column-classes.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { getCost, groupCost, sortCost } from "./cost-model.ts";
import { type BoundKey, type LegalGet, nothing, type Reached } from "./get-step.ts";
import type { Laid } from "./lay-column-family.ts";

/** A Get with its figures. */
interface CostedGet extends KeyFigures {
  readonly get: LegalGet;
  /** Rows that this filter works on, joined to those before; and rows that pass it. */
  readonly filtered: { readonly rows: number; readonly left: number };
}

interface CostedPlan {
  readonly gets: readonly CostedGet[];
  readonly selects: readonly ColumnSet[];
  readonly bytes: readonly number[];
  readonly grouped: boolean;
  readonly aggregated: boolean;
  readonly limited: boolean;
  /** Rows that the application sorts, and groups; undefined when it need not. */
  readonly sortRows: number | undefined;
  readonly groupRows: number | undefined;
  readonly cost: number;
}

/** Milliseconds per execution of the plan that the legal Gets form. */
export function planCost(
  query: CompiledQuery,
  model: CostModel,
  sequence: readonly LegalGet[],
): number {
  return costPlan(query, model, sequence).cost;
}

/** The plan in full, for showing, executing and recounting. `key` names it among the query's plans. */
export function describePlan(
  query: CompiledQuery,
  model: CostModel,
  sequence: readonly LegalGet[],
): QueryPlan {
  const costed = costPlan(query, model, sequence);
  const steps = costed.gets.flatMap((_, index) => describeGet(query, model, costed, index));
  const families = sequence.map(({ laid }) => laid.columnFamily.key);
  return {
    key: `${query.query.id}: ${sequence.map(({ laid }) => `${laid.columnFamily.key} @${laid.embedding.join(",")}`).join(" ⋈ ")}`,
    statement: query.query.id,
    steps: [...steps, ...finalSteps(query, model, costed)],
    columnFamilies: families,
    cost: costed.cost,
  };
}

function costPlan(
  query: CompiledQuery,
  model: CostModel,
  sequence: readonly LegalGet[],
): CostedPlan {
  const limit = pushedLimit(query, sequence);
  const gets: CostedGet[] = [];
  let reached = nothing;
  let cap = Number.POSITIVE_INFINITY;
  sequence.forEach((get, index) => {
    const costed = costGet(
      query,
      model,
      get,
      reached,
      Math.min(cap, rowsReached(query, reached)),
      index === 0,
    );
    gets.push(costed);
    reached = get.after;
    if (index === 0 && limit !== undefined && mayLimit(query, costed)) cap = limit;
  });
  const single = gets.length === 1 ? (gets[0] as CostedGet) : undefined;
  const grouped =
    single !== undefined &&
    single.residual === 0 &&
    groupsOnServer(query, single.get.laid, single.key);
  const aggregated =
    single !== undefined &&
    !query.grouped &&
    query.aggregated &&
    single.residual === 0 &&
    readsOnePartition(single.key);
  // The server counts groups, not rows, against the limit of a statement that it groups.
  const limited = Number.isFinite(cap) && (query.grouped ? grouped : !query.aggregated);
  const counted = limited || !Number.isFinite(cap) ? gets : recount(query, model, sequence);
  const rows = Math.min(rowsReached(query, reached), limited ? cap : Number.POSITIVE_INFINITY);
  const groups = query.grouped ? expectedGroups(query, rowsReached(query, reached)) : 1;
  const groupsHere = query.grouped ? !grouped : query.aggregated && !aggregated;
  const groupRows = groupsHere ? rows : undefined;
  const sortRows = sortedRows(query, counted, rows, groups);
  const selects = selectedColumns(query, counted);
  const final = counted.map((each, index) => ({
    ...each,
    rows: serverRows(each, index === 0 && limited ? cap : undefined, grouped ? groups : undefined),
  }));
  const bytes = selects.map((set, index) =>
    bytesOfRow(query, model, final[index] as CostedGet, set, aggregated),
  );
  const cost =
    final.reduce(
      (sum, each, index) => sum + getCost(model, each.gets, each.rows, bytes[index] as number),
      0,
    ) +
    groupCost(model, groupRows ?? 0) +
    sortCost(model, sortRows ?? 0);
  return { gets: final, selects, bytes, grouped, aggregated, limited, sortRows, groupRows, cost };
}

/** Rows that the server returns: groups instead of rows where it groups, and no more than its limit. */
function serverRows(
  { rows }: CostedGet,
  limit: number | undefined,
  groups: number | undefined,
): number {
  return Math.min(groups ?? rows, limit ?? Number.POSITIVE_INFINITY);
}

/** The same Gets without a pushed limit. */
function recount(
  query: CompiledQuery,
  model: CostModel,
  sequence: readonly LegalGet[],
): CostedGet[] {
  let reached = nothing;
  return sequence.map((get, index) => {
    const costed = costGet(query, model, get, reached, rowsReached(query, reached), index === 0);
    reached = get.after;
    return costed;
  });
}

/** One way to bind the key of a Get, with what it brings. */
export interface KeyFigures {
  readonly key: BoundKey;
  /** Of a first Get: the server returns rows in the order the query asks for. */
  readonly order: "forward" | "reverse" | undefined;
  readonly gets: number;
  readonly rows: number;
  /** Predicates (bits) that the application filters by right after. */
  readonly residual: number;
  /** Milliseconds of the sort that a first Get leaves to the application. */
  readonly sorting: number;
}

/** The figures of every way to bind the key; they depend on the key columns of the family only. */
export function figuresOfKeys(
  query: CompiledQuery,
  model: CostModel,
  get: LegalGet,
  before: Reached,
  rowsBefore: number,
  first: boolean,
): KeyFigures[] {
  return get.bound.map((key) => {
    const { gets, rows } = getFigures(query, model, get, key, before, rowsBefore);
    const order = first ? servedOrder(query, get.laid, key) : undefined;
    return {
      key,
      order,
      gets,
      rows,
      residual: get.after.applied & ~before.applied & ~key.server,
      sorting: first && query.order?.length !== 0 && !order ? sortCost(model, rows) : 0,
    };
  });
}

/**
 * Of the ways to bind the key the cheapest, counting the sort that it spares and the columns of the
 * answer; `bytes` of those that the family holds.
 */
export function cheapestKey(
  model: CostModel,
  figures: readonly KeyFigures[],
  bytes: number,
): KeyFigures {
  let best: KeyFigures | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of figures) {
    const cost = getCost(model, each.gets, each.rows, bytes) + each.sorting;
    if (cost >= least) continue;
    least = cost;
    best = each;
  }
  if (!best) throw new Error("a legal Get has at least one way to bind its key");
  return best;
}

function costGet(
  query: CompiledQuery,
  model: CostModel,
  get: LegalGet,
  before: Reached,
  rowsBefore: number,
  first: boolean,
): CostedGet {
  const figures = figuresOfKeys(query, model, get, before, rowsBefore, first);
  const bytes = bytesOfClasses(query, get.laid.columns & query.output);
  const cheapest = cheapestKey(model, figures, bytes);
  const joined = { ...get.after, applied: before.applied | cheapest.key.server };
  const filtered = { rows: rowsReached(query, joined), left: rowsReached(query, get.after) };
  return { get, ...cheapest, filtered };
}

/** Bytes of a value of each class together. */
export function bytesOfClasses({ compiled }: CompiledQuery, set: ColumnSet): number {
  return classesOf(set).reduce((sum, id) => sum + (compiled.bytesOfClass[id] as number), 0);
}

/**
 * n and w of one Get. n: expected distinct combinations of the fetched key values among the rows so
 * far, times the lengths of IN lists; w = n · rows(cf) / combinations · selectivities applied by the server.
 *
 * Values that conditions fixed before are known like fetched ones: together they may identify records,
 * and a condition that already holds lets all rows of a key pass. Every key comes from a row that is
 * there, so w is at least what the join keeps.
 */
export function getFigures(
  query: CompiledQuery,
  model: CostModel,
  { laid, after }: LegalGet,
  key: BoundKey,
  before: Reached,
  rowsBefore: number,
): { gets: number; rows: number } {
  const { compiled } = query;
  const known = key.fetched === 0n ? 0n : key.fetched | fixedBefore(query, key, before);
  const within = withMandatoryParents(compiled, laid.nodes) & before.nodes;
  const keys = known === 0n ? 1 : distinctKeys(query, model, known, before, rowsBefore);
  const perKey =
    rowsOfNodes(compiled, laid.nodes) / (known === 0n ? 1 : combinations(compiled, known, within));
  const served = query.predicates.filter(({ bit }) => (key.server & bit) !== 0);
  const lists = served.reduce((product, { listLength }) => product * listLength, 1);
  const fresh = served.filter(({ class: id }) => !has(known, id));
  const share = shareOf(
    query,
    fresh.reduce((bits, { bit }) => bits | bit, 0),
  );
  // A limit given to the server leaves a share of the rows that would have been reached.
  const limited =
    known === 0n ? 1 : rowsBefore / Math.max(rowsReached(query, before), Number.MIN_VALUE);
  const kept =
    known === 0n ? 0 : keptByJoin(query, laid, after, before.applied | key.server, limited);
  return { gets: keys * lists, rows: Math.max(keys * perKey * share, kept) };
}

/** Key classes whose value a condition fixed in every row so far. */
function fixedBefore(query: CompiledQuery, key: BoundKey, before: Reached): ColumnSet {
  return query.predicates.reduce(
    (set, { class: id, kind, bit }) =>
      kind === "equal" && (key.server & before.applied & bit) !== 0
        ? set | (1n << BigInt(id))
        : set,
    0n,
  );
}

/** Expected distinct rows of the family among the rows that the join leaves. */
function keptByJoin(
  query: CompiledQuery,
  { nodes }: Laid,
  after: Reached,
  applied: number,
  limited: number,
): number {
  const joined = rowsReached(query, { ...after, applied }) * limited;
  const onFamily = query.predicates.reduce((bits, { bit }, index) => {
    const on = ((query.nodesOfPredicate[index] as NodeSet) & nodes) !== 0;
    return on ? bits | (bit & applied) : bits;
  }, 0);
  return expectedDistinct(rowsReached(query, { ...after, nodes, applied: onFamily }), joined);
}

function distinctKeys(
  query: CompiledQuery,
  model: CostModel,
  known: ColumnSet,
  before: Reached,
  rowsBefore: number,
): number {
  const { compiled } = query;
  const determined = determinedNodes(compiled, known);
  if (model.getsPer === "row" || (determined & before.nodes) === before.nodes) return rowsBefore;
  let values = combinations(compiled, known, before.nodes);
  for (const [index, predicate] of query.predicates.entries()) {
    const onKey =
      ((query.nodesOfPredicate[index] as NodeSet) & determined & before.nodes) !== 0 ||
      has(known, predicate.class);
    if ((before.applied & predicate.bit) !== 0 && onKey) values *= predicate.selectivity;
  }
  return expectedDistinct(values, rowsBefore);
}

/** R: rows after the Gets and filters so far. */
export function rowsReached(query: CompiledQuery, { nodes, applied }: Reached): number {
  return nodes === 0 ? 0 : rowsOfNodes(query.compiled, nodes) * shareOf(query, applied);
}

/**
 * Share of rows that conditions (bits) let pass together. A whole identifier bound by `=` hits one
 * record in |E|, whatever the product of its columns' distinct values says.
 */
function shareOf(query: CompiledQuery, bits: number): number {
  const { compiled } = query;
  const holds = (id: number): boolean => {
    const predicate = query.equalOn.get(id);
    return predicate?.kind === "equal" && (bits & predicate.bit) !== 0;
  };
  let whole = 0n;
  let share = 1;
  compiled.identifiers.forEach((identifier, node) => {
    const parts = classesOf(identifier);
    if (parts.length < 2 || (identifier & whole) !== 0n || !parts.every(holds)) return;
    whole |= identifier;
    share /= rowsOfNodes(compiled, 1 << node);
  });
  for (const predicate of query.predicates)
    if ((bits & predicate.bit) !== 0 && !has(whole, predicate.class))
      share *= predicate.selectivity;
  return share;
}

export function expectedGroups(query: CompiledQuery, rows: number): number {
  const { compiled, grouping } = query;
  const determined = determinedNodes(compiled, grouping);
  if (determined === compiled.allNodes) return rows;
  let values = combinations(compiled, grouping, compiled.allNodes);
  for (const [index, predicate] of query.predicates.entries()) {
    const onGroup =
      ((query.nodesOfPredicate[index] as NodeSet) & determined) !== 0 ||
      has(grouping, predicate.class);
    if (onGroup) values *= predicate.selectivity;
  }
  return expectedDistinct(Math.max(values, Math.min(1, rows)), rows);
}

/** Every key column is bound by `=`: one Get of one stretch of one partition, whatever is expected. */
function readsOnePartition(key: BoundKey): boolean {
  return key.bindings.every(({ predicate }) => predicate?.kind === "equal");
}

/** ORDER BY is served inside one partition, by the clustering columns after the bound ones or their exact reverse. */
export function servedOrder(
  query: CompiledQuery,
  laid: Laid,
  key: BoundKey,
): "forward" | "reverse" | undefined {
  if (!query.order || query.order.length === 0) return undefined;
  if (!readsOnePartition(key)) return undefined;
  const from = key.bindings.length - laid.partition.length;
  let direction: "forward" | "reverse" | undefined;
  for (const [index, { class: id, direction: wanted }] of query.order.entries()) {
    const column = laid.clustering[from + index];
    if (!column || column.class !== id) return undefined;
    const reading = column.direction === wanted ? "forward" : "reverse";
    if (direction !== undefined && direction !== reading) return undefined;
    direction = reading;
  }
  return direction;
}

/** GROUP BY is served on a prefix of the primary key: the bound columns and those right after them. */
export function groupsOnServer(query: CompiledQuery, laid: Laid, key: BoundKey): boolean {
  if (!query.grouped) return false;
  if (!readsOnePartition(key)) return false;
  let prefix = 0n;
  for (const { class: id } of key.bindings) prefix |= 1n << BigInt(id);
  if (determines(query, prefix, query.grouping)) return true;
  for (const { class: id } of laid.clustering.slice(key.bindings.length - laid.partition.length)) {
    if (id < 0 || !determines(query, query.grouping, 1n << BigInt(id))) return false;
    prefix |= 1n << BigInt(id);
    if (determines(query, prefix, query.grouping)) return true;
  }
  return false;
}

/** True when equal `from` columns imply equal `to` columns. */
export function determines(query: CompiledQuery, from: ColumnSet, to: ColumnSet): boolean {
  if (contains(from, to)) return true;
  const nodes = determinedNodes(query.compiled, from);
  return classesOf(to & ~from).every(
    (id) => ((query.compiled.nodesOfClass[id] as NodeSet) & nodes) !== 0,
  );
}

/** The limit, when nothing after the first Get can drop or repeat rows. */
function pushedLimit(query: CompiledQuery, sequence: readonly LegalGet[]): number | undefined {
  const first = sequence[0];
  if (query.limit === undefined || !first) return undefined;
  const all = withMandatoryParents(query.compiled, first.after.nodes);
  const unchanged = sequence.every(
    ({ after }) => after.applied === first.after.applied && (after.nodes & ~all) === 0,
  );
  return unchanged ? query.limit : undefined;
}

export function mayLimit(query: CompiledQuery, { residual, key, order }: KeyFigures): boolean {
  const ordered = query.order !== undefined && (query.order.length === 0 || order !== undefined);
  return residual === 0 && readsOnePartition(key) && ordered;
}

function sortedRows(
  query: CompiledQuery,
  gets: readonly CostedGet[],
  rows: number,
  groups: number,
): number | undefined {
  if (query.query.orderBy.length === 0 || query.order?.length === 0) return undefined;
  if (query.aggregated && !query.grouped) return undefined;
  if (gets[0]?.order !== undefined) return undefined;
  return query.grouped ? groups : rows;
}

/**
 * The columns each Get asks for: what the answer, the filter after it, the joins and later keys
 * need, each from the first Get that has it, and the join columns that the key leaves unbound.
 */
function selectedColumns(query: CompiledQuery, gets: readonly CostedGet[]): ColumnSet[] {
  const needed = gets.reduce((set, { key, get }) => set | key.fetched | get.joinOn, query.output);
  let provided = 0n;
  return gets.map(({ get, key, residual }) => {
    const filtered = query.predicates.reduce(
      (set, { bit, class: id }) => ((residual & bit) !== 0 ? set | (1n << BigInt(id)) : set),
      0n,
    );
    // A list's own value tells the rows of its keys apart only when asked for.
    const fresh = (needed | filtered) & get.laid.columns & ~provided & ~1n;
    const joined = get.joinOn & ~key.fetched;
    provided |= get.laid.columns;
    return fresh | (joined & get.laid.columns);
  });
}

function bytesOfRow(
  query: CompiledQuery,
  model: CostModel,
  { get }: CostedGet,
  selects: ColumnSet,
  aggregated: boolean,
): number {
  if (aggregated) return 0;
  if (model.bytesOf === "wholeRow") return get.laid.rowBytes;
  return bytesOfClasses(query, selects);
}

function describeGet(
  query: CompiledQuery,
  model: CostModel,
  plan: CostedPlan,
  index: number,
): PlanStep[] {
  const { get, key, order, gets, rows, residual, filtered } = plan.gets[index] as CostedGet;
  const { laid } = get;
  const step: GetStep = {
    kind: "get",
    columnFamily: laid.columnFamily.key,
    embedding: laid.embedding,
    bindings: key.bindings.map((each) => describeBinding(get, each)),
    ...(key.range && { range: key.range.index }),
    selects: columnsOfSet(query, plan.selects[index] as ColumnSet, laid.nodes),
    ...(order && { order }),
    grouped: plan.grouped,
    aggregated: plan.aggregated,
    ...(plan.limited && index === 0 && query.limit !== undefined && { limit: query.limit }),
    joinOn: columnsOfSet(query, get.joinOn, laid.nodes),
    gets,
    rows,
    bytesPerRow: plan.bytes[index] as number,
    cost: getCost(model, gets, rows, plan.bytes[index] as number),
  };
  if (residual === 0) return [step];
  const filter: ApplicationStep = {
    kind: "filter",
    predicates: query.predicates
      .filter(({ bit }) => (residual & bit) !== 0)
      .map(({ index: which }) => which),
    ...filtered,
    cost: 0,
  };
  return [step, filter];
}

function describeBinding(
  { laid }: LegalGet,
  { position, predicate }: { position: number; predicate: { index: number } | undefined },
): Binding {
  const partitionLength = laid.partition.length;
  const { partitionKey, clusteringKey } = laid.columnFamily;
  const column = (
    position < partitionLength ? partitionKey[position] : clusteringKey[position - partitionLength]
  ) as ColumnReference;
  return {
    column: { node: column.node, attribute: column.attribute },
    key: position < partitionLength ? "partition" : "clustering",
    from: predicate ? { predicate: predicate.index } : "fetched",
  };
}

/** One column per class, at a covered node where there is one. */
function columnsOfSet(query: CompiledQuery, set: ColumnSet, nodes: NodeSet): ColumnReference[] {
  return classesOf(set).map((id) => {
    const members = query.compiled.members[id] ?? [];
    return (members.find(({ node }) => node >= 0 && (nodes >> node) & 1) ??
      members[0]) as ColumnReference;
  });
}

function finalSteps(query: CompiledQuery, model: CostModel, plan: CostedPlan): ApplicationStep[] {
  const steps: ApplicationStep[] = [];
  if (plan.groupRows !== undefined)
    steps.push({ kind: "group", rows: plan.groupRows, cost: groupCost(model, plan.groupRows) });
  if (plan.sortRows !== undefined)
    steps.push({ kind: "sort", rows: plan.sortRows, cost: sortCost(model, plan.sortRows) });
  if (query.limit !== undefined && !plan.limited)
    steps.push({ kind: "limit", limit: query.limit, rows: query.limit, cost: 0 });
  return steps;
}
