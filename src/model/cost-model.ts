/**
 * The parameters of the cost model (engine.md §6): everything in milliseconds, linear in its
 * features. The formulas that use them are in `engine/cost-model.ts`.
 */
import type { CostModelFit } from "./cost-model-fit.ts";

export interface CostModel {
  readonly name: string;
  /** T(n, w, s) = fixed + perGet·n + perRow·w + perByte·w·s + perFurtherPartition·max(0, n − 1). */
  readonly get: {
    readonly fixed: number;
    readonly perGet: number;
    readonly perRow: number;
    readonly perByte: number;
    /** Price on top of the model for every Get beyond the first, which is one more partition to ask; absent: 0. */
    readonly perFurtherPartition?: number;
  };
  /** T′(w) = fixed + perRow·w, for a put or delete of w rows in one column family. */
  readonly put: { readonly fixed: number; readonly perRow: number };
  /** T″(size) = fixed + perByte·size, reading a source column family for a migration. */
  readonly extract: { readonly fixed: number; readonly perByte: number };
  /** T‴(size) = fixed + perByte·size, writing a new column family. */
  readonly load: { readonly fixed: number; readonly perByte: number };
  /** Sorting w rows in the application: perRowLog·w·log₂(w). */
  readonly sort: { readonly perRowLog: number };
  /** Grouping w rows in the application: perRow·w. */
  readonly group: { readonly perRow: number };
  /** What n of a later Get counts: distinct keys (default), or every row as the paper does. */
  readonly getsPer: "distinctKey" | "row";
  /** Which bytes of a row a Get returns: the columns it selects (default), or the whole row as the paper does. */
  readonly bytesOf: "selectedColumns" | "wholeRow";
  /** How the coefficients were fitted to measurements; changes no cost. */
  readonly fit?: CostModelFit;
}

/**
 * Orders of magnitude of a small cluster within one data centre: half a millisecond per request,
 * 0.4 ms per Get, 2 µs per row, 10 ns per byte; a backfill starts in a second, reads 50 MB/s and
 * writes 20 MB/s. Meant to be replaced by a calibrated model.
 */
export const defaultCostModel: Omit<CostModel, "fit"> = {
  name: "default",
  get: { fixed: 0.5, perGet: 0.4, perRow: 0.002, perByte: 1e-5 },
  put: { fixed: 0.5, perRow: 0.1 },
  extract: { fixed: 1000, perByte: 2e-5 },
  load: { fixed: 1000, perByte: 5e-5 },
  sort: { perRowLog: 2e-4 },
  group: { perRow: 2e-4 },
  getsPer: "distinctKey",
  bytesOf: "selectedColumns",
};

/** The default coefficients with the paper's two simplifications: every row is a Get, whole rows travel. */
export const paperCostModel: Omit<CostModel, "fit"> = {
  ...defaultCostModel,
  name: "paper",
  getsPer: "row",
  bytesOf: "wholeRow",
};

/** The models that every document can choose; their names are taken. */
export const presetCostModels: readonly CostModel[] = [defaultCostModel, paperCostModel];
