/**
 * What goes wrong says what, where and how to mend it: limits nothing fits into, a statement with a
 * spelling mistake, files that cannot be opened. Nothing typed is lost on the way.
 */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import {
  expect,
  figure,
  goTo,
  header,
  openExample,
  openFile,
  openStudio,
  optimiseButton,
  room,
  solved,
  stopButton,
  test,
} from "./journey.ts";

test.setTimeout(180_000);

test("a storage limit that nothing fits into is told in words, with the way out", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  await goTo(page, "Optimise");
  const limit = page.getByRole("textbox", { name: "Storage limit" });
  await limit.fill("1 kB");
  await limit.press("Enter");
  await optimiseButton(page).click();

  const run = room(page, "Optimise");
  const ended = run.getByRole("region", { name: "No schema fits these limits" });
  await expect(ended).toBeVisible(solved);
  await expect(ended).toContainText(/Raise the limit to [\d\s]+ bytes \([\d.]+\s[kM]B\) or more/);
  await expect(header(page).getByRole("link", { name: "No new answer: see why" })).toBeVisible();
  await goTo(page, "Results");
  await expect(room(page, "Results")).toContainText("The last run gave no answer.");

  await goTo(page, "Optimise");
  const smallest = ended.getByRole("button", { name: /^Set the limit to [\d.]+\s[kM]B$/ });
  const bytes = (await smallest.getAttribute("title")) ?? "";
  await smallest.click();
  await expect(limit).toHaveAccessibleDescription(new RegExp(bytes.replaceAll(/\s/g, "\\s")));
  await optimiseButton(page).click();
  await expect(room(page, "Results")).toBeVisible(solved);
  await expect(figure(room(page, "Results"), "Proof")).toHaveText("Optimal");
  await expect(header(page).getByRole("button", { name: /^Undo/ })).toHaveAccessibleName(
    "Undo: Set the storage limit",
  );
});

test("a storage limit that is no size stays in its field with the reason", async ({ page }) => {
  await openExample(page, "Users and items");
  await goTo(page, "Optimise");
  const limit = page.getByRole("textbox", { name: "Storage limit" });
  await limit.fill("plenty");
  await limit.press("Enter");
  await expect(limit).toHaveAttribute("aria-invalid", "true");
  await expect(limit).toHaveAccessibleDescription("“plenty” is no number.");
  await expect(limit).toHaveValue("plenty");
  await limit.press("Escape");
  await expect(limit).toHaveValue(/^3\sMB$/);
});

test("a spelling mistake in a statement is marked, explained and kept, and blocks a run", async ({
  page,
}) => {
  const statement = "q1 Users of items with a name";
  const wrong = "SELECT user.id, user.nmae FROM user.items WHERE items.name = ?";
  await openExample(page, "Users and items");
  await goTo(page, "Workload");
  const text = page.getByRole("textbox", { name: "Statement text" });
  await text.fill(wrong);

  const editor = page.getByRole("region", { name: `Statement ${statement}` });
  await expect(text).toHaveAttribute("aria-invalid", "true");
  const marked = editor.getByText("nmae", { exact: true });
  await expect(marked).toHaveCSS("text-decoration-line", "underline");
  const mistake = editor.getByRole("listitem").filter({ hasText: "Error:" });
  await expect(mistake).toContainText("nmae");
  await expect(mistake).toContainText(/name/);
  const statements = page.getByRole("region", { name: "Statements", exact: true });
  await expect(statements.getByRole("button", { name: statement })).toContainText("has errors");
  await mistake.getByRole("button", { name: /^Go to line 1, column \d+$/ }).click();
  await expect(text).toBeFocused();

  await optimiseButton(page).click();
  const blocked = page.getByRole("region", { name: "1 mistake stands in the way of a run" });
  await expect(blocked).toContainText("nmae");
  await expect(stopButton(page)).toBeHidden();
  await page.reload();
  await blocked.getByRole("button", { name: `Go to the statement “${statement}”` }).click();
  await expect(room(page, "Workload")).toBeVisible();
  await expect(text).toHaveText(wrong);

  await text.fill(wrong.replace("nmae", "name"));
  await expect(editor).toContainText("The statement is understood.");
  await optimiseButton(page).click();
  await expect(room(page, "Results")).toBeVisible(solved);
});

test("files that cannot be opened are refused with reasons, and the project stays", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  await goTo(page, "Start");
  const file = await exampleFile();

  await refuses(page, "half.json", file.slice(0, 400), /line \d+/i);
  await refuses(page, "newer.json", changed(file, { version: 99 }), /newer Tidetable/);
  await refuses(page, "foreign.json", '{ "tables": [] }', /Tidetable/);
  await refuses(page, "negative.json", file.replace('"count": 1000', '"count": -5'), /user/);
  const unknown = file.replace('"entity": "item"', '"entity": "itm"');
  await refuses(page, "unknown.json", unknown, /There is no entity itm/);
  await refuses(page, "script.json", "<script>document.title = 'taken over'</script>", /./);
  await expect(page).toHaveTitle(/Tidetable/);

  await expect(page.getByRole("textbox", { name: "Project name" })).toHaveValue("Users and items");
  await expect(room(page, "Start").getByText("2 entities · 2 statements").last()).toBeVisible();
});

test("a name that looks like markup is shown as it is written", async ({ page }) => {
  await openStudio(page);
  const name = "<img src=x onerror=\"document.title='taken over'\">";
  await openFile(page, "markup.json", changed(await exampleFile(), { name }));
  await expect(room(page, "Model")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Project name" })).toHaveValue(name);
  await goTo(page, "Start");
  // In the list of projects and above it, as the open one.
  for (const told of await room(page, "Start").getByText(name).all())
    await expect(told).toBeVisible();
  await expect(room(page, "Start").getByText(name).first()).toBeVisible();
  await expect(page).toHaveTitle(/Tidetable/);
});

/** Opening the file fails: the message names it and a reason, and closes again. */
async function refuses(page: Page, name: string, text: string, reason: RegExp): Promise<void> {
  // The button stands at the foot of the page; what comes of it is said at its head.
  await page.getByText("Choose a project file").scrollIntoViewIfNeeded();
  await openFile(page, name, text);
  const message = room(page, "Start").getByRole("alert");
  await expect(message).toBeInViewport();
  await expect(message).toContainText(`${name} cannot be opened.`);
  await expect(message.getByRole("listitem").first()).toHaveText(reason);
  await message.getByRole("button", { name: "Close this message" }).click();
  await expect(message).toBeHidden();
}

function exampleFile(): Promise<string> {
  return readFile(new URL("../src/examples/user-item/document.json", import.meta.url), "utf8");
}

function changed(file: string, change: object): string {
  return JSON.stringify({ ...JSON.parse(file), ...change });
}
