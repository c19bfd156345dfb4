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

/**
 * The patterns of every family, found when they are asked for: of thousands of candidates an answer
 * builds few. Without a pattern a family can exist from step 1 on only.
 */
export class MigrationSpace {
  private readonly families: readonly CompiledFamily[];
  private readonly position: ReadonlyMap<ColumnFamilyKey, number>;
  private readonly whole = new Map<string, readonly MigrationPattern[]>();
  private readonly partial = new Map<string, readonly MigrationPattern[]>();
  private readonly small = new Map<string, boolean>();

  /** Families by their positions in the candidate list. */
  constructor(families: readonly CompiledFamily[]) {
    this.families = families;
    this.position = new Map(families.map(({ columnFamily }, at) => [columnFamily.key, at]));
  }

  /** So few families that the patterns of all of them can be looked at; of more they are found where they are needed. */
  get isShort(): boolean {
    return this.families.length <= mostListed;
  }

  /** All patterns of a family over the whole list. */
  patternsOf(family: number): readonly MigrationPattern[] {
    const { target, wanted, name } = this.targetOf(family);
    let patterns = this.whole.get(name);
    if (!patterns) {
      patterns = this.patternsFor(target, wanted, this.families, () => false);
      this.whole.set(name, patterns);
    }
    return patterns.flatMap((pattern) => withoutItself(pattern, family));
  }

  /** Of these the patterns that some families (positions) can fill by themselves, with just these in the slots. */
  patternsFrom(family: number, sources: ReadonlySet<number>): readonly MigrationPattern[] {
    const { target, wanted, name } = this.targetOf(family);
    const among = [...sources].sort((a, b) => a - b);
    const key = `${name} ${among.join()}`;
    let patterns = this.partial.get(key);
    if (!patterns) {
      const some = among.flatMap((at) => this.families[at] ?? []);
      patterns = this.patternsFor(target, wanted, some, () =>
        this.hasSmallPattern(target, wanted, name),
      );
      this.partial.set(key, patterns);
    }
    return patterns.flatMap((pattern) => withoutItself(pattern, family));
  }

  /**
   * Families that fill `family` together with some that are there, which by themselves cannot: of those that
   * deliver the same the smallest, the smallest first.
   */
  fillersOf(family: number, there: ReadonlySet<number>): readonly number[] {
    const { target, wanted } = this.targetOf(family);
    const bytes = (at: number): number =>
      (this.families[at] as CompiledFamily).columnFamily.size.bytes;
    const smallest = sourcesFor(target, wanted, this.families, this.position).flatMap((source) => {
      const others = source.families.filter((at) => at !== family && !there.has(at));
      return others.length === 0 ? [] : [others.reduce((a, b) => (bytes(b) < bytes(a) ? b : a))];
    });
    return [...new Set(smallest)]
      .filter((at) => this.patternsFrom(family, new Set([...there, at])).length > 0)
      .sort((a, b) => bytes(a) - bytes(b) || a - b);
  }

  private targetOf(family: number): {
    target: CompiledGraph;
    wanted: ColumnSet;
    name: string;
  } {
    const { columnFamily, compiled, graphText } = this.families[family] as CompiledFamily;
    const { partitionKey, clusteringKey, values } = columnFamily;
    const columns = [...partitionKey, ...clusteringKey, ...values].map((each) =>
      compiled.classOf(each),
    );
    const name = `${graphText} ${[...columns].sort((a, b) => a - b).join()}`;
    return { target: compiled, wanted: setOf(columns) & ~1n, name };
  }

  /** Some one or two families of the whole list fill the target, so that three are not asked. */
  private hasSmallPattern(target: CompiledGraph, wanted: ColumnSet, name: string): boolean {
    let found = this.small.get(name);
    if (found === undefined) {
      const sources = sourcesFor(target, wanted, this.families, this.position);
      const whole = wholeness(target, wanted);
      found =
        sources.some(({ nodes, columns }) => whole(nodes, columns)) ||
        sources.some((first) =>
          sources.some((second) => {
            if (!agree(target, first.nodes, first.columns, second)) return false;
            const columns = first.columns | second.columns;
            return whole(withKnownParents(target, first.nodes | second.nodes, columns), columns);
          }),
        );
      this.small.set(name, found);
    }
    return found;
  }

  private patternsFor(
    target: CompiledGraph,
    wanted: ColumnSet,
    families: readonly CompiledFamily[],
    hasSmaller: () => boolean,
  ): MigrationPattern[] {
    const sources = sourcesFor(target, wanted, families, this.position);
    const isWhole = wholeness(target, wanted);
    const whole = sources.filter(({ nodes, columns }) => isWhole(nodes, columns));
    const partial = sources.filter((source) => !whole.includes(source));
    const patterns: MigrationPattern[] =
      whole.length > 0 ? [{ slots: [sorted(whole.flatMap(({ families: all }) => all))] }] : [];
    patterns.push(...joinsOf(target, partial, 2, isWhole));
    if (patterns.length > 0 || hasSmaller()) return patterns;
    return joinsOf(target, partial, 3, isWhole);
  }
}

const mostListed = 400;

/** Whether some records and columns are all that is wanted. */
function wholeness(
  target: CompiledGraph,
  wanted: ColumnSet,
): (nodes: NodeSet, columns: ColumnSet) => boolean {
  return (nodes, columns) =>
    contains(columns, wanted) && withMandatoryParents(target, nodes) === target.allNodes;
}

/** What a family delivers towards the graph in question. */
interface Source {
  readonly nodes: NodeSet;
  readonly columns: ColumnSet;
  readonly families: number[];
}

/** The patterns of all families at once. */
export function enumerateMigrationPlans(
  families: readonly CompiledFamily[],
): readonly (readonly MigrationPattern[])[] {
  const space = new MigrationSpace(families);
  return families.map((_, position) => space.patternsOf(position));
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

/** Families grouped by what they deliver; those that deliver the same are interchangeable. */
function sourcesFor(
  target: CompiledGraph,
  wanted: ColumnSet,
  families: readonly CompiledFamily[],
  position: ReadonlyMap<ColumnFamilyKey, number>,
): Source[] {
  const useful = target.identifiers.reduce((all, each) => all | each, wanted);
  const sources = new Map<string, Source>();
  for (const laid of layAll(families, target, { repeatedChildren: true })) {
    const columns = laid.columns & useful;
    const nodes = withKnownParents(target, laid.nodes, columns);
    const key = `${nodes} ${columns}`;
    const source = sources.get(key) ?? { nodes, columns, families: [] };
    source.families.push(position.get(laid.columnFamily.key) as number);
    sources.set(key, source);
  }
  // In an order of their own, so that the slots of a pattern do not depend on what else there is.
  return [...sources.values()].sort(
    (a, b) => a.nodes - b.nodes || (a.columns < b.columns ? -1 : a.columns > b.columns ? 1 : 0),
  );
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
