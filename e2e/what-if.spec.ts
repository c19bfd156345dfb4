/**
 * What if: a curve is edited, and at once the page says what the tables found before cost now; a moment later
 * something better has been looked for. Nothing that a person does meanwhile waits for it.
 */
import type { Locator, Page } from "@playwright/test";
import {
  expect,
  figure,
  goTo,
  gridCell,
  header,
  improveOnlyWhenAsked,
  openExample,
  openLongRun,
  optimise,
  optimiseUntilFirstAnswer,
  room,
  solved,
  stopButton,
  test,
  textOf,
} from "./journey.ts";

test.setTimeout(240_000);

const statement = "q1 Users of items with a name";

test("an edited curve: the old tables' cost at once, a better answer by itself, undo at no cost", async ({
  page,
}) => {
  await openExample(page, "Users and items");
  await optimise(page);
  const before = await textOf(figure(room(page, "Results"), "Cost over all steps"));
  await goTo(page, "Workload");
  await expect(figure(panel(page), "The answer costs")).toHaveText(before);

  await setFrequency(page, 2, "0.001");
  await expect(
    figure(panel(page), /^(Improved answer|Nothing better than the same tables)$/),
  ).toContainText("proven optimal", solved);
  await expect(figure(panel(page), "The old tables cost now")).toBeVisible();
  await expect(room(page, "Workload"), "the person stays where they are").toBeVisible();
  await goTo(page, "Results");
  await expect(figure(room(page, "Results"), "Proof")).toHaveText("Optimal");
  const after = await textOf(figure(room(page, "Results"), "Cost over all steps"));
  expect(after).not.toBe(before);

  await page.keyboard.press("Control+z");
  await expect(figure(room(page, "Results"), "Cost over all steps")).toHaveText(before);
  await expect(header(page).getByRole("link", { name: "against static" })).toBeVisible();
  await page.keyboard.press("Control+y");
  await expect(figure(room(page, "Results"), "Cost over all steps")).toHaveText(after);
});

test("only when asked: the old tables under the project as it is now, their trouble, and the way to better ones", async ({
  page,
}) => {
  await improveOnlyWhenAsked(page);
  await openExample(page, "Users and items");
  await optimise(page);
  await goTo(page, "Workload");
  await expect(page.getByRole("checkbox", { name: "Improve by itself" })).not.toBeChecked();
  await setFrequency(page, 2, "900");

  const now = figure(panel(page), "The same tables now cost");
  await expect(now).toHaveText(/\d.*\s(ms|s|min|h)\s*\+.*\s%\sagainst .* before$/);
  await expect(header(page).getByRole("link", { name: /^Same tables now/ })).toBeVisible();
  const cost = (await textOf(now)).split(" +")[0] ?? "";

  await goTo(page, "Results");
  const results = room(page, "Results");
  await expect(results.getByText("The same tables under the project as it is now.")).toBeVisible();
  await expect(figure(results, "Cost over all steps")).toHaveText(cost);
  await expect(figure(results, "Proof")).toHaveText("None yet");

  await goTo(page, "Optimise");
  const limit = page.getByRole("textbox", { name: "Storage limit" });
  await limit.fill("1 kB");
  await limit.press("Enter");
  await goTo(page, "Results");
  await expect(panel(page).getByText(/more than the storage limit at steps? 1/)).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(panel(page).getByText(/more than the storage limit/)).toBeHidden();

  await panel(page).getByRole("button", { name: "Improve" }).click();
  await expect(figure(results, "Proof")).toHaveText("Optimal", solved);
  await expect(figure(panel(page), "The old tables cost now")).toHaveText(cost);
});

test("curves can be edited while something better is looked for; the page stays fluid, and Stop keeps the best", async ({
  page,
}) => {
  await openLongRun(page);
  await optimiseUntilFirstAnswer(page);
  await stopButton(page).click();
  await expect(room(page, "Results")).toBeVisible();
  await goTo(page, "Workload");

  const atRest = await whileEditing(page, "1");
  // By itself, after a pause.
  await expect(stopButton(page)).toBeVisible(solved);
  const during = await whileEditing(page, "2");
  for (const [type, { framesPerSecond, longTask, recost }] of Object.entries({ atRest, during }))
    test.info().annotations.push({
      type,
      description: `${framesPerSecond.toFixed(1)} frames per second, longest task ${longTask.toFixed(0)} ms, old tables costed ${recost.toFixed(0)} ms after the edit`,
    });
  expect(during.framesPerSecond).toBeGreaterThan(Math.min(20, atRest.framesPerSecond / 2));

  await expect(figure(panel(page), "No answer costs less than")).toBeVisible(solved);
  await panel(page).getByRole("button", { name: "Stop improving" }).click();
  await expect(stopButton(page)).toBeHidden();
  await expect(figure(panel(page), /^(Improved answer|Nothing better)/)).toContainText("within");
  await expect(gridCell(page, "All categories", 3)).toHaveAccessibleName(/: 27 per second$/);
});

function panel(page: Page): Locator {
  return page.getByRole("region", { name: "What if" });
}

async function setFrequency(page: Page, step: number, to: string): Promise<void> {
  await gridCell(page, statement, step).click();
  await page.keyboard.type(to);
  await page.keyboard.press("Enter");
}

interface Fluidity {
  readonly framesPerSecond: number;
  /** Milliseconds. */
  readonly longTask: number;
  readonly recost: number;
}

/** Types numbers into the grid for some seconds; the last one is the first digit given and a 7. */
async function whileEditing(page: Page, digit: string): Promise<Fluidity> {
  const measured = measureFrames(page, 3000);
  for (const last of ["3", "5", "7"]) {
    await gridCell(page, "All categories", 3).click();
    await page.keyboard.type(`${digit}${last}`);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(300);
  }
  return measured;
}

function measureFrames(page: Page, milliseconds: number): Promise<Fluidity> {
  return page.evaluate(
    (wanted) =>
      new Promise<Fluidity>((resolve) => {
        let longTask = 0;
        const tasks = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longTask = Math.max(longTask, duration);
        });
        tasks.observe({ type: "longtask" });
        let edited = 0;
        let recost = 0;
        document.addEventListener("keydown", ({ key }) => {
          if (key === "Enter") edited = performance.now();
        });
        const shown = new MutationObserver(() => {
          if (edited > 0) recost = Math.max(recost, performance.now() - edited);
          edited = 0;
        });
        const place = document.querySelector(".what-if-figures");
        if (place) shown.observe(place, { subtree: true, childList: true, characterData: true });
        let frames = 0;
        const started = performance.now();
        const count = (): void => {
          frames += 1;
          const passed = performance.now() - started;
          if (passed < wanted) requestAnimationFrame(count);
          else {
            tasks.disconnect();
            shown.disconnect();
            resolve({ framesPerSecond: (frames / passed) * 1000, longTask, recost });
          }
        };
        requestAnimationFrame(count);
      }),
    milliseconds,
  );
}
