/** Every enumerated plan runs without ALLOW FILTERING, and the server is asked only for what it can do (engine.md §4). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntityGraph } from "#model/entity-graph.ts";
import { type GetStep, planKind, type QueryPlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import {
  aProblem,
  categoriesAndProducts,
  employeesAndEvents,
  shop,
  usersAndItems,
  usersAndMessages,
  videosAndLikes,
} from "./testing/examples.ts";
import { Names } from "./testing/names.ts";
import { brokenRules } from "./testing/plan-rules.ts";
import { everyPlan, getsOf, planOver, type QueryWithPlans } from "./testing/plans.ts";
import { type RandomProblem, randomQueries, withOptions } from "./testing/random-problem.ts";

/** More runs on demand: PROPERTY_RUNS=20 npx vitest run src/engine */
const times = Number(process.env["PROPERTY_RUNS"] ?? 1);
const minutes = 60_000 * times;

/** All plans of one query, right by the rules. */
function plansOf(graph: EntityGraph, query: string): readonly QueryPlan[] {
  const problem = aProblem({ graph, queries: { q: query } });
  expectRightPlans(problem);
  return everyPlan(problem, false).queries[0]?.plans ?? [];
}

function expectRightPlans(problem: Problem, most?: number): readonly QueryWithPlans[] {
  const { families, queries } = everyPlan(problem, false, most);
  for (const { query, plans } of queries) {
    for (const plan of plans) {
      const broken = brokenRules(problem.entityGraph, query, plan, families);
      if (broken.length > 0)
        expect({ query: query.text, plan, broken }).toEqual({
          query: query.text,
          plan,
          broken: [],
        });
    }
  }
  return queries;
}

const first = (plan: QueryPlan): GetStep => getsOf(plan)[0] as GetStep;
const sorts = (plan: QueryPlan): boolean => plan.steps.some(({ kind }) => kind === "sort");
const filters = (plan: QueryPlan): boolean => plan.steps.some(({ kind }) => kind === "filter");

describe("on random queries", () => {
  const bounds = { entities: 4, nodes: 3, queries: 1, predicates: 3, steps: 1 };
  const moderate = ({ problem }: RandomProblem): boolean => candidates(problem) <= 120;

  test(
    "every plan is right by rules of its own",
    () => {
      fc.assert(
        fc.property(randomQueries(bounds).filter(moderate), ({ problem }) => {
          expectRightPlans(withOptions(problem, { maxGets: 3 }), 60);
        }),
        { numRuns: 110 * times },
      );
    },
    2 * minutes,
  );

  test(
    "a materialised view answers every query, served by the server as far as it can",
    () => {
      fc.assert(
        fc.property(randomQueries(bounds).filter(moderate), ({ problem }) => {
          const one = withOptions(problem, { maxGets: 1 });
          for (const { query, plans } of everyPlan(one, false).queries)
            expectMaterialisedView(one, query, plans);
        }),
        { numRuns: 110 * times },
      );
    },
    2 * minutes,
  );

  test(
    "a plan that dominance keeps is one that was there without it, and no plan is left without a cheaper or smaller one",
    () => {
      fc.assert(
        fc.property(
          randomQueries({ ...bounds, nodes: 2, predicates: 2 }).filter(moderate),
          ({ problem }) => {
            const all = everyPlan(problem, false).queries;
            everyPlan(problem, true).queries.forEach(({ plans }, q) => {
              const before = new Map((all[q]?.plans ?? []).map((plan) => [plan.key, plan]));
              expect(plans.filter(({ key }) => !before.has(key))).toEqual([]);
              expect(plans.length).toBeGreaterThan(0);
              const least = Math.min(...[...before.values()].map(({ cost }) => cost));
              expect(plans[0]?.cost).toBe(least);
            });
          },
        ),
        { numRuns: 60 * times },
      );
    },
    2 * minutes,
  );
});

function candidates(problem: Problem): number {
  const queries = problem.statements
    .filter(isQuery)
    .map((query) => compileQuery(problem.entityGraph, query));
  return enumerateColumnFamilies(problem.entityGraph, queries, 1).size;
}

