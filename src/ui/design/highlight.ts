/** The column family under the pointer or focus; everything that shows the same one lights up. */
import { create } from "zustand";
import type { ColumnFamilyKey } from "#model/column-family.ts";

interface Highlight {
  readonly family: ColumnFamilyKey | undefined;
}

const useHighlight = create<Highlight>(() => ({ family: undefined }));

/** Whether this family is the one pointed at; only the two that change draw again. */
export function useHighlighted(key: ColumnFamilyKey): boolean {
  return useHighlight((highlight) => highlight.family === key);
}

/** Handlers for an element that stands for a column family. */
export function highlightHandlers(key: ColumnFamilyKey) {
  const on = (): void => useHighlight.setState({ family: key });
  const off = (): void => useHighlight.setState({ family: undefined });
  return { onPointerEnter: on, onPointerLeave: off, onFocus: on, onBlur: off };
}
