/** The paths of the plan graph stand for the legal sequences of Gets, neither more nor fewer, at their costs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { enumerateQueryPlans } from "./enumerate-query-plans.ts";
import { compileFamilies, layAll } from "./lay-column-family.ts";
import { buildPlanGraph } from "./plan-graph.ts";
import { countPlans, pathsWithin, planOfPath, priceGraph } from "./plan-paths.ts";
import { randomQueries, withOptions } from "./testing/random-problem.ts";

const times = Number(process.env["PROPERTY_RUNS"] ?? 1);

test("on random queries", { timeout: 120_000 * times }, () => {
  let plansCompared = 0;
  fc.assert(
    fc.property(
      randomQueries({ entities: 4, nodes: 3, queries: 2, predicates: 3, steps: 1 }),
      ({ problem: drawn }) => {
        const problem = withOptions(drawn, { maxGets: 3 });
        const { entityGraph, costModel } = problem;
        const queries = problem.statements.filter(isQuery).map((q) => compileQuery(entityGraph, q));
        const pool = enumerateColumnFamilies(entityGraph, queries, 1);
        if (pool.size > 120) return;
        const families = compileFamilies(
          entityGraph,
          [...pool.values()].map(({ columnFamily }) => columnFamily),
        );
        const position = new Map(families.map(({ columnFamily }, at) => [columnFamily.key, at]));
        for (const query of queries) {
          const laid = layAll(families, query.compiled);
          const familyOf = laid.map(({ columnFamily }) => position.get(columnFamily.key) as number);
          const graph = buildPlanGraph(query, laid, familyOf, costModel, { maxGets: 3 });
          if (countPlans(graph).plans > 50_000) continue;
          const zero = new Float64Array(graph.classes.length);
          const byGets = new Map<string, number>();
          for (const path of pathsWithin(priceGraph(graph, 1, zero), Number.POSITIVE_INFINITY)) {
            const choices = path.classes.reduce<number[][]>(
              (all, index) =>
                all.flatMap((some) =>
                  (graph.classes[index]?.laid ?? []).map((each) => [...some, each]),
                ),
              [[]],
            );
            choices.forEach((chosen, at) => {
              const key = chosen.join();
              byGets.set(key, Math.min(byGets.get(key) ?? Number.POSITIVE_INFINITY, path.cost));
              if (at % 7 === 0) {
                const plan = planOfPath(graph, path, chosen, costModel);
                if (Math.abs(plan.cost - path.cost) > 1e-9 * plan.cost)
                  expect({ key: plan.key, text: query.query.text, cost: path.cost, plan }).toBe(
                    plan.cost,
                  );
              }
            });
          }
          const old = enumerateQueryPlans(query, families, costModel, {
            maxGets: 3,
            dominance: false,
          });
          const wrong = old.plans.filter(({ gets, cost }) => {
            const now = byGets.get(gets.join());
            return now === undefined || now > cost * (1 + 1e-9);
          });
          expect(
            wrong.slice(0, 2).map(({ gets, cost }) => ({
              text: query.query.text,
              keys: gets.map((g) => laid[g]?.columnFamily.key),
              cost,
              now: byGets.get(gets.join()),
            })),
          ).toEqual([]);
          expect(byGets.size).toBe(old.plans.length);
          plansCompared += old.plans.length;
        }
      },
    ),
    { numRuns: 60 * times },
  );
  process.stdout.write(`plans compared: ${plansCompared}\n`);
});