/** One Get; all = and IN bound; no sort, group or filter that a table could spare. */
function expectMaterialisedView(
  { entityGraph }: Problem,
  query: Query,
  plans: readonly QueryPlan[],
): void {
  const names = new Names(entityGraph, query.graph);
  const columns = query.predicates.map(({ column }) => names.of(column));
  const ranges = query.predicates.filter(({ kind }) => kind === "range");
  const equalities = query.predicates.filter(({ kind }) => kind !== "range");
  expect(plans.map(planKind)).toContain("materialised view");
  // Two conditions on one value cannot both bind it.
  if (new Set(columns).size < columns.length) return;
  const binding = plans.filter(
    (plan) =>
      first(plan).bindings.filter(({ from }) => from !== "fetched" && from.predicate >= 0)
        .length === equalities.length,
  );
  expect(binding.length, "a view that binds every = and IN").toBeGreaterThan(0);
  if (ranges.length === 1)
    expect(
      binding.some((plan) => !filters(plan)),
      "a view whose key takes the range",
    ).toBe(true);
  const oneSlice = equalities.every(({ kind }) => kind === "equal");
  if (!oneSlice || ranges.length > 0) return;
  if (query.groupBy.length === 0 && query.orderBy.every(({ by }) => by.kind === "column"))
    expect(
      binding.some((plan) => !sorts(plan)),
      "a view in the order of the query",
    ).toBe(true);
  if (query.groupBy.length > 0)
    expect(
      binding.some((plan) => first(plan).grouped),
      "a view that the server can group",
    ).toBe(true);
}

