/**
 * Case 26: readings arrive evenly, customers look in the evening (a British household's winter
 * weekday in 48 half-hours). Curves are executions per second: counts per half-hour over 1,800.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { planKind } from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { partitionCautions } from "#ui/results/schema-rows.ts";
import {
  type CasePlans,
  changes,
  chosenPlan,
  firstGet,
  plansOfCase,
  problemOf,
  schemaAt,
  sizeOf,
  solved,
} from "./read-case.ts";

const readings = "[reading.meter.meter_id] [reading.slot↑, reading.r_id↑] → reading.kwh";

describe("meter readings", () => {
  const problem = problemOf("26-household-load-48");
  const perStep = (statement: string): number[] =>
    (problem.workload.curves[statement] ?? []).map((perSecond) => perSecond * 1800);
  let answer: Recommendation;
  let plans: CasePlans;
  beforeAll(async () => {
    plans = plansOfCase(problem);
    answer = await solved(problem);
  });

  const readCosts = (): number[] =>
    answer.steps.map(
      (step) => step.plans.find(({ statement }) => statement === "today")?.cost ?? 0,
    );

  test("the profile is that of the household", () => {
    // 10,000 reads per kW; half-hours, so that half the sum is kWh.
    const kilowatts = perStep("today").map((reads) => reads / 10_000);
    expect(kilowatts).toHaveLength(48);
    expect(kilowatts.reduce((sum, each) => sum + each, 0)).toBeCloseTo(24.58, 9);
    expect(Math.max(...kilowatts)).toBeCloseTo(0.92, 9);
    expect([kilowatts[35], kilowatts[36]]).toEqual([
      Math.max(...kilowatts),
      Math.max(...kilowatts),
    ]);
    expect([kilowatts[7], kilowatts[8]]).toEqual([Math.min(...kilowatts), Math.min(...kilowatts)]);
    expect(kilowatts[15]).toBeCloseTo(0.63, 9);
    for (const inserts of perStep("insert")) expect(inserts).toBeCloseTo(5000, 9);
  });

  test("reads cost as the profile goes, and inserts the same all day", () => {
    const costs = readCosts();
    expect((costs[35] ?? 0) / (costs[7] ?? 1)).toBeCloseTo(4.6, 9);
    const scale = (costs[0] ?? 0) / (perStep("today")[0] ?? 1);
    perStep("today").forEach((reads, step) => {
      expect(costs[step]).toBeCloseTo(reads * scale, 6);
    });
    const inserts = new Set(answer.steps.map(({ cost }) => cost.update.toFixed(6)));
    expect(inserts.size).toBe(1);
    expect(answer.steps[0]?.cost.update).toBeGreaterThan(0);
  });

  test("a meter's readings are one partition in order of time, and stay so all day", () => {
    for (const step of answer.steps.keys()) expect(schemaAt(answer, step)).toContain(readings);
    expect(changes(answer)).toEqual([]);
    const plan = chosenPlan(answer, "today");
    expect(planKind(plan)).toBe("materialised view");
    expect(firstGet(plan)).toMatchObject({ gets: 1, rows: 48, order: "reverse", limit: 48 });
  });

  test("a year of a meter is 17,520 rows, which needs no bucket: no caution", () => {
    const size = sizeOf(plans, readings);
    expect(size).toMatchObject({ partitions: 5000, rowsPerPartition: 17_520 });
    const family = answer.columnFamilies.find(({ key }) => key.startsWith(readings));
    expect(family && partitionCautions(family)).toEqual([]);
  });

  test("the meters of a transformer at one time are a partition of 100 rows", () => {
    const bySlot = plans.columnFamilies.filter(({ partitionKey, graph }) => {
      const names = partitionKey.map(
        ({ node, attribute }) => `${graph.nodes[node]?.entity}.${attribute}`,
      );
      return names.join() === "meter.transformer.t_id,reading.slot";
    });
    expect(bySlot.length).toBeGreaterThan(0);
    for (const { size } of bySlot) expect(size.rowsPerPartition).toBeCloseTo(100, 9);
  });
});
