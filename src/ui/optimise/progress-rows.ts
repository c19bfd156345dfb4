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

/** The lowest and the highest value of both curves. */
export function progressRange(history: readonly ProgressPoint[]): readonly [number, number] {
  const values = history
    .flatMap(({ incumbent, bound }) => [incumbent, bound])
    .filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  if (values.length === 0) return [0, 1];
  return [Math.min(...values), Math.max(...values)];
}
