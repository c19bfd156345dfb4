/** The points of the live chart: values carried forward, and an axis that shows the gap. */
import type { ProgressPoint } from "../studio-state.ts";

/** Every point with the last known incumbent and bound. */
export function steppedPoints(history: readonly ProgressPoint[]): readonly ProgressPoint[] {
  let last: ProgressPoint = { seconds: 0 };
  return history.map((point) => {
    last = { ...last, ...point };
    return last;
  });
}

/** The lowest and the highest value of both curves, and a little room around them: they often meet. */
export function progressRange(history: readonly ProgressPoint[]): readonly [number, number] {
  const values = history
    .flatMap(({ incumbent, bound }) => [incumbent, bound])
    .filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high > low ? (high - low) * 0.04 : Math.max(high * 0.02, 1e-9);
  return [Math.max(0, low - room), high + room];
}
