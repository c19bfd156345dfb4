import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { setFrequency, setStatementText, setStorage } from "#document/commands.ts";
import { memoryStorage } from "#document/indexed-db.ts";
import { createDocumentStore } from "#document/store.ts";
import type { Recommendation, RunOutcome } from "#model/recommendation.ts";
import type { Recosted } from "#model/what-if.ts";
import type { EngineClient, RunRequest } from "#worker/client.ts";
import { recommendation } from "./hotel-specimen.ts";
import { hotelDocument } from "./hotel-specimen-document.ts";
import { freshSession, type Session } from "./session.ts";
import { check, createStudio, openDocument, optimise, stop } from "./studio-state.ts";
import { followEdits, improve } from "./what-if.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const cheaper: Recommendation = { ...recommendation, objective: recommendation.objective * 0.9 };

/** A studio with an answer, whose engine tells what tables cost, and ends runs, when the test says so. */
async function aStudio(session: Partial<Session> = {}) {
  const requests: RunRequest[] = [];
  const ends: ((outcome: RunOutcome) => void)[] = [];
  const questions: { readonly problem: string; readonly tell: (told: Recosted) => void }[] = [];
  const silent = () => new Promise<never>(() => undefined);
  const engine: EngineClient = {
    optimise: (request) => {
      requests.push(request);
      return new Promise((resolve) => {
        ends.push(resolve);
      });
    },
    stop: () => ends.at(-1)?.(cheaper),
    prepare: () => undefined,
    recost: (_, problem) =>
      new Promise((tell) => {
        questions.push({ problem: JSON.stringify(problem.workload.curves), tell });
      }),
    planGroup: silent,
    fitCostModel: silent,
    explainFamily: silent,
    explainStatement: silent,
    explainPlan: silent,
    stopExplaining: () => undefined,
  };
  const documents = createDocumentStore({
    storage: memoryStorage(),
    document: hotelDocument,
    delay: 0,
  });
  const sessions = createStore<Session>(() => ({ ...freshSession, ...session }));
  const studio = createStudio(documents, engine, sessions);
  followEdits(studio);
  optimise(studio);
  ends[0]?.(recommendation);
  await vi.advanceTimersByTimeAsync(0);
  sessions.setState({ room: "workload" });
  const drag = (to: number, step = 1): void => {
    documents.getState().edit("Drag", (document) => setFrequency(document, "q1", step, to));
  };
  const tell = async (objective: number, breaks: readonly string[] = []): Promise<void> => {
    const answer = { ...recommendation, objective };
    questions.at(-1)?.tell({ status: "recosted", answer, breaks });
    await vi.advanceTimersByTimeAsync(0);
  };
  const end = async (outcome: RunOutcome): Promise<void> => {
    ends.at(-1)?.(outcome);
    await vi.advanceTimersByTimeAsync(0);
  };
  const state = () => studio.run.getState();
  const key = () => check(documents.getState().document).key;
  return { studio, documents, sessions, requests, questions, drag, tell, end, state, key };
}

