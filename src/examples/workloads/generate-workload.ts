/**
 * Workloads of known structure and any size, for the study of growth: a forest of entities under their
 * parents, statements of five shapes in turn, and two groups of statements whose frequencies mirror each
 * other in a wave in which no two steps are alike. The same sizes and seed give the same document.
 *
 *  - Entity k stands under one of the three entities before it (role `up`); every third one has a second
 *    parent, `side`. Nothing is a cycle of directions, but two roads may lead to one ancestor.
 *  - Shapes: a record by its identifier; a parent's records in an order; two entities with a range; three
 *    entities with two equalities; and, every fifth, a change.
 */
import { type Random, randomFrom } from "#model/random.ts";

export interface WorkloadSizes {
  readonly entities: number;
  readonly statements: number;
  readonly steps: number;
  /** Per cent of the static-average schema's size; absent for no limit. */
  readonly storagePercent?: number;
  readonly seed?: number;
}

interface Entity {
  readonly name: string;
  readonly count: number;
  /** Position of the parent by role. */
  readonly up: number | undefined;
  readonly side: number | undefined;
}

const attributes = ["a1", "a2", "a3", "a4", "a5"] as const;
/** Distinct values per attribute: some tell records apart, some group them. */
const distinct = [20, 500, 5000, 50, 100_000] as const;
const fewestRecords = 1000;
const mostRecords = 1_000_000;

/** The document file (unread) of a generated workload. */
export function generateWorkload(sizes: WorkloadSizes): unknown {
  const { statements, steps, storagePercent, seed = 1 } = sizes;
  const random = randomFrom(seed);
  const entities = forest(sizes.entities, random);
  const ids = Array.from({ length: statements }, (_, index) => `s${index + 1}`);
  const texts = ids.map((_, index) => statementText(entities, index, random));
  const curves = ids.map((_, index) => curve(index, steps, 1 + random.below(10)));
  return {
    format: "tidetable",
    version: 1,
    name: `Generated: ${sizes.entities} entities, ${statements} statements, ${steps} steps`,
    question: "How do seconds and memory grow with the size of a workload?",
    entities: Object.fromEntries(entities.map((entity) => [entity.name, entityRecord(entity)])),
    relationships: Object.fromEntries(
      entities.flatMap((entity) => relationships(entities, entity)),
    ),
    statements: Object.fromEntries(
      ids.map((id, index) => [
        id,
        { label: id, group: groupOf(index) === 0 ? "day" : "night", text: texts[index] },
      ]),
    ),
    timeline: { steps, stepSeconds: 3600 },
    frequencies: Object.fromEntries(ids.map((id, index) => [id, curves[index]])),
    settings: {
      storage:
        storagePercent === undefined
          ? { kind: "none" }
          : { kind: "percentOfStaticAverage", percent: storagePercent },
      gap: 0.01,
    },
    layout: { positions: positions(entities) },
  };
}

function forest(count: number, random: Random): Entity[] {
  const entities: Entity[] = [];
  for (let index = 0; index < count; index += 1) {
    const up = index === 0 ? undefined : Math.max(0, index - 1 - random.below(3));
    const side = index % 3 === 2 ? random.below(index) : undefined;
    const above = up === undefined ? fewestRecords / 5 : (entities[up]?.count ?? 0);
    entities.push({
      name: `e${index + 1}`,
      count: Math.min(mostRecords, Math.round(above * 5)),
      up,
      side: side === up ? undefined : side,
    });
  }
  return entities;
}

function entityRecord({ count }: Entity): unknown {
  return {
    count,
    attributes: [
      { name: "id", type: "int" },
      ...attributes.map((name, index) => ({
        name,
        type: index === 2 ? "timestamp" : index === 4 ? "text" : "int",
        ...(index === 4 && { bytes: 40 }),
        distinct: Math.min(count, distinct[index] ?? count),
      })),
    ],
    identifier: ["id"],
  };
}

function relationships(
  entities: readonly Entity[],
  { name, up, side }: Entity,
): [string, unknown][] {
  const link = (role: string, parent: number | undefined): [string, unknown][] =>
    parent === undefined
      ? []
      : [
          [
            `${name}_${role}`,
            {
              multiplicity: "oneToMany",
              ends: [
                { entity: entities[parent]?.name, role },
                { entity: name, role: `${name}_${role}s` },
              ],
            },
          ],
        ];
  return [...link("up", up), ...link("side", side)];
}

function statementText(entities: readonly Entity[], index: number, random: Random): string {
  const shape = index % 5;
  // Entities with ancestors enough for the shape; a small forest may have none but its last ones.
  const deep = shape === 3 ? 2 : 1;
  const from = Math.min(deep, entities.length - 1);
  const position = from + random.below(entities.length - from);
  const entity = entities[position] as Entity;
  const { name } = entity;
  const parent = entities[entity.up ?? 0] as Entity;
  const grandparent = parent.up === undefined ? undefined : (entities[parent.up] as Entity);
  const shown = random.shuffled(attributes).slice(0, 3).sort();
  const columns = shown.map((attribute) => `${name}.${attribute}`).join(", ");
  switch (shape) {
    case 0:
      return `SELECT ${columns} FROM ${name} WHERE ${name}.id = ?`;
    case 1:
      return `SELECT ${name}.id, ${columns} FROM ${name} WHERE ${name}.up.id = ? ORDER BY ${name}.a3`;
    case 2:
      return `SELECT ${columns}, ${parent.name}.a5 FROM ${name}.up WHERE ${parent.name}.a2 = ? AND ${name}.a3 >= ?`;
    case 3:
      return grandparent === undefined
        ? `SELECT ${columns} FROM ${name}.up WHERE ${parent.name}.a1 = ? AND ${name}.a1 = ?`
        : `SELECT ${columns} FROM ${name}.up.up WHERE ${grandparent.name}.a1 = ? AND ${name}.a1 = ?`;
    default:
      return `UPDATE ${name} SET ${shown[0]} = ?, a4 = ? WHERE ${name}.id = ?`.replace(
        "a4 = ?, a4 = ?",
        "a4 = ?",
      );
  }
}

function groupOf(index: number): 0 | 1 {
  return Math.floor(index / 5) % 2 === 0 ? 0 : 1;
}

/**
 * Executions per second: base · (0.5 ∓ 0.4 · cos(2π (t + 0.25) / T)) — the shift keeps the way up and
 * the way down of the wave apart, so that all T steps differ.
 */
function curve(index: number, steps: number, base: number): number[] {
  const sign = groupOf(index) === 0 ? -1 : 1;
  return Array.from({ length: steps }, (_, t) =>
    rounded(base * (0.5 + sign * 0.4 * Math.cos((2 * Math.PI * (t + 0.25)) / steps))),
  );
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** Rows of eight boxes, so that the document can be looked at. */
function positions(entities: readonly Entity[]): unknown {
  return Object.fromEntries(
    entities.map(({ name }, index) => [
      name,
      { x: (index % 8) * 320, y: Math.floor(index / 8) * 280 },
    ]),
  );
}
