/** Every schema of one step, one by one: what searches of single steps are compared with. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import { executions } from "#model/workload.ts";
import { type FormulationInput, type KeptStep, readsOf } from "../formulate.ts";

/** By bytes the milliseconds of the cheapest schema of that size, of all that work among what is kept of one step. */
export function cheapestBySize(
  input: FormulationInput,
  { families, plans }: KeptStep,
): Map<number, number> {
  const { space, workload } = input;
  const found = new Map<number, number>();
  for (let bits = 0; bits < 2 ** families.length; bits += 1) {
    const schema = new Set(families.filter((_, at) => (bits >> at) & 1));
    let cost = 0;
    let bytes = 0;
    for (const family of schema) bytes += space.families[family]?.columnFamily.size.bytes ?? 0;
    space.flows.forEach((flow, q) => {
      const times = readsOf(input, flow, 0);
      if (flow.serves && (times === 0 || !schema.has(flow.serves.family))) return;
      const working = (plans[q] ?? []).filter((path) =>
        flow.space.slotsOf(path).every((slot) => slot.some((family) => schema.has(family))),
      );
      const least = Math.min(...working.map((path) => path.cost));
      cost += Number.isFinite(least) ? times * least : Number.POSITIVE_INFINITY;
    });
    for (const { statement, family, cost: each } of space.maintenance)
      if (schema.has(family)) cost += executions(workload, statement, 0) * each;
    if (Number.isFinite(cost))
      found.set(bytes, Math.min(cost, found.get(bytes) ?? Number.POSITIVE_INFINITY));
  }
  return found;
}
