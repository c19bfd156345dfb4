/** The way from the start page to a plan without a mouse: Tab, Enter, arrows and the studio's own keys. */
import type { Locator, Page } from "@playwright/test";
import { expect, expectStep, openExample, openStudio, room, solved, test } from "./journey.ts";

test.setTimeout(180_000);

test("an example is opened, solved and read by keyboard alone", async ({ page }) => {
  await openStudio(page);
  await tabTo(page, page.getByRole("button", { name: "Skip to the room" }));
  await page.keyboard.press("Enter");
  await expect(room(page, "Start")).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: /^Users and items/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("application", { name: "Entity graph" })).toBeVisible();

  await page.keyboard.press("Control+Enter");
  await expect(room(page, "Results")).toBeVisible(solved);
  await tabTo(page, page.getByRole("tab", { name: "Cost and migrations" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Schema" })).toBeFocused();
  await expect(page.getByRole("heading", { name: /^Schema at step 1/ })).toBeVisible();
  const use = page.getByRole("button", { name: /^(materialised view|join) q2/ }).first();
  await tabTo(page, use);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Plans" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("heading", { name: /^q2/ })).toBeVisible();
  await tabTo(page, page.getByRole("slider", { name: "Time step" }));
  await page.keyboard.press("End");
  await expect(page.getByRole("heading", { name: /^Queries at step 4/ })).toBeVisible();
});

test("Space plays the time steps up to the last; ? lists the keys", async ({ page }) => {
  await openExample(page, "Users and items");
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expectStep(page, 4);
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();

  await page.keyboard.press("?");
  const keys = page.getByRole("complementary", { name: "Keys" });
  await expect(keys).toContainText("Play or pause the time steps");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
});

/** Presses Tab until the element has the focus, as a person would. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const hasFocus = (): Promise<boolean> =>
    wanted.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 80 && !(await hasFocus()); presses += 1)
    await page.keyboard.press("Tab");
  await expect(wanted).toBeFocused();
}
