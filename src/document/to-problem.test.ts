import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Edit } from "./commands.ts";
import {
  moveEntity,
  setCostModel,
  setEntityCount,
  setEntityNote,
  setFrequency,
  setGap,
  setMode,
  setName,
  setOption,
  setStatementGroup,
  setStatementLabel,
  setStatementText,
  setStepLabels,
  setStorage,
  setTimeLimit,
  setTimeline,
} from "./commands.ts";
import { readDocument } from "./read.ts";
import { renameEntity } from "./rename.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";
import { entityGraphOf, problemKey, statementOf, toProblem } from "./to-problem.ts";

const fixture = readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8"));
if (!fixture.ok) throw new Error("the sample file does not load");
const hotel: StudioDocument = fixture.value;

function edited(edit: Edit): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues.map((issue) => issue.message).join("\n"));
  return edit.value;
}

function placesOf(document: StudioDocument): string[] {
  const problem = toProblem(document);
  return problem.ok ? [] : problem.issues.map((issue) => issue.place);
}

describe("toProblem", () => {
  test("gives names to the graph and keeps ids for statements", () => {
    const problem = toProblem(hotel);
    if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
    const { entityGraph, statements, workload, storage, options } = problem.value;
    expect(Object.keys(entityGraph.entities)).toEqual([
      "hotel",
      "room",
      "guest",
      "reservation",
      "amenity",
    ]);
    expect(entityGraph.relationships.map(({ id }) => id)).toContain("room.reservations");
    expect(entityGraph.entities["reservation"]?.attributes.map(({ name }) => name)).toEqual([
      "id",
      "guest_id",
      "start",
      "nights",
      "cancelled",
      "room.hotel.id",
      "room.number",
    ]);
    expect(statements.map(({ id, label, group }) => [id, label, group])).toContainEqual([
      "amenitiesOfHotel",
      "amenitiesOfHotel",
      "browse",
    ]);
    expect(workload.timeline).toEqual({ steps: 4, stepSeconds: 21600 });
    expect(workload.curves).toEqual(hotel.frequencies);
    expect(storage).toEqual({ kind: "percentOfStaticAverage", percent: 80 });
    expect(options.cyclic).toBe(true);
  });

  test("hands a person's estimates to the statements", () => {
    const problem = toProblem(hotel);
    const stays = problem.ok && problem.value.statements.find(({ id }) => id === "stays");
    expect(stays && "predicates" in stays && stays.predicates).toContainEqual(
      expect.objectContaining({ kind: "range", selectivity: 0.2 }),
    );
  });

  test("names the records of the document, whatever they are called", () => {
    const broken: StudioDocument = {
      ...hotel,
      entities: {
        ...hotel.entities,
        booking: {
          name: "reservation",
          count: 10,
          attributes: [{ name: "id", type: "uuid", distinct: 11 }],
          identifier: [],
        },
      },
      relationships: {
        ...hotel.relationships,
        offers: {
          multiplicity: "manyToMany",
          ends: [
            { entity: "hotel", role: "hotels" },
            { entity: "amenity", role: "amenities" },
          ],
        },
      },
    };
    expect(placesOf(broken).sort()).toEqual([
      "entities/booking",
      "entities/booking/attributes/id",
      "relationships/guestBookings",
      "relationships/offers",
    ]);
  });

  test("reports mistakes in statements, curves and settings at once", () => {
    const broken: StudioDocument = {
      ...hotel,
      statements: {
        ...hotel.statements,
        stays: { text: "SELECT guest.nme FROM guest WHERE guest.id = ?" },
        cancel: { text: "" },
      },
      frequencies: {
        ...hotel.frequencies,
        book: [1, 2, 3],
        hotelsByCity: [1, -1, Number.NaN, 1],
      },
      settings: { ...hotel.settings, storage: { kind: "bytes", bytes: 0 } },
    };
    expect(placesOf(broken)).toEqual(
      expect.arrayContaining([
        "statements/stays",
        "statements/cancel",
        "frequencies/book",
        "frequencies/hotelsByCity/1",
        "frequencies/hotelsByCity/2",
        "settings/storage",
      ]),
    );
  });

  test("points into the text of a statement", () => {
    const document = edited(
      setStatementText(hotel, "stays", "SELECT guest.nme FROM guest WHERE guest.id = ?"),
    );
    const problem = toProblem(document);
    expect(problem.ok ? [] : problem.issues).toContainEqual(
      expect.objectContaining({ place: "statements/stays", span: { start: 13, end: 16 } }),
    );
  });

  test("reports an end that hangs in the air", () => {
    const { guest: _, ...entities } = hotel.entities;
    expect(placesOf({ ...hotel, entities })).toEqual(
      expect.arrayContaining(["relationships/guestBookings", "relationships/referral"]),
    );
  });

  test("does not take the name of one entity for the id of another", () => {
    const { offers } = hotel.relationships;
    if (!offers) throw new Error("the sample has no such relationship");
    const hanging = {
      ...offers,
      ends: [offers.ends[0], { entity: "reservation", role: "amenities" }],
    } as const;
    const relationships = { ...hotel.relationships, offers: hanging };
    expect(placesOf({ ...hotel, relationships })).toEqual(["relationships/offers"]);
  });

  test("asks for a query", () => {
    expect(placesOf(emptyDocument("New"))).toEqual(["statements"]);
    const { cancel } = hotel.statements;
    if (!cancel) throw new Error("the sample has no update");
    const updates: StudioDocument = { ...hotel, statements: { cancel } };
    expect(placesOf(updates)).toEqual(["statements"]);
  });

  test("warns when nothing ever runs, and goes on", () => {
    const idle: StudioDocument = {
      ...hotel,
      frequencies: Object.fromEntries(
        Object.keys(hotel.statements).map((id) => [id, [0, 0, 0, 0]]),
      ),
    };
    const problem = toProblem(idle);
    expect(problem.ok && problem.warnings.map((issue) => issue.place)).toContain("frequencies");
  });
});

