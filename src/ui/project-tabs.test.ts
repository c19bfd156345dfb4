import { describe, expect, test, vi } from "vitest";
import { setName } from "#document/commands.ts";
import { memoryStorage } from "#document/indexed-db.ts";
import { emptyDocument } from "#document/schema.ts";
import type { ProjectStorage } from "#document/storage.ts";
import { createDocumentStore, type DocumentStore } from "#document/store.ts";
import { type Channel, followTabs, type Locks, type ProjectTabs } from "./project-tabs.ts";

interface Waiting {
  readonly start: () => void;
}

/** Locks as browsers have them, for tabs of one process. */
function aBrowser() {
  const holders = new Map<string, { readonly lose: (error: Error) => void }>();
  const queues = new Map<string, Waiting[]>();
  const locks: Locks = {
    request: (name, { ifAvailable, steal, signal }, hold) =>
      new Promise((resolve, reject) => {
        const free = (me: object): void => {
          if (holders.get(name) !== me) return;
          holders.delete(name);
          queues.get(name)?.shift()?.start();
        };
        const start = (): void => {
          const me = { lose: reject };
          holders.set(name, me);
          void Promise.resolve(hold({})).then(() => {
            free(me);
            resolve(undefined);
          });
        };
        const holder = holders.get(name);
        if (holder && steal) holder.lose(new Error("stolen"));
        if (!holder || steal) start();
        else if (ifAvailable) resolve(hold(null));
        else {
          const waiting = { start };
          queues.set(name, [...(queues.get(name) ?? []), waiting]);
          signal?.addEventListener("abort", () => {
            queues.set(name, queues.get(name)?.filter((each) => each !== waiting) ?? []);
            reject(new Error("aborted"));
          });
        }
      }),
  };
  const channels: Channel[] = [];
  const aChannel = (): Channel => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of channels)
          if (other !== channel) other.onmessage?.({ data } as MessageEvent);
      },
    };
    channels.push(channel);
    return channel;
  };
  return { locks, aChannel, isHeld: (name: string) => holders.has(name) };
}

interface Tab {
  readonly documents: DocumentStore;
  readonly tabs: ProjectTabs;
}

async function aTab(
  browser: ReturnType<typeof aBrowser>,
  storage: ProjectStorage,
  silent = false,
): Promise<Tab> {
  const documents = createDocumentStore({ storage, document: emptyDocument("New"), delay: 5 });
  await documents.getState().openLast();
  const channel = silent ? { onmessage: null, postMessage: () => undefined } : browser.aChannel();
  const tabs = followTabs(documents, browser.locks, channel);
  await tabs.settled();
  return { documents, tabs };
}

const rename = ({ documents }: Tab, name: string) =>
  documents.getState().edit("Rename", (document) => setName(document, name));
const nameOf = ({ documents }: Tab): string => documents.getState().document.name;
const readingOf = ({ documents }: Tab) => documents.getState().reading;

/** Two tabs with one stored project on the screen. */
async function twoTabs(silent = false) {
  const [browser, storage] = [aBrowser(), memoryStorage()];
  const first = await aTab(browser, storage, silent);
  await first.documents.getState().open(emptyDocument("Tides"));
  await first.tabs.settled();
  return { browser, storage, first, second: await aTab(browser, storage, silent) };
}

describe("two tabs on one project", () => {
  test("the second reads and is refused its edits with the reason", async () => {
    const { first, second } = await twoTabs();
    expect(readingOf(first)).toBeUndefined();
    expect(readingOf(second)).toBe("elsewhere");
    expect(rename(second, "Mine")).toMatchObject([{ severity: "error" }]);
    expect(nameOf(second)).toBe("Tides");
    expect(second.documents.getState().refusedEdits).toBe(1);
    second.documents.getState().begin("Drag");
    second.documents.getState().preview((document) => setName(document, "Dragged"));
    expect(nameOf(second)).toBe("Tides");
  });

  test("the reader shows what the writer saves", async () => {
    const { first, second } = await twoTabs();
    rename(first, "Springs");
    await vi.waitFor(() => expect(nameOf(second)).toBe("Springs"));
    expect(readingOf(second)).toBe("elsewhere");
  });

  test("taking over: the writer saves what it has, then reads", async () => {
    const { first, second } = await twoTabs();
    rename(first, "Not yet saved");
    expect(await second.tabs.takeOver()).toEqual([]);
    expect(nameOf(second)).toBe("Not yet saved");
    expect([readingOf(first), readingOf(second)]).toEqual(["elsewhere", undefined]);
    rename(second, "From the second");
    await vi.waitFor(() => expect(nameOf(first)).toBe("From the second"));
    expect(await first.tabs.takeOver()).toEqual([]);
    expect([readingOf(first), readingOf(second)]).toEqual([undefined, "elsewhere"]);
  });

  test("a writer that does not answer loses the lock", async () => {
    const { first, second } = await twoTabs(true);
    expect(await second.tabs.takeOver()).toEqual([]);
    expect([readingOf(first), readingOf(second)]).toEqual(["elsewhere", undefined]);
  });

  test("the reader may write once the writer has gone to another project", async () => {
    const { first, second } = await twoTabs();
    rename(first, "Left behind");
    await first.documents.getState().open(emptyDocument("Another"));
    await vi.waitFor(() => expect(readingOf(second)).toBeUndefined());
    expect(nameOf(second)).toBe("Left behind");
    expect(rename(second, "Mine now")).toEqual([]);
  });

  test("a shared project holds no lock until a copy is made of it", async () => {
    const { browser, first } = await twoTabs();
    const { openShared, keepShared } = first.documents.getState();
    await openShared(emptyDocument("Shared"));
    const { projectId } = first.documents.getState();
    expect(browser.isHeld(`tidetable/${projectId}`)).toBe(false);
    expect(rename(first, "Mine")).toMatchObject([{ hint: "Make a copy to change it." }]);
    await keepShared();
    expect(browser.isHeld(`tidetable/${projectId}`)).toBe(true);
    expect(rename(first, "Mine")).toEqual([]);
  });

  test("without locks nothing is in the way", async () => {
    const documents = createDocumentStore({
      storage: memoryStorage(),
      document: emptyDocument("New"),
    });
    const refusing: Locks = { request: () => Promise.reject(new Error("not allowed here")) };
    await followTabs(documents, refusing, undefined).settled();
    expect(documents.getState().reading).toBeUndefined();
  });
});
