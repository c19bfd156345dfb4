/**
 * A model as CPLEX LP text, for people to read and for reviews to compare.
 *
 * Decides names, order and layout; promises that equal models give equal text, that everything stands
 * in model order, and that the text is valid: a solver that reads it finds the same optimum. It is not
 * the way to a solver, which takes the sparse arrays. The format cannot hold every name or a row with
 * two sides, and HiGHS's reader lets the last of two coefficients of one variable win; hence
 * characters are replaced, such a row becomes two (`name`, `name~upper`), and the objective names each
 * variable once, grouped under comments by the cost terms it belongs to.
 */
import {
  type ConstraintIndex,
  constraintName,
  costTermCoefficients,
  costTerms,
  type IlpModel,
  type SparseProgram,
  sparseProgram,
  type VariableIndex,
  variableName,
} from "./model.ts";

/** How to write a model. */
export interface LpTextOptions {
  /** Minimise these costs, one per variable, instead of the model's own cost terms. */
  readonly costs?: Float64Array;
}

/**
 * Writes the model. Throws if two variables or two constraints bear the same name, or if `costs` has
 * the wrong length: both are our own bugs.
 */
export function lpText(model: IlpModel, options: LpTextOptions = {}): string {
  const program = sparseProgram(model);
  const columns = namesOf("variables", program.columnCount, (column) =>
    variableName(model, column as VariableIndex),
  ).map(distinctNames());
  const lines = [
    `\\ ${commentText(model.name)}`,
    `\\ ${program.columnCount} variables, ${program.rowCount} constraints`,
    "Minimize",
    " cost:",
    ...(options.costs === undefined
      ? costTermLines(model, columns)
      : givenCostLines(options.costs, columns)),
    "Subject To",
    ...constraintLines(model, program, columns),
    ...section("Bounds", boundLines(program, columns)),
    ...section(
      "Generals",
      columnsWhere(columns, (column) => isGeneral(program, column)),
    ),
    ...section(
      "Binaries",
      columnsWhere(columns, (column) => isBinary(program, column)),
    ),
    "End",
  ];
  return `${lines.join("\n")}\n`;
}

/** Groups variables by the set of cost terms they have a part in: single terms first, in term order. */
function costTermLines(model: IlpModel, columns: readonly string[]): string[] {
  const terms = costTerms(model);
  const coefficients = terms.map((term) => costTermCoefficients(model, term));
  const groups = new Map<string, { terms: number[]; columns: number[] }>();
  for (let column = 0; column < columns.length; column += 1) {
    const present = terms.map((_, term) => term).filter((term) => coefficients[term]?.[column]);
    if (present.length === 0) continue;
    const group = groups.get(present.join()) ?? { terms: present, columns: [] };
    groups.set(present.join(), group);
    group.columns.push(column);
  }
  const inOrder = [...groups.values()].sort((a, b) => compareTermSets(a.terms, b.terms));
  return inOrder.flatMap((group) => {
    const parts = (column: number) =>
      group.terms.map((term) => ({
        coefficient: coefficients[term]?.[column] ?? 0,
        name: commentText(terms[term] ?? ""),
      }));
    const total = (column: number) =>
      group.terms.reduce((sum, term) => sum + (coefficients[term]?.[column] ?? 0), 0);
    const breakdown = group.terms.length === 1 ? [] : group.columns;
    return [
      `\\ ${group.terms.map((term) => commentText(terms[term] ?? "")).join(" + ")}`,
      ...breakdown.map((column) => `\\   ${columns[column]} = ${sumText(parts(column))}`),
      ...wrapped(
        "   ",
        group.columns.map((column) => summand(total(column), columns[column] ?? "")),
      ),
    ];
  });
}

function compareTermSets(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  const position = a.findIndex((term, index) => term !== b[index]);
  return (a[position] ?? 0) - (b[position] ?? 0);
}

function givenCostLines(costs: Float64Array, columns: readonly string[]): string[] {
  if (costs.length !== columns.length) {
    throw new Error(
      `The model has ${columns.length} variables, but ${costs.length} costs were given.`,
    );
  }
  const summands = columns
    .map((name, column) => ({ name, cost: costs[column] ?? 0 }))
    .filter(({ cost }) => cost !== 0)
    .map(({ name, cost }) => summand(cost, name));
  return ["\\ costs given by the caller", ...wrapped("   ", summands)];
}

function constraintLines(
  model: IlpModel,
  program: SparseProgram,
  columns: readonly string[],
): string[] {
  const names = namesOf("constraints", program.rowCount, (row) =>
    constraintName(model, row as ConstraintIndex),
  );
  const distinct = distinctNames();
  const lines: string[] = [];
  names.forEach((originalName, row) => {
    const name = distinct(originalName);
    const lower = program.rowLower[row] ?? Number.NaN;
    const upper = program.rowUpper[row] ?? Number.NaN;
    const sides = sidesOf(lower, upper);
    const summands = rowSummands(program, row, columns);
    if (summands.length === 0) {
      // The format has no row without variables, so a program without any keeps its rows as comments.
      lines.push(...sides.map((side) => `\\ ${name}: 0 ${side}`));
      return;
    }
    sides.forEach((side, position) => {
      const label = position === 0 ? name : distinct(`${originalName}~upper`);
      lines.push(...wrapped(` ${label}: `, [...withoutFirstPlus(summands), side]));
    });
  });
  return lines;
}

