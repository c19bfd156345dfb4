/** Generated data is what the entity graph says: counts, values, identifiers, links, keys. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aGraph } from "#engine/testing/examples.ts";
import { randomProblem, richBounds } from "#engine/testing/random-problem.ts";
import type { Entity, EntityGraph, Relationship } from "#model/entity-graph.ts";
import { generateRecords } from "./generate-records.ts";
import { type Fields, type Records, valuesText } from "./records.ts";
import { sampleGraph } from "./sample-graph.ts";
import { oddProblem } from "./testing/odd-problem.ts";

/** Every promise that the records break. */
function broken(graph: EntityGraph, records: Records): string[] {
  return [
    ...Object.values(graph.entities).flatMap((entity) =>
      brokenByEntity(graph, entity, records.entities.get(entity.name) ?? []),
    ),
    ...graph.relationships.flatMap((each) => brokenByLinks(each, records)),
  ];
}

function brokenByEntity(
  graph: EntityGraph,
  { name, count, identifier, attributes }: Entity,
  list: readonly Fields[],
): string[] {
  const complaints: string[] = [];
  if (list.length !== count) complaints.push(`${name} has ${list.length} records, not ${count}`);
  const keys = new Set(list.map((fields) => valuesText(identifier.map((each) => fields[each]))));
  if (keys.size !== count) complaints.push(`${name} has ${keys.size} identifiers only`);
  const held = new Set(
    graph.relationships.flatMap(({ ends, foreignKey }) =>
      ends[1].entity === name ? foreignKey.map(({ child }) => child) : [],
    ),
  );
  for (const attribute of attributes) {
    const values = new Set(list.map((fields) => fields[attribute.name]));
    if (values.has(undefined)) complaints.push(`${name}.${attribute.name} is not filled`);
    if (held.has(attribute.name) || identifier.includes(attribute.name)) continue;
    const most = Math.min(attribute.distinct, attribute.type === "boolean" ? 2 : count);
    if (values.size !== most)
      complaints.push(`${name}.${attribute.name} has ${values.size} values, not ${most}`);
  }
  return complaints;
}

function brokenByLinks(relationship: Relationship, records: Records): string[] {
  const { id, ends, multiplicity, optional, atLeastOne, links, foreignKey } = relationship;
  const pairs = records.links.get(id) ?? [];
  const [parents, children] = ends.map(({ entity }) => records.entities.get(entity) ?? []) as [
    Fields[],
    Fields[],
  ];
  const complaints: string[] = [];
  if (pairs.length !== links) complaints.push(`${id} has ${pairs.length} links, not ${links}`);
  const perChild = new Set(pairs.map(({ child }) => child)).size;
  const perParent = new Set(pairs.map(({ parent }) => parent)).size;
  const distinct = new Set(pairs.map(({ parent, child }) => `${parent} ${child}`)).size;
  if (distinct !== pairs.length) complaints.push(`${id} links a pair twice`);
  if (multiplicity !== "manyToMany" && perChild !== pairs.length)
    complaints.push(`${id} gives a child two parents`);
  if (multiplicity === "oneToOne" && perParent !== pairs.length)
    complaints.push(`${id} gives a parent two children`);
  if (multiplicity !== "manyToMany" && !optional && perChild !== children.length)
    complaints.push(`${id} leaves a child without its parent`);
  if (atLeastOne && perParent !== parents.length)
    complaints.push(`${id} leaves a parent without a child`);
  const wrong = pairs.some(({ parent, child }) =>
    foreignKey.some((key) => children[child]?.[key.child] !== parents[parent]?.[key.parent]),
  );
  if (wrong) complaints.push(`${id} holds another key than its link`);
  return complaints;
}

