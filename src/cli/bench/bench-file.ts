/** Files of measurements: read with every mistake told, written so that what others measured stays. */
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { anError, type Result } from "#model/issue.ts";
import { readFile } from "../load.ts";
import type { Loaded } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { type BenchFile, benchFileSchema, type Measurement } from "./measurement.ts";

export function loadBenchFile(path: string, terminal: Terminal): Loaded<BenchFile> {
  const read = readFile(path, terminal, parsed);
  return read.ok ? read : { ok: false, refusals: [{ subject: path, issues: read.issues }] };
}

/** Several files as one, in the order given. */
export function loadBenchFiles(paths: readonly string[], terminal: Terminal): Loaded<BenchFile> {
  const files = paths.map((path) => loadBenchFile(path, terminal));
  const refusals = files.flatMap((file) => (file.ok ? [] : file.refusals));
  if (refusals.length > 0) return { ok: false, refusals };
  const measurements = files.flatMap((file) => (file.ok ? file.value.measurements : []));
  return { ok: true, value: { format: "tidetable-bench", version: 1, measurements } };
}

/**
 * Writes measurements into a file. One of the same workload, mode and engine takes the place of the one
 * the file holds; all others stay.
 */
export function writeBenchFile(
  path: string,
  measured: readonly Measurement[],
  terminal: Terminal,
): Loaded<undefined> {
  const target = resolve(terminal.folder, path);
  const before = existsSync(target) ? loadBenchFile(path, terminal) : undefined;
  if (before && !before.ok) return before;
  const all = new Map(
    [...(before?.value.measurements ?? []), ...measured].map((each) => [identityOf(each), each]),
  );
  const file: BenchFile = {
    format: "tidetable-bench",
    version: 1,
    measurements: [...all.values()].map(rounded),
  };
  writeFileSync(target, `${JSON.stringify(file, null, 1)}\n`);
  return { ok: true, value: undefined };
}

/** What makes two measurements measurements of the same thing. */
export function identityOf({ workload, mode, environment }: Measurement): string {
  return JSON.stringify([workload, mode, environment.engine.split(" ")[0]]);
}

/** Seconds to the millisecond: more is noise, and makes differences of files hard to read. */
function rounded(each: Measurement): Measurement {
  const milli = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return {
    ...each,
    seconds: Object.fromEntries(
      Object.entries(each.seconds).map(([stage, seconds]) => [stage, milli(seconds)]),
    ),
    ...(each.processorSeconds !== undefined && {
      processorSeconds: milli(each.processorSeconds),
    }),
    trace: each.trace.map((point) => ({ ...point, seconds: milli(point.seconds) })),
  };
}

function parsed(text: string): Result<BenchFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, issues: [anError("", "This is no JSON.", howToMake)] };
  }
  const read = benchFileSchema.safeParse(value);
  if (read.success) return { ok: true, value: read.data as BenchFile, warnings: [] };
  const issues = read.error.issues.map(({ path, message }) =>
    anError(path.join("/"), message, howToMake),
  );
  return { ok: false, issues };
}

const howToMake = "Take a file that tidetable bench --out has written.";
