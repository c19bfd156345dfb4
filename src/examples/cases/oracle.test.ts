/** The queries of the cases over data of every kind: every plan returns what a relational engine does. */
import { beforeAll, describe, expect, test } from "vitest";
import { isQuery } from "#model/statement.ts";
import { checkAgainstOracle, noCounts, usualEffort } from "#recordstore/testing/against-oracle.ts";
import { RelationalEngine } from "#recordstore/testing/relational-oracle.ts";
import { problemOf } from "./read-case.ts";

let engine: RelationalEngine;
beforeAll(async () => {
  engine = await RelationalEngine.start();
});

describe("every plan answers as a relational engine does", { timeout: 120_000 }, () => {
  // 03, 07 and 09 stand in `recordstore/oracle.test.ts`; 22 is two of the queries there.
  test.each([
    "01-inbox-outbox",
    "07-count-and-group",
    "13-direction-of-the-link",
    "20-likes-expert-schema",
    "26-household-load-48",
    "28-order-entry-mix",
  ])("%s", (folder) => {
    const whole = problemOf(folder);
    const problem = { ...whole, statements: whole.statements.filter(isQuery) };
    const counts = noCounts();
    const effort = { ...usualEffort, families: 80, shortPlans: 80, longPlans: 30, data: 2 };
    checkAgainstOracle(engine, { problem, dice: [4] }, effort, counts);
    expect(counts.refusals).toBe(0);
    expect(counts.executions).toBeGreaterThan(10);
    expect(counts.empty).toBeLessThan(counts.executions);
  });
});
