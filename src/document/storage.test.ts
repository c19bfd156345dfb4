import { describe, expect, test } from "vitest";
import { memoryStorage } from "./indexed-db.ts";
import {
  copiesKept,
  memoryTables,
  type ProjectStorage,
  projectStorage,
  randomId,
  type Stored,
  type StoredResult,
  type Tables,
} from "./storage.ts";

function held<Value>(stored: Stored<Value>): Value {
  if (!stored.ok) throw new Error(stored.failure.reason);
  return stored.value;
}

/** Storage whose clock ticks once a save. */
function tickingStorage(): ProjectStorage {
  let time = 0;
  return memoryStorage(() => {
    time += 1;
    return time;
  });
}

const project = (id: string, text = "{}") => ({ id, name: `Project ${id}`, text });
const infeasible: StoredResult = {
  problemKey: "key",
  result: { status: "infeasible", reasons: ["Too small."], seconds: {} },
};

describe("project storage", () => {
  test("gives back what was saved", async () => {
    const storage = tickingStorage();
    const revision = held(await storage.save(project("a", "text"), undefined));
    expect(held(await storage.load("a"))).toEqual({
      id: "a",
      name: "Project a",
      text: "text",
      savedAt: 1,
      revision,
    });
    expect(held(await storage.load("b"))).toBeUndefined();
  });

  test("lists projects, last saved first", async () => {
    const storage = tickingStorage();
    const revision = held(await storage.save(project("a"), undefined));
    await storage.save(project("b"), undefined);
    await storage.save(project("a", "new"), revision);
    expect(held(await storage.recent())).toEqual([
      { id: "a", name: "Project a", savedAt: 3 },
      { id: "b", name: "Project b", savedAt: 2 },
    ]);
  });

  test("does not overwrite what another tab has saved meanwhile", async () => {
    const storage = tickingStorage();
    const seenByBoth = held(await storage.save(project("a", "1"), undefined));
    await storage.save(project("a", "theirs"), seenByBoth);
    expect(await storage.save(project("a", "mine"), seenByBoth)).toMatchObject({
      ok: false,
      failure: { kind: "elsewhere" },
    });
    expect(held(await storage.load("a"))?.text).toBe("theirs");
  });

  test("lets only one of two tabs win that save at once", async () => {
    const storage = tickingStorage();
    const seen = held(await storage.save(project("a", "1"), undefined));
    const both = await Promise.all([
      storage.save(project("a", "left"), seen),
      storage.save(project("a", "right"), seen),
    ]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
  });

  test("saves again what was removed meanwhile", async () => {
    const storage = tickingStorage();
    const revision = held(await storage.save(project("a"), undefined));
    await storage.remove("a");
    expect((await storage.save(project("a"), revision)).ok).toBe(true);
  });

  test("removes a project with its result and copies", async () => {
    const storage = tickingStorage();
    await storage.save(project("a"), undefined);
    await storage.saveResult("a", infeasible);
    await storage.keepCopy("a", { session: "s", why: "w", text: "t" });
    await storage.remove("a");
    expect(held(await storage.recent())).toEqual([]);
    expect(held(await storage.loadResult("a"))).toBeUndefined();
    expect(held(await storage.copies("a"))).toEqual([]);
  });

  test("keeps the last result, and lets go of one that it can no longer read", async () => {
    const tables = memoryTables();
    const storage = projectStorage(tables);
    await storage.saveResult("a", infeasible);
    expect(held(await storage.loadResult("a"))).toEqual(infeasible);
    await tables.transact("readwrite", (transaction) =>
      transaction.put("results", "a", { problemKey: "key", result: { status: "old" } }),
    );
    expect(held(await storage.loadResult("a"))).toBeUndefined();
  });

  test("keeps one copy per opening and reason, no text twice, the newest only", async () => {
    const storage = tickingStorage();
    const keep = (session: string, why: string, text: string) =>
      storage.keepCopy("a", { session, why, text });
    await keep("1", "opened", "x");
    await keep("1", "conflict", "y");
    await keep("1", "conflict", "z");
    await keep("2", "opened", "x");
    const texts = held(await storage.copies("a")).map(({ session, text }) => session + text);
    expect(texts).toEqual(["2x", "1z"]);
    for (let i = 0; i < 10; i += 1) await keep(`${i + 3}`, "opened", `${i}`);
    expect(held(await storage.copies("a"))).toHaveLength(copiesKept);
  });

  test("remembers what was open last", async () => {
    const storage = tickingStorage();
    expect(held(await storage.lastOpened())).toBeUndefined();
    await storage.setLastOpened("a");
    expect(held(await storage.lastOpened())).toBe("a");
  });

  test("tells a failure instead of rejecting", async () => {
    const broken: Tables = {
      transact: () => Promise.reject(new Error("disk on fire")),
      describeFailure: (error) => ({ kind: "full", reason: (error as Error).message }),
    };
    const storage = projectStorage(broken);
    for (const stored of [
      await storage.recent(),
      await storage.load("a"),
      await storage.save(project("a"), undefined),
      await storage.saveResult("a", infeasible),
      await storage.copies("a"),
    ])
      expect(stored).toEqual({ ok: false, failure: { kind: "full", reason: "disk on fire" } });
  });

  test("does not share objects with its users", async () => {
    const storage = tickingStorage();
    const result = structuredClone(infeasible);
    await storage.saveResult("a", result);
    expect(held(await storage.loadResult("a"))?.result).not.toBe(result.result);
  });
});

test("a transaction in memory happens as a whole or not at all", async () => {
  const tables = memoryTables();
  const failed = tables.transact("readwrite", async (transaction) => {
    await transaction.put("state", "a", 1);
    throw new Error("stop");
  });
  await expect(failed).rejects.toThrow("stop");
  expect(await tables.transact("readonly", (transaction) => transaction.get("state", "a"))).toBe(
    undefined,
  );
});

test("ids of projects differ", () => {
  expect(new Set(Array.from({ length: 100 }, randomId)).size).toBe(100);
});
