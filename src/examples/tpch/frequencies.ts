/**
 * How often the statements of the TPC-H example run: the patterns of the paper's experiments (Wakuta et
 * al., *NoSQL Schema Design for Time-Dependent Workloads*, evaluation) and one more, in which no two
 * neighbouring steps are alike. A step lasts 7,200 minutes. The duplicate group mirrors the original one,
 * but for the spikes, which come one after the other.
 */

export const patterns = ["cycles", "evolution", "spike", "smooth48", "smooth"] as const;
export type Pattern = (typeof patterns)[number];

/** How many steps a pattern has where nobody says: the paper's twelve, or two waves of 24. */
export function usualSteps(pattern: Pattern): number {
  return pattern === "smooth48" || pattern === "smooth" ? 48 : 12;
}

/** Executions per second of every statement of a group, one number per step. */
export interface GroupFrequencies {
  readonly original: readonly number[];
  readonly duplicate: readonly number[];
}

const low = 0.1;
const high = 0.9;

/** Cycles need a multiple of four steps; that is the caller's to check (`stepsProblem`). */
export function groupFrequencies(pattern: Pattern, steps: number): GroupFrequencies {
  const each = (perMinute: (t: number) => number): number[] =>
    // To twelve digits: what is equal but for the last bits of a cosine is one step to be solved, not several.
    Array.from({ length: steps }, (_, t) => Number((perMinute(t) / 60).toPrecision(12)));
  const both = (original: (t: number) => number): GroupFrequencies => ({
    original: each(original),
    duplicate: each((t) => low + high - original(t)),
  });
  switch (pattern) {
    case "cycles":
      return both((t) => (Math.floor((4 * t) / steps) % 2 === 0 ? low : high));
    case "evolution":
      return both((t) => low + ((high - low) * t) / Math.max(steps - 1, 1));
    case "smooth48":
    case "smooth":
      return both((t) => 0.5 - 0.4 * Math.cos((2 * Math.PI * t) / 24));
    case "spike": {
      const within = (t: number, from: number, to: number): number =>
        (12 * t) / steps >= from && (12 * t) / steps < to ? high : low;
      return { original: each((t) => within(t, 3, 5)), duplicate: each((t) => within(t, 7, 9)) };
    }
  }
}

/** Why a pattern cannot have so many steps; undefined where it can. */
export function stepsProblem(pattern: Pattern, steps: number): string | undefined {
  if (pattern === "cycles" && steps % 4 !== 0)
    return "Cycles have four blocks of equal length: take a multiple of 4.";
  return pattern === "smooth48" && steps !== usualSteps(pattern)
    ? "It has 48 steps, as its name says: take the pattern smooth for another number."
    : undefined;
}

/** The example's document file under a pattern and named after it, everything else as it is. */
export function withPattern(file: unknown, pattern: Pattern, steps: number): unknown {
  const document = file as DocumentFile;
  const { original, duplicate } = groupFrequencies(pattern, steps);
  return {
    ...document,
    name: `${document.name}: ${pattern}, ${steps} steps`,
    timeline: { ...document.timeline, steps },
    frequencies: Object.fromEntries(
      Object.entries(document.statements).map(([id, { group }]) => [
        id,
        group === "duplicate" ? duplicate : original,
      ]),
    ),
  };
}

/** What of the file is touched. */
interface DocumentFile {
  readonly name: string;
  readonly statements: Readonly<Record<string, { readonly group: string }>>;
  readonly timeline: object;
}
