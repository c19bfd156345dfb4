/**
 * Cost models from measurements (engine.md §6): what is measured of each operation, the formula its
 * coefficients stand in, and what a fit tells of itself. The fit itself is `interchange/fit-cost-model.ts`.
 */

/** The operations that have a formula: T, T′ (puts and deletes alike), T″ and T‴. */
export type MeasuredOperation = "get" | "put" | "extract" | "load";

/** What can be known of one execution; `size` is the bytes of a whole column family. */
export type MeasuredFeature = "n" | "w" | "s" | "size";

/** One term of a formula: a coefficient times the product of some features (none: 1). */
export interface CostFormulaTerm {
  /** The coefficient's name in the operation's part of `CostModel`. */
  readonly name: string;
  readonly factors: readonly MeasuredFeature[];
  /** Unit of the coefficient. */
  readonly unit: string;
}

export interface CostFormula {
  readonly operation: MeasuredOperation;
  /** As the paper writes it. */
  readonly symbol: string;
  readonly features: readonly MeasuredFeature[];
  readonly terms: readonly CostFormulaTerm[];
}

/** The four formulas of engine.md §6, in the order in which people read them. */
export const costFormulas: readonly CostFormula[] = [
  {
    operation: "get",
    symbol: "T(n, w, s)",
    features: ["n", "w", "s"],
    terms: [
      { name: "fixed", factors: [], unit: "ms" },
      { name: "perGet", factors: ["n"], unit: "ms per Get" },
      { name: "perRow", factors: ["w"], unit: "ms per row" },
      { name: "perByte", factors: ["w", "s"], unit: "ms per byte" },
    ],
  },
  {
    operation: "put",
    symbol: "T′(w)",
    features: ["w"],
    terms: [
      { name: "fixed", factors: [], unit: "ms" },
      { name: "perRow", factors: ["w"], unit: "ms per row" },
    ],
  },
  {
    operation: "extract",
    symbol: "T″(size)",
    features: ["size"],
    terms: [
      { name: "fixed", factors: [], unit: "ms" },
      { name: "perByte", factors: ["size"], unit: "ms per byte" },
    ],
  },
  {
    operation: "load",
    symbol: "T‴(size)",
    features: ["size"],
    terms: [
      { name: "fixed", factors: [], unit: "ms" },
      { name: "perByte", factors: ["size"], unit: "ms per byte" },
    ],
  },
];

/** One row of a profile: an operation that was timed. */
export interface ProfileSample {
  /** Line of the profile, counted from 1. */
  readonly line: number;
  readonly operation: MeasuredOperation;
  /** Values of the formula's features, in their order. */
  readonly at: readonly number[];
  readonly milliseconds: number;
}

export interface FittedCoefficient {
  readonly name: string;
  /** Milliseconds (per unit); what the cost model uses, at least 0. */
  readonly value: number;
  readonly standardError: number;
  /** 95 % confidence interval: estimate ± Student's t · standard error. */
  readonly low: number;
  readonly high: number;
  /** The estimate of least squares where it lies below 0 and its interval holds 0: then the term is left out and `value` is 0. */
  readonly belowZero?: number;
}

export interface FittedSample {
  readonly line: number;
  readonly at: readonly number[];
  /** Milliseconds, both; the residual is `measured − predicted`. */
  readonly measured: number;
  readonly predicted: number;
}

/** How one formula was fitted by least squares. */
export interface OperationFit {
  readonly operation: MeasuredOperation;
  readonly coefficients: readonly FittedCoefficient[];
  /** Rows less fitted coefficients. */
  readonly degreesOfFreedom: number;
  /** Share of the variation that the formula explains: 1 − Σ residual² / Σ (measured − mean)². */
  readonly rSquared: number;
  /** Milliseconds: √(Σ residual² / degrees of freedom). */
  readonly residualStandardError: number;
  readonly samples: readonly FittedSample[];
}

/** Where the coefficients of a cost model come from. */
export interface CostModelFit {
  /** One per formula, in the order of `costFormulas`. */
  readonly operations: readonly OperationFit[];
}

/** The value of every term's factor product: what its coefficient is multiplied by. */
export function termValues({ features, terms }: CostFormula, at: readonly number[]): number[] {
  return terms.map(({ factors }) =>
    factors.reduce((product, feature) => product * (at[features.indexOf(feature)] ?? 0), 1),
  );
}
