/** The commands and their exit codes, run in this process. */
import { describe, expect, test } from "vitest";
import { readResult } from "#document/result-schema.ts";
import { examples } from "#examples/examples.ts";
import { capturedRun, crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const { run } = folder;
const design = folder.write("design.json", crossover);

/** A design with something wrong or other. */
function variant(name: string, change: object): string {
  return folder.write(name, { ...crossover, ...change });
}

describe("optimise", () => {
  test("reports to people", async () => {
    const { code, out, err } = await run("optimise", design, "--storage", "4360799");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Two queries cross over: optimal, 4\.68 min of latency over 6 steps of 4 h\n/,
    );
    expect(out).toContain("of 4.36 MB (4360799 bytes) allowed");
    expect(out).toMatch(
      /\n {2}Step {2,}Storage {2,}Tables {2,}Queries {2,}Extract {2,}Load {2,}Total\n {2}1–2 {2,}4\.03 MB /,
    );
    expect(out).toMatch(
      /CF1 {2,}2\.2 MB {2}20 k rows {2}steps 1–3 {2}\[item\.name\] \[item\.id↑, user\.id↑\] → user\.email, user\.name\n/,
    );
    expect(out).toMatch(/q1 {2}steps 1–3 {2,}0\.928 ms each {2}CF1\n {6}steps 4–6 /);
    expect(out).toMatch(
      /from step 3 to step 4\n {4}build CF6 from CF\d ⋈ CF\d: extract .*, load .*\n {4}drop CF1/,
    );
    expect(out).toMatch(/static average {2,}4\.76 min .* the answer costs 1\.55 % less\n/);
    expect(out).toMatch(
      /ideal .* the answer costs 1\.12 % more; each step alone, migrations free\n/,
    );
    expect(err).toMatch(/^tidetable: Enumerating/);
    expect(err).not.toContain("\r");
  });

  test("prints a result that begins as agreed", async () => {
    const { code, out } = await run("optimise", design, "--json");
    expect(code).toBe(0);
    const result = JSON.parse(out);
    expect(Object.keys(result).slice(0, 6)).toEqual([
      "status",
      "objective",
      "bound",
      "gap",
      "seconds",
      "counts",
    ]);
    expect(Object.keys(result).indexOf("steps")).toBeLessThan(
      Object.keys(result).indexOf("migrations"),
    );
    expect(result.seconds.total).toBeGreaterThan(0);
    expect(readResult(out).ok).toBe(true);
  });

  test("gives equal bytes for equal input, but for the seconds", async () => {
    const options = ["--storage", "4360799", "--json"];
    const twice = [
      await run("optimise", design, ...options),
      await run("optimise", design, ...options),
    ];
    const [one, two] = twice.map(({ out }) =>
      JSON.stringify({ ...JSON.parse(out), seconds: {} }, null, 2),
    );
    expect(one).toBe(two);
    await run("optimise", design, "--storage", "4360799", "--no-seconds", "--out", "a.json");
    await run("optimise", design, "--storage", "4360799", "--no-seconds", "--out", "b.json");
    expect(folder.read("a.json")).toBe(folder.read("b.json"));
    expect(folder.read("a.json")).toBe(`${one}\n`);
  });

  test("takes limit, gap and time limit from the design, and options before it", async () => {
    const file = variant("settings.json", {
      settings: { storage: { kind: "bytes", bytes: 4_360_799 }, gap: 0.5, timeLimitSeconds: 100 },
    });
    const own = await run("optimise", file, "--json");
    expect(JSON.parse(own.out).storageLimit).toBe(4_360_799);
    const wider = await run("optimise", file, "--json", "--storage", "1e9", "--gap", "0.01%");
    expect(JSON.parse(wider.out)).toMatchObject({
      storageLimit: 1e9,
      status: "optimal",
      migrations: [],
    });
  });

  test("searches by the summary tree when asked to, and tells the tree", async () => {
    const tree = ["optimise", design, "--mode", "summary-tree"];
    const { code, out } = await run(...tree, "--out", "tree.json");
    expect(code).toBe(0);
    expect(out).toMatch(/\nSummary tree\n {2}Steps {2,}Cost {2,}Took {2,}Step {2,}Tables/);
    expect(out).toMatch(/\n {2}1–6 {2,}\d.* 1 {2,}CF1/);
    expect(out).toMatch(/ {2}3 {2,}CF1.* {2}taken over\n/);
    const result = readResult(folder.read("tree.json"));
    const nodes =
      result.ok && "objective" in result.value ? result.value.summaryTree?.nodes : undefined;
    expect(nodes?.map(({ steps }) => steps)).toEqual([
      [0, 2, 5],
      [0, 1, 2],
      [2, 3, 5],
      [3, 4, 5],
    ]);
    expect((await run("check", design, "tree.json")).code).toBe(0);
    // The design may ask for it, and the command line otherwise.
    const file = variant("by-tree.json", { settings: { mode: "summary-tree" } });
    expect(JSON.parse((await run("optimise", file, "--json")).out).summaryTree).toBeDefined();
    const certified = await run("optimise", file, "--json", "--mode", "certified");
    expect(JSON.parse(certified.out).summaryTree).toBeUndefined();
  });

  test("takes storage in per cent of the static-average schema", async () => {
    const { code } = await run("optimise", design, "--storage", "70%", "--out", "share.json");
    expect(code).toBe(0);
    expect(JSON.parse(folder.read("share.json")).storageLimit).toBeCloseTo(0.7 * 4_360_800, 3);
    const checked = await run("check", design, "share.json", "--storage", "70%");
    expect(checked.out).toContain("within 3.05 MB as the result states it");
    expect(checked.code).toBe(0);
  });

  test("takes an example instead of a file", async () => {
    const id = examples[0]?.id ?? "";
    const { code, out } = await run("enumerate", "--example", id);
    expect(code).toBe(0);
    expect(out).toContain("candidate tables");
    const unknown = await run("optimise", "--example", "lemon");
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/--example: There is no example lemon\.\n {6}→ .*\S/);
    expect((await run("optimise", design, "--example", id)).code).toBe(2);
  });
});

