/**
 * The studio's three kinds of state and what binds them (house.md §4): the **document** (undoable,
 * saved; `#document/store.ts`), the **session** (where the person is looking; kept on this device) and
 * the **run** (progress and answer; carries the key of the problem it answers, so that a stale answer
 * is never shown as current).
 *
 * Everything the screens may do beyond editing the document is an action here.
 */
import { createContext, useContext, useDeferredValue } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { setMode, setOption, setStorage } from "#document/commands.ts";
import { readDocument } from "#document/read.ts";
import { effective } from "#document/scenario.ts";
import type { StudioDocument } from "#document/schema.ts";
import type { Command, DocumentState, DocumentStore } from "#document/store.ts";
import { problemKey, toProblem } from "#document/to-problem.ts";
import type { Issue, Result } from "#model/issue.ts";
import type { Problem } from "#model/problem.ts";
import type { Progress, Recommendation, RunOutcome } from "#model/recommendation.ts";
import { pageBytes, prunedSearch, type RunSize } from "#model/run-size.ts";
import type { Recosted } from "#model/what-if.ts";
import type { TimeStep } from "#model/workload.ts";
import type { EngineClient, RunEnd, RunRequest } from "#worker/client.ts";
import type { ProjectTabs } from "./project-tabs.ts";
import { type Room, type Session, startSession } from "./session.ts";

/** A point of the live chart. */
export interface ProgressPoint {
  readonly seconds: number;
  readonly incumbent?: number;
  readonly bound?: number;
}

export interface RunningRun {
  readonly problemKey: string;
  /** It looks for something better than the tables there are: the person stays where they are. */
  readonly improves: boolean;
  /** `performance.now()` when it started. */
  readonly started: number;
  readonly progress: Progress | undefined;
  readonly history: readonly ProgressPoint[];
}

/** An answer with the problem it answers; the problem is unknown for a stale answer found on loading. */
export interface Answer {
  readonly problemKey: string;
  readonly problem: Problem | undefined;
  readonly recommendation: Recommendation;
}

/** What the answer's tables cost under the project as it has been edited to be. */
export interface WhatIf {
  /** The project that the figures belong to; behind the one on the screen for some milliseconds. */
  readonly problemKey: string;
  readonly problem: Problem;
  readonly recosted: Recosted;
}

/** What looking for something better came to. */
export interface Improvement {
  readonly problemKey: string;
  /** Milliseconds that the tables there were cost under the same project; undefined where they could not serve it. */
  readonly oldCost: number | undefined;
}

export interface RunState {
  readonly running: RunningRun | undefined;
  /** The last answer, perhaps stale. */
  readonly answer: Answer | undefined;
  /** How the last run ended, where it gave no answer, and to which problem. */
  readonly outcome: { readonly problemKey: string; readonly outcome: RunOutcome } | undefined;
  /** A run that did not begin, since it is likely not to fit into the page's memory, and how large it would be. */
  readonly tooLarge: { readonly problemKey: string; readonly size: RunSize } | undefined;
  /** The curve of the last run, for looking at after it has ended. */
  readonly lastHistory: readonly ProgressPoint[];
  /** Where only frequencies, limits or pins have been edited since the answer was found. */
  readonly whatIf: WhatIf | undefined;
  /** How the answer came about, where it improves on tables there were. */
  readonly improvement: Improvement | undefined;
}

export interface Studio {
  readonly documents: DocumentStore;
  readonly session: StoreApi<Session>;
  readonly run: StoreApi<RunState>;
  readonly engine: EngineClient;
  /** The other tabs; undefined where there are none, as in a specimen. */
  readonly tabs?: ProjectTabs;
}

const nothingRun: RunState = {
  running: undefined,
  answer: undefined,
  outcome: undefined,
  tooLarge: undefined,
  lastHistory: [],
  whatIf: undefined,
  improvement: undefined,
};

/** Binds a document store and an engine; takes over the result that was kept with the project. */
export function createStudio(
  documents: DocumentStore,
  engine: EngineClient,
  session: StoreApi<Session> = startSession(),
  tabs?: ProjectTabs,
): Studio {
  const run = createStore<RunState>(() => nothingRun);
  const studio: Studio = { documents, engine, run, session, ...(tabs && { tabs }) };
  takeOverResult(studio, documents.getState());
  documents.subscribe((state, before) => {
    if (state.projectId === before.projectId && state.result === before.result) return;
    if (state.projectId !== before.projectId) leaveRun(studio);
    takeOverResult(studio, state);
  });
  return studio;
}

/** Another project is on the screen: how the old one's run ends is of no interest to it. */
function leaveRun({ run, engine }: Studio): void {
  const wasRunning = run.getState().running !== undefined;
  run.setState(nothingRun);
  if (wasRunning) engine.stop();
}

