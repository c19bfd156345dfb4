/**
 * Two queries change places: the example whose answer can be told without a computer. Storage has room
 * for one wide table; it belongs to the query that is frequent, so it changes hands once, after step 3.
 */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  expectStep,
  figure,
  goTo,
  openExample,
  optimise,
  room,
  showResults,
  slider,
  test,
  textOf,
} from "./journey.ts";

const wideByName = "[item.name] [item.id↑, user.id↑] → user.email, user.name";
const wideByQuantity = "[item.quantity] [item.id↑, user.id↑] → user.email, user.name";
const byName = "q1 Users of items with a name";
const byQuantity = "q2 Users of items with a quantity";

/** What the engine's own tests expect of this example; `#` stands for a step at which it holds. */
interface Expected {
  readonly claims: {
    readonly columnFamilies: Readonly<Record<string, string>>;
    readonly oneGet: Readonly<Record<string, string>>;
  };
  readonly golden: {
    readonly milliseconds: { readonly objective: number };
    readonly columnFamilies: Readonly<Record<string, string>>;
    readonly filledFrom: Readonly<Record<string, readonly string[]>>;
    readonly plans: { readonly q2: Readonly<Record<string, string>> };
  };
}
const expectedFile = new URL("../src/examples/crossover/expected.json", import.meta.url);
const { claims, golden }: Expected = JSON.parse(readFileSync(expectedFile, "utf8"));

test.setTimeout(180_000);

test.beforeEach(async ({ page }) => {
  await openExample(page, "Two queries change places");
});

test("the example shows its two entities, its two statements and their curves", async ({
  page,
}) => {
  const graph = page.getByRole("application", { name: "Entity graph" });
  await expect(graph.getByRole("group", { name: /^Entity / })).toHaveCount(2);
  await expect(graph.getByRole("group", { name: "Entity user, 1 000 records" })).toBeVisible();
  await expect(graph.getByRole("group", { name: /^Entity item/ })).toContainText("quantity");
  await expect(
    graph.getByRole("img", { name: "user has 0..n items (item); item has 1 user (user)" }),
  ).toBeVisible();

  await goTo(page, "Workload");
  const statements = page.getByRole("region", { name: "Statements", exact: true });
  await expect(statements.getByRole("listitem")).toHaveText([byName, byQuantity].map(startingWith));
  await statements.getByRole("button", { name: byQuantity }).click();
  await expect(page.getByRole("textbox", { name: "Statement text" })).toHaveText(
    /FROM user\.items WHERE items\.quantity = \?/,
  );
  const curves = page.getByRole("region", { name: "Frequency curves" });
  await expect(curves.getByText("12–16")).toBeVisible();
  const table = await asTable(
    curves,
    "Frequency curves",
    "Executions per second of every statement in every step",
  );
  await expect(table.getByRole("row")).toHaveCount(1 + 2);
  const frequencies = table.getByRole("row", { name: byQuantity }).getByRole("cell");
  await expect(frequencies).toHaveText(["0.1", "0.1", "0.1", "0.9", "0.9", "0.9"]);
});

