/**
 * Every folder of this directory but `cases` and `workloads` (which have tests of their own), held to its
 * `expected.json`:
 *  - `claims` are written by hand: what the example is there to show, and what its README says comes
 *    out after a change (`variants`). Nothing rewrites them.
 *  - `golden` is what a run gave. `EXAMPLES_ACCEPT=1 npx vitest run src/examples` rewrites it; review
 *    the difference in git.
 *
 * Steps are counted from one, as people do; `##..` marks the steps at which something holds.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { documentFrom, readDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { toProblem } from "#document/to-problem.ts";
import { plansOfPattern } from "#engine/enumerate-migration-plans.ts";
import { optimalGap, optimise } from "#engine/optimise.ts";
import { enumeratePlanSpace, type PlanSpace } from "#engine/plan-space.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import { type ColumnFamilySize, columnFamilyText } from "#model/column-family.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { type Example, examples } from "./examples.ts";

/** What a run is expected to answer; column families as they are printed. */
interface Outcome {
  /** Between which steps tables are built or dropped. */
  readonly changes: readonly (readonly [number, number])[];
  /** When a column family exists. */
  readonly columnFamilies?: Readonly<Record<string, string>>;
  /** When a query is answered by a single Get. */
  readonly oneGet?: Readonly<Record<string, string>>;
  /** From which tables a table is filled. */
  readonly filledFrom?: Readonly<Record<string, readonly string[]>>;
  /** The best static schema costs at least this many times as much. */
  readonly staticCostsTimes?: number;
}

interface Claims extends Outcome {
  /** Statements that are read with a warning. */
  readonly warnings?: readonly string[];
  readonly candidates?: readonly string[];
  /** Sizes of candidates, as far as they are given. */
  readonly sizes?: Readonly<Record<string, Partial<ColumnFamilySize>>>;
  /** All ways to fill a candidate that are to be found among its migration plans. */
  readonly migrationPlans?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** What comes out when settings are changed as the README proposes. */
  readonly variants?: readonly (Outcome & {
    readonly settings: Partial<StudioDocument["settings"]>;
  })[];
}

interface Expected {
  readonly claims: Claims;
  readonly golden?: unknown;
}

const accepts = process.env["EXAMPLES_ACCEPT"] === "1";
const longest = 600_000;
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["cases", "workloads"].includes(entry.name))
  .map(({ name }) => name);

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

test("the list names every folder", () => {
  expect(examples.map(({ id }) => id).sort()).toEqual(folders.sort());
});

describe.each(examples.filter(({ large }) => !large))("$id", (example) => {
  const { id } = example;
  const text = fileText(id, "document.json");
  const { claims, golden } = JSON.parse(fileText(id, "expected.json")) as Expected;
  const document = value(readDocument(text));
  const problem = value(toProblem(document));
  let space: PlanSpace;
  let answer: Recommendation;
  beforeAll(async () => {
    space = enumeratePlanSpace(problem, () => undefined);
    answer = await run(problem, document.settings.gap);
  }, longest);

  isReadAsListed(example, claims);

  test("has the candidates claimed, in the sizes claimed", () => {
    const sizes = new Map(
      space.families.map(({ columnFamily }) => [columnFamilyText(columnFamily), columnFamily.size]),
    );
    expect([...sizes.keys()]).toEqual(expect.arrayContaining([...(claims.candidates ?? [])]));
    for (const [family, size] of Object.entries(claims.sizes ?? {}))
      expect(sizes.get(family)).toMatchObject(size);
  });

  test("can fill candidates in the ways claimed", () => {
    for (const [family, ways] of Object.entries(claims.migrationPlans ?? {}))
      expect(waysToFill(space, problem, family)).toEqual(
        expect.arrayContaining(ways.map((sources) => [...sources])),
      );
  });

  test("is answered as claimed", () => {
    expectOutcome(answer, claims);
  });

  test("is better than any static schema, and no better than the ideal", () => {
    const { ideal, bestStatic } = baselineCosts(answer);
    expect(ideal).toBeLessThanOrEqual(answer.objective * (1 + optimalGap));
    expect(answer.objective).toBeLessThanOrEqual(bestStatic * (1 + optimalGap));
  });

  test(
    "comes out as its README says when settings are changed",
    async () => {
      for (const { settings, ...outcome } of claims.variants ?? []) {
        const changed = value(toProblem(withSettings(document, settings)));
        expectOutcome(await run(changed, document.settings.gap), outcome);
      }
    },
    longest,
  );

  test("gives the golden answer", () => {
    const now = goldenOf(answer);
    if (accepts) writeExpected(id, { claims, golden: now });
    else expect(now).toEqual(golden);
  });
});

