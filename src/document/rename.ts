/**
 * Renaming an entity, an attribute or a role, with everything that names it.
 *
 * In the model that is identifiers and held keys. In statements the parser is the only judge of what a
 * name means: `rewrite-statement.ts` changes the text so that it means after the renaming what it
 * meant before. A statement that does not parse is left as it is, with a warning if it may have named
 * the thing.
 */
import { anError, type Issue } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import type { Edit } from "./commands.ts";
import { attributeNameIssues, entityNameIssues, roleIssues } from "./input-issues.ts";
import { withTablesRenamed } from "./rename-tables.ts";
import { renamingBetween, rewriteStatement } from "./rewrite-statement.ts";
import {
  type EndRecord,
  type EntityId,
  type EntityRecord,
  entityName,
  type RelationshipId,
  type RelationshipRecord,
  type StatementRecord,
  type StudioDocument,
} from "./schema.ts";
import { withShardingRenamed } from "./sharding-commands.ts";

/** Gives an entity another name; its id stays. */
export function renameEntity(document: StudioDocument, id: EntityId, name: string): Edit {
  const entity = document.entities[id];
  if (!entity) return { ok: false, issues: [gone(`entities/${id}`)] };
  const from = entityName(id, entity);
  if (name === from) return { ok: true, value: document, warnings: [] };
  const issues = entityNameIssues(document, id, name);
  if (issues.length > 0) return { ok: false, issues };
  const { name: _, ...rest } = entity;
  const renamed: EntityRecord = name === id ? rest : { name, ...rest };
  return withStatements(document, {
    ...document,
    entities: { ...document.entities, [id]: renamed },
  });
}

/** Gives an attribute another name, also in the identifier and in keys that it holds or is held by. */
export function renameAttribute(
  document: StudioDocument,
  id: EntityId,
  from: string,
  to: string,
): Edit {
  const entity = document.entities[id];
  if (!entity?.attributes.some((attribute) => attribute.name === from))
    return { ok: false, issues: [gone(`entities/${id}/attributes/${from}`)] };
  if (from === to) return { ok: true, value: document, warnings: [] };
  const issues = attributeNameIssues(document, id, to, from);
  if (issues.length > 0) return { ok: false, issues };
  const swap = (name: string): string => (name === from ? to : name);
  return withStatements(document, {
    ...withShardingRenamed(document, id, from, to),
    entities: {
      ...document.entities,
      [id]: {
        ...entity,
        attributes: entity.attributes.map((attribute) =>
          attribute.name === from ? { ...attribute, name: to } : attribute,
        ),
        identifier: entity.identifier.map(swap),
      },
    },
    relationships: Object.fromEntries(
      Object.entries(document.relationships).map(([key, relationship]) => [
        key,
        withKeyRenamed(relationship, id, swap),
      ]),
    ),
  });
}

/** Gives one end of a relationship another role name, also in the identifier of the N side. */
export function renameRole(
  document: StudioDocument,
  id: RelationshipId,
  end: 0 | 1,
  role: string,
): Edit {
  const relationship = document.relationships[id];
  if (!relationship) return { ok: false, issues: [gone(`relationships/${id}`)] };
  const from = relationship.ends[end].role;
  if (role === from) return { ok: true, value: document, warnings: [] };
  const renamed = { ...relationship.ends[end], role };
  const [parent, child] = relationship.ends;
  const ends: readonly [EndRecord, EndRecord] = end === 0 ? [renamed, child] : [parent, renamed];
  const next: RelationshipRecord = { ...relationship, ends };
  const issues = roleIssues(document, id, next);
  if (issues.length > 0) return { ok: false, issues };
  const entities =
    end === 0 ? withPartRenamed(document, child.entity, from, role) : document.entities;
  const relationships = { ...document.relationships, [id]: next };
  return withStatements(document, { ...document, entities, relationships });
}

/** The entities after a part of one's identifier has another name. */
function withPartRenamed(
  { entities }: StudioDocument,
  id: EntityId,
  from: string,
  to: string,
): StudioDocument["entities"] {
  const entity = entities[id];
  if (!entity?.identifier.includes(from)) return entities;
  const identifier = entity.identifier.map((part) => (part === from ? to : part));
  return { ...entities, [id]: { ...entity, identifier } };
}

/** The key columns of a relationship after an attribute of one of its ends has another name. */
function withKeyRenamed(
  relationship: RelationshipRecord,
  id: EntityId,
  swap: (name: string) => string,
): RelationshipRecord {
  const { bind, ends } = relationship;
  const [parent, child] = ends;
  if (!bind || (parent.entity !== id && child.entity !== id)) return relationship;
  const pairs = Object.entries(bind).map(([held, key]) => [
    child.entity === id ? swap(held) : held,
    parent.entity === id ? swap(key) : key,
  ]);
  return { ...relationship, bind: Object.fromEntries(pairs) };
}

/** The document after the renaming, its statements rewritten. */
function withStatements(before: StudioDocument, after: StudioDocument): Edit {
  const renaming = renamingBetween(before, after);
  const warnings: Issue[] = [];
  const statements: Record<StatementId, StatementRecord> = {};
  for (const [id, record] of Object.entries(before.statements)) {
    const rewritten = rewriteStatement(id, record, renaming);
    statements[id] = rewritten.record;
    warnings.push(...rewritten.warnings);
  }
  return { ok: true, value: withTablesRenamed(before, { ...after, statements }), warnings };
}

function gone(place: string): Issue {
  return anError(
    place,
    "What should be renamed is no longer there.",
    "It may have been removed; choose another one.",
  );
}
