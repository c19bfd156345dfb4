/** The files a command is about, read and checked: a design, and the result of a run. */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { readCostModel } from "#document/cost-model-schema.ts";
import { documentFrom, readDocument } from "#document/read.ts";
import { type RunResult, readResult } from "#document/result-schema.ts";
import { effective, scenarioNamed } from "#document/scenario.ts";
import { mostSteps, type StudioDocument } from "#document/schema.ts";
import { type HandMadeRecord, readHandMade } from "#document/tables-schema.ts";
import { toProblem } from "#document/to-problem.ts";
import { type Example, examples } from "#examples/examples.ts";
import type { CostModel } from "#model/cost-model.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import type { Problem } from "#model/problem.ts";
import type { CommandLine } from "./command-line.ts";
import type { Loaded, Refusal } from "./refusal.ts";
import type { Terminal } from "./terminal.ts";

export interface Design {
  /** The file's path as given, or the example's id. */
  readonly subject: string;
  readonly document: StudioDocument;
  readonly problem: Problem;
  readonly warnings: readonly Issue[];
}

/**
 * The design that a command line names: its first file, or `--example`; with the schema by hand of
 * `--schema`, under `--scenario` and under `--cost-model` where these are given.
 */
export async function loadDesign(
  { values, files }: CommandLine,
  terminal: Terminal,
): Promise<Loaded<Design>> {
  const id = values.get("example");
  const subject = id === undefined ? (files[0] ?? "") : `example ${id}`;
  const read =
    id === undefined ? readFile(subject, terminal, readDocument) : await exampleOf(id, values);
  if (!read.ok) return failed({ subject, issues: read.issues });
  const byHand = schemaFile(values, terminal);
  if (byHand && !byHand.ok) return byHand;
  const scenario = underScenario(read.value, values.get("scenario"));
  if (!scenario.ok) return failed({ subject, issues: scenario.issues });
  const document = byHand ? { ...scenario.value, handMade: byHand.value } : scenario.value;
  const problem = toProblem(document);
  if (!problem.ok) return refusedDesign(subject, values.get("schema"), problem.issues, document);
  const warnings = [...read.warnings, ...problem.warnings];
  const design: Design = { subject, document, problem: problem.value, warnings };
  const path = values.get("cost-model");
  if (path === undefined) return { ok: true, value: design };
  const model = loadCostModel(path, terminal);
  return model.ok ? { ok: true, value: under(design, model.value) } : model;
}

/** The document under the scenario of a name; itself without one. */
function underScenario(document: StudioDocument, name: string | undefined): Result<StudioDocument> {
  if (name === undefined) return { ok: true, value: document, warnings: [] };
  const id = scenarioNamed(document, name);
  if (id !== undefined) return { ok: true, value: effective(document, id), warnings: [] };
  const names = Object.values(document.scenarios ?? {}).map((scenario) => scenario.name);
  const all =
    names.length > 0 ? `The scenarios are ${names.join(", ")}.` : "The design has no scenarios.";
  return refusedAt("--scenario", `There is no scenario ${name}.`, suggestion(name, names, all));
}

/** The schema by hand that `--schema` names; undefined without the option. */
function schemaFile(
  values: CommandLine["values"],
  terminal: Terminal,
): Loaded<HandMadeRecord> | undefined {
  const path = values.get("schema");
  if (path === undefined) return undefined;
  const read = readFile(path, terminal, (text) => readHandMade(text, basename(path)));
  return read.ok ? read : failed({ subject: path, issues: read.issues });
}

/** What is wrong with the design, and what with the schema by hand, each under its file. */
function refusedDesign(
  subject: string,
  schema: string | undefined,
  issues: readonly Issue[],
  { statements }: StudioDocument,
): Loaded<never> {
  const isByHand = ({ place }: Issue): boolean =>
    schema !== undefined && place.startsWith("handMade");
  const own = issues.filter((issue) => !isByHand(issue));
  const byHand = issues.filter(isByHand).map((issue) => ({
    ...issue,
    place: issue.place.replace(/^handMade\/?/, ""),
  }));
  return {
    ok: false,
    refusals: [
      ...(own.length > 0 ? [{ subject, issues: own, statements }] : []),
      ...(byHand.length > 0 ? [{ subject: schema ?? subject, issues: byHand }] : []),
    ],
  };
}

/** The design with another cost model; the engine needs its coefficients, not its measurements. */
function under(design: Design, { fit: _, ...costModel }: CostModel): Design {
  // The price of further partitions is the design's, whatever the model.
  const { perFurtherPartition } = design.problem.costModel.get;
  const get = perFurtherPartition ? { ...costModel.get, perFurtherPartition } : costModel.get;
  return { ...design, problem: { ...design.problem, costModel: { ...costModel, get } } };
}

