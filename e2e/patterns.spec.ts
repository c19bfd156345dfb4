/** The patterns of the large example, from the start page: which, over how many steps, at which storage. */
import { expect, goTo, header, openStudio, room, test } from "./journey.ts";

test("the large example opens under another pattern, number of steps and storage limit", async ({
  page,
}) => {
  await openStudio(page);
  const form = page.getByRole("form", { name: "TPC-H in two groups: other frequencies" });
  await expect(form.getByLabel("Steps")).toHaveValue("12");

  await form.getByLabel("Steps").fill("10");
  await expect(form.getByRole("alert")).toContainText("multiple of 4");
  await expect(form.getByRole("button", { name: "Open" })).toBeDisabled();
  await form.getByLabel("Steps").fill("44");
  await expect(form.getByRole("alert")).toBeHidden();

  await form.getByLabel("Pattern").selectOption("smooth48");
  await expect(form.getByLabel("Steps")).toHaveValue("48");
  await form.getByLabel("Storage").selectOption("90 %");
  await form.getByRole("button", { name: "Open" }).click();
  await expect(page.getByRole("application", { name: "Entity graph" })).toBeVisible();
  await expect(header(page).getByRole("textbox", { name: "Project name" })).toHaveValue(
    /smooth48, 48 steps$/,
  );
  await expect(page.getByRole("region", { name: "Time cursor" })).toContainText("of 48");
  await goTo(page, "Optimise");
  await expect(room(page, "Optimise").getByLabel("Storage limit in per cent")).toHaveValue("90");
});
