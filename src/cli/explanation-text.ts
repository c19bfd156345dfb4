/** Explanations for people: one paragraph of short lines per table or query. */
import type { StudioDocument } from "#document/schema.ts";
import type {
  Alternative,
  FamilyExplanation,
  FamilyUse,
  FrequencySwitch,
  Reason,
  StatementExplanation,
} from "#model/explanation.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Query } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import { bytes, duration, perCent } from "./figures.ts";

export function familyExplanationText(
  explanation: FamilyExplanation,
  document: StudioDocument,
): string {
  const { columnFamily, steps, uses, upkeep, without, plans } = explanation;
  const costs = [
    ...(upkeep.update > 0 ? [`updates ${duration(upkeep.update)}`] : []),
    ...(upkeep.support > 0 ? [`their reads ${duration(upkeep.support)}`] : []),
    ...(upkeep.build > 0 ? [`building ${duration(upkeep.build)}`] : []),
  ];
  const lines = [
    columnFamily,
    `  exists at ${stepsText(steps, document)}`,
    ...(uses.length > 0
      ? uses.map((use) => `  ${useText(use, document)}`)
      : ["  nothing reads it"]),
    ...(costs.length > 0 ? [`  having it costs: ${costs.join(", ")}`] : []),
    "  without it:",
    ...alternativeLines(without, plans, document).map((line) => `    ${line}`),
  ];
  return `${lines.join("\n")}\n\n`;
}

export function statementExplanationText(
  explanation: StatementExplanation,
  query: Query,
  document: StudioDocument,
): string {
  const { step, frequency, plans, rejected, switchesAbove, switchesBelow } = explanation;
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  const tables = (key: string): string => byKey.get(key)?.columnFamilies.join(", then ") ?? key;
  const chosen = byKey.get(explanation.plan);
  const others = rejected.flatMap(({ plan, interest, perExecution, instead, reasons }) => [
    `  ${interest}: ${tables(plan)}`,
    `    ${duration(Math.abs(perExecution))} ${perExecution < 0 ? "less" : "more"} each time`,
    ...alternativeLines(instead, [], document).map((line) => `    ${line}`),
    ...reasons.map((reason) => `    because ${reasonText(reason)}`),
  ]);
  const turn = (found: FrequencySwitch | undefined, side: string): string[] =>
    found
      ? [
          `  ${side} ${figure(found.frequency)} per second (${found.certainty}) it would be answered by ${tables(found.plan)}`,
        ]
      : [];
  const turns = [...turn(switchesBelow, "below"), ...turn(switchesAbove, "above")];
  const stays = explanation.switchesUnfinished
    ? "  the search for frequencies at which it switches was stopped by the time limit"
    : "  the plan stays at every frequency";
  const lines = [
    `${query.label} at ${stepsText([step], document)}, ${figure(frequency)} per second`,
    `  answered by ${tables(explanation.plan)}: ${duration(chosen?.cost ?? 0)} each time`,
    ...others,
    ...(turns.length > 0 ? turns : [stays]),
  ];
  return `${lines.join("\n")}\n`;
}

function alternativeLines(
  alternative: Alternative,
  plans: readonly QueryPlan[],
  document: StudioDocument,
): string[] {
  if (alternative.status !== "found") return [...alternative.reasons];
  const { certainty, cost, bound, extra, added, removed } = alternative;
  const share = cost > 0 ? extra / (cost - extra) : 0;
  const range = certainty === "exact" ? "" : `, an estimate: not below ${duration(bound)}`;
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  return [
    `the answer costs ${duration(Math.abs(extra))} (${perCent(Math.abs(share))}) ${extra < 0 ? "less" : "more"}${range}`,
    ...added.map(
      ({ columnFamily, steps }) => `added at ${stepsText(steps, document)}: ${columnFamily}`,
    ),
    ...removed.map(
      ({ columnFamily, steps }) => `gone at ${stepsText(steps, document)}: ${columnFamily}`,
    ),
    ...alternative.plans.flatMap(({ statement, plan, steps }) => {
      const found = byKey.get(plan);
      const label = document.statements[statement]?.label ?? statement;
      return found
        ? [
            `${label} at ${stepsText(steps, document)}: ${duration(found.cost)} each by ${found.columnFamilies.join(", then ")}`,
          ]
        : [];
    }),
  ];
}

function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case "storage":
      return `beside the other tables it lacks ${bytes(reason.bytesOver)} of room`;
    case "execution":
      return `its executions take ${duration(reason.milliseconds)} longer`;
    case "updates":
      return `keeping its tables up to date takes ${duration(reason.milliseconds)} more`;
    case "migration":
      return `migrations take ${duration(reason.milliseconds)} more`;
    case "other queries":
      return `other queries take ${duration(reason.milliseconds)} longer`;
  }
}

function useText(
  { kind, statement, builds, steps, cost, share }: FamilyUse,
  document: StudioDocument,
): string {
  const label = statement === undefined ? "" : (document.statements[statement]?.label ?? statement);
  const what = {
    query: `read by ${label}`,
    "support query": `read by ${label} to keep ${builds} true`,
    "migration source": `a source of ${builds}`,
  }[kind];
  return `${what} at ${stepsText(steps, document)}: ${duration(cost)}, ${perCent(share)} of all`;
}

/** `all steps`, `step 3`, `steps 1–3, 6`. */
function stepsText(steps: readonly TimeStep[], { timeline }: StudioDocument): string {
  if (steps.length === timeline.steps && steps.length > 1) return "all steps";
  const runs: [number, number][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && step === last[1] + 1) last[1] = step;
    else runs.push([step, step]);
  }
  const texts = runs.map(([a, b]) => (a === b ? `${a + 1}` : `${a + 1}–${b + 1}`));
  return `step${steps.length === 1 ? "" : "s"} ${texts.join(", ")}`;
}

function figure(value: number): string {
  return Number(value.toPrecision(4)).toString();
}
