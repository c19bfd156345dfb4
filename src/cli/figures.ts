/**
 * Numbers as people read them in a terminal: three significant digits with a unit (look.md, “Numbers”).
 * The same scales as the studio's; the exact values are in the result's JSON.
 */

interface Scale {
  readonly unit: string;
  readonly size: number;
}

const scales = {
  bytes: [
    { unit: "B", size: 1 },
    { unit: "kB", size: 1e3 },
    { unit: "MB", size: 1e6 },
    { unit: "GB", size: 1e9 },
    { unit: "TB", size: 1e12 },
    { unit: "PB", size: 1e15 },
  ],
  milliseconds: [
    { unit: "ms", size: 1 },
    { unit: "s", size: 1e3 },
    { unit: "min", size: 60e3 },
    { unit: "h", size: 3600e3 },
    { unit: "d", size: 24 * 3600e3 },
  ],
  count: [
    { unit: "", size: 1 },
    { unit: "k", size: 1e3 },
    { unit: "M", size: 1e6 },
    { unit: "G", size: 1e9 },
    { unit: "T", size: 1e12 },
  ],
} as const satisfies Record<string, readonly Scale[]>;

/** Bytes: `3.9 GB`. */
export function bytes(value: number): string {
  return scaled(value, scales.bytes, "");
}

/** Milliseconds of latency, or of waiting: `1.24 s`. */
export function duration(milliseconds: number): string {
  return scaled(milliseconds, scales.milliseconds, "");
}

/** A count of things: `12.6 k rows`. */
export function count(value: number, noun: string): string {
  return scaled(value, scales.count, noun);
}

/** `1 table`, `24 tables`: exact. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** A share as per cent: `12.3 %`; what lies below a millionth is none. */
export function perCent(share: number): string {
  return `${threeDigits(Math.abs(share) < 1e-6 ? 0 : share * 100)} %`;
}

function scaled(value: number, units: readonly Scale[], noun: string): string {
  // The largest unit whose shown number does not fall below 1: 999.6 kB reads 1 MB.
  const fits = ({ size }: Scale): boolean => Number((Math.abs(value) / size).toPrecision(3)) >= 1;
  const { unit, size } = units.findLast(fits) ?? (units[0] as Scale);
  return [threeDigits(value / size), unit, noun].filter(Boolean).join(" ");
}

function threeDigits(value: number): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  const magnitude = Math.abs(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Number(magnitude.toPrecision(3))) + 1e-12));
  const text = digits > 12 ? magnitude.toExponential(2) : magnitude.toFixed(digits);
  const trimmed = text.includes(".") && digits <= 12 ? text.replace(/\.?0+$/, "") : text;
  return `${value < 0 ? "−" : ""}${trimmed}`;
}
