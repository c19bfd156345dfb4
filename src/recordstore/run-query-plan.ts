/**
 * Runs a query plan over tables, as an application would: the Gets in order, each once per distinct
 * combination of fetched key values (and of listed ones), and between and after them the steps that
 * the plan names. It uses **only what the steps say**: a value that no Get selected is not there, and
 * asking for it throws a `PlanFault`; a Get that Cassandra would refuse throws a `Refusal`.
 *
 * Two things the server answers otherwise than SQL, and the application sets right: the average of
 * whole numbers is truncated there, so sum and count are asked for instead; the sum of nothing is 0
 * there, so nothing counted makes it null.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Binding, GetStep, PlanStep, QueryPlan } from "#model/plan.ts";
import { type ColumnReference, columnText } from "#model/query-graph.ts";
import type { Ordering, Predicate, Query, Selection } from "#model/statement.ts";
import { type ColumnClass, type GraphColumns, graphColumns, layColumns } from "./graph-columns.ts";
import { compareValues, constantValue, type Value, valueSize, valuesText } from "./records.ts";
import {
  type Aggregate,
  type Cell,
  type GetRequest,
  getRows,
  Refusal,
  type Restriction,
  type Table,
} from "./table.ts";

/** The values of every predicate's operands, in the order of the predicates; a list may have any length. */
export type PredicateValues = readonly (readonly Value[])[];

/** A plan asks for what it does not have. */
export class PlanFault extends Error {}

/** What really happened in one step. */
export interface StepMeasure {
  /** Requests to the server; 0 for a step of the application. */
  readonly gets: number;
  /** Rows returned by all of them, or worked on by the application. */
  readonly rows: number;
  /** Rows that the server had to read for them; 0 for a step of the application. */
  readonly read: number;
  /** Bytes of the selected columns in all these rows; 0 for a step of the application. */
  readonly bytes: number;
  /** Rows at hand after the step. */
  readonly left: number;
}

export interface QueryRun {
  /** In the order of the query's select list. */
  readonly rows: readonly (readonly Cell[])[];
  /** For each row what ORDER BY compares. */
  readonly orderKeys: readonly (readonly Cell[])[];
  /** One per step of the plan. */
  readonly measures: readonly StepMeasure[];
}

export interface PlanToRun {
  readonly entityGraph: EntityGraph;
  readonly query: Query;
  readonly plan: QueryPlan;
  readonly tables: ReadonlyMap<string, Table>;
  readonly values: PredicateValues;
}

/** What is known of one row: values by class, aggregates by name. */
interface Tuple {
  readonly known: readonly (Value | undefined)[];
  readonly aggregates: ReadonlyMap<string, Cell>;
}

export function runQueryPlan(toRun: PlanToRun): QueryRun {
  const run = new Run(toRun);
  const measures = toRun.plan.steps.map((step) => ({ ...run.step(step), left: run.rowsAtHand }));
  return { ...run.result(), measures };
}

class Run {
  private readonly entityGraph: EntityGraph;
  private readonly query: Query;
  private readonly tables: ReadonlyMap<string, Table>;
  private readonly values: PredicateValues;
  private readonly columns: GraphColumns;
  private readonly aggregates: ReadonlyMap<string, Extract<Selection, { kind: "aggregate" }>>;
  private tuples: readonly Tuple[] = [];
  private started = false;

  constructor({ entityGraph, query, tables, values }: PlanToRun) {
    this.entityGraph = entityGraph;
    this.query = query;
    this.tables = tables;
    this.values = values;
    this.columns = graphColumns(entityGraph, query.graph);
    this.aggregates = new Map(
      [...query.select, ...query.orderBy.map(({ by }) => by)].flatMap((item) =>
        item.kind === "aggregate" ? [[this.aggregateName(item), item] as const] : [],
      ),
    );
  }

  get rowsAtHand(): number {
    return this.tuples.length;
  }

