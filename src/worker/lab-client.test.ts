import { expose } from "comlink";
import { afterEach, expect, it } from "vitest";
import { connectLab, type LabWork } from "./lab-client.ts";
import type { LabApi } from "./lab-protocol.ts";

/** A worker that runs in this thread. */
class FakeWorker extends EventTarget {
  readonly #port: MessagePort;
  terminated = false;

  constructor(api: LabApi) {
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

let workers: FakeWorker[] = [];

function connect(api: Partial<LabApi>) {
  return connectLab(() => {
    const worker = new FakeWorker(api as LabApi);
    workers.push(worker);
    return worker as unknown as Worker;
  });
}

afterEach(() => {
  for (const worker of workers) worker.terminate();
  workers = [];
});

const work = { seed: 1 } as unknown as LabWork;
const never = (): Promise<never> => new Promise(() => undefined);

it("answers, tells how far it is, and keeps its worker for the next question", async () => {
  const client = connect({
    run: async (_, onProgress) => {
      await onProgress(0.5);
      return { ok: true, value: { records: 7 } as never };
    },
  });
  const heard: number[] = [];
  expect(await client.run(work, (done) => heard.push(done))).toMatchObject({
    value: { records: 7 },
  });
  expect(heard).toEqual([0.5]);
  await client.run(work, () => undefined);
  expect(workers).toHaveLength(1);
});

it("gives up what is stopped, and what another question comes before", async () => {
  let isReady = false;
  const client = connect({
    run: async () => (isReady ? { ok: true, value: {} as never } : never()),
  });
  const first = client.run(work, () => undefined);
  const second = client.run(work, () => undefined);
  expect(await first).toBeUndefined();
  client.stop();
  expect(await second).toBeUndefined();
  expect(workers.map(({ terminated }) => terminated)).toEqual([true, true]);
  isReady = true;
  expect(await client.run(work, () => undefined)).toMatchObject({ ok: true });
  expect(workers).toHaveLength(3);
});

it("tells of a crash in words and starts afresh", async () => {
  const client = connect({ run: never });
  const asked = client.run(work, () => undefined);
  workers[0]?.dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }));
  expect(await asked).toMatchObject({
    ok: false,
    issues: [{ message: "The lab failed: out of memory." }],
  });
  void client.run(work, () => undefined);
  expect(workers).toHaveLength(2);
});
