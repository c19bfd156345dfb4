/**
 * Two runs of the bench beside each other: ratios of seconds and memory, and whether the same work was
 * done and the same answer found. Ratios are told, never judged: machines and their load differ.
 */
import { duration, perCent } from "../figures.ts";
import { type TextColumn, textTable } from "../text-table.ts";
import { identityOf } from "./bench-file.ts";
import type { Measurement } from "./measurement.ts";

const columns: readonly TextColumn[] = [
  { head: "workload", align: "left" },
  ...["now", "then", "time ×", "memory ×", "cost ×", "gap now", "gap then"].map(
    (head) => ({ head, align: "right" }) as const,
  ),
  { head: "counts", align: "left" },
];

/** Lines of the table; workloads that only one side has are named below it. */
export function compareRuns(now: readonly Measurement[], stored: readonly Measurement[]): string[] {
  const before = new Map(stored.map((each) => [identityOf(each), each]));
  const pairs = now.flatMap((each) => {
    const other = before.get(identityOf(each));
    return other ? [{ now: each, stored: other }] : [];
  });
  const compared = new Set(pairs.map((pair) => identityOf(pair.now)));
  const alone = now.filter((each) => !compared.has(identityOf(each))).map(nameOf);
  return [
    ...(pairs.length > 0 ? textTable(columns, pairs.map(row)) : []),
    ...(alone.length > 0 ? [`  not in the stored run: ${alone.join(", ")}`] : []),
  ];
}

function row(pair: { readonly now: Measurement; readonly stored: Measurement }): string[] {
  const { now, stored } = pair;
  return [
    nameOf(now),
    duration(secondsOf(now) * 1000),
    duration(secondsOf(stored) * 1000),
    ratio(secondsOf(now), secondsOf(stored)),
    ratio(now.peakMemory, stored.peakMemory),
    ratio(now.answer?.objective, stored.answer?.objective, 4),
    gapText(now),
    gapText(stored),
    countsText(now, stored),
  ];
}

export function nameOf({ workload, mode }: Measurement): string {
  return mode === "certified" ? workload : `${workload} (${mode})`;
}

function secondsOf({ seconds }: Measurement): number {
  return seconds["total"] ?? 0;
}

function gapText({ answer, status }: Measurement): string {
  return answer ? perCent(answer.gap) : status;
}

/** now / then; a dash where either is missing. */
function ratio(now: number | undefined, then: number | undefined, digits = 2): string {
  return now === undefined || then === undefined || then === 0 ? "–" : (now / then).toFixed(digits);
}

/** The counts that decide how much work there is, where they differ. */
function countsText({ counts: now }: Measurement, { counts: then }: Measurement): string {
  const told = ["candidates", "queryPlans", "columns", "rows"];
  const differing = told.filter((name) => now[name] !== then[name]);
  return differing.length === 0
    ? "the same"
    : differing.map((name) => `${name} ${then[name] ?? "–"} → ${now[name] ?? "–"}`).join(", ");
}
