/** `tidetable token`: where Cassandra's partitioners put a key. */
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import type { Partitioner } from "#model/sharding-setup.ts";
import { type CqlType, cqlTypeText, readCqlType, splitOutside } from "#sharding/cql-type.ts";
import { serialise, serialiseKey } from "#sharding/serialise.ts";
import { tokenOf } from "#sharding/token.ts";
import type { Command } from "../command.ts";
import { type CommandLine, optionValue } from "../command-line.ts";
import { refuse } from "../refusal.ts";
import { textTable } from "../text-table.ts";

const help = `usage: tidetable token --type TYPE[,TYPE…] VALUE… [options]

Prints the bytes of a partition key as Cassandra serialises it, and the key's token, which decides
the nodes that it lives on. A key of several columns has one type and one value for each:

  tidetable token --type uuid 550e8400-e29b-41d4-a716-446655440000
  tidetable token --type text,int 'Zürich' -7 --json
  tidetable token --type 'tuple<int, text>' "(1, 'a')" --partitioner random

Values are written as in CQL, without the outer quotes: a blob as 0xcafe, a date as 2026-11-30, a
timestamp as 2026-11-30T08:15:00Z or in milliseconds. Put -- before a text that begins with a dash.

  --type TYPE[,TYPE…]    ascii, bigint, blob, boolean, date, decimal, double, float, inet, int, smallint,
                         text, time, timestamp, timeuuid, tinyint, uuid, varchar, varint, and tuple<…>,
                         list<…>, set<…>, map<…> of them; text if left out
  --partitioner NAME     murmur3 (Cassandra's default), or random (MD5)
  --json                 print an object: partitioner, types, values, components and bytes in hexadecimal,
                         and the token as text, since it has 64 or 128 bits

exit codes: 0 done, 1 a fault of Tidetable itself, 2 bad input
`;

export const tokenCommand: Command = {
  name: "token",
  summary: "bytes and token of a partition key",
  help,
  options: { type: "value", partitioner: "value", json: "flag" },
  issues: (line) => [
    ...(line.files.length === 0 ? [anError("VALUE", "The value of the key is missing.")] : []),
    ...issuesOf(readTypes(line)),
    ...issuesOf(optionResult(line)),
  ],
  run: async (line, terminal) => {
    const types = readTypes(line);
    const partitioner = optionResult(line);
    const key = types.ok ? serialiseKey(types.value, line.files, "VALUE") : types;
    if (!types.ok || !partitioner.ok || !key.ok) {
      const issues = [...issuesOf(key), ...issuesOf(partitioner)];
      return refuse(terminal, [{ subject: "the command line", issues }]);
    }
    const found = {
      partitioner: partitioner.value,
      types: types.value.map(cqlTypeText),
      values: line.files,
      components: componentsOf(types.value, line.files),
      bytes: hex(key.value),
      token: String(tokenOf(partitioner.value, key.value)),
      ...(key.value.length === 0 && {
        note: "Cassandra refuses to store a partition key without any byte; this is what hashing nothing gives.",
      }),
    };
    terminal.out(line.flags.has("json") ? `${JSON.stringify(found, null, 2)}\n` : report(found));
    return 0;
  },
};

function readTypes(line: CommandLine): Result<readonly CqlType[]> {
  const read = splitOutside(line.values.get("type") ?? "text").map((text) =>
    readCqlType(text, "--type"),
  );
  const issues = read.flatMap((each) => (each.ok ? [] : each.issues));
  return issues.length > 0
    ? { ok: false, issues }
    : { ok: true, value: read.flatMap((each) => (each.ok ? [each.value] : [])), warnings: [] };
}

const partitioners = ["murmur3", "random"] as const;

/** `--partitioner`, murmur3 if it is left out. */
export function readPartitioner(text: string): Result<Partitioner> {
  const found = partitioners.find((each) => each === text.toLowerCase());
  if (found) return { ok: true, value: found, warnings: [] };
  const hint = suggestion(text, partitioners, "Write murmur3, or random for MD5.");
  return {
    ok: false,
    issues: [anError("--partitioner", `There is no partitioner ${text}.`, hint)],
  };
}

function optionResult(line: CommandLine): Result<Partitioner> {
  const issues: Issue[] = [];
  const value = optionValue(line, "partitioner", readPartitioner, issues) ?? "murmur3";
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value, warnings: [] };
}

function issuesOf(result: Result<unknown>): readonly Issue[] {
  return result.ok ? [] : result.issues;
}

function componentsOf(types: readonly CqlType[], values: readonly string[]): readonly string[] {
  return types.map((type, index) => {
    const part = serialise(type, values[index] as string, "");
    return part.ok ? hex(part.value) : "";
  });
}

function hex(bytes: Uint8Array): string {
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

interface Found {
  readonly partitioner: Partitioner;
  readonly types: readonly string[];
  readonly values: readonly string[];
  readonly components: readonly string[];
  readonly bytes: string;
  readonly token: string;
  readonly note?: string;
}

function report({ partitioner, types, values, components, bytes, token, note }: Found): string {
  const isComposite = types.length > 1;
  const parts = types.map((type, index) => [type, values[index] ?? "", components[index] ?? ""]);
  const column = { head: "", align: "left" } as const;
  const lines = [
    `token  ${token}  (${partitioner === "murmur3" ? "Murmur3Partitioner" : "RandomPartitioner"})`,
    `bytes  ${bytes}`,
    ...(isComposite ? ["", ...textTable([column, column, column], parts)] : []),
    ...(note === undefined ? [] : ["", note]),
    "",
  ];
  return lines.join("\n");
}
