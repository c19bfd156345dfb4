/**
 * Scenarios: what the project is under one of its named sets of overrides, and where an edit goes that
 * is made while one is shown.
 *
 * Decides: a scenario may override curves, weights of statements, numbers of records, the storage limit
 * and pins; everything else belongs to the project and changes under every scenario. Promises:
 * `effective` is a document like any other, so everything that works on documents (checks, the key of
 * a problem, commands) works on scenarios; what is not overridden keeps its identity.
 */
import type { StorageLimit } from "#model/problem.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import type { Edit } from "./commands.ts";
import { equalDocuments } from "./history.ts";
import type {
  EntityId,
  EntityRecord,
  ScenarioId,
  ScenarioRecord,
  StudioDocument,
} from "./schema.ts";
import { withRestrictions } from "./tables-after.ts";

/** The document as it is under a scenario; the project itself where there is none of this id. */
export function effective(project: StudioDocument, id: ScenarioId | undefined): StudioDocument {
  const scenario = scenarioOf(project, id);
  if (id === undefined || !scenario) return project;
  const known = remembered.get(project)?.get(id);
  if (known) return known;
  const made = underScenario(project, scenario);
  const others = remembered.get(project) ?? new Map<ScenarioId, StudioDocument>();
  remembered.set(project, others.set(id, made));
  return made;
}

const remembered = new WeakMap<StudioDocument, Map<ScenarioId, StudioDocument>>();

/** The scenario of an id, never something inherited. */
export function scenarioOf(
  { scenarios = {} }: StudioDocument,
  id: ScenarioId | undefined,
): ScenarioRecord | undefined {
  return id !== undefined && Object.hasOwn(scenarios, id) ? scenarios[id] : undefined;
}

/** The id of the scenario of a name, or undefined. */
export function scenarioNamed(
  { scenarios = {} }: StudioDocument,
  name: string,
): ScenarioId | undefined {
  return Object.keys(scenarios).find((id) => scenarios[id]?.name === name);
}

function underScenario(project: StudioDocument, scenario: ScenarioRecord): StudioDocument {
  const { counts, curves = {}, weights = {}, storage, restrictions } = scenario;
  const overridden = { ...project, ...(counts && { entities: counted(project.entities, counts) }) };
  const ids = [...new Set([...Object.keys(curves), ...Object.keys(weights)])];
  const frequencies = { ...project.frequencies };
  for (const id of ids) {
    const curve = curves[id] ?? project.frequencies[id];
    if (curve && Object.hasOwn(frequencies, id)) frequencies[id] = weighted(curve, weights[id]);
  }
  const next: StudioDocument = {
    ...overridden,
    ...(ids.length > 0 && { frequencies }),
    ...(storage && { settings: { ...project.settings, storage } }),
  };
  return restrictions ? withRestrictions(next, restrictions) : next;
}

const countedBefore = new WeakMap<object, WeakMap<object, StudioDocument["entities"]>>();

/** The same objects give the same answer: the graph of entities is remembered by it. */
function counted(
  entities: StudioDocument["entities"],
  counts: Readonly<Record<EntityId, number>>,
): StudioDocument["entities"] {
  const byCounts = countedBefore.get(entities) ?? new WeakMap();
  countedBefore.set(entities, byCounts);
  const known = byCounts.get(counts);
  if (known) return known;
  const made = Object.fromEntries(
    Object.entries(entities).map(([id, entity]) => [id, withCount(entity, counts[id])]),
  );
  byCounts.set(counts, made);
  return made;
}

function withCount(entity: EntityRecord, count: number | undefined): EntityRecord {
  return count === undefined || count === entity.count ? entity : { ...entity, count };
}

function weighted(curve: FrequencyCurve, weight: number | undefined): FrequencyCurve {
  return weight === undefined ? curve : curve.map((value) => value * weight);
}

// ------------------------------------------------------------------------------------------ editing

/**
 * The project after a command that was given while a scenario is shown. The command sees the document
 * under the scenario; what it changed of curves, counts, limit and pins becomes overrides of the
 * scenario, everything else becomes part of the project. `before` is where a gesture began.
 */
