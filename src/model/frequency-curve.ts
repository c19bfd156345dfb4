/**
 * What can be done to a frequency curve: patterns over time (the families of the paper's experiments:
 * cycles, evolution, growth, spikes), changes of what is there, and fitting to another number of steps.
 *
 * Decides that a change keeps to a range of steps and leaves the others alone, and that numbers come
 * out with at most twelve digits, so that 0.1 + 0.2 reads 0.3. Promises that no change of a curve ≥ 0
 * brings a negative frequency, and that the same parameters, seed included, give the same curve.
 */
import { randomFrom } from "./random.ts";
import type { FrequencyCurve, TimeStep } from "./workload.ts";

/** Steps from `first` to `last`, both included, counted from 0. */
export interface StepRange {
  readonly first: TimeStep;
  readonly last: TimeStep;
}

/** A curve from nothing. Frequencies in executions per second; times in steps, counted from 1. */
export type CurvePattern =
  /** Rises and falls again and again, as a wave or in blocks of `high` and `low`. */
  | {
      readonly kind: "cycle";
      readonly low: number;
      readonly high: number;
      /** Length of one period, in steps. */
      readonly period: number;
      /** A step in the middle of a time of `high`. */
      readonly peak: number;
      readonly shape: "wave" | "blocks";
    }
  /** Stays at `before` until `begin`, reaches `after` at `end` and stays there: evolution, then stagnation. */
  | {
      readonly kind: "evolution";
      readonly before: number;
      readonly after: number;
      readonly begin: number;
      readonly end: number;
    }
  /** Grows by the same share in every step; a negative share makes it fall. */
  | { readonly kind: "growth"; readonly start: number; readonly percentPerStep: number }
  /** `base` except for `width` steps from `at` on, in which it is `peak`; then it falls back over `fall` steps. */
  | {
      readonly kind: "spike";
      readonly base: number;
      readonly peak: number;
      readonly at: number;
      readonly width: number;
      readonly fall: number;
    };

/** How far chance moves each value, in per cent of it, and from which seed. */
export interface Jitter {
  readonly percent: number;
  readonly seed: number;
}

/** A change of the values that are there. */
export type CurveChange =
  | { readonly kind: "scale"; readonly factor: number }
  /** Adds so many executions per second; what would fall below 0 becomes 0. */
  | { readonly kind: "raise"; readonly by: number }
  /** Moves the values later (or, negative, earlier); what leaves the range at one end enters at the other. */
  | { readonly kind: "shift"; readonly steps: number }
  /** Averages each value with its neighbours, so many times. The sum of the range stays. */
  | { readonly kind: "smooth"; readonly times: number }
  /** Turns high into low about the middle between the highest and the lowest value: the paper's mirrored group. */
  | { readonly kind: "mirrorValues" }
  /** Runs the range backwards. */
  | { readonly kind: "mirrorTime" };

/**
 * How a curve is fitted to another number of steps.
 *  - `stretch`: the same shape over all steps, each with the mean of what it covers: totals stay.
 *  - `peaks`: the same shape, each step with the highest of what it covers: peaks stay.
 *  - `cut`: steps that stay keep their numbers; the last number goes on into new ones.
 *  - `repeat`: steps that stay keep their numbers; new ones begin again from the first.
 */
export type Resampling = "stretch" | "peaks" | "cut" | "repeat";

/** The whole of a curve. */
export function wholeRange(steps: number): StepRange {
  return { first: 0, last: steps - 1 };
}

/** A pattern over so many steps. */
export function patternCurve(
  pattern: CurvePattern,
  steps: number,
  jitter?: Jitter,
): FrequencyCurve {
  const random = jitter && jitter.percent > 0 ? randomFrom(jitter.seed) : undefined;
  return Array.from({ length: steps }, (_, step) => {
    const value = valueAt(pattern, step + 1);
    const share = random && jitter ? ((2 * random.next() - 1) * jitter.percent) / 100 : 0;
    return tidy(Math.max(0, value * (1 + share)));
  });
}

