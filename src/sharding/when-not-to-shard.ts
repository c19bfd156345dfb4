/**
 * When hash partitioning is the wrong tool: what of the workload speaks against it, in sentences. The pattern
 * itself names these: joins across tables, updates of many rows in one transaction, scans of the key in its
 * order, and data that fits one node anyway.
 */
import type { Cluster } from "#model/sharding-setup.ts";
import { type LabTable, rowsOf } from "./lab-table.ts";

export interface Objection {
  readonly kind: "joins" | "transactions" | "range scans" | "small data";
  readonly text: string;
  /** Statements that show it. */
  readonly statements: readonly string[];
}

/** A node takes this much without effort where a person has not said what it can hold. */
const usualNodeBytes = 10e9;
/** And so many requests per second. */
const usualNodeRequests = 1000;

/** What speaks against sharding these records by this key; nothing where the pattern fits. */
export function objections(
  table: LabTable,
  key: readonly string[],
  cluster: Cluster,
): readonly Objection[] {
  const frequency = (perSecond: readonly number[]): number =>
    perSecond.reduce((sum, each) => sum + each, 0);
  const all = table.requests.reduce((sum, { perSecond }) => sum + frequency(perSecond), 0);
  const those = (
    kind: Objection["kind"],
    wanted: (request: LabTable["requests"][number]) => boolean,
    tell: (share: string) => string,
  ): Objection[] => {
    const found = table.requests.filter((each) => frequency(each.perSecond) > 0 && wanted(each));
    const share = found.reduce((sum, { perSecond }) => sum + frequency(perSecond), 0) / all;
    return found.length === 0
      ? []
      : [{ kind, text: tell(shareText(share)), statements: found.map(({ name }) => name) }];
  };
  return [
    ...those(
      "joins",
      ({ joins }) => joins,
      (share) =>
        `${share} of the requests join other tables: their records lie on other nodes, unless all tables share this key or a table is made for the query.`,
    ),
    ...those(
      "transactions",
      ({ changesMany }) => changesMany,
      (share) =>
        `${share} of the requests change several records at once: across nodes that is no atomic transaction.`,
    ),
    ...those(
      "range scans",
      ({ range }) => range !== undefined && key.includes(range.column),
      (share) =>
        `${share} of the requests ask for a stretch of the key in its order: hashing scatters it over all nodes. Keep that column as a clustering key behind another partition key.`,
    ),
    ...smallData(table, cluster, all / Math.max(1, table.arriving.length)),
  ];
}

function smallData(table: LabTable, { nodeBytes }: Cluster, perSecond: number): Objection[] {
  const bytes = rowsOf(table) * table.bytesPerRow;
  const room = nodeBytes ?? usualNodeBytes;
  if (bytes > room / 10 || perSecond > usualNodeRequests) return [];
  return [
    {
      kind: "small data",
      text: `The whole table has some ${Number((bytes / 1e6).toPrecision(2))} MB and ${Number(perSecond.toPrecision(2))} requests a second: one node, with copies for safety, is simpler.`,
      statements: [],
    },
  ];
}

function shareText(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
