import { describe, expect, it } from "vitest";
import { anError, aWarning } from "#model/issue.ts";
import {
  highestFrequency,
  isQueryText,
  keepUnchanged,
  pasted,
  readBlock,
  readingsAt,
  statementGroups,
} from "./curve-rows.ts";

const statements = {
  q1: { text: "SELECT a", group: "desk", label: "first" },
  u1: { text: "UPDATE b" },
  q2: { text: "sel", group: "desk" },
};
const frequencies = { q1: [1, 5], u1: [2, 0], q2: [3, 4] };

describe("statement groups", () => {
  it("keeps the order of the document, ungrouped statements last, with what is wrong", () => {
    const issues = [anError("statements/q2", "?"), aWarning("statements/q2/assumptions", "!")];
    const groups = statementGroups(statements, issues);
    expect(groups.map((group) => [group.name, group.rows.map((row) => row.label)])).toEqual([
      ["desk", ["first", "q2"]],
      ["", ["u1"]],
    ]);
    expect(groups[0]?.rows[1]).toMatchObject({ errors: 1, warnings: 1, kind: "query" });
  });

  it("keeps what did not change, so that it is not drawn again", () => {
    const before = statementGroups(statements, []);
    expect(keepUnchanged(before, statementGroups(statements, []))).toBe(before);
    const changed = statementGroups({ ...statements, q2: { text: "", group: "desk" } }, [
      anError("statements/q2", "?"),
    ]);
    const after = keepUnchanged(before, changed);
    expect(after[0]?.rows[0]).toBe(before[0]?.rows[0]);
    expect(after[0]?.rows[1]).toMatchObject({ errors: 1 });
    expect(after[1]).toBe(before[1]);
  });

  it("tells updates by their first word, in any case", () => {
    expect(isQueryText("select x")).toBe(true);
    expect(isQueryText(" Disconnect a(?) FROM b(?)")).toBe(false);
  });
});

describe("curves", () => {
  it("reads the selected statement first, then the most frequent", () => {
    const rows = statementGroups(statements, []).flatMap((group) => group.rows);
    const { shown, others, total } = readingsAt(rows, frequencies, 0, "q1", 2);
    expect(shown.map((reading) => reading.id)).toEqual(["q1", "q2"]);
    expect([others, total]).toEqual([1, 6]);
    expect(highestFrequency(Object.values(frequencies))).toBe(5);
    expect(highestFrequency([[0, 0]])).toBe(1);
  });

  it("reads a block from a sheet and lays it on, cutting what is beyond the edges", () => {
    const block = readBlock("7\t8\t9\r\n0,5\t1\t2\n");
    if ("wrong" in block) throw new Error(block.wrong);
    expect(pasted(["q1", "q2"], frequencies, { row: 1, step: 1 }, block.rows)).toEqual({
      q2: [3, 7],
    });
    expect(readBlock("1\tten")).toEqual({ wrong: "ten" });
    expect(readBlock("-1")).toEqual({ wrong: "-1" });
  });
});
