/**
 * What was typed in the last moment before the page went away. The storage of projects answers too
 * late then; localStorage answers at once, and the next visit takes the copy over as one undoable change.
 */
import { readDocument, writeDocument } from "#document/read.ts";
import type { DocumentStore } from "#document/store.ts";

/** One copy per project: tabs with different projects share the place. */
const copyKey = (projectId: string): string => `tidetable.unsaved.${projectId}`;

/** Where the copy lies; a function because merely naming localStorage throws where it is blocked. */
export type CopyPlace = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

const localCopies: CopyPlace = () => window.localStorage;

/** Keeps a copy if something on the screen is not in the storage yet. */
export function keepUnsaved(documents: DocumentStore, place: CopyPlace = localCopies): void {
  const { projectId, history, saveState, reading } = documents.getState();
  // What can only be read here is not this tab's to keep, nor is the copy of the tab that writes.
  if (reading !== undefined) return;
  try {
    if (["saved", "untouched"].includes(saveState.kind) && !history.gesture)
      place().removeItem(copyKey(projectId));
    else
      place().setItem(
        copyKey(projectId),
        JSON.stringify({ projectId, text: writeDocument(history.present) }),
      );
  } catch {
    // Blocked or full: the autosave of a moment ago is then all there is.
  }
}

/** Takes the copy of the project that is open over; copies of other projects are left where they are. */
export function restoreUnsaved(documents: DocumentStore, place: CopyPlace = localCopies): void {
  try {
    const { projectId, reading } = documents.getState();
    if (reading !== undefined) return;
    const copy: unknown = JSON.parse(place().getItem(copyKey(projectId)) ?? "null");
    if (!isCopy(copy) || copy.projectId !== projectId) return;
    place().removeItem(copyKey(projectId));
    const read = readDocument(copy.text);
    if (read.ok) documents.getState().edit("Take over what was not yet saved", () => read);
  } catch {
    // No copy that can be read: nothing to take over.
  }
}

/** Lets the copy of a project go that was deleted. */
export function forgetUnsaved(projectId: string, place: CopyPlace = localCopies): void {
  try {
    place().removeItem(copyKey(projectId));
  } catch {
    // Blocked: then there is none.
  }
}

function isCopy(value: unknown): value is { readonly projectId: string; readonly text: string } {
  if (typeof value !== "object" || value === null) return false;
  return (
    "projectId" in value &&
    typeof value.projectId === "string" &&
    "text" in value &&
    typeof value.text === "string"
  );
}
