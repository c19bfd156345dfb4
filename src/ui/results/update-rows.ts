/**
 * What updates do at a step: which tables they write, and which support queries they ask before they
 * can. Promises that the costs of the rows add up to the updates' and support queries' cost of the step.
 */
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { ChosenUpdate, Recommendation } from "#model/recommendation.ts";
import { isQuery, type StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import type { AnswerIndex } from "./answer-index.ts";
import type { ReadPlans } from "./plan-rows.ts";

export interface UpdateRow {
  readonly statement: StatementId;
  readonly label: string;
  /** Tables that it writes at the step. */
  readonly tables: number;
  /** Milliseconds of the step: puts and deletes, and the support queries for them. */
  readonly writing: number;
  readonly support: number;
}

/** All updates of the workload, as they work at `step`, in the order of the workload. */
export function updateRows(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
): readonly UpdateRow[] {
  return [...index.statements.values()]
    .filter((statement) => !isQuery(statement))
    .map(({ id, label }) => {
      const writes = writesAt(recommendation, id, step);
      return {
        statement: id,
        label: index.names.get(id) ?? label,
        tables: writes.length,
        writing: sum(writes.map(({ cost }) => cost)),
        support: sum(writes.map(supportCost)),
      };
    });
}

/** One table that an update writes. */
export interface UpdateWrite {
  readonly family: ColumnFamilyKey;
  readonly tag: string;
  /** Executions of the update during the step. */
  readonly executions: number;
  /** Rows per execution. */
  readonly puts: number;
  readonly deletes: number;
  /** Milliseconds of the step. */
  readonly writing: number;
  readonly support: number;
}

/** What an update writes at `step`, the costliest table first. */
export function updateWrites(
  recommendation: Recommendation,
  index: AnswerIndex,
  statement: StatementId,
  step: TimeStep,
): readonly UpdateWrite[] {
  return writesAt(recommendation, statement, step)
    .map((write) => ({
      family: write.columnFamily,
      tag: index.tags.get(write.columnFamily) ?? "",
      executions: write.executions,
      puts: write.puts,
      deletes: write.deletes,
      writing: write.cost,
      support: supportCost(write),
    }))
    .sort((a, b) => b.writing + b.support - (a.writing + a.support));
}

/** One question that an update asks, once for every table that needs its answer. */
export interface SupportRow {
  /** The support query's own id. */
  readonly query: StatementId;
  readonly words: string;
  /** Tags of the tables it is asked for. */
  readonly tables: readonly string[];
  /** Reads during the step, and milliseconds of it. */
  readonly reads: number;
  readonly cost: number;
  readonly plans: ReadPlans;
}

/** The support queries of an update at `step`, in the order of the tables they serve. */
export function supportRows(
  recommendation: Recommendation,
  index: AnswerIndex,
  statement: StatementId,
  step: TimeStep,
): readonly SupportRow[] {
  const rows = new Map<StatementId, SupportRow>();
  for (const { columnFamily, support } of writesAt(recommendation, statement, step))
    for (const { plan, executions, cost } of support) {
      const query = index.plans.get(plan)?.statement;
      if (query === undefined) continue;
      const tag = index.tags.get(columnFamily) ?? "";
      const row = rows.get(query);
      rows.set(query, {
        query,
        words: supportWords(query),
        tables: row ? [...new Set([...row.tables, tag])] : [tag],
        reads: (row?.reads ?? 0) + executions,
        cost: (row?.cost ?? 0) + cost,
        plans: row?.plans ?? plansOfSupport(recommendation, index, statement, query),
      });
    }
  return [...rows.values()];
}

/** How a support query of one update is answered, step by step. */
export function plansOfSupport(
  recommendation: Recommendation,
  index: AnswerIndex,
  update: StatementId,
  query: StatementId,
): ReadPlans {
  const perStep = recommendation.steps.map(({ step }) =>
    writesAt(recommendation, update, step)
      .flatMap(({ support }) => support.map(({ plan }) => plan))
      .find((plan) => index.plans.get(plan)?.statement === query),
  );
  return { statement: query, perStep };
}

/** `support: item.quantity by item.id equal` → `item.quantity by item.id`. */
export function supportWords(query: StatementId): string {
  return query
    .replace(/^support: /, "")
    .replace(/ over .*$/, "")
    .replaceAll(/ equal(?=,|$)/g, "");
}

function writesAt(
  recommendation: Recommendation,
  statement: StatementId,
  step: TimeStep,
): readonly ChosenUpdate[] {
  return (recommendation.steps[step]?.updates ?? []).filter((each) => each.statement === statement);
}

function supportCost({ support }: ChosenUpdate): number {
  return sum(support.map(({ cost }) => cost));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
