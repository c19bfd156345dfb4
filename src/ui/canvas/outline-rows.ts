/** The entity graph as an outline: what hangs under an entity, as seen from it, and what a search finds. */
import { type EndMark, endMarks } from "#document/multiplicity.ts";
import {
  type EntityId,
  entityName,
  type RelationshipId,
  type StudioDocument,
} from "#document/schema.ts";

type Graph = Pick<StudioDocument, "entities" | "relationships">;

/** One direction of a relationship: what the entity has at its other end. */
export interface RoleRow {
  readonly relationship: RelationshipId;
  /** Index of the other end in the relationship. */
  readonly end: 0 | 1;
  readonly role: string;
  readonly mark: EndMark;
  readonly farEntity: EntityId;
  readonly farName: string;
}

/** The roles that lead away from an entity, in the order of the drawing; both for a loop. */
export function roleRows(graph: Graph, id: EntityId): readonly RoleRow[] {
  return Object.entries(graph.relationships).flatMap(([relationship, record]) => {
    const marks = endMarks(record);
    const row = (end: 0 | 1): RoleRow => {
      const { entity, role } = record.ends[end];
      const far = graph.entities[entity];
      const farName = far ? entityName(entity, far) : entity;
      return { relationship, end, role, mark: marks[end], farEntity: entity, farName };
    };
    const [parent, child] = record.ends;
    return [...(parent.entity === id ? [row(1)] : []), ...(child.entity === id ? [row(0)] : [])];
  });
}

/** Roles of an entity whose parent must be there: they may stand in its identifier. */
export function keyRoles(rows: readonly RoleRow[]): readonly RoleRow[] {
  return rows.filter(({ end, mark }) => end === 0 && mark.least === 1 && mark.most === 1);
}

/**
 * Keys of rows that are told apart by their names: a row keeps its key when it is moved and when it
 * alone is renamed, so that a field keeps what is being typed into it.
 */
export function keptKeys(
  before: ReadonlyMap<string, string>,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const isNew = (name: string): boolean => !before.has(name);
  const gone = [...before.keys()].filter((name) => !names.includes(name));
  const renamed = names.filter(isNew).length === 1 && gone.length === 1 ? gone[0] : undefined;
  const used = new Set(before.values());
  let number = used.size;
  const fresh = (): string => {
    while (used.has(`row ${number}`)) number += 1;
    used.add(`row ${number}`);
    return `row ${number}`;
  };
  return new Map(
    names.map((name) => [name, before.get(isNew(name) ? (renamed ?? name) : name) ?? fresh()]),
  );
}

/** Entities whose name, attributes or roles contain the text, in any capitals; undefined for an empty text. */
export function foundEntities(graph: Graph, text: string): readonly EntityId[] | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const has = (word: string): boolean => word.toLowerCase().includes(wanted);
  return Object.entries(graph.entities)
    .filter(
      ([id, entity]) =>
        has(entityName(id, entity)) ||
        entity.attributes.some(({ name }) => has(name)) ||
        roleRows(graph, id).some(({ role }) => has(role)),
    )
    .map(([id]) => id);
}
