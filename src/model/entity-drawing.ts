/**
 * From a drawing to the entity graph: validates what a person entered, all mistakes at once, and
 * writes out what it implies (defaults, foreign keys, identifiers made of roles).
 */
import type {
  AttributeType,
  Entity,
  EntityGraph,
  GraphAttribute,
  Multiplicity,
  Relationship,
  RelationshipEnd,
} from "./entity-graph.ts";
import { defaultBytes } from "./entity-graph.ts";
import { anError, type Issue, type Result } from "./issue.ts";

export interface AttributeDrawing {
  readonly name: string;
  readonly type: AttributeType;
  readonly bytes?: number | undefined;
  readonly distinct?: number | undefined;
}

/** A drawing before validation: what a person enters, with defaults left out. */
export interface EntityDrawing {
  readonly name: string;
  readonly count: number;
  readonly attributes: readonly AttributeDrawing[];
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
  const issues = [...entityIssues(entities), ...relationshipIssues(entities, relationships)];
  if (issues.length > 0) return { ok: false, issues };

  const identifiers = new Identifiers(entities, relationships);
  const circular = entities.filter(({ name }) => identifiers.of(name) === undefined);
  if (circular.length > 0) return { ok: false, issues: circular.map(circularIssue) };

  const graph: EntityGraph = {
    entities: Object.fromEntries(
      entities.map((entity) => [entity.name, expanded(entity, relationships, identifiers)]),
    ),
    relationships: relationships.map((each) => expandedRelationship(each, entities, identifiers)),
  };
  const wrongLinks = linkIssues(graph.entities, graph.relationships);
  if (wrongLinks.length > 0) return { ok: false, issues: wrongLinks };
  return { ok: true, value: graph, warnings: [] };
}

/** Identifiers with roles resolved to the parents' identifier attributes. */
class Identifiers {
  private readonly entities: ReadonlyMap<string, EntityDrawing>;
  private readonly relationships: readonly RelationshipDrawing[];
  private readonly known = new Map<string, readonly GraphAttribute[] | undefined>();

  constructor(entities: readonly EntityDrawing[], relationships: readonly RelationshipDrawing[]) {
    this.entities = new Map(entities.map((entity) => [entity.name, entity]));
    this.relationships = relationships;
  }

  /** The attributes that identify an entity; undefined when its identifier depends on itself. */
  of(name: string): readonly GraphAttribute[] | undefined {
    if (this.known.has(name)) return this.known.get(name);
    // Whoever asks for it again while it is being resolved stands on a circle.
    this.known.set(name, undefined);
    const entity = this.entities.get(name);
    if (!entity) return undefined;
    const attributes = new Map<string, GraphAttribute>();
    for (const part of entity.identifier) {
      const resolved = this.part(entity, part);
      if (!resolved) return undefined;
      // A role and an attribute bound to it may both be named.
      for (const attribute of resolved) attributes.set(attribute.name, attribute);
    }
    const all = [...attributes.values()];
    this.known.set(name, all);
    return all;
  }

  private part(entity: EntityDrawing, part: string): readonly GraphAttribute[] | undefined {
    const own = ownAttributes(entity).find((attribute) => attribute.name === part);
    if (own) return [own];
    const relationship = this.relationships.find(
      ({ ends }) => ends[1].entity === entity.name && ends[0].role === part,
    );
    return relationship && this.foreignKey(entity, relationship)?.map(({ attribute }) => attribute);
  }

  /** The attributes by which the child holds the parent's identifier, bound or implicit. */
  foreignKey(
    child: EntityDrawing,
    relationship: RelationshipDrawing,
  ): { readonly attribute: GraphAttribute; readonly parent: string }[] | undefined {
    const [parent] = relationship.ends;
    const boundTo = new Map(
      Object.entries(relationship.bind ?? {}).map(([name, held]) => [held, name]),
    );
    const own = ownAttributes(child);
    return this.of(parent.entity)?.map((held) => {
      const bound = own.find(({ name }) => name === boundTo.get(held.name));
      const implicit: GraphAttribute = {
        name: `${parent.role}.${held.name}`,
        type: held.type,
        bytes: held.bytes,
        distinct: Math.min(held.distinct, child.count),
        foreignKeyOf: parent.role,
      };
      return { attribute: bound ?? implicit, parent: held.name };
    });
  }
}

