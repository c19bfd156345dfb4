/**
 * Why a query is answered as it is at a step: at which frequency the plan would switch, and what every
 * other plan of interest would cost; or the same of one plan that a person asks about.
 */
import { useId } from "react";
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type {
  FrequencySwitch,
  PlanExplanation,
  RejectedPlan,
  StatementExplanation,
} from "#model/explanation.ts";
import type { QueryPlan } from "#model/plan.ts";
import { duration } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { stepName } from "../design/steps.ts";
import type { Answer } from "../studio-state.ts";
import { AlternativeView } from "./alternative-view.tsx";
import type { AnswerIndex } from "./answer-index.ts";
import { Asking } from "./asking.tsx";
import { PlanLine } from "./plan-line.tsx";
import { familiesFor } from "./plan-rows.ts";
import { useExplanation } from "./use-explanation.ts";
import { reasonWords, switchWords } from "./why-words.ts";
import "./why.css";

/** Some five plans, and two or three frequencies on either side. */
const aboutSearches = 10;

interface WhyProps {
  readonly answer: Answer;
  readonly index: AnswerIndex;
  readonly step: number;
  readonly labels: readonly string[] | undefined;
  readonly onClose: () => void;
}

export function WhyThisPlan(props: WhyProps & { readonly statement: string }) {
  const { answer, statement, step, labels, onClose } = props;
  const explaining = useExplanation<StatementExplanation>(answer, (engine, request, onSearch) =>
    engine.explainStatement(request, statement, step, onSearch),
  );
  const heading = useId();
  return (
    <section className="why-plan" aria-labelledby={heading}>
      <header className="side-panel-head">
        <h3 id={heading}>Why this plan at {stepName(step, labels)}</h3>
        <CloseButton onClose={onClose} />
      </header>
      {explaining.state === "told" ? (
        <ToldStatement {...props} told={explaining.told} />
      ) : (
        <Asking explaining={explaining} about={aboutSearches} onGiveUp={onClose} />
      )}
    </section>
  );
}

/** Within the row of a plan that is not chosen. */
export function WhyNotThisPlan(props: WhyProps & { readonly plan: QueryPlan }) {
  const { answer, plan, step, onClose } = props;
  const explaining = useExplanation<PlanExplanation>(answer, (engine, request, onSearch) =>
    engine.explainPlan(request, step, plan, onSearch),
  );
  const heading = useId();
  return (
    <section className="why-plan" aria-labelledby={heading}>
      <header className="side-panel-head">
        <h3 id={heading}>Why not this plan at {stepName(step, props.labels)}</h3>
        <CloseButton onClose={onClose} />
      </header>
      {explaining.state === "told" ? (
        <Rejected {...props} told={explaining.told} rejected={explaining.told.rejected} />
      ) : (
        <Asking explaining={explaining} about={1} onGiveUp={onClose} />
      )}
    </section>
  );
}

function CloseButton({ onClose }: { readonly onClose: () => void }) {
  return (
    <button
      type="button"
      className="button plain icon-only"
      aria-label="Close the explanation"
      onClick={onClose}
    >
      <Icon name="close" />
    </button>
  );
}

function ToldStatement(props: WhyProps & { readonly told: StatementExplanation }) {
  const { index, told } = props;
  const families = familiesFor(index, told.columnFamilies);
  const planOf = (key: string) => told.plans.find((plan) => plan.key === key);
  return (
    <>
      <PlanLine plan={planOf(told.plan)} families={families} index={index} />
      <section className="why-part" aria-label="When would the plan switch?">
        <h4>When would the plan switch?</h4>
        <ul className="why-list">
          {(["below", "above"] as const).map((side) => (
            <Switch
              key={side}
              side={side}
              found={side === "below" ? told.switchesBelow : told.switchesAbove}
              told={told}
              families={families}
              index={index}
            />
          ))}
        </ul>
      </section>
      <section className="why-part" aria-label="Other plans">
        <h4>Why not another plan?</h4>
        {told.rejected.length === 0 && <p>No other plan can answer this query.</p>}
        {told.rejected.map((rejected) => (
          <section
            key={rejected.plan}
            className="rejected"
            aria-label={interestWords[rejected.interest]}
          >
            <h5>{interestWords[rejected.interest]}</h5>
            <PlanLine plan={planOf(rejected.plan)} families={families} index={index} />
            <Rejected {...props} told={told} rejected={rejected} />
          </section>
        ))}
      </section>
    </>
  );
}

const interestWords: Readonly<Record<RejectedPlan["interest"], string>> = {
  "best materialised view": "The cheapest other materialised view",
  "best join": "The cheapest other join",
  next: "The next cheapest",
  asked: "This plan",
};

function Switch(props: {
  readonly side: "below" | "above";
  readonly found: FrequencySwitch | undefined;
  readonly told: StatementExplanation;
  readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  readonly index: AnswerIndex;
}) {
  const { side, found, told, families, index } = props;
  return (
    <li>
      {found?.certainty === "estimate" && (
        <>
          <span className="tag caution">estimate</span>{" "}
        </>
      )}
      {switchWords(side, found, told.switchesUnfinished, told.frequency)}
      {found && (
        <PlanLine
          plan={told.plans.find(({ key }) => key === found.plan)}
          families={families}
          index={index}
        />
      )}
    </li>
  );
}

function Rejected(
  props: WhyProps & {
    readonly told: Pick<StatementExplanation, "columnFamilies" | "plans">;
    readonly rejected: RejectedPlan;
  },
) {
  const { answer, index, labels, told, rejected } = props;
  return (
    <>
      <p className="quiet small">{executionWords(rejected.perExecution)}</p>
      {rejected.reasons.length > 0 && (
        <ul className="why-list bullets">
          {rejected.reasons.map((reason) => (
            <li key={reason.kind}>{reasonWords(reason)}</li>
          ))}
        </ul>
      )}
      <AlternativeView
        alternative={rejected.instead}
        condition="with this plan at this step"
        objective={answer.recommendation.objective}
        index={index}
        families={familiesFor(index, told.columnFamilies)}
        plans={told.plans}
        labels={labels}
      />
    </>
  );
}

function executionWords(perExecution: number): string {
  if (perExecution === 0) return "An execution takes as long as by the chosen plan.";
  const difference = duration(Math.abs(perExecution)).text;
  return `An execution takes ${difference} ${perExecution > 0 ? "longer" : "less"} than by the chosen plan.`;
}
