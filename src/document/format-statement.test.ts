import { describe, expect, it } from "vitest";
import { addStatement, type Edit, setStatementText } from "./commands.ts";
import { formatStatement } from "./format-statement.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";

const drawn: StudioDocument = {
  ...emptyDocument("Hotel"),
  entities: {
    guest: {
      count: 100,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "name", type: "text" },
        { name: "home_town", type: "text" },
      ],
      identifier: ["id"],
    },
  },
};

function written(text: string): StudioDocument {
  const added = addStatement(drawn, "q1", { text });
  if (!added.ok) throw new Error("not added");
  return added.value;
}

function textAfter(edit: Edit): string | undefined {
  return edit.ok ? edit.value.statements["q1"]?.text : undefined;
}

describe("formatting a statement", () => {
  it("spells it canonically, a long one with its clauses in lines, and leaves that alone afterwards", () => {
    const short = formatStatement(written("select name from guest where id=?"), "q1");
    expect(textAfter(short)).toBe("SELECT guest.name FROM guest WHERE guest.id = ?");
    const long = formatStatement(
      written(
        "select name, home_town from GUEST where name = 'from' order by home_town desc limit 5",
      ),
      "q1",
    );
    const text =
      "SELECT guest.name, guest.home_town\nFROM guest\nWHERE guest.name = 'from'\nORDER BY guest.home_town DESC\nLIMIT 5";
    expect(textAfter(long)).toBe(text);
    const again = written(text);
    expect(formatStatement(again, "q1")).toMatchObject({ value: again });
  });

  it("refuses what has mistakes, and comments that would be lost", () => {
    expect(formatStatement(written("select nmae from guest"), "q1").ok).toBe(false);
    const commented = written("SELECT guest.name FROM guest -- all of them");
    expect(formatStatement(commented, "q1")).toMatchObject({
      ok: false,
      issues: [{ message: "Formatting would drop the comment in the text." }],
    });
    const inString = setStatementText(
      commented,
      "q1",
      "SELECT guest.id FROM guest WHERE guest.name = '--'",
    );
    expect(inString.ok && formatStatement(inString.value, "q1").ok).toBe(true);
  });
});
