import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import {
  addAttribute,
  addEntity,
  addRelationship,
  addStatement,
  type Edit,
  editRelationship,
  freshId,
  moveEntity,
  moveStatement,
  removeAttribute,
  removeEntity,
  removeRelationship,
  removeStatement,
  scaleGroup,
  setAttributeBytes,
  setAttributeDistinct,
  setAttributeType,
  setCostModel,
  setCurves,
  setEntityCount,
  setFrequencies,
  setFrequency,
  setGap,
  setIdentifier,
  setMode,
  setName,
  setOption,
  setPositions,
  setQuestion,
  setStatementAssumptions,
  setStatementGroup,
  setStatementLabel,
  setStatementText,
  setStepLabels,
  setStorage,
  setTimeLimit,
  setTimeline,
} from "./commands.ts";
import { readDocument } from "./read.ts";
import type { StudioDocument } from "./schema.ts";

const fixture = readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8"));
if (!fixture.ok) throw new Error("the sample file does not load");
const hotel: StudioDocument = fixture.value;

function edited(edit: Edit): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues.map((issue) => issue.message).join("\n"));
  return edit.value;
}

function complaints(edit: Edit): string[] {
  return edit.ok ? [] : edit.issues.map((issue) => issue.message);
}

const warningsOf = (edit: Edit): string[] =>
  edit.ok ? edit.warnings.map((issue) => issue.message) : [];

describe("commands", () => {
  test("share every part that they do not touch", () => {
    const next = edited(setEntityCount(hotel, "guest", 5));
    expect(next.entities["guest"]?.count).toBe(5);
    expect(next.entities["hotel"]).toBe(hotel.entities["hotel"]);
    expect(next.statements).toBe(hotel.statements);
    expect(next.frequencies).toBe(hotel.frequencies);
    expect(hotel.entities["guest"]?.count).toBe(1_000_000);
  });

  test.each<[string, Edit]>([
    ["count", setEntityCount(hotel, "guest", 1_000_000)],
    ["bytes", setAttributeBytes(hotel, "guest", "email", 30)],
    ["default bytes", setAttributeBytes(hotel, "guest", "name", undefined)],
    ["text", setStatementText(hotel, "cancel", hotel.statements["cancel"]?.text ?? "")],
    ["label", setStatementLabel(hotel, "book", "")],
    ["frequency", setFrequency(hotel, "book", 0, 1)],
    ["curve", setFrequencies(hotel, "book", [1, 6, 8, 12])],
    ["position", moveEntity(hotel, "hotel", { x: 0, y: 0 })],
    ["order", moveStatement(hotel, "cancel", 4)],
    ["timeline", setTimeline(hotel, { steps: 4, stepSeconds: 21600 })],
    ["option", setOption(hotel, "cyclic", true)],
    ["gap", setGap(hotel, 1e-4)],
    ["mode", setMode(hotel, "certified")],
    ["question", setQuestion(hotel, hotel.question ?? "")],
    ["relationship", editRelationship(hotel, "referral", { optional: true })],
  ])("return the same document when the %s stays as it is", (_, edit) => {
    expect(edited(edit)).toBe(hotel);
  });

  test.each<[string, Edit]>([
    ["no name", setName(hotel, "  ")],
    ["a count of 0", setEntityCount(hotel, "guest", 0)],
    ["a count that is not a number", setEntityCount(hotel, "guest", Number.NaN)],
    ["an endless count", setEntityCount(hotel, "guest", Number.POSITIVE_INFINITY)],
    ["an entity that is gone", setEntityCount(hotel, "inn", 3)],
    ["an entity that every object has", setEntityCount(hotel, "constructor", 3)],
    ["bytes of 0", setAttributeBytes(hotel, "guest", "name", 0)],
    ["half a distinct value", setAttributeDistinct(hotel, "guest", "name", 0.5)],
    ["an attribute that is gone", setAttributeType(hotel, "guest", "nick", "text")],
    ["a taken attribute", addAttribute(hotel, "guest", { name: "NAME", type: "text" })],
    [
      "an attribute called like a role",
      addAttribute(hotel, "hotel", { name: "rooms", type: "text" }),
    ],
    ["a negative frequency", setFrequency(hotel, "book", 0, -1)],
    ["a frequency that is not a number", setFrequency(hotel, "book", 0, Number.NaN)],
    ["a frequency at no step", setFrequency(hotel, "book", 4, 1)],
    ["a frequency at half a step", setFrequency(hotel, "book", 0.5, 1)],
    ["a curve that is too short", setFrequencies(hotel, "book", [1, 2])],
    ["a curve of no statement", setFrequencies(hotel, "gone", [1, 2, 3, 4])],
    ["a negative factor", scaleGroup(hotel, "browse", -1)],
    ["a group that nobody is in", scaleGroup(hotel, "night", 2)],
    ["no steps", setTimeline(hotel, { steps: 0, stepSeconds: 60 })],
    ["steps of no length", setTimeline(hotel, { steps: 4, stepSeconds: 0 })],
    ["too few labels", setStepLabels(hotel, ["day"])],
    ["a storage of 0 bytes", setStorage(hotel, { kind: "bytes", bytes: 0 })],
    ["no Get at all", setOption(hotel, "maxGets", 0)],
    ["a gap above 1", setGap(hotel, 2)],
    ["no time", setTimeLimit(hotel, 0)],
    [
      "a negative cost",
      setCostModel(hotel, { ...defaultCostModel, put: { fixed: -1, perRow: 0 } }),
    ],
    ["a position beyond all bounds", moveEntity(hotel, "hotel", { x: Number.NaN, y: 0 })],
    ["a position of nothing", setPositions(hotel, { inn: { x: 0, y: 0 } })],
    ["a taken id", addStatement(hotel, "book", { text: "" })],
    ["an id that is a number", addStatement(hotel, "1", { text: "" })],
    ["a share above 1", setStatementAssumptions(hotel, "stays", { selectivity: { "a.b": 2 } })],
  ])("refuse %s with a reason, a hint and a place", (_, edit) => {
    expect(edit.ok).toBe(false);
    for (const issue of edit.ok ? [] : edit.issues) {
      expect(issue.message).toMatch(/\.$/);
      expect(issue.hint).toMatch(/\.$/);
      expect(issue.place).not.toBe("");
    }
  });
});

