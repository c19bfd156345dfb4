/**
 * Several projects in one browser, several tabs on one project, and storage that fails: what was saved
 * stays, what was not is said, and nobody overwrites anybody.
 */
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  expectSaved,
  goTo,
  header,
  openExample,
  openStudio,
  room,
  test,
} from "./journey.ts";

test.setTimeout(180_000);

test("projects are listed, renamed, duplicated, deleted and brought back", async ({ page }) => {
  await openExample(page, "Users and items");
  await expectSaved(page);
  await goTo(page, "Start");
  await page.getByRole("button", { name: /^Likes/ }).click();
  await expect(projectName(page)).toHaveValue("Likes");
  await expectSaved(page);

  const menu = await openMenu(page);
  await menu.getByRole("button", { name: "Duplicate “Likes”" }).click();
  await menu.getByRole("button", { name: "Rename “Likes (copy)”" }).click();
  await menu.getByRole("textbox", { name: "New name of “Likes (copy)”" }).fill("Fewer likes");
  await page.keyboard.press("Enter");
  await expect(menu.getByRole("button", { name: "Rename “Fewer likes”" })).toBeFocused();
  await menu.getByRole("button", { name: "Delete “Users and items”" }).click();
  await expect(menu.getByText("“Users and items” was deleted.")).toBeVisible();
  await expect(menu.getByRole("button", { name: "Open “Users and items”" })).toBeHidden();
  await menu.getByRole("button", { name: "Undo: bring “Users and items” back" }).click();
  await menu.getByRole("button", { name: "Open “Users and items”" }).click();
  await expect(projectName(page)).toHaveValue("Users and items");
  await expect(menu).toBeHidden();

  // The last one is open after a reload; the open one may be deleted too.
  await page.reload();
  await expect(projectName(page)).toHaveValue("Users and items");
  await goTo(page, "Start");
  const list = room(page, "Start").getByRole("region", { name: "Your projects" });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await list.getByRole("button", { name: "Delete “Users and items”" }).click();
  await expect(projectName(page)).toHaveValue("Untitled");
  await list.getByRole("button", { name: "Open “Fewer likes”" }).click();
  await expect(projectName(page)).toHaveValue("Fewer likes");
  await expect(page.getByRole("application", { name: "Entity graph" })).toBeVisible();
});

test("an older copy opens as a project of its own", async ({ page }) => {
  await openExample(page, "Likes");
  await expectSaved(page);
  await page.reload();
  await rename(page, "Changed");
  await expectSaved(page);
  const menu = await openMenu(page);
  await menu.getByText("Older copies").click();
  await menu.getByRole("button", { name: /^Open as a project: .*as it was opened/ }).click();
  await expect(projectName(page)).toHaveValue("Likes");
  await expect(menu.getByRole("button", { name: "Open “Changed”" })).toBeVisible();
});

test("a second tab reads what the first saves, and takes over without a loss", async ({
  page,
  context,
}) => {
  await openExample(page, "Users and items");
  await expectSaved(page);
  const other = await context.newPage();
  await other.goto("./");
  await expect(other.getByText("This project is open in another tab.")).toBeVisible();
  await rename(other, "Not allowed");
  await expect(other.getByText("Your change was not made")).toBeVisible();
  await rename(page, "From the first tab");
  await expect(projectName(other)).toHaveValue("From the first tab");
  await expectNoBarriers(other);

  await rename(page, "In the last moment");
  await other.getByRole("button", { name: "Take it over" }).click();
  await expect(projectName(other)).toHaveValue("In the last moment");
  await expect(other.getByRole("button", { name: "Take it over" })).toBeHidden();
  await expect(page.getByText("This project is open in another tab.")).toBeVisible();
  await rename(other, "From the second tab");
  await expect(projectName(page)).toHaveValue("From the second tab");

  await other.close();
  await expect(page.getByText("This project is open in another tab.")).toBeHidden();
  await rename(page, "Alone again");
  await expectSaved(page);
});

