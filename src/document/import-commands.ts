/**
 * An imported schema as edits of the document, by the convention of `commands.ts`: as a project of its
 * own, in place of the entities that are there, or beside them. Each is one document, so that it is one
 * step to undo. Statements are never touched: those that no longer parse say so themselves.
 */

import type { AttributeDrawing, RelationshipDrawing } from "#model/entity-drawing.ts";
import type { ImportPlan, PlannedEntity } from "#model/imported-schema.ts";
import { aWarning, type Issue } from "#model/issue.ts";
import { type Edit, freshId } from "./commands.ts";
import type { EndRecord, EntityId, EntityRecord, Position, StudioDocument } from "./schema.ts";
import {
  type AttributeRecord,
  emptyDocument,
  entityName,
  type RelationshipRecord,
} from "./schema.ts";

type Imported = Pick<ImportPlan, "entities" | "relationships" | "handMade">;

/** What happens to an entity whose name is taken: it is united with the one there, or stands beside it. */
export type NameClash = "unite" | "beside";

/** A project that holds the imported schema and nothing else. */
export function importedDocument(name: string, imported: Imported): StudioDocument {
  const base = emptyDocument(name.trim() === "" ? "Imported schema" : name.trim());
  return withHandMade(added(base, imported, "beside").document, imported);
}

/** Puts the imported entities in place of all that are there; the canvas lays them out. */
export function replaceModel(document: StudioDocument, imported: Imported): Edit {
  const base = { ...document, entities: {}, relationships: {}, layout: { positions: {} } };
  const next = withHandMade(added(base, imported, "beside").document, imported);
  const statements = Object.keys(document.statements).length;
  const gone = Object.keys(document.entities).length;
  const warnings = [
    ...(gone > 0 && statements > 0
      ? [
          aWarning(
            "statements",
            `${statements} ${statements === 1 ? "statement stays" : "statements stay"} as written; those that name what is gone no longer parse.`,
            "Mend or remove them in the Workload room, or undo.",
          ),
        ]
      : []),
    ...tablesLeft(document, imported),
  ];
  return { ok: true, value: next, warnings };
}

/** Adds the imported entities to those that are there; every clash of names is told as a warning. */
export function mergeModel(document: StudioDocument, imported: Imported, clash: NameClash): Edit {
  const { document: value, warnings } = added(document, imported, clash);
  const left =
    imported.handMade && document.handMade
      ? [
          aWarning(
            "handMade",
            "The project has a schema by hand already; the imported tables do not replace it.",
            "Import into a new project to compare them.",
          ),
        ]
      : [];
  const merged = document.handMade ? value : withHandMade(value, imported);
  return { ok: true, value: merged, warnings: [...warnings, ...left] };
}

/** The project's own tables name entities that the import takes away. */
function tablesLeft(document: StudioDocument, imported: Imported): readonly Issue[] {
  const named = [
    ...(document.restrictions ? ["pins and bans"] : []),
    ...(document.startSchema ? ["the start schema"] : []),
    ...(document.handMade && !imported.handMade ? ["the schema by hand"] : []),
  ];
  return named.map((what) =>
    aWarning("", `What names tables of the old entities stays: ${what}.`, "Remove it, or undo."),
  );
}

function withHandMade(document: StudioDocument, { handMade }: Imported): StudioDocument {
  return handMade && handMade.length > 0
    ? { ...document, handMade: { name: "Imported tables", schemas: [handMade] } }
    : document;
}

interface Added {
  readonly document: StudioDocument;
  readonly warnings: readonly Issue[];
}

