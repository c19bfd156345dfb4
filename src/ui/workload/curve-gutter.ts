/** The room left of the first step, which chart and grid share so that their steps align. */
import { useSyncExternalStore } from "react";

export const curveRight = 16;
const usualGutter = 200;
/** On a phone, names are cut rather than the steps pushed off the screen. */
const narrowGutter = 112;
const phone = "(max-width: 640px)";

/** Pixels; follows the width of the window. */
export function useCurveGutter(): number {
  const isNarrow = useSyncExternalStore(follow, () => window.matchMedia(phone).matches);
  return isNarrow ? narrowGutter : usualGutter;
}

function follow(onChange: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}
