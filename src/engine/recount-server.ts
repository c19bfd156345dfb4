/**
 * A second opinion on what a plan asks of the server (engine.md §4): order, groups, aggregates and
 * limits only where Cassandra gives them, and every value asked for before it is needed.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference } from "#model/query-graph.ts";
import type { QueryFacts } from "./recount-facts.ts";

/** A Get with what the recount has found out about it. */
export interface RecountedGet {
  readonly step: GetStep;
  readonly family: ColumnFamily;
  /** Facts bound to values fetched before. */
  readonly fetched: ReadonlySet<string>;
  /** Conditions that the application filters by right after. */
  readonly filtered: readonly number[];
}

export function serverComplaints(
  facts: QueryFacts,
  gets: readonly RecountedGet[],
  plan: QueryPlan,
): string[] {
  return [
    ...gets.flatMap((get, index) => [
      ...orderComplaints(facts, get, index === 0),
      ...groupComplaints(facts, get, gets.length),
    ]),
    ...limitComplaints(facts, gets, plan),
  ];
}

/** One stretch of one partition: every bound column by `=`. */
function onePartition(facts: QueryFacts, { step }: RecountedGet): boolean {
  return step.bindings.every(({ from }) => {
    if (from === "fetched") return false;
    return from.predicate < 0 || facts.query.predicates[from.predicate]?.kind === "equal";
  });
}

function orderComplaints(facts: QueryFacts, get: RecountedGet, first: boolean): string[] {
  const { step, family } = get;
  if (step.order === undefined) return [];
  if (!first || !onePartition(facts, get))
    return ["the server is to order rows of several partitions"];
  const fixed = new Set(
    facts.query.predicates
      .filter(({ kind }) => kind === "equal")
      .map(({ column }) => facts.fact(column)),
  );
  const wanted: { fact: string | undefined; direction: "asc" | "desc" }[] = [];
  for (const { by, direction } of facts.query.orderBy) {
    const fact = by.kind === "column" ? facts.fact(by.column) : undefined;
    if (by.kind === "column" && (fixed.has(fact) || wanted.some((each) => each.fact === fact)))
      continue;
    wanted.push({ fact, direction });
  }
  const rest = family.clusteringKey.slice(step.bindings.length - family.partitionKey.length);
  const served = wanted.every(({ fact, direction }, index) => {
    const column = rest[index];
    if (!column || fact === undefined || facts.across(step, family, column) !== fact) return false;
    return (column.direction === direction) === (step.order === "forward");
  });
  return served ? [] : [`${step.columnFamily} does not store its rows in the order asked for`];
}

/** Groups stand right after the bound columns; aggregates need all rows of one Get and nothing filtered after it. */
function groupComplaints(facts: QueryFacts, get: RecountedGet, gets: number): string[] {
  const { step, filtered } = get;
  if (!step.grouped && !step.aggregated) return [];
  if (gets > 1 || filtered.length > 0 || !onePartition(facts, get))
    return ["the server is to aggregate rows that it does not have together"];
  if (step.aggregated)
    return facts.query.groupBy.length > 0 ? ["the server is to aggregate groups into one row"] : [];
  return groupsByPrefix(facts, get) ? [] : [`${step.columnFamily} is not clustered by the groups`];
}

function groupsByPrefix(facts: QueryFacts, { step, family }: RecountedGet): boolean {
  const grouping = new Set(facts.query.groupBy.flatMap((column) => facts.fact(column) ?? []));
  const keys = [...family.partitionKey, ...family.clusteringKey].map(
    (column) => facts.across(step, family, column) ?? "",
  );
  const prefix = new Set(keys.slice(0, step.bindings.length));
  const rest = keys.slice(step.bindings.length);
  for (;;) {
    if (facts.determine(prefix, grouping)) return true;
    const next = rest.shift();
    if (next === undefined || !facts.determine(grouping, new Set([next]))) return false;
    prefix.add(next);
  }
}

