/**
 * Updates in an answer: which tables they write at the cursor's step, what they have to read before
 * they can, and both in the cost and on the cards of the tables.
 */
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  openFile,
  openStudio,
  optimise,
  projectWithUpdates,
  room,
  showResults,
  slider,
  test,
  updateLabels,
} from "./journey.ts";

test.setTimeout(180_000);

const { rename, restock, offer } = updateLabels;

test.beforeEach(async ({ page }) => {
  await openStudio(page);
  await openFile(page, "with-updates.json", await projectWithUpdates());
  await expect(page.getByRole("application", { name: "Entity graph" })).toBeVisible();
});

test("an update lists the tables it writes and its support queries with their plans", async ({
  page,
}) => {
  await optimise(page);
  const plans = await showResults(page, "Plans");
  const updates = plans.getByRole("region", { name: "Updates at step 1 (night)" });
  await expect(updates.getByRole("listitem")).toHaveText([
    new RegExp(`${rename}.*0 tables`),
    new RegExp(`${restock}.*2 tables.*\\ss$`),
    new RegExp(`${offer}.*3 tables.*\\ss$`),
  ]);
  await updates.getByRole("button", { name: restock }).click();
  const shown = plans.getByRole("region", { name: restock, exact: true });
  await expect(shown).toContainText("UPDATE item SET quantity = ? WHERE item.id = ?");

  await test.step("a key that changes is deleted and put; a value is put over", async () => {
    const written = shown.getByRole("table", { name: `Tables that ${restock} writes` });
    const byQuantity = written.getByRole("row", { name: "[item.quantity]" });
    await expect(byQuantity.getByRole("cell")).toHaveText(["1", "1", /\d\ss$/, /\d\ss$/]);
    const byId = written.getByRole("row", { name: "[item.id] []" });
    await expect(byId.getByRole("cell")).toHaveText(["1", "–", /\d\ss$/, "–"]);
  });

  await test.step("the old key is read first, by a plan of its own", async () => {
    const support = shown.getByRole("region", { name: /^Support query: / });
    await expect(support).toHaveCount(1);
    await expect(support).toHaveAccessibleName(
      "Support query: item.quantity, item.user.id by item.id",
    );
    await expect(support).toContainText(/Asked before it writes to CF\s\d+: 4\.32\sk reads/);
    await expect(support.getByRole("status")).toContainText(/\d+ plans can answer this query/);
    const tree = support.getByRole("table", { name: /^Plans of the support query/ });
    const chosen = tree.getByRole("row", { name: "chosen at this step" });
    await expect(chosen).toContainText("[item.id] []");
    await expect(support.getByRole("button", { name: /^Plan A from step 1/ })).toBeVisible();
  });

  await test.step("costs follow the cursor", async () => {
    await slider(page).fill("2");
    await expect(shown).toContainText(/43\.2\sk executions at step 3 \(afternoon\)/);
    await expect(shown).toContainText(/43\.2\sk reads/);
    await plans.getByRole("button", { name: rename }).click();
    const renaming = plans.getByRole("region", { name: rename, exact: true });
    await expect(renaming).toContainText("It needs no support query");
    await slider(page).fill("0");
    await expect(renaming).toContainText("At step 1 (night) it writes to no table");
  });
});

test("tables say which updates write them, and whose support queries read them", async ({
  page,
}) => {
  await optimise(page);
  const results = room(page, "Results");
  await test.step("the cost of updates and their support queries is told", async () => {
    const legend = results.getByRole("table", { name: "Cost of the whole run by kind" });
    for (const kind of ["Updates", "Support queries"])
      await expect(legend.getByRole("row", { name: kind })).toHaveText(/[1-9].*\s(s|min).*%$/);
  });

  await showResults(page, "Schema");
  const byId = cardOf(page, "[item.id] [] →");
  await expect(byId).toContainText(`Read by support queries of${markOf(restock)}`);
  await expect(byId).toContainText(`Written by${markOf(restock)}${markOf(offer)}`);
  const byName = cardOf(page, "[item.name]");
  await expect(byName).toContainText(`Written by${markOf(offer)}`);
  await expect(byName).not.toContainText("support");
  await byId.getByRole("button", { name: restock }).first().click();
  await expect(page.getByRole("tab", { name: "Plans" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("heading", { name: restock })).toBeVisible();
});

function cardOf(page: Page, family: string): Locator {
  const schema = page.getByRole("tabpanel", { name: "Schema" });
  return schema.getByRole("listitem").filter({ hasText: family });
}

/** An update's mark reads “update” before its label. */
function markOf(update: string): string {
  return `update ${update}`;
}
