/**
 * The open project as a vanilla zustand store: document, history, save state, last result.
 *
 * Decides when to save: a moment after the last committed change, never inside a command and never
 * in the middle of a gesture. Promises that a failure to save is shown and loses nothing: the
 * document stays in memory, a copy is kept where that is possible, and the next change tries again.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { anError, type Issue, type Result } from "#model/issue.ts";
import type { Edit } from "./commands.ts";
import {
  beginGesture,
  cancelGesture,
  commitGesture,
  type History,
  previewGesture,
  recordChange,
  redo,
  startHistory,
  undo,
} from "./history.ts";
import { readDocument, writeDocument } from "./read.ts";
import { editUnder, effective, scenarioOf, scenarioToShow } from "./scenario.ts";
import { emptyDocument, type ScenarioId, type StudioDocument } from "./schema.ts";
import {
  type ProjectStorage,
  randomId,
  type StorageFailure,
  type Stored,
  type StoredResult,
} from "./storage.ts";

/** Whether what is on the screen is also in the storage. */
export type SaveState =
  /** As it was begun, and not in the storage: there is nothing to save yet. */
  | { readonly kind: "untouched" }
  | { readonly kind: "saved" }
  | { readonly kind: "saving" }
  | { readonly kind: "unsaved" }
  /** `elsewhere`: another tab has saved the same project; overwrite it or save as a copy. */
  | { readonly kind: "failed"; readonly reason: string; readonly elsewhere: boolean };

/**
 * Why the document can only be read: `elsewhere`: another tab has the project open and writes it;
 * `shared`: it came by a link and belongs to somebody else until a copy is made.
 */
export type Reading = "elsewhere" | "shared";

export interface DocumentState {
  readonly projectId: string;
  /** Where projects are kept. */
  readonly storage: ProjectStorage;
  /** Undefined where the document can be edited. */
  readonly reading: Reading | undefined;
  /** How many edits were refused since the document can only be read. */
  readonly refusedEdits: number;
  /** What is shown: the project, as it is under the scenario that is shown. */
  readonly document: StudioDocument;
  /** Of the project, with all its scenarios; `history.present` is what is saved. */
  readonly history: History;
  /** The scenario that is shown and edited; undefined for the project itself. Not undoable. */
  readonly scenario: ScenarioId | undefined;
  readonly saveState: SaveState;
  /** The last result of this project, perhaps stale: compare its `problemKey`. */
  readonly result: StoredResult | undefined;

  /**
   * Applies a command to what is shown, as one named, undoable change. Returns its issues: errors when
   * refused, else warnings. Under a scenario its overrides take what they can hold (`scenario.ts`).
   */
  readonly edit: (label: string, command: Command) => readonly Issue[];
  /** Begins a drag, a stroke, a slider. */
  readonly begin: (label: string) => void;
  /** Shows an intermediate state of the gesture; the command gets the document as shown and as before the gesture. */
  readonly preview: (command: GestureCommand) => readonly Issue[];
  readonly commit: () => void;
  /** Shows the project under a scenario, or (undefined) as it is itself. */
  readonly showScenario: (scenario: ScenarioId | undefined) => void;
  readonly cancel: () => void;
  readonly undo: () => void;
  readonly redo: () => void;

  /**
   * Opens a document as a new project with a new history, after saving the present one. Returns why
   * it was not opened (the present one cannot be saved); `discard` opens it all the same.
   */
  readonly open: (document: StudioDocument, discard?: "discard") => Promise<readonly Issue[]>;
  /** Shows a document to be read; it is kept nowhere until `keepShared`. */
  readonly openShared: (document: StudioDocument) => Promise<readonly Issue[]>;
  /** Makes the shared document on the screen a project of this browser. */
  readonly keepShared: () => Promise<void>;
  /** Leaves the present project for an empty one that is not stored until something is entered. */
  readonly close: (discard?: "discard") => Promise<readonly Issue[]>;
  /** The document can only be read from now on, or (undefined) be edited again. */
  readonly read: (reading: "elsewhere" | undefined) => void;
  /** Opens a stored project in the same way. */
  readonly openStored: (projectId: string, discard?: "discard") => Promise<readonly Issue[]>;
  /** Shows what is stored of the project on the screen, which another tab has saved; it stays as readable as it was. */
  readonly refresh: () => Promise<readonly Issue[]>;
  /** Opens the project that was open last, if there is one; returns what went wrong. */
  readonly openLast: () => Promise<LastOpened>;
  /** Keeps a result with the project, so that a reload finds it. */
  readonly keepResult: (result: StoredResult) => Promise<readonly Issue[]>;
  /** Saves at once, e.g. when the page is being hidden. */
  readonly saveNow: () => Promise<void>;
  /** After “saved elsewhere”: this tab's document wins; what the other tab saved is kept as a copy. */
  readonly overwrite: () => Promise<void>;
  /** After “saved elsewhere”: this tab's document becomes a project of its own. */
  readonly saveAsCopy: () => Promise<void>;
}

