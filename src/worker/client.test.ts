import { expose } from "comlink";
import { afterEach, describe, expect, it } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import type { Recommendation } from "#model/recommendation.ts";
import {
  connectEngine,
  type EngineClient,
  type ExplainRequest,
  type Patience,
  type RunRequest,
} from "./client.ts";
import type { EngineApi, RunEnd, RunUpdate } from "./protocol.ts";

/** A worker that runs in this thread: one end of a channel, with the events of a Worker. */
class FakeWorker extends EventTarget {
  readonly #port: MessagePort;
  terminated = false;

  constructor(api: EngineApi) {
    super();
    const { port1, port2 } = new MessageChannel();
    expose(api, port2 as never);
    this.#port = port1;
    port1.onmessage = ({ data }) => {
      if (!this.terminated) this.dispatchEvent(new MessageEvent("message", { data }));
    };
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if (!this.terminated) this.#port.postMessage(message, transfer as never);
  }

  terminate(): void {
    this.terminated = true;
    this.#port.close();
  }
}

const request = { problem: { name: "toy" }, gap: 0 } as unknown as RunRequest;
const answer = (objective: number): Recommendation =>
  ({ status: "optimal", objective, bound: objective / 2, notes: [], seconds: {} }) as never;
const update = (best?: Recommendation, bound?: number): RunUpdate => ({
  progress: { stage: "solve", message: "", counts: {}, ...(bound !== undefined && { bound }) },
  ...(best && { best }),
});

let workers: FakeWorker[] = [];

function connect(
  api: Partial<EngineApi>,
  patience: Patience = { least: 20, most: 20 },
): EngineClient {
  return connectEngine(() => {
    const worker = new FakeWorker({ stop: async () => undefined, ...api } as EngineApi);
    workers.push(worker);
    return worker as unknown as Worker;
  }, patience);
}

afterEach(async () => {
  // A worker that is being left is replaced a little later.
  await new Promise((resolve) => setTimeout(resolve, 40));
  for (const worker of workers) worker.terminate();
  workers = [];
});

describe("the engine's client", () => {
  it("starts a worker before it is needed", () => {
    connect({});
    expect(workers).toHaveLength(1);
  });

  it("passes updates on and resolves with the outcome", async () => {
    const client = connect({
      optimise: async (_, onUpdate) => {
        await onUpdate(update(answer(10)));
        return answer(8);
      },
    });
    const seen: RunUpdate[] = [];
    const outcome = await client.optimise(request, (each) => seen.push(each));
    expect(outcome).toMatchObject({ status: "optimal", objective: 8 });
    expect(seen).toHaveLength(1);
  });

  it("tells what old tables cost now, beside a run and in words where it cannot", async () => {
    const client = connect({
      optimise: () => new Promise(() => undefined),
      recost: async ({ objective }) => {
        if (objective === 0) throw new Error("The answer is none.");
        return { status: "recosted", answer: answer(objective + 1), breaks: [] };
      },
    });
    expect(await client.recost(answer(4), request.problem)).toMatchObject({
      answer: { objective: 5 },
    });
    expect(workers).toHaveLength(1);
    void client.optimise({ ...request, start: [] }, () => undefined);
    // Another worker is ready before it is asked.
    await expect.poll(() => workers.length).toBe(2);
    expect(await client.recost(answer(5), request.problem)).toMatchObject({
      answer: { objective: 6 },
    });
    expect(await client.recost(answer(0), request.problem)).toEqual({
      status: "impossible",
      reasons: ["The answer is none."],
    });
  });

  it("turns a crash of the worker into an outcome in words, and starts afresh", async () => {
    const client = connect({ optimise: () => new Promise(() => undefined) });
    const outcome = client.optimise(request, () => undefined);
    const crash = Object.assign(new Event("error"), { message: "out of memory" });
    workers[0]?.dispatchEvent(crash);
    expect(await outcome).toMatchObject({
      status: "failed",
      reasons: ["The optimiser crashed: out of memory"],
    });
    void client.optimise(request, () => undefined);
    expect(workers).toHaveLength(2);
  });

  it("prepares plans, but not while a run needs the worker", async () => {
    let prepared = 0;
    const client = connect({
      optimise: () => new Promise(() => undefined),
      prepare: async () => {
        prepared += 1;
        throw new Error("told later");
      },
    });
    client.prepare(request.problem);
    await expect.poll(() => prepared).toBe(1);
    void client.optimise(request, () => undefined);
    client.prepare(request.problem);
    client.stop();
    expect(prepared).toBe(1);
  });

  it("answers questions about plans beside a run, and in words when it cannot", async () => {
    const client = connect({
      optimise: () => new Promise(() => undefined),
      planGroup: async (_, statement) => {
        if (statement === "q9") throw new Error("There is no query q9.");
        return { statement, total: 0, plans: [], columnFamilies: [] };
      },
    });
    void client.optimise(request, () => undefined);
    expect(await client.planGroup(request.problem, "q1", 8)).toMatchObject({ statement: "q1" });
    expect(await client.planGroup(request.problem, "q9", 8)).toEqual({
      reason: "There is no query q9.",
    });
    expect(workers).toHaveLength(2);
  });

  it("hands a profile to the worker, and says in words when it cannot be fitted", async () => {
    let calls = 0;
    const client = connect({
      fitCostModel: async ({ name, base }) => {
        calls += 1;
        if (calls > 1) throw new Error("out of memory");
        return { ok: true, value: { ...base, name }, warnings: [] };
      },
    });
    const request = { profile: "", name: "staging", base: defaultCostModel };
    expect(await client.fitCostModel(request)).toMatchObject({ ok: true });
    expect(await client.fitCostModel(request)).toMatchObject({
      ok: false,
      issues: [{ message: "out of memory" }],
    });
  });

  it("explains in a worker of its own, one question at a time", async () => {
    const question: ExplainRequest = { problem: request.problem, answer: answer(1) };
    const client = connect({
      optimise: () => new Promise(() => undefined),
      explainFamily: async (_, columnFamily, onSearch) => {
        if (columnFamily === "slow") return new Promise(() => undefined);
        if (columnFamily === "none") throw new Error("The answer has no column family none.");
        await onSearch(0);
        return { columnFamily } as never;
      },
    });
    void client.optimise(request, () => undefined);
    const searches: number[] = [];
    const told = await client.explainFamily(question, "cf", (done) => searches.push(done));
    expect(told).toEqual({ columnFamily: "cf" });
    expect(searches).toEqual([0]);
    expect(await client.explainFamily(question, "none")).toEqual({
      reason: "The answer has no column family none.",
    });
    const slow = client.explainFamily(question, "slow");
    const next = client.explainFamily(question, "cf");
    expect(await slow).toEqual({ reason: "The explanation was given up." });
    expect(await next).toEqual({ columnFamily: "cf" });
    const again = client.explainFamily(question, "slow");
    client.stopExplaining();
    expect(await again).toHaveProperty("reason");
    // The run's own worker goes on all the while.
    expect(workers[0]?.terminated).toBe(false);
  });
});

