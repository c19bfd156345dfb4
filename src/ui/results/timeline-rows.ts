/**
 * The migration timeline as rows: one per column family that ever exists, with the stretches of steps
 * in which it exists and the marks where it is built and dropped.
 */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import type { MigrationPlan } from "#model/plan.ts";
import type {
  AnswerBalance,
  Build,
  FamilyBalance,
  Migration,
  Recommendation,
} from "#model/recommendation.ts";
import type { TimeStep } from "#model/workload.ts";
import { type AnswerIndex, familiesInOrder } from "./answer-index.ts";

/** Steps `from` … `to`, both included. */
export interface Stretch {
  readonly from: TimeStep;
  readonly to: TimeStep;
}

export interface BuildMark {
  /** During which step it is built (−1: before the first), and at which it first exists. */
  readonly from: TimeStep;
  readonly to: TimeStep;
  readonly build: Build;
}

export interface TimelineRow {
  readonly family: ColumnFamily;
  readonly tag: string;
  readonly stretches: readonly Stretch[];
  readonly builds: readonly BuildMark[];
  /** Steps after which it is dropped. */
  readonly drops: readonly TimeStep[];
  /** Steps at which one of its partitions makes a hot node. */
  readonly hot: readonly TimeStep[];
  readonly balance?: FamilyBalance;
}

export function timelineRows(
  recommendation: Recommendation,
  index: AnswerIndex,
  balance?: AnswerBalance,
): readonly TimelineRow[] {
  return familiesInOrder(recommendation).flatMap((key) => {
    const family = index.families.get(key);
    if (!family) return [];
    const own = balance?.families[key];
    return [
      {
        family,
        tag: index.tags.get(key) ?? "",
        stretches: stretchesOf(recommendation, key),
        builds: recommendation.migrations.flatMap((migration) => buildsOf(migration, key)),
        drops: recommendation.migrations
          .filter((migration) => migration.drops.includes(key))
          .map((migration) => migration.from),
        hot: hotSteps(recommendation, balance, key),
        ...(own && { balance: own }),
      },
    ];
  });
}

function hotSteps(
  recommendation: Recommendation,
  balance: AnswerBalance | undefined,
  key: ColumnFamilyKey,
): readonly TimeStep[] {
  const steps = balance?.families[key]?.steps;
  if (!balance || !steps || balance.cluster.nodes === 1) return [];
  return recommendation.steps
    .filter(({ schema }) => schema.includes(key))
    .map(({ step }) => step)
    .filter((step) => (steps[step]?.hottestNode ?? 1) > balance.cluster.threshold);
}

/** Runs of steps at which a family exists. */
export function stretchesOf(
  recommendation: Recommendation,
  key: ColumnFamilyKey,
): readonly Stretch[] {
  const stretches: { from: TimeStep; to: TimeStep }[] = [];
  for (const { step, schema } of recommendation.steps) {
    if (!schema.includes(key)) continue;
    const last = stretches.at(-1);
    if (last && last.to === step - 1) last.to = step;
    else stretches.push({ from: step, to: step });
  }
  return stretches;
}

function buildsOf(migration: Migration, key: ColumnFamilyKey): readonly BuildMark[] {
  return migration.builds
    .filter((build) => build.columnFamily === key)
    .map((build) => ({ from: migration.from, to: migration.to, build }));
}

/** Steps after which the schema changes, without the initial load: the notches of the time band. */
export function migrationSteps(recommendation: Recommendation): readonly TimeStep[] {
  return recommendation.migrations
    .filter(({ from, builds, drops }) => from >= 0 && builds.length + drops.length > 0)
    .map((migration) => migration.from);
}

export interface MigrationDetail {
  readonly family: ColumnFamily;
  readonly mark: BuildMark;
  readonly plan?: MigrationPlan;
  readonly sources: readonly ColumnFamily[];
  /** Rows and bytes read from the sources, and written. */
  readonly read: { readonly rows: number; readonly bytes: number };
  readonly written: { readonly rows: number; readonly bytes: number };
  readonly total: number;
}

/** Everything the panel of one build shows. */
export function migrationDetail(
  index: AnswerIndex,
  family: ColumnFamily,
  mark: BuildMark,
): MigrationDetail {
  const plan = index.migrationPlans.get(mark.build.plan ?? "");
  const sources = (plan?.sources ?? []).flatMap((key) => index.families.get(key) ?? []);
  const { extract, load, maintenance } = mark.build;
  return {
    family,
    mark,
    ...(plan && { plan }),
    sources,
    read: {
      rows: sources.reduce((sum, source) => sum + source.size.rows, 0),
      bytes: sources.reduce((sum, source) => sum + source.size.bytes, 0),
    },
    written: { rows: family.size.rows, bytes: family.size.bytes },
    total: extract + load + maintenance,
  };
}
