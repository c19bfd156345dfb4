/**
 * The records that the lab spreads over nodes: columns of value numbers, in the order in which the records
 * arrived. The first `initial` are there from the beginning, the others arrive step by step.
 */
import { type Random, randomFrom } from "#model/random.ts";
import type { Distribution } from "#model/sharding-setup.ts";
import type { NativeType } from "./cql-type.ts";
import { capacityOf, scramble } from "./generated-value.ts";
import { generatedValues, type ValueTable } from "./value-table.ts";
import { zipfNumbers } from "./zipf.ts";

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
    const drawn = numbersDrawn(column, count, columns, random);
    const spacing = spacingOf(plan, column, drawn.population, count);
    const stem = column.name.slice(column.name.lastIndexOf(".") + 1);
    const { ids, numbers } = renumbered(drawn.numbers, drawn.population);
    columns.push({
      name: column.name,
      values: generatedValues(column.type, stem, numbers, spacing),
      ids,
    });
  }
  return { columns, count, ends, initial: plan.initial };
}

/** How many values there can be: of random ones more than there are records, so that they are as rare as in the table. */
function populationOf({ distribution, distinct, type }: ColumnPlan, count: number): number {
  const most = capacityOf(type);
  switch (distribution.kind) {
    case "unique":
      return Math.max(1, Math.min(count, most));
    case "arrival":
    case "follows":
    case "even":
      return Math.max(1, Math.min(distinct, count, most));
    default:
      return Math.max(1, Math.min(distinct, most));
  }
}

/** Values that occur, numbered from 0 in their order, and each record's. */
function renumbered(
  drawn: Uint32Array,
  population: number,
): { readonly ids: Uint32Array; readonly numbers: Uint32Array } {
  if (population <= 2 * drawn.length) {
    const numbers = new Uint32Array(population);
    for (let number = 0; number < population; number += 1) numbers[number] = number;
    return { ids: drawn, numbers };
  }
  const inOrder = Uint32Array.from(drawn).sort();
  let used = 0;
  for (let index = 0; index < inOrder.length; index += 1)
    if (index === 0 || inOrder[index] !== inOrder[index - 1]) {
      inOrder[used] = inOrder[index] as number;
      used += 1;
    }
  const numbers = inOrder.slice(0, used);
  const known = new Map<number, number>();
  for (let id = 0; id < used; id += 1) known.set(numbers[id] as number, id);
  return { ids: drawn.map((number) => known.get(number) as number), numbers };
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

function numbersDrawn(
  plan: ColumnPlan,
  count: number,
  before: readonly RecordColumn[],
  random: Random,
): { readonly numbers: Uint32Array; readonly population: number } {
  const population = populationOf(plan, count);
  const numbers = new Uint32Array(count);
  const next = numbersOf(plan.distribution, population, count, before, random);
  for (let row = 0; row < count; row += 1) numbers[row] = next(row);
  return { numbers, population };
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
      const rank = zipfNumbers(distinct, distribution.exponent, random);
      const step = strideOf(distinct);
      return () => (rank() * step) % distinct;
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

/** A step near the golden section that goes through all of n places before it comes back: prime to n. */
function strideOf(n: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.round(n * 0.618));
  while (divisor(step, n) !== 1) step += 1;
  return step;
}
