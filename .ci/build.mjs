// Builds the two products: the studio (dist/studio, static files for any folder of any server) and the command line
// (dist/cli/tidetable.mjs). `node .ci/build.mjs [studio] [cli]` builds the named ones, or both.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, tool } from "./install.mjs";

/** @typedef {"studio" | "cli"} Product */

const products = {
  studio: {
    result: join(root, "dist", "studio", "index.html"),
    sources: ["src", "public", "index.html"],
  },
  cli: {
    result: join(root, "dist", "cli", "tidetable.mjs"),
    sources: [
      "cli",
      "document",
      "engine",
      "examples",
      "ilp",
      "interchange",
      "model",
      "recordstore",
      "sharding",
    ].map((folder) => join("src", folder)),
  },
};

/** The built file that stands for the whole product: the studio's page, the command line's module.
 * @param {Product} product */
export const resultOf = (product) => products[product].result;

/** Time of last change, or 0 for what is not there.
 * @param {string} path */
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether anything under `path` changed after `time`. Folders count too: a deleted file changes its folder.
 * @param {string} path @param {number} time
 * @returns {boolean} */
const changedSince = (path, time) => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.mtimeMs > time) return true;
  if (!found.isDirectory()) return false;
  return readdirSync(path).some((name) => changedSince(join(path, name), time));
};

/** Whether the product must be built (again): it is absent or older than its sources.
 * @param {Product} product */
export const isStale = (product) => {
  const { result, sources } = products[product];
  const built = changed(result);
  return (
    built === 0 ||
    [...sources, "vite.config.ts", "package.json"].some((path) =>
      changedSince(join(root, path), built),
    )
  );
};

/** Runs Vite; its report goes to stderr, so that a command's stdout holds the command's answer only.
 * @param {string[]} args */
const vite = (args) =>
  spawnSync(process.execPath, [tool("vite"), "build", ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  }).status === 0;

const buildStudio = () => {
  // A failed build must not leave yesterday's page behind for the e2e tests to find.
  rmSync(join(root, "dist", "studio"), { recursive: true, force: true });
  return vite([]);
};

const buildCli = () => {
  // Built aside and renamed: a command started meanwhile never reads half a file.
  const { result } = products.cli;
  const folder = join(root, "dist", "cli");
  const aside = join(folder, `building-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    if (!vite(["--mode", "cli", "--outDir", aside, "--logLevel", "warn"])) return false;
    renameSync(join(aside, "tidetable.mjs"), result);
    return true;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
};

/** Builds a product; false when Vite failed (its reasons are on stderr then).
 * @param {Product} product */
export const build = (product) => (product === "studio" ? buildStudio() : buildCli());

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const asked = process.argv.slice(2);
  for (const product of /** @type {const} */ (["studio", "cli"])) {
    if (asked.length > 0 && !asked.includes(product)) continue;
    if (build(product)) process.stdout.write(`built ${resultOf(product)}\n`);
    else process.exitCode = 1;
  }
}
