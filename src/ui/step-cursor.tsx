/**
 * The time cursor over a plot: a column that follows the cursor by itself, so that the chart under it
 * never has to draw again while the cursor is dragged.
 */
import { useCursor } from "./studio-state.ts";

export interface StepCursorProps {
  readonly steps: number;
  /** Pixels (or a length in CSS) from the edges of the positioned parent to the plot. */
  readonly left: number | string;
  readonly right: number;
  readonly top?: number;
  readonly bottom?: number;
}

export function StepCursor({ steps, left, right, top = 0, bottom = 0 }: StepCursorProps) {
  const step = useCursor();
  if (step >= steps) return null;
  return (
    <div className="step-cursor-plot" style={{ left, right, top, bottom }} aria-hidden="true">
      <div
        className="step-cursor"
        style={{ left: `${(step / steps) * 100}%`, width: `${100 / steps}%` }}
      />
    </div>
  );
}