function sidesOf(lower: number, upper: number): string[] {
  if (lower === upper) return [`= ${numberText(lower)}`];
  const sides: string[] = [];
  if (lower !== Number.NEGATIVE_INFINITY) sides.push(`>= ${numberText(lower)}`);
  if (upper !== Number.POSITIVE_INFINITY) sides.push(`<= ${numberText(upper)}`);
  return sides.length === 0 ? [">= -infinity"] : sides;
}

function rowSummands(program: SparseProgram, row: number, columns: readonly string[]): string[] {
  const from = program.rowStarts[row] ?? 0;
  const to = program.rowStarts[row + 1] ?? 0;
  const summands: string[] = [];
  for (let entry = from; entry < to; entry += 1) {
    const name = columns[program.columns[entry] ?? 0] ?? "";
    summands.push(summand(program.coefficients[entry] ?? 0, name));
  }
  const [anyColumn] = columns;
  return summands.length === 0 && anyColumn !== undefined ? [summand(0, anyColumn)] : summands;
}

function boundLines(program: SparseProgram, columns: readonly string[]): string[] {
  return columns.flatMap((name, column) =>
    isBinary(program, column)
      ? []
      : [
          boundText(
            name,
            program.columnLower[column] ?? Number.NaN,
            program.columnUpper[column] ?? Number.NaN,
          ),
        ],
  );
}

// Both sides always, default or not: readers disagree on what an absent one means for an integer.
function boundText(name: string, lower: number, upper: number): string {
  if (lower === upper) return ` ${name} = ${numberText(lower)}`;
  const fromBelow = lower !== Number.NEGATIVE_INFINITY;
  const fromAbove = upper !== Number.POSITIVE_INFINITY;
  if (!fromBelow && !fromAbove) return ` ${name} free`;
  if (!fromAbove) return ` ${name} >= ${numberText(lower)}`;
  return ` ${fromBelow ? numberText(lower) : "-infinity"} <= ${name} <= ${numberText(upper)}`;
}

function isBinary(program: SparseProgram, column: number): boolean {
  return (
    program.integral[column] === 1 &&
    program.columnLower[column] === 0 &&
    program.columnUpper[column] === 1
  );
}

function isGeneral(program: SparseProgram, column: number): boolean {
  return program.integral[column] === 1 && !isBinary(program, column);
}

function columnsWhere(columns: readonly string[], holds: (column: number) => boolean): string[] {
  return wrapped(
    " ",
    columns.filter((_, column) => holds(column)),
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

const longestLine = 100;

/** Breaks a list of words into lines, the first behind `opening`, the others indented. */
function wrapped(opening: string, words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = opening;
  let wordsInLine = 0;
  for (const word of words) {
    if (wordsInLine > 0 && line.length + 1 + word.length > longestLine) {
      lines.push(line);
      line = "   ";
      wordsInLine = 0;
    }
    line += line.endsWith(" ") ? word : ` ${word}`;
    wordsInLine += 1;
  }
  return wordsInLine === 0 ? lines : [...lines, line];
}

function sumText(parts: readonly { coefficient: number; name: string }[]): string {
  return withoutFirstPlus(parts.map(({ coefficient, name }) => summand(coefficient, name))).join(
    " ",
  );
}

function withoutFirstPlus([first, ...others]: readonly string[]): string[] {
  return first === undefined ? [] : [first.replace(/^\+ /, ""), ...others];
}

function summand(coefficient: number, name: string): string {
  const sign = coefficient < 0 ? "-" : "+";
  const size = Math.abs(coefficient);
  return size === 1 ? `${sign} ${name}` : `${sign} ${numberText(size)} ${name}`;
}

/** The shortest text that reads back as the same number. */
function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "infinity";
  if (value === Number.NEGATIVE_INFINITY) return "-infinity";
  return `${value}`;
}

function commentText(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

const longestName = 255;

/** Words that open a section or stand for a number. */
const reservedWords = new Set(
  [
    "max maximise maximize maximum min minimise minimize minimum",
    "subject such st s.t. bound bounds free infinity inf nan",
    "bin binary binaries gen general generals int integer integers",
    "semi semis semi-continuous sec sin sos sos1 sos2 end",
  ].flatMap((line) => line.split(" ")),
);

/** A name the format accepts, as near to the original as possible. */
function acceptableName(name: string): string {
  const text = name
    .replaceAll(/([,;])\s+/g, "$1")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll(/[^A-Za-z0-9!"#$%&(),.;?@_'`{}~]/g, "_");
  // HiGHS takes everything that begins like a number for one; CPLEX also `e` with a digit.
  const looksLikeNumber = /^([0-9.]|e[0-9]|inf|nan|$)/i.test(text);
  const refused = looksLikeNumber || reservedWords.has(text.toLowerCase());
  return (refused ? `_${text}` : text).slice(0, longestName);
}

/** All names of one kind, in model order; a name that occurs twice is refused. */
function namesOf(
  kind: "variables" | "constraints",
  count: number,
  nameOf: (index: number) => string,
): string[] {
  const seen = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const name = nameOf(index);
    if (seen.has(name)) throw new Error(`Two ${kind} are called ${name}.`);
    seen.add(name);
    return name;
  });
}

/** Gives out acceptable names and tells those apart that became equal: `a_b`, `a_b~2`. */
function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  const lastSuffixes = new Map<string, number>();
  return (name) => {
    const base = acceptableName(name);
    let candidate = base;
    let suffix = lastSuffixes.get(base) ?? 1;
    while (taken.has(candidate)) {
      suffix += 1;
      const ending = `~${suffix}`;
      candidate = `${base.slice(0, longestName - ending.length)}${ending}`;
    }
    lastSuffixes.set(base, suffix);
    taken.add(candidate);
    return candidate;
  };
}
