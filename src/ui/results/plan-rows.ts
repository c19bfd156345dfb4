/**
 * How queries are answered: the list of queries at a step, the strip of a query's plans over all
 * steps, and its plan group as the rows of a tree.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import {
  type ApplicationStep,
  type GetStep,
  type PlanStep,
  type PlanTreeNode,
  planKind,
  type QueryPlan,
} from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { isQuery, type StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import type { AnswerIndex } from "./answer-index.ts";

export type PlanKind = "materialised view" | "join";

export interface QueryRow {
  readonly statement: StatementId;
  readonly label: string;
  readonly group: string;
  /** The plan at the step; absent where the query does not run. */
  readonly plan?: QueryPlan;
  readonly kind?: PlanKind;
  readonly executions: number;
  readonly cost: number;
  /** Number of different plans over all steps. */
  readonly plans: number;
}

/** All queries, as they are answered at `step`, in the order of the workload. */
export function queryRows(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
): readonly QueryRow[] {
  const chosen = new Map(
    (recommendation.steps[step]?.plans ?? []).map((each) => [each.statement, each]),
  );
  return [...index.statements.values()].filter(isQuery).map((query) => {
    const here = chosen.get(query.id);
    const plan = index.plans.get(here?.plan ?? "");
    return {
      statement: query.id,
      label: index.names.get(query.id) ?? query.label,
      group: query.group,
      ...(plan && { plan, kind: planKind(plan) }),
      executions: here?.executions ?? 0,
      cost: here?.cost ?? 0,
      plans: planLetters(plansOfQuery(recommendation, query.id)).size,
    };
  });
}

/** How a query, or a support query of one update, is answered at every step. */
export interface ReadPlans {
  readonly statement: StatementId;
  /** The plan's key; absent where it is not read. */
  readonly perStep: readonly (string | undefined)[];
}

/** The plans of a query, step by step. */
export function plansOfQuery(recommendation: Recommendation, statement: StatementId): ReadPlans {
  const perStep = recommendation.steps.map(
    ({ plans }) => plans.find((each) => each.statement === statement)?.plan,
  );
  return { statement, perStep };
}

/** Letters A, B, … of the plans of a read, in order of first use. */
export function planLetters({ perStep }: ReadPlans): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const plan of perStep)
    if (plan !== undefined && !letters.has(plan)) letters.set(plan, letterOf(letters.size));
  return letters;
}

function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

export interface PlanStretch {
  readonly from: TimeStep;
  readonly to: TimeStep;
  readonly letter: string;
  readonly plan?: QueryPlan;
  readonly kind?: PlanKind;
}

/** The strip: stretches of steps in which a read is answered in the same way. */
export function planStrip(reads: ReadPlans, index: AnswerIndex): readonly PlanStretch[] {
  const letters = planLetters(reads);
  const stretches: { -readonly [key in keyof PlanStretch]: PlanStretch[key] }[] = [];
  for (const [step, key] of reads.perStep.entries()) {
    if (key === undefined) continue;
    const letter = letters.get(key) ?? "";
    const last = stretches.at(-1);
    if (last && last.letter === letter && last.to === step - 1) {
      last.to = step;
      continue;
    }
    const plan = index.plans.get(key);
    stretches.push({
      from: step,
      to: step,
      letter,
      ...(plan && { plan, kind: planKind(plan) }),
    });
  }
  return stretches;
}

/** One line of the plan tree. */
export interface PlanTreeRow {
  /** Unique in the tree: the families from the root. */
  readonly id: string;
  readonly depth: number;
  readonly family: ColumnFamilyKey;
  /** The Get as the cheapest shown plan through this node makes it. */
  readonly get?: GetStep;
  /** Work in the application after this Get, up to the next one. */
  readonly then: readonly ApplicationStep[];
  /** A plan that ends here. */
  readonly plan?: QueryPlan;
  readonly kind?: PlanKind;
  readonly letter?: string;
  /** The chosen plan at the cursor passes through here. */
  readonly lit: boolean;
  readonly isLast: boolean;
  /** For every depth above: whether a line runs on to a later sibling. */
  readonly lines: readonly boolean[];
}

export interface ShownPlans {
  readonly rows: readonly PlanTreeRow[];
  readonly shown: number;
}

/**
 * The rows of a plan group: the plans that the answer uses at any step, and the cheapest others up to
 * `limit`. Siblings stand cheapest first.
 */