describe.each(examples.filter(({ large }) => large))(
  "$id, too large to be optimised here",
  (example) => {
    const { claims, golden } = JSON.parse(fileText(example.id, "expected.json")) as Expected;
    isReadAsListed(example, claims);

    test(
      "has the golden number of candidates and plans",
      () => {
        const problem = value(
          toProblem(value(readDocument(fileText(example.id, "document.json")))),
        );
        const space = enumeratePlanSpace(problem, () => undefined);
        const { proposed, plansFound } = space.counts;
        const now = { proposed, candidates: space.families.length, queryPlans: plansFound };
        if (accepts) writeExpected(example.id, { claims, golden: now });
        else expect(now).toEqual(golden);
      },
      longest,
    );
  },
);

/** The list, the folder and the canvas agree, and the document is read without issues. */
function isReadAsListed({ id, title, question, load }: Example, claims: Claims): void {
  const text = fileText(id, "document.json");
  const document = value(readDocument(text));

  test("is listed by its own name and question", () => {
    expect({ title, question }).toEqual({ title: document.name, question: document.question });
  });

  test("is loaded as its file says", async () => {
    expect(value(documentFrom(await load()))).toEqual(document);
  });

  test("is read without issues, and with the warnings claimed", () => {
    expect(readDocument(text)).toMatchObject({ ok: true, warnings: [] });
    const read = toProblem(document);
    const warned = read.ok ? read.warnings.map(({ place }) => place.split("/")[1]) : [];
    expect(warned).toEqual(claims.warnings ?? []);
  });

  test("stands clear on the canvas", () => {
    const { positions } = document.layout;
    expect(Object.keys(positions).sort()).toEqual(Object.keys(document.entities).sort());
    expect(overlaps(document)).toEqual([]);
  });
}

// ---------------------------------------------------------------------------------------- running

async function run(problem: Problem, gap: number): Promise<Recommendation> {
  const outcome = await optimise(problem, { gap }, { solver, now: () => performance.now() / 1000 });
  if ("reasons" in outcome) throw new Error(`${outcome.status}: ${outcome.reasons.join(" ")}`);
  return outcome;
}

/** One field of the settings at a time; within the options and the cost model, only what is named. */
function withSettings(
  document: StudioDocument,
  { storage, options, costModel }: Partial<StudioDocument["settings"]>,
): StudioDocument {
  const { settings } = document;
  return {
    ...document,
    settings: {
      ...settings,
      storage: storage ?? settings.storage,
      options: { ...settings.options, ...options },
      costModel: { ...settings.costModel, ...costModel },
    },
  };
}

function value<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; issues: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

// ---------------------------------------------------------------------------------------- outcomes

function expectOutcome(answer: Recommendation, expected: Outcome): void {
  const { changes, columnFamilies = {}, oneGet = {}, filledFrom = {}, staticCostsTimes } = expected;
  expect(changesOf(answer)).toEqual(changes);
  expect(picked(existence(answer), columnFamilies)).toEqual(columnFamilies);
  expect(picked(singleGets(answer), oneGet)).toEqual(oneGet);
  expect(picked(sourcesOfBuilds(answer), filledFrom)).toEqual(filledFrom);
  if (staticCostsTimes !== undefined)
    expect(baselineCosts(answer).bestStatic / answer.objective).toBeGreaterThan(staticCostsTimes);
}

/** The entries that are asked for, those that are missing included. */
function picked<T>(
  all: Readonly<Record<string, T>>,
  asked: Readonly<Record<string, unknown>>,
): Readonly<Record<string, T | undefined>> {
  return Object.fromEntries(Object.keys(asked).map((key) => [key, all[key]]));
}

/** Migrations between steps that build or drop anything; the loading of the first schema is none. */
function changesOf({ migrations }: Recommendation): [number, number][] {
  return migrations
    .filter(({ from, builds, drops }) => from >= 0 && builds.length + drops.length > 0)
    .map(({ from, to }) => [from + 1, to + 1]);
}

/** `##..` for every column family of any step's schema. */
function existence(answer: Recommendation): Record<string, string> {
  const marks = answer.columnFamilies.map((family): [string, string] => [
    columnFamilyText(family),
    answer.steps.map(({ schema }) => (schema.includes(family.key) ? "#" : ".")).join(""),
  ]);
  return Object.fromEntries(marks.filter(([, mark]) => mark.includes("#")));
}

function singleGets(answer: Recommendation): Record<string, string> {
  const gets = new Map(answer.plans.map(({ key, columnFamilies }) => [key, columnFamilies.length]));
  return byStatement(answer, (plan) => (gets.get(plan) === 1 ? "#" : "."));
}

