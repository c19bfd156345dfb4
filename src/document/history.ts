/**
 * Undo and redo as a list of documents, each with the name of the change that followed or preceded
 * it. Structural sharing makes a snapshot cheap, so there are no inverse operations to get wrong.
 *
 * Promises: n times undo, then n times redo, gives the same history back; equal documents make no
 * entry and leave redo alone; a gesture (a drag, a stroke, a slider) makes one entry however many
 * previews it had; at most `historyLimit` changes can be undone.
 */
import type { StudioDocument } from "./schema.ts";

/** A document that can be gone back (or forward) to, and the change that lies in between. */
export interface HistoryEntry {
  /** What the change did, e.g. “Move user”. */
  readonly label: string;
  readonly document: StudioDocument;
}

/** A change that is still going on. */
export interface Gesture {
  readonly label: string;
  /** The document before the gesture; cancelling returns to it. */
  readonly base: StudioDocument;
}

export interface History {
  /** Oldest first; the last is undone first. */
  readonly past: readonly HistoryEntry[];
  readonly present: StudioDocument;
  /** The first is redone first. */
  readonly future: readonly HistoryEntry[];
  readonly gesture?: Gesture;
}

/** Most changes that can be undone; older ones are forgotten. */
export const historyLimit = 200;

/** A history in which nothing has happened yet. */
export function startHistory(document: StudioDocument): History {
  return { past: [], present: document, future: [] };
}

/** The history after one change. A gesture that is going on is committed first. */
export function recordChange(history: History, label: string, next: StudioDocument): History {
  const settled = commitGesture(history);
  if (equalDocuments(settled.present, next)) return settled;
  return {
    past: [...settled.past, { label, document: settled.present }].slice(-historyLimit),
    present: next,
    future: [],
  };
}

/** Begins a gesture; one that is going on is committed first. */
export function beginGesture(history: History, label: string): History {
  const settled = commitGesture(history);
  return { ...settled, gesture: { label, base: settled.present } };
}

/** Shows an intermediate document of the gesture. Without a gesture nothing happens. */
export function previewGesture(history: History, next: StudioDocument): History {
  return history.gesture ? { ...history, present: next } : history;
}

/** Ends the gesture, keeping what it showed last as one entry. */
export function commitGesture(history: History): History {
  if (!history.gesture) return history;
  const { label } = history.gesture;
  return recordChange(cancelGesture(history), label, history.present);
}

/** Ends the gesture and returns to the document before it. */
export function cancelGesture(history: History): History {
  if (!history.gesture) return history;
  const { past, future, gesture } = history;
  return { past, present: gesture.base, future };
}

/** One change back. During a gesture it cancels the gesture, as Escape does. */
export function undo(history: History): History {
  if (history.gesture) return cancelGesture(history);
  const last = history.past.at(-1);
  if (!last) return history;
  return {
    past: history.past.slice(0, -1),
    present: last.document,
    future: [{ label: last.label, document: history.present }, ...history.future],
  };
}

/** One change forward again. Not possible during a gesture. */
export function redo(history: History): History {
  const [next, ...later] = history.future;
  if (history.gesture || !next) return history;
  return {
    past: [...history.past, { label: next.label, document: history.present }],
    present: next.document,
    future: later,
  };
}

/** What undo would undo, or undefined. */
export function undoLabel(history: History): string | undefined {
  return history.gesture?.label ?? history.past.at(-1)?.label;
}

/** What redo would do again, or undefined. */
export function redoLabel(history: History): string | undefined {
  return history.gesture ? undefined : history.future[0]?.label;
}

/** Equal in everything, the order of records included: it is the order of display. */
export function equalDocuments(a: StudioDocument, b: StudioDocument): boolean {
  return equalValues(a, b);
}

/** Parts shared by reference are equal without being looked into. */
function equalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const entriesOfA = Object.entries(a);
  const entriesOfB = Object.entries(b);
  return (
    entriesOfA.length === entriesOfB.length &&
    entriesOfA.every(([key, value], index) => {
      const other = entriesOfB[index];
      return other !== undefined && other[0] === key && equalValues(value, other[1]);
    })
  );
}
