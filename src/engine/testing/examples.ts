/** Small problems that people know, for tests with figures worked out by hand. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the engine.
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import {
  buildEntityGraph,
  type EntityDrawing,
  type RelationshipDrawing,
} from "#model/entity-drawing.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import {
  defaultOptions,
  type Problem,
  type ProblemOptions,
  type StorageLimit,
} from "#model/problem.ts";
import type { Statement } from "#model/statement.ts";
import { parseStatement, type StatementSource } from "#model/statement-text.ts";

export interface ProblemParts {
  readonly graph: EntityGraph;
  /** Texts by id, or with estimates. */
  readonly queries: Readonly<
    Record<string, string | Pick<StatementSource, "text" | "assumptions">>
  >;
  /** Executions per second; one step of one execution per second by default. */
  readonly curves?: Readonly<Record<string, readonly number[]>>;
  readonly stepSeconds?: number;
  readonly storage?: StorageLimit;
  readonly costModel?: CostModel;
  readonly options?: Partial<ProblemOptions>;
}

/** A problem of a drawn graph and statements as texts. */
export function aProblem({
  graph,
  queries,
  curves,
  stepSeconds,
  storage,
  costModel,
  options,
}: ProblemParts): Problem {
  const statements = Object.entries(queries).map(([id, source]) =>
    aStatement(graph, id, typeof source === "string" ? { text: source } : source),
  );
  const flat = Object.fromEntries(statements.map(({ id }) => [id, [1]]));
  const frequencies = curves ?? flat;
  return {
    name: "example",
    entityGraph: graph,
    statements,
    workload: {
      timeline: {
        steps: Object.values(frequencies)[0]?.length ?? 1,
        stepSeconds: stepSeconds ?? 1,
      },
      curves: frequencies,
    },
    storage: storage ?? { kind: "none" },
    costModel: costModel ?? defaultCostModel,
    options: { ...defaultOptions, ...options },
  };
}

function aStatement(
  graph: EntityGraph,
  id: string,
  source: Pick<StatementSource, "text" | "assumptions">,
): Statement {
  const parsed = parseStatement({ id, label: id, group: "", ...source }, graph);
  if (!parsed.ok) throw new Error(`${source.text}: ${JSON.stringify(parsed.issues)}`);
  return parsed.value;
}

/** A graph that has to be right. */
export function aGraph(
  entities: readonly EntityDrawing[],
  relationships: readonly RelationshipDrawing[],
): EntityGraph {
  const built = buildEntityGraph(entities, relationships);
  if (!built.ok) throw new Error(JSON.stringify(built.issues));
  return built.value;
}

/** The paper's running example (case 22): users and their items. */
export const usersAndItems: EntityGraph = aGraph(
  [
    {
      name: "user",
      count: 1000,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "name", type: "text", bytes: 20, distinct: 1000 },
        { name: "email", type: "text", bytes: 40, distinct: 1000 },
      ],
      identifier: ["id"],
    },
    {
      name: "item",
      count: 20_000,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "name", type: "text", bytes: 20, distinct: 2000 },
        { name: "quantity", type: "int", distinct: 200 },
      ],
      identifier: ["id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "user", role: "user" },
        { entity: "item", role: "items" },
      ],
    },
  ],
);

/** Categories and their products (case 09). */
export const categoriesAndProducts: EntityGraph = aGraph(
  [
    {
      name: "Category",
      count: 100,
      attributes: [{ name: "cat_id", type: "uuid" }],
      identifier: ["cat_id"],
    },
    {
      name: "Product",
      count: 100_000,
      attributes: [
        { name: "product_id", type: "uuid" },
        { name: "price", type: "double", distinct: 5000 },
        { name: "added", type: "date", distinct: 3000 },
        { name: "title", type: "text", bytes: 60 },
      ],
      identifier: ["product_id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Category", role: "category" },
        { entity: "Product", role: "products" },
      ],
    },
  ],
);