describe("entities", () => {
  test("are added with a position, and removed with their relationships and position", () => {
    const entity = { count: 3, attributes: [], identifier: [] };
    const added = edited(addEntity(hotel, "staff", entity, { x: 1, y: 2 }));
    expect(added.entities["staff"]).toEqual(entity);
    expect(added.layout.positions["staff"]).toEqual({ x: 1, y: 2 });
    const removed = edited(removeEntity(hotel, "guest"));
    expect(Object.keys(removed.relationships)).toEqual(["rooms", "roomBookings", "offers"]);
    expect(removed.layout.positions).not.toHaveProperty("guest");
    expect(removed.statements).toBe(hotel.statements);
  });

  test("lose the part of their identifier that stood for a removed parent, with a warning", () => {
    const edit = removeEntity(hotel, "hotel");
    expect(edited(edit).entities["room"]?.identifier).toEqual(["number"]);
    expect(warningsOf(edit)).toEqual(["The identifier of room has lost hotel."]);
    expect(warningsOf(removeEntity(hotel, "room"))).toEqual([]);
  });

  test("are not added under a name that another entity has", () => {
    const entity = { count: 3, attributes: [], identifier: [] };
    expect(complaints(addEntity(hotel, "Reservation", entity))).toEqual([
      "Another entity is called Reservation.",
    ]);
    expect(edited(addEntity(hotel, "x", { ...entity, name: "stay" })).entities).toHaveProperty("x");
  });
});

