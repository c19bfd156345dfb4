/** A cost model as rows for the screen: coefficients with their units and errors, and the points of a fit. */
import type { CostModel } from "#model/cost-model.ts";
import {
  type CostFormula,
  costFormulas,
  type FittedCoefficient,
  type FittedSample,
  type MeasuredOperation,
  type OperationFit,
} from "#model/cost-model-fit.ts";
import { exactNumber, threeDigits } from "../design/format.ts";

export interface CoefficientRow {
  readonly name: string;
  /** What the coefficient is multiplied by. */
  readonly words: string;
  /** With its unit: `25 ns per byte`. */
  readonly value: string;
  /** All digits, milliseconds. */
  readonly exact: string;
  /** In the unit of the value; absent where nothing was fitted. */
  readonly error?: string;
  readonly interval?: string;
  /** What the value alone would hide. */
  readonly note?: string;
}

export interface CoefficientGroup {
  readonly key: string;
  readonly title: string;
  readonly symbol: string;
  readonly rows: readonly CoefficientRow[];
  readonly fit?: OperationFit;
}

export const operationTitles: Readonly<Record<MeasuredOperation, string>> = {
  get: "Get",
  put: "Put or delete",
  extract: "Extract",
  load: "Load",
};

const words: Readonly<Record<string, string>> = {
  fixed: "each time",
  perGet: "per Get",
  perRow: "per row",
  perByte: "per byte",
};

/** The four formulas and the work of the application, in reading order. */
export function coefficientGroups(model: CostModel): readonly CoefficientGroup[] {
  const { sort, group } = model;
  return [
    ...costFormulas.map((formula) => formulaGroup(formula, model)),
    {
      key: "application",
      title: "In the application",
      symbol: "sorting and grouping w rows",
      rows: [
        row("perRowLog", "per row · log₂ rows, sorting", sort.perRowLog),
        row("perRow", "per row, grouping", group.perRow),
      ],
    },
  ];
}

function formulaGroup(formula: CostFormula, model: CostModel): CoefficientGroup {
  const { operation, symbol, terms } = formula;
  const values: Readonly<Record<string, number>> = model[operation];
  const fit = model.fit?.operations.find((each) => each.operation === operation);
  return {
    key: operation,
    title: operationTitles[operation],
    symbol,
    rows: terms.map(({ name }) =>
      row(
        name,
        words[name] ?? name,
        values[name] ?? 0,
        fit?.coefficients.find((coefficient) => coefficient.name === name),
      ),
    ),
    ...(fit && { fit }),
  };
}

function row(
  name: string,
  meaning: string,
  value: number,
  fitted?: FittedCoefficient,
): CoefficientRow {
  const plain: CoefficientRow = {
    name,
    words: meaning,
    value: smallTime(value),
    exact: `${exactMilliseconds(value)} ms`,
  };
  if (!fitted) return plain;
  const { standardError, low, high, belowZero } = fitted;
  const unit = timeUnit(value > 0 ? value : Math.max(Math.abs(low), high));
  const note = noteOf(fitted);
  return {
    ...plain,
    error: `± ${threeDigits(standardError / unit.size)}\u00a0${unit.unit}`,
    interval: `${threeDigits(low / unit.size)} … ${threeDigits(high / unit.size)}\u00a0${unit.unit}`,
    ...(belowZero !== undefined && { value: `0\u00a0${unit.unit}` }),
    ...(note !== undefined && { note }),
  };
}

function noteOf({ low, value, belowZero }: FittedCoefficient): string | undefined {
  if (belowZero !== undefined)
    return `Estimated as ${smallTime(belowZero)}, which no work can cost; set to 0, and the rest fitted without it.`;
  return low < 0 && value > 0 ? "The measurements do not tell it from 0." : undefined;
}

interface TimeUnit {
  readonly unit: string;
  /** Milliseconds. */
  readonly size: number;
}

const units: readonly TimeUnit[] = [
  { unit: "ns", size: 1e-6 },
  { unit: "µs", size: 1e-3 },
  { unit: "ms", size: 1 },
  { unit: "s", size: 1e3 },
];

function timeUnit(milliseconds: number): TimeUnit {
  const size = Math.abs(milliseconds);
  const fitting = units.findLast((each) => Number((size / each.size).toPrecision(3)) >= 1);
  return fitting ?? (size === 0 ? { unit: "ms", size: 1 } : { unit: "ns", size: 1e-6 });
}

/** Milliseconds down to nanoseconds: `25 ns`. */
export function smallTime(milliseconds: number): string {
  const { unit, size } = timeUnit(milliseconds);
  return `${threeDigits(milliseconds / size)}\u00a0${unit}`;
}

/** R² with four digits, cut: what is not 1 never reads as 1. */
export function rSquaredText(rSquared: number): string {
  return String(Math.floor(rSquared * 1e4) / 1e4).replace("-", "−");
}

/** `exactNumber` ends at six digits after the point; a coefficient per byte begins there. */
function exactMilliseconds(value: number): string {
  return Math.abs(value) < 1e-3 ? String(value) : exactNumber(value);
}

/** Where a model comes from, in a few words. */
export function originOf({ fit }: CostModel, isPreset: boolean): string {
  if (isPreset) return "a preset";
  const rows = fit?.operations.reduce((sum, { samples }) => sum + samples.length, 0);
  return rows === undefined ? "of this project" : `fitted to ${exactNumber(rows)} measurements`;
}

export interface FitPoint {
  readonly line: number;
  /** `n = 1, w = 20, s = 64`. */
  readonly setting: string;
  /** Milliseconds, all three; the residual is measured less predicted. */
  readonly measured: number;
  readonly predicted: number;
  readonly residual: number;
}

/** Points that a chart and its table show. */
export const mostPoints = 1000;

/** The points of a fit in the order of the profile; of too many, the largest residuals and an even choice of the others. */
export function fitPoints(fit: OperationFit, most: number = mostPoints): readonly FitPoint[] {
  const formula = costFormulas.find(({ operation }) => operation === fit.operation);
  return chosen(fit.samples, most).map(({ line, at, measured, predicted }) => ({
    line,
    setting: (formula?.features ?? [])
      .map((feature, index) => `${feature} = ${exactNumber(at[index] ?? 0)}`)
      .join(", "),
    measured,
    predicted,
    residual: measured - predicted,
  }));
}

function chosen(samples: readonly FittedSample[], most: number): readonly FittedSample[] {
  if (samples.length <= most) return samples;
  const size = (sample: FittedSample): number => Math.abs(sample.measured - sample.predicted);
  const bySize = samples.toSorted((a, b) => size(b) - size(a));
  const largest = bySize.slice(0, Math.floor(most / 10));
  const others = bySize.slice(largest.length);
  const stride = others.length / (most - largest.length);
  const even = Array.from(
    { length: most - largest.length },
    (_, index) => others[Math.floor(index * stride)],
  ).filter((sample) => sample !== undefined);
  return [...largest, ...even].sort((a, b) => a.line - b.line);
}

/** A model's name from that of a file: `staging.csv` → `staging`. */
export function modelName(file: string): string {
  const base = file.replace(/\.(?:csv|tsv|txt)$/i, "").trim();
  return base === "" ? "measured" : base;
}
