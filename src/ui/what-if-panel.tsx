/** The what-if beside whatever is edited: what the old tables cost now, and how looking for something better goes. */
import { duration } from "./design/format.ts";
import { Icon } from "./design/icon.tsx";
import {
  type Answer,
  type RunState,
  stop,
  useChecked,
  useRun,
  useSession,
  useStudio,
} from "./studio-state.ts";
import { improve } from "./what-if.ts";
import {
  improvedWords,
  improvingWords,
  oldTablesWords,
  type WhatIfFigure,
} from "./what-if-words.ts";
import "./what-if.css";

/** Nothing where there is no answer yet; keeps its height while it says different things. */
export function WhatIfPanel() {
  const answer = useRun((run) => run.answer);
  const whatIf = useRun((run) => run.whatIf);
  const running = useRun((run) => (run.running?.improves ? run.running : undefined));
  const improvement = useRun((run) => run.improvement);
  const { key } = useChecked();
  if (!answer) return null;
  const isCurrent = key === answer.problemKey;
  return (
    <section className="what-if" aria-label="What if">
      <div className="what-if-figures" role="status">
        <Story
          answer={answer}
          whatIf={isCurrent ? undefined : whatIf}
          running={running}
          improvement={improvement?.problemKey === answer.problemKey ? improvement : undefined}
          isCurrent={isCurrent}
        />
      </div>
      <Actions canImprove={!isCurrent && whatIf !== undefined} isRunning={running !== undefined} />
    </section>
  );
}

function Story(props: {
  readonly answer: Answer;
  readonly whatIf: RunState["whatIf"];
  readonly running: RunState["running"];
  readonly improvement: RunState["improvement"];
  readonly isCurrent: boolean;
}) {
  const { answer, whatIf, running, improvement, isCurrent } = props;
  const { recommendation } = answer;
  if (isCurrent)
    return (
      <Figures
        figures={
          improvement
            ? improvedWords(recommendation, improvement.oldCost)
            : [{ name: "The answer costs", value: duration(recommendation.objective) }]
        }
      />
    );
  if (!whatIf)
    return <span className="quiet">The project has changed since the answer was found.</span>;
  const { figures, trouble } = oldTablesWords(whatIf.recosted, recommendation.objective);
  const oldCost =
    whatIf.recosted.status === "recosted" ? whatIf.recosted.answer.objective : undefined;
  return (
    <>
      <Figures
        figures={[...figures, ...(running ? improvingWords(running.progress, oldCost) : [])]}
      />
      {trouble.map((each) => (
        <span key={each} className="trouble">
          <Icon name="warning" size={14} />
          {each}
        </span>
      ))}
    </>
  );
}

function Figures({ figures }: { readonly figures: readonly WhatIfFigure[] }) {
  return (
    <dl>
      {figures.map(({ name, value, against }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={value.exact}>
            {value.text}
            {against && <span className="quiet small"> {against}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Actions(props: { readonly canImprove: boolean; readonly isRunning: boolean }) {
  const { canImprove, isRunning } = props;
  const studio = useStudio();
  const alone = useSession((session) => session.improvesAlone);
  return (
    <div className="what-if-actions">
      {isRunning ? (
        <button type="button" className="button small" onClick={() => stop(studio)}>
          <Icon name="stop" size={14} />
          Stop improving
        </button>
      ) : (
        <button
          type="button"
          className="button small"
          disabled={!canImprove}
          title="Looks for the cheapest tables for the project as it is now, beginning with the ones there are"
          onClick={() => improve(studio)}
        >
          <Icon name="play" size={14} />
          Improve
        </button>
      )}
      <label className="small">
        <input
          type="checkbox"
          checked={alone}
          onChange={(event) => studio.session.setState({ improvesAlone: event.target.checked })}
        />
        Improve by itself
      </label>
    </div>
  );
}
