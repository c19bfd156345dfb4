/**
 * The tables of `storage.ts` in the browser's IndexedDB.
 *
 * Decides nothing but how: one database, one object store per table, one IndexedDB transaction per
 * `transact`, done when the browser says that it is complete. Failures are told apart by what a
 * person can do about them: free space, allow storage, close another tab.
 */
import {
  memoryTables,
  type ProjectStorage,
  projectStorage,
  type StorageFailure,
  type TableName,
  type Tables,
  type Transaction,
  tableNames,
} from "./storage.ts";

const databaseName = "tidetable";
/** Raised when a table is added; `openDatabase` then creates what is missing. */
const databaseVersion = 1;

/** The browser's storage of projects. */
export function browserStorage(): ProjectStorage {
  return projectStorage(indexedDbTables());
}

/** Storage that lasts as long as the page, for tests and specimens. */
export function memoryStorage(now?: () => number): ProjectStorage {
  return projectStorage(memoryTables(), now);
}

/** Tables in IndexedDB; the database is opened at the first use and again after it was lost. */
export function indexedDbTables(name: string = databaseName): Tables {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = (): void => {
    opened = undefined;
  };
  const database = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(name, forget);
    opened.catch(forget);
    return opened;
  };
  return {
    transact: async (mode, work) => {
      const transaction = await begin(database, mode, forget);
      return within(transaction, work);
    },
    describeFailure,
  };
}

/** A transaction; where the browser has closed the database meanwhile, it is opened once more. */
async function begin(
  database: () => Promise<IDBDatabase>,
  mode: "readonly" | "readwrite",
  forget: () => void,
): Promise<IDBTransaction> {
  const first = await database();
  try {
    return first.transaction([...tableNames], mode);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
    forget();
    return (await database()).transaction([...tableNames], mode);
  }
}

function openDatabase(name: string, forget: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (typeof indexedDB === "undefined") {
      reject(new StorageBlocked());
      return;
    }
    // Throws a SecurityError where cookies and site data are blocked; that rejects this promise.
    const request = indexedDB.open(name, databaseVersion);
    request.onupgradeneeded = () => {
      for (const table of tableNames)
        if (!request.result.objectStoreNames.contains(table))
          request.result.createObjectStore(table);
    };
    request.onblocked = () => reject(new HeldByAnotherTab());
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // A newer program in another tab wants to add tables: make way, and open anew when needed.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      resolve(database);
    };
  });
}

/** Runs the work and waits until the browser has written it all. */
async function within<Value>(
  transaction: IDBTransaction,
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> {
  const complete = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // A full disk is told here, after every request has succeeded.
    transaction.onabort = () =>
      reject(transaction.error ?? new Error("The writing was broken off."));
  });
  const table = (name: TableName): IDBObjectStore => transaction.objectStore(name);
  try {
    const value = await work({
      get: (name, key) => answer<unknown>(table(name).get(key)),
      all: (name) => answer<unknown[]>(table(name).getAll()),
      put: async (name, key, stored) => {
        await answer(table(name).put(stored, key));
      },
      remove: async (name, key) => {
        await answer(table(name).delete(key));
      },
    });
    await complete;
    return value;
  } catch (error) {
    complete.catch(() => undefined);
    abort(transaction);
    throw error;
  }
}

/** Undoes what the transaction has done so far; one that is over needs no undoing. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // Already aborted, by the failure that is being reported.
  }
}

function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

class StorageBlocked extends Error {}
class HeldByAnotherTab extends Error {}

const exportHint = "Nothing is lost while this page stays open: export the project to a file.";

function describeFailure(error: unknown): StorageFailure {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError")
    return {
      kind: "full",
      reason: `The browser's storage is full. ${exportHint} Then delete projects that are no longer needed.`,
    };
  if (error instanceof HeldByAnotherTab)
    return {
      kind: "blocked",
      reason: `Another tab with an older Tidetable holds the storage. ${exportHint} Then close the other tab.`,
    };
  if (name === "VersionError")
    return {
      kind: "blocked",
      reason: `A newer Tidetable has used this storage. ${exportHint} Then reload the page.`,
    };
  if (error instanceof StorageBlocked || name === "SecurityError" || name === "InvalidStateError")
    return {
      kind: "blocked",
      reason: `The browser does not let this page store anything (a private window, or site data is blocked). ${exportHint}`,
    };
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: "failed", reason: `The project could not be stored (${detail}). ${exportHint}` };
}
