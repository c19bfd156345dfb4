/**
 * Tables that a person names, after a renaming: read with the old names, written with the new ones. A text
 * that does not read is left as it is.
 *
 * A renaming keeps entities, attributes and relationships in their places, so a thing is known by its place.
 */
import { columnFamilyText } from "#model/column-family.ts";
import { parseColumnFamily } from "#model/column-family-text.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { type ColumnReference, canonicalGraph, isConstant } from "#model/query-graph.ts";
import { withScenarioRestrictions } from "./scenarios-after.ts";
import type { StudioDocument } from "./schema.ts";
import { entityGraphOf } from "./to-problem.ts";

/** `after` with the tables of `before` under their new names. */
export function withTablesRenamed(before: StudioDocument, after: StudioDocument): StudioDocument {
  const { restrictions, startSchema, handMade, scenarios = {} } = after;
  const inScenarios = Object.values(scenarios).some((scenario) => scenario.restrictions);
  if (!restrictions && !startSchema && !handMade && !inScenarios) return after;
  const [old, renamed] = [entityGraphOf(before), entityGraphOf(after)];
  if (!old.ok || !renamed.ok) return after;
  const rename = (text: string): string => renamedText(text, old.value, renamed.value);
  const renamedAll = (table: NonNullable<StudioDocument["restrictions"]>): typeof table =>
    Object.fromEntries(
      Object.entries(table).map(([id, each]) => [
        id,
        each.kind === "family"
          ? { ...each, family: rename(each.family) }
          : { ...each, families: each.families.map(rename) },
      ]),
    );
  return {
    ...withScenarioRestrictions(after, renamedAll),
    ...(startSchema && { startSchema: startSchema.map(rename) }),
    ...(handMade && {
      handMade: { ...handMade, schemas: handMade.schemas.map((each) => each.map(rename)) },
    }),
    ...(restrictions && { restrictions: renamedAll(restrictions) }),
  };
}

function renamedText(text: string, old: EntityGraph, now: EntityGraph): string {
  const parsed = parseColumnFamily(text, old, "", 1);
  if (!parsed.ok) return text;
  const { graph, partitionKey, clusteringKey, values } = parsed.value;
  const names = Object.keys(old.entities);
  const [oldEntities, entities] = [Object.values(old.entities), Object.values(now.entities)];
  const placeOf = (node: number): number => names.indexOf(graph.nodes[node]?.entity ?? "");
  const attributeOf = ({ node, attribute }: ColumnReference): string => {
    const at = oldEntities[placeOf(node)]?.attributes.findIndex(({ name }) => name === attribute);
    return entities[placeOf(node)]?.attributes[at ?? -1]?.name ?? attribute;
  };
  const edges = graph.edges.map((edge) => {
    const at = old.relationships.findIndex(({ id }) => id === edge.relationship);
    return { ...edge, relationship: now.relationships[at]?.id ?? edge.relationship };
  });
  const under = graph.nodes.map((_, node) => entities[placeOf(node)]?.name ?? "");
  const canonical = canonicalGraph(now, under, edges);
  const moved = <Column extends ColumnReference>(columns: readonly Column[]): Column[] =>
    columns.map((column) =>
      isConstant(column)
        ? column
        : {
            ...column,
            node: canonical.renumbering[column.node] as number,
            attribute: attributeOf(column),
          },
    );
  const shape = {
    graph: canonical.graph,
    partitionKey: moved(partitionKey),
    clusteringKey: moved(clusteringKey),
    values: moved(values),
  };
  return `${columnFamilyText(shape)} of ${canonical.text}`;
}
