/**
 * Fills a new table from the tables before, as a migration plan says: every source is read once in
 * full, and the rows are joined on the columns that they have in common.
 *
 * A plan names its sources and no more. `readingsOf` finds every way to read them that is sound by
 * the definition of §7: each source lies on the new table's graph with at most mandatory parents or
 * children under `atLeastOne` beside it; the columns that a source shares with those before it
 * identify every record that both know; in the end all records and columns are there.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { GraphEdge, QueryGraph } from "#model/query-graph.ts";
import { type ColumnClass, type GraphColumns, graphColumns, layColumns } from "./graph-columns.ts";
import { constantValue, type Value, valuesText } from "./records.ts";
import { createTable, loadRows, type Row, scanTable, type Table } from "./table.ts";

/** One source: where it lies, and which of its columns hold what. */
interface SourceReading {
  /** Position among the plan's sources. */
  readonly source: number;
  readonly embedding: readonly number[];
  /** Class of each of its columns in the new table's graph. */
  readonly classes: readonly (ColumnClass | undefined)[];
  /** Classes shared with the sources before it. */
  readonly joinOn: readonly ColumnClass[];
}

/** The sources in an order in which they can be joined. */
export type MigrationReading = readonly SourceReading[];

/** Fills `target` from the sources by one reading of the plan. */
export function runMigrationPlan(
  entityGraph: EntityGraph,
  target: ColumnFamily,
  sources: readonly Table[],
  reading: MigrationReading,
): Table {
  const table = createTable(target);
  loadRows(table, migratedRows(entityGraph, target, sources, reading));
  return table;
}

/** The rows that one reading of the plan brings, some of them perhaps several times. */
export function migratedRows(
  entityGraph: EntityGraph,
  target: ColumnFamily,
  sources: readonly Table[],
  reading: MigrationReading,
): Row[] {
  let rows: (Value | undefined)[][] | undefined;
  for (const step of reading) {
    const found = scanTable(sources[step.source] as Table).map((row) => {
      const known: (Value | undefined)[] = [];
      step.classes.forEach((id, at) => {
        if (id !== undefined) known[id] = row[at];
      });
      return known;
    });
    rows = rows ? joined(rows, found, step.joinOn) : found;
  }
  const columns = graphColumns(entityGraph, target.graph);
  const classes = columnsOf(target).map((column) => columns.classOf(column));
  return (rows ?? []).map((known) =>
    classes.map((id) => (id === 0 ? constantValue : (known[id ?? -1] as Value))),
  );
}

function joined(
  left: readonly (Value | undefined)[][],
  right: readonly (Value | undefined)[][],
  joinOn: readonly ColumnClass[],
): (Value | undefined)[][] {
  const textOf = (known: readonly (Value | undefined)[]): string =>
    valuesText(joinOn.map((id) => known[id]));
  const partners = new Map<string, (Value | undefined)[][]>();
  for (const known of right) {
    const text = textOf(known);
    const group = partners.get(text);
    if (group) group.push(known);
    else partners.set(text, [known]);
  }
  return left.flatMap((known) =>
    (partners.get(textOf(known)) ?? []).map((partner) => {
      const all = [...known];
      partner.forEach((value, id) => {
        if (value !== undefined) all[id] = value;
      });
      return all;
    }),
  );
}

/** What the sources read so far know. */
interface Known {
  readonly nodes: ReadonlySet<number>;
  readonly classes: ReadonlySet<ColumnClass>;
}

/** All sound readings of the sources; none when the plan cannot be right. */
export function readingsOf(
  entityGraph: EntityGraph,
  target: ColumnFamily,
  sources: readonly ColumnFamily[],
): MigrationReading[] {
  const graph = new MigrationGraph(entityGraph, target.graph);
  const wanted = columnsOf(target).flatMap((column) => graph.columns.classOf(column) ?? []);
  const places = sources.map((source) => graph.embeddings(source.graph));
  const found: MigrationReading[] = [];
  const extend = (chosen: MigrationReading, known: Known): void => {
    if (chosen.length < sources.length) {
      for (const next of nextSources(chosen, known)) extend([...chosen, next.step], next.known);
    } else if (graph.isWhole(known, wanted)) found.push(chosen);
  };
  const nextSources = (
    chosen: MigrationReading,
    known: Known,
  ): { step: SourceReading; known: Known }[] =>
    sources.flatMap((family, source) => {
      if (chosen.some((each) => each.source === source)) return [];
      return (places[source] ?? []).flatMap((embedding) => {
        const classes = layColumns(entityGraph, graph.columns, family, embedding);
        const own = graph.closed(embedding, classes);
        const joinOn = [...own.classes].filter((id) => known.classes.has(id));
        if (chosen.length > 0 && !graph.identify(joinOn, known, own)) return [];
        const step = { source, embedding, classes, joinOn };
        return [{ step, known: graph.union(known, own) }];
      });
    });
  extend([], { nodes: new Set(), classes: new Set() });
  return found;
}

