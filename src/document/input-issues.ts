/**
 * What a command refuses, in words: numbers out of range and names that are taken. One function per
 * thing entered, each returning all mistakes in it. The same limits as the file's schema; they are
 * written here for a person at the keyboard, there for the reader of a file.
 */
import type { CostModel } from "#model/cost-model.ts";
import { anError, type Issue } from "#model/issue.ts";
import type { ProblemOptions, StorageLimit } from "#model/problem.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import {
  type AssumptionsRecord,
  type AttributeRecord,
  type EntityId,
  type EntityRecord,
  entityName,
  idProblem,
  mostSteps,
  type Position,
  type RelationshipId,
  type RelationshipRecord,
  type StudioDocument,
} from "./schema.ts";

/** An id for a new record of a table. */
export function newIdIssues(
  table: string,
  taken: Readonly<Record<string, unknown>>,
  id: string,
): Issue[] {
  const problem = idProblem(id);
  if (problem) return [anError(`${table}/${id}`, `“${id}” cannot be an id.`, problem)];
  if (Object.hasOwn(taken, id))
    return [anError(`${table}/${id}`, `The id ${id} is taken.`, "Choose another id.")];
  return [];
}

/** A name for an entity, new or renamed. Names differ in more than capitals, as CQL demands. */
export function entityNameIssues(document: StudioDocument, id: EntityId, name: string): Issue[] {
  const wrong = nameIssues(`entities/${id}`, "an entity", name);
  const taken = Object.entries(document.entities).some(
    ([other, entity]) => other !== id && sameName(entityName(other, entity), name),
  );
  return taken
    ? [...wrong, anError(`entities/${id}`, `Another entity is called ${name}.`, anotherName)]
    : wrong;
}

/** A name for an attribute of an entity: not the name of another attribute or of a role. */
export function attributeNameIssues(
  document: StudioDocument,
  id: EntityId,
  name: string,
  renamed?: string,
): Issue[] {
  const entity = document.entities[id] as EntityRecord;
  const place = `entities/${id}/attributes/${renamed ?? name}`;
  const issues = nameIssues(place, "an attribute", name);
  if (entity.attributes.some((other) => other.name !== renamed && sameName(other.name, name)))
    issues.push(
      anError(
        place,
        `${entityName(id, entity)} already has an attribute called ${name}.`,
        anotherName,
      ),
    );
  if (rolesFrom(document, id).some(({ role }) => role === name))
    issues.push(
      anError(place, `${entityName(id, entity)} already has a role called ${name}.`, anotherName),
    );
  return issues;
}

/** Both roles of a relationship, new or renamed: free among attributes and roles of the other end. */
export function roleIssues(
  document: StudioDocument,
  id: RelationshipId,
  relationship: RelationshipRecord,
): Issue[] {
  const place = `relationships/${id}`;
  const [parent, child] = relationship.ends;
  const issues = relationship.ends.flatMap((end, side) => {
    const from = relationship.ends[1 - side] as { entity: EntityId };
    const entity = document.entities[from.entity];
    const wrong = nameIssues(place, "a role", end.role);
    if (!entity) return wrong;
    const name = entityName(from.entity, entity);
    if (entity.attributes.some((attribute) => attribute.name === end.role))
      wrong.push(
        anError(place, `${name} already has an attribute called ${end.role}.`, anotherRole),
      );
    if (
      rolesFrom(document, from.entity).some(
        (other) => other.relationship !== id && other.role === end.role,
      )
    )
      wrong.push(anError(place, `${name} already has a role called ${end.role}.`, anotherRole));
    return wrong;
  });
  if (parent.entity === child.entity && parent.role === child.role)
    issues.push(
      anError(
        place,
        `Both directions are called ${parent.role}.`,
        "Give one end another role name.",
      ),
    );
  return issues;
}

/** Number of records. */
export function countIssues(id: EntityId, count: number): Issue[] {
  return isAtLeast(1, count)
    ? []
    : [
        anError(
          `entities/${id}/count`,
          `${count} is no number of records.`,
          "Enter a number of at least 1.",
        ),
      ];
}

/** The numbers of an attribute. */
export function attributeIssues(id: EntityId, attribute: AttributeRecord): Issue[] {
  const { name, bytes, distinct } = attribute;
  const place = `entities/${id}/attributes/${name}`;
  const issues: Issue[] = [];
  if (bytes !== undefined && !isAbove(0, bytes))
    issues.push(
      anError(place, `A value of ${name} cannot have ${bytes} bytes.`, "Enter a size above 0."),
    );
  if (distinct !== undefined && !isAtLeast(1, distinct))
    issues.push(
      anError(place, `${name} cannot have ${distinct} distinct values.`, "Enter at least 1."),
    );
  return issues;
}

/** The ends of a relationship exist and its number of links makes sense. */
export function relationshipIssues(
  document: StudioDocument,
  id: RelationshipId,
  relationship: RelationshipRecord,
): Issue[] {
  const place = `relationships/${id}`;
  const issues = relationship.ends
    .filter((end) => !Object.hasOwn(document.entities, end.entity))
    .map((end) =>
      anError(
        place,
        `There is no entity ${end.entity}.`,
        "Draw it, or attach this end to another entity.",
      ),
    );
  if (relationship.links !== undefined && !isAtLeast(1, relationship.links))
    issues.push(
      anError(place, `${relationship.links} is no number of links.`, "Enter at least 1."),
    );
  return issues;
}

