/**
 * The conceptual model: entities, attributes and relationships (engine.md §1). `entity-drawing.ts`
 * makes it from what a person enters.
 *
 * Every entity that stands at the N side of a mandatory relationship holds its parent's identifier as
 * **foreign-key attributes**, named `role.attribute`, unless the drawing binds them to attributes of
 * the child. So an entity reads like a relational table, and no later stage has to know how the
 * drawing was made. An optional relationship gives no foreign-key attribute: a null cannot stand in a
 * Cassandra key, so the parent has to be walked to (docs/decisions/002-foreign-keys.md).
 */

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