  step(step: PlanStep): Omit<StepMeasure, "left"> {
    switch (step.kind) {
      case "get":
        return this.get(step);
      case "filter": {
        const before = this.tuples.length;
        for (const index of step.predicates) this.filter(index);
        return { gets: 0, rows: before, read: 0, bytes: 0 };
      }
      case "group": {
        const before = this.tuples.length;
        this.tuples = this.grouped();
        return { gets: 0, rows: before, read: 0, bytes: 0 };
      }
      case "sort": {
        const { orderBy } = this.query;
        this.tuples = [...this.tuples].sort((a, b) => this.compare(orderBy, a, b));
        return { gets: 0, rows: this.tuples.length, read: 0, bytes: 0 };
      }
      case "limit":
        this.tuples = this.tuples.slice(0, step.limit);
        return { gets: 0, rows: this.tuples.length, read: 0, bytes: 0 };
    }
  }

  result(): Pick<QueryRun, "rows" | "orderKeys"> {
    return {
      rows: this.tuples.map((tuple) => this.query.select.map((item) => this.cell(tuple, item))),
      orderKeys: this.tuples.map((tuple) =>
        this.query.orderBy.map(({ by }) => this.cell(tuple, by)),
      ),
    };
  }

  // --- Gets -------------------------------------------------------------------------------------

  private get(step: GetStep): Omit<StepMeasure, "left"> {
    const table = this.tables.get(step.columnFamily);
    if (!table) throw new PlanFault(`there is no table ${step.columnFamily}`);
    const request = shapeOf(this.entityGraph, this.query, this.columns, table.columnFamily, step);
    const fetchedKeys = this.started ? this.distinctKeys(request.fetched) : [[]];
    let gets = 0;
    let read = 0;
    let bytes = 0;
    const found: Tuple[] = [];
    for (const key of fetchedKeys) {
      for (const listed of combinations(request.listed.map((index) => this.listOf(index)))) {
        gets += 1;
        const answer = getRows(table, request.requestFor(key, listed, this.values));
        read += answer.read;
        for (const row of answer.rows) {
          found.push(this.tupleOf(request, key, row));
          bytes += request.bytesOf(row);
        }
      }
    }
    this.tuples = this.started ? this.joined(step, found) : found;
    this.started = true;
    return { gets, rows: found.length, read, bytes };
  }

  /** Distinct values of some classes among the rows so far, in the order in which they come. */
  private distinctKeys(classes: readonly ColumnClass[]): Value[][] {
    const keys = new Map<string, Value[]>();
    for (const tuple of this.tuples) {
      const key = classes.map((id) => this.valueOf(tuple, id));
      keys.set(valuesText(key), key);
    }
    return [...keys.values()];
  }

  /** A list of a predicate without repetitions. */
  private listOf(index: number): Value[] {
    return [...new Set(this.values[index] ?? [])];
  }

  private tupleOf(shape: GetShape, key: readonly Value[], row: readonly Cell[]): Tuple {
    // The constant is known without being fetched.
    const known: (Value | undefined)[] = [constantValue];
    shape.fetched.forEach((id, index) => {
      known[id] = key[index];
    });
    shape.selected.forEach((id, index) => {
      known[id] = row[index] as Value;
    });
    const aggregates = new Map<string, Cell>();
    const cells = row.slice(shape.selected.length);
    if (shape.aggregates.length > 0) {
      const count = Number(cells[0]);
      for (const [name, { function: work }] of this.aggregates) {
        const at = shape.aggregates.indexOf(name);
        const cell = work === "count" ? count : (cells[at] as Cell);
        if (count === 0 && work !== "count") aggregates.set(name, null);
        else aggregates.set(name, work === "avg" ? Number(cell) / count : cell);
      }
    }
    return { known, aggregates };
  }

  /** Rows so far, in their order, each with all new ones that agree on the join columns. */
  private joined({ joinOn }: GetStep, found: readonly Tuple[]): Tuple[] {
    const classes = joinOn.map((column) => this.classOf(column));
    const textOf = (tuple: Tuple): string =>
      valuesText(classes.map((id) => this.valueOf(tuple, id)));
    const partners = new Map<string, Tuple[]>();
    for (const tuple of found) {
      const text = textOf(tuple);
      const known = partners.get(text);
      if (known) known.push(tuple);
      else partners.set(text, [tuple]);
    }
    return this.tuples.flatMap((tuple) =>
      (partners.get(textOf(tuple)) ?? []).map((partner) => ({
        known: this.columns.members.map((_, id) => tuple.known[id] ?? partner.known[id]),
        aggregates: partner.aggregates,
      })),
    );
  }

  // --- the application --------------------------------------------------------------------------

