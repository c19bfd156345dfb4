/**
 * What can be done in the Model room, once for canvas, menus, keys and outline: each action is one named
 * step of the history, moves the selection to what it made, and tells what fell along with it.
 */
import { createContext, useContext, useMemo } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { addEntity, addRelationship, setPositions } from "#document/commands.ts";
import { copyGraph, pasteGraph } from "#document/graph-clipboard.ts";
import {
  type GraphParts,
  newEntity,
  newRelationship,
  removeParts,
} from "#document/graph-commands.ts";
import {
  type EntityId,
  entityName,
  type Position,
  type RelationshipId,
  type StudioDocument,
} from "#document/schema.ts";
import type { Command } from "#document/store.ts";
import type { Issue } from "#model/issue.ts";
import { plural } from "../design/format.ts";
import { type Studio, useStudio } from "../studio-state.ts";
import { type Alignment, aligned, alignments, freePlace } from "./alignment.ts";
import type { Rectangle } from "./edge-routes.ts";
import { layOut } from "./entity-layout.ts";
import { boxHeight, boxWidth, entityBoxes, entityEdges, layoutInput } from "./graph-rows.ts";
import { type ModelView, nothingSelected, type Selection, useModelView } from "./model-view.ts";
import { fallsWith, partsName } from "./used-parts.ts";

export interface ModelActions {
  /** One named, undoable change; returns its issues and does not tell them. */
  readonly draw: (label: string, command: Command) => readonly Issue[];
  readonly select: (selection: Selection) => void;
  /** Adds an entity near a place, selects it, and returns its id. */
  readonly addEntity: (near?: Position) => EntityId | undefined;
  readonly relate: (parent: EntityId, child: EntityId) => RelationshipId | undefined;
  /** Relates an entity to a new one that stands near a place. */
  readonly relateToNew: (parent: EntityId, near: Position) => void;
  readonly remove: (parts: GraphParts) => void;
  readonly removeSelected: () => void;
  /** The selected entities as text. */
  readonly copied: () => string | undefined;
  readonly paste: (text: string, at?: Position) => void;
  readonly duplicate: () => void;
  readonly align: (how: Alignment) => void;
  readonly arrange: () => void;
  readonly move: (positions: Readonly<Record<EntityId, Position>>) => void;
  readonly tell: (text: string, isError?: boolean) => void;
}

export const ModelActionsContext = createContext<ModelActions | undefined>(undefined);

export function useModelActions(): ModelActions {
  const actions = useContext(ModelActionsContext);
  if (!actions) throw new Error("a component stands outside the Model room");
  return actions;
}

/** The selection, as far as what is selected still exists. The session's entity is the last selected one. */
export function selectionIn(
  document: Pick<StudioDocument, "entities" | "relationships">,
  { selection }: Pick<ModelView, "selection">,
  sessionEntity: EntityId | undefined,
): Selection {
  const { entities, relationship } = selection;
  // Another room may have asked for an entity.
  const isOurs = sessionEntity === undefined || entities.includes(sessionEntity);
  const wanted = isOurs ? entities : [sessionEntity];
  return {
    entities: wanted.filter((id) => Object.hasOwn(document.entities, id)),
    relationship:
      relationship !== undefined && Object.hasOwn(document.relationships, relationship) && isOurs
        ? relationship
        : undefined,
  };
}

export function useSelection(): Selection {
  const { documents, session } = useStudio();
  const selection = useStore(useModelView(), (view) => view.selection);
  const entity = useStore(session, (each) => each.entity);
  const entities = useStore(documents, ({ document }) => document.entities);
  const relationships = useStore(documents, ({ document }) => document.relationships);
  return useMemo(
    () => selectionIn({ entities, relationships }, { selection }, entity),
    [entities, relationships, selection, entity],
  );
}

/** Where every entity is drawn: at its own place, else where the layout puts it. */
export function drawnPlaces({
  entities,
  relationships,
  layout,
}: Pick<StudioDocument, "entities" | "relationships" | "layout">): Readonly<
  Record<EntityId, Position>
> {
  const { positions } = layout;
  if (Object.keys(entities).every((id) => Object.hasOwn(positions, id))) return positions;
  return { ...arrangedPlaces({ entities, relationships }), ...positions };
}

