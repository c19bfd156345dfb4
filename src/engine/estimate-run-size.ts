/**
 * How much memory a run will take, told in milliseconds and before anything is enumerated: families are
 * counted by their texts, and the rest follows from how many of them each read can use.
 *
 * The factors were fitted to measured peaks (docs/growth.md tells how well they hold): what a run takes
 * is, beside the page and the solver, what lays families out for every read, the arcs of the plan graphs,
 * and for every distinct step what its relaxation keeps of them. They are right within a factor of
 * two, which is enough to tell a run that fits from one that does not.
 */
import type { Problem } from "#model/problem.ts";
import { prunedSearch, type RunSize } from "#model/run-size.ts";
import { isQuery, type Statement } from "#model/statement.ts";
import type { Workload } from "#model/workload.ts";
import { compileQuery } from "./compile-query.ts";
import { briefFamilies } from "./enumerate-column-families.ts";

/** Bytes: of the page, the worker and the solver before a run; of a family laid out for a read; of an arc; of an arc at a step. */
const bytes = { base: 240e6, laid: 480, arc: 100, arcOfStep: 200 } as const;

/** Families laid out, and arcs, per family that a read can use; support queries come in several forms. */
const perUse = { query: { laid: 1.5, arcs: 8 }, support: { laid: 7, arcs: 12 } } as const;

/** The share of the arcs that is left when plans have at most so many Gets. */
const arcShare = (maxGets: number): number => (maxGets >= 3 ? 1 : maxGets === 2 ? 0.37 : 0.1);

/** Steps of the tree's nodes are relaxed again, with what the parent found. */
const treeFactor = 1.2;

export function estimateRunSize(problem: Problem): RunSize {
  const { families, queryUses, supportUses } = usesOf(problem);
  const laid = perUse.query.laid * queryUses + perUse.support.laid * supportUses;
  const allArcs = perUse.query.arcs * queryUses + perUse.support.arcs * supportUses;
  const steps = distinctSteps(problem.workload);
  const peak = (maxGets: number, factor: number): number => {
    const arcs = allArcs * arcShare(maxGets);
    // One more step: the average, or the one that is being solved.
    const ofSteps = bytes.arcOfStep * arcs * (steps + 1) * factor;
    return Math.round(bytes.base + bytes.laid * laid + bytes.arc * arcs + ofSteps);
  };
  const { maxGets } = problem.options;
  return {
    families,
    gets: Math.round(allArcs * arcShare(maxGets)),
    distinctSteps: steps,
    bytes: peak(maxGets, 1),
    prunedBytes: peak(Math.min(maxGets, prunedSearch.maxGets), treeFactor),
  };
}

interface Uses {
  readonly families: number;
  /** Families that each query can use, summed; and each kind of support query. */
  readonly queryUses: number;
  readonly supportUses: number;
}

/** Which families there are, by the entities that they hold, and how many reads can use them. */
function usesOf({ entityGraph, statements }: Problem): Uses {
  const queries = statements.filter(isQuery).map((query) => compileQuery(entityGraph, query));
  const texts = new Set<string>();
  const groups = new Map<string, { readonly entities: readonly string[]; families: number }>();
  for (const { text, entities } of queries.flatMap(briefFamilies)) {
    if (texts.has(text)) continue;
    texts.add(text);
    const key = entities.join();
    const group = groups.get(key) ?? { entities, families: 0 };
    group.families += 1;
    groups.set(key, group);
  }
  const usableWithin = (entities: Iterable<string>): number => {
    const present = new Set(entities);
    return [...groups.values()]
      .filter((group) => group.entities.every((entity) => present.has(entity)))
      .reduce((sum, group) => sum + group.families, 0);
  };
  const queryUses = queries
    .map(({ compiled }) => usableWithin(compiled.graph.nodes.map(({ entity }) => entity)))
    .reduce((sum, each) => sum + each, 0);
  // A table of several entities one of which changes is found by reading the others.
  const changed = statements.flatMap((statement) => changedEntity(statement) ?? []);
  const supportUses = changed
    .flatMap((entity) =>
      [...groups.values()].filter(
        ({ entities }) => entities.length > 1 && entities.includes(entity),
      ),
    )
    .reduce((sum, { entities }) => sum + usableWithin(entities), 0);
  return { families: texts.size, queryUses, supportUses };
}

function changedEntity(statement: Statement): string | undefined {
  if (isQuery(statement)) return undefined;
  return "graph" in statement ? statement.graph.nodes[statement.target]?.entity : statement.entity;
}

function distinctSteps({ timeline, curves }: Workload): number {
  const all = Object.values(curves);
  const steps = Array.from({ length: timeline.steps }, (_, t) => all.map((each) => each[t]).join());
  return new Set(steps).size;
}
