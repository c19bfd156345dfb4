/**
 * Answers that somebody changed: what a recount has to notice. Every change is wrong in one respect
 * only; the sums are added up again afterwards, unless they are what is changed.
 */
import type { ApplicationStep, GetStep, QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import {
  aProblem,
  categoriesAndProducts,
  employeesAndEvents,
  usersAndItems,
  usersAndMessages,
  videosAndLikes,
} from "./examples.ts";

/** The problems whose answers are changed. */
export type Example =
  | "crossover"
  | "ranges"
  | "several"
  | "inbox"
  | "groups"
  | "filteredGroups"
  | "join"
  | "updated";

export const examples: Readonly<Record<Example, Problem>> = {
  /** Item names are asked for first, quantities later, and both wide tables do not fit (case 22). */
  crossover: aProblem({
    graph: usersAndItems,
    queries: {
      q1: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
      q2: "SELECT user.id, user.name, user.email FROM user.items WHERE items.quantity = ?",
    },
    curves: { q1: [9, 9, 0.01], q2: [0.01, 0.01, 9] },
    stepSeconds: 3600,
    storage: { kind: "bytes", bytes: 3_200_000 },
  }),
  /** Two ranges: the server applies one, the application the other (case 09). */
  ranges: aProblem({
    graph: categoriesAndProducts,
    queries: {
      q: "SELECT Product.product_id, Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price LIMIT 10",
    },
  }),
  /** Several partitions, so the application has to sort (case 03). */
  several: aProblem({
    graph: employeesAndEvents,
    queries: {
      q: "SELECT Event.event_id, Event.note FROM Event WHERE Event.emp.emp_id IN (?, ?) ORDER BY Event.created DESC LIMIT 5",
    },
  }),
  /** One partition, newest first: the server sorts and limits (case 01). */
  inbox: aProblem({
    graph: usersAndMessages,
    queries: {
      q: "SELECT Message.message_id, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20",
    },
  }),
  /** The server groups; with a range on the grouped column's sibling the application has to filter first (case 07). */
  groups: aProblem({
    graph: videosAndLikes,
    queries: {
      q: "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country",
    },
  }),
  filteredGroups: aProblem({
    graph: videosAndLikes,
    queries: {
      q: "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id IN (?, ?) GROUP BY Like.country",
      total: "SELECT count(*) FROM Like WHERE Like.video.video_id IN (?, ?)",
    },
  }),
  /** A Get on an index and Gets on what it points at: no room for anything wider. */
  join: aProblem({
    graph: usersAndItems,
    queries: {
      q: "SELECT user.name, user.email FROM user.items WHERE items.name = ? AND items.quantity < ?",
    },
    storage: { kind: "bytes", bytes: 1_100_000 },
  }),
  /** A wide table holds the addresses of users, which change now and then: which rows they stand in has to be read. */
  updated: aProblem({
    graph: usersAndItems,
    queries: {
      q: "SELECT user.id, user.name, user.email FROM user.items WHERE items.name = ?",
      u: "UPDATE user SET email = ? WHERE user.id = ?",
    },
    curves: { q: [9, 9], u: [0.01, 0.02] },
    stepSeconds: 3600,
  }),
};

// --- changing an answer --------------------------------------------------------------------------------

type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends object | undefined ? Mutable<T[K]> : T[K];
};
/** An answer that may be changed. */
export type Draft = Mutable<Recommendation>;

function gets(plan: { readonly steps: QueryPlan["steps"] } | undefined): Mutable<GetStep>[] {
  return (plan?.steps ?? []).flatMap((step) =>
    step.kind === "get" ? [step as Mutable<GetStep>] : [],
  );
}

function application<K extends ApplicationStep["kind"]>(
  plan: Mutable<QueryPlan> | undefined,
  kind: K,
): Mutable<Extract<ApplicationStep, { kind: K }>> {
  const found = plan?.steps.find((step) => step.kind === kind);
  if (!found) throw new Error(`the plan has no step of kind ${kind}`);
  return found as Mutable<Extract<ApplicationStep, { kind: K }>>;
}

