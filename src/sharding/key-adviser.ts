/**
 * Which key to choose: for every candidate key of a table its figures on a ring, a verdict, and the reason in
 * one sentence; for a key that is not good a bucket that mends it, and what that costs.
 *
 * The verdict is the worst of what is found. With N nodes, a share h of all requests on one key gives its
 * node 1 + h·(N − 1) times the mean load, however many other keys there are; D equal keys spread over N
 * nodes vary by √((N − 1)/D) of the mean (each node's number of keys is binomial).
 */
import type { Cluster, KeyVerdict, Strategy } from "#model/sharding-setup.ts";
import { balanceOf } from "./balance.ts";
import { keyTableOf } from "./key-table.ts";
import { keysOf, type LabTable, largestPartitionRows, rowsOf } from "./lab-table.ts";
import type { RecordTable } from "./records.ts";
import { nodeNames, runExperiment, type StrategyOutcome } from "./run-experiment.ts";

/** What Cassandra's documentation advises against exceeding, and what it cannot exceed. */
export const partitionLimits = { bytes: 100e6, rows: 100_000, cells: 2e9 } as const;

export interface KeyAdvice {
  readonly key: readonly string[];
  readonly verdict: KeyVerdict;
  /** Why, in one sentence. */
  readonly reason: string;
  /** What else was found, the gravest first. */
  readonly also: readonly string[];
  readonly figures: KeyAdviceFigures;
  readonly bucket?: BucketProposal;
}

export interface KeyAdviceFigures {
  /** Different keys that are to be expected in the whole table. */
  readonly distinct: number;
  /** Share of all records, and of all requests, on the key that has most. */
  readonly largestRowShare: number;
  readonly hottestShare: number;
  readonly hottest: string;
  /** Load of the busiest node over the mean. */
  readonly busiest: number;
  /** Share of reads that find all they read in one partition. */
  readonly coAccess: number;
  /** Share of reads, and of all requests, that ask several nodes. */
  readonly multiShardReads: number;
  readonly multiShard: number;
  /** Of the largest partition, in the whole table. */
  readonly largestRows: number;
  readonly largestBytes: number;
  /** Share of new records that go where the one before went, beyond chance; 0 where none arrive. */
  readonly growth: number;
}

/** A further key column that cuts partitions up. */
export interface BucketProposal {
  readonly kind: "time" | "hash";
  /** `day of at`, `hash of id mod 8`. */
  readonly text: string;
  /** Partitions that one key is cut into, and so a read of the whole key visits. */
  readonly partitions: number;
  /** Partitions that a read of the latest records visits. */
  readonly latest: number;
  readonly largestRows: number;
  readonly largestBytes: number;
  readonly hottestShare: number;
  readonly price: string;
}

/** Candidates that are worked out; a table with more columns than this is an odd one. */
const mostCandidates = 24;
const requestsDrawn = 60_000;

/** Keys to consider: the table's own, every column, and columns that a request names together. */
export function candidateKeys(table: LabTable): readonly (readonly string[])[] {
  const names = new Set(table.columns.map(({ name }) => name));
  const together = table.requests
    .filter(({ kind, binds }) => kind !== "insert" && binds.length > 1 && binds.length <= 3)
    .map(({ binds }) => binds.filter((name) => names.has(name)));
  const all = [table.key, ...[...names].map((name) => [name]), ...together];
  const seen = new Set<string>();
  return all
    .filter((key) => {
      const text = [...key].sort().join("\0");
      const isNew = key.length > 0 && !seen.has(text);
      seen.add(text);
      return isNew;
    })
    .slice(0, mostCandidates);
}

export interface DrawnRecords {
  readonly records: RecordTable;
  /** Records of the table that each of them stands for. */
  readonly rowsEach: number;
}

/** Advice on each key, in the order of the keys; `onProgress` hears the share that is done. */
export function adviseKeys(
  table: LabTable,
  { records, rowsEach }: DrawnRecords,
  keys: readonly (readonly string[])[],
  cluster: Cluster,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): KeyAdvice[] {
  const strategies = keys.map(
    (key): Strategy => ({
      kind: "ring",
      key,
      hash: cluster.partitioner,
      tokens: "random",
      // Many tokens, so that what is uneven is so because of the key.
      virtualNodes: Math.max(64, cluster.virtualNodes),
    }),
  );
  const experiment = {
    nodes: nodeNames(cluster.nodes),
    replicas: 1,
    strategies,
    plans: table.requests,
    requests: requestsDrawn,
    seed,
    rowsEach,
  };
  const { outcomes } = runExperiment(experiment, records, onProgress);
  return outcomes.flatMap((outcome, index) =>
    "stored" in outcome ? [adviceOn(table, records, keys[index] ?? [], outcome, cluster)] : [],
  );
}