/** Whether a project had been open before, and what was wrong with it. */
export interface LastOpened {
  readonly found: boolean;
  readonly issues: readonly Issue[];
}

export type Command = (document: StudioDocument) => Edit;
export type GestureCommand = (shown: StudioDocument, before: StudioDocument) => Edit;
export type DocumentStore = StoreApi<DocumentState>;

export interface StoreOptions {
  readonly storage: ProjectStorage;
  /** What is open at first; it is not saved before it is edited. */
  readonly document: StudioDocument;
  /** Milliseconds between the last change and saving it. */
  readonly delay?: number;
}

const defaultDelay = 800;

/** A project as it is opened. */
interface Opened {
  readonly projectId: string;
  readonly document: StudioDocument;
  /** Undefined until the project is in the storage. */
  readonly revision: string | undefined;
  readonly result: StoredResult | undefined;
}

/** The store of one page. */
export function createDocumentStore(options: StoreOptions): DocumentStore {
  const { storage, document, delay = defaultDelay } = options;
  const first = newProject(document);
  const store: DocumentStore = createStore<DocumentState>()(() => ({
    ...showing(first),
    storage,
    edit: (label, command) => {
      if (isOnlyRead()) return refuseEdit();
      const { history, scenario } = store.getState();
      const edit = editUnder(history.present, scenario, command);
      if (edit.ok)
        show(recordChange(history, labelUnder(history.present, scenario, label), edit.value));
      return edit.ok ? edit.warnings : edit.issues;
    },
    begin: (label) => {
      if (isOnlyRead()) refuseEdit();
      else {
        const { history, scenario } = store.getState();
        show(beginGesture(history, labelUnder(history.present, scenario, label)));
      }
    },
    preview: (command) => {
      const { history, scenario } = store.getState();
      const edit = editUnder(history.present, scenario, command, history.gesture?.base);
      if (edit.ok) show(previewGesture(history, edit.value));
      return edit.ok ? edit.warnings : edit.issues;
    },
    commit: () => show(commitGesture(store.getState().history)),
    cancel: () => show(cancelGesture(store.getState().history)),
    undo: () => (isOnlyRead() ? refuseEdit() : goThrough(undo(store.getState().history))),
    redo: () => (isOnlyRead() ? refuseEdit() : goThrough(redo(store.getState().history))),
    showScenario: (id) => {
      show(commitGesture(store.getState().history));
      const { present } = store.getState().history;
      const scenario = scenarioOf(present, id) ? id : undefined;
      store.setState({ scenario, document: effective(present, scenario) });
    },
    open,
    openShared: (next) => enter(async () => asOpened(newProject(next)), undefined, "shared"),
    keepShared: async () => {
      if (store.getState().reading !== "shared") return;
      store.setState({ reading: undefined, refusedEdits: 0 });
      const { result } = store.getState();
      await saver.save();
      if (result) await keepResult(result);
    },
    close: (discard) => enter(async () => asOpened(newProject(emptyDocument("Untitled"))), discard),
    read: (reading) => store.setState({ reading, refusedEdits: 0 }),
    openStored,
    openLast,
    refresh: () => {
      const { projectId, reading, scenario, showScenario } = store.getState();
      const refreshed = enter(() => loadProject(storage, projectId), "discard", reading);
      return refreshed.finally(() => showScenario(scenario));
    },
    keepResult,
    saveNow: () => saver.save(),
    overwrite: () => saver.overwrite(),
    saveAsCopy,
  }));
  const saver = createSaver(store, storage, delay, first);
  return store;

  function isOnlyRead(): boolean {
    return store.getState().reading !== undefined;
  }

  function refuseEdit(): readonly Issue[] {
    const { reading, refusedEdits } = store.getState();
    store.setState({ refusedEdits: refusedEdits + 1 });
    return [reading === "shared" ? sharedIssue : elsewhereIssue];
  }

  function show(history: History): void {
    if (history === store.getState().history) return;
    const scenario = scenarioOf(history.present, store.getState().scenario)
      ? store.getState().scenario
      : undefined;
    store.setState({ history, scenario, document: effective(history.present, scenario) });
    if (!history.gesture) saver.changed();
  }

  /** Undo and redo show what they change. */
  function goThrough(history: History): void {
    const before = store.getState();
    if (history === before.history) return;
    const scenario = scenarioToShow(before.history.present, history.present, before.scenario);
    store.setState({ scenario });
    show(history);
  }

  /**
   * Leaves the present project and shows another. It is loaded after the present one is saved (they
   * may be the same), and once more if an edit was made meanwhile: none may slip away.
   */
  async function enter(
    load: () => Promise<Result<Opened>>,
    discard?: "discard",
    reading?: Reading,
  ): Promise<readonly Issue[]> {
    for (;;) {
      store.getState().commit();
      const issues = discard ? [] : await saver.settle();
      if (issues.length > 0) return issues;
      const opened = await load();
      if (!opened.ok) return opened.issues;
      if (!discard && !saver.isSettled()) continue;
      saver.enter(opened.value);
      store.setState({ ...showing(opened.value), reading });
      return [];
    }
  }

  async function open(next: StudioDocument, discard?: "discard"): Promise<readonly Issue[]> {
    const opened = newProject(next);
    const issues = await enter(async () => asOpened(opened), discard);
    if (issues.length === 0) await saver.save();
    return issues;
  }

  async function openStored(id: string, discard?: "discard"): Promise<readonly Issue[]> {
    const issues = await enter(() => loadProject(storage, id), discard);
    if (issues.length > 0) return issues;
    await saver.keepCopy("as it was opened", writeDocument(store.getState().history.present));
    await storage.setLastOpened(id);
    return [];
  }

  async function openLast(): Promise<LastOpened> {
    const last = await storage.lastOpened();
    if (!last.ok) return { found: false, issues: [failureIssue(last.failure)] };
    if (last.value === undefined) return { found: false, issues: [] };
    return { found: true, issues: await openStored(last.value) };
  }

  async function keepResult(result: StoredResult): Promise<readonly Issue[]> {
    const { projectId } = store.getState();
    store.setState({ result });
    if (isOnlyRead()) return [];
    // A result belongs to a project that a reload can find.
    await saver.saveFirst();
    const stored = await storage.saveResult(projectId, result);
    return stored.ok ? [] : [failureIssue(stored.failure)];
  }

  async function saveAsCopy(): Promise<void> {
    const { result } = store.getState();
    saver.enter({ document: undefined, revision: undefined });
    store.setState({ projectId: randomId() });
    await saver.save();
    if (result) await keepResult(result);
  }
}

