/**
 * The conceptual model: entities, attributes and relationships (engine.md §1).
 *
 * `buildEntityGraph` validates a drawing and writes out what it implies: every entity that stands at
 * the N side of a mandatory relationship holds its parent's identifier as **foreign-key attributes**,
 * named `role.attribute`, unless the drawing binds them to attributes of the child. After that an
 * entity reads like a relational table, and no later stage has to know how the drawing was made.
 * An optional relationship gives no foreign-key attribute: a null cannot stand in a Cassandra key,
 * so the parent has to be walked to (see docs/decisions/002-foreign-keys.md).
 */
import { anError, type Issue, type Result } from "./issue.ts";

export type AttributeType =
  | "uuid"
  | "text"
  | "int"
  | "bigint"
  | "double"
  | "decimal"
  | "boolean"
  | "date"
  | "timestamp"
  | "blob"
  | "counter";

/** Average bytes of a value where a drawing names none (CQL native sizes; text and blob are guesses to edit). */
export const defaultBytes: Readonly<Record<AttributeType, number>> = {
  uuid: 16,
  text: 20,
  int: 4,
  bigint: 8,
  double: 8,
  decimal: 8,
  boolean: 1,
  date: 4,
  timestamp: 8,
  blob: 100,
  counter: 8,
};

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  /** Average size of one value, in bytes. */
  readonly bytes: number;
  /** Number of distinct values over all records of the entity, 1 … count. */
  readonly distinct: number;
}

/** An attribute of the expanded graph: own, or a foreign key held for a parent. */
export interface GraphAttribute extends Attribute {
  /** The role whose parent identifier this holds; absent for the entity's own attributes. */
  readonly foreignKeyOf?: string;
}

export interface Entity {
  readonly name: string;
  /** Number of records, ≥ 1. */
  readonly count: number;
  readonly attributes: readonly GraphAttribute[];
  /** Names of the attributes that together identify a record, foreign-key attributes included. */
  readonly identifier: readonly string[];
}

export type Multiplicity = "oneToOne" | "oneToMany" | "manyToMany";

/** One end of a relationship; `role` is the name under which the *other* end reaches this one. */
export interface RelationshipEnd {
  readonly entity: string;
  readonly role: string;
}

/**
 * A relationship between two entities, or of an entity to itself. `ends[0]` is the one side (the
 * parent) and `ends[1]` the N side (the child, which holds the foreign key); for `oneToOne` the
 * child is the end that holds the key; for `manyToMany` the order carries no meaning.
 */
export interface Relationship {
  /** `parentEntity.childRole`, unique in a graph. */
  readonly id: string;
  readonly multiplicity: Multiplicity;
  readonly ends: readonly [RelationshipEnd, RelationshipEnd];
  /** Number of linked pairs. */
  readonly links: number;
  /** A child may lack a parent. */
  readonly optional: boolean;
  /** Every parent has at least one child. */
  readonly atLeastOne: boolean;
  /** Pairs (child attribute, parent identifier attribute); empty when no key is held. */
  readonly foreignKey: readonly { readonly child: string; readonly parent: string }[];
}

export interface EntityGraph {
  readonly entities: Readonly<Record<string, Entity>>;
  readonly relationships: readonly Relationship[];
}

/** A drawing before validation: what a person enters, with defaults left out. */
export interface EntityDrawing {
  readonly name: string;
  readonly count: number;
  readonly attributes: readonly {
    readonly name: string;
    readonly type: AttributeType;
    readonly bytes?: number | undefined;
    readonly distinct?: number | undefined;
  }[];
  /** Attribute names, or role names standing for the whole identifier of that parent. */
  readonly identifier: readonly string[];
}

export interface RelationshipDrawing {
  readonly multiplicity: Multiplicity;
  readonly ends: readonly [RelationshipEnd, RelationshipEnd];
  readonly links?: number | undefined;
  readonly optional?: boolean | undefined;
  readonly atLeastOne?: boolean | undefined;
  /** Child attribute → parent identifier attribute, where the drawing itself names the key columns. */
  readonly bind?: Readonly<Record<string, string>> | undefined;
}

const namePattern = /^[\p{L}_][\p{L}\p{N}_ -]*$/u;

/**
 * The entity graph of a drawing, with defaults and foreign keys written out, or every mistake in it.
 * Places are `entities/NAME[/attributes/NAME]` and `relationships/INDEX`.
 */
