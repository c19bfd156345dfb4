/**
 * Random statements that change records, for any model: conditions of every kind over a tree of
 * entities or by identifier, inserts with connections in both directions, links made and broken. And
 * values for them that fit some records: most of what is drawn does something.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { Change } from "#engine/plan-update.ts";
import type { Entity, EntityGraph, GraphAttribute } from "#model/entity-graph.ts";
import { rolesOf, type Walk, walkRole } from "#model/entity-graph.ts";
import type { Random } from "#model/random.ts";
import type { Connection, Delete, Insert, Operand, Query, Update } from "#model/statement.ts";
import { isQuery } from "#model/statement.ts";
import { columnsOf, queryOver, randomQuery, randomTree } from "#model/statement-test-random.ts";
import { parseStatement, printStatement } from "#model/statement-text.ts";
import type { Fields, Records, Value } from "../records.ts";
import type { ChangeValues } from "../run-update-plan.ts";
import { ValueChooser } from "./choose-values.ts";

const parameter: Operand = { kind: "parameter" };

/** So many statements, fewer where some that are drawn are no statements. */
export function randomChanges(entityGraph: EntityGraph, count: number, random: Random): Change[] {
  const changes: Change[] = [];
  for (let index = 0; index < count; index += 1) {
    const drawn = randomChange(entityGraph, random);
    const text = drawn && printStatement(drawn, entityGraph);
    if (text === undefined) continue;
    // What the language refuses is not asked for: the printed text has to mean the same.
    const parsed = parseStatement({ id: `u${index}`, label: "", group: "", text }, entityGraph);
    if (parsed.ok && !isQuery(parsed.value)) changes.push(parsed.value);
  }
  return changes;
}

const head = { id: "u", label: "", group: "", text: "" };

function randomChange(entityGraph: EntityGraph, random: Random): Change | undefined {
  switch (random.below(8)) {
    case 0:
      return randomInsert(entityGraph, random);
    case 1:
      return conditional(entityGraph, random, "delete");
    case 2:
    case 3:
      return randomLink(entityGraph, random, "connect");
    case 4:
      return randomLink(entityGraph, random, "disconnect");
    case 5:
      return randomInsert(entityGraph, random);
    default:
      return conditional(entityGraph, random, "update");
  }
}

function conditional(
  entityGraph: EntityGraph,
  random: Random,
  kind: "update" | "delete",
): Update | Delete | undefined {
  const choice = (count: number): number => random.below(count);
  const byName = random.below(5) < 2;
  const whole = randomTree(choice, entityGraph, () => true);
  const size = byName && random.below(3) > 0 ? 1 : 1 + random.below(3);
  const tree = { entities: whole.entities.slice(0, size), edges: whole.edges.slice(0, size - 1) };
  const query = queryOver(entityGraph, tree, randomQuery(choice, columnsOf(entityGraph, tree)));
  const { graph } = query;
  const target = random.below(graph.nodes.length);
  const entity = entityGraph.entities[graph.nodes[target]?.entity ?? ""] as Entity;
  const predicates = byName
    ? entity.identifier.map((attribute) => ({
        kind: "equal" as const,
        column: { node: target, attribute },
        operand: parameter,
      }))
    : query.predicates.slice(0, 1 + random.below(2));
  if (kind === "delete") return { ...head, kind, graph, target, predicates };
  const free = freeAttributes(entityGraph, entity);
  const assignments = random
    .shuffled(free)
    .slice(0, 1 + random.below(2))
    .map(({ name }) => ({ attribute: name, operand: parameter }));
  if (assignments.length === 0) return undefined;
  return { ...head, kind, graph, target, assignments, predicates };
}

/** Attributes that an UPDATE may set. */
function freeAttributes(entityGraph: EntityGraph, entity: Entity): GraphAttribute[] {
  const held = new Set(
    entityGraph.relationships.flatMap(({ ends, foreignKey }) =>
      ends[1].entity === entity.name ? foreignKey.map(({ child }) => child) : [],
    ),
  );
  return entity.attributes.filter(
    ({ name, type }) => !held.has(name) && !entity.identifier.includes(name) && type !== "counter",
  );
}

