/**
 * Sample data for an entity graph, from a seed.
 *
 * Promises: every entity has its `count` of records and every attribute exactly `distinct` values
 * (as far as the records and the type allow); identifiers are unique; a relationship has its number
 * of links, a mandatory one gives each child one parent, `atLeastOne` leaves no parent without a
 * child, a one-to-one links nobody twice, and no pair is linked twice; foreign-key fields hold what
 * the links say, also where two foreign keys share a field.
 *
 * Without skew values and fan-outs are as even as whole numbers allow, and independent of each
 * other: what the estimates assume. With `skew` (Zipf's exponent) the k-th value or parent is drawn
 * with a weight of 1/k^skew.
 */
import type {
  Entity,
  EntityGraph,
  GraphAttribute,
  Relationship,
  RelationshipEnd,
} from "#model/entity-graph.ts";
import { type Random, randomFrom } from "#model/random.ts";
import { type Fields, type Link, type Records, type Value, valuesText } from "./records.ts";

export interface GenerateOptions {
  readonly seed: number;
  /** Exponent of Zipf's law for values and fan-outs; 0, the default, for even ones. */
  readonly skew?: number;
}

type OpenFields = Record<string, Value>;

export function generateRecords(entityGraph: EntityGraph, options: GenerateOptions): Records {
  const generator = new Generator(entityGraph, options);
  return generator.run();
}

class Generator {
  private readonly entityGraph: EntityGraph;
  private readonly random: Random;
  private readonly skew: number;
  private readonly fields = new Map<string, OpenFields[]>();
  private readonly links = new Map<string, Link[]>();

  constructor(entityGraph: EntityGraph, { seed, skew }: GenerateOptions) {
    this.entityGraph = entityGraph;
    this.random = randomFrom(seed);
    this.skew = skew ?? 0;
  }

  run(): Records {
    const entities = parentsFirst(this.entityGraph);
    for (const entity of entities) this.identify(entity);
    for (const entity of entities) {
      for (const relationship of keysHeldBy(this.entityGraph, entity)) this.linkHeld(relationship);
      this.fillAttributes(entity);
    }
    for (const relationship of this.entityGraph.relationships)
      if (relationship.foreignKey.length === 0) this.linkApart(relationship);
    return { entities: this.fields, links: this.links };
  }

  /** Makes the entity's records with their identifiers, and the links that these take part in. */
  private identify(entity: Entity): void {
    const count = countOf(entity);
    const parents = identifyingParents(this.entityGraph, entity);
    const held = new Set(parents.flatMap(({ foreignKey }) => foreignKey.map(({ child }) => child)));
    const own = entity.identifier
      .filter((name) => !held.has(name))
      .map((name) => attributeNamed(entity, name));
    const records: OpenFields[] = [];
    const linksOf = parents.map((): Link[] => []);
    const taken = new Set<string>();
    const taking = parents.map(() => new Set<number>());
    const accept = (tuple: readonly number[]): boolean => {
      const fields = this.identifierFields(parents, own, tuple);
      if (!fields) return false;
      const text = valuesText(entity.identifier.map((name) => fields[name]));
      const again = parents.some(
        ({ multiplicity }, index) =>
          multiplicity === "oneToOne" && taking[index]?.has(tuple[index] as number),
      );
      if (again || taken.has(text)) return false;
      taken.add(text);
      parents.forEach((_, index) => {
        taking[index]?.add(tuple[index] as number);
        linksOf[index]?.push({ parent: tuple[index] as number, child: records.length });
      });
      records.push(fields);
      return true;
    };
    const spread = [
      ...parents.map(({ ends }) => this.recordsAt(ends[0]).length),
      ...own.map(({ distinct }) => Math.round(distinct)),
    ];
    const uneven = [...parents.map(() => true), ...own.map(() => false)];
    const cover = parents.some(({ atLeastOne }) => atLeastOne);
    while (records.length < count) {
      const product = spread.reduce((all, size) => all * size, 1);
      if (product >= count)
        this.distinctTuples(spread, uneven, cover, count - records.length, accept);
      if (records.length === count) break;
      if (own.length === 0 || product > 1000 * count + 1000)
        throw new Error(
          `${entity.name} cannot have ${count} records: its identifier has ${records.length} values only`,
        );
      const wider =
        parents.length +
        Math.max(
          0,
          own.findIndex(({ type }) => type !== "boolean"),
        );
      const values = spread[wider] as number;
      const needed = Math.ceil(count / (product / values));
      spread[wider] = Math.max(needed, values * (product >= count ? 2 : 1));
    }
    this.fields.set(entity.name, records);
    parents.forEach(({ id }, index) => {
      this.links.set(id, linksOf[index] as Link[]);
    });
  }

