/** Ties between answers of the same cost: the fewest tables, then the least size (engine.md §8, eq. 17 and 18). */
import { beforeAll, expect, test } from "vitest";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import { enumeratePlanSpace } from "./plan-space.ts";
import { chooseFor } from "./read-solution.ts";
import { settleTies } from "./solve-schemas.ts";
import { aProblem, usersAndItems } from "./testing/examples.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

/** Under it every plan costs the same. */
const onlyRequests: CostModel = {
  ...defaultCostModel,
  get: { fixed: 0, perGet: 0, perRow: 0, perByte: 0 },
};

const index = "[item.name] [item.user.id↑, item.id↑] of item";
const users = "[user.id] [] → user.email, user.name of user";
const view = "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)";
const wide =
  "[item.name] [item.id↑, user.id↑] → item.quantity, user.email, user.name of item(user:user)";

test.each([
  ["one large table rather than two small ones", [index, users], view],
  ["the smaller one of two tables", [wide], view],
  ["fewer tables before smaller ones", [index, users, wide], view],
])("%s", async (_, from, to) => {
  const problem = aProblem({
    graph: usersAndItems,
    queries: {
      q: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
      wider:
        "SELECT user.id, user.name, user.email, items.quantity FROM user.items WHERE items.name = ?",
    },
    curves: { q: [1] },
    costModel: onlyRequests,
  });
  const [first] = problem.statements;
  const whole = enumeratePlanSpace(problem, () => {}, {
    dominance: false,
    only: new Set([index, users, view, wide]),
  });
  const flows = whole.flows.filter(({ space }) => space.query.query.id === first?.id);
  const space = { ...whole, flows, queries: whole.queries.slice(0, 1) };
  const keys = space.families.map(({ columnFamily }) => columnFamily.key);
  const schema = from.map((key) => keys.indexOf(key)).sort((a, b) => a - b);
  const { workload, costModel, options } = problem;
  const program = {
    space,
    workload,
    costModel,
    options,
    storageBytes: undefined,
    explicit: new Set<number>(),
    tooLarge: [],
  };
  const best = chooseFor(program, [schema]);
  if (!best) throw new Error("the schema does not work");
  const settled = await settleTies(solver, program, best, () => undefined);
  expect(settled.schemas.map((some) => some.map((family) => keys[family]))).toEqual([[to]]);
});
