import { describe, expect, it } from "vitest";
import { anError } from "#model/issue.ts";
import { lineAndColumn, statementPieces } from "./statement-marks.ts";

describe("marks in a statement", () => {
  const text = "SELECT user.from FROM user WHERE user.id = ?";

  it("cuts the text without losing any of it", () => {
    const pieces = statementPieces(text, [anError("", "", undefined, { start: 7, end: 16 })]);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    expect(pieces.filter((piece) => piece.kind === "keyword").map((piece) => piece.text)).toEqual([
      "SELECT",
      "FROM",
      "WHERE",
    ]);
    expect(
      pieces
        .filter((piece) => piece.wrong)
        .map((piece) => piece.text)
        .join(""),
    ).toBe("user.from");
    expect(pieces.at(-1)).toEqual({ text: "?", kind: "value" });
  });

  it("marks a character where something is missing", () => {
    const end = { start: text.length, end: text.length };
    const pieces = statementPieces(text, [anError("", "", undefined, end)]);
    expect(pieces.at(-1)).toMatchObject({ text: "?", wrong: "error" });
  });

  it("tells line and column", () => {
    expect(lineAndColumn("ab\ncd", 4)).toEqual({ line: 2, column: 2 });
  });
});