function adviceOn(
  table: LabTable,
  records: RecordTable,
  key: readonly string[],
  outcome: StrategyOutcome,
  cluster: Cluster,
): KeyAdvice {
  const figures = figuresOf(table, records, key, outcome, cluster);
  const findings = findingsOf(table, key, figures, cluster);
  const [first, ...rest] = findings;
  const bucket =
    first && figures.distinct > 1 ? bucketFor(table, key, figures, cluster) : undefined;
  return {
    key,
    verdict: first?.verdict ?? "good",
    reason: first?.text ?? goodReason(figures),
    also: rest.map(({ text }) => text),
    figures,
    ...(bucket && { bucket }),
  };
}

function figuresOf(
  table: LabTable,
  records: RecordTable,
  key: readonly string[],
  outcome: StrategyOutcome,
  cluster: Cluster,
): KeyAdviceFigures {
  const isGiven = table.kind === "own records";
  const largestRows = isGiven ? outcome.keys.largestRows : largestPartitionRows(table, key);
  const nodes = cluster.nodes;
  const load = new Float64Array(nodes);
  for (const steps of [outcome.reads, outcome.writes])
    for (const step of steps)
      for (const [node, each] of step.entries()) load[node] = (load[node] ?? 0) + each;
  const reads = table.requests
    .map((request, index) => ({
      request,
      route: outcome.routes[index],
      frequency: total(request.perSecond),
    }))
    .filter(({ request }) => request.kind === "read");
  const all = reads.reduce((sum, { frequency }) => sum + frequency, 0);
  const together = reads.filter(({ request, route }) => route?.carriesKey && request.keys < 1.5);
  const frequencies = table.requests.map(({ perSecond }) => total(perSecond));
  const requests = frequencies.reduce((sum, each) => sum + each, 0);
  const multi = frequencies.reduce(
    (sum, each, index) => sum + each * (outcome.routes[index]?.multiShard ?? 0),
    0,
  );
  const multiReads = reads.reduce(
    (sum, { route, frequency }) => sum + frequency * (route?.multiShard ?? 0),
    0,
  );
  const [hottest] = outcome.keys.hottest;
  return {
    distinct: isGiven ? outcome.keys.count : keysOf(table, key),
    largestRowShare: largestRows / Math.max(1, rowsOf(table)),
    hottestShare: hottest?.share ?? 0,
    hottest: hottest?.text ?? "",
    busiest: balanceOf(load, cluster.threshold).mostToMean,
    coAccess: all === 0 ? 1 : together.reduce((sum, { frequency }) => sum + frequency, 0) / all,
    // A handful of reads among a flood of writes is no reason against a key.
    multiShardReads: all < 0.01 * requests || all === 0 ? 0 : multiReads / all,
    multiShard: requests === 0 ? 0 : multi / requests,
    largestRows,
    largestBytes: largestRows * table.bytesPerRow,
    growth: growthOf(table, records, key),
  };
}

function total(perSecond: readonly number[]): number {
  return perSecond.reduce((sum, each) => sum + each, 0);
}

/**
 * How often two records that arrive one after the other have the same key, beyond what two records taken at
 * random have: new data then goes to one place after another. Where all columns of a key rise with time and
 * a value lasts for many records it is 1, however few of the records were drawn.
 */
function growthOf(table: LabTable, records: RecordTable, key: readonly string[]): number {
  const arrived = records.count - records.initial;
  if (arrived < 20) return 0;
  const rises = key.every((name) => {
    const column = table.columns.find((each) => each.name === name);
    return column?.distribution.kind === "arrival";
  });
  if (rises && rowsOf(table) / keysOf(table, key) >= 20) return 1;
  const { ofRow, count } = keyTableOf(records, key);
  const counts = new Uint32Array(count);
  let same = 0;
  for (let row = records.initial; row < records.count; row += 1) {
    const own = ofRow[row] as number;
    counts[own] = (counts[own] as number) + 1;
    if (row > records.initial && own === ofRow[row - 1]) same += 1;
  }
  const atRandom = counts.reduce((sum, each) => sum + (each / arrived) ** 2, 0);
  return Math.max(0, same / (arrived - 1) - atRandom);
}

interface Finding {
  readonly verdict: Exclude<KeyVerdict, "good">;
  readonly text: string;
}

/** Load of the node of a key with this share of all requests, over the mean. */
function loadOfKey(share: number, nodes: number): number {
  return 1 + share * (nodes - 1);
}

