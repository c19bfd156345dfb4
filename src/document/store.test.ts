import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moveEntity, setEntityCount, setFrequency, setName } from "./commands.ts";
import { undoLabel } from "./history.ts";
import { writeDocument } from "./read.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";
import {
  memoryTables,
  type ProjectStorage,
  projectStorage,
  type Stored,
  type StoredResult,
} from "./storage.ts";
import { createDocumentStore } from "./store.ts";

const example: StudioDocument = {
  ...emptyDocument("Example"),
  entities: {
    user: { count: 10, attributes: [{ name: "id", type: "uuid" }], identifier: ["id"] },
  },
  statements: { q1: { text: "SELECT user.id FROM user WHERE user.id = ?" } },
  frequencies: { q1: [1] },
};

const result: StoredResult = {
  problemKey: "key",
  result: { status: "timedOut", reasons: [], seconds: {} },
};

function held<Value>(stored: Stored<Value>): Value {
  if (!stored.ok) throw new Error(stored.failure.reason);
  return stored.value;
}

/** Storage that can be made to fail, as a full disk does. */
function aStorage() {
  const tables = memoryTables();
  const state = { full: false };
  const storage: ProjectStorage = projectStorage({
    transact: (mode, work) =>
      state.full && mode === "readwrite"
        ? Promise.reject(new Error("full"))
        : tables.transact(mode, work),
    describeFailure: () => ({ kind: "full", reason: "The browser's storage is full." }),
  });
  return { storage, state };
}

function aStore(storage: ProjectStorage = aStorage().storage) {
  const store = createDocumentStore({ storage, document: emptyDocument("New"), delay: 500 });
  return { store, storage, now: () => store.getState() };
}

const rename = (name: string) => (document: StudioDocument) => setName(document, name);
const textOf = async (storage: ProjectStorage, id: string) => held(await storage.load(id))?.text;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("editing", () => {
  test("shows a change, names it for undo, and undoes it", () => {
    const { now } = aStore();
    expect(now().edit("Rename the project", rename("Tides"))).toEqual([]);
    expect(now().document.name).toBe("Tides");
    expect(undoLabel(now().history)).toBe("Rename the project");
    now().undo();
    expect(now().document.name).toBe("New");
    now().redo();
    expect(now().document.name).toBe("Tides");
  });

  test("returns why a change is refused, and changes nothing", () => {
    const { now } = aStore();
    const before = now();
    expect(now().edit("Rename", rename(" "))).toMatchObject([{ severity: "error" }]);
    expect(now()).toBe(before);
  });

  test("makes one undoable change of a gesture", async () => {
    const { now } = aStore();
    await now().open(example);
    now().begin("Move user");
    for (const x of [1, 2, 3]) now().preview((shown) => moveEntity(shown, "user", { x, y: 0 }));
    expect(now().document.layout.positions["user"]).toEqual({ x: 3, y: 0 });
    now().commit();
    expect(now().history.past.map(({ label }) => label)).toEqual(["Move user"]);
    now().undo();
    expect(now().document).toBe(example);
  });

  test("offers a preview both the document shown and the one before the gesture", async () => {
    const { now } = aStore();
    await now().open(example);
    now().begin("Scale");
    const double = (shown: StudioDocument, before: StudioDocument) =>
      setFrequency(shown, "q1", 0, (before.frequencies["q1"]?.[0] ?? 0) * 2);
    now().preview(double);
    now().preview(double);
    expect(now().document.frequencies["q1"]).toEqual([2]);
    now().cancel();
    expect(now().document).toBe(example);
  });
});

