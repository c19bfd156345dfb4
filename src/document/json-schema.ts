/**
 * JSON Schemas of the files, for editors that complete and check while a file is written by hand.
 * `public/*.schema.json` are what these functions return; `json-schema.test.ts` holds them to it.
 */
import { z } from "zod";
import { costModelFileSchema } from "./cost-model-schema.ts";
import { resultSchema } from "./result-schema.ts";
import { documentSchema } from "./schema.ts";

/** JSON Schema of the document file. */
export function documentJsonSchema(): object {
  return described(
    documentSchema,
    "Tidetable document",
    "Entities, relationships, statements, their frequencies over time and the settings of a run. Every statement needs a frequency; fields with a default may be left out.",
  );
}

/** JSON Schema of the result file. */
export function resultJsonSchema(): object {
  return described(
    resultSchema,
    "Tidetable result",
    "What a run returned: column families per time step, plans, migrations, costs and the proof. Costs are milliseconds, sizes bytes.",
  );
}

/** JSON Schema of the file of a cost model. */
export function costModelJsonSchema(): object {
  return described(
    costModelFileSchema,
    "Tidetable cost model",
    "What reads, writes and migrations cost: milliseconds, linear in Gets, rows and bytes. Under fit, where the coefficients come from.",
  );
}

function described(schema: z.ZodType, title: string, description: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", reused: "ref" });
  return { $schema, title, description, ...rest };
}