function randomInsert(entityGraph: EntityGraph, random: Random): Insert {
  const entities = Object.values(entityGraph.entities);
  const entity = entities[random.below(entities.length)] as Entity;
  const walks = rolesOf(entityGraph, entity.name)
    .flatMap((role) => walkRole(entityGraph, entity.name, role) ?? [])
    .filter((walk) => isConnected(entity, walk, random));
  const connections = walks.flatMap(({ relationship, toEnd }): Connection[] => {
    const { role, entity: other } = relationship.ends[toEnd];
    const connection = { role, operands: identifying(entityGraph, other) };
    const twice = relationship.multiplicity === "manyToMany" && random.below(3) === 0;
    return twice ? [connection, connection] : [connection];
  });
  const held = new Set(
    walks.flatMap(({ relationship, toEnd }) =>
      toEnd === 0 ? relationship.foreignKey.map(({ child }) => child) : [],
    ),
  );
  const complete = random.below(6) > 0;
  const assignments = entity.attributes
    .filter(
      ({ name, type, foreignKeyOf }) =>
        !held.has(name) && type !== "counter" && foreignKeyOf === undefined,
    )
    // What is left out takes a value all the same, which the application gives.
    .filter(({ name }, index) => complete || index > 0 || entity.identifier.includes(name))
    .map(({ name }) => ({ attribute: name, operand: parameter }));
  return { ...head, kind: "insert", entity: entity.name, assignments, connections };
}

/** Whether an INSERT names the record that the walk leads to: a mandatory parent, unless its key is set like attributes; others by chance. */
function isConnected(entity: Entity, { relationship, toEnd }: Walk, random: Random): boolean {
  const { foreignKey } = relationship;
  if (foreignKey.length === 0) return random.below(2) === 0;
  const isBound = ({ child }: { child: string }): boolean =>
    entity.attributes.find(({ name }) => name === child)?.foreignKeyOf === undefined;
  return toEnd === 0 && !(foreignKey.every(isBound) && random.below(2) === 0);
}

function identifying(entityGraph: EntityGraph, entity: string): Operand[] {
  return (entityGraph.entities[entity]?.identifier ?? []).map(() => parameter);
}

function randomLink(
  entityGraph: EntityGraph,
  random: Random,
  kind: "connect" | "disconnect",
): Change | undefined {
  const { relationships } = entityGraph;
  const loose = relationships.filter(
    ({ foreignKey }) => kind === "connect" || foreignKey.length === 0,
  );
  const relationship = loose[random.below(loose.length)];
  if (!relationship) return undefined;
  const toEnd = random.below(2) as 0 | 1;
  const { entity } = relationship.ends[toEnd === 0 ? 1 : 0];
  return {
    ...head,
    kind,
    entity,
    operands: identifying(entityGraph, entity),
    connection: {
      role: relationship.ends[toEnd].role,
      operands: identifying(entityGraph, relationship.ends[toEnd].entity),
    },
  };
}

// --- values -----------------------------------------------------------------------------------------

/** Values for a statement's operands; undefined where there is no record to take them from. */
export function chooseValues(
  entityGraph: EntityGraph,
  records: Records,
  change: Change,
  random: Random,
): ChangeValues | undefined {
  return new ChangeChooser(entityGraph, records, random).choose(change);
}

class ChangeChooser {
  private readonly entityGraph: EntityGraph;
  private readonly records: Records;
  private readonly random: Random;

  constructor(entityGraph: EntityGraph, records: Records, random: Random) {
    this.entityGraph = entityGraph;
    this.records = records;
    this.random = random;
  }

