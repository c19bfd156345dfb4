/**
 * The oracle: the same records in a relational engine (SQLite in WebAssembly), the statement as SQL
 * there. Written from the statement alone; knows nothing of column families and plans.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import initSqlJs, {
  type Database,
  type SqlJsStatic,
  type Statement as SqlStatement,
  type SqlValue,
} from "sql.js";
import type { Entity, EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { ColumnReference, GraphEdge, QueryGraph } from "#model/query-graph.ts";
import type { Predicate, Query, Selection } from "#model/statement.ts";
import type { Records, Value } from "../records.ts";
import type { PredicateValues } from "../run-query-plan.ts";
import type { Cell } from "../table.ts";

export interface RelationalAnswer {
  /** All rows, in the order asked for, before any LIMIT. */
  readonly rows: readonly (readonly Cell[])[];
  readonly orderKeys: readonly (readonly Cell[])[];
  readonly sql: string;
}

export class RelationalEngine {
  private readonly sqlJs: SqlJsStatic;
  private constructor(sqlJs: SqlJsStatic) {
    this.sqlJs = sqlJs;
  }

  static async start(): Promise<RelationalEngine> {
    return new RelationalEngine(await initSqlJs());
  }

  /** A database of its own for some records; to be closed. */
  load(entityGraph: EntityGraph, records: Records): RelationalDatabase {
    return new RelationalDatabase(new this.sqlJs.Database(), entityGraph, records);
  }
}

export class RelationalDatabase {
  readonly entityGraph: EntityGraph;
  private readonly database: Database;
  /** Statements prepared before, by their text. */
  private readonly prepared = new Map<string, SqlStatement>();

  constructor(database: Database, entityGraph: EntityGraph, records: Records) {
    this.database = database;
    this.entityGraph = entityGraph;
    database.run("BEGIN");
    for (const entity of Object.values(entityGraph.entities)) this.loadEntity(entity, records);
    for (const relationship of entityGraph.relationships)
      if (relationship.foreignKey.length === 0) this.loadLinks(relationship, records);
    database.run("COMMIT");
  }

  close(): void {
    this.database.close();
  }

  /** The statement's answer; LIMIT is left to whoever compares, for which rows it keeps may be open. */
  answer(query: Query, values: PredicateValues): RelationalAnswer {
    const parameters: SqlValue[] = [];
    const sql = this.sqlOf(query, values, parameters);
    const rows: Cell[][] = [];
    const orderKeys: Cell[][] = [];
    for (const cells of this.rows(sql, parameters)) {
      rows.push(cells.slice(0, query.select.length));
      orderKeys.push(cells.slice(query.select.length));
    }
    return { rows, orderKeys, sql };
  }

  /** The rows of any SELECT. */
  rows(sql: string, parameters: readonly SqlValue[] = []): Cell[][] {
    const statement = this.prepare(sql);
    statement.bind([...parameters]);
    const rows: Cell[][] = [];
    while (statement.step()) rows.push(statement.get() as Cell[]);
    statement.reset();
    return rows;
  }

  /** Runs anything else. */
  run(sql: string, parameters: readonly SqlValue[] = []): void {
    const statement = this.prepare(sql);
    try {
      statement.run([...parameters]);
    } finally {
      statement.reset();
    }
  }

  /** FROM and WHERE for a graph (node n has the alias `n…`) and conditions on it, whose values are appended to `parameters`. */
  fromWhere(
    graph: QueryGraph,
    predicates: readonly Predicate[],
    values: PredicateValues,
    parameters: SqlValue[],
  ): string {
    const tables = graph.nodes.map(({ entity }, node) => `${quoted(entity)} AS n${node}`);
    const joins = graph.edges.map((edge, index) => this.joinOf(edge, index));
    const conditions = predicates.map((predicate, index) =>
      conditionOf(predicate, values[index] ?? [], parameters),
    );
    const from = [...tables, ...joins.flatMap(({ table }) => table)].join(", ");
    const where = [...joins.flatMap(({ conditions: all }) => all), ...conditions];
    return `FROM ${from}${where.length > 0 ? ` WHERE ${where.join(" AND ")}` : ""}`;
  }

