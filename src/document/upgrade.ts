/**
 * Old files into today's form: ordered, named steps, one from each version to the next.
 *
 * Promises: a file of today's version is returned as it is; an older one goes through every step in
 * between; a newer, foreign or broken one is refused with the reason. What a step returns is checked
 * by the schema afterwards, so a step need not be suspicious of values it does not touch.
 */
import { anError, type Result } from "#model/issue.ts";
import { documentVersion } from "./schema.ts";

/** A file before its version is known to be today's. */
export type VersionedFile = Readonly<Record<string, unknown>>;

export interface UpgradeStep {
  /** The version it upgrades, to the next one. */
  readonly from: number;
  /** What changed, e.g. “frequencies are kept apart from statements”. */
  readonly name: string;
  /** Returns the file in the next version's form; `version` itself is set for it. */
  readonly upgrade: (file: VersionedFile) => VersionedFile;
}

/** Every step there is, oldest first. Version 1 is the first. */
export const upgradeSteps: readonly UpgradeStep[] = [
  {
    from: 1,
    name: "scenarios are kept beside the project",
    // A file of version 1 has none, and nothing else has changed.
    upgrade: (file) => file,
  },
];

/** The file in today's form, or why it cannot be opened. */
export function upgrade(
  file: unknown,
  steps: readonly UpgradeStep[] = upgradeSteps,
  today: number = documentVersion,
): Result<VersionedFile> {
  if (!isObject(file)) return refused("", "The file is not a Tidetable document.", wantedHint);
  if (file["format"] !== "tidetable") return foreign(file);
  const version = file["version"];
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1)
    return refused(
      "version",
      version === undefined ? "The file names no version." : "The file's version is not a number.",
      `Write "version": ${today}.`,
    );
  if (version > today)
    return refused(
      "version",
      `The file was written by a newer Tidetable (version ${version}; this one reads up to ${today}).`,
      "Reload the page or install the newer program, then open the file again.",
    );
  return runSteps(file, version, steps, today);
}

function runSteps(
  file: VersionedFile,
  version: number,
  steps: readonly UpgradeStep[],
  today: number,
): Result<VersionedFile> {
  let upgraded = file;
  for (let from = version; from < today; from += 1) {
    const step = steps.find((candidate) => candidate.from === from);
    if (!step) throw new Error(`there is no upgrade from version ${from}`);
    try {
      upgraded = { ...step.upgrade(upgraded), version: from + 1 };
    } catch {
      // A step may rely on the form of its version; a file that breaks it was not written by us.
      return refused(
        "",
        `The file says it is of version ${version}, but is not in that version's form (“${step.name}” could not be done).`,
        "Open another copy of the file.",
      );
    }
  }
  return { ok: true, value: upgraded, warnings: [] };
}

const wantedHint = "Open a file that Tidetable has saved.";

function foreign(file: VersionedFile): Result<VersionedFile> {
  if ("status" in file && "seconds" in file)
    return refused("", "The file is the result of a run, not a document.", wantedHint);
  const found = file["format"];
  return refused(
    "format",
    typeof found === "string"
      ? `The file is not a Tidetable document: its format is “${found.slice(0, 40)}”, and “tidetable” is read here.`
      : "The file is not a Tidetable document.",
    `${wantedHint.slice(0, -1)}; such a file says "format": "tidetable".`,
  );
}

function refused(place: string, message: string, hint: string): Result<VersionedFile> {
  return { ok: false, issues: [anError(place, message, hint)] };
}

function isObject(value: unknown): value is VersionedFile {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
