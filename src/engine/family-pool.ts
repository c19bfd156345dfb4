/** Which families a large program over time is searched with: what steps want, and what these are filled from. */
import { cheapestSources } from "./cheapest-sources.ts";
import type { SolvedStep } from "./solve-over-time.ts";
import type { SchemasInput } from "./solve-schemas.ts";

/** What an answer may be made of. */
export interface FamilyPool {
  /** Worth having at some step. */
  readonly families: ReadonlySet<number>;
  /** From which others can be filled; they need exist only just before these. */
  readonly fillers: ReadonlySet<number>;
}

/** So many families to fill one from are offered; as many that can be filled themselves from what is there. */
const mostFillers = 3;

/**
 * What answers of a large space are searched among: what the steps' best schemas hold and what their relaxations
 * would like to, and what helps to fill the best schema of a run from that of the run before.
 */
export function familyPool(
  input: SchemasInput,
  steps: readonly SolvedStep[],
  runs: readonly (readonly number[])[],
): FamilyPool {
  const { space, costModel } = input;
  const families = steps.flatMap(({ choice, prices }) => [
    ...choice.schemas.flat(),
    ...prices.present.keys(),
  ]);
  const schemas = runs.map(([first]) => steps[first as number]?.choice.schemas[0] ?? []);
  const fillers = new Set<number>();
  const seen = new Set<string>();
  for (const [run, schema] of schemas.entries()) {
    const before = new Set(schemas[run - 1] ?? (input.options.cyclic ? schemas.at(-1) : schema));
    const pair = `${[...before].join()} ${schema.join()}`;
    if (seen.has(pair)) continue;
    seen.add(pair);
    const isFilled = (family: number): boolean =>
      cheapestSources(space, costModel, family, before) !== undefined;
    for (const family of schema) {
      if (before.has(family) || isFilled(family)) continue;
      const all = space.migrations.fillersOf(family, before);
      const atOnce = all.filter(isFilled).slice(0, mostFillers);
      for (const each of [...all.slice(0, mostFillers), ...atOnce]) fillers.add(each);
    }
  }
  return { families: new Set(families), fillers };
}
