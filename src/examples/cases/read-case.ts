/** For tests: the problem of a collected case, read and solved the way a person's document is. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the examples.
import { readFileSync } from "node:fs";
import { readDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { toProblem } from "#document/to-problem.ts";
import { optimise } from "#engine/optimise.ts";
import { everyPlan } from "#engine/testing/plans.ts";
import { openHighs } from "#ilp/highs.ts";
import {
  type ColumnFamily,
  type ColumnFamilySize,
  columnFamilyText,
} from "#model/column-family.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";

/** What a test changes about a case's document. */
export interface CaseChanges {
  /** Statements with another text; where they are new, they run as often as `frequencies` says. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Curves, one value per step. */
  readonly frequencies?: Readonly<Record<string, readonly number[]>>;
  readonly timeline?: StudioDocument["timeline"];
  readonly settings?: Partial<StudioDocument["settings"]>;
}

/** The problem of `cases/<folder>/document.json`. */
export function problemOf(folder: string, changes: CaseChanges = {}): Problem {
  const text = readFileSync(`${import.meta.dirname}/${folder}/document.json`, "utf8");
  const document = readDocument(text);
  if (!document.ok) throw new Error(JSON.stringify(document.issues));
  const problem = toProblem(changed(document.value, changes));
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

function changed(
  document: StudioDocument,
  { texts = {}, frequencies = {}, timeline, settings }: CaseChanges,
): StudioDocument {
  const statements = Object.entries(texts).map(([id, text]) => [
    id,
    { ...document.statements[id], text },
  ]);
  return {
    ...document,
    statements: { ...document.statements, ...Object.fromEntries(statements) },
    frequencies: { ...document.frequencies, ...frequencies },
    timeline: timeline ?? document.timeline,
    settings: { ...document.settings, ...settings },
  };
}

export interface CasePlans {
  /** Every plan found for a query, dominated ones included. */
  plansOf(statement: string): readonly QueryPlan[];
  /** All candidates, and as they are printed. */
  readonly columnFamilies: readonly ColumnFamily[];
  readonly candidates: readonly string[];
}

/** All candidates and plans of a problem. */
export function plansOfCase(problem: Problem): CasePlans {
  const { families, queries } = everyPlan(problem, false);
  const plans = new Map(queries.map((each) => [each.query.id, each.plans]));
  const columnFamilies = [...families.values()];
  return {
    columnFamilies,
    candidates: columnFamilies.map(columnFamilyText),
    plansOf(statement) {
      const found = plans.get(statement);
      if (!found || found.length === 0) throw new Error(`no plan for ${statement}`);
      return found;
    },
  };
}

let solver: ReturnType<typeof openHighs> | undefined;

/** The optimum within a gap of 1e-4. */
export async function solved(problem: Problem): Promise<Recommendation> {
  solver ??= openHighs();
  const outcome = await optimise(
    problem,
    { gap: 1e-4 },
    { solver: await solver, now: () => performance.now() / 1000 },
  );
  if ("reasons" in outcome) throw new Error(`${outcome.status}: ${outcome.reasons.join(" ")}`);
  return outcome;
}

/** A plan's Gets, first to last. */
export function getsIn(plan: QueryPlan): GetStep[] {
  return plan.steps.flatMap((step) => (step.kind === "get" ? [step] : []));
}

/** The first Get; every plan has one. */
export function firstGet(plan: QueryPlan): GetStep {
  return getsIn(plan)[0] as GetStep;
}

/** What the application does, in order: "filter", "group", "sort", "limit". */
export function applicationWork({ steps }: QueryPlan): string[] {
  return steps.flatMap(({ kind }) => (kind === "get" ? [] : [kind]));
}

/** The plan chosen for a query at a step. */
export function chosenPlan(answer: Recommendation, statement: string, step = 0): QueryPlan {
  const key = answer.steps[step]?.plans.find((each) => each.statement === statement)?.plan;
  const plan = answer.plans.find((each) => each.key === key);
  if (!plan) throw new Error(`no plan for ${statement} at step ${step}`);
  return plan;
}

/** The tables of a step as they are printed, sorted. */
export function schemaAt(answer: Recommendation, step = 0): string[] {
  const texts = new Map(answer.columnFamilies.map((each) => [each.key, columnFamilyText(each)]));
  return (answer.steps[step]?.schema ?? []).map((key) => texts.get(key) ?? key).sort();
}

/** The tables that an update writes at a step, with the rows put and deleted per execution. */
export function written(
  answer: Recommendation,
  statement: string,
  step = 0,
): Readonly<Record<string, readonly [puts: number, deletes: number]>> {
  const texts = new Map(answer.columnFamilies.map((each) => [each.key, columnFamilyText(each)]));
  const updates = answer.steps[step]?.updates ?? [];
  return Object.fromEntries(
    updates
      .filter((each) => each.statement === statement)
      .map(({ columnFamily, puts, deletes }) => [
        texts.get(columnFamily) ?? columnFamily,
        [puts, deletes] as const,
      ]),
  );
}

/** The size of a candidate, by its text. */
export function sizeOf(
  { columnFamilies }: Pick<Recommendation, "columnFamilies">,
  text: string,
): ColumnFamilySize {
  const found = columnFamilies.find((each) => columnFamilyText(each) === text);
  if (!found) throw new Error(`no column family ${text}`);
  return found.size;
}

/** Pairs of steps, counted from 0, between which tables are built or dropped. */
export function changes({ migrations }: Recommendation): (readonly [number, number])[] {
  return migrations
    .filter(({ from, builds, drops }) => from >= 0 && builds.length + drops.length > 0)
    .map(({ from, to }) => [from, to] as const);
}
