/**
 * Why there is no answer (engine.md §8): which of storage limit, pins, bans and start schema cannot hold
 * together, in words, and the smallest storage that works.
 *
 * The conflict is made small by a deletion filter (Chinneck, Feasibility and Infeasibility in
 * Optimization, §6.1): a condition without which there is still no answer is no part of it.
 */
import type { IlpSolver } from "#ilp/solve.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { Problem, Restriction } from "#model/problem.ts";
import type { Infeasible } from "#model/recommendation.ts";
import { asCandidate } from "./by-hand.ts";
import { isWritable } from "./formulate.ts";
import { holdsAt, rulesOf } from "./restrictions.ts";
import { smallestStorage } from "./smallest-storage.ts";
import { type SchemasInput, solveSchemas } from "./solve-schemas.ts";

/** One thing that a person asked for. */
type Condition = Restriction | { readonly kind: "storage" } | { readonly kind: "start schema" };

/** The reasons of an infeasible run, and the storage that would do under everything else. */
export async function conflictsOf(
  solver: IlpSolver,
  problem: Problem,
  input: SchemasInput,
): Promise<Pick<Infeasible, "reasons" | "smallestStorage">> {
  const { space, storageBytes, startSchema, rules } = input;
  const conditions: Condition[] = [
    ...(problem.restrictions ?? []),
    ...(startSchema ? [{ kind: "start schema" } as const] : []),
    ...(storageBytes === undefined ? [] : [{ kind: "storage" } as const]),
  ];
  const onlyStorage = conditions.every(({ kind }) => kind === "storage");
  // Of a workload too large to be written out all conditions are named.
  const conflict =
    onlyStorage || !isWritable(space)
      ? conditions
      : await smallConflict(solver, problem, input, conditions);
  const least =
    storageBytes === undefined
      ? undefined
      : await smallestStorage(solver, space, problem, rules, startSchema);
  const works = least === undefined ? undefined : Math.ceil(least);
  return {
    reasons: [
      ...words(problem, conflict, storageBytes),
      ...(works === undefined
        ? []
        : [
            `The smallest storage that works${onlyStorage ? "" : " under everything else"} is ${works} bytes.`,
          ]),
    ],
    ...(works !== undefined && { smallestStorage: works }),
  };
}

async function smallConflict(
  solver: IlpSolver,
  problem: Problem,
  input: SchemasInput,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  let conflict = conditions;
  for (const condition of conditions) {
    const without = conflict.filter((each) => each !== condition);
    if (!(await canHold(solver, problem, input, without))) conflict = without;
  }
  return conflict;
}

/** True when some answer meets the conditions; any is good enough. */
async function canHold(
  solver: IlpSolver,
  problem: Problem,
  input: SchemasInput,
  conditions: readonly Condition[],
): Promise<boolean> {
  const restrictions = conditions.filter(
    (each): each is Restriction => each.kind === "family" || each.kind === "plan",
  );
  const has = (kind: Condition["kind"]): boolean => conditions.some((each) => each.kind === kind);
  const under: SchemasInput = {
    ...input,
    kept: undefined,
    rules: rulesOf({ ...problem, restrictions }, input.space),
    startSchema: has("start schema") ? input.startSchema : undefined,
    storageBytes: has("storage") ? input.storageBytes : undefined,
  };
  const anything = { gap: 1, secondsLeft: () => undefined };
  return (await solveSchemas(solver, under, anything, undefined)).status === "solved";
}

function words(
  problem: Problem,
  conflict: readonly Condition[],
  storageBytes: number | undefined,
): string[] {
  const limit = Math.floor(storageBytes ?? 0);
  const [first, ...others] = conflict;
  if (!first)
    return ["No set of tables that the rules of enumeration propose can serve every statement."];
  if (others.length === 0 && first.kind === "storage")
    return [`No set of tables within ${limit} bytes can answer every query.`];
  if (others.length === 0 && first.kind === "start schema")
    return [
      "No set of tables that serves every statement of step 1 can be built from the start schema: some table has no source there.",
    ];
  const texts = conflict.map((each) => conditionText(problem, each, limit));
  const why = whyTheyConflict(problem, conflict, storageBytes);
  return [
    others.length === 0
      ? `No answer can respect this: ${texts.join("")}.`
      : `These cannot hold together: ${texts.join("; ")}.`,
    ...(why === undefined ? [] : [why]),
  ];
}

function conditionText(problem: Problem, condition: Condition, limit: number): string {
  if (condition.kind === "storage") return `the storage limit of ${limit} bytes`;
  if (condition.kind === "start schema")
    return "that the tables of step 1 are built from the start schema";
  return restrictionText(problem, condition);
}

/** A pin or ban in words: `the ban of [user.id] [] → user.name of user at step 2`. */
export function restrictionText(problem: Problem, restriction: Restriction): string {
  const when = stepsText(restriction.steps);
  const nameOf = (family: ColumnFamily): string =>
    asCandidate(problem.entityGraph, family, problem.options.sizeFactor).key;
  if (restriction.kind === "family")
    return `the ${restriction.demand} of ${nameOf(restriction.columnFamily)}${when}`;
  const tables = restriction.columnFamilies.map(nameOf).join(" and ");
  return restriction.demand === "pin"
    ? `that ${labelOf(problem, restriction.statement)} is answered by ${tables}${when}`
    : `that ${labelOf(problem, restriction.statement)} is not answered by ${tables}${when}`;
}

function labelOf({ statements }: Problem, id: string): string {
  return statements.find((each) => each.id === id)?.label ?? id;
}

/** ` at step 2`, ` at steps 1, 2, 5`, or nothing for all. */
function stepsText(steps: readonly number[] | undefined): string {
  if (!steps) return "";
  return ` at step${steps.length === 1 ? "" : "s"} ${steps.map((t) => t + 1).join(", ")}`;
}

/** The plain cases, in one more sentence. */
function whyTheyConflict(
  problem: Problem,
  conflict: readonly Condition[],
  storageBytes: number | undefined,
): string | undefined {
  const restrictions = conflict.filter(
    (each): each is Restriction => each.kind === "family" || each.kind === "plan",
  );
  const steps = Array.from({ length: problem.workload.timeline.steps }, (_, t) => t);
  for (const t of steps) {
    const now = restrictions.filter((each) => holdsAt(each, t));
    const keys = (demand: "pin" | "ban"): Map<string, number> =>
      new Map(
        now.flatMap((each) => {
          if (each.kind !== "family" || each.demand !== demand) return [];
          const { key, size } = asCandidate(
            problem.entityGraph,
            each.columnFamily,
            problem.options.sizeFactor,
          );
          return [[key, size.bytes] as const];
        }),
      );
    const [pinned, banned] = [keys("pin"), keys("ban")];
    const both = [...pinned.keys()].find((key) => banned.has(key));
    if (both !== undefined) return `${both} is both pinned and banned at step ${t + 1}.`;
    const bytes = [...pinned.values()].reduce((sum, each) => sum + each, 0);
    if (
      storageBytes !== undefined &&
      conflict.some(({ kind }) => kind === "storage") &&
      bytes > storageBytes
    )
      return `The pinned tables alone take ${Math.ceil(bytes)} bytes at step ${t + 1}.`;
  }
  const statements = new Set(restrictions.map((each) => each.kind === "plan" && each.statement));
  const [statement] = statements;
  const oneQuery = statements.size === 1 && typeof statement === "string";
  if (oneQuery && restrictions.every(({ demand }) => demand === "ban"))
    return `They leave ${labelOf(problem, statement)} without a plan.`;
  return undefined;
}
