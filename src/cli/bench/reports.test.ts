/** The reports of the bench: figures by hand from measurements by hand. */
import { describe, expect, test } from "vitest";
import { comparisonReport } from "./comparison-report.ts";
import { growthReport } from "./growth-report.ts";
import type { Measurement } from "./measurement.ts";

const plain: Measurement = {
  workload: "tpch-cycles-12",
  mode: "certified",
  environment: { engine: "Node 20.1.0", cores: 2, machine: "linux x64" },
  status: "feasible",
  gapWanted: 0.005,
  seconds: { enumerate: 5, plan: 20, total: 60 },
  processorSeconds: 30,
  trace: [
    { seconds: 20, objective: 200, bound: 100 },
    { seconds: 40, objective: 100, bound: 99.2 },
  ],
  counts: { candidates: 8033, queryPlans: 129e6, steps: 12, distinctSteps: 2 },
  answer: {
    objective: 100,
    bound: 99.2,
    gap: 0.008,
    baselines: [
      { kind: "static average", cost: 125 },
      { kind: "static first step", cost: 160 },
      { kind: "static last step", cost: 200 },
      { kind: "ideal", cost: 98 },
    ],
    migrationCost: 1,
    changes: [
      { from: 2, plans: ["Q9", "Q3"], builds: 3, drops: 2 },
      { from: 4, plans: [], builds: 1, drops: 0 },
      { from: 5, plans: ["Q3"], builds: 1, drops: 2 },
    ],
  },
  peakMemory: 6e8,
};

/** The cells of the row of a report's table that begins with a text. */
function rowOf(report: string, begin: string, section: string): string[] {
  const part = report.slice(report.indexOf(section));
  const line = part.split("\n").find((each) => each.startsWith(`| ${begin}`)) ?? "";
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe("the comparison", () => {
  const longer: Measurement = {
    ...plain,
    workload: "tpch-cycles-48",
    counts: { ...plain.counts, steps: 48 },
    trace: [{ seconds: 96, objective: 110, bound: 108.9 }],
    answer: { ...(plain.answer as NonNullable<Measurement["answer"]>), gap: 0.01 },
  };
  const tree: Measurement = {
    ...plain,
    mode: "summary-tree",
    seconds: { total: 90 },
    answer: { ...(plain.answer as NonNullable<Measurement["answer"]>), objective: 101 },
  };
  const chromium: Measurement = {
    ...plain,
    environment: { ...plain.environment, engine: "Chromium 140" },
    seconds: { total: 80 },
  };
  const report = comparisonReport([plain, longer, tree, chromium], "npm run bench");

  test("counts the stages that the prototype's seconds are of", () => {
    expect(rowOf(report, "all 46", "## The prototype")).toEqual([
      "all 46 TPC-H statements, enumeration alone",
      "375 s",
      "25 s",
      "–",
      "15",
      "–",
    ]);
    expect(rowOf(report, "ten TPC-H", "## The prototype")[2]).toBe("not measured");
  });

  test("tells shares of the static schemas and of the ideal", () => {
    expect(rowOf(report, "cycles", "| TPC-H at 80 % | ours below")).toEqual([
      "cycles",
      "20 % to 50 %",
      "31.8 % to 37.7 %",
      "2.04 %",
      "5.41 %",
    ]);
  });

  test("names the steps at which plans change, and not those at which only tables do", () => {
    expect(report).toContain(
      "ours 2→3 (2 queries; 3 built, 2 dropped), 5→6 (1 queries; 1 built, 2 dropped); the paper: 2→3, 5→6, 8→9",
    );
    expect(report).toContain("Queries: Q3, Q9.");
  });

  test("tells seconds until a gap for each engine", () => {
    const rows = report.slice(report.indexOf("## Seconds")).split("\n");
    const cycles = rows.filter((line) => line.startsWith("| tpch-cycles-12 |"));
    expect(cycles.slice(0, 2).map((line) => line.split(" | ").slice(1, 8))).toEqual([
      ["Node", "20 s", "40 s", "not reached", "1 min", "30 s", "0.8 %"],
      ["Chromium", "20 s", "40 s", "not reached", "1.33 min", "30 s", "0.8 %"],
    ]);
  });

  test("compares horizons at the gap that all reach", () => {
    expect(report).toContain("until the gap is at most 1 %");
    expect(rowOf(report, "tpch-cycles-12", "## Longer")).toEqual(
      expect.arrayContaining(["12", "40.0", "3.33"]),
    );
    expect(rowOf(report, "tpch-cycles-48", "## Longer")).toEqual(
      expect.arrayContaining(["48", "96.0", "2.00"]),
    );
  });

  test("puts the tree's cost beside the certified one", () => {
    expect(rowOf(report, "tpch-cycles-12", "## The summary tree").slice(4)).toEqual([
      "1.01000",
      "60.0",
      "90.0",
      "30 s",
      "30 s",
    ]);
  });
});

test("growth has a row for every size, measured or not", () => {
  const report = growthReport([{ ...plain, workload: "growth-e15-s100-t12" }], "npm run bench");
  expect(rowOf(report, "100", "## Statements")).toEqual([
    "100",
    "8033",
    "129 M",
    "20 s",
    "60.0",
    "30 s",
    "0.8 %",
    "600 MB",
  ]);
  expect(rowOf(report, "300", "## Statements")[4]).toBe("not measured");
});
