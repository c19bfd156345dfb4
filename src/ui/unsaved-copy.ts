/**
 * What was typed in the last moment before the page went away. The storage of projects answers too
 * late then; localStorage answers at once, and the next visit takes the copy over as one undoable change.
 */
import { readDocument, writeDocument } from "#document/read.ts";
import type { DocumentStore } from "#document/store.ts";

const copyKey = "tidetable.unsaved";

/** Where the copy lies; a function because merely naming localStorage throws where it is blocked. */
export type CopyPlace = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

const localCopies: CopyPlace = () => window.localStorage;

/** Keeps a copy if something on the screen is not in the storage yet. */
export function keepUnsaved(documents: DocumentStore, place: CopyPlace = localCopies): void {
  const { projectId, document, history, saveState } = documents.getState();
  try {
    if (["saved", "untouched"].includes(saveState.kind) && !history.gesture)
      place().removeItem(copyKey);
    else place().setItem(copyKey, JSON.stringify({ projectId, text: writeDocument(document) }));
  } catch {
    // Blocked or full: the autosave of a moment ago is then all there is.
  }
}

/** Takes a copy of the project that is open over; a copy of another project is left where it is. */
export function restoreUnsaved(documents: DocumentStore, place: CopyPlace = localCopies): void {
  try {
    const copy: unknown = JSON.parse(place().getItem(copyKey) ?? "null");
    if (!isCopy(copy) || copy.projectId !== documents.getState().projectId) return;
    place().removeItem(copyKey);
    const read = readDocument(copy.text);
    if (read.ok) documents.getState().edit("Take over what was not yet saved", () => read);
  } catch {
    // No copy that can be read: nothing to take over.
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