  /** Undefined where two parents disagree about a field that holds a key of both. */
  private identifierFields(
    parents: readonly Relationship[],
    own: readonly GraphAttribute[],
    tuple: readonly number[],
  ): OpenFields | undefined {
    const fields: OpenFields = {};
    for (const [index, { ends, foreignKey }] of parents.entries()) {
      const parent = this.recordsAt(ends[0])[tuple[index] as number] as Fields;
      for (const { child, parent: source } of foreignKey) {
        const value = parent[source] as Value;
        if (fields[child] !== undefined && fields[child] !== value) return undefined;
        fields[child] = value;
      }
    }
    own.forEach((attribute, index) => {
      fields[attribute.name] = fieldValue(attribute, tuple[parents.length + index] as number);
    });
    return fields;
  }

  /** Links of a foreign key that is not part of the identifier, and its fields. */
  private linkHeld(relationship: Relationship): void {
    const { id, ends, foreignKey } = relationship;
    if (this.links.has(id)) return;
    const parents = this.recordsAt(ends[0]);
    const children = this.recordsAt(ends[1]);
    const already = foreignKey.filter(({ child }) => children[0]?.[child] !== undefined);
    const links: Link[] = [];
    for (const [fitting, family] of this.agreeing(parents, children, already)) {
      if (fitting.length === 0)
        throw new Error(`no ${ends[0].entity} fits the keys that a ${ends[1].entity} has already`);
      const chosen = this.assign(family.length, fitting.length, relationship);
      family.forEach((child, index) => {
        links.push({ parent: fitting[chosen[index] as number] as number, child });
      });
    }
    for (const { parent, child } of links)
      for (const key of foreignKey)
        (children[child] as OpenFields)[key.child] = parents[parent]?.[key.parent] as Value;
    this.links.set(id, links);
  }

  /** Parents and children that agree in the fields that have values already; all together where none has. */
  private agreeing(
    parents: readonly Fields[],
    children: readonly Fields[],
    already: Relationship["foreignKey"],
  ): (readonly [number[], number[]])[] {
    const groups = new Map<string, readonly [number[], number[]]>();
    const groupAt = (text: string): readonly [number[], number[]] => {
      const group = groups.get(text) ?? [[], []];
      groups.set(text, group);
      return group;
    };
    parents.forEach((fields, position) => {
      groupAt(valuesText(already.map(({ parent }) => fields[parent])))[0].push(position);
    });
    children.forEach((fields, position) => {
      groupAt(valuesText(already.map(({ child }) => fields[child])))[1].push(position);
    });
    return [...groups.values()].filter(([, family]) => family.length > 0);
  }

  /** Links that no foreign key holds: optional and many-to-many. */
  private linkApart(relationship: Relationship): void {
    const { id, ends, multiplicity } = relationship;
    const parents = this.recordsAt(ends[0]).length;
    const children = this.recordsAt(ends[1]).length;
    const wanted = Math.round(relationship.links);
    const links: Link[] = [];
    if (multiplicity === "manyToMany") {
      this.distinctTuples(
        [parents, children],
        [true, true],
        relationship.atLeastOne,
        wanted,
        pairsInto(links),
      );
    } else {
      const linked = this.random.shuffled(positions(children)).slice(0, wanted);
      const chosen = this.assign(linked.length, parents, relationship);
      linked.forEach((child, index) => {
        links.push({ parent: chosen[index] as number, child });
      });
    }
    this.links.set(id, links);
  }

