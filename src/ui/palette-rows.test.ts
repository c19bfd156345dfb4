import { expect, test } from "vitest";
import { matchingCommands, mostListed } from "./palette-rows.ts";
import type { StudioCommand } from "./studio-commands.ts";

const command = (words: string, more: Partial<StudioCommand> = {}): StudioCommand => ({
  id: words,
  words,
  group: "Page",
  run: () => undefined,
  ...more,
});

const all = [
  command("Undo", { isPossible: false }),
  command("Go to the entity “café”"),
  command("Go to the statement “Rooms of a hotel”"),
  command("Go to Results"),
  command("Hotel rooms"),
];
const found = (query: string) => matchingCommands(all, query).map(({ words }) => words);

test("without a word everything possible is listed in its order", () => {
  expect(found(" ")).toEqual(all.slice(1).map(({ words }) => words));
});

test("every word has to be in it, in any order; beginnings come first", () => {
  expect(found("hotel rooms")).toEqual(["Hotel rooms", "Go to the statement “Rooms of a hotel”"]);
  expect(found("res")).toEqual(["Go to Results"]);
  expect(found("otel")).toEqual(["Go to the statement “Rooms of a hotel”", "Hotel rooms"]);
  expect(found("hotel nights")).toEqual([]);
});

test("accents, capitals and quotation marks do not matter, and the group is searched too", () => {
  expect(found("CAFE")).toEqual(["Go to the entity “café”"]);
  expect(found("“café”")).toEqual(["Go to the entity “café”"]);
  expect(found("page")).toHaveLength(4);
});

test("a long list is cut", () => {
  const many = Array.from({ length: 300 }, (_, at) => command(`Go to ${at}`));
  expect(matchingCommands(many, "go")).toHaveLength(mostListed);
});
