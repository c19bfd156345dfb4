/** The schema at one step as cards: figures of every column family, who uses it, and why it is kept. */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { planKind } from "#model/plan.ts";
import type { AnswerBalance, Build, FamilyBalance, Recommendation } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import { count, perCent } from "../design/format.ts";
import type { AnswerIndex } from "./answer-index.ts";

export interface Use {
  readonly statement: StatementId;
  readonly label: string;
  readonly kind: "materialised view" | "join";
}

/** An update that reads a table by a support query before it can write other tables. */
export interface SupportUse {
  readonly statement: StatementId;
  readonly label: string;
  /** Tags of the tables for which it asks. */
  readonly tables: readonly string[];
}

/** An update that writes a table; rows per execution. */
export interface WriteUse {
  readonly statement: StatementId;
  readonly label: string;
  readonly puts: number;
  readonly deletes: number;
}

/** How a table that is new at the step was filled. */
export interface Filling {
  /** The step during which it was built; −1 for the initial load. */
  readonly during: TimeStep;
  /** Tags of the tables it was filled from. */
  readonly sources: readonly string[];
  readonly build: Build;
}

/** When a table that nothing reads at the step is needed: by a query, or to build another. */
export interface LaterUse {
  readonly step: TimeStep;
  /** Tags of the tables that are built from it; empty where a statement reads it. */
  readonly builds: readonly string[];
}

export interface SchemaCard {
  readonly family: ColumnFamily;
  readonly tag: string;
  /** Queries whose plan at this step reads it. */
  readonly usedBy: readonly Use[];
  readonly supportFor: readonly SupportUse[];
  readonly writtenBy: readonly WriteUse[];
  /** Families that are built from it during this step. */
  readonly sourceFor: readonly string[];
  readonly filling?: Filling;
  /** Where nothing reads it now: the first step that does. */
  readonly laterUse?: LaterUse;
  /** It did not exist one step before, or will not one step after. */
  readonly isNew: boolean;
  readonly isLeaving: boolean;
  readonly cautions: readonly string[];
  /** How it spreads over the cluster; unknown for a stale answer. */
  readonly balance?: FamilyBalance;
}

/** Rules of thumb of Cassandra's operators for one partition. */
const partitionBytesLimit = 100e6;
const partitionRowsLimit = 100_000;

/** Cards of the schema at `step`, largest first. */
export function schemaCards(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  balance?: AnswerBalance,
): readonly SchemaCard[] {
  const schema = recommendation.steps[step]?.schema ?? [];
  const before = recommendation.steps[step - 1]?.schema;
  const after = recommendation.steps[step + 1]?.schema;
  return schema
    .flatMap((key) => {
      const family = index.families.get(key);
      if (!family) return [];
      const own = balance?.families[key];
      const filling = fillingOf(recommendation, index, step, key);
      const laterUse = laterUseOf(recommendation, index, step, key);
      return [
        {
          family,
          tag: index.tags.get(key) ?? "",
          usedBy: usesOf(recommendation, index, step, key),
          supportFor: supportUsesOf(recommendation, index, step, key),
          writtenBy: writesOf(recommendation, index, step, key),
          sourceFor: builtFrom(recommendation, index, step, key),
          ...(filling && { filling }),
          ...(laterUse && { laterUse }),
          isNew: before !== undefined && !before.includes(key),
          isLeaving: after !== undefined && !after.includes(key),
          cautions: [...partitionCautions(family), ...hotCautions(balance, key, step)],
          ...(own && { balance: own }),
        },
      ];
    })
    .sort((a, b) => b.family.size.bytes - a.family.size.bytes);
}

function usesOf(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): readonly Use[] {
  return (recommendation.steps[step]?.plans ?? []).flatMap((chosen) => {
    const plan = index.plans.get(chosen.plan);
    if (!plan?.columnFamilies.includes(key)) return [];
    const label = index.names.get(chosen.statement) ?? chosen.statement;
    return [{ statement: chosen.statement, label, kind: planKind(plan) }];
  });
}

function supportUsesOf(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): readonly SupportUse[] {
  const tables = new Map<StatementId, string[]>();
  for (const { statement, columnFamily, support } of recommendation.steps[step]?.updates ?? []) {
    const reads = support.some(({ plan }) => index.plans.get(plan)?.columnFamilies.includes(key));
    if (reads)
      tables.set(statement, [
        ...(tables.get(statement) ?? []),
        index.tags.get(columnFamily) ?? columnFamily,
      ]);
  }
  return [...tables].map(([statement, tags]) => ({
    statement,
    label: index.names.get(statement) ?? statement,
    tables: tags,
  }));
}

