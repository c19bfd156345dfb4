/**
 * Carries out an update on tables as an application would by its plans (`UpdatePlan`, one for each
 * table that the update touches): all support queries first, by the query plan chosen for each; then
 * the deletes, then the puts. It uses only what the plans say: a key column that is neither given nor
 * read throws a `PlanFault` or a `Refusal`, a cell put where no row is throws a `GhostRow`.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type {
  GivenColumn,
  QueryPlan,
  RowChange,
  SupportRead,
  UpdatePlan,
  UpdateValue,
} from "#model/plan.ts";
import { type ColumnReference, columnText } from "#model/query-graph.ts";
import type { Query } from "#model/statement.ts";
import { type ColumnClass, type GraphColumns, graphColumns } from "./graph-columns.ts";
import { constantValue, type Value, valuesText } from "./records.ts";
import { PlanFault, type PredicateValues, runQueryPlan } from "./run-query-plan.ts";
import { type Cells, deleteRow, putCells, type Table } from "./table.ts";

/** The values of a statement's operands, each list in the order of the statement's. */
export interface ChangeValues {
  readonly assignments: readonly Value[];
  /** What the application gives attributes that its INSERT does not name. */
  readonly defaults: Readonly<Record<string, Value>>;
  readonly predicates: PredicateValues;
  /** Of the record that CONNECT or DISCONNECT begins with. */
  readonly record: readonly Value[];
  readonly connections: readonly (readonly Value[])[];
}

export const noValues: ChangeValues = {
  assignments: [],
  defaults: {},
  predicates: [],
  record: [],
  connections: [],
};

export interface UpdateToRun {
  readonly entityGraph: EntityGraph;
  readonly plans: readonly UpdatePlan[];
  /** The column families that the plans speak of, those of tables being loaded included. */
  readonly families: ReadonlyMap<string, ColumnFamily>;
  /** What support queries read. */
  readonly tables: ReadonlyMap<string, Table>;
  /** The plan chosen for a support query; undefined when there is none. */
  readonly planFor: (query: Query, values: PredicateValues) => QueryPlan | undefined;
  readonly values: ChangeValues;
}

/** What an update writes to one table. */
export interface TableWrites {
  readonly columnFamily: string;
  /** Keys, in the order of the columns. */
  readonly deletes: readonly Cells[];
  readonly puts: readonly Cells[];
  /** Times each support query was read, in the order `find`, then each change's reads and renewals. */
  readonly reads: readonly number[];
}

/** Reads what the update needs to know; nothing is written yet. */
export function readUpdate(toRun: UpdateToRun): TableWrites[] {
  return toRun.plans.map((plan) => {
    const family = toRun.families.get(plan.columnFamily);
    if (!family) throw new PlanFault(`there is no table ${plan.columnFamily}`);
    return new Reading(toRun, family).run(plan);
  });
}

/** Writes to a table what was read for it. */
export function writeUpdate(table: Table, { deletes, puts }: TableWrites): void {
  for (const key of deletes) deleteRow(table, key);
  for (const cells of puts) putCells(table, cells);
}

/** Values by class of the family's graph. */
type Known = readonly (Value | undefined)[];

/** A row that gets other values. */
interface ChangedRow {
  readonly before: Known;
  readonly after: Known;
}

class Reading {
  private readonly toRun: UpdateToRun;
  private readonly family: ColumnFamily;
  private readonly columns: GraphColumns;
  /** Classes of the family's columns, and how many of them make the key. */
  private readonly classes: readonly ColumnClass[];
  private readonly keyLength: number;
  private readonly counts = new Map<SupportRead, number>();
  private readonly deletes = new Map<string, Cells>();
  private readonly puts = new Map<string, Cells>();
  private readonly changed = new Map<string, ChangedRow>();

  constructor(toRun: UpdateToRun, family: ColumnFamily) {
    this.toRun = toRun;
    this.family = family;
    this.columns = graphColumns(toRun.entityGraph, family.graph);
    this.classes = columnsOf(family).map((column) => this.classOf(column));
    this.keyLength = family.partitionKey.length + family.clusteringKey.length;
  }

  run({ columnFamily, find, changes }: UpdatePlan): TableWrites {
    for (const record of find ? this.found(find) : [[]])
      for (const change of changes)
        for (const row of this.rowsOf(change, record)) this.take(change, record, row);
    for (const row of this.changed.values()) this.putChanged(row);
    // A row that is put under the same key again is not deleted: it is overwritten.
    for (const key of this.puts.keys()) this.deletes.delete(key);
    const reads = changes.flatMap((change) => [...change.reads, ...change.renews]);
    return {
      columnFamily,
      deletes: [...this.deletes.values()],
      puts: [...this.puts.values()],
      reads: [...(find ? [1] : []), ...reads.map((read) => this.counts.get(read) ?? 0)],
    };
  }

  private take(change: RowChange, record: readonly Value[], row: Known): void {
    if (change.kind === "put") this.put(row);
    else if (change.kind === "delete") this.deletes.set(this.keyText(row), this.keyOf(row));
    else this.change(change, record, row);
  }

  /** Identifiers of the records meant, each once. */
  private found({ query, predicates }: NonNullable<UpdatePlan["find"]>): Value[][] {
    const values = predicates.map((index) => this.toRun.values.predicates[index] ?? []);
    const rows = this.answer(query, values);
    return [...new Map(rows.map((row) => [valuesText(row), row])).values()];
  }

