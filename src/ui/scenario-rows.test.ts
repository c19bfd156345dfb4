import { expect, test } from "vitest";
import type { Edit } from "#document/commands.ts";
import {
  addScenario,
  setCountOverride,
  setCurveOverride,
  setStorageOverride,
  setWeight,
} from "#document/scenario-commands.ts";
import type { StudioDocument } from "#document/schema.ts";
import { hotelDocument } from "./hotel-specimen-document.ts";
import { differenceRows } from "./scenario-rows.ts";

const [entity = ""] = Object.keys(hotelDocument.entities);
const [first = "", second = ""] = Object.keys(hotelDocument.statements);
const { steps } = hotelDocument.timeline;

function made(edit: Edit): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues[0]?.message);
  return edit.value;
}

const project = [
  (each: StudioDocument) => addScenario(each, "a", "A"),
  (each: StudioDocument) => addScenario(each, "b", "B"),
  (each: StudioDocument) => setCountOverride(each, "a", entity, 123_456),
  (each: StudioDocument) =>
    setCurveOverride(
      each,
      "a",
      first,
      Array.from({ length: steps }, (_, step) => step * 2),
    ),
  (each: StudioDocument) => setWeight(each, "b", second, 0),
  (each: StudioDocument) => setStorageOverride(each, "b", { kind: "bytes", bytes: 5e9 }),
].reduce((document, command) => made(command(document)), hotelDocument);

const what = (one: string | undefined, other: string | undefined) =>
  differenceRows(project, one, other).map(({ key }) => key);

test("only what differs has a row, in the order of the document", () => {
  expect(what(undefined, undefined)).toEqual([]);
  expect(what(undefined, "a")).toEqual([`count ${entity}`, `curve ${first}`]);
  expect(what(undefined, "b")).toEqual([`curve ${second}`, "storage"]);
  expect(what("a", "b")).toEqual([
    `count ${entity}`,
    `curve ${first}`,
    `curve ${second}`,
    "storage",
  ]);
});

test("both sides are told in words, with units", () => {
  const [count, curve] = differenceRows(project, undefined, "a");
  expect(count?.other.replaceAll(/\s/g, " ")).toBe("123 456");
  expect(curve?.other).toBe(`mean ${steps - 1} /s, 0 to ${2 * (steps - 1)}`);
  const rows = differenceRows(project, "b", undefined);
  expect(rows[0]?.one).toBe("0 /s");
  expect(rows[1]).toMatchObject({ one: expect.stringMatching(/^5\sGB$/) });
});
