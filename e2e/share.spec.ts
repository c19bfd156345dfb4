/** A project passed on by a link: read, copied, changed; and links that somebody has tampered with. */
import { deflateRawSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, expectSaved, goTo, header, openExample, room, test } from "./journey.ts";

test.setTimeout(180_000);

test("a link opens the project to be read, and to be edited once it is copied", async ({
  page,
  context,
}) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await openExample(page, "Hotel reservations");
  await header(page).getByRole("button", { name: "Share" }).click();
  const panel = page.getByRole("region", { name: "Share" });
  await expect(panel).toContainText("nothing is sent anywhere");
  const link = await panel.getByRole("textbox", { name: "Link to this project" }).inputValue();
  expect(link.length).toBeLessThan(8000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.getByRole("button", { name: "Copy the link" }).click();
  await expect(panel.getByText("Copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoBarriers(page);
  }
  expect(requests.filter((url) => url.includes("share="))).toEqual([]);

  const reader = await context.newPage();
  await reader.goto(link);
  await expect(reader.getByText("You are reading a project that came by a link.")).toBeVisible();
  expect(new URL(reader.url()).hash).toBe("#/model");
  await rename(reader, "Mine");
  await expect(reader.getByText("Your change was not made")).toBeVisible();
  await expect(projectName(reader)).toHaveValue("Hotel reservations");
  await reader.reload();
  await expect(reader.getByText("You are reading a project that came by a link.")).toBeVisible();
  await reader.getByRole("button", { name: "Make a copy" }).click();
  await expectSaved(reader);
  await rename(reader, "Mine");
  await expectSaved(reader);
  await reader.reload();
  await expect(projectName(reader)).toHaveValue("Mine");
  await expect(reader.getByRole("button", { name: "Make a copy" })).toBeHidden();
  await expect(projectName(page)).toHaveValue("Hotel reservations");
});

test("links that are not right are refused with the reason, and nothing of them runs", async ({
  page,
}) => {
  await openExample(page, "Likes");
  await expectSaved(page);
  const project = '"format":"tidetable","version":1,"name":"x","entities":{}';
  const timeline = '"timeline":{"steps":1,"stepSeconds":60}';
  const bomb = deflateRawSync(Buffer.alloc(60_000_000)).toString("base64url");
  const hostile: readonly (readonly [link: string, reason: RegExp])[] = [
    ["#share=9.abc.def.ghi", /not known here \(9;/],
    [packed(`{${project}}`).slice(0, 60), /damaged/],
    [`#share=1.${(60_000_000).toString(36)}.0.${bomb}`, /too large/],
    [`#share=1.5k.0.${bomb}`, /more in it than the 200 bytes/],
    [packed('{"tables":[]}'), /not a Tidetable document/],
    [packed(`{${project},${timeline},"statements":{},"__proto__":{"taken":1}}`), /__proto__/],
    [packed(`{${project},${timeline},"statements":{"constructor":{"text":""}}}`), /constructor/],
    [packed(`{${project.replace(":1,", ":99,")}}`), /newer Tidetable/],
    [packed("[".repeat(100_000)), /nested|deep/i],
    [packed("<script>document.title='taken over'</script>"), /not valid JSON/],
  ];
  for (const [link, reason] of hostile) {
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, link);
    const refusal = page.getByRole("alert").filter({ hasText: "cannot be opened" });
    await expect(refusal).toContainText(reason);
    await refusal.getByRole("button", { name: "Close this message" }).click();
  }
  await expect(projectName(page)).toHaveValue("Likes");
  await expect(page).toHaveTitle(/Tidetable/);
  expect(await page.evaluate(() => "taken" in {})).toBe(false);

  // A page that is opened by such a link says so too, and goes on with the last project.
  await page.goto("about:blank");
  await page.goto(`./${hostile[0]?.[0] ?? ""}`);
  await expect(page.getByRole("alert")).toContainText("The shared project cannot be opened.");
  await expect(projectName(page)).toHaveValue("Likes");
  await goTo(page, "Start");
  await expect(room(page, "Start").getByRole("button", { name: /^Likes/ })).toBeVisible();
});

/** A link as the studio makes them, around any text. */
function packed(text: string): string {
  const bytes = Buffer.from(text);
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  const data = deflateRawSync(bytes).toString("base64url");
  return `#share=1.${bytes.length.toString(36)}.${(sum >>> 0).toString(36)}.${data}`;
}

function projectName(page: Page) {
  return page.getByRole("textbox", { name: "Project name" });
}

async function rename(page: Page, name: string): Promise<void> {
  await projectName(page).fill(name);
  await projectName(page).press("Enter");
}

async function expectNoBarriers(page: Page): Promise<void> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
