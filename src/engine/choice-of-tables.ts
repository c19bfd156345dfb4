/** The tables of an earlier answer as a choice of this program: where a run may start from. */
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { Choice } from "./read-solution.ts";
import { type SchemasInput, workable } from "./solve-schemas.ts";

/**
 * `tables`: keys, step by step. Undefined where there are none, they are for another number of steps, some are
 * no candidates, or they break a limit or cannot serve.
 */
export function choiceOfTables(
  input: SchemasInput,
  tables: readonly (readonly ColumnFamilyKey[])[] | undefined,
): Choice | undefined {
  if (tables?.length !== input.workload.timeline.steps) return undefined;
  const { families } = input.space;
  const positions = new Map(families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  const schemas = tables.map((keys) => keys.flatMap((key) => positions.get(key) ?? []));
  const isWhole = schemas.every((schema, t) => schema.length === tables[t]?.length);
  return isWhole
    ? workable(
        input,
        schemas.map((schema) => schema.sort((a, b) => a - b)),
      )
    : undefined;
}
