/** The names of the steps over rows that share the timeline's columns, as many as there is room for. */
import { useRef } from "react";
import { labelEvery, labelPixels, stepLabel } from "../design/steps.ts";
import { useWidth } from "../design/width.ts";

export function TimelineHead(props: {
  readonly steps: number;
  readonly labels: readonly string[] | undefined;
}) {
  const { steps, labels } = props;
  const head = useRef<HTMLDivElement>(null);
  const every = labelEvery(steps, useWidth(head, 800), labelPixels(steps, labels));
  return (
    <div ref={head} className="timeline-head" aria-hidden="true">
      {Array.from({ length: steps }, (_, step) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its index.
        <span key={step}>{step % every === 0 ? stepLabel(step, labels) : ""}</span>
      ))}
    </div>
  );
}
