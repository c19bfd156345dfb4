/**
 * Costs from measurements: a profile is imported, its fit is seen and doubted, models are switched, and
 * the answer's cost follows; a profile that cannot be fitted is refused with its reasons.
 */
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import {
  downloadProject,
  expect,
  figure,
  goTo,
  header,
  openExample,
  optimise,
  optimiseButton,
  room,
  solved,
  test,
  textOf,
} from "./journey.ts";

test.setTimeout(180_000);

const example = new URL("../public/example-profile.csv", import.meta.url);

test("a profile becomes a cost model, models are switched, and the cost of the answer follows", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  await optimise(page);
  const before = await costOf(page);

  const costs = await openCosts(page);
  await expect(choice(page)).toHaveValue("default");
  await expect(coefficient(costs, "Get", 0)).toContainText("500 µs");
  await choose(page, "staging.csv", await readFile(example, "utf8"));
  await expect(costs.getByRole("status")).toContainText("staging.csv was fitted.");
  await expect(choice(page)).toHaveValue("staging");
  const perByte = coefficient(costs, "Get", 3);
  await expect(perByte).toContainText(/25\.2\sns.*± 0\.589\sns.*24 … 26\.4\sns/);
  await expect(costs.getByRole("table").first()).toContainText(/R² 0\.99\d/);

  for (const title of ["Measured and predicted", "Residuals"]) {
    const chart = costs.getByRole("region", { name: title });
    await expect(chart.locator(".recharts-scatter-symbol")).toHaveCount(54);
    await costs.getByRole("button", { name: `${title} as a table` }).click();
    await expect(chart.getByRole("rowheader", { name: "46", exact: true })).toBeVisible();
    await costs.getByRole("button", { name: `${title} as a table` }).click();
  }
  await costs.getByRole("tab", { name: "Load" }).click();
  const points = costs
    .getByRole("region", { name: "Residuals" })
    .locator(".recharts-scatter-symbol");
  await expect(points).toHaveCount(15);

  await goTo(page, "Results");
  await expect(page.getByText("This answer is stale.")).toBeVisible();
  await optimise(page);
  const measured = await costOf(page);
  expect(measured).not.toBe(before);

  await openCosts(page);
  await choice(page).selectOption("default");
  await expect(undoButton(page)).toHaveAccessibleName("Undo: Use the cost model default");
  await optimise(page);
  expect(await costOf(page)).toBe(before);
  await openCosts(page);
  await undoButton(page).click();
  await expect(choice(page)).toHaveValue("staging");
  await undoButton(page).click();
  await expect(choice(page)).toHaveValue("default");
  await expect(choice(page).getByRole("option")).toHaveCount(2);
});

test("a fitted model is kept with the project and can be pasted, dropped and removed", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  const costs = await openCosts(page);
  const text = await readFile(example, "utf8");
  const box = costs.getByRole("form", { name: "Paste a profile" });
  await box.getByRole("textbox", { name: "Or paste" }).fill(text.replaceAll(",", "\t"));
  await box.getByRole("textbox", { name: "Name" }).fill("lab");
  await box.getByRole("button", { name: "Fit the model" }).click();
  await expect(costs.getByRole("status")).toContainText("The pasted profile was fitted.");
  await drop(page, "rack 2.csv", text);
  await expect(costs.getByRole("status")).toContainText("rack 2.csv was fitted.");
  await expect(choice(page).getByRole("option")).toHaveText([
    "default (a preset)",
    "paper (a preset)",
    "lab (fitted to 99 measurements)",
    "rack 2 (fitted to 99 measurements)",
  ]);

  await page.reload();
  await openCosts(page);
  await expect(choice(page)).toHaveValue("rack 2");
  await goTo(page, "Start");
  const { settings } = JSON.parse(await downloadProject(page));
  expect(settings.costModel.name).toBe("rack 2");
  expect(settings.costModels.map(({ name }: { name: string }) => name)).toEqual(["lab", "rack 2"]);

  await openCosts(page);
  await costs.getByRole("button", { name: "Remove from project" }).click();
  await expect(choice(page)).toHaveValue("default");
  await expect(choice(page).getByRole("option")).toHaveCount(3);
});

test("a profile that cannot be fitted is refused with every reason, and nothing changes", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  const costs = await openCosts(page);
  const text = await readFile(example, "utf8");
  const collinear = text.replaceAll(
    /^get,(\d+),\d+,/gm,
    (_, n: string) => `get,${n},${10 * Number(n)},`,
  );
  const refusals: readonly (readonly [string, string, RegExp])[] = [
    ["collinear.csv", collinear, /n and w rise and fall together.*Add get rows in which n changes/],
    [
      "short.csv",
      text.replaceAll(/^(?:put|delete),,(?!1,).*\n/gm, ""),
      /too few put rows: \d for 2 coefficients/,
    ],
    ["half.csv", text.replaceAll(/^load,.*\n/gm, ""), /no load rows.*Add at least 4 load rows/],
    ["typo.csv", text.replace("get,1,1,32", "get,1,one,32"), /line 3.*“one”, which is no number/],
    ["picture.csv", "PNG\u0000\u0001", /does not name the columns/],
  ];
  for (const [name, profile, reason] of refusals) {
    await choose(page, name, profile);
    const message = costs.getByRole("alert");
    await expect(message).toContainText(`${name} cannot be fitted.`);
    await expect(message).toContainText(reason);
    await message.getByRole("button", { name: "Close this message" }).click();
    await expect(message).toBeHidden();
  }
  await expect(choice(page)).toHaveValue("default");
  await expect(undoButton(page)).toBeDisabled();
});