function circularIssue({ name }: EntityDrawing): Issue {
  return anError(
    `entities/${name}`,
    `The identifier of ${name} depends on itself through its parents.`,
    "Give one of the entities on the circle an identifier attribute of its own.",
  );
}

function expanded(
  entity: EntityDrawing,
  relationships: readonly RelationshipDrawing[],
  identifiers: Identifiers,
): Entity {
  const held = relationships
    .filter((each) => each.ends[1].entity === entity.name && holdsKey(each))
    .flatMap((each) => identifiers.foreignKey(entity, each) ?? [])
    .map(({ attribute }) => attribute)
    .filter(({ foreignKeyOf }) => foreignKeyOf !== undefined);
  return {
    name: entity.name,
    count: entity.count,
    attributes: [...ownAttributes(entity), ...held],
    identifier: (identifiers.of(entity.name) ?? []).map(({ name }) => name),
  };
}

function expandedRelationship(
  relationship: RelationshipDrawing,
  entities: readonly EntityDrawing[],
  identifiers: Identifiers,
): Relationship {
  const [parent, child] = relationship.ends;
  const childEntity = entities.find(({ name }) => name === child.entity);
  const foreignKey =
    childEntity && holdsKey(relationship) ? identifiers.foreignKey(childEntity, relationship) : [];
  return {
    id: `${parent.entity}.${child.role}`,
    multiplicity: relationship.multiplicity,
    ends: relationship.ends,
    links: relationship.links ?? childEntity?.count ?? 0,
    optional: relationship.optional ?? false,
    atLeastOne: relationship.atLeastOne ?? false,
    foreignKey: (foreignKey ?? []).map((pair) => ({
      child: pair.attribute.name,
      parent: pair.parent,
    })),
  };
}

/** A key is held by the child of every mandatory one-to-one and one-to-many relationship. */
function holdsKey(relationship: RelationshipDrawing): boolean {
  return relationship.multiplicity !== "manyToMany" && relationship.optional !== true;
}

function ownAttributes(entity: EntityDrawing): GraphAttribute[] {
  const { identifier } = entity;
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
    issues.push(...nameIssues(place, entity.name, "an entity"));
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
  const seen = new Set<string>();
  return entity.attributes.flatMap((attribute) => {
    const at = `${place}/attributes/${attribute.name}`;
    const twice = seen.has(attribute.name.toLowerCase());
    seen.add(attribute.name.toLowerCase());
    return [
      ...nameIssues(at, attribute.name, "an attribute"),
      ...(twice
        ? [
            anError(
              at,
              `${entity.name} has two attributes called ${attribute.name}.`,
              "Rename one of them.",
            ),
          ]
        : []),
      ...figureIssues(entity, attribute, at),
      ...(attribute.type === "counter" && entity.identifier.includes(attribute.name)
        ? [
            anError(
              at,
              "A counter cannot be part of an identifier.",
              "Choose another type or another identifier.",
            ),
          ]
        : []),
    ];
  });
}

function figureIssues(entity: EntityDrawing, attribute: AttributeDrawing, at: string): Issue[] {
  const { name, bytes, distinct } = attribute;
  const issues: Issue[] = [];
  if (bytes !== undefined && !(bytes > 0 && Number.isFinite(bytes)))
    issues.push(anError(at, `A value of ${name} has ${bytes} bytes.`, "Enter a size above 0."));
  if (distinct !== undefined && !(distinct >= 1))
    issues.push(anError(at, `${name} has ${distinct} distinct values.`, "Enter at least 1."));
  if (distinct !== undefined && distinct > entity.count)
    issues.push(
      anError(
        at,
        `${name} has ${distinct} distinct values, more than the ${entity.count} records of ${entity.name}.`,
        `Enter at most ${entity.count}.`,
      ),
    );
  return issues;
}

function nameIssues(place: string, name: string, what: string): Issue[] {
  if (namePattern.test(name)) return [];
  const hint = "Begin with a letter; use letters, digits, spaces, - and _.";
  return [anError(place, `“${name}” cannot name ${what}.`, hint)];
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
      issues.push(...nameIssues(place, end.role, "a role"));
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
