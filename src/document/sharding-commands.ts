/** Edits of what is set up in the sharding lab, by the convention of `commands.ts`. */
import { defaultCluster, type ShardingSetup } from "#model/sharding-setup.ts";
import type { Edit } from "./commands.ts";
import type { EntityId, StudioDocument } from "./schema.ts";

/** What to change of the lab's set-up: what is not named stays, what is undefined goes. */
export type ShardingChange = {
  readonly [Field in keyof ShardingSetup]?: ShardingSetup[Field] | undefined;
};

/** Changes a part of the lab's set-up. */
export function changeSharding(document: StudioDocument, change: ShardingChange): Edit {
  const before = document.sharding ?? { cluster: defaultCluster };
  const all: ShardingChange = { ...before, ...change };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const sharding = { cluster: before.cluster, ...kept };
  return { ok: true, value: { ...document, sharding }, warnings: [] };
}

/** The document after an attribute has another name: the lab speaks of it by the new one. */
export function withShardingRenamed(
  document: StudioDocument,
  entity: EntityId,
  from: string,
  to: string,
): StudioDocument {
  const { sharding } = document;
  if (!sharding) return document;
  const swap = (name: string): string => (name === from ? to : name);
  const own = sharding.columns?.[entity];
  const columns = own && {
    ...sharding.columns,
    [entity]: Object.fromEntries(
      Object.entries(own).map(([name, each]) => [
        swap(name),
        each.kind === "follows" ? { ...each, column: swap(each.column) } : each,
      ]),
    ),
  };
  const inStrategies = <Kept extends ShardingSetup["strategies"]>(strategies: Kept): Kept =>
    strategies?.map((each) =>
      each.kind === "round robin" ? each : { ...each, key: each.key.map(swap) },
    ) as Kept;
  return {
    ...document,
    sharding: {
      ...sharding,
      ...(columns && { columns }),
      ...(sharding.strategies &&
        sharding.table === entity && { strategies: inStrategies(sharding.strategies) }),
      ...(sharding.story && {
        story: sharding.story.map((step) =>
          step.table === entity ? { ...step, strategies: inStrategies(step.strategies) } : step,
        ),
      }),
      ...(sharding.keys && {
        keys: sharding.keys.map((each) =>
          each.table === entity ? { ...each, key: each.key.map(swap) } : each,
        ),
      }),
    },
  };
}
