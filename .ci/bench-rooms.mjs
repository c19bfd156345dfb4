// How fluid the rooms are, in a real Chromium on the production build: a workload of 300 statements over 96 steps is opened,
// its points are dragged, its list and grid scrolled, a statement written; then the same hands work while the solver runs.
// Frames are counted with the performance API. Figures are reported, never asserted: machines are shared.
//
//   npm run bench:rooms [-- --json]
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { build, isStale } from "./build.mjs";
import { findChromium, remedy } from "./chromium.mjs";
import { root } from "./install.mjs";
import { freePort, serve } from "./serve-studio.mjs";

const { values } = parseArgs({ options: { json: { type: "boolean" } } });
/** How long the hands work at each thing, in milliseconds. */
const spell = 3000;

/** A design of the bench, as an object.
 * @param {string} name */
const designOf = (name) => {
  const launcher = join(root, "src", "cli", "tidetable.mjs");
  const { status, stdout } = spawnSync(process.execPath, [launcher, "bench", "--document", name], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the design ${name} could not be made`);
  return JSON.parse(stdout);
};

/** 300 generated statements, each step of twelve cut into eight that differ. */
const largeDesign = () => {
  const design = designOf("growth-e15-s300-t12");
  /** @type {Record<string, number[]>} */
  const curves = design.frequencies;
  design.timeline = { steps: 96, stepSeconds: 900 };
  design.frequencies = Object.fromEntries(
    Object.entries(curves).map(([id, curve], at) => [
      id,
      curve.flatMap((value) =>
        Array.from({ length: 8 }, (_, part) =>
          Number((value * (1 + 0.2 * Math.sin(at + part))).toPrecision(4)),
        ),
      ),
    ]),
  );
  return design;
};

/** Runs in the page before anything of it: counts frames and long tasks between begin and end. */
const watch = () => {
  const state = { began: 0, frames: 0, longest: 0, last: 0, task: 0, on: false };
  /** @param {number} time */
  const frame = (time) => {
    if (!state.on) return;
    if (state.last > 0) state.longest = Math.max(state.longest, time - state.last);
    state.last = time;
    state.frames += 1;
    requestAnimationFrame(frame);
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) state.task = Math.max(state.task, duration);
  }).observe({ entryTypes: ["longtask"] });
  const begin = () => {
    Object.assign(state, {
      began: performance.now(),
      frames: 0,
      longest: 0,
      last: 0,
      task: 0,
      on: true,
    });
    requestAnimationFrame(frame);
  };
  const end = () => {
    state.on = false;
    const seconds = (performance.now() - state.began) / 1000;
    return {
      framesPerSecond: state.frames / seconds,
      longestFrame: state.longest,
      longestTask: state.task,
    };
  };
  Object.assign(globalThis, { tidetableFrames: { begin, end } });
};

/** @typedef {{ what: string; framesPerSecond: number; longestFrame: number; longestTask: number }} Fluidity */

/** Frames while hands are at work, again and again until the spell is over.
 * @param {import("@playwright/test").Page} page @param {string} what @param {(round: number) => Promise<void>} hands
 * @returns {Promise<Fluidity>} */
const during = async (page, what, hands) => {
  await page.evaluate("tidetableFrames.begin()");
  const until = Date.now() + spell;
  for (let round = 0; Date.now() < until; round += 1) await hands(round);
  return { ...(await page.evaluate("tidetableFrames.end()")), what };
};

/** Moves a pressed mouse from one point to others, a little at a time.
 * @param {import("@playwright/test").Page} page @param {import("@playwright/test").Locator} place
 * @param {(round: number) => { x: number; y: number }} by */
const dragging = async (page, place, by) => {
  const box = await place.boundingBox();
  if (!box) throw new Error("there is nothing to drag");
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  return async (/** @type {number} */ round) => {
    const { x, y } = by(round);
    await page.mouse.move(from.x + x, from.y + y);
  };
};

/** @param {import("@playwright/test").Page} page @param {string} name */
const goTo = async (page, name) => {
  const rooms = page.getByRole("navigation", { name: "Rooms" });
  await rooms.getByRole("link", { name, exact: true }).click();
};

/** @param {import("@playwright/test").Page} page @param {object} design */
const openFile = async (page, design) => {
  const chosen = page.waitForEvent("filechooser");
  await page.getByText("Choose a project file").click();
  const buffer = Buffer.from(JSON.stringify(design));
  await (await chosen).setFiles({ name: "design.json", mimeType: "application/json", buffer });
  await page.getByRole("application", { name: "Entity graph" }).waitFor();
};

/** @param {import("@playwright/test").Page} page @param {string} when @returns {Promise<Fluidity[]>} */
const workloadRoom = async (page, when) => {
  const text = page.getByRole("textbox", { name: "Statement text" });
  await text.waitFor();
  const point = page.getByRole("slider", { name: /, step [34]\b/ }).first();
  /** @type {Fluidity[]} */
  const found = [];
  const drag = await dragging(page, point, (round) => ({ x: 0, y: 40 * Math.sin(round / 6) }));
  found.push(await during(page, `${when}: a point dragged`, drag));
  await page.mouse.up();
  const cursor = page.getByRole("slider", { name: "Time step" });
  const pan = await dragging(page, cursor, (round) => ({ x: 200 * Math.sin(round / 12), y: 0 }));
  found.push(await during(page, `${when}: time cursor dragged`, pan));
  await page.mouse.up();
  for (const [what, place, across] of /** @type {const} */ ([
    ["grid scrolled", page.getByRole("grid", { name: "Executions per second" }), 120],
    ["list scrolled", page.getByRole("region", { name: "Statements", exact: true }), 0],
  ])) {
    await place.hover();
    const wheel = (/** @type {number} */ round) =>
      page.mouse.wheel(round % 40 < 20 ? across : -across, round % 40 < 20 ? 90 : -90);
    found.push(await during(page, `${when}: ${what}`, wheel));
  }
  await text.press("Control+End");
  found.push(
    await during(page, `${when}: a statement typed`, async (round) => {
      await page.keyboard.type("LIMIT 10 "[round % 9] ?? " ");
    }),
  );
  return found;
};

const run = async () => {
  const found = findChromium();
  if (found === undefined) throw new Error(`no Chromium could be started; try ${remedy()}`);
  if (isStale("studio") && !build("studio")) throw new Error("the studio could not be built");
  const port = await freePort();
  const server = await serve(port);
  const browser = await chromium.launch({
    chromiumSandbox: false,
    args: ["--disable-background-networking"],
    ...(found.path === undefined ? {} : { executablePath: found.path }),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
    await page.addInitScript(watch);
    await page.goto(`http://127.0.0.1:${port}/`);
    await openFile(page, largeDesign());
    const began = Date.now();
    await goTo(page, "Workload");
    await page.getByRole("gridcell").first().waitFor();
    await page.getByRole("slider", { name: /, step 96\b/ }).waitFor({ state: "attached" });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const opened = Date.now() - began;
    const fluid = await workloadRoom(page, "300 statements over 96 steps");

    await page.goto(`http://127.0.0.1:${port}/#/start`);
    await openFile(page, designOf("auction-regimes-20"));
    await page.getByRole("banner").getByRole("button", { name: "Optimise" }).click();
    await page.getByRole("banner").getByRole("button", { name: "Stop" }).waitFor();
    await goTo(page, "Model");
    const canvas = page.getByRole("application", { name: "Entity graph" });
    const pane = await dragging(page, canvas.locator(".react-flow__pane"), (round) => ({
      x: 120 * Math.sin(round / 9),
      y: 60 * Math.cos(round / 9),
    }));
    fluid.push(await during(page, "during a solve: canvas panned", pane));
    await page.mouse.up();
    await goTo(page, "Workload");
    fluid.push(...(await workloadRoom(page, "during a solve")));
    const stillRuns = await page
      .getByRole("banner")
      .getByRole("button", { name: "Stop" })
      .isVisible();
    return { cores: availableParallelism(), browser: browser.version(), opened, stillRuns, fluid };
  } finally {
    await browser.close();
    server.kill();
  }
};

const figures = await run();
if (values.json) console.log(JSON.stringify(figures, null, 2));
else {
  console.log(`Chromium ${figures.browser}, ${figures.cores} cores`);
  console.log(`300 statements over 96 steps: the Workload room opened in ${figures.opened} ms`);
  for (const { what, framesPerSecond, longestFrame, longestTask } of figures.fluid)
    console.log(
      `${framesPerSecond.toFixed(1).padStart(5)} frames per second, longest ${longestFrame.toFixed(0)} ms, longest task ${longestTask.toFixed(0)} ms  ${what}`,
    );
  if (!figures.stillRuns) console.log("the solver had ended before the last of these");
}
