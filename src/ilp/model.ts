/**
 * A 0/1 or linear program as it is being written down.
 *
 * Decides how a program is held: variables, named constraints (sparse rows) and a minimised
 * objective that is the sum of *named cost terms*, so that a cost is defined once and serves both as
 * objective and as report. Promises that models of a million variables and ten million non-zeros fit
 * (growing typed arrays, no object per entry), that everything is kept in the order it was added, and
 * that a malformed row (unknown or repeated variable, NaN) is refused where it is written: such a row
 * is our own bug. Knows neither databases nor solvers.
 */

declare const variableBrand: unique symbol;
declare const constraintBrand: unique symbol;

/** Position of a variable in its model, counted from 0; also its index in every point. */
export type VariableIndex = number & { readonly [variableBrand]: true };

/** Position of a constraint in its model, counted from 0. */
export type ConstraintIndex = number & { readonly [constraintBrand]: true };

/** A variable to add. Infinite bounds are ±Infinity; a 0/1 variable is integral in [0, 1]. */
export interface VariableDefinition {
  /** Readable and unique among the variables (`lpText` refuses doubles). */
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly integral: boolean;
}

/** The coefficients of a new variable in constraints that exist already; two parallel lists. */
export interface ColumnEntries {
  readonly constraints: readonly ConstraintIndex[];
  readonly coefficients: readonly number[];
}

/**
 * The whole program as arrays, for adapters and checkers. Row i is
 * `rowLower[i] ≤ Σ coefficients[k] · x[columns[k]] ≤ rowUpper[i]` over k from `rowStarts[i]` up to
 * `rowStarts[i + 1]`; no column occurs twice in a row. The arrays may share memory with the model:
 * don't write to them, and take a new view after the model has changed.
 */
export interface SparseProgram {
  readonly columnCount: number;
  readonly rowCount: number;
  /** Length `rowCount + 1`. */
  readonly rowStarts: Int32Array;
  /** Column of each entry. */
  readonly columns: Int32Array;
  /** Value of each entry, parallel to `columns`. */
  readonly coefficients: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  readonly columnLower: Float64Array;
  readonly columnUpper: Float64Array;
  /** Cost of each column: the sum over all cost terms. */
  readonly costs: Float64Array;
  /** 1 for an integral column, else 0. */
  readonly integral: Uint8Array;
}

const storage: unique symbol = Symbol("storage");

/** A program under construction; read and changed through the functions of this file. */
export interface IlpModel {
  readonly name: string;
  readonly [storage]: Storage;
}

interface Storage {
  readonly variableNames: string[];
  readonly columnLower: Growing<Float64Array>;
  readonly columnUpper: Growing<Float64Array>;
  readonly integral: Growing<Uint8Array>;
  readonly repetition: Repetition;
  readonly constraintNames: string[];
  readonly rowLower: Growing<Float64Array>;
  readonly rowUpper: Growing<Float64Array>;
  readonly rowStarts: Growing<Int32Array>;
  readonly columns: Growing<Int32Array>;
  readonly coefficients: Growing<Float64Array>;
  /** Entries of variables that were added after the row they stand in (column generation). */
  readonly late: Entries;
  readonly terms: Map<string, CostTerm>;
}

interface Entries {
  readonly rows: Growing<Int32Array>;
  readonly columns: Growing<Int32Array>;
  readonly coefficients: Growing<Float64Array>;
}

/** Finds columns repeated within a row without a set per row: the last mark each column was given. */
interface Repetition {
  readonly marks: Growing<Int32Array>;
  /** Counts rows tried, not rows added: a refused row leaves its marks behind. */
  lastMark: number;
}

interface CostTerm {
  readonly columns: Growing<Int32Array>;
  readonly coefficients: Growing<Float64Array>;
}

/** Starts an empty program; `name` heads its LP text. */
export function createIlpModel(name: string): IlpModel {
  const rowStarts = growing(Int32Array);
  append(rowStarts, 0);
  return {
    name,
    [storage]: {
      variableNames: [],
      columnLower: growing(Float64Array),
      columnUpper: growing(Float64Array),
      integral: growing(Uint8Array),
      repetition: { marks: growing(Int32Array), lastMark: 0 },
      constraintNames: [],
      rowLower: growing(Float64Array),
      rowUpper: growing(Float64Array),
      rowStarts,
      columns: growing(Int32Array),
      coefficients: growing(Float64Array),
      late: {
        rows: growing(Int32Array),
        columns: growing(Int32Array),
        coefficients: growing(Float64Array),
      },
      terms: new Map(),
    },
  };
}