export function editUnder(
  project: StudioDocument,
  id: ScenarioId | undefined,
  command: (shown: StudioDocument, before: StudioDocument) => Edit,
  before: StudioDocument = project,
): Edit {
  const isUnder = scenarioOf(project, id) !== undefined;
  const shown = effective(project, id);
  const edit = command(shown, effective(before, id));
  if (!edit.ok || edit.value === shown) return edit.ok ? { ...edit, value: project } : edit;
  if (id === undefined || !isUnder) return { ...edit, value: tidied(edit.value) };
  const isRebuilt = structure(edit.value).some((part, at) => part !== structure(shown)[at]);
  // Where entities, statements or steps change, the project's own curves and pins change with them.
  const own = isRebuilt ? command(project, before) : undefined;
  if (own && !own.ok) return own;
  const base = own ? own.value : project;
  return { ...edit, value: tidied(split(base, shown, edit.value, id, project)) };
}

/** What other parts of a document refer to. */
function structure(document: StudioDocument): readonly unknown[] {
  const { entities, relationships, statements, timeline } = document;
  return [entities, relationships, statements, timeline.steps];
}

/** Divides a document that was edited under a scenario into the project and the scenario's overrides. */
function split(
  base: StudioDocument,
  shown: StudioDocument,
  after: StudioDocument,
  id: ScenarioId,
  project: StudioDocument,
): StudioDocument {
  const scenario = scenarioOf(after, id);
  const sameSteps = after.timeline.steps === shown.timeline.steps;
  const frequencies = sameSteps ? ownCurves(after, project) : base.frequencies;
  const next: StudioDocument = {
    ...after,
    entities: after.entities === shown.entities ? project.entities : ownCounts(after, project),
    frequencies,
    settings: { ...after.settings, storage: project.settings.storage },
  };
  const divided = withRestrictions(next, base.restrictions ?? {});
  // The command has removed the scenario: there is nothing to keep in it.
  if (!scenario) return divided;
  const curves = sameSteps ? curveOverrides(scenario, shown, after, divided) : {};
  const counts = countOverrides(scenario, shown, after, divided);
  const limits = limitOverrides(scenario, shown, after, divided);
  return {
    ...divided,
    scenarios: {
      ...divided.scenarios,
      [id]: compact({ ...scenario, ...counts, ...curves, ...limits }),
    },
  };
}

function ownCurves(after: StudioDocument, project: StudioDocument): StudioDocument["frequencies"] {
  return sameTable(
    project.frequencies,
    Object.entries(after.frequencies).map(([key, curve]) => [
      key,
      own(project.frequencies, key) ?? curve,
    ]),
  );
}

function ownCounts(after: StudioDocument, project: StudioDocument): StudioDocument["entities"] {
  return sameTable(
    project.entities,
    Object.entries(after.entities).map(([key, entity]) => {
      const before = own(project.entities, key);
      if (!before) return [key, entity];
      const next = { ...entity, count: before.count };
      return [key, equalFields(before, next) ? before : next];
    }),
  );
}

/** The table that was there where its records are the same ones: much is remembered by it. */
function sameTable<Value>(
  before: Readonly<Record<string, Value>>,
  entries: readonly (readonly [string, Value])[],
): Readonly<Record<string, Value>> {
  const keys = Object.keys(before);
  const isSame =
    keys.length === entries.length &&
    entries.every(([key, value], at) => key === keys[at] && value === before[key]);
  return isSame ? before : Object.fromEntries(entries);
}

