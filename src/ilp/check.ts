/**
 * Whether a point is a solution, found by evaluating the model itself.
 *
 * Decides nothing about how points come about; promises to be independent of every solver, so that it
 * may judge one. A point has one value per variable. The tolerance is that by which a side may be
 * missed: absolute for bounds of size up to 1, relative to the bound beyond, since the rounding of a
 * sum of large parts grows with them. A value that is not a number breaks everything it touches.
 */
import {
  type ConstraintIndex,
  constraintName,
  type IlpModel,
  type SparseProgram,
  sparseProgram,
  type VariableIndex,
  variableName,
} from "./model.ts";

/** A row whose `value` at the point lies outside `lower` … `upper`. */
export interface ConstraintViolation {
  readonly constraint: ConstraintIndex;
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly value: number;
}

/** A variable whose `value` lies outside `lower` … `upper`. */
export interface BoundViolation {
  readonly variable: VariableIndex;
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly value: number;
}

/** An integral variable whose `value` is further than the tolerance from every integer. */
export interface IntegralityViolation {
  readonly variable: VariableIndex;
  readonly name: string;
  readonly value: number;
}

/** The constraints a point breaks, in model order. Throws if the point has the wrong length. */
export function constraintViolations(
  model: IlpModel,
  values: Float64Array,
  tolerance: number,
): ConstraintViolation[] {
  const program = programFor(model, values);
  return brokenRows(program, values, tolerance).map((row) => ({
    constraint: row as ConstraintIndex,
    name: constraintName(model, row as ConstraintIndex),
    lower: program.rowLower[row] ?? Number.NaN,
    upper: program.rowUpper[row] ?? Number.NaN,
    value: rowValue(program, row, values),
  }));
}

/** The variable bounds a point breaks, in model order. Throws if the point has the wrong length. */
export function boundViolations(
  model: IlpModel,
  values: Float64Array,
  tolerance: number,
): BoundViolation[] {
  const program = programFor(model, values);
  return columnsOutOfBounds(program, values, tolerance).map((column) => ({
    variable: column as VariableIndex,
    name: variableName(model, column as VariableIndex),
    lower: program.columnLower[column] ?? Number.NaN,
    upper: program.columnUpper[column] ?? Number.NaN,
    value: values[column] ?? Number.NaN,
  }));
}

/**
 * The integral variables that are not integral at a point, in model order; the tolerance is absolute
 * here. Throws if the point has the wrong length.
 */
export function integralityViolations(
  model: IlpModel,
  values: Float64Array,
  tolerance: number,
): IntegralityViolation[] {
  const program = programFor(model, values);
  return fractionalColumns(program, values, tolerance).map((column) => ({
    variable: column as VariableIndex,
    name: variableName(model, column as VariableIndex),
    value: values[column] ?? Number.NaN,
  }));
}

/**
 * Whether a point keeps all constraints, bounds and integrality within the tolerance. Throws if it
 * has the wrong length.
 */
export function isFeasible(model: IlpModel, values: Float64Array, tolerance: number): boolean {
  const program = programFor(model, values);
  return (
    columnsOutOfBounds(program, values, tolerance).length === 0 &&
    fractionalColumns(program, values, tolerance).length === 0 &&
    brokenRows(program, values, tolerance).length === 0
  );
}

function programFor(model: IlpModel, values: Float64Array): SparseProgram {
  const program = sparseProgram(model);
  if (values.length === program.columnCount) return program;
  throw new Error(
    `A point of model ${model.name} has ${program.columnCount} values, but ${values.length} were given.`,
  );
}

function brokenRows(program: SparseProgram, values: Float64Array, tolerance: number): number[] {
  const { rowLower, rowUpper } = program;
  return positionsOutside(
    program.rowCount,
    (row) => rowValue(program, row, values),
    rowLower,
    rowUpper,
    tolerance,
  );
}

function columnsOutOfBounds(
  program: SparseProgram,
  values: Float64Array,
  tolerance: number,
): number[] {
  const { columnCount, columnLower, columnUpper } = program;
  const valueAt = (column: number) => values[column] ?? Number.NaN;
  return positionsOutside(columnCount, valueAt, columnLower, columnUpper, tolerance);
}

function positionsOutside(
  count: number,
  valueAt: (position: number) => number,
  lowers: Float64Array,
  uppers: Float64Array,
  tolerance: number,
): number[] {
  const outside: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const lower = lowers[position] ?? Number.NaN;
    const upper = uppers[position] ?? Number.NaN;
    if (!liesWithin(valueAt(position), lower, upper, tolerance)) outside.push(position);
  }
  return outside;
}

function fractionalColumns(
  program: SparseProgram,
  values: Float64Array,
  tolerance: number,
): number[] {
  const fractional: number[] = [];
  values.forEach((value, column) => {
    const isWhole = Math.abs(value - Math.round(value)) <= tolerance;
    if (program.integral[column] === 1 && !isWhole) fractional.push(column);
  });
  return fractional;
}

function rowValue(program: SparseProgram, row: number, values: Float64Array): number {
  const end = program.rowStarts[row + 1] ?? 0;
  let value = 0;
  for (let entry = program.rowStarts[row] ?? 0; entry < end; entry += 1) {
    value += (program.coefficients[entry] ?? 0) * (values[program.columns[entry] ?? 0] ?? 0);
  }
  return value;
}

// Written so that a NaN lies nowhere.
function liesWithin(value: number, lower: number, upper: number, tolerance: number): boolean {
  return (
    value >= lower - allowance(lower, tolerance) && value <= upper + allowance(upper, tolerance)
  );
}

function allowance(bound: number, tolerance: number): number {
  return Number.isFinite(bound) ? tolerance * Math.max(1, Math.abs(bound)) : 0;
}
