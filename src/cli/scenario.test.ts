/** `--scenario`: the design with the overrides of one of its scenarios. */
import { expect, test } from "vitest";
import { crossover, temporaryFolder } from "./captured-run.ts";

const { write, run } = temporaryFolder();

test("a scenario answers as the design with its overrides does", async () => {
  const { q1, q2 } = crossover.frequencies as Record<string, number[]>;
  const scenarios = { busy: { name: "Busy day", curves: { q1: q2 }, weights: { q2: 3 } } };
  const design = write("design.json", { ...crossover, version: 2, scenarios });
  const same = write("same.json", {
    ...crossover,
    frequencies: { q1: q2, q2: q2?.map((value) => value * 3) },
  });
  const json = ["--json", "--no-seconds"] as const;
  const busy = await run("optimise", design, "--scenario", "Busy day", ...json);
  expect(busy.code).toBe(0);
  expect(busy.out).toBe((await run("optimise", same, ...json)).out);
  expect(busy.out).not.toBe((await run("optimise", design, ...json)).out);
  expect(q1).not.toEqual(q2);
});

test("a scenario that is not there is refused with those that are", async () => {
  const scenarios = { busy: { name: "Busy day" } };
  const design = write("named.json", { ...crossover, version: 2, scenarios });
  const wrong = await run("optimise", design, "--scenario", "Bsy day");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("There is no scenario Bsy day.");
  expect(wrong.err).toContain("Busy day");
  const none = await run("optimise", write("plain.json", crossover), "--scenario", "Busy day");
  expect(none.err).toContain("The design has no scenarios.");
});
