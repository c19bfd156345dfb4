/**
 * What the journeys have in common: a page that has to stay free of faults, and the studio's places by
 * role and label. Waits are long because the machine may be shared; a journey that goes well never needs them.
 */
import { readFile } from "node:fs/promises";
import { test as base, expect as baseExpect, type Locator, type Page } from "@playwright/test";

export const expect = baseExpect.configure({ timeout: 30_000 });

/** How long a small example may take to be solved. */
export const solved = { timeout: 120_000 };

/** `test` with a page that fails its journey when it throws or writes an error into the console. */
export const test = base.extend<{
  /** Errors that a journey brings about on purpose. */
  expectedFaults: RegExp | undefined;
  faultless: undefined;
}>({
  expectedFaults: [undefined, { option: true }],
  faultless: [
    async ({ page, expectedFaults }, use) => {
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(message.text());
      });
      await use(undefined);
      const unexpected = faults.filter((fault) => !expectedFaults?.test(fault));
      baseExpect(unexpected, "errors in the console").toEqual([]);
    },
    { auto: true },
  ],
});

export type Room = "Start" | "Model" | "Workload" | "Optimise" | "Results" | "Sharding";
export type Example =
  | "Users and items"
  | "Two queries change places"
  | "Hotel reservations"
  | "Auction site"
  | "Likes"
  | "Bank transaction log"
  | "Which key\\?";

// ------------------------------------------------------------------------------------------- places

export async function openStudio(page: Page): Promise<void> {
  await page.goto("./");
  await expect(room(page, "Start")).toBeVisible();
}

/** Opens an example by its card on the start page; its entity graph is then on the screen. */
export async function openExample(page: Page, example: Example): Promise<void> {
  await openStudio(page);
  await page.getByRole("button", { name: new RegExp(`^${example}`) }).click();
  await expect(page.getByRole("application", { name: "Entity graph" })).toBeVisible();
}

export async function goTo(page: Page, name: Room): Promise<void> {
  const rooms = page.getByRole("navigation", { name: "Rooms" });
  await rooms.getByRole("link", { name, exact: true }).click();
  await expect(room(page, name)).toBeVisible();
  await expect(page.getByText("Opening the room…")).toBeHidden();
}

export function room(page: Page, name: Room): Locator {
  return page.getByRole("main", { name: `${name} room` });
}

export function header(page: Page): Locator {
  return page.getByRole("banner");
}

/** What a list of terms says about one of them. */
export function figure(place: Locator, term: string | RegExp): Locator {
  const asked = place.getByRole("term").filter({ hasText: term });
  return asked.locator("..").getByRole("definition");
}

export async function textOf(place: Locator): Promise<string> {
  return (await place.textContent()) ?? "";
}

/** The project of the screen has reached the browser's storage. */
export async function expectSaved(page: Page): Promise<void> {
  await expect(header(page).getByText("Saved", { exact: true })).toBeVisible();
}

// ---------------------------------------------------------------------------------------------- runs

export function optimiseButton(page: Page): Locator {
  return header(page).getByRole("button", { name: "Optimise" });
}

export function stopButton(page: Page): Locator {
  return header(page).getByRole("button", { name: "Stop" });
}

/** Runs the optimiser to its end; its answer is then on the screen. */
export async function optimise(page: Page): Promise<void> {
  await optimiseButton(page).click();
  await expect(room(page, "Results")).toBeVisible(solved);
  await expect(stopButton(page)).toBeHidden();
}

/** Starts a run and waits until its first answer is known, but not yet proven. */
export async function optimiseUntilFirstAnswer(page: Page): Promise<void> {
  await optimiseButton(page).click();
  await expect(header(page).getByRole("link", { name: /gap [\d.]+/ })).toBeVisible(solved);
}

export async function showResults(
  page: Page,
  view: "Cost and migrations" | "Schema" | "Plans" | "Summary tree",
): Promise<Locator> {
  await page.getByRole("tab", { name: view }).click();
  return page.getByRole("tabpanel", { name: view });
}

/** From the first visit on, an edit of a curve is not followed by a search of the page's own. */
export async function improveOnlyWhenAsked(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const key = "tidetable.session";
    if (localStorage.getItem(key) === null)
      localStorage.setItem(key, JSON.stringify({ improvesAlone: false }));
  });
}

