/**
 * The vertical scale of the curves: linear, or one that keeps rare statements visible beside frequent
 * ones. The second is linear around zero and logarithmic above, so that zero has its place.
 */
import type { FrequencyCurve } from "#model/workload.ts";
import { axisFromZero } from "../design/axis.ts";
import { frequencyAxis } from "../design/format.ts";

export interface FrequencyScale {
  /** Where a frequency stands, 0 at the bottom. */
  readonly to: (perSecond: number) => number;
  /** Frequencies that are labelled, from 0 to the top. */
  readonly ticks: readonly number[];
}

export function linearScale(highest: number): FrequencyScale {
  const { ticks } = axisFromZero(highest, frequencyAxis(highest).size);
  return { to: (perSecond) => perSecond, ticks };
}

/** At most this many decades: what is rarer still lies close to zero. */
const mostDecades = 5;

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
  return { to: (perSecond) => Math.log10(1 + perSecond / unit), ticks: [0, ...decades] };
}
