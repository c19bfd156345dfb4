/**
 * Sets of a query's columns by small numbers, for loops that run millions of times.
 *
 * `ColumnSets` numbers whole sets and remembers what was asked of them: few different ones occur.
 * `ColumnBits` gives some columns one bit each, so that binding a key is arithmetic on integers.
 */
import { type ColumnSet, classesOf, contains } from "./column-classes.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { bytesOfClasses } from "./estimate-costs.ts";

/** Set 0 is the empty one. */
export class ColumnSets {
  private readonly query: CompiledQuery;
  private readonly all: ColumnSet[] = [];
  private readonly ids = new Map<ColumnSet, number>();
  private readonly bytesOf: number[] = [];
  private readonly unions = new Map<number, number>();
  private readonly differences = new Map<number, number>();
  private readonly intersections = new Map<number, number>();

  constructor(query: CompiledQuery) {
    this.query = query;
    this.idOf(0n);
  }

  idOf(set: ColumnSet): number {
    let id = this.ids.get(set);
    if (id === undefined) {
      id = this.all.length;
      this.all.push(set);
      this.ids.set(set, id);
      this.bytesOf.push(bytesOfClasses(this.query, set));
    }
    return id;
  }

  at(id: number): ColumnSet {
    return this.all[id] as ColumnSet;
  }

  /** Bytes of one value of each column. */
  bytes(id: number): number {
    return this.bytesOf[id] as number;
  }

  /** Bytes of the columns that both sets hold. */
  bytesShared(a: number, b: number): number {
    return a === 0 || b === 0 ? 0 : this.bytes(this.intersection(a, b));
  }

  isWithin(part: number, whole: number): boolean {
    return part === 0 || part === whole || this.difference(part, whole) === 0;
  }

  union(a: number, b: number): number {
    if (a === b || b === 0) return a;
    return a === 0 ? b : this.remembered(this.unions, a, b, (x, y) => x | y);
  }

  difference(a: number, b: number): number {
    if (a === b || a === 0) return 0;
    return b === 0 ? a : this.remembered(this.differences, a, b, (x, y) => x & ~y);
  }

  intersection(a: number, b: number): number {
    if (a === b || b === 0) return b;
    return a === 0 ? 0 : this.remembered(this.intersections, a, b, (x, y) => x & y);
  }

  private remembered(
    memory: Map<number, number>,
    a: number,
    b: number,
    operation: (x: ColumnSet, y: ColumnSet) => ColumnSet,
  ): number {
    const key = a * 0x400_0000 + b;
    let id = memory.get(key);
    if (id === undefined) {
      id = this.idOf(operation(this.at(a), this.at(b)));
      memory.set(key, id);
    }
    return id;
  }
}

const mostBits = 31;

/** One bit per column. */
export class ColumnBits {
  /** The columns that have a bit. */
  readonly covered: ColumnSet;
  private readonly bitOf = new Map<number, number>();
  private readonly columns: readonly number[];
  private readonly sets = new Map<number, ColumnSet>();

  /** Those of `required` get bits, then those of `wanted`, each as far as bits last; throws where the first do not fit. */
  constructor(required: ColumnSet, ...wanted: readonly ColumnSet[]) {
    const columns = classesOf(required);
    if (columns.length > mostBits)
      throw new Error(`a statement has at most ${mostBits} identifying and conditional columns`);
    for (const set of wanted)
      for (const id of classesOf(set))
        if (columns.length < mostBits && !columns.includes(id)) columns.push(id);
    columns.forEach((id, bit) => {
      this.bitOf.set(id, bit);
    });
    this.columns = columns;
    this.covered = columns.reduce((set, id) => set | (1n << BigInt(id)), 0n);
  }

  /** Number of a column's bit, −1 for none. */
  bit(column: number): number {
    return this.bitOf.get(column) ?? -1;
  }

  mask(set: ColumnSet): number {
    return classesOf(set & this.covered).reduce((mask, id) => mask | (1 << this.bit(id)), 0);
  }

  set(mask: number): ColumnSet {
    let set = this.sets.get(mask);
    if (set === undefined) {
      set = this.columns.reduce(
        (all, id, bit) => ((mask >> bit) & 1 ? all | (1n << BigInt(id)) : all),
        0n,
      );
      this.sets.set(mask, set);
    }
    return set;
  }

  holds(set: ColumnSet): boolean {
    return contains(this.covered, set);
  }
}

/** Answers remembered under two numbers. */
export class PairMemory<Answer> {
  private readonly answers = new Map<number, Map<number, Answer>>();

  find(a: number, b: number): Answer | undefined {
    return this.answers.get(a)?.get(b);
  }

  keep(a: number, b: number, answer: Answer): void {
    const row = this.answers.get(a);
    if (row) row.set(b, answer);
    else this.answers.set(a, new Map([[b, answer]]));
  }

  get(a: number, b: number, make: () => Answer): Answer {
    let answer = this.find(a, b);
    if (answer === undefined) {
      answer = make();
      this.keep(a, b, answer);
    }
    return answer;
  }
}
