/** The Sharding room on the production build: the bank's story, growth, keys, own records, a million keys, pictures. */
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  expectStep,
  goTo,
  openExample,
  openFile,
  openStudio,
  optimise,
  optimiseButton,
  room,
  showResults,
  slider,
  test,
} from "./journey.ts";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

test.setTimeout(120_000);

/** The lab has worked out what is on the screen. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("progressbar", { name: "Experiment" })).toBeHidden();
  await expect(room(page, "Sharding").getByText(/\srecords, .*\srequests, .* s$/)).toBeVisible();
}

async function openLab(
  page: Page,
  example: "Bank transaction log" | "Which key\\?",
): Promise<void> {
  await openExample(page, example);
  await goTo(page, "Sharding");
  await settled(page);
}

function card(page: Page, strategy: string): Locator {
  return page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 3, name: strategy, exact: true }) });
}

async function show(page: Page, view: string): Promise<Locator> {
  await page.getByRole("tab", { name: view, exact: true }).click();
  return page.getByRole("tabpanel", { name: view });
}

async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).first().click();
  const file = await started;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("the bank's story: the last server is hot, the hash by customer is even", async ({ page }) => {
  await openLab(page, "Bank transaction log");
  await expect(card(page, "range by day")).toContainText(
    "node 3 is a hot spot of writes, 3× the mean: 100 % of the new rows arrive here.",
  );
  await expect(card(page, "range by day")).toContainText(/Reads of many nodes\s*100\s%/);

  const story = page.getByRole("region", { name: "The story" });
  await story.getByRole("button", { name: "Next" }).click();
  await expect(card(page, "round robin")).toBeVisible();
  await story.getByRole("button", { name: "Hash by customer" }).click();
  await expect(card(page, "ring by customer.id")).toContainText("No hot spot at this step.");
  await expect(story).toContainText("the hash names the server");

  // Growth: the picture follows the time cursor.
  await expect(
    page.getByRole("img", { name: /^range by day\. rows: node 3 has 1\.1\d? times/ }),
  ).toBeVisible();
  await slider(page).focus();
  await page.keyboard.press("End");
  await expectStep(page, 12);
  await expect(
    page.getByRole("img", { name: /^range by day\. rows: node 3 has 1\.98 times/ }),
  ).toBeVisible();

  await story.getByRole("button", { name: "Date as clustering key" }).click();
  const keys = await show(page, "Keys");
  await expect(keys.getByRole("region", { name: "Order inside the partition" })).toContainText(
    "at ↓ keeps each partition’s rows in order for Latest transactions of a customer",
  );
  const day = keys
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "day", exact: true }) });
  await expect(day).toContainText("bad");
  await expect(day).toContainText("At any moment all new records go to one key");
});

test("strategies of one's own: a node joins, a key is probed, undo brings it back", async ({
  page,
}) => {
  await openLab(page, "Bank transaction log");
  await page.getByRole("button", { name: "Try it" }).first().click();
  for (const name of [
    "round robin",
    "range by day",
    "list by kind",
    "hash mod N by customer.id",
    "ring by customer.id",
  ])
    await expect(card(page, name)).toBeVisible();
  await page
    .getByRole("button", { name: "What moves when a node joins or leaves as a table" })
    .click();
  const moves = page.getByRole("region", { name: "Rows that move when a node joins or leaves" });
  await expect(moves.getByRole("row", { name: /^hash mod N/ })).toContainText("75 %");
  await expect(moves.getByRole("row", { name: /^ring/ })).toContainText("25 %");

  await page.getByRole("button", { name: "Add a node" }).click();
  await expect(page.getByRole("textbox", { name: "Nodes" })).toHaveValue("4");
  await settled(page);
  await expect(page.getByRole("img", { name: /^round robin\./ })).toContainText("node 4");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("textbox", { name: "Nodes" })).toHaveValue("3");
  await settled(page);

  const copies = page.getByRole("textbox", { name: "Copies of each record" });
  await copies.fill("2");
  await copies.press("Enter");
  await settled(page);
  const room = page.getByRole("textbox", { name: "Room of a node" });
  await room.fill("100 GB");
  await room.press("Enter");
  await expect(card(page, "round robin")).toContainText(/Fullest node\s*2\d(\.\d)?\s% full/);
  const ring = await show(page, "Ring");
  await expect(ring.getByRole("img", { name: /^The ring of 3 nodes; node 1 owns/ })).toBeVisible();
  await ring
    .getByRole("textbox", { name: "customer.id" })
    .fill("550e8400-e29b-41d4-a716-446655440000");
  await ring.getByRole("button", { name: "Find it" }).click();
  const places = ring.getByRole("region", { name: "Nodes of this key under every strategy" });
  await expect(places.getByRole("row", { name: /^ring by customer/ })).toContainText(
    "4277286421682315655",
  );
  await expect(places.getByRole("row", { name: /^ring by customer/ })).toContainText(
    /node \d.*node \d/,
  );
  await expect(places.getByRole("row", { name: /^round robin/ })).toContainText("ask all");
  await ring.getByRole("textbox", { name: "customer.id" }).fill("someone");
  await ring.getByRole("button", { name: "Find it" }).click();
  await expect(places).toContainText("“someone” is no uuid.");
  await ring.getByRole("checkbox", { name: /^Show what one more node would take/ }).check();
  await expect(ring.getByRole("img", { name: /^The ring of 4 nodes; node 4 owns/ })).toBeVisible();
  const routing = await saved(page, "routing.json");
  expect(JSON.parse(routing.bytes.toString())).toMatchObject({
    format: "tidetable-routing",
    replicas: 2,
  });
  expect((await saved(page, "router.ts")).bytes.toString()).toContain("export function routerOf");
});

test("the pattern's table of keys says good, bad, good, bad", async ({ page }) => {
  await openLab(page, "Which key\\?");
  const keys = await show(page, "Keys");
  const table = keys.getByRole("region", { name: "Keys with verdicts and reasons" });
  await expect(table.getByRole("row", { name: /user of visits/ })).toContainText("good");
  await expect(table.getByRole("row", { name: /status of visits/ })).toContainText(
    /bad.*Only 5 different values/,
  );
  await expect(table.getByRole("row", { name: /device of readings/ })).toContainText("good");
  await expect(table.getByRole("row", { name: /device of unevenReadings/ })).toContainText(
    /bad.*One key/,
  );
  await page.getByRole("combobox", { name: "Table" }).selectOption("unevenReadings");
  const device = keys
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "device", exact: true }) });
  await expect(device).toContainText("With a bucket: hash of id mod 64.");
  await expect(device).toContainText("visits 64 partitions");
});

test("the tables of an answer are spread, with its plans as requests", async ({ page }) => {
  await openExample(page, "Users and items");
  await optimise(page);
  await goTo(page, "Sharding");
  await settled(page);
  const table = page.getByRole("combobox", { name: "Table" });
  const families = await table.getByRole("option", { name: /^\d+: / }).all();
  expect(families.length).toBeGreaterThan(0);
  await table.selectOption((await families[0]?.getAttribute("value")) ?? "");
  await settled(page);
  const figures = await show(page, "Figures");
  await expect(figures.getByRole("region", { name: "Figures of every strategy" })).toContainText(
    "ring by",
  );
  const csv = await saved(page, "Figures per node and step as CSV");
  expect(csv.name).toBe("sharding-figures.csv");
  expect(csv.bytes.toString()).toMatch(
    /^strategy,node,step,rows,new_rows,reads_per_second,writes_per_second\n/,
  );
});

test("own records and requests come in as CSV, and a broken file is refused in words", async ({
  page,
}) => {
  await openStudio(page);
  await goTo(page, "Sharding");
  const rows = Array.from({ length: 500 }, (_, index) => `${index},city ${index % 5}`);
  const choose = async (button: string, name: string, text: string): Promise<void> => {
    const chosen = page.waitForEvent("filechooser");
    await page.getByText(button).click();
    await (await chosen).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  };
  await choose("Spread records of a CSV", "people.csv", ["number,city", ...rows].join("\n"));
  await settled(page);
  await expect(card(page, "ring by number")).toBeVisible();
  await choose(
    "Own requests (CSV)",
    "asked.csv",
    "request,city\nread,city 1\nread,city 1\nread,city 2",
  );
  await settled(page);
  await expect(card(page, "ring by city")).toContainText("is a hot spot of reads");
  await choose("Own records (CSV)", "broken.csv", "number,number\n1,2");
  await expect(room(page, "Sharding").getByText("The column number is there twice.")).toBeVisible();
});

test("a million keys and five strategies take seconds, the page stays fluid, and Stop stops", async ({
  page,
}) => {
  await openLab(page, "Bank transaction log");
  await page.getByRole("button", { name: "Try it" }).first().click();
  await settled(page);
  await page.getByRole("combobox", { name: "Requests, about" }).selectOption("1000000");
  await settled(page);
  await page.getByRole("combobox", { name: "Records, at most" }).selectOption("1000000");
  const status = room(page, "Sharding").getByText(/^1\sM records, /);
  const longest = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let [last, most] = [performance.now(), 0];
        const end = last + 2500;
        const frame = (now: number): void => {
          most = Math.max(most, now - last);
          last = now;
          if (now < end) requestAnimationFrame(frame);
          else resolve(most);
        };
        requestAnimationFrame(frame);
      }),
  );
  await expect(status).toBeVisible();
  const seconds = Number(/([\d.]+) s$/.exec((await status.textContent()) ?? "")?.[1]);
  test.info().annotations.push({ type: "a million keys, seconds", description: String(seconds) });
  test.info().annotations.push({
    type: "longest frame, ms",
    description: String(Math.round(await longest)),
  });
  // Times depend on the machine: this only says that it is seconds, not minutes.
  expect(seconds).toBeLessThan(40);

  await page.getByRole("button", { name: "Draw anew" }).click();
  await page.getByRole("button", { name: "Stop the experiment" }).click();
  await expect(room(page, "Sharding").getByText("Stopped; shown is the one before.")).toBeVisible();
  await page.getByRole("button", { name: "Run it" }).click();
  await expect(status).toBeVisible();
});

test("cards and timeline show how tables spread; a limit excludes candidates and says what that costs", async ({
  page,
}) => {
  await openExample(page, "Which key\\?");
  await optimise(page);
  await expect(page.getByTitle(/^CF\s?2 is hot at step 1/)).toBeVisible();
  const schema = await showResults(page, "Schema");
  const hot = schema.getByRole("listitem").filter({ hasText: "unevenReadings.device" }).first();
  await expect(hot).toContainText(
    /Hot: one partition gets 60 % of the requests, its node 2\.8 × the mean of 4\./,
  );
  await expect(hot).toContainText(/On 4 nodes\s*rows ±105/);

  await goTo(page, "Optimise");
  const limit = page.getByRole("textbox", { name: "Largest partition, rows" });
  await limit.fill("5000");
  await limit.press("Enter");
  await optimiseButton(page).click();
  await expect(page.getByRole("heading", { name: "No schema fits" })).toBeVisible();
  await expect(
    page.getByText(/The limits on partitions \(at most 5000 rows\) exclude \d+ candidate tables/),
  ).toBeVisible();

  await goTo(page, "Start");
  await openFile(page, "stock.json", JSON.stringify(stock));
  await goTo(page, "Optimise");
  const share = page.getByRole("textbox", { name: "Hottest partition" });
  await share.fill("20");
  await share.press("Enter");
  await optimise(page);
  const excluded = (await showResults(page, "Schema")).getByText(
    /candidate tables excluded by the limits on partitions; without them the answer would cost/,
  );
  await excluded.click();
  await expect(
    page.getByText("Its largest partition has 25 % of all rows, above 20 %.").first(),
  ).toBeVisible();
});

/** Two queries that share a table by kind as long as that may have large partitions. */
const stock = {
  format: "tidetable",
  version: 1,
  name: "Stock",
  entities: {
    item: {
      count: 40,
      attributes: [
        { name: "id", type: "int" },
        { name: "kind", type: "text", distinct: 4 },
        { name: "shop", type: "text", distinct: 10 },
        { name: "colour", type: "text", distinct: 10 },
      ],
      identifier: ["id"],
    },
  },
  statements: {
    byShop: { text: "SELECT item.id FROM item WHERE item.kind = ? AND item.shop = ?" },
    byColour: { text: "SELECT item.id FROM item WHERE item.kind = ? AND item.colour = ?" },
    add: { text: "INSERT INTO item SET id = ?, kind = ?, shop = ?, colour = ?" },
  },
  timeline: { steps: 2, stepSeconds: 60 },
  frequencies: { byShop: [5, 6], byColour: [6, 5], add: 30 },
};

