import { describe, expect, test } from "vitest";
import {
  beginGesture,
  cancelGesture,
  commitGesture,
  equalDocuments,
  historyLimit,
  previewGesture,
  recordChange,
  redo,
  redoLabel,
  startHistory,
  undo,
  undoLabel,
} from "./history.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";

const named = (name: string): StudioDocument => emptyDocument(name);

describe("history", () => {
  test("undo gives the very document back", () => {
    const before = named("a");
    const history = recordChange(startHistory(before), "Rename", named("b"));
    expect(undo(history).present).toBe(before);
  });

  test("names the change that would be undone and redone", () => {
    const history = recordChange(startHistory(named("a")), "Rename to b", named("b"));
    expect([undoLabel(history), redoLabel(history)]).toEqual(["Rename to b", undefined]);
    const undone = undo(history);
    expect([undoLabel(undone), redoLabel(undone)]).toEqual([undefined, "Rename to b"]);
  });

  test("a change that changes nothing makes no entry and keeps what can be redone", () => {
    const undone = undo(recordChange(startHistory(named("a")), "Rename", named("b")));
    expect(recordChange(undone, "Nothing", named("a"))).toEqual(undone);
  });

  test("a new change forgets what could be redone", () => {
    const undone = undo(recordChange(startHistory(named("a")), "Rename", named("b")));
    expect(recordChange(undone, "Rename", named("c")).future).toEqual([]);
  });

  test("forgets the oldest changes beyond the limit", () => {
    let history = startHistory(named("0"));
    for (let i = 1; i <= historyLimit + 5; i += 1)
      history = recordChange(history, `${i}`, named(`${i}`));
    expect(history.past).toHaveLength(historyLimit);
    expect(history.past[0]?.document.name).toBe("5");
  });

  test("undo at the beginning and redo at the end do nothing", () => {
    const history = startHistory(named("a"));
    expect(undo(history)).toBe(history);
    expect(redo(history)).toBe(history);
  });
});

describe("gestures", () => {
  const begun = beginGesture(startHistory(named("a")), "Drag");

  test("make one entry for many previews", () => {
    const dragged = previewGesture(previewGesture(begun, named("b")), named("c"));
    expect(dragged.present.name).toBe("c");
    const history = commitGesture(dragged);
    expect(history.past.map((entry) => [entry.label, entry.document.name])).toEqual([
      ["Drag", "a"],
    ]);
    expect(history.present.name).toBe("c");
    expect(history.gesture).toBeUndefined();
  });

  test("leave no trace when cancelled, by undo as well", () => {
    const dragged = previewGesture(begun, named("b"));
    expect(cancelGesture(dragged)).toEqual(startHistory(named("a")));
    expect(undo(dragged)).toEqual(startHistory(named("a")));
  });

  test("make no entry when they end where they began", () => {
    const dragged = previewGesture(previewGesture(begun, named("b")), named("a"));
    expect(commitGesture(dragged).past).toEqual([]);
  });

  test("are committed before another change or gesture begins", () => {
    const dragged = previewGesture(begun, named("b"));
    const changed = recordChange(dragged, "Rename", named("c"));
    expect(changed.past.map((entry) => entry.label)).toEqual(["Drag", "Rename"]);
    expect(beginGesture(dragged, "Stroke").past.map((entry) => entry.label)).toEqual(["Drag"]);
  });

  test("previews without a gesture are ignored", () => {
    const history = startHistory(named("a"));
    expect(previewGesture(history, named("b"))).toBe(history);
  });
});

describe("equalDocuments", () => {
  test("looks into copies, and sees the order of statements", () => {
    const a = { ...named("a"), statements: { q1: { text: "x" }, q2: { text: "y" } } };
    expect(equalDocuments(a, structuredClone(a))).toBe(true);
    const turned = { ...a, statements: { q2: { text: "y" }, q1: { text: "x" } } };
    expect(equalDocuments(a, turned)).toBe(false);
    expect(equalDocuments(a, { ...a, statements: { q1: { text: "x" } } })).toBe(false);
  });
});
