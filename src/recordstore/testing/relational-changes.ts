/**
 * Updates in the relational engine: each statement as SQL on the tables of records and links, and all
 * records read back from there. Written from the statement alone; knows nothing of update plans.
 *
 * What the conceptual model does not allow is undone and refused, as a database with foreign keys and
 * unique constraints would: a child without its parent, a second parent, an identifier twice. So is
 * what an application must not do although Cassandra would let it: to update, connect or disconnect
 * what is not there.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { SqlValue } from "sql.js";
import type { Change } from "#engine/plan-update.ts";
import type { Entity, EntityGraph, Relationship } from "#model/entity-graph.ts";
import { walkRole } from "#model/entity-graph.ts";
import type { Connect, Delete, Insert, Update } from "#model/statement.ts";
import { graphColumns } from "../graph-columns.ts";
import type { Fields, Link, Records, Value } from "../records.ts";
import type { ChangeValues } from "../run-update-plan.ts";
import type { Cell } from "../table.ts";
import { linkTable, quoted, type RelationalDatabase, sqlValue } from "./relational-oracle.ts";

/** Why a statement with these values is against the model. */
class NotAllowed extends Error {}

/** Executes the statement; says why not where it must not be. */
export function applyChange(
  database: RelationalDatabase,
  change: Change,
  values: ChangeValues,
): string | undefined {
  const run = new Changing(database, values);
  database.run("SAVEPOINT change");
  try {
    run.apply(change);
    run.checkModel();
    return undefined;
  } catch (error) {
    const constraint = error instanceof Error && error.message.includes("constraint failed");
    if (!(error instanceof NotAllowed) && !constraint) throw error;
    database.run("ROLLBACK TO change");
    return (error as Error).message;
  } finally {
    database.run("RELEASE change");
  }
}

class Changing {
  private readonly database: RelationalDatabase;
  private readonly entityGraph: EntityGraph;
  private readonly values: ChangeValues;

  constructor(database: RelationalDatabase, values: ChangeValues) {
    this.database = database;
    this.entityGraph = database.entityGraph;
    this.values = values;
  }

  apply(change: Change): void {
    if (change.kind === "insert") this.insert(change);
    else if (change.kind === "update") this.update(change);
    else if (change.kind === "delete") this.delete(change);
    else this.link(change);
  }

  private insert({ entity: name, assignments, connections }: Insert): void {
    const entity = this.entity(name);
    const fields: Record<string, Value> = { ...this.values.defaults };
    assignments.forEach(({ attribute }, index) => {
      fields[attribute] = this.values.assignments[index] as Value;
    });
    const links: { relationship: Relationship; toEnd: 0 | 1; other: SqlValue }[] = [];
    connections.forEach(({ role }, index) => {
      const walk = walkRole(this.entityGraph, name, role);
      if (!walk) throw new Error(`no role ${role}`);
      const { relationship, toEnd } = walk;
      const target = relationship.ends[toEnd].entity;
      const identifier = this.values.connections[index] ?? [];
      const other = this.positionOf(target, identifier);
      if (relationship.foreignKey.length === 0) links.push({ relationship, toEnd, other });
      for (const { child, parent } of relationship.foreignKey)
        fields[child] = identifier[this.entity(target).identifier.indexOf(parent)] as Value;
    });
    const next =
      Number(this.database.rows(`SELECT max("#") FROM ${quoted(name)}`)[0]?.[0] ?? -1) + 1;
    const cells = entity.attributes.map((each) => sqlValue(fields[each.name] as Value));
    this.database.run(
      `INSERT INTO ${quoted(name)} VALUES (?, ${cells.map(() => "?").join(", ")})`,
      [next, ...cells],
    );
    for (const { relationship, toEnd, other } of links)
      this.addLink(relationship, toEnd === 0 ? [other, next] : [next, other]);
  }