test("a fit that has to be doubted says so, beside the coefficient and above", async ({ page }) => {
  await openExample(page, "Users and items");
  const costs = await openCosts(page);
  await choose(page, "thin.csv", doubtful(await readFile(example, "utf8")));
  const message = costs.getByRole("status");
  await expect(message).toContainText(
    "perRow of T′(w) is 0.1 ms, but the measurements do not tell",
  );
  await expect(message).toContainText(/fixed of T″\(size\) was estimated as −\d+ ms.*set to 0/);
  await expect(coefficient(costs, "Put", 1)).toContainText("do not tell it from 0");
  await expect(coefficient(costs, "Extract", 0)).toContainText(/Estimated as −\d+\sms.*0\ss/);
  await look(page, "doubtful");
});

test("a run that starts shows itself, whatever was looked at", async ({ page }) => {
  await openExample(page, "Auction site");
  await openCosts(page);
  await optimiseButton(page).click();
  await expect(page.getByRole("tab", { name: "Run", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await header(page).getByRole("button", { name: "Stop" }).click();
});

for (const theme of ["light", "dark"] as const)
  test(`the cost model looks right in ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openExample(page, "Users and items");
    const costs = await openCosts(page);
    await look(page, `${theme} default`);
    const text = await readFile(example, "utf8");
    await choose(page, "collinear.csv", text.replaceAll(/^get,(\d+),\d+,/gm, "get,$1,$1,"));
    await expect(costs.getByRole("alert")).toBeVisible();
    await costs.getByRole("alert").scrollIntoViewIfNeeded();
    await look(page, `${theme} refused`);
    await choose(page, "staging.csv", text);
    await expect(costs.getByRole("status")).toBeVisible();
    await look(page, `${theme} fitted`);
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await costs.getByRole("heading", { name: "From measurements" }).scrollIntoViewIfNeeded();
    await look(page, `${theme} below`);
  });

// ----------------------------------------------------------------------------------------- helpers

async function openCosts(page: Page): Promise<Locator> {
  await goTo(page, "Optimise");
  await page.getByRole("tab", { name: "Cost model" }).click();
  return page.getByRole("tabpanel", { name: "Cost model" });
}

function choice(page: Page): Locator {
  return room(page, "Optimise").getByRole("combobox", { name: "Cost model in use" });
}

function undoButton(page: Page): Locator {
  return header(page).getByRole("button", { name: /^Undo/ });
}

/** The profile with puts that scatter more than they cost, and extracts that seem to start before they begin. */
function doubtful(profile: string): string {
  const puts = [51.1, 49.2, 49.3, 51.4].map((time, index) => `put,,${index + 1},,,${time}`);
  const extracts = [10, 19.5, 29.9, 40.2, 49.6].map(
    (seconds, index) => `extract,,,,${index + 1}e9,${seconds * 1000}`,
  );
  const rest = profile.replaceAll(/^(?:put|delete|extract),.*\n/gm, "");
  return `${rest}${[...puts, ...extracts].join("\n")}\n`;
}

/** A row of the table of coefficients, counted within its operation. */
function coefficient(costs: Locator, operation: string, index: number): Locator {
  const group = costs.getByRole("rowgroup").filter({ hasText: operation });
  return group.first().getByRole("row").nth(index);
}

async function costOf(page: Page): Promise<string> {
  await expect(room(page, "Results")).toBeVisible(solved);
  return textOf(figure(room(page, "Results"), /cost/i).first());
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await page.getByText("Choose a profile").click();
  const buffer = Buffer.from(text);
  await (await chosen).setFiles({ name, mimeType: "text/csv", buffer });
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file, { type: "text/csv" }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.getByText("or drop it here").dispatchEvent("drop", { dataTransfer: data });
}

/** Attaches a picture at both sizes of screen and checks that nothing is wider than its place. */
async function look(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  for (const screen of [
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ]) {
    await page.setViewportSize(screen);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    for (const place of [page.locator("html"), page.getByRole("main")]) {
      const tooWide = await place.evaluate(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      );
      expect.soft(tooWide, `${name} ${screen.width}: pixels too wide`).toBeLessThanOrEqual(0);
    }
    const body = await page.screenshot({ animations: "disabled" });
    await test.info().attach(`${name} ${screen.width}`, { body, contentType: "image/png" });
  }
}
