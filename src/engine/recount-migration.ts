/**
 * A second opinion on the sources of a migration (engine.md §7): together they hold every column of
 * the new table, join by identity, and neither lose nor add rows.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { Facts, factAcross } from "./recount-facts.ts";

/** What is wrong with the sources, one sentence each. */
export function sourceComplaints(
  entityGraph: EntityGraph,
  builds: ColumnFamily,
  sources: readonly ColumnFamily[],
): string[] {
  if (sources.length === 0) return [`${builds.key} has no source.`];
  const target = new Facts(entityGraph, builds.graph);
  // Every way in which each source may lie on the new table's records; one combination has to work.
  const ways = sources.map((source) => {
    const own = new Facts(entityGraph, source.graph);
    return placements(own, target).map((placement) => held(own, source, placement, target));
  });
  const works = combinationsOf(ways).some((parts) => holdsAll(target, builds, parts));
  return works ? [] : [`The sources of ${builds.key} do not hold just its rows and columns.`];
}

/** Node of a source → node of the new table, −1 outside. */
type Placement = readonly number[];

/** Records and facts of the new table that a source holds. */
interface Held {
  readonly nodes: ReadonlySet<number>;
  readonly facts: ReadonlySet<string>;
}

function combinationsOf(ways: readonly (readonly Held[])[]): Held[][] {
  return ways.reduce<Held[][]>(
    (all, some) => all.flatMap((chosen) => some.map((way) => [...chosen, way])),
    [[]],
  );
}

function held(own: Facts, source: ColumnFamily, placement: Placement, target: Facts): Held {
  const facts = new Set(
    columnsOf(source).flatMap((column) => factAcross(own, column, placement, target) ?? []),
  );
  const inside = new Set(placement.filter((to) => to >= 0));
  return { nodes: target.withParents(inside, facts), facts };
}

/** Maps of the source's nodes onto the target's: same entities and relationships; −1 only where rows stay the same. */
function placements(source: Facts, target: Facts): Placement[] {
  let maps: Placement[] = [[]];
  for (const { entity } of source.graph.nodes) {
    const same = [...target.graph.nodes.entries()].flatMap(([to, node]) =>
      node.entity === entity ? [to] : [],
    );
    maps = maps.flatMap((map) =>
      [-1, ...same.filter((to) => !map.includes(to))].map((to) => [...map, to]),
    );
  }
  return maps.filter(
    (map) =>
      map.some((to) => to >= 0) &&
      insideIsTarget(source, map, target) &&
      outsideChangesNothing(source, map),
  );
}

/** The edges between inside nodes are the target's, and as many as hold the inside together. */
function insideIsTarget(source: Facts, map: Placement, target: Facts): boolean {
  const place = (node: number): number => map[node] ?? -1;
  const inside = source.graph.edges.filter(
    ({ parent, child }) => place(parent) >= 0 && place(child) >= 0,
  );
  const same = inside.every((edge) =>
    target.graph.edges.some(
      (each) =>
        each.relationship === edge.relationship &&
        each.parent === place(edge.parent) &&
        each.child === place(edge.child),
    ),
  );
  // A forest of so many nodes hangs together when it has one edge fewer.
  return same && inside.length === map.filter((to) => to >= 0).length - 1;
}

/** Walking outwards, no record is lost; repetitions overwrite themselves. */
function outsideChangesNothing(source: Facts, map: Placement): boolean {
  const inside = new Set([...map.keys()].filter((node) => (map[node] ?? -1) >= 0));
  return source.withLosslessNeighbours(inside).size === source.graph.nodes.length;
}

/** The parts can be joined one after the other, and together they hold the new table's rows and columns. */
function holdsAll(target: Facts, builds: ColumnFamily, parts: readonly Held[]): boolean {
  const wanted = columnsOf(builds).flatMap((column) =>
    column.node < 0 ? [] : (target.fact(column) ?? []),
  );
  let joined = parts[0];
  let rest = parts.slice(1);
  while (joined && rest.length > 0) {
    const now: Held = joined;
    const next = rest.find((part) => agree(target, now, part));
    if (!next) return false;
    rest = rest.filter((part) => part !== next);
    const facts: ReadonlySet<string> = new Set([...now.facts, ...next.facts]);
    joined = { facts, nodes: target.withParents(new Set([...now.nodes, ...next.nodes]), facts) };
  }
  if (!joined) return false;
  const { facts, nodes } = joined;
  return (
    target.withParents(nodes).size === builds.graph.nodes.length &&
    wanted.every((fact) => facts.has(fact))
  );
}

/** Some records are held by both, and the common facts identify every one of them. */
function agree(target: Facts, a: Held, b: Held): boolean {
  const overlap = [...a.nodes].filter((node) => b.nodes.has(node));
  const pinned = target.pinned(new Set([...a.facts].filter((fact) => b.facts.has(fact))));
  return overlap.length > 0 && overlap.every((node) => pinned.has(node));
}
