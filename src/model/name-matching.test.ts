import { describe, expect, it } from "vitest";
import { matchName, nearest, suggestion } from "./name-matching.ts";

describe("matchName", () => {
  it.each([
    ["name", ["Name", "name"], "name"],
    ["NAME", ["name", "other"], "name"],
    ["NAME", ["name", "Name"], undefined],
    ["nam", ["name"], undefined],
  ])("%s among %j is %s", (name, names, meant) => {
    expect(matchName(name, names)).toBe(meant);
  });
});

describe("nearest", () => {
  it.each([
    ["nmae", ["id", "name"], "name"],
    ["itms", ["item", "items"], "items"],
    ["recipeint", ["sender", "recipient"], "recipient"],
    ["SELCT", ["DELETE", "SELECT"], "SELECT"],
    ["wxyz", ["name"], undefined],
    ["x", ["y", "z"], undefined],
    ["ix", ["id"], "id"],
    ["", ["a"], undefined],
  ])("of %s among %j is %s", (name, names, meant) => {
    expect(nearest(name, names)).toBe(meant);
  });

  it("makes a question, or says what there is to say otherwise", () => {
    expect(suggestion("nmae", ["name"], "none")).toBe("Did you mean name?");
    expect(suggestion("wxyz", ["name"], "There are: name.")).toBe("There are: name.");
  });
});
