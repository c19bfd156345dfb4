/**
 * Every edit of a document, each a pure function `(document, …) => Edit`.
 *
 * The convention: a command never throws on a person's input and never returns a broken document. It
 * returns `{ ok: true, value }` with a new document that shares all untouched parts with the old one
 * (the very same document where nothing changes), or `{ ok: false, issues }` saying in words why the
 * input is refused. Warnings tell what the command had to change along with it. What is merely
 * unfinished (a statement that does not parse, an identifier still missing) is accepted:
 * `to-problem.ts` reports it and nothing typed is lost. Cascades live here, once.
 *
 * Renaming, which has to rewrite statements, is in `rename.ts`.
 */
import type { CostModel } from "#model/cost-model.ts";
import type { AttributeType } from "#model/entity-graph.ts";
import { type Resampling, resampledCurve } from "#model/frequency-curve.ts";
import { anError, aWarning, type Issue, type Result } from "#model/issue.ts";
import type { ProblemOptions, StorageLimit } from "#model/problem.ts";
import type { RunMode } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve, TimeStep } from "#model/workload.ts";
import {
  assumptionIssues,
  attributeIssues,
  attributeNameIssues,
  costModelIssues,
  countIssues,
  curveIssues,
  entityNameIssues,
  newIdIssues,
  optionIssues,
  positionIssues,
  relationshipIssues,
  roleIssues,
  storageIssues,
  timelineIssues,
} from "./input-issues.ts";
import { withCurvesResampled, withoutCounts, withoutRuns } from "./scenarios-after.ts";
import {
  type AssumptionsRecord,
  type AttributeRecord,
  type EntityId,
  type EntityRecord,
  entityName,
  idProblem,
  type Position,
  type RelationshipId,
  type RelationshipRecord,
  type StatementRecord,
  type StudioDocument,
  type TimelineRecord,
} from "./schema.ts";
import { withoutPlansOf, withStepsMoved } from "./tables-after.ts";

/** What a command returns: the document after it, or why it is refused. */
export type Edit = Result<StudioDocument>;

// ------------------------------------------------------------------------------------- the project

/** Names the project. */
export function setName(document: StudioDocument, name: string): Edit {
  if (name.trim() === "")
    return refused("name", "A project needs a name.", "Enter at least a letter.");
  return done(document, { name: name.trim() });
}

/** What the project asks; an empty text removes it. */
export function setQuestion(document: StudioDocument, question: string): Edit {
  const { question: _, ...rest } = document;
  if (question === (document.question ?? "")) return unchanged(document);
  return { ok: true, value: question === "" ? rest : { ...rest, question }, warnings: [] };
}

// ---------------------------------------------------------------------------------------- entities

/** Adds an entity under a new id (see `freshId`), at a position where one is given. */
export function addEntity(
  document: StudioDocument,
  id: EntityId,
  entity: EntityRecord,
  position?: Position,
): Edit {
  const issues = [
    ...newIdIssues("entities", document.entities, id),
    ...entityNameIssues(document, id, entityName(id, entity)),
    ...countIssues(id, entity.count),
    ...entity.attributes.flatMap((attribute) => attributeIssues(id, attribute)),
    ...(position ? positionIssues(id, position) : []),
  ];
  if (issues.length > 0) return { ok: false, issues };
  return done(document, {
    entities: { ...document.entities, [id]: entity },
    ...(position && { layout: { positions: { ...document.layout.positions, [id]: position } } }),
  });
}

/** Removes an entity with its relationships and its position. Statements that name it stay, and stop parsing. */
export function removeEntity(document: StudioDocument, id: EntityId): Edit {
  if (!Object.hasOwn(document.entities, id)) return noSuch("entities", "entity", id);
  const attached = Object.entries(document.relationships)
    .filter(([, { ends }]) => ends.some((end) => end.entity === id))
    .map(([relationship]) => relationship);
  const { document: detached, warnings } = withoutRelationships(document, attached, id);
  return done(
    withoutCounts(detached, id),
    {
      entities: without(detached.entities, [id]),
      layout: { positions: without(detached.layout.positions, [id]) },
    },
    warnings,
  );
}

/** Number of records. */
export function setEntityCount(document: StudioDocument, id: EntityId, count: number): Edit {
  const issues = countIssues(id, count);
  return issues.length > 0 ? { ok: false, issues } : editEntity(document, id, { count });
}

