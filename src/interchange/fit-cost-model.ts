/**
 * Coefficients of a cost model from measurements, by least squares (engine.md §6).
 *
 * For each formula y = Σ bⱼ·xⱼ over the rows of one operation. The columns are divided by their
 * lengths first (a size is 10⁹ where a constant is 1), so that the singular values of the matrix say
 * how well the coefficients can be told apart; X = U·Σ·Vᵀ then gives b = V·Σ⁻¹·Uᵀ·y and the standard
 * errors se(bⱼ)² = σ²·Σₖ (vⱼₖ/σₖ)² without ever forming XᵀX, which would square the condition number.
 * Intervals are estimate ± t(97.5 %, rows − coefficients) · se: they take the scatter to be the same
 * in all rows and independent, which the residual plot lets a person judge.
 *
 * A cost cannot fall with the work. A coefficient below 0 whose interval holds 0 is left out of the
 * formula and the rest fitted again, with a warning; one that is below 0 beyond doubt is refused.
 */
import jStat from "jstat";
import { Matrix, SingularValueDecomposition } from "ml-matrix";
import { type CostModel, presetCostModels } from "#model/cost-model.ts";
import {
  type CostFormula,
  type CostFormulaTerm,
  costFormulas,
  type FittedCoefficient,
  type MeasuredFeature,
  type OperationFit,
  type ProfileSample,
  termValues,
} from "#model/cost-model-fit.ts";
import { anError, aWarning, type Issue, type Result } from "#model/issue.ts";

export interface FitOptions {
  readonly name: string;
  /** Gives what no profile measures: sorting and grouping in the application, and how n and s are counted. */
  readonly base: CostModel;
}

/** Rows per coefficient that a fit needs: as many to judge it by as to make it. */
const rowsPerCoefficient = 2;
/** Below this share of the largest singular value a combination of columns is not measured at all. */
const collinear = 1e-7;
/** Share in such a combination from which a column belongs to it. */
const belongs = 0.05;
/** Estimates this small beside the largest term are rounding. */
const rounding = 1e-9;

/** A cost model with its fit, or all that stands in the way of one, each with what to measure. */
export function fitCostModel(
  samples: readonly ProfileSample[],
  { name, base }: FitOptions,
): Result<CostModel> {
  const issues: Issue[] = [...nameIssues(name)];
  const fits: OperationFit[] = [];
  for (const formula of costFormulas) {
    const fitted = fitOperation(
      formula,
      samples.filter(({ operation }) => operation === formula.operation),
    );
    if (fitted.ok) fits.push(fitted.value);
    issues.push(...(fitted.ok ? fitted.warnings : fitted.issues));
  }
  if (issues.some(({ severity }) => severity === "error")) return { ok: false, issues };
  const { fit: _, ...rest } = base;
  return {
    ok: true,
    value: { ...rest, name, ...coefficientsOf(fits), fit: { operations: fits } },
    warnings: issues,
  };
}

function nameIssues(name: string): Issue[] {
  if (name.trim() === "")
    return [
      anError("name", "The cost model has no name.", "Give it one, such as staging-cluster."),
    ];
  return presetCostModels.some((preset) => preset.name === name)
    ? [anError("name", `The name ${name} belongs to a preset.`, "Choose another name.")]
    : [];
}

type FittedParts = Pick<CostModel, "get" | "put" | "extract" | "load">;

function coefficientsOf(fits: readonly OperationFit[]): FittedParts {
  const value = (operation: OperationFit["operation"], name: string): number =>
    fits
      .find((fit) => fit.operation === operation)
      ?.coefficients.find((coefficient) => coefficient.name === name)?.value ?? 0;
  return {
    get: {
      fixed: value("get", "fixed"),
      perGet: value("get", "perGet"),
      perRow: value("get", "perRow"),
      perByte: value("get", "perByte"),
    },
    put: { fixed: value("put", "fixed"), perRow: value("put", "perRow") },
    extract: { fixed: value("extract", "fixed"), perByte: value("extract", "perByte") },
    load: { fixed: value("load", "fixed"), perByte: value("load", "perByte") },
  };
}