/** Employees and events (case 03). */
export const employeesAndEvents: EntityGraph = aGraph(
  [
    {
      name: "Emp",
      count: 5000,
      attributes: [
        { name: "emp_id", type: "uuid" },
        { name: "city", type: "text", bytes: 20, distinct: 40 },
      ],
      identifier: ["emp_id"],
    },
    {
      name: "Event",
      count: 2_000_000,
      attributes: [
        { name: "event_id", type: "uuid" },
        { name: "created", type: "timestamp", distinct: 1_900_000 },
        { name: "level", type: "int", distinct: 5 },
        { name: "note", type: "text", bytes: 80 },
      ],
      identifier: ["event_id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Emp", role: "emp" },
        { entity: "Event", role: "events" },
      ],
    },
  ],
);

/** Videos and likes (case 07). */
export const videosAndLikes: EntityGraph = aGraph(
  [
    {
      name: "Video",
      count: 10_000,
      attributes: [
        { name: "video_id", type: "uuid" },
        { name: "title", type: "text", bytes: 60 },
      ],
      identifier: ["video_id"],
    },
    {
      name: "Like",
      count: 3_000_000,
      attributes: [
        { name: "like_id", type: "uuid" },
        { name: "at", type: "timestamp" },
        { name: "country", type: "text", bytes: 2, distinct: 120 },
      ],
      identifier: ["like_id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Video", role: "video" },
        { entity: "Like", role: "likes" },
      ],
    },
  ],
);

/** Two relationships between the same two entities (case 01). */
export const usersAndMessages: EntityGraph = aGraph(
  [
    {
      name: "User",
      count: 1000,
      attributes: [
        { name: "user_id", type: "uuid" },
        { name: "username", type: "text", bytes: 20 },
      ],
      identifier: ["user_id"],
    },
    {
      name: "Message",
      count: 100_000,
      attributes: [
        { name: "message_id", type: "uuid" },
        { name: "sent_at", type: "timestamp", distinct: 90_000 },
        { name: "body", type: "text", bytes: 300 },
      ],
      identifier: ["message_id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "User", role: "sender" },
        { entity: "Message", role: "sent" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "User", role: "recipient" },
        { entity: "Message", role: "received" },
      ],
    },
  ],
);

/** Keys of two and three columns that parents and children share (case 10, `shop.sql`). */
export const shop: EntityGraph = aGraph(
  [
    {
      name: "product",
      count: 1000,
      attributes: [
        { name: "company", type: "int", distinct: 10 },
        { name: "code", type: "text", bytes: 25, distinct: 100 },
        { name: "label", type: "text" },
      ],
      identifier: ["company", "code"],
    },
    {
      name: "variant",
      count: 5000,
      attributes: [
        { name: "company", type: "int", distinct: 10 },
        { name: "product", type: "text", bytes: 25, distinct: 100 },
        { name: "variant", type: "text", bytes: 10, distinct: 5 },
      ],
      identifier: ["company", "product", "variant"],
    },
    {
      name: "barcode",
      count: 20_000,
      attributes: [
        { name: "company", type: "int", distinct: 10 },
        { name: "digits", type: "text", bytes: 64, distinct: 20_000 },
        { name: "product", type: "text", bytes: 25, distinct: 100 },
        { name: "variant", type: "text", bytes: 10, distinct: 5 },
      ],
      identifier: ["company", "digits"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "product", role: "ofProduct" },
        { entity: "variant", role: "variants" },
      ],
      bind: { company: "company", product: "code" },
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "variant", role: "ofVariant" },
        { entity: "barcode", role: "barcodes" },
      ],
      bind: { company: "company", product: "product", variant: "variant" },
    },
  ],
);

/** Members and their memberships (case 13). */
export const membersAndMemberships: EntityGraph = aGraph(
  [
    {
      name: "Member",
      count: 1000,
      attributes: [
        { name: "id", type: "int" },
        { name: "name", type: "text", bytes: 40 },
      ],
      identifier: ["id"],
    },
    {
      name: "Membership",
      count: 3000,
      attributes: [
        { name: "ms_id", type: "int" },
        { name: "since", type: "date", distinct: 3000 },
      ],
      identifier: ["ms_id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Member", role: "member" },
        { entity: "Membership", role: "memberships" },
      ],
    },
  ],
);
