/**
 * How large and how hot the partitions of a column family may become, from the distinct values of its key and
 * from how a person says that they are spread. Formulas only; the sharding lab counts.
 */
import type { ColumnFamily } from "./column-family.ts";
import { attributeOf, type EntityGraph } from "./entity-graph.ts";
import { type ColumnReference, isConstant, type QueryGraph } from "./query-graph.ts";
import type { Distribution } from "./sharding-setup.ts";

/** Distributions of attributes that a person chose, by the entity's name and the attribute's. */
export type Spreads = Readonly<Record<string, Readonly<Record<string, Distribution>>>>;

export interface PartitionFigures {
  readonly partitions: number;
  /** Rows, bytes and value cells of the largest partition that is to be expected. */
  readonly largestRows: number;
  readonly largestBytes: number;
  readonly largestCells: number;
  /** The share of all rows in it, 0 … 1. */
  readonly largestShare: number;
  /** Σ p², the chance that two rows share their partition: 1/partitions where all are alike. */
  readonly concentration: number;
}

/** The figures of a column family's partitions. */
export function partitionFigures(
  entityGraph: EntityGraph,
  family: Pick<ColumnFamily, "graph" | "partitionKey" | "values" | "size">,
  spreads: Spreads | undefined,
): PartitionFigures {
  const { partitions, rows, rowsPerPartition, bytesPerPartition } = family.size;
  const columns = family.partitionKey.filter((column) => !isConstant(column));
  const shares = columns.map((column) => columnShare(entityGraph, family.graph, column, spreads));
  // Columns that others determine multiply nothing: their product would fall below what is even.
  const product = (of: (each: ColumnShare) => number): number =>
    shares.reduce((all, each) => all * of(each), 1);
  const even = 1 / partitions;
  const largestShare =
    columns.length === 0
      ? 1
      : Math.max(
          even,
          product(({ largest }) => largest),
        );
  const concentration =
    columns.length === 0
      ? 1
      : Math.max(
          even,
          product(({ squares }) => squares),
        );
  const largestRows = Math.min(rows, Math.max(1, rows * largestShare));
  return {
    partitions,
    largestRows,
    largestBytes: (bytesPerPartition / rowsPerPartition) * largestRows,
    largestCells: largestRows * family.values.length,
    largestShare,
    concentration,
  };
}

interface ColumnShare {
  /** Of the most frequent value. */
  readonly largest: number;
  /** Σ p² over the values. */
  readonly squares: number;
}

function columnShare(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  column: ColumnReference,
  spreads: Spreads | undefined,
): ColumnShare {
  const same = [column, ...heldBy(entityGraph, graph, column)];
  const found = same.flatMap(({ node, attribute }) => {
    const name = graph.nodes[node]?.entity ?? "";
    const entity = entityGraph.entities[name];
    const own = entity && attributeOf(entity, attribute);
    return own ? [{ distinct: own.distinct, spread: spreads?.[name]?.[attribute] }] : [];
  });
  const distinct = Math.min(...found.map((each) => each.distinct));
  const spread = found.find((each) => each.spread !== undefined)?.spread;
  return {
    largest: largestValueShare(spread, distinct),
    squares: sumOfSquares(spread, distinct),
  };
}

/** The key columns of children in the graph that hold this column of their parent. */
function heldBy(
  { relationships }: EntityGraph,
  graph: QueryGraph,
  { node, attribute }: ColumnReference,
): ColumnReference[] {
  return graph.edges
    .filter(({ parent }) => parent === node)
    .flatMap(({ relationship, child }) => {
      const pairs = relationships.find(({ id }) => id === relationship)?.foreignKey ?? [];
      return pairs
        .filter((pair) => pair.parent === attribute)
        .map((pair) => ({ node: child, attribute: pair.child }));
    });
}

/** The share of records that the most frequent of `distinct` values has. */
export function largestValueShare(spread: Distribution | undefined, distinct: number): number {
  if (spread?.kind === "zipf") return 1 / powerSum(distinct, spread.exponent);
  return spread?.kind === "hot"
    ? spread.share + (1 - spread.share) / distinct
    : 1 / Math.max(1, distinct);
}

/** Σ p² over the values: what their unevenness adds to the variance of the nodes. */
export function sumOfSquares(spread: Distribution | undefined, distinct: number): number {
  if (spread?.kind === "zipf")
    return powerSum(distinct, 2 * spread.exponent) / powerSum(distinct, spread.exponent) ** 2;
  return spread?.kind === "hot"
    ? spread.share ** 2 + (1 - spread.share ** 2) / distinct
    : 1 / Math.max(1, distinct);
}

/** Σ k^−s for k = 1 … n: the first terms one by one, the rest by its integral from the middle of one bar to that of the next. */
export function powerSum(n: number, exponent: number): number {
  const exact = Math.min(Math.round(n), 10_000);
  let sum = 0;
  for (let k = 1; k <= exact; k += 1) sum += k ** -exponent;
  if (n <= exact) return sum;
  const [from, to] = [exact + 0.5, n + 0.5];
  const rest =
    Math.abs(exponent - 1) < 1e-9
      ? Math.log(to / from)
      : (to ** (1 - exponent) - from ** (1 - exponent)) / (1 - exponent);
  return sum + rest;
}
