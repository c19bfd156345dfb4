/**
 * One table of an extensible record store, in memory, under Cassandra's rules.
 *
 * Rows lie in partitions, sorted by the clustering key with its directions; a row is known by its
 * partition and clustering values, and writing one with a known key overwrites it. `get` answers what
 * CQL's SELECT answers **without ALLOW FILTERING** and throws a `Refusal` for everything else, with
 * the rule that is broken, so that a plan which Cassandra would refuse cannot pass here:
 *  - every partition column is bound by `=` or IN;
 *  - clustering columns are restricted from left to right, `=` or IN first, then at most one slice;
 *  - ORDER BY is the clustering order or its exact reverse, in partitions bound by `=` (or by IN with
 *    paging off);
 *  - GROUP BY is a prefix of the primary key, where columns bound by `=` may be left out;
 *  - nothing in a key is null, and no column is restricted twice.
 * Rows of several partitions come partition by partition in an order of no meaning, as tokens are.
 */
import { type ColumnFamily, cellOverheadBytes, columnsOf } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { type ColumnReference, columnText } from "#model/query-graph.ts";
import { compareValues, type Value, valueSize, valuesText } from "./records.ts";

/** Null only where an aggregate had nothing to work on. */
export type Cell = Value | null;

/** Values in the order of the columns: partition key, clustering key, values. */
export type Row = readonly Value[];

interface Partition {
  readonly token: number;
  /** Sorted by the clustering key. */
  readonly rows: Row[];
}

/** Cells by column; undefined is not written. */
export type Cells = readonly (Value | undefined)[];

export interface Table {
  readonly columnFamily: ColumnFamily;
  readonly partitions: Map<string, Partition>;
  /** While the table is being loaded: what has been written to it meanwhile (load-table.ts). */
  readonly loading?: LoadingWrites;
}

/** By row key: `row` where a whole row was put or deleted, else the cells put. */
export type LoadingWrites = Map<string, "row" | Cells>;

export type Rule =
  | "unknown column"
  | "partition key not bound"
  | "not a key column"
  | "gap in the clustering key"
  | "restricted after a slice"
  | "restricted twice"
  | "null in a key"
  | "order across partitions"
  | "not the clustering order"
  | "groups are no prefix of the key";

/** What Cassandra would answer with an error. */
export class Refusal extends Error {
  readonly rule: Rule;
  constructor(rule: Rule, message: string) {
    super(`${rule}: ${message}`);
    this.name = "Refusal";
    this.rule = rule;
  }
}

/** Cells of a row that is not there: Cassandra would make a row of them, with nulls beside. */
export class GhostRow extends Error {}

export interface Bound {
  /** One value per column of the slice, or of a beginning of its columns. */
  readonly values: readonly Value[];
  readonly inclusive: boolean;
}

export type Restriction =
  | { readonly kind: "equal"; readonly column: ColumnReference; readonly value: Value }
  | { readonly kind: "in"; readonly column: ColumnReference; readonly values: readonly Value[] }
  /** A range of one column, or of several compared as a tuple. */
  | {
      readonly kind: "slice";
      readonly columns: readonly ColumnReference[];
      readonly lower?: Bound;
      readonly upper?: Bound;
    };

/** No `avg`: the server's truncates for whole numbers, so whoever wants one asks for sum and count. */
export interface Aggregate {
  readonly function: "count" | "sum" | "min" | "max";
  /** Absent for `count(*)`. */
  readonly column?: ColumnReference;
}

export interface Ordering {
  readonly column: ColumnReference;
  readonly direction: "asc" | "desc";
}

/** A SELECT; what it returns are the columns, then the aggregates. */
export interface GetRequest {
  readonly where: readonly Restriction[];
  readonly columns: readonly ColumnReference[];
  readonly aggregates?: readonly Aggregate[];
  readonly groupBy?: readonly ColumnReference[];
  readonly orderBy?: readonly Ordering[];
  /** Of rows, or of groups where there are any. */
  readonly limit?: number;
  /** On by default, as in the drivers. */
  readonly paging?: boolean;
}