/** Attribute names and roles of parents that together identify a record. */
export function setIdentifier(
  document: StudioDocument,
  id: EntityId,
  identifier: readonly string[],
): Edit {
  return editEntity(document, id, { identifier });
}

/** A remark; an empty text removes it. */
export function setEntityNote(document: StudioDocument, id: EntityId, note: string): Edit {
  return editEntity(document, id, { note: note === "" ? undefined : note });
}

// -------------------------------------------------------------------------------------- attributes

/** Adds an attribute at the end. */
export function addAttribute(
  document: StudioDocument,
  id: EntityId,
  attribute: AttributeRecord,
): Edit {
  const entity = own(document.entities, id);
  if (!entity) return noSuch("entities", "entity", id);
  const issues = [
    ...attributeIssues(id, attribute),
    ...attributeNameIssues(document, id, attribute.name),
  ];
  if (issues.length > 0) return { ok: false, issues };
  return editEntity(document, id, { attributes: [...entity.attributes, attribute] });
}

/** Removes an attribute, also from the identifier and from the keys it holds or is held by. */
export function removeAttribute(document: StudioDocument, id: EntityId, name: string): Edit {
  const entity = own(document.entities, id);
  if (!entity) return noSuch("entities", "entity", id);
  if (!entity.attributes.some((attribute) => attribute.name === name))
    return noSuchAttribute(document, id, name);
  const identifier = entity.identifier.filter((part) => part !== name);
  const warnings =
    identifier.length < entity.identifier.length ? [identifierLost(document, id, name)] : [];
  const relationships = mapTable(document.relationships, (relationship) => {
    const [parent, child] = relationship.ends;
    return withBind(relationship, (held, key) => {
      const gone = (child.entity === id && held === name) || (parent.entity === id && key === name);
      return gone ? undefined : [held, key];
    });
  });
  return done(
    document,
    {
      entities: {
        ...document.entities,
        [id]: {
          ...entity,
          attributes: entity.attributes.filter((attribute) => attribute.name !== name),
          identifier: warnings.length > 0 ? identifier : entity.identifier,
        },
      },
      relationships,
    },
    warnings,
  );
}

/** The type of an attribute. */
export function setAttributeType(
  document: StudioDocument,
  id: EntityId,
  name: string,
  type: AttributeType,
): Edit {
  return editAttribute(document, id, name, { type });
}

/** Average bytes of a value; undefined for the type's default. */
export function setAttributeBytes(
  document: StudioDocument,
  id: EntityId,
  name: string,
  bytes: number | undefined,
): Edit {
  return editAttribute(document, id, name, { bytes });
}

/** Distinct values; undefined for the default. */
export function setAttributeDistinct(
  document: StudioDocument,
  id: EntityId,
  name: string,
  distinct: number | undefined,
): Edit {
  return editAttribute(document, id, name, { distinct });
}

// ----------------------------------------------------------------------------------- relationships

/** Adds a relationship under a new id (see `freshId`). */
export function addRelationship(
  document: StudioDocument,
  id: RelationshipId,
  relationship: RelationshipRecord,
): Edit {
  const issues = [
    ...newIdIssues("relationships", document.relationships, id),
    ...relationshipIssues(document, id, relationship),
    ...roleIssues(document, id, relationship),
  ];
  if (issues.length > 0) return { ok: false, issues };
  return done(document, { relationships: { ...document.relationships, [id]: relationship } });
}

/** Changes anything about a relationship but its ends; undefined removes a field. */
export function editRelationship(
  document: StudioDocument,
  id: RelationshipId,
  change: Partial<Unset<Omit<RelationshipRecord, "ends" | "multiplicity">>> &
    Partial<Pick<RelationshipRecord, "multiplicity">>,
): Edit {
  const relationship = own(document.relationships, id);
  if (!relationship) return noSuch("relationships", "relationship", id);
  const next = changed(relationship, change);
  const issues = relationshipIssues(document, id, next);
  if (issues.length > 0) return { ok: false, issues };
  return next === relationship
    ? unchanged(document)
    : done(document, { relationships: { ...document.relationships, [id]: next } });
}

