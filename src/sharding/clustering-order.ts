/**
 * The order of rows inside a partition: which clustering key serves the statements that name the whole
 * partition key, and which of them profit (the pattern's secondary index on the date).
 */
import type { LabRequest, LabTable, SortedColumn } from "./lab-table.ts";

export interface ClusteringAdvice {
  /** Clustering columns behind the partition key; empty where no statement asks for an order. */
  readonly columns: readonly SortedColumn[];
  /** Statements that then read one partition in its order. */
  readonly profit: readonly string[];
  /** Statements that ask for another order, or do not name the key: their rows are sorted after reading. */
  readonly sorted: readonly string[];
}

/** The clustering columns that serve most requests per second. */
export function clusteringFor(table: LabTable, key: readonly string[]): ClusteringAdvice {
  const ordered = table.requests.filter(
    ({ kind, order, range }) => kind === "read" && (order.length > 0 || range !== undefined),
  );
  const carried = ordered.filter(({ binds }) => key.every((column) => binds.includes(column)));
  const frequencies = new Map<string, { columns: readonly SortedColumn[]; perSecond: number }>();
  for (const request of carried) {
    const columns = wanted(request, key);
    if (columns.length === 0) continue;
    const text = JSON.stringify(columns);
    const known = frequencies.get(text)?.perSecond ?? 0;
    const perSecond = request.perSecond.reduce((sum, each) => sum + each, known);
    frequencies.set(text, { columns, perSecond });
  }
  const [best] = [...frequencies.values()].sort((a, b) => b.perSecond - a.perSecond);
  const columns = best?.columns ?? [];
  const profit = carried.filter(
    (request) => columns.length > 0 && isServed(wanted(request, key), columns),
  );
  return {
    columns,
    profit: profit.map(({ name }) => name),
    sorted: ordered.filter((each) => !profit.includes(each)).map(({ name }) => name),
  };
}

/** Columns bound beside the key come first, then the order or the range asked for. */
function wanted({ binds, order, range }: LabRequest, key: readonly string[]): SortedColumn[] {
  const bound = binds
    .filter((name) => !key.includes(name))
    .map((name): SortedColumn => ({ name, direction: "asc" }));
  const taken = new Set([...key, ...binds]);
  const rest = order.filter(({ name }) => !taken.has(name));
  if (rest.length > 0) return [...bound, ...rest];
  return range && !taken.has(range.column)
    ? [...bound, { name: range.column, direction: "asc" }]
    : [];
}

/** A partition is read forwards or backwards: the order asked for is its beginning, or the exact reverse. */
function isServed(asked: readonly SortedColumn[], columns: readonly SortedColumn[]): boolean {
  if (asked.length === 0 || asked.length > columns.length) return false;
  const same = asked.every((each, index) => each.name === columns[index]?.name);
  const turns = asked.map((each, index) => each.direction === columns[index]?.direction);
  return same && (turns.every(Boolean) || !turns.some(Boolean));
}