function findingsOf(
  table: LabTable,
  key: readonly string[],
  figures: KeyAdviceFigures,
  cluster: Cluster,
): Finding[] {
  const found = [
    fewValues(figures, cluster),
    hotKey(figures, cluster),
    growingKey(figures, cluster),
    notCarried(figures, cluster),
    tooLarge(table, figures),
    uneven(figures, cluster),
    scanned(table, key),
  ].filter((each) => each !== undefined);
  return found.toSorted((a, b) => Number(a.verdict !== "bad") - Number(b.verdict !== "bad"));
}

/** Variation of load from few keys that is bad, and from which on it is doubtful. */
const fewValueLimits = { bad: 0.25, doubtful: 0.1 } as const;

function fewValues({ distinct }: KeyAdviceFigures, { nodes }: Cluster): Finding | undefined {
  const variation = Math.sqrt((nodes - 1) / distinct);
  if (variation <= fewValueLimits.doubtful) return undefined;
  const values = `Only ${amount(distinct)} ${distinct === 1 ? "value" : "different values"} for ${nodes} nodes`;
  return variation > fewValueLimits.bad
    ? {
        verdict: "bad",
        text: `${values}: there are no more partitions than that, they cannot be spread evenly, and a new node may get none.`,
      }
    : {
        verdict: "doubtful",
        text: `${values}: nodes will differ by some ${percent(variation)} of the mean.`,
      };
}

function hotKey(
  { hottest, hottestShare }: KeyAdviceFigures,
  { nodes, threshold }: Cluster,
): Finding | undefined {
  const load = loadOfKey(hottestShare, nodes);
  const half = 1 + (threshold - 1) / 2;
  if (load <= half) return undefined;
  const text = `One key, ${hottest}, gets ${percent(hottestShare)} of all requests: its node carries ${times(load)} the mean load, however many keys and nodes there are.`;
  return { verdict: load > threshold ? "bad" : "doubtful", text };
}

function growingKey({ growth }: KeyAdviceFigures, { nodes }: Cluster): Finding | undefined {
  // As with few values: neighbours of which a share has the same key are worth 1/share different keys.
  if (Math.sqrt(growth * (nodes - 1)) <= 2 * fewValueLimits.bad) return undefined;
  const what =
    growth > 0.995
      ? "At any moment all new records go to one key"
      : `Of records that arrive one after the other ${percent(growth)} have the same key`;
  return {
    verdict: "bad",
    text: `${what}: one node takes the writes, and the others wait.`,
  };
}

function notCarried(
  { multiShard, multiShardReads }: KeyAdviceFigures,
  { nodes }: Cluster,
): Finding | undefined {
  const most = Math.max(multiShard, multiShardReads);
  if (most <= 0.2 || nodes === 1) return undefined;
  const which = multiShardReads >= multiShard ? "the reads" : "all requests";
  return {
    verdict: most > 0.5 ? "bad" : "doubtful",
    text: `${percent(most)} of ${which} ask more than one node: they do not name this key, or name several.`,
  };
}

function tooLarge(
  table: LabTable,
  { largestRows, largestBytes }: KeyAdviceFigures,
): Finding | undefined {
  const cells = largestRows * table.cellsPerRow;
  const size = `The largest partition has ${amount(largestRows)} rows and ${bytes(largestBytes)}`;
  if (cells > partitionLimits.cells)
    return {
      verdict: "bad",
      text: `${size}: more than the two thousand million cells that Cassandra can hold in one.`,
    };
  if (largestRows <= partitionLimits.rows && largestBytes <= partitionLimits.bytes)
    return undefined;
  return {
    verdict: "doubtful",
    text: `${size}, above the advised ${largestBytes > partitionLimits.bytes ? "100 MB" : "100,000 rows"}.`,
  };
}

function uneven({ busiest }: KeyAdviceFigures, { threshold }: Cluster): Finding | undefined {
  return busiest > threshold
    ? { verdict: "doubtful", text: `The busiest node carries ${times(busiest)} the mean load.` }
    : undefined;
}

function scanned(table: LabTable, key: readonly string[]): Finding | undefined {
  const ranges = table.requests.filter(({ range }) => range && key.includes(range.column));
  const all = table.requests.reduce((sum, { perSecond }) => sum + total(perSecond), 0);
  const share =
    ranges.reduce((sum, { perSecond }) => sum + total(perSecond), 0) /
    Math.max(all, Number.MIN_VALUE);
  return share > 0.1
    ? {
        verdict: "doubtful",
        text: `${percent(share)} of all requests ask for a stretch of this key in its order, which hashing scatters.`,
      }
    : undefined;
}

function goodReason({ distinct, hottestShare, coAccess }: KeyAdviceFigures): string {
  const hottest =
    hottestShare === 0 ? "" : `, none with more than ${percent(hottestShare)} of the requests`;
  const reads =
    coAccess > 0.995
      ? "every read finds all its records in one partition"
      : `${percent(coAccess)} of the reads find all their records in one partition`;
  return `${amount(distinct)} values${hottest}; ${reads}.`;
}

