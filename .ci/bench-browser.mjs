// The bench in a real Chromium on the production build: a person's run, watched. Opens each workload's design as a file,
// presses Optimise and watches the page until the answer is there: seconds, better answers and bounds as the page shows
// them, frames drawn meanwhile, and the peak of memory of the tab's process, workers and solver included.
//
//   npm run bench:browser [-- --only NAME,… --mode MODE --out FILE --compare FILE --json --minutes N]
//
// Options other than --minutes (the most that a run may take, 20) are those of npm run bench, which tells the figures.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, platform, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { build, isStale } from "./build.mjs";
import { findChromium, remedy } from "./chromium.mjs";
import { root } from "./install.mjs";
import { freePort, serve } from "./serve-studio.mjs";

const launcher = join(root, "src", "cli", "tidetable.mjs");

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    mode: { type: "string" },
    out: { type: "string" },
    compare: { type: "string" },
    json: { type: "boolean" },
    minutes: { type: "string", default: "20" },
  },
});
const longest = Number(values.minutes) * 60_000;

/** What the command line answers; its own words on stderr pass through.
 * @param {string[]} args */
const tidetable = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, [launcher, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`tidetable ${args.join(" ")} ended with ${status}`);
  return stdout;
};

/**
 * Runs in the page, before anything of it. Keeps what the page shows of a run: the exact figures stand in the titles of
 * “Best answer so far” and “No answer costs less than”, and every frame is counted.
 */
const watch = () => {
  /** @type {{ seconds: number; objective: number; bound: number }[]} */
  const trace = [];
  const state = { began: 0, frames: 0, longest: 0, lastFrame: 0, trace };
  /** @param {string} term */
  const figure = (term) => {
    const found = [...document.querySelectorAll("dt")].find((each) => each.textContent === term);
    const title = found?.nextElementSibling?.getAttribute("title") ?? "";
    return title === "" ? Number.NaN : Number(title.replaceAll(/[^\d.]/g, ""));
  };
  const look = () => {
    const point = {
      seconds: (performance.now() - state.began) / 1000,
      objective: figure("Best answer so far"),
      bound: figure("No answer costs less than"),
    };
    if (!Number.isFinite(point.objective) || !Number.isFinite(point.bound)) return;
    const last = trace.at(-1);
    if (last?.objective !== point.objective || last.bound !== point.bound) trace.push(point);
  };
  /** @param {number} time */
  const frame = (time) => {
    if (state.lastFrame > 0) state.longest = Math.max(state.longest, time - state.lastFrame);
    state.lastFrame = time;
    state.frames += 1;
    requestAnimationFrame(frame);
  };
  const begin = () => {
    state.began = performance.now();
    state.frames = 0;
    state.longest = 0;
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["title"],
    });
    requestAnimationFrame(frame);
  };
  const end = () => {
    const seconds = (performance.now() - state.began) / 1000;
    return {
      seconds,
      trace,
      frames: { perSecond: state.frames / seconds, longest: state.longest / 1000 },
    };
  };
  Object.assign(globalThis, { tidetableBench: { begin, end } });
};

/** Seconds that processors have worked for the tabs so far, workers included.
 * @param {import("@playwright/test").Browser} browser */
const processorOfRenderers = async (browser) => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo
    .filter(({ type }) => type === "renderer")
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
};

/** The largest resident set that the tab's process has had so far, in bytes: of several, of the largest.
 * @param {import("@playwright/test").Browser} browser */
const peakOfRenderers = async (browser) => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return Math.max(
    0,
    ...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => peakOf(id)),
  );
};

/** Linux keeps the peak; elsewhere what `ps` says of this moment has to do.
 * @param {number} pid */
const peakOf = (pid) => {
  if (platform() === "linux") {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1] ?? 0) * 1024;
  }
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim()) * 1024;
};

/** One run in a browser of its own.
 * @param {string} name @param {string} address @param {string | undefined} executablePath */
