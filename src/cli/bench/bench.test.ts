/**
 * The bench: counts and objectives of small workloads stand still; files keep what they hold; two runs are
 * compared. Seconds and bytes are never asserted.
 */
import { describe, expect, test } from "vitest";
import { generateWorkload } from "#examples/workloads/generate-workload.ts";
import { type NamedWorkload, namedWorkloads } from "#examples/workloads.ts";
import { temporaryFolder } from "../captured-run.ts";
import { loadBenchFile, writeBenchFile } from "./bench-file.ts";
import { compareRuns } from "./compare-runs.ts";
import { measureWorkload } from "./measure-workload.ts";
import { type Measurement, secondsUntilGap } from "./measurement.ts";

const folder = temporaryFolder();
const now = (): number => performance.now() / 1000;

const generated = (entities: number, statements: number, steps: number): NamedWorkload => ({
  name: `e${entities}-s${statements}-t${steps}`,
  group: "growth",
  what: "",
  load: async () => generateWorkload({ entities, statements, steps }),
});

function workloadNamed(name: string): NamedWorkload {
  const found = namedWorkloads.find((workload) => workload.name === name);
  if (!found) throw new Error(`there is no workload ${name}`);
  return found;
}

/** Counts of the work that there is; they differ between machines for no reason. */
function workOf({ counts }: Measurement): unknown {
  const { candidates, queryPlans, steps, distinctSteps } = counts;
  return { candidates, queryPlans, steps, distinctSteps };
}

describe("counts and objectives of small workloads", () => {
  test.each<[NamedWorkload, number, unknown]>([
    [
      workloadNamed("user-item"),
      2_733_203,
      { candidates: 24, queryPlans: 60, steps: 4, distinctSteps: 4 },
    ],
    [
      generated(3, 5, 2),
      157_005.4,
      { candidates: 120, queryPlans: 8847, steps: 2, distinctSteps: 2 },
    ],
    [
      generated(5, 10, 3),
      424_320.9,
      { candidates: 241, queryPlans: 46_313, steps: 3, distinctSteps: 3 },
    ],
  ])("$name", async (workload, objective, work) => {
    const measured = await measureWorkload(workload, { gap: 1e-4 }, now);
    expect(workOf(measured)).toEqual(work);
    expect(measured.status).toBe("optimal");
    // Within the gap that counts as optimal another answer may be found.
    expect((measured.answer?.objective ?? 0) / objective).toBeCloseTo(1, 4);
    expect(measured.answer?.baselines.map(({ kind }) => kind)).toContain("ideal");
    expect(measured.trace.length).toBeGreaterThan(0);
    expect(secondsUntilGap(measured, 1)).toBeLessThanOrEqual(measured.seconds["total"] ?? 0);
  });
});

const measurement: Measurement = {
  workload: "hotel",
  mode: "certified",
  environment: { engine: "Node 20.1.0", cores: 2, machine: "linux x64" },
  status: "feasible",
  gapWanted: 0.01,
  seconds: { total: 4.00049 },
  trace: [
    { seconds: 1, objective: 120, bound: 90 },
    { seconds: 3, objective: 100, bound: 99 },
  ],
  counts: { candidates: 10, queryPlans: 20, columns: 30, rows: 40 },
  answer: { objective: 100, bound: 99.5, gap: 0.005, baselines: [], migrationCost: 0, changes: [] },
  peakMemory: 1e8,
};

test("the seconds until a gap are those of the first point that reached it, or of the end", () => {
  expect(secondsUntilGap(measurement, 1)).toBe(1);
  expect(secondsUntilGap(measurement, 0.01)).toBe(3);
  expect(secondsUntilGap(measurement, 0.005)).toBe(4.00049);
  expect(secondsUntilGap(measurement, 0.001)).toBeUndefined();
});

