/** The Model room: the same drawing by mouse on the canvas and by keyboard in the outline. */
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { downloadProject, expect, goTo, header, openStudio, room, test } from "./journey.ts";

test.setTimeout(180_000);

/** What of a document is compared: everything drawn, with its ids, but not where it stands. */
interface Drawn {
  readonly entities: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

async function drawing(page: Page): Promise<Drawn> {
  await goTo(page, "Start");
  const { entities, relationships } = JSON.parse(await downloadProject(page)) as Drawn;
  return { entities, relationships };
}

const canvas = (page: Page): Locator => page.getByRole("application", { name: "Entity graph" });
const outline = (page: Page): Locator => page.getByRole("region", { name: "Entities" });
const card = (page: Page, name: string): Locator =>
  canvas(page).getByRole("group", { name: new RegExp(`^Entity ${name},`) });

async function fill(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press("Enter");
}

async function centre(place: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error("not on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Presses the empty canvas twice, and fills in the card that opens. */
async function drawEntity(page: Page, x: number, name: string, records: string): Promise<void> {
  await canvas(page).dblclick({ position: { x, y: 200 } });
  const open = canvas(page).locator(".open-card");
  const old = /^Name of entity\d?$/;
  await fill(open.getByRole("textbox", { name: old }), name);
  await fill(open.getByRole("textbox", { name: `Records of ${name}` }), records);
  await open.getByRole("button", { name: "Done" }).click();
  await expect(open).toBeHidden();
}

test("by mouse and by keyboard the same document is drawn", async ({ page }) => {
  await openStudio(page);
  await goTo(page, "Model");
  await drawEntity(page, 60, "shop", "20");
  await drawEntity(page, 460, "order", "5000");
  const source = card(page, "shop");
  await source.hover();
  const from = await centre(source.locator('[data-handleid="right"]'));
  const to = await centre(card(page, "order"));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  const edge = canvas(page).getByRole("img", { name: /shop has 0\.\.n orders \(order\)/ });
  await expect(edge).toHaveCount(1);
  await outline(page)
    .getByRole("combobox", { name: "How many orders each shop has" })
    .selectOption("1..n");
  await fill(outline(page).getByRole("textbox", { name: "Role of shop for order" }), "seller");
  await card(page, "order").dblclick();
  await canvas(page)
    .getByRole("checkbox", { name: /^identified within its seller/ })
    .check();
  await canvas(page).getByRole("button", { name: "Done" }).click();
  const byMouse = await drawing(page);

  await goTo(page, "Model");
  await card(page, "shop").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("status").filter({ hasText: "Deleted 2 entities." })).toBeVisible();

  await outline(page).getByRole("button", { name: "Add entity" }).press("Enter");
  await page.keyboard.type("shop");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("20");
  await page.keyboard.press("Enter");
  await outline(page).getByRole("button", { name: "Add entity" }).press("Enter");
  await page.keyboard.type("order");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("5000");
  await page.keyboard.press("Enter");
  await outline(page).getByRole("button", { name: "Open shop" }).press("Enter");
  await outline(page).getByRole("button", { name: "Relate shop to" }).press("Enter");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "order" })).toBeFocused();
  await page.keyboard.press("Enter");
  const many = outline(page).getByRole("combobox", { name: "How many orders each shop has" });
  await many.focus();
  await page.keyboard.press("ArrowDown");
  await expect(many).toHaveValue("1..n");
  await outline(page).getByRole("textbox", { name: "Role of shop for order" }).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("seller");
  await page.keyboard.press("Enter");
  await outline(page)
    .getByRole("button", { name: /^order \d/ })
    .press("Enter");
  await outline(page)
    .getByRole("checkbox", { name: /^identified within its seller/ })
    .press("Space");
  expect(await drawing(page)).toEqual(byMouse);
});

test("what is typed wrongly stays with its reason, and every step can be taken back", async ({
  page,
}) => {
  await openStudio(page);
  await goTo(page, "Model");
  await room(page, "Model").getByRole("button", { name: "Add the first entity" }).click();
  await page.keyboard.press("Escape");
  await outline(page)
    .getByRole("button", { name: /^Add attribute/ })
    .click();
  const name = outline(page).getByRole("textbox", { name: "Name of entity.attribute" });
  await fill(name, "ID");
  await expect(outline(page).getByRole("alert")).toHaveText(/already has an attribute called ID/);
  await expect(name).toHaveValue("ID");
  await fill(name, "colour");
  await expect(outline(page).getByRole("alert")).toBeHidden();

  await card(page, "entity").click();
  await page.keyboard.press("Control+d");
  await expect(card(page, "entity2")).toContainText("colour");
  const before = await centre(card(page, "entity2"));
  await card(page, "entity2").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  expect((await centre(card(page, "entity2"))).x).toBeGreaterThan(before.x);
  const moved = await centre(card(page, "entity2"));
  await page.mouse.move(moved.x, moved.y);
  await page.mouse.down();
  await page.mouse.move(moved.x + 90, moved.y + 40, { steps: 3 });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await centre(card(page, "entity2"))).toEqual(moved);

  const undo = header(page).getByRole("button", { name: /^Undo/ });
  const steps: string[] = [];
  while (await undo.isEnabled()) {
    steps.push((await undo.getAttribute("aria-label")) ?? "");
    await undo.click();
  }
  expect(steps).toEqual([
    "Undo: Move entity2",
    "Undo: Move entity2",
    "Undo: Move entity2",
    "Undo: Duplicate entity",
    "Undo: Rename entity.attribute to colour",
    "Undo: Add entity.attribute",
    "Undo: Add entity",
  ]);
  await expect(canvas(page).getByRole("group", { name: /^Entity / })).toHaveCount(0);
});

for (const theme of ["light", "dark"] as const)
  test(`the outline and open cards have no accessibility faults in ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openStudio(page);
    await page.getByRole("button", { name: /^Hotel reservations/ }).click();
    await card(page, "room").dblclick();
    await expect(canvas(page).locator(".open-card")).toBeVisible();
    await page.getByRole("combobox", { name: "Focus" }).selectOption({ index: 1 });
    const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const faults = async (): Promise<string[]> => {
      const { violations } = await new AxeBuilder({ page }).withTags(wcag).analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    };
    expect(await faults()).toEqual([]);
    await page.getByRole("toolbar").getByRole("button", { name: "Edit" }).click();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 800 });
    await outline(page)
      .getByRole("button", { name: /^room \d/ })
      .click();
    expect(await faults()).toEqual([]);
  });
