/**
 * The records that the lab spreads over nodes: columns of value numbers, in the order in which the records
 * arrived. The first `initial` are there from the beginning, the others arrive step by step.
 */
import { type Random, randomFrom } from "#model/random.ts";
import type { Distribution } from "#model/sharding-setup.ts";
import type { NativeType } from "./cql-type.ts";
import { scramble } from "./generated-value.ts";
import { generatedValues, type ValueTable } from "./value-table.ts";
import { zipfLargestShare, zipfNumbers } from "./zipf.ts";

export interface ColumnPlan {
  readonly name: string;
  readonly type: NativeType;
  /** Number of different values. */
  readonly distinct: number;
  readonly distribution: Distribution;
}

export interface RecordsPlan {
  readonly columns: readonly ColumnPlan[];
  /** Records that are there before the first step. */
  readonly initial: number;
  /** Records that arrive during each step. */
  readonly arriving: readonly number[];
  readonly stepSeconds: number;
  readonly seed: number;
}

export interface RecordColumn {
  readonly name: string;
  readonly values: ValueTable;
  /** Number of the value of each record. */
  readonly ids: Uint32Array;
  /** Expected share of the most frequent value; measured where a person gave the records. */
  readonly largestShare: number;
}

export interface RecordTable {
  readonly columns: readonly RecordColumn[];
  readonly count: number;
  /** Records of steps 0 … t are 0 … ends[t] − 1. */
  readonly ends: readonly number[];
  readonly initial: number;
}

/** Makes up the records of a plan: the same plan gives the same records. */
export function generateRecords(plan: RecordsPlan): RecordTable {
  const ends: number[] = [];
  let count = plan.initial;
  for (const arriving of plan.arriving) {
    count += arriving;
    ends.push(count);
  }
  const columns: RecordColumn[] = [];
  for (const [index, column] of plan.columns.entries()) {
    const random = randomFrom(plan.seed + 7919 * (index + 1));
    const distinct = distinctOf(column, count);
    const spacing = spacingOf(plan, column, distinct, count);
    const stem = column.name.slice(column.name.lastIndexOf(".") + 1);
    const values = generatedValues(column.type, stem, distinct, spacing);
    const ids = idsOf(column.distribution, values.count, count, columns, random);
    columns.push({
      name: column.name,
      values,
      ids,
      largestShare: largestShareOf(column, values.count),
    });
  }
  return { columns, count, ends, initial: plan.initial };
}

function distinctOf({ distribution, distinct }: ColumnPlan, count: number): number {
  return Math.max(1, distribution.kind === "unique" ? count : Math.min(distinct, count));
}

/** Seconds (for dates: days) between neighbouring values: arrivals last as long as the steps they arrive in. */
function spacingOf(
  { arriving, stepSeconds }: RecordsPlan,
  { type, distribution }: ColumnPlan,
  distinct: number,
  count: number,
): number {
  const perStep = arriving.reduce((sum, each) => sum + each, 0) / Math.max(1, arriving.length);
  if (distribution.kind !== "arrival" || perStep === 0) return type === "date" ? 1 : 60;
  const seconds = (stepSeconds / perStep) * (count / distinct);
  return Math.max(1e-3, type === "date" ? seconds / 86_400 : seconds);
}

function idsOf(
  distribution: Distribution,
  distinct: number,
  count: number,
  before: readonly RecordColumn[],
  random: Random,
): Uint32Array {
  const ids = new Uint32Array(count);
  const next = numbersOf(distribution, distinct, count, before, random);
  for (let row = 0; row < count; row += 1) ids[row] = next(row);
  return ids;
}

function numbersOf(
  distribution: Distribution,
  distinct: number,
  count: number,
  before: readonly RecordColumn[],
  random: Random,
): (row: number) => number {
  switch (distribution.kind) {
    case "unique":
    case "even":
      return (row) => row % distinct;
    case "uniform":
      return () => random.below(distinct);
    case "zipf": {
      // The frequent ones stand anywhere in the order of values, not all at its beginning.
      const places = scattered(distinct, random);
      const rank = zipfNumbers(distinct, distribution.exponent, random);
      return () => places[rank() - 1] as number;
    }
    case "hot": {
      const hot = random.below(distinct);
      return () => (random.next() < distribution.share ? hot : random.below(distinct));
    }
    case "arrival":
      return (row) => Math.floor((row / count) * distinct);
    case "follows": {
      const leader = before.find(({ name }) => name === distribution.column);
      if (!leader) throw new Error(`there is no column ${distribution.column} before this one`);
      return (row) => (scramble(leader.ids[row] as number) >>> 0) % distinct;
    }
  }
}

/** The numbers below n in random order. */
export function scattered(n: number, random: Random): Uint32Array {
  const places = Uint32Array.from({ length: n }, (_, index) => index);
  for (let index = n - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const kept = places[index] as number;
    places[index] = places[other] as number;
    places[other] = kept;
  }
  return places;
}

function largestShareOf({ distribution }: ColumnPlan, distinct: number): number {
  if (distribution.kind === "zipf") return zipfLargestShare(distinct, distribution.exponent);
  return distribution.kind === "hot"
    ? distribution.share + (1 - distribution.share) / distinct
    : 1 / distinct;
}
