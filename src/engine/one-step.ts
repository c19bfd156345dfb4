/** One step alone as a program: what it has to serve and to respect, free of migrations. */
import type { OneStep } from "./solve-over-time.ts";
import type { SchemasInput } from "./solve-schemas.ts";

const alone = { initialLoad: false, cyclic: false, buildingCountsAsStorage: false } as const;

/** `over` gives space, cost model and storage limit. */
export function oneStepInput(over: SchemasInput, { workload, rules }: OneStep): SchemasInput {
  return {
    ...over,
    workload,
    rules: rules && [rules],
    startSchema: undefined,
    options: alone,
    kept: undefined,
  };
}
