/** The tables of a design that the lab can spread: entities that statements touch, and column families of an answer. */
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import type { ShardingSetup } from "#model/sharding-setup.ts";
import { entityTable } from "./entity-table.ts";
import { familyTable } from "./family-table.ts";
import type { LabTable } from "./lab-table.ts";

export interface LabDesign {
  readonly problem: Problem;
  readonly setup: ShardingSetup | undefined;
  /** Id in the document of each entity, by name. */
  readonly ids: Readonly<Record<string, string>>;
  readonly answer?: Pick<Recommendation, "steps" | "plans" | "columnFamilies">;
}

/** Names of entities and keys of column families that there is something to say about. */
export function labTableNames({ problem, answer }: LabDesign): {
  readonly entities: readonly string[];
  readonly families: readonly string[];
} {
  const touched = new Set(
    problem.statements.flatMap((statement) => {
      if (!("graph" in statement)) return [statement.entity];
      return statement.graph.nodes.map(({ entity }) => entity);
    }),
  );
  const present = new Set(answer?.steps.flatMap(({ schema }) => schema) ?? []);
  return {
    entities: Object.keys(problem.entityGraph.entities).filter((name) => touched.has(name)),
    families: (answer?.columnFamilies ?? [])
      .map(({ key }) => key)
      .filter((key) => present.has(key)),
  };
}

/** One of them: an entity by its name, or a column family by its key. */
export function labTable(design: LabDesign, name: string): LabTable {
  const { problem, setup, ids, answer } = design;
  const idOf = (entity: string): string => ids[entity] ?? entity;
  return Object.hasOwn(problem.entityGraph.entities, name) || !answer
    ? entityTable(problem, name, idOf(name), setup)
    : familyTable(problem, answer, name, setup, idOf);
}