function arrangedPlaces({
  entities,
  relationships,
}: Pick<StudioDocument, "entities" | "relationships">): Readonly<Record<EntityId, Position>> {
  const boxes = entityBoxes(entities, relationships);
  const input = layoutInput(boxes, entityEdges(relationships));
  return Object.fromEntries(layOut(input.boxes, input.links));
}

function drawnBoxes(document: StudioDocument): ReadonlyMap<EntityId, Rectangle> {
  const places = drawnPlaces(document);
  return new Map(
    entityBoxes(document.entities, document.relationships).map((box) => [
      box.id,
      { x: 0, y: 0, ...places[box.id], width: boxWidth, height: boxHeight(box) },
    ]),
  );
}

/** What all actions of a room draw with. */
interface Pen {
  readonly now: () => StudioDocument;
  readonly selected: () => Selection;
  readonly nameOf: (id: EntityId) => string;
  readonly tell: (text: string, isError?: boolean, canUndo?: boolean) => void;
  readonly draw: ModelActions["draw"];
  /** Draws, and tells what was refused or has to be known. Returns whether it was done. */
  readonly drawAndTell: (label: string, command: Command) => boolean;
  readonly select: ModelActions["select"];
}

function penOf({ documents, session }: Studio, view: StoreApi<ModelView>): Pen {
  const now = (): StudioDocument => documents.getState().document;
  const tell: Pen["tell"] = (text, isError = false, canUndo = false) =>
    view.setState({ notice: { text, isError, canUndo } });
  const draw: Pen["draw"] = (label, command) => {
    view.setState({ notice: undefined });
    return documents.getState().edit(label, (document) => {
      const edit = command(document);
      if (!edit.ok || edit.value.entities === document.entities) return edit;
      const placed = setPositions(edit.value, keptPlaces(document, edit.value));
      return placed.ok ? { ...placed, warnings: edit.warnings } : placed;
    });
  };
  return {
    now,
    selected: () => selectionIn(now(), view.getState(), session.getState().entity),
    nameOf: (id) => {
      const entity = now().entities[id];
      return entity ? entityName(id, entity) : id;
    },
    tell,
    draw,
    drawAndTell: (label, command) => {
      const issues = draw(label, command);
      const isRefused = issues.some(({ severity }) => severity === "error");
      if (issues.length > 0) tell(inWords(issues), isRefused, !isRefused);
      return !isRefused;
    },
    select: (selection) => {
      view.setState(({ opened }) => ({
        selection,
        opened: opened && isSelected(selection, opened.id) ? opened : undefined,
      }));
      session.setState({ entity: selection.entities.at(-1) });
    },
  };
}

/** What the layout has placed stays where it is when the drawing changes. */
function keptPlaces(
  before: StudioDocument,
  after: StudioDocument,
): Readonly<Record<EntityId, Position>> {
  const places = drawnPlaces(before);
  return Object.fromEntries(
    Object.keys(after.entities).flatMap((id) => {
      const place = after.layout.positions[id] ?? places[id];
      return place ? [[id, place]] : [];
    }),
  );
}

/** The actions of one room. */
export function modelActions(studio: Studio, view: StoreApi<ModelView>): ModelActions {
  const pen = penOf(studio, view);
  const { now, nameOf, draw, drawAndTell, select, selected, tell } = pen;
  const remove: ModelActions["remove"] = (parts) => {
    const document = now();
    const name = partsName(document, parts);
    const fallen = fallsWith(document, parts);
    draw(`Delete ${name}`, (each) => removeParts(each, parts));
    select(nothingSelected);
    tell([`Deleted ${name}.`, ...fallen].join(" "), false, true);
  };
  return {
    draw,
    select,
    ...makingActions(pen),
    ...copyingActions(pen),
    remove,
    removeSelected: () => {
      const { entities, relationship } = selected();
      const relationships = relationship === undefined ? [] : [relationship];
      if (entities.length + relationships.length > 0) remove({ entities, relationships });
    },
    align: (how) => {
      const boxes = drawnBoxes(now());
      const chosen = new Map(
        selected().entities.flatMap((id) => {
          const box = boxes.get(id);
          return box ? [[id, box] as const] : [];
        }),
      );
      drawAndTell(alignments[how], (each) => setPositions(each, aligned(chosen, how)));
    },
    arrange: () => {
      drawAndTell("Arrange the entities", (each) => setPositions(each, arrangedPlaces(each)));
      view.setState({ wholeWish: {} });
    },
    move: (positions) => {
      const [first = "", ...others] = Object.keys(positions);
      const name = others.length === 0 ? nameOf(first) : `${others.length + 1} entities`;
      drawAndTell(`Move ${name}`, (each) =>
        setPositions(each, { ...drawnPlaces(each), ...positions }),
      );
    },
    tell: (text, isError = false) => tell(text, isError),
  };
}