  private update(statement: Update): void {
    const positions = this.meant(statement);
    const name = statement.graph.nodes[statement.target]?.entity ?? "";
    const sets = statement.assignments.map(({ attribute }) => `${quoted(attribute)} = ?`);
    const cells = statement.assignments.map((_, index) =>
      sqlValue(this.values.assignments[index] as Value),
    );
    for (const position of positions)
      this.database.run(`UPDATE ${quoted(name)} SET ${sets.join(", ")} WHERE "#" = ?`, [
        ...cells,
        position,
      ]);
  }

  private delete(statement: Delete): void {
    const positions = this.meant(statement);
    const name = statement.graph.nodes[statement.target]?.entity ?? "";
    for (const position of positions) {
      this.database.run(`DELETE FROM ${quoted(name)} WHERE "#" = ?`, [position]);
      for (const { id, ends, foreignKey } of this.entityGraph.relationships) {
        if (foreignKey.length > 0) continue;
        for (const [end, column] of [
          [ends[0], "parent"],
          [ends[1], "child"],
        ] as const)
          if (end.entity === name)
            this.database.run(`DELETE FROM ${linkTable(id)} WHERE ${column} = ?`, [position]);
      }
    }
  }

  /** The records that a condition means. */
  private meant({ graph, target, predicates }: Update | Delete): SqlValue[] {
    const parameters: SqlValue[] = [];
    const fromWhere = this.database.fromWhere(
      graph,
      predicates,
      this.values.predicates,
      parameters,
    );
    const found = this.database.rows(`SELECT DISTINCT n${target}."#" ${fromWhere}`, parameters);
    const columns = graphColumns(this.entityGraph, graph);
    const equal = predicates.flatMap(({ kind, column }) =>
      kind === "equal" ? [columns.classOf(column)] : [],
    );
    const named = columns.identifiers[target]?.every((id) => equal.includes(id)) ?? false;
    if (named && found.length === 0) throw new NotAllowed("the record named is not there");
    return found.map(([position]) => position as SqlValue);
  }

  private link({ kind, entity, connection }: Connect): void {
    const walk = walkRole(this.entityGraph, entity, connection.role);
    if (!walk) throw new Error(`no role ${connection.role}`);
    const { relationship, toEnd } = walk;
    const there = relationship.ends[toEnd].entity;
    const here = this.positionOf(entity, this.values.record);
    const other = this.positionOf(there, this.values.connections[0] ?? []);
    const pair: [SqlValue, SqlValue] = toEnd === 0 ? [other, here] : [here, other];
    if (relationship.foreignKey.length > 0) this.giveParent(relationship, pair);
    else if (kind === "connect") this.addLink(relationship, pair);
    else {
      const where = `${linkTable(relationship.id)} WHERE parent = ? AND child = ?`;
      if (this.database.rows(`SELECT 1 FROM ${where}`, pair).length === 0)
        throw new NotAllowed("the link to be broken is not there");
      this.database.run(`DELETE FROM ${where}`, pair);
    }
  }

  private giveParent(
    { ends, foreignKey, id }: Relationship,
    [parent, child]: readonly [SqlValue, SqlValue],
  ): void {
    const name = ends[1].entity;
    // Keys that relationships share stay as they are: the child would leave its other parents too.
    const shared = this.entityGraph.relationships
      .filter((each) => each.ends[1].entity === name && each.id !== id)
      .flatMap((each) => each.foreignKey.map((key) => key.child));
    for (const key of foreignKey) {
      const [value] = this.database.rows(
        `SELECT ${quoted(key.parent)} FROM ${quoted(ends[0].entity)} WHERE "#" = ?`,
        [parent],
      )[0] as [Cell];
      const [before] = this.database.rows(
        `SELECT ${quoted(key.child)} FROM ${quoted(name)} WHERE "#" = ?`,
        [child],
      )[0] as [Cell];
      if (shared.includes(key.child) && before !== value)
        throw new NotAllowed("another parent has a part in the key");
      this.database.run(`UPDATE ${quoted(name)} SET ${quoted(key.child)} = ? WHERE "#" = ?`, [
        value as SqlValue,
        child,
      ]);
    }
  }

  private addLink({ id }: Relationship, pair: readonly [SqlValue, SqlValue]): void {
    this.database.run(`INSERT OR IGNORE INTO ${linkTable(id)} VALUES (?, ?)`, pair);
  }

