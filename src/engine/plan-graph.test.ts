/** The paths of the plan graph stand for the legal sequences of Gets, neither more nor fewer, at their costs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CostModel } from "#model/cost-model.ts";
import type { QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery } from "#model/statement.ts";
import { type CompiledQuery, compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { enumerateQueryPlans, type QueryPlanSpace } from "./enumerate-query-plans.ts";
import { planCost } from "./estimate-costs.ts";
import { isComplete, type LegalGet, legalGet, nothing, type Reached } from "./get-step.ts";
import { compileFamilies, type Laid, layAll } from "./lay-column-family.ts";
import { buildPlanGraph, type PlanGraph, type PlanPath } from "./plan-graph.ts";
import { countPlans, pathsWithin, planOfPath, priceGraph, withoutDominated } from "./plan-paths.ts";
import {
  aProblem,
  employeesAndEvents,
  type ProblemParts,
  usersAndItems,
  usersAndMessages,
} from "./testing/examples.ts";
import { randomQueries, withOptions } from "./testing/random-problem.ts";

const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const maxGets = 3;

test("on random queries", { timeout: 120_000 * times }, () => {
  let plansCompared = 0;
  fc.assert(
    fc.property(
      randomQueries({ entities: 4, nodes: 3, queries: 2, predicates: 3, steps: 1 }),
      ({ problem }) => {
        plansCompared += comparePlans(withOptions(problem, { maxGets }));
      },
    ),
    { numRuns: 40 * times },
  );
  process.stdout.write(`plans compared: ${plansCompared}\n`);
  expect(plansCompared).toBeGreaterThan(1000);
});

test.each<[string, ProblemParts["graph"], ProblemParts["queries"]]>([
  [
    "orders in one direction and in both",
    employeesAndEvents,
    {
      rising:
        "SELECT Event.note FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.level, Event.created",
      mixed:
        "SELECT Event.note FROM Event WHERE Event.emp.emp_id = ? ORDER BY Event.level, Event.created DESC",
    },
  ],
  [
    "a limit before children and before parents",
    usersAndMessages,
    {
      children: "SELECT received.sent_at FROM User.received WHERE User.username = ? LIMIT 5",
      parents: "SELECT sender.username FROM Message.sender WHERE Message.sent_at = ? LIMIT 5",
    },
  ],
  [
    "a value that a first Get happens to deliver",
    usersAndItems,
    {
      wanted: "SELECT user.name FROM user.items WHERE items.name = ?",
      delivers: "SELECT user.id, user.email FROM user.items WHERE items.name = ?",
      binds: "SELECT user.name FROM user WHERE user.email = ?",
    },
  ],
])("on examples: %s", (_, graph, queries) => {
  const plansCompared = comparePlans(aProblem({ graph, queries, options: { maxGets } }));
  expect(plansCompared).toBeGreaterThan(10);
});

test("a plan that dominance leaves out has one that stays, no dearer and on no other tables", () => {
  let leftOut = 0;
  fc.assert(
    fc.property(
      randomQueries({ entities: 3, nodes: 2, queries: 2, predicates: 2, steps: 1 }),
      ({ problem: { entityGraph, costModel, statements } }) => {
        const queries = statements.filter(isQuery).map((query) => compileQuery(entityGraph, query));
        const pool = [...enumerateColumnFamilies(entityGraph, queries, 1).values()];
        if (pool.length > 60) return;
        const families = compileFamilies(
          entityGraph,
          pool.map(({ columnFamily }) => columnFamily),
        );
        for (const query of queries) {
          const spaceWith = (dominance: boolean): QueryPlanSpace =>
            enumerateQueryPlans(query, families, costModel, { maxGets, dominance });
          expectNothingLost(spaceWith(true).graph);
          const kept = spaceWith(true).plans;
          for (const { families: read, cost } of spaceWith(false).plans) {
            const stays = kept.some(
              (plan) =>
                plan.cost <= cost * (1 + 1e-12) &&
                plan.families.every((each) => read.includes(each)),
            );
            if (!stays)
              expect({ query: query.query.text, read, cost }).toBe("without a better one");
            leftOut += 1;
          }
          leftOut -= kept.length;
        }
      },
    ),
    { numRuns: 30 * times },
  );
  expect(leftOut).toBeGreaterThan(100);
});

/** The same of the paths that the program chooses from, and the classes of tables that they run through. */
function expectNothingLost(graph: PlanGraph): void {
  const zero = new Float64Array(graph.classes.length);
  const paths = pathsWithin(priceGraph(graph, 1, zero), Number.POSITIVE_INFINITY);
  const kept = withoutDominated(paths);
  const lost = paths.find(
    ({ classes, cost }) =>
      !kept.some(
        (path) =>
          path.cost <= cost * (1 + 1e-12) && path.classes.every((each) => classes.includes(each)),
      ),
  );
  expect(lost).toBeUndefined();
}

