/**
 * A column family of an answer as a table of the lab: its rows, and the Gets, puts and deletes that the
 * answer's plans send to it at each step.
 */
import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import { attributeOf, type Entity, type EntityGraph } from "#model/entity-graph.ts";
import type { GetStep } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { type ColumnReference, columnText, isConstant } from "#model/query-graph.ts";
import type { Recommendation, StepAnswer } from "#model/recommendation.ts";
import type { Distribution, ShardingSetup } from "#model/sharding-setup.ts";
import type { StatementId } from "#model/statement.ts";
import { nativeTypeOf, usualDistribution } from "./entity-table.ts";
import {
  type LabColumn,
  type LabRequest,
  type LabTable,
  type SortedColumn,
  withPopulations,
} from "./lab-table.ts";

/** `idOf` gives the id of an entity under which `setup` speaks of it. */
export function familyTable(
  problem: Problem,
  { steps, plans, columnFamilies }: Pick<Recommendation, "steps" | "plans" | "columnFamilies">,
  key: string,
  setup: ShardingSetup | undefined,
  idOf: (entity: string) => string,
): LabTable {
  const family = columnFamilies.find((each) => each.key === key);
  if (!family) throw new Error(`the answer has no column family ${key}`);
  const { entityGraph, workload, statements } = problem;
  const { stepSeconds } = workload.timeline;
  const chosen = (column: ColumnReference): Distribution | undefined =>
    setup?.columns?.[idOf(family.graph.nodes[column.node]?.entity ?? "")]?.[column.attribute];
  const columns = distinctColumns(family).map((column) =>
    labColumn(entityGraph, family, column, chosen(column)),
  );
  const labels = new Map(statements.map(({ id, label }) => [id, label]));
  const inserts = new Set(statements.filter(({ kind }) => kind === "insert").map(({ id }) => id));
  const requests = [
    ...readsOf(family, steps, plans, setup),
    ...writesOf(family, steps, inserts, setup),
  ].map((each) => ({
    ...each,
    name: labels.get(each.statement ?? "") ?? each.name,
    // The answer counts executions during a step.
    perSecond: each.perSecond.map((executions) => executions / stepSeconds),
  }));
  const perSecond = (request: LabRequest, step: number): number => request.perSecond[step] ?? 0;
  const { rows, bytesPerPartition, rowsPerPartition } = family.size;
  return withPopulations({
    id: family.key,
    kind: "column family",
    columns,
    key: family.partitionKey.map((column) => columnText(family.graph, column)),
    clustering: sortedColumns(family),
    initial: rows,
    arriving: steps.map((_, step) =>
      requests
        .filter(({ kind }) => kind === "insert")
        .reduce((sum, each) => sum + perSecond(each, step) * each.keys * stepSeconds, 0),
    ),
    stepSeconds,
    bytesPerRow: bytesPerPartition / rowsPerPartition,
    cellsPerRow: Math.max(1, family.values.length),
    requests,
  });
}

function sortedColumns({ graph, clusteringKey }: ColumnFamily): SortedColumn[] {
  return clusteringKey.map((column) => ({
    name: columnText(graph, column),
    direction: column.direction,
  }));
}

function distinctColumns(family: ColumnFamily): ColumnReference[] {
  const byName = new Map(
    columnsOf(family).map((column) => [columnText(family.graph, column), column]),
  );
  return [...byName.values()];
}

function labColumn(
  entityGraph: EntityGraph,
  family: ColumnFamily,
  column: ColumnReference,
  chosen: Distribution | undefined,
): LabColumn {
  const name = columnText(family.graph, column);
  const entity = entityGraph.entities[family.graph.nodes[column.node]?.entity ?? ""];
  const attribute = entity && attributeOf(entity, column.attribute);
  if (isConstant(column) || !entity || !attribute)
    return { name, type: "tinyint", distinct: 1, bytes: 1, distribution: { kind: "uniform" } };
  const base = {
    name,
    type: nativeTypeOf(attribute.type),
    distinct: attribute.distinct,
    bytes: attribute.bytes,
  };
  if (chosen && chosen.kind !== "unique" && chosen.kind !== "follows")
    return { ...base, distribution: chosen };
  return {
    ...base,
    distribution: spread(family, column, usualDistribution(entity, attribute), entity),
  };
}

