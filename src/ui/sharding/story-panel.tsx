/** The story of an example, step by step: each says what to look at and lays the strategies out for it. */
import type { StoryStep } from "#model/sharding-setup.ts";
import { Icon } from "../design/icon.tsx";
import { useDocument } from "../studio-state.ts";
import type { LabChoice } from "./lab-choice.ts";

const none: readonly StoryStep[] = [];

export function StoryPanel(props: {
  readonly choice: LabChoice;
  readonly onChange: (change: (choice: LabChoice) => LabChoice) => void;
}) {
  const { choice, onChange } = props;
  const story = useDocument((document) => document.sharding?.story) ?? none;
  if (story.length === 0) return null;
  const at = choice.story;
  const step = at === undefined ? undefined : story[at];
  const goTo = (next: number | undefined): void =>
    onChange(({ story: _, ...rest }) => (next === undefined ? rest : { ...rest, story: next }));
  return (
    <section className="story" aria-label="The story">
      <ol className="story-steps">
        {story.map(({ title }, index) => (
          <li key={title}>
            <button
              type="button"
              className="story-step"
              aria-current={index === at ? "step" : undefined}
              onClick={() => goTo(index)}
            >
              <span className="story-number">{index + 1}</span>
              {title}
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            className="story-step free"
            aria-current={at === undefined ? "step" : undefined}
            onClick={() => goTo(undefined)}
          >
            Try it
          </button>
        </li>
      </ol>
      {step && at !== undefined && (
        <div className="story-text">
          <p aria-live="polite">{step.text}</p>
          <button
            type="button"
            className="button small"
            onClick={() => goTo(at + 1 < story.length ? at + 1 : undefined)}
          >
            {at + 1 < story.length ? "Next" : "Try it"}
            <Icon name="next" size={14} />
          </button>
        </div>
      )}
    </section>
  );
}
