/**
 * The changes and patterns a person can choose for curves: what each is called, what it asks for and from
 * which numbers it begins. The form draws what stands here.
 */

import type { Edit } from "#document/commands.ts";
import { type CurveSelection, changeCurves, drawPattern } from "#document/curve-commands.ts";
import type { StudioDocument } from "#document/schema.ts";
import type { CurvePattern } from "#model/frequency-curve.ts";
import type { FrequencyCurve } from "#model/workload.ts";

export type ChangeKind =
  | "scale"
  | "raise"
  | "shift"
  | "smooth"
  | "mirrorValues"
  | "mirrorTime"
  | CurvePattern["kind"];

export interface ChangeField {
  /** As issues name it: `change/NAME`. */
  readonly name: string;
  readonly label: string;
  readonly unit: string;
}

export interface ChangeForm {
  readonly kind: ChangeKind;
  readonly group: "Change what is there" | "Draw a pattern";
  readonly word: string;
  /** What it does, as one sentence. */
  readonly does: string;
  readonly fields: readonly ChangeField[];
}

const perSecond = "/s";
const chance: readonly ChangeField[] = [
  { name: "percent", label: "Chance", unit: "% up or down" },
  { name: "seed", label: "Seed", unit: "" },
];

export const changeForms: readonly ChangeForm[] = [
  {
    kind: "scale",
    group: "Change what is there",
    word: "Scale",
    does: "Multiplies the frequencies.",
    fields: [{ name: "factor", label: "Times", unit: "" }],
  },
  {
    kind: "raise",
    group: "Change what is there",
    word: "Raise or lower",
    does: "Adds to the frequencies; nothing falls below 0.",
    fields: [{ name: "by", label: "By", unit: perSecond }],
  },
  {
    kind: "shift",
    group: "Change what is there",
    word: "Shift in time",
    does: "Moves the values later; those beyond the last step come in at the first.",
    fields: [{ name: "steps", label: "By", unit: "steps (negative: earlier)" }],
  },
  {
    kind: "smooth",
    group: "Change what is there",
    word: "Smooth",
    does: "Averages each value with its neighbours. The total stays.",
    fields: [{ name: "times", label: "Times", unit: "" }],
  },
  {
    kind: "mirrorValues",
    group: "Change what is there",
    word: "Mirror high and low",
    does: "What was the highest becomes the lowest, and the other way round.",
    fields: [],
  },
  {
    kind: "mirrorTime",
    group: "Change what is there",
    word: "Mirror in time",
    does: "The last step becomes the first.",
    fields: [],
  },
  {
    kind: "cycle",
    group: "Draw a pattern",
    word: "Cycle",
    does: "Rises and falls again and again.",
    fields: [
      { name: "low", label: "Low", unit: perSecond },
      { name: "high", label: "High", unit: perSecond },
      { name: "period", label: "Period", unit: "steps" },
      { name: "peak", label: "Peak at step", unit: "" },
      ...chance,
    ],
  },
  {
    kind: "evolution",
    group: "Draw a pattern",
    word: "Evolution, then stagnation",
    does: "Goes evenly from one frequency to another, and stays there.",
    fields: [
      { name: "before", label: "From", unit: perSecond },
      { name: "after", label: "To", unit: perSecond },
      { name: "begin", label: "Begins at step", unit: "" },
      { name: "end", label: "Ends at step", unit: "" },
      ...chance,
    ],
  },
  {
    kind: "growth",
    group: "Draw a pattern",
    word: "Growth",
    does: "Grows by the same share from each step to the next; a negative share makes it fall.",
    fields: [
      { name: "start", label: "At step 1", unit: perSecond },
      { name: "percentPerStep", label: "Grows by", unit: "% a step" },
      ...chance,
    ],
  },
  {
    kind: "spike",
    group: "Draw a pattern",
    word: "Spike",
    does: "Rises at once, stays for some steps and falls back.",
    fields: [
      { name: "base", label: "Otherwise", unit: perSecond },
      { name: "peak", label: "Peak", unit: perSecond },
      { name: "at", label: "From step", unit: "" },
      { name: "width", label: "For", unit: "steps" },
      { name: "fall", label: "Falls over", unit: "steps" },
      ...chance,
    ],
  },
];

export type Shape = "wave" | "blocks";
export type ChangeNumbers = Readonly<Record<string, number>>;

/** The numbers a form begins with, taken from the curve that is there, so that the preview is near it. */
export function firstNumbers(
  kind: ChangeKind,
  curve: FrequencyCurve,
  { range }: CurveSelection,
): ChangeNumbers {
  const values = curve.slice(range.first, range.last + 1);
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const steps = values.length;
  const high = highest > 0 ? highest : 1;
  const low = lowest < highest ? lowest : 0;
  const random = { percent: 0, seed: 1 };
  switch (kind) {
    case "scale":
      return { factor: 2 };
    case "raise":
      return { by: Number((high / 10).toPrecision(1)) };
    case "shift":
      return { steps: 1 };
    case "smooth":
      return { times: 1 };
    case "mirrorValues":
    case "mirrorTime":
      return {};
    case "cycle": {
      const peak = range.first + values.indexOf(highest) + 1;
      return { low, high, period: Math.max(2, steps), peak, ...random };
    }
    case "evolution": {
      const before = values[0] ?? 0;
      const last = values.at(-1) ?? 0;
      const after = last === before ? before * 2 || 1 : last;
      return { before, after, begin: range.first + 1, end: range.last + 1, ...random };
    }
    case "growth":
      return { start: curve[0] || high, percentPerStep: 10, ...random };
    case "spike": {
      const at = range.first + Math.floor(steps / 2) + 1;
      const peak = lowest < highest ? highest : high * 5;
      return { base: lowest, peak, at, width: 1, fall: 1, ...random };
    }
  }
}

/** The change as an edit of the document. Every number that the form asks for has to be there. */
export function changeEdit(
  document: StudioDocument,
  selection: CurveSelection,
  kind: ChangeKind,
  numbers: ChangeNumbers,
  shape: Shape,
): Edit {
  const of = (name: string): number => numbers[name] ?? Number.NaN;
  const jitter = { percent: of("percent"), seed: of("seed") };
  const draw = (pattern: CurvePattern): Edit => drawPattern(document, selection, pattern, jitter);
  switch (kind) {
    case "scale":
      return changeCurves(document, selection, { kind, factor: of("factor") });
    case "raise":
      return changeCurves(document, selection, { kind, by: of("by") });
    case "shift":
      return changeCurves(document, selection, { kind, steps: of("steps") });
    case "smooth":
      return changeCurves(document, selection, { kind, times: of("times") });
    case "mirrorValues":
    case "mirrorTime":
      return changeCurves(document, selection, { kind });
    case "cycle":
      return draw({
        kind,
        low: of("low"),
        high: of("high"),
        period: of("period"),
        peak: of("peak"),
        shape,
      });
    case "evolution":
      return draw({
        kind,
        before: of("before"),
        after: of("after"),
        begin: of("begin"),
        end: of("end"),
      });
    case "growth":
      return draw({ kind, start: of("start"), percentPerStep: of("percentPerStep") });
    case "spike":
      return draw({
        kind,
        base: of("base"),
        peak: of("peak"),
        at: of("at"),
        width: of("width"),
        fall: of("fall"),
      });
  }
}
