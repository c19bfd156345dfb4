// Proves that the walls between the folders of src really stand: plants one-line breaches in a copy of the tree, one at a
// time, and expects the tool that guards the wall to refuse each; then expects the tree itself to pass. Nothing is skipped:
// a breach whose folder or target has gone, and a folder of src that has no breach here, count as failures.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, tool } from "./install.mjs";

/** The first component of a screen, whatever its file is called.
 * @param {string} folder */
const someComponentOf = (folder) => {
  const path = join(root, "src", folder);
  const names = existsSync(path) ? readdirSync(path) : [];
  return names.sort().find((name) => /^[^.]+\.tsx$/.test(name)) ?? "a-component.tsx";
};

/**
 * @typedef {"biome" | "tsc"} Guard
 * @typedef {{ by: Guard; place: string; line: string }} Breach
 */

/** What must be refused, where in src it is planted, and by which tool.
 * @type {readonly Breach[]} */
const breaches = [
  { by: "biome", place: "model", line: 'import { z } from "zod";' },
  { by: "biome", place: "model", line: 'import type { IlpModel } from "#ilp/model.ts";' },
  { by: "biome", place: "ilp", line: 'import type { Problem } from "#model/problem.ts";' },
  { by: "biome", place: "engine", line: 'import { main } from "#ui/main.tsx";' },
  { by: "biome", place: "engine", line: 'import { store } from "../document/store.ts";' },
  { by: "biome", place: "engine", line: 'import { solve } from "#ilp/highs.ts";' },
  { by: "tsc", place: "engine", line: "export const title: string = document.title;" },
  { by: "biome", place: "recordstore", line: 'import { optimise } from "#engine/optimise.ts";' },
  { by: "biome", place: "sharding", line: 'import { optimise } from "#engine/optimise.ts";' },
  { by: "biome", place: "sharding", line: 'import { createHash } from "node:crypto";' },
  { by: "biome", place: "interchange", line: 'import { optimise } from "#engine/optimise.ts";' },
  { by: "biome", place: "interchange", line: 'import { store } from "#document/store.ts";' },
  { by: "biome", place: "cli", line: 'import { main } from "#ui/main.tsx";' },
  { by: "biome", place: "document", line: 'import { create } from "zustand";' },
  { by: "biome", place: "examples", line: 'import { optimise } from "#engine/optimise.ts";' },
  {
    by: "biome",
    place: "worker/client.ts",
    line: 'import { optimise } from "#engine/optimise.ts";',
  },
  {
    by: "biome",
    place: "worker/engine.worker.ts",
    line: 'import { store } from "#document/store.ts";',
  },
  { by: "biome", place: "ui/canvas", line: 'import type { IlpModel } from "#ilp/model.ts";' },
  { by: "biome", place: "ui/canvas", line: 'import type { Options } from "#engine/optimise.ts";' },
  { by: "biome", place: "ui/canvas", line: 'import "#worker/engine.worker.ts";' },
  {
    by: "biome",
    place: "ui/results",
    line: `import { Canvas } from "../canvas/${someComponentOf("ui/canvas")}";`,
  },
];

const complaints = { biome: "lint/style/noRestrictedImports", tsc: "Cannot find name 'document'" };

/** Runs a guard on a path of a tree.
 * @param {Guard} by @param {string} tree @param {string} path */
const guard = (by, tree, path) => {
  const args =
    by === "biome"
      ? ["lint", "--only=style/noRestrictedImports", "--max-diagnostics=none", path]
      : ["-p", "src/tsconfig.pure.json"];
  const options = /** @type {const} */ ({ cwd: tree, encoding: "utf8" });
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool(by), ...args], options);
  return { passed: status === 0, said: `${stdout}${stderr}`.trim() };
};

/** What the breach needs and is no longer there: the place it is planted in, or the file it imports.
 * @param {Breach} breach */
const gone = ({ place, line }) => {
  const address = /(?:from|import) "([#.][^"]+)"/.exec(line)?.[1];
  const needs = [join("src", place)];
  if (address?.startsWith("#")) needs.push(join("src", address.slice(1)));
  else if (address) needs.push(join("src", place, address));
  return needs.find((path) => !existsSync(join(root, path)));
};

/** Plants the breach, asks its guard, and takes it out again.
 * @param {string} tree @param {Breach} breach @returns {string | undefined} why it does not count as refused */
const plant = (tree, breach) => {
  const missing = gone(breach);
  if (missing !== undefined)
    return `${missing} does not exist: bring .ci/house-check.mjs up to date`;
  const file = join(
    "src",
    breach.place.endsWith(".ts") ? breach.place : join(breach.place, "breach.ts"),
  );
  const path = join(tree, file);
  const before = existsSync(path) ? readFileSync(path) : undefined;
  writeFileSync(path, `${breach.line}\n`);
  const { passed, said } = guard(breach.by, tree, file);
  if (before === undefined) rmSync(path);
  else writeFileSync(path, before);
  return !passed && said.includes(complaints[breach.by])
    ? undefined
    : `not refused by ${breach.by}\n${said}`;
};

const counts = { passed: 0, failed: 0 };

/** @param {string} name @param {string | undefined} why undefined when it went as it should */
const report = (name, why) => {
  if (why === undefined) counts.passed += 1;
  else counts.failed += 1;
  console.log(why === undefined ? `ok      ${name}` : `FAILED  ${name}\n        ${why}`);
};

/** @param {string} tree */
const checkAll = (tree) => {
  for (const path of ["src", "biome.json", "tsconfig.json", "package.json"]) {
    cpSync(join(root, path), join(tree, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "junction");
  for (const breach of breaches)
    report(`${breach.place} refuses: ${breach.line}`, plant(tree, breach));

  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of folders) {
    if (breaches.some(({ place }) => place.split("/")[0] === name)) continue;
    report(`src/${name} has a wall`, "no breach is planted there: add one to .ci/house-check.mjs");
  }

  const { passed, said } = guard("biome", root, "src");
  report("the tree itself passes", passed ? undefined : said);
};

const tree = mkdtempSync(join(tmpdir(), "tidetable-walls-"));
try {
  checkAll(tree);
} finally {
  rmSync(tree, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