export function buildEntityGraph(
  entities: readonly EntityDrawing[],
  relationships: readonly RelationshipDrawing[],
): Result<EntityGraph> {
  const issues: Issue[] = [
    ...entityIssues(entities),
    ...relationshipIssues(entities, relationships),
  ];
  if (issues.length > 0) return { ok: false, issues };

  const drawings = new Map(entities.map((entity) => [entity.name, entity]));
  const resolved = new Map<string, GraphAttribute[]>();
  const identifiers = new Map<string, string[]>();
  for (const entity of entities) resolveIdentifier(entity.name, new Set());
  if (issues.length > 0) return { ok: false, issues };

  const graphRelationships = relationships.map((relationship) => {
    const [parent, child] = relationship.ends;
    const optional = relationship.optional ?? false;
    return {
      id: `${parent.entity}.${child.role}`,
      multiplicity: relationship.multiplicity,
      ends: relationship.ends,
      links: relationship.links ?? drawings.get(child.entity)?.count ?? 0,
      optional,
      atLeastOne: relationship.atLeastOne ?? false,
      foreignKey: foreignKeyOf(relationship),
    };
  });
  const graphEntities = Object.fromEntries(
    entities.map((entity) => [entity.name, expandedEntity(entity)]),
  );
  const problems = linkIssues(graphEntities, graphRelationships);
  if (problems.length > 0) return { ok: false, issues: problems };
  return {
    ok: true,
    value: { entities: graphEntities, relationships: graphRelationships },
    warnings: [],
  };

  function expandedEntity(entity: EntityDrawing): Entity {
    const identifier = identifiers.get(entity.name) ?? [];
    const foreign = relationships.flatMap((relationship) =>
      implicitForeignKey(entity, relationship),
    );
    const own = ownAttributes(entity, identifier);
    return {
      name: entity.name,
      count: entity.count,
      attributes: [...own, ...foreign],
      identifier,
    };
  }

  /** Foreign-key attributes which the child holds without the drawing naming them. */
  function implicitForeignKey(
    entity: EntityDrawing,
    relationship: RelationshipDrawing,
  ): GraphAttribute[] {
    const [parent, child] = relationship.ends;
    if (child.entity !== entity.name || !holdsKey(relationship)) return [];
    const bound = new Set(Object.values(relationship.bind ?? {}));
    const parentIdentifier = identifiers.get(parent.entity) ?? [];
    return parentIdentifier
      .filter((attribute) => !bound.has(attribute))
      .map((attribute) => {
        const source = identifierAttribute(parent.entity, attribute);
        return {
          name: `${parent.role}.${attribute}`,
          type: source.type,
          bytes: source.bytes,
          distinct: Math.min(source.distinct, entity.count),
          foreignKeyOf: parent.role,
        };
      });
  }

  function identifierAttribute(entityName: string, attribute: string): GraphAttribute {
    const found = resolved.get(entityName)?.find((candidate) => candidate.name === attribute);
    if (!found) throw new Error(`identifier attribute ${entityName}.${attribute} was not resolved`);
    return found;
  }

  function foreignKeyOf(relationship: RelationshipDrawing): { child: string; parent: string }[] {
    if (!holdsKey(relationship)) return [];
    const [parent] = relationship.ends;
    const childOf = new Map(
      Object.entries(relationship.bind ?? {}).map(([child, held]) => [held, child]),
    );
    return (identifiers.get(parent.entity) ?? []).map((attribute) => ({
      child: childOf.get(attribute) ?? `${parent.role}.${attribute}`,
      parent: attribute,
    }));
  }

  /** Resolves roles inside an identifier to the parent's identifier attributes, parents first. */
  function resolveIdentifier(entityName: string, open: Set<string>): readonly string[] {
    const done = identifiers.get(entityName);
    if (done) return done;
    const entity = drawings.get(entityName);
    if (!entity) return [];
    if (open.has(entityName)) {
      issues.push(
        anError(
          `entities/${entityName}`,
          `The identifier of ${entityName} depends on itself through its parents.`,
          "Give one of the entities on the circle an identifier attribute of its own.",
        ),
      );
      return [];
    }
    open.add(entityName);
    const names: string[] = [];
    const attributes: GraphAttribute[] = [];
    for (const part of entity.identifier) {
      const own = entity.attributes.find((attribute) => attribute.name === part);
      if (own) {
        names.push(part);
        continue;
      }
      const relationship = relationships.find(
        ({ ends }) => ends[1].entity === entityName && ends[0].role === part,
      );
      if (!relationship) continue;
      const parent = relationship.ends[0].entity;
      const childOf = new Map(
        Object.entries(relationship.bind ?? {}).map(([child, held]) => [held, child]),
      );
      for (const attribute of resolveIdentifier(parent, open)) {
        const bound = childOf.get(attribute);
        if (bound !== undefined) {
          names.push(bound);
          continue;
        }
        const source = identifierAttribute(parent, attribute);
        const name = `${part}.${attribute}`;
        names.push(name);
        attributes.push({
          name,
          type: source.type,
          bytes: source.bytes,
          distinct: Math.min(source.distinct, entity.count),
          foreignKeyOf: part,
        });
      }
    }
    open.delete(entityName);
    identifiers.set(entityName, names);
    resolved.set(entityName, [...ownAttributes(entity, names), ...attributes]);
    return names;
  }
}

