/**
 * A second opinion on the sources of a migration (engine.md §7): together they hold every column of
 * the new table, join by identity, and neither lose nor add rows.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { ColumnReference, QueryGraph } from "#model/query-graph.ts";

/** What is wrong with the sources, one sentence each. */
export function sourceComplaints(
  entityGraph: EntityGraph,
  builds: ColumnFamily,
  sources: readonly ColumnFamily[],
): string[] {
  if (sources.length === 0) return [`${builds.key} has no source.`];
  const wanted = new Set(columnsOf(builds).flatMap((column) => (column.node < 0 ? [] : factsOf(entityGraph, builds.graph, column)[0] ?? [])));
  // Every way in which each source may lie on the new table's records; one combination has to work.
  const ways = sources.map((source) => placements(entityGraph, source.graph, builds.graph));
  const works = combinationsOf(ways).some((placement) => holdsAll(entityGraph, builds, sources, placement, wanted));
  return works ? [] : [`The sources of ${builds.key} do not hold just its rows and columns.`];
}

type Placement = readonly number[];

function combinationsOf(ways: readonly (readonly Placement[])[]): Placement[][] {
  return ways.reduce<Placement[][]>((all, some) => all.flatMap((chosen) => some.map((way) => [...chosen, way])), [[]]);
}

function relationshipOf(entityGraph: EntityGraph, id: string): Relationship {
  const found = entityGraph.relationships.find((each) => each.id === id);
  if (!found) throw new Error(`no relationship ${id}`);
  return found;
}

/** All texts `node.attribute` that the joins of the graph make equal to the column, sorted: the first one names them all. */
function factsOf(entityGraph: EntityGraph, graph: QueryGraph, column: ColumnReference): string[] {
  const open = [column];
  const seen = new Set<string>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const text = `${at.node}.${at.attribute}`;
    if (seen.has(text)) continue;
    seen.add(text);
    for (const edge of graph.edges) {
      for (const pair of relationshipOf(entityGraph, edge.relationship).foreignKey) {
        if (edge.parent === at.node && pair.parent === at.attribute) open.push({ node: edge.child, attribute: pair.child });
        if (edge.child === at.node && pair.child === at.attribute) open.push({ node: edge.parent, attribute: pair.parent });
      }
    }
  }
  return [...seen].sort();
}

/** Maps of the source's nodes onto the target's: same entities and relationships; −1 only where rows stay the same. */
function placements(entityGraph: EntityGraph, source: QueryGraph, target: QueryGraph): Placement[] {
  const found: Placement[] = [];
  const place = (map: readonly number[], node: number): void => {
    if (node === source.nodes.length) {
      if (map.some((to) => to >= 0)) found.push(map);
      return;
    }
    const options = [-1, ...target.nodes.flatMap(({ entity }, to) => (entity === source.nodes[node]?.entity && !map.includes(to) ? [to] : []))];
    for (const to of options) place([...map, to], node + 1);
  };
  place([], 0);
  return found.filter((map) => source.edges.every((edge) => edgeKept(entityGraph, edge, map, target)) && connectedOutside(source, map));
}

function edgeKept(entityGraph: EntityGraph, edge: QueryGraph["edges"][number], map: Placement, target: QueryGraph): boolean {
  const parent = map[edge.parent] ?? -1;
  const child = map[edge.child] ?? -1;
  const { multiplicity, optional, atLeastOne } = relationshipOf(entityGraph, edge.relationship);
  if (parent >= 0 && child >= 0)
    return target.edges.some((each) => each.relationship === edge.relationship && each.parent === parent && each.child === child);
  if (multiplicity === "manyToMany") return false;
  // Outside the new table: a parent that every child has, or children of which every parent has one.
  if (parent >= 0) return atLeastOne;
  if (child >= 0) return !optional;
  return !optional;
}

