/**
 * Tables that a person names: pins and bans, the start schema, a schema made by hand. All are written as
 * texts (`model/column-family-text.ts`), steps are counted from 1. The schema by hand is also a file of
 * its own, which `optimise --schema` and `compare` read: a list of tables, or an object with a name and
 * one list for all steps or one for each.
 */
import { z } from "zod";
import type { Result } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import { fields } from "./fields.ts";
import { fileIssues } from "./file-issues.ts";
import { parseJson } from "./json-text.ts";

/** Key of a pin or ban in the document. */
export type RestrictionId = string;

export interface FamilyRestrictionRecord {
  readonly kind: "family";
  readonly demand: "pin" | "ban";
  readonly family: string;
  /** Counted from 1; absent: all steps. */
  readonly steps?: readonly number[];
}

export interface PlanRestrictionRecord {
  readonly kind: "plan";
  readonly demand: "pin" | "ban";
  readonly statement: StatementId;
  /** The tables that the plan reads. */
  readonly families: readonly string[];
  readonly steps?: readonly number[];
}

export type RestrictionRecord = FamilyRestrictionRecord | PlanRestrictionRecord;

export interface HandMadeRecord {
  readonly name: string;
  /** One list of tables for all steps, or one for each. */
  readonly schemas: readonly (readonly string[])[];
}

const family = z.string({
  error: "Write a table as text, such as [user.id] [] -> user.name of user.",
});
const families = z.array(family, { error: "Write a list of tables." });
const demand = z.enum(["pin", "ban"], { error: "Choose pin or ban." });
const stepHint = "Write numbers of steps, counted from 1.";
const steps = z
  .array(z.int({ error: stepHint }).min(1, { error: stepHint }), { error: stepHint })
  .min(1, { error: "Name at least one step, or leave steps out for all." });

export const restrictionSchema = z.discriminatedUnion(
  "kind",
  [
    fields("a pin or ban of a table", {
      kind: z.literal("family"),
      demand,
      family,
      steps: steps.exactOptional(),
    }),
    fields("a pin or ban of a plan", {
      kind: z.literal("plan"),
      demand,
      statement: z.string({ error: "Write the id of a query." }),
      families: families.min(1, { error: "Name the tables that the plan reads." }),
      steps: steps.exactOptional(),
    }),
  ],
  { error: "Choose the kind family or plan." },
);

export const startSchemaSchema = families;

export const handMadeSchema = fields("a schema by hand", {
  name: z.string({ error: "Write the schema's name as text." }),
  schemas: z
    .array(families, { error: "Write one list of tables for all steps, or one for each." })
    .min(1, { error: "Write at least one list of tables." }),
});

/** A schema by hand from the text of a file; a plain list is named after `name`. */
export function readHandMade(file: string, name: string): Result<HandMadeRecord> {
  const parsed = parseJson(file);
  if (!parsed.ok) return parsed;
  const isList = Array.isArray(parsed.value);
  const checked = (isList ? families : handMadeSchema).safeParse(parsed.value);
  if (!checked.success)
    return { ok: false, issues: fileIssues(checked.error.issues, parsed.value) };
  const value = Array.isArray(checked.data) ? { name, schemas: [checked.data] } : checked.data;
  return { ok: true, value, warnings: [] };
}
