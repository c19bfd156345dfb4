/** What the page asks the import's worker, and what it answers. Types only. */
import type { ReadCql, ReadSchema, SqlDialect } from "#model/imported-schema.ts";
import type { Result } from "#model/issue.ts";

export interface ImportWork {
  readonly text: string;
  /** Undefined: told from the text. */
  readonly format: "cql" | SqlDialect | undefined;
}

/** What was read, and as what. */
export type ImportReading =
  | { readonly format: "sql"; readonly schema: ReadSchema }
  | { readonly format: "cql"; readonly schema: ReadCql };

export type ImportAnswer = Result<ImportReading>;
