/**
 * The same entity graph with fewer records, for sample data of a model of millions.
 *
 * Every count n becomes n^a, with a chosen so that the largest becomes `most`. A power keeps what
 * identifiers and relationships rest on: which of two entities has more records, and that pairs of
 * parents suffice to tell children apart. Fan-outs shrink but stay apart. A graph that is small
 * enough already stays as it is.
 */
import type { Entity, EntityGraph, Relationship } from "#model/entity-graph.ts";

export function sampleGraph(entityGraph: EntityGraph, most: number): EntityGraph {
  const largest = Math.max(...Object.values(entityGraph.entities).map(({ count }) => count));
  if (largest <= most) return entityGraph;
  const exponent = Math.log(most) / Math.log(largest);
  return resizedGraph(entityGraph, (count) =>
    Math.max(1, Math.ceil(Math.round(count) ** exponent - 1e-9)),
  );
}

/**
 * The graph with every number of records or values n made `smaller(n)`. For what rests on counts to
 * stay, `smaller` has to keep order, and `smaller(m · n)` must not exceed `smaller(m) · smaller(n)`.
 */
export function resizedGraph(
  entityGraph: EntityGraph,
  smaller: (count: number) => number,
): EntityGraph {
  const sampled = Object.fromEntries(
    Object.values(entityGraph.entities).map((entity) => [
      entity.name,
      smallerEntity(entity, smaller),
    ]),
  );
  return {
    entities: sampled,
    relationships: entityGraph.relationships.map((each) =>
      smallerRelationship(each, entityGraph.entities, sampled),
    ),
  };
}

function smallerEntity(entity: Entity, smaller: (count: number) => number): Entity {
  const count = smaller(entity.count);
  return {
    ...entity,
    count,
    attributes: entity.attributes.map((attribute) => ({
      ...attribute,
      distinct: Math.min(count, smaller(attribute.distinct)),
    })),
  };
}

function smallerRelationship(
  relationship: Relationship,
  before: EntityGraph["entities"],
  after: EntityGraph["entities"],
): Relationship {
  const { ends, multiplicity, optional, atLeastOne, links } = relationship;
  const countsIn = (entities: EntityGraph["entities"]): [number, number] => [
    entities[ends[0].entity]?.count ?? 0,
    entities[ends[1].entity]?.count ?? 0,
  ];
  const [parents, children] = countsIn(after);
  if (multiplicity === "manyToMany") {
    const perRecord = links / Math.max(...countsIn(before));
    const wanted = Math.round(perRecord * Math.max(parents, children));
    const least = atLeastOne ? parents : 1;
    return { ...relationship, links: within(least, wanted, parents * children) };
  }
  if (!optional) return { ...relationship, links: children };
  const share = links / countsIn(before)[1];
  const most = multiplicity === "oneToOne" ? Math.min(parents, children) : children;
  const least = atLeastOne ? parents : 1;
  return { ...relationship, links: within(least, Math.round(share * children), most) };
}

function within(least: number, wanted: number, most: number): number {
  return Math.min(most, Math.max(least, wanted));
}
