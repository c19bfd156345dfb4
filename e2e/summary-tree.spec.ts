/** The paper's search in the studio: chosen, run, looked at node by node, also without a mouse, in both themes. */
import AxeBuilder from "@axe-core/playwright";
import { expect, goTo, openExample, optimise, room, showResults, test } from "./journey.ts";

test.setTimeout(180_000);

for (const colorScheme of ["light", "dark"] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`a tree is searched by, and its nodes are walked by keyboard, in ${colorScheme}`, async ({
      page,
    }) => {
      await openExample(page, "Two queries change places");
      await goTo(page, "Optimise");
      const method = page.getByLabel("Method");
      await expect(method).toHaveValue("certified");
      await expect(method).toHaveAccessibleDescription(/Among all candidate tables/);
      await method.selectOption("Summary tree");
      await expect(method).toHaveAccessibleDescription(/The published method/);
      await optimise(page);

      const view = await showResults(page, "Summary tree");
      const nodes = view.getByRole("treeitem");
      await expect(nodes).toHaveCount(4);
      await expect(nodes.first()).toHaveAccessibleName(/^step 1 .*to step 6 .*: \d tables$/);
      const words = view.getByRole("region", { name: "The node looked at" });
      await expect(words).toContainText("Node 1 of 4");
      await expect(words).toContainText(/Each stands for2 steps/);

      await nodes.first().focus();
      await page.keyboard.press("ArrowDown");
      await expect(nodes.nth(1)).toBeFocused();
      await page.keyboard.press("ArrowRight");
      await expect(nodes.nth(2)).toBeFocused();
      await expect(words).toContainText("Node 3 of 4");
      await page.keyboard.press("ArrowDown");
      await expect(nodes.nth(3)).toHaveAttribute("aria-selected", "true");
      await expect(words).toContainText(/Each stands foritself/);
      await nodes.nth(1).click();
      await expect(words).toContainText(/Taken over from its parentthe tables of 1 .*, 3 /);

      for (const name of ["Summary tree", "Tables that the tree leaves"]) {
        const button = view.getByRole("button", { name: `${name} as a table` });
        await button.click();
        await expect(view.getByRole("table").first()).toBeVisible();
        await button.click();
      }
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"])
        .analyze();
      expect(violations.map(({ id, nodes: at }) => `${id}: ${at[0]?.html}`)).toEqual([]);
      await page.screenshot({ path: test.info().outputPath("tree.png") });

      // A certified answer has no tree, and the view gives way to the first.
      await goTo(page, "Optimise");
      await method.selectOption("Certified");
      await optimise(page);
      await expect(room(page, "Results").getByRole("tab", { name: "Summary tree" })).toBeHidden();
      await expect(page.getByRole("tabpanel", { name: "Cost and migrations" })).toBeVisible();
    });
  });
