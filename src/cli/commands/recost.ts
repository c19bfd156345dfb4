/** `tidetable recost`: what a result costs under another cost model. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkRecommendation } from "#engine/check-recommendation.ts";
import { totalCost } from "#engine/read-solution.ts";
import { recost } from "#engine/recost.ts";
import { anError, type Issue } from "#model/issue.ts";
import type { Problem } from "#model/problem.ts";
import type { CostBreakdown, Recommendation } from "#model/recommendation.ts";
import { type Command, fileIssues } from "../command.ts";
import type { CommandLine } from "../command-line.ts";
import { duration } from "../figures.ts";
import { type Design, fileTrouble, loadDesign, loadResult, unwritable } from "../load.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { textTable } from "../text-table.ts";

const help = `usage: tidetable recost DESIGN.json RESULT.json --cost-model MODEL.json [options]
       tidetable recost --example ID RESULT.json --cost-model MODEL.json [options]

Costs the tables, plans and migrations of a result again under another cost model: what a design
costs whose model was not that of the cluster. Nothing is chosen again; tidetable optimise with the
same --cost-model tells what would be best. The ratio is old / new.

  --cost-model FILE      the other model, such as calibrate fit writes
  --out RESULT.json      write the result with its new costs (tidetable check --cost-model reads it)
  --json                 print the old and new costs and their ratios as JSON instead of the report
  --scenario NAME        take the design under one of its scenarios
  --example ID           the result belongs to an example
  --pattern NAME         of an example that has patterns of frequencies (tpch: cycles,
                         evolution, spike, smooth48, smooth) take this one
  --steps N              and so many steps (12; smooth: 48)

exit codes: 0 done, 2 bad input
`;

export const recostCommand: Command = {
  name: "recost",
  summary: "cost a result under another cost model",
  help,
  options: {
    "cost-model": "value",
    out: "value",
    json: "flag",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line, terminal) => {
    const out = line.values.get("out");
    const issue = out === undefined ? undefined : unwritable(out, terminal, line.files, "an input");
    const missing = line.values.has("cost-model")
      ? []
      : [anError("--cost-model", "This option is missing.", "Name the file of a cost model.")];
    return [
      ...fileIssues(line, ["DESIGN.json", "RESULT.json"]),
      ...missing,
      ...(issue ? [issue] : []),
    ];
  },
  run: async (line, terminal) => {
    const path = line.files.at(-1) ?? "";
    const design = await loadDesign(line, terminal);
    const result = loadResult(path, terminal);
    if (!design.ok || !result.ok) {
      const refusals: Refusal[] = [design, result].flatMap((each) =>
        each.ok ? [] : each.refusals,
      );
      return refuse(terminal, refusals);
    }
    const old = result.value;
    if (!("steps" in old)) {
      const issue = anError("", "The result holds no answer.", "Recost one that does.");
      return refuse(terminal, [{ subject: path, issues: [issue] }]);
    }
    const recosted = recostedOrIssues(old, design.value.problem);
    if ("issues" in recosted) return refuse(terminal, [{ subject: path, ...recosted }]);
    return tell(line, terminal, design.value, old, recosted.answer);
  },
};

/** Counted again afterwards, so that a result of another design is not costed as one of this. */
function recostedOrIssues(
  old: Recommendation,
  problem: Problem,
): { readonly answer: Recommendation } | { readonly issues: readonly Issue[] } {
  const notOfThis = "Name the design that the result was made for, as it was then.";
  const { storageLimit } = old;
  const storage =
    storageLimit === undefined
      ? ({ kind: "none" } as const)
      : ({ kind: "bytes", bytes: storageLimit } as const);
  // Pins and bans steered the search and cost nothing; a schema by hand may have come from another file.
  const { restrictions: _, handMade, ...rest } = problem;
  const compared = handMade && old.handMade;
  const { handMade: written, ...alone } = old;
  try {
    const given = compared && written ? { ...alone, handMade: written } : alone;
    const answer = recost(given, problem, problem.costModel);
    if (!answer)
      return { issues: [anError("", "A plan of the result is none of this design.", notOfThis)] };
    const violations = checkRecommendation(answer, {
      ...rest,
      ...(compared && { handMade }),
      storage,
    });
    return violations.length > 0
      ? { issues: violations.map(({ kind, message }) => anError(kind, message, notOfThis)) }
      : { answer };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The result cannot be costed with this design: ${reason}.`;
    return { issues: [anError("", message, notOfThis)] };
  }
}

/** Milliseconds under the result's own model and under the other; `ratio` is old / new, null where new is 0. */
interface Compared {
  readonly old: number;
  readonly new: number;
  readonly ratio: number | null;
}

function compared(old: number, now: number): Compared {
  return { old, new: now, ratio: now > 0 ? old / now : null };
}

const kinds = ["query", "support", "update", "extract", "load", "maintenance"] as const;

function comparedKinds(
  old: CostBreakdown,
  now: CostBreakdown,
): Readonly<Record<keyof CostBreakdown, Compared>> {
  return Object.fromEntries(kinds.map((kind) => [kind, compared(old[kind], now[kind])])) as Record<
    keyof CostBreakdown,
    Compared
  >;
}

interface Comparison {
  readonly costModel: string;
  readonly total: Compared;
  readonly kinds: Readonly<Record<keyof CostBreakdown, Compared>>;
  readonly steps: readonly (Compared & {
    readonly step: number;
    readonly kinds: Readonly<Record<keyof CostBreakdown, Compared>>;
  })[];
  /** Per execution. */
  readonly plans: readonly (Compared & { readonly statement: string; readonly plan: string })[];
}

function comparison(old: Recommendation, now: Recommendation, costModel: string): Comparison {
  return {
    costModel,
    total: compared(old.objective, now.objective),
    kinds: comparedKinds(old.totals, now.totals),
    steps: old.steps.flatMap(({ step, cost }, index) => {
      const after = now.steps[index]?.cost;
      return after
        ? [
            {
              step,
              ...compared(totalCost(cost), totalCost(after)),
              kinds: comparedKinds(cost, after),
            },
          ]
        : [];
    }),
    plans: old.plans.flatMap(({ key, statement, cost }) => {
      const after = now.plans.find((plan) => plan.key === key);
      return after ? [{ statement, plan: key, ...compared(cost, after.cost) }] : [];
    }),
  };
}

function tell(
  { values, flags }: CommandLine,
  terminal: Terminal,
  design: Design,
  old: Recommendation,
  now: Recommendation,
): number {
  const figures = comparison(old, now, design.problem.costModel.name);
  terminal.out(
    flags.has("json") ? `${JSON.stringify(figures, null, 2)}\n` : reportOf(figures, design),
  );
  const path = values.get("out");
  if (path === undefined) return 0;
  try {
    writeFileSync(resolve(terminal.folder, path), `${JSON.stringify(now, null, 2)}\n`);
    return 0;
  } catch (error) {
    const issues = [anError("--out", ...fileTrouble(error, path, terminal.folder))];
    return refuse(terminal, [{ subject: "the command line", issues }]);
  }
}

function reportOf(figures: Comparison, { document }: Design): string {
  const { total, costModel } = figures;
  const cells = (name: string, each: Compared): string[] => [
    name,
    duration(each.old),
    duration(each.new),
    each.ratio === null ? "–" : String(Number(each.ratio.toPrecision(3))),
  ];
  const table = (head: string, rows: readonly (readonly string[])[]): string[] => [
    "",
    ...textTable(
      [
        { head, align: "left" },
        ...["Old", "New", "Old / new"].map((each) => ({ head: each, align: "right" }) as const),
      ],
      rows,
    ),
  ];
  const label = (statement: string): string => document.statements[statement]?.label ?? statement;
  return [
    `${document.name}: ${duration(total.old)} of latency as it was costed, ${duration(total.new)} under ${costModel}`,
    ...table("Step", [
      ...figures.steps.map((each) => cells(String(each.step + 1), each)),
      cells("all", total),
    ]),
    ...table(
      "Kind",
      kinds
        .filter((kind) => figures.kinds[kind].old > 0 || figures.kinds[kind].new > 0)
        .map((kind) => cells(kind, figures.kinds[kind])),
    ),
    ...table(
      "Plan, per execution",
      figures.plans.map((each) => cells(label(each.statement), each)),
    ),
    "",
  ].join("\n");
}
