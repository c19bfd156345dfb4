import { describe, expect, test } from "vitest";
import { memoryStorage } from "./indexed-db.ts";
import { readDocument, writeDocument } from "./read.ts";
import { emptyDocument } from "./schema.ts";
import type { ProjectStorage, Stored } from "./storage.ts";
import { deleteStored, duplicateStored, renameStored, restoreStored } from "./stored-projects.ts";

function held<Value>(stored: Stored<Value>): Value {
  if (!stored.ok) throw new Error(stored.failure.reason);
  return stored.value;
}

async function withTides(): Promise<ProjectStorage> {
  const storage = memoryStorage();
  held(
    await storage.save(
      { id: "a", name: "Tides", text: writeDocument(emptyDocument("Tides")) },
      undefined,
    ),
  );
  const result = { status: "timedOut", reasons: [], seconds: {} } as const;
  held(await storage.saveResult("a", { problemKey: "key", result }));
  for (const why of ["as it was opened", "as another tab had saved it"])
    held(await storage.keepCopy("a", { session: "s", why, text: why }));
  return storage;
}

const namesIn = async (storage: ProjectStorage) =>
  held(await storage.recent())
    .map(({ name }) => name)
    .sort();

describe("stored projects", () => {
  test("renaming reaches the list and the file", async () => {
    const storage = await withTides();
    expect(await renameStored(storage, "a", " Springs ")).toMatchObject({ value: "Springs" });
    expect(await namesIn(storage)).toEqual(["Springs"]);
    const read = readDocument(held(await storage.load("a"))?.text ?? "");
    expect(read).toMatchObject({ ok: true, value: { name: "Springs" } });
    expect(await renameStored(storage, "a", " ")).toMatchObject({ ok: false });
    expect(await renameStored(storage, "b", "No such")).toMatchObject({ ok: false });
  });

  test("a duplicate is a project of its own, with the result", async () => {
    const storage = await withTides();
    const copy = await duplicateStored(storage, "a");
    if (!copy.ok) throw new Error("not duplicated");
    await renameStored(storage, "a", "Springs");
    expect(await namesIn(storage)).toEqual(["Springs", "Tides (copy)"]);
    expect(held(await storage.loadResult(copy.value))?.problemKey).toBe("key");
  });

  test("what cannot be read is duplicated as it lies, and not renamed", async () => {
    const storage = memoryStorage();
    await storage.save({ id: "n", name: "Newer", text: "from the future" }, undefined);
    const copy = await duplicateStored(storage, "n");
    expect(copy.ok && held(await storage.load(copy.value))?.text).toBe("from the future");
    expect(await renameStored(storage, "n", "Older")).toMatchObject({ ok: false });
  });

  test("a deleted project comes back whole", async () => {
    const storage = await withTides();
    await storage.setLastOpened("a");
    const { text } = held(await storage.load("a")) ?? {};
    const copies = held(await storage.copies("a")).map(({ why }) => why);
    const deleted = await deleteStored(storage, "a");
    if (!deleted.ok) throw new Error("not deleted");
    expect(await namesIn(storage)).toEqual([]);
    expect(held(await storage.lastOpened())).toBeUndefined();
    expect(held(await storage.loadResult("a"))).toBeUndefined();
    expect(await restoreStored(storage, deleted.value)).toMatchObject({ ok: true });
    expect(held(await storage.load("a"))?.text).toBe(text);
    expect(held(await storage.copies("a")).map(({ why }) => why)).toEqual(copies);
    expect(held(await storage.loadResult("a"))?.problemKey).toBe("key");
  });
});
