/** A run that is likely not to fit into the page: it is asked about, and the pruned search is offered. */
import { generateWorkload } from "../src/examples/workloads/generate-workload.ts";
import {
  expect,
  header,
  openFile,
  openStudio,
  optimiseButton,
  room,
  stopButton,
  test,
} from "./journey.ts";

test("a run that is likely not to fit is asked about, and can be pruned, started or left", async ({
  page,
}) => {
  await openStudio(page);
  const large = generateWorkload({ entities: 15, statements: 300, steps: 12 });
  await openFile(page, "large.json", JSON.stringify(large));
  await expect(page.getByRole("region", { name: "Entities" })).toBeVisible();
  await optimiseButton(page).click();
  const question = room(page, "Optimise").getByRole("alert");
  await expect(question).toContainText("likely to need more memory than a page has");
  await expect(stopButton(page)).toBeHidden();

  await question.getByRole("button", { name: "Prune the search" }).click();
  await expect(stopButton(page)).toBeVisible();
  await expect(question).toBeHidden();
  await expect(room(page, "Optimise").getByLabel("Most Gets in a query plan")).toHaveValue("2");
  await stopButton(page).click();

  await header(page).getByRole("button", { name: "Undo: Prune the search" }).click();
  await expect(room(page, "Optimise").getByLabel("Most Gets in a query plan")).toHaveValue("3");
  await optimiseButton(page).click();
  await question.getByRole("button", { name: "Search all the same" }).click();
  await expect(stopButton(page)).toBeVisible();
  await stopButton(page).click();
});
