/**
 * The document: what a person edits, and the file it is kept in (version 2).
 *
 * Decides the shape: flat tables of records by id, references by id, positions in a table of their
 * own, results nowhere. `StudioDocument` is the form in memory, with every default written out;
 * `documentSchema` is the file, in which defaults may be left out. `read.ts` goes from one to the
 * other and promises that a document in memory has a curve of the right length for every statement
 * and no reference to an entity that is not there. It may still be unfinished: a statement that does
 * not parse, an entity without an identifier are for `to-problem.ts` to report.
 *
 * The `error` of a schema here is the hint of the issue: it completes “mend it so: …”.
 */
import { z } from "zod";
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import type { AttributeType, Multiplicity } from "#model/entity-graph.ts";
import { defaultOptions, type ProblemOptions, type StorageLimit } from "#model/problem.ts";
import type { RunMode } from "#model/recommendation.ts";
import type { ShardingSetup } from "#model/sharding-setup.ts";
import type { StatementId } from "#model/statement.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { costModelSchema } from "./cost-model-schema.ts";
import { fields } from "./fields.ts";
import { shardingSchema } from "./sharding-schema.ts";
import {
  type HandMadeRecord,
  handMadeSchema,
  type RestrictionId,
  type RestrictionRecord,
  restrictionSchema,
  startSchemaSchema,
} from "./tables-schema.ts";

/** Key of an entity in the document. Stays when the entity is renamed. */
export type EntityId = string;
/** Key of a relationship in the document (not `Relationship.id` of the graph, which follows names). */
export type RelationshipId = string;

/** The version this program writes. */
export const documentVersion = 2;
/** More steps than this would only freeze the page; a year of hours is 8,760. */
export const mostSteps = 10_000;
/** Relative gap at which an answer counts as proven. */
export const defaultGap = 1e-4;

export interface AttributeRecord {
  readonly name: string;
  readonly type: AttributeType;
  /** Average bytes of a value; absent: the type's default. */
  readonly bytes?: number;
  /** Distinct values; absent: the number of records (two for a boolean). */
  readonly distinct?: number;
}

export interface EntityRecord {
  /** Name in statements and tables; absent: the id. */
  readonly name?: string;
  readonly count: number;
  readonly attributes: readonly AttributeRecord[];
  /** Attribute names, or roles standing for the whole identifier of that parent. */
  readonly identifier: readonly string[];
  readonly note?: string;
}

export interface EndRecord {
  readonly entity: EntityId;
  /** The name under which the other end reaches this one. */
  readonly role: string;
}

export interface RelationshipRecord {
  readonly multiplicity: Multiplicity;
  /** The one side (parent), then the N side (child). */
  readonly ends: readonly [EndRecord, EndRecord];
  readonly links?: number;
  readonly optional?: boolean;
  readonly atLeastOne?: boolean;
  /** Child attribute → parent identifier attribute. */
  readonly bind?: Readonly<Record<string, string>>;
}

/** What a person knows about a statement's predicates; keys as `parseStatement` takes them. */
export interface AssumptionsRecord {
  readonly selectivity?: Readonly<Record<string, number>>;
  readonly listLength?: Readonly<Record<string, number>>;
}

export interface StatementRecord {
  readonly label?: string;
  readonly group?: string;
  readonly text: string;
  readonly assumptions?: AssumptionsRecord;
}

export interface TimelineRecord {
  readonly steps: number;
  readonly stepSeconds: number;
  /** One label per step. */
  readonly labels?: readonly string[];
}

export interface SettingsRecord {
  readonly storage: StorageLimit;
  readonly options: ProblemOptions;
  /** The one that runs use. */
  readonly costModel: CostModel;
  /** Others to choose from, beside the presets; names are unique among all. */
  readonly costModels?: readonly CostModel[];
  /** Relative gap, 0 … 1, at which the search may stop. */
  readonly gap: number;
  readonly timeLimitSeconds?: number;
  /** How runs search; absent: certified. */
  readonly mode?: RunMode;
}

