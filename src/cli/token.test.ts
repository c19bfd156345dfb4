/** `tidetable token`: bytes and tokens as other tools read them. */
import { expect, test } from "vitest";
import { capturedRun } from "./captured-run.ts";

test.each<[string[], object]>([
  [["--type", "int", "-1"], { bytes: "0xffffffff", token: "7297452126230313552" }],
  [
    ["--partitioner", "murmur3", "--type", "bigint", "-9223372036854775808"],
    { token: "9204767954415360687" },
  ],
  [["hello"], { types: ["text"], bytes: "0x68656c6c6f", token: "-3758069500696749310" }],
  [["--type", "blob", "0x68656c6c6f"], { token: "-3758069500696749310" }],
  // MD5 of hello is 5d41402abc4b2a76b9719d911017c592.
  [["--partitioner", "random", "hello"], { token: String(0x5d41402abc4b2a76b9719d911017c592n) }],
  [
    ["--type=text,tuple<int, text>", "é", "(-1, ',')"],
    {
      types: ["text", "tuple<int, text>"],
      components: ["0xc3a9", "0x00000004ffffffff000000012c"],
      bytes: "0x0002c3a900000d00000004ffffffff000000012c00",
    },
  ],
  [["--type", "double", "-Infinity"], { bytes: "0xfff0000000000000" }],
  [["--", "-dash"], { values: ["-dash"] }],
  [[""], { bytes: "0x", token: "0", note: expect.stringContaining("refuses") }],
])("%j", async (args, expected) => {
  const { code, out } = await capturedRun(["token", "--json", ...args]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject(expected);
});

test("tells people the parts of a composite key", async () => {
  const { out } = await capturedRun(["token", "--type", "text,int", "Zürich", "7"]);
  expect(out).toContain("token  ");
  expect(out).toContain("(Murmur3Partitioner)\n");
  expect(out).toMatch(/text {2}Zürich {2}0x5ac3bc72696368\n {2}int {3}7 {7}0x00000007\n/);
});

test.each<[string[], string[]]>([
  [[], ["VALUE: The value of the key is missing."]],
  [
    ["--type", "in", "5"],
    ["--type: There is no type in.", "Did you mean int?"],
  ],
  [["--type", "int,int", "x", "5"], ["VALUE 1: “x” is no int."]],
  [["--type", "int,int", "5"], ["There are 2 types and 1 values."]],
  [["--partitioner", "murmur", "a"], ["Did you mean murmur3?"]],
])("refuses %j", async (args, says) => {
  const { code, out, err } = await capturedRun(["token", ...args]);
  expect(code).toBe(2);
  expect(out).toBe("");
  for (const words of says) expect(err).toContain(words);
});
