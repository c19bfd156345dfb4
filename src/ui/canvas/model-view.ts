/**
 * What a person looks at in the Model room: the selection, the card that is open, what is searched for
 * and which statement is in focus. Session state: not in the document's history. How multiplicities are
 * drawn is remembered on this device.
 */
import { createContext, useContext } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { EntityId, RelationshipId } from "#document/schema.ts";
import type { StatementId } from "#model/statement.ts";

export interface Selection {
  readonly entities: readonly EntityId[];
  readonly relationship: RelationshipId | undefined;
}

export const nothingSelected: Selection = { entities: [], relationship: undefined };

export type MarkStyle = "crowsFeet" | "minMax";

/** Something that has happened, told on the canvas. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
  /** The history can be taken back with one undo. */
  readonly canUndo: boolean;
}

export interface ModelView {
  readonly selection: Selection;
  /** The entity or relationship whose card on the canvas can be edited. */
  readonly opened: Opened | undefined;
  readonly search: string;
  readonly focus: StatementId | undefined;
  readonly marks: MarkStyle;
  /** Undefined: with many entities. */
  readonly minimap: boolean | undefined;
  readonly notice: Notice | undefined;
  /** An entity to bring into view; a new object for every wish. */
  readonly wish: { readonly entity: EntityId } | undefined;
  /** The whole graph is to be shown; a new object for every wish. */
  readonly wholeWish: object | undefined;
}

export type Opened =
  | { readonly kind: "entity"; readonly id: EntityId }
  | { readonly kind: "relationship"; readonly id: RelationshipId };

const marksKey = "tidetable.marks";

/** The view of a room that is being entered. */
export function startModelView(): StoreApi<ModelView> {
  const view = createStore<ModelView>(() => ({
    selection: nothingSelected,
    opened: undefined,
    search: "",
    focus: undefined,
    marks: readMarks(),
    minimap: undefined,
    notice: undefined,
    wish: undefined,
    wholeWish: undefined,
  }));
  view.subscribe(({ marks }, before) => {
    if (marks !== before.marks) keepMarks(marks);
  });
  return view;
}

function readMarks(): MarkStyle {
  try {
    return localStorage.getItem(marksKey) === "minMax" ? "minMax" : "crowsFeet";
  } catch {
    // Storage is blocked: the choice then lasts as long as the room.
    return "crowsFeet";
  }
}

function keepMarks(marks: MarkStyle): void {
  try {
    localStorage.setItem(marksKey, marks);
  } catch {
    // As above.
  }
}

export const ModelViewContext = createContext<StoreApi<ModelView> | undefined>(undefined);

export function useModelView(): StoreApi<ModelView> {
  const view = useContext(ModelViewContext);
  if (!view) throw new Error("a component stands outside the Model room");
  return view;
}
