import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  addEntity,
  addStatement,
  type Edit,
  removeEntity,
  removeStatement,
  scaleGroup,
  setEntityCount,
  setFrequency,
  setName,
  setStorage,
  setTimeline,
} from "./commands.ts";
import { readDocument } from "./read.ts";
import { renameEntity } from "./rename.ts";
import { editUnder, effective, scenarioNamed, scenarioToShow } from "./scenario.ts";
import {
  addScenario,
  clearPinsOverride,
  duplicateScenario,
  removeScenario,
  renameScenario,
  setCountOverride,
  setCurveOverride,
  setStorageOverride,
  setWeight,
} from "./scenario-commands.ts";
import type { StudioDocument } from "./schema.ts";
import { addRestriction } from "./tables-commands.ts";
import { problemKey, toProblem } from "./to-problem.ts";

const file = readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8"));
if (!file.ok) throw new Error("the sample file does not load");
const hotel: StudioDocument = file.value;

function made(edit: Edit): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues.map(({ message }) => message).join());
  return edit.value;
}

/** The hotel with two scenarios; `busy` overrides one of each, `quiet` nothing yet. */
const busy = [
  (each: StudioDocument) => addScenario(each, "busy", "Busy"),
  (each: StudioDocument) => addScenario(each, "quiet", " Quiet "),
  (each: StudioDocument) => setCountOverride(each, "busy", "guest", 5_000_000),
  (each: StudioDocument) => setCurveOverride(each, "busy", "stays", [1, 2, 3, 4]),
  (each: StudioDocument) => setWeight(each, "busy", "stays", 10),
  (each: StudioDocument) => setWeight(each, "busy", "book", 2),
  (each: StudioDocument) => setStorageOverride(each, "busy", { kind: "bytes", bytes: 5e9 }),
].reduce((document, command) => made(command(document)), hotel);

const scenarioOf = (document: StudioDocument, id: string) => document.scenarios?.[id];
const under = (
  document: StudioDocument,
  id: string | undefined,
  command: (shown: StudioDocument) => Edit,
) => made(editUnder(document, id, command));

describe("the project under a scenario", () => {
  test("has its curves, weights, counts and limit, and everything else as it is", () => {
    const shown = effective(busy, "busy");
    expect(shown.entities["guest"]?.count).toBe(5_000_000);
    expect(shown.frequencies["stays"]).toEqual([10, 20, 30, 40]);
    expect(shown.frequencies["book"]).toEqual([2, 12, 16, 24]);
    expect(shown.settings.storage).toEqual({ kind: "bytes", bytes: 5e9 });
    expect(shown.frequencies["cancel"]).toBe(busy.frequencies["cancel"]);
    expect(shown.entities["room"]).toBe(busy.entities["room"]);
    expect(shown.settings.options).toBe(busy.settings.options);
    expect(effective(busy, "busy")).toBe(shown);
  });

  test("is the project itself where nothing is overridden, or there is no such scenario", () => {
    expect(problemKey(effective(busy, "quiet"))).toBe(problemKey(hotel));
    expect(problemKey(effective(busy, "busy"))).not.toBe(problemKey(hotel));
    expect(effective(busy, "none")).toBe(busy);
    expect(effective(busy, "constructor")).toBe(busy);
    expect(toProblem(effective(busy, "busy")).ok).toBe(true);
    expect(scenarioNamed(busy, "Quiet")).toBe("quiet");
  });
});

describe("commands of scenarios", () => {
  test("names are told apart, overrides of what is not there are refused", () => {
    expect(addScenario(busy, "x", "Busy")).toMatchObject({ ok: false });
    expect(addScenario(busy, "x", " ")).toMatchObject({ ok: false });
    expect(renameScenario(busy, "quiet", "Busy")).toMatchObject({ ok: false });
    expect(setCountOverride(busy, "busy", "nobody", 3)).toMatchObject({ ok: false });
    expect(setCountOverride(busy, "busy", "guest", 0)).toMatchObject({ ok: false });
    expect(setCurveOverride(busy, "busy", "stays", [1])).toMatchObject({ ok: false });
    expect(setWeight(busy, "busy", "stays", -1)).toMatchObject({ ok: false });
    expect(setWeight(busy, "none", "stays", 2)).toMatchObject({ ok: false });
  });

  test("duplicate and delete", () => {
    const two = made(duplicateScenario(busy, "busy", "busier", "Busier"));
    expect(scenarioOf(two, "busier")).toEqual({ ...scenarioOf(busy, "busy"), name: "Busier" });
    const none = ["busier", "busy", "quiet"].reduce(
      (each, id) => made(removeScenario(each, id)),
      two,
    );
    expect(none).toEqual(hotel);
  });

  test("an override that is taken back leaves nothing behind", () => {
    const bare = [
      (each: StudioDocument) => setCountOverride(each, "busy", "guest", undefined),
      (each: StudioDocument) => setCurveOverride(each, "busy", "stays", undefined),
      (each: StudioDocument) => setWeight(each, "busy", "stays", 1),
      (each: StudioDocument) => setWeight(each, "busy", "book", undefined),
      (each: StudioDocument) => setStorageOverride(each, "busy", undefined),
      (each: StudioDocument) => clearPinsOverride(each, "busy"),
    ].reduce((document, command) => made(command(document)), busy);
    expect(scenarioOf(bare, "busy")).toEqual({ name: "Busy" });
  });
});