describe("attributes", () => {
  test("are removed from identifiers and held keys as well", () => {
    const held = edited(removeAttribute(hotel, "booking", "guest_id"));
    expect(held.relationships["guestBookings"]).not.toHaveProperty("bind");
    const key = removeAttribute(hotel, "guest", "id");
    expect(edited(key).entities["guest"]?.identifier).toEqual([]);
    expect(edited(key).relationships["guestBookings"]).not.toHaveProperty("bind");
    expect(warningsOf(key)).toEqual(["The identifier of guest has lost id."]);
  });

  test("go back to the default when a number is removed", () => {
    const next = edited(setAttributeBytes(hotel, "guest", "email", undefined));
    expect(next.entities["guest"]?.attributes[2]).toEqual({ name: "email", type: "text" });
  });

  test("become the identifier", () => {
    const next = edited(setIdentifier(hotel, "guest", ["email"]));
    expect(next.entities["guest"]?.identifier).toEqual(["email"]);
  });
});

describe("relationships", () => {
  const link = (to: string) => ({
    multiplicity: "oneToMany" as const,
    ends: [
      { entity: "hotel", role: "workplace" },
      { entity: to, role: "staff" },
    ] as const,
  });

  test("are added between entities that are there, under free role names", () => {
    expect(edited(addRelationship(hotel, "works", link("guest"))).relationships).toHaveProperty(
      "works",
    );
    expect(complaints(addRelationship(hotel, "works", link("staff")))).toEqual([
      "There is no entity staff.",
    ]);
    const taken = {
      ...link("guest"),
      ends: [
        { entity: "hotel", role: "name" },
        { entity: "guest", role: "rooms" },
      ] as const,
    };
    expect(complaints(addRelationship(hotel, "works", taken))).toEqual([
      "guest already has an attribute called name.",
      "hotel already has a role called rooms.",
    ]);
  });

  test("of an entity to itself need two role names", () => {
    const self = {
      multiplicity: "oneToMany" as const,
      ends: [
        { entity: "guest", role: "friend" },
        { entity: "guest", role: "friend" },
      ] as const,
    };
    expect(complaints(addRelationship(hotel, "friends", self))).toEqual([
      "Both directions are called friend.",
    ]);
  });

  test("change and are removed", () => {
    const next = edited(editRelationship(hotel, "referral", { links: undefined, optional: false }));
    expect(next.relationships["referral"]).toEqual({
      multiplicity: "oneToMany",
      ends: hotel.relationships["referral"]?.ends,
      optional: false,
    });
    const removed = removeRelationship(hotel, "rooms");
    expect(edited(removed).relationships).not.toHaveProperty("rooms");
    expect(edited(removed).entities["room"]?.identifier).toEqual(["number"]);
  });
});

describe("statements", () => {
  test("are added at the end with a curve of zeros, and removed with their curve", () => {
    const added = edited(addStatement(hotel, "q", { text: "" }));
    expect(Object.keys(added.statements).at(-1)).toBe("q");
    expect(added.frequencies["q"]).toEqual([0, 0, 0, 0]);
    const removed = edited(removeStatement(added, "q"));
    expect(removed).toEqual(hotel);
  });

  test("move within the order of display", () => {
    const ids = (edit: Edit): string[] => Object.keys(edited(edit).statements).slice(0, 3);
    expect(ids(moveStatement(hotel, "stays", 0))).toEqual([
      "stays",
      "hotelsByCity",
      "amenitiesOfHotel",
    ]);
    expect(ids(moveStatement(hotel, "hotelsByCity", 1))).toEqual([
      "amenitiesOfHotel",
      "hotelsByCity",
      "stays",
    ]);
    expect(Object.keys(edited(moveStatement(hotel, "stays", 99)).statements).at(-1)).toBe("stays");
  });

  test("keep a text that does not parse", () => {
    const next = edited(setStatementText(hotel, "stays", "SELEC"));
    expect(next.statements["stays"]?.text).toBe("SELEC");
    expect(next.statements["stays"]?.assumptions).toEqual(hotel.statements["stays"]?.assumptions);
  });

  test("leave their group", () => {
    expect(edited(setStatementGroup(hotel, "book", "")).statements["book"]).toEqual({
      text: hotel.statements["book"]?.text,
    });
  });
});

