/**
 * The experiment of the lab: the same records and the same requests under several strategies, step by step.
 *
 * Decides how load is counted. A request that carries the strategy's key goes to the key's node, a read to
 * one replica or another in turn, a write to all of them. One that does not carry it asks all nodes. Load is
 * in requests per second, whatever number of requests was drawn.
 */
import type { Issue } from "#model/issue.ts";
import { type Strategy, strategyKey, strategyText } from "#model/sharding-setup.ts";
import { type Moves, nodeMoves } from "./change-nodes.ts";
import { type KeyTable, keyTableOf, keyText, rowsPerKey } from "./key-table.ts";
import { type Layout, layOut } from "./layout.ts";
import { ownerOf, type Placement, placeKeys, type TokensOf, tokenMemory } from "./place-keys.ts";
import type { RecordTable } from "./records.ts";
import { drawRequests, type RequestBlock, type RequestPlan } from "./requests.ts";
import { rangesOf, sortedValues } from "./value-order.ts";

export interface Experiment {
  readonly nodes: readonly string[];
  /** Copies of each record, the first included. */
  readonly replicas: number;
  readonly strategies: readonly Strategy[];
  readonly plans: readonly RequestPlan[];
  readonly requests: number;
  readonly seed: number;
  /** Records of the table that each of these stands for; 1 if absent. */
  readonly rowsEach?: number;
}

/** Amounts for each step and node: `amounts[step][node]`. */
export type StepAmounts = readonly Float64Array[];

export interface StrategyOutcome {
  readonly name: string;
  readonly strategy: Strategy;
  readonly layout: Layout;
  /** Records at the end of each step, all replicas. */
  readonly stored: StepAmounts;
  /** Records that arrive during each step, on their first node. */
  readonly arrived: StepAmounts;
  /** Requests per second during each step. */
  readonly reads: StepAmounts;
  readonly writes: StepAmounts;
  /** For each plan of the experiment: where its requests go. */
  readonly routes: readonly Route[];
  /** Shares of all executions, weighed by frequency, that touch several nodes. */
  readonly multiShard: { readonly reads: number; readonly writes: number };
  readonly keys: KeyFigures;
  readonly added: Moves;
  readonly removed: Moves;
}

export interface Route {
  /** It names the strategy's whole key, or a range of it. */
  readonly carriesKey: boolean;
  /** Mean number of nodes that one execution asks. */
  readonly nodes: number;
  /** Share of its executions that ask several. */
  readonly multiShard: number;
}

export interface KeyFigures {
  /** Different keys among the records. */
  readonly count: number;
  /** Records of the largest key at the end, and the key. */
  readonly largestRows: number;
  readonly largest: string;
  /** Most requested keys, the hottest first, with their share of all requests per second and their node. */
  readonly hottest: readonly {
    readonly text: string;
    readonly share: number;
    readonly node: number;
  }[];
}

export interface ExperimentOutcome {
  readonly outcomes: readonly (
    | StrategyOutcome
    | { readonly name: string; readonly issues: readonly Issue[] }
  )[];
  readonly blocks: number;
  readonly requests: number;
}

/** `node 1` … `node N`. */
export function nodeNames(nodes: number): string[] {
  return Array.from({ length: nodes }, (_, node) => `node ${node + 1}`);
}

/** Runs it; `onProgress` hears the share that is done, 0 … 1. */
export function runExperiment(
  experiment: Experiment,
  records: RecordTable,
  onProgress: (done: number) => void = () => undefined,
): ExperimentOutcome {
  const { strategies, plans, nodes, seed } = experiment;
  const parts = strategies.length + 1;
  const blocks = drawRequests(records, plans, experiment.requests, seed, experiment.rowsEach);
  onProgress(1 / parts);
  const tokensOf = tokenMemory();
  const tables = new Map<string, KeyTable>();
  const tableOf = (columns: readonly string[]): KeyTable => {
    const name = columns.join("\0");
    const table = tables.get(name) ?? keyTableOf(records, columns);
    tables.set(name, table);
    return table;
  };
  const outcomes = strategies.map((strategy, index) => {
    const layout = layOut(strategy, nodes, records, seed);
    const name = strategyText(strategy);
    const outcome = layout.ok
      ? outcomeOf(experiment, records, blocks, {
          strategy,
          layout: layout.value,
          keys: tableOf(strategyKey(strategy)),
          tokensOf,
        })
      : { name, issues: layout.issues };
    onProgress((index + 2) / parts);
    return outcome;
  });
  const requests = blocks.reduce((sum, { rows, keys }) => sum + rows.length / keys, 0);
  return { outcomes, blocks: blocks.length, requests };
}

interface Laid {
  readonly strategy: Strategy;
  readonly layout: Layout;
  readonly keys: KeyTable;
  readonly tokensOf: TokensOf;
}

