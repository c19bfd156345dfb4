/**
 * “Why?” about a table and about a plan: who uses a table and what would come in its place, what speaks
 * against another plan, and at which frequency a plan would switch. On the example whose answer can be
 * told without a computer: two queries, room for the wide table of one.
 */
import type { Page } from "@playwright/test";
import {
  expect,
  goTo,
  gridCell,
  openExample,
  optimise,
  showResults,
  slider,
  solved,
  test,
} from "./journey.ts";

test.setTimeout(180_000);

const byName = "q1 Users of items with a name";

test.beforeEach(async ({ page }) => {
  await openExample(page, "Two queries change places");
  await optimise(page);
});

test("a table says who uses it, what keeping it costs, and what there would be without it", async ({
  page,
}) => {
  const schema = await showResults(page, "Schema");
  const card = schema
    .getByRole("listitem")
    .filter({ hasText: "[item.name] [item.id↑, user.id↑] → user.email, user.name" });
  const why = card.getByRole("button", { name: /^Why is CF\s\d+ here\?$/ });
  await why.focus();
  await page.keyboard.press("Enter");
  const panel = schema.getByRole("complementary", { name: /^Why CF\s\d+ is here$/ });
  await expect(panel).toContainText("It exists at steps 1–3.");
  await expect(panel).toContainText(
    new RegExp(`${byName} reads it at steps 1–3: \\d[\\d.]*\\ss, \\d[\\d.]*\\s% of the cost`),
    solved,
  );
  await expect(panel).toContainText("Keeping it costs nothing");

  const without = panel.getByRole("region", { name: "Without it" });
  await expect(without).toContainText(
    /The best answer without it costs [\d.]+\smin: [\d.]+\ss more than this one \(\+[\d.]+\s%\)/,
  );
  await expect(without.getByText("estimate")).toBeHidden();
  const differences = without.getByRole("table", { name: "Difference by kind of cost" });
  await expect(differences.getByRole("row", { name: "Queries" })).toContainText(/\+[\d.]+\ss/);
  await expect(differences.getByRole("row", { name: "Extract" })).toContainText(/−[\d.]+\ss/);
  // The room goes to the other query's wide table, from the first step on.
  const instead = without.getByRole("region", { name: "Tables it has instead" });
  await expect(instead).toContainText("[item.quantity] [item.id↑, user.id↑]");
  await expect(instead).toContainText("steps 1–3");

  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(why).toBeFocused();
});

test("a plan that is not chosen says what speaks against it", async ({ page }) => {
  const plans = await showResults(page, "Plans");
  await slider(page).fill("1");
  const tree = plans.getByRole("table", { name: `Plans of ${byName}` });
  // Plan B, which takes over later on.
  const join = tree.getByRole("row").filter({ has: page.getByText("B", { exact: true }) });
  const why = join.getByRole("button", { name: "Why not this plan?" });
  await why.click();
  const told = tree.getByRole("region", { name: "Why not this plan at step 2 (04–08)" });
  await expect(told).toContainText(/An execution takes [\d.]+\sms longer/, solved);
  await expect(told).toContainText(/It takes longer itself: [\d.]+\ss more over the step\./);
  await expect(told).toContainText(
    /The best answer with this plan at this step costs [\d.]+\smin: [\d.]+\ss more than this one/,
  );
  await told.getByRole("button", { name: "Close the explanation" }).click();
  await expect(told).toBeHidden();
  await expect(why).toBeFocused();

  await test.step("an explanation of one step goes when the cursor moves on", async () => {
    await why.click();
    await expect(told).toBeVisible();
    await page.keyboard.press("]");
    await expect(tree.getByRole("region", { name: /^Why not this plan/ })).toBeHidden();
  });
});

test("a plan tells at which frequency it would switch, and there it does", async ({ page }) => {
  const plans = await showResults(page, "Plans");
  await slider(page).fill("1");
  await plans.getByRole("button", { name: "Why this plan? When would it switch?" }).click();
  const told = plans.getByRole("region", { name: "Why this plan at step 2 (04–08)" });
  const switches = told.getByRole("region", { name: "When would the plan switch?" });
  await expect(switches).toContainText("However often it is asked at this step", solved);
  const below = switches.getByRole("listitem").filter({ hasText: "Asked less often than" });
  await expect(below).toContainText("(now 0.9 /s), it would be answered by");
  const [, frequency = ""] = /than ([\d.]+)\s\/s/.exec((await below.textContent()) ?? "") ?? [];
  expect(Number(frequency)).toBeGreaterThan(0);
  expect(Number(frequency)).toBeLessThan(0.9);
  const others = told.getByRole("region", { name: "Other plans" });
  await expect(others.getByRole("heading", { name: "The cheapest other join" })).toBeVisible();
  await expect(others).toContainText(/There is no room|It takes longer itself/);

  await expectPlanKind(page, Number(frequency) + 0.01, "materialised view");
  await expectPlanKind(page, Number(frequency) - 0.01, "join");
});

/** With this frequency at step 2, one Get answers the query there, or a join does. */
async function expectPlanKind(page: Page, frequency: number, kind: string): Promise<void> {
  await goTo(page, "Workload");
  await gridCell(page, byName, 2).click();
  await page.keyboard.type(frequency.toFixed(3));
  await page.keyboard.press("Enter");
  await expect(gridCell(page, byName, 2)).toHaveText(/0\.8/);
  await optimise(page);
  const plans = await showResults(page, "Plans");
  const queries = plans.getByRole("region", { name: /^Queries at step 2 / });
  await expect(queries.getByRole("button", { name: `${kind} ${byName}` })).toBeVisible();
}