  private filter(index: number): void {
    if (index < 0) return;
    const predicate = this.query.predicates[index];
    if (!predicate) throw new PlanFault(`there is no predicate ${index}`);
    const id = this.classOf(predicate.column);
    const values = this.values[index] ?? [];
    this.tuples = this.tuples.filter((tuple) => holds(predicate, values, this.valueOf(tuple, id)));
  }

  private grouped(): Tuple[] {
    const classes = this.query.groupBy.map((column) => this.classOf(column));
    const groups = new Map<string, Tuple[]>(classes.length === 0 ? [["", []]] : []);
    for (const tuple of this.tuples) {
      const text = valuesText(classes.map((id) => this.valueOf(tuple, id)));
      const group = groups.get(text);
      if (group) group.push(tuple);
      else groups.set(text, [tuple]);
    }
    return [...groups.values()].map((members) => ({
      // Whatever else is selected has one value per group: the statement's own rule.
      known: members[0]?.known ?? [],
      aggregates: new Map(
        [...this.aggregates].map(([name, item]) => [name, this.aggregate(item, members)]),
      ),
    }));
  }

  private aggregate(
    { function: work, column }: Extract<Selection, { kind: "aggregate" }>,
    members: readonly Tuple[],
  ): Cell {
    if (column === undefined || members.length === 0)
      return work === "count" ? members.length : null;
    const id = this.classOf(column);
    const values = members.map((tuple) => this.valueOf(tuple, id));
    const sum = (): number => values.reduce<number>((total, value) => total + Number(value), 0);
    switch (work) {
      case "count":
        return values.length;
      case "sum":
        return sum();
      case "avg":
        return sum() / values.length;
      case "min":
        return values.reduce((least, value) => (compareValues(value, least) < 0 ? value : least));
      case "max":
        return values.reduce((most, value) => (compareValues(value, most) > 0 ? value : most));
    }
  }

  private compare(orderBy: readonly Ordering[], a: Tuple, b: Tuple): number {
    for (const { by, direction } of orderBy) {
      const [left, right] = [this.cell(a, by), this.cell(b, by)];
      // Only an aggregate over nothing is null, and that has no second row to be compared with.
      const order = compareValues(left as Value, right as Value);
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  }

  private cell(tuple: Tuple, item: Selection): Cell {
    if (item.kind === "column") return this.valueOf(tuple, this.classOf(item.column));
    const cell = tuple.aggregates.get(this.aggregateName(item));
    if (cell === undefined) throw new PlanFault(`nothing works out ${this.aggregateName(item)}`);
    return cell;
  }

  private aggregateName(item: Extract<Selection, { kind: "aggregate" }>): string {
    return `${item.function}(${item.column ? columnText(this.query.graph, item.column) : "*"})`;
  }

  private classOf(column: ColumnReference): ColumnClass {
    const id = this.columns.classOf(column);
    if (id === undefined)
      throw new PlanFault(`the query has no column ${columnText(this.query.graph, column)}`);
    return id;
  }

  private valueOf(tuple: Tuple, id: ColumnClass): Value {
    const value = tuple.known[id];
    if (value === undefined) {
      const member = this.columns.members[id]?.[0];
      const name = member ? columnText(this.query.graph, member) : String(id);
      throw new PlanFault(`the plan has not fetched ${name}`);
    }
    return value;
  }
}

const shapes = new WeakMap<
  GetStep,
  { entityGraph: EntityGraph; query: Query; family: ColumnFamily; shape: GetShape }
>();

/** Remembered per step, since a plan runs with many values. */
function shapeOf(
  entityGraph: EntityGraph,
  query: Query,
  columns: GraphColumns,
  family: ColumnFamily,
  step: GetStep,
): GetShape {
  const known = shapes.get(step);
  if (known?.entityGraph === entityGraph && known.query === query && known.family === family)
    return known.shape;
  const shape = new GetShape(entityGraph, query, columns, family, step);
  shapes.set(step, { entityGraph, query, family, shape });
  return shape;
}

/** One Get step in terms of its table: where each value comes from, and what is asked for. */
class GetShape {
  /** Classes whose fetched values the key takes, in this order. */
  readonly fetched: readonly ColumnClass[];
  /** IN predicates that give key values, in this order. */
  readonly listed: readonly number[];
  /** Classes of the columns that come back, in this order. */
  readonly selected: readonly ColumnClass[];
  /** Names of the aggregates that come back after them; `count(*)` first. */
  readonly aggregates: readonly string[];
  private readonly query: Query;
  private readonly step: GetStep;
  private readonly family: ColumnFamily;
  private readonly request: Omit<GetRequest, "where">;
  private readonly classes: readonly (ColumnClass | undefined)[];
  private readonly sizes: readonly (number | "length")[];

