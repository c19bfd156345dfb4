/**
 * The vertical scale of the curves: linear, or one that keeps rare statements visible beside frequent
 * ones. The second is linear around zero and logarithmic above, so that zero has its place.
 */
import { tidy } from "#model/frequency-curve.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { axisFromZero } from "../design/axis.ts";
import { frequencyAxis } from "../design/format.ts";

export interface FrequencyScale {
  /** Where a frequency stands, 0 at the bottom. */
  readonly to: (perSecond: number) => number;
  /** The frequency that stands at a place; 0 for what lies under the bottom. */
  readonly from: (place: number) => number;
  /** The smallest difference that can be seen or made at a frequency: a point moves by this. */
  readonly grain: (perSecond: number) => number;
  /** Frequencies that are labelled, from 0 to the top. */
  readonly ticks: readonly number[];
}

export function linearScale(highest: number): FrequencyScale {
  const { ticks } = axisFromZero(highest, frequencyAxis(highest).size);
  const grain = roundBelow((ticks.at(-1) ?? highest) / 100);
  return {
    to: (perSecond) => perSecond,
    from: (place) => Math.max(0, place),
    grain: () => grain,
    ticks,
  };
}

/** The largest of 1, 2 and 5 times a power of ten that is not above a number. */
function roundBelow(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number) + 1e-9);
  const times = [5, 2, 1].find((each) => each * power <= number * (1 + 1e-9)) ?? 1;
  return tidy(times * power);
}

/** At most this many decades: what is rarer still lies close to zero. */
const mostDecades = 6;

export function logarithmicScale(
  curves: readonly FrequencyCurve[],
  highest: number,
): FrequencyScale {
  let rarest = highest;
  for (const curve of curves)
    for (const value of curve) if (value > 0 && value < rarest) rarest = value;
  const top = Math.ceil(Math.log10(highest) - 1e-9);
  const bottom = Math.max(Math.floor(Math.log10(rarest) + 1e-9), top - mostDecades);
  const unit = 10 ** bottom;
  const decades = Array.from({ length: top - bottom + 1 }, (_, index) =>
    Number((10 ** (bottom + index)).toPrecision(12)),
  );
  return {
    to: (perSecond) => Math.log10(1 + perSecond / unit),
    from: (place) => Math.max(0, (10 ** place - 1) * unit),
    // Two digits of every number; a tenth of the lowest decade close to zero.
    grain: (perSecond) =>
      tidy(10 ** (Math.max(bottom, Math.floor(Math.log10(perSecond || unit) + 1e-9)) - 1)),
    ticks: [0, ...decades],
  };
}

/** The frequency a dragged point stands at: the place on the scale, to its grain. */
export function draggedTo(scale: FrequencyScale, place: number): number {
  const perSecond = scale.from(place);
  const grain = scale.grain(perSecond);
  return tidy(Math.round(perSecond / grain) * grain);
}

/** The frequency `steps` grains above (negative: below) another one; never below 0. */
export function nudged(scale: FrequencyScale, perSecond: number, steps: number): number {
  const grain = scale.grain(perSecond);
  // Downwards from 10, the grain is that of what lies below: 9.9.
  const own = steps < 0 ? scale.grain(Math.max(0, perSecond - grain / 10)) : grain;
  const at = perSecond / own;
  const even = steps > 0 ? Math.floor(at + 1e-6) : Math.ceil(at - 1e-6);
  return Math.max(0, tidy((even + steps) * own));
}