function fitOperation(
  formula: CostFormula,
  samples: readonly ProfileSample[],
): Result<OperationFit> {
  const shortage = shortageOf(formula, samples);
  if (shortage) return { ok: false, issues: [shortage] };
  const rows = samples.map(({ at }) => termValues(formula, at));
  const constant = constantIssues(formula, samples);
  if (constant.length > 0) return { ok: false, issues: constant };
  const measured = samples.map(({ milliseconds }) => milliseconds);
  const everything = leastSquares(rows, measured, allOf(formula));
  if (everything.dependent.length > 0)
    return { ok: false, issues: [collinearIssue(formula, everything.dependent)] };
  const found = withoutNegative(formula, rows, measured, everything);
  if (!found.ok) return found;
  const { fit, coefficients } = found.value;
  const predicted = rows.map((row) =>
    row.reduce((sum, value, term) => sum + value * (coefficients[term]?.value ?? 0), 0),
  );
  return {
    ok: true,
    value: {
      operation: formula.operation,
      coefficients,
      degreesOfFreedom: fit.degreesOfFreedom,
      rSquared: rSquaredOf(measured, predicted),
      residualStandardError: fit.residualStandardError,
      samples: samples.map(({ line, at, milliseconds }, row) => ({
        line,
        at,
        measured: milliseconds,
        predicted: predicted[row] ?? 0,
      })),
    },
    warnings: [...found.warnings, ...doubtfulIssues(formula, coefficients)],
  };
}

function allOf({ terms }: CostFormula): number[] {
  return terms.map((_, term) => term);
}

function rSquaredOf(measured: readonly number[], predicted: readonly number[]): number {
  const mean = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  const variation = sumOfSquares(measured.map((value) => value - mean));
  const left = sumOfSquares(measured.map((value, row) => value - (predicted[row] ?? 0)));
  return variation > 0 ? 1 - left / variation : 1;
}

function sumOfSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

// ----------------------------------------------------------------------------------- least squares

interface LeastSquares {
  /** Terms that were fitted. */
  readonly active: readonly number[];
  /** Per term; 0 where it was not fitted. */
  readonly estimates: readonly number[];
  readonly standardErrors: readonly number[];
  /** Terms that some combination binds together; nothing else holds where there are any. */
  readonly dependent: readonly number[];
  readonly degreesOfFreedom: number;
  readonly residualStandardError: number;
  /** t(97.5 %, degrees of freedom). */
  readonly quantile: number;
}

/** Fits the active terms; see the head of this file. */
function leastSquares(
  rows: readonly (readonly number[])[],
  measured: readonly number[],
  active: readonly number[],
): LeastSquares {
  const terms = rows[0]?.length ?? 0;
  const lengths = active.map((term) => Math.sqrt(sumOfSquares(rows.map((row) => row[term] ?? 0))));
  const scaled = rows.map((row) => active.map((term, j) => (row[term] ?? 0) / (lengths[j] ?? 1)));
  const decomposition = new SingularValueDecomposition(new Matrix(scaled));
  const { diagonal, rightSingularVectors: v, leftSingularVectors: u } = decomposition;
  const largest = Math.max(...diagonal);
  const degreesOfFreedom = rows.length - active.length;
  const lost = diagonal.flatMap((value, k) => (value <= collinear * largest ? [k] : []));
  const estimates = Array.from({ length: terms }, () => 0);
  const standardErrors = Array.from({ length: terms }, () => 0);
  const dependent = active.filter((_, j) => lost.some((k) => Math.abs(v.get(j, k)) > belongs));
  const solution = { active, estimates, standardErrors, dependent, degreesOfFreedom };
  if (lost.length > 0) return { ...solution, residualStandardError: 0, quantile: 0 };

  const projected = diagonal.map(
    (value, k) => measured.reduce((sum, y, row) => sum + y * u.get(row, k), 0) / value,
  );
  active.forEach((term, j) => {
    const scaledEstimate = projected.reduce((sum, each, k) => sum + v.get(j, k) * each, 0);
    estimates[term] = scaledEstimate / (lengths[j] ?? 1);
  });
  const residuals = rows.map(
    (row, index) =>
      (measured[index] ?? 0) -
      row.reduce((sum, value, term) => sum + value * (estimates[term] ?? 0), 0),
  );
  const residualStandardError = Math.sqrt(sumOfSquares(residuals) / degreesOfFreedom);
  active.forEach((term, j) => {
    const spread = Math.sqrt(sumOfSquares(diagonal.map((value, k) => v.get(j, k) / value)));
    standardErrors[term] = (residualStandardError * spread) / (lengths[j] ?? 1);
  });
  return {
    ...solution,
    residualStandardError,
    quantile: jStat.studentt.inv(0.975, degreesOfFreedom),
  };
}

