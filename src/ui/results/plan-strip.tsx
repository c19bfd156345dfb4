/** A query's plans over all steps: a letter for each, filled for a materialised view, hollow for a join. */
import { useMemo } from "react";
import type { Recommendation } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import { duration } from "../design/format.ts";
import { stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import { moveCursor, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { type PlanStretch, planStrip } from "./plan-rows.ts";

export interface PlanStripProps {
  readonly recommendation: Recommendation;
  readonly index: AnswerIndex;
  readonly statement: StatementId;
  readonly labels: readonly string[] | undefined;
}

export function PlanStrip({ recommendation, index, statement, labels }: PlanStripProps) {
  const studio = useStudio();
  const stretches = useMemo(
    () => planStrip(recommendation, index, statement),
    [recommendation, index, statement],
  );
  const steps = recommendation.steps.length;
  return (
    <section className="plan-strip" aria-label="Plans over all steps">
      <div className="strip-track">
        {stretches.map((stretch) => (
          <button
            key={stretch.from}
            type="button"
            className={stretch.kind === "join" ? "stretch join" : "stretch view"}
            style={{
              left: `${(stretch.from / steps) * 100}%`,
              width: `${((stretch.to - stretch.from + 1) / steps) * 100}%`,
            }}
            title={stretchWords(stretch, labels)}
            aria-label={stretchWords(stretch, labels)}
            onClick={() => moveCursor(studio, stretch.from)}
          >
            {stretch.letter}
          </button>
        ))}
        <StepCursor steps={steps} left={0} right={0} />
      </div>
    </section>
  );
}

function stretchWords(stretch: PlanStretch, labels: readonly string[] | undefined): string {
  const { from, to, letter, plan, kind } = stretch;
  const when =
    from === to
      ? `at ${stepName(from, labels)}`
      : `from ${stepName(from, labels)} to ${stepName(to, labels)}`;
  const cost = plan ? `, ${duration(plan.cost).text} per execution` : "";
  return `Plan ${letter} ${when}: ${kind ?? "plan"}${cost}`;
}
