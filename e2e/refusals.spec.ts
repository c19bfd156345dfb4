/**
 * Statements that are not supported: the words at fault are underlined at their very place, and the
 * reason and the way round stand below, reachable by keyboard.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, goTo, openExample, optimiseButton, room, test } from "./journey.ts";

interface Refused {
  readonly what: string;
  readonly text: string;
  /** The stretches of the text that are underlined, in order. */
  readonly marked: readonly string[];
  /** Of every issue, in the order of the text: the reason, and the way round. */
  readonly says: readonly (readonly [reason: RegExp, wayRound: RegExp])[];
}

const refused: readonly Refused[] = [
  {
    what: "LIKE",
    text: "SELECT users.id FROM users WHERE users.nickname LIKE 'a%'",
    marked: ["LIKE"],
    says: [[/LIKE is not supported/, /Store the prefix .* as an attribute/]],
  },
  {
    what: "OR",
    text: "SELECT users.id FROM users\nWHERE users.nickname = ? OR users.email = ?",
    marked: ["OR"],
    says: [[/OR is not supported/, /write a statement for each alternative/]],
  },
  {
    what: "a sub-query",
    text: "SELECT users.email FROM users WHERE users.id IN (SELECT id FROM items)",
    marked: ["(SELECT id FROM items)"],
    says: [[/Sub-queries are not supported/, /Write the inner query as a statement of its own/]],
  },
  {
    what: "a circle of joins",
    text: "SELECT b.id FROM users u\nJOIN items i ON i.seller.id = u.id\nJOIN bids b ON b.item.id = i.id AND b.user.id = u.id\nWHERE u.id = ?",
    marked: ["b.user.id = u.id"],
    says: [[/circle.*cyclic/, /\w/]],
  },
  {
    what: "several at once",
    text: "SELECT users.id FROM users WHERE users.nickname LIKE ? OR users.id = ?",
    marked: ["LIKE", "OR"],
    says: [
      [/LIKE is not supported/, /Store the prefix/],
      [/OR is not supported/, /Use IN/],
    ],
  },
];

test("what is not supported is underlined at its place, with the reason and the way round", async ({
  page,
}) => {
  await openExample(page, "Auction site");
  await goTo(page, "Workload");
  const editor = page.getByRole("region", { name: "Statement The visitor" });
  const text = editor.getByRole("textbox", { name: "Statement text" });
  for (const each of refused)
    await test.step(each.what, async () => {
      await text.fill(each.text);
      await expect.poll(() => underlined(editor)).toEqual(each.marked);
      await expect(text).toHaveAttribute("aria-invalid", "true");
      const issues = editor.getByRole("listitem");
      await expect(issues).toHaveCount(each.says.length);
      for (const [index, [reason, wayRound]] of each.says.entries()) {
        await expect(issues.nth(index)).toContainText(reason);
        await expect(issues.nth(index)).toContainText(wayRound);
        await expect(text).toHaveAccessibleDescription(reason);
      }
      // From the text, Tab reaches every place in turn; Enter selects it.
      for (const [index, marked] of each.marked.entries()) {
        await text.focus();
        for (let tabs = 0; tabs <= index; tabs += 1) await page.keyboard.press("Tab");
        await expect(issues.nth(index).getByRole("button", { name: /^Go to line/ })).toBeFocused();
        await page.keyboard.press("Enter");
        await expect(text).toBeFocused();
        expect(await selected(text)).toBe(marked);
      }
    });

  await optimiseButton(page).click();
  const blocked = page.getByRole("region", { name: "2 mistakes stand in the way of a run" });
  await expect(blocked.getByRole("listitem").first()).toContainText("LIKE is not supported");
  await blocked.getByRole("button", { name: "Go to the statement “The visitor”" }).first().click();
  await expect(text).toBeVisible();
  await text.fill("SELECT users.id FROM users WHERE users.nickname = ?");
  await expect(editor).toContainText("The statement is understood.");
  expect(await underlined(editor)).toEqual([]);
});

test("a warning before a run names its statement", async ({ page }) => {
  await openExample(page, "Auction site");
  await goTo(page, "Optimise");
  const ready = room(page, "Optimise").getByRole("region", { name: "Ready" });
  await ready.getByRole("button", { name: "Go to the statement “All categories”" }).click();
  await expect(room(page, "Workload")).toBeVisible();
  await expect(shownEditor(page)).toHaveAccessibleName("Statement All categories");
});

function shownEditor(page: Page): Locator {
  return page.getByRole("region", { name: /^Statement / });
}

/** The stretches of the shown text that carry a wavy line. */
function underlined(editor: Locator): Promise<string[]> {
  return editor.locator(".cm-line span").evaluateAll((pieces) => {
    const stretches: string[] = [];
    let runsOn = false;
    for (const piece of pieces) {
      const isMarked = getComputedStyle(piece).textDecorationLine === "underline";
      if (isMarked) stretches.push((runsOn ? (stretches.pop() ?? "") : "") + piece.textContent);
      // Plain words stand between the spans as bare text.
      runsOn = isMarked && piece.nextSibling instanceof Element;
    }
    return stretches;
  });
}

function selected(text: Locator): Promise<string> {
  return text.evaluate(() => window.getSelection()?.toString() ?? "");
}
