/** The command line as a process of its own: the launcher, its pipes, Ctrl-C and npm. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { crossover, temporaryFolder } from "./captured-run.ts";

const launcher = fileURLToPath(new URL("./tidetable.mjs", import.meta.url));
const root = join(dirname(launcher), "..", "..");
const folder = temporaryFolder();
folder.write("design.json", crossover);

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, ended };
}

function tidetable(...args: string[]) {
  return start(process.execPath, [launcher, ...args]);
}

describe("the launcher", () => {
  test("answers on stdout, tells progress on stderr and passes the exit code on", async () => {
    const good = await tidetable("optimise", "design.json", "--json").ended;
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out).status).toBe("optimal");
    expect(good.err).toContain("tidetable: Solving the program over all steps");
    expect((await tidetable("optimise", "design.json", "--storage", "1000").ended).code).toBe(3);
    expect((await tidetable("optimise", "nowhere.json").ended).code).toBe(2);
  });

  test("measures a workload in a process of its own, and compares with a stored run", async () => {
    const first = await tidetable("bench", "--only", "user-item", "--json", "--out", "b.json")
      .ended;
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({ workload: "user-item", status: "optimal" });
    expect(JSON.parse(folder.read("b.json")).measurements).toHaveLength(1);
    const second = await tidetable("bench", "--only", "user-item", "--compare", "b.json").ended;
    expect(second.out).toMatch(/user-item .* 1\.0000 .* the same/);
  });

  test("ends quietly when nobody reads on", async () => {
    const { child, ended } = tidetable("enumerate", "design.json", "--json");
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).not.toMatch(/EPIPE|at .*:\d+/);
  });

  test.skipIf(process.platform === "win32")(
    "ends at once on Ctrl-C, in the middle of a solve",
    async () => {
      const steps = 2000;
      const wave = (t: number, shift: number) => 1 + Math.sin(t / 7 + shift) + (t % 13) / 50;
      const times = Array.from({ length: steps }, (_, t) => t);
      folder.write("long.json", {
        ...crossover,
        timeline: { steps, stepSeconds: 3600 },
        frequencies: { q1: times.map((t) => wave(t, 0)), q2: times.map((t) => wave(t, 2)) },
      });
      const { child, ended } = tidetable("optimise", "long.json");
      await new Promise<void>((resolve, reject) => {
        let told = "";
        child.stderr.on("data", (text) => {
          told += text;
          if (told.includes("Looking for the best schema")) resolve();
        });
        child.on("close", () => reject(new Error(`it ended by itself: ${told}`)));
      });
      const sent = performance.now();
      child.kill("SIGINT");
      const { signal } = await ended;
      expect(signal).toBe("SIGINT");
      expect(performance.now() - sent).toBeLessThan(2000);
    },
  );

  test.skipIf(process.platform === "win32")(
    "finds files where the person stands when npm starts it",
    async () => {
      const args = [
        "--prefix",
        root,
        "run",
        "--silent",
        "tidetable",
        "--",
        "optimise",
        "design.json",
        "--json",
      ];
      const { code, out, err } = await start("npm", args).ended;
      expect([code, err]).toEqual([0, expect.any(String)]);
      expect(JSON.parse(out).status).toBe("optimal");
    },
  );
});
