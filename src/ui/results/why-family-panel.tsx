/** Why a table is in the answer: who uses it, what keeping it costs, and what would come in its place. */
import type { Ref } from "react";
import type { ColumnFamily } from "#model/column-family.ts";
import type { FamilyExplanation } from "#model/explanation.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { duration } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import type { Answer } from "../studio-state.ts";
import { AlternativeView } from "./alternative-view.tsx";
import type { AnswerIndex } from "./answer-index.ts";
import { Asking } from "./asking.tsx";
import { familiesFor } from "./plan-rows.ts";
import { useExplanation } from "./use-explanation.ts";
import { stepsWords, wordsOfUse } from "./why-words.ts";
import "./why.css";

export interface WhyFamilyPanelProps {
  readonly answer: Answer;
  readonly family: ColumnFamily;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly ref?: Ref<HTMLElement>;
}

export function WhyFamilyPanel(props: WhyFamilyPanelProps) {
  const { answer, family, index, onClose, ref } = props;
  const explaining = useExplanation<FamilyExplanation>(answer, (engine, request, onSearch) =>
    engine.explainFamily(request, family.key, onSearch),
  );
  const tag = index.tags.get(family.key) ?? "";
  return (
    <aside ref={ref} className="side-panel" aria-label={`Why ${tag} is here`}>
      <header className="side-panel-head">
        <h2>Why {tag} is here</h2>
        <button
          type="button"
          className="button plain icon-only"
          aria-label="Close the explanation"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <FamilyLine family={family} />
      {explaining.state === "told" ? (
        <Told {...props} told={explaining.told} />
      ) : (
        <Asking explaining={explaining} about={1} onGiveUp={onClose} />
      )}
    </aside>
  );
}

function Told(props: WhyFamilyPanelProps & { readonly told: FamilyExplanation }) {
  const { answer, index, labels, told } = props;
  return (
    <>
      <section aria-labelledby="why-uses">
        <h3 id="why-uses">Who uses it</h3>
        <p className="quiet small">It exists at {stepsWords(told.steps, labels)}.</p>
        <ul className="why-list">
          {told.uses.map((use) => (
            <li key={`${use.kind} ${use.statement} ${use.builds}`}>
              {wordsOfUse(use, index, labels)}
            </li>
          ))}
          {told.uses.length === 0 && <li>Nothing reads it.</li>}
          <li>{upkeepWords(told)}</li>
        </ul>
      </section>
      <section aria-labelledby="why-without">
        <h3 id="why-without">Without it</h3>
        <AlternativeView
          alternative={told.without}
          condition="without it"
          objective={answer.recommendation.objective}
          index={index}
          families={familiesFor(index, told.columnFamilies)}
          plans={told.plans}
          labels={labels}
          forbidden={told.columnFamily}
        />
      </section>
    </>
  );
}

function upkeepWords({ upkeep }: FamilyExplanation): string {
  const parts = [
    ...(upkeep.update > 0 ? [`${duration(upkeep.update).text} for updates`] : []),
    ...(upkeep.support > 0 ? [`${duration(upkeep.support).text} for their support queries`] : []),
    ...(upkeep.build > 0 ? [`${duration(upkeep.build).text} for building it`] : []),
  ];
  return parts.length === 0
    ? "Keeping it costs nothing: no update writes it, and it is not built during the run."
    : `Keeping it costs ${parts.join(", ")}.`;
}
