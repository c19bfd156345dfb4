/**
 * What can be done with a project that is in the storage and not on the screen: rename it, duplicate
 * it, delete it and put it back.
 *
 * Promises: nothing is lost by any of these. A project that cannot be read (a newer Tidetable wrote
 * it, say) is not renamed, and duplicated as it lies; what is deleted is handed back whole.
 */
import { anError, type Result } from "#model/issue.ts";
import { setName } from "./commands.ts";
import { readDocument, writeDocument } from "./read.ts";
import {
  type ProjectCopy,
  type ProjectStorage,
  randomId,
  type StorageFailure,
  type StoredProject,
  type StoredResult,
} from "./storage.ts";

/** All that the storage held of a project. */
export interface DeletedProject {
  readonly project: StoredProject;
  readonly result: StoredResult | undefined;
  /** Newest first. */
  readonly copies: readonly ProjectCopy[];
}

/** Gives a stored project another name. */
export async function renameStored(
  storage: ProjectStorage,
  id: string,
  name: string,
): Promise<Result<string>> {
  const loaded = await loadStored(storage, id);
  if (!loaded.ok) return loaded;
  const read = readDocument(loaded.value.text);
  if (!read.ok) return read;
  const named = setName(read.value, name);
  if (!named.ok) return named;
  const text = writeDocument(named.value);
  const saved = await storage.save({ id, name: named.value.name, text }, loaded.value.revision);
  return saved.ok ? done(named.value.name) : failed(saved.failure);
}

/** Stores the project once more under a new id, as “NAME (copy)”, with its last result; returns the id. */
export async function duplicateStored(
  storage: ProjectStorage,
  id: string,
): Promise<Result<string>> {
  const loaded = await loadStored(storage, id);
  if (!loaded.ok) return loaded;
  const name = `${loaded.value.name} (copy)`;
  const read = readDocument(loaded.value.text);
  const named = read.ok ? setName(read.value, name) : read;
  const text = named.ok ? writeDocument(named.value) : loaded.value.text;
  const copy = randomId();
  const saved = await storage.save({ id: copy, name, text }, undefined);
  if (!saved.ok) return failed(saved.failure);
  const result = await storage.loadResult(id);
  if (result.ok && result.value) await storage.saveResult(copy, result.value);
  return done(copy);
}

/** Removes a project and returns what there was of it. */
export async function deleteStored(
  storage: ProjectStorage,
  id: string,
): Promise<Result<DeletedProject>> {
  const loaded = await loadStored(storage, id);
  if (!loaded.ok) return loaded;
  const [result, copies] = [await storage.loadResult(id), await storage.copies(id)];
  const removed = await storage.remove(id);
  if (!removed.ok) return failed(removed.failure);
  return done({
    project: loaded.value,
    result: result.ok ? result.value : undefined,
    copies: copies.ok ? copies.value : [],
  });
}

/** Puts a deleted project back under its id. */
export async function restoreStored(
  storage: ProjectStorage,
  { project, result, copies }: DeletedProject,
): Promise<Result<string>> {
  const saved = await storage.save(project, undefined);
  if (!saved.ok) return failed(saved.failure);
  if (result) await storage.saveResult(project.id, result);
  for (const copy of [...copies].reverse()) await storage.keepCopy(project.id, copy);
  return done(project.id);
}

async function loadStored(storage: ProjectStorage, id: string): Promise<Result<StoredProject>> {
  const loaded = await storage.load(id);
  if (!loaded.ok) return failed(loaded.failure);
  if (loaded.value) return done(loaded.value);
  return {
    ok: false,
    issues: [anError("", "The project is no longer stored.", "It was deleted in another tab.")],
  };
}

function done<Value>(value: Value): Result<Value> {
  return { ok: true, value, warnings: [] };
}

function failed(failure: StorageFailure): Result<never> {
  return { ok: false, issues: [anError("", failure.reason)] };
}
