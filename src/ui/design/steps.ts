/** How a time step is called: its label where the person gave one, else its number from 1. */
import type { TimeStep } from "#model/workload.ts";

/** Short, for axes and grid heads. */
export function stepLabel(step: TimeStep, labels: readonly string[] | undefined): string {
  return labels?.[step] ?? String(step + 1);
}

/** Unique in a table: `3`, or `3 (noon)`. */
export function stepHead(step: TimeStep, labels: readonly string[] | undefined): string {
  const label = labels?.[step];
  return label === undefined ? String(step + 1) : `${step + 1} (${label})`;
}

/** In a sentence: `step 3`, or `step 3 (noon)`. */
export function stepName(step: TimeStep, labels: readonly string[] | undefined): string {
  const label = labels?.[step];
  return label === undefined ? `step ${step + 1}` : `step ${step + 1} (${label})`;
}

/** Pixels that the longest label of the steps needs, at 11 to 12 px type. */
export function labelPixels(steps: number, labels: readonly string[] | undefined): number {
  const longest = Math.max(String(steps).length, ...(labels ?? []).map((label) => label.length));
  return longest * 6.6 + 12;
}

/** Every how many steps a label fits, when each needs `labelPixels` of `widthPixels`. */
export function labelEvery(steps: number, widthPixels: number, labelPixels: number): number {
  const least = Math.max(1, Math.ceil((steps * labelPixels) / Math.max(1, widthPixels)));
  return [1, 2, 3, 4, 6, 8, 12, 24, 48, 96].find((each) => each >= least) ?? least;
}
