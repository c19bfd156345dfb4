/** Which parts of the entity graph a statement uses, and what falls with parts that are removed, in words. */
import { type GraphParts, removeParts } from "#document/graph-commands.ts";
import {
  type EntityId,
  entityName,
  idsByName,
  type RelationshipId,
  type StudioDocument,
} from "#document/schema.ts";
import { entityGraphOf, statementOf } from "#document/to-problem.ts";
import { type EntityGraph, walkRole } from "#model/entity-graph.ts";
import type { Statement, StatementId } from "#model/statement.ts";
import { plural } from "../design/format.ts";

export interface UsedParts {
  readonly entities: ReadonlySet<EntityId>;
  readonly relationships: ReadonlySet<RelationshipId>;
}

/** What a statement walks and names; undefined while it, or the drawing, cannot be read. */
export function usedParts(document: StudioDocument, id: StatementId): UsedParts | undefined {
  const graph = entityGraphOf(document);
  if (!graph.ok) return undefined;
  const statement = statementOf(document, graph.value, id);
  if (!statement.ok) return undefined;
  const names = namesIn(statement.value, graph.value);
  const ids = idsByName(document);
  // The graph lists relationships in the order of the document.
  const keys = Object.keys(document.relationships);
  return {
    entities: new Set(names.entities.flatMap((name) => ids[name] ?? [])),
    relationships: new Set(
      graph.value.relationships.flatMap((each, index) =>
        names.relationships.includes(each.id) ? (keys[index] ?? []) : [],
      ),
    ),
  };
}

interface Names {
  readonly entities: readonly string[];
  readonly relationships: readonly string[];
}

function namesIn(statement: Statement, graph: EntityGraph): Names {
  if ("graph" in statement)
    return {
      entities: statement.graph.nodes.map(({ entity }) => entity),
      relationships: statement.graph.edges.map(({ relationship }) => relationship),
    };
  const connections = statement.kind === "insert" ? statement.connections : [statement.connection];
  const walks = connections.flatMap(({ role }) => walkRole(graph, statement.entity, role) ?? []);
  return {
    entities: [
      statement.entity,
      ...walks.map(({ relationship, toEnd }) => relationship.ends[toEnd].entity),
    ],
    relationships: walks.map(({ relationship }) => relationship.id),
  };
}

/** `user`, `3 entities`, `the relationship items`: what is to be removed. */
export function partsName(document: StudioDocument, parts: GraphParts): string {
  const { entities, relationships } = parts;
  const [id = ""] = entities;
  const entity = document.entities[id];
  if (entities.length === 1 && entity) return entityName(id, entity);
  if (entities.length > 1) return plural(entities.length, "entity", "entities");
  const relationship = document.relationships[relationships[0] ?? ""];
  return relationship
    ? `the relationship ${relationship.ends[1].role}`
    : plural(relationships.length, "relationship");
}

/** Sentences on what goes, or no longer works, when parts are removed; empty where nothing hangs on them. */
export function fallsWith(document: StudioDocument, parts: GraphParts): readonly string[] {
  const entities = new Set(parts.entities);
  const attached = Object.entries(document.relationships)
    .filter(
      ([id, { ends }]) =>
        !parts.relationships.includes(id) && ends.some(({ entity }) => entities.has(entity)),
    )
    .map(([id]) => id);
  const relationships = new Set([...parts.relationships, ...attached]);
  const removed = removeParts(document, parts);
  const statements = Object.keys(document.statements).filter((id) => {
    const used = usedParts(document, id);
    return (
      used &&
      ([...used.entities].some((entity) => entities.has(entity)) ||
        [...used.relationships].some((each) => relationships.has(each)))
    );
  });
  return [
    ...(attached.length > 0 ? [`${plural(attached.length, "relationship")} went with it.`] : []),
    ...(removed.ok ? removed.warnings.map(({ message }) => message) : []),
    ...(statements.length > 0 ? [`${listed(statements)} can no longer be read.`] : []),
  ];
}

function listed(ids: readonly string[]): string {
  const most = 4;
  if (ids.length > most)
    return `${ids.slice(0, most).join(", ")} and ${plural(ids.length - most, "more statement")}`;
  return ids.length === 1 ? ids.join("") : `${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`;
}
