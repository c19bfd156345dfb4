/** How the canvas moves when the studio moves it. */

/** The whole graph with some air around it, and no larger than life. */
export const fitOptions = { padding: 0.06, maxZoom: 1 };

/** Below this zoom boxes show less, in larger letters. */
export const farZoom = 0.8;

/** Milliseconds; none where a person wants no motion. */
export function moveMilliseconds(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160;
}