function takeOverResult(studio: Studio, { result, history }: DocumentState): void {
  const document = history.present;
  const { answer, running } = studio.run.getState();
  if (!result) {
    studio.run.setState({ ...nothingRun, running });
    return;
  }
  if (result.problemKey === answer?.problemKey && result.result === answer.recommendation) return;
  const problem = problemOfKey(document, result.problemKey);
  if (isAnswer(result.result))
    studio.run.setState({
      answer: { problemKey: result.problemKey, problem, recommendation: result.result },
      outcome: undefined,
      whatIf: undefined,
      improvement: undefined,
    });
  else studio.run.setState({ outcome: { problemKey: result.problemKey, outcome: result.result } });
}

/** The problem of a key that the project poses, itself or under one of its scenarios. */
function problemOfKey(document: StudioDocument, key: string): Problem | undefined {
  for (const scenario of [undefined, ...Object.keys(document.scenarios ?? {})]) {
    const checked = check(effective(document, scenario));
    if (checked.ok && checked.key === key) return checked.problem;
  }
  return undefined;
}

export function isAnswer(outcome: RunOutcome): outcome is Recommendation {
  return outcome.status === "optimal" || outcome.status === "feasible";
}

// ------------------------------------------------------------------------------------ the document

/** What a document means to the engine. */
export type Checked =
  | { readonly ok: true; readonly key: string; readonly problem: Problem; readonly issues: Issues }
  | { readonly ok: false; readonly key: string; readonly issues: Issues };
type Issues = readonly Issue[];

const checkedDocuments = new WeakMap<StudioDocument, Checked>();

/** Checks a document once, however many ask. */
export function check(document: StudioDocument): Checked {
  const known = checkedDocuments.get(document);
  if (known) return known;
  const result: Result<Problem> = toProblem(document);
  const key = problemKey(document);
  const checked: Checked = result.ok
    ? { ok: true, key, problem: result.value, issues: result.warnings }
    : { ok: false, key, issues: result.issues };
  checkedDocuments.set(document, checked);
  return checked;
}

/** Opens the text of a file as a new project; returns what is wrong with it. */
export async function openText(studio: Studio, text: string): Promise<readonly Issue[]> {
  const read = readDocument(text);
  if (!read.ok) return read.issues;
  const refused = await openDocument(studio, read.value);
  return refused.length > 0 ? refused : read.warnings;
}

/** Opens a document as a new project and shows it; returns why the present one could not be left. */
export async function openDocument(
  studio: Studio,
  document: StudioDocument,
): Promise<readonly Issue[]> {
  const issues = await studio.documents.getState().open(document);
  if (issues.length > 0) return issues;
  lookFromTheStart(studio);
  return [];
}

/** Opens a project of this browser and shows it; returns why that could not be done. */
export async function openStoredProject(
  studio: Studio,
  projectId: string,
): Promise<readonly Issue[]> {
  const issues = await studio.documents.getState().openStored(projectId);
  if (issues.length > 0) return issues;
  lookFromTheStart(studio);
  return [];
}

/** Another project is on the screen: nothing of it is selected yet. */
export function lookFromTheStart(studio: Studio): void {
  studio.session.setState({
    step: 0,
    statement: undefined,
    entity: undefined,
    resultView: "time",
    query: undefined,
    playing: false,
  });
  goTo(studio, "model");
}

// ------------------------------------------------------------------------------------------ running

/** Starts a run, or shows what stands in its way; one that is likely not to fit into the page is asked about first. */
export function optimise(studio: Studio): void {
  goTo(studio, "optimise");
  startRun(studio, undefined, pageBytes);
}

/** Starts a run however large it is. */
export function optimiseAllTheSame(studio: Studio): void {
  startRun(studio, undefined);
}

/** Takes the search that needs less memory, one undoable change, and starts it. */
export function optimisePruned(studio: Studio): void {
  const { mode, maxGets } = prunedSearch;
  const { edit } = studio.documents.getState();
  edit("Prune the search", (document) => {
    const { options } = document.settings;
    const fewer = setOption(document, "maxGets", Math.min(options.maxGets, maxGets));
    return fewer.ok ? setMode(fewer.value, mode) : fewer;
  });
  startRun(studio, undefined);
}

/**
 * Starts a run, from the tables of an earlier answer where there are some; nothing where the project has mistakes.
 * It does not begin where it is estimated to take more than `mostBytes`.
 */
export function startRun(studio: Studio, start: RunRequest["start"], mostBytes?: number): void {
  const { document } = studio.documents.getState();
  const checked = check(document);
  if (!checked.ok) return;
  const started = performance.now();
  const { gap, timeLimitSeconds, mode } = document.settings;
  const improves = start !== undefined;
  studio.run.setState({
    running: { problemKey: checked.key, improves, started, progress: undefined, history: [] },
    outcome: undefined,
    tooLarge: undefined,
    lastHistory: [],
    improvement: undefined,
  });
  void studio.engine
    .optimise(
      {
        problem: checked.problem,
        gap,
        ...(timeLimitSeconds !== undefined && { timeLimitSeconds }),
        ...(mode && { mode }),
        ...(start && { start }),
        ...(mostBytes !== undefined && { mostBytes }),
      },
      ({ progress }) => noteProgress(studio, started, progress),
    )
    .then((outcome) => endRun(studio, started, checked.key, checked.problem, outcome));
}