describe("after an edit of a frequency", () => {
  it("the old tables are costed at once, something better is looked for after a pause, and the answer says what it saves", async () => {
    const { drag, tell, end, state, key, requests, sessions } = await aStudio();
    drag(99);
    await tell(2000);
    expect(state().whatIf).toMatchObject({ problemKey: key(), recosted: { status: "recosted" } });
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.start).toEqual(recommendation.steps.map(({ schema }) => schema));
    expect(state().running?.improves).toBe(true);
    await end(cheaper);
    expect(state()).toMatchObject({
      running: undefined,
      answer: { problemKey: key(), recommendation: cheaper },
      improvement: { problemKey: key(), oldCost: 2000 },
    });
    expect(state().whatIf).toBeUndefined();
    // The person stays where they are.
    expect(sessions.getState().room).toBe("workload");
  });

  it("costs the last of many edits, with one question at a time", async () => {
    const { drag, tell, state, key, questions } = await aStudio();
    for (const to of [10, 20, 30]) drag(to);
    expect(questions).toHaveLength(1);
    await tell(2000);
    expect(questions).toHaveLength(2);
    await tell(3000);
    expect(questions).toHaveLength(2);
    expect(questions[1]?.problem).toContain("30");
    expect(state().whatIf).toMatchObject({
      problemKey: key(),
      recosted: { answer: { objective: 3000 } },
    });
  });

  it("waits for the end of a gesture before it looks for something better", async () => {
    const { documents, questions, requests } = await aStudio();
    documents.getState().begin("Drag");
    documents.getState().preview((document) => setFrequency(document, "q1", 1, 50));
    expect(questions).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(1);
    documents.getState().commit();
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(2);
  });

  it("looks for something better only when asked, where the person wants it so", async () => {
    const { studio, drag, tell, requests, sessions } = await aStudio({ improvesAlone: false });
    drag(99);
    await tell(2000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(1);
    improve(studio);
    expect(requests).toHaveLength(2);
    stop(studio);
    await vi.advanceTimersByTimeAsync(0);
    drag(98);
    sessions.setState({ improvesAlone: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(3);
  });

  it("does not begin again by itself what was stopped, or failed", async () => {
    const { studio, drag, end, state, requests, key } = await aStudio();
    drag(99);
    await vi.advanceTimersByTimeAsync(1000);
    stop(studio);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(2);
    expect(state().answer).toMatchObject({ problemKey: key(), recommendation: cheaper });
    drag(98);
    await vi.advanceTimersByTimeAsync(1000);
    await end({ status: "failed", stage: "solve", reasons: ["?"], seconds: {} });
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(3);
    expect(state().outcome).toMatchObject({ outcome: { status: "failed" } });
  });

  it("says nothing of a search that was stopped before it found anything: the old tables stay", async () => {
    const { drag, tell, end, state, key } = await aStudio();
    drag(99);
    await tell(2000);
    await vi.advanceTimersByTimeAsync(1000);
    await end({ status: "timedOut", reasons: ["stopped"], seconds: {} });
    expect(state()).toMatchObject({ running: undefined, outcome: undefined });
    expect(state().whatIf).toMatchObject({ problemKey: key() });
  });

  it("leaves a run alone that the person has started themselves", async () => {
    const { studio, drag, end, requests, state } = await aStudio();
    optimise(studio);
    drag(99);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(2);
    await end(cheaper);
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests).toHaveLength(3);
    expect(state().running?.improves).toBe(true);
  });
});

describe("undo of an edit", () => {
  it("takes the answer again that was found before", async () => {
    const { documents, drag, end, state, key, requests } = await aStudio();
    drag(99);
    await vi.advanceTimersByTimeAsync(1000);
    await end(cheaper);
    documents.getState().undo();
    expect(state()).toMatchObject({ answer: { problemKey: key(), recommendation } });
    documents.getState().redo();
    expect(state()).toMatchObject({ answer: { problemKey: key(), recommendation: cheaper } });
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(2);
  });

  it("ends the search for something better that the edit began", async () => {
    const { documents, drag, state, key } = await aStudio();
    drag(99);
    await vi.advanceTimersByTimeAsync(1000);
    documents.getState().undo();
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({
      running: undefined,
      answer: { problemKey: key(), recommendation },
    });
    expect(state().whatIf).toBeUndefined();
  });
});

describe("what is no what-if", () => {
  it("is an edit of a statement: its plans are others", async () => {
    const { documents, questions, requests, state } = await aStudio();
    documents
      .getState()
      .edit("Edit", (document) =>
        setStatementText(document, "q1", "SELECT room.rate FROM room WHERE room.id = ?"),
      );
    await vi.advanceTimersByTimeAsync(5000);
    expect(questions).toHaveLength(0);
    expect(requests).toHaveLength(1);
    expect(state().whatIf).toBeUndefined();
  });

  it("but an edit of the storage limit is one, and tells what the old tables break", async () => {
    const { documents, tell, end, state } = await aStudio();
    documents
      .getState()
      .edit("Limit", (document) => setStorage(document, { kind: "bytes", bytes: 1 }));
    await tell(2000, ["The tables take more than the storage limit at step 1."]);
    expect(state().whatIf?.recosted).toMatchObject({ breaks: [expect.stringContaining("step 1")] });
    await vi.advanceTimersByTimeAsync(1000);
    await end(cheaper);
    // What breaks a limit is nothing to save against.
    expect(state().improvement?.oldCost).toBeUndefined();
  });

  it("nor is another project", async () => {
    const { studio, drag, tell, state } = await aStudio();
    drag(99);
    await openDocument(studio, { ...hotelDocument, name: "Another" });
    await tell(2000);
    expect(state()).toMatchObject({ answer: undefined, whatIf: undefined });
  });
});