  constructor(
    entityGraph: EntityGraph,
    query: Query,
    columns: GraphColumns,
    family: ColumnFamily,
    step: GetStep,
  ) {
    this.query = query;
    this.step = step;
    this.family = family;
    this.classes = layColumns(entityGraph, columns, family, step.embedding);
    const bindings = step.bindings.map(({ from }) => from);
    this.fetched = step.bindings.flatMap((binding) =>
      binding.from === "fetched" ? [this.classAt(binding)] : [],
    );
    this.listed = bindings.flatMap((from) =>
      from !== "fetched" && query.predicates[from.predicate]?.kind === "in" ? [from.predicate] : [],
    );
    this.selected = step.selects.map((column) => columns.classOf(column) ?? -1);
    const aggregates = step.grouped || step.aggregated ? this.aggregatesAsked(columns) : [];
    this.aggregates = aggregates.map(({ name }) => name);
    this.request = {
      // One row stands for all that are aggregated, so there is no row to take columns from.
      columns: step.aggregated ? [] : this.selected.map((id) => this.columnOf(id)),
      aggregates: aggregates.map(({ aggregate }) => aggregate),
      ...(step.grouped && { groupBy: this.groupBy(columns) }),
      ...(step.order && { orderBy: this.orderBy(columns, step.order) }),
      ...(step.limit !== undefined && { limit: step.limit }),
    };
    this.sizes = this.request.columns.map((column) => sizeOf(entityGraph, this.family, column));
    if (step.aggregated) this.selected = [];
  }

  /** Bytes of a returned row's columns; aggregates count nothing. */
  bytesOf(row: readonly Cell[]): number {
    return this.sizes.reduce<number>(
      (sum, size, at) => sum + (size === "length" ? String(row[at]).length : size),
      0,
    );
  }

  requestFor(key: readonly Value[], listed: readonly Value[], values: PredicateValues): GetRequest {
    let nextKey = 0;
    let nextListed = 0;
    const where = this.step.bindings.map(({ column, from }): Restriction => {
      const equal = (value: Value | undefined): Restriction => ({
        kind: "equal",
        column,
        value: value as Value,
      });
      if (from === "fetched") return equal(key[nextKey++]);
      if (from.predicate < 0) return equal(constantValue);
      const predicate = this.query.predicates[from.predicate];
      return equal(predicate?.kind === "in" ? listed[nextListed++] : values[from.predicate]?.[0]);
    });
    return { ...this.request, where: [...where, ...this.rangeRestriction(values)] };
  }

  private rangeRestriction(values: PredicateValues): Restriction[] {
    const { range } = this.step;
    if (range === undefined) return [];
    const predicate = this.query.predicates[range];
    const boundClustering = this.step.bindings.filter(({ key }) => key === "clustering").length;
    const column = this.family.clusteringKey[boundClustering];
    if (predicate?.kind !== "range" || !column) throw new PlanFault("a range restricts no column");
    const bounds = predicate.bounds.map(({ operator }, index) => ({
      lower: operator === ">" || operator === ">=",
      bound: {
        values: [values[range]?.[index] as Value],
        inclusive: operator === "<=" || operator === ">=",
      },
    }));
    const lower = bounds.find((each) => each.lower)?.bound;
    const upper = bounds.find((each) => !each.lower)?.bound;
    return [{ kind: "slice", columns: [column], ...(lower && { lower }), ...(upper && { upper }) }];
  }

  private classAt({ column }: Binding): ColumnClass {
    const at = columnsOf(this.family).findIndex(
      ({ node, attribute }) => node === column.node && attribute === column.attribute,
    );
    const id = this.classes[at];
    if (id === undefined)
      throw new PlanFault(`a key column has no value in the query: ${column.attribute}`);
    return id;
  }