for (const theme of ["light", "dark"] as const)
  test.describe(theme, () => {
    test.use({ colorScheme: theme });

    test(`every view of the lab is accessible and fits in ${theme}`, async ({ page }) => {
      await openLab(page, "Bank transaction log");
      for (const view of ["Nodes", "Over time", "Ring", "Keys", "Figures"]) {
        const panel = await show(page, view);
        if (view === "Ring") await panel.getByRole("button", { name: "Find it" }).click();
        if (view === "Keys") await expect(panel.getByText("bad").first()).toBeVisible();
        await look(page, `${theme} ${view}`);
      }
    });
  });

test("pictures of a view are saved as SVG and PNG", async ({ page }) => {
  await openLab(page, "Bank transaction log");
  const svg = await saved(page, "Save this view as SVG");
  expect(svg.name).toBe("sharding-nodes.svg");
  const text = svg.bytes.toString();
  expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d/);
  expect(text).toContain("range by day");
  expect(text).not.toContain("var(--");
  await show(page, "Over time");
  const png = await saved(page, "Save this view as PNG");
  expect(png.name).toBe("sharding-over-time-writes.png");
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
});

async function look(page: Page, name: string): Promise<void> {
  const isDark = name.startsWith("dark");
  // Sizes do not depend on colours.
  for (const width of isDark ? [1280] : [900, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    for (const place of [page.locator("html"), page.getByRole("main")]) {
      const overflow = await place.evaluate(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      );
      expect.soft(overflow, `${name} ${width}: pixels too wide`).toBeLessThanOrEqual(0);
    }
    const body = await page.screenshot({ animations: "disabled" });
    await test.info().attach(`${name} ${width}`, { body, contentType: "image/png" });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const axe = new AxeBuilder({ page });
  const asked = isDark ? axe.withRules("color-contrast") : axe.withTags(wcag);
  const { violations } = await asked.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join("\n  ")}`,
  );
  expect.soft(found, `${name}: accessibility`).toEqual([]);
}