/** What a record's identifier determines follows it; an identifier is unique only where the table has one row for each record. */
function spread(
  family: ColumnFamily,
  { node, attribute }: ColumnReference,
  usual: Distribution,
  { identifier, count }: Entity,
): Distribution {
  if (usual.kind === "unique")
    return Math.abs(family.size.rows - count) < 0.5 ? usual : { kind: "uniform" };
  if (usual.kind === "arrival" || identifier.length !== 1 || identifier[0] === attribute)
    return usual;
  const identifying = columnsOf(family).find(
    (each) => each.node === node && each.attribute === identifier[0],
  );
  return identifying
    ? { kind: "follows", column: columnText(family.graph, identifying) }
    : { kind: "uniform" };
}

function readsOf(
  family: ColumnFamily,
  steps: readonly StepAnswer[],
  plans: Recommendation["plans"],
  setup: ShardingSetup | undefined,
): LabRequest[] {
  const byKey = new Map(plans.map((plan) => [plan.key, plan]));
  const reads = new Map<string, LabRequest & { perSecond: number[] }>();
  const add = (planKey: string, statement: StatementId, step: number, executions: number): void => {
    for (const get of byKey.get(planKey)?.steps ?? []) {
      if (get.kind !== "get" || get.columnFamily !== family.key) continue;
      const known = reads.get(`${planKey}/${statement}`) ?? {
        ...readOf(family, get, statement, setup),
        perSecond: steps.map(() => 0),
      };
      known.perSecond[step] = (known.perSecond[step] ?? 0) + executions;
      reads.set(`${planKey}/${statement}`, known);
    }
  };
  for (const { step, plans: chosen, updates } of steps) {
    for (const { plan, statement, executions } of chosen) add(plan, statement, step, executions);
    for (const { statement, support } of updates)
      for (const each of support) add(each.plan, statement, step, each.executions);
  }
  return [...reads.values()];
}

function readOf(
  family: ColumnFamily,
  { bindings, gets, order }: GetStep,
  statement: StatementId,
  setup: ShardingSetup | undefined,
): LabRequest {
  const clustering = bindings.filter(({ key }) => key === "clustering").length;
  const bound = [...family.partitionKey, ...family.clusteringKey.slice(0, clustering)];
  return {
    name: statement,
    statement,
    kind: "read",
    binds: bound.map((column) => columnText(family.graph, column)),
    pick: setup?.picks?.[statement] ?? { kind: "uniform" },
    order: order === undefined ? [] : sortedColumns(family),
    keys: Math.max(1, gets),
    perSecond: [],
    joins: false,
    changesMany: false,
  };
}

function writesOf(
  family: ColumnFamily,
  steps: readonly StepAnswer[],
  inserts: ReadonlySet<StatementId>,
  setup: ShardingSetup | undefined,
): LabRequest[] {
  const writes = new Map<StatementId, LabRequest & { perSecond: number[] }>();
  for (const { step, updates } of steps)
    for (const { statement, columnFamily, executions, puts, deletes } of updates) {
      if (columnFamily !== family.key || puts + deletes === 0) continue;
      const known = writes.get(statement) ?? {
        name: statement,
        statement,
        kind: inserts.has(statement) ? ("insert" as const) : ("write" as const),
        binds: distinctColumns(family).map((column) => columnText(family.graph, column)),
        pick: setup?.picks?.[statement] ?? { kind: "records" as const },
        order: [],
        keys: Math.max(1, puts + deletes),
        perSecond: steps.map(() => 0),
        joins: false,
        changesMany: puts + deletes > 2,
      };
      known.perSecond[step] = (known.perSecond[step] ?? 0) + executions;
      writes.set(statement, known);
    }
  return [...writes.values()];
}
