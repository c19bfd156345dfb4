/**
 * The form of what an answer describes, before anything is reckoned with it: every node, edge, column and
 * index leads somewhere. A result file that somebody changed is answered with violations, not with a crash.
 */

import { type ColumnFamily, columnsOf } from "#model/column-family.ts";
import { attributeOf, type EntityGraph } from "#model/entity-graph.ts";
import type { GetStep, QueryPlan } from "#model/plan.ts";
import type { ColumnReference, GraphEdge, QueryGraph } from "#model/query-graph.ts";
import type { Query } from "#model/statement.ts";

/** What is wrong with the graph and columns of a table, one sentence each. */
export function familyFormComplaints(entityGraph: EntityGraph, family: ColumnFamily): string[] {
  const { graph, partitionKey } = family;
  const unknown = graph.nodes.filter(({ entity }) => !Object.hasOwn(entityGraph.entities, entity));
  if (unknown.length > 0)
    return unknown.map(({ entity }) => `${family.key} is about ${entity}, which is no entity.`);
  if (!isTree(entityGraph, graph))
    return [`The entities of ${family.key} are not joined by relationships into one tree.`];
  const columns = columnsOf(family);
  const names = columns.map(({ node, attribute }) => `${node}.${attribute}`);
  return [
    ...columns
      .filter((column) => !isColumn(entityGraph, graph, column))
      .map(({ attribute }) => `${family.key} has a column ${attribute} that does not exist.`),
    ...(new Set(names).size < names.length ? [`${family.key} has a column twice.`] : []),
    ...(partitionKey.length === 0 ? [`${family.key} has no partition key.`] : []),
  ];
}

/** What is wrong with the references of a plan, one sentence each; families must be well formed. */
export function planFormComplaints(
  entityGraph: EntityGraph,
  query: Query,
  plan: QueryPlan,
  families: ReadonlyMap<string, ColumnFamily>,
): string[] {
  const isPredicate = (index: number): boolean =>
    Number.isInteger(index) && index >= 0 && index < query.predicates.length;
  const wrong = plan.steps.flatMap((step): string[] => {
    if (step.kind === "filter")
      return step.predicates.every(isPredicate) ? [] : ["a filter by a condition that is none"];
    if (step.kind !== "get") return [];
    const family = families.get(step.columnFamily);
    if (!family) return [`a Get on ${step.columnFamily}, which is not described`];
    return getForm(entityGraph, query, step, family, isPredicate);
  });
  return wrong.map((what) => `${plan.statement}: the plan has ${what}.`);
}

function getForm(
  entityGraph: EntityGraph,
  { graph }: Query,
  { columnFamily, embedding, selects, joinOn, bindings, range }: GetStep,
  family: ColumnFamily,
  isPredicate: (index: number) => boolean,
): string[] {
  const onQuery = (column: ColumnReference): boolean => isColumn(entityGraph, graph, column);
  const binds = bindings.every(
    ({ column, from }) =>
      isColumn(entityGraph, family.graph, column) &&
      (from === "fetched" || from.predicate === -1 || isPredicate(from.predicate)),
  );
  const checks = [
    {
      right: isEmbedding(family.graph, graph, embedding),
      wrong: `a Get on ${columnFamily} that does not lie on the statement`,
    },
    {
      right: selects.every(onQuery) && joinOn.every(onQuery),
      wrong: "a Get of columns that do not exist",
    },
    { right: binds, wrong: `a Get on ${columnFamily} that binds what does not exist` },
    {
      right: range === undefined || isPredicate(range),
      wrong: `a Get on ${columnFamily} by a range that does not exist`,
    },
  ];
  return checks.flatMap(({ right, wrong }) => (right ? [] : [wrong]));
}

function isColumn(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  { node, attribute }: ColumnReference,
): boolean {
  if (node === -1) return attribute === "*";
  const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
  return entity !== undefined && attributeOf(entity, attribute) !== undefined;
}

function isEmbedding(from: QueryGraph, to: QueryGraph, embedding: readonly number[]): boolean {
  const inside = embedding.filter((node) => node !== -1);
  return (
    embedding.length === from.nodes.length &&
    new Set(inside).size === inside.length &&
    embedding.every((at, node) => at === -1 || to.nodes[at]?.entity === from.nodes[node]?.entity)
  );
}

/** One edge fewer than nodes, each along a relationship between its entities, and all hang together. */
function isTree(entityGraph: EntityGraph, { nodes, edges }: QueryGraph): boolean {
  if (nodes.length === 0 || nodes.length > 31 || edges.length !== nodes.length - 1) return false;
  const fits = ({ relationship, parent, child }: GraphEdge): boolean => {
    const ends = entityGraph.relationships.find(({ id }) => id === relationship)?.ends;
    return (
      ends !== undefined &&
      parent !== child &&
      nodes[parent]?.entity === ends[0].entity &&
      nodes[child]?.entity === ends[1].entity
    );
  };
  if (!edges.every(fits)) return false;
  const reached = new Set([0]);
  // A set visits what is added to it while it is walked.
  for (const node of reached)
    for (const { parent, child } of edges) {
      if (parent === node) reached.add(child);
      if (child === node) reached.add(parent);
    }
  return reached.size === nodes.length;
}
