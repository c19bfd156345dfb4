/**
 * The solver is the worker's: its 3.5 MB of WASM are fetched there and nowhere else, and everything but
 * solving works before they have arrived, or when they never do.
 */
import {
  expect,
  goTo,
  header,
  openExample,
  openStudio,
  optimise,
  optimiseButton,
  room,
  stopButton,
  test,
} from "./journey.ts";

const wasm = "**/*.wasm";

test("only the worker fetches the WASM, and only once", async ({ page }) => {
  const fetches: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".wasm")) fetches.push(request.url());
  });
  const starting = page.waitForEvent("worker");
  const loading = page.waitForResponse(wasm);
  await openStudio(page);
  const worker = await starting;
  const response = await loading;
  expect(response.headers()["content-type"]).toBe("application/wasm");
  // The referrer of a request is the script that sent it: the worker's, not the page.
  expect(response.request().headers()["referer"]).toBe(worker.url());

  const names = (): string[] => performance.getEntriesByType("resource").map(({ name }) => name);
  const isWasm = (name: string): boolean => name.endsWith(".wasm");
  await expect.poll(async () => (await worker.evaluate(names)).filter(isWasm)).toHaveLength(1);
  expect((await page.evaluate(names)).filter(isWasm)).toEqual([]);
  for (const each of ["Model", "Workload", "Optimise", "Results"] as const) await goTo(page, each);
  expect(fetches).toHaveLength(1);
  expect(page.workers()).toHaveLength(1);
});

test("all rooms are useful while the solver is still on its way", async ({ page }) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route(wasm, async (route) => {
    await held;
    await route.continue();
  });
  await openExample(page, "Users and items");
  await goTo(page, "Workload");
  const statement = page.getByRole("textbox", { name: "Statement text" });
  await expect(statement).toHaveText(/^SELECT/);

  await optimiseButton(page).click();
  await expect(room(page, "Optimise").getByRole("heading", { name: "Starting…" })).toBeVisible();
  await expect(stopButton(page)).toBeVisible();
  await goTo(page, "Model");
  await expect(page.getByRole("group", { name: /^Entity user/ })).toBeVisible();
  await goTo(page, "Optimise");
  release();
  await expect(room(page, "Results")).toBeVisible({ timeout: 120_000 });
});

test.describe("without the solver", () => {
  test.use({ expectedFaults: /Failed to load resource|wasm/i });

  test("a run says that the optimiser failed, and the project is unharmed", async ({ page }) => {
    await page.context().route(wasm, (route) => route.abort());
    await openExample(page, "Users and items");
    await optimiseButton(page).click();
    const failed = page.getByRole("region", { name: "The optimiser failed" });
    await expect(failed).toBeVisible();
    await expect(failed).toContainText("Your project is unharmed.");
    await expect(header(page).getByRole("link", { name: "No new answer: see why" })).toBeVisible();
    await goTo(page, "Model");
    await expect(page.getByRole("group", { name: /^Entity / })).toHaveCount(2);

    // The next run loads the solver anew, without a reload.
    await page.context().unroute(wasm);
    await optimise(page);
  });
});