/** Selectivities and list lengths of a statement. */
export function assumptionIssues(id: StatementId, assumptions: AssumptionsRecord): Issue[] {
  const shares = Object.entries(assumptions.selectivity ?? {})
    .filter(([, share]) => !(share >= 0 && share <= 1))
    .map(([column, share]) =>
      anError(
        `statements/${id}/assumptions/selectivity/${column}`,
        `${share} is no share of the rows of ${column}.`,
        "Enter a number between 0 and 1.",
      ),
    );
  const lengths = Object.entries(assumptions.listLength ?? {})
    .filter(([, length]) => !isAtLeast(1, length))
    .map(([column, length]) =>
      anError(
        `statements/${id}/assumptions/listLength/${column}`,
        `${length} is no length of a list for ${column}.`,
        "Enter a number of at least 1.",
      ),
    );
  return [...shares, ...lengths];
}

/** A curve: one number of at least 0 per step. */
export function curveIssues(
  document: StudioDocument,
  statement: StatementId,
  curve: FrequencyCurve,
): Issue[] {
  const { steps } = document.timeline;
  const place = `frequencies/${statement}`;
  const issues = curve.flatMap((value, step) =>
    isAtLeast(0, value)
      ? []
      : [
          anError(
            `${place}/${step}`,
            `${statement} cannot run ${value} times per second.`,
            "Enter a number of at least 0.",
          ),
        ],
  );
  if (curve.length !== steps)
    issues.push(
      anError(
        place,
        `${statement} has ${curve.length} ${curve.length === 1 ? "frequency" : "frequencies"} for ${steps} ${steps === 1 ? "step" : "steps"}.`,
        "Enter one number per step.",
      ),
    );
  return issues;
}

/** Number and length of steps. */
export function timelineIssues(steps: number, stepSeconds: number): Issue[] {
  const issues: Issue[] = [];
  if (!Number.isInteger(steps) || steps < 1 || steps > mostSteps)
    issues.push(
      anError(
        "timeline/steps",
        `A timeline cannot have ${steps} steps.`,
        `Enter a whole number from 1 to ${mostSteps}.`,
      ),
    );
  if (!isAbove(0, stepSeconds))
    issues.push(
      anError(
        "timeline/stepSeconds",
        `A step cannot last ${stepSeconds} seconds.`,
        "Enter a number above 0.",
      ),
    );
  return issues;
}

/** The storage limit. */
export function storageIssues(storage: StorageLimit): Issue[] {
  if (storage.kind === "none") return [];
  const [amount, unit] =
    storage.kind === "bytes" ? [storage.bytes, "bytes"] : [storage.percent, "per cent"];
  return isAbove(0, amount)
    ? []
    : [
        anError(
          "settings/storage",
          `Storage cannot be limited to ${amount} ${unit}.`,
          "Enter a number above 0, or choose no limit.",
        ),
      ];
}

/** The options of a run. */
export function optionIssues(options: ProblemOptions): Issue[] {
  const issues: Issue[] = [];
  if (!Number.isInteger(options.maxGets) || options.maxGets < 1)
    issues.push(
      anError(
        "settings/options/maxGets",
        `A plan cannot have ${options.maxGets} Gets at most.`,
        "Enter a whole number of at least 1.",
      ),
    );
  if (!isAbove(0, options.sizeFactor))
    issues.push(
      anError(
        "settings/options/sizeFactor",
        `Sizes cannot be multiplied by ${options.sizeFactor}.`,
        "Enter a factor above 0.",
      ),
    );
  return issues;
}

/** The coefficients of a cost model: milliseconds, none below 0. */
export function costModelIssues({ fit: _, ...costModel }: CostModel): Issue[] {
  return Object.entries(costModel).flatMap(([part, coefficients]) =>
    typeof coefficients === "string"
      ? []
      : Object.entries(coefficients as Readonly<Record<string, number>>)
          .filter(([, value]) => !isAtLeast(0, value))
          .map(([name, value]) =>
            anError(
              `settings/costModel/${part}/${name}`,
              `The coefficient ${name} of ${part} is ${value}.`,
              "Enter a number of milliseconds of at least 0.",
            ),
          ),
  );
}

/** A place on the canvas. */
export function positionIssues(id: EntityId, position: Position): Issue[] {
  return Number.isFinite(position.x) && Number.isFinite(position.y)
    ? []
    : [
        anError(
          `layout/positions/${id}`,
          `${id} cannot stand at ${position.x}, ${position.y}.`,
          "Use finite numbers.",
        ),
      ];
}

const anotherName = "Choose another name.";
const anotherRole = "Give this end another role name.";
const namePattern = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;

function nameIssues(place: string, noun: string, name: string): Issue[] {
  return namePattern.test(name)
    ? []
    : [
        anError(
          place,
          `“${name}” cannot name ${noun}.`,
          "Begin with a letter; use letters, digits, spaces, - and _.",
        ),
      ];
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Roles that can be walked from an entity. */
function rolesFrom(
  document: StudioDocument,
  id: EntityId,
): { readonly relationship: RelationshipId; readonly role: string }[] {
  return Object.entries(document.relationships).flatMap(([relationship, { ends }]) => {
    const [parent, child] = ends;
    return [
      ...(parent.entity === id ? [{ relationship, role: child.role }] : []),
      ...(child.entity === id ? [{ relationship, role: parent.role }] : []),
    ];
  });
}

function isAtLeast(least: number, value: number): boolean {
  return Number.isFinite(value) && value >= least;
}

function isAbove(limit: number, value: number): boolean {
  return Number.isFinite(value) && value > limit;
}