export interface GetAnswer {
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that the server had to read for them. */
  readonly read: number;
}

export function createTable(columnFamily: ColumnFamily): Table {
  return { columnFamily, partitions: new Map() };
}

/** Writes a row, over the one with the same key if there is any; says whether there was. */
export function putRow(table: Table, row: Row): "new" | "overwritten" {
  const { partitionKey, clusteringKey } = table.columnFamily;
  checkKeys(table, [row], partitionKey.length + clusteringKey.length);
  const key = valuesText(row.slice(0, partitionKey.length));
  let partition = table.partitions.get(key);
  if (!partition) {
    partition = { token: tokenOf(key), rows: [] };
    table.partitions.set(key, partition);
  }
  const { at, found } = placeOf(table, partition.rows, row);
  partition.rows.splice(at, found ? 1 : 0, row);
  return found ? "overwritten" : "new";
}

/**
 * Writes the cells that are given and leaves the row's others as they are, as CQL's UPDATE does. The
 * whole primary key has to be given (`Refusal`), and where the row is not there, all other cells too.
 */
export function putCells(table: Table, cells: Cells): void {
  const { partitionKey, clusteringKey } = table.columnFamily;
  const keyLength = partitionKey.length + clusteringKey.length;
  checkKeys(table, [cells], keyLength);
  const row = overlaid(rowAt(table, cells), cells);
  const whole = row.length === columnsOf(table.columnFamily).length && !row.includes(undefined);
  if (table.loading) {
    const key = rowKey(table, cells);
    const before = table.loading.get(key);
    const wholeCells = cells.length === row.length && !cells.includes(undefined);
    if (wholeCells) table.loading.set(key, "row");
    else if (before !== "row") table.loading.set(key, overlaid(before, cells));
    // The row may be still to come.
    if (!whole && before !== "row") return;
  }
  if (!whole) throw new GhostRow(`${table.columnFamily.key} has no row ${valuesText(cells)}`);
  putRow(table, row as Row);
}

/** The cells of `over`, and where it has none, those of `under`. */
export function overlaid(under: Cells | undefined, over: Cells): Cells {
  const length = Math.max(under?.length ?? 0, over.length);
  return Array.from({ length }, (_, at) => over[at] ?? under?.[at]);
}

/** The row with the same key, if there is one. */
export function rowAt(table: Table, key: Cells): Row | undefined {
  const text = valuesText(key.slice(0, table.columnFamily.partitionKey.length));
  const rows = table.partitions.get(text)?.rows ?? [];
  const { at, found } = placeOf(table, rows, key as Row);
  return found ? rows[at] : undefined;
}

/** Text that is equal exactly for rows with the same key. */
export function rowKey({ columnFamily }: Table, row: Cells): string {
  return valuesText(
    row.slice(0, columnFamily.partitionKey.length + columnFamily.clusteringKey.length),
  );
}

/** Writes many rows into an empty table, as one after the other would; says how many overwrote another. */
export function loadRows(table: Table, rows: readonly Row[]): number {
  const { partitionKey, clusteringKey } = table.columnFamily;
  checkKeys(table, rows, partitionKey.length + clusteringKey.length);
  const partitions = new Map<string, Row[]>();
  for (const row of rows) {
    const key = valuesText(row.slice(0, partitionKey.length));
    const known = partitions.get(key);
    if (known) known.push(row);
    else partitions.set(key, [row]);
  }
  let kept = 0;
  for (const [key, all] of partitions) {
    all.sort((a, b) => compareClustering(table, a, b));
    // Of rows with the same key the last one written stays.
    const last = all.filter((row, at) => {
      const next = all[at + 1];
      return next === undefined || compareClustering(table, row, next) !== 0;
    });
    kept += last.length;
    table.partitions.set(key, { token: tokenOf(key), rows: last });
  }
  return rows.length - kept;
}

