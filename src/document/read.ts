/**
 * Documents from files and into files.
 *
 * `readDocument` parses, upgrades, checks and completes; it returns every mistake at once, each with
 * its place as a path into the file. Fields that are not known are a warning, and survive. `writeDocument` writes the same text for equal documents, in the
 * schema's order of fields, and writes defaults out: a later change of a default must not change what
 * a kept file means. `readDocument(writeDocument(d))` is `d`.
 */
import { anError, type Issue, type Result } from "#model/issue.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { fileIssues } from "./file-issues.ts";
import { parseJson } from "./json-text.ts";
import { type DocumentFile, documentSchema, type StudioDocument } from "./schema.ts";
import { unknownFields, unknownWarnings, withoutUnknown, withUnknown } from "./unknown-fields.ts";
import { upgrade, type VersionedFile } from "./upgrade.ts";

/** A document from the text of a file, or every mistake in it. */
export function readDocument(text: string): Result<StudioDocument> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  return documentFrom(parsed.value);
}

/** A document from a parsed file (an example bundled with the program, say). */
export function documentFrom(file: unknown): Result<StudioDocument> {
  const upgraded = upgrade(file);
  if (!upgraded.ok) return upgraded;
  const { unknown, file: known } = setAside(upgraded.value);
  const checked = documentSchema.safeParse(known);
  const issues = [
    ...(checked.success ? [] : fileIssues(checked.error.issues, known)),
    ...referenceIssues(known),
  ];
  if (!checked.success || issues.length > 0)
    return { ok: false, issues: [...issues, ...unknownWarnings(unknown)] };
  return {
    ok: true,
    value: withUnknown(completed(checked.data), unknown),
    warnings: unknownWarnings(unknown),
  };
}

/** The fields that nobody knows here, and the file without them. */
function setAside(file: VersionedFile) {
  const checked = documentSchema.safeParse(file);
  const { unknown } = unknownFields(checked.success ? [] : checked.error.issues, file);
  return { unknown, file: withoutUnknown(file, unknown) };
}

/** The text of a document's file: stable order, two spaces, short records on one line. */
export function writeDocument(document: StudioDocument): string {
  return `${print(inOrder(document), "")}\n`;
}

// ------------------------------------------------------------------------------------------ reading

/** The form in memory: single numbers become curves, in the order of the statements. */
function completed(file: DocumentFile): StudioDocument {
  const { $schema: _, ...rest } = file;
  const { steps } = file.timeline;
  return {
    ...rest,
    frequencies: Object.fromEntries(
      Object.keys(file.statements).map((id) => [id, curveOf(file.frequencies[id] ?? 0, steps)]),
    ),
  };
}

function curveOf(frequency: number | FrequencyCurve, steps: number): FrequencyCurve {
  return typeof frequency === "number" ? Array.from({ length: steps }, () => frequency) : frequency;
}

/**
 * Records that point at others, and lists whose lengths must agree. Looks at the raw file, so that
 * these mistakes are told together with those of the schema.
 */
function referenceIssues(file: VersionedFile): Issue[] {
  const entities = tableOf(file["entities"]);
  const statements = tableOf(file["statements"]);
  const frequencies = tableOf(file["frequencies"]);
  const { steps, labels } = tableOf(file["timeline"]);
  return [
    ...Object.entries(tableOf(file["relationships"])).flatMap(([id, relationship]) =>
      endIssues(id, relationship, entities),
    ),
    ...Object.keys(statements)
      .filter((id) => !Object.hasOwn(frequencies, id))
      .map((id) =>
        anError(
          `frequencies/${id}`,
          `The statement ${id} has no frequency.`,
          "Write one number per step, or a single number for a constant curve; 0 where it never runs.",
        ),
      ),
    ...Object.keys(frequencies)
      .filter((id) => !Object.hasOwn(statements, id))
      .map((id) => noSuch(`frequencies/${id}`, "statement", id)),
    ...Object.entries(frequencies).flatMap(([id, curve]) =>
      lengthIssues(`frequencies/${id}`, "frequencies", curve, steps),
    ),
    ...Object.entries(tableOf(file["scenarios"])).flatMap(([id, scenario]) =>
      scenarioIssues(id, tableOf(scenario), entities, frequencies, steps),
    ),
    ...sameNameIssues(tableOf(file["scenarios"])),
    ...lengthIssues("timeline/labels", "labels", labels, steps),
    ...Object.keys(tableOf(tableOf(file["layout"])["positions"]))
      .filter((id) => !Object.hasOwn(entities, id))
      .map((id) => noSuch(`layout/positions/${id}`, "entity", id)),
  ];
}

/** What a scenario overrides has to be there. */
function scenarioIssues(
  id: string,
  scenario: Readonly<Record<string, unknown>>,
  entities: Readonly<Record<string, unknown>>,
  statements: Readonly<Record<string, unknown>>,
  steps: unknown,
): Issue[] {
  const place = `scenarios/${id}`;
  const missing = (field: string, noun: string, known: object): Issue[] =>
    Object.keys(tableOf(scenario[field]))
      .filter((key) => !Object.hasOwn(known, key))
      .map((key) => noSuch(`${place}/${field}/${key}`, noun, key));
  return [
    ...missing("counts", "entity", entities),
    ...missing("curves", "statement", statements),
    ...missing("weights", "statement", statements),
    ...Object.entries(tableOf(scenario["curves"])).flatMap(([key, curve]) =>
      lengthIssues(`${place}/curves/${key}`, "frequencies", curve, steps),
    ),
  ];
}

