/**
 * How a new column family can be filled from the schema before (engine.md §7).
 *
 * Every source is read once in full by token range and the rows are joined in the loader; what a
 * migration costs depends on the sizes of its sources only (T″). A set of sources is right when each
 * holds the join rows over a connected part of the new family's graph (beyond it at most mandatory
 * parents, or children under `atLeastOne`, whose repetitions overwrite themselves), consecutive
 * sources agree on the identity of what both hold, and together they hold every row and column. That
 * takes in the full scan of one family, the reused query plans (their Gets join the same families)
 * and the complementary joins (docs/decisions/004-migration-plans.md).
 *
 * Thousands of families can stand in for each other as sources. They are kept as **patterns**: one
 * to three slots, each with the columns it must deliver and all families that deliver them. Patterns
 * are minimal: no slot can do with fewer columns. Three slots only where nothing smaller fills.
 */
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { MigrationPlan } from "#model/plan.ts";
import { compareText } from "#model/query-graph.ts";
import {
  type ColumnSet,
  type CompiledGraph,
  contains,
  determinedNodes,
  type NodeSet,
  setOf,
  withKnownParents,
  withMandatoryParents,
} from "./column-classes.ts";
import { extractCost, loadCost } from "./cost-model.ts";
import { type CompiledFamily, layAll } from "./lay-column-family.ts";

/** One to three slots; a slot lists the positions of all families that can stand there, ascending. */
export interface MigrationPattern {
  readonly slots: readonly (readonly number[])[];
}

/** Patterns for every family, by position in the candidate list. Empty: it can exist from step 1 on only. */
export type MigrationSpace = readonly (readonly MigrationPattern[])[];

/** What a family delivers towards the graph in question. */
interface Source {
  readonly nodes: NodeSet;
  readonly columns: ColumnSet;
  readonly families: number[];
}

export function enumerateMigrationPlans(families: readonly CompiledFamily[]): MigrationSpace {
  const cache = new Map<string, MigrationPattern[]>();
  return families.map((family, position) => {
    const { partitionKey, clusteringKey, values } = family.columnFamily;
    const columns = [...partitionKey, ...clusteringKey, ...values].map((each) =>
      family.compiled.classOf(each),
    );
    const key = `${family.graphText} ${[...columns].sort((a, b) => a - b).join()}`;
    let patterns = cache.get(key);
    if (!patterns) {
      patterns = patternsFor(family.compiled, setOf(columns) & ~1n, families);
      cache.set(key, patterns);
    }
    return patterns.flatMap((pattern) => withoutItself(pattern, position));
  });
}

/** All migration plans that one pattern stands for; for listings and for choosing. */
export function plansOfPattern(
  families: readonly CompiledFamily[],
  builds: number,
  pattern: MigrationPattern,
  model: CostModel,
): MigrationPlan[] {
  const combinations = pattern.slots.reduce<number[][]>(
    (all, slot) => all.flatMap((chosen) => slot.map((family) => [...chosen, family])),
    [[]],
  );
  return combinations.map((sources) => migrationPlan(families, builds, sources, model));
}

/** The plan that fills one family from the given sources. */
export function migrationPlan(
  families: readonly CompiledFamily[],
  builds: number,
  sources: readonly number[],
  model: CostModel,
): MigrationPlan {
  const familyAt = (position: number): CompiledFamily["columnFamily"] =>
    (families[position] as CompiledFamily).columnFamily;
  const keys: ColumnFamilyKey[] = [...sources]
    .map((source) => familyAt(source).key)
    .sort(compareText);
  const target = familyAt(builds);
  return {
    key: `${target.key} ⇐ ${keys.join(" ⋈ ")}`,
    builds: target.key,
    rule: keys.length === 1 ? "scan" : "join",
    sources: keys,
    extractionCost: sources.reduce(
      (sum, source) => sum + extractCost(model, familyAt(source).size.bytes),
      0,
    ),
    loadCost: loadCost(model, target.size.bytes),
  };
}

function withoutItself(pattern: MigrationPattern, position: number): MigrationPattern[] {
  const slots = pattern.slots.map((slot) => slot.filter((family) => family !== position));
  return slots.some((slot) => slot.length === 0) ? [] : [{ slots }];
}