class MigrationGraph {
  readonly columns: GraphColumns;
  private readonly graph: QueryGraph;
  private readonly relationships: ReadonlyMap<string, Relationship>;

  constructor(entityGraph: EntityGraph, graph: QueryGraph) {
    this.graph = graph;
    this.columns = graphColumns(entityGraph, graph);
    this.relationships = new Map(entityGraph.relationships.map((each) => [each.id, each]));
  }

  /** Every way to lay a source's graph on this one. */
  embeddings(source: QueryGraph): number[][] {
    const found = new Map<string, number[]>();
    for (const [anchor, { entity }] of source.nodes.entries())
      for (const [at, node] of this.graph.nodes.entries()) {
        const embedding = node.entity === entity ? this.from(source, anchor, at) : undefined;
        if (embedding) found.set(embedding.join(), embedding);
      }
    return [...found.values()];
  }

  private from(source: QueryGraph, anchor: number, at: number): number[] | undefined {
    const embedding = source.nodes.map((): number | undefined => undefined);
    embedding[anchor] = at;
    const open = [...source.edges];
    while (open.length > 0) {
      const index = open.findIndex(
        ({ parent, child }) =>
          (embedding[parent] === undefined) !== (embedding[child] === undefined),
      );
      const edge = open.splice(index, 1)[0];
      if (!edge) return undefined;
      const towardsChild = embedding[edge.child] === undefined;
      const here = embedding[towardsChild ? edge.parent : edge.child] as number;
      const there = here < 0 ? -1 : this.across(edge, here, towardsChild);
      if (there < 0 && !this.mayLieOutside(edge, towardsChild)) return undefined;
      embedding[towardsChild ? edge.child : edge.parent] = there;
    }
    return embedding.map((node) => node ?? -1);
  }

  private across({ relationship }: GraphEdge, here: number, towardsChild: boolean): number {
    const edge = this.graph.edges.find(
      (each) =>
        each.relationship === relationship && (towardsChild ? each.parent : each.child) === here,
    );
    if (!edge) return -1;
    return towardsChild ? edge.child : edge.parent;
  }

  /** Joining the record beyond the edge drops none of the records here. */
  private mayLieOutside({ relationship }: GraphEdge, towardsChild: boolean): boolean {
    const known = this.relationships.get(relationship);
    if (!known || known.multiplicity === "manyToMany") return false;
    return towardsChild ? known.atLeastOne : !known.optional;
  }

  closed(embedding: readonly number[], classes: readonly (ColumnClass | undefined)[]): Known {
    return this.withNamedParents(
      new Set(embedding.filter((node) => node >= 0)),
      new Set(classes.filter((id) => id !== undefined && id !== 0) as ColumnClass[]),
    );
  }

  union(a: Known, b: Known): Known {
    return this.withNamedParents(
      new Set([...a.nodes, ...b.nodes]),
      new Set([...a.classes, ...b.classes]),
    );
  }

  /** A mandatory parent whose identifier is known is known to be there. */
  private withNamedParents(nodes: Set<number>, classes: ReadonlySet<ColumnClass>): Known {
    for (const child of nodes)
      for (const edge of this.graph.edges) {
        if (edge.child !== child || !this.mayLieOutside(edge, false)) continue;
        if (this.columns.identifiers[edge.parent]?.every((id) => classes.has(id)))
          nodes.add(edge.parent);
      }
    return { nodes, classes };
  }

  /** The sources share records, and the common columns identify all that they share. */
  identify(joinOn: readonly ColumnClass[], a: Known, b: Known): boolean {
    const determined = this.columns.determinedNodes(joinOn);
    const shared = [...a.nodes].filter((node) => b.nodes.has(node));
    return shared.length > 0 && shared.every((node) => determined.has(node));
  }

  isWhole({ nodes, classes }: Known, wanted: readonly ColumnClass[]): boolean {
    const all = new Set(nodes);
    for (const child of all)
      for (const edge of this.graph.edges)
        if (edge.child === child && this.mayLieOutside(edge, false)) all.add(edge.parent);
    return (
      all.size === this.graph.nodes.length && wanted.every((id) => id === 0 || classes.has(id))
    );
  }
}

/** The first difference between two tables of one column family, in words; undefined when they are equal. */
export function tableDifference(found: Table, expected: Table): string | undefined {
  const has = new Set(scanTable(found).map(valuesText));
  const should = new Set(scanTable(expected).map(valuesText));
  const missing = [...should].find((row) => !has.has(row));
  if (missing !== undefined) return `${missing} is missing`;
  const extra = [...has].find((row) => !should.has(row));
  return extra === undefined ? undefined : `${extra} should not be there`;
}