function equalFields(a: object, b: object): boolean {
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** Overrides to be set; undefined takes one back. */
export type Overrides = {
  readonly [Field in Exclude<keyof ScenarioRecord, "name">]?: ScenarioRecord[Field] | undefined;
};

function countOverrides(
  { counts }: ScenarioRecord,
  shown: StudioDocument,
  after: StudioDocument,
  project: StudioDocument,
): Overrides {
  let next: Record<EntityId, number> = { ...counts };
  for (const [key, { count }] of Object.entries(after.entities)) {
    if (own(shown.entities, key)?.count === count) continue;
    next = { ...next, [key]: count };
    if (own(project.entities, key)?.count === count) delete next[key];
  }
  return { counts: equalNumbers(counts ?? {}, next) ? counts : next };
}

/** A curve that is drawn under a scenario is meant as it is seen: its weight is in it. */
function curveOverrides(
  { curves, weights }: ScenarioRecord,
  shown: StudioDocument,
  after: StudioDocument,
  project: StudioDocument,
): Overrides {
  const nextCurves: Record<StatementId, FrequencyCurve> = { ...curves };
  const nextWeights: Record<StatementId, number> = { ...weights };
  for (const [key, curve] of Object.entries(after.frequencies)) {
    const seen = own(shown.frequencies, key);
    if (!seen || sameCurve(seen, curve)) continue;
    delete nextWeights[key];
    if (sameCurve(curve, own(project.frequencies, key) ?? [])) delete nextCurves[key];
    else nextCurves[key] = curve;
  }
  return { curves: nextCurves, weights: nextWeights };
}

function limitOverrides(
  { storage, restrictions }: ScenarioRecord,
  shown: StudioDocument,
  after: StudioDocument,
  project: StudioDocument,
): Overrides {
  const limit = after.settings.storage;
  const pins = after.restrictions ?? {};
  return {
    storage: sameJson(limit, shown.settings.storage)
      ? storage
      : sameJson(limit, project.settings.storage)
        ? undefined
        : limit,
    restrictions:
      after.restrictions === shown.restrictions || sameJson(pins, shown.restrictions ?? {})
        ? restrictions
        : sameJson(pins, project.restrictions ?? {})
          ? undefined
          : pins,
  };
}

/**
 * Which scenario to show after undo or redo has led from one project to another, so that a person sees
 * what has changed: the scenario that alone has changed, or the project where the shown scenario hides it.
 */
export function scenarioToShow(
  before: StudioDocument,
  after: StudioDocument,
  shown: ScenarioId | undefined,
): ScenarioId | undefined {
  const { scenarios = {} } = after;
  const different = Object.keys(scenarios).filter((id) => scenarios[id] !== scenarioOf(before, id));
  const [only] = different;
  if (different.length === 1 && equalDocuments(bare(before), bare(after))) return only;
  if (!scenarioOf(after, shown)) return undefined;
  const looksTheSame = equalDocuments(
    bare(effective(before, shown)),
    bare(effective(after, shown)),
  );
  return looksTheSame ? undefined : shown;
}

function bare({ scenarios: _, ...document }: StudioDocument): StudioDocument {
  return document;
}

// ------------------------------------------------------------------------------------------ helpers

/** A scenario without what overrides nothing. */
export function compact(scenario: { readonly name: string } & Overrides): ScenarioRecord {
  const { name, counts, curves, weights, storage, restrictions } = scenario;
  const filled = <Table extends object>(table: Table | undefined): table is Table =>
    table !== undefined && Object.keys(table).length > 0;
  const unknown = Object.fromEntries(
    Object.entries(scenario).filter(([key]) => !knownFields.includes(key)),
  );
  return {
    ...unknown,
    name,
    ...(filled(counts) && { counts }),
    ...(filled(curves) && { curves }),
    ...(filled(weights) && { weights }),
    ...(storage && { storage }),
    // No pins at all is an override too, of a project that has some.
    ...(restrictions && { restrictions }),
  };
}

const knownFields = ["name", "counts", "curves", "weights", "storage", "restrictions"];

/** Overrides of what is no longer there, or of another number of steps, go. */
function tidied(document: StudioDocument): StudioDocument {
  const { scenarios } = document;
  if (!scenarios) return document;
  const { steps } = document.timeline;
  const kept = Object.entries(scenarios).map(([id, scenario]) => {
    const { counts = {}, curves = {}, weights = {} } = scenario;
    const isTidy =
      Object.keys(counts).every((key) => Object.hasOwn(document.entities, key)) &&
      Object.entries(curves).every(
        ([key, curve]) => Object.hasOwn(document.statements, key) && curve.length === steps,
      ) &&
      Object.keys(weights).every((key) => Object.hasOwn(document.statements, key));
    if (isTidy) return [id, scenario] as const;
    const change: Overrides = {
      counts: only(counts, (key) => Object.hasOwn(document.entities, key)),
      curves: only(
        curves,
        (key, curve) => Object.hasOwn(document.statements, key) && curve.length === steps,
      ),
      weights: only(weights, (key) => Object.hasOwn(document.statements, key)),
    };
    return [id, compact({ ...scenario, ...change })] as const;
  });
  return kept.every(([id, scenario]) => scenarios[id] === scenario)
    ? document
    : { ...document, scenarios: Object.fromEntries(kept) };
}

function only<Value>(
  table: Readonly<Record<string, Value>>,
  keep: (key: string, value: Value) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).filter(([key, value]) => keep(key, value)));
}

function own<Value>(table: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

function sameCurve(a: FrequencyCurve, b: FrequencyCurve): boolean {
  return a === b || (a.length === b.length && a.every((value, at) => Object.is(value, b[at])));
}

function sameJson(a: StorageLimit | object, b: StorageLimit | object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function equalNumbers(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
