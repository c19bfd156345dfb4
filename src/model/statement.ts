/**
 * Statements on the conceptual model, resolved: names have become nodes and attributes of a query
 * graph in canonical form (engine.md §2). `statement-text.ts` parses and prints them.
 */
import type { ColumnReference, QueryGraph } from "./query-graph.ts";

export type StatementId = string;

/** Where a compared or assigned value comes from. */
export type Operand =
  | { readonly kind: "parameter"; readonly name?: string }
  | { readonly kind: "literal"; readonly value: string | number | boolean };

export type RangeOperator = "<" | "<=" | ">" | ">=";

/**
 * One condition on one column. `equal` and `in` can bind a key column; `range` can bind the last
 * restricted clustering column (BETWEEN is a range of two bounds).
 */
export type Predicate =
  | { readonly kind: "equal"; readonly column: ColumnReference; readonly operand: Operand }
  | {
      readonly kind: "in";
      readonly column: ColumnReference;
      /** One operand per listed value; a single parameter `IN ?` stands for the whole list. */
      readonly operands: readonly Operand[];
      /** Expected number of values in the list (default 3 for `IN ?`). */
      readonly listLength: number;
    }
  | {
      readonly kind: "range";
      readonly column: ColumnReference;
      readonly bounds: readonly { readonly operator: RangeOperator; readonly operand: Operand }[];
      /** Expected share of rows that pass, 0 … 1 (default 0.3). */
      readonly selectivity: number;
    };

export type AggregateFunction = "count" | "sum" | "min" | "max" | "avg";

/** An output column: plain, or an aggregate (`column` absent for `count(*)`). */
export type Selection =
  | { readonly kind: "column"; readonly column: ColumnReference }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      readonly column?: ColumnReference;
    };

export interface Ordering {
  readonly by: Selection;
  readonly direction: "asc" | "desc";
}

interface StatementBase {
  readonly id: StatementId;
  readonly label: string;
  /** For editing many curves at once; "" when ungrouped. */
  readonly group: string;
  /** As the person wrote it. */
  readonly text: string;
}

export interface Query extends StatementBase {
  readonly kind: "query";
  readonly graph: QueryGraph;
  readonly select: readonly Selection[];
  readonly predicates: readonly Predicate[];
  readonly groupBy: readonly ColumnReference[];
  readonly orderBy: readonly Ordering[];
  readonly limit?: number;
}

/** `attribute` (own attribute of the statement's entity) gets `operand`. */
export interface Assignment {
  readonly attribute: string;
  readonly operand: Operand;
}

/** A link to the record that `operands` identify (one per identifier attribute), along `role`. */
export interface Connection {
  readonly role: string;
  readonly operands: readonly Operand[];
}

export interface Insert extends StatementBase {
  readonly kind: "insert";
  readonly entity: string;
  readonly assignments: readonly Assignment[];
  readonly connections: readonly Connection[];
}

/** An update or delete of the records at `target` of `graph` for which the predicates hold. */
export interface Update extends StatementBase {
  readonly kind: "update";
  readonly graph: QueryGraph;
  readonly target: number;
  readonly assignments: readonly Assignment[];
  readonly predicates: readonly Predicate[];
}

export interface Delete extends StatementBase {
  readonly kind: "delete";
  readonly graph: QueryGraph;
  readonly target: number;
  readonly predicates: readonly Predicate[];
}

/** CONNECT and DISCONNECT: makes or breaks one link of a relationship. */
export interface Connect extends StatementBase {
  readonly kind: "connect" | "disconnect";
  readonly entity: string;
  /** Identifies the record on this side; one operand per identifier attribute. */
  readonly operands: readonly Operand[];
  readonly connection: Connection;
}

export type Statement = Query | Insert | Update | Delete | Connect;

export function isQuery(statement: Statement): statement is Query {
  return statement.kind === "query";
}

/** Selectivity of a range where a person gave none (§6). */
export const defaultRangeSelectivity = 0.3;
/** Length of an `IN ?` list where a person gave none (§6). */
export const defaultListLength = 3;