/** Key of a scenario in the document. */
export type ScenarioId = string;

/** A named set of overrides: what is not overridden is as in the project itself (`scenario.ts`). */
export interface ScenarioRecord {
  /** Unique among the scenarios. */
  readonly name: string;
  /** Numbers of records. */
  readonly counts?: Readonly<Record<EntityId, number>>;
  /** Whole curves: one number per step. */
  readonly curves?: Readonly<Record<StatementId, FrequencyCurve>>;
  /** Factors by which curves, overridden or not, are multiplied. */
  readonly weights?: Readonly<Record<StatementId, number>>;
  readonly storage?: StorageLimit;
  /** All pins and bans there are in the scenario. */
  readonly restrictions?: Readonly<Record<RestrictionId, RestrictionRecord>>;
}

export interface Position {
  readonly x: number;
  readonly y: number;
}

export interface StudioDocument {
  readonly format: "tidetable";
  readonly version: typeof documentVersion;
  readonly name: string;
  /** What this example asks. */
  readonly question?: string;
  readonly entities: Readonly<Record<EntityId, EntityRecord>>;
  readonly relationships: Readonly<Record<RelationshipId, RelationshipRecord>>;
  /** In the order of display. */
  readonly statements: Readonly<Record<StatementId, StatementRecord>>;
  readonly timeline: TimelineRecord;
  /** Executions per second, one number per step, for every statement. */
  readonly frequencies: Readonly<Record<StatementId, FrequencyCurve>>;
  readonly settings: SettingsRecord;
  /** Pins and bans. */
  readonly restrictions?: Readonly<Record<RestrictionId, RestrictionRecord>>;
  /** Tables that exist before step 1, as texts. */
  readonly startSchema?: readonly string[];
  /** A schema to compare with the optimum. */
  readonly handMade?: HandMadeRecord;
  /** What is set up in the sharding lab. */
  readonly sharding?: ShardingSetup;
  /** In the order of display. */
  readonly scenarios?: Readonly<Record<ScenarioId, ScenarioRecord>>;
  readonly layout: { readonly positions: Readonly<Record<EntityId, Position>> };
}

/** A document with nothing in it. */
export function emptyDocument(name: string): StudioDocument {
  return {
    format: "tidetable",
    version: documentVersion,
    name,
    entities: {},
    relationships: {},
    statements: {},
    timeline: { steps: 1, stepSeconds: 3600 },
    frequencies: {},
    settings: {
      storage: { kind: "none" },
      options: defaultOptions,
      costModel: defaultCostModel,
      gap: defaultGap,
    },
    layout: { positions: {} },
  };
}

/** The name of an entity in statements, tables and messages. */
export function entityName(id: EntityId, entity: EntityRecord): string {
  return entity.name ?? id;
}

/** Ids of entities by their names. */
export function idsByName({
  entities,
}: Pick<StudioDocument, "entities">): Record<string, EntityId> {
  return Object.fromEntries(
    Object.entries(entities).map(([id, entity]) => [entityName(id, entity), id]),
  );
}

/**
 * Ids begin with a letter or `_`: ids like `1` would be put in numeric order by every JSON reader
 * and the order of display would be lost. A slash would break the places of issues. And what every
 * JavaScript object has (`constructor`, `toString`) would be found in every table.
 */
const idPattern = new RegExp(
  `^(?!(?:${Object.getOwnPropertyNames(Object.prototype).sort().join("|")})$)[\\p{L}_][^/]*$`,
  "u",
);
const idHint =
  "Begin an id with a letter or _, use no slash, and avoid words of JavaScript such as constructor.";

/** Why a text cannot be an id, as a hint, or undefined. */
export function idProblem(id: string): string | undefined {
  return idPattern.test(id) ? undefined : idHint;
}