/** Removes a relationship, also from identifiers that name its role. Statements that walk it stay, and stop parsing. */
export function removeRelationship(document: StudioDocument, id: RelationshipId): Edit {
  if (!Object.hasOwn(document.relationships, id))
    return noSuch("relationships", "relationship", id);
  const { document: value, warnings } = withoutRelationships(document, [id]);
  return { ok: true, value, warnings };
}

// -------------------------------------------------------------------------------------- statements

/** Adds a statement at the end under a new id (see `freshId`); without a curve it runs never. */
export function addStatement(
  document: StudioDocument,
  id: StatementId,
  statement: StatementRecord,
  curve?: FrequencyCurve,
): Edit {
  const issues = [
    ...newIdIssues("statements", document.statements, id),
    ...(curve ? curveIssues(document, id, curve) : []),
  ];
  if (issues.length > 0) return { ok: false, issues };
  const frequencies = curve ?? Array.from({ length: document.timeline.steps }, () => 0);
  return done(document, {
    statements: { ...document.statements, [id]: statement },
    frequencies: { ...document.frequencies, [id]: frequencies },
  });
}

/** Removes a statement with its curve. */
export function removeStatement(document: StudioDocument, id: StatementId): Edit {
  if (!Object.hasOwn(document.statements, id)) return noSuch("statements", "statement", id);
  return done(withoutRuns(withoutPlansOf(document, id), id), {
    statements: without(document.statements, [id]),
    frequencies: without(document.frequencies, [id]),
  });
}

/** The text of a statement, whether it parses or not. */
export function setStatementText(document: StudioDocument, id: StatementId, text: string): Edit {
  return editStatement(document, id, { text });
}

/** The label of a statement; an empty text removes it, then the id stands for it. */
export function setStatementLabel(document: StudioDocument, id: StatementId, label: string): Edit {
  return editStatement(document, id, { label: label === "" ? undefined : label });
}

/** The group of a statement; an empty text takes it out of its group. */
export function setStatementGroup(document: StudioDocument, id: StatementId, group: string): Edit {
  return editStatement(document, id, { group: group === "" ? undefined : group });
}

/** What is known about the statement's ranges and lists; undefined for the defaults. */
export function setStatementAssumptions(
  document: StudioDocument,
  id: StatementId,
  assumptions: AssumptionsRecord | undefined,
): Edit {
  const issues = assumptionIssues(id, assumptions ?? {});
  if (issues.length > 0) return { ok: false, issues };
  return editStatement(document, id, { assumptions });
}

/** Moves a statement to another place in the order of display, counted from 0. */
export function moveStatement(document: StudioDocument, id: StatementId, to: number): Edit {
  const record = own(document.statements, id);
  if (!record) return noSuch("statements", "statement", id);
  const entries = Object.entries(document.statements);
  const from = entries.findIndex(([key]) => key === id);
  const others = entries.filter(([key]) => key !== id);
  const at = Math.min(Math.max(0, Math.trunc(to)), others.length);
  if (Number.isNaN(at) || at === from) return unchanged(document);
  return done(document, {
    statements: Object.fromEntries([...others.slice(0, at), [id, record], ...others.slice(at)]),
  });
}

// ------------------------------------------------------------------------------------- frequencies

/** Executions per second of a statement during one step. */
export function setFrequency(
  document: StudioDocument,
  statement: StatementId,
  step: TimeStep,
  value: number,
): Edit {
  const curve = own(document.frequencies, statement);
  if (!curve) return noSuch("frequencies", "statement", statement);
  if (!Number.isInteger(step) || step < 0 || step >= document.timeline.steps)
    return refused(
      `frequencies/${statement}`,
      `There is no step ${step + 1}.`,
      `Choose a step from 1 to ${document.timeline.steps}.`,
    );
  return setFrequencies(document, statement, curve.with(step, value));
}

/** The whole curve of a statement: one number per step. */
export function setFrequencies(
  document: StudioDocument,
  statement: StatementId,
  values: FrequencyCurve,
): Edit {
  return setCurves(document, { [statement]: values });
}

/** Several curves at once, as pasted from a sheet or made by a generator. */
export function setCurves(
  document: StudioDocument,
  curves: Readonly<Record<StatementId, FrequencyCurve>>,
): Edit {
  const issues = Object.entries(curves).flatMap(([statement, curve]) =>
    Object.hasOwn(document.statements, statement)
      ? curveIssues(document, statement, curve)
      : [missing("frequencies", "statement", statement)],
  );
  if (issues.length > 0) return { ok: false, issues };
  const different = Object.entries(curves).filter(
    ([statement, curve]) => !equalLists(curve, document.frequencies[statement] ?? []),
  );
  return different.length === 0
    ? unchanged(document)
    : done(document, {
        frequencies: { ...document.frequencies, ...Object.fromEntries(different) },
      });
}

