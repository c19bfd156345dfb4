/**
 * What runs over one plan space have found out of single steps, for the runs after them.
 *
 * Plans and candidates do not depend on frequencies, limits or pins, and a step alone depends on its own
 * frequencies only: after an edit of one point the other steps are as they were. Their relaxations and optima
 * are kept under the full text of all that they depend on, so that what is recalled is what would be found
 * again. What is not there is told from a step that differs in so little that its answer stays (`shiftStep`).
 * Promises that a run with a memory ends as it would without one, and that nothing found under a clock
 * that ran out is ever recalled.
 */
import type { PlanSpace } from "./plan-space.ts";
import type { PricesOutcome } from "./relax-step.ts";
import { shiftStep } from "./shift-step.ts";
import type { OneStep, SolvedStep, StepOutcome } from "./solve-over-time.ts";
import type { SchemasInput, SearchLimits } from "./solve-schemas.ts";

/** Handed to every run over one space; whoever hands it over answers for it that the space is the problem's. */
export interface RunMemory {
  /** Undefined until a run has enumerated the space. */
  over: SpaceMemory | undefined;
}

interface SpaceMemory {
  readonly space: PlanSpace;
  readonly prices: Map<string, Known<PricesOutcome>>;
  readonly steps: Map<string, Known<StepOutcome>>;
  /** Runs that have begun. */
  runs: number;
}

interface Known<Found> {
  readonly found: Found;
  readonly step: OneStep;
  /** The key without the frequencies. */
  readonly frame: string;
  /** What it takes to keep: numbers, roughly. */
  readonly size: number;
  /** The last run that asked for it. */
  lastRun: number;
}

export function createMemory(space?: PlanSpace): RunMemory {
  return { over: space && nothingKnown(space) };
}

function nothingKnown(space: PlanSpace): SpaceMemory {
  return { space, prices: new Map(), steps: new Map(), runs: 0 };
}

/** What the last run used is always kept; of what is older, as much as this many numbers are. */
const mostKept = 4_000_000;

/**
 * A run over a space begins: what is known of another goes, and of this one what has not been asked for in
 * the run before, oldest first, where there is too much.
 */
export function beginRun(all: RunMemory, space: PlanSpace): void {
  if (all.over?.space !== space) all.over = nothingKnown(space);
  const memory = all.over;
  for (const kept of [memory.prices, memory.steps]) {
    let size = 0;
    for (const [key, { lastRun, size: own }] of [...kept].toSorted(
      ([, a], [, b]) => b.lastRun - a.lastRun,
    )) {
      size += own;
      if (size > mostKept && lastRun < memory.runs) kept.delete(key);
    }
  }
  memory.runs += 1;
}

/** The relaxation of one step, recalled or found. */
export function recallPrices(
  over: SchemasInput,
  step: OneStep,
  limits: SearchLimits,
  find: () => Promise<PricesOutcome>,
): Promise<PricesOutcome> {
  const asked = { over, step, limits, frame: frameOf(over, step) };
  return recall(
    asked,
    (memory) => memory.prices,
    find,
    (memory) => {
      const prices = shifted(memory, asked)?.prices;
      return prices && { status: "priced", prices };
    },
  );
}

/** The best schema of one step alone, recalled or found. */
export function recallStep(
  over: SchemasInput,
  step: OneStep,
  limits: SearchLimits,
  find: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const asked = { over, step, limits, frame: `${limits.gap} ${frameOf(over, step)}` };
  return recall(
    asked,
    (memory) => memory.steps,
    find,
    (memory) => shifted(memory, asked),
  );
}

/** What is asked for. */
interface Asked {
  readonly over: SchemasInput;
  readonly step: OneStep;
  readonly limits: SearchLimits;
  readonly frame: string;
}

async function recall<Found extends PricesOutcome | StepOutcome>(
  { over, step, limits, frame }: Asked,
  part: (memory: SpaceMemory) => Map<string, Known<Found>>,
  find: () => Promise<Found>,
  tell: (memory: SpaceMemory) => Found | undefined,
): Promise<Found> {
  const memory = limits.memory?.over;
  if (memory?.space !== over.space) return find();
  const kept = part(memory);
  const key = `${frame} ${keyOfStep(step)}`;
  const known = kept.get(key);
  if (known) {
    known.lastRun = memory.runs;
    return known.found;
  }
  const found = tell(memory) ?? (await find());
  const left = limits.secondsLeft();
  const isWhole = found.status !== "failed" && found.status !== "timedOut";
  // A search that the clock has cut short has used its time up: what comes well before that is whole.
  if (isWhole && (left === undefined || left > clockPrecision))
    kept.set(key, { found, step, frame, size: sizeOf(found), lastRun: memory.runs });
  return found;
}

/** So many of the steps solved last are looked at. */
const mostLookedAt = 24;

/** What a step comes to that differs little from one that is known, under the same limit, rules and gap. */
function shifted(
  { steps }: SpaceMemory,
  { over, step, limits }: Omit<Asked, "frame">,
): SolvedStep | undefined {
  const frame = `${limits.gap} ${frameOf(over, step)}`;
  const alike = [...steps.values()].filter((each) => each.frame === frame).slice(-mostLookedAt);
  for (const { found, step: from } of alike.reverse()) {
    const told = found.status === "solved" && shiftStep(over, found, from, step);
    if (told) return told;
  }
  return undefined;
}

/** Seconds by which a solver's clock and ours may differ. */
const clockPrecision = 0.1;

/** Prices are by far the most of what is kept. */
function sizeOf(found: PricesOutcome | StepOutcome): number {
  if (!("prices" in found)) return 1;
  const { families, flows } = found.prices;
  return families.length + flows.reduce((sum, flow) => sum + (flow?.prices.length ?? 0), 0);
}

/** All that one step alone depends on beside its frequencies, the space and the cost model that was made with. */
function frameOf({ storageBytes }: SchemasInput, { workload, rules }: OneStep): string {
  const asText = JSON.stringify(rules && rulesText(rules));
  return `${storageBytes ?? "all"} ${workload.timeline.stepSeconds} ${asText}`;
}

/** Equal for steps that have equal frequencies and rules. */
export function keyOfStep({ workload, rules }: OneStep): string {
  const curves = Object.entries(workload.curves).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([curves, rules && rulesText(rules)]);
}

function rulesText({ pinned, banned, plans }: NonNullable<OneStep["rules"]>): unknown {
  return [[...pinned].sort(), [...banned].sort(), [...plans].sort(([a], [b]) => a - b)];
}