// ---------------------------------------------------------------------------------------- the file

const idKey = z.string().regex(idPattern, { error: idHint });

/** A table of records by id. */
function table<Value extends z.ZodType>(what: string, value: Value) {
  return z.record(idKey, value, { error: `Write an object with one ${what} per id.` });
}

const text = (error: string) => z.string({ error });
const flag = z.boolean({ error: "Write true or false." });
const atLeast = (least: number, error: string) => z.number({ error }).min(least, { error });
const above = (limit: number, error: string) => z.number({ error }).gt(limit, { error });
const share = (error: string) => z.number({ error }).min(0, { error }).max(1, { error });

const attributeTypes = [
  "uuid",
  "text",
  "int",
  "bigint",
  "double",
  "decimal",
  "boolean",
  "date",
  "timestamp",
  "blob",
  "counter",
] as const satisfies readonly AttributeType[];

const attributeSchema = fields("an attribute", {
  name: text("Write the attribute's name as text."),
  type: z.enum(attributeTypes, { error: `Choose one of ${attributeTypes.join(", ")}.` }),
  bytes: above(0, "Write the average bytes of a value, above 0.").exactOptional(),
  distinct: atLeast(1, "Write the number of distinct values, at least 1.").exactOptional(),
});

const entitySchema = fields("an entity", {
  name: text("Write the entity's name as text, or leave it out to use the id.").exactOptional(),
  count: atLeast(1, "Write the number of records, at least 1."),
  attributes: z.array(attributeSchema, { error: "Write a list of attributes." }),
  identifier: z.array(text("Name an attribute, or a role of a parent."), {
    error: "Write a list of attribute names, or roles of parents.",
  }),
  note: text("Write the note as text.").exactOptional(),
});

const endSchema = fields("an end", {
  entity: text("Write the id of an entity."),
  role: text("Write the role's name as text."),
});

const multiplicities = [
  "oneToOne",
  "oneToMany",
  "manyToMany",
] as const satisfies readonly Multiplicity[];

const relationshipSchema = fields("a relationship", {
  multiplicity: z.enum(multiplicities, { error: `Choose one of ${multiplicities.join(", ")}.` }),
  ends: z.tuple([endSchema, endSchema], {
    error: "Write a list of two ends: the one side, then the N side.",
  }),
  links: atLeast(1, "Write how many pairs are linked, at least 1.").exactOptional(),
  optional: flag.exactOptional(),
  atLeastOne: flag.exactOptional(),
  bind: z
    .record(z.string(), text("Name an identifier attribute of the one side."), {
      error: "Write an object from attributes of the N side to identifier attributes of the one.",
    })
    .exactOptional(),
});

const assumptionsSchema = fields("assumptions", {
  selectivity: z
    .record(z.string(), share("Write a share of rows between 0 and 1."), {
      error: "Write an object with one share between 0 and 1 per column.",
    })
    .exactOptional(),
  listLength: z
    .record(z.string(), atLeast(1, "Write the expected length of the list, at least 1."), {
      error: "Write an object with one list length per column.",
    })
    .exactOptional(),
});

const statementSchema = fields("a statement", {
  label: text("Write the label as text.").exactOptional(),
  group: text("Write the group's name as text.").exactOptional(),
  text: text("Write the statement as text."),
  assumptions: assumptionsSchema.exactOptional(),
});

const stepsHint = `Write the number of time steps, a whole number from 1 to ${mostSteps}.`;
const timelineSchema = fields("a timeline", {
  steps: z
    .int({ error: stepsHint })
    .min(1, { error: stepsHint })
    .max(mostSteps, { error: stepsHint }),
  stepSeconds: above(0, "Write the length of a step in seconds, above 0."),
  labels: z
    .array(text("Write the label of a step as text."), { error: "Write a list of labels." })
    .exactOptional(),
});