  /** A parent for each of `children`. */
  private assign(
    children: number,
    parents: number,
    { multiplicity, atLeastOne }: Pick<Relationship, "multiplicity" | "atLeastOne">,
  ): number[] {
    if (multiplicity === "oneToOne" && children > parents)
      throw new Error("a one-to-one relationship has more children than parents");
    const even = multiplicity === "oneToOne" || this.skew === 0;
    return this.drawn(children, parents, even ? "even" : atLeastOne ? "all" : "any");
  }

  private fillAttributes(entity: Entity): void {
    const records = this.fields.get(entity.name) ?? [];
    for (const attribute of entity.attributes) {
      if (records[0]?.[attribute.name] !== undefined) continue;
      const most = attribute.type === "boolean" ? 2 : records.length;
      const distinct = Math.max(1, Math.min(Math.round(attribute.distinct), most));
      const drawn = this.drawn(records.length, distinct, this.skew === 0 ? "even" : "all");
      records.forEach((fields, index) => {
        fields[attribute.name] = fieldValue(attribute, drawn[index] as number);
      });
    }
  }

  /**
   * `count` numbers below `values`, in random order: each as often as any other (`even`), or skewed,
   * with each of them at least once (`all`, as far as they go round) or not.
   */
  private drawn(count: number, values: number, how: "even" | "all" | "any"): number[] {
    const ranked = this.random.shuffled(positions(values));
    const each = (index: number): number => ranked[index % values] as number;
    if (how === "even") return this.random.shuffled(positions(count).map(each));
    const zipf = this.zipf(values);
    const sure = how === "all" ? Math.min(values, count) : 0;
    return this.random.shuffled(
      positions(count).map((index) => (index < sure ? each(index) : (ranked[zipf()] as number))),
    );
  }

  /** Draws ranks below `values`. */
  private zipf(values: number): () => number {
    const cumulated: number[] = [];
    let sum = 0;
    for (let rank = 1; rank <= values; rank += 1) {
      sum += rank ** -this.skew;
      cumulated.push(sum);
    }
    return () => {
      const drawn = this.random.next() * sum;
      let [low, high] = [0, values - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((cumulated[middle] as number) > drawn) high = middle;
        else low = middle + 1;
      }
      return low;
    };
  }

  /**
   * Offers tuples of numbers below `sizes` until `count` are accepted: first by drawing each place
   * for itself and mixing those refused anew, then one after the other in an order that is even in
   * every place. `accept` refuses what it has accepted before.
   */
  private distinctTuples(
    sizes: readonly number[],
    uneven: readonly boolean[],
    cover: boolean,
    count: number,
    accept: (tuple: readonly number[]) => boolean,
  ): void {
    const howFor = (place: number): "even" | "all" | "any" => {
      if (this.skew === 0 || !uneven[place]) return "even";
      return cover ? "all" : "any";
    };
    let columns = sizes.map((size, place) => this.drawn(count, size, howFor(place)));
    let open = count;
    for (let attempt = 0; attempt < 12 && open > 0; attempt += 1) {
      const refused: number[] = [];
      for (let index = 0; index < open; index += 1)
        if (!accept(columns.map((column) => column[index] as number))) refused.push(index);
      columns = columns.map((column) =>
        this.random.shuffled(refused.map((index) => column[index] as number)),
      );
      open = refused.length;
    }
    const order = sizes.map((size) => this.random.shuffled(positions(size)));
    const product = sizes.reduce((all, size) => all * size, 1);
    for (let index = 0; index < product && open > 0; index += 1) {
      const tuple = evenTuple(sizes, index).map((at, place) => order[place]?.[at] as number);
      if (accept(tuple)) open -= 1;
    }
  }

  private recordsAt({ entity }: RelationshipEnd): OpenFields[] {
    return this.fields.get(entity) ?? [];
  }
}

function pairsInto(links: Link[]): (tuple: readonly number[]) => boolean {
  const taken = new Set<string>();
  return (tuple) => {
    const text = tuple.join();
    if (taken.has(text)) return false;
    taken.add(text);
    links.push({ parent: tuple[0] as number, child: tuple[1] as number });
    return true;
  };
}

/**
 * The `index`-th of all tuples in an order whose every beginning uses the numbers of each place
 * evenly. For two places of a and b numbers it runs down the diagonals: (i mod a, (i + ⌊i/lcm⌋) mod b).
 */
