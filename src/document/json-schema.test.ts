/** `UPDATE=1 npx vitest run src/document/json-schema.test.ts` rewrites the files in `public/`. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { costModelJsonSchema, documentJsonSchema, resultJsonSchema } from "./json-schema.ts";

const files = [
  { name: "tidetable-document.schema.json", schema: documentJsonSchema() },
  { name: "tidetable-result.schema.json", schema: resultJsonSchema() },
  { name: "tidetable-cost-model.schema.json", schema: costModelJsonSchema() },
];

describe("the published JSON Schemas", () => {
  test.each(files)("$name is what the program checks files by", ({ name, schema }) => {
    const file = new URL(`../../public/${name}`, import.meta.url);
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env["UPDATE"]) writeFileSync(file, text);
    expect(readFileSync(file, "utf8"), "run it with UPDATE=1 and review the difference").toBe(text);
  });

  test.each(files)("$name allows no field that is not known", ({ schema }) => {
    const closed = JSON.stringify(schema).match(/"additionalProperties":false/g) ?? [];
    const objects = JSON.stringify(schema).match(/"properties":\{/g) ?? [];
    expect(closed.length).toBe(objects.length);
    expect(closed.length).toBeGreaterThan(5);
  });
});