/** Height of a box that has just been made. */
const newSize = { width: boxWidth, height: 68 };

function makingActions(pen: Pen): Pick<ModelActions, "addEntity" | "relate" | "relateToNew"> {
  const { now, nameOf, drawAndTell, select } = pen;
  return {
    addEntity: (near) => {
      const document = now();
      const { id, entity } = newEntity(document);
      const boxes = drawnBoxes(document);
      const place = freePlace(boxes, newSize, near ?? besides(boxes));
      const isDone = drawAndTell(`Add ${entityName(id, entity)}`, (each) =>
        addEntity(each, id, entity, place),
      );
      if (!isDone) return undefined;
      select({ entities: [id], relationship: undefined });
      return id;
    },
    relate: (parent, child) => {
      const drawing = newRelationship(now(), parent, child);
      if (!drawing) return undefined;
      const { id, relationship } = drawing;
      const label = `Relate ${nameOf(parent)} to ${nameOf(child)}`;
      const isDone = drawAndTell(label, (each) => addRelationship(each, id, relationship));
      if (!isDone) return undefined;
      select({ entities: [], relationship: id });
      return id;
    },
    relateToNew: (parent, near) => {
      const document = now();
      const { id, entity } = newEntity(document);
      const place = freePlace(drawnBoxes(document), newSize, near);
      const label = `Relate ${nameOf(parent)} to ${entityName(id, entity)}`;
      drawAndTell(label, (each) => {
        const added = addEntity(each, id, entity, place);
        const drawing = added.ok ? newRelationship(added.value, parent, id) : undefined;
        if (!added.ok || !drawing) return added;
        return addRelationship(added.value, drawing.id, drawing.relationship);
      });
      select({ entities: [id], relationship: undefined });
    },
  };
}

function copyingActions({
  now,
  selected,
  draw,
  select,
  tell,
}: Pen): Pick<ModelActions, "copied" | "paste" | "duplicate"> {
  const pasteAs = (label: string, text: string, at: Position): void => {
    const pasted = pasteGraph(now(), text, at);
    if (!pasted.ok) {
      tell(inWords(pasted.issues), true);
      return;
    }
    const { document, entities } = pasted.value;
    const warnings = draw(label, () => ({ ...pasted, value: document }));
    select({ entities, relationship: undefined });
    const words = `${plural(entities.length, "entity", "entities")} added.`;
    tell([words, ...warnings.map(({ message }) => message)].join(" "), false, true);
  };
  const copied: ModelActions["copied"] = () => {
    const { entities } = selected();
    return entities.length > 0 ? copyGraph(now(), entities, drawnPlaces(now())) : undefined;
  };
  /** Beside what is selected, else beside everything. */
  const besideSelected = (): Position => {
    const places = drawnPlaces(now());
    const chosen = selected().entities.flatMap((id) => places[id] ?? []);
    if (chosen.length === 0) return besides(drawnBoxes(now()));
    const left = Math.min(...chosen.map(({ x }) => x));
    const top = Math.min(...chosen.map(({ y }) => y));
    return { x: left + 40, y: top + 40 };
  };
  return {
    copied,
    paste: (text, at) => pasteAs("Paste entities", text, at ?? besideSelected()),
    duplicate: () => {
      const text = copied();
      const name = partsName(now(), { entities: selected().entities, relationships: [] });
      if (text !== undefined) pasteAs(`Duplicate ${name}`, text, besideSelected());
    },
  };
}

function inWords(issues: readonly Issue[]): string {
  return issues.map(({ message, hint }) => [message, hint].filter(Boolean).join(" ")).join(" ");
}

function isSelected({ entities, relationship }: Selection, id: string): boolean {
  return entities.includes(id) || relationship === id;
}

/** To the right of all that is drawn. */
function besides(boxes: ReadonlyMap<EntityId, Rectangle>): Position {
  const all = [...boxes.values()];
  if (all.length === 0) return { x: 0, y: 0 };
  return {
    x: Math.max(...all.map(({ x, width }) => x + width)) + 80,
    y: Math.min(...all.map(({ y }) => y)),
  };
}
