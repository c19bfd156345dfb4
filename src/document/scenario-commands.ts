/**
 * Edits of scenarios, by the convention of `commands.ts`: add, duplicate, rename, delete; and every override
 * set or taken back. An override of what is not there is refused.
 */
import { anError, type Issue } from "#model/issue.ts";
import type { StorageLimit } from "#model/problem.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { type Edit, freshId } from "./commands.ts";
import { countIssues, curveIssues, storageIssues } from "./input-issues.ts";
import { compact, type Overrides, scenarioOf } from "./scenario.ts";
import type { EntityId, ScenarioId, ScenarioRecord, StudioDocument } from "./schema.ts";

/** Adds a scenario that overrides nothing yet, under a new id (see `freshScenarioId`). */
export function addScenario(document: StudioDocument, id: ScenarioId, name: string): Edit {
  const issues = nameIssues(document, id, name);
  if (issues.length > 0) return { ok: false, issues };
  return withScenario(document, id, { name: name.trim() });
}

/** Adds a scenario with the overrides of another one. */
export function duplicateScenario(
  document: StudioDocument,
  from: ScenarioId,
  id: ScenarioId,
  name: string,
): Edit {
  const scenario = scenarioOf(document, from);
  if (!scenario) return noSuch(from);
  const issues = nameIssues(document, id, name);
  if (issues.length > 0) return { ok: false, issues };
  return withScenario(document, id, { ...scenario, name: name.trim() });
}

export function renameScenario(document: StudioDocument, id: ScenarioId, name: string): Edit {
  const scenario = scenarioOf(document, id);
  if (!scenario) return noSuch(id);
  const issues = nameIssues(document, id, name);
  if (issues.length > 0) return { ok: false, issues };
  return withScenario(document, id, { ...scenario, name: name.trim() });
}

export function removeScenario(document: StudioDocument, id: ScenarioId): Edit {
  if (!scenarioOf(document, id)) return noSuch(id);
  const { scenarios, ...rest } = document;
  const kept = Object.entries(scenarios ?? {}).filter(([key]) => key !== id);
  return {
    ok: true,
    value: kept.length > 0 ? { ...document, scenarios: Object.fromEntries(kept) } : rest,
    warnings: [],
  };
}

/** The number of records of an entity under a scenario; undefined takes the override back. */
export function setCountOverride(
  document: StudioDocument,
  id: ScenarioId,
  entity: EntityId,
  count: number | undefined,
): Edit {
  const issues = [
    ...missing(document.entities, "entity", entity),
    ...(count === undefined ? [] : countIssues(entity, count)),
  ];
  return overridden(document, id, issues, ({ counts }) => ({
    counts: changedTable(counts, entity, count),
  }));
}

/** The curve of a statement under a scenario; undefined takes the override back. */
export function setCurveOverride(
  document: StudioDocument,
  id: ScenarioId,
  statement: StatementId,
  curve: FrequencyCurve | undefined,
): Edit {
  const issues = [
    ...missing(document.statements, "statement", statement),
    ...(curve === undefined ? [] : curveIssues(document, statement, curve)),
  ];
  return overridden(document, id, issues, ({ curves }) => ({
    curves: changedTable(curves, statement, curve),
  }));
}

/** The factor by which a statement's curve is multiplied under a scenario; 1 or undefined takes it back. */
export function setWeight(
  document: StudioDocument,
  id: ScenarioId,
  statement: StatementId,
  weight: number | undefined,
): Edit {
  const issues = missing(document.statements, "statement", statement);
  if (weight !== undefined && !(weight >= 0 && Number.isFinite(weight)))
    issues.push(
      anError(
        `statements/${statement}`,
        `Frequencies cannot be multiplied by ${weight}.`,
        "Enter a factor of at least 0.",
      ),
    );
  return overridden(document, id, issues, ({ weights }) => ({
    weights: changedTable(weights, statement, weight === 1 ? undefined : weight),
  }));
}

/** The storage limit under a scenario; undefined takes the override back. */
export function setStorageOverride(
  document: StudioDocument,
  id: ScenarioId,
  storage: StorageLimit | undefined,
): Edit {
  return overridden(document, id, storage ? storageIssues(storage) : [], () => ({ storage }));
}

/** Takes the pins of a scenario back: the project's are in force. */
export function clearPinsOverride(document: StudioDocument, id: ScenarioId): Edit {
  return overridden(document, id, [], () => ({ restrictions: undefined }));
}

/** An id for a scenario of this name. */
export function freshScenarioId({ scenarios = {} }: StudioDocument, name: string): ScenarioId {
  return freshId(scenarios, name);
}

function overridden(
  document: StudioDocument,
  id: ScenarioId,
  issues: readonly Issue[],
  change: (scenario: ScenarioRecord) => Overrides,
): Edit {
  const scenario = scenarioOf(document, id);
  if (!scenario) return noSuch(id);
  if (issues.length > 0) return { ok: false, issues };
  return withScenario(
    document,
    id,
    compact({ ...scenario, ...change(scenario), name: scenario.name }),
  );
}

function changedTable<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  const others = Object.entries(table ?? {}).filter(([other]) => other !== key);
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}

function withScenario(document: StudioDocument, id: ScenarioId, scenario: ScenarioRecord): Edit {
  const scenarios = { ...document.scenarios, [id]: scenario };
  return { ok: true, value: { ...document, scenarios }, warnings: [] };
}

function nameIssues(
  { scenarios = {} }: StudioDocument,
  id: ScenarioId,
  name: string,
): readonly Issue[] {
  const place = `scenarios/${id}`;
  if (name.trim() === "")
    return [anError(place, "A scenario needs a name.", "Enter at least a letter.")];
  const isTaken = Object.entries(scenarios).some(
    ([other, scenario]) => other !== id && scenario.name === name.trim(),
  );
  return isTaken
    ? [anError(place, `Another scenario is called ${name.trim()}.`, "Choose another name.")]
    : [];
}

function missing(
  table: Readonly<Record<string, unknown>>,
  noun: "entity" | "statement",
  id: string,
): Issue[] {
  if (Object.hasOwn(table, id)) return [];
  const place = `${noun === "entity" ? "entities" : "statements"}/${id}`;
  return [anError(place, `There is no ${noun} ${id}.`, "It may have been removed.")];
}

function noSuch(id: ScenarioId): Edit {
  return {
    ok: false,
    issues: [anError(`scenarios/${id}`, `There is no scenario ${id}.`, "Choose another one.")],
  };
}
