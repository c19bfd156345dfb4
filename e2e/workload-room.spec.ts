/**
 * The Workload room as a person works in it: a point of a curve moved by mouse, by finger, by keys and in
 * the grid, statements written with proposals, put in order and copied, patterns drawn with a preview,
 * and frequencies brought in from a trace and a file.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import {
  downloadProject,
  expect,
  goTo,
  gridCell,
  header,
  openExample,
  room,
  test,
} from "./journey.ts";

const statement = "q1 Users of items with a name";

test("a point moved by mouse, by finger, by keys and in the grid ends in the same document, as one entry", async ({
  page,
}) => {
  await openWorkload(page);
  const before = await point(page, 2).getAttribute("aria-valuenow");
  const target = 8.6;
  const grain = 0.2;

  await test.step("by mouse; Escape puts it back", async () => {
    await dragTo(page, target, "Escape");
    await expect(point(page, 2)).toHaveAttribute("aria-valuenow", before ?? "");
    await expect(undo(page)).toBeDisabled();
    await dragTo(page, target, "release");
    await expect(point(page, 2)).toHaveAttribute("aria-valuenow", String(target));
  });
  const byMouse = await documentThenUndo(page);

  await test.step("by finger", async () => {
    const { from, to } = await way(page, target);
    const touch = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x, y }],
      });
    await send("touchStart", from.y);
    await send("touchMove", (from.y + to.y) / 2);
    await send("touchMove", to.y);
    await send("touchEnd");
    await expect(point(page, 2)).toHaveAttribute("aria-valuenow", String(target));
  });
  expect(await documentThenUndo(page), "by finger").toBe(byMouse);

  await test.step("by keys; Escape puts it back", async () => {
    await point(page, 1).focus();
    await page.keyboard.press("ArrowRight");
    await expect(point(page, 2)).toBeFocused();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Escape");
    await expect(point(page, 2)).toHaveAttribute("aria-valuenow", before ?? "");
    const grains = Math.round((target - Number(before)) / grain);
    const arrow = grains > 0 ? "ArrowUp" : "ArrowDown";
    for (let large = 10; large <= Math.abs(grains); large += 10)
      await page.keyboard.press(`Shift+${arrow}`);
    for (let small = 0; small < Math.abs(grains) % 10; small += 1) await page.keyboard.press(arrow);
    await page.keyboard.press("Enter");
    await expect(point(page, 2)).toHaveAttribute("aria-valuenow", String(target));
  });
  expect(await documentThenUndo(page), "by keys").toBe(byMouse);

  await test.step("in the grid", async () => {
    await gridCell(page, statement, 2).click();
    await page.keyboard.type(String(target));
    await page.keyboard.press("Enter");
  });
  expect(await documentThenUndo(page), "in the grid").toBe(byMouse);
});

test("statements are written with proposals, formatted, copied and put in order; undo is the document's", async ({
  page,
}) => {
  await openWorkload(page);
  const text = page.getByRole("textbox", { name: "Statement text" });
  const written = (await text.textContent()) ?? "";
  await text.press("Control+End");
  await text.pressSequentially(" and items.qu");
  await expect(page.getByRole("option", { name: /^quantity/ })).toBeVisible();
  // A list that has only just come up does not take Enter: it may be meant as a line break.
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await text.pressSequentially(" = ?");
  await expect(page.getByText("The statement is understood.")).toBeVisible();
  await page.getByRole("button", { name: "Format" }).click();
  await expect(text).toContainText("AND item.quantity = ?");
  await text.focus();
  await page.keyboard.press("Control+z");
  await expect(text).toContainText("and items.quantity = ?");
  for (let more = 0; more < 3 && (await text.textContent()) !== written; more += 1)
    await page.keyboard.press("Control+z");
  await expect(text).toHaveText(written);

  await page.getByRole("button", { name: "Duplicate" }).click();
  const copy = `${statement} (copy)`;
  const list = page.getByRole("region", { name: "Statements", exact: true });
  const labels = list.getByRole("listitem").getByRole("button");
  await expect(labels.nth(1)).toContainText(copy);
  await labels.nth(1).focus();
  // Into the next group, then past the statement in it.
  await page.keyboard.press("Alt+ArrowDown");
  await expect(labels.nth(1)).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(labels.nth(2)).toContainText(copy);
  await labels.nth(2).dragTo(labels.nth(0), { targetPosition: { x: 40, y: 3 } });
  await expect(labels.nth(0)).toContainText(copy);
  await expect(undo(page)).toHaveAccessibleName(`Undo: Move ${copy}`);
});

test("a spike is drawn for several statements with a preview; a trace and a saved file come in", async ({
  page,
}) => {
  await openWorkload(page);
  const strip = page.getByRole("region", { name: "Change the curves" });
  await page.getByRole("checkbox", { name: "Choose q1" }).check();
  await page.getByRole("checkbox", { name: "Choose q2" }).check();
  await expect(strip).toContainText("2 statements at all 4 steps");
  const first = await gridCell(page, "q1", 3).textContent();
  await strip.getByLabel("Change", { exact: true }).selectOption("Spike");
  await strip.getByLabel("Peak").fill("40");
  await expect(gridCell(page, "q2", 3)).toHaveText("40");
  await strip.getByLabel("Peak").fill("much");
  await expect(strip.getByLabel("Peak")).toHaveAccessibleDescription("“much” is no number.");
  await expect(strip.getByRole("button", { name: "Apply" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(gridCell(page, "q1", 3)).toHaveText(first ?? "");
  await expect(undo(page)).toBeDisabled();

  await strip.getByLabel("Change", { exact: true }).selectOption("Cycle");
  await strip.getByLabel("High").fill("8");
  await strip.getByRole("button", { name: "Apply" }).click();
  await expect(undo(page)).toHaveAccessibleName("Undo: Cycle: 2 statements at all 4 steps");

  const saved = page.waitForEvent("download");
  await strip.getByRole("button", { name: "Save as CSV" }).click();
  const file = await readFile(await (await saved).path(), "utf8");
  expect(file).toMatch(/^statement,label,/);
  const drawn = await downloadFromWorkload(page);

  await strip.getByRole("button", { name: "Import…" }).click();
  const rows = strip.getByLabel("Rows of frequencies, or a trace");
  await rows.fill("timestamp,statement\n3600,q1\n3700,q1\nsoon,q1\n3600,nobody");
  await expect(strip).toContainText("2 executions of 1 statement counted from 1970-01-01");
  await expect(strip.getByRole("listitem")).toHaveText([
    "Line 4: “soon” is no time.",
    "Line 5: There is no statement “nobody”.",
  ]);
  await strip.getByRole("button", { name: "Take over" }).click();
  await expect(undo(page)).toHaveAccessibleName("Undo: Import frequencies");

  await strip.getByRole("button", { name: "Import…" }).click();
  await rows.fill(file);
  await strip.getByRole("button", { name: "Take over" }).click();
  expect(await downloadFromWorkload(page), "out and in again").toBe(drawn);

  await page.getByLabel("Number of steps").fill("8");
  await page.keyboard.press("Enter");
  const other = page.getByRole("region", { name: "Other steps" });
  await expect(other).toContainText(/before, 4 steps covered/);
  await other.getByLabel("The curves").selectOption("stretch, peaks stay");
  await other.getByRole("button", { name: "Keep" }).click();
  await expect(undo(page)).toHaveAccessibleName("Undo: Change the time steps");
});

// ------------------------------------------------------------------------------------------- places

async function openWorkload(page: Page): Promise<void> {
  await openExample(page, "Users and items");
  await goTo(page, "Workload");
  await expect(page.getByRole("textbox", { name: "Statement text" })).toBeVisible();
}

function undo(page: Page): Locator {
  return header(page).getByRole("button", { name: /^Undo/ });
}

function point(page: Page, step: number): Locator {
  return page.getByRole("slider", { name: new RegExp(`^${statement}, step ${step}\\b`) });
}

/** From the point of step 2 to where a frequency stands, by the chart's labelled values. */
async function way(page: Page, value: number) {
  const box = await point(page, 2).boundingBox();
  const curves = page.getByRole("region", { name: "Frequency curves" });
  const heightOf = async (tick: string): Promise<number> => {
    const label = await curves.getByText(tick, { exact: true }).boundingBox();
    return label ? label.y + label.height / 2 : Number.NaN;
  };
  const [low, high] = [await heightOf("0"), await heightOf("20")];
  if (!box) throw new Error("there is no point");
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const now = Number(await point(page, 2).getAttribute("aria-valuenow"));
  const pixels = ((value - now) * (high - low)) / 20;
  return { from, to: { x: from.x, y: from.y + pixels } };
}

async function dragTo(page: Page, value: number, end: "release" | "Escape"): Promise<void> {
  const { from, to } = await way(page, value);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await expect(point(page, 2)).toHaveAttribute("aria-valuenow", String(value));
  if (end === "Escape") await page.keyboard.press("Escape");
  await page.mouse.up();
}

async function downloadFromWorkload(page: Page): Promise<string> {
  await goTo(page, "Start");
  const text = await downloadProject(page);
  await goTo(page, "Workload");
  return text;
}

/** What the project's file says now; then the one change is taken back. */
async function documentThenUndo(page: Page): Promise<string> {
  await expect(undo(page)).toHaveAccessibleName(new RegExp(`^Undo: Set ${statement} at step 2`));
  const text = await downloadFromWorkload(page);
  await undo(page).click();
  await expect(undo(page), "it was one entry").toBeDisabled();
  await expect(room(page, "Workload")).toBeVisible();
  return text;
}
