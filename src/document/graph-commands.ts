/**
 * Drawing: what a new entity, attribute or relationship is called and holds at first, and the edits
 * that concern several parts of the graph at once. The single edits are in `commands.ts`, renaming in
 * `rename.ts`, multiplicities in `multiplicity.ts`, copies in `graph-clipboard.ts`.
 *
 * Names and ids depend on the document alone, so that the same drawing made by mouse and by keyboard
 * is the same document.
 */
import { anError, type Issue } from "#model/issue.ts";
import { type Edit, freshId, removeEntity, removeRelationship } from "./commands.ts";
import {
  type AttributeRecord,
  type EntityId,
  type EntityRecord,
  entityName,
  type RelationshipId,
  type RelationshipRecord,
  type StudioDocument,
} from "./schema.ts";

/** Records of a new entity, to be edited. */
const firstCount = 1000;

/** An entity to be added with `addEntity`: a free name, and a uuid that identifies it. */
export function newEntity(document: StudioDocument): {
  readonly id: EntityId;
  readonly entity: EntityRecord;
} {
  const name = freshEntityName(document, "entity");
  const id = freshId(document.entities, name);
  return {
    id,
    entity: {
      ...(id !== name && { name }),
      count: firstCount,
      attributes: [{ name: "id", type: "uuid" }],
      identifier: ["id"],
    },
  };
}

/** A name that no entity has, not even in other capitals: the wish, or the wish with a number behind it. */
export function freshEntityName({ entities }: StudioDocument, wish: string): string {
  const taken = Object.entries(entities).map(([id, entity]) => entityName(id, entity));
  return freshName(taken, wish);
}

/** An attribute to be added with `addAttribute`: a text with a free name. Undefined without the entity. */
export function newAttribute(document: StudioDocument, id: EntityId): AttributeRecord | undefined {
  const entity = own(document.entities, id);
  return entity && { name: freshName(namesWithin(document, id), "attribute"), type: "text" };
}

/**
 * A relationship to be added with `addRelationship`, one-to-many from `parent` to `child`. Its roles are
 * called after the entities, with a number where an attribute or another role has the name already.
 * Undefined where an entity does not exist.
 */
export function newRelationship(
  document: StudioDocument,
  parent: EntityId,
  child: EntityId,
): { readonly id: RelationshipId; readonly relationship: RelationshipRecord } | undefined {
  const [one, many] = [own(document.entities, parent), own(document.entities, child)];
  if (!one || !many) return undefined;
  const isLoop = parent === child;
  const upwards = isLoop ? "parent" : entityName(parent, one);
  const downwards = isLoop ? "children" : `${entityName(child, many)}s`;
  const parentRole = freshName(namesWithin(document, child), upwards);
  const childRole = freshName(
    [...namesWithin(document, parent), ...(isLoop ? [parentRole] : [])],
    downwards,
  );
  return {
    id: freshId(document.relationships, `${parent}.${childRole}`),
    relationship: {
      multiplicity: "oneToMany",
      ends: [
        { entity: parent, role: parentRole },
        { entity: child, role: childRole },
      ],
    },
  };
}

/** Moves an attribute to another place in its entity, counted from 0. */
export function moveAttribute(
  document: StudioDocument,
  id: EntityId,
  name: string,
  to: number,
): Edit {
  const entity = own(document.entities, id);
  const moved = entity?.attributes.find((attribute) => attribute.name === name);
  if (!entity || !moved) return gone(`entities/${id}/attributes/${name}`);
  const others = entity.attributes.filter((attribute) => attribute !== moved);
  const at = Math.min(Math.max(0, Math.trunc(to)), others.length);
  if (Number.isNaN(at) || entity.attributes[at] === moved) return unchanged(document);
  const attributes = [...others.slice(0, at), moved, ...others.slice(at)];
  return withEntity(document, id, { ...entity, attributes });
}

/** Puts an attribute, or the role of a parent, at the end of an identifier, or takes it out of it. */
export function setIdentifies(
  document: StudioDocument,
  id: EntityId,
  part: string,
  identifies: boolean,
): Edit {
  const entity = own(document.entities, id);
  if (!entity) return gone(`entities/${id}`);
  if (entity.identifier.includes(part) === identifies) return unchanged(document);
  const identifier = identifies
    ? [...entity.identifier, part]
    : entity.identifier.filter((each) => each !== part);
  return withEntity(document, id, { ...entity, identifier });
}

/** Parts of the graph that are selected together. */
export interface GraphParts {
  readonly entities: readonly EntityId[];
  readonly relationships: readonly RelationshipId[];
}

/** Removes entities and relationships with all that falls with them; those that are gone already do not matter. */
export function removeParts(document: StudioDocument, parts: GraphParts): Edit {
  const warnings: Issue[] = [];
  let value = document;
  const keep = (edit: Edit): void => {
    if (!edit.ok) return;
    value = edit.value;
    warnings.push(...edit.warnings);
  };
  for (const id of parts.relationships) keep(removeRelationship(value, id));
  for (const id of parts.entities) keep(removeEntity(value, id));
  const remaining = warnings.filter(
    ({ place }) => !parts.entities.some((id) => place === `entities/${id}`),
  );
  return { ok: true, value, warnings: remaining };
}

// ----------------------------------------------------------------------------------------- helpers

/** The wish, or the wish with the first number behind it that nobody has. Capitals do not tell names apart. */
function freshName(taken: readonly string[], wish: string): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  // What is called entity2 is followed by entity3, not by entity22.
  const base = wish.replace(/\d+$/, "");
  let name = wish;
  for (let number = 2; lower.has(name.toLowerCase()); number += 1) name = `${base}${number}`;
  return name;
}

/** Attributes of an entity, and the roles that can be walked from it. */
function namesWithin(document: StudioDocument, id: EntityId): readonly string[] {
  const attributes = own(document.entities, id)?.attributes.map(({ name }) => name) ?? [];
  const roles = Object.values(document.relationships).flatMap(({ ends: [parent, child] }) => [
    ...(parent.entity === id ? [child.role] : []),
    ...(child.entity === id ? [parent.role] : []),
  ]);
  return [...attributes, ...roles];
}

function own<Value>(table: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

function withEntity(document: StudioDocument, id: EntityId, entity: EntityRecord): Edit {
  const entities = { ...document.entities, [id]: entity };
  return { ok: true, value: { ...document, entities }, warnings: [] };
}

function unchanged(document: StudioDocument): Edit {
  return { ok: true, value: document, warnings: [] };
}

function gone(place: string): Edit {
  const hint = "It may have been removed; choose another one.";
  return {
    ok: false,
    issues: [anError(place, "What should be changed is no longer there.", hint)],
  };
}
