/**
 * Every view, light on three sizes of screen and dark on one (sizes do not depend on colours): pictures
 * for a person to look at, and what a machine can tell by itself — nothing wider or taller than its
 * place, no accessibility faults.
 */
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  goTo,
  header,
  openExample,
  openFile,
  openLongRun,
  openStudio,
  optimise,
  optimiseButton,
  optimiseUntilFirstAnswer,
  projectWithUpdates,
  room,
  showResults,
  solved,
  stopButton,
  test,
  updateLabels,
} from "./journey.ts";

interface Screen {
  readonly width: number;
  readonly height: number;
}

const usual: Screen = { width: 1280, height: 800 };
const screens: readonly Screen[] = [
  { width: 900, height: 700 },
  usual,
  { width: 1920, height: 1080 },
];

/** Every rule of WCAG 2.2 AA; of axe's own rules those of best practice are left to the reader. */
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

test.setTimeout(300_000);

for (const theme of ["light", "dark"] as const)
  test.describe(theme, () => {
    test.use({ colorScheme: theme });

    test(`the rooms of an empty project look right in ${theme}`, async ({ page }) => {
      await openStudio(page);
      await expect(header(page).getByText("Saved")).toBeHidden();
      await lookClosely(page, `${theme} start`);
      for (const name of ["Model", "Workload", "Optimise", "Results", "Sharding"] as const) {
        await goTo(page, name);
        await expect(
          room(page, name).getByRole("link", { name: "See the examples" }),
        ).toBeVisible();
        await expect(page.getByRole("heading", { level: 1, name, exact: true })).toHaveCount(1);
        await look(page, `${theme} empty ${name}`);
      }
      await page.keyboard.press("?");
      await expect(page.getByRole("complementary", { name: "Keys" })).toBeVisible();
      await lookClosely(page, `${theme} keys`);
    });

    test(`a large example and its run look right in ${theme}`, async ({ page }) => {
      await openLongRun(page);
      const entities = page.getByRole("region", { name: "Entities" });
      await entities.getByRole("button", { name: /^users \d/ }).click();
      await lookClosely(page, `${theme} model`);
      await expectWholeGraph(page);
      await goTo(page, "Workload");
      await lookClosely(page, `${theme} workload`);
      await goTo(page, "Optimise");
      await look(page, `${theme} optimise before`);
      await optimiseUntilFirstAnswer(page);
      await lookClosely(page, `${theme} optimise running`);
      await stopButton(page).click();
      await expect(room(page, "Results")).toBeVisible();
      for (const view of ["Cost and migrations", "Schema"] as const) {
        await showResults(page, view);
        await lookClosely(page, `${theme} results ${view}`);
      }
    });

    test(`a small example and its answer look right in ${theme}`, async ({ page }) => {
      await openExample(page, "Two queries change places");
      await optimise(page);
      await page.getByRole("button", { name: "Migrations as a table" }).click();
      await lookClosely(page, `${theme} results as a table`);
      await page.getByRole("button", { name: "Migrations as a table" }).click();
      await page.getByRole("button", { name: /: see its migration plan$/ }).click();
      await lookClosely(page, `${theme} results migration plan`);
      await showResults(page, "Plans");
      await expect(page.getByText(/\d plans can answer this query/)).toBeVisible();
      await lookClosely(page, `${theme} results Plans`);
      await goTo(page, "Optimise");
      await lookClosely(page, `${theme} optimise after`);
    });

    test(`explanations and updates look right in ${theme}`, async ({ page }) => {
      await openExample(page, "Two queries change places");
      await optimise(page);
      const schema = await showResults(page, "Schema");
      await schema
        .getByRole("button", { name: /^Why is CF/ })
        .first()
        .click();
      await expect(schema.getByRole("region", { name: "Without it" })).toBeVisible(solved);
      await lookClosely(page, `${theme} results why a table`);
      const plans = await showResults(page, "Plans");
      await plans.getByRole("button", { name: "Why not this plan?" }).first().click();
      await expect(plans.getByText(/^The best answer with this plan/)).toBeVisible(solved);
      await lookClosely(page, `${theme} results why not a plan`);

      await goTo(page, "Start");
      await openFile(page, "with-updates.json", await projectWithUpdates());
      await expect(room(page, "Model")).toBeVisible();
      await optimise(page);
      await showResults(page, "Plans");
      await page.getByRole("button", { name: updateLabels.restock }).click();
      await expect(page.getByText(/\d plans can answer this query/)).toBeVisible();
      await lookClosely(page, `${theme} results an update`);
    });

    test(`what goes wrong looks right in ${theme}`, async ({ page }) => {
      await openExample(page, "Users and items");
      await goTo(page, "Start");
      await openFile(page, "foreign.json", '{ "tables": [] }');
      await expect(page.getByRole("alert")).toBeVisible();
      await lookClosely(page, `${theme} start with a refused file`);

      await goTo(page, "Optimise");
      const limit = page.getByRole("textbox", { name: "Storage limit" });
      await limit.fill("1 kB");
      await limit.press("Enter");
      await optimiseButton(page).click();
      await expect(page.getByRole("heading", { name: "No schema fits" })).toBeVisible(solved);
      await lookClosely(page, `${theme} optimise infeasible`);
      await page.getByRole("button", { name: /^Set the limit to/ }).click();
      await optimise(page);

      await goTo(page, "Workload");
      const text = page.getByRole("textbox", { name: "Statement text" });
      await text.fill("SELECT user.nmae FROM user.items WHERE items.name = ?");
      await expect(text).toHaveAttribute("aria-invalid", "true");
      await lookClosely(page, `${theme} workload with a mistake`);
      await goTo(page, "Optimise");
      await look(page, `${theme} optimise blocked`);
      await goTo(page, "Results");
      await expect(page.getByText("This answer is stale.")).toBeVisible();
      await lookClosely(page, `${theme} results stale`);
    });
  });