function without(plan: Mutable<QueryPlan> | undefined, kind: ApplicationStep["kind"]): void {
  if (!plan?.steps.some((step) => step.kind === kind))
    throw new Error(`the plan has no step of kind ${kind}`);
  plan.steps = plan.steps.filter((step) => step.kind !== kind);
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the example has nothing to tamper with");
  return value;
}

/** Costs added up again from what the plans and builds now say, so that only the tampering itself is wrong. */
export function addUp(draft: Draft, { costModel }: Problem): void {
  for (const plan of draft.plans) {
    for (const step of gets(plan)) {
      const { fixed, perGet, perRow, perByte } = costModel.get;
      step.cost =
        fixed + perGet * step.gets + perRow * step.rows + perByte * step.rows * step.bytesPerRow;
    }
    plan.cost = plan.steps.reduce((sum, { cost }) => sum + cost, 0);
  }
  const plans = new Map(draft.plans.map((plan) => [plan.key, plan]));
  for (const step of draft.steps) {
    for (const chosen of step.plans)
      chosen.cost = chosen.executions * (plans.get(chosen.plan)?.cost ?? 0);
    step.cost.query = step.plans.reduce((sum, { cost }) => sum + cost, 0);
    addUpUpdates(step, plans, costModel);
    const builds = draft.migrations
      .filter(({ from, to }) => (from < 0 ? to : from) === step.step)
      .flatMap(({ builds: all }) => all);
    step.cost.extract = builds.reduce((sum, { extract }) => sum + extract, 0);
    step.cost.load = builds.reduce((sum, { load }) => sum + load, 0);
    step.storageBytes = step.schema.reduce(
      (sum, key) =>
        sum + (draft.columnFamilies.find((family) => family.key === key)?.size.bytes ?? 0),
      0,
    );
  }
  for (const kind of ["query", "update", "support", "extract", "load", "maintenance"] as const)
    draft.totals[kind] = draft.steps.reduce((sum, { cost }) => sum + cost[kind], 0);
  draft.objective = Object.values(draft.totals).reduce((sum, cost) => sum + cost, 0);
  draft.bound = draft.objective;
  draft.gap = 0;
  draft.baselines = [];
}

function addUpUpdates(
  step: Draft["steps"][number],
  plans: ReadonlyMap<string, { readonly cost: number }>,
  { put }: Problem["costModel"],
): void {
  if (step.updates.length === 0) return;
  const write = (rows: number): number => (rows > 0 ? put.fixed + put.perRow * rows : 0);
  for (const update of step.updates) {
    update.cost = update.executions * (write(update.puts) + write(update.deletes));
    for (const read of update.support)
      read.cost = read.executions * (plans.get(read.plan)?.cost ?? 0);
  }
  step.cost.update = step.updates.reduce((sum, { cost }) => sum + cost, 0);
  step.cost.support = step.updates
    .flatMap(({ support }) => support)
    .reduce((sum, { cost }) => sum + cost, 0);
}

/** A change to the answer of an example, with all sums made to agree afterwards unless they are what is changed. */
export interface Tampering {
  readonly what: string;
  readonly on: Example;
  readonly sums: "added up" | "left";
  readonly change: (draft: Draft) => void;
}

function tampering(
  what: string,
  on: Example,
  change: (draft: Draft) => void,
  sums: Tampering["sums"] = "added up",
): Tampering {
  return { what, on, sums, change };
}

/** The build of the wide table for quantities, from the narrow one and the users. */
const builtInCrossover = (draft: Draft) =>
  the(
    draft.migrations
      .flatMap(({ builds }) => builds)
      .find(({ columnFamily }) => columnFamily.startsWith("[item.quantity] [item.id↑")),
  );

/** The plan that fills it. */
function fillOf(draft: Draft): Draft["migrationPlans"][number] {
  const { plan } = builtInCrossover(draft);
  return the(draft.migrationPlans.find(({ key }) => key === plan));
}

