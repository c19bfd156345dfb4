/**
 * Case 28: the order-entry mix over composite keys (ten warehouses), deliveries and stock levels alone
 * at night. The queue of new orders is read from its front and deleted there, which leaves tombstones
 * behind in Cassandra; the cost model knows nothing of these, and no warning is given.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { planKind } from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import {
  applicationWork,
  type CasePlans,
  changes,
  chosenPlan,
  firstGet,
  getsIn,
  plansOfCase,
  problemOf,
  schemaAt,
  sizeOf,
  solved,
  written,
} from "./read-case.ts";

describe("order entry", () => {
  const problem = problemOf("28-order-entry-mix");
  let answer: Recommendation;
  let plans: CasePlans;
  beforeAll(async () => {
    plans = plansOfCase(problem);
    answer = await solved(problem);
  });

  const day = 6;
  const everyStep = (): number[] => [...answer.steps.keys()];

  test("eight entities, seven foreign keys of one, two and three columns, one of them one to one", () => {
    const { entities, relationships } = problem.entityGraph;
    expect(Object.keys(entities)).toHaveLength(8);
    expect(relationships.map(({ foreignKey }) => foreignKey.length).sort()).toEqual([
      1, 1, 1, 2, 3, 3, 3,
    ]);
    const [open] = relationships.filter(({ multiplicity }) => multiplicity === "oneToOne");
    expect(open?.ends.map(({ entity }) => entity)).toEqual(["orders", "new_order"]);
    const ofCustomer = relationships.find(({ ends }) => ends[0].entity === "customer");
    expect(ofCustomer?.foreignKey).toEqual([
      { child: "o_w_id", parent: "c_w_id" },
      { child: "o_d_id", parent: "c_d_id" },
      { child: "o_c_id", parent: "c_id" },
    ]);
  });

  test("the mix: 450 items and stocks, 43 payments, 40 deletions in a hundred transactions", () => {
    const at = (step: number): number[] =>
      ["itemRead", "stockUpdate", "payment", "warehouseUpdate", "queueDelete", "stockLevel"].map(
        (id) => problem.workload.curves[id]?.[step] ?? Number.NaN,
      );
    expect(at(day)).toEqual([45 * 10, 45 * 10, 43, 43, 4 * 10, 4]);
    expect(at(0)).toEqual([0, 0, 0, 0, 400, 40]);
  });

  test("customers by last name stand in order of their first name", () => {
    const documented =
      "[customer.c_d_id, customer.c_last, customer.c_w_id] [customer.c_first↑, customer.c_id↑]";
    expect(plans.candidates).toContain(documented);
    expect(sizeOf(plans, documented).rowsPerPartition).toBeCloseTo(3, 9);
    const plan = chosenPlan(answer, "customerByName", day);
    expect(planKind(plan)).toBe("materialised view");
    expect(firstGet(plan)).toMatchObject({ gets: 1, order: "forward" });
    expect(applicationWork(plan)).toEqual([]);
  });

  test("what is written often is copied nowhere: balances, takings, quantities by day", () => {
    for (const statement of ["payment", "warehouseUpdate"])
      for (const step of everyStep()) expect(written(answer, statement, step)).toEqual({});
    const quantities = schemaAt(answer, day).filter((text) => text.includes("s_quantity"));
    expect(quantities).toHaveLength(1);
    // A value that is overwritten, not a part of the key.
    expect(written(answer, "stockUpdate", day)).toEqual({ [quantities[0] ?? ""]: [1, 0] });
  });

  test("items are read by one Get from a table that no statement writes", () => {
    const plan = chosenPlan(answer, "itemRead", day);
    expect(getsIn(plan)).toHaveLength(1);
    const updates = answer.steps.flatMap((step) => step.updates);
    expect(updates.filter(({ columnFamily }) => columnFamily.includes("[item."))).toEqual([]);
  });

  test("the oldest new order of a district is the first row of a partition", () => {
    const queue = "[new_order.no_d_id, new_order.no_w_id] [new_order.no_o_id↑]";
    for (const step of everyStep()) {
      expect(schemaAt(answer, step)).toContain(queue);
      expect(firstGet(chosenPlan(answer, "queueRead", step))).toMatchObject({
        order: "forward",
        limit: 1,
        rows: 1,
      });
      expect(written(answer, "queueDelete", step)).toEqual({ [queue]: [0, 1] });
    }
    // 90,000 new orders of a hundred districts; the key of a district is two columns of ten values.
    expect(sizeOf(plans, queue)).toMatchObject({ partitions: 100, rowsPerPartition: 900 });
  });

  test("the last orders' lines are one range of a partition, and low stocks a filter", () => {
    const level = chosenPlan(answer, "stockLevel", day);
    expect(firstGet(level)).toMatchObject({ gets: 1, range: 2 });
    expect(applicationWork(level)).toEqual([]);
    for (const plan of plans.plansOf("stockLow"))
      for (const get of getsIn(plan))
        if (get.columnFamily.includes("→ stock.s_quantity")) expect(get.range).toBeUndefined();
    expect(applicationWork(chosenPlan(answer, "stockLow", day))).toEqual(["filter"]);
  });

  test("tables change when the night batch ends, and at no other time", () => {
    expect(changes(answer)).toEqual([[5, day]]);
  });
});