/** Multiplies all curves of a group ("" for the statements without one) by a factor. */
export function scaleGroup(document: StudioDocument, group: string, factor: number): Edit {
  const members = Object.entries(document.statements)
    .filter(([, statement]) => (statement.group ?? "") === group)
    .map(([id]) => id);
  if (members.length === 0)
    return refused(
      "statements",
      group === "" ? "Every statement is in a group." : `No statement is in the group ${group}.`,
      "Choose a group that has statements.",
    );
  if (!(factor >= 0) || !Number.isFinite(factor))
    return refused(
      "frequencies",
      `Frequencies cannot be multiplied by ${factor}.`,
      "Enter a factor of at least 0.",
    );
  return setCurves(
    document,
    Object.fromEntries(
      members.map((id) => [id, (document.frequencies[id] ?? []).map((value) => value * factor)]),
    ),
  );
}

/**
 * The number and length of time steps. `fit` says what happens to the curves when their number changes.
 * By default a change that keeps the horizon's length (24 hours into 48 half-hours) stretches, with the
 * totals as they were, and any other cuts.
 */
export function setTimeline(
  document: StudioDocument,
  timeline: { readonly steps: number; readonly stepSeconds: number },
  fit?: Resampling,
): Edit {
  const { steps, stepSeconds } = timeline;
  const issues = timelineIssues(steps, stepSeconds);
  if (issues.length > 0) return { ok: false, issues };
  const old = document.timeline;
  if (steps === old.steps && stepSeconds === old.stepSeconds) return unchanged(document);
  if (steps === old.steps) return done(document, { timeline: { ...old, stepSeconds } });
  const sameHorizon = closeTo(steps * stepSeconds, old.steps * old.stepSeconds);
  const resolved = fit ?? (sameHorizon ? "stretch" : "cut");
  const keepsSteps = resolved === "cut" || resolved === "repeat";
  const labels = keepsSteps ? refitLabels(old.labels, steps) : undefined;
  const shown = (step: number): number | undefined => {
    if (!keepsSteps) return Math.floor((step * old.steps) / steps);
    return step < old.steps ? step : undefined;
  };
  const refit = (curve: FrequencyCurve): FrequencyCurve => resampledCurve(curve, steps, resolved);
  return done(withCurvesResampled(withStepsMoved(document, steps, shown), refit), {
    timeline: { steps, stepSeconds, ...(labels && { labels }) },
    frequencies: mapTable(document.frequencies, refit),
  });
}

/** Labels of the steps, one each; undefined removes them. */
export function setStepLabels(
  document: StudioDocument,
  labels: readonly string[] | undefined,
): Edit {
  const { steps } = document.timeline;
  if (labels && labels.length !== steps)
    return refused(
      "timeline/labels",
      `There are ${labels.length} labels for ${steps} steps.`,
      "Enter one label per step.",
    );
  const timeline: TimelineRecord = changed(document.timeline, { labels });
  return timeline === document.timeline ? unchanged(document) : done(document, { timeline });
}

// ---------------------------------------------------------------------------------------- settings

/** The storage limit. */
export function setStorage(document: StudioDocument, storage: StorageLimit): Edit {
  const issues = storageIssues(storage);
  if (issues.length > 0) return { ok: false, issues };
  return editSettings(document, { storage });
}

/** One option of the run. */
export function setOption<Name extends keyof ProblemOptions>(
  document: StudioDocument,
  name: Name,
  value: ProblemOptions[Name],
): Edit {
  const options = { ...document.settings.options, [name]: value };
  const issues = optionIssues(options);
  if (issues.length > 0) return { ok: false, issues };
  return value === document.settings.options[name]
    ? unchanged(document)
    : editSettings(document, { options });
}

/** The cost model. */
export function setCostModel(document: StudioDocument, costModel: CostModel): Edit {
  const issues = costModelIssues(costModel);
  return issues.length > 0 ? { ok: false, issues } : editSettings(document, { costModel });
}

