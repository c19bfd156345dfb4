/**
 * Plans: how a query is answered, how a column family is kept true and how one is filled
 * (engine.md §4, §6, §7).
 *
 * A query plan is a list of steps, Gets on column families and what the application does between and
 * after them. Columns in a plan are columns of the *query's* graph; a Get says how its column
 * family's graph lies on the query's.
 */
import type { ColumnFamilyKey } from "./column-family.ts";
import type { ColumnReference } from "./query-graph.ts";
import type { Query, StatementId } from "./statement.ts";

/** How one key column of a Get gets its value. */
export interface Binding {
  /** Position in partition key then clustering key. */
  readonly column: ColumnReference;
  readonly key: "partition" | "clustering";
  /** From the statement's predicate (index into `predicates`, −1 for the constant column), or from rows fetched before. */
  readonly from: { readonly predicate: number } | "fetched";
}

/** A Get, run once per distinct combination of bound values. Legal without ALLOW FILTERING. */
export interface GetStep {
  readonly kind: "get";
  readonly columnFamily: ColumnFamilyKey;
  /** Node of the column family's graph → node of the query's graph, or −1 for a mandatory parent outside it. */
  readonly embedding: readonly number[];
  readonly bindings: readonly Binding[];
  /** Predicate (index) that restricts the clustering column after the bound ones. */
  readonly range?: number;
  /** Columns asked for, of the query's graph. */
  readonly selects: readonly ColumnReference[];
  /** The server returns rows in the order the query asks for, reading forwards or backwards. */
  readonly order?: "forward" | "reverse";
  /** The server groups by the columns after the bound ones and aggregates. */
  readonly grouped: boolean;
  /** The server aggregates all rows of the Get into one. */
  readonly aggregated: boolean;
  readonly limit?: number;
  /** Join with the rows so far on these columns (all those both sides know). Empty for the first Get. */
  readonly joinOn: readonly ColumnReference[];
  /** n: expected number of Gets. */
  readonly gets: number;
  /** w: expected rows returned by all Gets of this step together. */
  readonly rows: number;
  /** s: bytes per returned row. */
  readonly bytesPerRow: number;
  /** T(n, w, s), milliseconds per execution. */
  readonly cost: number;
}

/** Work in the application; `rows` is the expected number of rows it works on. */
export type ApplicationStep =
  | {
      readonly kind: "filter";
      readonly predicates: readonly number[];
      readonly rows: number;
      /** Expected number of rows that pass. */
      readonly left: number;
      readonly cost: number;
    }
  | { readonly kind: "sort"; readonly rows: number; readonly cost: number }
  | { readonly kind: "group"; readonly rows: number; readonly cost: number }
  | {
      readonly kind: "limit";
      readonly limit: number;
      readonly rows: number;
      readonly cost: number;
    };

export type PlanStep = GetStep | ApplicationStep;

export interface QueryPlan {
  /** Canonical: the statement and its Gets in order. */
  readonly key: string;
  readonly statement: StatementId;
  readonly steps: readonly PlanStep[];
  /** Column families in the order of the Gets; a family may stand twice. */
  readonly columnFamilies: readonly ColumnFamilyKey[];
  /** Milliseconds per execution. */
  readonly cost: number;
}

/** One Get answers the query (a materialised view), or several are joined. */
export function planKind(plan: QueryPlan): "materialised view" | "join" {
  return plan.columnFamilies.length === 1 ? "materialised view" : "join";
}

/** A node of a plan tree (a query plan group with its common prefixes): a Get that its plans share. `plan` is set where a plan is complete. */
export interface PlanTreeNode {
  readonly columnFamily: ColumnFamilyKey;
  readonly children: readonly PlanTreeNode[];
  readonly plan?: string;
}

/** Where a value that an update writes, or asks by, comes from. */
export type UpdateValue =
  /** The operand of an assignment of INSERT or UPDATE, by position. */
  | { readonly kind: "assignment"; readonly index: number }
  /** What the application gives an attribute that its INSERT does not name: every record has a value. */
  | { readonly kind: "default"; readonly attribute: string }
  /** The operand of an equality that names the record. */
  | { readonly kind: "predicate"; readonly index: number }
  /** Of the record that CONNECT or DISCONNECT begins with: an operand per identifier attribute. */
  | { readonly kind: "record"; readonly index: number }
  /** Of the record that a connection leads to. */
  | { readonly kind: "connection"; readonly connection: number; readonly index: number }
  /** Selected by the plan's `find`, at this position of its select list. */
  | { readonly kind: "found"; readonly index: number };

/** A column of the family's graph (not always of the family) whose value the statement says. */
export interface GivenColumn {
  readonly column: ColumnReference;
  readonly value: UpdateValue;
}

/** A **support query** as one update asks it for one column family. */
export interface SupportRead {
  readonly query: Query;
  /** One value for each predicate of the query, all of which are equalities. */
  readonly parameters: readonly UpdateValue[];
  /** For each selected column the column of the family's graph that it is. */
  readonly columns: readonly ColumnReference[];
  /** Expected reads per execution of the update. */
  readonly times: number;
}

/**
 * Rows that an update puts, deletes or changes, once for every record that it is about. They are the
 * combinations of what the statement gives with a row of each read; what contradicts itself (two
 * values for one column) is no row.
 */
export interface RowChange {
  /** `change`: the rows found get new values; where these stand in the key, the row is deleted and put anew. */
  readonly kind: "put" | "delete" | "change";
  readonly given: readonly GivenColumn[];
  readonly reads: readonly SupportRead[];
  /** Rows in which a record has this identifier are left out: another of the plan's changes is about them. */
  readonly except: readonly (readonly GivenColumn[])[];
  /** Of a change: new values that the statement gives, and reads of others; the rows found are joined with each. */
  readonly sets: readonly GivenColumn[];
  readonly renews: readonly SupportRead[];
  /** Expected rows put and deleted per execution of the update. */
  readonly puts: number;
  readonly deletes: number;
}

/**
 * How an update keeps one column family true. The application does all reads of all families first,
 * then the deletes, then the puts, since reads would see what has been written already. Several
 * changes may find the same row of the family: it gets the new values of all of them.
 */
export interface UpdatePlan {
  readonly statement: StatementId;
  readonly columnFamily: ColumnFamilyKey;
  /** Finds the identifiers of the records meant, where the condition does not name one. */
  readonly find?: {
    readonly query: Query;
    /** For each predicate of the query the position of the statement's own. */
    readonly predicates: readonly number[];
  };
  readonly changes: readonly RowChange[];
}

/** One source holds everything, or several are joined: reused query plans and complementary joins alike (§7). */
export type MigrationRule = "scan" | "join";

/** A way to fill `builds`: every source is read once in full, and the rows are joined on common columns. */
export interface MigrationPlan {
  readonly key: string;
  readonly builds: ColumnFamilyKey;
  readonly rule: MigrationRule;
  /** One to three column families of the schema before; in the order they are joined. */
  readonly sources: readonly ColumnFamilyKey[];
  /** Milliseconds: Σ T″(size of source). */
  readonly extractionCost: number;
  /** Milliseconds: T‴(size of the new column family). */
  readonly loadCost: number;
}

/** Which rule proposed a candidate, for which statement (§5). */
export interface Proposal {
  readonly statement: StatementId;
  readonly rule: CandidateRule;
}

export type CandidateRule =
  | "whole query"
  | "split"
  | "key lookup"
  | "entity lookup"
  | "relaxed"
  | "index"
  | "merged"
  | "support query"
  | "by hand";
