/** Reads a schema in a worker, so that a large or hostile text never holds up the page. No logic of its own. */
import { importCql } from "#interchange/import-cql.ts";
import { importSql } from "#interchange/import-sql.ts";
import { isCql } from "#interchange/sql-dialect.ts";
import { anError } from "#model/issue.ts";
import type { ImportAnswer, ImportWork } from "./import-protocol.ts";

async function read({ text, format }: ImportWork): Promise<ImportAnswer> {
  if (format === "cql" || (format === undefined && isCql(text))) {
    const schema = importCql(text);
    return schema.ok
      ? { ...schema, value: { format: "cql", schema: schema.value } }
      : { ok: false, issues: schema.issues };
  }
  const schema = await importSql(text, format ? { dialect: format } : {});
  return schema.ok
    ? { ...schema, value: { format: "sql", schema: schema.value } }
    : { ok: false, issues: schema.issues };
}

self.addEventListener("message", ({ data }: MessageEvent<ImportWork>) => {
  void read(data)
    .catch((fault: unknown): ImportAnswer => {
      const reason = fault instanceof Error ? fault.message : String(fault);
      const message = `The text could not be read: ${reason}.`;
      return {
        ok: false,
        issues: [anError("", message, "Please report it; try a part of the text.")],
      };
    })
    .then((answer) => self.postMessage(answer));
});
