/**
 * The page's side of reading a schema: one worker for one text, gone when it has answered or when it is
 * stopped. Nothing is thrown and nothing is left hanging.
 */
import { anError } from "#model/issue.ts";
import type { ImportAnswer, ImportWork } from "./import-protocol.ts";

export type { ImportAnswer, ImportReading, ImportWork } from "./import-protocol.ts";

export interface ImportRun {
  /** Undefined when it was stopped. */
  readonly answer: Promise<ImportAnswer | undefined>;
  readonly stop: () => void;
}

const startImportWorker = (): Worker =>
  new Worker(new URL("./import.worker.ts", import.meta.url), { type: "module", name: "import" });

/** Begins to read. */
export function readSchema(
  work: ImportWork,
  startWorker: () => Worker = startImportWorker,
): ImportRun {
  const worker = startWorker();
  let stop = (): void => undefined;
  const answer = new Promise<ImportAnswer | undefined>((resolve) => {
    const end = (value: ImportAnswer | undefined): void => {
      worker.terminate();
      resolve(value);
    };
    stop = () => end(undefined);
    worker.addEventListener("message", ({ data }: MessageEvent<ImportAnswer>) => end(data));
    worker.addEventListener("error", (event) => {
      const message = `Reading failed: ${event.message || "the worker ended unexpectedly"}.`;
      end({ ok: false, issues: [anError("", message, "Try again, or a part of the text.")] });
    });
  });
  worker.postMessage(work);
  return { answer, stop: () => stop() };
}
