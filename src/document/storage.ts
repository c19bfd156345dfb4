/**
 * Where projects are kept between visits.
 *
 * Decides what is kept: every project as the text of its file with a revision, its last result, a few
 * older copies of it, and which project was open last. Promises: nothing here rejects, a failure is
 * told in words; saving never overwrites what another tab saved meanwhile; a text is kept as it was
 * written and goes through `readDocument` when it comes back. `indexed-db.ts` and `memoryTables` are
 * the two places it can lie in.
 */
import { type RunResult, resultFrom } from "./result-schema.ts";

/** The answer of a run with the problem it answers (see `problemKey`). */
export interface StoredResult {
  readonly problemKey: string;
  readonly result: RunResult;
}

export interface ProjectSummary {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

export interface StoredProject extends ProjectSummary {
  /** Changes with every save; what a later save has to be based on. */
  readonly revision: string;
  /** The project's file, as `writeDocument` wrote it. */
  readonly text: string;
}

/** An older state of a project, kept in case the present one is lost. */
export interface ProjectCopy {
  readonly keptAt: number;
  /** The opening of the project during which it was kept; it keeps one copy for each reason. */
  readonly session: string;
  /** Why it was kept, as a phrase, e.g. “as it was opened”. */
  readonly why: string;
  readonly text: string;
}

export interface StorageFailure {
  /** `elsewhere`: another tab has saved the project since this one read or saved it. */
  readonly kind: "full" | "blocked" | "elsewhere" | "failed";
  /** What happened and what to do, in whole sentences. */
  readonly reason: string;
}

export type Stored<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StorageFailure };

export interface ProjectStorage {
  /** All projects, last saved first. */
  readonly recent: () => Promise<Stored<readonly ProjectSummary[]>>;
  readonly load: (id: string) => Promise<Stored<StoredProject | undefined>>;
  /** Saves and returns the new revision; `basedOn` is the revision this state comes from, undefined for a new project. */
  readonly save: (
    project: { readonly id: string; readonly name: string; readonly text: string },
    basedOn: string | undefined,
  ) => Promise<Stored<string>>;
  /** Removes a project with its result and copies; it is no longer the one opened last. */
  readonly remove: (id: string) => Promise<Stored<undefined>>;
  readonly saveResult: (id: string, result: StoredResult) => Promise<Stored<undefined>>;
  /** The last result, if there is one that this program can still read. */
  readonly loadResult: (id: string) => Promise<Stored<StoredResult | undefined>>;
  /** Keeps a copy in the place of one with the same session and reason; the oldest beyond `copiesKept` go. */
  readonly keepCopy: (id: string, copy: Omit<ProjectCopy, "keptAt">) => Promise<Stored<undefined>>;
  /** Newest first. */
  readonly copies: (id: string) => Promise<Stored<readonly ProjectCopy[]>>;
  /** The project that was open last. */
  readonly lastOpened: () => Promise<Stored<string | undefined>>;
  readonly setLastOpened: (id: string) => Promise<Stored<undefined>>;
}

/** Copies that are kept of one project. */
export const copiesKept = 5;

/** The tables that projects lie in; each holds plain values by key. */
export const tableNames = ["projects", "texts", "results", "copies", "state"] as const;
export type TableName = (typeof tableNames)[number];

/** Reading and writing within one transaction: all of it happens, or nothing. */
export interface Transaction {
  readonly get: (table: TableName, key: string) => Promise<unknown>;
  readonly all: (table: TableName) => Promise<readonly unknown[]>;
  readonly put: (table: TableName, key: string, value: unknown) => Promise<void>;
  readonly remove: (table: TableName, key: string) => Promise<void>;
}

/** A place to lie in. Rejects with what went wrong; `describeFailure` puts it in words. */
export interface Tables {
  readonly transact: <Value>(
    mode: "readonly" | "readwrite",
    work: (transaction: Transaction) => Promise<Value>,
  ) => Promise<Value>;
  readonly describeFailure: (error: unknown) => StorageFailure;
}

interface ProjectEntry extends ProjectSummary {
  readonly revision: string;
}