test("the wide table changes hands once; schema and plans follow the time cursor", async ({
  page,
}) => {
  await optimise(page);
  const results = room(page, "Results");
  await expect(figure(results, "Proof")).toHaveText("Optimal");
  await expect(figure(results, "Changes of the schema")).toHaveText("1");
  const cost = numberOf((await figure(results, "Cost over all steps").getAttribute("title")) ?? "");
  expect(cost).toBeCloseTo(golden.milliseconds.objective, 2);

  await test.step("the schema of every step", async () => {
    await showResults(page, "Schema");
    await expectSchema(page, 1);
    await page.keyboard.press("]");
    await expectSchema(page, 2);
    await page.getByRole("button", { name: "Next step" }).click();
    await expectSchema(page, 3);
    await expect(cardOf(page, wideByName)).toContainText("dropped after this step");
    await slider(page).fill("3");
    await expectSchema(page, 4);
    await expect(cardOf(page, wideByQuantity)).toContainText("new at this step");
    await expect(cardOf(page, wideByQuantity)).toContainText(byQuantity);
    await page.keyboard.press("]");
    await expectSchema(page, 5);
    await page.keyboard.press("]");
    await expectSchema(page, 6);
    await page.getByRole("button", { name: "Previous step" }).click();
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await expectSchema(page, 3);
  });

  await test.step("the plan of every query at every step", async () => {
    const plans = await showResults(page, "Plans");
    for (let step = 1; step <= 6; step += 1) {
      await slider(page).fill(String(step - 1));
      await expectPlanKinds(plans, step);
    }
  });

  await test.step("the strip shows where a plan switches", async () => {
    const plans = await showResults(page, "Plans");
    await plans.getByRole("button", { name: byName }).click();
    await expectStrip(plans, [/^Plan A .* to step 3 .*materialised view/, /^Plan B .* 6 .*join/]);
    await plans.getByRole("button", { name: byQuantity }).click();
    await expectStrip(plans, [/^Plan A .* to step 3 .*join/, /^Plan B .* 6 .*materialised view/]);
    await plans.getByRole("button", { name: /^Plan B/ }).click();
    await expectStep(page, 4);
    const tree = plans.getByRole("table", { name: `Plans of ${byQuantity}` });
    const chosen = tree.getByRole("row", { name: "chosen at this step" });
    await expect(chosen).toContainText(golden.plans.q2["from step 4"] ?? "");
    await expect(plans.getByRole("status")).toContainText(/\d+ plans can answer this query/);
  });
});

test("a build opens the plan by which its table is filled", async ({ page }) => {
  await optimise(page);
  const build = page.getByRole("button", { name: /is built during .*: see its migration plan/ });
  await expect(build).toHaveCount(1);
  await expect(build).toHaveAccessibleName(/is built during step 3/);
  // What was changed and scrolled in the charts stays as it is when a panel comes and goes beside them.
  const results = room(page, "Results");
  const storage = results.getByRole("button", { name: "Storage as a table" });
  await storage.click();
  await build.focus();
  const charts = results.locator(".time-view");
  const scrolled = await charts.evaluate((element) => element.scrollTop);
  await page.keyboard.press("Enter");

  const panel = page.getByRole("complementary", { name: /^Migration plan of/ });
  const tables = panel.getByRole("list", { name: "From sources to the new table" });
  const filledFrom = golden.filledFrom[wideByQuantity] ?? [];
  expect(filledFrom).not.toHaveLength(0);
  await expect(tables.getByRole("listitem").filter({ hasText: /rows/ })).toHaveCount(
    filledFrom.length + 1,
  );
  for (const source of filledFrom)
    await expect(tables.getByRole("listitem").filter({ hasText: source })).toContainText("source");
  await expect(tables.getByRole("listitem").filter({ hasText: "new table" })).toContainText(
    wideByQuantity,
  );
  const costs = panel.getByRole("table", { name: "Cost of this build" });
  for (const kind of ["Extract", "Load", "This build"])
    await expect(costs.getByRole("row", { name: kind })).toHaveText(/[1-9].*\s(ms|s)$/);
  await panel.getByRole("button", { name: "Close the migration plan" }).click();
  await expect(panel).toBeHidden();
  await expect(build).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(build).toBeFocused();
  await expect(storage).toHaveAttribute("aria-pressed", "true");
  expect(await charts.evaluate((element) => element.scrollTop)).toBe(scrolled);
});

