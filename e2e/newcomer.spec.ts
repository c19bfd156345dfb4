/**
 * A newcomer makes a first project from nothing — three entities, two relationships, three statements, a
 * cycle and a spike — and optimises it: once by mouse alone and once by keyboard alone. Both ways end in
 * the same document, which is written out here. No room or panel of the way keeps anybody out, and all of
 * them read on a phone.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expectNoBarriers } from "./barriers.ts";
import {
  expect,
  figure,
  goTo,
  header,
  openStudio,
  optimise,
  type Room,
  room,
  showResults,
  solved,
  test,
} from "./journey.ts";

test.setTimeout(120_000);
// What moves cannot be pointed at.
test.use({ contextOptions: { reducedMotion: "reduce" } });

interface DrawnEntity {
  readonly name: string;
  readonly records: string;
  readonly attribute: string;
}

const entities = [
  { name: "customer", records: "2000", attribute: "city" },
  { name: "order", records: "50000", attribute: "state" },
  { name: "parcel", records: "60000", attribute: "carrier" },
] as const satisfies readonly DrawnEntity[];

interface WrittenStatement {
  readonly text: string;
  /** What is chosen under “Change”, and the numbers that are not left as they are proposed. */
  readonly change: string;
  readonly numbers: Readonly<Record<string, string>>;
}

const statements = [
  {
    text: "SELECT orders.id FROM customer.orders WHERE customer.city = ?",
    change: "Cycle",
    numbers: { Low: "10", High: "200", Period: "4", "Peak at step": "3" },
  },
  {
    text: "SELECT parcels.carrier FROM order.parcels WHERE order.state = ?",
    change: "Spike",
    numbers: { Otherwise: "5", Peak: "400", "From step": "3" },
  },
  {
    text: "UPDATE order SET state = ? WHERE order.id = ?",
    change: "Raise or lower",
    numbers: { By: "20" },
  },
] as const satisfies readonly WrittenStatement[];

/** One way to work with the page; text is typed in both. */
interface Hand {
  /** Presses a button, a link or a tab. */
  readonly press: (place: Locator) => Promise<void>;
  /** Puts a text in the place of what is in a field. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Goes on to the next thing, so that what was written is taken over. */
  readonly leave: () => Promise<void>;
  readonly choose: (list: Locator, option: string) => Promise<void>;
  /** Where a fresh entity has its fields. */
  readonly addEntity: (index: number) => Promise<Locator>;
  readonly endEntity: (fields: Locator) => Promise<void>;
  readonly relate: (parent: string, child: string) => Promise<void>;
  readonly optimise: () => Promise<void>;
}

test("by mouse alone", async ({ page }) => {
  await makeFirstProject(page, mouse(page));
});

test("by keyboard alone", async ({ page }) => {
  await makeFirstProject(page, keyboard(page));
});

const rooms: readonly Room[] = ["Start", "Model", "Workload", "Optimise", "Results", "Sharding"];

// The filled rooms and their panels are looked at by the specs of each; here is what lies between them.
test("no empty room and no panel keeps anybody out, and all rooms read on a phone", async ({
  page,
}) => {
  await openStudio(page);
  for (const name of rooms) {
    await goTo(page, name);
    await expectNoBarriers(page, `empty ${name}`);
    await expectToFit(page, `empty ${name}`);
  }
  await goTo(page, "Start");
  await page.getByRole("button", { name: "Draw from nothing" }).click();
  await expect(room(page, "Model")).toBeVisible();

  await goTo(page, "Start");
  await page.getByRole("button", { name: /^Users and items/ }).click();
  await expect(room(page, "Model")).toBeVisible();
  await optimise(page);
  for (const name of rooms) {
    await goTo(page, name);
    await expectToFit(page, name);
  }
  await goTo(page, "Results");
  for (const view of ["Schema", "Plans"] as const) {
    await showResults(page, view);
    await expectToFit(page, view);
  }
  await header(page).getByRole("button", { name: "Projects" }).click();
  await expectNoBarriers(page, "projects");
  await page.keyboard.press("Escape");
  await goTo(page, "Workload");
  await page.getByRole("combobox", { name: "Change", exact: true }).selectOption("Cycle");
  await expectNoBarriers(page, "a pattern");
  await goTo(page, "Model");
  await page.getByRole("button", { name: "Import SQL or CQL" }).click();
  await expectNoBarriers(page, "import");
});

