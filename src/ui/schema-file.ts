/** Files that hold a schema of SQL or CQL rather than a project. */

/** Bytes; a larger file is not read into memory. */
export const largestSchemaFile = 100e6;

/** Told by the end of its name. */
export function isSchemaFile(name: string): boolean {
  return /\.(?:sql|cql|ddl|dump)$/i.test(name);
}
