/** Small data for any model, of several kinds: what one kind never shows another does. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { EntityGraph } from "#model/entity-graph.ts";
import { generateRecords } from "../generate-records.ts";
import type { Records } from "../records.ts";
import { resizedGraph, sampleGraph } from "../sample-graph.ts";

export interface RandomData {
  /** The model with the counts that the records have. */
  readonly graph: EntityGraph;
  readonly records: Records;
}

/** Data of one of the kinds, taken in turn. */
export function randomData(entityGraph: EntityGraph, kind: number, seed: number): RandomData {
  const { resized, skew, values } = kinds[kind % kinds.length] as DataKind;
  const graph = withFewValues(resized(entityGraph), values);
  return { graph, records: generateRecords(graph, { seed, skew }) };
}

/** One way to make data for a model: how large, with how few values per attribute, how skewed. */
interface DataKind {
  readonly resized: (graph: EntityGraph) => EntityGraph;
  readonly values: number;
  readonly skew: number;
}

/** Even and sparse; crowded (few values, so that much is found); skewed; tiny. */
const kinds: readonly DataKind[] = [
  { resized: (graph) => sampleGraph(graph, 80), values: Number.POSITIVE_INFINITY, skew: 0 },
  { resized: capped(24), values: 2, skew: 0.5 },
  { resized: capped(36), values: 4, skew: 1.3 },
  { resized: capped(5), values: 3, skew: 0 },
];

function capped(most: number): (graph: EntityGraph) => EntityGraph {
  return (graph) => resizedGraph(graph, (count) => Math.min(most, Math.round(count)));
}

/** No attribute has more values than so many, but for keys, which grow where they have to. */
function withFewValues(graph: EntityGraph, most: number): EntityGraph {
  return {
    ...graph,
    entities: Object.fromEntries(
      Object.values(graph.entities).map((entity) => [
        entity.name,
        {
          ...entity,
          attributes: entity.attributes.map((attribute) => ({
            ...attribute,
            distinct: Math.min(attribute.distinct, most),
          })),
        },
      ]),
    ),
  };
}
