/** The way in with a schema that one has: pasted or dropped, looked at, answered, taken over, undone. By mouse. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, goTo, openExample, openStudio, room, test } from "./journey.ts";

test.setTimeout(120_000);

const dump = `-- a shop; <script>alert(1)</script>
CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL);
CREATE TABLE product (id int PRIMARY KEY, "__proto__" text);
CREATE TABLE wish (
  customer_id int REFERENCES customer (id),
  product_id int REFERENCES product (id),
  PRIMARY KEY (customer_id, product_id)
);
CREATE INDEX by_product ON wish (product_id);
INSERT INTO customer VALUES (1, 'it''s; CREATE TABLE trap (id int)');
`;

const panel = (page: Page) => page.getByRole("complementary", { name: "Import a schema" });
test("a pasted dump becomes a new project", async ({ page }) => {
  await openStudio(page);
  const start = page.getByRole("form", { name: "Begin with your tables" });
  await start.getByRole("textbox").fill(dump);
  await start.getByRole("button", { name: "Read the tables" }).click();

  const importing = panel(page);
  await expect(
    importing.getByText("3 entities · 2 relationships · 2 skipped · 1 renamed"),
  ).toBeVisible();
  await expect(importing.getByText("line 9", { exact: true })).toBeVisible();
  await expect(importing.getByText(/rows; how many there are is asked, not counted/)).toBeVisible();
  await importing.getByRole("radio", { name: "Make it a many-to-many relationship" }).check();
  await expect(
    importing.getByText("2 entities · 1 relationship · 2 skipped · 1 renamed"),
  ).toBeVisible();
  await importing.getByRole("textbox", { name: "How many records has customer?" }).fill("250");
  await importing.getByRole("textbox", { name: "How many links does wish hold?" }).fill("900");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

  await importing.getByRole("textbox", { name: "Name", exact: true }).fill("My shop");
  await importing.getByRole("button", { name: "New project" }).click();
  await expect(importing).toBeHidden();
  await expect(room(page, "Model")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Project name" })).toHaveValue("My shop");
  await expect(page.getByRole("application", { name: "Entity graph" })).toContainText("customer");
  await expect(page.getByRole("application", { name: "Entity graph" })).toContainText("250");
});

test("a file is merged into the open project, what clashes is told, and undo takes it back", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  await page.getByRole("button", { name: "Import SQL or CQL" }).click();
  const importing = panel(page);
  await importing.getByLabel("Choose a dump or script").setInputFiles({
    name: "more.sql",
    mimeType: "text/plain",
    buffer: Buffer.from(
      "CREATE TABLE user (id int PRIMARY KEY, city varchar(30));\nCREATE TABLE town (name text PRIMARY KEY);\nCREATE VIEW v AS SELECT 1;",
    ),
  });
  await expect(importing.getByText("2 entities · 0 relationships · 1 skipped")).toBeVisible();
  await importing.getByRole("button", { name: "Merge" }).click();
  await expect(importing.getByText("The schema was merged.", { exact: false })).toBeVisible();
  await expect(
    importing.getByText(/^Warning: [uU]ser is there already: it gets .*city/),
  ).toBeVisible();
  const graph = page.getByRole("application", { name: "Entity graph" });
  await expect(graph).toContainText("town");
  await page.keyboard.press("Escape");
  await expect(importing).toBeHidden();
  await page.keyboard.press("Control+z");
  await expect(graph).not.toContainText("town");
});

test("CQL is told from SQL, a text without tables says so, and a large one leaves the page free", async ({
  page,
}) => {
  await openStudio(page);
  await goTo(page, "Model");
  await page.getByRole("button", { name: "Import SQL or CQL" }).click();
  const importing = panel(page);
  const source = importing.getByRole("form", { name: "Text to import" });
  const text = source.getByRole("textbox");
  await text.fill(
    "CREATE TABLE t (k uuid, at timeuuid, PRIMARY KEY (k, at)) WITH CLUSTERING ORDER BY (at DESC);",
  );
  await source.getByRole("button", { name: "Read the tables" }).click();
  await expect(source.getByRole("combobox")).toContainText("Told from the text: CQL");
  await expect(importing.getByText("1 entity · 0 relationships")).toBeVisible();

  await text.fill("Dear Sir or Madam");
  await source.getByRole("button", { name: "Read the tables" }).click();
  await expect(importing.getByText(/No table could be read/)).toBeVisible();

  const rows = `INSERT INTO t VALUES (1, 'a;b'), (2, "c");\n`.repeat(200_000);
  await importing.getByLabel("Choose a dump or script").setInputFiles({
    name: "large.sql",
    mimeType: "text/plain",
    buffer: Buffer.from(`CREATE TABLE t (id int PRIMARY KEY);\n${rows}`),
  });
  await expect(importing.getByText("Reading…")).toBeVisible();
  const frames = await page.evaluate(async () => {
    let longest = 0;
    let before = performance.now();
    for (let frame = 0; frame < 20; frame += 1) {
      await new Promise(requestAnimationFrame);
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }
    return longest;
  });
  // Reading it takes the worker longer than this; the page draws on meanwhile.
  expect(frames).toBeLessThan(1000);
  await expect(importing.getByText(/^1 entity · 0 relationships · 200000 skipped/)).toBeVisible({
    timeout: 60_000,
  });
});
