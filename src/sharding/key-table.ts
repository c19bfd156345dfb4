/**
 * The distinct keys that some columns make together, numbered in the order of their first record, and which
 * key each record has. A key with one column is the column's values under other numbers.
 */
import type { Partitioner } from "#model/sharding-setup.ts";
import type { RecordTable } from "./records.ts";
import { tokenWords, writeToken } from "./token.ts";
import type { ValueTable } from "./value-table.ts";

export interface KeyTable {
  readonly columns: readonly string[];
  readonly values: readonly ValueTable[];
  /** For each column the number of the value in each key. */
  readonly parts: readonly Uint32Array[];
  readonly count: number;
  /** Number of the key of each record. */
  readonly ofRow: Uint32Array;
  /** First record of each key; rises with the key's number. */
  readonly firstRows: Uint32Array;
}

/** The keys of these columns; of no column, the one key that all records share. */
export function keyTableOf(records: RecordTable, columns: readonly string[]): KeyTable {
  const chosen = columns.map((name) => {
    const column = records.columns.find((each) => each.name === name);
    if (!column) throw new Error(`there is no column ${name} among the records`);
    return column;
  });
  // Asked-for records that are not stored stand after the others: they have keys as well.
  const rows = records.columns[0]?.ids.length ?? records.count;
  let ofRow: Uint32Array = new Uint32Array(rows);
  let firstRows: number[] = rows > 0 ? [0] : [];
  for (const { ids, values } of chosen) {
    const joined = distinctPairs(ofRow, ids, firstRows.length, values.count);
    ofRow = joined.numbers;
    firstRows = joined.firstRows;
  }
  return {
    columns,
    values: chosen.map(({ values }) => values),
    parts: chosen.map(({ ids }) => Uint32Array.from(firstRows, (row) => ids[row] as number)),
    count: firstRows.length,
    ofRow,
    firstRows: Uint32Array.from(firstRows),
  };
}

/** More combinations than this are numbered by a map, which is slower and smaller. */
const mostSlots = 1 << 25;

function distinctPairs(
  left: Uint32Array,
  right: Uint32Array,
  leftCount: number,
  rightCount: number,
): { readonly numbers: Uint32Array; readonly firstRows: number[] } {
  const numbers = new Uint32Array(left.length);
  const firstRows: number[] = [];
  const isSmall = leftCount * rightCount <= mostSlots;
  const slots = new Uint32Array(isSmall ? leftCount * rightCount : 0);
  const known = new Map<number, number>();
  for (let row = 0; row < left.length; row += 1) {
    const pair = (left[row] as number) * rightCount + (right[row] as number);
    let number = isSmall ? slots[pair] : known.get(pair);
    if (!number) {
      firstRows.push(row);
      number = firstRows.length;
      if (isSmall) slots[pair] = number;
      else known.set(pair, number);
    }
    numbers[row] = number - 1;
  }
  return { numbers, firstRows };
}

/** Records of each key among the first `rows`. */
export function rowsPerKey({ count, ofRow }: KeyTable, rows: number): Uint32Array {
  const counts = new Uint32Array(count);
  for (let row = 0; row < rows; row += 1) {
    const key = ofRow[row] as number;
    counts[key] = (counts[key] as number) + 1;
  }
  return counts;
}

/** The key as a person reads it. */
export function keyText({ values, parts }: KeyTable, key: number): string {
  return values.map((each, part) => each.text(parts[part]?.[key] as number)).join(" · ");
}

/** Room that the longest key needs. */
export function longestKey({ values }: KeyTable): number {
  return values.reduce((sum, { starts, count }) => {
    let longest = 0;
    for (let id = 0; id < count; id += 1)
      longest = Math.max(longest, (starts[id + 1] as number) - (starts[id] as number));
    return sum + longest + 3;
  }, 0);
}

/** Writes the bytes of a key as `keyOf` makes them; returns how many. */
export function writeKey({ values, parts }: KeyTable, key: number, out: Uint8Array): number {
  const isComposite = values.length !== 1;
  let at = 0;
  for (let part = 0; part < values.length; part += 1) {
    const { bytes, starts } = values[part] as ValueTable;
    const id = parts[part]?.[key] as number;
    const start = starts[id] as number;
    const length = (starts[id + 1] as number) - start;
    if (isComposite) {
      out[at] = length >> 8;
      out[at + 1] = length;
      at += 2;
    }
    for (let index = 0; index < length; index += 1)
      out[at + index] = bytes[start + index] as number;
    at += length;
    if (isComposite) {
      out[at] = 0;
      at += 1;
    }
  }
  return at;
}

/** The tokens of all keys, `tokenWords` words for each. */
export function keyTokens(keys: KeyTable, partitioner: Partitioner): Uint32Array {
  const words = tokenWords[partitioner];
  const tokens = new Uint32Array(keys.count * words);
  const buffer = new Uint8Array(longestKey(keys));
  for (let key = 0; key < keys.count; key += 1)
    writeToken(partitioner, buffer, 0, writeKey(keys, key, buffer), tokens, key * words);
  return tokens;
}
