/**
 * The entity graph as the canvas draws it: one box per entity with its lines, one edge per
 * relationship with the words and marks at both ends. From the document alone, so that an unfinished
 * drawing is drawn too.
 */
import { type EndMark, endMarks, markText } from "#document/multiplicity.ts";
import {
  type EntityId,
  type EntityRecord,
  entityName,
  type RelationshipId,
  type StudioDocument,
} from "#document/schema.ts";
import type { LayoutBox, LayoutLink } from "./entity-layout.ts";

export interface AttributeLine {
  readonly name: string;
  /** CQL type, or the parent whose identifier this stands for. */
  readonly type: string;
  readonly identifies: boolean;
  /** A role in the identifier, not an attribute of its own. */
  readonly isRole: boolean;
}

export interface EntityBox {
  readonly id: EntityId;
  readonly name: string;
  readonly count: number;
  readonly lines: readonly AttributeLine[];
}

export interface EdgeEnd {
  readonly entity: EntityId;
  readonly role: string;
  readonly mark: EndMark;
}

export interface EntityEdge {
  readonly id: RelationshipId;
  readonly ends: readonly [EdgeEnd, EdgeEnd];
}

export const boxWidth = 230;
const headHeight = 38;
const lineHeight = 22;
const foot = 8;

/** Height of a box on the canvas; the style sheet keeps to the same measures. */
export function boxHeight(box: EntityBox): number {
  return headHeight + box.lines.length * lineHeight + foot;
}

export function entityBoxes(
  entities: StudioDocument["entities"],
  relationships: StudioDocument["relationships"],
): readonly EntityBox[] {
  return Object.entries(entities).map(([id, entity]) => ({
    id,
    name: entityName(id, entity),
    count: entity.count,
    lines: linesOf(id, entity, entities, relationships),
  }));
}

function linesOf(
  id: EntityId,
  entity: EntityRecord,
  entities: StudioDocument["entities"],
  relationships: StudioDocument["relationships"],
): readonly AttributeLine[] {
  const own = new Set(entity.attributes.map((attribute) => attribute.name));
  const roles = entity.identifier
    .filter((part) => !own.has(part))
    .map((role) => {
      const parent = Object.values(relationships).find(
        ({ ends }) => ends[1].entity === id && ends[0].role === role,
      )?.ends[0].entity;
      const record = parent === undefined ? undefined : entities[parent];
      return {
        name: role,
        type: record && parent !== undefined ? `of ${entityName(parent, record)}` : "missing",
        identifies: true,
        isRole: true,
      };
    });
  const attributes = entity.attributes.map(({ name, type }) => ({
    name,
    type,
    identifies: entity.identifier.includes(name),
    isRole: false,
  }));
  return [
    ...roles,
    ...attributes.filter((line) => line.identifies),
    ...attributes.filter((line) => !line.identifies),
  ];
}

export function entityEdges(relationships: StudioDocument["relationships"]): readonly EntityEdge[] {
  return Object.entries(relationships).map(([id, relationship]) => {
    const [parent, child] = relationship.ends;
    const [parentMark, childMark] = endMarks(relationship);
    return {
      id,
      ends: [
        { ...parent, mark: parentMark },
        { ...child, mark: childMark },
      ],
    };
  });
}

/** `hotel 1 — 0..n room (rooms)`, for people who cannot see the edge. */
export function edgeWords(edge: EntityEdge, nameOf: (entity: EntityId) => string): string {
  const [parent, child] = edge.ends;
  return (
    `Relationship: ${nameOf(parent.entity)} has ${markText(child.mark)} ${child.role} ` +
    `(${nameOf(child.entity)}); ${nameOf(child.entity)} has ${markText(parent.mark)} ` +
    `${parent.role} (${nameOf(parent.entity)})`
  );
}

export function layoutInput(
  boxes: readonly EntityBox[],
  edges: readonly EntityEdge[],
): { readonly boxes: readonly LayoutBox[]; readonly links: readonly LayoutLink[] } {
  return {
    boxes: boxes.map((box) => ({ id: box.id, width: boxWidth, height: boxHeight(box) })),
    links: edges.map(({ ends }) => ({ from: ends[0].entity, to: ends[1].entity })),
  };
}