function patternsFor(
  target: CompiledGraph,
  wanted: ColumnSet,
  families: readonly CompiledFamily[],
): MigrationPattern[] {
  const sources = sourcesFor(target, wanted, families);
  const isWhole = (nodes: NodeSet, columns: ColumnSet): boolean =>
    contains(columns, wanted) && withMandatoryParents(target, nodes) === target.allNodes;
  const whole = sources.filter(({ nodes, columns }) => isWhole(nodes, columns));
  const partial = sources.filter((source) => !whole.includes(source));
  const patterns: MigrationPattern[] =
    whole.length > 0 ? [{ slots: [sorted(whole.flatMap(({ families: all }) => all))] }] : [];
  patterns.push(...joinsOf(target, partial, 2, isWhole));
  return patterns.length > 0 ? patterns : joinsOf(target, partial, 3, isWhole);
}

/** Families grouped by what they deliver; those that deliver the same are interchangeable. */
function sourcesFor(
  target: CompiledGraph,
  wanted: ColumnSet,
  families: readonly CompiledFamily[],
): Source[] {
  const useful = target.identifiers.reduce((all, each) => all | each, wanted);
  const position = new Map(families.map(({ columnFamily }, index) => [columnFamily.key, index]));
  const sources = new Map<string, Source>();
  for (const laid of layAll(families, target, { repeatedChildren: true })) {
    const columns = laid.columns & useful;
    const nodes = withKnownParents(target, laid.nodes, columns);
    const key = `${nodes} ${columns}`;
    const source = sources.get(key) ?? { nodes, columns, families: [] };
    source.families.push(position.get(laid.columnFamily.key) as number);
    sources.set(key, source);
  }
  return [...sources.values()];
}

/** Minimal joins of exactly `size` sources, none of which can be spared. */
function joinsOf(
  target: CompiledGraph,
  sources: readonly Source[],
  size: 2 | 3,
  isWhole: (nodes: NodeSet, columns: ColumnSet) => boolean,
): MigrationPattern[] {
  const found = new Map<string, Source[]>();
  // The same sources are met in every order in which they can be joined; they are kept once.
  const record = (join: readonly Source[]): void => {
    const inOrder = sources.filter((source) => join.includes(source));
    found.set(inOrder.map((source) => sources.indexOf(source)).join(), inOrder);
  };
  const extend = (chosen: readonly Source[], nodes: NodeSet, columns: ColumnSet): void => {
    for (const source of sources) {
      if (chosen.includes(source) || !agree(target, nodes, columns, source)) continue;
      const next = [...chosen, source];
      const allColumns = columns | source.columns;
      const allNodes = withKnownParents(target, nodes | source.nodes, allColumns);
      const whole = isWhole(allNodes, allColumns);
      if (whole && next.length === size) record(next);
      if (!whole && next.length < size) extend(next, allNodes, allColumns);
    }
  };
  for (const source of sources) extend([source], source.nodes, source.columns);
  return minimalPatterns([...found.values()], sources);
}

/** The sources overlap, and their common columns identify the overlap. */
function agree(target: CompiledGraph, nodes: NodeSet, columns: ColumnSet, source: Source): boolean {
  const overlap = nodes & source.nodes;
  return overlap !== 0 && (determinedNodes(target, columns & source.columns) & overlap) === overlap;
}

/** Keeps the joins whose slots cannot do with less, each slot open to every source that delivers at least as much over the same records. */
function minimalPatterns(
  found: readonly Source[][],
  sources: readonly Source[],
): MigrationPattern[] {
  const within = (less: Source, more: Source): boolean =>
    less.nodes === more.nodes && contains(more.columns, less.columns);
  const minimal = found.filter(
    (join) =>
      !found.some(
        (other) =>
          other !== join &&
          other.every((slot, index) => within(slot, join[index] as Source)) &&
          !join.every((slot, index) => within(slot, other[index] as Source)),
      ),
  );
  return minimal.map((join) => ({
    slots: join.map((slot) =>
      sorted(sources.filter((source) => within(slot, source)).flatMap(({ families }) => families)),
    ),
  }));
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