/** A cost model from a file. */
export function loadCostModel(path: string, terminal: Terminal): Loaded<CostModel> {
  const read = readFile(path, terminal, readCostModel);
  return read.ok ? read : failed({ subject: path, issues: read.issues });
}

/** The result of a run from a file. */
export function loadResult(path: string, terminal: Terminal): Loaded<RunResult> {
  const read = readFile(path, terminal, readResult);
  return read.ok ? read : failed({ subject: path, issues: read.issues });
}

function failed(refusal: Refusal): { readonly ok: false; readonly refusals: readonly Refusal[] } {
  return { ok: false, refusals: [refusal] };
}

async function exampleOf(
  id: string,
  values: CommandLine["values"],
): Promise<Result<StudioDocument>> {
  const found = examples.find((example) => example.id === id);
  const steps = values.get("steps");
  const pattern = values.get("pattern") ?? (steps === undefined ? undefined : firstPattern(found));
  if (found && pattern === undefined) return documentFrom(await found.load());
  if (found && pattern !== undefined) return patternOf(found, pattern, steps);
  const ids = examples.map((example) => example.id);
  const all = `The examples are ${ids.join(", ")}.`;
  return refusedAt("--example", `There is no example ${id}.`, suggestion(id, ids, all));
}

function firstPattern(example: Example | undefined): string {
  return example?.patterns?.names[0] ?? "";
}

/** The example under one of its patterns of frequencies. */
async function patternOf(
  { id, load, patterns }: Example,
  pattern: string,
  stepsText: string | undefined,
): Promise<Result<StudioDocument>> {
  if (!patterns)
    return refusedAt(
      "--pattern",
      `The example ${id} has no patterns.`,
      "Leave out --pattern and --steps, or take an example that has patterns, such as tpch.",
    );
  if (!patterns.names.includes(pattern)) {
    const all = `The patterns are ${patterns.names.join(", ")}.`;
    return refusedAt(
      "--pattern",
      `There is no pattern ${pattern}.`,
      suggestion(pattern, patterns.names, all),
    );
  }
  const steps = stepsText === undefined ? patterns.usualSteps(pattern) : Number(stepsText);
  const wrong =
    Number.isInteger(steps) && steps >= 1 && steps <= mostSteps
      ? patterns.problem(pattern, steps)
      : `Write a whole number of steps from 1 to ${mostSteps}.`;
  if (wrong !== undefined)
    return refusedAt("--steps", `“${stepsText}” does not go with ${pattern}.`, wrong);
  return documentFrom(patterns.apply(await load(), pattern, steps));
}

/** A file's text through a reader; what the system says about the path is an issue as well. */
export function readFile<T>(
  path: string,
  { folder }: Terminal,
  read: (text: string) => Result<T>,
): Result<T> {
  let text: string;
  try {
    text = readFileSync(resolve(folder, path), "utf8");
  } catch (error) {
    return refusedAt("", ...fileTrouble(error, path, folder));
  }
  return read(text);
}

/** Why nothing can be written to a path, before a long run is made for it; undefined when it can. */
export function unwritable(
  path: string,
  { folder }: Terminal,
  inputs: readonly string[],
  noun = "the design",
): Issue | undefined {
  const target = resolve(folder, path);
  if (inputs.some((input) => resolve(folder, input) === target))
    return anError("--out", `${path} is ${noun} itself.`, "Write the result to another file.");
  try {
    accessSync(dirname(target), constants.W_OK);
    if (statSync(target, { throwIfNoEntry: false })?.isDirectory())
      return anError("--out", `${path} is a folder.`, "Name a file.");
    return undefined;
  } catch (error) {
    return anError("--out", ...fileTrouble(error, dirname(path), folder));
  }
}

/** What the system says about a path, as a sentence and a way out. */
export function fileTrouble(error: unknown, path: string, folder: string): [string, string] {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return [`There is no ${path}.`, `Correct the path; it is looked for from ${folder}.`];
    case "EISDIR":
      return [`${path} is a folder.`, "Name a file."];
    case "EACCES":
    case "EPERM":
      return [`${path} may not be used.`, "Change its permissions, or choose another."];
    default:
      return [
        `${path} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
        "Choose another.",
      ];
  }
}

function refusedAt(place: string, message: string, hint: string): Result<never> {
  return { ok: false, issues: [anError(place, message, hint)] };
}
