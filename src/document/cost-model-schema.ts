/**
 * The form of a cost model: in a document's settings, and as a file of its own, which `calibrate fit`
 * writes and every command with `--cost-model` reads. Costs are milliseconds, none below 0.
 */
import { z } from "zod";
import type { CostModel } from "#model/cost-model.ts";
import { anError, type Result } from "#model/issue.ts";
import { fields } from "./fields.ts";
import { fileIssues } from "./file-issues.ts";
import { parseJson } from "./json-text.ts";

const text = (error: string) => z.string({ error });
const number = z.number({ error: "Write a number." });
const atLeast0 = (error: string) => z.number({ error }).min(0, { error });
const coefficient = atLeast0("Write a number of milliseconds of at least 0.");
const list = <Item extends z.ZodType>(item: Item) => z.array(item, { error: "Write a list." });

const fittedCoefficient = fields("a fitted coefficient", {
  name: text("Name a coefficient of the operation."),
  value: coefficient,
  standardError: coefficient,
  low: number,
  high: number,
  belowZero: z.number({ error: "Write an estimate below 0." }).exactOptional(),
});

const operationFit = fields("the fit of an operation", {
  operation: z.enum(["get", "put", "extract", "load"], {
    error: "Choose get, put, extract or load.",
  }),
  coefficients: list(fittedCoefficient),
  degreesOfFreedom: z.int({ error: "Write a whole number." }),
  rSquared: number,
  residualStandardError: coefficient,
  samples: list(
    fields("a measurement", {
      line: z.int({ error: "Write the line of the profile." }),
      at: list(number),
      measured: number,
      predicted: number,
    }),
  ),
});

const shape = {
  name: text("Write the cost model's name as text."),
  get: fields("the cost of a Get", {
    fixed: coefficient,
    perGet: coefficient,
    perRow: coefficient,
    perByte: coefficient,
  }),
  put: fields("the cost of a put", { fixed: coefficient, perRow: coefficient }),
  extract: fields("the cost of extracting", { fixed: coefficient, perByte: coefficient }),
  load: fields("the cost of loading", { fixed: coefficient, perByte: coefficient }),
  sort: fields("the cost of sorting", { perRowLog: coefficient }),
  group: fields("the cost of grouping", { perRow: coefficient }),
  getsPer: z.enum(["distinctKey", "row"], { error: "Choose distinctKey or row." }),
  bytesOf: z.enum(["selectedColumns", "wholeRow"], {
    error: "Choose selectedColumns or wholeRow.",
  }),
  fit: fields("a fit", { operations: list(operationFit) }).exactOptional(),
};

/** A cost model within a document. */
export const costModelSchema = fields("a cost model", shape);

/** A cost model as a file. */
export const costModelFileSchema = fields("a cost model", {
  $schema: text("Write the address of a JSON Schema.").exactOptional(),
  ...shape,
});

/** A cost model from the text of a file, or every mistake in its form. */
export function readCostModel(file: string): Result<CostModel> {
  const parsed = parseJson(file);
  if (!parsed.ok) return parsed;
  if (typeof parsed.value === "object" && parsed.value !== null && "format" in parsed.value)
    return {
      ok: false,
      issues: [
        anError(
          "",
          "The file is a document, not a cost model.",
          "Name a file that tidetable calibrate fit has written.",
        ),
      ],
    };
  const checked = costModelFileSchema.safeParse(parsed.value);
  if (!checked.success)
    return { ok: false, issues: fileIssues(checked.error.issues, parsed.value) };
  const { $schema: _, ...model } = checked.data;
  return { ok: true, value: model, warnings: [] };
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
type Plain<T> = T extends object ? { -readonly [Field in keyof T]: Plain<T[Field]> } : T;
/** Schema and noun are one: this line compiles only while they are. */
const schemaIsNoun: Same<Plain<z.output<typeof costModelSchema>>, Plain<CostModel>> = true;
void schemaIsNoun;