describe("files of measurements", () => {
  const terminal = {
    out: () => undefined,
    err: () => undefined,
    columns: undefined,
    folder: folder.path,
    now,
  };

  test("keep what they hold of other workloads, and take the new one of the same", () => {
    const other: Measurement = { ...measurement, workload: "auction" };
    expect(writeBenchFile("kept.json", [measurement, other], terminal).ok).toBe(true);
    const again: Measurement = { ...measurement, seconds: { total: 2 } };
    const inBrowser: Measurement = {
      ...measurement,
      environment: { ...measurement.environment, engine: "Chromium 140" },
    };
    expect(writeBenchFile("kept.json", [again, inBrowser], terminal).ok).toBe(true);
    const file = loadBenchFile("kept.json", terminal);
    if (!file.ok) throw new Error("the file is read");
    const held = file.value.measurements.map(({ workload, environment, seconds }) => [
      workload,
      environment.engine,
      seconds["total"],
    ]);
    expect(held).toEqual([
      ["hotel", "Node 20.1.0", 2],
      ["auction", "Node 20.1.0", 4],
      ["hotel", "Chromium 140", 4],
    ]);
  });

  test("are refused with what is wrong in them", async () => {
    folder.write("broken.json", { format: "tidetable-bench", version: 1, measurements: [{}] });
    folder.write("text.json", "no json");
    const broken = await folder.run("bench", "--only", "user-item", "--compare", "broken.json");
    expect(broken.code).toBe(2);
    expect(broken.err).toContain("measurements/0/workload");
    const text = await folder.run("bench", "--only", "user-item", "--compare", "text.json");
    expect([text.code, text.out]).toEqual([2, ""]);
    expect(text.err).toContain("no JSON");
    const name = await folder.run("bench", "--only", "hotl,tpch");
    expect(name.code).toBe(2);
    expect(name.err).toContain("hotel");
  });
});

test("a comparison tells ratios, other counts, and what only one side has", () => {
  const now: Measurement = {
    ...measurement,
    seconds: { total: 2 },
    counts: { ...measurement.counts, candidates: 12 },
  };
  const lines = compareRuns([now, { ...now, workload: "new" }], [measurement]);
  expect(lines.find((line) => line.includes("hotel"))).toMatch(
    /2 s +4 s +0\.50 +1\.00 +1\.0000 +0\.5 % +0\.5 % +candidates 10 → 12/,
  );
  expect(lines.at(-1)).toContain("not in the stored run: new");
});

test("a workload's design is printed, and can be optimised as it stands", async () => {
  const design = await folder.run("bench", "--document", "user-item");
  folder.write("design.json", design.out);
  const answer = await folder.run("optimise", "design.json", "--json");
  expect(JSON.parse(answer.out).status).toBe("optimal");
});

test("a run that was watched from outside becomes a measurement, or is refused with its mistakes", async () => {
  const design = await folder.run("bench", "--document", "user-item");
  folder.write("watched.json", design.out);
  await folder.run("optimise", "watched.json", "--out", "result.json");
  const seen = {
    workload: "user-item",
    mode: "certified",
    environment: { engine: "Chromium 140", cores: 2, machine: "linux x64" },
    trace: [{ seconds: 0.5, objective: 3e6, bound: 2e6 }],
    around: { "seen by the person": 2 },
    peakMemory: 3e8,
    frames: { perSecond: 60, longest: 0.02 },
    result: JSON.parse(folder.read("result.json")),
  };
  folder.write("observed.json", [seen]);
  const told = await folder.run("bench", "--observed", "observed.json", "--json");
  expect(JSON.parse(told.out)).toMatchObject({
    workload: "user-item",
    environment: seen.environment,
    status: "optimal",
    seconds: seen.around,
    frames: seen.frames,
    counts: { queryPlans: 60, distinctSteps: 4 },
    answer: { changes: [{ from: 1, builds: 2 }] },
  });
  folder.write("observed.json", [{ ...seen, result: { status: "optimal" } }]);
  const refused = await folder.run("bench", "--observed", "observed.json");
  expect([refused.code, refused.out]).toEqual([2, ""]);
});