/** A key is held by the child of every mandatory one-to-one and one-to-many relationship. */
function holdsKey(relationship: RelationshipDrawing): boolean {
  return relationship.multiplicity !== "manyToMany" && relationship.optional !== true;
}

function ownAttributes(entity: EntityDrawing, identifier: readonly string[]): GraphAttribute[] {
  return entity.attributes.map((attribute) => ({
    name: attribute.name,
    type: attribute.type,
    bytes: attribute.bytes ?? defaultBytes[attribute.type],
    distinct:
      attribute.distinct ??
      (identifier.length === 1 && identifier[0] === attribute.name
        ? entity.count
        : defaultDistinct(attribute.type, entity.count)),
  }));
}

/** A boolean has two values; anything else is taken as unique until the person says otherwise (§1). */
function defaultDistinct(type: AttributeType, count: number): number {
  return type === "boolean" ? Math.min(2, count) : count;
}

function entityIssues(entities: readonly EntityDrawing[]): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const entity of entities) {
    const place = `entities/${entity.name}`;
    if (!namePattern.test(entity.name))
      issues.push(
        anError(
          place,
          `“${entity.name}” cannot name an entity.`,
          "Begin with a letter; use letters, digits, spaces, - and _.",
        ),
      );
    if (seen.has(entity.name.toLowerCase()))
      issues.push(anError(place, `Two entities are called ${entity.name}.`, "Rename one of them."));
    seen.add(entity.name.toLowerCase());
    if (!(entity.count >= 1) || !Number.isFinite(entity.count))
      issues.push(
        anError(
          place,
          `${entity.name} has ${entity.count} records.`,
          "Enter a number of records of at least 1.",
        ),
      );
    if (entity.identifier.length === 0)
      issues.push(
        anError(
          place,
          `${entity.name} has no identifier.`,
          "Mark at least one attribute as identifier.",
        ),
      );
    issues.push(...attributeIssues(entity, place));
  }
  return issues;
}

function attributeIssues(entity: EntityDrawing, place: string): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const attribute of entity.attributes) {
    const at = `${place}/attributes/${attribute.name}`;
    if (!namePattern.test(attribute.name))
      issues.push(
        anError(
          at,
          `“${attribute.name}” cannot name an attribute.`,
          "Begin with a letter; use letters, digits, spaces, - and _.",
        ),
      );
    if (seen.has(attribute.name.toLowerCase()))
      issues.push(
        anError(
          at,
          `${entity.name} has two attributes called ${attribute.name}.`,
          "Rename one of them.",
        ),
      );
    seen.add(attribute.name.toLowerCase());
    if (attribute.bytes !== undefined && !(attribute.bytes > 0))
      issues.push(
        anError(
          at,
          `A value of ${attribute.name} has ${attribute.bytes} bytes.`,
          "Enter a size above 0.",
        ),
      );
    if (attribute.distinct !== undefined && !(attribute.distinct >= 1))
      issues.push(
        anError(
          at,
          `${attribute.name} has ${attribute.distinct} distinct values.`,
          "Enter at least 1.",
        ),
      );
    if (attribute.distinct !== undefined && attribute.distinct > entity.count)
      issues.push(
        anError(
          at,
          `${attribute.name} has ${attribute.distinct} distinct values, more than the ${entity.count} records of ${entity.name}.`,
          `Enter at most ${entity.count}.`,
        ),
      );
    if (attribute.type === "counter" && entity.identifier.includes(attribute.name))
      issues.push(
        anError(
          at,
          `A counter cannot be part of an identifier.`,
          "Choose another type or another identifier.",
        ),
      );
  }
  return issues;
}