describe("saving", () => {
  test("happens a moment after the last change, not after each", async () => {
    const { now, storage } = aStore();
    now().edit("Rename", rename("A"));
    expect(now().saveState).toEqual({ kind: "unsaved" });
    await vi.advanceTimersByTimeAsync(400);
    now().edit("Rename", rename("B"));
    await vi.advanceTimersByTimeAsync(400);
    expect(held(await storage.recent())).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(now().saveState).toEqual({ kind: "saved" });
    expect(await textOf(storage, now().projectId)).toBe(writeDocument(now().document));
  });

  test("waits for the end of a gesture", async () => {
    const { now, storage } = aStore();
    now().begin("Rename");
    now().preview(rename("A"));
    await vi.advanceTimersByTimeAsync(5000);
    expect(held(await storage.recent())).toEqual([]);
    now().commit();
    await vi.advanceTimersByTimeAsync(500);
    expect(held(await storage.recent())).toHaveLength(1);
  });

  test("does not bother with a document that was never edited", async () => {
    const { now, storage } = aStore();
    await vi.advanceTimersByTimeAsync(5000);
    expect(now().saveState).toEqual({ kind: "untouched" });
    expect(held(await storage.recent())).toEqual([]);
  });

  test("is done at once when asked", async () => {
    const { now, storage } = aStore();
    now().edit("Rename", rename("A"));
    await now().saveNow();
    expect(await textOf(storage, now().projectId)).toContain('"name": "A"');
  });

  test("saves again what changed while it was saving", async () => {
    const { now, storage } = aStore();
    now().edit("Rename", rename("A"));
    const saving = now().saveNow();
    await Promise.resolve();
    expect(now().saveState).toEqual({ kind: "saving" });
    now().edit("Rename", rename("B"));
    await saving;
    expect(now().saveState).toEqual({ kind: "unsaved" });
    await vi.advanceTimersByTimeAsync(500);
    expect(await textOf(storage, now().projectId)).toContain('"name": "B"');
  });

  test("is not needed after undoing back to what is stored", async () => {
    const { now } = aStore();
    await now().open(example);
    now().edit("Rename", rename("A"));
    now().undo();
    expect(now().saveState).toEqual({ kind: "saved" });
  });

  test("tells when it fails, keeps the document and tries again at the next change", async () => {
    const { storage, state } = aStorage();
    const { now } = aStore(storage);
    state.full = true;
    now().edit("Rename", rename("A"));
    await vi.advanceTimersByTimeAsync(500);
    expect(now().saveState).toEqual({
      kind: "failed",
      reason: "The browser's storage is full.",
      elsewhere: false,
    });
    expect(now().document.name).toBe("A");
    state.full = false;
    now().edit("Rename", rename("B"));
    await vi.advanceTimersByTimeAsync(500);
    expect(now().saveState).toEqual({ kind: "saved" });
    expect(await textOf(storage, now().projectId)).toContain('"name": "B"');
  });
});

