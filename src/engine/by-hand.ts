/**
 * Column families that a person wrote, as enumeration would write them: mandatory parents at the rim
 * that are present only through their identifier are left out of the graph, columns that the joins
 * make equal are named by one of them, and the size is that of this problem (engine.md §3). The order
 * of the clustering key stays as written.
 */
import {
  type ClusteringColumn,
  type ColumnFamily,
  type ColumnFamilyKey,
  columnFamilySize,
  columnFamilyText,
  columnsOf,
} from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Problem } from "#model/problem.ts";
import {
  type ColumnReference,
  canonicalGraph,
  columnText,
  compareText,
} from "#model/query-graph.ts";
import { compileGraph, setOf, subgraph, withoutNamedParents } from "./column-classes.ts";
import { representative } from "./enumerate-column-families.ts";

/** The canonical form of one column family. */
export function asCandidate(
  entityGraph: EntityGraph,
  written: ColumnFamily,
  sizeFactor: number,
): ColumnFamily {
  const from = compileGraph(entityGraph, written.graph);
  const used = setOf(columnsOf(written).map((column) => from.classOf(column)));
  const { graph, renumbering } = subgraph(from, withoutNamedParents(from, from.allNodes, used));
  const compiled = compileGraph(entityGraph, graph);
  const taken = new Set<number>();
  const columns = <Column extends ColumnReference>(list: readonly Column[]): Column[] =>
    list.flatMap((column): Column[] => {
      if (column.node < 0) return [column];
      const id = from.classOf(column);
      if (taken.has(id)) return [];
      taken.add(id);
      const member = from.members[id]?.find(({ node }) => (renumbering[node] ?? -1) >= 0);
      if (!member) throw new Error(`no column for ${columnText(written.graph, column)}`);
      const at = { node: renumbering[member.node] as number, attribute: member.attribute };
      return [{ ...column, ...representative(compiled, compiled.classOf(at)) }];
    });
  const byText = (a: ColumnReference, b: ColumnReference): number =>
    compareText(columnText(graph, a), columnText(graph, b));
  const shape = {
    graph,
    partitionKey: columns(written.partitionKey).sort(byText),
    clusteringKey: columns<ClusteringColumn>(written.clusteringKey),
    values: columns(written.values).sort(byText),
  };
  const entities = graph.nodes.map(({ entity }) => entity);
  const { text } = canonicalGraph(entityGraph, entities, graph.edges);
  return {
    key: `${columnFamilyText(shape)} of ${text}`,
    ...shape,
    size: columnFamilySize(entityGraph, shape, sizeFactor),
  };
}

/** What a problem names by hand, in canonical form. */
export interface NamedFamilies {
  /** To be offered whether or not a rule proposes them: pinned, in pinned plans, of the start schema or a hand-made one. */
  readonly added: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  /** What no dominance rule may drop, nor use as the reason to drop another. */
  readonly special: ReadonlySet<ColumnFamilyKey>;
}

export function namedFamilies(problem: Problem): NamedFamilies {
  const { entityGraph, options, restrictions = [], startSchema = [], handMade } = problem;
  const canonical = (family: ColumnFamily): ColumnFamily =>
    asCandidate(entityGraph, family, options.sizeFactor);
  const named = (demand: "pin" | "ban"): ColumnFamily[] =>
    restrictions
      .filter((each) => each.demand === demand)
      .flatMap((each) => (each.kind === "family" ? [each.columnFamily] : each.columnFamilies));
  const added = [...named("pin"), ...startSchema, ...(handMade?.schemas.flat() ?? [])].map(
    canonical,
  );
  const banned = named("ban").map((family) => canonical(family).key);
  return {
    added: new Map(added.map((family) => [family.key, family])),
    special: new Set([...added.map(({ key }) => key), ...banned]),
  };
}
