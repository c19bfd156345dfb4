/** What becomes of the overrides of scenarios when a record goes, the steps change or tables are renamed. */
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import type { EntityId, ScenarioRecord, StudioDocument } from "./schema.ts";
import type { RestrictionId, RestrictionRecord } from "./tables-schema.ts";

/** Without the numbers of records of an entity that goes. */
export function withoutCounts(document: StudioDocument, entity: EntityId): StudioDocument {
  return withScenarios(document, ({ counts, ...rest }) =>
    withTable(rest, "counts", counts, entity),
  );
}

/** Without the curves and weights of a statement that goes. */
export function withoutRuns(document: StudioDocument, statement: StatementId): StudioDocument {
  const withoutCurves = withScenarios(document, ({ curves, ...rest }) =>
    withTable(rest, "curves", curves, statement),
  );
  return withScenarios(withoutCurves, ({ weights, ...rest }) =>
    withTable(rest, "weights", weights, statement),
  );
}

/** Every overridden curve through a function, as the project's own are when the steps change. */
export function withCurvesResampled(
  document: StudioDocument,
  resampled: (curve: FrequencyCurve) => FrequencyCurve,
): StudioDocument {
  return withScenarios(document, (scenario) =>
    scenario.curves
      ? {
          ...scenario,
          curves: Object.fromEntries(
            Object.entries(scenario.curves).map(([id, curve]) => [id, resampled(curve)]),
          ),
        }
      : scenario,
  );
}

/** Every scenario's own pins and bans through a function. */
export function withScenarioRestrictions(
  document: StudioDocument,
  next: (
    restrictions: Readonly<Record<RestrictionId, RestrictionRecord>>,
  ) => Readonly<Record<RestrictionId, RestrictionRecord>>,
): StudioDocument {
  return withScenarios(document, (scenario) =>
    scenario.restrictions ? { ...scenario, restrictions: next(scenario.restrictions) } : scenario,
  );
}

function withScenarios(
  document: StudioDocument,
  next: (scenario: ScenarioRecord) => ScenarioRecord,
): StudioDocument {
  const { scenarios } = document;
  if (!scenarios) return document;
  return {
    ...document,
    scenarios: Object.fromEntries(
      Object.entries(scenarios).map(([id, scenario]) => [id, next(scenario)]),
    ),
  };
}

/** A scenario with a table of overrides without one of them; without the table where it was the last. */
function withTable<Value>(
  rest: ScenarioRecord,
  field: "counts" | "curves" | "weights",
  table: Readonly<Record<string, Value>> | undefined,
  id: string,
): ScenarioRecord {
  const kept = Object.entries(table ?? {}).filter(([key]) => key !== id);
  return kept.length > 0 ? { ...rest, [field]: Object.fromEntries(kept) } : rest;
}