describe("opening", () => {
  test("begins a project of its own with a new history, and stores it", async () => {
    const { now, storage } = aStore();
    now().edit("Rename", rename("A"));
    const first = now().projectId;
    expect(await now().open(example)).toEqual([]);
    expect(now().projectId).not.toBe(first);
    expect(now().history.past).toEqual([]);
    expect(
      held(await storage.recent())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["A", "Example"]);
  });

  test("finds document and result again after a reload", async () => {
    const { now, storage } = aStore();
    await now().open(example);
    now().edit("Count", (document) => setEntityCount(document, "user", 99));
    await now().keepResult(result);
    await now().saveNow();
    const reloaded = aStore(storage);
    expect(await reloaded.now().openLast()).toEqual({ found: true, issues: [] });
    expect(reloaded.now().document).toEqual(now().document);
    expect(reloaded.now().projectId).toBe(now().projectId);
    expect(reloaded.now().result).toEqual(result);
    expect(reloaded.now().saveState).toEqual({ kind: "saved" });
  });

  test("finds nothing at the first visit", async () => {
    expect(await aStore().now().openLast()).toEqual({ found: false, issues: [] });
  });

  test("stores a project that was never edited along with its result", async () => {
    const { now, storage } = aStore();
    await now().keepResult(result);
    const reloaded = aStore(storage);
    await reloaded.now().openLast();
    expect(reloaded.now().result).toEqual(result);
    expect(reloaded.now().document.name).toBe("New");
  });

  test("goes back to the project that was opened last, not the one saved last", async () => {
    const { now, storage } = aStore();
    await now().open(example);
    const older = now().projectId;
    await now().open({ ...example, name: "Newer" });
    await now().openStored(older);
    const reloaded = aStore(storage);
    await reloaded.now().openLast();
    expect(reloaded.now().document.name).toBe("Example");
  });

  test("keeps a copy of a project as it was opened", async () => {
    const { now, storage } = aStore();
    await now().open(example);
    const { projectId } = now();
    await now().openStored(projectId);
    now().edit("Rename", rename("Spoilt"));
    await now().saveNow();
    expect(held(await storage.copies(projectId))).toMatchObject([
      { why: "as it was opened", text: writeDocument(example) },
    ]);
  });

  test("refuses to leave a project that cannot be saved, unless told to", async () => {
    const { storage, state } = aStorage();
    const { now } = aStore(storage);
    now().edit("Rename", rename("Precious"));
    state.full = true;
    expect(await now().open(example)).toMatchObject([
      { message: "The browser's storage is full." },
    ]);
    expect(now().document.name).toBe("Precious");
    expect(await now().open(example, "discard")).toEqual([]);
    expect(now().document).toBe(example);
    expect(now().saveState).toMatchObject({ kind: "failed" });
  });

  test("loses no edit that is made while the other project is being loaded", async () => {
    const { storage } = aStorage();
    let meanwhile = (): void => undefined;
    const { now } = aStore({
      ...storage,
      load: async (id) => {
        const project = await storage.load(id);
        meanwhile();
        return project;
      },
    });
    await now().open(example);
    const other = now().projectId;
    await now().open({ ...example, name: "Mine" });
    const mine = now().projectId;
    meanwhile = () => {
      meanwhile = () => undefined;
      now().edit("Rename", rename("Mine 2"));
    };
    await now().openStored(other);
    expect(now().projectId).toBe(other);
    expect(await textOf(storage, mine)).toContain('"name": "Mine 2"');
  });

  test("opens the open project anew with all that was changed in it", async () => {
    const { now } = aStore();
    await now().open(example);
    now().edit("Rename", rename("Changed"));
    expect(await now().openStored(now().projectId)).toEqual([]);
    expect(now().document.name).toBe("Changed");
    now().edit("Rename", rename("Changed again"));
    await now().saveNow();
    expect(now().saveState).toEqual({ kind: "saved" });
  });

  test("says what is wrong with a stored project and leaves the open one open", async () => {
    const { now, storage } = aStore();
    await storage.save(
      { id: "x", name: "X", text: '{"format": "tidetable", "version": 99}' },
      undefined,
    );
    expect(await now().openStored("x")).toMatchObject([
      { message: expect.stringContaining("newer Tidetable") },
    ]);
    expect(await now().openStored("gone")).toMatchObject([
      { message: "The project is no longer stored." },
    ]);
    expect(now().document.name).toBe("New");
    expect(await textOf(storage, "x")).toContain("99");
  });
});

describe("two tabs on one project", () => {
  async function twoTabs() {
    const { now: left, storage } = aStore();
    await left().open(example);
    const { now: right } = aStore(storage);
    await right().openLast();
    right().edit("Rename", rename("Right"));
    await right().saveNow();
    left().edit("Rename", rename("Left"));
    await left().saveNow();
    return { left, right, storage, id: left().projectId };
  }

  test("are noticed, and neither text is lost", async () => {
    const { left, storage, id } = await twoTabs();
    expect(left().saveState).toMatchObject({ kind: "failed", elsewhere: true });
    expect(await textOf(storage, id)).toContain('"name": "Right"');
    expect(held(await storage.copies(id))[0]).toMatchObject({
      why: "as it could not be saved",
      text: expect.stringContaining('"name": "Left"'),
    });
  });

  test("this one may overwrite; what the other saved is kept as a copy", async () => {
    const { left, storage, id } = await twoTabs();
    await left().overwrite();
    expect(left().saveState).toEqual({ kind: "saved" });
    expect(await textOf(storage, id)).toContain('"name": "Left"');
    expect(held(await storage.copies(id))[0]?.text).toContain('"name": "Right"');
  });

  test("this one may become a project of its own, its result with it", async () => {
    const { left, storage, id } = await twoTabs();
    await left().keepResult(result);
    await left().saveAsCopy();
    expect(left().projectId).not.toBe(id);
    expect(await textOf(storage, id)).toContain('"name": "Right"');
    expect(await textOf(storage, left().projectId)).toContain('"name": "Left"');
    expect(held(await storage.loadResult(left().projectId))).toEqual(result);
    expect(left().history.past).toHaveLength(1);
  });
});
