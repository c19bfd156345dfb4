/** The ways to spread records over nodes, with what each needs to know. Data only; `place-keys.ts` carries them out. */
import type { Partitioner } from "./token.ts";

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
  const name = { "hash mod": "hash mod N", ring: "ring", range: "range", list: "list" };
  const kind = strategy.kind in name ? name[strategy.kind as keyof typeof name] : strategy.kind;
  return `${kind} by ${strategy.key.join(" and ")}`;
}