function outcomeOf(
  experiment: Experiment,
  records: RecordTable,
  blocks: readonly RequestBlock[],
  laid: Laid,
): StrategyOutcome {
  const { strategy, layout, keys, tokensOf } = laid;
  const placement = placeKeys(layout, keys, experiment.replicas, tokensOf);
  const rowCounts = rowsPerKey(keys, records.count);
  const load = loadOf(experiment, records, blocks, laid, placement);
  const stored = { keys, rowCounts, placement, tokensOf };
  const last = layout.nodes.length - 1;
  const name = `node ${layout.nodes.length + 1}`;
  return {
    name: strategyText(strategy),
    strategy,
    layout,
    ...storedRows(records, layout, keys, placement),
    reads: load.reads,
    writes: load.writes,
    routes: load.routes,
    multiShard: load.multiShard,
    keys: keyFigures(layout, keys, rowCounts, placement, load.keyLoad, load.total),
    added: nodeMoves(layout, { kind: "add", name }, stored),
    removed: nodeMoves(layout, { kind: "remove", node: last }, stored),
  };
}

function amounts(steps: number, nodes: number): Float64Array[] {
  return Array.from({ length: steps }, () => new Float64Array(nodes));
}

function storedRows(
  records: RecordTable,
  layout: Layout,
  keys: KeyTable,
  placement: Placement,
): { readonly stored: StepAmounts; readonly arrived: StepAmounts } {
  const nodes = layout.nodes.length;
  const { slots, slotNodes, replicas } = placement;
  const stored = amounts(records.ends.length, nodes);
  const arrived = amounts(records.ends.length, nodes);
  const perSlot = new Float64Array(slotNodes.length / replicas);
  const isByRow = layout.kind === "round robin";
  let row = 0;
  const count = (end: number): void => {
    for (; row < end; row += 1) {
      const slot = slots[isByRow ? row : (keys.ofRow[row] as number)] as number;
      perSlot[slot] = (perSlot[slot] as number) + 1;
    }
  };
  count(records.initial);
  for (const [step, end] of records.ends.entries()) {
    const before = Float64Array.from(perSlot);
    count(end);
    for (let slot = 0; slot < perSlot.length; slot += 1) {
      const all = perSlot[slot] as number;
      if (all === 0) continue;
      const owner = ownerOf(placement, slot);
      increase(arrived[step], owner, all - (before[slot] as number));
      for (let replica = 0; replica < replicas; replica += 1)
        increase(stored[step], slotNodes[slot * replicas + replica] as number, all);
    }
  }
  return { stored, arrived };
}

function increase(amounts: Float64Array | undefined, node: number, by: number): void {
  if (amounts) amounts[node] = (amounts[node] as number) + by;
}

interface Load {
  readonly reads: StepAmounts;
  readonly writes: StepAmounts;
  readonly routes: readonly Route[];
  readonly multiShard: { readonly reads: number; readonly writes: number };
  /** Requests per second of each key, over all steps. */
  readonly keyLoad: Float64Array;
  readonly total: number;
}

/** What one plan's requests come to, summed over steps and weighed by frequency. */
interface RouteSum {
  carriesKey: boolean;
  executions: number;
  nodes: number;
  multi: number;
}

function loadOf(
  { plans }: Experiment,
  records: RecordTable,
  blocks: readonly RequestBlock[],
  laid: Laid,
  placement: Placement,
): Load {
  const { layout, keys } = laid;
  const nodes = layout.nodes.length;
  const reads = amounts(records.ends.length, nodes);
  const writes = amounts(records.ends.length, nodes);
  const keyLoad = new Float64Array(keys.count);
  const sums = plans.map((): RouteSum => ({ carriesKey: true, executions: 0, nodes: 0, multi: 0 }));
  const spans = rangeSpans(laid);
  for (const block of blocks) {
    const plan = plans[block.plan] as RequestPlan;
    const into = (plan.kind === "read" ? reads : writes)[block.step] as Float64Array;
    const sum = sums[block.plan] as RouteSum;
    const executions = block.rows.length / block.keys;
    sum.executions += executions * block.weight;
    const way = wayOf(plan, laid);
    if (way === "key") addKeyed(block, plan.kind === "read", laid, placement, into, keyLoad, sum);
    else if (way === "range") spans(block, plan.range?.share ?? 0, into, sum);
    else {
      sum.carriesKey = false;
      sum.nodes += nodes * executions * block.weight;
      sum.multi += nodes > 1 ? executions * block.weight : 0;
      for (let node = 0; node < nodes; node += 1) increase(into, node, executions * block.weight);
    }
  }
  const share = (isRead: boolean): number => {
    const own = sums.filter((_, plan) => (plans[plan]?.kind === "read") === isRead);
    const all = own.reduce((sum, { executions }) => sum + executions, 0);
    return all === 0 ? 0 : own.reduce((sum, { multi }) => sum + multi, 0) / all;
  };
  return {
    reads,
    writes,
    routes: sums.map(({ carriesKey, executions, nodes: asked, multi }) => ({
      carriesKey,
      nodes: executions === 0 ? 0 : asked / executions,
      multiShard: executions === 0 ? 0 : multi / executions,
    })),
    multiShard: { reads: share(true), writes: share(false) },
    keyLoad,
    total: sums.reduce((sum, { executions }) => sum + executions, 0),
  };
}

