/** The form in the document of what a person decides in the sharding lab (`model/sharding-setup.ts`). */
import { z } from "zod";
import { defaultCluster, mostNodes } from "#model/sharding-setup.ts";
import { fields } from "./fields.ts";

const text = (error: string) => z.string({ error });
const list = <Item extends z.ZodType>(item: Item, error: string) => z.array(item, { error });
const share = z
  .number({ error: "Write a share between 0 and 1." })
  .min(0, { error: "Write a share between 0 and 1." })
  .max(1, { error: "Write a share between 0 and 1." });
const exponent = z
  .number({ error: "Write an exponent above 0, such as 1." })
  .gt(0, { error: "Write an exponent above 0, such as 1." });
const whole = (least: number, most: number, what: string) => {
  const error = `Write ${what}, a whole number from ${least} to ${most}.`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};
const plain = <Kind extends string>(kind: Kind) =>
  fields(`the distribution ${kind}`, { kind: z.literal(kind) });

const distributionSchema = z.discriminatedUnion(
  "kind",
  [
    plain("unique"),
    plain("uniform"),
    plain("even"),
    plain("arrival"),
    fields("a Zipf distribution", { kind: z.literal("zipf"), exponent }),
    fields("a hot value", { kind: z.literal("hot"), share }),
    fields("a column that follows another", {
      kind: z.literal("follows"),
      column: text("Name the other column."),
    }),
  ],
  { error: "Choose the kind unique, uniform, even, zipf, hot, arrival or follows." },
);

const pickSchema = z.discriminatedUnion(
  "kind",
  [
    plain("uniform"),
    plain("records"),
    fields("Zipf picks", { kind: z.literal("zipf"), exponent }),
    fields("picks of the latest", { kind: z.literal("latest"), exponent }),
    fields("a hot key", { kind: z.literal("hot key"), share }),
  ],
  { error: "Choose the kind uniform, records, zipf, latest or hot key." },
);

const column = text("Name a column.");
const columns = list(column, "Write a list of columns.").min(1, {
  error: "Name at least one column.",
});
const oneColumn = z.tuple([column], { error: "Write a list with one column." });
const hash = z.enum(["murmur3", "random"], { error: "Choose murmur3 or random." });

const cutSchema = z.discriminatedUnion(
  "kind",
  [
    fields("ranges of equal width", { kind: z.literal("equal width") }),
    fields("ranges of equal count", { kind: z.literal("equal count") }),
    fields("ranges by hand", {
      kind: z.literal("by hand"),
      borders: list(text("Write a value as text."), "Write a list of borders."),
    }),
  ],
  { error: "Choose the kind equal width, equal count or by hand." },
);

const virtualNodes = whole(1, 1024, "the tokens of a node");

const strategySchema = z.discriminatedUnion(
  "kind",
  [
    fields("round robin", { kind: z.literal("round robin") }),
    fields("ranges", { kind: z.literal("range"), key: oneColumn, cut: cutSchema }),
    fields("lists", {
      kind: z.literal("list"),
      key: oneColumn,
      lists: list(
        list(text("Write a value as text."), "Write a list of values."),
        "Write one list of values per node.",
      ),
      otherwise: whole(0, mostNodes - 1, "the position of a node"),
    }),
    fields("hash mod N", { kind: z.literal("hash mod"), key: columns, hash }),
    fields("a ring", {
      kind: z.literal("ring"),
      key: columns,
      hash,
      tokens: z.enum(["even", "random"], { error: "Choose even or random." }),
      virtualNodes,
    }),
    fields("jump hash", { kind: z.literal("jump hash"), key: columns }),
    fields("slots", { kind: z.literal("slots"), key: columns }),
  ],
  { error: "Choose the kind round robin, range, list, hash mod, ring, jump hash or slots." },
);

const strategies = list(strategySchema, "Write a list of strategies.");
const entity = text("Write the id of an entity.");

export const clusterSchema = fields("the cluster", {
  nodes: whole(1, mostNodes, "the number of nodes").default(defaultCluster.nodes),
  replicas: whole(1, 16, "the copies of each record").default(defaultCluster.replicas),
  partitioner: hash.default(defaultCluster.partitioner),
  virtualNodes: virtualNodes.default(defaultCluster.virtualNodes),
  threshold: z
    .number({ error: "Write a multiple of the mean, above 1." })
    .gt(1, { error: "Write a multiple of the mean, above 1." })
    .default(defaultCluster.threshold),
  nodeBytes: z
    .number({ error: "Write the bytes that a node can hold." })
    .gt(0, { error: "Write the bytes that a node can hold, above 0." })
    .exactOptional(),
});

const aboveZero = (what: string) => {
  const error = `Write ${what}, above 0.`;
  return z.number({ error }).gt(0, { error });
};

const limitsSchema = fields("the limits on partitions", {
  largestBytes: aboveZero("the most bytes of a partition").exactOptional(),
  largestRows: aboveZero("the most rows of a partition").exactOptional(),
  largestShare: share.exactOptional(),
  perFurtherPartition: z
    .number({ error: "Write milliseconds of at least 0." })
    .min(0, { error: "Write milliseconds of at least 0." })
    .exactOptional(),
});

export const shardingSchema = fields("the sharding lab", {
  cluster: clusterSchema.prefault({}),
  limits: limitsSchema.exactOptional(),
  table: entity.exactOptional(),
  columns: z
    .record(
      z.string(),
      z.record(z.string(), distributionSchema, {
        error: "Write an object with one distribution per attribute.",
      }),
      { error: "Write an object with one entry per entity." },
    )
    .exactOptional(),
  picks: z
    .record(z.string(), pickSchema, { error: "Write an object with one pick per statement." })
    .exactOptional(),
  strategies: strategies.exactOptional(),
  story: list(
    fields("a step of the story", {
      title: text("Write the title as text."),
      text: text("Write what is to be seen."),
      table: entity,
      strategies,
    }),
    "Write a list of steps.",
  ).exactOptional(),
  keys: list(
    fields("a question about a key", {
      table: entity,
      key: columns,
      verdict: z.enum(["good", "doubtful", "bad"], { error: "Choose good, doubtful or bad." }),
    }),
    "Write a list of keys.",
  ).exactOptional(),
});
