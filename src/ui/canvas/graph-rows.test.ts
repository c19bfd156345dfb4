import { describe, expect, it } from "vitest";
import { endMarks, markText } from "#document/multiplicity.ts";
import { emptyDocument } from "#document/schema.ts";
import { edgeWords, entityBoxes, entityEdges } from "./graph-rows.ts";

const hotel = {
  ...emptyDocument("Hotel"),
  entities: {
    hotel: {
      count: 10,
      attributes: [
        { name: "city", type: "text" as const },
        { name: "id", type: "uuid" as const },
      ],
      identifier: ["id"],
    },
    room: {
      count: 100,
      attributes: [{ name: "number", type: "int" as const }],
      identifier: ["hotel", "number"],
    },
  },
  relationships: {
    r1: {
      multiplicity: "oneToMany" as const,
      ends: [
        { entity: "hotel", role: "hotel" },
        { entity: "room", role: "rooms" },
      ] as const,
    },
  },
};

describe("the entity graph on the canvas", () => {
  it("puts what identifies first, parents of a weak entity included", () => {
    const [first, second] = entityBoxes(hotel.entities, hotel.relationships);
    expect(first?.lines.map((line) => [line.name, line.identifies])).toEqual([
      ["id", true],
      ["city", false],
    ]);
    expect(second?.lines.map((line) => [line.name, line.type, line.isRole])).toEqual([
      ["hotel", "of hotel", true],
      ["number", "int", false],
    ]);
  });

  it("counts at each end what one record of the other end has", () => {
    const texts = (...marks: Parameters<typeof endMarks>) => endMarks(...marks).map(markText);
    expect(texts({ multiplicity: "oneToMany" })).toEqual(["1", "0..n"]);
    expect(texts({ multiplicity: "oneToMany", optional: true, atLeastOne: true })).toEqual([
      "0..1",
      "1..n",
    ]);
    expect(texts({ multiplicity: "oneToOne" })).toEqual(["1", "0..1"]);
    expect(texts({ multiplicity: "manyToMany" })).toEqual(["0..n", "0..n"]);
  });

  it("says a relationship in words", () => {
    const [edge] = entityEdges(hotel.relationships);
    expect(edge && edgeWords(edge, (entity) => entity)).toBe(
      "Relationship: hotel has 0..n rooms (room); room has 1 hotel (hotel)",
    );
  });
});