/** Whether a plan's requests find their node by the key, by a range of it, or must ask everywhere. */
function wayOf(
  { kind, binds, range }: RequestPlan,
  { layout }: Laid,
): "key" | "range" | "everywhere" {
  if (kind === "insert") return "key";
  if (layout.kind === "round robin") return "everywhere";
  if (layout.key.every((column) => binds.includes(column))) return "key";
  return layout.kind === "range" && range?.column === layout.key[0] ? "range" : "everywhere";
}

function addKeyed(
  { rows, keys: perExecution, weight }: RequestBlock,
  isRead: boolean,
  { layout, keys }: Laid,
  placement: Placement,
  into: Float64Array,
  keyLoad: Float64Array,
  sum: RouteSum,
): void {
  const { slots, slotNodes, replicas } = placement;
  const isByRow = layout.kind === "round robin";
  const perSlot = new Float64Array(slotNodes.length / replicas);
  for (const row of rows) {
    const key = keys.ofRow[row] as number;
    const slot = slots[isByRow ? row : key] as number;
    perSlot[slot] = (perSlot[slot] as number) + weight;
    keyLoad[key] = (keyLoad[key] as number) + weight;
  }
  addSlots(perSlot, isRead, placement, into);
  const executions = rows.length / perExecution;
  if (perExecution === 1) {
    sum.nodes += executions * weight;
    return;
  }
  for (let first = 0; first < rows.length; first += perExecution) {
    const some = Array.from(rows.subarray(first, first + perExecution), (row) => {
      const slot = slots[isByRow ? row : (keys.ofRow[row] as number)] as number;
      return ownerOf(placement, slot);
    });
    const asked = new Set(some).size;
    sum.nodes += asked * weight;
    if (asked > 1) sum.multi += weight;
  }
}

/** The load of slots on their nodes: reads go to one replica or another in turn, writes to all. */
function addSlots(
  perSlot: Float64Array,
  isRead: boolean,
  { slotNodes, replicas }: Placement,
  into: Float64Array,
): void {
  for (const [slot, load] of perSlot.entries()) {
    if (load === 0) continue;
    const each = isRead ? load / replicas : load;
    for (let replica = 0; replica < replicas; replica += 1)
      increase(into, slotNodes[slot * replicas + replica] as number, each);
  }
}

/** Adds requests for stretches of the key that ranges are cut by: they ask the nodes of the ranges they touch. */
function rangeSpans({
  layout,
  keys,
}: Laid): (block: RequestBlock, share: number, into: Float64Array, sum: RouteSum) => void {
  const [values] = keys.values;
  const [ids] = keys.parts;
  if (layout.kind !== "range" || !values || !ids) return () => undefined;
  const inOrder = sortedValues(values);
  const rankOf = new Uint32Array(values.count);
  for (const [rank, id] of inOrder.entries()) rankOf[id] = rank;
  const ranges = rangesOf(values, layout.borders);
  const rangeAt = Uint32Array.from(inOrder, (id) => ranges[id] as number);
  return ({ rows, weight }, share, into, sum) => {
    for (const row of rows) {
      const rank = rankOf[ids[keys.ofRow[row] as number] as number] as number;
      const end = Math.min(inOrder.length - 1, rank + Math.floor(share * inOrder.length));
      const from = rangeAt[rank] as number;
      const to = rangeAt[end] as number;
      for (let range = from; range <= to; range += 1)
        increase(into, layout.owners[range] as number, weight);
      sum.nodes += (to - from + 1) * weight;
      if (to > from) sum.multi += weight;
    }
  };
}

/** Keys that are named as the hottest. */
const mostNamed = 5;

function keyFigures(
  layout: Layout,
  keys: KeyTable,
  rowCounts: Uint32Array,
  placement: Placement,
  keyLoad: Float64Array,
  total: number,
): KeyFigures {
  if (layout.kind === "round robin") return { count: 0, largestRows: 0, largest: "", hottest: [] };
  let largest = 0;
  for (let key = 1; key < keys.count; key += 1)
    if ((rowCounts[key] as number) > (rowCounts[largest] as number)) largest = key;
  const hottest: number[] = [];
  for (let key = 0; key < keys.count; key += 1) {
    const load = keyLoad[key] as number;
    const isBelow =
      hottest.length >= mostNamed && load <= (keyLoad[hottest.at(-1) as number] as number);
    if (load === 0 || isBelow) continue;
    hottest.push(key);
    hottest.sort((a, b) => (keyLoad[b] as number) - (keyLoad[a] as number));
    hottest.length = Math.min(hottest.length, mostNamed);
  }
  return {
    count: keys.count,
    largestRows: rowCounts[largest] ?? 0,
    largest: keys.count > 0 ? keyText(keys, largest) : "",
    hottest: hottest.map((key) => ({
      text: keyText(keys, key),
      share: (keyLoad[key] as number) / Math.max(total, Number.MIN_VALUE),
      node: ownerOf(placement, placement.slots[key] as number),
    })),
  };
}