/**
 * Adds a variable and, with `entries`, its coefficients in constraints that exist already.
 * Throws if a bound is NaN or an entry is unknown, repeated or not finite.
 */
export function addVariable(
  model: IlpModel,
  definition: VariableDefinition,
  entries?: ColumnEntries,
): VariableIndex {
  const store = model[storage];
  const variable = store.variableNames.length as VariableIndex;
  refuseBadBounds(definition.name, definition.lower, definition.upper);
  if (entries !== undefined) refuseBadEntries(model, definition.name, entries);
  store.variableNames.push(definition.name);
  append(store.columnLower, definition.lower);
  append(store.columnUpper, definition.upper);
  append(store.integral, definition.integral ? 1 : 0);
  append(store.repetition.marks, 0);
  entries?.constraints.forEach((constraint, position) => {
    const coefficient = entries.coefficients[position] ?? 0;
    if (coefficient === 0) return;
    append(store.late.rows, constraint);
    append(store.late.columns, variable);
    append(store.late.coefficients, coefficient);
  });
  return variable;
}

/**
 * Adds the row `lower ≤ Σ coefficients[k] · variables[k] ≤ upper` (infinite sides are ±Infinity).
 * Throws if a variable is unknown or occurs twice, a coefficient is not finite, a bound is NaN or
 * the two lists differ in length; the model is then unchanged. Zero coefficients are left out.
 */
export function addConstraint(
  model: IlpModel,
  name: string,
  lower: number,
  upper: number,
  variables: readonly VariableIndex[],
  coefficients: readonly number[],
): ConstraintIndex {
  const store = model[storage];
  const constraint = store.constraintNames.length as ConstraintIndex;
  refuseBadBounds(name, lower, upper);
  refuseBadRow(model, name, variables, coefficients);
  for (let position = 0; position < variables.length; position += 1) {
    const coefficient = coefficients[position] ?? 0;
    if (coefficient === 0) continue;
    append(store.columns, variables[position] ?? 0);
    append(store.coefficients, coefficient);
  }
  store.constraintNames.push(name);
  append(store.rowLower, lower);
  append(store.rowUpper, upper);
  append(store.rowStarts, store.columns.length);
  return constraint;
}

/**
 * Adds `coefficient · variable` to the cost term `term`, which comes into being with its first
 * entry. Repeated entries of one variable add up. Throws if the coefficient is not finite.
 */
export function addCost(
  model: IlpModel,
  term: string,
  variable: VariableIndex,
  coefficient: number,
): void {
  const store = model[storage];
  refuseUnknown(store.variableNames, variable, `Cost term ${term}`, "variable");
  if (!Number.isFinite(coefficient)) {
    throw new Error(`Cost term ${term}: the coefficient is ${coefficient}, which is not finite.`);
  }
  let entries = store.terms.get(term);
  if (entries === undefined) {
    entries = { columns: growing(Int32Array), coefficients: growing(Float64Array) };
    store.terms.set(term, entries);
  }
  append(entries.columns, variable);
  append(entries.coefficients, coefficient);
}

/** Replaces the bounds of a variable; equal bounds fix it. Throws if one is NaN. */
export function setBounds(
  model: IlpModel,
  variable: VariableIndex,
  lower: number,
  upper: number,
): void {
  const store = model[storage];
  refuseUnknown(store.variableNames, variable, "setBounds", "variable");
  refuseBadBounds(variableName(model, variable), lower, upper);
  store.columnLower.data[variable] = lower;
  store.columnUpper.data[variable] = upper;
}

/** Replaces the two sides of a constraint; −Infinity and Infinity switch it off. */
export function setConstraintBounds(
  model: IlpModel,
  constraint: ConstraintIndex,
  lower: number,
  upper: number,
): void {
  const store = model[storage];
  refuseUnknown(store.constraintNames, constraint, "setConstraintBounds", "constraint");
  refuseBadBounds(constraintName(model, constraint), lower, upper);
  store.rowLower.data[constraint] = lower;
  store.rowUpper.data[constraint] = upper;
}

/** How many variables the model has: the length of every point. */
export function variableCount(model: IlpModel): number {
  return model[storage].variableNames.length;
}

/** How many constraints the model has. */
export function constraintCount(model: IlpModel): number {
  return model[storage].constraintNames.length;
}