test("labels of steps stand beside their numbers", async () => {
  const file = variant("labels.json", {
    timeline: { ...crossover.timeline, labels: ["night", "dawn", "noon", "dusk", "late", "end"] },
  });
  const { out } = await run("optimise", file, "--storage", "4360799");
  expect(out).toMatch(/\n {2}1–2 {3}night … dawn {2,}4\.03 MB .*\n {2}3 {5}noon {2,}/);
  expect(out).toContain("from step 3 (noon) to step 4 (dusk)\n");
});

describe("exit code 3: infeasible", () => {
  test("tells the smallest storage that works, which works, and a byte less does not", async () => {
    const small = await run("optimise", design, "--storage", "1000", "--out", "small.json");
    expect(small.code).toBe(3);
    const least = Number(/The smallest storage that works is (\d+) bytes/.exec(small.out)?.[1]);
    expect(JSON.parse(folder.read("small.json"))).toMatchObject({
      status: "infeasible",
      smallestStorage: least,
    });
    expect((await run("optimise", design, "--storage", String(least))).code).toBe(0);
    expect((await run("optimise", design, "--storage", String(least - 1))).code).toBe(3);
  });

  test("with --json, stdout holds the result and stderr the reasons", async () => {
    const { code, out, err } = await run("optimise", design, "--storage", "1000", "--json");
    expect(code).toBe(3);
    expect(readResult(out)).toMatchObject({ ok: true, value: { status: "infeasible" } });
    expect(err).toContain("tidetable: The smallest storage that works is");
  });
});

test("exit code 4: no answer within the time limit", async () => {
  const numbers = ["a", "b", "c"].map((name) => ({ name, type: "int", distinct: 200 }));
  const { item } = crossover.entities;
  const select = "SELECT user.name, user.email, item.quantity FROM user.item WHERE";
  // Large enough that no solver can be done within its first millisecond.
  const file = variant("large.json", {
    entities: {
      ...crossover.entities,
      item: { ...item, attributes: [...item.attributes, ...numbers] },
    },
    statements: {
      q1: { text: `${select} item.a = ? AND item.b = ?` },
      q2: { text: `${select} item.b = ? AND item.c = ?` },
    },
  });
  const { code, out, err } = await run("optimise", file, "--time-limit", "0.000001", "--json");
  expect(code).toBe(4);
  expect(readResult(out)).toMatchObject({ ok: true, value: { status: "timedOut" } });
  expect(err).toContain("tidetable: The time limit was reached");
});

test("warnings go to stderr and do not stop the run", async () => {
  const file = variant("idle.json", { frequencies: { q1: 0, q2: 0 } });
  const { code, err } = await run("enumerate", file);
  expect(code).toBe(0);
  expect(err).toMatch(/about idle\.json\n {2}warning: frequencies: No statement ever runs/);
});

describe("help", () => {
  test("lists the commands", async () => {
    for (const flag of ["--help", "-h"]) {
      const { code, out } = await run(flag);
      expect(code).toBe(0);
      for (const name of [
        "optimise",
        "explain",
        "compare",
        "enumerate",
        "check",
        "calibrate",
        "recost",
        "schema",
      ])
        expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
    }
  });

  test.each([
    "optimise",
    "explain",
    "compare",
    "enumerate",
    "check",
    "calibrate",
    "recost",
    "schema",
  ])("of %s names its options", async (name) => {
    const { code, out, err } = await run(name, "--help", "--lemon");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^usage: tidetable ${name} `));
    expect(out).toContain("exit codes: 0 ");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe("schema", () => {
  test("prints all schemas, or the one that is named", async () => {
    const all = JSON.parse((await run("schema")).out);
    for (const name of ["document", "result", "cost-model"]) {
      const one = JSON.parse((await run("schema", name)).out);
      expect(all[name]).toEqual(one);
      expect(one.$schema).toContain("json-schema.org");
    }
  });
});

describe("enumerate", () => {
  test("prints a summary for people", async () => {
    const { code, out } = await run("enumerate", design);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Two queries cross over: 24 candidate tables of 39 proposed, 50 query plans, /,
    );
    expect(out).toContain("[item.name] [item.id↑, user.id↑] → user.email, user.name");
    expect(out).toMatch(/\[item\.quantity\] \[item\.id↑\] +index of q2\n/);
    expect(out).toMatch(/\n {2}q1 {2}25 plans {2}0\.928 ms at best {2}\[item\.name\]/);
  });
});

describe("progress", () => {
  test("is a bar that fits the terminal and goes away", async () => {
    let time = 0;
    const { code, err } = await capturedRun(["optimise", "design.json"], {
      folder: folder.path,
      columns: 60,
      now: () => {
        time += 0.01;
        return time;
      },
    });
    expect(code).toBe(0);
    expect(err).not.toContain("\n");
    const frames = err.split("\r\u001b[K");
    expect(frames.length).toBeGreaterThan(4);
    expect(frames.at(-1)).toBe("");
    for (const frame of frames.slice(1, -1)) {
      expect([...frame].length).toBeLessThan(60);
      expect(frame).toMatch(/^█*░* \S/);
    }
  });
});
