import { describe, expect, it } from "vitest";
import { addStatement, setTimeline } from "./commands.ts";
import {
  changeCurves,
  drawPattern,
  duplicateStatement,
  moveStatementPast,
  placeStatement,
  takeCurves,
} from "./curve-commands.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";

function made(edit: ReturnType<typeof changeCurves>): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues.map(({ message }) => message).join(" "));
  return edit.value;
}

const timed = made(setTimeline(emptyDocument("Curves"), { steps: 4, stepSeconds: 60 }));
const document = [
  { id: "q1", text: "SELECT a", group: "day", curve: [1, 2, 3, 4] },
  { id: "q2", text: "SELECT b", group: "night", curve: [0, 0, 5, 5] },
  { id: "q3", text: "SELECT c", curve: [9, 9, 9, 9] },
].reduce(
  (before, { id, curve, ...record }) => made(addStatement(before, id, record, curve)),
  timed,
);
const both = { statements: ["q1", "q2"], range: { first: 1, last: 2 } };

describe("changing a selection of curves", () => {
  it("changes the chosen steps of the chosen statements and nothing else", () => {
    const { frequencies } = made(changeCurves(document, both, { kind: "scale", factor: 2 }));
    expect(frequencies).toEqual({ q1: [1, 4, 6, 4], q2: [0, 0, 10, 5], q3: [9, 9, 9, 9] });
    expect(frequencies["q3"]).toBe(document.frequencies["q3"]);
  });

  it("gives the very same document where nothing changes", () => {
    expect(made(changeCurves(document, both, { kind: "scale", factor: 1 }))).toBe(document);
  });

  it("refuses numbers that make no sense, each at its field", () => {
    const places = (edit: ReturnType<typeof changeCurves>) =>
      edit.ok ? [] : edit.issues.map(({ place }) => place);
    expect(places(changeCurves(document, both, { kind: "scale", factor: -1 }))).toEqual([
      "change/factor",
    ]);
    expect(places(changeCurves(document, both, { kind: "shift", steps: 0.5 }))).toEqual([
      "change/steps",
    ]);
    const late = { kind: "evolution", before: 1, after: 2, begin: 4, end: 2 } as const;
    expect(places(drawPattern(document, both, late))).toEqual(["change/end"]);
    const beyond = { statements: ["q1"], range: { first: 2, last: 4 } };
    expect(places(changeCurves(document, beyond, { kind: "mirrorTime" }))).toEqual(["selection"]);
    const none = { ...both, statements: [] };
    expect(places(changeCurves(document, none, { kind: "mirrorTime" }))).toEqual(["selection"]);
  });

  it("draws a part of a pattern into the chosen steps, by chance each statement its own", () => {
    const growth = { kind: "growth", start: 1, percentPerStep: 100 } as const;
    const drawn = made(drawPattern(document, both, growth)).frequencies;
    expect(drawn).toMatchObject({ q1: [1, 2, 4, 4], q2: [0, 2, 4, 5] });
    const shaken = made(drawPattern(document, both, growth, { percent: 50, seed: 1 }));
    expect(shaken.frequencies["q1"]?.[1]).not.toBe(shaken.frequencies["q2"]?.[1]);
  });
});

describe("curves from elsewhere", () => {
  it("are fitted to the steps there are, or bring their own", () => {
    const curves = { q1: [2, 4, 6, 8, 1, 1, 0, 0] };
    const fitted = made(takeCurves(document, curves, "curves"));
    expect(fitted.frequencies["q1"]).toEqual([3, 7, 1, 0]);
    const longer = made(takeCurves(document, curves, "steps"));
    expect(longer.timeline.steps).toBe(8);
    expect(longer.frequencies["q1"]).toEqual(curves.q1);
    expect(longer.frequencies["q2"]).toEqual([0, 0, 5, 5, 5, 5, 5, 5]);
  });
});

describe("the list of statements", () => {
  it("a copy stands behind its original, with its curve", () => {
    const copied = made(duplicateStatement(document, "q1", "q1b"));
    expect(Object.keys(copied.statements)).toEqual(["q1", "q1b", "q2", "q3"]);
    expect(copied.statements["q1b"]).toEqual({
      text: "SELECT a",
      group: "day",
      label: "q1 (copy)",
    });
    expect(copied.frequencies["q1b"]).toEqual([1, 2, 3, 4]);
  });

  it("a statement that is put beside another one joins its group", () => {
    const moved = made(placeStatement(document, "q3", "q1", "behind"));
    expect(Object.keys(moved.statements)).toEqual(["q1", "q3", "q2"]);
    expect(moved.statements["q3"]?.group).toBe("day");
    const back = made(placeStatement(document, "q1", "q3", "before"));
    expect(Object.keys(back.statements)).toEqual(["q2", "q1", "q3"]);
    expect(back.statements["q1"]?.group).toBeUndefined();
  });

  it("a statement moves past its neighbour, or into the neighbour's group", () => {
    const into = made(moveStatementPast(document, "q2", "q1", "before"));
    expect(Object.keys(into.statements)).toEqual(["q1", "q2", "q3"]);
    expect(into.statements["q2"]?.group).toBe("day");
    const past = made(moveStatementPast(into, "q2", "q1", "before"));
    expect(Object.keys(past.statements)).toEqual(["q2", "q1", "q3"]);
  });

  it("the steps can be repeated or keep their peaks", () => {
    const longer = made(setTimeline(document, { steps: 6, stepSeconds: 60 }, "repeat"));
    expect(longer.frequencies["q1"]).toEqual([1, 2, 3, 4, 1, 2]);
    const shorter = made(setTimeline(document, { steps: 2, stepSeconds: 120 }, "peaks"));
    expect(shorter.frequencies["q2"]).toEqual([0, 5]);
  });
});
