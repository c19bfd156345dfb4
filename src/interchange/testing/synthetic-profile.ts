/** Profiles of a cluster whose coefficients are known, with normal noise from a seed. */
import type { CostModel } from "#model/cost-model.ts";
import {
  costFormulas,
  type MeasuredOperation,
  type ProfileSample,
  termValues,
} from "#model/cost-model-fit.ts";

/** What the synthetic cluster costs; unlike every preset. */
export const trueCoefficients: Readonly<
  Record<MeasuredOperation, Readonly<Record<string, number>>>
> = {
  get: { fixed: 0.8, perGet: 0.3, perRow: 0.004, perByte: 2.5e-5 },
  put: { fixed: 0.6, perRow: 0.15 },
  extract: { fixed: 1500, perByte: 1.6e-5 },
  load: { fixed: 2500, perByte: 4.2e-5 },
} satisfies Pick<CostModel, MeasuredOperation>;

/** Standard deviation of the noise, milliseconds. */
const noise: Readonly<Record<MeasuredOperation, number>> = {
  get: 0.25,
  put: 0.1,
  extract: 900,
  load: 1800,
};

/** The settings that are measured. */
export const design: Readonly<Record<MeasuredOperation, readonly (readonly number[])[]>> = {
  get: [1, 4, 16].flatMap((n) =>
    [n, 10 * n, 60 * n].flatMap((w) => [32, 400].map((s) => [n, w, s])),
  ),
  put: [1, 2, 5, 10, 20].map((w) => [w]),
  extract: [1e8, 3e8, 6e8, 1e9, 2e9].map((size) => [size]),
  load: [1e8, 3e8, 6e8, 1e9, 2e9].map((size) => [size]),
};

/** Every setting measured `repetitions` times; the same for the same seed. */
export function syntheticProfile(
  seed: number,
  repetitions: number,
  { noiseFactor = 1 }: { readonly noiseFactor?: number } = {},
): ProfileSample[] {
  const normal = normals(seed);
  let line = 1;
  return costFormulas.flatMap((formula) => {
    const { operation, terms } = formula;
    return design[operation].flatMap((at) =>
      Array.from({ length: repetitions }, (): ProfileSample => {
        const values = termValues(formula, at);
        const mean = terms.reduce(
          (sum, { name }, term) =>
            sum + (values[term] ?? 0) * (trueCoefficients[operation][name] ?? 0),
          0,
        );
        line += 1;
        return {
          line,
          operation,
          at,
          milliseconds: mean + normal() * noise[operation] * noiseFactor,
        };
      }),
    );
  });
}

/** The same as a file. */
export function profileText(samples: readonly ProfileSample[]): string {
  const lines = samples.map(({ operation, at, milliseconds }) => {
    const formula = costFormulas.find((each) => each.operation === operation);
    const cell = (feature: "n" | "w" | "s" | "size"): string => {
      const index = formula?.features.indexOf(feature) ?? -1;
      return index < 0 ? "" : String(at[index]);
    };
    const features = (["n", "w", "s", "size"] as const).map(cell).join(",");
    return `${operation},${features},${milliseconds}`;
  });
  return `operation,n,w,s,size,milliseconds\n${lines.join("\n")}\n`;
}

/** Standard normal numbers (Box and Muller) from a 32-bit generator (mulberry32). */
function normals(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
