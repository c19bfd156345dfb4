/**
 * The file of a result: what a run returned, as it is exported and as `check` reads it back.
 *
 * Checks the form only; whether the plans answer their queries and the sums are right is for the
 * recount (`engine/check-recommendation.ts`). The type at the end holds schema and noun together: a
 * field that is added to one and not to the other does not compile.
 */
import { z } from "zod";
import { anError, type Result } from "#model/issue.ts";
import type { Infeasible, Recommendation, TimedOut } from "#model/recommendation.ts";
import { fields } from "./fields.ts";
import { fileIssues } from "./file-issues.ts";
import { parseJson } from "./json-text.ts";
import { clusterSchema } from "./sharding-schema.ts";

/** What a result file holds; a failed run leaves none. */
export type RunResult = Recommendation | Infeasible | TimedOut;

const text = z.string({ error: "Write a text." });
const number = z.number({ error: "Write a number." });
const amount = z
  .number({ error: "Write a number of at least 0." })
  .min(0, { error: "Write a number of at least 0." });
const whole = z.int({ error: "Write a whole number." });
const step = z
  .int({ error: "Write the index of a time step." })
  .min(0, { error: "Write the index of a time step." });
const flag = z.boolean({ error: "Write true or false." });
const list = <Item extends z.ZodType>(item: Item) => z.array(item, { error: "Write a list." });
const table = <Item extends z.ZodType>(item: Item) =>
  z.record(z.string(), item, { error: "Write an object." });

const seconds = table(amount);
const texts = list(text);

const breakdown = fields("a cost breakdown", {
  query: amount,
  update: amount,
  support: amount,
  extract: amount,
  load: amount,
  maintenance: amount,
});

const column = fields("a column", { node: whole, attribute: text });

const graph = fields("a query graph", {
  nodes: list(fields("a node", { entity: text, label: text })),
  edges: list(fields("an edge", { relationship: text, parent: whole, child: whole })),
});

const direction = z.enum(["asc", "desc"], { error: "Write asc or desc." });

const columnFamily = fields("a column family", {
  key: text,
  graph,
  partitionKey: list(column),
  clusteringKey: list(fields("a clustering column", { node: whole, attribute: text, direction })),
  values: list(column),
  size: fields("the size of a column family", {
    rows: amount,
    partitions: amount,
    rowsPerPartition: amount,
    bytesPerPartition: amount,
    bytes: amount,
  }),
});

const binding = fields("a binding", {
  column,
  key: z.enum(["partition", "clustering"], { error: "Write partition or clustering." }),
  from: z.union([z.literal("fetched"), fields("a predicate", { predicate: whole })], {
    error: "Write fetched, or the predicate's index.",
  }),
});

const planStep = z.discriminatedUnion(
  "kind",
  [
    fields("a Get", {
      kind: z.literal("get"),
      columnFamily: text,
      embedding: list(whole),
      bindings: list(binding),
      range: whole.exactOptional(),
      selects: list(column),
      order: z.enum(["forward", "reverse"], { error: "Write forward or reverse." }).exactOptional(),
      grouped: flag,
      aggregated: flag,
      limit: amount.exactOptional(),
      joinOn: list(column),
      gets: amount,
      rows: amount,
      bytesPerRow: amount,
      cost: amount,
    }),
    fields("a filter", {
      kind: z.literal("filter"),
      predicates: list(whole),
      rows: amount,
      left: amount,
      cost: amount,
    }),
    fields("a sort", { kind: z.literal("sort"), rows: amount, cost: amount }),
    fields("a grouping", { kind: z.literal("group"), rows: amount, cost: amount }),
    fields("a limit", { kind: z.literal("limit"), limit: amount, rows: amount, cost: amount }),
  ],
  { error: "Choose the kind get, filter, sort, group or limit." },
);

const plan = fields("a query plan", {
  key: text,
  statement: text,
  steps: list(planStep),
  columnFamilies: texts,
  cost: amount,
});

const migrationPlan = fields("a migration plan", {
  key: text,
  builds: text,
  rule: z.enum(["scan", "join"], { error: "Write scan or join." }),
  sources: texts,
  extractionCost: amount,
  loadCost: amount,
});

const stepAnswer = fields("a step", {
  step,
  schema: texts,
  storageBytes: amount,
  plans: list(
    fields("a chosen plan", { statement: text, plan: text, executions: amount, cost: amount }),
  ),
  updates: list(
    fields("the work of an update", {
      statement: text,
      columnFamily: text,
      executions: amount,
      puts: amount,
      deletes: amount,
      cost: amount,
      support: list(fields("a support read", { plan: text, executions: amount, cost: amount })),
    }),
  ),
  cost: breakdown,
});

