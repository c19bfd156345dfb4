// Installs the npm packages when they are missing or differ from package-lock.json, so that `npm start` and `npm test`
// work on a fresh clone. Uses Node's own modules only: nothing else is there yet.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The packages a lock file names; undefined when the file is absent or unreadable.
 * @param {string} path
 * @returns {Record<string, { version?: string; optional?: boolean }> | undefined}
 */
const lockedPackages = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
};

/** Whether node_modules holds exactly what package-lock.json asks for (packages of other platforms aside). */
const isInstalled = () => {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  const present = lockedPackages(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    const found = present[path];
    if (found === undefined) return optional === true;
    return found.version === version && (optional === true || existsSync(join(root, path)));
  });
};

const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return;
  throw new Error(
    `Node ${process.versions.node} is too old: Tidetable needs Node 20.19 or 22.12 or newer.`,
  );
};

/**
 * Brings node_modules in line with package-lock.json; quick when it already is.
 * @throws {Error} when Node is too old or npm fails.
 */
export const ensureInstalled = () => {
  checkNode();
  if (isInstalled()) return;
  process.stderr.write("Installing the npm packages (npm ci) …\n");
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const npm = process.env["npm_execpath"];
  const viaNode = npm !== undefined && /\.c?js$/.test(npm);
  const result = spawnSync(viaNode ? process.execPath : "npm", viaNode ? [npm, ...args] : args, {
    cwd: root,
    // To stderr: the command line keeps stdout for its answer.
    stdio: ["ignore", 2, 2],
    shell: !viaNode && process.platform === "win32",
  });
  if (result.status !== 0)
    throw new Error("npm ci failed; see above. Run it again when the registry can be reached.");
};

/**
 * The script behind a tool of node_modules, to be run with this Node: no npx, no shell, the same on every platform.
 * @param {"biome" | "playwright" | "tsc" | "vite" | "vitest"} name
 */
export const tool = (name) => {
  const scripts = {
    biome: "@biomejs/biome/bin/biome",
    playwright: "@playwright/test/cli.js",
    tsc: "typescript/bin/tsc",
    vite: "vite/bin/vite.js",
    vitest: "vitest/vitest.mjs",
  };
  return join(root, "node_modules", scripts[name]);
};
