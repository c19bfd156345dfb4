/**
 * How evenly the column families of an answer spread over a cluster: by formula, so that it is at hand for
 * every table of every answer, at any number of nodes.
 *
 * With N nodes, a share h of all requests on one partition gives its node 1 + h·(N − 1) times the mean. The
 * rows of a node vary by √((N − 1)·(C + 1/(N·v + 1))) of the mean, where C is the chance that two rows share
 * a partition and v the number of tokens per node (`ring`: Beta-distributed shares).
 */
import {
  type PartitionFigures,
  partitionFigures,
  powerSum,
  type Spreads,
} from "#model/partition-figures.ts";
import type { AnswerBalance, FamilyBalance, StepBalance } from "#model/recommendation.ts";
import type { Cluster } from "#model/sharding-setup.ts";
import { familyTable } from "./family-table.ts";
import { partitionLimits } from "./key-adviser.ts";
import type { LabRequest, LabTable } from "./lab-table.ts";
import type { LabDesign } from "./lab-tables.ts";

/** The balance of every column family that exists at some step. */
export function answerBalance(
  design: LabDesign & { readonly answer: NonNullable<LabDesign["answer"]> },
  cluster: Cluster,
): AnswerBalance {
  const { problem, setup, ids, answer } = design;
  const spreads = spreadsOf(design);
  const idOf = (entity: string): string => ids[entity] ?? entity;
  const present = new Set(answer.steps.flatMap(({ schema }) => schema));
  const families = answer.columnFamilies
    .filter(({ key }) => present.has(key))
    .map((family): [string, FamilyBalance] => {
      const table = familyTable(problem, answer, family.key, setup, idOf);
      const figures = partitionFigures(problem.entityGraph, family, spreads);
      return [family.key, familyBalance(table, figures, answer.steps.length, cluster)];
    });
  return { cluster, families: Object.fromEntries(families) };
}

/** What is set up for entities by their ids, by their names. */
export function spreadsOf({ setup, ids }: Pick<LabDesign, "setup" | "ids">): Spreads {
  return Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) => {
      const own = setup?.columns?.[id];
      return own ? [[name, own]] : [];
    }),
  );
}

function familyBalance(
  table: LabTable,
  figures: PartitionFigures,
  steps: number,
  cluster: Cluster,
): FamilyBalance {
  const { nodes, virtualNodes } = cluster;
  const spread = figures.concentration + 1 / (nodes * virtualNodes + 1);
  const rowVariation = Math.sqrt((nodes - 1) * spread);
  const balances = Array.from({ length: steps }, (_, step) =>
    stepBalance(table, figures, step, nodes),
  );
  return {
    ...figures,
    rowVariation,
    steps: balances,
    cautions: cautionsOf(figures, balances, cluster),
  };
}

function stepBalance(
  table: LabTable,
  figures: PartitionFigures,
  step: number,
  nodes: number,
): StepBalance {
  let requests = 0;
  let onHottest = 0;
  let reads = 0;
  let partitions = 0;
  for (const request of table.requests) {
    const executions = request.perSecond[step] ?? 0;
    requests += executions * request.keys;
    onHottest += executions * request.keys * hottestShareOf(request, table, figures);
    if (request.kind !== "read") continue;
    reads += executions;
    partitions += executions * request.keys;
  }
  const hottestShare = requests === 0 ? 0 : Math.min(1, onHottest / requests);
  return {
    requestsPerSecond: requests,
    hottestShare,
    hottestNode: requests === 0 ? 1 : 1 + hottestShare * (nodes - 1),
    partitionsPerRead: reads === 0 ? 0 : partitions / reads,
  };
}

/** The share of a request's executions on the partition that gets most. */
function hottestShareOf(
  { kind, pick }: LabRequest,
  table: LabTable,
  { partitions, largestShare }: PartitionFigures,
): number {
  if (kind === "insert") return rises(table) ? 1 : largestShare;
  switch (pick.kind) {
    case "uniform":
      return 1 / partitions;
    case "records":
      return largestShare;
    case "zipf":
      return 1 / powerSum(partitions, pick.exponent);
    case "hot key":
      return pick.share + (1 - pick.share) / partitions;
    case "latest": {
      const own = table.initial / partitions;
      return rises(table)
        ? powerSum(own, pick.exponent) / powerSum(table.initial, pick.exponent)
        : largestShare;
    }
  }
}

/** All new rows go to the youngest partition: the whole key rises with time, and a partition has many rows. */
function rises({ key, columns, initial }: LabTable): boolean {
  const own = columns.filter(({ name }) => key.includes(name));
  const distinct = own.reduce((product, column) => product * column.distinct, 1);
  return (
    own.length === key.length &&
    own.every(({ distribution }) => distribution.kind === "arrival") &&
    initial / distinct >= 20
  );
}

function cautionsOf(
  { largestRows, largestBytes, largestCells, partitions }: PartitionFigures,
  steps: readonly StepBalance[],
  { nodes, threshold }: Cluster,
): string[] {
  const hottest = steps.reduce((most, each) => Math.max(most, each.hottestNode), 1);
  const variation = Math.sqrt((nodes - 1) / partitions);
  return [
    ...(largestCells > partitionLimits.cells
      ? ["Its largest partition has more cells than Cassandra can hold in one."]
      : []),
    ...(largestBytes > partitionLimits.bytes
      ? ["Its largest partition is above 100 MB."]
      : largestRows > partitionLimits.rows
        ? ["Its largest partition has more than 100,000 rows."]
        : []),
    ...(nodes > 1 && hottest > threshold
      ? [
          `Its hottest partition gives one of ${nodes} nodes ${Number(hottest.toPrecision(3))} times the mean load.`,
        ]
      : []),
    ...(nodes > 1 && variation > 0.25 && hottest <= threshold
      ? [
          `It has ${Math.round(partitions)} partitions for ${nodes} nodes: they cannot be spread evenly.`,
        ]
      : []),
  ];
}
