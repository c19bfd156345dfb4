/**
 * What a program has gained since a solver last saw it.
 *
 * Decides by comparison, not by a log, so that the model need not know who follows it. Promises that a
 * solver which takes over the columns, then the rows, then the rest, holds the program as it stands.
 * Relies on models only ever growing: columns and rows are added at the end and entries of old rows
 * belong to new columns.
 */
import type { SparseProgram } from "./model.ts";

/** Of a program: what is needed to find later what has changed. Owns its arrays. */
export type HeldProgram = Pick<
  SparseProgram,
  "columnCount" | "rowCount" | "costs" | "columnLower" | "columnUpper" | "rowLower" | "rowUpper"
>;

/**
 * A sparse matrix as it goes into a solver: column (`csc`) or row (`csr`) number i holds `values[k]`
 * in row or column `indices[k]` for `starts[i]` ≤ k < `starts[i + 1]`.
 */
export interface CompressedMatrix {
  readonly format: "csc" | "csr";
  readonly numRows: number;
  readonly numCols: number;
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** Columns to add; the matrix (`csc`) has the rows of before. */
export interface NewColumns {
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly integral: Uint8Array;
  readonly matrix: CompressedMatrix;
}

/** Rows to add; the matrix (`csr`) has all columns, the new ones included. */
export interface NewRows {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly matrix: CompressedMatrix;
}

/** Positions in increasing order; take the new values from the program. */
export interface ProgramChanges {
  /** Entries in old rows only; those in new rows come with the rows. */
  readonly newColumns: NewColumns | undefined;
  readonly newRows: NewRows | undefined;
  /** Old columns whose cost has changed. */
  readonly costs: Int32Array;
  /** Old columns one of whose bounds has changed. */
  readonly columnBounds: Int32Array;
  /** Old rows one of whose sides has changed. */
  readonly rowBounds: Int32Array;
}

/** Copies of a program's changeable parts, to compare a later state with. */
export function heldProgram(program: SparseProgram): HeldProgram {
  return {
    columnCount: program.columnCount,
    rowCount: program.rowCount,
    costs: program.costs.slice(),
    columnLower: program.columnLower.slice(),
    columnUpper: program.columnUpper.slice(),
    rowLower: program.rowLower.slice(),
    rowUpper: program.rowUpper.slice(),
  };
}

/** Compares a program with its earlier state. */
export function changesSince(held: HeldProgram, program: SparseProgram): ProgramChanges {
  return {
    newColumns: program.columnCount > held.columnCount ? newColumns(held, program) : undefined,
    newRows: program.rowCount > held.rowCount ? newRows(held, program) : undefined,
    costs: changedPositions(held.costs, program.costs),
    columnBounds: merged(
      changedPositions(held.columnLower, program.columnLower),
      changedPositions(held.columnUpper, program.columnUpper),
    ),
    rowBounds: merged(
      changedPositions(held.rowLower, program.rowLower),
      changedPositions(held.rowUpper, program.rowUpper),
    ),
  };
}

/** A point of the earlier program as one of this: new columns stand at the value nearest to 0. */
export function carriedOver(point: Float64Array, program: SparseProgram): Float64Array {
  return program.columnLower.map((lower, column) => {
    const upper = program.columnUpper[column] ?? Number.POSITIVE_INFINITY;
    return point[column] ?? Math.min(Math.max(lower, 0), upper);
  });
}

function newColumns(held: HeldProgram, program: SparseProgram): NewColumns {
  const first = held.columnCount;
  const starts = newColumnStarts(held, program);
  const next = starts.slice(0, -1);
  const indices = new Int32Array(starts.at(-1) ?? 0);
  const values = new Float64Array(indices.length);
  for (let row = 0; row < held.rowCount; row += 1) {
    const end = program.rowStarts[row + 1] ?? 0;
    for (let entry = program.rowStarts[row] ?? 0; entry < end; entry += 1) {
      const column = (program.columns[entry] ?? 0) - first;
      const target = next[column];
      if (target === undefined) continue;
      indices[target] = row;
      values[target] = program.coefficients[entry] ?? 0;
      next[column] = target + 1;
    }
  }
  const numCols = program.columnCount - first;
  return {
    cost: program.costs.subarray(first),
    lower: program.columnLower.subarray(first),
    upper: program.columnUpper.subarray(first),
    integral: program.integral.subarray(first),
    matrix: { format: "csc", numRows: held.rowCount, numCols, starts, indices, values },
  };
}

function newColumnStarts(held: HeldProgram, program: SparseProgram): Int32Array {
  const lengths = new Int32Array(program.columnCount - held.columnCount);
  const oldEntries = program.rowStarts[held.rowCount] ?? 0;
  for (let entry = 0; entry < oldEntries; entry += 1) {
    const column = (program.columns[entry] ?? 0) - held.columnCount;
    if (column >= 0) lengths[column] = (lengths[column] ?? 0) + 1;
  }
  const starts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, column) => {
    starts[column + 1] = (starts[column] ?? 0) + length;
  });
  return starts;
}

function newRows(held: HeldProgram, program: SparseProgram): NewRows {
  const first = held.rowCount;
  const firstEntry = program.rowStarts[first] ?? 0;
  return {
    lower: program.rowLower.subarray(first),
    upper: program.rowUpper.subarray(first),
    matrix: {
      format: "csr",
      numRows: program.rowCount - first,
      numCols: program.columnCount,
      starts: program.rowStarts.subarray(first).map((start) => start - firstEntry),
      indices: program.columns.subarray(firstEntry),
      values: program.coefficients.subarray(firstEntry),
    },
  };
}

/** Where the two differ, within the length of the older. */
function changedPositions(older: Float64Array, newer: Float64Array): Int32Array {
  const changed: number[] = [];
  for (let position = 0; position < older.length; position += 1) {
    if (older[position] !== newer[position]) changed.push(position);
  }
  return Int32Array.from(changed);
}

function merged(some: Int32Array, others: Int32Array): Int32Array {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  return Int32Array.from(new Set([...some, ...others])).sort();
}