// ----------------------------------------------------------------------------------------- buckets

const timeBuckets = [
  { name: "minute", seconds: 60 },
  { name: "hour", seconds: 3600 },
  { name: "day", seconds: 86_400 },
  { name: "week", seconds: 604_800 },
  { name: "month", seconds: 2_629_746 },
  { name: "year", seconds: 31_556_952 },
] as const;

/** Most buckets that a key is cut into: reads of the whole key visit them all. */
const mostBuckets = 1024;

function bucketFor(
  table: LabTable,
  key: readonly string[],
  figures: KeyAdviceFigures,
  cluster: Cluster,
): BucketProposal | undefined {
  const { largestRows, largestBytes, hottestShare, growth } = figures;
  const forSize = Math.ceil(
    Math.max(largestRows / partitionLimits.rows, largestBytes / partitionLimits.bytes),
  );
  // As many as bring the key's node below half the way to the threshold.
  const allowed = (cluster.threshold - 1) / 2 / Math.max(1, cluster.nodes - 1);
  const forHeat = cluster.nodes === 1 ? 1 : Math.ceil(Math.max(hottestShare, growth) / allowed);
  if (forHeat <= 1 && forSize <= 1) return undefined;
  // Time cuts a partition's size, but at any moment all writes of a key still go to one bucket.
  const byTime = forHeat <= 1 ? timeBucket(table, key, figures, forSize) : undefined;
  return byTime ?? hashBucket(table, key, figures, Math.max(forHeat, forSize));
}

function timeBucket(
  table: LabTable,
  key: readonly string[],
  { largestRows, largestBytes, hottestShare }: KeyAdviceFigures,
  wanted: number,
): BucketProposal | undefined {
  const time = table.columns.find(
    ({ name, type, distribution }) =>
      (type === "timestamp" || type === "date") &&
      distribution.kind === "arrival" &&
      !key.includes(name),
  );
  const perSecond = total(table.arriving) / Math.max(1, table.arriving.length) / table.stepSeconds;
  if (!time || perSecond === 0) return undefined;
  const span = rowsOf(table) / perSecond;
  const bucket = timeBuckets.findLast(({ seconds }) => span / seconds >= wanted);
  if (!bucket || (time.type === "date" && bucket.seconds < 86_400)) return undefined;
  const partitions = Math.ceil(span / bucket.seconds);
  if (partitions > mostBuckets) return undefined;
  return {
    kind: "time",
    text: `${bucket.name} of ${time.name}`,
    partitions,
    latest: 1,
    largestRows: largestRows / partitions,
    largestBytes: largestBytes / partitions,
    hottestShare,
    price: `A read of the latest records visits one partition, or two at the turn of the ${bucket.name}; one of everything visits ${amount(partitions)}.`,
  };
}

function hashBucket(
  table: LabTable,
  key: readonly string[],
  { largestRows, largestBytes, hottestShare }: KeyAdviceFigures,
  wanted: number,
): BucketProposal | undefined {
  const suffix = table.columns.find(
    ({ name, distinct, distribution }) =>
      !key.includes(name) && (distribution.kind === "unique" || distinct >= wanted * 8),
  );
  const partitions = 2 ** Math.ceil(Math.log2(wanted));
  if (!suffix || partitions > mostBuckets) return undefined;
  return {
    kind: "hash",
    text: `hash of ${suffix.name} mod ${partitions}`,
    partitions,
    latest: partitions,
    largestRows: largestRows / partitions,
    largestBytes: largestBytes / partitions,
    hottestShare: hottestShare / partitions,
    price: `A read of the key visits ${partitions} partitions, on as many nodes as there are, and merges their order; a read that knows ${suffix.name} still visits one.`,
  };
}

// ------------------------------------------------------------------------------------------- words

function percent(share: number): string {
  const value = share * 100;
  return `${value >= 99.5 && share < 1 ? Math.floor(value * 10) / 10 : Number(value.toPrecision(value < 10 ? 2 : 3))} %`;
}

function times(load: number): string {
  return `${Number(load.toPrecision(3))} times`;
}

function amount(value: number): string {
  const units = [
    { size: 1e9, unit: " G" },
    { size: 1e6, unit: " M" },
    { size: 1e4, unit: " k" },
  ];
  const fits = units.find(({ size }) => value >= size);
  if (!fits) return Math.round(value).toLocaleString("en");
  const size = fits.size === 1e4 ? 1e3 : fits.size;
  return `${Number((value / size).toPrecision(3))}${fits.unit}`;
}

function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)),
  );
  return `${Number((value / 1000 ** step).toPrecision(3))} ${units[step]}`;
}
