/** What a machine can find of what keeps people out: every rule of WCAG 2.2 A and AA, in both themes. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/** No fault of WCAG in light and in dark; the page keeps the theme of the device afterwards. */
export async function expectNoBarriers(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const axe = new AxeBuilder({ page });
    // Of what axe looks for, contrast alone is another in the dark.
    const asked = colorScheme === "dark" ? axe.withRules("color-contrast") : axe.withTags(wcag);
    const { violations } = await asked.analyze();
    const faults = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join("\n  ")}`,
    );
    expect.soft(faults, `${what}, ${colorScheme}`).toEqual([]);
  }
}
