/**
 * What is wrong with something a person wrote: one issue per mistake, with its place and the way to
 * mend it. Nothing in `model` or `document` throws on a person's input; it returns issues instead.
 */

/** A stretch of a statement's text, in UTF-16 code units from its start; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A person's mistake (`error`) or something to know before trusting the answer (`warning`). */
export interface Issue {
  readonly severity: "error" | "warning";
  /** Path of the record it belongs to, e.g. `entities/user/attributes/name` or `statements/q1`. */
  readonly place: string;
  /** What is wrong, as one sentence. */
  readonly message: string;
  /** How to mend it, as one sentence. */
  readonly hint?: string;
  /** Where in the statement's text, when the place is a statement. */
  readonly span?: Span;
}

/** Either a value, perhaps with warnings, or the errors that stand in its way. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** An error issue; `hint` says how to mend it. */
export function anError(place: string, message: string, hint?: string, span?: Span): Issue {
  return { severity: "error", place, message, ...(hint && { hint }), ...(span && { span }) };
}

/** A warning issue. */
export function aWarning(place: string, message: string, hint?: string, span?: Span): Issue {
  return { severity: "warning", place, message, ...(hint && { hint }), ...(span && { span }) };
}

/** True when nothing in the list stops the work. */
export function onlyWarnings(issues: readonly Issue[]): boolean {
  return issues.every((issue) => issue.severity === "warning");
}