function checkKeys(table: Table, rows: readonly Cells[], keyLength: number): void {
  for (const row of rows)
    for (let at = 0; at < keyLength; at += 1)
      if (row[at] === undefined || row[at] === null)
        throw new Refusal("null in a key", nameAt(table, at));
}

/** Deletes the row with the key, if there is one; the whole primary key has to be given (`Refusal`). */
export function deleteRow(table: Table, key: Cells): void {
  const { partitionKey, clusteringKey } = table.columnFamily;
  checkKeys(table, [key], partitionKey.length + clusteringKey.length);
  table.loading?.set(rowKey(table, key), "row");
  const text = valuesText(key.slice(0, table.columnFamily.partitionKey.length));
  const partition = table.partitions.get(text);
  if (!partition) return;
  const { at, found } = placeOf(table, partition.rows, key as Row);
  if (found) partition.rows.splice(at, 1);
  if (partition.rows.length === 0) table.partitions.delete(text);
}

/** Every row, by token range: what a backfill reads. */
export function scanTable(table: Table): Row[] {
  return byToken([...table.partitions.values()]).flatMap(({ rows }) => rows);
}

/** Partition keys once per partition, the rest of each row, and what a cell costs: the same sum as the estimate's. */
export function tableBytes(entityGraph: EntityGraph, { columnFamily, partitions }: Table): number {
  const { graph, partitionKey, values } = columnFamily;
  const sizes = columnsOf(columnFamily).map(({ node, attribute }) => {
    const entity = graph.nodes[node]?.entity;
    return entity === undefined ? 1 : valueSize(entityGraph, entity, attribute);
  });
  const bytesOf = (row: Row, from: number, to: number): number => {
    let bytes = 0;
    for (let at = from; at < to; at += 1) {
      const size = sizes[at] as number | "length";
      bytes += size === "length" ? String(row[at]).length : size;
    }
    return bytes;
  };
  let bytes = 0;
  for (const { rows } of partitions.values()) {
    bytes += bytesOf(rows[0] as Row, 0, partitionKey.length);
    for (const row of rows)
      bytes += bytesOf(row, partitionKey.length, sizes.length) + cellOverheadBytes * values.length;
  }
  return bytes;
}

/** The answer of a SELECT, or a `Refusal`. */
export function getRows(table: Table, request: GetRequest): GetAnswer {
  const places = placesOf(table);
  const restrictions = restrictionsByColumn(table, places, request.where);
  const partitionTexts = boundPartitions(table, restrictions);
  const matches = clusteringTests(table, places, restrictions);
  const reverse = readingOrder(table, places, restrictions, request);
  const groupLength = groupPrefix(table, places, restrictions, request.groupBy ?? []);

  const prefix = equalPrefix(table, restrictions);
  const partitions = partitionTexts.flatMap((text) => table.partitions.get(text) ?? []);
  let rows = byToken(partitions).flatMap((partition) => {
    const stretch = stretchOf(table, partition.rows, prefix);
    const matching = stretch.filter((row) => matches.every((test) => test(row)));
    return reverse ? matching.reverse() : matching;
  });
  if (partitions.length > 1 && request.orderBy?.length) rows = merged(table, rows, reverse);
  return answer(table, places, rows, groupLength, request);
}

// --- rows ---------------------------------------------------------------------------------------

function placeOf(table: Table, rows: readonly Row[], row: Row): { at: number; found: boolean } {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareClustering(table, rows[middle] as Row, row);
    if (order === 0) return { at: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, found: false };
}

function compareClustering({ columnFamily }: Table, a: Row, b: Row): number {
  const from = columnFamily.partitionKey.length;
  for (const [index, { direction }] of columnFamily.clusteringKey.entries()) {
    const order = compareValues(a[from + index] as Value, b[from + index] as Value);
    if (order !== 0) return direction === "asc" ? order : -order;
  }
  return 0;
}

