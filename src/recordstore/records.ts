/**
 * Records: the data that an entity graph describes, as plain values. Every attribute of every record
 * has a value; what may be missing is a link, never a field.
 *
 * `joinRows` gives the meaning of a query graph over records: one row per way to choose a record for
 * every node so that each edge joins two linked records. Column families are defined by it.
 */
import { attributeOf, type EntityGraph } from "#model/entity-graph.ts";
import type { GraphEdge, QueryGraph } from "#model/query-graph.ts";

/** Dates and timestamps are numbers, blobs are text. */
export type Value = string | number | boolean;

/** The fields of one record, by attribute. */
export type Fields = Readonly<Record<string, Value>>;

/** One linked pair of a relationship: positions in the lists of its parent's and its child's records. */
export interface Link {
  readonly parent: number;
  readonly child: number;
}

export interface Records {
  /** By entity. */
  readonly entities: ReadonlyMap<string, readonly Fields[]>;
  /** By relationship; the foreign-key fields say the same where there are any. */
  readonly links: ReadonlyMap<string, readonly Link[]>;
}

/** The value that the constant column has in every row. */
export const constantValue: Value = "*";

/** For each row the position of every node's record, in the order of the graph's nodes. */
export function joinRows(records: Records, graph: QueryGraph): number[][] {
  const first = records.entities.get(graph.nodes[0]?.entity ?? "") ?? [];
  let rows = first.map((_, position) => [position]);
  const open = [...graph.edges];
  const reached = new Set([0]);
  while (open.length > 0) {
    const at = open.findIndex(({ parent, child }) => reached.has(parent) !== reached.has(child));
    const edge = open.splice(at, 1)[0];
    if (at < 0 || !edge) throw new Error("a query graph is a tree");
    rows = alongEdge(records, edge, reached.has(edge.parent), rows);
    reached.add(edge.parent).add(edge.child);
  }
  return rows;
}

function alongEdge(
  records: Records,
  { relationship, parent, child }: GraphEdge,
  towardsChild: boolean,
  rows: readonly number[][],
): number[][] {
  const [from, to] = towardsChild ? [parent, child] : [child, parent];
  const linked = new Map<number, number[]>();
  for (const link of records.links.get(relationship) ?? []) {
    const [here, there] = towardsChild ? [link.parent, link.child] : [link.child, link.parent];
    const known = linked.get(here);
    if (known) known.push(there);
    else linked.set(here, [there]);
  }
  return rows.flatMap((row) =>
    (linked.get(row[from] as number) ?? []).map((there) => {
      const next = [...row];
      next[to] = there;
      return next;
    }),
  );
}

/** Order of two values of one column: numbers by size, text by code unit, false before true. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Text that is equal exactly for equal lists of values. */
export function valuesText(values: readonly (Value | null | undefined)[]): string {
  let text = "";
  for (const value of values) text += `${typeof value === "string" ? `"${value}"` : value}\u0001`;
  return text;
}

/** Bytes of an attribute's values: their own length where lengths vary, else what the attribute says. */
export function valueSize(
  entityGraph: EntityGraph,
  entity: string,
  attribute: string,
): number | "length" {
  const known = entityGraph.entities[entity];
  const found = known && attributeOf(known, attribute);
  if (!found) throw new Error(`no attribute ${entity}.${attribute}`);
  return found.type === "text" || found.type === "blob" ? "length" : found.bytes;
}
