// The mutation check: are the tests able to see a mistake? Plants the deliberate faults listed under .ci/mutants in a copy of
// the tree, one at a time, runs the test files that are to catch each, and takes it out again. Ends with `N caught of N`.
//
//   npm run mutants                     all faults
//   npm run mutants -- order limit      those whose name contains one of the words
//   npm run mutants -- --jobs=1         one at a time instead of two
//   npm run mutants -- --check          only whether every fault still applies (in `npm test`)
//
// A fault is caught when a test fails by what it expects. A file that does not load, a mistyped name in the planted text and
// a test that ran out of time say nothing about the tests, so they count as failures of the fault. The tests have to pass
// without any fault first, or their failing would prove nothing.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseAst } from "vite";
import { root, tool } from "./install.mjs";
import { engineFaults } from "./mutants/engine-faults.mjs";
import { graphFaults } from "./mutants/graph-faults.mjs";
import { programFaults } from "./mutants/program-faults.mjs";
import { shardingFaults } from "./mutants/sharding-faults.mjs";
import { studioFaults } from "./mutants/studio-faults.mjs";
import { updateFaults } from "./mutants/update-faults.mjs";
import { whatIfFaults } from "./mutants/what-if-faults.mjs";

/**
 * A deliberate fault: in `file`, the text `before`, which stands there exactly once, is replaced by `after`.
 * @typedef {object} Fault
 * @property {string} name short, and no other's
 * @property {string} wrong what is wrong with it, in words
 * @property {string} file
 * @property {string} before
 * @property {string} after
 * @property {readonly string[]} tests files of which one at least is to catch it
 * @property {string} [only] pattern of the names of the tests to run, where a file holds long ones that do not matter here
 */

/** @type {readonly Fault[]} */
const faults = [
  ...engineFaults,
  ...updateFaults,
  ...whatIfFaults,
  ...graphFaults,
  ...programFaults,
  ...studioFaults,
  ...shardingFaults,
];

const minutesPerFault = 4;
const minutesWithout = 20;

/** The text of a file with the fault planted, or why it cannot be planted.
 * @param {Fault} fault @returns {{ text: string } | { why: string }} */
const planted = ({ name, file, before, after, tests }) => {
  const number = faults.findIndex((fault) => fault.name === name) + 1;
  const gone = [file, ...tests].find((path) => !existsSync(join(root, path)));
  if (gone !== undefined)
    return { why: `fault ${number} no longer applies: ${gone} does not exist` };
  const text = readFileSync(join(root, file), "utf8");
  const parts = text.split(before);
  if (parts.length !== 2)
    return {
      why: `fault ${number} no longer applies: its text stands ${parts.length - 1} times in ${file}; bring .ci/mutants up to date`,
    };
  const mutated = parts.join(after);
  try {
    parseAst(mutated, { lang: "ts" });
  } catch (error) {
    return {
      why: `fault ${number} does not parse: ${error instanceof Error ? error.message : error}`,
    };
  }
  return { text: mutated };
};

/** What is wrong with the list itself.
 * @returns {string[]} */
const complaints = () => {
  const names = faults.map(({ name }) => name);
  return [
    ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `two faults: ${name}`),
    ...faults.flatMap((fault) => {
      const result = planted(fault);
      return "why" in result ? [`${fault.name}: ${result.why}`] : [];
    }),
  ];
};

/** A copy of what the unit tests need.
 * @returns {string} */