/** The relative gap at which the search may stop, 0 … 1. */
export function setGap(document: StudioDocument, gap: number): Edit {
  if (!(gap >= 0 && gap <= 1))
    return refused("settings/gap", `${gap} is no relative gap.`, "Enter a number between 0 and 1.");
  return editSettings(document, { gap });
}

/** Seconds after which a run returns its best answer so far; undefined for no limit. */
export function setTimeLimit(document: StudioDocument, seconds: number | undefined): Edit {
  if (seconds !== undefined && !(seconds > 0 && Number.isFinite(seconds)))
    return refused(
      "settings/timeLimitSeconds",
      `A run cannot be limited to ${seconds} seconds.`,
      "Enter a number above 0, or no limit.",
    );
  return editSettings(document, { timeLimitSeconds: seconds });
}

/** How runs search. */
export function setMode(document: StudioDocument, mode: RunMode): Edit {
  return editSettings(document, { mode: mode === "certified" ? undefined : mode });
}

// ------------------------------------------------------------------------------------------ layout

/** Puts one entity somewhere else on the canvas. */
export function moveEntity(document: StudioDocument, id: EntityId, position: Position): Edit {
  return setPositions(document, { [id]: position });
}

/** Puts several entities somewhere else at once, as auto layout does. */
export function setPositions(
  document: StudioDocument,
  positions: Readonly<Record<EntityId, Position>>,
): Edit {
  const issues = Object.entries(positions).flatMap(([id, position]) =>
    Object.hasOwn(document.entities, id)
      ? positionIssues(id, position)
      : [missing("layout/positions", "entity", id)],
  );
  if (issues.length > 0) return { ok: false, issues };
  const different = Object.entries(positions).filter(([id, { x, y }]) => {
    const old = own(document.layout.positions, id);
    return old?.x !== x || old.y !== y;
  });
  return different.length === 0
    ? unchanged(document)
    : done(document, {
        layout: { positions: { ...document.layout.positions, ...Object.fromEntries(different) } },
      });
}

/** An id that is not taken yet: the wish, or the wish with a number behind it. */
export function freshId(taken: Readonly<Record<string, unknown>>, wish: string): string {
  const cleaned = wish.replaceAll("/", " ").trim();
  const base = idProblem(cleaned) === undefined ? cleaned : `_${cleaned}`;
  if (!Object.hasOwn(taken, base)) return base;
  let number = 2;
  while (Object.hasOwn(taken, `${base}${number}`)) number += 1;
  return `${base}${number}`;
}

// ----------------------------------------------------------------------------------------- helpers

/** The fields of a record, each of which may be undefined: then it is removed. */
type Unset<Record> = { readonly [Field in keyof Record]: Record[Field] | undefined };

function done(
  document: StudioDocument,
  change: Partial<StudioDocument>,
  warnings: readonly Issue[] = [],
): Edit {
  return { ok: true, value: { ...document, ...change }, warnings };
}

function unchanged(document: StudioDocument): Edit {
  return { ok: true, value: document, warnings: [] };
}

function refused(place: string, message: string, hint: string): Edit {
  return { ok: false, issues: [anError(place, message, hint)] };
}

function missing(table: string, noun: string, id: string): Issue {
  return anError(
    `${table}/${id}`,
    `There is no ${noun} ${id}.`,
    "It may have been removed; choose another one.",
  );
}

function noSuch(table: string, noun: string, id: string): Edit {
  return { ok: false, issues: [missing(table, noun, id)] };
}

function noSuchAttribute(document: StudioDocument, id: EntityId, name: string): Edit {
  const entity = document.entities[id] as EntityRecord;
  return {
    ok: false,
    issues: [
      anError(
        `entities/${id}/attributes/${name}`,
        `${entityName(id, entity)} has no attribute ${name}.`,
        "It may have been removed; choose another one.",
      ),
    ],
  };
}

