/** `tidetable enumerate`: what a run can choose from, without solving anything. */
import { enumeratePlanSpace } from "#engine/plan-space.ts";
import type { Proposal } from "#model/plan.ts";
import { type Command, fileIssues } from "../command.ts";
import { bytes, duration, plural } from "../figures.ts";
import { type Listing, type ListLimits, listingOf } from "../listing.ts";
import { type Design, loadDesign } from "../load.ts";
import { progressDisplay } from "../progress.ts";
import { refuse, warn } from "../refusal.ts";
import { textTable } from "../text-table.ts";

/** Plans that a list of the JSON holds without --all. */
const mostListed: ListLimits = { queryPlans: 1000, migrationPlans: 200 };
const everything: ListLimits = {
  queryPlans: Number.POSITIVE_INFINITY,
  migrationPlans: Number.POSITIVE_INFINITY,
};
/** Candidates that the summary names without --all. */
const mostNamed = 50;

const help = `usage: tidetable enumerate DESIGN.json [--json] [--all]
       tidetable enumerate --example ID [--json] [--all]

Lists what a run can choose from: the candidate tables with the rule and the statement that proposed
each, the plans of every query, the ways to fill every table in a migration, and counts. Nothing is
solved; frequencies and the storage limit play no part.

  --json           print everything as JSON instead of a summary: the ${mostListed.queryPlans} cheapest plans of every
                   query and the ${mostListed.migrationPlans} cheapest ways to fill every table; where there are
                   more, "leftOut" says how many
  --all            leave nothing out
  --cost-model FILE  cost plans by this model, not by the design's
  --scenario NAME  take the design under one of its scenarios
  --example ID     take an example instead of a file
  --pattern NAME   of an example that has patterns of frequencies (tpch: cycles,
                   evolution, spike, smooth48, smooth) take this one
  --steps N        and so many steps (12; smooth: 48)

exit codes: 0 done, 2 bad input
`;

export const enumerateCommand: Command = {
  name: "enumerate",
  summary: "list candidates, plans and migration plans",
  help,
  options: {
    json: "flag",
    all: "flag",
    "cost-model": "value",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line) => fileIssues(line, ["DESIGN.json"]),
  run: async (line, terminal) => {
    const design = await loadDesign(line, terminal);
    if (!design.ok) return refuse(terminal, design.refusals);
    const { subject, document, problem, warnings } = design.value;
    warn(terminal, subject, warnings, document.statements);

    const display = progressDisplay(terminal);
    const space = enumeratePlanSpace(problem, (stage, counts) => {
      const message = stage === "plan" ? "Enumerating query plans" : "Enumerating tables";
      display.show({ stage, message, counts });
    });
    display.end();

    const all = line.flags.has("all");
    const listing = listingOf(space, problem, all ? everything : mostListed);
    terminal.out(
      line.flags.has("json")
        ? `${JSON.stringify(listing, null, 2)}\n`
        : summary(listing, design.value, all ? Number.POSITIVE_INFINITY : mostNamed),
    );
    return 0;
  },
};

function summary(listing: Listing, { document }: Design, most: number): string {
  const { counts, candidates, queries, migrationPlans } = listing;
  const ways = new Map(migrationPlans.map(({ builds, count }) => [builds, count]));
  const named = candidates.slice(0, most);
  const families = named.map(({ key, text, size, proposals }) => [
    bytes(size.bytes),
    plural(ways.get(key) ?? 0, "way to fill", "ways to fill"),
    text,
    rulesText(proposals),
  ]);
  const plans = queries.map(({ statement, count, plans: [cheapest] }) => [
    document.statements[statement]?.label ?? statement,
    plural(count, "plan"),
    cheapest ? `${duration(cheapest.cost)} at best` : "",
    cheapest
      ? cheapest.columnFamilies
          .map((key) => candidates.find((each) => each.key === key)?.text ?? key)
          .join(", then ")
      : "",
  ]);
  const left = (align: readonly ("left" | "right")[]) =>
    align.map((each) => ({ head: "", align: each }));
  const lines = [
    `${document.name}: ${plural(counts.candidates, "candidate table")} of ${counts.proposed} proposed, ${plural(counts.queryPlans, "query plan")}, ${plural(counts.migrationPlans, "migration plan")}`,
    ...Object.entries(counts.pruned).map(([rule, dropped]) => `  ${dropped} dropped: ${rule}`),
    "",
    "Tables",
    ...textTable(left(["right", "right", "left", "left"]), families),
    ...(candidates.length > most
      ? [`  … and ${candidates.length - most} more (--all, --json)`]
      : []),
    "",
    "Queries",
    ...textTable(left(["left", "right", "right", "left"]), plans),
    "",
  ];
  return lines.join("\n");
}

/** `index of q1, q2; split of q3`. */
function rulesText(proposals: readonly Proposal[]): string {
  const rules = [...new Set(proposals.map(({ rule }) => rule))];
  return rules
    .map((rule) => {
      const of = proposals.filter((each) => each.rule === rule);
      return `${rule} of ${of.map(({ statement }) => statement).join(", ")}`;
    })
    .join("; ");
}