describe("frequencies", () => {
  test("change at one step, or as several curves at once", () => {
    expect(edited(setFrequency(hotel, "book", 1, 7)).frequencies["book"]).toEqual([1, 7, 8, 12]);
    const next = edited(setCurves(hotel, { book: [1, 1, 1, 1], cancel: [2, 2, 2, 2] }));
    expect([next.frequencies["book"], next.frequencies["cancel"]]).toEqual([
      [1, 1, 1, 1],
      [2, 2, 2, 2],
    ]);
  });

  test("change all or none", () => {
    expect(setCurves(hotel, { book: [1, 1, 1, 1], cancel: [2, 2] }).ok).toBe(false);
  });

  test("are scaled by group, the ungrouped ones being a group too", () => {
    const next = edited(scaleGroup(hotel, "write", 2));
    expect(next.frequencies["book"]).toEqual([2, 12, 16, 24]);
    expect(next.frequencies["cancel"]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(next.frequencies["stays"]).toBe(hotel.frequencies["stays"]);
    expect(edited(scaleGroup(hotel, "", 0)).frequencies["closeBooks"]).toEqual([0, 0, 0, 0]);
  });
});

describe("setStepLabels", () => {
  test("removes labels, once", () => {
    const bare = edited(setStepLabels(hotel, undefined));
    expect(bare.timeline).toEqual({ steps: 4, stepSeconds: 21600 });
    expect(edited(setStepLabels(bare, undefined))).toBe(bare);
  });
});

describe("setTimeline", () => {
  const curve = (edit: Edit) => edited(edit).frequencies["book"];
  const labels = (edit: Edit) => edited(edit).timeline.labels;

  test("stretches curves over the same horizon in finer or coarser steps", () => {
    expect(curve(setTimeline(hotel, { steps: 8, stepSeconds: 10800 }))).toEqual([
      1, 1, 6, 6, 8, 8, 12, 12,
    ]);
    expect(curve(setTimeline(hotel, { steps: 2, stepSeconds: 43200 }))).toEqual([3.5, 10]);
    expect(curve(setTimeline(hotel, { steps: 3, stepSeconds: 28800 }))).toEqual([2.25, 7, 11]);
  });

  test("keeps the number of executions when it stretches", () => {
    for (const steps of [1, 3, 5, 7, 96]) {
      const next = curve(setTimeline(hotel, { steps, stepSeconds: 86400 / steps })) ?? [];
      const executions = next.reduce((sum, value) => sum + value, 0) * (86400 / steps);
      expect(executions).toBeCloseTo(27 * 21600, 3);
    }
  });

  test("cuts and goes on with the last number when only the number of steps changes", () => {
    expect(curve(setTimeline(hotel, { steps: 2, stepSeconds: 21600 }))).toEqual([1, 6]);
    expect(curve(setTimeline(hotel, { steps: 6, stepSeconds: 21600 }))).toEqual([
      1, 6, 8, 12, 12, 12,
    ]);
    expect(labels(setTimeline(hotel, { steps: 5, stepSeconds: 21600 }))).toEqual([
      "night",
      "morning",
      "afternoon",
      "evening",
      "5",
    ]);
  });

  test("leaves curves alone when only the length of a step changes", () => {
    const next = edited(setTimeline(hotel, { steps: 4, stepSeconds: 60 }));
    expect(next.frequencies).toBe(hotel.frequencies);
    expect(next.timeline).toEqual({ ...hotel.timeline, stepSeconds: 60 });
  });

  test("does as it is told", () => {
    expect(curve(setTimeline(hotel, { steps: 2, stepSeconds: 21600 }, "stretch"))).toEqual([
      3.5, 10,
    ]);
    expect(curve(setTimeline(hotel, { steps: 8, stepSeconds: 10800 }, "cut"))).toEqual([
      1, 6, 8, 12, 12, 12, 12, 12,
    ]);
  });
});

describe("freshId", () => {
  test("keeps a free wish and numbers a taken one", () => {
    expect(freshId({}, "user")).toBe("user");
    expect(freshId({ user: 1, user2: 1 }, "user")).toBe("user3");
  });

  test("makes an id of anything", () => {
    for (const wish of ["", "7", "a/b", "constructor", "__proto__"]) {
      const id = freshId({}, wish);
      expect(addStatement(hotel, id, { text: "" }).ok, `${wish} became ${id}`).toBe(true);
    }
  });
});
