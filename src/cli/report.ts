/**
 * A result for people: the verdict, cost and storage over time, the tables, who reads them, what
 * changes between steps, and what a fixed schema would cost. Tables are tagged CF1, CF2 … in order of
 * first appearance, as in the studio. Says nothing that is not in the result or the design.
 */
import type { RunResult } from "#document/result-schema.ts";
import type { StudioDocument } from "#document/schema.ts";
import { type ColumnFamilyKey, columnFamilyText } from "#model/column-family.ts";
import type {
  CostBreakdown,
  HandMadeAnswer,
  Migration,
  Recommendation,
  StepAnswer,
  SummaryTree,
} from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import { bytes, count, duration, perCent, plural } from "./figures.ts";
import type { Design } from "./load.ts";
import { textTable } from "./text-table.ts";

/** The report of a run, whatever its end. */
export function reportText(result: RunResult, { document }: Design): string {
  const sections =
    "steps" in result
      ? answerSections(result, document)
      : [[`${document.name}: ${endings[result.status]}`], result.reasons.map(indented)];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

const endings = {
  infeasible: "infeasible, no set of tables can be right",
  timedOut: "timed out without an answer",
} as const;

function answerSections(answer: Recommendation, document: StudioDocument): string[][] {
  const names = new Names(answer, document);
  return [
    verdict(answer, document),
    ["Cost of each step", ...costTable(answer, names)],
    ["Tables", ...familyTable(answer, names)],
    balanceTable(answer, names),
    ["Plans", ...planTable(answer, document, names)],
    ["Changes", ...changes(answer, names)],
    answer.summaryTree ? ["Summary tree", ...treeTable(answer.summaryTree, answer, names)] : [],
    ["Compared with", ...comparison(answer, document)],
    answer.notes.length > 0 ? ["Notes", ...answer.notes.map(indented)] : [],
  ];
}

function indented(line: string): string {
  return `  ${line}`;
}

function verdict(answer: Recommendation, { name, timeline }: StudioDocument): string[] {
  const { status, objective, bound, gap, seconds, storageLimit } = answer;
  const span = `${plural(timeline.steps, "step")} of ${duration(timeline.stepSeconds * 1000)}`;
  const most = Math.max(...answer.steps.map(({ storageBytes }) => storageBytes));
  const limit =
    storageLimit === undefined
      ? ", without a limit"
      : ` of ${bytes(storageLimit)} (${Math.floor(storageLimit)} bytes) allowed`;
  const total = seconds["total"];
  return [
    `${name}: ${status}, ${duration(objective)} of latency over ${span}`,
    `  no answer costs less than ${duration(bound)} (gap ${perCent(gap)})${total === undefined ? "" : `; found in ${duration(total * 1000)}`}`,
    `  storage at most ${bytes(most)}${limit}`,
  ];
}

/** Short names of tables and steps. */
class Names {
  readonly tags: ReadonlyMap<ColumnFamilyKey, string>;
  private readonly labels: readonly string[] | undefined;
  private readonly count: number;

  constructor({ steps, summaryTree }: Recommendation, { timeline }: StudioDocument) {
    const used = steps.flatMap(({ schema }) => schema);
    const keys = new Set([...used, ...(summaryTree?.candidates ?? [])]);
    this.tags = new Map([...keys].map((key, index) => [key, `CF${index + 1}`]));
    this.labels = timeline.labels;
    this.count = steps.length;
  }

  tag(key: ColumnFamilyKey): string {
    return this.tags.get(key) ?? key;
  }

  /** `3`, or `3 (noon)`. */
  step(t: TimeStep): string {
    const label = this.labels?.[t];
    return label === undefined ? String(t + 1) : `${t + 1} (${label})`;
  }

  /** `all steps`, `step 6`, or `steps 1–3, 6` of ascending steps. */
  steps(list: readonly TimeStep[]): string {
    if (list.length === this.count) return "all steps";
    const runs = runsOf(list, (a, b) => b === a + 1).map(numbers);
    return `step${list.length > 1 ? "s" : ""} ${runs.join(", ")}`;
  }

  /** What stands beside the numbers of a run of steps: `morning … noon`. */
  labelsOf(run: readonly TimeStep[]): string {
    if (this.labels === undefined) return "";
    const ends = [...new Set([run[0], run.at(-1)])];
    return ends.map((t) => this.labels?.[t ?? 0] ?? "").join(" … ");
  }
}

/** `1–3` of a run of steps. */
function numbers(run: readonly TimeStep[]): string {
  return [...new Set([run[0], run.at(-1)])].map((t) => (t ?? 0) + 1).join("–");
}

/** Cuts a list wherever two neighbours do not belong together. */
function runsOf<T>(list: readonly T[], together: (a: T, b: T) => boolean): T[][] {
  const runs: T[][] = [];
  for (const item of list) {
    const last = runs.at(-1);
    if (last && together(last.at(-1) as T, item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

const kinds = [
  { kind: "query", head: "Queries" },
  { kind: "support", head: "Support" },
  { kind: "update", head: "Updates" },
  { kind: "extract", head: "Extract" },
  { kind: "load", head: "Load" },
  { kind: "maintenance", head: "Maintain" },
] as const satisfies readonly { kind: keyof CostBreakdown; head: string }[];

function sumOf(cost: CostBreakdown): number {
  return kinds.reduce((sum, { kind }) => sum + cost[kind], 0);
}

/** Equal neighbours share a row; the costs are those of each step, migrations of the step they lead to. */
function costTable({ steps, totals }: Recommendation, names: Names): string[] {
  const shown = kinds.filter(({ kind }) => kind === "query" || totals[kind] > 0);
  const figures = (cost: CostBreakdown): string[] => [
    ...shown.map(({ kind }) => duration(cost[kind])),
    duration(sumOf(cost)),
  ];
  const cells = ({ storageBytes, schema, cost }: StepAnswer): string[] => [
    bytes(storageBytes),
    String(schema.length),
    ...figures(cost),
  ];
  const same = (a: StepAnswer, b: StepAnswer): boolean =>
    a.schema.join() === b.schema.join() && cells(a).join() === cells(b).join();
  const rows = runsOf(steps, same).map((run) => {
    const times = run.map(({ step }) => step);
    return [numbers(times), names.labelsOf(times), ...cells(run[0] as StepAnswer)];
  });
  const heads = ["Storage", "Tables", ...shown.map(({ head }) => head), "Total"];
  return textTable(
    [
      { head: "Step", align: "left" },
      { head: "", align: "left" },
      ...heads.map((head) => ({ head, align: "right" }) as const),
    ],
    [...rows, ["all", "", "", "", ...figures(totals)]],
  );
}

function familyTable({ steps, columnFamilies }: Recommendation, names: Names): string[] {
  const rows = [...names.tags].map(([key, tag]) => {
    const family = columnFamilies.find((each) => each.key === key);
    const during = steps.filter(({ schema }) => schema.includes(key)).map(({ step }) => step);
    return [
      tag,
      family ? bytes(family.size.bytes) : "",
      family ? count(family.size.rows, "rows") : "",
      during.length > 0 ? names.steps(during) : "in the summary tree only",
      family ? columnFamilyText(family) : key,
    ];
  });
  const align = ["left", "right", "right", "left", "left"] as const;
  return textTable(
    align.map((each) => ({ head: "", align: each })),
    rows,
  );
}

/** How evenly each table spreads over the cluster; nothing where the result does not say. */
function balanceTable({ balance }: Recommendation, names: Names): string[] {
  if (!balance) return [];
  const { cluster, families } = balance;
  const rows = Object.entries(families).map(([key, each]) => {
    const hottest = each.steps.reduce((most, step) => Math.max(most, step.hottestNode), 1);
    const share = each.steps.reduce((most, step) => Math.max(most, step.hottestShare), 0);
    return [
      names.tag(key),
      `rows ±${perCent(each.rowVariation)}`,
      `largest partition ${bytes(each.largestBytes)}, ${count(each.largestRows, "rows")}`,
      `hottest ${perCent(share)} of requests, its node ${hottest.toFixed(2)}×`,
      each.cautions.join(" "),
    ];
  });
  const align = ["left", "left", "left", "left", "left"] as const;
  return [
    `Balance on ${plural(cluster.nodes, "node")}`,
    ...textTable(
      align.map((each) => ({ head: "", align: each })),
      rows,
    ),
  ];
}

/** One row for every run of steps in which a query keeps its plan. */
function planTable(
  { steps, plans }: Recommendation,
  { statements }: StudioDocument,
  names: Names,
): string[] {
  const inFull = new Map(plans.map((plan) => [plan.key, plan]));
  const ids = [...new Set(steps.flatMap((step) => step.plans.map(({ statement }) => statement)))];
  const rows = ids.flatMap((id) => {
    const chosen = steps.map(({ step, plans: all }) => ({
      step,
      plan: all.find(({ statement }) => statement === id)?.plan ?? "",
    }));
    return runsOf(chosen, (a, b) => a.plan === b.plan).map((run, index) => {
      const plan = inFull.get(run[0]?.plan ?? "");
      return [
        index === 0 ? (statements[id]?.label ?? id) : "",
        names.steps(run.map(({ step }) => step)),
        plan ? `${duration(plan.cost)} each` : "",
        plan ? plan.columnFamilies.map((key) => names.tag(key)).join(", then ") : "",
      ];
    });
  });
  const align = ["left", "left", "right", "left"] as const;
  return textTable(
    align.map((each) => ({ head: "", align: each })),
    rows,
  );
}

function changes({ migrations, migrationPlans }: Recommendation, names: Names): string[] {
  const plans = new Map(migrationPlans.map((plan) => [plan.key, plan]));
  const lines = migrations.flatMap(({ from, to, builds, drops }: Migration) => [
    from < 0
      ? `before step ${names.step(to)}`
      : `from step ${names.step(from)} to step ${names.step(to)}`,
    ...builds.map(({ columnFamily, plan, extract, load, maintenance }) => {
      const sources = plans.get(plan ?? "")?.sources.map((key) => names.tag(key));
      const origin = sources ? ` from ${sources.join(" ⋈ ")}` : "";
      const costs = [
        ...(sources ? [`extract ${duration(extract)}`] : []),
        `load ${duration(load)}`,
        ...(maintenance > 0 ? [`maintenance ${duration(maintenance)}`] : []),
      ];
      return `  build ${names.tag(columnFamily)}${origin}: ${costs.join(", ")}`;
    }),
    ...(drops.length > 0 ? [`  drop ${drops.map((key) => names.tag(key)).join(", ")}`] : []),
  ]);
  return (lines.length > 0 ? lines : ["none: one schema serves all steps"]).map(indented);
}

/** One row for every step of every node: what its program chose there, or took over from above. */
function treeTable({ nodes }: SummaryTree, { seconds }: Recommendation, names: Names): string[] {
  const rows = nodes.flatMap((node, at) => {
    const { first, last, steps, inherited, schemas, objective, proven } = node;
    const took = seconds[`tree node ${at + 1}`];
    const head = [
      `${first + 1}–${last + 1}`,
      objective === undefined ? "no answer" : `${proven ? "" : "≤ "}${duration(objective)}`,
      took === undefined ? "" : duration(took * 1000),
    ];
    return steps.map((t, position) => [
      ...(position === 0 ? head : ["", "", ""]),
      names.step(t),
      (schemas[position] ?? []).map((key) => names.tag(key)).join(", "),
      inherited.includes(t) ? "taken over" : "",
    ]);
  });
  return textTable(
    [
      { head: "Steps", align: "left" },
      { head: "Cost", align: "right" },
      { head: "Took", align: "right" },
      { head: "Step", align: "left" },
      { head: "Tables", align: "left" },
      { head: "", align: "left" },
    ],
    rows,
  );
}

/** Baselines and the schema by hand beside the answer, and what that one cannot serve. */
export function comparison(answer: Recommendation, document: StudioDocument): string[] {
  const { handMade } = answer;
  return [...baselineTable(answer), ...(handMade ? shortcomings(handMade, document) : [])];
}

function shortcomings(
  { unanswered, unfilled }: HandMadeAnswer,
  { statements, timeline }: StudioDocument,
): string[] {
  const when = (steps: readonly TimeStep[]): string =>
    steps.length === timeline.steps
      ? ""
      : ` during step${steps.length > 1 ? "s" : ""} ${runsOf(steps, (a, b) => b === a + 1)
          .map(numbers)
          .join(", ")}`;
  return [
    ...unanswered.map(
      ({ statement, steps }) =>
        `  it cannot serve ${statements[statement]?.label ?? statement}${when(steps)}`,
    ),
    ...unfilled.map(
      ({ columnFamily, step }) =>
        `  nothing that it has before step ${step + 1} fills ${columnFamily}`,
    ),
  ];
}

function baselineTable({ baselines, objective, handMade }: Recommendation): string[] {
  const rows = baselines.map(({ kind, cost, exact, storageBytes }) => [
    kind,
    // What a limit stopped: the ideal is then a lower bound, a fixed schema perhaps not the best one.
    `${exact ? "" : kind === "ideal" ? "≥ " : "≤ "}${duration(cost)}`,
    storageBytes === undefined ? "" : bytes(storageBytes),
    `the answer costs ${difference(objective, cost)}${kind === "ideal" ? "; each step alone, migrations free" : ""}`,
  ]);
  const byHand = handMade && [
    handMade.name,
    handMade.cost === undefined ? "" : duration(handMade.cost),
    bytes(handMade.storageBytes),
    handMade.cost === undefined
      ? "not a whole schema:"
      : `the answer costs ${difference(objective, handMade.cost)}; made by hand`,
  ];
  const align = ["left", "right", "right", "left"] as const;
  return textTable(
    align.map((each) => ({ head: "", align: each })),
    byHand ? [...rows, byHand] : rows,
  );
}

/** `1.55 % less`, or `the same`. */
function difference(cost: number, reference: number): string {
  const share = reference === 0 ? 0 : (cost - reference) / reference;
  if (Math.abs(share) < 5e-5) return "the same";
  return `${perCent(Math.abs(share))} ${share < 0 ? "less" : "more"}`;
}
