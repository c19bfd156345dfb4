/**
 * A person changes an example, undoes and redoes, closes the page and comes back: the work and the last
 * answer are there, and a project taken away as a file is the same when it is opened again.
 */
import type { Locator, Page } from "@playwright/test";
import {
  downloadProject,
  expect,
  expectSaved,
  figure,
  goTo,
  gridCell,
  header,
  improveOnlyWhenAsked,
  openExample,
  openFile,
  optimise,
  room,
  test,
  textOf,
} from "./journey.ts";

test.setTimeout(180_000);

const statement = "q1 Users of items with a name";

test.beforeEach(async ({ page }) => {
  await improveOnlyWhenAsked(page);
  await openExample(page, "Users and items");
});

test("changes make the answer stale; undo and redo go through them by name", async ({ page }) => {
  await optimise(page);
  const answer = header(page).getByRole("link", { name: "against static" });
  const stale = header(page).getByRole("link", { name: "Answer is stale" });
  await expect(answer).toBeVisible();

  await changeThreeThings(page);
  await expect(stale).toBeVisible();
  await goTo(page, "Results");
  await expect(page.getByText("This answer is stale.")).toBeVisible();

  await test.step("undo", async () => {
    const undo = header(page).getByRole("button", { name: /^Undo/ });
    await expect(undo).toHaveAccessibleName("Undo: Set the storage limit");
    await undo.click();
    await expect(undo).toHaveAccessibleName("Undo: Change the records of item");
    await page.keyboard.press("Control+z");
    await expect(undo).toHaveAccessibleName(`Undo: Set ${statement} at step 2 (morning)`);
    await page.keyboard.press("Control+z");
    await expect(undo).toHaveAccessibleName("Undo");
    await expect(undo).toBeDisabled();
    await expect(answer).toBeVisible();
    await expect(page.getByText("This answer is stale.")).toBeHidden();
    await expectThings(page, { frequency: "12", records: "20 000", storage: "3 MB" });
  });

  await test.step("redo", async () => {
    const redo = header(page).getByRole("button", { name: /^Redo/ });
    await expect(redo).toHaveAccessibleName(`Redo: Set ${statement} at step 2 (morning)`);
    await redo.click();
    await expect(redo).toHaveAccessibleName("Redo: Change the records of item");
    await page.keyboard.press("Control+Shift+z");
    await expect(redo).toHaveAccessibleName("Redo: Set the storage limit");
    await page.keyboard.press("Control+y");
    await expect(redo).toBeDisabled();
    await expect(stale).toBeVisible();
    await expectThings(page, { frequency: "2.5", records: "25 000", storage: "3.5 MB" });
  });
});

test("a reload finds the project and its last answer", async ({ page }) => {
  await optimise(page);
  const cost = await textOf(figure(room(page, "Results"), "Cost over all steps"));
  await page.getByRole("button", { name: "Next step" }).click();
  await expectSaved(page);

  await page.reload();
  await expect(projectName(page)).toHaveValue("Users and items");
  await expect(room(page, "Results")).toBeVisible();
  await expect(figure(room(page, "Results"), "Cost over all steps")).toHaveText(cost);
  await expect(figure(room(page, "Results"), "Proof")).toHaveText("Optimal");
  await expect(page.getByText("This answer is stale.")).toBeHidden();
  await expect(page.getByRole("slider", { name: "Time step" })).toHaveValue("1");

  await changeThreeThings(page);
  await expectSaved(page);
  await page.reload();
  await expectThings(page, { frequency: "2.5", records: "25 000", storage: "3.5 MB" });
  await goTo(page, "Results");
  await expect(page.getByText("This answer is stale.")).toBeVisible();
  await expect(figure(room(page, "Results"), "Cost over all steps")).toHaveText(cost);
});

test("what was changed in the moment before a reload is not lost", async ({ page }) => {
  await expectSaved(page);
  await rename(page, "Written in a hurry");
  await page.reload();
  await expect(projectName(page)).toHaveValue("Written in a hurry");
});

test("a downloaded project opens again and is the same", async ({ page }) => {
  await changeThreeThings(page);
  await goTo(page, "Start");
  const file = await downloadProject(page);

  await openExample(page, "Hotel reservations");
  await goTo(page, "Start");
  await openFile(page, "users-and-items.json", file);
  await expect(room(page, "Model")).toBeVisible();
  await expect(projectName(page)).toHaveValue("Users and items");
  await expectThings(page, { frequency: "2.5", records: "25 000", storage: "3.5 MB" });
  await goTo(page, "Start");
  expect(await downloadProject(page)).toBe(file);
});

function projectName(page: Page): Locator {
  return page.getByRole("textbox", { name: "Project name" });
}

async function rename(page: Page, name: string): Promise<void> {
  await projectName(page).fill(name);
  await projectName(page).press("Enter");
}

/** One change in each of three rooms: a frequency by keyboard alone, a record count, the storage limit. */
async function changeThreeThings(page: Page): Promise<void> {
  await goTo(page, "Workload");
  await gridCell(page, statement, 1).focus();
  await page.keyboard.press("ArrowRight");
  await expect(gridCell(page, statement, 2)).toBeFocused();
  await page.keyboard.type("2.5");
  await page.keyboard.press("Enter");
  await expect(gridCell(page, statement, 2)).toHaveAccessibleName(/: 2\.5 per second$/);

  await goTo(page, "Model");
  const entities = page.getByRole("region", { name: "Entities" });
  await entities.getByRole("button", { name: /^item \d/ }).click();
  const records = page.getByRole("textbox", { name: "Records of item" });
  await records.fill("25 000");
  await records.press("Enter");

  await goTo(page, "Optimise");
  const storage = page.getByRole("textbox", { name: "Storage limit" });
  await storage.fill("3.5 MB");
  await storage.press("Enter");
}

async function expectThings(
  page: Page,
  wanted: { readonly frequency: string; readonly records: string; readonly storage: string },
): Promise<void> {
  await goTo(page, "Workload");
  await expect(gridCell(page, statement, 2)).toHaveText(wanted.frequency);
  await goTo(page, "Model");
  const entities = page.getByRole("region", { name: "Entities" });
  await entities.getByRole("button", { name: /^item \d/ }).click();
  // Digits stand in groups of three, with a narrow space between them.
  const records = new RegExp(`^${wanted.records.replaceAll(" ", "\\s")}$`);
  await expect(page.getByRole("textbox", { name: "Records of item" })).toHaveValue(records);
  await goTo(page, "Optimise");
  const storage = new RegExp(`^${wanted.storage.replaceAll(" ", "\\s")}$`);
  await expect(page.getByRole("textbox", { name: "Storage limit" })).toHaveValue(storage);
}