const copyTree = () => {
  const tree = mkdtempSync(join(tmpdir(), "tidetable-mutants-"));
  for (const path of [
    ".ci",
    "docs",
    "public",
    "src",
    "index.html",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
    "README.md",
  ])
    cpSync(join(root, path), join(tree, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "junction");
  return tree;
};

/**
 * @typedef {{ fullName: string; status: string; failureMessages: string[] }} TestReport
 * @typedef {{ name: string; status: string; message: string; assertionResults: TestReport[] }} FileReport
 * @typedef {{ good: boolean; files: FileReport[]; inTime: boolean }} Run
 */

/** Runs test files in a tree until the first failure.
 * @param {string} tree @param {readonly string[]} tests @param {string | undefined} only @param {number} minutes
 * @returns {Promise<Run>} */
const runTests = (tree, tests, only, minutes) =>
  new Promise((resolve) => {
    const report = join(tree, "report.json");
    rmSync(report, { force: true });
    const args = ["run", ...tests, "--bail=1", "--reporter=json", `--outputFile.json=${report}`];
    if (only !== undefined) args.push("-t", only);
    const ownGroup = process.platform !== "win32";
    const child = spawn(process.execPath, [tool("vitest"), ...args, "--maxWorkers=1"], {
      cwd: tree,
      // Where a property fails its smallest counterexample is of no interest here.
      env: { ...process.env, PROPERTY_SHRINKING: "off", NO_COLOR: "1" },
      stdio: "ignore",
      detached: ownGroup,
    });
    let inTime = true;
    const end = () => {
      if (ownGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    process.once("exit", end);
    const timer = setTimeout(() => {
      inTime = false;
      end();
    }, minutes * 60_000);
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("exit", end);
      /** @type {FileReport[]} */
      let files = [];
      if (existsSync(report)) files = JSON.parse(readFileSync(report, "utf8")).testResults;
      resolve({ good: code === 0, files, inTime });
    });
  });

/** Failures that tell of the planted text rather than of the tests. */
const noAssertion = /ReferenceError|SyntaxError|is not defined|timed out in \d+|is not a function/;

/** Whether a run with a fault caught it: which test did, or why not.
 * @param {Run} run @returns {{ by: string } | { why: string }} */
const verdict = ({ good, files, inTime }) => {
  if (!inTime) return { why: `the tests did not end within ${minutesPerFault} minutes` };
  const failed = files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === "failed").map((test) => ({ name, ...test })),
  );
  const telling = failed.find(({ failureMessages }) => !noAssertion.test(failureMessages.join()));
  if (telling) return { by: `${basename(telling.name)}, ${telling.fullName}` };
  if (failed[0])
    return { why: `failed, but not by what is expected: ${failed[0].failureMessages[0]}` };
  const unloaded = files.find(({ status }) => status === "failed");
  if (unloaded) return { why: `${unloaded.name} does not load: ${unloaded.message}` };
  return { why: good ? "SURVIVED: all tests pass" : "no test ran" };
};

/** Tests without a fault: all that the chosen faults name.
 * @param {string} tree @param {readonly Fault[]} chosen */
const passesWithout = async (tree, chosen) => {
  /** Fewer runs: one per pattern. @type {Map<string | undefined, Set<string>>} */
  const sets = new Map();
  for (const { only, tests } of chosen)
    sets.set(only, new Set([...(sets.get(only) ?? []), ...tests]));
  for (const [only, files] of sets) {
    const run = await runTests(tree, [...files], only, minutesWithout);
    const ran = run.files.flatMap(({ assertionResults }) => assertionResults);
    const some = ran.some(({ status }) => status === "passed");
    if (run.good && some) continue;
    const failed = ran.find(({ status }) => status === "failed");
    const what = failed?.fullName ?? (some ? "a file" : `no test is called like ${only}`);
    console.log(`Without any fault the tests do not pass: ${what}`);
    return false;
  }
  return true;
};

/** @param {string} tree @param {Fault} fault */
const tryFault = async (tree, fault) => {
  const result = planted(fault);
  if ("why" in result) return result;
  const path = join(tree, fault.file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, result.text);
  try {
    return verdict(await runTests(tree, fault.tests, fault.only, minutesPerFault));
  } finally {
    writeFileSync(path, original);
  }
};

/** @param {readonly Fault[]} chosen @returns {Promise<number>} how many were caught */
const tryAll = async (chosen) => {
  const jobs = process.argv.includes("--jobs=1") ? 1 : Math.min(2, availableParallelism());
  const trees = Array.from({ length: Math.min(jobs, chosen.length) }, copyTree);
  process.on("exit", () => {
    for (const tree of trees) rmSync(tree, { recursive: true, force: true });
  });
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
  const [first] = trees;
  if (first === undefined || !(await passesWithout(first, chosen))) return 0;
  let caught = 0;
  const waiting = [...chosen];
  /** @param {string} tree */
  const work = async (tree) => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const start = Date.now();
      const result = await tryFault(tree, fault);
      const seconds = ((Date.now() - start) / 1000).toFixed(0);
      const number = String(faults.indexOf(fault) + 1).padStart(2);
      if ("by" in result) caught += 1;
      const how = "by" in result ? `caught by: ${result.by}` : result.why;
      console.log(
        `${"by" in result ? "ok    " : "FAILED"} ${number}  ${fault.name}: ${fault.wrong}\n            ${how} (${seconds} s)`,
      );
    }
  };
  await Promise.all(trees.map(work));
  return caught;
};

const words = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const chosen = faults.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);

if (process.argv.includes("--check")) {
  const wrong = complaints();
  for (const each of wrong) console.log(`FAILED  ${each}`);
  console.log(`${faults.length - wrong.length} of ${faults.length} faults apply`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} else if (chosen.length === 0) {
  console.log(`No fault is called like ${words.join(" or ")}.`);
  process.exitCode = 1;
} else {
  const caught = await tryAll(chosen);
  console.log(`${caught} caught of ${chosen.length}`);
  process.exitCode = caught === chosen.length ? 0 : 1;
}