describe("an edit under a scenario", () => {
  test("of a count, a curve or the limit is an override, and the project stays", () => {
    const counted = under(busy, "quiet", (shown) => setEntityCount(shown, "hotel", 7));
    expect(scenarioOf(counted, "quiet")).toEqual({ name: "Quiet", counts: { hotel: 7 } });
    expect(counted.entities).toBe(busy.entities);
    const drawn = under(busy, "quiet", (shown) => setFrequency(shown, "book", 1, 99));
    expect(scenarioOf(drawn, "quiet")).toMatchObject({ curves: { book: [1, 99, 8, 12] } });
    expect(drawn.frequencies).toEqual(busy.frequencies);
    const limited = under(busy, "quiet", (shown) => setStorage(shown, { kind: "none" }));
    expect(scenarioOf(limited, "quiet")).toMatchObject({ storage: { kind: "none" } });
    expect(limited.settings).toEqual(busy.settings);
  });

  test("of a weighted curve takes the weight in: what is drawn is what is seen", () => {
    const drawn = under(busy, "busy", (shown) => setFrequency(shown, "book", 0, 50));
    expect(scenarioOf(drawn, "busy")?.curves).toMatchObject({ book: [50, 12, 16, 24] });
    expect(scenarioOf(drawn, "busy")?.weights).toEqual({ stays: 10 });
    expect(effective(drawn, "busy").frequencies["book"]).toEqual([50, 12, 16, 24]);
  });

  test("back to what the project has takes the override back", () => {
    const again = under(busy, "busy", (shown) =>
      setEntityCount(shown, "guest", hotel.entities["guest"]?.count ?? 0),
    );
    expect(scenarioOf(again, "busy")?.counts).toBeUndefined();
  });

  test("of pins makes them the scenario's own", () => {
    const pin = { kind: "family", demand: "ban", family: "[hotel.id] [] -> hotel.name of hotel" };
    const pinned = under(busy, "quiet", (shown) => addRestriction(shown, pin as never));
    expect(pinned.restrictions).toEqual(busy.restrictions);
    expect(Object.keys(scenarioOf(pinned, "quiet")?.restrictions ?? {})).toHaveLength(
      Object.keys(busy.restrictions ?? {}).length + 1,
    );
    const other = under(pinned, undefined, (shown) => renameEntity(shown, "hotel", "inn"));
    expect(JSON.stringify(scenarioOf(other, "quiet"))).toContain("[inn.id] [] → inn.name of inn");
  });

  test("of anything else is the project's, under every scenario", () => {
    const renamed = under(busy, "busy", (shown) => setName(shown, "Inns"));
    expect(renamed).toEqual({ ...busy, name: "Inns" });
    const added = under(busy, "busy", (shown) =>
      addEntity(shown, "spa", { count: 3, attributes: [], identifier: [] }),
    );
    expect(added.entities["spa"]?.count).toBe(3);
    expect(added.entities["guest"]?.count).toBe(1_000_000);
    expect(scenarioOf(added, "busy")).toEqual(scenarioOf(busy, "busy"));
    const asked = under(busy, "busy", (shown) =>
      addStatement(shown, "q", { text: "SELECT hotel.name FROM hotel" }, [1, 1, 1, 2]),
    );
    expect(asked.frequencies["q"]).toEqual([1, 1, 1, 2]);
    expect(asked.frequencies["book"]).toEqual(busy.frequencies["book"]);
  });

  test("of the steps resamples the project's and every scenario's curves", () => {
    const longer = (shown: StudioDocument) => setTimeline(shown, { steps: 6, stepSeconds: 21600 });
    for (const id of [undefined, "busy", "quiet"]) {
      const next = under(busy, id, longer);
      expect(next.frequencies["stays"]).toEqual([0.5, 10, 10, 15, 15, 15]);
      expect(scenarioOf(next, "busy")?.curves).toEqual({ stays: [1, 2, 3, 4, 4, 4] });
      expect(scenarioOf(next, "busy")?.weights).toEqual({ stays: 10, book: 2 });
      expect(scenarioOf(next, "quiet")).toEqual({ name: "Quiet" });
    }
  });

  test("that removes a record removes what was overridden of it", () => {
    for (const id of [undefined, "busy", "quiet"]) {
      const without = under(busy, id, (shown) => removeStatement(shown, "stays"));
      expect(scenarioOf(without, "busy")).not.toHaveProperty("curves");
      expect(scenarioOf(without, "busy")?.weights).toEqual({ book: 2 });
      const alone = under(busy, id, (shown) => removeEntity(shown, "guest"));
      expect(scenarioOf(alone, "busy")).not.toHaveProperty("counts");
      expect(alone.settings.storage).toEqual(busy.settings.storage);
    }
  });

  test("that is refused or changes nothing leaves the project alone", () => {
    expect(editUnder(busy, "busy", (shown) => setEntityCount(shown, "guest", 0)).ok).toBe(false);
    expect(under(busy, "busy", (shown) => setEntityCount(shown, "guest", 5_000_000))).toBe(busy);
    const groups = under(busy, "quiet", (shown) => scaleGroup(shown, "", 1));
    expect(groups).toBe(busy);
  });
});

test("undo shows what it changes", () => {
  const drawn = under(busy, "quiet", (shown) => setFrequency(shown, "book", 1, 99));
  expect(scenarioToShow(drawn, busy, undefined)).toBe("quiet");
  expect(scenarioToShow(drawn, busy, "busy")).toBe("quiet");
  const base = under(busy, undefined, (shown) => setEntityCount(shown, "guest", 8));
  expect(scenarioToShow(base, busy, "quiet")).toBe("quiet");
  // The scenario overrides what has changed: it would not be seen there.
  expect(scenarioToShow(base, busy, "busy")).toBeUndefined();
  expect(scenarioToShow(busy, hotel, "busy")).toBeUndefined();
});
