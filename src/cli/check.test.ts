/** `check` accepts what `optimise` writes and finds what was changed afterwards. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Recommendation } from "#model/recommendation.ts";
import { crossover, temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const design = folder.write("design.json", crossover);
const limit = "4360799";

type Writable<T> = T extends object ? { -readonly [Field in keyof T]: Writable<T[Field]> } : T;
type Draft = Writable<Recommendation>;

beforeAll(async () => {
  const { code } = await folder.run("optimise", design, "--storage", limit, "--out", "true.json");
  expect(code).toBe(0);
});

/** The result with a change, checked. */
async function tampered(change: (draft: Draft) => void, ...options: string[]) {
  const draft: Draft = JSON.parse(folder.read("true.json"));
  change(draft);
  folder.write("tampered.json", draft);
  return folder.run("check", design, "tampered.json", ...options);
}

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new Error("the result has none");
  return item;
}

describe("an untouched result", () => {
  test("is accepted, with what was recounted", async () => {
    const { code, out } = await folder.run("check", design, "true.json");
    expect(code).toBe(0);
    expect(out).toContain("The answer is what it says it is");
    expect(out).toMatch(
      /recounted: 6 steps, \d+ tables, 4 query plans, 1 migration with 1 build\n/,
    );
    expect(out).toContain("within 4.36 MB");
  });

  test("is accepted under the limit that the run was given", async () => {
    expect((await folder.run("check", design, "true.json", "--storage", limit)).code).toBe(0);
  });

  test("is rejected where less is allowed than it was made for", async () => {
    const { code, out } = await folder.run("check", design, "true.json", "--storage", "4000000");
    expect(code).toBe(1);
    expect(out).toContain("give it here too: --storage 4360799");
    expect(out).toMatch(/storage: .*\b4000000\b/);
  });
});

const changes: Readonly<Record<string, { of: string; change: (draft: Draft) => void }>> = {
  "the cost of a query": {
    of: "cost",
    change: (draft) => {
      first(first(draft.steps).plans).cost *= 0.9;
    },
  },
  "the objective": {
    of: "cost",
    change: (draft) => {
      draft.objective *= 0.9;
      draft.bound = draft.objective;
    },
  },
  "a total": {
    of: "cost",
    change: (draft) => {
      draft.totals.query *= 0.9;
    },
  },
  "a table that is missing from a step": {
    of: "plan",
    change: (draft) => {
      const step = first(draft.steps);
      step.schema = step.schema.filter((key) => !key.startsWith("[item.name]"));
    },
  },
  "a table that is not described": {
    of: "schema",
    change: (draft) => {
      draft.columnFamilies = draft.columnFamilies.slice(1);
    },
  },
  "the storage of a step": {
    of: "storage",
    change: (draft) => {
      first(draft.steps).storageBytes /= 2;
    },
  },
  "the size of a table": {
    of: "schema",
    change: (draft) => {
      first(draft.columnFamilies).size.bytes /= 2;
    },
  },
  "a limit that the answer does not hold": {
    of: "storage",
    change: (draft) => {
      draft.storageLimit = 3_000_000;
    },
  },
  "the source of a migration": {
    of: "migration",
    change: (draft) => {
      first(draft.migrationPlans).sources = [first(first(draft.migrations).builds).columnFamily];
    },
  },
  "a source that does not hold what it should": {
    of: "migration",
    change: (draft) => {
      const plan = first(draft.migrationPlans);
      plan.sources = plan.sources.slice(0, 1);
    },
  },
  "a migration that is left out": {
    of: "migration",
    change: (draft) => {
      draft.migrations = [];
    },
  },
  "the cost of a migration": {
    of: "migration",
    change: (draft) => {
      first(first(draft.migrations).builds).load = 0;
    },
  },
  "a plan that is exchanged": {
    of: "plan",
    change: (draft) => {
      const [one, two] = first(draft.steps).plans;
      if (one && two) one.plan = two.plan;
    },
  },
  "a plan that claims fewer rows": {
    of: "plan",
    change: (draft) => {
      const get = first(first(draft.plans).steps);
      get.rows = 1;
    },
  },
  "a plan with a binding to a predicate that is not there": {
    of: "plan|form",
    change: (draft) => {
      const get = first(first(draft.plans).steps);
      if (get.kind === "get") first(get.bindings).from = { predicate: 7 };
    },
  },
  "a table of an entity that is not there": {
    of: "schema|form",
    change: (draft) => {
      first(first(draft.columnFamilies).graph.nodes).entity = "lemon";
    },
  },
  "a gap that is too small": {
    of: "bound",
    change: (draft) => {
      draft.bound *= 0.5;
    },
  },
  "a step that is left out": {
    of: "form",
    change: (draft) => {
      draft.steps = draft.steps.slice(1);
    },
  },
};

describe("a tampered result is rejected", () => {
  test.each(Object.entries(changes))("%s", async (_, { of, change }) => {
    const { code, out } = await tampered(change);
    expect(code).toBe(1);
    expect(out).toMatch(/^tampered\.json is not what it says it is: \d+ violations?\n/);
    // The words are the engine's; its kinds are agreed.
    expect(out).toMatch(new RegExp(`^ {2}(?:${of}): \\S`, "m"));
  });

  test("where it states no limit although there is one", async () => {
    const { code, out } = await tampered(({ ...draft }) => draft, "--storage", limit);
    expect(code, out).toBe(0);
    const without = await tampered(
      (draft) => {
        delete draft.storageLimit;
      },
      "--storage",
      limit,
    );
    expect(without.code).toBe(1);
    expect(without.out).toContain("storage: The result states no storage limit");
  });

  test("where it answers another design", async () => {
    const other = { ...crossover, frequencies: { q1: 0.5, q2: 0.5 } };
    folder.write("other.json", other);
    const { code, out } = await folder.run("check", "other.json", "true.json");
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}cost: \S/m);
  });
});

describe("a result that is not one", () => {
  test("is bad input, with every mistake and its place", async () => {
    const { code, err, out } = await tampered((draft) => {
      Object.assign(draft, { objective: "much", extra: 1 });
      Object.assign(first(draft.steps), { schema: 3 });
    });
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("3 mistakes in tampered.json");
    for (const place of ["objective", "extra", "steps/0/schema"])
      expect(err).toContain(`  ${place}: `);
  });

  test("a design in its place is told apart", async () => {
    const { code, err } = await folder.run("check", design, design);
    expect(code).toBe(2);
    expect(err).toContain("The file is a document, not the result of a run.");
  });

  test("both files' mistakes are told at once", async () => {
    folder.write("broken.json", "{");
    const { code, err } = await folder.run("check", "nowhere.json", "broken.json");
    expect(code).toBe(2);
    expect(err).toContain("There is no nowhere.json.");
    expect(err).toContain("line 1, column 2");
  });
});

test("a result without an answer holds nothing to recount", async () => {
  const { code } = await folder.run("optimise", design, "--storage", "1000", "--out", "none.json");
  expect(code).toBe(3);
  const checked = await folder.run("check", design, "none.json");
  expect(checked.out).toBe(
    "none.json holds no answer (infeasible): there is nothing to recount.\n",
  );
  expect(checked.code).toBe(0);
});