/** The name a variable was given. Throws if there is no such variable. */
export function variableName(model: IlpModel, variable: VariableIndex): string {
  return nameAt(model[storage].variableNames, variable, "variable");
}

/** The name a constraint was given. Throws if there is no such constraint. */
export function constraintName(model: IlpModel, constraint: ConstraintIndex): string {
  return nameAt(model[storage].constraintNames, constraint, "constraint");
}

/** The names of the cost terms, in the order in which they first occurred. */
export function costTerms(model: IlpModel): string[] {
  return [...model[storage].terms.keys()];
}

/** The coefficients of one cost term: one per variable, 0 where it has none. Unknown terms throw. */
export function costTermCoefficients(model: IlpModel, term: string): Float64Array {
  const totals = new Float64Array(variableCount(model));
  addTermTo(totals, termNamed(model, term));
  return totals;
}

/** The objective: the sum of all cost terms, one coefficient per variable. */
export function objectiveCoefficients(model: IlpModel): Float64Array {
  const totals = new Float64Array(variableCount(model));
  for (const term of model[storage].terms.values()) addTermTo(totals, term);
  return totals;
}

/** What one cost term comes to at a point (one value per variable). Unknown terms throw. */
export function costTermValue(model: IlpModel, term: string, values: Float64Array): number {
  refuseBadPoint(model, values);
  return termValue(termNamed(model, term), values);
}

/** What the objective comes to at a point: the sum of its cost terms, in their order. */
export function evaluateObjective(model: IlpModel, values: Float64Array): number {
  refuseBadPoint(model, values);
  let total = 0;
  for (const term of model[storage].terms.values()) total += termValue(term, values);
  return total;
}

/** The program as sparse arrays; see `SparseProgram` for how long they stay valid. */
export function sparseProgram(model: IlpModel): SparseProgram {
  const store = model[storage];
  return Object.freeze({
    columnCount: store.variableNames.length,
    rowCount: store.constraintNames.length,
    ...rowsOf(store),
    rowLower: filled(store.rowLower),
    rowUpper: filled(store.rowUpper),
    columnLower: filled(store.columnLower),
    columnUpper: filled(store.columnUpper),
    costs: objectiveCoefficients(model),
    integral: filled(store.integral),
  });
}

/** Late entries go to the end of their rows, in the order in which they were added. */
function rowsOf(store: Storage): Pick<SparseProgram, "rowStarts" | "columns" | "coefficients"> {
  const own = {
    rowStarts: filled(store.rowStarts),
    columns: filled(store.columns),
    coefficients: filled(store.coefficients),
  };
  const lateRows = filled(store.late.rows);
  if (lateRows.length === 0) return own;

  const rowStarts = mergedStarts(own.rowStarts, lateRows);
  const columns = new Int32Array(own.columns.length + lateRows.length);
  const coefficients = new Float64Array(columns.length);
  // Where the next entry of each row goes.
  const next = rowStarts.slice(0, -1);
  for (let row = 0; row < next.length; row += 1) {
    const end = own.rowStarts[row + 1] ?? 0;
    let target = next[row] ?? 0;
    for (let entry = own.rowStarts[row] ?? 0; entry < end; entry += 1) {
      columns[target] = own.columns[entry] ?? 0;
      coefficients[target] = own.coefficients[entry] ?? 0;
      target += 1;
    }
    next[row] = target;
  }
  for (let entry = 0; entry < lateRows.length; entry += 1) {
    const row = lateRows[entry] ?? 0;
    const target = next[row] ?? 0;
    columns[target] = store.late.columns.data[entry] ?? 0;
    coefficients[target] = store.late.coefficients.data[entry] ?? 0;
    next[row] = target + 1;
  }
  return { rowStarts, columns, coefficients };
}

function mergedStarts(ownStarts: Int32Array, lateRows: Int32Array): Int32Array {
  const lateCounts = new Int32Array(ownStarts.length);
  for (const row of lateRows) lateCounts[row + 1] = (lateCounts[row + 1] ?? 0) + 1;
  let lateSoFar = 0;
  return ownStarts.map((start, row) => {
    lateSoFar += lateCounts[row] ?? 0;
    return start + lateSoFar;
  });
}

function termNamed(model: IlpModel, term: string): CostTerm {
  const entries = model[storage].terms.get(term);
  if (entries === undefined) throw new Error(`Model ${model.name} has no cost term ${term}.`);
  return entries;
}