test("the theme follows the device until a person chooses one, and then stays", async ({
  page,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await openStudio(page);
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(background).not.toBe(light);
  const button = page.getByRole("button", { name: /^Theme:/ });
  await button.click();
  await expect(button).toHaveAccessibleName(/^Theme: light/);
  await expect.poll(background).toBe(light);
  await page.reload();
  await expect(button).toHaveAccessibleName(/^Theme: light/);
  expect(await background()).toBe(light);
});

/** Every entity is within the canvas, whatever size the page had before. */
async function expectWholeGraph(page: Page): Promise<void> {
  const canvas = page.getByRole("application", { name: "Entity graph" });
  for (const screen of screens) {
    await page.setViewportSize(screen);
    for (const entity of await canvas.getByRole("group", { name: /^Entity / }).all())
      await expect(entity).toBeInViewport({ ratio: 0.99 });
  }
}

/** Attaches a picture of the view at every screen size and checks that nothing is wider than its place. */
async function look(page: Page, name: string): Promise<void> {
  // Nothing is pointed at.
  await page.mouse.move(0, 0);
  // The start page is a page to scroll; the rooms' panels scroll by themselves.
  const isStart = await room(page, "Start").isVisible();
  for (const screen of name.startsWith("dark") ? [usual] : screens) {
    await page.setViewportSize(screen);
    // Charts measure their new place and draw on the frames after.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const title = `${name} ${screen.width}`;
    for (const place of [page.locator("html"), page.getByRole("main")])
      expect.soft(await overflow(place), `${title}: pixels too wide`).toBeLessThanOrEqual(0);
    if (!isStart)
      expect.soft(await tooTall(page), `${title}: pixels too tall`).toBeLessThanOrEqual(0);
    const body = await page.screenshot({ animations: "disabled" });
    await test.info().attach(title, { body, contentType: "image/png" });
  }
}

/** Looks at the view, and checks its accessibility in the theme that is on. */
async function lookClosely(page: Page, name: string): Promise<void> {
  await look(page, name);
  const axe = new AxeBuilder({ page });
  // Of what axe looks for, contrast alone is another in the dark.
  const asked = name.startsWith("dark") ? axe.withRules("color-contrast") : axe.withTags(wcag);
  const { violations } = await asked.analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join("\n  ")}`);
  expect.soft(grave, `${name}: accessibility`).toEqual([]);
}

function tooTall(page: Page): Promise<number> {
  return page
    .getByRole("main")
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
}

function overflow(place: Locator): Promise<number> {
  return place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}