  private rowsOf(change: RowChange, found: readonly Value[]): Known[] {
    const given = this.with([constantValue], this.valued(change.given, found));
    let rows = given ? [given] : [];
    for (const read of change.reads) rows = this.joined(rows, read, found);
    const excepted = change.except.map((record) => this.valued(record, found));
    return rows.filter(
      (row) => !excepted.some((record) => record.every(([id, value]) => row[id] === value)),
    );
  }

  /** Each row with each answer of a support query; none is asked where there is no row. */
  private joined(rows: readonly Known[], read: SupportRead, found: readonly Value[]): Known[] {
    if (rows.length === 0) return [];
    const answers = this.answersOf(read, found);
    return rows.flatMap((row) =>
      answers.flatMap((answer) => {
        const both = this.with(row, answer);
        return both ? [both] : [];
      }),
    );
  }

  private answersOf(read: SupportRead, found: readonly Value[]): (readonly [number, Value])[][] {
    this.counts.set(read, (this.counts.get(read) ?? 0) + 1);
    const values = read.parameters.map((parameter) => [this.valueOf(parameter, found)]);
    const classes = read.columns.map((column) => this.classOf(column));
    return this.answer(read.query, values).map((row) =>
      row.map((value, index) => [classes[index] as ColumnClass, value] as const),
    );
  }

  private answer(query: Query, values: PredicateValues): Value[][] {
    const { entityGraph, tables, planFor } = this.toRun;
    const plan = planFor(query, values);
    if (!plan) throw new PlanFault(`nothing answers ${query.id}`);
    // No aggregates, hence no nulls.
    return runQueryPlan({ entityGraph, query, plan, tables, values }).rows as Value[][];
  }

  /** Adds what one change makes of a row to what others make of it. */
  private change({ sets, renews }: RowChange, found: readonly Value[], row: Known): void {
    const text = this.keyText(row);
    const known = this.changed.get(text) ?? { before: [], after: [] };
    const after = [...known.after];
    for (const [id, value] of this.valued(sets, found)) after[id] = value;
    for (const read of renews) {
      const answers = this.answersOf(read, found);
      if (answers.length !== 1)
        throw new PlanFault(`${read.query.id} has ${answers.length} answers instead of one`);
      for (const [id, value] of answers[0] ?? []) after[id] = value;
    }
    this.changed.set(text, { before: merged(known.before, row), after });
  }

  private putChanged({ before, after }: ChangedRow): void {
    const row = merged(before, after);
    if (this.keyText(row) === this.keyText(before)) {
      const cells = this.classes.map((id, at) => (at < this.keyLength ? row[id] : after[id]));
      this.puts.set(this.keyText(row), cells);
    } else {
      this.deletes.set(this.keyText(before), this.keyOf(before));
      this.put(row);
    }
  }

  private put(row: Known): void {
    const cells = this.classes.map((id, at) => row[id] ?? this.missing(at));
    const text = this.keyText(row);
    const other = this.puts.get(text);
    if (other && valuesText(other) !== valuesText(cells))
      throw new PlanFault(`two rows of ${this.family.key} have the key ${text}`);
    this.puts.set(text, cells);
  }

  private keyOf(row: Known): Cells {
    return this.classes.slice(0, this.keyLength).map((id, at) => row[id] ?? this.missing(at));
  }

  private keyText(row: Known): string {
    return valuesText(this.keyOf(row));
  }

  private missing(at: number): never {
    const column = columnsOf(this.family)[at];
    const name = column ? columnText(this.family.graph, column) : String(at);
    throw new PlanFault(`nothing says ${name} of ${this.family.key}`);
  }

  /** The row with more values; undefined where these contradict those it has. */
  private with(row: Known, values: readonly (readonly [ColumnClass, Value])[]): Known | undefined {
    const all = [...row];
    for (const [id, value] of values) {
      if (all[id] !== undefined && all[id] !== value) return undefined;
      all[id] = value;
    }
    return all;
  }

  private valued(
    given: readonly GivenColumn[],
    found: readonly Value[],
  ): (readonly [ColumnClass, Value])[] {
    return given.map(
      ({ column, value }) => [this.classOf(column), this.valueOf(value, found)] as const,
    );
  }

  private valueOf(from: UpdateValue, found: readonly Value[]): Value {
    const { assignments, defaults, predicates, record, connections } = this.toRun.values;
    const value = ((): Value | undefined => {
      switch (from.kind) {
        case "assignment":
          return assignments[from.index];
        case "default":
          return defaults[from.attribute];
        case "predicate":
          return predicates[from.index]?.[0];
        case "record":
          return record[from.index];
        case "connection":
          return connections[from.connection]?.[from.index];
        case "found":
          return found[from.index];
      }
    })();
    if (value === undefined) throw new PlanFault(`there is no value for ${JSON.stringify(from)}`);
    return value;
  }

  private classOf(column: ColumnReference): ColumnClass {
    const id = this.columns.classOf(column);
    if (id === undefined)
      throw new PlanFault(`there is no column ${columnText(this.family.graph, column)}`);
    return id;
  }
}

/** The values of `over`, and where it has none, those of `under`. */
function merged(under: Known, over: Known): Known {
  const length = Math.max(under.length, over.length);
  return Array.from({ length }, (_, id) => over[id] ?? under[id]);
}
