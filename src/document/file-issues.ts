/**
 * From zod's findings to issues in words: the place in the file, what stands there, and (from the
 * schema's own `error`) how to mend it.
 */
import type { z } from "zod";
import { anError, type Issue } from "#model/issue.ts";

type Finding = z.core.$ZodIssue;

/** One issue per mistake that zod found in `file`. */
export function fileIssues(findings: readonly Finding[], file: unknown): Issue[] {
  return findings.flatMap((finding) => issuesOf(finding, finding.path, file));
}

function issuesOf(finding: Finding, path: readonly PropertyKey[], file: unknown): Issue[] {
  switch (finding.code) {
    case "unrecognized_keys":
      return finding.keys.map((key) =>
        anError(
          placeOf([...path, key]),
          `“${key}” is not a field that is known here.`,
          finding.message,
        ),
      );
    case "invalid_key":
      return [
        anError(
          placeOf(path),
          `“${String(path.at(-1))}” cannot be an id.`,
          finding.issues[0]?.message,
        ),
      ];
    case "invalid_union": {
      const branch = closestBranch(finding.errors);
      if (branch) return branch.flatMap((inner) => issuesOf(inner, [...path, ...inner.path], file));
      return [valueIssue(path, file, finding.message)];
    }
    default:
      return [valueIssue(path, file, finding.message)];
  }
}

/** The alternative that was meant: the one whose mistakes lie deepest; none where all fail at once. */
function closestBranch(branches: readonly (readonly Finding[])[]): readonly Finding[] | undefined {
  return branches.find((branch) => branch.every((finding) => finding.path.length > 0));
}

function valueIssue(path: readonly PropertyKey[], file: unknown, hint: string): Issue {
  const found = valueAt(file, path);
  const message =
    found === undefined
      ? `${subject(path)} is missing.`
      : `${subject(path)} is ${described(found)}.`;
  return anError(placeOf(path), message, hint);
}

/** Path of a record as every issue writes it. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.map(String).join("/");
}

function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return "The file";
  return typeof last === "number"
    ? `Entry ${last + 1} of ${subject(path.slice(0, -1))}`
    : `“${String(last)}”`;
}

/** What stands at a path; undefined where nothing does. */
function valueAt(file: unknown, path: readonly PropertyKey[]): unknown {
  let value = file;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function described(value: unknown): string {
  if (typeof value === "string") return `the text “${shortened(value)}”`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