test("every chart also shows its data as a table", async ({ page }) => {
  await optimise(page);
  const results = room(page, "Results");

  const costs = results.getByRole("region", { name: "Cost over time", exact: true });
  const costTable = await asTable(costs, "Cost over time", "Cost over time, in milliseconds");
  await expect(costTable.getByRole("row")).toHaveCount(1 + 6);
  const together = await column(costTable, "Together (ms)");
  const total = together.reduce((sum, cost) => sum + cost, 0);
  const whole = await figure(results, "Cost over all steps").getAttribute("title");
  expect(Math.abs(total - numberOf(whole ?? "")), "steps add up to the whole").toBeLessThan(1);
  await costs.getByRole("button", { name: "Cost over time as a table" }).click();
  await expect(costTable).toBeHidden();

  const storage = results.getByRole("region", { name: "Storage", exact: true });
  const storageTable = await asTable(storage, "Storage", "Storage at every step, in bytes");
  await expect(storageTable.getByRole("row")).toHaveCount(1 + 6);
  for (const bytes of await column(storageTable, "Storage (bytes)"))
    expect(bytes).toBeLessThanOrEqual(4_360_799);

  const migrations = results.getByRole("region", { name: "Migrations", exact: true });
  const timeline = await asTable(migrations, "Migrations", "Tables over time");
  await expect(timeline.getByRole("row")).toHaveCount(
    1 + Object.keys(golden.columnFamilies).length,
  );
  const early = timeline.getByRole("row").filter({ hasText: wideByName });
  await expect(early).toContainText(/1 \(00–04\) to 3 \(08–12\)/);
  const late = timeline.getByRole("row").filter({ hasText: wideByQuantity });
  await expect(late).toContainText(/4 \(12–16\) to 6 \(20–24\)/);
  await expect(late).toContainText("3 (08–12)");

  await goTo(page, "Optimise");
  const run = room(page, "Optimise").getByRole("region", { name: "Answer and bound" });
  const progress = await asTable(
    run,
    "Answer and bound during the run",
    "Answer and bound during the run",
  );
  await expect(progress.getByRole("row").nth(1)).toBeVisible();
});

// -------------------------------------------------------------------------------------------- helpers

function startingWith(text: string): RegExp {
  return new RegExp(`^(query)?${text}`);
}

function cardOf(page: Page, family: string): Locator {
  const schema = page.getByRole("tabpanel", { name: "Schema" });
  return schema.getByRole("listitem").filter({ hasText: family });
}

/** The schema at the cursor has the tables that are expected at `step` (from 1), and not the others. */
async function expectSchema(page: Page, step: number): Promise<void> {
  await expectStep(page, step);
  const schema = page.getByRole("region", { name: new RegExp(`^Schema at step ${step} `) });
  for (const [family, presence] of Object.entries(golden.columnFamilies)) {
    const count = presence[step - 1] === "#" ? 1 : 0;
    await expect(cardOf(page, family), `${family} at step ${step}`).toHaveCount(count);
  }
  const all = Object.values(golden.columnFamilies).filter((each) => each[step - 1] === "#");
  await expect(schema).toContainText(`${all.length} tables`);
}

/** Whether one Get answers a query, or a join does, as it is expected at `step` (from 1). */
async function expectPlanKinds(plans: Locator, step: number): Promise<void> {
  const queries = plans.getByRole("region", { name: new RegExp(`^Queries at step ${step} `) });
  for (const [query, presence] of Object.entries(claims.oneGet)) {
    const kind = presence[step - 1] === "#" ? "materialised view" : "join";
    await expect(queries.getByRole("button", { name: `${kind} ${query}` })).toBeVisible();
  }
}

async function expectStrip(plans: Locator, names: readonly RegExp[]): Promise<void> {
  const strip = plans.getByRole("region", { name: "Plans over all steps" });
  const stretches = strip.getByRole("button");
  await expect(stretches).toHaveCount(names.length);
  for (const [index, name] of names.entries())
    await expect(stretches.nth(index)).toHaveAccessibleName(name);
}

async function asTable(chart: Locator, title: string, caption: string): Promise<Locator> {
  const button = chart.getByRole("button", { name: `${title} as a table` });
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  return chart.getByRole("table", { name: caption });
}

/** The numbers of a column, by its head. */
async function column(table: Locator, head: string): Promise<number[]> {
  const heads = await table.getByRole("columnheader").allTextContents();
  expect(heads).toContain(head);
  // The first column heads its row.
  const at = heads.indexOf(head);
  const rows = await table.getByRole("row").all();
  const texts = rows.slice(1).map((row) => textOf(row.getByRole("cell").nth(at - 1)));
  return (await Promise.all(texts)).map(numberOf);
}

/** `1 234.5 ms` → 1234.5. */
function numberOf(text: string): number {
  return Number(/^[\d.]+/.exec(text.replaceAll(/\s/g, ""))?.[0]);
}