function valueAt(pattern: CurvePattern, step: number): number {
  switch (pattern.kind) {
    case "cycle":
      return cycleAt(pattern, step);
    case "evolution": {
      const { before, after, begin, end } = pattern;
      const share = end > begin ? (step - begin) / (end - begin) : step >= begin ? 1 : 0;
      return before + (after - before) * Math.min(1, Math.max(0, share));
    }
    case "growth":
      return pattern.start * (1 + pattern.percentPerStep / 100) ** (step - 1);
    case "spike": {
      const { base, peak, at, width, fall } = pattern;
      if (step < at) return base;
      const beyond = step - (at + width - 1);
      if (beyond <= 0) return peak;
      return beyond > fall ? base : peak + ((base - peak) * beyond) / (fall + 1);
    }
  }
}

function cycleAt(pattern: Extract<CurvePattern, { kind: "cycle" }>, step: number): number {
  const { low, high, period, peak, shape } = pattern;
  if (shape === "wave")
    return low + (high - low) * ((1 + Math.cos((2 * Math.PI * (step - peak)) / period)) / 2);
  // A block of `high` is half a period long and has its middle, or the step before it, at the peak.
  const begin = peak - Math.floor((period / 2 - 1) / 2);
  const within = (((step - begin) % period) + period) % period;
  return within < period / 2 ? high : low;
}

/** The curve with a change made to a range of its steps. */
export function changedCurve(
  curve: FrequencyCurve,
  range: StepRange,
  change: CurveChange,
): FrequencyCurve {
  const within = curve.slice(range.first, range.last + 1);
  const next = changed(within, change);
  return curve.map((value, step) => {
    if (step < range.first || step > range.last) return value;
    return next[step - range.first] ?? value;
  });
}

/** The curve with the values of another one within a range of its steps. */
export function withinRange(
  curve: FrequencyCurve,
  range: StepRange,
  other: FrequencyCurve,
): FrequencyCurve {
  return curve.map((value, step) =>
    step >= range.first && step <= range.last ? (other[step] ?? value) : value,
  );
}

function changed(values: FrequencyCurve, change: CurveChange): FrequencyCurve {
  switch (change.kind) {
    case "scale":
      return values.map((value) => tidy(value * change.factor));
    case "raise":
      return values.map((value) => tidy(Math.max(0, value + change.by)));
    case "shift": {
      const { length } = values;
      return values.map(
        (value, at) => values[(((at - change.steps) % length) + length) % length] ?? value,
      );
    }
    case "smooth": {
      let next = values;
      for (let time = 0; time < change.times; time += 1) next = smoothedOnce(next);
      return next.map(tidy);
    }
    case "mirrorValues": {
      const low = Math.min(...values);
      const high = Math.max(...values);
      // The ends change places as they are, so that mirroring twice meets the very same ends again.
      return values.map((value) => {
        if (value === low) return high;
        return value === high ? low : tidy(Math.min(high, Math.max(low, low + high - value)));
      });
    }
    case "mirrorTime":
      return values.toReversed();
  }
}

/** A quarter of each neighbour and half of the value; the ends count twice, so that nothing is lost at them. */
function smoothedOnce(values: FrequencyCurve): FrequencyCurve {
  return values.map((value, at) => {
    const before = values[at - 1] ?? value;
    const after = values[at + 1] ?? value;
    return before / 4 + value / 2 + after / 4;
  });
}

/** A curve over another number of steps. */
export function resampledCurve(
  curve: FrequencyCurve,
  steps: number,
  how: Resampling,
): FrequencyCurve {
  if (how === "cut" || how === "repeat")
    return Array.from({ length: steps }, (_, step) => {
      const from = how === "cut" ? Math.min(step, curve.length - 1) : step % curve.length;
      return curve[from] ?? 0;
    });
  const width = curve.length / steps;
  return Array.from({ length: steps }, (_, step) => {
    const from = step * width;
    const to = from + width;
    let sum = 0;
    let highest = 0;
    for (let old = Math.floor(from); old < to - 1e-9 && old < curve.length; old += 1) {
      const value = curve[old] ?? 0;
      sum += value * Math.max(0, Math.min(to, old + 1) - Math.max(from, old));
      // A step that only touches another one by the rounding of the division does not cover it.
      if (Math.min(to, old + 1) - Math.max(from, old) > 1e-9) highest = Math.max(highest, value);
    }
    return how === "stretch" ? tidy(sum / width) : highest;
  });
}

/** Undoes the rounding of sums and products: 0.30000000000000004 is meant as 0.3. */
export function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