const observe = async (name, address, executablePath) => {
  const design = JSON.parse(tidetable("bench", "--document", name));
  const mode = values.mode ?? "certified";
  design.settings = { ...design.settings, mode };
  const browser = await chromium.launch({
    chromiumSandbox: false,
    args: ["--disable-background-networking"],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  /** @type {number | undefined} */
  let peak;
  const sampler = setInterval(async () => {
    const seen = await peakOfRenderers(browser).catch(() => 0);
    peak = Math.max(peak ?? 0, seen);
  }, 2000);
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      locale: "en-GB",
    });
    await page.addInitScript(watch);
    await page.goto(address);
    const chosen = page.waitForEvent("filechooser");
    await page.getByText("Choose a project file").click();
    const buffer = Buffer.from(JSON.stringify(design));
    await (await chosen).setFiles({ name: "design.json", mimeType: "application/json", buffer });
    await page.getByRole("application", { name: "Entity graph" }).waitFor();
    const worked = await processorOfRenderers(browser);
    await page.evaluate("tidetableBench.begin()");
    await page.getByRole("banner").getByRole("button", { name: "Optimise" }).click();
    const results = page.getByRole("main", { name: "Results room" });
    const failed = page.getByRole("main", { name: "Optimise room" }).getByRole("alert");
    await results.or(failed).first().waitFor({ timeout: longest });
    if (!(await results.isVisible())) throw new Error((await failed.textContent()) ?? "no reason");
    const seen = await page.evaluate("tidetableBench.end()");
    const processorSeconds = (await processorOfRenderers(browser)) - worked;
    const peakMemory = Math.max(peak ?? 0, await peakOfRenderers(browser));
    const rooms = page.getByRole("navigation", { name: "Rooms" });
    await rooms.getByRole("link", { name: "Start", exact: true }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download result" }).click();
    const result = JSON.parse(readFileSync(await (await download).path(), "utf8"));
    return {
      workload: name,
      mode,
      environment: {
        engine: `Chromium ${browser.version()}`,
        cores: availableParallelism(),
        machine: `${platform()} ${arch()}`,
      },
      trace: seen.trace,
      around: { "seen by the person": seen.seconds },
      processorSeconds,
      peakMemory,
      frames: seen.frames,
      result,
    };
  } finally {
    clearInterval(sampler);
    await browser.close();
  }
};

/** Paths of options are a person's: relative to where they stand, though npm runs scripts in the package's folder.
 * @param {string} path */
const fromPerson = (path) => resolve(process.env["INIT_CWD"] ?? process.cwd(), path);

/** Hands what was seen to the command line, which makes measurements of it.
 * @param {readonly unknown[]} seen @param {string[]} args */
const tell = (seen, ...args) => {
  const folder = mkdtempSync(join(tmpdir(), "tidetable-bench-"));
  try {
    const file = join(folder, "observed.json");
    writeFileSync(file, JSON.stringify(seen));
    return tidetable("bench", "--observed", file, ...args);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Watches one workload after the other; what the file of --out gets is there after each.
 * @param {readonly string[]} names @param {string} address @param {string | undefined} executablePath */
const observeAll = async (names, address, executablePath) => {
  const seen = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    try {
      const run = await observe(name, address, executablePath);
      seen.push(run);
      if (values.out !== undefined) tell([run], "--json", "--out", fromPerson(values.out));
    } catch (error) {
      process.stderr.write(`${name} failed: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return seen;
};

const runAll = async () => {
  if (isStale("studio") && !build("studio")) throw new Error("the studio could not be built");
  const browser = findChromium();
  if (browser === undefined) throw new Error(`no Chromium could be started; try ${remedy()}`);
  const only = values.only ?? "everyday";
  /** @type {string[]} */
  const names = JSON.parse(tidetable("bench", "--list", "--json", "--only", only));
  const port = await freePort();
  const server = await serve(port);
  try {
    const seen = await observeAll(names, `http://127.0.0.1:${port}/`, browser.path);
    const compare = values.compare === undefined ? [] : ["--compare", fromPerson(values.compare)];
    process.stdout.write(tell(seen, ...compare, ...(values.json ? ["--json"] : [])));
    return seen.length === names.length;
  } finally {
    server.kill();
  }
};

process.exitCode = (await runAll()) ? 0 : 1;