export function planTreeRows(
  plans: readonly QueryPlan[],
  used: ReadonlyMap<string, string>,
  chosen: string | undefined,
  limit: number,
): ShownPlans {
  const roots = treeOfPlans(plans);
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  const others = plans
    .filter((plan) => !used.has(plan.key))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limit);
  const shown = new Set([...used.keys(), ...others.map((plan) => plan.key)]);
  const visible = roots
    .map((root) => visibleNode(root, byKey, shown, 0))
    .filter((node) => node !== undefined)
    .sort((a, b) => a.cheapest.cost - b.cheapest.cost);
  const rows: PlanTreeRow[] = [];
  const write = (
    nodes: readonly VisibleNode[],
    prefix: string,
    lines: readonly boolean[],
  ): void => {
    nodes.forEach((node, position) => {
      const isLast = position === nodes.length - 1;
      const id = `${prefix}/${position} ${node.family}`;
      rows.push({ ...rowOf(node, used, chosen), id, depth: lines.length, isLast, lines });
      write(node.children, id, [...lines, !isLast]);
    });
  };
  write(visible, "", []);
  return {
    rows,
    shown: [...shown].filter((key) => byKey.has(key)).length,
  };
}

interface VisibleNode {
  readonly family: ColumnFamilyKey;
  readonly depth: number;
  readonly children: readonly VisibleNode[];
  readonly plan?: QueryPlan;
  readonly cheapest: QueryPlan;
  /** Keys of all shown plans through this node. */
  readonly through: readonly string[];
}

function visibleNode(
  node: PlanTreeNode,
  byKey: ReadonlyMap<string, QueryPlan>,
  shown: ReadonlySet<string>,
  depth: number,
): VisibleNode | undefined {
  const children = node.children
    .map((child) => visibleNode(child, byKey, shown, depth + 1))
    .filter((child) => child !== undefined)
    .sort((a, b) => a.cheapest.cost - b.cheapest.cost);
  const own = node.plan !== undefined && shown.has(node.plan) ? byKey.get(node.plan) : undefined;
  const cheapest = [...(own ? [own] : []), ...children.map((child) => child.cheapest)].sort(
    (a, b) => a.cost - b.cost,
  )[0];
  if (!cheapest) return undefined;
  return {
    family: node.columnFamily,
    depth,
    children,
    ...(own && { plan: own }),
    cheapest,
    through: [...(own ? [own.key] : []), ...children.flatMap((child) => child.through)],
  };
}

function rowOf(
  node: VisibleNode,
  used: ReadonlyMap<string, string>,
  chosen: string | undefined,
): Omit<PlanTreeRow, "id" | "depth" | "isLast" | "lines"> {
  const lit = chosen !== undefined && node.through.includes(chosen);
  const { get, then } = segment((node.plan ?? node.cheapest).steps, node.depth);
  const letter = node.plan && used.get(node.plan.key);
  return {
    family: node.family,
    ...(get && { get }),
    then,
    ...(node.plan && { plan: node.plan, kind: planKind(node.plan) }),
    ...(letter !== undefined && { letter }),
    lit,
  };
}

/** The `depth`-th Get of a plan and the application steps that follow it. */
export function segment(
  steps: readonly PlanStep[],
  depth: number,
): { readonly get?: GetStep; readonly then: readonly ApplicationStep[] } {
  let gets = -1;
  let get: GetStep | undefined;
  const then: ApplicationStep[] = [];
  for (const step of steps) {
    if (step.kind === "get") {
      gets += 1;
      if (gets === depth) get = step;
    } else if (gets === depth) then.push(step);
  }
  return { ...(get && { get }), then };
}

/** Families of a plan group and of the answer together; the group's own come first. */
export function familiesFor(
  index: AnswerIndex,
  group: readonly ColumnFamily[],
): ReadonlyMap<ColumnFamilyKey, ColumnFamily> {
  return new Map([...index.families, ...group.map((family) => [family.key, family] as const)]);
}

/** Plans as a tree, common prefixes of Gets shared. */
export function treeOfPlans(plans: readonly QueryPlan[]): readonly PlanTreeNode[] {
  return branches(plans, 0);
}

function branches(plans: readonly QueryPlan[], depth: number): readonly PlanTreeNode[] {
  const byGet = new Map<string, QueryPlan[]>();
  for (const plan of plans) {
    const { get } = segment(plan.steps, depth);
    if (!get) continue;
    // The same family may lie on the query's graph in two ways.
    const key = `${get.columnFamily} @${get.embedding.join()}`;
    byGet.set(key, [...(byGet.get(key) ?? []), plan]);
  }
  return [...byGet.values()].map((through) => {
    const end = through.find((plan) => plan.columnFamilies.length === depth + 1);
    return {
      columnFamily: through[0]?.columnFamilies[depth] ?? "",
      children: branches(through, depth + 1),
      ...(end && { plan: end.key }),
    };
  });
}

/** What the server does in a Get beyond returning rows. */
export function getNotes(get: GetStep): readonly string[] {
  return [
    ...(get.order === undefined ? [] : [get.order === "forward" ? "in order" : "in reverse order"]),
    ...(get.grouped ? ["grouped"] : []),
    ...(get.aggregated ? ["aggregated"] : []),
    ...(get.limit === undefined ? [] : [`limit ${get.limit}`]),
  ];
}