/** Values of the clustering columns from the first on that `=` binds. */
function equalPrefix(
  { columnFamily }: Table,
  restrictions: ReadonlyMap<number, Restriction>,
): Value[] {
  const prefix: Value[] = [];
  for (const at of columnFamily.clusteringKey.keys()) {
    const restriction = restrictions.get(columnFamily.partitionKey.length + at);
    if (restriction?.kind !== "equal") break;
    prefix.push(restriction.value);
  }
  return prefix;
}

/** The rows of a partition that begin with some clustering values: they lie side by side. */
function stretchOf(
  { columnFamily: { partitionKey, clusteringKey } }: Table,
  rows: readonly Row[],
  prefix: readonly Value[],
): readonly Row[] {
  if (prefix.length === 0) return rows;
  const compare = (row: Row): number => {
    for (const [at, value] of prefix.entries()) {
      const order = compareValues(row[partitionKey.length + at] as Value, value);
      if (order !== 0) return clusteringKey[at]?.direction === "asc" ? order : -order;
    }
    return 0;
  };
  const firstWhere = (reached: (row: Row) => boolean): number => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reached(rows[middle] as Row)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return rows.slice(
    firstWhere((row) => compare(row) >= 0),
    firstWhere((row) => compare(row) > 0),
  );
}

function tokenOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

function byToken(partitions: readonly Partition[]): Partition[] {
  return partitions.length < 2
    ? [...partitions]
    : [...partitions].sort((a, b) => a.token - b.token);
}

/** Rows of several partitions in one order: only with paging off. */
function merged(table: Table, rows: readonly Row[], reverse: boolean): Row[] {
  return [...rows].sort((a, b) => compareClustering(table, a, b) * (reverse ? -1 : 1));
}

function answer(
  table: Table,
  places: ReadonlyMap<string, number>,
  rows: readonly Row[],
  groupLength: number | undefined,
  { columns, aggregates = [], limit }: GetRequest,
): GetAnswer {
  const wanted = columns.map((column) => placeAt(table, places, column));
  const works = aggregates.map((aggregate) => ({
    function: aggregate.function,
    at: aggregate.column === undefined ? -1 : placeAt(table, places, aggregate.column),
  }));
  const line = (members: readonly Row[]): Cell[] => [
    ...wanted.map((at) => members[0]?.[at] ?? null),
    ...works.map((work) => aggregated(work.function, work.at, members)),
  ];
  const most = limit ?? Number.POSITIVE_INFINITY;
  if (groupLength !== undefined) {
    const groups = inGroups(rows, groupLength).slice(0, most);
    return {
      rows: groups.map(line),
      read: groups.reduce((sum, members) => sum + members.length, 0),
    };
  }
  if (works.length > 0) return { rows: [line(rows)].slice(0, most), read: rows.length };
  const returned = rows.slice(0, most);
  return {
    rows: returned.map((row) => wanted.map((at) => row[at] as Value)),
    read: returned.length,
  };
}

