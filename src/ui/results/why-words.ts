/** Explanations in words: steps, differences, alternatives and reasons. An estimate is called one. */
import type { Alternative, FamilyUse, FrequencySwitch, Reason } from "#model/explanation.ts";
import type { CostBreakdown } from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import { type CostKindLook, costKinds } from "../design/cost-kinds.ts";
import { bytes, duration, frequency, perCent, signedPerCent } from "../design/format.ts";
import { stepName } from "../design/steps.ts";
import type { AnswerIndex } from "./answer-index.ts";

/** Seconds that each search for an explanation may take; what is not proven by then is an estimate. */
export const searchSeconds = 15;

/** Costs that differ by less than this share are the same. */
const noticeable = 1e-7;

/** `step 4 (noon)`, `steps 1–3 and 6`. Steps come in order. */
export function stepsWords(
  steps: readonly TimeStep[],
  labels: readonly string[] | undefined,
): string {
  const [first] = steps;
  if (first === undefined) return "no step";
  if (steps.length === 1) return stepName(first, labels);
  const stretches: { from: TimeStep; to: TimeStep }[] = [];
  for (const step of steps) {
    const last = stretches.at(-1);
    if (last?.to === step - 1) last.to = step;
    else stretches.push({ from: step, to: step });
  }
  const words = stretches.map(({ from, to }) =>
    from === to ? `${from + 1}` : `${from + 1}–${to + 1}`,
  );
  return `steps ${listed(words)}`;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** `+2.3 s`, `−1.1 s`. */
export function signedDuration(milliseconds: number): string {
  return `${milliseconds < 0 ? "−" : "+"}${duration(Math.abs(milliseconds)).text}`;
}

/** What an answer under a condition costs, beside the answer's own `objective`; `condition` as in “without it”. */
export function alternativeWords(
  alternative: Alternative,
  condition: string,
  objective: number,
): string {
  switch (alternative.status) {
    case "impossible":
      return `There is no answer ${condition}. ${alternative.reasons.join(" ")}`;
    case "unknown":
      return `Whether there is an answer ${condition} is not known. ${alternative.reasons.join(" ")}`;
    case "found": {
      const { cost, bound, extra, certainty } = alternative;
      const against = comparison(extra, objective);
      return certainty === "exact"
        ? `The best answer ${condition} costs ${duration(cost).text}: ${against}.`
        : `The best answer ${condition} that was found in ${searchSeconds} s costs ${duration(cost).text}: ${against}. None costs less than ${duration(bound).text}.`;
    }
  }
}

function comparison(extra: number, objective: number): string {
  if (Math.abs(extra) <= noticeable * objective) return "as much as this one";
  const more = `${duration(Math.abs(extra)).text} ${extra > 0 ? "more" : "less"}`;
  const share = `${more} than this one (${signedPerCent(objective + extra, objective)})`;
  return extra > 0 ? share : `${share}, which is not proven best`;
}

export interface DifferenceRow {
  readonly look: CostKindLook;
  readonly milliseconds: number;
}

/** The kinds of cost that differ, in stacking order. */
export function differenceRows(
  difference: CostBreakdown,
  objective: number,
): readonly DifferenceRow[] {
  return costKinds
    .map((look) => ({ look, milliseconds: difference[look.kind] }))
    .filter(({ milliseconds }) => Math.abs(milliseconds) > noticeable * objective);
}

/** What speaks against a plan. */
export function reasonWords(reason: Reason): string {
  switch (reason.kind) {
    case "storage":
      return `There is no room: beside the tables of this step its own exceed the limit by ${bytes(reason.bytesOver).text}.`;
    case "execution":
      return `It takes longer itself: ${duration(reason.milliseconds).text} more over the step.`;
    case "updates":
      return `Its tables have to be kept up to date: ${duration(reason.milliseconds).text} more for updates and support queries.`;
    case "migration":
      return `Tables have to be built for it: ${duration(reason.milliseconds).text} more.`;
    case "other queries":
      return `Other queries take longer: ${duration(reason.milliseconds).text} more, since room or tables are gone.`;
  }
}

/** What one use of a table is, where, and what it costs. */
export function wordsOfUse(
  use: FamilyUse,
  index: AnswerIndex,
  labels: readonly string[] | undefined,
): string {
  const at = stepsWords(use.steps, labels);
  const cost = `${duration(use.cost).text}, ${perCent(use.share)} of the cost`;
  const name = index.names.get(use.statement ?? "") ?? use.statement ?? "";
  const builds = index.tags.get(use.builds ?? "") ?? "another table";
  switch (use.kind) {
    case "query":
      return use.cost > 0
        ? `${name} reads it at ${at}: ${cost}.`
        : `${name} would read it at ${at}, but does not run then.`;
    case "support query":
      return `${name} reads it before it writes to ${builds}, at ${at}: ${cost}.`;
    case "migration source":
      return `${builds} is built from it during ${at}: ${cost}.`;
  }
}

/** At which frequency another plan takes over. */
export function switchWords(
  side: "below" | "above",
  found: FrequencySwitch | undefined,
  unfinished: boolean,
  now: number,
): string {
  const often = side === "below" ? "less" : "more";
  if (found) {
    const about = found.certainty === "exact" ? "" : "about ";
    return `Asked ${often} often than ${about}${frequency(found.frequency).text} (now ${frequency(now).text}), it would be answered by`;
  }
  if (unfinished)
    return `Asked ${often} often, another plan may take over: the search was stopped before that was known.`;
  return side === "below"
    ? "However seldom it is asked at this step, the plan stays."
    : "However often it is asked at this step, the plan stays.";
}
