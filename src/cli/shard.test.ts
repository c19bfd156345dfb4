/** `tidetable shard`: figures of a design and of one's own records, and the router that is written. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples } from "#examples/examples.ts";
import type { StrategyReport, TableReport } from "#sharding/lab-report.ts";
import { routerOf } from "#sharding/router.ts";
import { crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const { run, write, read } = folder;

async function tables(...args: string[]): Promise<readonly TableReport[]> {
  const { code, out, err } = await run(
    "shard",
    ...args,
    "--json",
    "--records",
    "20000",
    "--requests",
    "40000",
  );
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out).tables;
}

function strategy(report: TableReport | undefined, kind: string): StrategyReport {
  const found = report?.strategies.find((each) => "rows" in each && each.strategy.kind === kind);
  if (!found || !("rows" in found)) throw new Error(`no ${kind}`);
  return found;
}

test("the bank's log on three nodes", async () => {
  const [report, ...others] = await tables("--example", "bank-log");
  expect(others).toEqual([]);
  expect(report).toMatchObject({
    table: "transactions",
    key: ["customer.id"],
    cluster: { nodes: 3 },
  });
  expect(strategy(report, "range").newRows).toMatchObject({ busiest: 2, busiestShare: 1 });
  const ring = strategy(report, "ring");
  expect(ring.writes.busiestShare).toBeLessThanOrEqual(0.4);
  expect(ring.reads.busiestShare).toBeLessThanOrEqual(0.4);
  expect(ring.ownership?.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  expect(ring.steps).toHaveLength(12);
  expect(strategy(report, "hash mod").added.expected).toBeCloseTo(0.75, 9);
  expect(report?.advice.find(({ key }) => key.join() === "day")?.verdict).toBe("bad");
  expect(report?.clustering.columns).toEqual([{ name: "at", direction: "desc" }]);
  const rows = ring.rows.perNode.reduce((sum, each) => sum + each, 0);
  expect(rows).toBeCloseTo(report?.rows ?? 0, -5);
});

test("tells people the same", async () => {
  const { out } = await run(
    "shard",
    "--example",
    "bank-log",
    "--records",
    "20000",
    "--requests",
    "20000",
  );
  expect(out).toMatch(
    /^transactions: 591 M rows on 3 nodes \(19999 records drawn, each for 29\.5 k rows\)\n/,
  );
  expect(out).toMatch(/\n {2}range by day +\d\.\d\d× +1\.00× +3\.00× +3\.00× +\d+ % \/ 0 % /);
  expect(out).toMatch(/\n {2}day +bad +At any moment all new records go to one key/);
  expect(out).toContain("Clustering key at desc: sorted for Latest transactions of a customer");
});

test("column families of a result, with more nodes and copies", async () => {
  write("design.json", crossover);
  await run("optimise", "design.json", "--out", "result.json");
  const reports = await tables("design.json", "result.json", "--nodes", "5", "--replicas", "3");
  const keys: string[] = JSON.parse(read("result.json")).steps.flatMap(
    ({ schema }: { schema: string[] }) => schema,
  );
  expect(reports.map(({ table }) => table).sort()).toEqual([...new Set(keys)].sort());
  for (const report of reports) {
    expect(report.kind).toBe("column family");
    const ring = strategy(report, "ring");
    expect(ring.rows.total).toBeCloseTo(3 * report.rows, 3);
    // Gets carry the whole partition key.
    expect(ring.requests.every(({ carriesKey }) => carriesKey)).toBe(true);
  }
});

test("own records and requests, and the router for them", async () => {
  const rows = Array.from({ length: 300 }, (_, index) => `${index},city ${index % 7}`);
  write("people.csv", ["number,city", ...rows].join("\n"));
  write("asked.csv", "request,number,city\nread,5,\nread,,city 3\nwrite,7,city 0");
  const args = ["people.csv", "--request-file", "asked.csv", "--nodes", "4", "--key", "number"];
  for (const [kind, by] of [
    ["ring", "number"],
    ["hash-mod", "number"],
    ["slots", "number"],
    ["list", "city"],
  ] as const) {
    const [report] = await tables(...args, "--strategy", kind, "--router", `router-${kind}`);
    expect(report?.sample).toEqual({ records: 300, rowsEach: 1 });
    const router = routerOf(JSON.parse(read(`router-${kind}/routing.json`)));
    const counts = Object.fromEntries(router.everywhere.map((name) => [name, 0]));
    for (const row of rows) {
      const [number = "", city = ""] = row.split(",");
      const [node = ""] = router.route([by === "number" ? number : city]);
      counts[node] = (counts[node] ?? 0) + 1;
    }
    expect(Object.values(counts)).toEqual(strategy(report, kind.replace("-", " ")).rows.perNode);
    const source = readFileSync(new URL("../sharding/router.ts", import.meta.url), "utf8");
    expect(read(`router-${kind}/router.ts`)).toBe(source);
    expect(source).not.toMatch(/^import /m);
  }
});

test("optimise tells the balance of every table, and what limits on partitions exclude", async () => {
  write("design.json", crossover);
  const free = await run("optimise", "design.json", "--nodes", "12");
  expect(free.out).toMatch(/\nBalance on 12 nodes\n {2}CF1 +rows ±[\d.]+ % +largest partition /);
  const { code, out } = await run("optimise", "design.json", "--partition-share", "60%", "--json");
  expect(code).toBe(0);
  const { balance } = JSON.parse(out);
  expect(balance.cluster.nodes).toBe(6);
  expect(Object.values(balance.families)[0]).toMatchObject({ steps: { length: 6 } });
  const none = await run(
    "optimise",
    "design.json",
    "--partition-rows",
    "1",
    "--partition-bytes",
    "5",
  );
  expect(none.code).toBe(3);
  expect(none.out).toContain("The limits on partitions (at most 5 bytes, 1 rows) exclude");
  const wrong = await run("optimise", "design.json", "--partition-share", "101", "--nodes", "0");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("--partition-share: “101”");
});

test.each<[string[], string[]]>([
  [[], ["FILE: This file is missing."]],
  [
    ["--example", "bank-log", "--nodes", "0", "--replicas", "x"],
    ["2 mistakes", "--nodes: “0”", "--replicas: “x”"],
  ],
  [["--example", "bank-log", "--table", "transaction"], ["Did you mean transactions?"]],
  [["--example", "bank-log", "--key", "customer"], ["--key: There is no column customer."]],
  [["--example", "bank-log", "--strategy", "rings"], ["Did you mean ring?"]],
  [
    ["--example", "which-key", "--router", "x"],
    ["--router: There are 3 tables.", "--table"],
  ],
  [["nowhere.csv"], ["There is no nowhere.csv."]],
])("refuses %j", async (args, says) => {
  const { code, out, err } = await run("shard", ...args);
  expect(code).toBe(2);
  expect(out).toBe("");
  for (const words of says) expect(err).toContain(words);
});

test("the examples with a lab are in the list", () => {
  expect(examples.map(({ id }) => id)).toEqual(expect.arrayContaining(["bank-log", "which-key"]));
});