// ---------------------------------------------------------------------------------------------- time

export function slider(page: Page): Locator {
  return page.getByRole("slider", { name: "Time step" });
}

/** The time cursor stands at a step, counted from 1. */
export async function expectStep(page: Page, step: number): Promise<void> {
  await expect(slider(page)).toHaveValue(String(step - 1));
  const band = page.getByRole("region", { name: "Time cursor" });
  await expect(band.getByText(new RegExp(`^Step ${step} of`))).toBeVisible();
}

// -------------------------------------------------------------------------------------------- editing

/** The cell of the frequency grid for a statement and a step, counted from 1. */
export function gridCell(page: Page, statement: string, step: number): Locator {
  const grid = page.getByRole("grid", { name: "Executions per second" });
  return grid.getByRole("gridcell", { name: new RegExp(`^${statement}.*, step ${step}\\b`) });
}

/** The text of the project's file, as the start page hands it out. */
export async function downloadProject(page: Page): Promise<string> {
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download project" }).click();
  return readFile(await (await started).path(), "utf8");
}

/** Chooses a project file with the given text on the start page. */
export async function openFile(page: Page, name: string, text: string): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await page.getByText("Choose a project file").click();
  const buffer = Buffer.from(text);
  await (await chosen).setFiles({ name, mimeType: "application/json", buffer });
}

/** What the updates of `projectWithUpdates` are called. */
export const updateLabels = {
  rename: "u1 Change an e-mail address",
  restock: "u2 Restock an item",
  offer: "u3 Offer an item",
} as const;

/** The file of the example of users and items, with three updates. */
export async function projectWithUpdates(): Promise<string> {
  const file = new URL("../src/examples/user-item/document.json", import.meta.url);
  const project = JSON.parse(await readFile(file, "utf8"));
  const statements = {
    ...project.statements,
    u1: { label: updateLabels.rename, text: "UPDATE user SET email = ? WHERE user.id = ?" },
    u2: { label: updateLabels.restock, text: "UPDATE item SET quantity = ? WHERE item.id = ?" },
    u3: {
      label: updateLabels.offer,
      text: "INSERT INTO item SET id = ?, name = ?, quantity = ? AND CONNECT TO user(?)",
    },
  };
  const frequencies = {
    ...project.frequencies,
    u1: [0, 0.02, 0.05, 0.02],
    u2: [0.2, 1, 2, 1],
    u3: [0.1, 0.2, 0.2, 0.1],
  };
  return JSON.stringify({ ...project, name: "With updates", statements, frequencies });
}

/** A project whose run takes its time, opened; its entity graph is then on the screen. */
export async function openLongRun(page: Page): Promise<void> {
  await openStudio(page);
  await openFile(page, "long-run.json", await longRun());
  await expect(page.getByRole("region", { name: "Entities" })).toBeVisible();
}

/**
 * The auction in which nothing is written and storage is scarce, with its last step four times more: many
 * tables compete for little room, so that no machine proves the answer before it is stopped.
 */
async function longRun(): Promise<string> {
  const file = new URL("../src/examples/auction/document.json", import.meta.url);
  const { statements, frequencies, timeline, settings, ...rest } = JSON.parse(
    await readFile(file, "utf8"),
  ) as AuctionFile;
  const reads = Object.keys(statements).filter((id) => statements[id]?.text.startsWith("SELECT"));
  const longer = (curve: readonly number[]): number[] => [
    ...curve,
    ...Array.from({ length: 4 }, () => curve.at(-1) ?? 0),
  ];
  return JSON.stringify({
    ...rest,
    statements: Object.fromEntries(reads.map((id) => [id, statements[id]])),
    frequencies: Object.fromEntries(reads.map((id) => [id, longer(frequencies[id] ?? [])])),
    timeline: { steps: 12, stepSeconds: timeline.stepSeconds },
    settings: { ...settings, storage: { kind: "percentOfStaticAverage", percent: 30 } },
  });
}

interface AuctionFile {
  readonly statements: Readonly<Record<string, { readonly text: string }>>;
  readonly frequencies: Readonly<Record<string, readonly number[]>>;
  readonly timeline: { readonly stepSeconds: number };
  readonly settings: object;
}
