/** Exit code 2: what is wrong is told, all of it, each with its place and the way to mend it. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const { run } = folder;
const design = folder.write("design.json", crossover);

/** A design with something wrong. */
function variant(name: string, change: object): string {
  return folder.write(name, { ...crossover, ...change });
}

describe("exit code 2: bad input", () => {
  test.each<{ args: string[]; says: string[] }>([
    { args: [], says: ["usage: tidetable COMMAND"] },
    { args: ["optimize"], says: ["There is no such command.", "Did you mean optimise?"] },
    { args: ["optimise"], says: ["DESIGN.json: This file is missing.", "optimise --help"] },
    { args: ["optimise", "a", "b"], says: ["b: This is one file too many."] },
    { args: ["optimise", "--storge", "5", "a"], says: ["1 mistake", "Did you mean --storage?"] },
    { args: ["optimise", "a", "--json=yes"], says: ["--json: This option takes no value."] },
    { args: ["optimise", "a", "--out", "--json"], says: ["--out: This option needs a value"] },
    {
      args: ["optimise", "a", "--gap", "1", "--gap", "2"],
      says: ["--gap: This option is given twice."],
    },
    {
      args: [
        "optimise",
        "a",
        "--storage",
        "lots",
        "--gap=101",
        "--time-limit",
        "0",
        "--mode",
        "fast",
      ],
      says: [
        "4 mistakes",
        "--storage: “lots”",
        "--gap: “101”",
        "--time-limit: “0”",
        "--mode: “fast”",
      ],
    },
    {
      args: ["optimise", "--example", "tpch", "--pattern", "cicles"],
      says: ["Did you mean cycles?"],
    },
    {
      args: ["optimise", "--example", "tpch", "--steps", "10"],
      says: ["--steps: “10”", "multiple of 4"],
    },
    {
      args: ["optimise", "--example", "hotel", "--pattern", "cycles"],
      says: ["The example hotel has no patterns."],
    },
    { args: ["optimise", "a", "--storage=-5%"], says: ["--storage: “-5%”"] },
    { args: ["optimise", "a", "--out", "no/where.json"], says: ["--out: There is no no."] },
    { args: ["optimise", "design.json", "--out", "design.json"], says: ["is the design itself"] },
    { args: ["optimise", "nowhere.json"], says: ["There is no nowhere.json.", folder.path] },
    { args: ["optimise", "."], says: [". is a folder."] },
    { args: ["check", "a"], says: ["RESULT.json: This file is missing."] },
    {
      args: ["enumerate", "--out", "x"],
      says: ["--out: There is no such option.", "--json, --all"],
    },
    { args: ["schema", "lemon"], says: ["lemon: There is no such schema."] },
  ])("$args", async ({ args, says }) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(2);
    expect(out).toBe("");
    for (const words of says) expect(err).toContain(words);
  });

  test("a folder where the result should go", async () => {
    mkdirSync(join(folder.path, "results"));
    const { code, err } = await run("optimise", design, "--out", "results");
    expect([code, err]).toEqual([2, expect.stringContaining("results is a folder.")]);
  });

  test("text that is not JSON, with line and column", async () => {
    folder.write("broken.json", '{\n  "format": "tidetable",\n  oops\n}');
    const { code, err } = await run("optimise", "broken.json");
    expect(code).toBe(2);
    expect(err).toMatch(/1 mistake in broken\.json\n.*line 3, column 3/);
  });

  test("every mistake of a design's form, each with its place and the way to mend it", async () => {
    const file = variant("form.json", {
      entities: { ...crossover.entities, user: { ...crossover.entities.user, count: -1 } },
      frequencies: { q1: [1, 2], q3: 1 },
      colour: "blue",
    });
    const { code, err } = await run("optimise", file);
    expect(code).toBe(2);
    for (const place of [
      "entities/user/count",
      "frequencies/q1",
      "frequencies/q2",
      "frequencies/q3",
      "warning: colour",
    ])
      expect(err).toMatch(new RegExp(`\n {2}${place}: .*\n {6}→ .+`));
    expect(err).toContain("4 mistakes in form.json");
  });

  test("every mistake of its statements, each underlined", async () => {
    const file = variant("statements.json", {
      statements: {
        q1: { text: "SELECT user.nam FROM user WHERE user.id = ?" },
        q2: { text: "SELECT user.name\nFROM user.item\nWHERE item.colour = ?" },
      },
    });
    const { code, err } = await run("optimise", file);
    expect(code).toBe(2);
    expect(err).toContain("2 mistakes in statements.json");
    expect(err).toMatch(
      /statements\/q1, line 1, column \d+: .*\n {6}SELECT user\.nam FROM.*\n +\^+\n {6}→ /,
    );
    expect(err).toMatch(
      /statements\/q2, line 3, column \d+: .*\n {6}WHERE item\.colour = \?\n +\^+\n/,
    );
  });

  test("nothing is written", () => {
    expect(existsSync(join(folder.path, "where.json"))).toBe(false);
  });
});