  private positionOf(entity: string, identifier: readonly Value[]): SqlValue {
    const where = this.entity(entity).identifier.map((name) => `${quoted(name)} = ?`);
    const found = this.database.rows(
      `SELECT "#" FROM ${quoted(entity)} WHERE ${where.join(" AND ")}`,
      identifier.map(sqlValue),
    )[0];
    if (!found) throw new NotAllowed(`there is no such ${entity}`);
    return found[0] as SqlValue;
  }

  private entity(name: string): Entity {
    return this.entityGraph.entities[name] as Entity;
  }

  /** What the model says of the links. */
  checkModel(): void {
    for (const relationship of this.entityGraph.relationships)
      for (const [rule, sql] of broken(relationship))
        if (this.database.rows(`${sql} LIMIT 1`).length > 0) throw new NotAllowed(rule);
  }
}

/** For each rule a SELECT of what breaks it. */
function broken({
  id,
  ends,
  multiplicity,
  foreignKey,
  atLeastOne,
}: Relationship): [string, string][] {
  const held = foreignKey.length > 0;
  const [parents, children] = ends.map(({ entity }) => quoted(entity)) as [string, string];
  const on = foreignKey.map((key) => `c.${quoted(key.child)} = p.${quoted(key.parent)}`);
  const linked = held
    ? `SELECT p."#" AS parent, c."#" AS child FROM ${parents} AS p JOIN ${children} AS c ON ${on.join(" AND ")}`
    : `SELECT parent, child FROM ${linkTable(id)}`;
  const twice = (column: string): string =>
    `SELECT 1 FROM (${linked}) GROUP BY ${column} HAVING count(*) > 1`;
  const without = (table: string, column: string): string =>
    `SELECT 1 FROM ${table} WHERE "#" NOT IN (SELECT ${column} FROM (${linked}))`;
  const rules: [string, string][] = [];
  if (held) rules.push(["a child is without its parent", without(children, "child")]);
  if (multiplicity !== "manyToMany") rules.push(["a child has two parents", twice("child")]);
  if (multiplicity === "oneToOne") rules.push(["a parent has two children", twice("parent")]);
  if (atLeastOne && multiplicity !== "manyToMany")
    rules.push(["a parent is without a child", without(parents, "parent")]);
  return rules;
}

/** All records and links, as they are in the database now. */
export function readRecords(database: RelationalDatabase): Records {
  const { entityGraph } = database;
  const entities = new Map<string, Fields[]>();
  const places = new Map<string, Map<Cell, number>>();
  for (const { name, attributes } of Object.values(entityGraph.entities)) {
    const columns = attributes.map((each) => quoted(each.name)).join(", ");
    const rows = database.rows(`SELECT "#", ${columns} FROM ${quoted(name)} ORDER BY "#"`);
    places.set(name, new Map(rows.map(([position], index) => [position as Cell, index])));
    entities.set(
      name,
      rows.map((row) =>
        Object.fromEntries(
          attributes.map((each, at) => {
            const cell = row[at + 1] as Value;
            return [each.name, each.type === "boolean" ? cell === 1 : cell];
          }),
        ),
      ),
    );
  }
  const links = new Map(
    entityGraph.relationships.map(({ id, ends, foreignKey }) => {
      const on = foreignKey.map((key) => `c.${quoted(key.child)} = p.${quoted(key.parent)}`);
      const sql =
        foreignKey.length > 0
          ? `SELECT p."#", c."#" FROM ${quoted(ends[0].entity)} AS p, ${quoted(ends[1].entity)} AS c WHERE ${on.join(" AND ")}`
          : `SELECT parent, child FROM ${linkTable(id)}`;
      const pairs = database.rows(sql).map(
        ([parent, child]): Link => ({
          parent: places.get(ends[0].entity)?.get(parent as Cell) as number,
          child: places.get(ends[1].entity)?.get(child as Cell) as number,
        }),
      );
      return [id, pairs] as const;
    }),
  );
  return { entities, links };
}