function sameNameIssues(scenarios: Readonly<Record<string, unknown>>): Issue[] {
  const names = Object.values(scenarios).map((scenario) => tableOf(scenario)["name"]);
  return Object.keys(scenarios).flatMap((id, at) =>
    names.indexOf(names[at]) < at && names[at] !== undefined
      ? [anError(`scenarios/${id}/name`, "Another scenario has this name.", "Choose another name.")]
      : [],
  );
}

function endIssues(
  id: string,
  relationship: unknown,
  entities: Readonly<Record<string, unknown>>,
): Issue[] {
  const ends = tableOf(relationship)["ends"];
  if (!Array.isArray(ends)) return [];
  return ends.flatMap((end: unknown, side) => {
    const entity = tableOf(end)["entity"];
    return typeof entity !== "string" || Object.hasOwn(entities, entity)
      ? []
      : [noSuch(`relationships/${id}/ends/${side}/entity`, "entity", entity)];
  });
}

function lengthIssues(place: string, what: string, list: unknown, steps: unknown): Issue[] {
  if (!Array.isArray(list) || typeof steps !== "number" || list.length === steps) return [];
  return [
    anError(
      place,
      `There are ${list.length} ${what} for ${steps} steps.`,
      "Write one for each step.",
    ),
  ];
}

function noSuch(place: string, noun: string, id: string): Issue {
  return anError(place, `There is no ${noun} ${id}.`, `Add the ${noun}, or correct the id.`);
}

/** An object's fields; none for anything else. */
function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

// ------------------------------------------------------------------------------------------ writing

/** Fields in the schema's order wherever they were set; tables keep the order of their records. */
function inOrder(document: StudioDocument): unknown {
  return {
    ...ordered(document, Object.keys(documentSchema.shape)),
    entities: mapTable(document.entities, (entity) => ({
      ...ordered(entity, ["name", "count", "attributes", "identifier", "note"]),
      attributes: entity.attributes.map((attribute) =>
        ordered(attribute, ["name", "type", "bytes", "distinct"]),
      ),
    })),
    relationships: mapTable(document.relationships, (relationship) => ({
      ...ordered(relationship, ["multiplicity", "ends", "links", "optional", "atLeastOne", "bind"]),
      ends: relationship.ends.map((end) => ordered(end, ["entity", "role"])),
    })),
    statements: mapTable(document.statements, (statement) =>
      ordered(statement, ["label", "group", "text", "assumptions"]),
    ),
    timeline: ordered(document.timeline, ["steps", "stepSeconds", "labels"]),
    frequencies: Object.fromEntries(
      Object.keys(document.statements).map((id) => [id, document.frequencies[id] ?? []]),
    ),
    settings: ordered(document.settings, [
      "storage",
      "options",
      "costModel",
      "costModels",
      "gap",
      "timeLimitSeconds",
      "mode",
    ]),
    ...(document.restrictions && {
      restrictions: mapTable(document.restrictions, (each) =>
        ordered(each, ["kind", "demand", "family", "statement", "families", "steps"]),
      ),
    }),
    ...(document.scenarios && {
      scenarios: mapTable(document.scenarios, (scenario) =>
        ordered(scenario, ["name", "counts", "curves", "weights", "storage", "restrictions"]),
      ),
    }),
    ...(document.handMade && { handMade: ordered(document.handMade, ["name", "schemas"]) }),
    layout: {
      positions: mapTable(document.layout.positions, (position) => ordered(position, ["x", "y"])),
    },
  };
}

function ordered(record: object, fields: readonly string[]): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>(Object.entries(record));
  const known = fields.filter((field) => values.has(field));
  // What is not known here was in the file, and goes back into it.
  const unknown = [...values.keys()].filter((field) => !fields.includes(field));
  return Object.fromEntries([...known, ...unknown].map((field) => [field, values.get(field)]));
}

function mapTable<Value>(
  table: Readonly<Record<string, Value>>,
  form: (value: Value) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).map(([id, value]) => [id, form(value)]));
}

/** Columns within which a record of plain values is kept on one line. */
const lineWidth = 100;

/** JSON that is read and compared line by line: curves and small records on one line each. */
function print(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const flat = entries.every(([, item]) => typeof item !== "object" || item === null);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return open + close;
  const parts = (inner: string): string[] =>
    entries.map(([key, item]) =>
      isList ? print(item, inner) : `${JSON.stringify(key)}: ${print(item, inner)}`,
    );
  if (flat) {
    const line = isList ? `[${parts("").join(", ")}]` : `{ ${parts("").join(", ")} }`;
    if (isList || indent.length + line.length <= lineWidth) return line;
  }
  const deeper = `${indent}  `;
  return `${open}\n${parts(deeper)
    .map((part) => deeper + part)
    .join(",\n")}\n${indent}${close}`;
}
