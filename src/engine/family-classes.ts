/**
 * Families of a query that it cannot tell apart, in classes (see `plan-graph.ts`).
 *
 * Of a family's columns those matter that the query selects, filters or identifies records by. Its key
 * matters as far as a Get of the query can bind, order by or group by it. And a key column that the query
 * does not care for matters where a first Get happens to deliver it: families with such a key are put in
 * finer classes beside.
 */
import {
  type ColumnSet,
  classesOf,
  contains,
  has,
  type NodeSet,
  setOf,
  withKnownParents,
} from "./column-classes.ts";
import { ColumnBits, ColumnSets, PairMemory } from "./column-sets.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { determines } from "./estimate-costs.ts";
import type { Laid } from "./lay-column-family.ts";

/** What decides where a Get on a class is legal and how many rows it brings. */
export interface Shape {
  /** One of the laid families, narrowed to the columns that decide. */
  readonly laid: Laid;
  readonly partition: number;
  /** Bit of each clustering column in order, −1 for one that cannot be bound. */
  readonly clustering: readonly number[];
  readonly columns: number;
  /** Records covered, known parents included. */
  readonly nodes: NodeSet;
  /** Numbers the different pairs of records and columns: what a Get reaches depends on these only. */
  readonly reach: number;
  readonly isLookup: boolean;
}

/** A class of laid families. */
export interface Kind {
  readonly index: number;
  readonly members: number[];
  readonly within: number[];
  readonly shape: Shape;
  /** Columns that matter (set id), and the answer's among them. */
  readonly columns: number;
  readonly output: number;
}

export class FamilyClasses {
  readonly query: CompiledQuery;
  readonly laid: readonly Laid[];
  readonly sets: ColumnSets;
  readonly bits: ColumnBits;
  /** Columns the query cares for. */
  readonly relevant: ColumnSet;
  /** Key columns that the query does not care for and a first Get delivers. */
  readonly beside: ColumnSet;
  /** Key columns for which no bit was left: plans that bind them to fetched values are not found. */
  readonly unheard: number;
  /** All classes by their index. */
  readonly all: Kind[] = [];
  /** Classes by what the query cares for, and the finer ones by values beside. */
  readonly plain: Kind[] = [];
  readonly binding: Kind[] = [];
  private readonly familyOf: readonly number[];
  private readonly apart: ReadonlySet<number>;
  private readonly wholeRows: boolean;
  private readonly shapes = new Map<string, Shape>();
  private readonly parts = new Map<string, Kind | undefined>();
  private readonly reaches = new PairMemory<number>();
  private reachCount = 0;

  /** `wholeRows`: the cost of a Get depends on the bytes of whole rows. `apart`: families in classes of their own. */
  constructor(
    query: CompiledQuery,
    laid: readonly Laid[],
    familyOf: readonly number[],
    wholeRows: boolean,
    apart: ReadonlySet<number>,
  ) {
    this.query = query;
    this.laid = laid;
    this.familyOf = familyOf;
    this.wholeRows = wholeRows;
    this.apart = apart;
    this.sets = new ColumnSets(query);
    const identifying =
      query.compiled.identifiers.reduce((all, each) => all | each, 0n) |
      setOf(query.predicates.map((each) => each.class));
    const { keys, delivered } = keysAndFirstColumns(query, laid);
    this.bits = new ColumnBits(identifying, query.output & keys, keys & delivered & ~1n);
    const wanted = (query.output & keys) | (keys & delivered & ~1n);
    this.unheard = classesOf(wanted & ~this.bits.covered).length;
    this.relevant = query.output | identifying;
    this.beside = this.bits.covered & ~this.relevant;
    this.makeKinds();
  }

  private makeKinds(): void {
    const plain = new Map<string, Kind>();
    const beside = new Map<string, Kind>();
    this.laid.forEach((each, index) => {
      const family = this.familyOf[index] as number;
      const name = this.apart.has(family) ? `|${family}` : "";
      const kind = this.kindOf(each, this.relevant, plain, name);
      kind?.members.push(index);
      const keys = setOf(each.partition) | setOf(each.clustering.map(({ class: id }) => id));
      if ((keys & this.beside) === 0n) return;
      const fine = this.kindOf(each, this.relevant | this.beside, beside, name);
      fine?.members.push(index);
      if (kind && fine && !fine.within.includes(kind.index)) fine.within.push(kind.index);
    });
    this.plain.push(...plain.values());
    this.binding.push(...beside.values());
  }