/** Every query over all its candidates; how many plans were compared. */
function comparePlans({ entityGraph, costModel, statements }: Problem): number {
  const queries = statements.filter(isQuery).map((query) => compileQuery(entityGraph, query));
  const pool = enumerateColumnFamilies(entityGraph, queries, 1);
  if (pool.size > 120) return 0;
  const families = compileFamilies(
    entityGraph,
    [...pool.values()].map(({ columnFamily }) => columnFamily),
  );
  const position = new Map(families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  let plansCompared = 0;
  for (const query of queries) {
    const laid = layAll(families, query.compiled);
    const familyOf = laid.map(({ columnFamily }) => position.get(columnFamily.key) as number);
    const graph = buildPlanGraph(query, laid, familyOf, costModel, { maxGets });
    if (countPlans(graph).plans > 20_000) continue;
    const found = plansInGraph(graph, costModel);
    const wanted = sequencesOneByOne(query, laid, costModel);
    const differs = [...new Set([...found.keys(), ...wanted.keys()])].filter((gets) => {
      const [a, b] = [found.get(gets) ?? Number.NaN, wanted.get(gets) ?? Number.NaN];
      return !(Math.abs(a - b) <= 1e-9 * b);
    });
    expect(
      differs.slice(0, 2).map((gets) => ({
        text: query.query.text,
        keys: gets.split(",").map((get) => laid[Number(get)]?.columnFamily.key),
        found: found.get(gets),
        wanted: wanted.get(gets),
      })),
    ).toEqual([]);
    plansCompared += wanted.size;
  }
  return plansCompared;
}

/**
 * Cost of the cheapest path for each choice of laid families. The described plan costs what its path says,
 * or what the cheapest path for the same Gets does, whose limit the server takes.
 */
function plansInGraph(graph: PlanGraph, model: CostModel): Map<string, number> {
  const costs = new Map<string, number>();
  const described: { key: string; path: PlanPath; plan: QueryPlan }[] = [];
  const zero = new Float64Array(graph.classes.length);
  for (const path of pathsWithin(priceGraph(graph, 1, zero), Number.POSITIVE_INFINITY))
    choicesOf(graph, path).forEach((chosen, at) => {
      const key = chosen.join();
      costs.set(key, Math.min(costs.get(key) ?? Number.POSITIVE_INFINITY, path.cost));
      if (at % 7 === 0) described.push({ key, path, plan: planOfPath(graph, path, chosen, model) });
    });
  for (const { key, path, plan } of described) {
    const said = [path.cost, costs.get(key) as number];
    if (!said.some((cost) => Math.abs(plan.cost - cost) <= 1e-9 * plan.cost))
      expect({ text: graph.query.query.text, said, plan }).toBe(plan.cost);
  }
  return costs;
}

function choicesOf(graph: PlanGraph, { classes }: PlanPath): number[][] {
  return classes.reduce<number[][]>(
    (all, index) =>
      all.flatMap((some) => (graph.classes[index]?.laid ?? []).map((each) => [...some, each])),
    [[]],
  );
}

/**
 * Every sequence of legal Gets that is of use, tried one after the other. The third Get is a key lookup of
 * one entity, and binds no value that the query does not care for; the second may bind such a one.
 */
function sequencesOneByOne(
  query: CompiledQuery,
  laid: readonly Laid[],
  model: CostModel,
): Map<string, number> {
  const costs = new Map<string, number>();
  const cared = [...query.compiled.identifiers, 1n].reduce((all, each) => all | each, query.output);
  const relevant = query.predicates.reduce((all, { class: id }) => all | (1n << BigInt(id)), cared);
  const narrowed = (after: Reached, gets: number): Reached =>
    gets === 1 ? after : { ...after, known: after.known & relevant };
  const extend = (chosen: readonly number[], gets: readonly LegalGet[], reached: Reached): void => {
    for (const [index, each] of laid.entries()) {
      if (gets.length === 2 && !isEntityLookup(query, each)) continue;
      const get = legalGet(query, reached, each);
      if (!get) continue;
      const sequence = [...gets, get];
      const key = [...chosen, index];
      if (isComplete(query, get.after)) costs.set(key.join(), planCost(query, model, sequence));
      else if (sequence.length < maxGets)
        extend(key, sequence, narrowed(get.after, sequence.length));
    }
  };
  extend([], [], nothing);
  return costs;
}

/** Keyed by the identifier of the only entity that lies on the query. */
function isEntityLookup({ compiled }: CompiledQuery, { embedding, partition }: Laid): boolean {
  const inside = embedding.filter((node) => node >= 0);
  const key = partition.reduce((set, id) => (id < 0 ? -1n : set | (1n << BigInt(id))), 0n);
  return inside.length === 1 && key === compiled.identifiers[inside[0] as number];
}
