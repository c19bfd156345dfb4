/**
 * A schema that somebody already has, as it was read from SQL or CQL, and the plan by which it becomes
 * entities. Reading decides nothing that a person should be asked: what is doubtful is a question of the
 * plan, with an answer that is taken until another one is given.
 */
import type { AttributeDrawing, RelationshipDrawing } from "./entity-drawing.ts";
import type { AttributeType } from "./entity-graph.ts";

export type SqlDialect = "postgres" | "mysql" | "sqlite" | "sqlserver";

export interface ImportedColumn {
  readonly name: string;
  /** As it is written in the file. */
  readonly sqlType: string;
  readonly type: AttributeType;
  /** Average bytes of a value; absent: the type's default. */
  readonly bytes?: number;
  /** Never null. */
  readonly required: boolean;
  /** The default is 0, which often stands for “none”. */
  readonly zeroByDefault: boolean;
  readonly line: number;
}

export interface ImportedReference {
  readonly columns: readonly string[];
  /** `id` of the table that is referred to. */
  readonly parent: string;
  /** Paired with `columns` by position. */
  readonly parentColumns: readonly string[];
  readonly line: number;
}

export interface ImportedTable {
  /** Unique in a schema: the name with what qualifies it. */
  readonly id: string;
  readonly qualifier: string;
  readonly name: string;
  readonly line: number;
  readonly columns: readonly ImportedColumn[];
  readonly primaryKey: readonly string[];
  /** Beside the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly references: readonly ImportedReference[];
  readonly note?: string;
}

/** Consecutive statements or clauses of one kind that were left out, and why. */
export interface SkippedPart {
  /** Lines of the first and of the last of them, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** How many there are. */
  readonly count: number;
  /** The first words of the first of them. */
  readonly what: string;
  readonly reason: string;
}

/** Something to know about what was read. */
export interface ImportNote {
  readonly line?: number;
  readonly text: string;
}

export interface ReadSchema {
  readonly dialect: SqlDialect;
  readonly tables: readonly ImportedTable[];
  readonly skipped: readonly SkippedPart[];
  readonly notes: readonly ImportNote[];
}

// --------------------------------------------------------------------------------- tables of Cassandra

export interface CqlColumn {
  readonly name: string;
  readonly cqlType: string;
  readonly type: AttributeType;
  readonly bytes?: number;
  /** Stored once in a partition. */
  readonly isStatic: boolean;
  readonly line: number;
}

export interface CqlTable {
  /** Unique in a schema: the name with its keyspace. */
  readonly id: string;
  readonly keyspace: string;
  readonly name: string;
  readonly line: number;
  readonly columns: readonly CqlColumn[];
  readonly partitionKey: readonly string[];
  readonly clusteringKey: readonly {
    readonly column: string;
    readonly direction: "asc" | "desc";
  }[];
  readonly note?: string;
}

export interface ReadCql {
  readonly tables: readonly CqlTable[];
  readonly skipped: readonly SkippedPart[];
  readonly notes: readonly ImportNote[];
}

// -------------------------------------------------------------------------------------------- the plan

export interface ImportOption {
  readonly value: string;
  readonly words: string;
}

/** What a person is asked. Until it is answered the first option holds, or the number `assumed`. */
export type ImportQuestion =
  | {
      readonly kind: "junction" | "one to one" | "link by name" | "layout";
      readonly id: string;
      readonly line: number;
      readonly text: string;
      readonly options: readonly ImportOption[];
      readonly answer: string;
    }
  | {
      readonly kind: "count";
      readonly id: string;
      /** Whose records are counted; absent where it is the links of a relationship. */
      readonly entity?: string;
      readonly line: number;
      readonly text: string;
      /** Stands for the number until it is given. */
      readonly assumed: number;
      readonly answer: number | undefined;
    };

/** By the questions' ids. An answer that is no option, or no number of at least 1, counts as none. */
export type ImportAnswers = Readonly<Record<string, string | number>>;

export interface PlannedEntity {
  readonly name: string;
  readonly count: number;
  readonly attributes: readonly AttributeDrawing[];
  readonly identifier: readonly string[];
  readonly note?: string;
  /** Where its table is created. */
  readonly line: number;
}

/** A name that is not the same as in the file. */
export interface RenamedPart {
  readonly line: number;
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export interface ImportPlan {
  readonly entities: readonly PlannedEntity[];
  readonly relationships: readonly RelationshipDrawing[];
  readonly questions: readonly ImportQuestion[];
  readonly renamed: readonly RenamedPart[];
  /** What the plan leaves out or changes, beside names. */
  readonly notes: readonly ImportNote[];
  /** Tables as texts for the schema by hand; only where tables of Cassandra were read. */
  readonly handMade?: readonly string[];
}