function limitComplaints(
  facts: QueryFacts,
  gets: readonly RecountedGet[],
  plan: QueryPlan,
): string[] {
  const { limit } = facts.query;
  const stated = plan.steps.flatMap((step) => {
    if (step.kind === "limit") return [step.limit];
    return step.kind === "get" && step.limit !== undefined ? [step.limit] : [];
  });
  const complaints = stated.some((each) => each !== limit)
    ? ["a limit is not the statement's"]
    : [];
  const first = gets[0];
  for (const [index, get] of gets.entries()) {
    if (get.step.limit === undefined) continue;
    const ordered =
      facts.query.orderBy.length === 0 || get.step.order !== undefined || allFixed(facts);
    const dropsLater = gets.some(({ filtered }) => filtered.length > 0) || !keepsRows(facts, gets);
    if (index > 0 || get !== first || dropsLater || !ordered || !onePartition(facts, get))
      complaints.push("the server is to limit rows before all that drops or orders them");
  }
  return complaints;
}

function allFixed(facts: QueryFacts): boolean {
  return facts.query.orderBy.every(
    ({ by }) =>
      by.kind === "column" &&
      facts.query.predicates.some(
        ({ kind, column }) => kind === "equal" && facts.fact(column) === facts.fact(by.column),
      ),
  );
}

/** Later Gets look up the same records or parents that every row has, and apply no condition. */
function keepsRows(facts: QueryFacts, gets: readonly RecountedGet[]): boolean {
  const [first, ...later] = gets;
  if (!first) return true;
  const inside = ({ step }: RecountedGet): number[] => step.embedding.filter((node) => node >= 0);
  const all = facts.withParents(new Set(inside(first)));
  const firstFacts = new Set(
    columnsOf(first.family).flatMap(
      (column) => facts.across(first.step, first.family, column) ?? [],
    ),
  );
  return later.every(
    (get) =>
      inside(get).every((node) => all.has(node)) &&
      get.step.bindings.every(
        ({ from, column }) =>
          from === "fetched" || firstFacts.has(facts.across(get.step, get.family, column) ?? ""),
      ),
  );
}

/** What the answer, filters, joins and later keys use is asked for by a Get that has it. */
export function selectionComplaints(facts: QueryFacts, gets: readonly RecountedGet[]): string[] {
  const selected = new Set<string>();
  const covered = new Set<number>();
  const complaints = gets.flatMap((get, index) => {
    const before = new Set(selected);
    for (const column of get.step.selects) selected.add(facts.fact(column) ?? "");
    const conditions = get.filtered.flatMap((each) => facts.query.predicates[each]?.column ?? []);
    const found = [
      ...(lacks(before, get.fetched)
        ? [`the key of ${get.step.columnFamily} needs a value that was not asked for`]
        : []),
      ...(index > 0 ? joinComplaints(facts, get, before, covered) : []),
      ...(lacks(selected, factsOf(facts, conditions))
        ? ["a filter needs a value that was not asked for"]
        : []),
    ];
    for (const node of get.step.embedding) covered.add(node);
    return found;
  });
  const { select, groupBy, orderBy } = facts.query;
  const output = [
    ...select.flatMap((item) => item.column ?? []),
    ...groupBy,
    ...orderBy.flatMap(({ by }) => by.column ?? []),
  ];
  if (lacks(selected, factsOf(facts, output)))
    complaints.push("a column of the answer was not asked for");
  return complaints;
}

/** Both sides know the compared columns, and these identify every record that both hold. */
function joinComplaints(
  facts: QueryFacts,
  { step, fetched }: RecountedGet,
  selected: ReadonlySet<string>,
  covered: ReadonlySet<number>,
): string[] {
  const joined = factsOf(facts, step.joinOn);
  const own = new Set([...factsOf(facts, step.selects), ...fetched]);
  const pinned = facts.pinned(new Set(joined));
  const shared = step.embedding.filter((node) => node >= 0 && covered.has(node));
  return [
    ...(joined.length === 0 ? [`${step.columnFamily} is joined on nothing`] : []),
    ...(lacks(selected, joined) || lacks(own, joined)
      ? [`the join with ${step.columnFamily} needs a value that was not asked for`]
      : []),
    ...(shared.some((node) => !pinned.has(node))
      ? [`the join with ${step.columnFamily} does not compare the identity of what both sides hold`]
      : []),
  ];
}

function factsOf(facts: QueryFacts, columns: readonly ColumnReference[]): string[] {
  return columns.flatMap((column) => facts.fact(column) ?? []);
}

function lacks(known: ReadonlySet<string>, wanted: Iterable<string>): boolean {
  return [...wanted].some((fact) => fact !== "*" && !known.has(fact));
}
