/** Everything by keyboard from one field: found by words, run by Enter; the help is made of the same list. */
import AxeBuilder from "@axe-core/playwright";
import { expect, header, openExample, room, test } from "./journey.ts";

test.setTimeout(180_000);

test("commands of all rooms are found by their words and run", async ({ page }) => {
  await openExample(page, "Hotel reservations");
  const palette = page.getByRole("dialog", { name: "Commands" });
  const field = palette.getByRole("combobox", { name: "Find a command" });
  const opener = header(page).getByRole("button", { name: "Commands" });

  await opener.focus();
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press("Control+k");
  await field.fill("work");
  await expect(palette.getByRole("option", { selected: true })).toHaveText(/^Go to Workload/);
  await page.keyboard.press("Enter");
  await expect(room(page, "Workload")).toBeVisible();

  await page.keyboard.press("Control+k");
  await field.fill("guest entity");
  await page.keyboard.press("Enter");
  await expect(room(page, "Model")).toBeVisible();

  await page.keyboard.press("Control+k");
  await field.fill("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  await page.keyboard.press("Control+k");
  await field.fill("share");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Share" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await field.fill("no such thing");
  await expect(palette.getByText("No command holds these words.")).toBeVisible();
  await field.fill("go to");
  const first = await palette.getByRole("option", { selected: true }).textContent();
  await page.keyboard.press("ArrowDown");
  await expect(palette.getByRole("option", { selected: true })).not.toHaveText(first ?? "");
  await page.keyboard.press("ArrowUp");
  await expect(palette.getByRole("option", { selected: true })).toHaveText(first ?? "");
  await page.keyboard.press("Escape");

  await page.keyboard.press("?");
  const keys = page.getByRole("complementary", { name: "Keys" });
  await expect(keys).toContainText("Find a command");
  await expect(keys).toContainText("Play or pause the time steps");
});
