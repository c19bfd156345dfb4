/** `explain`, `compare` and `--schema`, run in this process. */
import { describe, expect, test } from "vitest";
import { crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const { run } = folder;
const design = folder.write("design.json", crossover);
const byName = "[item.name] [item.id, user.id] -> user.email, user.name";
const byQuantity = "[item.quantity] [item.id, user.id] -> user.email, user.name";
const limit = ["--storage", "4360799"] as const;

describe("explain", () => {
  test("tells of every table who reads it, and of the answer without it", async () => {
    const { code, out } = await run("explain", design);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^\[item\.name\] \[item\.id↑, user\.id↑\] .*\n {2}exists at all steps\n {2}read by q1 at all steps: [\d.]+ s, 44\.1 % of all\n {2}without it:\n {4}the answer costs 3\.24 min \(214 %\) more\n {4}added at all steps/,
    );
    expect(out).toContain("[item.quantity] [item.id↑, user.id↑] → user.email, user.name of");
  });

  test("tells of one table of a result, named by a text, as JSON", async () => {
    const result = "result.json";
    await run("optimise", design, "--out", result, "--gap", "0");
    const { code, out } = await run("explain", design, result, "--family", byName, "--json");
    expect(code).toBe(0);
    const [explanation] = JSON.parse(out);
    expect(explanation.uses[0]).toMatchObject({ kind: "query", statement: "q1" });
    expect(explanation.without).toMatchObject({ status: "found", certainty: "exact" });
  });

  test("tells of a query why the wide table was not taken", async () => {
    const { code, out } = await run(
      "explain",
      design,
      ...limit,
      "--statement",
      "q2",
      "--step",
      "1",
    );
    expect(code).toBe(0);
    expect(out).toMatch(/best materialised view: \[item\.quantity\].*\n {4}.* less each time\n/);
    expect(out).toContain("because beside the other tables it lacks");
  });

  test("refuses tables, queries, steps and results that are not there", async () => {
    expect(await run("explain", design, "--family", "[user.id] [] -> user.nam")).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no column user.nam"),
    });
    expect(await run("explain", design, "--statement", "q7")).toMatchObject({ code: 2 });
    expect(await run("explain", design, "--statement", "q1", "--step", "9")).toMatchObject({
      code: 2,
      err: expect.stringContaining("The steps are 1 to 6"),
    });
    const other = folder.write("other.json", { ...crossover, frequencies: { q1: 5, q2: 5 } });
    const result = "other-result.json";
    await run("optimise", other, "--out", result);
    expect(await run("explain", design, result)).toMatchObject({
      code: 2,
      err: expect.stringContaining("no result of"),
    });
  });
});

describe("a schema by hand", () => {
  const schema = folder.write("expert.json", [byName, byQuantity]);

  test("stands beside the optimum in report and result, and is recounted", async () => {
    const result = "with.json";
    const { code, out } = await run(
      "optimise",
      design,
      ...limit,
      "--schema",
      schema,
      "--out",
      result,
    );
    expect(code).toBe(0);
    expect(out).toMatch(
      /expert\.json +[\d.]+ (s|min) +4\.36 MB +the answer costs .* made by hand\n/,
    );
    const judged = ["--storage", "4360799", "--schema", schema];
    expect(await run("check", design, result, ...judged)).toMatchObject({ code: 0 });
    expect(await run("check", design, result, "--storage", "4360799")).toMatchObject({ code: 1 });
  });

  test("is compared, and what it cannot serve is named", async () => {
    const whole = await run("compare", design, "--schema", schema);
    expect(whole.code).toBe(0);
    expect(whole.out).toMatch(/expert\.json .* the answer costs the same; made by hand/);
    const half = folder.write("half.json", { name: "half", schemas: [[byName]] });
    const { out } = await run("compare", design, "--schema", half);
    expect(out).toMatch(/half +2\.2 MB +not a whole schema:\n {2}it cannot serve q2\n$/);
    const { out: json } = await run("compare", design, "--schema", half, "--json");
    expect(JSON.parse(json).handMade.unanswered).toEqual([
      { statement: "q2", steps: [0, 1, 2, 3, 4, 5] },
    ]);
  });

  test("is refused under its own file's name, with the place", async () => {
    const wrong = folder.write("wrong.json", [byName, "[item.price] [item.id]"]);
    const { code, err } = await run("optimise", design, "--schema", wrong);
    expect(code).toBe(2);
    expect(err).toContain("wrong.json");
    expect(err).toContain("schemas/0/1: At character 2: there is no column item.price");
    expect(await run("compare", design)).toMatchObject({
      code: 2,
      err: expect.stringContaining("Name one with --schema FILE"),
    });
  });
});