/** The extraction cost of new sources, at the prices of the default model. */
function recostFill(draft: Draft, problem: Problem): void {
  const fill = fillOf(draft);
  fill.extractionCost = fill.sources.reduce(
    (sum, source) =>
      sum +
      problem.costModel.extract.fixed +
      problem.costModel.extract.perByte *
        (draft.columnFamilies.find(({ key }) => key === source)?.size.bytes ?? 0),
    0,
  );
  builtInCrossover(draft).extract = fill.extractionCost;
}

const left = "left" as const;
export const tamperings: readonly Tampering[] = [
  // Cost.
  tampering(
    "the query cost of a step",
    "crossover",
    (draft) => {
      the(draft.steps[1]).cost.query *= 0.99;
    },
    left,
  ),
  tampering(
    "the query cost of a step, the totals following",
    "crossover",
    (draft) => {
      const step = the(draft.steps[1]);
      const less = step.cost.query * 0.1;
      step.cost.query -= less;
      draft.totals.query -= less;
      draft.objective -= less;
      draft.bound -= less;
    },
    left,
  ),
  tampering(
    "the cost of a plan",
    "crossover",
    (draft) => {
      the(draft.plans[0]).cost *= 0.9;
    },
    left,
  ),
  tampering(
    "the cost of one Get, the plan following",
    "inbox",
    (draft) => {
      const step = the(gets(draft.plans[0])[0]);
      step.cost *= 0.9;
      the(draft.plans[0]).cost *= 0.9;
    },
    left,
  ),
  tampering(
    "a total",
    "crossover",
    (draft) => {
      draft.totals.load += 1000;
    },
    left,
  ),
  tampering(
    "the objective",
    "crossover",
    (draft) => {
      draft.objective *= 1.001;
    },
    left,
  ),
  tampering("the number of executions", "crossover", (draft) => {
    the(the(draft.steps[0]).plans[0]).executions /= 2;
  }),
  tampering("an update cost out of nowhere, the totals following", "crossover", (draft) => {
    the(draft.steps[0]).cost.update = 5000;
  }),
  tampering("a maintenance cost out of nowhere, the totals following", "crossover", (draft) => {
    builtInCrossover(draft).maintenance = 500;
    const during = the(draft.migrations.find(({ builds }) => builds.length > 0)).from;
    the(draft.steps[during]).cost.maintenance = 500;
  }),
  tampering("the cost of sorting", "several", (draft) => {
    application(draft.plans[0], "sort").cost = 0;
  }),
  tampering("the load cost of a build", "crossover", (draft) => {
    builtInCrossover(draft).load *= 0.5;
  }),
  tampering("the extraction cost of a build and of its plan", "crossover", (draft) => {
    builtInCrossover(draft).extract *= 0.5;
    fillOf(draft).extractionCost *= 0.5;
  }),
  tampering("the load cost that a migration plan states", "crossover", (draft) => {
    fillOf(draft).loadCost *= 0.5;
  }),
  tampering(
    "the cost of the ideal",
    "crossover",
    (draft) => {
      the(draft.baselines.find(({ kind }) => kind === "ideal")).cost = draft.objective * 1.01;
    },
    left,
  ),
  tampering(
    "the cost of a static schema",
    "crossover",
    (draft) => {
      the(draft.baselines.find(({ kind }) => kind === "static average")).cost *= 0.999;
    },
    left,
  ),

  // Tables.
  tampering("a table missing from a schema that a plan reads", "crossover", (draft) => {
    const read = the(draft.plans.find(({ key }) => key === the(the(draft.steps[2]).plans[0]).plan))
      .columnFamilies[0];
    the(draft.steps[2]).schema = the(draft.steps[2]).schema.filter((key) => key !== read);
  }),
  tampering(
    "a table that is not described",
    "crossover",
    (draft) => {
      draft.columnFamilies = draft.columnFamilies.filter(
        ({ key }) => key !== the(draft.steps[0]).schema[0],
      );
    },
    left,
  ),
  tampering("a table twice in a schema", "crossover", (draft) => {
    the(draft.steps[0]).schema.push(the(the(draft.steps[0]).schema[0]));
  }),
  tampering("a column more than the key names", "crossover", (draft) => {
    const family = the(draft.columnFamilies.find(({ values }) => values.length > 0));
    family.values.pop();
  }),
  tampering("half the bytes of a table", "crossover", (draft) => {
    the(draft.columnFamilies.find(({ key }) => key === the(draft.steps[0]).schema[0])).size.bytes /=
      2;
  }),
  tampering("half the rows of a table", "crossover", (draft) => {
    the(draft.columnFamilies.find(({ key }) => key === the(draft.steps[0]).schema[0])).size.rows /=
      2;
  }),
  tampering("another number of partitions", "crossover", (draft) => {
    const family = the(
      draft.columnFamilies.find(({ key }) => key === the(draft.steps[0]).schema[0]),
    );
    family.size.partitions *= 2;
    family.size.rowsPerPartition /= 2;
    family.size.bytesPerPartition /= 2;
  }),
  tampering("another relationship between the same entities", "inbox", (draft) => {
    for (const family of draft.columnFamilies)
      for (const edge of family.graph.edges) edge.relationship = "User.received";
  }),

  // Storage.
  tampering(
    "the bytes of a step",
    "crossover",
    (draft) => {
      the(draft.steps[0]).storageBytes *= 0.9;
    },
    left,
  ),
  tampering("tables beyond the limit", "crossover", (draft) => {
    // The schemas of the first and the last step, all the time.
    const all = [...new Set(draft.steps.flatMap(({ schema }) => schema))].sort();
    for (const step of draft.steps) step.schema = [...all];
    draft.migrations = [];
    draft.migrationPlans = [];
  }),
  tampering(
    "another limit than the problem's",
    "crossover",
    (draft) => {
      draft.storageLimit = 1e9;
    },
    left,
  ),

  // Migrations.
  tampering("a build left out", "crossover", (draft) => {
    for (const migration of draft.migrations) migration.builds.pop();
  }),
  tampering("a drop left out", "crossover", (draft) => {
    for (const migration of draft.migrations) migration.drops.pop();
  }),
  tampering("a drop of a table that stays", "crossover", (draft) => {
    const migration = the(draft.migrations[0]);
    const stays = the(
      the(draft.steps[migration.to]).schema.find((key) =>
        the(draft.steps[migration.from]).schema.includes(key),
      ),
    );
    migration.drops.push(stays);
  }),
  tampering("a migration left out", "crossover", (draft) => {
    draft.migrations = [];
  }),
  tampering("a migration that starts from another step", "crossover", (draft) => {
    the(draft.migrations[0]).from = 0;
  }),
  tampering(
    "a migration twice",
    "crossover",
    (draft) => {
      draft.migrations.push(copyOf(the(draft.migrations[0])));
    },
    left,
  ),
  tampering("a build twice", "crossover", (draft) => {
    const migration = the(draft.migrations.find(({ builds }) => builds.length > 0));
    migration.builds.push(copyOf(the(migration.builds[0])));
  }),
  tampering("a migration plan that is not described", "crossover", (draft) => {
    draft.migrationPlans = [];
  }),
  tampering("a build without a plan", "crossover", (draft) => {
    delete (builtInCrossover(draft) as { plan?: string }).plan;
  }),
  tampering("a source that does not exist in the schema before", "crossover", (draft) => {
    // The table itself holds everything, but only once it is built.
    fillOf(draft).sources = [builtInCrossover(draft).columnFamily];
    recostFill(draft, examples.crossover);
  }),
  tampering("a source that does not hold the columns", "crossover", (draft) => {
    fillOf(draft).sources = [the(fillOf(draft).sources[0])];
    recostFill(draft, examples.crossover);
  }),
  tampering("sources that cannot be joined", "crossover", (draft) => {
    fillOf(draft).sources = [
      "[item.name] [item.id↑, user.id↑] → user.email, user.name of item(user:user)",
      "[user.id] [] → user.email, user.name of user",
    ];
    recostFill(draft, examples.crossover);
  }),
  tampering("no source", "crossover", (draft) => {
    fillOf(draft).sources = [];
    recostFill(draft, examples.crossover);
  }),

  // Plans.
  tampering("the plan of another statement", "crossover", (draft) => {
    const [first, second] = the(draft.steps[0]).plans;
    the(first).plan = the(second).plan;
  }),
  tampering("the plan of a statement left out", "crossover", (draft) => {
    the(draft.steps[0]).plans.pop();
  }),
  tampering("a statement answered twice", "crossover", (draft) => {
    the(draft.steps[0]).plans.push(copyOf(the(the(draft.steps[0]).plans[0])));
  }),
  tampering(
    "a plan that is not described",
    "crossover",
    (draft) => {
      draft.plans.pop();
    },
    left,
  ),
  tampering("a plan that names other tables than its Gets", "crossover", (draft) => {
    the(draft.plans[0]).columnFamilies.push(the(the(draft.steps[0]).schema[0]));
  }),
  tampering("a step less in a plan", "join", (draft) => {
    const plan = the(draft.plans[0]);
    plan.steps.pop();
    plan.columnFamilies = gets(plan).map(({ columnFamily }) => columnFamily);
  }),
  tampering("a partition key left unbound", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).bindings = [];
  }),
  tampering("a key bound by another condition", "join", (draft) => {
    the(the(gets(draft.plans[0])[0]).bindings[0]).from = { predicate: 1 };
  }),
  tampering("a key bound to a value that was not fetched", "inbox", (draft) => {
    the(the(gets(draft.plans[0])[0]).bindings[0]).from = "fetched";
  }),
  tampering("a range on a column that is not next in the key", "ranges", (draft) => {
    const [step] = gets(draft.plans[0]);
    the(step).range = application(draft.plans[0], "filter").predicates[0] as number;
    application(draft.plans[0], "filter").predicates = [1];
  }),
  tampering("a filter left out", "ranges", (draft) => {
    without(draft.plans[0], "filter");
  }),
  tampering("a filter by a condition that is served already", "ranges", (draft) => {
    application(draft.plans[0], "filter").predicates = [1];
  }),
  tampering("fewer Gets", "join", (draft) => {
    the(gets(draft.plans[0])[1]).gets /= 2;
  }),
  tampering("fewer rows", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).rows /= 2;
  }),
  tampering("rows of a filter", "ranges", (draft) => {
    application(draft.plans[0], "filter").rows /= 2;
  }),
  tampering("fewer bytes per row", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).bytesPerRow /= 2;
  }),
  tampering("a column of the answer that no Get asks for", "inbox", (draft) => {
    const [step] = gets(draft.plans[0]);
    the(step).selects = the(step).selects.filter(({ attribute }) => attribute !== "username");
    the(step).bytesPerRow -= 20;
  }),
  tampering("a key for the next Get that no Get asks for", "join", (draft) => {
    const [step, next] = gets(draft.plans[0]);
    const key = the(the(next).bindings[0]).column.attribute;
    the(step).selects = the(step).selects.filter(({ attribute }) => !attribute.endsWith(key));
    the(step).bytesPerRow -= 16;
  }),
  tampering("a join on nothing", "join", (draft) => {
    the(gets(draft.plans[0])[1]).joinOn = [];
  }),
  tampering("a Get laid on another role", "inbox", (draft) => {
    const [step] = gets(draft.plans[0]);
    the(step).embedding = the(step).embedding.toReversed();
  }),
  tampering("an entity left out of a Get's graph", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).embedding = [0, -1];
  }),

  // Updates.
  tampering("an update of a table left out", "updated", (draft) => {
    the(the(draft.steps[0]).updates.pop());
    if (the(draft.steps[0]).updates.length === 0) the(draft.steps[0]).cost.update = 0;
    if (the(draft.steps[0]).updates.length === 0) the(draft.steps[0]).cost.support = 0;
  }),
  tampering("an update of a table twice", "updated", (draft) => {
    the(draft.steps[0]).updates.push(copyOf(the(the(draft.steps[0]).updates[0])));
  }),
  tampering("an update of a table that it does not touch", "updated", (draft) => {
    the(the(draft.steps[0]).updates[0]).columnFamily = the(
      draft.columnFamilies.find(({ key }) => !key.includes("email")),
    ).key;
  }),
  tampering("fewer rows put by an update", "updated", (draft) => {
    the(the(draft.steps[0]).updates[0]).puts /= 2;
  }),
  tampering("rows deleted by an update that deletes none", "updated", (draft) => {
    the(the(draft.steps[0]).updates[0]).deletes += 1;
  }),
  tampering("the number of executions of an update", "updated", (draft) => {
    the(the(draft.steps[0]).updates[0]).executions *= 2;
  }),
  tampering(
    "the cost of an update",
    "updated",
    (draft) => {
      the(the(draft.steps[0]).updates[0]).cost *= 0.9;
    },
    left,
  ),
  tampering("a support query left out", "updated", (draft) => {
    the(the(the(draft.steps[0]).updates.find(({ support }) => support.length > 0)).support.pop());
  }),
  tampering("fewer executions of a support query", "updated", (draft) => {
    const { support } = the(the(draft.steps[0]).updates.find(({ support: all }) => all.length > 0));
    the(support[0]).executions /= 2;
  }),
  tampering("a support query answered by the plan of a query", "updated", (draft) => {
    const { support } = the(the(draft.steps[0]).updates.find(({ support: all }) => all.length > 0));
    the(support[0]).plan = the(the(draft.steps[0]).plans[0]).plan;
  }),
  tampering("a support query on a table that does not exist", "updated", (draft) => {
    const { support } = the(the(draft.steps[0]).updates.find(({ support: all }) => all.length > 0));
    const plan = the(draft.plans.find(({ key }) => key === the(support[0]).plan));
    const step = the(draft.steps[0]);
    step.schema = step.schema.filter((key) => key !== plan.columnFamilies[0]);
  }),

  // Order, groups, limit.
  tampering("a sort left out", "several", (draft) => {
    without(draft.plans[0], "sort");
  }),
  tampering("server order promised across partitions", "several", (draft) => {
    without(draft.plans[0], "sort");
    the(gets(draft.plans[0])[0]).order = "reverse";
  }),
  tampering("server order read in the wrong direction", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).order = "forward";
  }),
  tampering("an order that nobody makes", "inbox", (draft) => {
    delete (the(gets(draft.plans[0])[0]) as { order?: string }).order;
  }),
  tampering("a limit left out", "several", (draft) => {
    without(draft.plans[0], "limit");
  }),
  tampering("another limit", "several", (draft) => {
    application(draft.plans[0], "limit").limit = 50;
  }),
  tampering("a limit given to the server before a filter", "ranges", (draft) => {
    without(draft.plans[0], "limit");
    const [step] = gets(draft.plans[0]);
    the(step).limit = 10;
    the(step).rows = 10;
    application(draft.plans[0], "filter").rows = 10;
  }),
  tampering("a limit given to the server across partitions", "several", (draft) => {
    without(draft.plans[0], "limit");
    const [step] = gets(draft.plans[0]);
    the(step).limit = 5;
    the(step).rows = 5;
    const sort = application(draft.plans[0], "sort");
    sort.rows = 5;
    sort.cost = examples.several.costModel.sort.perRowLog * 5 * Math.log2(5);
  }),
  tampering("another limit given to the server", "inbox", (draft) => {
    the(gets(draft.plans[0])[0]).limit = 10;
    the(gets(draft.plans[0])[0]).rows = 10;
  }),
  tampering("groups that nobody makes", "groups", (draft) => {
    the(gets(draft.plans[0])[0]).grouped = false;
  }),
  tampering("groups made by the server across partitions", "filteredGroups", (draft) => {
    const plan = draft.plans.find(({ statement }) => statement === "q");
    without(plan, "group");
    const [step] = gets(plan);
    the(step).grouped = true;
    // 2 of 10,000 videos have 600 likes, over 120 · (1 − (1 − 1/120)^600) countries.
    the(step).rows = 120 * (1 - (1 - 1 / 120) ** 600);
  }),
  tampering("an aggregate made by the server across partitions", "filteredGroups", (draft) => {
    const plan = draft.plans.find(({ statement }) => statement === "total");
    without(plan, "group");
    const [step] = gets(plan);
    the(step).aggregated = true;
    the(step).bytesPerRow = 0;
  }),

  // Bound and form.
  tampering(
    "a bound above the objective",
    "crossover",
    (draft) => {
      draft.bound = draft.objective * 1.01;
    },
    left,
  ),
  tampering(
    "a gap that is not that of bound and objective",
    "crossover",
    (draft) => {
      draft.gap = 0.02;
    },
    left,
  ),
  tampering(
    "“optimal” at a gap",
    "crossover",
    (draft) => {
      draft.bound = draft.objective * 0.99;
      draft.gap = 0.01;
    },
    left,
  ),
  tampering(
    "a bound that is no number",
    "crossover",
    (draft) => {
      draft.bound = Number.NaN;
    },
    left,
  ),
  tampering("a step left out", "crossover", (draft) => {
    draft.steps.pop();
  }),
  tampering(
    "steps in another order",
    "crossover",
    (draft) => {
      draft.steps.reverse();
    },
    left,
  ),
];