function evenTuple(sizes: readonly number[], index: number): number[] {
  const [first, ...rest] = sizes;
  if (first === undefined) return [];
  if (rest.length === 0) return [index % first];
  const others = rest.reduce((all, size) => all * size, 1);
  const multiple = (first * others) / greatestDivisor(first, others);
  return [index % first, ...evenTuple(rest, (index + Math.floor(index / multiple)) % others)];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Entities in an order in which parents whose keys identify their children come first. */
function parentsFirst(entityGraph: EntityGraph): Entity[] {
  const ordered = new Set<Entity>();
  const open = new Set<Entity>();
  const visit = (entity: Entity): void => {
    if (ordered.has(entity)) return;
    if (open.has(entity)) throw new Error(`the identifier of ${entity.name} depends on itself`);
    open.add(entity);
    for (const { ends } of identifyingParents(entityGraph, entity))
      visit(entityGraph.entities[ends[0].entity] as Entity);
    ordered.add(entity);
  };
  for (const entity of Object.values(entityGraph.entities)) visit(entity);
  return [...ordered];
}

/** Foreign keys that have a part in the identifier, longest first; those that others already hold are left out. */
function identifyingParents(entityGraph: EntityGraph, entity: Entity): Relationship[] {
  const held = new Set<string>();
  return keysHeldBy(entityGraph, entity).filter(({ foreignKey }) => {
    const fresh = foreignKey.filter(
      ({ child }) => entity.identifier.includes(child) && !held.has(child),
    );
    for (const { child } of fresh.length > 0 ? foreignKey : []) held.add(child);
    return fresh.length > 0;
  });
}

/** Relationships whose foreign key the entity holds, longest first. */
function keysHeldBy({ relationships }: EntityGraph, { name }: Entity): Relationship[] {
  return relationships
    .filter(({ ends, foreignKey }) => ends[1].entity === name && foreignKey.length > 0)
    .sort((a, b) => b.foreignKey.length - a.foreignKey.length);
}

function attributeNamed(entity: Entity, name: string): GraphAttribute {
  const found = entity.attributes.find((attribute) => attribute.name === name);
  if (!found) throw new Error(`no attribute ${entity.name}.${name}`);
  return found;
}

function countOf({ count }: Entity): number {
  return Math.max(1, Math.round(count));
}

function positions(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** The `index`-th value of an attribute; different indices give different values (a boolean has two). */
function fieldValue({ name, type, bytes }: GraphAttribute, index: number): Value {
  // 7, 2, 17, −8, 27 …: neither in order nor all positive.
  const number = 7 + 5 * (index % 2 === 0 ? index : -index);
  switch (type) {
    case "boolean":
      return index % 2 === 0;
    case "int":
    case "counter":
      return number;
    case "bigint":
      return 10_000_000_000 + number;
    case "double":
    case "decimal":
      return number / 4;
    case "date":
      return 20_000 + number;
    case "timestamp":
      return 1_700_000_000_000 + 1000 * number;
    case "uuid":
      return uuidOf(name, index);
    case "text":
    case "blob":
      return textOf(Math.max(1, Math.round(bytes)), index);
  }
}

/** Different for each index, of no visible order. */
function uuidOf(name: string, index: number): string {
  let hash = 0x811c9dc5;
  for (const letter of `${name} ${index}`)
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  const digits = hash.toString(16).padStart(8, "0");
  return `${digits}-${digits.slice(0, 4)}-4000-8000-${index.toString(16).padStart(12, "0")}`;
}

const syllables = ["ba", "lo", "mi", "ra", "su", "te", "vo", "ka", "ne", "di", "po", "gu"];

/** A made-up word of about `bytes` letters, a quarter more or less, that ends in the index. */
function textOf(bytes: number, index: number): string {
  const unique = String(index);
  const spread = Math.floor(bytes / 4);
  const length = bytes + (((index * 7) % 5) - 2) * Math.floor(spread / 2);
  let word = "";
  for (let at = index * 5 + 3; word.length < length; at = Math.imul(at, 31) + 7)
    word += syllables[(at >>> 3) % syllables.length] as string;
  const room = Math.max(0, length - unique.length);
  return `${word.slice(0, room)}${unique.padStart(room > 0 ? 0 : bytes, "0")}`;
}