/** One mark per step for every query. */
function byStatement(
  { steps }: Recommendation,
  mark: (plan: string) => string,
): Record<string, string> {
  const marks: Record<string, string> = {};
  for (const { plans } of steps)
    for (const { statement, plan } of plans)
      marks[statement] = `${marks[statement] ?? ""}${mark(plan)}`;
  return marks;
}

function sourcesOfBuilds(answer: Recommendation): Record<string, string[]> {
  const textOf = textByKey(answer);
  return Object.fromEntries(
    answer.migrationPlans.map(({ builds, sources }) => [
      textOf(builds),
      sources.map(textOf).sort(),
    ]),
  );
}

function textByKey({ columnFamilies }: Recommendation): (key: string) => string {
  const texts = new Map(columnFamilies.map((each) => [each.key, columnFamilyText(each)]));
  return (key) => texts.get(key) ?? key;
}

function baselineCosts({ baselines }: Recommendation): { ideal: number; bestStatic: number } {
  const costs = (isIdeal: boolean): number[] =>
    baselines.filter(({ kind }) => (kind === "ideal") === isIdeal).map(({ cost }) => cost);
  return { ideal: Math.min(...costs(true)), bestStatic: Math.min(...costs(false)) };
}

/** The sources of every migration plan of a candidate, each list sorted. */
function waysToFill(space: PlanSpace, { costModel }: Problem, family: string): string[][] {
  const families = space.families.map(({ columnFamily }) => columnFamily);
  const texts = new Map(families.map((each) => [each.key, columnFamilyText(each)]));
  const target = families.findIndex((each) => columnFamilyText(each) === family);
  return space.migrations
    .patternsOf(target)
    .flatMap((pattern) =>
      plansOfPattern(space.families, target, pattern, costModel).map(({ sources }) =>
        sources.map((key) => texts.get(key) ?? key).sort(),
      ),
    );
}

// ---------------------------------------------------------------------------------------- canvas

/** Pairs of entities whose boxes touch, by the measures of a box on the canvas. */
function overlaps({ entities, layout }: StudioDocument): string[] {
  const boxes = Object.entries(entities).map(([id, { attributes, identifier }]) => {
    const own = new Set(attributes.map(({ name }) => name));
    const lines = attributes.length + identifier.filter((part) => !own.has(part)).length;
    const { x, y } = layout.positions[id] ?? { x: 0, y: 0 };
    return { id, left: x, right: x + 230, top: y, bottom: y + 46 + 22 * lines };
  });
  const gap = 24;
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (b) =>
          a.left < b.right + gap &&
          b.left < a.right + gap &&
          a.top < b.bottom + gap &&
          b.top < a.bottom + gap,
      )
      .map((b) => `${a.id} and ${b.id}`),
  );
}

// ---------------------------------------------------------------------------------------- golden

/** What a run gave, short enough to read in a diff; nothing that depends on the machine. */
function goldenOf(answer: Recommendation): unknown {
  const { counts, status, objective, totals, baselines } = answer;
  const cost = (milliseconds: number): number => Number(milliseconds.toPrecision(9));
  return {
    counts: {
      proposed: counts.proposed,
      candidates: counts.candidates,
      queryPlans: counts.queryPlans,
      migrationPlans: counts.migrationPlans,
      unfillable: counts.unfillable,
    },
    status,
    milliseconds: {
      objective: cost(objective),
      ...Object.fromEntries(Object.entries(totals).map(([kind, each]) => [kind, cost(each)])),
      ...Object.fromEntries(baselines.map((baseline) => [baseline.kind, cost(baseline.cost)])),
    },
    columnFamilies: existence(answer),
    filledFrom: sourcesOfBuilds(answer),
    plans: planRuns(answer),
  };
}

/** Per query the plan of its first step, and the plan after every switch, with the step it begins at. */
function planRuns(answer: Recommendation): Record<string, Record<string, string>> {
  const textOf = textByKey(answer);
  const families = new Map(answer.plans.map(({ key, columnFamilies }) => [key, columnFamilies]));
  const runs: Record<string, Record<string, string>> = {};
  const last = new Map<string, string>();
  for (const { step, plans } of answer.steps) {
    for (const { statement, plan } of plans) {
      if (last.get(statement) === plan) continue;
      last.set(statement, plan);
      const gets = (families.get(plan) ?? []).map(textOf).join(" + ");
      runs[statement] = { ...runs[statement], [`from step ${step + 1}`]: gets };
    }
  }
  return runs;
}

// ---------------------------------------------------------------------------------------- files

function fileText(id: string, file: string): string {
  return readFileSync(`${import.meta.dirname}/${id}/${file}`, "utf8");
}

function writeExpected(id: string, expected: Expected): void {
  const path = `${import.meta.dirname}/${id}/expected.json`;
  writeFileSync(path, `${JSON.stringify(expected, null, 2)}\n`);
}
