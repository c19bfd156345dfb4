/** From what is set up and chosen to what the lab's worker is asked. */
import { defaultCluster, type ShardingSetup } from "#model/sharding-setup.ts";
import { type LabDesign, labTableNames } from "#sharding/lab-tables.ts";
import type { LabWork } from "#worker/lab-client.ts";
import type { LabChoice, OwnText } from "./lab-choice.ts";

type Sizes = Pick<LabChoice, "records" | "requests" | "seed">;

/** Own records; strategies that were set up for a table of the design are not theirs. */
export function ownWork(
  setup: ShardingSetup | undefined,
  { records, requests, key }: OwnText,
  sizes: Sizes,
): LabWork {
  const strategies = setup?.table === undefined ? setup?.strategies : undefined;
  return {
    source: {
      kind: "own records",
      records,
      ...(requests !== undefined && { requests }),
      ...(key && { key }),
    },
    cluster: setup?.cluster ?? defaultCluster,
    ...sizes,
    ...(strategies && { strategies }),
  };
}

/**
 * A table of the design: that of the story's step, else a column family that was chosen, else the entity that
 * is set up, else the first that a statement touches.
 */
export function designWork(
  design: LabDesign,
  setup: ShardingSetup | undefined,
  family: string | undefined,
  story: number | undefined,
  sizes: Sizes,
): LabWork | undefined {
  const { entities, families } = labTableNames(design);
  const told = story === undefined ? undefined : setup?.story?.[story];
  const wanted = told?.table ?? setup?.table;
  const entity = entities.find((name) => design.ids[name] === wanted) ?? entities[0];
  const isFamily = !told && family !== undefined && families.includes(family);
  const table = isFamily ? family : entity;
  if (table === undefined) return undefined;
  const isSetUp = table !== family && design.ids[table] === setup?.table;
  const strategies = told?.strategies ?? (isSetUp ? setup?.strategies : undefined);
  return {
    source: { kind: "design", design, table },
    cluster: setup?.cluster ?? defaultCluster,
    ...sizes,
    ...(strategies && { strategies }),
  };
}