function added(base: StudioDocument, imported: Imported, clash: NameClash): Added {
  const warnings: Issue[] = [];
  const entities: Record<EntityId, EntityRecord> = { ...base.entities };
  const ids = new Map<string, EntityId>();
  const fresh: EntityId[] = [];
  for (const entity of imported.entities) {
    const same = Object.entries(entities).find(([id, record]) =>
      sameName(entityName(id, record), entity.name),
    );
    if (same && clash === "unite") {
      const [id, record] = same;
      entities[id] = united(id, record, entity, warnings);
      ids.set(entity.name, id);
      continue;
    }
    const name = freeEntityName(entities, entity.name);
    if (same)
      warnings.push(
        aWarning(
          `entities/${name}`,
          `An entity ${entity.name} is there already; the imported one is called ${name}.`,
          "Rename either of them.",
        ),
      );
    const id = freshId(entities, name);
    entities[id] = recordOf(id, name, entity);
    ids.set(entity.name, id);
    fresh.push(id);
  }
  const drawn = { ...base, entities };
  const document = imported.relationships.reduce(
    (each, relationship) => withRelationship(each, relationship, ids, warnings),
    drawn,
  );
  return { document: placed(document, fresh, base), warnings };
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function freeEntityName(entities: Readonly<Record<EntityId, EntityRecord>>, wish: string): string {
  const taken = new Set(
    Object.entries(entities).map(([id, record]) => entityName(id, record).toLowerCase()),
  );
  let name = wish;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wish}_${number}`;
  return name;
}

function recordOf(id: EntityId, name: string, entity: PlannedEntity): EntityRecord {
  return {
    ...(id !== name && { name }),
    count: entity.count,
    attributes: entity.attributes.map(attributeRecord),
    identifier: entity.identifier,
    ...(entity.note !== undefined && { note: entity.note }),
  };
}

function attributeRecord({ name, type, bytes, distinct }: AttributeDrawing): AttributeRecord {
  return {
    name,
    type,
    ...(bytes !== undefined && { bytes }),
    ...(distinct !== undefined && { distinct }),
  };
}

/** The entity that is there, with the attributes that it lacks; what differs stays as it is and is told. */
function united(
  id: EntityId,
  record: EntityRecord,
  entity: PlannedEntity,
  warnings: Issue[],
): EntityRecord {
  const known = new Map(record.attributes.map((each) => [each.name.toLowerCase(), each]));
  const missing = entity.attributes.filter(({ name }) => !known.has(name.toLowerCase()));
  const differing = entity.attributes.filter(({ name, type }) => {
    const own = known.get(name.toLowerCase());
    return own !== undefined && own.type !== type;
  });
  const place = `entities/${id}`;
  const gained =
    missing.length > 0
      ? `it gets ${missing.map(({ name }) => name).join(", ")}`
      : "it has every attribute already";
  warnings.push(
    aWarning(
      place,
      `${entityName(id, record)} is there already: ${gained}; its number of records stays ${record.count}.`,
    ),
  );
  for (const { name, type } of differing)
    warnings.push(
      aWarning(
        `${place}/attributes/${name}`,
        `${name} of ${entityName(id, record)} stays ${known.get(name.toLowerCase())?.type ?? ""}; the import says ${type}.`,
      ),
    );
  const identifier = record.identifier.length > 0 ? record.identifier : entity.identifier;
  if (!sameNames(identifier, entity.identifier))
    warnings.push(
      aWarning(
        place,
        `The identifier of ${entityName(id, record)} stays ${identifier.join(", ")}; the import says ${entity.identifier.join(", ")}.`,
      ),
    );
  const attributes = [...record.attributes, ...missing.map(attributeRecord)];
  return { ...record, attributes, identifier };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  const sorted = (names: readonly string[]) => names.map((name) => name.toLowerCase()).sort();
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** With a relationship, unless the very same is there; roles that are taken get another name. */
function withRelationship(
  document: StudioDocument,
  drawing: RelationshipDrawing,
  ids: ReadonlyMap<string, EntityId>,
  warnings: Issue[],
): StudioDocument {
  const [parent, child] = drawing.ends.map(({ entity, role }) => ({
    entity: ids.get(entity) ?? entity,
    role,
  })) as [EndRecord, EndRecord];
  const isThere = Object.values(document.relationships).some(
    ({ ends }) =>
      ends[0].entity === parent.entity &&
      ends[1].entity === child.entity &&
      sameName(ends[0].role, parent.role),
  );
  if (isThere) {
    const from = nameOf(document, child.entity);
    warnings.push(
      aWarning(
        `entities/${child.entity}`,
        `${from} has a relationship ${parent.role} with ${nameOf(document, parent.entity)} already; it stays as it is.`,
      ),
    );
    return document;
  }
  const parentEnd = freeRole(document, parent, child.entity, warnings);
  const taken = parent.entity === child.entity ? [parentEnd.role] : [];
  const childEnd = freeRole(document, child, parent.entity, warnings, taken);
  const { links, optional, bind } = drawing;
  const record: RelationshipRecord = {
    multiplicity: drawing.multiplicity,
    ends: [parentEnd, childEnd],
    ...(links !== undefined && { links }),
    ...(optional && { optional }),
    ...(bind && { bind }),
  };
  const id = freshId(document.relationships, `${parentEnd.entity}-${childEnd.role}`);
  return { ...document, relationships: { ...document.relationships, [id]: record } };
}

function nameOf(document: StudioDocument, id: EntityId): string {
  const record = document.entities[id];
  return record ? entityName(id, record) : id;
}

/** An end whose role can be walked from the other entity: no attribute and no other role is called so. */
function freeRole(
  document: StudioDocument,
  end: EndRecord,
  from: EntityId,
  warnings: Issue[],
  more: readonly string[] = [],
): EndRecord {
  const taken = new Set([
    ...more.map((role) => role.toLowerCase()),
    ...(document.entities[from]?.attributes ?? []).map(({ name }) => name.toLowerCase()),
    ...Object.values(document.relationships).flatMap(({ ends: [parent, child] }) => [
      ...(parent.entity === from ? [child.role.toLowerCase()] : []),
      ...(child.entity === from ? [parent.role.toLowerCase()] : []),
    ]),
  ]);
  let role = end.role;
  for (let number = 2; taken.has(role.toLowerCase()); number += 1) role = `${end.role}_${number}`;
  if (role !== end.role)
    warnings.push(
      aWarning(
        `entities/${from}`,
        `${nameOf(document, from)} has a role or attribute ${end.role} already; the imported role is called ${role}.`,
      ),
    );
  return { ...end, role };
}

/** Room for a box when boxes are set beside those that a person has placed. */
const cell = { width: 300, height: 320 };
const columns = 4;

/** Where nobody has placed an entity the canvas lays all out; beside placed ones the new ones stand below. */
function placed(
  document: StudioDocument,
  fresh: readonly EntityId[],
  base: StudioDocument,
): StudioDocument {
  const old = Object.values(base.layout.positions);
  if (old.length === 0 || fresh.length === 0) return document;
  const left = Math.min(...old.map(({ x }) => x));
  const below = Math.max(...old.map(({ y }) => y)) + cell.height;
  const positions = fresh.map((id, index): [EntityId, Position] => [
    id,
    {
      x: left + (index % columns) * cell.width,
      y: below + Math.floor(index / columns) * cell.height,
    },
  ]);
  return {
    ...document,
    layout: { positions: { ...document.layout.positions, ...Object.fromEntries(positions) } },
  };
}