/** Changes that are wrong on every answer; false where the answer has nothing of the kind. */
export const anywhere: Readonly<Record<string, (draft: Draft, roll: number) => boolean>> = {
  "the cost of a step": (draft, roll) => {
    const step = pick(draft.steps, roll);
    step.cost.query += 1 + step.cost.query / 100;
    return true;
  },
  "the objective": (draft) => {
    draft.objective += 1 + draft.objective / 100;
    return true;
  },
  "a table missing from a schema": (draft, roll) => {
    const step = pick(draft.steps, roll);
    const plans = new Set(step.plans.map(({ plan }) => plan));
    const read = draft.plans.find(({ key }) => plans.has(key))?.columnFamilies[0];
    step.schema = step.schema.filter((key) => key !== read);
    return read !== undefined;
  },
  "a table that is not described": (draft, roll) => {
    const key = pick(pick(draft.steps, roll).schema, roll);
    draft.columnFamilies = draft.columnFamilies.filter((family) => family.key !== key);
    return true;
  },
  "the bytes of a step": (draft, roll) => {
    pick(draft.steps, roll).storageBytes *= 1.01;
    return true;
  },
  "a source that does not exist in the schema before": (draft, roll) => {
    if (draft.migrationPlans.length === 0) return false;
    const plan = pick(draft.migrationPlans, roll);
    plan.sources = [plan.builds, ...plan.sources.slice(1)];
    return true;
  },
  "a build left out": (draft) => {
    const migration = draft.migrations.find(({ builds }) => builds.length > 0);
    migration?.builds.pop();
    return migration !== undefined;
  },
  "a drop left out": (draft) => {
    const migration = draft.migrations.find(({ drops }) => drops.length > 0);
    migration?.drops.pop();
    return migration !== undefined;
  },
  "a plan less": (draft, roll) => {
    pick(draft.steps, roll).plans.pop();
    return true;
  },
  "a partition key left unbound": (draft, roll) => {
    const [step] = gets(pick(draft.plans, roll));
    if (step) step.bindings = step.bindings.slice(1);
    return true;
  },
  "a Get less": (draft, roll) => {
    const plan = pick(draft.plans, roll);
    if (gets(plan).length < 2) return false;
    const last = plan.steps.findLastIndex(({ kind }) => kind === "get");
    plan.steps = plan.steps.slice(0, last);
    plan.columnFamilies.pop();
    return true;
  },
  "a filter left out": (draft, roll) => {
    const plan = pick(draft.plans, roll);
    const filters = plan.steps.filter(({ kind }) => kind === "filter");
    plan.steps = plan.steps.filter(({ kind }) => kind !== "filter");
    return filters.length > 0;
  },
  "the Gets of a plan": (draft, roll) => {
    const step = pick(gets(pick(draft.plans, roll)), roll);
    step.gets = step.gets * 1.5 + 1;
    return true;
  },
  "the rows of a plan": (draft, roll) => {
    const step = pick(gets(pick(draft.plans, roll)), roll);
    step.rows = step.rows * 1.5 + 1;
    return true;
  },
  "the bound": (draft) => {
    draft.bound = draft.objective * 1.01 + 1;
    return true;
  },
};

function pick<T>(list: readonly T[], roll: number): T {
  return the(list[roll % list.length]);
}
