/**
 * Fields of a file that this program does not know: another program's, or a spelling mistake. They are
 * told, kept in their place, and written again; only what is known is judged.
 */
import type { z } from "zod";
import { aWarning, type Issue } from "#model/issue.ts";

type Finding = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What stands in a file under names that are not known. */
export interface UnknownFields {
  /** Where the object is that they are fields of. */
  readonly path: Path;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Which fields would be known there. */
  readonly hint: string;
}

/** The unknown fields among a schema's findings, and the findings that are left. */
export function unknownFields(
  findings: readonly Finding[],
  file: unknown,
): { readonly unknown: readonly UnknownFields[]; readonly rest: readonly Finding[] } {
  const unknown = findings.flatMap((finding) => {
    if (finding.code !== "unrecognized_keys") return [];
    const holder = recordOf(finding.path.reduce<unknown>(fieldOf, file));
    const fields = Object.fromEntries(finding.keys.map((key) => [key, holder[key]]));
    return [{ path: finding.path, fields, hint: finding.message }];
  });
  return { unknown, rest: findings.filter(({ code }) => code !== "unrecognized_keys") };
}

/** The file without them. */
export function withoutUnknown<File>(file: File, unknown: readonly UnknownFields[]): File {
  return unknown.reduce(
    (rest, { path, fields }) =>
      changedAt(rest, path, (holder) =>
        Object.fromEntries(Object.entries(holder).filter(([key]) => !Object.hasOwn(fields, key))),
      ),
    file,
  );
}

/** What was made of the file, with the unknown fields in their places behind the known ones. */
export function withUnknown<Read>(read: Read, unknown: readonly UnknownFields[]): Read {
  return unknown.reduce(
    (whole, { path, fields }) => changedAt(whole, path, (holder) => ({ ...holder, ...fields })),
    read,
  );
}

/** A warning for each. */
export function unknownWarnings(unknown: readonly UnknownFields[]): Issue[] {
  return unknown.flatMap(({ path, fields, hint }) =>
    Object.keys(fields).map((key) =>
      aWarning(
        [...path, key].map(String).join("/"),
        `“${key}” is not a field that is known here. It is kept, but has no effect.`,
        hint,
      ),
    ),
  );
}

function changedAt<Whole>(
  whole: Whole,
  [first, ...rest]: Path,
  change: (holder: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Whole {
  if (first === undefined) return change(recordOf(whole)) as Whole;
  const next = changedAt(fieldOf(whole, first), rest, change);
  if (Array.isArray(whole)) return whole.with(Number(first), next) as Whole;
  return Object.fromEntries(
    Object.entries(recordOf(whole)).map(([key, value]) => [key, key === first ? next : value]),
  ) as Whole;
}

function fieldOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