/** Leaves terms out, the one furthest below 0 first, until none is below 0; refuses one that is so beyond doubt. */
function withoutNegative(
  formula: CostFormula,
  rows: readonly (readonly number[])[],
  measured: readonly number[],
  everything: LeastSquares,
): Result<{ readonly fit: LeastSquares; readonly coefficients: readonly FittedCoefficient[] }> {
  const most = Math.max(...measured);
  const leftOut = new Map<number, FittedCoefficient>();
  const issues: Issue[] = [];
  let fit = everything;
  for (;;) {
    const negative = fit.active.filter((term) => isBelowZero(fit, rows, term, most));
    const coefficient = (term: number): FittedCoefficient => coefficientAt(formula, fit, term);
    const wrong = negative.filter((term) => coefficient(term).high < 0);
    if (wrong.length > 0)
      return { ok: false, issues: wrong.map((term) => fallingIssue(formula, coefficient(term))) };
    const [worst] = negative.toSorted(
      (a, b) => inStandardErrors(fit, a) - inStandardErrors(fit, b),
    );
    if (worst === undefined) break;
    const estimate = fit.estimates[worst] ?? 0;
    leftOut.set(worst, { ...coefficient(worst), value: 0, belowZero: estimate });
    issues.push(leftOutIssue(formula, coefficient(worst), estimate));
    fit = leastSquares(
      rows,
      measured,
      fit.active.filter((term) => term !== worst),
    );
  }
  const coefficients = allOf(formula).map(
    (term) => leftOut.get(term) ?? coefficientAt(formula, fit, term),
  );
  return { ok: true, value: { fit, coefficients }, warnings: issues };
}

/** Below 0 by more than rounding: what the term adds to the largest row counts. */
function isBelowZero(
  { estimates }: LeastSquares,
  rows: readonly (readonly number[])[],
  term: number,
  most: number,
): boolean {
  const largest = Math.max(...rows.map((row) => row[term] ?? 0));
  return (estimates[term] ?? 0) * largest < -rounding * most;
}

function inStandardErrors({ estimates, standardErrors }: LeastSquares, term: number): number {
  return (estimates[term] ?? 0) / Math.max(standardErrors[term] ?? 0, Number.MIN_VALUE);
}

function coefficientAt(
  { terms }: CostFormula,
  { estimates, standardErrors, quantile }: LeastSquares,
  term: number,
): FittedCoefficient {
  const estimate = estimates[term] ?? 0;
  const standardError = standardErrors[term] ?? 0;
  return {
    name: terms[term]?.name ?? "",
    value: Math.max(0, estimate),
    standardError,
    low: estimate - quantile * standardError,
    high: estimate + quantile * standardError,
  };
}

// ------------------------------------------------------------------------------------------- issues

/** No rows, too few of them, or too many repetitions of too few settings. */
function shortageOf(formula: CostFormula, samples: readonly ProfileSample[]): Issue | undefined {
  const { operation, symbol, terms, features } = formula;
  const place = operation;
  const list = features.join(", ");
  if (samples.length === 0)
    return anError(
      place,
      `The profile has no ${operation} rows, so ${symbol} cannot be fitted.`,
      `Add at least ${terms.length * rowsPerCoefficient} ${operation} rows with ${list} and milliseconds.`,
    );
  if (samples.length < terms.length * rowsPerCoefficient)
    return anError(
      place,
      `There are too few ${operation} rows: ${samples.length} for ${terms.length} coefficients.`,
      `Measure at least ${terms.length * rowsPerCoefficient}; repeated measurements count.`,
    );
  const settings = new Set(samples.map(({ at }) => at.join())).size;
  return settings < terms.length
    ? anError(
        place,
        `The ${operation} rows repeat ${settings === 1 ? "one setting" : `${settings} settings`} of ${list}; ${terms.length} coefficients need at least ${terms.length}.`,
        `Measure ${operation} with other values of ${list}.`,
      )
    : undefined;
}

