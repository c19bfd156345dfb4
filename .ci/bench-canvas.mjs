// The Model room with a large drawing, in a real Chromium on the production build: seconds from choosing the file until the
// entities are on the canvas, and frames per second while a person drags an entity, drags the canvas and zooms it.
//
//   npm run bench:canvas [-- --entities 200 --json]
//
// Reported, never asserted: frames depend on the machine and on what else runs there. Where the machine has no graphics
// card, Chromium paints with the processor, and the figures are lower than on a person's computer.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { build, isStale } from "./build.mjs";
import { findChromium, remedy } from "./chromium.mjs";
import { freePort, serve } from "./serve-studio.mjs";

const { values } = parseArgs({
  options: { entities: { type: "string", default: "200" }, json: { type: "boolean" } },
});

/**
 * A drawing as large schemas are: clusters around a few much-related entities, five attributes each, one and a half
 * relationships per entity, every tenth to itself. The same for the same number.
 * @param {number} count
 */
const generated = (count) => {
  const name = (/** @type {number} */ index) => `entity_${index}`;
  const entities = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      name(index),
      {
        count: 1000 + 37 * index,
        attributes: ["id", "label", "created", "state", "amount"].map((attribute, place) => ({
          name: attribute,
          type: ["uuid", "text", "timestamp", "int", "decimal"][place],
        })),
        identifier: ["id"],
      },
    ]),
  );
  /** @type {Record<string, object>} */
  const relationships = {};
  const relate = (/** @type {number} */ parent, /** @type {number} */ child) => {
    const id = `r${Object.keys(relationships).length}`;
    relationships[id] = {
      multiplicity: "oneToMany",
      optional: parent === child,
      ends: [
        { entity: name(parent), role: `up_${id}` },
        { entity: name(child), role: `down_${id}` },
      ],
    };
  };
  for (let index = 1; index < count; index += 1)
    relate(Math.floor((index * 7) / 11) % index, index);
  for (let index = 0; index < count; index += 2) relate((index * 13) % count, index);
  for (let index = 0; index < count; index += 10) relate(index, index);
  return {
    format: "tidetable",
    version: 1,
    name: `${count} entities`,
    entities,
    relationships,
    statements: { q1: { text: "SELECT entity_1.label FROM entity_1 WHERE entity_1.id = ?" } },
    timeline: { steps: 1, stepSeconds: 3600 },
    frequencies: { q1: 1 },
  };
};

/**
 * Frames per second, the longest frame, and what the page's thread worked for a frame, while something is done. The last
 * tells more than the first on a machine that has other work.
 * @param {import("@playwright/test").Page} page @param {() => Promise<void>} act */
const watched = async (page, act) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  await page.evaluate(() => {
    const now = performance.now();
    const state = { frames: 0, longest: 0, began: now, last: now, on: true };
    const frame = (/** @type {number} */ time) => {
      state.frames += 1;
      state.longest = Math.max(state.longest, time - state.last);
      state.last = time;
      if (state.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(globalThis, { framesSeen: state });
  });
  const before = await worked();
  await act();
  const seconds = (await worked()) - before;
  await session.detach();
  const seen = await page.evaluate(() => {
    const state = Reflect.get(globalThis, "framesSeen");
    state.on = false;
    return { ...state, seconds: (performance.now() - state.began) / 1000 };
  });
  const figures = {
    perSecond: Math.round((seen.frames / seen.seconds) * 10) / 10,
    longestMilliseconds: Math.round(seen.longest),
    workedMilliseconds: Math.round((seconds / seen.frames) * 10_000) / 10,
  };
  return figures;
};

/** A pointer that goes to and fro for about two seconds, as fast as a mouse reports.
 * @param {import("@playwright/test").Page} page @param {number} x @param {number} y */
const dragAround = async (page, x, y) => {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let move = 1; move <= 60; move += 1) {
    const angle = (move / 60) * 4 * Math.PI;
    await page.mouse.move(x + 120 * Math.sin(angle), y + 90 * (1 - Math.cos(angle)));
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
};

/** @param {string} address @param {string} executablePath */
const measure = async (address, executablePath) => {
  const browser = await chromium.launch({ chromiumSandbox: false, executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    const chosen = page.waitForEvent("filechooser");
    await page.getByText("Choose a project file").click();
    const buffer = Buffer.from(JSON.stringify(generated(Number(values.entities))));
    const file = { name: "large.json", mimeType: "application/json", buffer };
    const chooser = await chosen;
    const began = performance.now();
    await chooser.setFiles(file);
    const canvas = page.getByRole("application", { name: "Entity graph" });
    await canvas
      .getByRole("group", { name: /^Entity / })
      .first()
      .waitFor();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const open = Math.round(performance.now() - began) / 1000;

    const box = await canvas.boundingBox();
    if (!box) throw new Error("the canvas is not on the screen");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const pan = () => dragAround(page, box.x + 6, middle.y);
    const panAll = await watched(page, pan);
    const zoom = await watched(page, async () => {
      await page.mouse.move(middle.x, middle.y);
      for (const by of [-1, 1])
        for (let turn = 0; turn < 20; turn += 1) {
          await page.mouse.wheel(0, by * 60);
          await page.waitForTimeout(16);
        }
    });
    const search = page.getByRole("searchbox");
    const wanted = `entity_${Math.floor(Number(values.entities) / 2)}`;
    await search.fill(wanted);
    await search.press("Enter");
    await search.fill("");
    await page.waitForTimeout(400);
    const entity = canvas.getByRole("group", { name: new RegExp(`^Entity ${wanted},`) });
    const place = await entity.boundingBox();
    if (!place) throw new Error("the entity is not on the screen");
    const drag = await watched(page, () =>
      dragAround(page, place.x + place.width / 2, place.y + 14),
    );
    const panNear = await watched(page, pan);
    return { entities: Number(values.entities), open, panAll, zoom, drag, panNear };
  } finally {
    await browser.close();
  }
};

const run = async () => {
  if (isStale("studio") && !build("studio")) throw new Error("the studio could not be built");
  const browser = findChromium();
  if (browser === undefined) throw new Error(`no Chromium could be started; try ${remedy()}`);
  const port = await freePort();
  const server = await serve(port);
  try {
    const figures = await measure(`http://127.0.0.1:${port}/`, browser.path ?? "");
    if (values.json) {
      process.stdout.write(
        `${JSON.stringify({ ...figures, cores: availableParallelism() }, null, 2)}\n`,
      );
      return;
    }
    const lines = Object.entries(figures).map(([what, figure]) => {
      if (typeof figure !== "object")
        return `${what.padEnd(10)} ${figure}${what === "open" ? " s" : ""}`;
      return `${what.padEnd(10)} ${figure.perSecond} frames per second, longest ${figure.longestMilliseconds} ms, ${figure.workedMilliseconds} ms of work each`;
    });
    process.stdout.write(`${lines.join("\n")}\n`);
  } finally {
    server.kill();
  }
};

await run();