test("a page that is killed in the middle of a save loses nothing saved before", async ({
  page,
  context,
}) => {
  await openExample(page, "Users and items");
  await rename(page, "Saved before");
  await expectSaved(page);
  // From now on a transaction that has written the text stays open until the page dies.
  const inTheMiddle = new Promise<void>((reached) => {
    void page.exposeFunction("nowInTheMiddle", () => reached());
  });
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
      const request = put.call(this, value, key);
      if (this.name === "texts") {
        const hold = (): void => {
          this.get("nothing").onsuccess = hold;
        };
        hold();
        (window as unknown as { readonly nowInTheMiddle: () => void }).nowInTheMiddle();
      }
      return request;
    };
  });
  await rename(page, "Never saved");
  await inTheMiddle;
  const devtools = await context.newCDPSession(page);
  const dead = page.waitForEvent("crash");
  void devtools.send("Page.crash").catch(() => undefined);
  await dead;

  const next = await context.newPage();
  await next.goto("./");
  await expect(projectName(next)).toHaveValue("Saved before");
  await goTo(next, "Model");
  await expect(next.getByRole("region", { name: "Entities" })).toContainText("item");
  await rename(next, "Saved after");
  await expectSaved(next);
});

test.describe("storage that fails", () => {
  test("blocked: told at once, and the work goes on", async ({ page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not here", "SecurityError");
      };
    });
    await openStudio(page);
    await expect(room(page, "Start").getByRole("alert").first()).toContainText(
      "does not let this page store anything",
    );
    await page.getByRole("button", { name: /^Likes/ }).click();
    const told = page.getByRole("region", { name: "Your last changes are not saved." });
    await expect(told).toContainText("export the project to a file");
    const started = page.waitForEvent("download");
    await told.getByRole("button", { name: "Download the project" }).click();
    expect(await readFile(await (await started).path(), "utf8")).toContain('"name": "Likes"');
  });

  test("full: told with what to do, and saved once there is room", async ({ page }) => {
    await openExample(page, "Likes");
    await expectSaved(page);
    await page.evaluate(() => {
      const put = IDBObjectStore.prototype.put;
      Object.assign(window, { makeRoom: () => (IDBObjectStore.prototype.put = put) });
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("no room", "QuotaExceededError");
      };
    });
    await rename(page, "One too many");
    const told = page.getByRole("region", { name: "Your last changes are not saved." });
    await expect(told).toContainText("The browser's storage is full.");
    await page.evaluate(() => (window as unknown as { makeRoom: () => void }).makeRoom());
    await told.getByRole("button", { name: "Try again" }).click();
    await expectSaved(page);
    await expect(told).toBeHidden();
  });
});

test("a project file may be dropped anywhere; another file takes nothing away", async ({
  page,
}) => {
  await openStudio(page);
  const file = new URL("../src/examples/hotel/document.json", import.meta.url);
  await goTo(page, "Results");
  await drop(page, "hotel.json", await readFile(file, "utf8"));
  await expect(projectName(page)).toHaveValue("Hotel reservations");
  await drop(page, "notes.txt", "dear diary");
  await expect(page.getByRole("alert")).toContainText("notes.txt is not a Tidetable project");
  await expect(projectName(page)).toHaveValue("Hotel reservations");
});

async function openMenu(page: Page): Promise<Locator> {
  await header(page).getByRole("button", { name: "Projects" }).click();
  return page.getByRole("region", { name: "Projects" });
}

function projectName(page: Page): Locator {
  return page.getByRole("textbox", { name: "Project name" });
}

async function rename(page: Page, name: string): Promise<void> {
  await projectName(page).fill(name);
  await projectName(page).press("Enter");
}

function drop(page: Page, name: string, text: string): Promise<void> {
  return page.evaluate(
    ([fileName = "", content = ""]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
    },
    [name, text],
  );
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
