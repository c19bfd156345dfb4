import { describe, expect, test } from "vitest";
import type { Issue } from "#model/issue.ts";
import { mostSamples, readProfile } from "./profile-csv.ts";
import { profileText, syntheticProfile } from "./testing/synthetic-profile.ts";

function samplesOf(text: string) {
  const read = readProfile(text);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
}

function issuesOf(text: string): readonly Issue[] {
  const read = readProfile(text);
  return read.ok ? [] : read.issues;
}

const head = "operation,n,w,s,size,milliseconds\n";

describe("a profile", () => {
  test("gives every row with its line and the features of its formula", () => {
    expect(samplesOf(`${head}get,1,20,64,,0.94\n\n# cold\nload,,,,2e9,101210\n`)).toEqual([
      { line: 2, operation: "get", at: [1, 20, 64], milliseconds: 0.94 },
      { line: 5, operation: "load", at: [2e9], milliseconds: 101210 },
    ]);
  });

  test("counts a delete as a put: one formula for both", () => {
    expect(samplesOf("operation,w,milliseconds\nPUT,3,1\ndelete,3,2")).toEqual([
      { line: 2, operation: "put", at: [3], milliseconds: 1 },
      { line: 3, operation: "put", at: [3], milliseconds: 2 },
    ]);
  });

  test.each([
    ["tabs, as a spreadsheet pastes them", "milliseconds\tW\tOperation\r\n0.5\t3\tput\r\n"],
    ["semicolons", "milliseconds;W;Operation\n0.5;3;put"],
    ["quotes and a byte order mark", '\ufeff"milliseconds","w","operation"\n"0.5","3","put"'],
  ])("may be written with %s, its columns in any order", (_, text) => {
    expect(samplesOf(text)).toEqual([{ line: 2, operation: "put", at: [3], milliseconds: 0.5 }]);
  });

  test("keeps its lines after a cell with line breaks", () => {
    const read = readProfile('operation,w,milliseconds,note\nput,1,1,"a\nb"\nput,2,1,\n');
    expect(read.ok && read.value.map(({ line }) => line)).toEqual([2, 4]);
    expect(read.ok && read.warnings.map(({ message }) => message)).toEqual([
      "The column note is not read.",
    ]);
  });

  test("survives being written and read", () => {
    const samples = syntheticProfile(7, 2);
    expect(samplesOf(profileText(samples))).toEqual(samples);
  });
});

describe("what is wrong with a profile is told with its line and the way to mend it", () => {
  test.each([
    ["", "", /is empty/, /Begin with operation,n,w/],
    ["get,1,2,3,,4", "line 1", /does not name the columns/, /Begin with/],
    ["operation,w,ms\nput,1,1", "line 1", /no column milliseconds/, /Rename the column ms/],
    ["operation,w,w,milliseconds", "line 1", /w is there twice/, /Keep one/],
    [`${head}gte,1,1,1,,1`, "line 2", /“gte” is no operation/, /Did you mean get/],
    [`${head}get,1,,64,,1`, "line 2", /has no w/, /number of rows into the column w/],
    ["operation,w,milliseconds\nload,1,1", "line 2", /has no size/, /Add a column size/],
    [`${head}put,,many,,,1`, "line 2", /“many”, which is no number/, /such as 12\.5/],
    ['operation;w;milliseconds\nput;3;"0,5"', "line 2", /no number/, /decimal point: 0\.5/],
    [`${head}put,,3,,,0,5`, "line 2", /7 cells for 6 columns/, /decimal point/],
    [`${head}put,,3,,,NaN`, "line 2", /is NaN, which is not finite/, /Leave out the row/],
    [`${head}put,,1e999,,,1`, "line 2", /not finite/, /Leave out the row/],
    [`${head}put,,-1,,,1`, "line 2", /is -1, below 0/, /at least 0/],
    ['operation,w,milliseconds\nput,1,"1', "line 2", /quotation mark/, /around a whole cell/],
  ])("%j", (text, place, message, hint) => {
    const [issue] = issuesOf(text);
    expect(issue).toMatchObject({
      place,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test("every mistake at once, up to a number that can be read", () => {
    const wrong = "put,,x,,,1\n";
    expect(issuesOf(head + wrong.repeat(3)).map(({ place }) => place)).toEqual([
      "line 2",
      "line 3",
      "line 4",
    ]);
    expect(issuesOf(head + wrong.repeat(500)).at(-1)?.message).toBe("There are 470 more mistakes.");
  });

  test("more rows than a file can hold with profit", () => {
    expect(issuesOf(head + "put,,1,,,1\n".repeat(mostSamples + 1))[0]?.message).toMatch(/at most/);
  });
});
