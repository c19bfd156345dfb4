/**
 * Column families that no enumeration would propose but a person could draw: any part of a query's
 * graph with a parent or two beside it, any columns in any place, a foreign key beside the identifier
 * that it holds, directions mixed. Their keys tell their rows apart; that is all they promise.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { type ColumnFamily, columnFamilySize, columnFamilyText } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { type ColumnReference, canonicalGraph, type GraphEdge } from "#model/query-graph.ts";
import { type Random, randomFrom } from "#model/random.ts";
import type { Query } from "#model/statement.ts";
import { type ColumnClass, graphColumns } from "../graph-columns.ts";

/** So many families over parts of the queries' graphs; fewer where two are the same. */
export function randomFamilies(
  entityGraph: EntityGraph,
  queries: readonly Query[],
  count: number,
  seed: number,
): ColumnFamily[] {
  const random = randomFrom(seed);
  const families = new Map<string, ColumnFamily>();
  for (let index = 0; index < count; index += 1) {
    const query = queries[random.below(queries.length)] as Query;
    const family = randomFamily(entityGraph, query, random);
    families.set(family.key, family);
  }
  return [...families.values()];
}

function randomFamily(entityGraph: EntityGraph, query: Query, random: Random): ColumnFamily {
  const { entities, edges, from } = randomPart(entityGraph, query, random);
  const canonical = canonicalGraph(entityGraph, entities, edges);
  const { graph, renumbering, text } = canonical;
  const columns: ColumnReference[] = graph.nodes.flatMap(({ entity }, node) =>
    (entityGraph.entities[entity]?.attributes ?? [])
      .filter(({ type }) => type !== "counter")
      .map(({ name }) => ({ node, attribute: name })),
  );
  // What the query speaks of is worth more to it than other columns.
  const wanted = new Set(
    [...query.predicates.map(({ column }) => column), ...outputOf(query)].flatMap((column) => {
      const at = from.indexOf(column.node);
      return at < 0 ? [] : [nameOf({ ...column, node: renumbering[at] as number })];
    }),
  );
  const weighted = columns.flatMap((column) =>
    wanted.has(nameOf(column)) ? [column, column, column, column] : [column],
  );
  const rest = random.shuffled(weighted);
  const used = new Set<string>();
  const take = (most: number): ColumnReference[] => {
    const taken: ColumnReference[] = [];
    while (taken.length < most) {
      const next = rest.pop();
      if (!next) break;
      if (!used.has(nameOf(next))) taken.push(next);
      used.add(nameOf(next));
    }
    return taken;
  };
  const partitionKey = take(1 + random.below(2));
  const leading = take(random.below(4));
  const tail = random.shuffled(
    missingIdentifiers(entityGraph, canonical.graph, [...partitionKey, ...leading], random),
  );
  for (const column of tail) used.add(nameOf(column));
  const shape = {
    graph,
    partitionKey,
    clusteringKey: [...leading, ...tail].map((column) => ({
      ...column,
      direction: random.below(3) === 0 ? ("desc" as const) : ("asc" as const),
    })),
    values: take(random.below(4)),
  };
  return {
    key: `${columnFamilyText(shape)} of ${text}`,
    ...shape,
    size: columnFamilySize(entityGraph, shape, 1),
  };
}

interface Part {
  readonly entities: readonly string[];
  readonly edges: readonly GraphEdge[];
  /** The query's node that each entity stands for; −1 for one beside it. */
  readonly from: readonly number[];
}

/** A connected part of the query's graph, grown edge by edge, with now and then a mandatory parent beside it. */
function randomPart(entityGraph: EntityGraph, { graph }: Query, random: Random): Part {
  const from = [random.below(graph.nodes.length)];
  const edges: GraphEdge[] = [];
  const wanted = random.below(graph.nodes.length);
  for (const { relationship, parent, child } of random.shuffled([...graph.edges, ...graph.edges])) {
    if (edges.length >= wanted || from.includes(parent) === from.includes(child)) continue;
    from.push(from.includes(parent) ? child : parent);
    edges.push({ relationship, parent: from.indexOf(parent), child: from.indexOf(child) });
  }
  const entities = from.map((node) => graph.nodes[node]?.entity ?? "");
  for (const { id, ends, multiplicity, optional } of entityGraph.relationships) {
    const child = entities.indexOf(ends[1].entity);
    const mandatory = multiplicity !== "manyToMany" && !optional;
    const walked = edges.some((edge) => edge.relationship === id && edge.child === child);
    if (child < 0 || !mandatory || walked || random.below(4) !== 0) continue;
    edges.push({ relationship: id, parent: entities.length, child });
    entities.push(ends[0].entity);
    from.push(-1);
  }
  return { entities, edges, from };
}

/** Identifiers that the key needs to tell rows apart; now and then also such as it could do without. */
function missingIdentifiers(
  entityGraph: EntityGraph,
  graph: ColumnFamily["graph"],
  key: readonly ColumnReference[],
  random: Random,
): ColumnReference[] {
  const columns = graphColumns(entityGraph, graph);
  const known = new Set(key.map((column) => columns.classOf(column) as ColumnClass));
  const names = new Set(key.map(nameOf));
  const added: ColumnReference[] = [];
  const seldom = (): boolean => random.below(3) === 0;
  for (const node of random.shuffled([...graph.nodes.keys()])) {
    if (columns.determinedNodes(known).has(node) && !seldom()) continue;
    const identifier = entityGraph.entities[graph.nodes[node]?.entity ?? ""]?.identifier ?? [];
    for (const column of identifier.map((attribute) => ({ node, attribute }))) {
      const id = columns.classOf(column) as ColumnClass;
      if (names.has(nameOf(column)) || (known.has(id) && !seldom())) continue;
      added.push(column);
      known.add(id);
    }
  }
  return added;
}

function outputOf({ select, groupBy, orderBy }: Query): ColumnReference[] {
  const selections = [...select, ...orderBy.map(({ by }) => by)];
  return [...groupBy, ...selections.flatMap(({ column }) => (column ? [column] : []))];
}

function nameOf({ node, attribute }: ColumnReference): string {
  return `${node}/${attribute}`;
}
