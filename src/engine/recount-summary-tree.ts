/**
 * The recount of a summary tree: what its nodes hand down, and what the answer takes from them. Written
 * against the paper's §4.3 and (15), not against the search.
 */
import type { Recommendation, SummaryNode } from "#model/recommendation.ts";

/** What is wrong with the tree that an answer shows; nothing where it shows none. */
export function summaryTreeComplaints({ summaryTree, steps }: Recommendation): string[] {
  if (!summaryTree) return [];
  const { nodes, candidates } = summaryTree;
  const chosen = new Set(nodes.flatMap(({ schemas }) => schemas.flat()));
  const allowed = new Set(candidates);
  const looked = new Set(nodes.flatMap((node) => node.steps));
  return [
    ...nodes.flatMap((node, at) => nodeComplaints(node, at, nodes)),
    ...candidates
      .filter((key) => !chosen.has(key))
      .map((key) => `The summary tree names ${key}, which none of its nodes chose.`),
    ...[...chosen]
      .filter((key) => !allowed.has(key))
      .map((key) => `A node of the summary tree chose ${key}, which the tree does not name.`),
    ...steps.flatMap(({ step, schema }) =>
      schema
        .filter((key) => !allowed.has(key))
        .map((key) => `Step ${step + 1} has ${key}, which the summary tree leaves out.`),
    ),
    ...steps
      .filter(({ step }) => !looked.has(step))
      .map(({ step }) => `No node of the summary tree looks at step ${step + 1}.`),
  ];
}

function nodeComplaints(node: SummaryNode, at: number, nodes: readonly SummaryNode[]): string[] {
  const name = `Node ${at + 1} of the summary tree`;
  const { first, last, steps, schemas, inherited, parent } = node;
  if (steps[0] !== first || steps.at(-1) !== last)
    return [`${name} does not look at the ends of its steps ${first + 1} to ${last + 1}.`];
  if (schemas.length !== 0 && schemas.length !== steps.length)
    return [`${name} has ${schemas.length} schemas for ${steps.length} steps.`];
  const above = parent === undefined || parent >= at ? undefined : nodes[parent];
  if (parent !== undefined && !above) return [`${name} has a parent that is not before it.`];
  return inherited
    .filter((t) => {
      const own = schemas[steps.indexOf(t)];
      const given = above?.schemas[above.steps.indexOf(t)];
      return !own || !given || [...own].sort().join() !== [...given].sort().join();
    })
    .map((t) => `${name} does not have at step ${t + 1} what its parent has there.`);
}