/** Project storage in given tables; `now` is the clock of `savedAt`. */
export function projectStorage(tables: Tables, now: () => number = Date.now): ProjectStorage {
  const run = async <Value>(
    mode: "readonly" | "readwrite",
    work: (transaction: Transaction) => Promise<Value>,
  ): Promise<Stored<Value>> => {
    try {
      return { ok: true, value: await tables.transact(mode, work) };
    } catch (error) {
      return {
        ok: false,
        failure: error instanceof SavedElsewhere ? error.failure : tables.describeFailure(error),
      };
    }
  };
  const put = (table: TableName, key: string, value: unknown): Promise<Stored<undefined>> =>
    run("readwrite", async (transaction) => {
      await transaction.put(table, key, value);
      return undefined;
    });

  return {
    recent: () =>
      run("readonly", async (transaction) =>
        ((await transaction.all("projects")) as readonly ProjectEntry[])
          .map(({ id, name, savedAt }) => ({ id, name, savedAt }))
          .sort((a, b) => b.savedAt - a.savedAt),
      ),
    load: (id) =>
      run("readonly", async (transaction) => {
        const entry = (await transaction.get("projects", id)) as ProjectEntry | undefined;
        const text = await transaction.get("texts", id);
        return entry && typeof text === "string" ? { ...entry, text } : undefined;
      }),
    save: ({ id, name, text }, basedOn) =>
      run("readwrite", async (transaction) => {
        const stored = (await transaction.get("projects", id)) as ProjectEntry | undefined;
        if (stored && stored.revision !== basedOn) throw new SavedElsewhere();
        const revision = randomId();
        const entry: ProjectEntry = { id, name, savedAt: now(), revision };
        await transaction.put("projects", id, entry);
        await transaction.put("texts", id, text);
        return revision;
      }),
    remove: (id) =>
      run("readwrite", async (transaction) => {
        for (const table of tableNames) if (table !== "state") await transaction.remove(table, id);
        if ((await transaction.get("state", "lastOpened")) === id)
          await transaction.remove("state", "lastOpened");
        return undefined;
      }),
    saveResult: (id, result) => put("results", id, result),
    loadResult: (id) =>
      run("readonly", async (transaction) => readStored(await transaction.get("results", id))),
    keepCopy: (id, copy) =>
      run("readwrite", async (transaction) => {
        const others = (await copiesIn(transaction, id)).filter(
          ({ session, why, text }) =>
            text !== copy.text && (session !== copy.session || why !== copy.why),
        );
        const newest: ProjectCopy = { ...copy, keptAt: now() };
        await transaction.put("copies", id, [newest, ...others].slice(0, copiesKept));
        return undefined;
      }),
    copies: (id) => run("readonly", (transaction) => copiesIn(transaction, id)),
    lastOpened: () =>
      run("readonly", async (transaction) => {
        const id = await transaction.get("state", "lastOpened");
        return typeof id === "string" ? id : undefined;
      }),
    setLastOpened: (id) => put("state", "lastOpened", id),
  };
}

/** Tables in memory, for tests and specimens. */
export function memoryTables(): Tables {
  let tables = new Map<string, unknown>();
  let last: Promise<unknown> = Promise.resolve();
  const keyOf = (table: TableName, key: string): string => `${table}/${key}`;
  return {
    transact: (_, work) => {
      const turn = last.then(async () => {
        const draft = new Map(tables);
        const value = await work({
          get: async (table, key) => structuredClone(draft.get(keyOf(table, key))),
          all: async (table) =>
            [...draft]
              .filter(([key]) => key.startsWith(`${table}/`))
              .map(([, stored]) => structuredClone(stored)),
          put: async (table, key, stored) => {
            draft.set(keyOf(table, key), structuredClone(stored));
          },
          remove: async (table, key) => {
            draft.delete(keyOf(table, key));
          },
        });
        tables = draft;
        return value;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    describeFailure: (error) => ({ kind: "failed", reason: String(error) }),
  };
}

/** An id that no other project has, in or outside a secure context. */
export function randomId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(36).padStart(7, "0")).join("");
}

/** Leaves a transaction without writing. */
class SavedElsewhere extends Error {
  readonly failure: StorageFailure = {
    kind: "elsewhere",
    reason:
      "Another tab has saved this project since this one did. Overwrite it with what is here, or save this as a copy.",
  };
}

async function copiesIn(transaction: Transaction, id: string): Promise<readonly ProjectCopy[]> {
  return ((await transaction.get("copies", id)) as readonly ProjectCopy[] | undefined) ?? [];
}

/** A result of an earlier program may have another form; it can be computed again, so it is let go. */
function readStored(stored: unknown): StoredResult | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { problemKey, result } = stored as Partial<Record<keyof StoredResult, unknown>>;
  const checked = resultFrom(result);
  return typeof problemKey === "string" && checked.ok
    ? { problemKey, result: checked.value }
    : undefined;
}