describe("what toProblem remembers", () => {
  test("parses nothing again for a moved box or a drawn curve", () => {
    const graph = entityGraphOf(hotel);
    if (!graph.ok) throw new Error("the sample has no graph");
    const stays = statementOf(hotel, graph.value, "stays");
    const moved = edited(moveEntity(hotel, "hotel", { x: 5, y: 5 }));
    const drawn = edited(setFrequency(moved, "book", 0, 9));
    expect(entityGraphOf(drawn)).toBe(graph);
    expect(statementOf(drawn, graph.value, "stays")).toBe(stays);
  });

  test("tells two statements apart that share a record", () => {
    const { stays } = hotel.statements;
    if (!stays) throw new Error("the sample has no such statement");
    const twice: StudioDocument = {
      ...hotel,
      statements: { ...hotel.statements, again: stays },
      frequencies: { ...hotel.frequencies, again: [1, 1, 1, 1] },
    };
    const problem = toProblem(twice);
    expect(problem.ok && problem.value.statements.map(({ id }) => id)).toEqual(
      Object.keys(twice.statements),
    );
  });
});

describe("problemKey", () => {
  const key = problemKey(hotel);

  test.each<[string, Edit]>([
    ["a moved box", moveEntity(hotel, "hotel", { x: 5, y: 5 })],
    ["the project's name", setName(hotel, "Inn")],
    ["a note", setEntityNote(hotel, "guest", "People.")],
    ["a label", setStatementLabel(hotel, "book", "Book")],
    ["a group", setStatementGroup(hotel, "book", "")],
    ["labels of steps", setStepLabels(hotel, undefined)],
    ["the time limit", setTimeLimit(hotel, undefined)],
    ["the gap", setGap(hotel, 0.01)],
    ["the mode", setMode(hotel, "summary-tree")],
    [
      "another spelling",
      setStatementText(hotel, "cancel", "update reservation\n set cancelled = ? where id = ?"),
    ],
    ["the name of the cost model", setCostModel(hotel, { ...hotel.settings.costModel, name: "x" })],
  ])("is not changed by %s", (_, edit) => {
    expect(edited(edit)).not.toBe(hotel);
    expect(problemKey(edited(edit))).toBe(key);
  });

  test.each<[string, Edit]>([
    ["a count", setEntityCount(hotel, "amenity", 51)],
    ["the name of an entity", renameEntity(hotel, "guest", "person")],
    ["a frequency", setFrequency(hotel, "book", 0, 2)],
    [
      "the meaning of a statement",
      setStatementText(hotel, "hotelsByCity", "SELECT hotel.id FROM hotel WHERE hotel.city = ?"),
    ],
    ["the length of a step", setTimeline(hotel, { steps: 4, stepSeconds: 60 })],
    ["the storage", setStorage(hotel, { kind: "none" })],
    ["an option", setOption(hotel, "cyclic", false)],
    ["a coefficient", setCostModel(hotel, { ...hotel.settings.costModel, sort: { perRowLog: 1 } })],
    ["a statement that no longer parses", setStatementText(hotel, "stays", "SELECT")],
  ])("is changed by %s", (_, edit) => {
    expect(problemKey(edited(edit))).not.toBe(key);
  });
});
