/** A profile becomes a cost model, and the other commands cost by it. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { readCostModel } from "#document/cost-model-schema.ts";
import { crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const design = folder.write("design.json", crossover);
const example = readFileSync(new URL("../../public/example-profile.csv", import.meta.url), "utf8");
const profile = folder.write("profile.csv", example);
const limit = "4360799";

beforeAll(async () => {
  const fit = await folder.run("calibrate", "fit", profile, "--out", "staging.json");
  expect([fit.code, fit.err]).toEqual([0, ""]);
  const run = await folder.run("optimise", design, "--storage", limit, "--out", "result.json");
  expect(run.code).toBe(0);
});

describe("calibrate fit", () => {
  test("tells every coefficient with its error, interval and unit, and the residuals", async () => {
    const { out } = await folder.run("calibrate", "fit", profile, "--name", "lab");
    expect(out).toMatch(/^lab: 4 formulas fitted to 99 measurements of profile\.csv\n/);
    expect(out).toMatch(
      /T\(n, w, s\) of get: 54 rows, R² 0\.9\d+, residuals of [\d.]+ ms with 50 /,
    );
    expect(out).toMatch(
      /\n {2}perByte +2\.\d+e−5 +[\d.]+e−7 +2\.\d+e−5 … 2\.\d+e−5 +ms per byte\n/,
    );
    expect(out.match(/largest residuals: line \d+ \([\d.]+ \w+ measured/g)).toHaveLength(4);
  });

  test("writes what every reader of cost models reads, named after the file", async () => {
    const model = readCostModel(folder.read("staging.json"));
    if (!model.ok) throw new Error(JSON.stringify(model.issues));
    expect(model.value.name).toBe("staging");
    expect(model.value.load.perByte).toBeCloseTo(4.2e-5, 6);
    const { out } = await folder.run("calibrate", "fit", profile, "--name", "staging", "--json");
    expect(out).toBe(folder.read("staging.json"));
    const within = { ...crossover, settings: { ...crossover.settings, costModel: model.value } };
    folder.write("within.json", within);
    expect((await folder.run("enumerate", "within.json")).code).toBe(0);
  });

  test.each<[string, string, RegExp]>([
    [
      "too few rows",
      example.split("\n").slice(0, 5).join("\n"),
      /get: There are too few get rows: 3/,
    ],
    ["collinear columns", collinear(), /get: In the get rows n and w rise and fall together/],
    ["a malformed row", example.replace("get,1,", "get,one,"), /line 3: The n of the get is “one”/],
    ["no loads", example.replaceAll(/^load.*\n/gm, ""), /load: The profile has no load rows/],
    ["a time without end", example.replace(/,[^,\n]+\n$/, ",inf\n"), /line 101: .*not finite/],
  ])("refuses a profile with %s", async (_, text, says) => {
    folder.write("bad.csv", text);
    const { code, out, err } = await folder.run("calibrate", "fit", "bad.csv", "--out", "no.json");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(says);
    expect(err).toMatch(/\n {6}→ \S/);
    expect(() => folder.read("no.json")).toThrow();
  });

  test.each<[string[], string]>([
    [["calibrate"], "PROFILE.csv"],
    [["calibrate", "profile.csv"], "calibrate fit PROFILE.csv"],
    [["calibrate", "fit", "nowhere.csv"], "There is no nowhere.csv."],
    [["calibrate", "fit", "profile.csv", "--out", "profile.csv"], "is the profile itself"],
    [["calibrate", "fit", "profile.csv", "--base", "profile.csv"], "line 1"],
    [["calibrate", "fit", "profile.csv", "--name", "paper"], "belongs to a preset"],
  ])("%j is bad input", async (args, says) => {
    const { code, err } = await folder.run(...args);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });
});

/** w is ten times n in every row. */
function collinear(): string {
  return example.replaceAll(/^get,(\d+),\d+,/gm, (_, n: string) => `get,${n},${10 * Number(n)},`);
}

