// Which Chromium the e2e tests drive: Playwright's own where it is installed, else one of the system.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { root, tool } from "./install.mjs";

/** The one command that mends a missing browser. Debian's own package needs no other server than the system's updates. */
export const remedy = () => {
  const release = "/etc/os-release";
  const debian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, "utf8"));
  if (!debian) return "npx playwright install --with-deps chromium";
  return `${process.getuid?.() === 0 ? "" : "sudo "}apt-get install -y chromium`;
};

/** A Chromium of the system: named by CHROMIUM_PATH, or found on PATH or where its installer puts it. */
export const systemChromium = () => {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return existsSync(named) ? named : undefined;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const onPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [
    ...names.flatMap((name) => onPath.map((folder) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    `${process.env["ProgramFiles"]}\\Google\\Chrome\\Application\\chrome.exe`,
  ].find((path) => existsSync(path));
};

/**
 * Starts and ends the browser, to know that it runs and not only that it is there. In a process of its own: a browser
 * that hangs or was installed a moment ago must not depend on what this one has loaded.
 * @param {string | undefined} executablePath Playwright's own when undefined.
 */
const starts = (executablePath) => {
  const options = JSON.stringify({ chromiumSandbox: false, timeout: 30_000, executablePath });
  const script = `import { chromium } from "@playwright/test"; await (await chromium.launch(${options})).close();`;
  return (
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: root,
      stdio: "ignore",
      timeout: 60_000,
    }).status === 0
  );
};

const DAY = 86_400_000;
const refusal = join(root, "node_modules", ".cache", "tidetable", "browser-download-refused");

/** Downloads Playwright's browser; false when it can't be had. A refusal is not asked for again for a day. */
const download = () => {
  const refused = statSync(refusal, { throwIfNoEntry: false });
  if (refused !== undefined && Date.now() - refused.mtimeMs < DAY && systemChromium() !== undefined)
    return false;
  process.stdout.write("Downloading Playwright's Chromium (at most three minutes) …\n");
  const result = spawnSync(process.execPath, [tool("playwright"), "install", "chromium"], {
    cwd: root,
    // Where another browser can step in, the reasons of a failed download would only alarm.
    stdio: systemChromium() === undefined ? ["ignore", "inherit", "inherit"] : "ignore",
    timeout: 180_000,
    killSignal: "SIGKILL",
  });
  if (result.status === 0) return true;
  process.stdout.write("It could not be downloaded.\n");
  mkdirSync(dirname(refusal), { recursive: true });
  writeFileSync(refusal, "");
  return false;
};

/**
 * A Chromium that starts: the one CHROMIUM_PATH names, else Playwright's own, else that one downloaded, else the system's.
 * @returns {{ name: string; path?: string } | undefined} without `path` for Playwright's own; undefined when there is none.
 */
export const findChromium = () => {
  const own = { name: "Playwright's Chromium" };
  const system = systemChromium();
  if (process.env["CHROMIUM_PATH"] && system !== undefined && starts(system))
    return { name: system, path: system };
  if (starts(undefined)) return own;
  if (download() && starts(undefined)) return own;
  if (system !== undefined && starts(system)) return { name: system, path: system };
  return undefined;
};
