/** Round numbers for an axis, in the unit in which it is labelled. */

export interface Axis {
  readonly ticks: readonly number[];
  readonly bottom: number;
  readonly top: number;
}

/** Ticks at 1, 2, 2.5 or 5 times a power of ten of the unit; the last one holds the largest value. */
export function axisFromZero(largest: number, unitSize: number, wanted = 4): Axis {
  return axisBetween(0, largest > 0 ? largest : unitSize, unitSize, wanted);
}

/** The same between two values, for charts that show a difference. */
export function axisBetween(low: number, high: number, unitSize: number, wanted = 4): Axis {
  const [from, to] = [low / unitSize, high / unitSize];
  const rough = (to > from ? to - from : Math.max(Math.abs(to), 1)) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const first = Math.floor(from / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(to / step - 1e-9));
  const ticks = Array.from(
    { length: last - first + 1 },
    (_, index) => Number(((first + index) * step).toPrecision(12)) * unitSize,
  );
  return { ticks, bottom: ticks[0] ?? 0, top: ticks.at(-1) ?? unitSize };
}
