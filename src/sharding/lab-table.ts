/**
 * A table of the lab: the records to spread and the requests for them, in real numbers. `sampleOf` makes
 * as many records of it as can be drawn at once.
 */
import { largestValueShare } from "#model/partition-figures.ts";
import type { Distribution } from "#model/sharding-setup.ts";
import type { StatementId } from "#model/statement.ts";
import type { NativeType } from "./cql-type.ts";
import type { RecordsPlan } from "./records.ts";
import type { RequestPlan } from "./requests.ts";

export interface LabColumn {
  readonly name: string;
  readonly type: NativeType;
  /** Different values that there can be. */
  readonly distinct: number;
  /** Bytes of a value. */
  readonly bytes: number;
  readonly distribution: Distribution;
}

export interface SortedColumn {
  readonly name: string;
  readonly direction: "asc" | "desc";
}

/** A request of the design, and what it means beyond one table. */
export interface LabRequest extends RequestPlan {
  readonly statement?: StatementId;
  /** The order it asks for, by columns of the table. */
  readonly order: readonly SortedColumn[];
  /** It reads other tables as well. */
  readonly joins: boolean;
  /** It changes several records, whose number the statement does not bound by naming one. */
  readonly changesMany: boolean;
}

export interface LabTable {
  /** The entity's name, a column family's key, or `own records`. */
  readonly id: string;
  readonly kind: "entity" | "column family" | "own records";
  readonly columns: readonly LabColumn[];
  /** The partition key as the table has it now: an entity's identifier. */
  readonly key: readonly string[];
  /** Columns that keep the rows of a partition in order. */
  readonly clustering: readonly SortedColumn[];
  /** Records before the first step, and arriving during each. */
  readonly initial: number;
  readonly arriving: readonly number[];
  readonly stepSeconds: number;
  /** Bytes of one record as `size(cf)` counts them. */
  readonly bytesPerRow: number;
  /** Value cells of one record. */
  readonly cellsPerRow: number;
  readonly requests: readonly LabRequest[];
}

/** Records of a table at the end. */
export function rowsOf({ initial, arriving }: LabTable): number {
  return arriving.reduce((sum, each) => sum + each, initial);
}

/** The table whose requests know how many keys there are that they may name. */
export function withPopulations(table: LabTable): LabTable {
  const requests = table.requests.map((request) => ({
    ...request,
    population: keysOf(table, request.binds),
  }));
  return { ...table, requests };
}

export interface Sample {
  readonly plan: RecordsPlan;
  /** Real records that one of the sample stands for, ≥ 1. */
  readonly rowsEach: number;
}

/** A plan for at most so many records in the table's proportions. */
export function sampleOf(table: LabTable, mostRows: number, seed: number): Sample {
  const rowsEach = Math.max(1, rowsOf(table) / mostRows);
  return {
    rowsEach,
    plan: {
      columns: inDependencyOrder(table.columns),
      initial: Math.max(1, Math.round(table.initial / rowsEach)),
      arriving: table.arriving.map((each) => Math.round(each / rowsEach)),
      stepSeconds: table.stepSeconds,
      seed,
    },
  };
}

/** A column that follows another stands after it. */
function inDependencyOrder(columns: readonly LabColumn[]): readonly LabColumn[] {
  const follows = ({ distribution }: LabColumn): boolean => distribution.kind === "follows";
  return [...columns.filter((each) => !follows(each)), ...columns.filter(follows)];
}

/**
 * Records of the largest key of these columns that are to be expected: as many as each key has on average,
 * or as the most frequent values have together, whichever is more.
 */
export function largestPartitionRows(table: LabTable, key: readonly string[]): number {
  const rows = rowsOf(table);
  const share = key.reduce((product, name) => {
    const column = table.columns.find((each) => each.name === name);
    return column ? product * largestShareOf(column, rows) : product;
  }, 1);
  return Math.max(1, rows * share, rows / keysOf(table, key));
}

/** The share of records that the most frequent value of a column has. */
function largestShareOf({ distinct, distribution }: LabColumn, rows: number): number {
  if (distribution.kind === "unique") return 1 / rows;
  // What another column decides narrows nothing down.
  return distribution.kind === "follows" ? 1 : largestValueShare(distribution, distinct);
}

/** Different keys that these columns can make, at most one for each record. */
export function keysOf(table: LabTable, key: readonly string[]): number {
  const combinations = key.reduce((product, name) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column || column.distribution.kind === "follows") return product;
    return product * (column.distribution.kind === "unique" ? rowsOf(table) : column.distinct);
  }, 1);
  return Math.max(1, Math.min(rowsOf(table), combinations));
}
