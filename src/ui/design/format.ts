/**
 * Numbers as people read them: three significant digits with a unit; the exact value belongs into
 * the title and the tables (look.md, "Numbers"). Every function names its unit, so no number stands alone.
 */

const minus = "−";

/** A number with its unit: `text` for the eye, `exact` for the title. */
export interface Figure {
  readonly text: string;
  readonly exact: string;
}

/** Three significant digits, without exponent and without trailing zeros after a point. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : Number.isNaN(value) ? "–" : `${minus}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size) + 1e-12));
  const rounded = digits > 12 ? size.toExponential(2) : trimmed(size.toFixed(digits));
  return `${value < 0 ? minus : ""}${rounded}`;
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** All digits, in groups of three; at most six after the point. */
export function exactNumber(value: number): string {
  if (!Number.isFinite(value)) return threeDigits(value);
  return value
    .toLocaleString("en-GB", { maximumFractionDigits: 6, useGrouping: true })
    .replaceAll(",", "\u202f")
    .replace("-", minus);
}

interface Scale {
  readonly unit: string;
  readonly size: number;
}

const byteScales: readonly Scale[] = [
  { unit: "B", size: 1 },
  { unit: "kB", size: 1e3 },
  { unit: "MB", size: 1e6 },
  { unit: "GB", size: 1e9 },
  { unit: "TB", size: 1e12 },
  { unit: "PB", size: 1e15 },
];

const timeScales: readonly Scale[] = [
  { unit: "ms", size: 1 },
  { unit: "s", size: 1e3 },
  { unit: "min", size: 60e3 },
  { unit: "h", size: 3600e3 },
];

/** Spans of the calendar may be days; costs stay in hours, so that they compare at a glance. */
const spanScales: readonly Scale[] = [...timeScales, { unit: "d", size: 24 * 3600e3 }];

const countScales: readonly Scale[] = [
  { unit: "", size: 1 },
  { unit: "k", size: 1e3 },
  { unit: "M", size: 1e6 },
  { unit: "G", size: 1e9 },
  { unit: "T", size: 1e12 },
];

/** The largest scale whose shown number does not fall below 1 (999.6 kB reads 1 MB). */
function scaleFor(value: number, scales: readonly Scale[]): Scale {
  const size = Math.abs(value);
  let chosen = scales[0] as Scale;
  for (const scale of scales) if (roundedTo3(size / scale.size) >= 1) chosen = scale;
  return chosen;
}

function roundedTo3(value: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(3));
}

function scaled(value: number, scales: readonly Scale[], noun: string, exactUnit: string): Figure {
  const scale = scaleFor(value, scales);
  const unit = [scale.unit, noun].filter(Boolean).join(" ");
  const number = threeDigits(value / scale.size);
  return {
    text: unit ? `${number}\u00a0${unit}` : number,
    exact: `${exactNumber(value)}${exactUnit ? ` ${exactUnit}` : ""}`,
  };
}

/** Bytes: `3.9 GB`. */
export function bytes(value: number): Figure {
  return scaled(value, byteScales, "", "bytes");
}

/** Milliseconds of latency: `1.24 s`, `2.3 h`. */
export function duration(milliseconds: number): Figure {
  return scaled(milliseconds, timeScales, "", "ms");
}

/** A count of things: `12.6 k rows`, `1 row`. The noun, in the plural, is part of the number. */
export function count(value: number, nouns: string): Figure {
  const one = nouns.endsWith("s") ? nouns.slice(0, -1) : nouns;
  const noun = threeDigits(value) === "1" ? one : nouns;
  return scaled(value, countScales, noun, value === 1 ? one : nouns);
}

/** Executions per second: `1.2 k/s`. */
export function frequency(perSecond: number): Figure {
  const scale = scaleFor(perSecond, countScales);
  return {
    text: `${threeDigits(perSecond / scale.size)}\u00a0${scale.unit}/s`,
    exact: `${exactNumber(perSecond)} executions per second`,
  };
}

/** A share as per cent: `12.3 %`. */
export function perCent(share: number): string {
  return `${threeDigits(share * 100)}\u00a0%`;
}

/** A difference as signed per cent of `reference`: `−22.1 %`. */
export function signedPerCent(value: number, reference: number): string {
  if (reference === 0) return value === 0 ? "±0\u00a0%" : "–";
  const share = ((value - reference) / reference) * 100;
  if (Math.abs(share) < 0.005) return "±0\u00a0%";
  return `${share > 0 ? "+" : ""}${threeDigits(share)}\u00a0%`;
}

/** One unit for a whole axis, from its largest value. */
export interface AxisUnit {
  readonly unit: string;
  readonly size: number;
}

export function timeAxis(largestMilliseconds: number): AxisUnit {
  return scaleFor(largestMilliseconds, timeScales);
}

export function byteAxis(largestBytes: number): AxisUnit {
  return scaleFor(largestBytes, byteScales);
}

export function frequencyAxis(largestPerSecond: number): AxisUnit {
  const scale = scaleFor(largestPerSecond, countScales);
  return { unit: `${scale.unit}/s`, size: scale.size };
}

/** Seconds as a span people say: `1 h`, `15 min`, `1.5 d`. */
export function span(seconds: number): string {
  return scaled(seconds * 1000, spanScales, "", "ms").text;
}

/** Seconds of waiting: `0:07`, `12:40`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** `1 table`, `3 tables`. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${exactNumber(amount)} ${amount === 1 ? one : many}`;
}

/** What a person typed as a number: digits with spaces, `k M G`, a decimal point or comma; undefined when it is none. */
export function readNumber(text: string): number | undefined {
  const match = /^([+-]?\d*[.,]?\d+|\d+[.,])(e[+-]?\d+)?([kKmMgGT])?$/.exec(
    text.replaceAll(/[\s\u00a0\u202f_']/g, "").replace(minus, "-"),
  );
  if (!match) return undefined;
  const number = Number(`${(match[1] ?? "").replace(",", ".")}${match[2] ?? ""}`);
  const factor = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, g: 1e9, G: 1e9, T: 1e12 }[match[3] ?? ""] ?? 1;
  return Number.isFinite(number) ? number * factor : undefined;
}

/** Bytes as typed: `3.9 GB`, `500 MB`, `1200`. */
export function readBytes(text: string): number | undefined {
  const match = /^(.*?)\s*(kB|KB|MB|GB|TB|PB|B|bytes)?$/i.exec(text.trim());
  if (!match) return undefined;
  const unit = (match[2] ?? "B").toUpperCase();
  const scale = byteScales.find((each) => each.unit.toUpperCase() === unit);
  const number = readNumber(match[1] ?? "");
  return number === undefined ? undefined : number * (scale?.size ?? 1);
}
