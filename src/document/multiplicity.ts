/**
 * Multiplicity as a drawing shows it: at each end min..max, counting the records of that end for one
 * record of the other. The document keeps a kind with two flags and the one side first; this is the
 * way between the two, and the command that changes one end.
 */
import { anError, aWarning, type Issue } from "#model/issue.ts";
import type { Edit } from "./commands.ts";
import {
  type EndRecord,
  type EntityId,
  entityName,
  type RelationshipId,
  type RelationshipRecord,
  type StudioDocument,
} from "./schema.ts";

/** How many records stand at an end, for one at the other: `most` is 1 or many. */
export interface EndMark {
  readonly least: 0 | 1;
  readonly most: 1 | "n";
}

/** The marks that an end can have, the usual ones first. */
export const allMarks: readonly EndMark[] = [
  { least: 1, most: 1 },
  { least: 0, most: 1 },
  { least: 0, most: "n" },
  { least: 1, most: "n" },
];

type Marks = readonly [EndMark, EndMark];

/** The mark at an end counts records of that end for one record of the other. */
export function endMarks(
  relationship: Pick<RelationshipRecord, "multiplicity" | "optional" | "atLeastOne">,
): Marks {
  const { multiplicity, optional = false, atLeastOne = false } = relationship;
  const least = atLeastOne ? 1 : 0;
  if (multiplicity === "manyToMany")
    return [
      { least: 0, most: "n" },
      { least, most: "n" },
    ];
  return [
    { least: optional ? 0 : 1, most: 1 },
    { least, most: multiplicity === "oneToOne" ? 1 : "n" },
  ];
}

/** `0..n`; `1` where it is exactly one. */
export function markText({ least, most }: EndMark): string {
  return least === 1 && most === 1 ? "1" : `${least}..${most}`;
}

/**
 * Gives one end another min..max. The ends change places where the other one becomes the one side:
 * find the end by its entity and role afterwards. What held the old key (key columns, a role in an
 * identifier, a number of links) goes with it; identifiers are warned about.
 */
export function setEndMark(
  document: StudioDocument,
  id: RelationshipId,
  end: 0 | 1,
  mark: EndMark,
): Edit {
  const before = Object.hasOwn(document.relationships, id) ? document.relationships[id] : undefined;
  if (!before)
    return refused(
      id,
      `There is no relationship ${id}.`,
      "It may have been removed; choose another.",
    );
  const [first, second] = endMarks(before);
  if (sameMark(mark, end === 0 ? first : second))
    return { ok: true, value: document, warnings: [] };
  const wished: Marks = end === 0 ? [mark, second] : [first, mark];
  if (wished.every(({ least, most }) => least === 1 && most === "n"))
    return refused(
      id,
      "At most one end of a many-to-many relationship can be at least one.",
      "Set the other end to 0..n first.",
    );
  const turned = standsOnItsHead(wished);
  const [parentMark, childMark] = turned ? [wished[1], wished[0]] : wished;
  const ends: readonly [EndRecord, EndRecord] = turned
    ? [before.ends[1], before.ends[0]]
    : before.ends;
  const next = withMarks(document, before, ends, [parentMark, childMark]);
  const holdsKey = !turned && next.multiplicity !== "manyToMany" && next.optional !== true;
  const relationships = { ...document.relationships, [id]: next };
  const { entities, warnings } = holdsKey
    ? { entities: document.entities, warnings: [] }
    : withoutRole(document, before.ends[1].entity, before.ends[0].role);
  return { ok: true, value: { ...document, entities, relationships }, warnings };
}

/** Written with the N side first, which the document keeps last. */
function standsOnItsHead([parent, child]: Marks): boolean {
  if (parent.most !== "n") return false;
  return child.most === 1 || parent.least === 1;
}

function withMarks(
  document: StudioDocument,
  before: RelationshipRecord,
  ends: RelationshipRecord["ends"],
  [parent, child]: Marks,
): RelationshipRecord {
  const multiplicity = multiplicityOf(parent, child);
  const optional = multiplicity !== "manyToMany" && parent.least === 0;
  const linksAreFree = optional || multiplicity === "manyToMany";
  const links = before.multiplicity === multiplicity && linksAreFree ? before.links : undefined;
  const largest = Math.max(...ends.map(({ entity }) => document.entities[entity]?.count ?? 1));
  // The number of links of N:M has to be known; it can only be guessed here, and is there to be edited.
  const needed = multiplicity === "manyToMany" ? (links ?? largest) : links;
  const keepsKey = ends === before.ends && multiplicity !== "manyToMany";
  return {
    multiplicity,
    ends,
    ...(needed !== undefined && { links: needed }),
    ...(optional && { optional }),
    ...(child.least === 1 && { atLeastOne: true }),
    ...(keepsKey && before.bind && { bind: before.bind }),
  };
}

function multiplicityOf(parent: EndMark, child: EndMark): RelationshipRecord["multiplicity"] {
  if (parent.most === "n") return "manyToMany";
  return child.most === "n" ? "oneToMany" : "oneToOne";
}

/** The entities after a role has gone from the identifier of one. */
function withoutRole(
  { entities }: StudioDocument,
  id: EntityId,
  role: string,
): { readonly entities: StudioDocument["entities"]; readonly warnings: readonly Issue[] } {
  const entity = entities[id];
  if (!entity?.identifier.includes(role)) return { entities, warnings: [] };
  const identifier = entity.identifier.filter((part) => part !== role);
  const warning = aWarning(
    `entities/${id}`,
    `The identifier of ${entityName(id, entity)} has lost ${role}.`,
    "Check what identifies a record now.",
  );
  return { entities: { ...entities, [id]: { ...entity, identifier } }, warnings: [warning] };
}

function sameMark(a: EndMark, b: EndMark): boolean {
  return a.least === b.least && a.most === b.most;
}

function refused(id: RelationshipId, message: string, hint: string): Edit {
  return { ok: false, issues: [anError(`relationships/${id}`, message, hint)] };
}
