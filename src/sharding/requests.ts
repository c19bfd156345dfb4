/**
 * Requests against the records: what each names, and which record it is about. A request is drawn as a
 * record; under every strategy it then goes where that record's key is.
 */
import { type Random, randomFrom } from "#model/random.ts";
import type { KeyPick } from "#model/sharding-setup.ts";
import { type KeyTable, keyTableOf } from "./key-table.ts";
import { type RecordTable, scattered } from "./records.ts";
import { zipfNumbers } from "./zipf.ts";

export interface RequestPlan {
  readonly name: string;
  /** An insert brings a record with all its columns; a write changes records that are there. */
  readonly kind: "read" | "write" | "insert";
  /** Columns that the request gives one value each. */
  readonly binds: readonly string[];
  /** It asks for a stretch of a column's values in order, this share of them (0 … 1) from the record's on. */
  readonly range?: { readonly column: string; readonly share: number };
  readonly pick: KeyPick;
  /** Different keys that there are in the whole table, where more than have a record here; for Zipf picks. */
  readonly population?: number;
  /** Different keys that one execution asks for one by one, ≥ 1. */
  readonly keys: number;
  /** Executions per second, step by step. */
  readonly perSecond: readonly number[];
  /** The records asked for, one by one, where a person gave the requests; then nothing is drawn. */
  readonly rows?: Uint32Array;
}

/** Executions of one plan during one step. Each stands for `weight` executions per second. */
export interface RequestBlock {
  readonly plan: number;
  readonly step: number;
  /** Records asked for, `keys` after one another for each execution. */
  readonly rows: Uint32Array;
  readonly keys: number;
  readonly weight: number;
}

/** More keys of one execution than this are not drawn one by one. */
const mostKeys = 64;

/**
 * Draws about `wanted` requests, each plan and step in proportion to its frequency and at least some of
 * every one that runs. The same seed draws the same. `rowsEach` is how many records each one stands for.
 */
export function drawRequests(
  records: RecordTable,
  plans: readonly RequestPlan[],
  wanted: number,
  seed: number,
  rowsEach = 1,
): RequestBlock[] {
  const total = plans.reduce(
    (sum, { perSecond, keys }) => sum + keys * perSecond.reduce((all, each) => all + each, 0),
    0,
  );
  const steps = plans[0]?.perSecond.length ?? 1;
  // A rare request, or a quiet step, is drawn often enough for its figures to mean something.
  const fewest = Math.max(20, Math.min(1000, Math.floor(wanted / (2 * plans.length * steps))));
  const blocks: RequestBlock[] = [];
  for (const [plan, each] of plans.entries()) {
    const keys = Math.min(mostKeys, Math.max(1, Math.round(each.keys)));
    const random = randomFrom(seed + 104_729 * (plan + 1));
    const source = rowSource(records, each, random, rowsEach);
    for (const [step, perSecond] of each.perSecond.entries()) {
      if (perSecond <= 0 || records.count === 0) continue;
      if (each.rows) {
        const { rows } = each;
        blocks.push({ plan, step, rows, keys: 1, weight: perSecond / Math.max(1, rows.length) });
        continue;
      }
      const drawn = Math.round((wanted * perSecond * each.keys) / total / keys);
      const executions = Math.max(fewest, drawn);
      const rows = new Uint32Array(executions * keys);
      const next = source(step);
      for (let index = 0; index < rows.length; index += 1) rows[index] = next();
      blocks.push({ plan, step, rows, keys, weight: perSecond / executions });
    }
  }
  return blocks;
}

/** For a step, a source of the records that requests are about. */
function rowSource(
  records: RecordTable,
  { kind, binds, pick, population }: RequestPlan,
  random: Random,
  rowsEach: number,
): (step: number) => () => number {
  const end = (step: number): number => Math.max(1, records.ends[step] ?? records.count);
  const begin = (step: number): number => (step === 0 ? records.initial : end(step - 1));
  const keys =
    pick.kind === "records" || pick.kind === "latest" ? undefined : keyTableOf(records, binds);
  const places = keys && pick.kind === "zipf" ? scattered(keys.count, random) : undefined;
  // A key from the middle of those that are there from the beginning: the same at every step.
  const hot = keys ? keysBefore(keys, Math.max(1, records.initial)) >> 1 : 0;
  return (step) => {
    const present = end(step);
    if (kind === "insert" && present > begin(step))
      return evenly(begin(step), present - begin(step));
    return keys
      ? keySource(keys, present, pick, { places, hot, population }, random)
      : recordSource(present, pick, random, rowsEach);
  };
}

/**
 * All of some records evenly, however many are drawn: steps of the golden section around them (a Weyl
 * sequence), since each record arrives once and chance has no part in it.
 */
function evenly(from: number, count: number): () => number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let place = 0;
  return () => {
    place = (place + golden) % 1;
    return from + Math.floor(place * count);
  };
}

function recordSource(
  present: number,
  pick: KeyPick,
  random: Random,
  rowsEach: number,
): () => number {
  if (pick.kind !== "latest") return () => random.below(present);
  const age = zipfNumbers(Math.max(1, Math.round(present * rowsEach)), pick.exponent, random);
  return () => Math.max(0, present - Math.ceil(age() / rowsEach));
}

interface Favourites {
  /** Keys from the most popular one on. */
  readonly places: Uint32Array | undefined;
  readonly hot: number;
  readonly population: number | undefined;
}

function keySource(
  keys: KeyTable,
  present: number,
  pick: KeyPick,
  { places, hot, population }: Favourites,
  random: Random,
): () => number {
  const known = keysBefore(keys, present);
  const row = (key: number): number => keys.firstRows[key] as number;
  if (pick.kind === "zipf" && places) {
    const rank = zipfNumbers(Math.max(keys.count, population ?? 0), pick.exponent, random);
    return () => {
      // Ranks beyond the keys that were drawn are unpopular ones, one like another.
      const key = places[rank() - 1] ?? random.below(known);
      return row(key < known ? key : random.below(known));
    };
  }
  if (pick.kind !== "hot key") return () => row(random.below(known));
  return () => row(random.next() < pick.share ? hot : random.below(known));
}

/** Keys that have a record among the first `rows`: they have the lowest numbers. */
function keysBefore({ firstRows }: KeyTable, rows: number): number {
  let low = 0;
  let high = firstRows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((firstRows[middle] as number) < rows) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
