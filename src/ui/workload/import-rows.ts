/** Frequencies and traces from files as the Workload room takes them in: what was read, in words and numbers. */
import {
  type NamedStatement,
  readFrequencies,
  type SkippedLine,
} from "#interchange/frequency-csv.ts";
import { countTrace, readTrace, type Trace } from "#interchange/trace-csv.ts";
import type { Result } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve, Timeline } from "#model/workload.ts";
import { exactNumber, plural } from "../design/format.ts";

export type FileKind = "frequencies" | "trace";

/** What a text says, before it is fitted to the steps. */
export type Imported =
  | {
      readonly kind: "frequencies";
      readonly steps: number;
      readonly curves: Readonly<Record<StatementId, FrequencyCurve>>;
      readonly skipped: readonly SkippedLine[];
    }
  | { readonly kind: "trace"; readonly trace: Trace; readonly skipped: readonly SkippedLine[] };

/** A first cell that is a time, or is called so, makes it a trace. */
export function guessKind(text: string): FileKind {
  const begin = text.trimStart().slice(0, 200);
  return /^"?(?:time|timestamp|date|at|ts)\b/i.test(begin) ||
    /^"?\d[\d.:TZ +-]*"?[,;\t]/i.test(begin)
    ? "trace"
    : "frequencies";
}

export function readImport(
  text: string,
  kind: FileKind,
  statements: readonly NamedStatement[],
): Result<Imported> {
  if (kind === "frequencies") {
    const read = readFrequencies(text, statements);
    return read.ok ? { ...read, value: { kind, ...read.value } } : read;
  }
  const read = readTrace(text, statements);
  if (!read.ok) return read;
  return { ...read, value: { kind, trace: read.value, skipped: read.value.skipped } };
}

/** The curves to take over, and what there is to say about them, one sentence each. */
export function importedCurves(
  imported: Imported,
  statements: readonly NamedStatement[],
  timeline: Timeline,
  folds: boolean,
): {
  readonly curves: Readonly<Record<StatementId, FrequencyCurve>>;
  readonly words: readonly string[];
} {
  if (imported.kind === "frequencies") {
    const { curves, steps } = imported;
    const amount = plural(Object.keys(curves).length, "statement");
    return {
      curves,
      words: [`${amount} with ${plural(steps, "step")} each.`, ...othersWords(curves, statements)],
    };
  }
  const { trace } = imported;
  const { curves, begin, beyond, rounds } = countTrace(trace, timeline, folds);
  const counted = trace.events.length - beyond;
  const words = [
    `${plural(counted, "execution")} of ${plural(Object.keys(curves).length, "statement")} counted from ${timeText(begin)} on.`,
    ...(rounds > 1
      ? [`Each number is the mean of ${plural(rounds, "round")} of the timeline.`]
      : []),
    ...(beyond > 0
      ? [
          `${plural(beyond, "execution")} after the last step ${beyond === 1 ? "is" : "are"} left out.`,
        ]
      : []),
    ...othersWords(curves, statements),
  ];
  return { curves, words };
}

function othersWords(
  curves: Readonly<Record<StatementId, FrequencyCurve>>,
  statements: readonly NamedStatement[],
): readonly string[] {
  const others = statements.filter(({ id }) => !Object.hasOwn(curves, id)).length;
  return others === 0
    ? []
    : [
        `${plural(others, "other statement")} ${others === 1 ? "keeps its curve" : "keep their curves"}.`,
      ];
}

function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? `${exactNumber(seconds)} s`
    : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
