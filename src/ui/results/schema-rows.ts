/** The schema at one step as cards: figures of every column family and who uses it. */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { planKind } from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import type { StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";
import type { AnswerIndex } from "./answer-index.ts";

export interface Use {
  readonly statement: StatementId;
  readonly label: string;
  readonly kind: "materialised view" | "join";
}

export interface SchemaCard {
  readonly family: ColumnFamily;
  readonly tag: string;
  /** Queries whose plan at this step reads it. */
  readonly usedBy: readonly Use[];
  /** Families that are built from it during this step. */
  readonly sourceFor: readonly string[];
  /** It did not exist one step before, or will not one step after. */
  readonly isNew: boolean;
  readonly isLeaving: boolean;
  readonly cautions: readonly string[];
}

/** Rules of thumb of Cassandra's operators for one partition. */
const partitionBytesLimit = 100e6;
const partitionRowsLimit = 100_000;

/** Cards of the schema at `step`, largest first. */
export function schemaCards(
  recommendation: Recommendation,
  index: AnswerIndex,
  step: TimeStep,
): readonly SchemaCard[] {
  const schema = recommendation.steps[step]?.schema ?? [];
  const before = recommendation.steps[step - 1]?.schema;
  const after = recommendation.steps[step + 1]?.schema;
  return schema
    .flatMap((key) => {
      const family = index.families.get(key);
      if (!family) return [];
      return [
        {
          family,
          tag: index.tags.get(key) ?? "",
          usedBy: usesOf(recommendation, index, step, key),
          sourceFor: builtFrom(recommendation, index, step, key),
          isNew: before !== undefined && !before.includes(key),
          isLeaving: after !== undefined && !after.includes(key),
          cautions: partitionCautions(family),
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