  private prepare(sql: string): SqlStatement {
    const known = this.prepared.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }

  private loadEntity({ name, attributes, identifier }: Entity, records: Records): void {
    const columns = attributes.map(
      (attribute) => `${quoted(attribute.name)} ${sqlType(attribute.type)} NOT NULL`,
    );
    const key = identifier.map(quoted).join(", ");
    this.database.run(
      `CREATE TABLE ${quoted(name)} ("#" INTEGER UNIQUE, ${columns.join(", ")}, PRIMARY KEY (${key}))`,
    );
    const insert = this.database.prepare(
      `INSERT INTO ${quoted(name)} VALUES (?, ${attributes.map(() => "?").join(", ")})`,
    );
    records.entities.get(name)?.forEach((fields, position) => {
      insert.run([position, ...attributes.map((each) => sqlValue(fields[each.name] as Value))]);
    });
    insert.free();
  }

  private loadLinks({ id }: Relationship, records: Records): void {
    this.database.run(
      `CREATE TABLE ${linkTable(id)} (parent INTEGER, child INTEGER, PRIMARY KEY (parent, child))`,
    );
    const insert = this.database.prepare(`INSERT INTO ${linkTable(id)} VALUES (?, ?)`);
    for (const { parent, child } of records.links.get(id) ?? []) insert.run([parent, child]);
    insert.free();
  }

  private sqlOf(query: Query, values: PredicateValues, parameters: SqlValue[]): string {
    const { graph, select, predicates, groupBy, orderBy } = query;
    const output = [...select, ...orderBy.map(({ by }) => by)].map(outputOf);
    return [
      `SELECT ${output.join(", ")} ${this.fromWhere(graph, predicates, values, parameters)}`,
      groupBy.length > 0 ? `GROUP BY ${groupBy.map(columnOf).join(", ")}` : "",
      orderBy.length > 0
        ? `ORDER BY ${orderBy.map(({ by, direction }) => `${outputOf(by)} ${direction}`).join(", ")}`
        : "",
    ]
      .filter((clause) => clause !== "")
      .join(" ");
  }

  private joinOf(
    { relationship, parent, child }: GraphEdge,
    index: number,
  ): { table: string[]; conditions: string[] } {
    const found = this.entityGraph.relationships.find(({ id }) => id === relationship);
    const foreignKey = found?.foreignKey ?? [];
    if (foreignKey.length === 0)
      return {
        table: [`${linkTable(relationship)} AS l${index}`],
        conditions: [`l${index}.parent = n${parent}."#"`, `l${index}.child = n${child}."#"`],
      };
    return {
      table: [],
      conditions: foreignKey.map(
        (key) => `n${child}.${quoted(key.child)} = n${parent}.${quoted(key.parent)}`,
      ),
    };
  }
}

function conditionOf(
  predicate: Predicate,
  values: readonly Value[],
  parameters: SqlValue[],
): string {
  const column = columnOf(predicate.column);
  parameters.push(...values.map(sqlValue));
  switch (predicate.kind) {
    case "equal":
      return `${column} = ?`;
    case "in":
      return `${column} IN (${values.map(() => "?").join(", ")})`;
    case "range":
      return predicate.bounds.map(({ operator }) => `${column} ${operator} ?`).join(" AND ");
  }
}

function outputOf(item: Selection): string {
  if (item.kind === "column") return columnOf(item.column);
  return `${item.function}(${item.column ? columnOf(item.column) : "*"})`;
}

function columnOf({ node, attribute }: ColumnReference): string {
  return `n${node}.${quoted(attribute)}`;
}

export function linkTable(relationship: string): string {
  return quoted(`link ${relationship}`);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sqlType(type: string): string {
  if (type === "text" || type === "uuid" || type === "blob") return "TEXT";
  return type === "double" || type === "decimal" ? "REAL" : "INTEGER";
}

export function sqlValue(value: Value): SqlValue {
  return typeof value === "boolean" ? Number(value) : value;
}