describe("order (case 03)", () => {
  const select = "SELECT Event.event_id, Event.note FROM Event WHERE";

  test("of one partition is served forwards or backwards", () => {
    const plans = plansOf(
      employeesAndEvents,
      `${select} Event.emp.emp_id = ? ORDER BY Event.created DESC`,
    );
    expect(
      plans.some(
        (plan) =>
          planKind(plan) === "materialised view" && !sorts(plan) && first(plan).order === "reverse",
      ),
    ).toBe(true);
    const ascending = plansOf(
      employeesAndEvents,
      `${select} Event.emp.emp_id = ? ORDER BY Event.created`,
    );
    expect(
      ascending.some(
        (plan) => planKind(plan) === "materialised view" && first(plan).order === "forward",
      ),
    ).toBe(true);
  });

  test("is never promised across the partitions of a list, or after keys that were fetched", () => {
    for (const query of [
      `${select} Event.emp.emp_id IN (?, ?) ORDER BY Event.created DESC`,
      `${select} Event.emp.emp_id = ? AND Event.level IN (?, ?) ORDER BY Event.created`,
      "SELECT Event.event_id FROM Event.emp WHERE emp.city = ? ORDER BY Event.created DESC",
    ]) {
      const plans = plansOf(employeesAndEvents, query);
      for (const plan of plans) {
        const bound = first(plan).bindings.map(({ from }) => from);
        const list = bound.some(
          (from) =>
            from !== "fetched" &&
            from.predicate >= 0 &&
            query.includes("IN") &&
            from.predicate === (query.includes("level") ? 1 : 0),
        );
        if (list) expect(first(plan).order).toBeUndefined();
        for (const later of getsOf(plan).slice(1)) expect(later.order).toBeUndefined();
        expect(sorts(plan)).toBe(first(plan).order === undefined);
      }
    }
  });

  test("of mixed directions needs a table declared so, and its exact reverse is the same table", () => {
    const mixed = plansOf(
      employeesAndEvents,
      `${select} Event.emp.emp_id = ? ORDER BY Event.level ASC, Event.created DESC`,
    );
    const served = mixed.filter((plan) => first(plan).order !== undefined);
    expect(served.length).toBeGreaterThan(0);
    for (const plan of served)
      expect(plan.columnFamilies[0]).toContain("Event.level↑, Event.created↓");
    const reverse = plansOf(
      employeesAndEvents,
      `${select} Event.emp.emp_id = ? ORDER BY Event.level DESC, Event.created ASC`,
    );
    const backwards = reverse.filter((plan) => first(plan).order !== undefined);
    expect(new Set(backwards.map((plan) => plan.columnFamilies[0]))).toEqual(
      new Set(served.map((plan) => plan.columnFamilies[0])),
    );
    expect(new Set(backwards.map((plan) => first(plan).order))).toEqual(new Set(["reverse"]));
    const same = plansOf(
      employeesAndEvents,
      `${select} Event.emp.emp_id = ? ORDER BY Event.level DESC, Event.created DESC`,
    );
    for (const plan of same)
      if (first(plan).order)
        expect(plan.columnFamilies[0]).toContain("Event.level↑, Event.created↑");
  });

  test("without any equality is that of one constant partition", () => {
    const plans = plansOf(
      employeesAndEvents,
      "SELECT Event.event_id FROM Event ORDER BY Event.created DESC",
    );
    const served = plans.filter((plan) => first(plan).order !== undefined);
    expect(served.length).toBeGreaterThan(0);
    for (const plan of served) expect(plan.columnFamilies[0]).toMatch(/^\[\*\] \[Event\.created↑/);
  });

  test("of the first Get is kept by the Gets after it", () => {
    const plans = plansOf(
      usersAndMessages,
      "SELECT Message.message_id, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20",
    );
    const kept = plans.filter(
      (plan) => planKind(plan) === "join" && first(plan).order && !sorts(plan),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.some((plan) => first(plan).limit === 20)).toBe(true);
  });
});

describe("ranges (case 09)", () => {
  const query =
    "SELECT Product.product_id, Product.title FROM Product WHERE Product.category.cat_id = ? AND Product.price < ? AND Product.added > ? ORDER BY Product.price LIMIT 10";

  test("two of them: one in the key, the other filtered", () => {
    for (const plan of plansOf(categoriesAndProducts, query)) {
      expect(getsOf(plan).filter(({ range }) => range !== undefined).length).toBeLessThanOrEqual(
        getsOf(plan).length,
      );
      if (planKind(plan) === "materialised view") expect(filters(plan)).toBe(true);
    }
  });

  test("a limit is never given to the server before the filter", () => {
    for (const plan of plansOf(categoriesAndProducts, query))
      if (filters(plan)) expect(first(plan).limit).toBeUndefined();
  });

  test("a column after the ranged one is not bound", () => {
    const plans = plansOf(
      categoriesAndProducts,
      query.replace("Product.added > ?", "Product.title = ?"),
    );
    for (const plan of plans)
      for (const step of getsOf(plan))
        if (step.range !== undefined) expect(step.bindings.length).toBeGreaterThan(0);
    // Title before price in the key: both are served, and the order too.
    expect(
      plans.some(
        (plan) =>
          planKind(plan) === "materialised view" && !filters(plan) && first(plan).limit === 10,
      ),
    ).toBe(true);
  });
});

describe("groups and aggregates (case 07)", () => {
  test("inside one partition are made by the server", () => {
    const count = plansOf(
      videosAndLikes,
      "SELECT count(Like.like_id) FROM Like WHERE Like.video.video_id = ?",
    );
    expect(count.some((plan) => first(plan).aggregated)).toBe(true);
    const groups = plansOf(
      videosAndLikes,
      "SELECT Like.country, count(Like.like_id) FROM Like WHERE Like.video.video_id = ? GROUP BY Like.country",
    );
    const served = groups.filter((plan) => first(plan).grouped);
    expect(served.length).toBeGreaterThan(0);
    for (const plan of served)
      expect(plan.columnFamilies[0]).toMatch(/^\[Like\.video\.video_id\] \[Like\.country[↑↓]/);
  });

  test("over several partitions are made by the application", () => {
    for (const query of [
      "SELECT count(*) FROM Like WHERE Like.video.video_id IN (?, ?)",
      "SELECT Like.country, count(*) FROM Like WHERE Like.video.video_id IN (?, ?) GROUP BY Like.country",
    ])
      for (const plan of plansOf(videosAndLikes, query)) {
        expect(first(plan).aggregated || first(plan).grouped).toBe(false);
        expect(plan.steps.some(({ kind }) => kind === "group")).toBe(true);
      }
  });

  test("an order by an aggregate is made by the application, and the limit after it", () => {
    const plans = plansOf(
      videosAndLikes,
      "SELECT Video.title, count(likes.like_id) FROM Video.likes WHERE likes.country = ? GROUP BY Video.video_id, Video.title ORDER BY count(likes.like_id) DESC LIMIT 10",
    );
    for (const plan of plans) {
      expect(plan.steps.at(-1)).toMatchObject({ kind: "limit", limit: 10 });
      expect(sorts(plan)).toBe(true);
      expect(first(plan).order).toBeUndefined();
    }
  });
});

describe("a list that is expected to hold one value", () => {
  // The estimate is no promise: the person may send more.
  test("is still a list: no order, aggregate or limit of the server", () => {
    const problem = aProblem({
      graph: employeesAndEvents,
      queries: {
        order: {
          text: "SELECT Event.event_id FROM Event WHERE Event.emp.emp_id IN ? ORDER BY Event.created LIMIT 3",
          assumptions: { listLength: { "Event.emp.emp_id": 1 } },
        },
        count: {
          text: "SELECT count(*) FROM Event WHERE Event.emp.emp_id IN ?",
          assumptions: { listLength: { "Event.emp.emp_id": 1 } },
        },
        limit: {
          text: "SELECT Event.event_id FROM Event WHERE Event.emp.emp_id IN ? LIMIT 3",
          assumptions: { listLength: { "Event.emp.emp_id": 1 } },
        },
      },
    });
    for (const { plans } of expectRightPlans(problem))
      for (const plan of plans)
        if (first(plan).bindings.some(({ from }) => from !== "fetched" && from.predicate === 0))
          expect([first(plan).order, first(plan).aggregated, first(plan).limit]).toEqual([
            undefined,
            false,
            undefined,
          ]);
  });
});

describe("keys of several shared columns (case 10)", () => {
  const query =
    "SELECT product.label FROM barcode.ofVariant.ofProduct WHERE barcode.company = ? AND barcode.digits = ?";

  test("lead from a barcode straight to its product", () => {
    const plans = plansOf(shop, query);
    const straight = plans.find(
      ({ columnFamilies }) =>
        columnFamilies.join(" ⋈ ") ===
        "[barcode.company, barcode.digits] [] → barcode.product, barcode.variant of barcode ⋈ [product.code, product.company] [] → product.label of product",
    );
    const [barcode, product] = straight ? getsOf(straight) : [];
    // One barcode, one product: the company is the parameter's, the code was fetched.
    expect([barcode?.gets, barcode?.rows, product?.rows]).toEqual([1, 1, 1]);
    expect(product?.bindings.map(({ column, from }) => [column.attribute, from])).toEqual([
      ["code", "fetched"],
      ["company", { predicate: 0 }],
    ]);
  });
});

describe("the number of Gets", () => {
  const query = "SELECT user.name FROM user.items WHERE items.name = ? AND items.quantity < ?";

  test("is at most maxGets, the third a key lookup of one entity", () => {
    for (const maxGets of [1, 2, 3]) {
      const problem = aProblem({
        graph: usersAndItems,
        queries: { q: query },
        options: { maxGets },
      });
      const { families, queries } = everyPlan(problem, false);
      const plans = queries[0]?.plans ?? [];
      expect(Math.max(...plans.map((plan) => getsOf(plan).length))).toBe(maxGets);
      for (const plan of plans) {
        const third = getsOf(plan)[2];
        if (!third) continue;
        const family = families.get(third.columnFamily);
        expect(family?.graph.nodes.length).toBe(1);
        const entity = problem.entityGraph.entities[family?.graph.nodes[0]?.entity ?? ""];
        expect(family?.partitionKey.map(({ attribute }) => attribute).sort()).toEqual(
          [...(entity?.identifier ?? [])].sort(),
        );
      }
    }
  });
});

describe("the rules that the plans are held against", () => {
  type Mutable<T> = { -readonly [K in keyof T]: T[K] };

  /** What the rules say of a plan after a change to its first Get. */
  function afterChange(
    graph: EntityGraph,
    text: string,
    families: readonly string[],
    change: (plan: Mutable<QueryPlan>, step: Mutable<GetStep>) => void,
  ): string[] {
    const problem = aProblem({ graph, queries: { q: text } });
    const plan = structuredClone(planOver(problem, "q", families)) as Mutable<QueryPlan>;
    const query = problem.statements.find(isQuery) as Query;
    const known = everyPlan(problem, false).families;
    expect(brokenRules(graph, query, plan, known)).toEqual([]);
    change(plan, first(plan) as Mutable<GetStep>);
    return brokenRules(graph, query, plan, known);
  }

  const without = (plan: QueryPlan, kind: string): QueryPlan["steps"] =>
    plan.steps.filter((step) => step.kind !== kind);

  const events =
    "SELECT Event.event_id FROM Event WHERE Event.emp.emp_id = ? AND Event.level IN (?, ?) AND Event.note > ? ORDER BY Event.created DESC LIMIT 3";
  const byLevel = [
    "[Event.emp.emp_id] [Event.created↑, Event.event_id↑] → Event.level, Event.note of Event",
  ];

  test.each<[string, (plan: Mutable<QueryPlan>, step: Mutable<GetStep>) => void]>([
    [
      "leaves a partition column unbound",
      (_, step) => {
        step.bindings = [];
      },
    ],
    [
      "puts a range where the key has none",
      (_, step) => {
        step.range = 2;
      },
    ],
    [
      "is neither bound nor filtered",
      (plan) => {
        plan.steps = without(plan, "filter");
      },
    ],
    [
      "filters by a value that no Get asked for",
      (_, step) => {
        step.selects = [];
      },
    ],
    [
      "no Get asks for event_id",
      (_, step) => {
        step.selects = step.selects.filter(({ attribute }) => attribute !== "event_id");
      },
    ],
    [
      "reads in the wrong direction",
      (_, step) => {
        step.order = "forward";
      },
    ],
    [
      "does not sort",
      (_, step) => {
        delete (step as { order?: string }).order;
      },
    ],
    [
      "limits before a filter",
      (_, step) => {
        step.limit = 3;
      },
    ],
    [
      "limits unasked, or does not limit",
      (plan) => {
        plan.steps = without(plan, "limit");
      },
    ],
    [
      "lets the server group before a filter",
      (_, step) => {
        step.grouped = true;
      },
    ],
    [
      "does things in the wrong order",
      (plan) => {
        plan.steps = [
          ...plan.steps.filter(({ kind }) => kind === "get"),
          ...without(plan, "get").toReversed(),
        ];
      },
    ],
    [
      "takes one entity for another",
      (_, step) => {
        step.embedding = [5];
      },
    ],
  ])("notice a plan that %s", (rule, change) => {
    const broken = afterChange(employeesAndEvents, events, byLevel, change);
    expect(broken.some((each) => each.includes(rule))).toBe(true);
  });

  test("notice a join on too little", () => {
    const inbox =
      "SELECT Message.message_id, sender.username FROM Message.sender WHERE Message.recipient.user_id = ? ORDER BY Message.sent_at LIMIT 20";
    const join = [
      "[Message.recipient.user_id] [Message.sent_at↑, Message.message_id↑] → Message.sender.user_id of Message",
      "[User.user_id] [] → User.username of User",
    ];
    const cut = afterChange(usersAndMessages, inbox, join, (plan) => {
      (getsOf(plan)[1] as Mutable<GetStep>).joinOn = [];
    });
    expect(cut).toContain("joins without the identity of what both hold");
    const blind = afterChange(usersAndMessages, inbox, join, (_, step) => {
      step.selects = step.selects.filter(({ attribute }) => !attribute.includes("user_id"));
    });
    expect(blind).toContain("binds a key column to what is not its value");
  });
});