const frequencyHint = "Write executions per second, a number of at least 0.";
const frequencySchema = atLeast(0, frequencyHint);
const curveSchema = z.union([frequencySchema, z.array(frequencySchema, { error: frequencyHint })], {
  error: "Write one number per step, or a single number for a constant curve.",
});

const storageSchema = z.discriminatedUnion(
  "kind",
  [
    fields("no storage limit", { kind: z.literal("none") }),
    fields("a storage limit in bytes", {
      kind: z.literal("bytes"),
      bytes: above(0, "Write a number of bytes, above 0."),
    }),
    fields("a storage limit in per cent", {
      kind: z.literal("percentOfStaticAverage"),
      percent: above(0, "Write per cent of the static-average schema's size, above 0."),
    }),
  ],
  { error: "Choose the kind none, bytes or percentOfStaticAverage." },
);

const getsHint = "Write the most Gets of a plan, a whole number of at least 1.";
const optionsSchema = fields("the options", {
  maxGets: z.int({ error: getsHint }).min(1, { error: getsHint }).default(defaultOptions.maxGets),
  initialLoad: flag.default(defaultOptions.initialLoad),
  cyclic: flag.default(defaultOptions.cyclic),
  buildingCountsAsStorage: flag.default(defaultOptions.buildingCountsAsStorage),
  sizeFactor: above(0, "Write a factor above 0.").default(defaultOptions.sizeFactor),
});

const runModes = ["certified", "summary-tree"] as const satisfies readonly RunMode[];

const settingsSchema = fields("the settings", {
  storage: storageSchema.default({ kind: "none" }),
  options: optionsSchema.prefault({}),
  costModel: costModelSchema.default(defaultCostModel),
  costModels: z.array(costModelSchema, { error: "Write a list of cost models." }).exactOptional(),
  gap: share("Write a relative gap between 0 and 1.").default(defaultGap),
  timeLimitSeconds: above(0, "Write a number of seconds, above 0.").exactOptional(),
  mode: z.enum(runModes, { error: `Choose one of ${runModes.join(", ")}.` }).exactOptional(),
});

const coordinate = z.number({ error: "Write a number of pixels." });
const layoutSchema = fields("the layout", {
  positions: table("position", fields("a position", { x: coordinate, y: coordinate })).default({}),
});

const scenarioSchema = fields("a scenario", {
  name: text("Write the scenario's name as text.").min(1, { error: "Name the scenario." }),
  counts: table("number", atLeast(1, "Write the number of records, at least 1.")).exactOptional(),
  curves: table("curve", z.array(frequencySchema, { error: frequencyHint })).exactOptional(),
  weights: table("factor", atLeast(0, "Write a factor of at least 0.")).exactOptional(),
  storage: storageSchema.exactOptional(),
  restrictions: table("pin or ban", restrictionSchema).exactOptional(),
});

/** The document file, version 2. */
export const documentSchema = fields("a document", {
  $schema: text("Write the address of a JSON Schema.").exactOptional(),
  format: z.literal("tidetable", { error: "Write tidetable." }),
  version: z.literal(documentVersion, { error: `Write ${documentVersion}.` }),
  name: text("Write the project's name as text."),
  question: text("Write the question as text.").exactOptional(),
  entities: table("entity", entitySchema),
  relationships: table("relationship", relationshipSchema).default({}),
  statements: table("statement", statementSchema),
  timeline: timelineSchema,
  frequencies: table("curve", curveSchema).default({}),
  settings: settingsSchema.prefault({}),
  restrictions: table("pin or ban", restrictionSchema).exactOptional(),
  startSchema: startSchemaSchema.exactOptional(),
  handMade: handMadeSchema.exactOptional(),
  sharding: shardingSchema.exactOptional(),
  scenarios: table("scenario", scenarioSchema).exactOptional(),
  layout: layoutSchema.prefault({}),
});

/** The file after zod has filled in defaults; curves may still be single numbers. */
export type DocumentFile = z.output<typeof documentSchema>;