function addTermTo(totals: Float64Array, term: CostTerm): void {
  for (let entry = 0; entry < term.columns.length; entry += 1) {
    const column = term.columns.data[entry] ?? 0;
    totals[column] = (totals[column] ?? 0) + (term.coefficients.data[entry] ?? 0);
  }
}

function termValue(term: CostTerm, values: Float64Array): number {
  let total = 0;
  for (let entry = 0; entry < term.columns.length; entry += 1) {
    const column = term.columns.data[entry] ?? 0;
    total += (term.coefficients.data[entry] ?? 0) * (values[column] ?? 0);
  }
  return total;
}

function refuseBadRow(
  model: IlpModel,
  name: string,
  variables: readonly VariableIndex[],
  coefficients: readonly number[],
): void {
  const { variableNames, repetition } = model[storage];
  const owner = `Constraint ${name}`;
  refuseDifferentLengths(owner, variables.length, coefficients.length);
  repetition.lastMark += 1;
  for (let position = 0; position < variables.length; position += 1) {
    const variable = variables[position] ?? -1;
    refuseUnknown(variableNames, variable, owner, "variable");
    if (repetition.marks.data[variable] === repetition.lastMark) {
      throw new Error(`${owner} contains variable ${variableNames[variable]} twice.`);
    }
    repetition.marks.data[variable] = repetition.lastMark;
    refuseNotFinite(owner, coefficients[position]);
  }
}

function refuseBadEntries(model: IlpModel, name: string, entries: ColumnEntries): void {
  const { constraintNames } = model[storage];
  const owner = `Variable ${name}`;
  refuseDifferentLengths(owner, entries.constraints.length, entries.coefficients.length);
  // Columns that arrive late are few and short beside the rows, so a set is cheap enough here.
  const seen = new Set<number>();
  entries.constraints.forEach((constraint, position) => {
    refuseUnknown(constraintNames, constraint, owner, "constraint");
    if (seen.has(constraint)) {
      throw new Error(`${owner} enters constraint ${constraintNames[constraint]} twice.`);
    }
    seen.add(constraint);
    refuseNotFinite(owner, entries.coefficients[position]);
  });
}

function refuseDifferentLengths(owner: string, indices: number, coefficients: number): void {
  if (indices === coefficients) return;
  throw new Error(`${owner} has ${indices} indices but ${coefficients} coefficients.`);
}

function refuseNotFinite(owner: string, coefficient: number | undefined): void {
  if (Number.isFinite(coefficient)) return;
  throw new Error(`${owner} has the coefficient ${coefficient}, which is not finite.`);
}

function refuseBadBounds(owner: string, lower: number, upper: number): void {
  // Crossed bounds are legal: they are one way for a program to be infeasible.
  const ordinary = lower < Number.POSITIVE_INFINITY && upper > Number.NEGATIVE_INFINITY;
  if (!ordinary) throw new Error(`${owner} has the bounds ${lower} and ${upper}.`);
}

function refuseUnknown(
  names: readonly string[],
  index: number,
  owner: string,
  kind: "variable" | "constraint",
): void {
  if (index >= 0 && index < names.length) return;
  throw new Error(`${owner} refers to ${kind} ${index}, but the model has ${names.length}.`);
}

function refuseBadPoint(model: IlpModel, values: Float64Array): void {
  const expected = variableCount(model);
  if (values.length === expected) return;
  throw new Error(
    `A point of model ${model.name} has ${expected} values, but ${values.length} were given.`,
  );
}

function nameAt(names: readonly string[], index: number, kind: "variable" | "constraint"): string {
  const name = names[index];
  if (name === undefined) throw new Error(`There is no ${kind} ${index}.`);
  return name;
}

type NumericArray = Float64Array | Int32Array | Uint8Array;

/** A typed array with room to grow; the first `length` elements are in use. */
interface Growing<Data extends NumericArray> {
  data: Data;
  length: number;
}

function growing<Data extends NumericArray>(create: new (length: number) => Data): Growing<Data> {
  return { data: new create(16), length: 0 };
}

function append<Data extends NumericArray>(list: Growing<Data>, value: number): void {
  if (list.length === list.data.length) {
    const larger = new (list.data.constructor as new (length: number) => Data)(2 * list.length);
    larger.set(list.data);
    list.data = larger;
  }
  list.data[list.length] = value;
  list.length += 1;
}

/** The elements in use, sharing memory with the list. */
function filled<Data extends NumericArray>(list: Growing<Data>): Data {
  return list.data.subarray(0, list.length) as Data;
}
