/**
 * The named workloads of the bench: the same documents on the command line, in the browser and in the
 * tests of counts. Each is a document file, so that it can be opened in the studio as well
 * (`tidetable bench --document NAME`).
 *
 * Groups: `everyday` is what the bench runs when nothing is named; `tpch` is the paper's scale;
 * `growth` varies one size of a generated workload at a time.
 */
import { defaultCostModel } from "#model/cost-model.ts";
import { examples } from "./examples.ts";
import { withPattern } from "./tpch/frequencies.ts";
import { publishedMixes, twoRegimes } from "./workloads/auction-mixes.ts";
import { tenStatements, withDearerMigration, withStorage } from "./workloads/changed-files.ts";
import { generateWorkload, type WorkloadSizes } from "./workloads/generate-workload.ts";

export const workloadGroups = ["everyday", "tpch", "growth"] as const;
export type WorkloadGroup = (typeof workloadGroups)[number];

export interface NamedWorkload {
  readonly name: string;
  readonly group: WorkloadGroup;
  /** What it is, in one line. */
  readonly what: string;
  /** The sizes that were asked of a generated one. */
  readonly sizes?: WorkloadSizes;
  /** The document file, parsed but not yet read (`documentFrom`). */
  readonly load: () => Promise<unknown>;
}

const ofExample = async (id: string): Promise<unknown> =>
  examples.find((example) => example.id === id)?.load();

const tpch = async (
  pattern: Parameters<typeof withPattern>[1],
  steps: number,
  storagePercent: number | undefined = 80,
): Promise<unknown> =>
  withStorage(withPattern(await ofExample("tpch"), pattern, steps), storagePercent);

const everyday: readonly NamedWorkload[] = [
  {
    name: "user-item",
    group: "everyday",
    what: "users and items, the smallest example",
    load: () => ofExample("user-item"),
  },
  {
    name: "hotel",
    group: "everyday",
    what: "hotel reservations, the example",
    load: () => ofExample("hotel"),
  },
  {
    name: "auction",
    group: "everyday",
    what: "auction site, the example: 28 queries and 8 updates over 8 steps",
    load: () => ofExample("auction"),
  },
  {
    name: "auction-mix-10",
    group: "everyday",
    what: "auction under its published mixes, 10 steps, no two alike",
    load: async () => publishedMixes(await ofExample("auction")),
  },
  {
    name: "auction-regimes-20",
    group: "everyday",
    what: "auction in two regimes, 20 steps",
    load: async () => twoRegimes(await ofExample("auction")),
  },
  ...[10, 60].map(
    (times): NamedWorkload => ({
      name: `auction-migration-${times}`,
      group: "everyday",
      what: `auction, the example, with migrations ${times} times as dear`,
      load: async () => withDearerMigration(await ofExample("auction"), times, defaultCostModel),
    }),
  ),
  {
    name: "tpch-ten-12",
    group: "everyday",
    what: "ten TPC-H statements over 12 steps at 100 % storage",
    load: async () => withStorage(tenStatements(await tpch("cycles", 12)), 100),
  },
  {
    name: "tpch-ten-12-at-90",
    group: "everyday",
    what: "ten TPC-H statements over 12 steps at 90 % storage",
    load: async () => withStorage(tenStatements(await tpch("cycles", 12)), 90),
  },
];

const paperScale: readonly NamedWorkload[] = [
  ...[12, 24, 44, 48, 96].map(
    (steps): NamedWorkload => ({
      name: `tpch-cycles-${steps}`,
      group: "tpch",
      what: `46 TPC-H statements, cycles over ${steps} steps at 80 % storage`,
      load: () => tpch("cycles", steps),
    }),
  ),
  ...(["evolution", "spike"] as const).map(
    (pattern): NamedWorkload => ({
      name: `tpch-${pattern}-12`,
      group: "tpch",
      what: `46 TPC-H statements, ${pattern} over 12 steps at 80 % storage`,
      load: () => tpch(pattern, 12),
    }),
  ),
  {
    name: "tpch-smooth48",
    group: "tpch",
    what: "46 TPC-H statements, a wave of 48 steps, no two neighbours alike, at 80 % storage",
    load: () => tpch("smooth48", 48),
  },
  ...[10, 60].map(
    (times): NamedWorkload => ({
      name: `tpch-cycles-12-migration-${times}`,
      group: "tpch",
      what: `46 TPC-H statements, cycles over 12 steps at 80 %, migrations ${times} times as dear`,
      load: async () => withDearerMigration(await tpch("cycles", 12), times, defaultCostModel),
    }),
  ),
];

/** One size is varied, the other two stay at these. */
export const growthBase = { entities: 15, statements: 30, steps: 12 } as const;
export const growthAxes = {
  steps: [4, 12, 24, 48, 96],
  statements: [10, 30, 100, 300],
  entities: [8, 15, 30, 60],
} as const;

const growth: readonly NamedWorkload[] = [
  ...new Map(
    (Object.keys(growthAxes) as (keyof typeof growthAxes)[])
      .flatMap((axis) => growthAxes[axis].map((size) => ({ ...growthBase, [axis]: size })))
      .map((sizes) => [growthName(sizes), sizes]),
  ),
].map(
  ([name, sizes]): NamedWorkload => ({
    name,
    group: "growth",
    what: `generated: ${sizes.entities} entities, ${sizes.statements} statements, ${sizes.steps} steps, no storage limit`,
    sizes,
    load: async () => generateWorkload(sizes),
  }),
);

/** `growth-e15-s30-t12`: entities, statements, steps. */
export function growthName(sizes: WorkloadSizes): string {
  return `growth-e${sizes.entities}-s${sizes.statements}-t${sizes.steps}`;
}

export const namedWorkloads: readonly NamedWorkload[] = [...everyday, ...paperScale, ...growth];
