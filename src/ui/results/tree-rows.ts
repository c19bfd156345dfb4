/**
 * The summary tree as marks over the steps, and its tables as rows: where the tree wants each table, and
 * where the answer has it.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { Recommendation, SummaryNode, SummaryTree } from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { type Stretch, stretchesOf } from "./timeline-rows.ts";

export interface NodeMark {
  /** Position in the tree's list. */
  readonly at: number;
  /** 0 for the root. */
  readonly depth: number;
  readonly node: SummaryNode;
  /** Tables that it chose and no node above it. */
  readonly adds: number;
  /** Seconds; undefined where they are not told. */
  readonly seconds: number | undefined;
}

export function nodeMarks({ summaryTree, seconds }: Recommendation): readonly NodeMark[] {
  const nodes = summaryTree?.nodes ?? [];
  return nodes.map((node, at) => {
    const above = new Set(
      ancestorsOf(nodes, at).flatMap((each) => nodes[each]?.schemas.flat() ?? []),
    );
    const own = new Set(node.schemas.flat());
    return {
      at,
      depth: ancestorsOf(nodes, at).length,
      node,
      adds: [...own].filter((key) => !above.has(key)).length,
      seconds: seconds[`tree node ${at + 1}`],
    };
  });
}

function ancestorsOf(nodes: readonly SummaryNode[], at: number): readonly number[] {
  const parent = nodes[at]?.parent;
  // A parent stands before its children; a file that says otherwise is not followed round in circles.
  return parent === undefined || parent >= at ? [] : [parent, ...ancestorsOf(nodes, parent)];
}

/** The node that an arrow key leads to: up to the parent, down to the first child, to the sides on the same level. */
export function neighbourOf(marks: readonly NodeMark[], at: number, key: string): number {
  const here = marks[at];
  if (!here) return at;
  const level = marks.filter(({ depth }) => depth === here.depth).map((mark) => mark.at);
  const inLevel = level.indexOf(at);
  const wanted = {
    ArrowUp: here.node.parent,
    ArrowDown: marks.find(({ node }) => node.parent === at)?.at,
    ArrowLeft: level[inLevel - 1],
    ArrowRight: level[inLevel + 1],
    Home: 0,
    End: marks.length - 1,
  }[key];
  return wanted ?? at;
}

/** How a table stands to one step of the chosen node. */
export type Standing = "chosen" | "taken over";

export interface TreeTable {
  readonly family: ColumnFamily;
  readonly tag: string;
  /** Steps at which some node chose it. */
  readonly wanted: readonly TimeStep[];
  /** Where the answer has it; nowhere is common. */
  readonly stretches: readonly Stretch[];
  /** At the steps of the node that is looked at. */
  readonly here: ReadonlyMap<TimeStep, Standing>;
}

/** A row per table that any node chose, those of the answer first. */
export function treeTables(
  recommendation: Recommendation,
  tree: SummaryTree,
  index: AnswerIndex,
  chosen: number,
): readonly TreeTable[] {
  const node = tree.nodes[chosen];
  const order = [...index.tags.keys()];
  return tree.candidates
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .flatMap((key) => {
      const family = index.families.get(key);
      if (!family) return [];
      return [
        {
          family,
          tag: index.tags.get(key) ?? "",
          wanted: wantedAt(tree, key),
          stretches: stretchesOf(recommendation, key),
          here: node ? standingsOf(node, key) : new Map(),
        },
      ];
    });
}

function wantedAt({ nodes }: SummaryTree, key: ColumnFamilyKey): readonly TimeStep[] {
  const steps = nodes.flatMap((node) =>
    node.steps.filter((_, position) => node.schemas[position]?.includes(key)),
  );
  return [...new Set(steps)].sort((a, b) => a - b);
}

function standingsOf(
  { steps, schemas, inherited }: SummaryNode,
  key: ColumnFamilyKey,
): ReadonlyMap<TimeStep, Standing> {
  return new Map(
    steps.flatMap((t, position) => {
      if (!schemas[position]?.includes(key)) return [];
      return [[t, inherited.includes(t) ? "taken over" : "chosen"] as const];
    }),
  );
}