/** On the screen of a phone nothing is wider than its place. */
async function expectToFit(page: Page, what: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const tooWide = await page.getByRole("main").evaluate((main) => {
    const wide = (place: Element): number => place.scrollWidth - place.clientWidth;
    return Math.max(wide(main), wide(document.documentElement));
  });
  expect.soft(tooWide, `${what}: pixels too wide on a phone`).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}

async function makeFirstProject(page: Page, hand: Hand): Promise<void> {
  await openStudio(page);
  await hand.press(header(page).getByRole("button", { name: "Projects" }));
  await hand.press(page.getByRole("button", { name: "New project" }));
  await hand.write(page.getByRole("textbox", { name: "Project name" }), "Parcels");
  await hand.press(roomLink(page, "Model"));
  for (const [index, { name, records, attribute }] of entities.entries()) {
    const fields = await hand.addEntity(index);
    await hand.write(fields.getByRole("textbox", { name: /^Name of entity\d?$/ }), name);
    await hand.write(fields.getByRole("textbox", { name: /^Records of/ }), records);
    await hand.press(fields.getByRole("button", { name: /^Add attribute/ }));
    await hand.write(fields.getByRole("textbox", { name: `Name of ${name}.attribute` }), attribute);
    await hand.endEntity(fields);
  }
  await hand.relate("customer", "order");
  await hand.relate("order", "parcel");

  await hand.press(roomLink(page, "Workload"));
  await hand.write(page.getByRole("textbox", { name: "Number of steps" }), "6");
  await hand.leave();
  await hand.press(page.getByRole("button", { name: "Keep", exact: true }));
  for (const { text, change, numbers } of statements) {
    await hand.press(page.getByRole("button", { name: "Add statement" }));
    await hand.write(page.getByRole("textbox", { name: "Statement text" }), text);
    await hand.choose(page.getByRole("combobox", { name: "Change", exact: true }), change);
    const form = page.getByRole("form", { name: change });
    for (const [label, number] of Object.entries(numbers))
      await hand.write(form.getByRole("textbox", { name: label, exact: true }), number);
    await hand.press(form.getByRole("button", { name: "Apply" }));
    await expect(form).toBeHidden();
  }

  await hand.press(roomLink(page, "Start"));
  const download = page.waitForEvent("download");
  await hand.press(page.getByRole("button", { name: "Download project" }));
  const { layout, settings, ...made } = JSON.parse(
    await readFile(await (await download).path(), "utf8"),
  );
  // Where the boxes stand is each way's own; the settings are those that every project begins with.
  expect(Object.keys(layout.positions)).toHaveLength(3);
  expect(settings.storage).toEqual({ kind: "none" });
  expect(made).toEqual(firstProject);

  await hand.optimise();
  const results = room(page, "Results");
  await expect(results).toBeVisible(solved);
  await expect(figure(results, "Proof")).toHaveText(/^(Optimal|Within [\d.]+ %)$/, solved);
  await expect(figure(results, "Tables in all")).toHaveText(/^[1-9]/);
}

function roomLink(page: Page, name: string): Locator {
  const rooms = page.getByRole("navigation", { name: "Rooms" });
  return rooms.getByRole("link", { name, exact: true });
}

const canvas = (page: Page): Locator => page.getByRole("application", { name: "Entity graph" });
const outline = (page: Page): Locator => page.getByRole("region", { name: "Entities" });
const card = (page: Page, name: string): Locator =>
  canvas(page).getByRole("group", { name: new RegExp(`^Entity ${name},`) });

// -------------------------------------------------------------------------------------------- mouse

function mouse(page: Page): Hand {
  const press = (place: Locator): Promise<void> => place.click();
  const drawing = page.getByRole("toolbar", { name: "Drawing" });
  return {
    press,
    write: async (field, text) => {
      await field.click({ clickCount: 3 });
      await page.keyboard.type(text);
    },
    leave: () => press(page.getByRole("heading", { name: "Frequency curves" })),
    // The browser itself draws the list of a select, outside of the page: a test cannot point at its lines.
    choose: async (list, option) => {
      await list.selectOption({ label: option });
    },
    addEntity: async (index) => {
      // The first on the empty canvas; those after it by the button, which finds a free place for them.
      if (index === 0) await canvas(page).dblclick({ position: { x: 60, y: 60 } });
      else await press(drawing.getByRole("button", { name: "Add entity" }));
      return canvas(page).locator(".open-card");
    },
    endEntity: async (fields) => {
      await press(fields.getByRole("button", { name: "Done" }));
      await expect(fields).toBeHidden();
    },
    relate: async (parent, child) => {
      await press(drawing.getByRole("button", { name: "Arrange" }));
      await card(page, parent).hover();
      const from = await centre(card(page, parent).locator('[data-handleid="right"]'));
      const to = await centre(card(page, child));
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
      await expect(relationship(page, parent, child)).toHaveCount(1);
    },
    optimise: () => press(header(page).getByRole("button", { name: "Optimise" })),
  };
}

