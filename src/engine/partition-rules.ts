/**
 * Limits on partitions (docs/sharding.md): a column family whose largest partition has too many bytes or rows,
 * or too large a share of the table, is no candidate. A pin is a person's word and stands above them.
 *
 * Excluded before dominance is judged: what is not there cannot be the reason to drop another.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { partitionFigures } from "#model/partition-figures.ts";
import type { Problem } from "#model/problem.ts";
import type { CandidatePool } from "./enumerate-column-families.ts";
import type { CompiledFamily } from "./lay-column-family.ts";

/** The first limit that a family breaks, in words; undefined where it keeps all. */
export function brokenPartitionRule(
  { entityGraph, partitionRules }: Pick<Problem, "entityGraph" | "partitionRules">,
  family: Pick<ColumnFamily, "graph" | "partitionKey" | "values" | "size">,
): string | undefined {
  if (!partitionRules) return undefined;
  const { largestBytes, largestRows, largestShare, spreads } = partitionRules;
  const figures = partitionFigures(entityGraph, family, spreads);
  const digits = (value: number): string => String(Number(value.toPrecision(3)));
  if (largestBytes !== undefined && figures.largestBytes > largestBytes)
    return `Its largest partition has ${digits(figures.largestBytes / 1e6)} MB, above ${digits(largestBytes / 1e6)} MB.`;
  if (largestRows !== undefined && figures.largestRows > largestRows)
    return `Its largest partition has ${digits(figures.largestRows)} rows, above ${digits(largestRows)}.`;
  return largestShare !== undefined && figures.largestShare > largestShare
    ? `Its largest partition has ${digits(100 * figures.largestShare)} % of all rows, above ${digits(100 * largestShare)} %.`
    : undefined;
}

/** The candidates that keep the limits; the others go into `excluded` with the reason. */
export function withinPartitionRules(
  problem: Problem,
  pool: CandidatePool,
  excluded: Map<ColumnFamilyKey, string>,
): CandidatePool {
  if (!problem.partitionRules) return pool;
  return new Map(
    [...pool].filter(([key, { columnFamily }]) => {
      const reason = brokenPartitionRule(problem, columnFamily);
      if (reason !== undefined) excluded.set(key, reason);
      return reason === undefined;
    }),
  );
}

/** Positions of families that are in the space although they break a limit: a person named them. */
export function familiesBeyondRules(
  problem: Problem,
  families: readonly CompiledFamily[],
): readonly number[] {
  if (!problem.partitionRules) return [];
  return [...families.keys()].filter(
    (at) =>
      brokenPartitionRule(problem, (families[at] as CompiledFamily).columnFamily) !== undefined,
  );
}