  choose(change: Change): ChangeValues | undefined {
    const none = { assignments: [], defaults: {}, predicates: [], record: [], connections: [] };
    switch (change.kind) {
      case "insert":
        return this.forInsert(change);
      case "update":
      case "delete": {
        const { graph, target } = change;
        if (graph.nodes.some(({ entity }) => this.recordsOf(entity).length === 0)) return undefined;
        const entity = this.entityGraph.entities[graph.nodes[target]?.entity ?? ""] as Entity;
        const chooser = new ValueChooser(this.records, change as unknown as Query, this.random);
        const assignments =
          change.kind === "update"
            ? change.assignments.map(({ attribute }) => this.value(entity, attribute))
            : [];
        return { ...none, assignments, predicates: chooser.choose() };
      }
      case "connect":
      case "disconnect": {
        const walk = walkRole(this.entityGraph, change.entity, change.connection.role);
        if (!walk) return undefined;
        const { relationship, toEnd } = walk;
        const links = this.records.links.get(relationship.id) ?? [];
        const link = links[this.random.below(links.length)];
        const existing = change.kind === "disconnect" && this.random.below(8) > 0 && link;
        const ends = [0, 1].map((end) => {
          const list = this.recordsOf(relationship.ends[end as 0 | 1].entity);
          return existing
            ? list[end === 0 ? existing.parent : existing.child]
            : list[this.random.below(list.length)];
        });
        const [here, there] = [ends[toEnd === 0 ? 1 : 0], ends[toEnd]];
        if (!here || !there) return undefined;
        return {
          ...none,
          record: this.identifier(change.entity, here),
          connections: [this.identifier(relationship.ends[toEnd].entity, there)],
        };
      }
    }
  }

  private forInsert(change: Insert): ChangeValues | undefined {
    const entity = this.entityGraph.entities[change.entity] as Entity;
    const linked = change.connections.map(({ role }) => {
      const walk = walkRole(this.entityGraph, entity.name, role);
      const other = walk?.relationship.ends[walk.toEnd].entity ?? "";
      const list = this.recordsOf(other);
      const record = list[this.random.below(list.length)];
      return record && this.identifier(other, record);
    });
    if (linked.some((identifier) => identifier === undefined)) return undefined;
    const defaults = Object.fromEntries(
      entity.attributes.map(({ name }) => [name, this.value(entity, name)]),
    );
    const held = this.heldAttributes(entity);
    return {
      assignments: change.assignments.map(({ attribute }) =>
        entity.identifier.includes(attribute) && !held.has(attribute)
          ? this.freshValue(entity, attribute)
          : this.value(entity, attribute),
      ),
      defaults,
      predicates: [],
      record: [],
      connections: linked as Value[][],
    };
  }

  private heldAttributes({ name }: Entity): ReadonlySet<string> {
    return new Set(
      this.entityGraph.relationships.flatMap(({ ends, foreignKey }) =>
        ends[1].entity === name ? foreignKey.map(({ child }) => child) : [],
      ),
    );
  }

  /** One that some record has, or now and then a new one; foreign keys name a parent. */
  private value(entity: Entity, attribute: string): Value {
    const parent = this.entityGraph.relationships
      .flatMap(({ ends, foreignKey }) =>
        ends[1].entity === entity.name
          ? foreignKey.flatMap((key) =>
              key.child === attribute ? [{ name: ends[0].entity, attribute: key.parent }] : [],
            )
          : [],
      )
      .at(0);
    const parents = parent ? this.recordsOf(parent.name) : [];
    if (parent && parents.length > 0)
      return parents[this.random.below(parents.length)]?.[parent.attribute] as Value;
    const list = this.recordsOf(entity.name);
    const old = list[this.random.below(list.length)]?.[attribute];
    return old !== undefined && this.random.below(4) > 0 ? old : this.freshValue(entity, attribute);
  }

  private freshValue(entity: Entity, attribute: string): Value {
    const type = entity.attributes.find(({ name }) => name === attribute)?.type;
    const number = 1_000_000 + this.random.below(1_000_000);
    if (type === "boolean") return this.random.below(2) === 0;
    return type === "text" || type === "uuid" || type === "blob" ? `new ${number}` : number;
  }

  private identifier(entity: string, record: Fields): Value[] {
    return (this.entityGraph.entities[entity]?.identifier ?? []).map(
      (attribute) => record[attribute] as Value,
    );
  }

  private recordsOf(entity: string): readonly Fields[] {
    return this.records.entities.get(entity) ?? [];
  }
}
