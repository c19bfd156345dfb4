import { expect, test } from "vitest";
import { projectRows } from "./project-rows.ts";

const now = Date.UTC(2026, 11, 3, 12);
const agoWords = (age: number) =>
  projectRows([{ id: "a", name: "Tides", savedAt: now - age }], "b", now)[0]?.saved;

test("rows tell which project is open", () => {
  const projects = ["a", "b"].map((id) => ({ id, name: id, savedAt: now }));
  expect(projectRows(projects, "b", now).map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test.each([
  [0, "saved just now"],
  [-5000, "saved just now"],
  [60_000, "saved a minute ago"],
  [59 * 60_000, "saved 59 minutes ago"],
  [3_600_000, "saved an hour ago"],
  [23 * 3_600_000, "saved 23 hours ago"],
])("%d ms ago: %s", (age, words) => {
  expect(agoWords(age)).toBe(words);
});

test("what is older has its date", () => {
  expect(agoWords(72 * 3_600_000)).toMatch(/^saved on 30 Nov 2026/);
});