function writesOf(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): readonly WriteUse[] {
  return (recommendation.steps[step]?.updates ?? [])
    .filter(({ columnFamily }) => columnFamily === key)
    .map(({ statement, puts, deletes }) => ({
      statement,
      label: index.names.get(statement) ?? statement,
      puts,
      deletes,
    }));
}

function builtFrom(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): readonly string[] {
  const migration = recommendation.migrations.find((each) => each.from === step);
  return (migration?.builds ?? [])
    .filter((build) => index.migrationPlans.get(build.plan ?? "")?.sources.includes(key))
    .map((build) => index.tags.get(build.columnFamily) ?? "");
}

function fillingOf(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): Filling | undefined {
  const migration = recommendation.migrations.find((each) => each.to === step);
  const build = migration?.builds.find((each) => each.columnFamily === key);
  if (!migration || !build) return undefined;
  const sources = index.migrationPlans.get(build.plan ?? "")?.sources ?? [];
  return {
    during: migration.from,
    sources: sources.map((source) => index.tags.get(source) ?? source),
    build,
  };
}

/** The first step from `step` on at which the table, while it lasts, is read or is a source. */
function laterUseOf(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
  key: ColumnFamilyKey,
): LaterUse | undefined {
  for (const later of recommendation.steps.slice(step)) {
    if (!later.schema.includes(key)) return undefined;
    const isRead =
      usesOf(recommendation, index, later.step, key).length > 0 ||
      supportUsesOf(recommendation, index, later.step, key).length > 0;
    const builds = builtFrom(recommendation, index, later.step, key);
    if (isRead) return later.step === step ? undefined : { step: later.step, builds: [] };
    if (builds.length > 0) return { step: later.step, builds };
  }
  return undefined;
}

/** What stands out about the partitions; hard limits and rules of thumb of Cassandra. */
export function partitionCautions(family: ColumnFamily): readonly string[] {
  const { rowsPerPartition, bytesPerPartition, partitions } = family.size;
  const cells = rowsPerPartition * Math.max(1, family.values.length);
  return [
    ...(partitions === 1 && family.size.rows > 1 ? ["All rows lie in one partition."] : []),
    ...(cells > 2e9 ? ["More than 2 G cells in a partition: Cassandra refuses that."] : []),
    ...(bytesPerPartition > partitionBytesLimit
      ? ["Partitions above 100 MB: expect slow reads and repairs."]
      : []),
    ...(rowsPerPartition > partitionRowsLimit
      ? ["Partitions above 100 k rows: expect slow reads."]
      : []),
  ];
}

/** What the formulas of balance say of the step, beyond the sizes of partitions. */
function hotCautions(
  balance: AnswerBalance | undefined,
  key: ColumnFamilyKey,
  step: TimeStep,
): string[] {
  const own = balance?.families[key];
  const at = own?.steps[step];
  if (!balance || !own || !at || own.partitions <= 1) return [];
  const { nodes, threshold } = balance.cluster;
  const hot = nodes > 1 && at.hottestNode > threshold;
  return hot
    ? [
        `Hot: one partition gets ${Number((100 * at.hottestShare).toPrecision(3))} % of the requests, its node ${Number(at.hottestNode.toPrecision(3))} × the mean of ${nodes}.`,
      ]
    : [];
}

/** A share of requests from 0 to 1: as per cent, or as one in so many where per cent would be all zeros. */
export function shareOfRequests(share: number): string {
  if (share === 0 || share >= 1e-4) return `${perCent(share)} of requests`;
  return `1 in ${count(1 / share, "requests").text}`;
}

export interface SchemaChange {
  readonly added: number;
  readonly removed: number;
}

/** What changed against the step before. */
export function schemaChange(recommendation: Recommendation, step: TimeStep): SchemaChange {
  const now = recommendation.steps[step]?.schema ?? [];
  const before = recommendation.steps[step - 1]?.schema ?? now;
  return {
    added: now.filter((key) => !before.includes(key)).length,
    removed: before.filter((key) => !now.includes(key)).length,
  };
}