describe("--cost-model", () => {
  test("costs a run by the file, and check accepts it under the same model only", async () => {
    const args = ["--storage", limit, "--cost-model", "staging.json"];
    const run = await folder.run("optimise", design, ...args, "--out", "measured.json");
    expect(run.code).toBe(0);
    const objective = (file: string): number => JSON.parse(folder.read(file)).objective;
    expect(objective("measured.json")).not.toBe(objective("result.json"));
    expect((await folder.run("check", design, "measured.json", ...args)).code).toBe(0);
    expect((await folder.run("check", design, "measured.json")).code).toBe(1);
  });

  test("refuses what is no cost model, with place and reason", async () => {
    folder.write("broken.json", { name: "x", get: { fixed: -1 } });
    for (const file of ["broken.json", "nowhere.json", design]) {
      const { code, err } = await folder.run("optimise", design, "--cost-model", file);
      expect(code).toBe(2);
      expect(err).toMatch(/mistakes? in /);
    }
  });
});

describe("recost", () => {
  const args = [design, "result.json", "--cost-model", "staging.json"];

  test("tells old and new costs of every step, kind and plan with their ratio", async () => {
    const { code, out } = await folder.run("recost", ...args);
    expect(code).toBe(0);
    expect(out).toMatch(/ of latency as it was costed, .* under staging\n/);
    expect(out).toMatch(
      /\n {2}Step +Old +New +Old \/ new\n {2}1 +[\d.]+ \w+ +[\d.]+ \w+ +[\d.]+\n/,
    );
    expect(out).toMatch(/\n {2}load +/);
  });

  test("gives the same as JSON, and a result that check accepts under the model", async () => {
    const { out } = await folder.run("recost", ...args, "--json", "--out", "recosted.json");
    const { total, steps, kinds, plans } = JSON.parse(out);
    const old = JSON.parse(folder.read("result.json"));
    const now = JSON.parse(folder.read("recosted.json"));
    expect(total).toEqual({
      old: old.objective,
      new: now.objective,
      ratio: old.objective / now.objective,
    });
    const sum = (list: { new: number }[]): number => list.reduce((all, each) => all + each.new, 0);
    expect(sum(steps)).toBeCloseTo(now.objective, 3);
    expect(sum(Object.values(kinds))).toBeCloseTo(now.objective, 3);
    expect(plans).toHaveLength(old.plans.length);
    const model = ["--cost-model", "staging.json", "--storage", limit];
    const checked = await folder.run("check", design, "recosted.json", ...model);
    expect(checked.out).toContain("The answer is what it says it is");
    // What is best under the model costs no more.
    const best = await folder.run("optimise", design, ...model, "--json");
    expect(JSON.parse(best.out).objective).toBeLessThanOrEqual(now.objective * (1 + 1e-9));
  });

  test("changes nothing under the model that the result was found with", async () => {
    folder.write(
      "same.json",
      JSON.parse((await folder.run("calibrate", "fit", profile, "--json")).out),
    );
    await folder.run("optimise", design, "--cost-model", "same.json", "--out", "own.json");
    const own = [design, "own.json", "--cost-model", "same.json", "--json"];
    expect(JSON.parse((await folder.run("recost", ...own)).out).total.ratio).toBeCloseTo(1, 9);
  });

  test("takes an example in place of a design", async () => {
    const of = ["--example", "user-item"];
    await folder.run("optimise", ...of, "--out", "items.json");
    const { code } = await folder.run(
      "recost",
      ...of,
      "items.json",
      "--cost-model",
      "staging.json",
    );
    expect(code).toBe(0);
  });

  test("refuses a result of another design, and one without an answer", async () => {
    const other = { ...crossover, frequencies: { q1: 0.5, q2: 0.5 } };
    folder.write("other.json", other);
    const foreign = await folder.run("recost", "other.json", ...args.slice(1));
    expect(foreign.code).toBe(2);
    expect(foreign.err).toMatch(/cost: The number of executions of .*\n {6}→ Name the design/);
    await folder.run("optimise", design, "--storage", "1000", "--out", "none.json");
    const none = await folder.run("recost", design, "none.json", ...args.slice(2));
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("holds no answer")]);
    expect((await folder.run("recost", design, "result.json")).err).toContain(
      "--cost-model: This option is missing.",
    );
  });
});
