/**
 * What a schema that a person wrote costs (engine.md §9, "on the same candidates"): its best plans and
 * migrations under the same model as the optimum's, or what it cannot serve.
 */
import type { MigrationPlan, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { HandMadeAnswer } from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import { asCandidate } from "./by-hand.ts";
import { bytesOfAll } from "./plan-space.ts";
import { chooseFor, readAnswer, type Schema, unservedBy } from "./read-solution.ts";
import type { SchemasInput } from "./solve-schemas.ts";

export interface HandMadeCost {
  readonly answer: HandMadeAnswer;
  /** Positions of its families. */
  readonly families: readonly number[];
  readonly plans: readonly QueryPlan[];
  readonly migrationPlans: readonly MigrationPlan[];
}

/** Undefined where the problem has no hand-made schema. Pins, bans and the storage limit are not asked. */
export function costByHand(problem: Problem, over: SchemasInput): HandMadeCost | undefined {
  const { handMade, entityGraph, options, workload } = problem;
  if (!handMade) return undefined;
  const { space } = over;
  const keys = space.families.map(({ columnFamily }) => columnFamily.key);
  const written = handMade.schemas.map((families): Schema => {
    const wanted = families.map((each) => asCandidate(entityGraph, each, options.sizeFactor).key);
    return [...new Set(wanted.map((key) => keys.indexOf(key)))].sort((a, b) => a - b);
  });
  const schemas = Array.from(
    { length: workload.timeline.steps },
    (_, t) => written[t] ?? written.at(-1) ?? [],
  );
  const input = { ...over, rules: undefined, storageBytes: undefined };
  const bytes = schemas.map((schema) => bytesOfAll(space, schema));
  const { unanswered, unfilled } = unservedBy(input, schemas);
  const choice = chooseFor(input, schemas);
  const read = choice && readAnswer(input, choice);
  return {
    families: [...new Set(schemas.flat())],
    plans: read?.plans ?? [],
    migrationPlans: read?.migrationPlans ?? [],
    answer: {
      name: handMade.name,
      schemas: schemas.map((schema) => schema.map((family) => keys[family] ?? "")),
      storageBytes: Math.max(...bytes),
      ...(choice && read && { cost: choice.cost, steps: read.steps, migrations: read.migrations }),
      unanswered: byStatement(unanswered),
      unfilled: unfilled.map(({ family, step }) => ({ columnFamily: keys[family] ?? "", step })),
    },
  };
}

function byStatement(
  found: readonly { readonly statement: string; readonly step: TimeStep }[],
): HandMadeAnswer["unanswered"] {
  const steps = new Map<string, Set<TimeStep>>();
  for (const { statement, step } of found) {
    const list = steps.get(statement) ?? new Set();
    list.add(step);
    steps.set(statement, list);
  }
  return [...steps].map(([statement, list]) => ({ statement, steps: [...list] }));
}
