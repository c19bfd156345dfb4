import { describe, expect, it } from "vitest";
import { emptyDocument, type StudioDocument } from "#document/schema.ts";
import { changeEdit, changeForms, firstNumbers } from "./change-rows.ts";
import { leftOutWords, type StatementRow } from "./curve-rows.ts";
import {
  blockBetween,
  blockText,
  nothingChosen,
  selectionOf,
  selectionWords,
  withMarks,
} from "./curve-selection.ts";

const rows = ["a", "b", "c"].map(
  (id): StatementRow => ({
    id,
    label: `label ${id}`,
    group: "",
    kind: "query",
    errors: 0,
    warnings: 0,
  }),
);
const frequencies = { a: [1, 2, 3, 4], b: [5, 5, 5, 5], c: [0, 0, 9, 0] };

describe("what is chosen", () => {
  it("is the selected statement at all steps, until something is marked", () => {
    const alone = selectionOf(nothingChosen, rows, "b", 4);
    expect(alone).toEqual({ statements: ["b"], range: { first: 0, last: 3 } });
    expect(selectionWords(alone, rows, 4)).toBe("label b at all 4 steps");
    const marked = { ...nothingChosen, marked: withMarks(new Set(), ["c", "a"], true) };
    expect(selectionOf(marked, rows, "b", 4).statements).toEqual(["a", "c"]);
    expect(selectionOf(nothingChosen, rows, undefined, 4).statements).toEqual([]);
  });

  it("a block of the grid may be drawn in any direction", () => {
    const block = blockBetween(rows, { row: 2, step: 3 }, { row: 1, step: 1 });
    const selection = selectionOf(block, rows, "a", 4);
    expect(selection).toEqual({ statements: ["b", "c"], range: { first: 1, last: 3 } });
    expect(selectionWords(selection, rows, 4)).toBe("2 statements at steps 2 to 4");
    expect(blockText(selection, frequencies)).toBe("5\t5\t5\n0\t9\t0");
  });

  it("keeps to the steps that are left when there are fewer", () => {
    const late = { ...nothingChosen, range: { first: 6, last: 9 } };
    expect(selectionOf(late, rows, "a", 4).range).toEqual({ first: 3, last: 3 });
  });
});

describe("a pasted block that is too large", () => {
  it("is told of, and only then", () => {
    const block = [
      [1, 2],
      [3, 4],
    ];
    expect(leftOutWords(block, { row: 1, step: 2 }, 3, 4)).toBeUndefined();
    expect(leftOutWords(block, { row: 2, step: 3 }, 3, 4)).toMatch(
      /^Pasted, but 1 row and 1 column beyond/,
    );
  });
});

describe("every change that is offered", () => {
  const document: StudioDocument = {
    ...emptyDocument("Curves"),
    timeline: { steps: 4, stepSeconds: 60 },
    statements: Object.fromEntries(rows.map(({ id }) => [id, { text: "" }])),
    frequencies,
  };

  for (const { kind, word, fields } of changeForms)
    it(`${word} begins with numbers that are accepted, one for each field`, () => {
      for (const id of ["a", "b", "c"] as const) {
        const selection = { statements: [id], range: { first: 1, last: 3 } };
        const numbers = firstNumbers(kind, frequencies[id], selection);
        expect(Object.keys(numbers)).toEqual(fields.map(({ name }) => name));
        const edit = changeEdit(document, selection, kind, numbers, "wave");
        expect(edit).toMatchObject({ ok: true });
        if (edit.ok) expect(edit.value.frequencies[id]?.[0]).toBe(frequencies[id][0]);
      }
    });
});