describe("on random graphs", () => {
  const sources = {
    "the engine's": randomProblem({ ...richBounds, steps: 1 }),
    odd: oddProblem({ nodes: 1, queries: 1, predicates: 1 }),
  };
  test.each(Object.entries(sources))("%s: everything is as the graph says", (_, problems) => {
    fc.assert(
      fc.property(problems, fc.constantFrom(0, 0.8, 2), ({ problem, dice }, skew) => {
        const graph = sampleGraph(problem.entityGraph, 60);
        const records = generateRecords(graph, { seed: dice[0] ?? 0, skew });
        expect(broken(graph, records)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("keys that children share with two parents (case 10)", () => {
  const geo = aGraph(
    [
      { name: "country", count: 6, attributes: [{ name: "Id", type: "int" }], identifier: ["Id"] },
      {
        name: "state",
        count: 30,
        attributes: [
          { name: "Id", type: "int", distinct: 9 },
          { name: "CountryId", type: "int", distinct: 6 },
        ],
        identifier: ["Id", "CountryId"],
      },
      {
        name: "city",
        count: 200,
        attributes: [
          { name: "Id", type: "int", distinct: 40 },
          { name: "CountryId", type: "int", distinct: 6 },
          { name: "StateId", type: "int", distinct: 9 },
        ],
        identifier: ["Id", "StateId", "CountryId"],
      },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "country", role: "country" },
          { entity: "state", role: "states" },
        ],
        bind: { CountryId: "Id" },
      },
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "country", role: "country" },
          { entity: "city", role: "cities" },
        ],
        bind: { CountryId: "Id" },
      },
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "state", role: "state" },
          { entity: "city", role: "cities" },
        ],
        bind: { StateId: "Id", CountryId: "CountryId" },
      },
    ],
  );
  test("both parents agree", () => {
    expect(broken(geo, generateRecords(geo, { seed: 3 }))).toEqual([]);
    expect(broken(geo, generateRecords(geo, { seed: 3, skew: 1 }))).toEqual([]);
  });
});

describe("evenness and skew", () => {
  const shop = aGraph(
    [
      { name: "A", count: 20, attributes: [{ name: "id", type: "int" }], identifier: ["id"] },
      {
        name: "B",
        count: 400,
        attributes: [
          { name: "id", type: "int" },
          { name: "x", type: "text", bytes: 12, distinct: 10 },
        ],
        identifier: ["id"],
      },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "A", role: "a" },
          { entity: "B", role: "bs" },
        ],
      },
    ],
  );
  const often = (records: Records, attribute: string): number[] => {
    const counts = new Map<unknown, number>();
    for (const fields of records.entities.get("B") ?? [])
      counts.set(fields[attribute], (counts.get(fields[attribute]) ?? 0) + 1);
    return [...counts.values()].sort((a, b) => b - a);
  };
  test("without skew every value and every parent comes equally often", () => {
    const records = generateRecords(shop, { seed: 1 });
    expect(often(records, "x")).toEqual(Array.from({ length: 10 }, () => 40));
    expect(often(records, "a.id")).toEqual(Array.from({ length: 20 }, () => 20));
  });
  test("with skew the first comes far more often than the last, and none is missing", () => {
    const counts = often(generateRecords(shop, { seed: 1, skew: 1.2 }), "x");
    expect(counts).toHaveLength(10);
    expect(counts[0]).toBeGreaterThan(5 * (counts.at(-1) as number));
  });
  test("the same seed gives the same data, another seed other data", () => {
    expect(generateRecords(shop, { seed: 5 })).toEqual(generateRecords(shop, { seed: 5 }));
    expect(generateRecords(shop, { seed: 5 })).not.toEqual(generateRecords(shop, { seed: 6 }));
  });
  test("texts are as long as the attribute says on average", () => {
    const records = generateRecords(shop, { seed: 1 });
    const lengths = (records.entities.get("B") ?? []).map(({ x }) => String(x).length);
    expect(lengths.reduce((sum, each) => sum + each, 0) / lengths.length).toBeCloseTo(12, 1);
  });
});
