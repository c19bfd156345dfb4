/** The five strategies to begin with, on the key that most requests name. */
import type { Cluster, Strategy } from "#model/sharding-setup.ts";
import type { LabTable } from "./lab-table.ts";
import type { RecordTable } from "./records.ts";

/** A column with more values than this has no list made for it: a person would not either. */
const mostListed = 5000;

/** Columns that the most frequent requests name together; the table's own key where no request names any. */
export function usualKey(table: LabTable): readonly string[] {
  const frequencies = new Map<string, { key: readonly string[]; perSecond: number }>();
  for (const { kind, binds, perSecond } of table.requests) {
    if (kind === "insert" || binds.length === 0) continue;
    const key = table.kind === "column family" ? table.key : binds;
    const text = key.join("\0");
    const sum = perSecond.reduce((all, each) => all + each, frequencies.get(text)?.perSecond ?? 0);
    frequencies.set(text, { key, perSecond: sum });
  }
  const [most] = [...frequencies.values()].sort((a, b) => b.perSecond - a.perSecond);
  return most?.key ?? table.key;
}

/** Round robin, range, list, hash mod N and the ring, side by side. */
export function defaultStrategies(
  table: LabTable,
  records: RecordTable,
  { nodes, partitioner, virtualNodes }: Cluster,
): readonly Strategy[] {
  const key = usualKey(table);
  const rising = table.columns.find(({ distribution }) => distribution.kind === "arrival");
  const ranged = rising?.name ?? key[0];
  const listed = fewestValues(table);
  return [
    { kind: "round robin" },
    ...(ranged === undefined
      ? []
      : [{ kind: "range", key: [ranged], cut: { kind: "equal count" } } as const]),
    ...(listed === undefined ? [] : [listsOf(listed, records, nodes)]),
    { kind: "hash mod", key, hash: partitioner },
    { kind: "ring", key, hash: partitioner, tokens: "random", virtualNodes },
  ];
}

/** The column that a person would make lists of: with the fewest values, though more than one. */
function fewestValues(table: LabTable): string | undefined {
  return table.columns
    .filter(({ distinct, distribution }) => {
      const isFew = distinct > 1 && distinct <= mostListed;
      return isFew && distribution.kind !== "unique";
    })
    .sort((a, b) => a.distinct - b.distinct)[0]?.name;
}

/** The column's values dealt out in turn; the rest, where there are too many to list, to the last node. */
export function listsOf(name: string, records: RecordTable, nodes: number): Strategy {
  const values = records.columns.find((column) => column.name === name)?.values;
  const count = Math.min(mostListed, values?.count ?? 0);
  const lists = Array.from({ length: nodes }, (_, node) =>
    Array.from({ length: count }, (_id, id) => id)
      .filter((id) => id % nodes === node)
      .map((id) => values?.text(id) ?? ""),
  );
  return { kind: "list", key: [name], lists, otherwise: nodes - 1 };
}