describe("a run that is stopped", () => {
  it("keeps the best answer and the best bound of a stopped run", async () => {
    const client = connect({
      optimise: async (_, onUpdate) => {
        await onUpdate(update(answer(10)));
        await onUpdate(update(undefined, 9));
        return new Promise(() => undefined);
      },
    });
    let updates = 0;
    const outcome = await new Promise<RunEnd>((resolve) => {
      void client
        .optimise(request, () => {
          updates += 1;
          if (updates === 2) client.stop();
        })
        .then(resolve);
    });
    expect(outcome).toMatchObject({ status: "feasible", objective: 10, bound: 9, gap: 0.1 });
    // It never hears that it is to stop, so it is ended after a while, and another one takes its place.
    await expect.poll(() => workers[0]?.terminated).toBe(true);
    await expect.poll(() => workers.length).toBe(2);
  });

  it("keeps a worker that ends a stopped run by itself, and waits for it", async () => {
    let hear: (outcome: RunEnd) => void = () => undefined;
    let calls = 0;
    const client = connect(
      {
        optimise: () => {
          calls += 1;
          if (calls === 2) return Promise.resolve(answer(2));
          return new Promise((resolve) => {
            hear = resolve;
          });
        },
        stop: async () => {
          setTimeout(() => hear(answer(9)), 10);
        },
      },
      { least: 5000, most: 5000 },
    );
    const first = client.optimise(request, () => undefined);
    await expect.poll(() => calls).toBe(1);
    const second = client.optimise(request, () => undefined);
    expect(await first).toMatchObject({ status: "timedOut" });
    expect(await second).toMatchObject({ objective: 2 });
    expect(workers.map(({ terminated }) => terminated)).toEqual([false]);
  });

  it("says so when it was stopped before a first answer", async () => {
    const client = connect({ optimise: () => new Promise(() => undefined) });
    const outcome = client.optimise(request, () => undefined);
    client.stop();
    expect(await outcome).toMatchObject({ status: "timedOut" });
  });

  it("drops the answer of an older run", async () => {
    let calls = 0;
    const client = connect({
      optimise: async () => {
        calls += 1;
        return calls === 1 ? new Promise(() => undefined) : answer(2);
      },
    });
    const first = client.optimise(request, () => undefined);
    const second = client.optimise(request, () => undefined);
    expect(await first).toMatchObject({ status: "timedOut" });
    expect(await second).toMatchObject({ objective: 2 });
  });
});