  /** The class among `known` of a laid family when only some columns matter; undefined where its partition key cannot be bound. */
  private kindOf(
    laid: Laid,
    matters: ColumnSet,
    known: Map<string, Kind>,
    name: string,
  ): Kind | undefined {
    const partition = setOf(laid.partition);
    if (laid.partition.some((id) => id < 0) || !this.bits.holds(partition)) return undefined;
    if (!contains(matters, partition)) return undefined;
    const clustering = this.clusteringThatMatters(laid, matters);
    const columns = laid.columns & matters;
    const deciding = columns & this.bits.covered;
    const rowBytes = this.wholeRows ? laid.rowBytes : 0;
    const key = clustering.map(({ class: id, direction }) => `${id}${direction}`).join();
    const shapeText = `${laid.nodes}|${partition}|${key}|${deciding}|${rowBytes}`;
    const text = `${shapeText}|${columns}${name}`;
    const found = known.get(text);
    if (found) return found;
    let shape = this.shapes.get(shapeText);
    if (!shape) {
      const nodes = withKnownParents(this.query.compiled, laid.nodes, deciding);
      shape = {
        laid: { ...laid, clustering, columns: deciding },
        partition: this.bits.mask(partition),
        clustering: clustering.map(({ class: id }) => this.bits.bit(id)),
        columns: this.bits.mask(deciding & ~1n),
        nodes,
        reach: this.reaches.get(
          laid.nodes,
          this.bits.mask(deciding & ~1n),
          () => this.reachCount++,
        ),
        isLookup: isEntityLookup(this.query, laid),
      };
      this.shapes.set(shapeText, shape);
    }
    const index = this.all.length;
    const kind: Kind = {
      index,
      members: [],
      within: [index],
      shape,
      columns: this.sets.idOf(columns & ~1n),
      output: this.sets.idOf(columns & this.query.output & ~1n),
    };
    this.all.push(kind);
    known.set(text, kind);
    return kind;
  }

  /** Up to the first column that no Get of this query can bind, order by or group by. */
  private clusteringThatMatters(laid: Laid, matters: ColumnSet): Laid["clustering"] {
    const { query } = this;
    const end = laid.clustering.findIndex(
      ({ class: id }) => id < 0 || !(has(matters, id) || this.isGrouped(id)),
    );
    const kept = end < 0 ? laid.clustering : laid.clustering.slice(0, end);
    // The direction matters where the query orders by the column.
    return kept.map(({ class: id, direction }) => ({
      class: id,
      direction: query.order?.some((each) => each.class === id) ? direction : "asc",
    }));
  }

  /** The server groups across a column that the grouped ones determine. */
  private isGrouped(id: number): boolean {
    const { query } = this;
    return query.grouped && id > 0 && determines(query, query.grouping, 1n << BigInt(id));
  }

  besideOf(index: number): ColumnSet {
    return (this.laid[index] as Laid).columns & this.beside;
  }

  /** The part of a class that delivers some values beside the query's. */
  delivering(kind: Kind, values: ColumnSet): Kind | undefined {
    const key = `${kind.index} ${values}`;
    if (this.parts.has(key)) return this.parts.get(key);
    const members = kind.members.filter((index) => contains(this.besideOf(index), values));
    const index = this.all.length;
    const part =
      members.length === 0 ? undefined : { ...kind, index, members, within: [index, kind.index] };
    if (part) this.all.push(part);
    this.parts.set(key, part);
    return part;
  }
}

/** All key columns, and all columns of families that can be read first. */
function keysAndFirstColumns(
  query: CompiledQuery,
  laid: readonly Laid[],
): { keys: ColumnSet; delivered: ColumnSet } {
  const given = setOf([...query.equalOn.keys()]);
  let keys = 0n;
  let delivered = 0n;
  for (const { partition, clustering, columns } of laid) {
    if (partition.some((id) => id < 0)) continue;
    keys |= setOf(partition) | setOf(clustering.map((each) => each.class));
    if (contains(given, setOf(partition))) delivered |= columns;
  }
  return { keys, delivered };
}

/**
 * The partition key is the identifier of the one entity that the query sees in the family. Parents outside
 * the query's graph do not count: the query cannot tell such a family from one without them.
 */
function isEntityLookup(query: CompiledQuery, { nodes, partition }: Laid): boolean {
  if (nodes === 0 || (nodes & (nodes - 1)) !== 0) return false;
  const identifier = query.compiled.identifiers[31 - Math.clz32(nodes)] ?? 0n;
  return (
    partition.length === classesOf(identifier).length &&
    partition.every((id) => id > 0 && has(identifier, id))
  );
}
