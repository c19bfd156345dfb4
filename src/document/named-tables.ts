/** From the tables that a person names to column families: pins, bans, start schema, schema by hand. */
import type { ColumnFamily } from "#model/column-family.ts";
import { parseColumnFamily } from "#model/column-family-text.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { anError, aWarning, type Issue } from "#model/issue.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import { isQuery, type Statement } from "#model/statement.ts";
import type { StudioDocument } from "./schema.ts";
import type { RestrictionRecord } from "./tables-schema.ts";

/** The problem's fields; with errors among the issues they are incomplete. */
export interface NamedTables {
  readonly fields: Pick<Problem, "restrictions" | "startSchema" | "handMade">;
  readonly issues: readonly Issue[];
}

/** `statements`: those that parse. */
export function namedTables(
  document: StudioDocument,
  graph: EntityGraph,
  statements: readonly Statement[],
): NamedTables {
  const { restrictions = {}, startSchema, handMade, timeline, settings } = document;
  const issues: Issue[] = [];
  const parse = (text: string, place: string): ColumnFamily[] => {
    const parsed = parseColumnFamily(text, graph, place, settings.options.sizeFactor);
    issues.push(...(parsed.ok ? parsed.warnings : parsed.issues));
    return parsed.ok ? [parsed.value] : [];
  };
  const demands = Object.entries(restrictions).flatMap(([id, record]): Restriction[] => {
    const place = `restrictions/${id}`;
    issues.push(
      ...stepIssues(record, place, timeline.steps),
      ...queryIssues(document, record, place, statements),
    );
    return restrictionsOf(record, place, parse);
  });
  const start = startSchema?.flatMap((text, index) => parse(text, `startSchema/${index}`));
  if (startSchema && settings.options.cyclic && timeline.steps > 1)
    issues.push(
      aWarning(
        "startSchema",
        "The start schema has no effect: a horizon that repeats begins with its own last schema.",
        "Let the horizon end, or leave the start schema out.",
      ),
    );
  const schemas = handMade?.schemas.map((texts, at) =>
    texts.flatMap((text, index) => parse(text, `handMade/schemas/${at}/${index}`)),
  );
  const count = handMade?.schemas.length ?? 1;
  if (count !== 1 && count !== timeline.steps)
    issues.push(
      anError(
        "handMade/schemas",
        `There are ${count} schemas for ${timeline.steps} steps.`,
        "Write one for all steps, or one for each.",
      ),
    );
  return {
    fields: {
      ...(demands.length > 0 && { restrictions: demands }),
      ...(start && { startSchema: start }),
      ...(handMade && schemas && { handMade: { name: handMade.name, schemas } }),
    },
    issues,
  };
}

function restrictionsOf(
  record: RestrictionRecord,
  place: string,
  parse: (text: string, place: string) => ColumnFamily[],
): Restriction[] {
  const { demand } = record;
  const steps = record.steps ? { steps: record.steps.map((step) => step - 1) } : {};
  if (record.kind === "family")
    return parse(record.family, `${place}/family`).map((columnFamily) => ({
      kind: "family",
      demand,
      columnFamily,
      ...steps,
    }));
  const columnFamilies = record.families.flatMap((text, index) =>
    parse(text, `${place}/families/${index}`),
  );
  return [{ kind: "plan", demand, statement: record.statement, columnFamilies, ...steps }];
}

function stepIssues({ steps }: RestrictionRecord, place: string, count: number): Issue[] {
  const beyond = steps?.filter((step) => step > count) ?? [];
  return beyond.map((step) =>
    anError(`${place}/steps`, `There is no step ${step}.`, `The steps are 1 to ${count}.`),
  );
}

function queryIssues(
  document: StudioDocument,
  record: RestrictionRecord,
  place: string,
  statements: readonly Statement[],
): Issue[] {
  if (record.kind === "family") return [];
  const { statement } = record;
  if (!Object.hasOwn(document.statements, statement))
    return [
      anError(
        `${place}/statement`,
        `There is no statement ${statement}.`,
        `The statements are ${Object.keys(document.statements).join(", ")}.`,
      ),
    ];
  const parsed = statements.find(({ id }) => id === statement);
  return parsed && !isQuery(parsed)
    ? [
        anError(
          `${place}/statement`,
          `${statement} changes records and has no plan of its own.`,
          "Name a query, or pin and ban tables.",
        ),
      ]
    : [];
}
