/** The number and length of the time steps. */
import { setTimeline } from "#document/commands.ts";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useEdit } from "../studio-state.ts";

export function TimelineFields() {
  const timeline = useDocument((document) => document.timeline);
  const edit = useEdit();
  return (
    <span className="timeline-fields">
      <NumberField
        label="Number of steps"
        hideLabel
        width={52}
        value={timeline.steps}
        unit="steps of"
        onCommit={(steps) =>
          edit("Change the number of steps", (document) =>
            setTimeline(document, {
              steps: steps ?? Number.NaN,
              stepSeconds: document.timeline.stepSeconds,
            }),
          )
        }
      />
      <NumberField
        label="Length of a step in seconds"
        hideLabel
        width={76}
        value={timeline.stepSeconds}
        unit="s"
        onCommit={(stepSeconds) =>
          edit("Change the length of a step", (document) =>
            setTimeline(document, {
              steps: document.timeline.steps,
              stepSeconds: stepSeconds ?? Number.NaN,
            }),
          )
        }
      />
    </span>
  );
}
