/** `tidetable schema`: the JSON Schemas of the files. */
import { documentJsonSchema, resultJsonSchema } from "#document/json-schema.ts";
import { anError } from "#model/issue.ts";
import type { Command } from "../command.ts";

const help = `usage: tidetable schema [document|result]

Prints the JSON Schema of the design file or of the result file, for editors that complete and check
while one writes; without a name an object with both, under "document" and "result".

exit codes: 0 done, 2 bad input
`;

const schemas = { document: documentJsonSchema, result: resultJsonSchema } as const;

function isName(name: string): name is keyof typeof schemas {
  return Object.hasOwn(schemas, name);
}

export const schemaCommand: Command = {
  name: "schema",
  summary: "print the JSON Schemas of both files",
  help,
  options: {},
  issues: ({ files }) =>
    files
      .filter((name, index) => index > 0 || !isName(name))
      .map((name) =>
        anError(name, "There is no such schema.", "Write document, result, or nothing for both."),
      ),
  run: async ({ files: [name] }, terminal) => {
    const wanted =
      name !== undefined && isName(name)
        ? schemas[name]()
        : { document: documentJsonSchema(), result: resultJsonSchema() };
    terminal.out(`${JSON.stringify(wanted, null, 2)}\n`);
    return 0;
  },
};
