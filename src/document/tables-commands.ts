/**
 * Edits of the tables that a person names, by the convention of `commands.ts`: pins and bans, the start
 * schema, the schema by hand.
 */
import { anError, type Issue } from "#model/issue.ts";
import { type Edit, freshId } from "./commands.ts";
import type { StudioDocument } from "./schema.ts";
import { withRestrictions } from "./tables-after.ts";
import type { HandMadeRecord, RestrictionId, RestrictionRecord } from "./tables-schema.ts";
import { tableIssues } from "./to-problem.ts";

/** Adds a pin or ban; refused where it names what is not there. */
export function addRestriction(document: StudioDocument, restriction: RestrictionRecord): Edit {
  const { restrictions = {} } = document;
  const known = Object.values(restrictions).some(
    (each) => JSON.stringify(each) === JSON.stringify(restriction),
  );
  if (known) return { ok: true, value: document, warnings: [] };
  const id = freshId(restrictions, restriction.demand);
  return judged({ ...document, restrictions: { ...restrictions, [id]: restriction } }, [
    `restrictions/${id}`,
  ]);
}

/** Lifts a pin or ban. */
export function removeRestriction(document: StudioDocument, id: RestrictionId): Edit {
  const { restrictions = {} } = document;
  if (!Object.hasOwn(restrictions, id))
    return {
      ok: false,
      issues: [
        anError(`restrictions/${id}`, `There is no pin or ban ${id}.`, "Choose another one."),
      ],
    };
  const { [id]: _, ...rest } = restrictions;
  return done(withRestrictions(document, rest));
}

/** The tables that exist before step 1; undefined forgets them. */
export function setStartSchema(
  document: StudioDocument,
  families: readonly string[] | undefined,
): Edit {
  const { startSchema: _, ...rest } = document;
  if (families === undefined) return done(rest);
  return judged({ ...rest, startSchema: families }, ["startSchema"]);
}

/** The schema to compare with; undefined forgets it. */
export function setHandMade(document: StudioDocument, schema: HandMadeRecord | undefined): Edit {
  const { handMade: _, ...rest } = document;
  if (schema === undefined) return done(rest);
  return judged({ ...rest, handMade: schema }, ["handMade"]);
}

/** Refused where the places have errors. */
function judged(document: StudioDocument, places: readonly string[]): Edit {
  const isThere = ({ place }: Issue): boolean =>
    places.some((each) => place === each || place.startsWith(`${each}/`));
  const issues = tableIssues(document).filter(isThere);
  return issues.some(({ severity }) => severity === "error")
    ? { ok: false, issues }
    : { ok: true, value: document, warnings: issues };
}

function done(document: StudioDocument): Edit {
  return { ok: true, value: document, warnings: [] };
}
