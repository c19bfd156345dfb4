// The one door to all checks: installs what is missing, runs every stage whether or not an earlier one failed, and ends with
// `N passed, N failed`. Stages may be named: `node .ci/test.mjs unit e2e`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium, remedy } from "./chromium.mjs";
import { ensureInstalled, root, tool } from "./install.mjs";

/**
 * @typedef {{ passed: number; failed: number; note?: string }} Outcome
 * @typedef {{ name: string; title: string; run: () => Promise<Outcome> }} Stage
 */

const MINUTE = 60_000;

const inColour = process.stdout.isTTY || process.env["FORCE_COLOR"] !== undefined;

/**
 * Runs a Node script with its output shown, and kills it with all it started when it overstays.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>; minutes?: number }} [options]
 * @returns {Promise<boolean>} whether it ended with exit code 0
 */
const node = (args, { env, minutes = 10 } = {}) =>
  new Promise((resolve) => {
    const ownGroup = process.platform !== "win32";
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
      detached: ownGroup,
    });
    const end = () => {
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    const interrupted = () => {
      end();
      process.exit(130);
    };
    process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
    const timer = setTimeout(() => {
      console.log(`stopped: it did not finish within ${minutes} minutes`);
      end();
    }, minutes * MINUTE);
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
      resolve(code === 0);
    });
  });

/** A check that counts as one.
 * @param {string[]} args @param {{ minutes?: number }} [options] @returns {Promise<Outcome>} */
const one = async (args, options) =>
  (await node(args, options)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** What a test runner wrote about its run; undefined when it died before.
 * @param {string} path */
const reportAt = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

/**
 * The counts of a test runner. A run that failed counts one failure at least: a file that does not load, an error outside
 * the tests, no test at all.
 * @param {boolean} good @param {number} passed @param {number} failed @param {number} skipped @returns {Outcome}
 */
const counted = (good, passed, failed, skipped) => ({
  passed,
  failed: good && passed > 0 ? failed : Math.max(1, failed),
  ...(skipped > 0 ? { note: `${skipped} skipped` } : {}),
});

const reports = mkdtempSync(join(tmpdir(), "tidetable-test-"));
process.on("exit", () => rmSync(reports, { recursive: true, force: true }));

const unit = async () => {
  const file = join(reports, "unit.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const env = inColour ? {} : { NO_COLOR: "1" };
  const good = await node([tool("vitest"), ...args], { env, minutes: 30 });
  const report = reportAt(file);
  /** @type {{ status: string; assertionResults: unknown[] }[]} */
  const suites = report?.testResults ?? [];
  const unloaded = suites.filter(
    (suite) => suite.status === "failed" && suite.assertionResults.length === 0,
  );
  const failed = (report?.numFailedTests ?? 0) + unloaded.length;
  return counted(
    good,
    report?.numPassedTests ?? 0,
    failed,
    (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  );
};

/** A port that nobody listens on, so that two runs on one machine don't meet.
 * @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

const e2e = async () => {
  const browser = findChromium();
  if (browser === undefined) {
    console.log(
      `No Chromium could be started. Run this command once, then npm test again:\n\n  ${remedy()}\n`,
    );
    return { passed: 0, failed: 1, note: "no Chromium" };
  }
  console.log(`browser: ${browser.name}`);
  const file = join(reports, "e2e.json");
  const env = {
    E2E_PORT: String(await freePort()),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROMIUM_PATH: browser.path ?? "",
  };
  const good = await node([tool("playwright"), "test", "-c", "e2e", "--reporter=list,json"], {
    env,
    minutes: 40,
  });
  const stats = reportAt(file)?.stats;
  return counted(
    good,
    (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    stats?.unexpected ?? 0,
    stats?.skipped ?? 0,
  );
};

/** @type {readonly Stage[]} */
const stages = [
  {
    name: "lint",
    title: "format and lint (biome)",
    run: () => one([tool("biome"), "ci", ...(inColour ? [] : ["--colors=off"])]),
  },
  {
    name: "types",
    title: "types (tsc)",
    run: () => one([tool("tsc"), "-p", "tsconfig.json"]),
  },
  {
    name: "pure",
    title: "types of the pure folders, without DOM (tsc)",
    run: () => one([tool("tsc"), "-p", "src/tsconfig.pure.json"]),
  },
  {
    name: "house",
    title: "walls between the folders",
    run: () => one([".ci/house-check.mjs"]),
  },
  {
    name: "faults",
    title: "the planted faults of npm run mutants still apply",
    run: () => one([".ci/mutants.mjs", "--check"], { minutes: 1 }),
  },
  { name: "unit", title: "unit and property tests (vitest)", run: unit },
  { name: "build", title: "production build (vite)", run: () => one([".ci/build.mjs"]) },
  {
    name: "bundle",
    title: "size of the page, place of the WASM",
    run: () => one([".ci/bundle-check.mjs"]),
  },
  {
    name: "cli",
    title: "the command line starts",
    run: () => one(["src/cli/tidetable.mjs", "--help"], { minutes: 1 }),
  },
  { name: "e2e", title: "e2e tests against the build (playwright)", run: e2e },
];

/** @param {Stage} stage @returns {Promise<Outcome>} */
const attempt = async ({ title, run }) => {
  console.log(`\n=== ${title} ===`);
  const start = Date.now();
  try {
    const outcome = await run();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    return { ...outcome, note: [outcome.note, `${seconds} s`].filter(Boolean).join(", ") };
  } catch (error) {
    console.log(error);
    return { passed: 0, failed: 1, note: "did not run" };
  }
};

const runAll = async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.log(
      `unknown: ${unknown.join(", ")}; there are ${stages.map(({ name }) => name).join(", ")}`,
    );
    return { passed: 0, failed: 1 };
  }
  try {
    ensureInstalled();
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
  const lines = [];
  const sum = { passed: 0, failed: 0 };
  for (const stage of stages) {
    if (names.length > 0 && !names.includes(stage.name)) continue;
    const { passed, failed, note } = await attempt(stage);
    sum.passed += passed;
    sum.failed += failed;
    const verdict = failed === 0 ? "ok    " : "FAILED";
    lines.push(`${verdict}  ${stage.title}: ${passed} passed, ${failed} failed (${note})`);
    console.log(lines.at(-1));
  }
  console.log(`\n=== all checks ===\n${lines.join("\n")}\n`);
  return sum;
};

const { passed, failed } = await runAll();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
