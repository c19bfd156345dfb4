/**
 * Edits of many curves at once: changes and patterns over a selection of statements and steps, and what
 * a list of statements needs beside them (copies, another place). The convention is that of `commands.ts`.
 */
import {
  type CurveChange,
  type CurvePattern,
  changedCurve,
  type Jitter,
  patternCurve,
  resampledCurve,
  type StepRange,
  withinRange,
} from "#model/frequency-curve.ts";
import { anError, type Issue } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import {
  addStatement,
  type Edit,
  moveStatement,
  setCurves,
  setStatementGroup,
  setTimeline,
} from "./commands.ts";
import type { StudioDocument } from "./schema.ts";

/** The statements and steps that a change is made to. */
export interface CurveSelection {
  readonly statements: readonly StatementId[];
  readonly range: StepRange;
}

/** Changes the values that are there: scales, raises, shifts, smooths, mirrors. */
export function changeCurves(
  document: StudioDocument,
  selection: CurveSelection,
  change: CurveChange,
): Edit {
  return withCurves(document, selection, changeIssues(change), (curve) =>
    changedCurve(curve, selection.range, change),
  );
}

/**
 * Draws a pattern over the steps of a selection. Its times are steps of the whole timeline, so that a
 * selection shows a part of it. Chance gives every statement its own values from the one seed.
 */
export function drawPattern(
  document: StudioDocument,
  selection: CurveSelection,
  pattern: CurvePattern,
  jitter?: Jitter,
): Edit {
  const { steps } = document.timeline;
  const issues = [...patternIssues(pattern), ...jitterIssues(jitter)];
  return withCurves(document, selection, issues, (curve, at) => {
    const own = jitter && { ...jitter, seed: jitter.seed + at };
    return withinRange(curve, selection.range, patternCurve(pattern, steps, own));
  });
}

/**
 * Takes over curves from elsewhere, all of the same length. Where that is not the document's number of
 * steps, either the curves are fitted to the steps (their totals stay), or the document takes their
 * number of steps, and its other curves go on with their last value.
 */
export function takeCurves(
  document: StudioDocument,
  curves: Readonly<Record<StatementId, FrequencyCurve>>,
  fit: "curves" | "steps",
): Edit {
  const { steps, stepSeconds } = document.timeline;
  const length = Object.values(curves)[0]?.length ?? steps;
  if (fit === "curves" || length === steps)
    return setCurves(
      document,
      Object.fromEntries(
        Object.entries(curves).map(([id, curve]) => [
          id,
          curve.length === steps ? curve : resampledCurve(curve, steps, "stretch"),
        ]),
      ),
    );
  const retimed = setTimeline(document, { steps: length, stepSeconds }, "cut");
  return retimed.ok ? setCurves(retimed.value, curves) : retimed;
}

/** Adds a copy of a statement behind it, with its curve. */
export function duplicateStatement(
  document: StudioDocument,
  id: StatementId,
  copy: StatementId,
): Edit {
  const record = Object.hasOwn(document.statements, id) ? document.statements[id] : undefined;
  if (!record) return refusedStatement(id);
  // A record of its own: results are remembered by the identity of records.
  const label = `${record.label ?? id} (copy)`;
  const added = addStatement(document, copy, { ...record, label }, document.frequencies[id]);
  if (!added.ok) return added;
  const ids = Object.keys(document.statements);
  return moveStatement(added.value, copy, ids.indexOf(id) + 1);
}

/** Puts a statement directly before or behind another one, into the group of that one. */
export function placeStatement(
  document: StudioDocument,
  id: StatementId,
  beside: StatementId,
  side: "before" | "behind",
): Edit {
  for (const each of [id, beside])
    if (!Object.hasOwn(document.statements, each)) return refusedStatement(each);
  const group = document.statements[beside]?.group ?? "";
  const regrouped = setStatementGroup(document, id, group);
  if (!regrouped.ok || id === beside) return regrouped;
  const others = Object.keys(document.statements).filter((each) => each !== id);
  const at = others.indexOf(beside) + (side === "behind" ? 1 : 0);
  return moveStatement(regrouped.value, id, at);
}

/**
 * Moves a statement past the one displayed next to it; where that stands in another group, into that
 * group, at the end that is nearer.
 */
