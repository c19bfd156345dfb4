/**
 * The best schema of a step in which queries run more often whose plans could not be better: it is the same.
 *
 * With Δ(q) ≥ 0 more executions of each query q and p(q, x) the cost of its plan in an answer x of the step,
 *   cost′(x) = cost(x) + Σ Δ(q)·p(q, x) ≥ cost(x) + Σ Δ(q)·least(q),
 * where least(q) is what the cheapest of all plans costs. Whatever bounds the step from below does so with the
 * sum added, reduced costs included; an answer whose plans of these queries are the cheapest of all costs just
 * that much more, so it stays the best, and as far from the bound as it was.
 */
import { oneStepInput } from "./one-step.ts";
import { chooseFor } from "./read-solution.ts";
import type { OneStep, SolvedStep } from "./solve-over-time.ts";
import type { SchemasInput } from "./solve-schemas.ts";

/** Costs of plans are sums that are exact to about this share. */
const samePlan = 1e-12;

/**
 * What solving `to` comes to, where `known` solves `from` under the same limit and rules; undefined where that
 * cannot be told, because something else changes than queries that run more often and have the best of plans.
 */
export function shiftStep(
  over: SchemasInput,
  known: SolvedStep,
  from: OneStep,
  to: OneStep,
): SolvedStep | undefined {
  const more = leastMore(over, known, from, to);
  if (more === undefined) return undefined;
  const choice = chooseFor(oneStepInput(over, to), known.choice.schemas);
  if (!choice) return undefined;
  const prices = { ...known.prices, cost: known.prices.cost + more };
  return { ...known, choice, prices, bound: Math.min(known.bound + more, choice.cost) };
}

/** Milliseconds that every answer of `to` costs more than of `from`, and the known one too; undefined where that is not so. */
function leastMore(
  { space }: SchemasInput,
  { choice }: SolvedStep,
  from: OneStep,
  to: OneStep,
): number | undefined {
  let more = 0;
  const { stepSeconds } = to.workload.timeline;
  for (const [id, [after = 0]] of Object.entries(to.workload.curves)) {
    const before = from.workload.curves[id]?.[0] ?? 0;
    if (after === before) continue;
    const q = space.queries.findIndex(({ query }) => query.query.id === id);
    const least = space.queries[q]?.leastCost;
    const plan = choice.plans[0]?.[q];
    if (after < before || least === undefined || !plan) return undefined;
    if (plan.cost > least * (1 + samePlan)) return undefined;
    more += (after - before) * stepSeconds * least;
  }
  return more;
}