function noteProgress(studio: Studio, started: number, progress: Progress): void {
  const { running } = studio.run.getState();
  if (running?.started !== started) return;
  const { incumbent, bound } = progress;
  const last = running.history.at(-1);
  const isNews =
    (incumbent !== undefined || bound !== undefined) &&
    (incumbent !== last?.incumbent || bound !== last?.bound);
  const point: ProgressPoint = {
    seconds: (performance.now() - started) / 1000,
    ...(incumbent !== undefined && { incumbent }),
    ...(bound !== undefined && { bound }),
  };
  studio.run.setState({
    running: {
      ...running,
      progress,
      history: isNews ? [...running.history, point] : running.history,
    },
  });
}

function endRun(
  studio: Studio,
  started: number,
  key: string,
  problem: Problem,
  outcome: RunEnd,
): void {
  const { running, whatIf } = studio.run.getState();
  if (running?.started !== started) return;
  const lastHistory = running.history;
  if (outcome.status === "tooLarge") {
    const tooLarge = { problemKey: key, size: outcome.size };
    studio.run.setState({ running: undefined, tooLarge, lastHistory });
    return;
  }
  if (!isAnswer(outcome)) {
    // The tables there are stay, and what they cost now is on the screen: nothing has gone wrong.
    const isHarmless = running.improves && outcome.status === "timedOut";
    studio.run.setState({
      running: undefined,
      outcome: isHarmless ? undefined : { problemKey: key, outcome },
      lastHistory,
    });
    return;
  }
  const answer = { problemKey: key, problem, recommendation: outcome };
  const old = whatIf?.problemKey === key ? whatIf.recosted : undefined;
  const oldCost =
    old?.status === "recosted" && old.breaks.length === 0 ? old.answer.objective : undefined;
  studio.run.setState({
    running: undefined,
    answer,
    outcome: undefined,
    lastHistory,
    whatIf: undefined,
    improvement: running.improves ? { problemKey: key, oldCost } : undefined,
  });
  void studio.documents.getState().keepResult({ problemKey: key, result: outcome });
  if (!running.improves && studio.session.getState().room === "optimise") goTo(studio, "results");
}

/** Ends the run; its best answer so far becomes the answer. */
export function stop(studio: Studio): void {
  studio.engine.stop();
}

/** The way out of an infeasible run. */
export function limitStorageTo(studio: Studio, bytes: number): void {
  studio.documents
    .getState()
    .edit("Set the storage limit", (document) => setStorage(document, { kind: "bytes", bytes }));
}

// ------------------------------------------------------------------------------------------ looking

/** Shows a room. The shell puts it into the address, so that the browser's back button works. */
export function goTo(studio: Studio, room: Room): void {
  studio.session.setState({ room });
}

/** Shows the record that an issue is about. */
export function goToPlace(studio: Studio, place: string): void {
  const [table = "", id] = place.split("/");
  if (table === "statements" || table === "frequencies") {
    if (id) studio.session.setState({ statement: id });
    goTo(studio, "workload");
  } else if (table === "entities") {
    if (id) studio.session.setState({ entity: id });
    goTo(studio, "model");
  } else if (table === "timeline") goTo(studio, "workload");
  else if (table === "settings") goTo(studio, "optimise");
  else goTo(studio, "model");
}

/** Moves the time cursor to a step that exists. */
export function moveCursor(studio: Studio, step: TimeStep): void {
  const { steps } = studio.documents.getState().document.timeline;
  const next = Math.min(steps - 1, Math.max(0, Math.round(step)));
  if (next !== studio.session.getState().step) studio.session.setState({ step: next });
}

// -------------------------------------------------------------------------------------------- hooks

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error("a component stands outside the studio");
  return studio;
}

export function useDocument<Part>(select: (document: StudioDocument) => Part): Part {
  return useStore(useStudio().documents, (state) => select(state.document));
}

export function useDocumentState<Part>(select: (state: DocumentState) => Part): Part {
  return useStore(useStudio().documents, select);
}

export function useSession<Part>(select: (session: Session) => Part): Part {
  return useStore(useStudio().session, select);
}

export function useRun<Part>(select: (run: RunState) => Part): Part {
  return useStore(useStudio().run, select);
}

/** `edit(label, command)` of the document store: one named, undoable change. */
export function useEdit(): (label: string, command: Command) => readonly Issue[] {
  return useStudio().documents.getState().edit;
}

/** The document as the engine would see it; a little behind while a person types or drags. */
export function useChecked(): Checked {
  return check(useDeferredValue(useDocument((document) => document)));
}

/** The time cursor, at a step that exists. */
export function useCursor(): TimeStep {
  const last = useDocument((document) => document.timeline.steps - 1);
  return Math.min(
    last,
    useSession((session) => session.step),
  );
}

/** Whether the document has changed in what matters since the answer was found. */
export function useIsStale(key: string | undefined): boolean {
  return useChecked().key !== key;
}