  private columnOf(id: ColumnClass): ColumnReference {
    const at = this.classes.indexOf(id);
    const column = at < 0 ? undefined : columnsOf(this.family)[at];
    if (!column) throw new PlanFault(`${this.family.key} does not hold a selected column`);
    return column;
  }

  /** Sum instead of average; how many rows there were, in any case. */
  private aggregatesAsked(columns: GraphColumns): { name: string; aggregate: Aggregate }[] {
    const count = { name: "count(*)", aggregate: { function: "count" } as const };
    const items = [...this.query.select, ...this.query.orderBy.map(({ by }) => by)];
    const asked = items.flatMap((item) => {
      if (item.kind !== "aggregate" || item.function === "count" || !item.column) return [];
      const work = item.function === "avg" ? "sum" : item.function;
      const name = `${item.function}(${columnText(this.query.graph, item.column)})`;
      const column = this.columnOf(columns.classOf(item.column) ?? -1);
      return [{ name, aggregate: { function: work, column } as const }];
    });
    return [count, ...asked];
  }

  /** The query's order in terms of the table; what `=` fixes orders nothing. */
  private orderBy(
    columns: GraphColumns,
    reading: "forward" | "reverse",
  ): NonNullable<GetRequest["orderBy"]> {
    const fixed = new Set(
      this.query.predicates.flatMap((predicate) =>
        predicate.kind === "equal" ? [columns.classOf(predicate.column)] : [],
      ),
    );
    const orderings = this.query.orderBy.flatMap(({ by, direction }) => {
      const id = by.column && columns.classOf(by.column);
      if (by.kind !== "column" || id === undefined)
        throw new PlanFault("the server cannot order by an aggregate");
      if (fixed.has(id)) return [];
      fixed.add(id);
      return [{ column: this.columnOf(id), direction }];
    });
    const first = orderings[0];
    const declared = this.family.clusteringKey.find(
      ({ node, attribute }) => node === first?.column.node && attribute === first.column.attribute,
    );
    if (first && declared && (declared.direction === first.direction) !== (reading === "forward"))
      throw new PlanFault(`reading ${reading} does not give the order asked for`);
    return orderings;
  }

  /** The shortest prefix of the key that groups as the query does. */
  private groupBy(columns: GraphColumns): ColumnReference[] {
    const { partitionKey, clusteringKey } = this.family;
    const wanted = this.query.groupBy.map((column) => columns.classOf(column) ?? -1);
    const bound =
      partitionKey.length + this.step.bindings.filter((each) => each.key === "clustering").length;
    const prefix = this.classes.slice(0, bound);
    const key = [...partitionKey, ...clusteringKey];
    for (let length = bound; length <= key.length; length += 1) {
      if (length > bound) {
        const next = this.classes[length - 1];
        if (next === undefined || !determines(columns, wanted, [next])) break;
        prefix.push(next);
      }
      const classes = prefix.filter((id) => id !== undefined);
      if (determines(columns, classes, wanted)) return key.slice(0, length);
    }
    throw new Refusal("groups are no prefix of the key", this.family.key);
  }
}

function sizeOf(
  entityGraph: EntityGraph,
  { graph }: ColumnFamily,
  { node, attribute }: ColumnReference,
): number | "length" {
  const entity = graph.nodes[node]?.entity;
  return entity === undefined ? 1 : valueSize(entityGraph, entity, attribute);
}

/** Equal values of some classes mean equal values of others. */
function determines(
  columns: GraphColumns,
  from: readonly ColumnClass[],
  to: readonly ColumnClass[],
): boolean {
  const nodes = columns.determinedNodes(from);
  return to.every(
    (id) => from.includes(id) || columns.members[id]?.some(({ node }) => nodes.has(node)),
  );
}

function holds(predicate: Predicate, values: readonly Value[], value: Value): boolean {
  switch (predicate.kind) {
    case "equal":
      return value === values[0];
    case "in":
      return values.includes(value);
    case "range":
      return predicate.bounds.every(({ operator }, index) => {
        const order = compareValues(value, values[index] as Value);
        if (order === 0) return operator === "<=" || operator === ">=";
        return order < 0 === operator.startsWith("<");
      });
  }
}

function combinations(lists: readonly (readonly Value[])[]): Value[][] {
  return lists.reduce<Value[][]>(
    (all, list) => all.flatMap((chosen) => list.map((value) => [...chosen, value])),
    [[]],
  );
}
