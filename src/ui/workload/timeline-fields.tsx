/**
 * The number and length of the time steps. A change is shown before it is kept, with what it does to the
 * curves and a choice where there is one.
 */
import { useEffect, useId, useState } from "react";
import { setTimeline } from "#document/commands.ts";
import type { StudioDocument } from "#document/schema.ts";
import type { Resampling } from "#model/frequency-curve.ts";
import type { Issue } from "#model/issue.ts";
import { plural, span } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useDocumentState, useStudio } from "../studio-state.ts";
import { useGesture } from "./use-gesture.ts";

type Timeline = Pick<StudioDocument["timeline"], "steps" | "stepSeconds">;

/** A change that is shown and not yet kept. */
interface Retimed {
  readonly before: Timeline;
  readonly after: Timeline;
  readonly how: Resampling;
}

const ways: readonly { readonly how: Resampling; readonly word: string }[] = [
  { how: "stretch", word: "stretch, total executions stay" },
  { how: "peaks", word: "stretch, peaks stay" },
  { how: "cut", word: "keep the numbers, go on with the last" },
  { how: "repeat", word: "keep the numbers, begin again" },
];

export function TimelineFields() {
  const timeline = useDocument((document) => document.timeline);
  const retiming = useRetiming();
  const { retimed } = retiming;
  const id = useId();
  return (
    <>
      <span className="timeline-fields">
        <NumberField
          label="Number of steps"
          hideLabel
          width={52}
          value={timeline.steps}
          unit="steps of"
          onCommit={(steps) => retiming.change({ steps: steps ?? Number.NaN })}
        />
        <NumberField
          label="Length of a step in seconds"
          hideLabel
          width={76}
          value={timeline.stepSeconds}
          unit="s"
          onCommit={(stepSeconds) => retiming.change({ stepSeconds: stepSeconds ?? Number.NaN })}
        />
      </span>
      {retimed && (
        <section
          className="retimed small"
          aria-label="Other steps"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            retiming.end("cancel");
          }}
        >
          <span role="status">{retimedWords(retimed)}</span>
          {retimed.before.steps !== retimed.after.steps && (
            <>
              <label htmlFor={`${id}-how`}>The curves</label>
              <select
                id={`${id}-how`}
                className="select"
                value={retimed.how}
                onChange={(event) => {
                  const way = ways.find(({ how }) => how === event.target.value);
                  if (way) retiming.fit(way.how);
                }}
              >
                {ways.map(({ how, word }) => (
                  <option key={how} value={how}>
                    {word}
                  </option>
                ))}
              </select>
            </>
          )}
          <button
            type="button"
            className="button small primary"
            onClick={() => retiming.end("commit")}
          >
            Keep
          </button>
          <button type="button" className="button small" onClick={() => retiming.end("cancel")}>
            Cancel
          </button>
        </section>
      )}
    </>
  );
}

function useRetiming() {
  const { documents } = useStudio();
  // What was entered is meant, also when a person goes elsewhere without pressing Keep.
  const gesture = useGesture("commit");
  const going = useDocumentState(({ history }) => history.gesture);
  const [retimed, setRetimed] = useState<Retimed>();
  useEffect(() => {
    if (going === undefined || !gesture.isOn()) setRetimed(undefined);
  }, [going, gesture]);

  const show = (before: Timeline, after: Timeline, how: Resampling): readonly Issue[] => {
    const isFresh = !gesture.isOn();
    if (isFresh) gesture.begin("Change the time steps");
    const issues = gesture.preview((_, base) => setTimeline(base, after, how));
    const isRefused = issues.some(({ severity }) => severity === "error");
    if (isRefused && isFresh) gesture.end("cancel");
    if (!isRefused) setRetimed({ before, after, how });
    return issues;
  };
  return {
    retimed,
    change: (change: Partial<Timeline>): readonly Issue[] => {
      const { timeline } = documents.getState().document;
      const before = (gesture.isOn() && retimed?.before) || timeline;
      const after = { steps: timeline.steps, stepSeconds: timeline.stepSeconds, ...change };
      const keepsTime = Math.abs(timeSpan(after) / timeSpan(before) - 1) < 1e-9;
      return show(before, after, keepsTime ? "stretch" : "cut");
    },
    fit: (how: Resampling): void => {
      if (retimed) show(retimed.before, retimed.after, how);
    },
    end: (how: "commit" | "cancel"): void => {
      gesture.end(how);
      setRetimed(undefined);
    },
  };
}

function timeSpan({ steps, stepSeconds }: Timeline): number {
  return steps * stepSeconds;
}

function retimedWords({ before, after }: Retimed): string {
  const covers = `${plural(after.steps, "step")} of ${span(after.stepSeconds)} cover ${span(timeSpan(after))}`;
  return before.steps === after.steps
    ? `${covers}. Executions per second stay as they are.`
    : `${covers}; before, ${plural(before.steps, "step")} covered ${span(timeSpan(before))}.`;
}
