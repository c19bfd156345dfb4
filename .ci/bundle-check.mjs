// Keeps the solver out of the page: what is loaded at first and the page's scripts together, rooms and examples that wait until
// they are opened included, stay under size limits, and only the worker names the WASM.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { resultOf } from "./build.mjs";

const FIRST_LIMIT_KB = 120;
const LIMIT_KB = 800;

const folder = dirname(resultOf("studio"));

/** @param {string} path */
const kilobytes = (path) => gzipSync(readFileSync(path)).length / 1000;

/** @param {readonly string[]} paths */
const total = (paths) => paths.reduce((sum, path) => sum + kilobytes(path), 0);

/** All built files with this ending.
 * @param {string} ending */
const files = (ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort();

/** The scripts that index.html loads at once; the others wait until a room needs them. */
const firstScripts = () => {
  const html = readFileSync(resultOf("studio"), "utf8");
  return [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, name = ""]) =>
    join(folder, name),
  );
};

/** @param {readonly string[]} scripts @param {string} wasm */
const naming = (scripts, wasm) => {
  const name = wasm.slice(dirname(wasm).length + 1);
  return scripts.filter((script) => readFileSync(script, "utf8").includes(name));
};

const check = () => {
  if (!existsSync(resultOf("studio"))) return ["there is no build to look at"];
  const isWorkers = (/** @type {string} */ path) =>
    dirname(path).endsWith(join("assets", "worker"));
  const page = files(".js").filter((path) => !isWorkers(path));
  const workers = files(".js").filter(isWorkers);
  const size = total(page);
  const first = total(firstScripts());
  console.log(
    `page     ${first.toFixed(1)} kB gzip at first of ${FIRST_LIMIT_KB} kB allowed, ${size.toFixed(1)} kB of ${LIMIT_KB} kB in all`,
  );
  console.log(`workers  ${total(workers).toFixed(1)} kB gzip in ${workers.length} files`);
  const problems = [];
  if (page.length === 0) problems.push("the build holds no script for the page");
  if (first > FIRST_LIMIT_KB)
    problems.push(`what the page loads at first is larger than ${FIRST_LIMIT_KB} kB gzip`);
  if (size > LIMIT_KB) {
    problems.push(`the page's scripts are larger than ${LIMIT_KB} kB gzip:`);
    for (const path of page)
      problems.push(`  ${kilobytes(path).toFixed(1)} kB  ${relative(folder, path)}`);
  }
  if (files(".wasm").length === 0)
    problems.push("the build holds no WASM: is the solver in the worker?");
  for (const wasm of files(".wasm")) {
    console.log(`wasm     ${kilobytes(wasm).toFixed(1)} kB gzip`);
    for (const script of naming(page, wasm))
      problems.push(`${relative(folder, script)} is the page's and names the WASM`);
    if (naming(workers, wasm).length === 0)
      problems.push(`no worker names ${relative(folder, wasm)}`);
  }
  return problems;
};

const problems = check();
for (const problem of problems)
  console.log(problem.startsWith(" ") ? problem : `FAILED   ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
