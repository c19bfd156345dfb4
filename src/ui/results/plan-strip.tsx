/** The plans of a query over all steps: a letter for each, filled for a materialised view, hollow for a join. */
import { useMemo } from "react";
import { duration } from "../design/format.ts";
import { stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import { moveCursor, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { type PlanStretch, planStrip, type ReadPlans } from "./plan-rows.ts";

export interface PlanStripProps {
  readonly reads: ReadPlans;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

export function PlanStrip({ reads, index, labels }: PlanStripProps) {
  const studio = useStudio();
  const stretches = useMemo(() => planStrip(reads, index), [reads, index]);
  const steps = reads.perStep.length;
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