function relationshipIssues(
  entities: readonly EntityDrawing[],
  relationships: readonly RelationshipDrawing[],
): Issue[] {
  const issues: Issue[] = [];
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const roles = new Map<string, number>();
  for (const entity of entities)
    for (const attribute of entity.attributes) roles.set(`${entity.name}.${attribute.name}`, -1);
  relationships.forEach((relationship, index) => {
    const place = `relationships/${index}`;
    relationship.ends.forEach((end, side) => {
      const other = relationship.ends[1 - side] as RelationshipEnd;
      if (!byName.has(end.entity))
        issues.push(
          anError(
            place,
            `There is no entity called ${end.entity}.`,
            "Draw it, or attach this end to another entity.",
          ),
        );
      if (!namePattern.test(end.role))
        issues.push(
          anError(
            place,
            `“${end.role}” cannot name a role.`,
            "Begin with a letter; use letters, digits, spaces, - and _.",
          ),
        );
      const taken = roles.get(`${other.entity}.${end.role}`);
      if (taken !== undefined)
        issues.push(
          anError(
            place,
            `${other.entity} already has ${taken < 0 ? "an attribute" : "a role"} called ${end.role}.`,
            "Give this end another role name.",
          ),
        );
      roles.set(`${other.entity}.${end.role}`, index);
    });
    if (relationship.multiplicity === "manyToMany" && relationship.links === undefined)
      issues.push(
        anError(
          place,
          "The number of links of a many-to-many relationship is not known.",
          "Enter how many pairs are linked.",
        ),
      );
    if (relationship.links !== undefined && !(relationship.links >= 1))
      issues.push(
        anError(place, `The relationship has ${relationship.links} links.`, "Enter at least 1."),
      );
    issues.push(...bindIssues(relationship, byName, place));
  });
  for (const entity of entities) issues.push(...identifierIssues(entity, relationships));
  return issues;
}

function bindIssues(
  relationship: RelationshipDrawing,
  entities: ReadonlyMap<string, EntityDrawing>,
  place: string,
): Issue[] {
  const child = entities.get(relationship.ends[1].entity);
  return Object.keys(relationship.bind ?? {})
    .filter((name) => child && !child.attributes.some((attribute) => attribute.name === name))
    .map((name) =>
      anError(
        place,
        `${relationship.ends[1].entity} has no attribute ${name} to hold the key.`,
        "Name an attribute of the N side.",
      ),
    );
}

function identifierIssues(
  entity: EntityDrawing,
  relationships: readonly RelationshipDrawing[],
): Issue[] {
  return entity.identifier.flatMap((part) => {
    if (entity.attributes.some((attribute) => attribute.name === part)) return [];
    const relationship = relationships.find(
      ({ ends }) => ends[1].entity === entity.name && ends[0].role === part,
    );
    if (relationship && holdsKey(relationship)) return [];
    return [
      anError(
        `entities/${entity.name}`,
        `${part}, named in the identifier of ${entity.name}, is neither an attribute nor the role of a mandatory parent.`,
        "Name an attribute, or a role towards the one side.",
      ),
    ];
  });
}

function linkIssues(
  entities: Readonly<Record<string, Entity>>,
  relationships: readonly Relationship[],
): Issue[] {
  return relationships.flatMap((relationship, index) => {
    const [parent, child] = relationship.ends.map((end) => entities[end.entity]?.count ?? 0) as [
      number,
      number,
    ];
    const most = {
      oneToOne: Math.min(parent, child),
      oneToMany: child,
      manyToMany: parent * child,
    }[relationship.multiplicity];
    const place = `relationships/${index}`;
    if (relationship.links > most)
      return [
        anError(
          place,
          `${relationship.links} links are more than the ${most} there can be.`,
          `Enter at most ${most}.`,
        ),
      ];
    if (
      relationship.multiplicity !== "manyToMany" &&
      !relationship.optional &&
      relationship.links !== child
    )
      return [
        anError(
          place,
          `Every ${relationship.ends[1].entity} has its ${relationship.ends[0].role}, so there must be ${child} links, not ${relationship.links}.`,
          "Leave the number of links out, or mark the relationship optional.",
        ),
      ];
    return [];
  });
}

/** The attribute, or undefined. */
export function attributeOf(entity: Entity, name: string): GraphAttribute | undefined {
  return entity.attributes.find((attribute) => attribute.name === name);
}

/** A relationship as walked from one entity: where the role leads, and whether towards the parent. */
export interface Walk {
  readonly relationship: Relationship;
  /** Index into `relationship.ends` of the end that is reached. */
  readonly toEnd: 0 | 1;
}

/** Where a role leads from an entity, or undefined. */
export function walkRole(graph: EntityGraph, entityName: string, role: string): Walk | undefined {
  for (const relationship of graph.relationships) {
    const [parent, child] = relationship.ends;
    if (parent.entity === entityName && child.role === role) return { relationship, toEnd: 1 };
    if (child.entity === entityName && parent.role === role) return { relationship, toEnd: 0 };
  }
  return undefined;
}

/** Role names that can be walked from an entity, in the order of the drawing. */
export function rolesOf(graph: EntityGraph, entityName: string): string[] {
  return graph.relationships.flatMap(({ ends: [parent, child] }) => [
    ...(parent.entity === entityName ? [child.role] : []),
    ...(child.entity === entityName ? [parent.role] : []),
  ]);
}