/** Rows that follow each other and agree in a prefix of the key. */
function inGroups(rows: readonly Row[], length: number): Row[][] {
  const groups: Row[][] = [];
  let last: string | undefined;
  for (const row of rows) {
    const text = valuesText(row.slice(0, length));
    if (text === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = text;
  }
  return groups;
}

/** As the server has it: the sum of nothing is 0, the least and the greatest of nothing are null. */
function aggregated(work: Aggregate["function"], at: number, rows: readonly Row[]): Cell {
  switch (work) {
    case "count":
      return rows.length;
    case "sum":
      return rows.reduce((sum, row) => sum + Number(row[at]), 0);
    case "min":
      return rows.reduce<Cell>((least, row) => lesser(least, row[at] as Value, 1), null);
    case "max":
      return rows.reduce<Cell>((most, row) => lesser(most, row[at] as Value, -1), null);
  }
}

function lesser(a: Cell, b: Value, sign: 1 | -1): Value {
  return a === null || compareValues(a, b) * sign > 0 ? b : a;
}

// --- rules --------------------------------------------------------------------------------------

const placesKnown = new WeakMap<ColumnFamily, ReadonlyMap<string, number>>();

/** Place of every column in a row, by its name. */
function placesOf({ columnFamily }: Table): ReadonlyMap<string, number> {
  let places = placesKnown.get(columnFamily);
  if (!places) {
    places = new Map(columnsOf(columnFamily).map((column, at) => [columnName(column), at]));
    placesKnown.set(columnFamily, places);
  }
  return places;
}

function columnName({ node, attribute }: ColumnReference): string {
  return `${node}/${attribute}`;
}

function placeAt(
  table: Table,
  places: ReadonlyMap<string, number>,
  column: ColumnReference,
): number {
  const at = places.get(columnName(column));
  if (at === undefined)
    throw new Refusal("unknown column", columnText(table.columnFamily.graph, column));
  return at;
}

function nameAt({ columnFamily }: Table, at: number): string {
  const column = columnsOf(columnFamily)[at];
  return column ? columnText(columnFamily.graph, column) : String(at);
}

/** The restriction of each restricted column; a slice of several stands at each of them. */
function restrictionsByColumn(
  table: Table,
  places: ReadonlyMap<string, number>,
  where: readonly Restriction[],
): Map<number, Restriction> {
  const restrictions = new Map<number, Restriction>();
  for (const restriction of where) {
    const columns = restriction.kind === "slice" ? restriction.columns : [restriction.column];
    for (const column of columns) {
      const at = placeAt(table, places, column);
      if (restrictions.has(at)) throw new Refusal("restricted twice", nameAt(table, at));
      restrictions.set(at, restriction);
    }
    if (valuesIn(restriction).some((value) => value === undefined || value === null))
      throw new Refusal("null in a key", columns.map((each) => each.attribute).join());
  }
  const { partitionKey, clusteringKey } = table.columnFamily;
  for (const at of restrictions.keys())
    if (at >= partitionKey.length + clusteringKey.length)
      throw new Refusal("not a key column", nameAt(table, at));
  return restrictions;
}

function valuesIn(restriction: Restriction): readonly Value[] {
  switch (restriction.kind) {
    case "equal":
      return [restriction.value];
    case "in":
      return restriction.values;
    case "slice":
      return [...(restriction.lower?.values ?? []), ...(restriction.upper?.values ?? [])];
  }
}

/** Keys of the partitions asked for, each once. */
function boundPartitions(table: Table, restrictions: ReadonlyMap<number, Restriction>): string[] {
  let keys: Value[][] = [[]];
  for (const at of table.columnFamily.partitionKey.keys()) {
    const restriction = restrictions.get(at);
    if (!restriction || restriction.kind === "slice")
      throw new Refusal("partition key not bound", nameAt(table, at));
    const values = valuesIn(restriction);
    keys = keys.flatMap((key) => values.map((value) => [...key, value]));
  }
  return [...new Set(keys.map(valuesText))];
}

/** Tests that the rows of a stretch have to pass; refuses what is not restricted from left to right. */
function clusteringTests(
  table: Table,
  places: ReadonlyMap<string, number>,
  restrictions: ReadonlyMap<number, Restriction>,
): ((row: Row) => boolean)[] {
  const { partitionKey, clusteringKey } = table.columnFamily;
  const tests: ((row: Row) => boolean)[] = [];
  let open = false;
  let slice: Restriction | undefined;
  for (const index of clusteringKey.keys()) {
    const at = partitionKey.length + index;
    const restriction = restrictions.get(at);
    if (!restriction) {
      open = true;
      continue;
    }
    // A slice of several columns stands at each of them.
    if (restriction === slice) continue;
    if (slice) throw new Refusal("restricted after a slice", nameAt(table, at));
    if (open) throw new Refusal("gap in the clustering key", nameAt(table, at));
    if (restriction.kind === "slice") slice = restriction;
    tests.push(testOf(table, places, at, restriction));
  }
  return tests;
}

function testOf(
  table: Table,
  places: ReadonlyMap<string, number>,
  at: number,
  restriction: Restriction,
): (row: Row) => boolean {
  if (restriction.kind === "slice") return sliceTest(table, places, at, restriction);
  if (restriction.kind === "equal") return (row) => row[at] === restriction.value;
  const values = new Set(restriction.values);
  return (row) => values.has(row[at] as Value);
}

function sliceTest(
  table: Table,
  places: ReadonlyMap<string, number>,
  from: number,
  { columns, lower, upper }: Extract<Restriction, { kind: "slice" }>,
): (row: Row) => boolean {
  columns.forEach((column, index) => {
    if (placeAt(table, places, column) !== from + index)
      throw new Refusal("gap in the clustering key", nameAt(table, from + index));
  });
  const compare = (row: Row, { values }: Bound): number => {
    for (const [index, value] of values.entries()) {
      const order = compareValues(row[from + index] as Value, value);
      if (order !== 0) return order;
    }
    return 0;
  };
  const passes = (order: number, inclusive: boolean): boolean =>
    order > 0 || (inclusive && order === 0);
  return (row) =>
    (!lower || passes(compare(row, lower), lower.inclusive)) &&
    (!upper || passes(-compare(row, upper), upper.inclusive));
}

/** Whether partitions are read backwards. */
function readingOrder(
  table: Table,
  places: ReadonlyMap<string, number>,
  restrictions: ReadonlyMap<number, Restriction>,
  { orderBy = [], paging = true }: GetRequest,
): boolean {
  if (orderBy.length === 0) return false;
  const { partitionKey, clusteringKey } = table.columnFamily;
  if (paging && partitionKey.some((_, at) => restrictions.get(at)?.kind === "in"))
    throw new Refusal(
      "order across partitions",
      "paging cannot be combined with ORDER BY and IN on the partition key",
    );
  let reverse: boolean | undefined;
  let next = 0;
  for (const { column, direction } of orderBy) {
    const at = placeAt(table, places, column) - partitionKey.length;
    while (next < at && restrictions.get(partitionKey.length + next)?.kind === "equal") next += 1;
    const declared = clusteringKey[at]?.direction;
    if (at !== next || !declared)
      throw new Refusal("not the clustering order", columnText(table.columnFamily.graph, column));
    if (reverse !== undefined && reverse !== (declared !== direction))
      throw new Refusal("not the clustering order", "some columns forwards, others backwards");
    reverse = declared !== direction;
    next += 1;
  }
  return reverse ?? false;
}

/** Length of the key prefix that makes a group; undefined without groups. */
function groupPrefix(
  table: Table,
  places: ReadonlyMap<string, number>,
  restrictions: ReadonlyMap<number, Restriction>,
  groupBy: readonly ColumnReference[],
): number | undefined {
  if (groupBy.length === 0) return undefined;
  const { partitionKey, clusteringKey } = table.columnFamily;
  let length = 0;
  for (const column of groupBy) {
    const at = placeAt(table, places, column);
    while (length < at && restrictions.get(length)?.kind === "equal") length += 1;
    if (at !== length || at >= partitionKey.length + clusteringKey.length)
      throw new Refusal("groups are no prefix of the key", nameAt(table, at));
    length += 1;
  }
  while (length < partitionKey.length && restrictions.get(length)?.kind === "equal") length += 1;
  if (length < partitionKey.length)
    throw new Refusal("groups are no prefix of the key", "a part of the partition key");
  return length;
}
