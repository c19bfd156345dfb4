/** For tests: commands run in this process, with their words caught, and files in a folder that goes away. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { main } from "./main.ts";
import type { Terminal } from "./terminal.ts";

export interface CapturedRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder for the tests of one file. */
export function temporaryFolder(): {
  readonly path: string;
  readonly write: (name: string, value: unknown) => string;
  readonly read: (name: string) => string;
  readonly run: (...args: string[]) => Promise<CapturedRun>;
} {
  const path = mkdtempSync(join(tmpdir(), "tidetable-cli-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write: (name, value) => {
      writeFileSync(join(path, name), typeof value === "string" ? value : JSON.stringify(value));
      return name;
    },
    read: (name) => readFileSync(join(path, name), "utf8"),
    run: (...args) => capturedRun(args, { folder: path }),
  };
}

/** Runs `main` with its words caught. */
export async function capturedRun(
  args: readonly string[],
  terminal: Partial<Terminal> = {},
): Promise<CapturedRun> {
  let out = "";
  let err = "";
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    columns: undefined,
    folder: process.cwd(),
    now: () => performance.now() / 1000,
    ...terminal,
  });
  return { code, out, err };
}

/** The two queries whose frequencies cross over; see `crossover.test.ts`. */
export const crossover = JSON.parse(
  readFileSync(new URL("./fixtures/crossover.json", import.meta.url), "utf8"),
);
