/**
 * Numbers from 1 to n with Zipf's frequencies, P(k) ∝ k^−s, drawn exactly and without a table: rejection-
 * inversion after Hörmann and Derflinger, “Rejection-inversion to generate variates from monotone discrete
 * distributions” (ACM TOMACS 6, 1996).
 */
import type { Random } from "#model/random.ts";

/** A source of numbers 1 … n; `exponent` is s, above 0. */
export function zipfNumbers(n: number, exponent: number, random: Random): () => number {
  // H is an integral of x^−s, its inverse is exact; the bars 1 … n lie below the curve of the shifted integral.
  const integral = (x: number): number => {
    const log = Math.log(x);
    return expm1Ratio((1 - exponent) * log) * log;
  };
  const inverse = (x: number): number => {
    const t = Math.max(-1, x * (1 - exponent));
    return Math.exp(log1pRatio(t) * x);
  };
  const height = (x: number): number => Math.exp(-exponent * Math.log(x));
  const first = integral(1.5) - 1;
  const last = integral(n + 0.5);
  const surely = 2 - inverse(integral(2.5) - height(2));
  return () => {
    for (;;) {
      const u = last + random.next() * (first - last);
      const x = inverse(u);
      const k = Math.min(n, Math.max(1, Math.round(x)));
      if (k - x <= surely || u >= integral(k + 0.5) - height(k)) return k;
    }
  };
}

/** (eˣ − 1) / x, 1 at 0. */
function expm1Ratio(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
}

/** ln(1 + x) / x, 1 at 0. */
function log1pRatio(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
}