/** A record of a table, never something inherited. */
function own<Value>(table: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

/** A record with some fields changed and those set to undefined removed; itself where nothing changes. */
function changed<Record extends object>(record: Record, change: object): Record {
  const before = new Map(Object.entries(record));
  if (Object.entries(change).every(([field, value]) => Object.is(before.get(field), value)))
    return record;
  const after = Object.entries({ ...record, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(after) as Record;
}

function editEntity(
  document: StudioDocument,
  id: EntityId,
  change: Partial<Unset<EntityRecord>>,
): Edit {
  const entity = own(document.entities, id);
  if (!entity) return noSuch("entities", "entity", id);
  const next = changed(entity, change);
  return next === entity
    ? unchanged(document)
    : done(document, { entities: { ...document.entities, [id]: next } });
}

function editAttribute(
  document: StudioDocument,
  id: EntityId,
  name: string,
  change: Partial<Unset<AttributeRecord>>,
): Edit {
  const entity = own(document.entities, id);
  if (!entity) return noSuch("entities", "entity", id);
  const attribute = entity.attributes.find((candidate) => candidate.name === name);
  if (!attribute) return noSuchAttribute(document, id, name);
  const next = changed(attribute, change);
  if (next === attribute) return unchanged(document);
  const issues = attributeIssues(id, next);
  if (issues.length > 0) return { ok: false, issues };
  return editEntity(document, id, {
    attributes: entity.attributes.map((candidate) => (candidate === attribute ? next : candidate)),
  });
}

function editStatement(
  document: StudioDocument,
  id: StatementId,
  change: Partial<Unset<StatementRecord>>,
): Edit {
  const statement = own(document.statements, id);
  if (!statement) return noSuch("statements", "statement", id);
  const next = changed(statement, change);
  return next === statement
    ? unchanged(document)
    : done(document, { statements: { ...document.statements, [id]: next } });
}

function editSettings(document: StudioDocument, change: object): Edit {
  const settings = changed(document.settings, change);
  return settings === document.settings ? unchanged(document) : done(document, { settings });
}

function without<Value>(
  table: Readonly<Record<string, Value>>,
  ids: readonly string[],
): Readonly<Record<string, Value>> {
  if (!ids.some((id) => Object.hasOwn(table, id))) return table;
  return Object.fromEntries(Object.entries(table).filter(([id]) => !ids.includes(id)));
}

/** Every record through a function; the table itself where all stay the same. */
function mapTable<Value>(
  table: Readonly<Record<string, Value>>,
  next: (value: Value, id: string) => Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(table).map(([id, value]) => [id, next(value, id)] as const);
  return entries.every(([id, value]) => value === table[id]) ? table : Object.fromEntries(entries);
}

/** Removes relationships and their roles from the identifiers of entities that stay. */
function withoutRelationships(
  document: StudioDocument,
  ids: readonly RelationshipId[],
  leaving?: EntityId,
): { readonly document: StudioDocument; readonly warnings: readonly Issue[] } {
  const warnings: Issue[] = [];
  let entities = document.entities;
  for (const id of ids) {
    const [parent, child] = (document.relationships[id] as RelationshipRecord).ends;
    const entity = own(entities, child.entity);
    if (!entity?.identifier.includes(parent.role) || child.entity === leaving) continue;
    warnings.push(identifierLost(document, child.entity, parent.role));
    entities = {
      ...entities,
      [child.entity]: {
        ...entity,
        identifier: entity.identifier.filter((part) => part !== parent.role),
      },
    };
  }
  const relationships = without(document.relationships, ids);
  return { document: { ...document, entities, relationships }, warnings };
}

function identifierLost(document: StudioDocument, id: EntityId, part: string): Issue {
  return aWarning(
    `entities/${id}`,
    `The identifier of ${entityName(id, document.entities[id] as EntityRecord)} has lost ${part}.`,
    "Check what identifies a record now.",
  );
}

/** A relationship with its key columns through a function; undefined removes one. */
function withBind(
  relationship: RelationshipRecord,
  next: (child: string, parent: string) => readonly [string, string] | undefined,
): RelationshipRecord {
  if (!relationship.bind) return relationship;
  const before = Object.entries(relationship.bind);
  const after = before.flatMap(([child, parent]) => {
    const pair = next(child, parent);
    return pair ? [pair] : [];
  });
  if (after.length === before.length) return relationship;
  return changed(relationship, {
    bind: after.length > 0 ? Object.fromEntries(after) : undefined,
  });
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}

function closeTo(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(a, b);
}

function refitLabels(
  labels: readonly string[] | undefined,
  steps: number,
): readonly string[] | undefined {
  return labels && Array.from({ length: steps }, (_, step) => labels[step] ?? `${step + 1}`);
}
