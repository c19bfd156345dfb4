/** `tidetable schema`: the JSON Schemas of the files. */
import {
  costModelJsonSchema,
  documentJsonSchema,
  resultJsonSchema,
} from "#document/json-schema.ts";
import { anError } from "#model/issue.ts";
import type { Command } from "../command.ts";

const help = `usage: tidetable schema [document|result|cost-model]

Prints the JSON Schema of the design file, of the result file or of the file of a cost model, for
editors that complete and check while one writes; without a name an object with all of them.

exit codes: 0 done, 2 bad input
`;

const schemas = {
  document: documentJsonSchema,
  result: resultJsonSchema,
  "cost-model": costModelJsonSchema,
} as const;

function isName(name: string): name is keyof typeof schemas {
  return Object.hasOwn(schemas, name);
}

export const schemaCommand: Command = {
  name: "schema",
  summary: "print the JSON Schemas of the files",
  help,
  options: {},
  issues: ({ files }) =>
    files
      .filter((name, index) => index > 0 || !isName(name))
      .map((name) =>
        anError(
          name,
          "There is no such schema.",
          "Write document, result, cost-model, or nothing for all.",
        ),
      ),
  run: async ({ files: [name] }, terminal) => {
    const wanted =
      name !== undefined && isName(name)
        ? schemas[name]()
        : Object.fromEntries(Object.entries(schemas).map(([each, schema]) => [each, schema()]));
    terminal.out(`${JSON.stringify(wanted, null, 2)}\n`);
    return 0;
  },
};
