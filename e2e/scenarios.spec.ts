/** What if: a scenario overrides curves, counts and limits, is compared with the project, and answers for itself. */
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  goTo,
  gridCell,
  header,
  improveOnlyWhenAsked,
  openExample,
  optimise,
  test,
} from "./journey.ts";

test.setTimeout(180_000);

const statement = "q1 Users of items with a name";

test("edits under a scenario are its own, are compared, undone, and answered", async ({ page }) => {
  await improveOnlyWhenAsked(page);
  await openExample(page, "Users and items");
  await optimise(page);
  const stale = header(page).getByRole("link", { name: "Answer is stale" });

  const panel = await openScenarios(page);
  await panel.getByRole("button", { name: "New scenario" }).click();
  await panel.getByRole("button", { name: "Rename “Scenario 1”" }).click();
  await panel.getByRole("textbox", { name: "New name of “Scenario 1”" }).fill("Night");
  await page.keyboard.press("Enter");
  await expect(header(page).getByRole("button", { name: /showing “Night”/ })).toBeVisible();
  await panel.getByRole("button", { name: "Multiply", exact: true }).click();
  await page.keyboard.press("Escape");
  const banner = page.getByRole("region", { name: "You are in the scenario “Night”." });
  await expect(banner).toContainText("belong to it alone");

  await goTo(page, "Model");
  await page
    .getByRole("region", { name: "Entities" })
    .getByRole("button", { name: /^item \d/ })
    .click();
  const records = page.getByRole("textbox", { name: "Records of item" });
  await records.fill("99");
  await records.press("Enter");
  await goTo(page, "Workload");
  await expect(gridCell(page, statement, 2)).toHaveText("24");
  await expect(header(page).getByRole("button", { name: /^Undo/ })).toHaveAccessibleName(
    "Undo: Change the records of item in “Night”",
  );
  await openScenarios(page);
  const compare = panel.getByRole("region", { name: "Compare inputs" });
  await expect(compare.getByRole("row", { name: /^Records of item 20\s000 99/ })).toBeVisible();
  await expect(
    compare.getByRole("row", { name: new RegExp(`^Curve of ${statement}`) }),
  ).toBeVisible();
  await expectNoBarriers(page);

  // Back in the project nothing has changed, its answer is current; undo shows the scenario it changes.
  await panel.getByRole("button", { name: "Show “The project itself”" }).click();
  await page.keyboard.press("Escape");
  await expect(banner).toBeHidden();
  await expect(stale).toBeHidden();
  await expect(gridCell(page, statement, 2)).toHaveText("12");
  await header(page).getByRole("button", { name: /^Undo/ }).click();
  await expect(banner).toBeVisible();
  await header(page).getByRole("button", { name: /^Redo/ }).click();
  await openScenarios(page);
  await compare.getByRole("button", { name: "Take back: Records of item" }).click();
  await expect(compare.getByRole("row", { name: /^Records of item/ })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(stale.or(header(page).getByRole("link", { name: /Same tables now/ }))).toBeVisible();
  await optimise(page);
  await expect(header(page).getByRole("link", { name: "against static" })).toBeVisible();
  await banner.getByRole("button", { name: "Back to the project" }).click();
  await expect(header(page).getByRole("link", { name: "against static" })).toBeVisible();
});

async function openScenarios(page: Page): Promise<Locator> {
  await header(page)
    .getByRole("button", { name: /^Scenarios/ })
    .click();
  return page.getByRole("region", { name: "Scenarios", exact: true });
}

/** No fault of WCAG in light and in dark. */
async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}