const migration = fields("a migration", {
  from: z.int({ error: "Write the index of a step, or -1." }).min(-1, {
    error: "Write the index of a step, or -1.",
  }),
  to: step,
  builds: list(
    fields("a build", {
      columnFamily: text,
      plan: text.exactOptional(),
      extract: amount,
      load: amount,
      maintenance: amount,
    }),
  ),
  drops: texts,
});

const baseline = fields("a baseline", {
  kind: z.enum(["static average", "static first step", "static last step", "ideal"], {
    error: "Write static average, static first step, static last step or ideal.",
  }),
  cost: amount,
  perStep: list(amount),
  schema: texts.exactOptional(),
  storageBytes: amount.exactOptional(),
  exact: flag,
});

const handMade = fields("a schema by hand", {
  name: text,
  schemas: list(texts),
  storageBytes: amount,
  cost: amount.exactOptional(),
  steps: list(stepAnswer).exactOptional(),
  migrations: list(migration).exactOptional(),
  unanswered: list(fields("an unanswered statement", { statement: text, steps: list(step) })),
  unfilled: list(fields("an unfilled column family", { columnFamily: text, step })),
});

const summaryNode = fields("a node of the summary tree", {
  parent: whole.min(0, { error: "Write a whole number." }).exactOptional(),
  first: step,
  last: step,
  steps: list(step),
  stepSeconds: amount,
  inherited: list(step),
  schemas: list(texts),
  objective: amount.exactOptional(),
  proven: flag,
});

const counts = fields("the counts", {
  statements: amount,
  steps: amount,
  proposed: amount,
  candidates: amount,
  pruned: table(amount),
  queryPlans: amount,
  prunedPlans: table(amount),
  migrationPlans: amount.exactOptional(),
  unfillable: amount.exactOptional(),
  columns: amount,
  rows: amount,
  nonZeros: amount,
  nodes: amount,
});

const familyBalance = fields("the balance of a table", {
  partitions: amount,
  largestRows: amount,
  largestBytes: amount,
  largestCells: amount,
  largestShare: amount,
  concentration: amount,
  rowVariation: amount,
  steps: list(
    fields("the balance of a step", {
      requestsPerSecond: amount,
      hottestShare: amount,
      hottestNode: amount,
      partitionsPerRead: amount,
    }),
  ),
  cautions: texts,
});

const recommendation = fields("a recommendation", {
  status: z.enum(["optimal", "feasible"], { error: "Write optimal or feasible." }),
  objective: amount,
  bound: number,
  gap: amount,
  seconds,
  counts,
  storageLimit: amount.exactOptional(),
  steps: list(stepAnswer),
  migrations: list(migration),
  totals: breakdown,
  baselines: list(baseline),
  handMade: handMade.exactOptional(),
  summaryTree: fields("the summary tree", {
    nodes: list(summaryNode),
    candidates: texts,
  }).exactOptional(),
  columnFamilies: list(columnFamily),
  plans: list(plan),
  migrationPlans: list(migrationPlan),
  notes: texts,
  exclusions: fields("what the limits on partitions excluded", {
    excluded: list(fields("an excluded table", { columnFamily: text, reason: text })),
    count: amount,
    without: fields("the answer without the limits", {
      objective: amount,
      bound: number,
    }).exactOptional(),
  }).exactOptional(),
  balance: fields("the balance of the tables", {
    cluster: clusterSchema,
    families: table(familyBalance),
  }).exactOptional(),
});

const infeasible = fields("an infeasible run", {
  status: z.literal("infeasible"),
  reasons: texts,
  smallestStorage: amount.exactOptional(),
  seconds,
});

const timedOut = fields("a run that timed out", {
  status: z.literal("timedOut"),
  reasons: texts,
  bound: number.exactOptional(),
  seconds,
});

/** The result file. */
export const resultSchema = z.discriminatedUnion("status", [recommendation, infeasible, timedOut], {
  error: "Choose the status optimal, feasible, infeasible or timedOut.",
});

/** A result from the text of a file, or every mistake in its form. */
export function readResult(file: string): Result<RunResult> {
  const parsed = parseJson(file);
  return parsed.ok ? resultFrom(parsed.value) : parsed;
}

/** A result from a parsed file. */
export function resultFrom(file: unknown): Result<RunResult> {
  const isDocument = typeof file === "object" && file !== null && "format" in file;
  if (isDocument)
    return {
      ok: false,
      issues: [
        anError("", "The file is a document, not the result of a run.", "Open the result's file."),
      ],
    };
  const checked = resultSchema.safeParse(file);
  if (!checked.success) return { ok: false, issues: fileIssues(checked.error.issues, file) };
  return { ok: true, value: checked.data, warnings: [] };
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
type Plain<T> = T extends object ? { -readonly [Field in keyof T]: Plain<T[Field]> } : T;
/** Schema and noun are one: this line compiles only while they are. */
const schemaIsNoun: Same<Plain<z.output<typeof resultSchema>>, Plain<RunResult>> = true;
void schemaIsNoun;