/** A feature with one value in all rows cannot be told from the terms without it. */
function constantIssues(
  { operation, features }: CostFormula,
  samples: readonly ProfileSample[],
): Issue[] {
  return features.flatMap((feature, index) => {
    const values = new Set(samples.map(({ at }) => at[index]));
    const [value] = values;
    return values.size > 1
      ? []
      : [
          anError(
            operation,
            `${feature} is ${value} in every ${operation} row, so what it costs cannot be told from ${feature === "s" ? "the cost per row" : "the fixed cost"}.`,
            `Add ${operation} rows with another ${feature}.`,
          ),
        ];
  });
}

function collinearIssue(formula: CostFormula, dependent: readonly number[]): Issue {
  const { operation, features, terms } = formula;
  const bound = dependent.map((term) => terms[term] as CostFormulaTerm);
  const involved = features.filter((feature) =>
    bound.some(({ factors }) => factors.includes(feature)),
  );
  // n before s before w: w stands in two terms, so it is best left as it is.
  const vary = (["n", "s", "w", "size"] as const).find((feature) => involved.includes(feature));
  const others = features.filter((feature) => feature !== vary);
  const names = listed(bound.map(columnWords));
  return anError(
    operation,
    others.length === 0
      ? `${vary} is nearly the same in every ${operation} row, so what it costs cannot be told from the fixed cost.`
      : `In the ${operation} rows ${names} rise and fall together (they are collinear), so their costs cannot be told apart.`,
    others.length === 0
      ? `Add ${operation} rows with a very different ${vary}.`
      : `Add ${operation} rows in which ${vary} changes while ${listed(others)} ${others.length === 1 ? "stays" : "stay"} the same.`,
  );
}

function columnWords({ factors }: CostFormulaTerm): string {
  return factors.length === 0 ? "the fixed cost" : factors.join("·");
}

function listed(words: readonly (string | MeasuredFeature)[]): string {
  return words.length < 2
    ? (words[0] ?? "")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function fallingIssue({ operation, symbol }: CostFormula, fitted: FittedCoefficient): Issue {
  return anError(
    operation,
    `By these rows ${fitted.name} of ${symbol} lies below 0 (between ${short(fitted.low)} and ${short(fitted.high)} ms at 95 %), but work cannot take negative time.`,
    "Look for rows that were measured under other conditions (warm caches, other load), and measure them again.",
  );
}

function leftOutIssue(
  { operation, symbol }: CostFormula,
  { name, low, high }: FittedCoefficient,
  estimate: number,
): Issue {
  return aWarning(
    operation,
    `${name} of ${symbol} was estimated as ${short(estimate)} ms, between ${short(low)} and ${short(high)} at 95 %; it was set to 0 and the rest fitted without it.`,
    `Measure ${operation} where this term is a larger part of the time, if it matters.`,
  );
}

/** Coefficients that the measurements do not tell from 0. */
function doubtfulIssues(
  { operation, symbol }: CostFormula,
  coefficients: readonly FittedCoefficient[],
): Issue[] {
  return coefficients
    .filter(({ low, value, belowZero }) => belowZero === undefined && low < 0 && value > 0)
    .map(({ name, value, low, high }) =>
      aWarning(
        operation,
        `${name} of ${symbol} is ${short(value)} ms, but the measurements do not tell it from 0: its interval runs from ${short(low)} to ${short(high)}.`,
        "More rows, or a wider range of values, make the interval narrower.",
      ),
    );
}

function short(value: number): string {
  return String(Number(value.toPrecision(3))).replace("-", "−");
}
