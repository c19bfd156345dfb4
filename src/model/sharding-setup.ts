/**
 * What a person decides in the sharding lab: the cluster, how the values of columns are spread, which keys
 * requests ask for, and the strategies that are compared. Kept in the document; the lab's arithmetic is in
 * `sharding`.
 */
import type { StatementId } from "./statement.ts";

/** Cassandra's hashing partitioners: Murmur3Partitioner, the default, and RandomPartitioner (MD5). */
export type Partitioner = "murmur3" | "random";

/** How the values of a column are spread over the records. */
export type Distribution =
  /** Every record has a value of its own. */
  | { readonly kind: "unique" }
  /** Each value is equally likely. */
  | { readonly kind: "uniform" }
  /** Each value in turn: as even as can be. */
  | { readonly kind: "even" }
  /** The k-th most frequent value with a frequency of k^−exponent. */
  | { readonly kind: "zipf"; readonly exponent: number }
  /** One value in `share` of all records, the others equally likely. */
  | { readonly kind: "hot"; readonly share: number }
  /** Rising with time: a later record never has a smaller value. */
  | { readonly kind: "arrival" }
  /** Decided by the value of another column, given by its name. */
  | { readonly kind: "follows"; readonly column: string };

/** How a request chooses among the keys that it can name. */
export type KeyPick =
  /** Every key is equally likely. */
  | { readonly kind: "uniform" }
  /** Every record is equally likely: keys in proportion to their records. */
  | { readonly kind: "records" }
  /** The k-th most popular key with k^−exponent. */
  | { readonly kind: "zipf"; readonly exponent: number }
  /** The k-th youngest record with k^−exponent: what has just arrived is asked for most. */
  | { readonly kind: "latest"; readonly exponent: number }
  /** One key in `share` of all requests, the others equally likely. */
  | { readonly kind: "hot key"; readonly share: number };

/** A way to spread records over nodes. */
export type Strategy =
  /** Record i goes to node i mod N, whatever it holds. */
  | { readonly kind: "round robin" }
  /** The order of one column, cut into as many ranges as there are nodes. */
  | { readonly kind: "range"; readonly key: readonly [string]; readonly cut: RangeCut }
  /** Values of one column by hand, each to the node at that position; the rest to `otherwise`. */
  | {
      readonly kind: "list";
      readonly key: readonly [string];
      /** `lists[node]`: texts of values. */
      readonly lists: readonly (readonly string[])[];
      readonly otherwise: number;
    }
  /** The token of the key, as a number from 0, modulo N. */
  | { readonly kind: "hash mod"; readonly key: readonly string[]; readonly hash: Partitioner }
  /** Cassandra's ring. */
  | {
      readonly kind: "ring";
      readonly key: readonly string[];
      readonly hash: Partitioner;
      readonly tokens: "even" | "random";
      /** Tokens per node where they are random. */
      readonly virtualNodes: number;
    }
  | { readonly kind: "jump hash" | "slots"; readonly key: readonly string[] };

/** Where the ranges end: below a border, at equal distances of values, or after equal numbers of records. */
export type RangeCut =
  | { readonly kind: "equal width" | "equal count" }
  /** Texts of values in rising order, one fewer than nodes: a value below `borders[i]` goes to node i. */
  | { readonly kind: "by hand"; readonly borders: readonly string[] };

/** The columns that decide the node. */
export function strategyKey(strategy: Strategy): readonly string[] {
  return strategy.kind === "round robin" ? [] : strategy.key;
}

/** `range by date`, as written everywhere. */
export function strategyText(strategy: Strategy): string {
  if (strategy.kind === "round robin") return "round robin";
  const kind = strategy.kind === "hash mod" ? "hash mod N" : strategy.kind;
  return `${kind} by ${strategy.key.join(" and ")}`;
}

/** The nodes that records are spread over. */
export interface Cluster {
  /** Number of nodes, ≥ 1. */
  readonly nodes: number;
  /** Copies of each record, the first included. */
  readonly replicas: number;
  readonly partitioner: Partitioner;
  /** Tokens per node. */
  readonly virtualNodes: number;
  /** A node or key is hot from this multiple of the mean on. */
  readonly threshold: number;
  /** Bytes that a node can hold, where a person knows it. */
  readonly nodeBytes?: number;
}

export const defaultCluster: Cluster = {
  nodes: 6,
  replicas: 1,
  partitioner: "murmur3",
  virtualNodes: 16,
  threshold: 1.5,
};

/** Most nodes that the lab works with. */
export const mostNodes = 1000;

/** A step of a story: what to look at, and what is to be seen there. */
export interface StoryStep {
  readonly title: string;
  readonly text: string;
  /** Id of the entity whose records are spread. */
  readonly table: string;
  readonly strategies: readonly Strategy[];
}

/** One row of a table of keys: is this column a good key for these records? */
export interface KeyQuestion {
  readonly table: string;
  readonly key: readonly string[];
  readonly verdict: KeyVerdict;
}

export type KeyVerdict = "good" | "doubtful" | "bad";

/** What the optimiser has to respect of partitions; each absent: no limit, no price. */
export interface PartitionLimits {
  /** Bytes and rows of the largest partition of a table. */
  readonly largestBytes?: number;
  readonly largestRows?: number;
  /** Share of a table's rows in its largest partition, 0 … 1: what makes its node hot. */
  readonly largestShare?: number;
  /** Milliseconds for every partition beyond the first that a step of a plan asks. */
  readonly perFurtherPartition?: number;
}

export interface ShardingSetup {
  readonly cluster: Cluster;
  readonly limits?: PartitionLimits;
  /** Id of the entity whose records are spread; absent: the first one with a statement. */
  readonly table?: string;
  /** By entity id, then by attribute. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, Distribution>>>>;
  readonly picks?: Readonly<Record<StatementId, KeyPick>>;
  readonly strategies?: readonly Strategy[];
  readonly story?: readonly StoryStep[];
  readonly keys?: readonly KeyQuestion[];
}
