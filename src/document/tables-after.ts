/** What becomes of pins, bans and schemas by hand when a statement goes or the steps change. */
import type { StatementId } from "#model/statement.ts";
import { withScenarioRestrictions } from "./scenarios-after.ts";
import type { StudioDocument } from "./schema.ts";
import type { RestrictionId, RestrictionRecord } from "./tables-schema.ts";

/** Without the pins and bans of plans of a statement that goes. */
export function withoutPlansOf(document: StudioDocument, statement: StatementId): StudioDocument {
  const { restrictions } = document;
  const without = (all: Restrictions): Restrictions =>
    Object.fromEntries(
      Object.entries(all).filter(
        ([, each]) => each.kind !== "plan" || each.statement !== statement,
      ),
    );
  const next = withScenarioRestrictions(document, without);
  return restrictions ? withRestrictions(next, without(restrictions)) : next;
}

type Restrictions = Readonly<Record<RestrictionId, RestrictionRecord>>;

/**
 * After the number of steps has changed: `oldStep` tells which old step (index) a new one shows, or
 * undefined for one beyond the end. A pin or ban of which no step is left is lifted.
 */
export function withStepsMoved(
  document: StudioDocument,
  steps: number,
  oldStep: (step: number) => number | undefined,
): StudioDocument {
  const { restrictions, handMade } = document;
  const all = Array.from({ length: steps }, (_, step) => step);
  const moved = (table: Restrictions): Restrictions =>
    Object.fromEntries(
      Object.entries(table).flatMap(([id, each]) => {
        if (!each.steps) return [[id, each] as const];
        const kept = new Set(each.steps);
        const now = all
          .filter((step) => kept.has((oldStep(step) ?? -1) + 1))
          .map((step) => step + 1);
        return now.length > 0 ? [[id, { ...each, steps: now }] as const] : [];
      }),
    );
  const everywhere = withScenarioRestrictions(document, moved);
  const next = restrictions ? withRestrictions(everywhere, moved(restrictions)) : everywhere;
  if (!handMade || handMade.schemas.length === 1) return next;
  const { schemas } = handMade;
  const last = schemas.at(-1) ?? [];
  return {
    ...next,
    handMade: { ...handMade, schemas: all.map((step) => schemas[oldStep(step) ?? -1] ?? last) },
  };
}

/** The document with these pins and bans; without the table where none is left. */
export function withRestrictions(
  { restrictions: _, ...document }: StudioDocument,
  restrictions: Readonly<Record<RestrictionId, RestrictionRecord>>,
): StudioDocument {
  return Object.keys(restrictions).length > 0 ? { ...document, restrictions } : document;
}
