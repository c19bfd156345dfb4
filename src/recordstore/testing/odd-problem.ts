/**
 * A second source of random problems, unlike the engine's own: odd names, entities related to
 * themselves, shared and bound keys, statements with everything at once (from the model's tests), and
 * small counts that differ from entity to entity.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import fc from "fast-check";
import type { RandomProblem } from "#engine/testing/random-problem.ts";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import type { Entity, EntityGraph, GraphAttribute, Relationship } from "#model/entity-graph.ts";
import { defaultOptions } from "#model/problem.ts";
import type { Query } from "#model/statement.ts";
import {
  type Choice,
  chance,
  choiceFrom,
  columnsOf,
  oneOf,
  queryOver,
  randomGraph,
  randomQuery,
  randomTree,
} from "#model/statement-test-random.ts";
import { printStatement } from "#model/statement-text.ts";

export interface OddBounds {
  readonly nodes: number;
  readonly queries: number;
  readonly predicates: number;
}

/** Random problems from streams of choices, which shrink to first choices. */
export function oddProblem(bounds: OddBounds): fc.Arbitrary<RandomProblem> {
  const choices = fc.array(fc.nat({ max: 9999 }), { minLength: 30, maxLength: 100 });
  return fc
    .record({
      graph: choices,
      counts: choices,
      queries: fc.array(choices, { minLength: 1, maxLength: bounds.queries }),
      costs: fc.nat({ max: costModels.length - 1 }),
      dice: fc.array(fc.nat({ max: 9999 }), { minLength: 12, maxLength: 12 }),
    })
    .map(({ graph, counts, queries, costs, dice }) => {
      const entityGraph = withCounts(choiceFrom(counts), randomGraph(choiceFrom(graph)));
      const statements = queries.map((made, index) =>
        oddQuery(choiceFrom(made), entityGraph, bounds, `q${index + 1}`),
      );
      const problem: RandomProblem["problem"] = {
        name: "odd",
        entityGraph,
        statements,
        workload: {
          timeline: { steps: 1, stepSeconds: 60 },
          curves: Object.fromEntries(statements.map(({ id }) => [id, [1]])),
        },
        storage: { kind: "none" },
        costModel: costModels[costs] as CostModel,
        options: defaultOptions,
      };
      return Object.defineProperty({ problem, dice }, fc.toStringMethod, {
        value: () =>
          [
            "",
            JSON.stringify(entityGraph),
            ...statements.map(({ text }) => text),
            `cost model: ${problem.costModel.name}`,
            `dice: ${JSON.stringify(dice)}`,
            "",
          ].join("\n"),
        enumerable: false,
      });
    });
}

/** Prices that lead to different ways of binding keys. */
const costModels: readonly CostModel[] = [
  defaultCostModel,
  paperCostModel,
  {
    ...defaultCostModel,
    name: "dear Gets",
    get: { fixed: 1, perGet: 50, perRow: 1e-4, perByte: 0 },
  },
  { ...defaultCostModel, name: "dear rows", get: { fixed: 0, perGet: 0, perRow: 10, perByte: 0 } },
  {
    ...defaultCostModel,
    name: "dear sorting",
    sort: { perRowLog: 100 },
    group: { perRow: 100 },
  },
];

function oddQuery(
  g: Choice,
  entityGraph: EntityGraph,
  { nodes, predicates }: OddBounds,
  id: string,
): Query {
  const whole = randomTree(g, entityGraph, () => true);
  const tree = {
    entities: whole.entities.slice(0, nodes),
    edges: whole.edges.slice(0, nodes - 1),
  };
  const drawn = randomQuery(g, columnsOf(entityGraph, tree));
  const query = queryOver(entityGraph, tree, {
    ...drawn,
    id,
    label: id,
    predicates: drawn.predicates.slice(0, predicates),
  });
  return { ...query, text: printStatement(query, entityGraph) };
}

// --- counts -------------------------------------------------------------------------------------

/** The graph with other numbers of records, values and links; foreign keys get their parents' types. */
export function withCounts(g: Choice, entityGraph: EntityGraph): EntityGraph {
  const counts = new Map(
    Object.keys(entityGraph.entities).map((name) => [name, oneOf(g, [10, 1, 2, 5, 20, 40])]),
  );
  const countOf = (name: string): number => counts.get(name) as number;
  // A mandatory one-to-one leaves no child without a parent of its own.
  for (const _ of entityGraph.relationships)
    for (const { ends, multiplicity, optional } of entityGraph.relationships)
      if (multiplicity === "oneToOne" && !optional)
        counts.set(ends[1].entity, Math.min(countOf(ends[0].entity), countOf(ends[1].entity)));
  const drawn = Object.values(entityGraph.entities).map((entity) =>
    withDistinct(g, entity, countOf(entity.name)),
  );
  return withKeyTypes({
    entities: Object.fromEntries(drawn.map((entity) => [entity.name, entity])),
    relationships: entityGraph.relationships.map((each) =>
      withLinks(g, each, countOf(each.ends[0].entity), countOf(each.ends[1].entity)),
    ),
  });
}

function withDistinct(g: Choice, entity: Entity, count: number): Entity {
  const alone = entity.identifier.length === 1 ? entity.identifier[0] : undefined;
  return {
    ...entity,
    count,
    attributes: entity.attributes.map((attribute) => {
      const most = attribute.type === "boolean" ? Math.min(2, count) : count;
      const distinct =
        attribute.name === alone ? count : Math.min(most, oneOf(g, [3, 1, 2, 7, 40]));
      return { ...attribute, distinct };
    }),
  };
}

function withLinks(
  g: Choice,
  relationship: Relationship,
  parents: number,
  children: number,
): Relationship {
  const { multiplicity, optional } = relationship;
  if (multiplicity === "manyToMany") {
    const most = Math.min(parents * children, 3 * Math.max(parents, children));
    return { ...relationship, links: 1 + g(most) };
  }
  const most = multiplicity === "oneToOne" ? Math.min(parents, children) : children;
  const links = optional ? 1 + g(most) : children;
  return { ...relationship, links, atLeastOne: links >= parents && chance(g, 50) };
}

function withKeyTypes({ entities, relationships }: EntityGraph): EntityGraph {
  const attributes = new Map(
    Object.values(entities).flatMap(({ name, attributes: all }) =>
      all.map((attribute) => [`${name} ${attribute.name}`, attribute] as const),
    ),
  );
  for (const _ of relationships)
    for (const { ends, foreignKey } of relationships)
      for (const { child, parent } of foreignKey) {
        const held = attributes.get(`${ends[1].entity} ${child}`) as GraphAttribute;
        const source = attributes.get(`${ends[0].entity} ${parent}`) as GraphAttribute;
        const count = entities[ends[1].entity]?.count ?? 1;
        attributes.set(`${ends[1].entity} ${child}`, {
          ...held,
          type: source.type,
          bytes: source.bytes,
          distinct: Math.min(count, source.distinct),
        });
      }
  return {
    entities: Object.fromEntries(
      Object.values(entities).map((entity) => [
        entity.name,
        {
          ...entity,
          attributes: entity.attributes.map(
            ({ name }) => attributes.get(`${entity.name} ${name}`) as GraphAttribute,
          ),
        },
      ]),
    ),
    relationships,
  };
}
