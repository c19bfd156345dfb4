import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { setFrequency, setStatementText } from "#document/commands.ts";
import { memoryStorage } from "#document/indexed-db.ts";
import { createDocumentStore } from "#document/store.ts";
import { pageBytes } from "#model/run-size.ts";
import type { EngineClient, RunEnd, RunRequest } from "#worker/client.ts";
import { recommendation } from "./hotel-specimen.ts";
import { hotelDocument } from "./hotel-specimen-document.ts";
import { freshSession, type Session } from "./session.ts";
import {
  check,
  createStudio,
  goToPlace,
  openDocument,
  openText,
  optimise,
  optimiseAllTheSame,
  optimisePruned,
  type Studio,
  stop,
} from "./studio-state.ts";

/** A studio whose engine ends a run when the test says so. */
function aStudio(storage = memoryStorage()) {
  const ends: ((outcome: RunEnd) => void)[] = [];
  const requests: RunRequest[] = [];
  const updates: Parameters<EngineClient["optimise"]>[1][] = [];
  const stopped = { status: "timedOut", reasons: ["stopped"], seconds: {} } as const;
  const engine: EngineClient = {
    optimise: (request, onUpdate) => {
      requests.push(request);
      updates.push(onUpdate);
      return new Promise((resolve) => {
        ends.push(resolve);
      });
    },
    stop: () => ends.at(-1)?.(stopped),
    prepare: () => undefined,
    recost: () => new Promise(() => undefined),
    planGroup: () => new Promise(() => undefined),
    fitCostModel: () => new Promise(() => undefined),
    explainFamily: () => new Promise(() => undefined),
    explainStatement: () => new Promise(() => undefined),
    explainPlan: () => new Promise(() => undefined),
    stopExplaining: () => undefined,
  };
  const documents = createDocumentStore({ storage, document: hotelDocument, delay: 0 });
  const session = createStore<Session>(() => freshSession);
  const studio = createStudio(documents, engine, session);
  const end = async (outcome: RunEnd): Promise<void> => {
    ends.at(-1)?.(outcome);
    await settled();
  };
  return { studio, documents, session, ends, requests, updates, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const keyOf = ({ documents }: Studio): string => check(documents.getState().document).key;

describe("a run", () => {
  it("shows the run, then its answer", async () => {
    const { studio, session, updates, end } = aStudio();
    optimise(studio);
    expect(session.getState().room).toBe("optimise");
    const progress = { stage: "solve", message: "", counts: {}, incumbent: 9, bound: 5 } as const;
    updates[0]?.({ progress });
    updates[0]?.({ progress });
    expect(studio.run.getState().running?.history).toHaveLength(1);
    await end(recommendation);
    expect(session.getState().room).toBe("results");
    expect(studio.run.getState()).toMatchObject({
      running: undefined,
      answer: { problemKey: keyOf(studio), recommendation },
    });
  });

  it("that is likely not to fit into the page is asked about, and then goes on as the person says", async () => {
    const { studio, documents, session, requests, end } = aStudio();
    const size = { families: 5e3, gets: 2e6, distinctSteps: 9, bytes: 6e9, prunedBytes: 1e9 };
    optimise(studio);
    expect(requests[0]?.mostBytes).toBe(pageBytes);
    await end({ status: "tooLarge", size });
    const asked = { running: undefined, outcome: undefined, answer: undefined };
    expect(studio.run.getState()).toMatchObject({
      ...asked,
      tooLarge: { problemKey: keyOf(studio), size },
    });
    expect(session.getState().room).toBe("optimise");

    optimiseAllTheSame(studio);
    expect(requests[1]?.mostBytes).toBeUndefined();
    expect(requests[1]?.problem).toEqual(requests[0]?.problem);
    expect(studio.run.getState().tooLarge).toBeUndefined();
    await end({ status: "tooLarge", size });

    optimisePruned(studio);
    expect(requests[2]).toMatchObject({
      mode: "summary-tree",
      problem: { options: { maxGets: 2 } },
    });
    expect(requests[2]?.mostBytes).toBeUndefined();
    documents.getState().undo();
    expect(check(documents.getState().document)).toMatchObject({
      problem: { options: { maxGets: 3 } },
    });
    expect(documents.getState().document.settings.mode).toBeUndefined();
  });

  it("leaves a person where they went meanwhile", async () => {
    const { studio, session, end } = aStudio();
    optimise(studio);
    session.setState({ room: "workload" });
    await end(recommendation);
    expect(session.getState().room).toBe("workload");
  });

  it("does not begin while a statement has a mistake in it", () => {
    const { studio, documents, session, ends } = aStudio();
    documents.getState().edit("Break", (document) => setStatementText(document, "q1", "SELECT"));
    optimise(studio);
    expect(ends).toHaveLength(0);
    expect(session.getState().room).toBe("optimise");
  });

  it("makes an answer stale when the problem changes, and current again when that is undone", async () => {
    const { studio, documents, end } = aStudio();
    optimise(studio);
    await end(recommendation);
    const answered = studio.run.getState().answer?.problemKey;
    documents.getState().edit("Edit", (document) => setFrequency(document, "q1", 0, 99));
    expect(keyOf(studio)).not.toBe(answered);
    documents.getState().undo();
    expect(keyOf(studio)).toBe(answered);
  });

  it("keeps the answer before when a later run gives none", async () => {
    const { studio, end } = aStudio();
    optimise(studio);
    await end(recommendation);
    optimise(studio);
    await end({ status: "failed", stage: "solve", reasons: ["?"], seconds: {} });
    expect(studio.run.getState()).toMatchObject({
      answer: { recommendation },
      outcome: { outcome: { status: "failed" } },
    });
  });

  it("ends when it is stopped", async () => {
    const { studio } = aStudio();
    optimise(studio);
    stop(studio);
    await settled();
    expect(studio.run.getState().running).toBeUndefined();
    expect(studio.run.getState().outcome?.outcome.status).toBe("timedOut");
  });
});

describe("opening", () => {
  it("leaves run and answer of the project before behind", async () => {
    const { studio, end, session } = aStudio();
    optimise(studio);
    await end(recommendation);
    optimise(studio);
    await openDocument(studio, { ...hotelDocument, name: "Another" });
    await settled();
    expect(studio.run.getState()).toMatchObject({
      running: undefined,
      answer: undefined,
      outcome: undefined,
    });
    expect(session.getState().room).toBe("model");
  });

  it("finds the answer again with the project", async () => {
    const storage = memoryStorage();
    const first = aStudio(storage);
    optimise(first.studio);
    await first.end(recommendation);
    const second = aStudio(storage);
    await second.documents.getState().openLast();
    const { answer } = second.studio.run.getState();
    expect(answer?.problemKey).toBe(keyOf(second.studio));
    expect(answer?.problem?.statements).toHaveLength(4);
  });

  it("refuses what is no project, in words", async () => {
    const { studio, documents } = aStudio();
    const issues = await openText(studio, "{");
    expect(issues.some((issue) => issue.severity === "error")).toBe(true);
    expect(documents.getState().document.name).toBe("Hotel");
  });
});

describe("going to the place of an issue", () => {
  it("selects the record in its room", () => {
    const { studio, session } = aStudio();
    goToPlace(studio, "statements/q2");
    expect(session.getState()).toMatchObject({ room: "workload", statement: "q2" });
    goToPlace(studio, "entities/room/attributes/rate");
    expect(session.getState()).toMatchObject({ room: "model", entity: "room" });
    goToPlace(studio, "settings/storage");
    expect(session.getState().room).toBe("optimise");
  });
});