function newProject(document: StudioDocument): Opened {
  return { projectId: randomId(), document, revision: undefined, result: undefined };
}

function asOpened(value: Opened): Result<Opened> {
  return { ok: true, value, warnings: [] };
}

/** The name of a change that is made under a scenario says so. */
function labelUnder(project: StudioDocument, id: ScenarioId | undefined, label: string): string {
  const scenario = scenarioOf(project, id);
  return scenario ? `${label} in “${scenario.name}”` : label;
}

const sharedIssue = anError(
  "",
  "This project came by a link and can only be read.",
  "Make a copy to change it.",
);

const elsewhereIssue = anError(
  "",
  "Another tab has this project open, so it can only be read here.",
  "Take it over, or make your change in the other tab.",
);

/** What can be got back of the project on the screen. */
interface Kept {
  /** The document as it is stored or, if it was never edited, as it was opened. */
  readonly document: StudioDocument | undefined;
  /** Undefined until the project is in the storage. */
  readonly revision: string | undefined;
}

async function loadProject(storage: ProjectStorage, projectId: string): Promise<Result<Opened>> {
  const stored = await storage.load(projectId);
  if (!stored.ok) return { ok: false, issues: [failureIssue(stored.failure)] };
  if (!stored.value) return { ok: false, issues: [goneIssue] };
  const { text, revision } = stored.value;
  const read = readDocument(text);
  if (!read.ok) return read;
  const kept = await storage.loadResult(projectId);
  const result = kept.ok ? kept.value : undefined;
  return {
    ok: true,
    value: { projectId, document: read.value, revision, result },
    warnings: read.warnings,
  };
}

const goneIssue = anError(
  "",
  "The project is no longer stored.",
  "Open another one, or a file of it.",
);

