/** Keys of the canvas: they act on the selection unless a field, a menu or another panel has the focus. */
import { useEffect } from "react";
import type { StoreApi } from "zustand/vanilla";
import { useStudio } from "../studio-state.ts";
import { type ModelActions, selectionIn, useModelActions } from "./model-actions.ts";
import { type ModelView, type Selection, useModelView } from "./model-view.ts";

interface Room {
  readonly actions: ModelActions;
  readonly view: StoreApi<ModelView>;
  readonly selection: () => Selection;
  readonly all: () => readonly string[];
}

export function useCanvasKeys(): void {
  const { documents, session } = useStudio();
  const actions = useModelActions();
  const view = useModelView();
  useEffect(() => {
    const room: Room = {
      actions,
      view,
      selection: () =>
        selectionIn(documents.getState().document, view.getState(), session.getState().entity),
      all: () => Object.keys(documents.getState().document.entities),
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !isOnCanvas(event.target)) return;
      const act = actionOf(room, event);
      if (!act) return;
      event.preventDefault();
      act();
    };
    const copy = (event: ClipboardEvent): void => {
      const text = isOnCanvas(event.target) && !hasMarkedText() ? actions.copied() : undefined;
      if (text === undefined) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") actions.removeSelected();
    };
    const paste = (event: ClipboardEvent): void => {
      if (!isOnCanvas(event.target)) return;
      event.preventDefault();
      actions.paste(event.clipboardData?.getData("text/plain") ?? "");
    };
    // Before React Flow, which selects with Enter what this then opens.
    window.addEventListener("keydown", press, true);
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("keydown", press, true);
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", paste);
    };
  }, [documents, session, actions, view]);
}

function actionOf(room: Room, event: KeyboardEvent): (() => void) | undefined {
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) return commandOf(room, event.key.toLowerCase());
  const { entities, relationship } = room.selection();
  switch (event.key) {
    case "Delete":
    case "Backspace":
      return entities.length > 0 || relationship !== undefined
        ? room.actions.removeSelected
        : undefined;
    case "F2":
      return opening(room);
    case "Enter": {
      // Enter selects first what has the focus.
      const focused = document.activeElement?.closest<HTMLElement>(".react-flow__node");
      return focused?.dataset["id"] === entities[0] ? opening(room) : undefined;
    }
    default:
      return undefined;
  }
}

/** Opens the card of what is selected, where that is one thing. */
function opening({ view, selection }: Room): (() => void) | undefined {
  const { entities, relationship } = selection();
  const [id] = entities;
  if (entities.length === 1 && id !== undefined)
    return () => view.setState({ opened: { kind: "entity", id } });
  return relationship === undefined
    ? undefined
    : () => view.setState({ opened: { kind: "relationship", id: relationship } });
}

function commandOf(room: Room, key: string): (() => void) | undefined {
  if (key === "d" && room.selection().entities.length > 0) return room.actions.duplicate;
  if (key === "a")
    return () => room.actions.select({ entities: room.all(), relationship: undefined });
  return undefined;
}

/** After a press on the empty canvas nothing has the focus. */
function isOnCanvas(target: EventTarget | null): boolean {
  if (target === document.body || target === document) return true;
  return (
    target instanceof Element &&
    target.closest(".entity-canvas") !== null &&
    target.closest("input, select, textarea, button, a, [role=menu]") === null
  );
}

function hasMarkedText(): boolean {
  return (window.getSelection()?.toString() ?? "") !== "";
}
