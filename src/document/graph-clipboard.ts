/**
 * Copies of entities as text: what lies on the clipboard is a small JSON object that a person can also
 * keep in a file or send. Reading it back goes the way of every file (`read.ts`), so that nothing on a
 * clipboard can hurt the document.
 */
import { anError, aWarning, type Issue, type Result } from "#model/issue.ts";
import { freshId } from "./commands.ts";
import { freshEntityName } from "./graph-commands.ts";
import { readDocument } from "./read.ts";
import {
  documentVersion,
  type EntityId,
  type EntityRecord,
  emptyDocument,
  entityName,
  type Position,
  type StudioDocument,
} from "./schema.ts";

const graphFormat = "tidetable-entities";

/** The document after pasting, and what was pasted. */
export interface Pasted {
  readonly document: StudioDocument;
  readonly entities: readonly EntityId[];
}

/**
 * The entities with their attributes, and the relationships that both begin and end among them.
 * `positions` are where they are drawn; they may lack in the document.
 */
export function copyGraph(
  document: StudioDocument,
  ids: readonly EntityId[],
  positions: Readonly<Record<EntityId, Position>>,
): string {
  const wanted = new Set(ids);
  const only = <Value>(table: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(table).filter(([id]) => wanted.has(id)));
  const inner = Object.entries(document.relationships).filter(([, { ends }]) =>
    ends.every((end) => wanted.has(end.entity)),
  );
  const copy = {
    format: graphFormat,
    version: documentVersion,
    entities: only(document.entities),
    relationships: Object.fromEntries(inner),
    layout: { positions: only(positions) },
  };
  return `${JSON.stringify(copy, null, 2)}\n`;
}

/**
 * Adds a copy to a document under fresh names and ids, its upper left corner at `at`. An identifier loses
 * the roles of parents that were not copied, with a warning.
 */
export function pasteGraph(document: StudioDocument, text: string, at: Position): Result<Pasted> {
  const read = readCopy(text);
  if (!read.ok) return read;
  const source = read.value;
  const warnings: Issue[] = [];
  const ids = new Map<EntityId, EntityId>();
  let value = document;
  for (const [from, record] of Object.entries(source.entities)) {
    const name = freshEntityName(value, entityName(from, record));
    const id = freshId(value.entities, name);
    const { name: _, ...rest } = record;
    const identifier = keptIdentifier(source, from, record);
    const entity = { ...(id !== name && { name }), ...rest, identifier };
    if (identifier.length < record.identifier.length)
      warnings.push(
        aWarning(
          `entities/${id}`,
          `The identifier of ${name} has lost the roles of parents that were not copied.`,
          "Check what identifies a record now.",
        ),
      );
    ids.set(from, id);
    value = { ...value, entities: { ...value.entities, [id]: entity } };
  }
  const layout = { positions: { ...value.layout.positions, ...placed(source, ids, at) } };
  value = { ...value, layout };
  for (const relationship of Object.values(source.relationships)) {
    const [parent, child] = relationship.ends.map((end) => ({
      ...end,
      entity: ids.get(end.entity) ?? end.entity,
    })) as [{ entity: string; role: string }, { entity: string; role: string }];
    const id = freshId(value.relationships, `${parent.entity}.${child.role}`);
    const copied = { ...relationship, ends: [parent, child] as const };
    value = { ...value, relationships: { ...value.relationships, [id]: copied } };
  }
  return { ok: true, value: { document: value, entities: [...ids.values()] }, warnings };
}

/** What the text holds, as a document of its own. */
function readCopy(text: string): Result<StudioDocument> {
  const notOurs: Issue = anError(
    "",
    "The clipboard holds no entities.",
    "Select entities and copy them first.",
  );
  let copy: unknown;
  try {
    copy = JSON.parse(text);
  } catch {
    return { ok: false, issues: [notOurs] };
  }
  if (typeof copy !== "object" || copy === null || !("format" in copy))
    return { ok: false, issues: [notOurs] };
  if (copy.format !== graphFormat) return { ok: false, issues: [notOurs] };
  const { statements: _, frequencies: _none, ...shell } = emptyDocument("Copy");
  return readDocument(
    JSON.stringify({ ...shell, ...copy, format: "tidetable", statements: {}, frequencies: {} }),
  );
}

/** Attributes and the roles of copied parents. */
function keptIdentifier(
  source: StudioDocument,
  id: EntityId,
  entity: EntityRecord,
): readonly string[] {
  const roles = Object.values(source.relationships)
    .filter(({ ends }) => ends[1].entity === id)
    .map(({ ends }) => ends[0].role);
  const known = new Set([...entity.attributes.map(({ name }) => name), ...roles]);
  return entity.identifier.filter((part) => known.has(part));
}

function placed(
  source: StudioDocument,
  ids: ReadonlyMap<EntityId, EntityId>,
  at: Position,
): Readonly<Record<EntityId, Position>> {
  const positions = Object.entries(source.layout.positions);
  const left = Math.min(...positions.map(([, { x }]) => x));
  const top = Math.min(...positions.map(([, { y }]) => y));
  return Object.fromEntries(
    positions.flatMap(([from, { x, y }]) => {
      const id = ids.get(from);
      return id ? [[id, { x: at.x + x - left, y: at.y + y - top }]] : [];
    }),
  );
}