export function moveStatementPast(
  document: StudioDocument,
  id: StatementId,
  neighbour: StatementId,
  side: "before" | "behind",
): Edit {
  const groupOf = (each: StatementId): string => document.statements[each]?.group ?? "";
  const other = side === "before" ? "behind" : "before";
  const isSameGroup = groupOf(id) === groupOf(neighbour);
  return placeStatement(document, id, neighbour, isSameGroup ? side : other);
}

// ----------------------------------------------------------------------------------------- helpers

function withCurves(
  document: StudioDocument,
  { statements, range }: CurveSelection,
  issues: readonly Issue[],
  next: (curve: FrequencyCurve, at: number) => FrequencyCurve,
): Edit {
  const { steps } = document.timeline;
  const all = [...issues, ...selectionIssues(statements, range, steps)];
  if (all.length > 0) return { ok: false, issues: all };
  return setCurves(
    document,
    Object.fromEntries(statements.map((id, at) => [id, next(document.frequencies[id] ?? [], at)])),
  );
}

function selectionIssues(
  statements: readonly StatementId[],
  { first, last }: StepRange,
  steps: number,
): Issue[] {
  const isStep = (step: number): boolean => Number.isInteger(step) && step >= 0 && step < steps;
  if (statements.length === 0)
    return [anError("selection", "No statement is chosen.", "Choose at least one in the list.")];
  return isStep(first) && isStep(last) && first <= last
    ? []
    : [
        anError(
          "selection",
          `There are no steps from ${first + 1} to ${last + 1}.`,
          `Choose steps from 1 to ${steps}, the first one first.`,
        ),
      ];
}

/** Every number of a change or pattern: what it is called in its field, and what it may be. */
interface Bound {
  readonly least?: number;
  readonly whole?: boolean;
}

const bounds: Readonly<Record<string, Bound>> = {
  factor: { least: 0 },
  by: {},
  steps: { whole: true },
  times: { least: 1, whole: true },
  low: { least: 0 },
  high: { least: 0 },
  period: { least: 2 },
  peak: { least: 0 },
  before: { least: 0 },
  after: { least: 0 },
  begin: {},
  end: {},
  start: { least: 0 },
  percentPerStep: { least: -100 },
  base: { least: 0 },
  at: { whole: true },
  width: { least: 1, whole: true },
  fall: { least: 0, whole: true },
  percent: { least: 0 },
  seed: { least: 0, whole: true },
};

/** Most passes of smoothing; more changes nothing that could be seen. */
const mostTimes = 100;

function changeIssues(change: CurveChange): Issue[] {
  const issues = numberIssues(change);
  if (issues.length === 0 && change.kind === "smooth" && change.times > mostTimes)
    return [
      anError("change/times", `${change.times} times is too often.`, `Enter at most ${mostTimes}.`),
    ];
  return issues;
}

function patternIssues(pattern: CurvePattern): Issue[] {
  const issues = numberIssues(pattern);
  if (issues.length === 0 && pattern.kind === "evolution" && pattern.end < pattern.begin)
    return [
      anError(
        "change/end",
        "The evolution ends before it begins.",
        `Enter a step from ${pattern.begin} on.`,
      ),
    ];
  return issues;
}

function jitterIssues(jitter: Jitter | undefined): Issue[] {
  if (!jitter) return [];
  const issues = numberIssues(jitter);
  if (issues.length === 0 && jitter.percent > 100)
    return [
      anError(
        "change/percent",
        "Chance cannot move a value by more than 100 %.",
        "Enter 0 to 100.",
      ),
    ];
  return issues;
}

function numberIssues(parameters: object): Issue[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const bound = bounds[name];
    if (!bound || typeof value !== "number") return [];
    const { least, whole = false } = bound;
    const fits =
      Number.isFinite(value) &&
      (least === undefined || value >= least) &&
      (!whole || Number.isInteger(value));
    if (fits) return [];
    const from = least === undefined ? "" : ` of at least ${least}`;
    return [
      anError(
        `change/${name}`,
        Number.isFinite(value) ? `${value} cannot stand here.` : "Here should stand a number.",
        `Enter a ${whole ? "whole " : ""}number${from}.`,
      ),
    ];
  });
}

function refusedStatement(id: StatementId): Edit {
  return {
    ok: false,
    issues: [
      anError(
        `statements/${id}`,
        `There is no statement ${id}.`,
        "It may have been removed; choose another one.",
      ),
    ],
  };
}
