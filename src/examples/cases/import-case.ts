/** For tests: the SQL of a collected case as it is imported, in texts that are easy to compare. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the examples.
import { readFileSync } from "node:fs";
import { importedDocument } from "#document/import-commands.ts";
import type { StudioDocument } from "#document/schema.ts";
import { entityGraphOf } from "#document/to-problem.ts";
import { importSql } from "#interchange/import-sql.ts";
import { planSchema } from "#interchange/plan-schema.ts";
import type { ImportAnswers, ImportPlan, ReadSchema, SqlDialect } from "#model/imported-schema.ts";

export interface ImportedCase {
  readonly read: ReadSchema;
  readonly plan: ImportPlan;
  readonly document: StudioDocument;
}

/** `cases/<file>` imported with some answers; the document must be one that a graph can be made of. */
export async function importedCase(
  file: string,
  answers: ImportAnswers = {},
  dialect?: SqlDialect,
): Promise<ImportedCase> {
  const text = readFileSync(`${import.meta.dirname}/${file}`, "utf8");
  const read = await importSql(text, dialect ? { dialect } : {});
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  const plan = planSchema(read.value, answers);
  const document = importedDocument(file, plan);
  const graph = entityGraphOf(document);
  if (!graph.ok) throw new Error(JSON.stringify(graph.issues));
  return { read: read.value, plan, document };
}

/** `parent.childRole 1-n child.parentRole (bind)`, sorted. */
export function relationshipTexts({ relationships }: ImportPlan): string[] {
  const signs = { oneToOne: "1-1", oneToMany: "1-n", manyToMany: "n-m" };
  return relationships
    .map(({ multiplicity, ends: [parent, child], optional, bind }) => {
      const pairs = Object.entries(bind ?? {}).map(([held, key]) => `${held}=${key}`);
      const key = pairs.length > 0 ? ` (${pairs.join(", ")})` : "";
      return `${parent.entity}.${child.role} ${signs[multiplicity]}${optional ? "?" : ""} ${child.entity}.${parent.role}${key}`;
    })
    .sort();
}

/** Ids of the questions of a kind. */
export function questionsOf({ questions }: ImportPlan, kind: string): string[] {
  return questions.filter((each) => each.kind === kind).map(({ id }) => id);
}
