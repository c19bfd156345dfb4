import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "./json-text.ts";

function complaint(text: string): string {
  const parsed = parseJson(text);
  return parsed.ok ? "none" : parsed.issues.map((issue) => issue.message).join("\n");
}

describe("parseJson", () => {
  test("tells line, column, what should stand there and what does", () => {
    expect(complaint('{\n  "a": 1\n  "b": 2\n}')).toBe(
      'The file is not valid JSON: line 3, column 3: a comma or } should stand here, but there is “"”.',
    );
    expect(complaint('{"a": [1, 2')).toContain(
      "line 1, column 12: a comma or ] should stand here, but the file ends",
    );
    expect(complaint("")).toContain("a value should stand here, but the file ends");
    expect(complaint("{'a': 1}")).toContain("line 1, column 2: a field's name in double quotes");
    expect(complaint('{"a": "x\n"}')).toContain("but there is the end of the line");
    expect(complaint('["a\\x"]')).toContain("column 4: a backslash must be followed by");
    expect(complaint('{"a": "x}')).toContain("column 7: the text that begins here has no closing");
    expect(complaint("[1] 2")).toContain("the end of the file should stand here");
    expect(complaint("[NaN]")).toContain("a value should stand here, but there is “N”");
  });

  test("reports a name that stands twice instead of dropping the first", () => {
    const parsed = parseJson('{"statements": {"q1": {},\n "q1": {}}, "name": "a", "name": "b"}');
    expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.place)).toEqual([
      "statements/q1",
      "name",
    ]);
    expect(complaint('{"q1": 1,\n "q\\u0031": 2}')).toContain("line 2, column 2");
  });

  test("refuses __proto__ as a name", () => {
    expect(complaint('{"entities": {"__proto__": {}}}')).toBe("“__proto__” cannot name anything.");
  });

  test("accepts a byte-order mark", () => {
    expect(parseJson("\uFEFF{}")).toEqual({ ok: true, value: {}, warnings: [] });
  });

  test("refuses brackets nested without end instead of running out of stack", () => {
    expect(complaint("[".repeat(1_000_000))).toContain("nested too deeply");
  });

  test("reads what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!text.includes("__proto__"));
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text), warnings: [] });
      }),
    );
  });

  test("refuses exactly what JSON.parse refuses", () => {
    const damaged = fc
      .tuple(fc.jsonValue(), fc.nat(), fc.nat(3), fc.constantFrom(...'{}[],:"\\0-.eE+t n\n\t'))
      .map(([value, at, removed, inserted]) => {
        const text = JSON.stringify(value);
        const where = at % (text.length + 1);
        return text.slice(0, where) + inserted + text.slice(where + removed);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        const parsed = parseJson(text);
        // Names that are refused, which JSON.parse lets pass, are not a matter of form.
        const form =
          parsed.ok || parsed.issues.every((issue) => !issue.message.includes("not valid JSON"));
        expect(form).toBe(acceptedByPlatform(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function acceptedByPlatform(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
