/**
 * Where a command reads from and writes to, so that tests can run `main` without a process of its own.
 *
 * Decides that stdout holds a command's answer and nothing else; progress, warnings and refusals go
 * to stderr. A reader that has had enough (`… | head`) ends the program quietly. SIGINT is left alone
 * on purpose: a solve blocks this thread, so a handler of ours would only delay the end.
 */
import { dirname } from "node:path";

export interface Terminal {
  /** The command's answer. */
  readonly out: (text: string) => void;
  /** Everything that is said on the way. */
  readonly err: (text: string) => void;
  /** Columns of the terminal that somebody watches; undefined when stderr goes elsewhere. */
  readonly columns: number | undefined;
  /** What relative paths are relative to. */
  readonly folder: string;
  /** Seconds on a steady clock. */
  readonly now: () => number;
}

/** This process's own streams. */
export function processTerminal(): Terminal {
  process.stdout.on("error", endQuietly);
  process.stderr.on("error", endQuietly);
  return {
    out: (text) => {
      process.stdout.write(text);
    },
    err: (text) => {
      process.stderr.write(text);
    },
    columns: process.stderr.isTTY ? process.stderr.columns || 80 : undefined,
    folder: startFolder(),
    now: () => performance.now() / 1000,
  };
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

/** `npm run` starts scripts in the package's folder, wherever the person stands; npm tells where that is. */
function startFolder(): string {
  const { INIT_CWD, npm_lifecycle_event, npm_package_json } = process.env;
  const movedByNpm =
    (npm_lifecycle_event === "tidetable" || npm_lifecycle_event === "bench") &&
    npm_package_json !== undefined &&
    dirname(npm_package_json) === process.cwd();
  return movedByNpm && INIT_CWD ? INIT_CWD : process.cwd();
}