/** Brings what is on the screen into the storage. */
interface Saver {
  /** Told after every change that is complete; saves a moment later. */
  readonly changed: () => void;
  readonly save: () => Promise<void>;
  /** Saves a project that has never been saved. */
  readonly saveFirst: () => Promise<void>;
  /** Nothing on the screen would be lost. */
  readonly isSettled: () => boolean;
  /** Saves until that is so; returns why it cannot be done. */
  readonly settle: () => Promise<readonly Issue[]>;
  readonly overwrite: () => Promise<void>;
  readonly keepCopy: (why: string, text: string) => Promise<void>;
  /** From now on another project is on the screen. */
  readonly enter: (kept: Kept) => void;
}

function createSaver(
  store: DocumentStore,
  storage: ProjectStorage,
  delay: number,
  first: Opened,
): Saver {
  let kept: Kept = { document: first.document, revision: first.revision };
  /** Names this opening of the project among the copies that are kept of it. */
  let session = randomId();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Saves follow one another, so that each is based on the revision before it. */
  let queue: Promise<void> = Promise.resolve();

  const isKept = (): boolean => store.getState().history.present === kept.document;

  const tell = (saveState: SaveState): void => {
    if (store.getState().saveState !== saveState) store.setState({ saveState });
  };

  const save = (): Promise<void> => {
    clearTimeout(timer);
    queue = queue.then(saveOnce);
    return queue;
  };

  async function saveOnce(): Promise<void> {
    // What came by a link is not kept until a person wants it.
    if (store.getState().reading === "shared") return;
    if (isKept() && kept.revision !== undefined) {
      tell(saved);
      return;
    }
    tell(saving);
    const { history, projectId } = store.getState();
    const document = history.present;
    const { revision } = kept;
    const savedIn = session;
    const text = writeDocument(document);
    const stored = await storage.save({ id: projectId, name: document.name, text }, revision);
    if (stored.ok && revision === undefined) await storage.setLastOpened(projectId);
    // Meanwhile the person may have left the project.
    if (session === savedIn) await conclude(document, text, stored);
  }

  async function conclude(
    document: StudioDocument,
    text: string,
    stored: Stored<string>,
  ): Promise<void> {
    if (stored.ok) {
      kept = { document, revision: stored.value };
      tell(isKept() ? saved : unsaved);
      return;
    }
    const { kind, reason } = stored.failure;
    tell({ kind: "failed", reason, elsewhere: kind === "elsewhere" });
    if (kind === "elsewhere") await keepCopy("as it could not be saved", text);
  }

  async function keepCopy(why: string, text: string): Promise<void> {
    await storage.keepCopy(store.getState().projectId, { session, why, text });
  }

  async function settle(): Promise<readonly Issue[]> {
    while (!isKept()) {
      await save();
      const { saveState } = store.getState();
      if (saveState.kind === "failed") return [anError("", saveState.reason)];
    }
    return [];
  }

  async function overwrite(): Promise<void> {
    const other = await storage.load(store.getState().projectId);
    if (other.ok && other.value) {
      await keepCopy("as another tab had saved it", other.value.text);
      kept = { ...kept, revision: other.value.revision };
    }
    await save();
  }

  return {
    changed: () => {
      clearTimeout(timer);
      tell(isKept() ? atRest(kept.revision) : unsaved);
      if (!isKept()) timer = setTimeout(() => void save(), delay);
    },
    save,
    saveFirst: async () => {
      if (kept.revision === undefined) await save();
    },
    isSettled: isKept,
    settle,
    overwrite,
    keepCopy,
    enter: (opened) => {
      clearTimeout(timer);
      kept = { document: opened.document, revision: opened.revision };
      session = randomId();
    },
  };
}

const untouched: SaveState = { kind: "untouched" };
const saved: SaveState = { kind: "saved" };
const unsaved: SaveState = { kind: "unsaved" };
const saving: SaveState = { kind: "saving" };

/** How a project stands that has no change to save; `revision` is undefined until it is in the storage. */
function atRest(revision: string | undefined): SaveState {
  return revision === undefined ? untouched : saved;
}

/** The state of a project that has just been opened. */
function showing(opened: Opened) {
  const { projectId, document, revision, result } = opened;
  const saveState = atRest(revision);
  return {
    projectId,
    document,
    history: startHistory(document),
    scenario: undefined,
    saveState,
    result,
    reading: undefined,
    refusedEdits: 0,
  };
}

function failureIssue(failure: StorageFailure): Issue {
  return anError("", failure.reason);
}
