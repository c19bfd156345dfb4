/**
 * The six kinds of cost and the baselines: their words, colours and patterns, fixed across all rooms
 * (look.md, "Colour"). Listed in the order in which charts stack them, workload below migration.
 */
import type { Baseline, CostBreakdown } from "#model/recommendation.ts";

export type CostKind = keyof CostBreakdown;

export interface CostKindLook {
  readonly kind: CostKind;
  readonly word: string;
  /** What the kind means, with the paper's term; for tooltips. */
  readonly meaning: string;
  readonly colour: string;
  /** Pattern drawn over the colour, so that kinds differ without it. */
  readonly pattern: "plain" | "dots" | "rising" | "falling" | "level" | "cross";
}

export const costKinds: readonly CostKindLook[] = [
  {
    kind: "query",
    word: "Queries",
    meaning: "Executing the queries of the workload with their chosen plans.",
    colour: "var(--query)",
    pattern: "plain",
  },
  {
    kind: "support",
    word: "Support queries",
    meaning: "Reads that an update needs to find the rows it has to change in a table.",
    colour: "var(--support)",
    pattern: "dots",
  },
  {
    kind: "update",
    word: "Updates",
    meaning: "Writing inserts, updates and deletes to every table that holds their data.",
    colour: "var(--update)",
    pattern: "rising",
  },
  {
    kind: "extract",
    word: "Extract",
    meaning: "Reading source tables in full to fill a new one; the paper’s extraction.",
    colour: "var(--extract)",
    pattern: "level",
  },
  {
    kind: "load",
    word: "Load",
    meaning: "Writing the rows of a new table; the paper’s loading.",
    colour: "var(--load)",
    pattern: "falling",
  },
  {
    kind: "maintenance",
    word: "Maintenance",
    meaning: "Updates that arrive while a table is being filled and have to be written to it, too.",
    colour: "var(--maintenance)",
    pattern: "cross",
  },
];

export interface BaselineLook {
  readonly kind: Baseline["kind"];
  readonly word: string;
  readonly meaning: string;
  readonly colour: string;
  readonly dash: string;
}

export const baselineLooks: readonly BaselineLook[] = [
  {
    kind: "static average",
    word: "Static, average",
    meaning: "One schema for all steps, the best for the average frequencies.",
    colour: "var(--baseline-1)",
    dash: "9 4",
  },
  {
    kind: "static first step",
    word: "Static, first step",
    meaning: "One schema for all steps, the best for the first step.",
    colour: "var(--baseline-2)",
    dash: "5 3",
  },
  {
    kind: "static last step",
    word: "Static, last step",
    meaning: "One schema for all steps, the best for the last step.",
    colour: "var(--baseline-3)",
    dash: "9 3 2 3",
  },
  {
    kind: "ideal",
    word: "Ideal",
    meaning:
      "Every step with its own best schema and migrations for free: no answer can cost less.",
    colour: "var(--baseline-4)",
    dash: "2 4",
  },
];

export function costTotal(cost: CostBreakdown): number {
  return cost.query + cost.update + cost.support + cost.extract + cost.load + cost.maintenance;
}