/** What lies outside hangs on what lies inside, so it never joins two inside parts. */
function connectedOutside(source: QueryGraph, map: Placement): boolean {
  const inside = map.flatMap((to, node) => (to >= 0 ? [node] : []));
  const reached = new Set(inside.slice(0, 1));
  for (let grown = true; grown; ) {
    grown = false;
    for (const { parent, child } of source.edges) {
      if ((map[parent] ?? -1) < 0 || (map[child] ?? -1) < 0) continue;
      if (reached.has(parent) === reached.has(child)) continue;
      reached.add(parent).add(child);
      grown = true;
    }
  }
  return reached.size === inside.length;
}

function holdsAll(
  entityGraph: EntityGraph,
  builds: ColumnFamily,
  sources: readonly ColumnFamily[],
  placement: readonly Placement[],
  wanted: ReadonlySet<string>,
): boolean {
  const parts = sources.map((source, index) => {
    const map = placement[index] ?? [];
    const columns = new Set(
      columnsOf(source).flatMap((column) => {
        if (column.node < 0) return [];
        for (const text of factsOf(entityGraph, source.graph, column)) {
          const dot = text.indexOf(".");
          const node = map[Number(text.slice(0, dot))] ?? -1;
          if (node < 0) continue;
          const fact = factsOf(entityGraph, builds.graph, { node, attribute: text.slice(dot + 1) })[0];
          if (fact !== undefined) return [fact];
        }
        return [];
      }),
    );
    return { nodes: withParents(entityGraph, builds.graph, new Set(map.filter((to) => to >= 0)), columns), columns };
  });
  let joined: Held | undefined = parts[0];
  let rest: readonly Held[] = parts.slice(1);
  if (!joined) return false;
  while (rest.length > 0) {
    const now: Held = joined;
    const next: Held | undefined = rest.find((part) => agree(entityGraph, builds.graph, now, part));
    if (!next) return false;
    rest = rest.filter((part) => part !== next);
    const columns: ReadonlySet<string> = new Set([...now.columns, ...next.columns]);
    joined = { columns, nodes: withParents(entityGraph, builds.graph, new Set([...now.nodes, ...next.nodes]), columns) };
  }
  const everywhere = withParents(entityGraph, builds.graph, joined.nodes, undefined);
  const { columns } = joined;
  return everywhere.size === builds.graph.nodes.length && [...wanted].every((fact) => columns.has(fact));
}

interface Held {
  readonly nodes: ReadonlySet<number>;
  readonly columns: ReadonlySet<string>;
}

function identity(entityGraph: EntityGraph, graph: QueryGraph, node: number): string[] {
  const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
  return (entity?.identifier ?? []).flatMap((attribute) => factsOf(entityGraph, graph, { node, attribute })[0] ?? []);
}

function withParents(entityGraph: EntityGraph, graph: QueryGraph, nodes: ReadonlySet<number>, known: ReadonlySet<string> | undefined): Set<number> {
  const all = new Set(nodes);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { relationship, parent, child } of graph.edges) {
      const { multiplicity, optional } = relationshipOf(entityGraph, relationship);
      if (multiplicity === "manyToMany" || optional || !all.has(child) || all.has(parent)) continue;
      if (known && !identity(entityGraph, graph, parent).every((fact) => known.has(fact))) continue;
      all.add(parent);
      grown = true;
    }
  }
  return all;
}

/** Some records are held by both, and the common columns identify every one of them. */
function agree(entityGraph: EntityGraph, graph: QueryGraph, a: Held, b: Held): boolean {
  const overlap = [...a.nodes].filter((node) => b.nodes.has(node));
  const common = new Set([...a.columns].filter((fact) => b.columns.has(fact)));
  const pinned = new Set(graph.nodes.map((_, node) => node).filter((node) => identity(entityGraph, graph, node).every((fact) => common.has(fact))));
  for (let grown = true; grown; ) {
    grown = false;
    for (const { relationship, parent, child } of graph.edges) {
      const { multiplicity } = relationshipOf(entityGraph, relationship);
      if (multiplicity === "manyToMany") continue;
      const next = pinned.has(child) && !pinned.has(parent) ? parent : multiplicity === "oneToOne" && pinned.has(parent) && !pinned.has(child) ? child : undefined;
      if (next === undefined) continue;
      pinned.add(next);
      grown = true;
    }
  }
  return overlap.length > 0 && overlap.every((node) => pinned.has(node));
}