async function centre(place: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error("not on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function relationship(page: Page, parent: string, child: string): Locator {
  const name = new RegExp(`${parent} has 0\\.\\.n ${child}s`);
  return canvas(page).getByRole("img", { name });
}

// ----------------------------------------------------------------------------------------- keyboard

function keyboard(page: Page): Hand {
  const press = async (place: Locator): Promise<void> => {
    await reach(page, place);
    await page.keyboard.press("Enter");
  };
  return {
    press,
    write: async (field, text) => {
      await reach(page, field);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    leave: () => page.keyboard.press("Tab"),
    choose: async (list, option) => {
      await reach(page, list);
      const chosen = list.locator("option:checked");
      for (let presses = 0; (await chosen.textContent()) !== option && presses < 20; presses += 1)
        await page.keyboard.press("ArrowDown");
      await expect(chosen).toHaveText(option);
    },
    addEntity: async () => {
      await press(outline(page).getByRole("button", { name: "Add entity" }));
      return outline(page);
    },
    endEntity: () => page.keyboard.press("Tab"),
    relate: async (parent, child) => {
      const relate = outline(page).getByRole("button", { name: `Relate ${parent} to` });
      if (!(await relate.isVisible()))
        await press(outline(page).getByRole("button", { name: `Open ${parent}` }));
      await press(relate);
      const wanted = page.getByRole("menuitem", { name: child, exact: true });
      for (let presses = 0; !(await isFocused(wanted)) && presses < 9; presses += 1)
        await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await expect(relationship(page, parent, child)).toHaveCount(1);
    },
    optimise: () => page.keyboard.press("Control+Enter"),
  };
}

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === document.activeElement);

/** Tab, or Shift and Tab where it lies before what has the focus, until it is reached. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  const whereTo = (): Promise<"here" | "on" | "back"> =>
    wanted.evaluate((element) => {
      const { activeElement, body } = document;
      if (activeElement === element) return "here";
      const isBefore =
        activeElement !== null &&
        activeElement !== body &&
        (activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      return isBefore ? "back" : "on";
    });
  let presses = 0;
  for (let to = await whereTo(); to !== "here" && presses < 90; to = await whereTo()) {
    await page.keyboard.press(to === "on" ? "Tab" : "Shift+Tab");
    presses += 1;
  }
  await expect(wanted).toBeFocused();
}

// --------------------------------------------------------------------------------- what both ways make

const link = (parent: string, role: string, child: string, childRole: string) => ({
  multiplicity: "oneToMany",
  ends: [
    { entity: parent, role },
    { entity: child, role: childRole },
  ],
});

const drawn = ({ name, records, attribute }: DrawnEntity) => ({
  name,
  count: Number(records),
  attributes: [
    { name: "id", type: "uuid" },
    { name: attribute, type: "text" },
  ],
  identifier: ["id"],
});

const firstProject = {
  format: "tidetable",
  version: 2,
  name: "Parcels",
  entities: {
    entity: drawn(entities[0]),
    entity2: drawn(entities[1]),
    entity3: drawn(entities[2]),
  },
  relationships: {
    "entity.orders": link("entity", "customer", "entity2", "orders"),
    "entity2.parcels": link("entity2", "order", "entity3", "parcels"),
  },
  statements: {
    statement: { text: statements[0].text },
    statement2: { text: statements[1].text },
    statement3: { text: statements[2].text },
  },
  timeline: { steps: 6, stepSeconds: 3600 },
  frequencies: {
    statement: [10, 105, 200, 105, 10, 105],
    statement2: [5, 5, 400, 202.5, 5, 5],
    statement3: [20, 20, 20, 20, 20, 20],
  },
};
