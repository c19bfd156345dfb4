/**
 * The tables of `docs/comparison.md` and of the README, from measurements: ours against the published
 * prototype and the paper, the certified search against the summary tree, dear migrations, long horizons,
 * seconds until a gap. Written by `tidetable bench --report`, never by hand; what was not measured is
 * said to be so.
 */
import {
  type PublishedPattern,
  type PublishedRun,
  published,
} from "#examples/workloads/published.ts";
import { bytes, duration, perCent } from "../figures.ts";
import { nameOf } from "./compare-runs.ts";
import { markdownTable } from "./markdown-table.ts";
import { type Measurement, secondsUntilGap } from "./measurement.ts";

const dash = "–";

/** The whole of `docs/comparison.md`, ending with a line break. */
export function comparisonReport(measured: readonly Measurement[], command: string): string {
  const sections = [
    [
      "# Ours beside the published figures",
      "",
      `Written by \`${command}\` from stored runs of the bench; \`npm run bench -- --list\` says what the workloads are.`,
      ...environments(measured),
    ],
    ["## The prototype and the paper", "", ...publishedSection(measured)],
    ["## When queries change their plans", "", ...changesSection(measured)],
    ["## Seconds until a gap", "", ...gapsSection(measured)],
    ["## Longer horizons", "", ...horizonSection(measured)],
    ["## Dearer migrations", "", ...migrationSection(measured)],
    ["## The summary tree beside the certified search", "", ...treeSection(measured)],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** What the README shows: the published figures and ours, with what may be compared. */
export function publishedSection(measured: readonly Measurement[]): string[] {
  return [
    "The prototype's seconds were measured on another machine, ours under Node; both on two cores and with an open-source solver. Costs are not",
    "comparable: they come from other coefficients. Ours searches all candidates and plans and proves a bound; the prototype proves none.",
    "The machine of ours had other work meanwhile: *processor* is what the run itself took.",
    "",
    ...markdownTable(
      ["input", "prototype", "ours", "ours, processor", "times as fast", "our gap"],
      published.prototype.runs.map((run) => prototypeRow(run, measured)),
    ),
    "",
    "The paper measured latency on a cluster; ours is latency estimated by the cost model, on the same statements, sizes, frequencies and",
    "storage limit (80 % of the static-average schema). So only the shares can be compared, and only in their order of magnitude.",
    "",
    ...markdownTable(
      [
        "TPC-H at 80 %",
        "ours below the static schemas",
        "the paper",
        "ours above the ideal",
        "the paper",
      ],
      published.paper.patterns.map((pattern) => patternRow(pattern, measured)),
    ),
  ];
}

function prototypeRow(run: PublishedRun, measured: readonly Measurement[]): string[] {
  const ours = inNode(measured, run.workload);
  const seconds = ours && secondsOf(ours, run.stages);
  return [
    run.what,
    `${run.seconds} s`,
    seconds === undefined ? "not measured" : duration(seconds * 1000),
    run.stages ? dash : processor(ours),
    seconds === undefined ? dash : `${(run.seconds / seconds).toPrecision(2)}`,
    ours?.answer && !run.stages ? perCent(ours.answer.gap) : dash,
  ];
}

function processor(measured: Measurement | undefined): string {
  const seconds = measured?.processorSeconds;
  return seconds === undefined ? dash : duration(seconds * 1000);
}

function secondsOf({ seconds }: Measurement, stages: readonly string[] = ["total"]): number {
  return stages.reduce((sum, stage) => sum + (seconds[stage] ?? 0), 0);
}

function patternRow(pattern: PublishedPattern, measured: readonly Measurement[]): string[] {
  const answer = inNode(measured, pattern.workload)?.answer;
  if (!answer)
    return [pattern.pattern, "not measured", pattern.belowStatics, dash, pattern.aboveIdeal];
  const { objective, baselines } = answer;
  const below = baselines
    .filter(({ kind }) => kind !== "ideal")
    .map(({ cost }) => (cost - objective) / cost);
  const ideal = baselines.find(({ kind }) => kind === "ideal")?.cost;
  return [
    pattern.pattern,
    `${perCent(Math.min(...below))} to ${perCent(Math.max(...below))}`,
    pattern.belowStatics,
    ideal === undefined ? dash : perCent(objective / ideal - 1),
    pattern.aboveIdeal,
  ];
}

/** Per pattern the costs behind those shares, and between which steps which queries change. */
function changesSection(measured: readonly Measurement[]): string[] {
  const kinds = ["static average", "static first step", "static last step", "ideal"];
  const costs = published.paper.patterns.map(({ workload, pattern }) => {
    const answer = inNode(measured, workload)?.answer;
    const cost = (kind: string): string => {
      const found = answer?.baselines.find((each) => each.kind === kind)?.cost;
      return found === undefined ? dash : duration(found);
    };
    return [
      pattern,
      answer ? duration(answer.objective) : "not measured",
      ...kinds.map(cost),
      answer ? perCent(answer.gap) : dash,
    ];
  });
  return [
    "Estimated latency over all steps. The ideal has every step's own best schema and free migrations; no answer can reach it.",
    "",
    ...markdownTable(["TPC-H at 80 %", "ours", ...kinds, "our gap"], costs),
    "",
    "Steps are counted from 0, as in the paper. Which queries change depends on the cost coefficients, which are not the paper's.",
    "",
    ...published.paper.patterns.flatMap((pattern) => changeLines(pattern, measured)),
  ];
}

function changeLines(
  { workload, pattern, planChangesAt, queries }: PublishedPattern,
  measured: readonly Measurement[],
): string[] {
  const answer = inNode(measured, workload)?.answer;
  const theirs = planChangesAt
    ? `the paper: ${planChangesAt}${queries ? ` (${queries})` : ""}`
    : "the paper names none";
  if (!answer) return [`- **${pattern}**: not measured; ${theirs}.`];
  const ours = answer.changes
    .filter(({ plans }) => plans.length > 0)
    .map(({ from, plans, builds, drops }) => {
      const tables = `${builds} built, ${drops} dropped`;
      return `${from}→${from + 1} (${plans.length} queries; ${tables})`;
    });
  const all = [...new Set(answer.changes.flatMap(({ plans }) => plans))].sort();
  const which = all.length > 0 ? ` Queries: ${all.join(", ")}.` : "";
  return [`- **${pattern}**: ours ${ours.join(", ") || "none"}; ${theirs}.${which}`];
}

/** Seconds until the first answer with a gap, until 1 % and 0.5 %, and the peak of memory, wherever measured. */
function gapsSection(measured: readonly Measurement[]): string[] {
  const until = (each: Measurement, gap: number): string => {
    const seconds = secondsUntilGap(each, gap);
    return seconds === undefined ? "not reached" : duration(seconds * 1000);
  };
  return markdownTable(
    [
      "workload",
      "in",
      "first answer",
      "≤ 1 %",
      "≤ 0.5 %",
      "end",
      "processor",
      "gap at the end",
      "memory",
    ],
    measured
      .filter(({ workload }) => !workload.startsWith("growth-"))
      .map((each) => [
        nameOf(each),
        engineOf(each),
        until(each, 1),
        until(each, 0.01),
        until(each, 0.005),
        duration(secondsOf(each) * 1000),
        processor(each),
        each.answer ? perCent(each.answer.gap) : each.status,
        bytes(each.peakMemory),
      ]),
  );
}

const horizons = ["tpch-cycles-12", "tpch-cycles-24", "tpch-cycles-48", "tpch-cycles-96"];

/** Time per step at the gap that all of them reach. */
function horizonSection(measured: readonly Measurement[]): string[] {
  const all = horizons.flatMap((name) => inNode(measured, name) ?? []);
  const common = Math.max(0, ...all.map(({ answer }) => answer?.gap ?? 1));
  return [
    `Cycles at 80 % storage, seconds until the gap is at most ${perCent(common)}, which all of them reach.`,
    "",
    ...markdownTable(
      [
        "workload",
        "steps",
        "distinct steps",
        "seconds",
        "seconds per step",
        "processor, whole run",
        "memory",
      ],
      all.map((each) => {
        const seconds = secondsUntilGap(each, common * (1 + 1e-9)) ?? Number.NaN;
        const steps = each.counts["steps"] ?? Number.NaN;
        return [
          nameOf(each),
          String(steps),
          String(each.counts["distinctSteps"] ?? dash),
          seconds.toFixed(1),
          (seconds / steps).toFixed(2),
          processor(each),
          bytes(each.peakMemory),
        ];
      }),
    ),
  ];
}

const migrationRows: readonly (readonly [string, number])[] = [
  ["auction", 1],
  ["auction-migration-10", 10],
  ["auction-migration-60", 60],
  ["tpch-cycles-12", 1],
  ["tpch-cycles-12-migration-10", 10],
  ["tpch-cycles-12-migration-60", 60],
];

function migrationSection(measured: readonly Measurement[]): string[] {
  return [
    "The same workload with extraction and loading so many times as dear: a bound must not lean on migration being cheap.",
    "",
    ...markdownTable(
      [
        "workload",
        "migration ×",
        "cost",
        "of it migration",
        "tables built",
        "gap",
        "seconds",
        "processor",
      ],
      migrationRows.flatMap(([name, times]) => {
        const each = inNode(measured, name);
        const { answer } = each ?? {};
        if (!each || !answer) return [];
        const built = answer.changes.reduce((sum, { builds }) => sum + builds, 0);
        return [
          [
            name,
            String(times),
            duration(answer.objective),
            duration(answer.migrationCost),
            String(built),
            perCent(answer.gap),
            secondsOf(each).toFixed(1),
            processor(each),
          ],
        ];
      }),
    ),
  ];
}

function treeSection(measured: readonly Measurement[]): string[] {
  const trees = measured.filter(({ mode }) => mode === "summary-tree");
  const rows = trees.flatMap((tree) => {
    const ours = measured.find(
      (each) =>
        each.workload === tree.workload &&
        each.mode === "certified" &&
        engineOf(each) === engineOf(tree),
    );
    if (!ours?.answer || !tree.answer) return [];
    return [
      [
        tree.workload,
        engineOf(tree),
        duration(ours.answer.objective),
        duration(tree.answer.objective),
        (tree.answer.objective / ours.answer.objective).toFixed(5),
        secondsOf(ours).toFixed(1),
        secondsOf(tree).toFixed(1),
        processor(ours),
        processor(tree),
      ],
    ];
  });
  return [
    "The same candidates and plans; the tree is the paper's way to leave most of them out, and proves nothing about what it leaves out.",
    "",
    ...markdownTable(
      [
        "workload",
        "in",
        "certified",
        "tree",
        "tree ÷ certified",
        "certified, s",
        "tree, s",
        "certified, processor",
        "tree, processor",
      ],
      rows,
    ),
  ];
}

/** The certified run on the command line. */
function inNode(measured: readonly Measurement[], workload: string): Measurement | undefined {
  return measured.find(
    (each) => each.workload === workload && each.mode === "certified" && engineOf(each) === "Node",
  );
}

function engineOf({ environment }: Measurement): string {
  return environment.engine.split(" ")[0] ?? "";
}

function environments(measured: readonly Measurement[]): string[] {
  const all = measured.map(
    ({ environment: { engine, cores, machine } }) => `${engine} on ${cores} cores (${machine})`,
  );
  return all.length === 0 ? [] : [`Measured with ${[...new Set(all)].sort().join("; ")}.`];
}
