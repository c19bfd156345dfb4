/**
 * The page's side of the lab's worker. A new question ends the one before: the worker is terminated, since
 * its arithmetic blocks it, and a fresh one begins. Nothing is thrown and nothing is left hanging.
 */
import { proxy, type Remote, wrap } from "comlink";
import { anError, type Issue } from "#model/issue.ts";
import type { AdviceResult, LabApi, LabResult, LabWork } from "./lab-protocol.ts";

export type { AdviceResult, LabAnswer, LabResult, LabSource, LabWork } from "./lab-protocol.ts";

export interface LabClient {
  /** Resolves with undefined when it was stopped, or another question came. */
  run(work: LabWork, onProgress: (done: number) => void): Promise<LabResult | undefined>;
  advise(work: LabWork, onProgress: (done: number) => void): Promise<AdviceResult | undefined>;
  stop(): void;
  close(): void;
}

const startLabWorker = (): Worker =>
  new Worker(new URL("./lab.worker.ts", import.meta.url), { type: "module", name: "lab" });

interface Lab {
  readonly worker: Worker;
  readonly api: Remote<LabApi>;
  readonly died: Promise<Failure>;
}

interface Failure {
  readonly ok: false;
  readonly issues: readonly Issue[];
}

/** A lab whose worker is started with the first question. */
export function connectLab(startWorker: () => Worker = startLabWorker): LabClient {
  let lab: Lab | undefined;
  /** Settles the question that is being worked on. */
  let giveUp: (() => void) | undefined;

  const stop = (): void => {
    if (!giveUp) return;
    giveUp();
    giveUp = undefined;
    lab?.worker.terminate();
    lab = undefined;
  };

  const ask = async <Answer>(
    question: (api: Remote<LabApi>) => Promise<Answer>,
  ): Promise<Answer | Failure | undefined> => {
    stop();
    const own = lab ?? startLab(startWorker);
    lab = own;
    let isGivenUp = false;
    const given = new Promise<undefined>((resolve) => {
      giveUp = () => {
        isGivenUp = true;
        resolve(undefined);
      };
    });
    const answer = await Promise.race([
      question(own.api).catch((fault: unknown) => failure(fault)),
      own.died,
      given,
    ]);
    if (!isGivenUp) giveUp = undefined;
    if (answer && typeof answer === "object" && "died" in answer) lab = undefined;
    return answer;
  };

  return {
    run: (work, onProgress) => ask(async (api) => api.run(work, proxy(onProgress))),
    advise: (work, onProgress) => ask(async (api) => api.advise(work, proxy(onProgress))),
    stop,
    close: () => {
      stop();
      lab?.worker.terminate();
      lab = undefined;
    },
  };
}

function startLab(startWorker: () => Worker): Lab {
  const worker = startWorker();
  const died = new Promise<Failure>((resolve) => {
    worker.addEventListener("error", (event) => {
      resolve({ ...failure(event.message || "it ended unexpectedly"), died: true } as Failure);
    });
  });
  return { worker, api: wrap<LabApi>(worker), died };
}

function failure(fault: unknown): Failure {
  const reason = fault instanceof Error ? fault.message : String(fault);
  return {
    ok: false,
    issues: [anError("", `The lab failed: ${reason}.`, "Run it again, with fewer records.")],
  };
}
