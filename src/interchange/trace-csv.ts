/**
 * A trace: which statement ran when, one execution per row, counted into frequencies.
 *
 *     timestamp,statement
 *     2026-12-01T10:00:00Z,q1
 *     1764583201.5,q2
 *
 * Times are ISO 8601 (UTC where they name no zone) or seconds, milliseconds or microseconds since 1970.
 * Rows may stand in any order. A row that cannot be used is skipped and told with its line.
 */
import type { Result } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve, Timeline } from "#model/workload.ts";
import { type CsvRow, readCsv } from "./csv.ts";
import {
  type NamedStatement,
  refusal,
  type SkippedLine,
  statementFinder,
} from "./frequency-csv.ts";

export interface TraceEvent {
  /** Since 1970. */
  readonly seconds: number;
  readonly statement: StatementId;
}

export interface Trace {
  readonly events: readonly TraceEvent[];
  /** Times of the first and last event, in seconds since 1970. */
  readonly first: number;
  readonly last: number;
  readonly skipped: readonly SkippedLine[];
}

/** The executions of a text; refused where not one row can be used. */
export function readTrace(text: string, statements: readonly NamedStatement[]): Result<Trace> {
  const read = readCsv(text);
  if (!read.ok) return read;
  const { time, name, rows } = columnsOf(read.value);
  const find = statementFinder(statements);
  const events: TraceEvent[] = [];
  const skipped: SkippedLine[] = [];
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { line, cells } of rows) {
    const seconds = secondsOf(cells[time] ?? "");
    const statement = find(cells[name] ?? "");
    if (seconds === undefined) skipped.push({ line, why: `“${cells[time] ?? ""}” is no time.` });
    else if (typeof statement !== "string") skipped.push({ line, why: statement.why });
    else {
      events.push({ seconds, statement });
      first = Math.min(first, seconds);
      last = Math.max(last, seconds);
    }
  }
  if (events.length === 0) return refusal(skipped);
  return { ok: true, value: { events, first, last, skipped }, warnings: [] };
}

function columnsOf(rows: readonly CsvRow[]): {
  readonly time: number;
  readonly name: number;
  readonly rows: readonly CsvRow[];
} {
  const heads = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const time = heads.findIndex((head) => /^(?:time|timestamp|date|at|ts)$/.test(head));
  const name = heads.findIndex((head) => /^(?:statement|query|id|name|label)$/.test(head));
  if (time < 0 || name < 0) return { time: 0, name: 1, rows };
  return { time, name, rows: rows.slice(1) };
}

/** Numbers from here on are milliseconds, and from there on microseconds: seconds are below both for thousands of years. */
const leastMilliseconds = 1e11;
const leastMicroseconds = 1e14;
const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

function secondsOf(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number >= leastMicroseconds) return number / 1e6;
    return number >= leastMilliseconds ? number / 1e3 : number;
  }
  const match = isoTime.exec(text);
  if (!match) return undefined;
  const [, date, clock = "00:00", zone = "Z"] = match;
  const hours = zone.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2").toUpperCase();
  const milliseconds = Date.parse(`${date}T${clock.replace(",", ".")}${hours}`);
  return Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}

export interface CountedTrace {
  /** Of the statements that occur. */
  readonly curves: Readonly<Record<StatementId, FrequencyCurve>>;
  /** When step 1 begins, in seconds since 1970. */
  readonly begin: number;
  /** Executions behind the last step, which were not counted. */
  readonly beyond: number;
  /** How many times the timeline goes by from the first event to the last; 1 where nothing is folded. */
  readonly rounds: number;
}

/**
 * Counts a trace into the steps of a timeline. Without folding, step 1 begins at the whole step in which
 * the first event falls, and what lies behind the last step is left out. With folding, every round of the
 * timeline (a day, say) is laid over the first, and the mean of the rounds is taken; a round begins at a
 * multiple of its length since 1970, so that days begin at midnight UTC.
 */
export function countTrace(trace: Trace, timeline: Timeline, folds: boolean): CountedTrace {
  const { steps, stepSeconds } = timeline;
  const round = steps * stepSeconds;
  const unit = folds ? round : stepSeconds;
  const begin = Math.floor(trace.first / unit) * unit;
  const rounds = folds ? Math.floor((trace.last - begin) / round) + 1 : 1;
  const counts = new Map<StatementId, number[]>();
  let beyond = 0;
  for (const { seconds, statement } of trace.events) {
    const step = Math.floor((seconds - begin) / stepSeconds);
    if (!folds && step >= steps) {
      beyond += 1;
      continue;
    }
    const count = counts.get(statement) ?? Array.from({ length: steps }, () => 0);
    count[step % steps] = (count[step % steps] ?? 0) + 1;
    counts.set(statement, count);
  }
  const perSecond = (count: number): number =>
    Number((count / (stepSeconds * rounds)).toPrecision(12));
  const curves = [...counts].map(([id, count]) => [id, count.map(perSecond)] as const);
  return { curves: Object.fromEntries(curves), begin, beyond, rounds };
}
